//! A value from a host, and its conversion into the types of this crate.
//!
//! Serde writes a reader of its own for each type, and with every error that it can form each is
//! large. What is read here was held against a table of fields before, so there is one error, which
//! carries no more than a field's name, and a record hands over its fields in the order of the type's:
//! readers by name are larger.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
    vec::{self, Vec},
};
use core::{fmt, mem, slice};

use serde::{
    Deserialize,
    de::{
        self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer,
        MapAccess, SeqAccess, VariantAccess, Visitor, value::StringDeserializer,
    },
    forward_to_deserialize_any,
};

use crate::{Error, ErrorCode};

/// What JSON can say. An object's keys keep their order.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// True or false.
    Flag(bool),
    /// An array.
    List(Vec<Value>),
    /// Null, and what is absent.
    Null,
    /// Any number. Whole ones are exact up to 2^53.
    Number(f64),
    /// An object.
    Record(Vec<(String, Value)>),
    /// A string.
    Text(String),
}

impl Value {
    /// Makes a request of a value that was held against the request's table. `name` is what the value is
    /// called at its root, empty for a request.
    ///
    /// # Errors
    /// `invalid_value` where the value does not fit its type all the same.
    pub fn read<T: DeserializeOwned>(self, name: &str) -> Result<T, Error> {
        T::deserialize(self)
            .map_err(|misfit| Error::new(ErrorCode::InvalidValue, name, misfit.to_string()))
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Data)
    }
}

/// Takes whatever comes.
struct Data;

impl<'de> Visitor<'de> for Data {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("data")
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Flag(flag))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.into()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut record: Vec<(String, Value)> = Vec::new();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        while let Some((name, value)) = fields.next_entry::<String, _>()? {
            // Of two fields of one name JavaScript keeps the last.
            match places.get(&name) {
                Some(&at) => record[at].1 = value,
                None => {
                    places.insert(name.clone(), record.len());
                    record.push((name, value));
                }
            }
        }
        Ok(Value::Record(record))
    }
}

/// The name of a type that is read from a text or a record: who asks by it is given the one as a string, and
/// the other as what reads it.
pub(crate) const TEXT_OR: &str = "text or record";

/// A value does not fit its type; where that is known, the field that is missing.
#[derive(Debug)]
pub struct Misfit(Option<&'static str>);

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(field) => write!(f, "The field \"{field}\" is missing"),
            None => f.write_str("The value does not fit"),
        }
    }
}

impl core::error::Error for Misfit {}

impl de::Error for Misfit {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(None)
    }

    fn missing_field(field: &'static str) -> Self {
        Self(Some(field))
    }
}

/// A number that is whole, not negative and exact.
pub(super) fn whole(number: f64) -> Option<u64> {
    const MOST: f64 = (1u64 << 53) as f64;
    let whole = number as u64;
    ((0.0..MOST).contains(&number) && number == whole as f64).then_some(whole)
}

/// A whole number as one, so that it fits the integers; any other as it is.
fn number<'de, V: Visitor<'de>>(number: f64, visitor: V) -> Result<V::Value, Misfit> {
    match whole(number) {
        Some(whole) => visitor.visit_u64(whole),
        None => visitor.visit_f64(number),
    }
}

impl<'de> Deserializer<'de> for Value {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self {
            Self::Flag(flag) => visitor.visit_bool(flag),
            Self::List(items) => visitor.visit_seq(Items(items.into_iter())),
            Self::Null => visitor.visit_unit(),
            Self::Number(value) => number(value, visitor),
            Self::Record(fields) => visitor.visit_map(Fields::new(fields)),
            Self::Text(text) => visitor.visit_string(text),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self {
            Self::Flag(flag) => visitor.visit_bool(flag),
            _ => Err(Misfit(None)),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self {
            Self::Number(number) => visitor.visit_f64(number),
            _ => Err(Misfit(None)),
        }
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self {
            Self::Number(value) => number(value, visitor),
            _ => Err(Misfit(None)),
        }
    }

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self {
            Self::Text(text) => visitor.visit_string(text),
            _ => Err(Misfit(None)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self {
            Self::Null => visitor.visit_none(),
            value => visitor.visit_some(value),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self {
            Self::List(items) => visitor.visit_seq(Items(items.into_iter())),
            _ => Err(Misfit(None)),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self {
            Self::Record(fields) => visitor.visit_map(Fields::new(fields)),
            _ => Err(Misfit(None)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        visitor.visit_seq(&mut InOrder::new(self, fields)?)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match self {
            Self::Text(text) if name == TEXT_OR => visitor.visit_string(text),
            value => visitor.visit_newtype_struct(value),
        }
    }

    /// By this the types that are a text or a record know that `TEXT_OR` can be asked for.
    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match self {
            Self::Text(word) => visitor.visit_enum(Word(word)),
            _ => Err(Misfit(None)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 u8 f32 char str bytes byte_buf unit unit_struct tuple tuple_struct identifier
    }
}

struct Items(vec::IntoIter<Value>);

impl<'de> SeqAccess<'de> for Items {
    type Error = Misfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Misfit> {
        self.0.next().map(|item| seed.deserialize(item)).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The fields of a record in the order of a type's. One that is absent is null, so a type's field that may be
/// absent reads null, too.
struct InOrder {
    record: Vec<(String, Value)>,
    fields: slice::Iter<'static, &'static str>,
    /// The last field's name, where it is absent.
    absent: Option<&'static str>,
}

impl InOrder {
    fn new(value: Value, fields: &'static [&'static str]) -> Result<Self, Misfit> {
        match value {
            Value::Record(record) => Ok(Self {
                record,
                fields: fields.iter(),
                absent: None,
            }),
            _ => Err(Misfit(None)),
        }
    }

    /// Not put into each type's reader, as what that calls is a third of it.
    #[inline(never)]
    fn next(&mut self) -> Value {
        let name = self.fields.next().copied();
        let mut record = self.record.iter_mut();
        let known = record.find(|(key, _)| Some(key.as_str()) == name);
        let value = known.map(|(_, value)| mem::replace(value, Value::Null));
        self.absent = name.filter(|_| value.is_none());
        value.unwrap_or(Value::Null)
    }
}

impl<'de> SeqAccess<'de> for InOrder {
    type Error = Misfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Misfit> {
        match seed.deserialize(self.next()) {
            Ok(value) => Ok(Some(value)),
            Err(misfit) => Err(Misfit(self.absent.or(misfit.0))),
        }
    }
}

struct Fields {
    left: vec::IntoIter<(String, Value)>,
    value: Value,
}

impl Fields {
    fn new(fields: Vec<(String, Value)>) -> Self {
        Self {
            left: fields.into_iter(),
            value: Value::Null,
        }
    }
}

impl<'de> MapAccess<'de> for Fields {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Misfit> {
        let Some((key, value)) = self.left.next() else {
            return Ok(None);
        };
        self.value = value;
        let key: StringDeserializer<Misfit> = key.into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Misfit> {
        seed.deserialize(mem::replace(&mut self.value, Value::Null))
    }
}

/// The word of an enumeration.
struct Word(String);

impl<'de> EnumAccess<'de> for Word {
    type Error = Misfit;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Misfit> {
        let word: StringDeserializer<Misfit> = self.0.into_deserializer();
        Ok((seed.deserialize(word)?, Self(String::new())))
    }
}

impl<'de> VariantAccess<'de> for Word {
    type Error = Misfit;

    fn unit_variant(self) -> Result<(), Misfit> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, Misfit> {
        Err(Misfit(None))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Misfit> {
        Err(Misfit(None))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Misfit> {
        Err(Misfit(None))
    }
}
