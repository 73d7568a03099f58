//! The check of what comes in from JavaScript, which converts it on the way.
//!
//! One walk over the value beside the table of fields that the core publishes for it. It knows types
//! and names, no rule of the method. A conversion without it would accept unknown fields, NaN and an
//! own `__proto__`, and would turn half a surrogate pair into U+FFFD without a word.

use std::fmt;
use std::hint::black_box;

use claimgauge_core::fields::refuse::{self, Short};
use claimgauge_core::fields::{Field, MAX_DEPTH, MAX_UNITS, MAX_VALUES, Shape, Value};
use claimgauge_core::patterns::KindName;
use claimgauge_core::{Error, ErrorCode};
use js_sys::{Array, JsString, Reflect};
use wasm_bindgen::prelude::*;

/// Reads what fits `shape` and refuses what does not. `name` is what the value is called at its root,
/// empty for a request.
pub(crate) fn check(value: &JsValue, shape: &Shape, name: &str) -> Result<Value, Error> {
    let place = Place {
        parent: None,
        key: Key::Root(name),
        value,
    };
    Walk::default().value(&place, shape)
}

/// Where the walk is: a chain from the value up to its root.
struct Place<'a> {
    parent: Option<&'a Place<'a>>,
    key: Key<'a>,
    value: &'a JsValue,
}

enum Key<'a> {
    Index(u32),
    Name(&'a str),
    Root(&'a str),
}

/// What is made of an entry; nothing where it is absent.
type Each<'a> = dyn FnMut(&mut Walk, &str, &Place<'_>) -> Result<Option<Value>, Error> + 'a;

/// What the walk has seen so far.
#[derive(Default)]
struct Walk {
    values: usize,
    units: usize,
    /// How many values were read, and how many there is room for.
    read: usize,
    room: usize,
}

impl Walk {
    fn value(&mut self, place: &Place<'_>, shape: &Shape) -> Result<Value, Error> {
        self.count(place, 1)?;
        self.make_room();
        match shape {
            Shape::Any => self.data(place),
            Shape::Flag => match place.value.as_bool() {
                Some(flag) => Ok(Value::Flag(flag)),
                None => Err(self.wrong_type(place, shape)),
            },
            Shape::Kind if place.value.is_string() => self.kind(place),
            Shape::List(item) if is_array(place.value) => self.list(place, item),
            Shape::Map(item) if is_keyed(place.value) => self.map(place, item),
            Shape::Number if place.value.as_f64().is_some() => self.number(place),
            Shape::OneOf(words) if place.value.is_string() => self.word(place, words),
            Shape::Place if place.value.as_f64().is_some() => self.place(place),
            Shape::Record(fields) if is_keyed(place.value) => self.record(place, fields),
            Shape::Reply if place.value.is_string() => self.reply(place),
            Shape::Text if place.value.is_string() => self.text(place),
            Shape::TextOr(_) if place.value.is_string() => self.text(place),
            Shape::TextOr(other) if is_keyed(place.value) => self.value(place, other),
            Shape::Whole if place.value.as_f64().is_some() => self.whole(place),
            _ => Err(self.wrong_type(place, shape)),
        }
    }

    /// Anything that is data: what JSON can say.
    fn data(&mut self, place: &Place<'_>) -> Result<Value, Error> {
        let value = place.value;
        if value.is_null() || value.is_undefined() {
            Ok(Value::Null)
        } else if let Some(flag) = value.as_bool() {
            Ok(Value::Flag(flag))
        } else if value.is_string() {
            self.text(place)
        } else if value.as_f64().is_some() {
            self.number(place)
        } else if is_array(value) {
            self.list(place, &Shape::Any)
        } else if value.is_object() {
            self.map(place, &Shape::Any)
        } else {
            Err(self.wrong_type(place, &Shape::Any))
        }
    }

    fn list(&mut self, place: &Place<'_>, item: &Shape) -> Result<Value, Error> {
        place.check_depth()?;
        let list: &Array = place.value.unchecked_ref();
        let length = list.length();
        // A sparse array is as long as it says.
        self.count(place, length as usize)?;
        let mut items = Vec::new();
        for index in 0..length {
            let value = Reflect::get_u32(list, index).map_err(|thrown| place.threw(&thrown))?;
            items.push(self.value(&place.with(Key::Index(index), &value), item)?);
        }
        Ok(Value::List(items))
    }

    fn map(&mut self, place: &Place<'_>, item: &Shape) -> Result<Value, Error> {
        self.plain(place, &Shape::Map(&Shape::Any))?;
        self.entries(place, &mut |walk, name, inner| {
            if name == "__proto__" {
                return Err(place.unknown_field(name, &[]));
            }
            walk.value(inner, item).map(Some)
        })
    }

    fn record(&mut self, place: &Place<'_>, fields: &[Field]) -> Result<Value, Error> {
        self.plain(place, &Shape::Record(&[]))?;
        let mut seen = vec![false; fields.len()];
        let record = self.entries(place, &mut |walk, name, inner| {
            let Some(at) = fields.iter().position(|field| field.name == name) else {
                walk.nested_too_deep(inner)?;
                return Err(place.unknown_field(name, fields));
            };
            if inner.value.is_undefined() || (inner.value.is_null() && !fields[at].required) {
                return Ok(None);
            }
            seen[at] = true;
            walk.value(inner, &fields[at].shape).map(Some)
        })?;
        let missing = fields
            .iter()
            .zip(seen)
            .find(|(field, seen)| field.required && !seen);
        missing.map_or(Ok(record), |(field, _)| Err(place.missing_field(field)))
    }

    /// Every own key with what `each` makes of what it holds.
    fn entries(&mut self, place: &Place<'_>, each: &mut Each<'_>) -> Result<Value, Error> {
        place.check_depth()?;
        let keys = keys(place.value).map_err(|thrown| place.threw(&thrown))?;
        let mut entries = Vec::new();
        for index in 0..keys.length() {
            let key = keys.get(index);
            let name = key.as_string().unwrap_or_default();
            self.well_formed(&place.with(Key::Name(&name), &key))?;
            let value = Reflect::get(place.value, &key)
                .map_err(|thrown| place.with(Key::Name(&name), &key).threw(&thrown))?;
            if let Some(value) = each(self, &name, &place.with(Key::Name(&name), &value))? {
                entries.push((name, value));
            }
        }
        Ok(Value::Record(entries))
    }

    /// Refuses what has a class: its fields are not all that it is.
    fn plain(&mut self, place: &Place<'_>, shape: &Shape) -> Result<(), Error> {
        match is_plain(place.value) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.wrong_type(place, shape)),
            Err(thrown) => Err(place.threw(&thrown)),
        }
    }

    fn text(&mut self, place: &Place<'_>) -> Result<Value, Error> {
        let text = self.reply(place)?;
        self.well_formed(place)?;
        Ok(text)
    }

    /// Text as it is made UTF-8: half of a surrogate pair is U+FFFD.
    fn reply(&mut self, place: &Place<'_>) -> Result<Value, Error> {
        let text: &JsString = place.value.unchecked_ref();
        self.units = self.units.saturating_add(text.length() as usize);
        if self.units > MAX_UNITS {
            let path = place.to_string();
            return Err(refuse::too_large(path, MAX_UNITS, "UTF-16 units of text"));
        }
        Ok(Value::Text(place.value.as_string().unwrap_or_default()))
    }

    fn well_formed(&mut self, place: &Place<'_>) -> Result<(), Error> {
        let text: &Text = place.value.unchecked_ref();
        // Where the engine is too old to be asked, a round trip through UTF-8 shows the difference.
        let well_formed = text.is_well_formed().unwrap_or_else(|_| {
            let round_trip = JsValue::from(place.value.as_string().unwrap_or_default());
            round_trip == *place.value
        });
        if well_formed {
            return Ok(());
        }
        Err(place
            .error(
                ErrorCode::LoneSurrogate,
                "The text holds half of a surrogate pair".into(),
            )
            .with_hint("It was cut inside a character; `text.toWellFormed()` mends it."))
    }

    fn word(&mut self, place: &Place<'_>, words: &[&str]) -> Result<Value, Error> {
        let value = self.text(place)?;
        let Value::Text(word) = &value else {
            return Ok(value);
        };
        if words.contains(&word.as_str()) {
            return Ok(value);
        }
        Err(refuse::unknown_word(place.to_string(), word, words))
    }

    fn kind(&mut self, place: &Place<'_>) -> Result<Value, Error> {
        let value = self.text(place)?;
        match &value {
            Value::Text(word) if KindName::from_word(word).is_some() => Ok(value),
            _ => Err(refuse::misfit(place.to_string())),
        }
    }

    fn number(&mut self, place: &Place<'_>) -> Result<Value, Error> {
        match place.value.as_f64() {
            Some(number) if number.is_finite() => Ok(Value::Number(number)),
            _ => Err(place.error(
                ErrorCode::NotFinite,
                format!("Expected a finite number, received {}", shown(place.value)),
            )),
        }
    }

    fn whole(&mut self, place: &Place<'_>) -> Result<Value, Error> {
        const MOST: f64 = (1u64 << 53) as f64;
        match self.number(place)? {
            Value::Number(number) if number.fract() == 0.0 && (0.0..MOST).contains(&number) => {
                Ok(Value::Number(number))
            }
            _ => Err(refuse::not_whole(place.to_string(), &shown(place.value))),
        }
    }

    fn place(&mut self, place: &Place<'_>) -> Result<Value, Error> {
        match self.whole(place)? {
            Value::Number(number) if number <= usize::MAX as f64 => Ok(Value::Number(number)),
            _ => Err(refuse::misfit(place.to_string())),
        }
    }

    fn count(&mut self, place: &Place<'_>, values: usize) -> Result<(), Error> {
        // An array that holds another one twice, sixty times over, is a small value in JavaScript and
        // endless written out.
        self.values = self.values.saturating_add(values);
        if self.values > MAX_VALUES {
            return Err(refuse::too_large(place.to_string(), MAX_VALUES, "values"));
        }
        Ok(())
    }

    /// Has the memory grow for as many values again as there were. Page by page, as they come, the engine would look
    /// each time for what it can free.
    fn make_room(&mut self) {
        const LEAST: usize = 1 << 12;
        const BYTES: usize = 96;
        self.read += 1;
        if self.read > self.room.max(LEAST) {
            self.room = MAX_VALUES.min(2 * self.read);
            let mut room = Vec::<u8>::new();
            // Where there is none, what needs it says so.
            let _ = room.try_reserve_exact(BYTES * (self.room - self.read));
            drop(black_box(room));
        }
    }

    fn wrong_type(&mut self, place: &Place<'_>, shape: &Shape) -> Error {
        if let Err(error) = self.nested_too_deep(place) {
            return error;
        }
        let received = received(place.value);
        let error = refuse::wrong_type(place.to_string(), shape, &received);
        match hint(&received) {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }

    /// A value in the wrong place that has no end says so first: that is what is wrong with it.
    fn nested_too_deep(&mut self, place: &Place<'_>) -> Result<(), Error> {
        let value = place.value;
        if !value.is_object() {
            return Ok(());
        }
        let found = if is_array(value) {
            self.list(place, &Shape::Any)
        } else if is_plain(value).unwrap_or(false) {
            self.map(place, &Shape::Any)
        } else {
            return Ok(());
        };
        match found {
            Err(error) if matches!(error.code(), ErrorCode::Cyclic | ErrorCode::TooDeep) => {
                Err(error)
            }
            _ => Ok(()),
        }
    }
}

impl<'a> Place<'a> {
    fn with(&'a self, key: Key<'a>, value: &'a JsValue) -> Self {
        Self {
            parent: Some(self),
            key,
            value,
        }
    }

    fn above(&self) -> impl Iterator<Item = &Place<'a>> {
        std::iter::successors(self.parent, |place| place.parent)
    }

    /// What holds itself is found where the nesting ends: looking for it at each step would cost more.
    fn check_depth(&self) -> Result<(), Error> {
        if self.above().count() < MAX_DEPTH {
            return Ok(());
        }
        Err(if self.above().any(|place| place.value == self.value) {
            self.error(ErrorCode::Cyclic, "The value holds itself".into())
                .with_hint("Hand in data: what JSON can say.")
        } else {
            refuse::too_deep(self.to_string())
        })
    }

    fn unknown_field(&self, name: &str, fields: &[Field]) -> Error {
        let path = self.with(Key::Name(name), self.value).to_string();
        refuse::unknown_field(path, name, fields)
    }

    fn missing_field(&self, field: &Field) -> Error {
        let path = self.with(Key::Name(field.name), self.value).to_string();
        refuse::missing_field(path, field)
    }

    fn threw(&self, thrown: &JsValue) -> Error {
        let message = Reflect::get(thrown, &"message".into()).ok();
        let message = message.and_then(|message| message.as_string());
        let message = message
            .or_else(|| thrown.as_string())
            .unwrap_or_else(|| "an exception".into());
        self.error(
            ErrorCode::InvalidValue,
            format!("Reading it threw: {}", Short(&message)),
        )
        .with_hint("Hand in data without getters and proxies.")
    }

    fn error(&self, code: ErrorCode, message: String) -> Error {
        Error::new(code, self.to_string(), message)
    }
}

/// Dot-joined, as in `evidence.2.id`.
impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
            if parent.parent.is_some() || !matches!(parent.key, Key::Root("")) {
                f.write_str(".")?;
            }
        }
        match self.key {
            Key::Index(index) => index.fmt(f),
            Key::Name(name) | Key::Root(name) => Short(name).fmt(f),
        }
    }
}

/// A proxy that was revoked cannot even be asked; it is found where its class is looked for.
fn is_array(value: &JsValue) -> bool {
    try_is_array(value).unwrap_or(false)
}

fn is_keyed(value: &JsValue) -> bool {
    value.is_object() && !is_array(value)
}

/// Plain objects of another frame have another `Object.prototype`, with nothing above it too.
fn is_plain(value: &JsValue) -> Result<bool, JsValue> {
    let class = prototype(value)?;
    Ok(class.is_null() || prototype(&class)?.is_null())
}

fn received(value: &JsValue) -> String {
    if value.is_null() {
        return "null".into();
    }
    if is_array(value) {
        return "array".into();
    }
    if !value.is_object() {
        return value.js_typeof().as_string().unwrap_or_default();
    }
    let class = Reflect::get(value, &"constructor".into())
        .and_then(|constructor| Reflect::get(&constructor, &"name".into()))
        .ok()
        .and_then(|name| name.as_string());
    match class.as_deref() {
        None | Some("" | "Object") => "object".into(),
        Some(name) => Short(name).to_string(),
    }
}

fn hint(received: &str) -> Option<&'static str> {
    Some(match received {
        "Date" => "Write it as text: `date.toISOString()`.",
        "Map" => "Make it a plain object: `Object.fromEntries(map)`.",
        "Promise" => "Await it first.",
        "Set" => "Make it an array: `[...set]`.",
        "bigint" => "Make it a number: `Number(value)`.",
        _ => return None,
    })
}

#[wasm_bindgen]
extern "C" {
    /// A JavaScript string whose method may be absent.
    type Text;

    #[wasm_bindgen(method, catch, js_name = isWellFormed)]
    fn is_well_formed(this: &Text) -> Result<bool, JsValue>;

    /// What `String(value)` is.
    #[wasm_bindgen(js_name = String)]
    fn shown(value: &JsValue) -> String;

    #[wasm_bindgen(catch, js_namespace = Array, js_name = isArray)]
    fn try_is_array(value: &JsValue) -> Result<bool, JsValue>;

    /// The own enumerable keys; a proxy's trap may throw.
    #[wasm_bindgen(catch, js_namespace = Object, js_name = keys)]
    fn keys(value: &JsValue) -> Result<Array, JsValue>;

    #[wasm_bindgen(catch, js_namespace = Object, js_name = getPrototypeOf)]
    fn prototype(value: &JsValue) -> Result<JsValue, JsValue>;
}
