//! Values as the library of JSON Schema sees them, with a meter on the way: each look costs a step, and
//! once all steps are used up, nothing is inside of anything any more. So the library comes to its end
//! soon, whatever it was about to do, and what it says then does not count.
//!
//! A schema that refers to itself can take time that doubles with each level of the value, and the library
//! has no limit of its own.

use std::{borrow::Cow, cell::Cell};

use jsonschema::{
    JsonType,
    json::{Array, Json, Node, NodeIdentity, Object, SerdeJson},
};
use serde_json::{Map, Number, Value};

use crate::unique::are_unique;

/// Bytes of a text that are looked at in one step.
const BYTES: usize = 4096;

thread_local! {
    /// Steps that are left. The library hands names of properties over as values of their own, which
    /// come from nowhere: the meter cannot go along with the value.
    static LEFT: Cell<u64> = const { Cell::new(0) };

    /// Steps that each item and field costs: so often may a schema go over one without a look at it.
    static EACH: Cell<u64> = const { Cell::new(1) };
}

/// What `run` gives with so many steps, where they were enough.
pub(crate) fn within<T>(steps: u64, each: u64, run: impl FnOnce() -> T) -> Option<T> {
    LEFT.set(steps);
    EACH.set(each);
    let given = run();
    (LEFT.get() > 0).then_some(given)
}

/// Takes steps; false once there are none.
fn take(steps: u64) -> bool {
    let left = LEFT.get().saturating_sub(steps);
    LEFT.set(left);
    left > 0
}

/// The representation.
pub(crate) struct Metered;

/// A value.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a>(pub(crate) &'a Value);

pub(crate) struct Fields<'a>(&'a Map<String, Value>);

pub(crate) struct Items<'a>(&'a [Value]);

impl Json for Metered {
    type Node<'a> = Seen<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    const KEYS_PER_LOOKUP: usize = SerdeJson::KEYS_PER_LOOKUP;
    const ACYCLIC: bool = SerdeJson::ACYCLIC;

    fn prepare_key(key: &str) -> String {
        SerdeJson::prepare_key(key)
    }

    fn with_string_node<T>(
        buffer: &mut (),
        string: &str,
        f: impl FnOnce(Self::Node<'_>) -> T,
    ) -> T {
        SerdeJson::with_string_node(buffer, string, |value| f(Seen(value)))
    }
}

impl<'a> Node<'a, Metered> for Seen<'a> {
    type Object = Fields<'a>;
    type Array = Items<'a>;
    type Number = &'a Number;

    fn as_object(&self) -> Option<Fields<'a>> {
        let Self(value) = self;
        value.as_object().filter(|_| take(1)).map(Fields)
    }

    fn as_array(&self) -> Option<Items<'a>> {
        let Self(value) = self;
        let items = value.as_array().filter(|_| take(1));
        items.map(Items)
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        let Self(value) = self;
        let text = value.as_str()?;
        take(1 + (text.len() / BYTES) as u64);
        Some(Cow::Borrowed(text))
    }

    fn as_number(&self) -> Option<&'a Number> {
        take(1);
        let Self(value) = self;
        value.as_number()
    }

    fn as_boolean(&self) -> Option<bool> {
        take(1);
        let Self(value) = self;
        value.as_bool()
    }

    fn is_null(&self) -> bool {
        take(1);
        let Self(value) = self;
        value.is_null()
    }

    fn json_type(&self) -> JsonType {
        take(1);
        let Self(value) = self;
        Node::<SerdeJson>::json_type(value)
    }

    fn string_length_within(&self, min: u64, max: u64) -> Option<bool> {
        let text = self.as_string()?;
        // No character takes more bytes than four, none less than one.
        let bytes = text.len() as u64;
        if bytes < min || bytes.div_ceil(4) > max {
            return Some(false);
        }
        Some((min..=max).contains(&(text.chars().count() as u64)))
    }

    fn equals_value(&self, expected: &Value) -> bool {
        let Self(value) = self;
        // Where nothing counts any more, what fits needs no further look.
        !take(1) || Node::<SerdeJson>::equals_value(value, expected)
    }

    fn to_value(&self) -> Cow<'a, Value> {
        let Self(value) = self;
        Cow::Borrowed(value)
    }

    fn identity(&self) -> Option<NodeIdentity> {
        take(1);
        let Self(value) = self;
        Node::<SerdeJson>::identity(value)
    }
}

impl<'a> Object<'a, Metered> for Fields<'a> {
    type Node = Seen<'a>;
    type MemberName = &'a str;
    type MembersIter = FieldsIter<'a>;

    fn len(&self) -> usize {
        let Self(fields) = self;
        fields.len()
    }

    fn get(&self, key: &String) -> Option<Seen<'a>> {
        let Self(fields) = self;
        let field = Object::<SerdeJson>::get(fields, key);
        field.filter(|_| take(EACH.get())).map(Seen)
    }

    fn members(&self) -> FieldsIter<'a> {
        let Self(fields) = self;
        FieldsIter(fields.iter())
    }
}

pub(crate) struct FieldsIter<'a>(serde_json::map::Iter<'a>);

impl<'a> Iterator for FieldsIter<'a> {
    type Item = (&'a str, Seen<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let Self(fields) = self;
        let (name, field) = fields.next().filter(|_| take(EACH.get()))?;
        Some((name, Seen(field)))
    }
}

impl<'a> Array<'a, Metered> for Items<'a> {
    type Node = Seen<'a>;
    type ElementsIter = ItemsIter<'a>;

    fn len(&self) -> usize {
        let Self(items) = self;
        items.len()
    }

    fn elements(&self) -> ItemsIter<'a> {
        let Self(items) = self;
        ItemsIter(items.iter())
    }

    fn is_unique(&self) -> bool {
        let Self(items) = self;
        !take(items.len() as u64) || are_unique(items)
    }
}

pub(crate) struct ItemsIter<'a>(std::slice::Iter<'a, Value>);

impl<'a> Iterator for ItemsIter<'a> {
    type Item = Seen<'a>;

    fn next(&mut self) -> Option<Seen<'a>> {
        let Self(items) = self;
        items.next().filter(|_| take(EACH.get())).map(Seen)
    }
}
