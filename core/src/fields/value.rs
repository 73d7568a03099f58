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
use core::{fmt, marker::PhantomData, mem, slice};

use serde::{
    Deserialize,
    de::{
        self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer,
        MapAccess, SeqAccess, VariantAccess, Visitor,
        value::{StringDeserializer, U64Deserializer},
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
        T::deserialize(Reader::<Misfit>::new(self))
            .map_err(|misfit| Error::new(ErrorCode::InvalidValue, name, misfit.to_string()))
    }

    /// The same for a type that takes all that its table lets through, so that its reader never has to give
    /// up half-way: that is half of the code. A test below holds such types against their tables.
    ///
    /// # Panics
    /// Where the value does not fit.
    pub fn read_fitting<T: DeserializeOwned>(self) -> T {
        match T::deserialize(Reader::<Never>::new(self)) {
            Ok(value) => value,
        }
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
#[derive(Debug, Default)]
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

/// No value is one.
#[derive(Debug)]
enum Never {}

impl fmt::Display for Never {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl core::error::Error for Never {}

impl de::Error for Never {
    fn custom<T: fmt::Display>(_: T) -> Self {
        does_not_fit()
    }
}

#[cold]
#[inline(never)]
fn does_not_fit() -> ! {
    unreachable!("a table lets through what its type does not take")
}

/// What is said where a value does not fit.
trait Fault: de::Error {
    fn misfit() -> Self;

    /// The same of the value of a field that is absent.
    fn of_absent(self, field: Option<&'static str>) -> Self;
}

impl Fault for Misfit {
    fn misfit() -> Self {
        Self(None)
    }

    fn of_absent(self, field: Option<&'static str>) -> Self {
        Self(field.or(self.0))
    }
}

impl Fault for Never {
    fn misfit() -> Self {
        does_not_fit()
    }

    fn of_absent(self, _: Option<&'static str>) -> Self {
        self
    }
}

/// A number that is whole, not negative and exact.
pub(super) fn whole(number: f64) -> Option<u64> {
    const MOST: f64 = (1u64 << 53) as f64;
    let whole = number as u64;
    ((0.0..MOST).contains(&number) && number == whole as f64).then_some(whole)
}

/// A whole number as one, so that it fits the integers; any other as it is.
fn number<'de, V: Visitor<'de>, E: Fault>(number: f64, visitor: V) -> Result<V::Value, E> {
    match whole(number) {
        Some(whole) => visitor.visit_u64(whole),
        None => visitor.visit_f64(number),
    }
}

/// A value that is read into a type; what does not fit is an `E`.
struct Reader<E>(Value, PhantomData<E>);

impl<E> Reader<E> {
    fn new(value: Value) -> Self {
        Self(value, PhantomData)
    }
}

impl<'de, E: Fault> Deserializer<'de> for Reader<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.0 {
            Value::Flag(flag) => visitor.visit_bool(flag),
            Value::List(items) => visitor.visit_seq(Items(items.into_iter(), PhantomData)),
            Value::Null => visitor.visit_unit(),
            Value::Number(value) => number(value, visitor),
            Value::Record(fields) => visitor.visit_map(Fields::new(fields)),
            Value::Text(text) => visitor.visit_string(text),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.0 {
            Value::Flag(flag) => visitor.visit_bool(flag),
            _ => Err(E::misfit()),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.0 {
            Value::Number(number) => visitor.visit_f64(number),
            _ => Err(E::misfit()),
        }
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.0 {
            Value::Number(value) => number(value, visitor),
            _ => Err(E::misfit()),
        }
    }

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.0 {
            Value::Text(text) => visitor.visit_string(text),
            _ => Err(E::misfit()),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            value => visitor.visit_some(Self::new(value)),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.0 {
            Value::List(items) => visitor.visit_seq(Items(items.into_iter(), PhantomData)),
            _ => Err(E::misfit()),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.0 {
            Value::Record(fields) => visitor.visit_map(Fields::new(fields)),
            _ => Err(E::misfit()),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        match self.0 {
            Value::Record(record) => visitor.visit_seq(&mut InOrder(
                Rest {
                    record,
                    fields: fields.iter(),
                    absent: None,
                },
                PhantomData,
            )),
            _ => Err(E::misfit()),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, E> {
        match self.0 {
            Value::Text(text) if name == TEXT_OR => visitor.visit_string(text),
            value => visitor.visit_newtype_struct(Self::new(value)),
        }
    }

    /// By this the types that are a text or a record know that `TEXT_OR` can be asked for.
    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        match place_of(&self.0, variants) {
            Some(at) => visitor.visit_enum(Word(at, PhantomData)),
            None => Err(E::misfit()),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 u8 f32 char str bytes byte_buf unit unit_struct tuple tuple_struct identifier
    }
}

struct Items<E>(vec::IntoIter<Value>, PhantomData<E>);

impl<'de, E: Fault> SeqAccess<'de> for Items<E> {
    type Error = E;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, E> {
        let item = self.0.next().map(Reader::new);
        item.map(|item| seed.deserialize(item)).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The fields of a record in the order of a type's. One that is absent is null, so a type's field that may be
/// absent reads null, too.
struct InOrder<E>(Rest, PhantomData<E>);

struct Rest {
    record: Vec<(String, Value)>,
    fields: slice::Iter<'static, &'static str>,
    /// The last field's name, where it is absent.
    absent: Option<&'static str>,
}

impl Rest {
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

impl<'de, E: Fault> SeqAccess<'de> for InOrder<E> {
    type Error = E;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, E> {
        match seed.deserialize(Reader::new(self.0.next())) {
            Ok(value) => Ok(Some(value)),
            Err(fault) => Err(E::of_absent(fault, self.0.absent)),
        }
    }
}

struct Fields<E> {
    left: vec::IntoIter<(String, Value)>,
    value: Reader<E>,
}

impl<E> Fields<E> {
    fn new(fields: Vec<(String, Value)>) -> Self {
        Self {
            left: fields.into_iter(),
            value: Reader::new(Value::Null),
        }
    }
}

impl<'de, E: Fault> MapAccess<'de> for Fields<E> {
    type Error = E;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, E> {
        let Some((key, value)) = self.left.next() else {
            return Ok(None);
        };
        self.value = Reader::new(value);
        let key: StringDeserializer<E> = key.into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, E> {
        seed.deserialize(mem::replace(&mut self.value, Reader::new(Value::Null)))
    }
}

/// Where a word stands in a list.
fn place_of(value: &Value, words: &[&str]) -> Option<u64> {
    match value {
        Value::Text(text) => (0..)
            .zip(words)
            .find(|(_, word)| *word == text)
            .map(|(at, _)| at),
        _ => None,
    }
}

/// The word of an enumeration, by its place in the type's list.
struct Word<E>(u64, PhantomData<E>);

impl<'de, E: Fault> EnumAccess<'de> for Word<E> {
    type Error = E;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), E> {
        let at: U64Deserializer<E> = self.0.into_deserializer();
        Ok((seed.deserialize(at)?, self))
    }
}

impl<'de, E: Fault> VariantAccess<'de> for Word<E> {
    type Error = E;

    fn unit_variant(self) -> Result<(), E> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, E> {
        Err(E::misfit())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, E> {
        Err(E::misfit())
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, E> {
        Err(E::misfit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        decide::DecideRequest,
        evidence::Request,
        fields::{self, Shape},
        prompt::Message,
        report::Atom,
        scrub::{Earlier, ScrubRequest},
        verification::{Answer, Failure, Stop},
    };

    /// Values that fit a shape: each of its words, each field with and without the others.
    fn fitting(shape: &Shape) -> Vec<Value> {
        let texts = |words: &[&str]| -> Vec<Value> {
            let words = words.iter();
            words.map(|word| Value::Text((*word).into())).collect()
        };
        match shape {
            Shape::Any => Vec::from([Value::Null]),
            Shape::Flag => Vec::from([Value::Flag(true), Value::Flag(false)]),
            Shape::Kind => texts(&["TABLE", "TICKET"]),
            Shape::List(item) => Vec::from([Value::List(Vec::new()), Value::List(fitting(item))]),
            Shape::Map(item) => {
                let items = fitting(item).into_iter().enumerate();
                let items = items.map(|(at, item)| (at.to_string(), item));
                Vec::from([Value::Record(Vec::new()), Value::Record(items.collect())])
            }
            Shape::Number => [0.0, 0.5, -1.0, 7.0, 1e300].map(Value::Number).into(),
            Shape::OneOf(words) => texts(words),
            Shape::Place => [0.0, f64::from(u32::MAX)].map(Value::Number).into(),
            Shape::Record(known) => {
                let each: Vec<_> = known.iter().map(|field| fitting(&field.shape)).collect();
                let most = each.iter().map(Vec::len).max().unwrap_or(0);
                let record = |at: usize, wanted: &dyn Fn(&fields::Field) -> bool| {
                    let fields = known.iter().zip(&each).filter(|(field, _)| wanted(field));
                    let fields = fields.map(|(field, values)| {
                        (field.name.into(), values[at % values.len()].clone())
                    });
                    Value::Record(fields.collect())
                };
                let whole = (0..most).map(|at| record(at, &|_| true));
                let alone = known
                    .iter()
                    .map(|one| record(0, &|field| field.required || field.name == one.name));
                whole
                    .chain(alone)
                    .chain([record(0, &|field| field.required)])
                    .collect()
            }
            Shape::Reply | Shape::Text => texts(&["", "x"]),
            Shape::TextOr(other) => [texts(&["", "x"]), fitting(other)].concat(),
            Shape::Whole => [0.0, 9_007_199_254_740_991.0].map(Value::Number).into(),
        }
    }

    /// What [`Value::read_fitting`] rests on.
    #[test]
    fn types_take_all_that_their_tables_let_through() {
        fn takes<T: DeserializeOwned>(shape: &Shape) {
            for value in fitting(shape) {
                let read = value.clone().read::<T>("");
                assert!(read.is_ok(), "{value:?}");
                let _: T = value.read_fitting();
            }
        }
        takes::<Answer>(&fields::ANSWER);
        takes::<DecideRequest>(&fields::DECIDE);
        takes::<Earlier>(&fields::SCRUBBED);
        takes::<Failure>(&fields::FAILURE);
        takes::<Request>(&fields::VERIFY);
        takes::<ScrubRequest>(&fields::SCRUB);
        takes::<Stop>(&fields::STOP);
        takes::<String>(&fields::REPLY);
        takes::<String>(&fields::TEXT);
        takes::<Vec<Message>>(&fields::MESSAGES);
        takes::<Vec<Vec<Atom>>>(&fields::ATOMS);
    }
}
