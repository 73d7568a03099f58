//! JSON that is written, with its keys in order: judges that are held to a schema write an object in
//! the order of its keys.

use alloc::vec::Vec;

use serde::{Serialize, Serializer, ser::SerializeMap};

/// A JSON value whose keys keep their order.
#[derive(Clone, Debug)]
pub(crate) enum Json<'a> {
    Flag(bool),
    List(Vec<Json<'a>>),
    Number(f64),
    Object(Vec<(&'a str, Json<'a>)>),
    Text(&'a str),
    Whole(u32),
}

impl<'a> Json<'a> {
    pub(crate) fn list(items: impl IntoIterator<Item = Json<'a>>) -> Self {
        Self::List(items.into_iter().collect())
    }

    pub(crate) fn object(fields: impl IntoIterator<Item = (&'a str, Json<'a>)>) -> Self {
        Self::Object(fields.into_iter().collect())
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::List(items) => items.serialize(serializer),
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Object(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (key, value) in fields {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
            Self::Text(text) => serializer.serialize_str(text),
            Self::Whole(whole) => serializer.serialize_u32(*whole),
        }
    }
}
