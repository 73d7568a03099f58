//! JSON text of the core's values.
//!
//! Every value goes out through here, so it is written to be small: one writer for all that is nested, and
//! numbers that are not whole as JavaScript itself writes them. serde_json's writer, with numbers in the same
//! way, makes the module that everyone loads 4 KB larger by gzip, and the one of checks 8.

use std::fmt::{self, Display};

use serde::Serialize;
use serde::ser::{self, Serializer};
use wasm_bindgen::prelude::*;

/// Writes a value to the end of a text.
pub(crate) struct Writer<'a>(pub(crate) &'a mut String);

/// A value that JSON has no words for: the core has none, so no writer has to give up half-way.
#[derive(Debug)]
pub(crate) enum Unwritable {}

impl Display for Unwritable {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl std::error::Error for Unwritable {}

impl ser::Error for Unwritable {
    fn custom<T: Display>(_: T) -> Self {
        unreachable!("the core's values can be written")
    }
}

type Written = Result<(), Unwritable>;

impl Writer<'_> {
    fn word(self, word: &str) -> Written {
        self.0.push_str(word);
        Ok(())
    }

    fn whole(self, number: i64) -> Written {
        if number < 0 {
            self.0.push('-');
        }
        self.serialize_u64(number.unsigned_abs())
    }

    fn text(&mut self, text: &str) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        self.0.push('"');
        let mut written = 0;
        for (at, byte) in text.bytes().enumerate() {
            if byte >= b' ' && byte != b'"' && byte != b'\\' {
                continue;
            }
            self.0.push_str(&text[written..at]);
            written = at + 1;
            match byte {
                b'"' => self.0.push_str("\\\""),
                b'\\' => self.0.push_str("\\\\"),
                b'\n' => self.0.push_str("\\n"),
                _ => {
                    self.0.push_str("\\u00");
                    for digit in [byte >> 4, byte & 15] {
                        self.0.push(char::from(DIGITS[usize::from(digit)]));
                    }
                }
            }
        }
        self.0.push_str(&text[written..]);
        self.0.push('"');
    }
}

impl<'a> Serializer for Writer<'a> {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Nested<'a>;
    type SerializeTuple = Nested<'a>;
    type SerializeTupleStruct = Nested<'a>;
    type SerializeTupleVariant = Nested<'a>;
    type SerializeMap = Nested<'a>;
    type SerializeStruct = Nested<'a>;
    type SerializeStructVariant = Nested<'a>;

    fn serialize_bool(self, flag: bool) -> Written {
        self.word(if flag { "true" } else { "false" })
    }

    fn serialize_i8(self, number: i8) -> Written {
        self.whole(number.into())
    }

    fn serialize_i16(self, number: i16) -> Written {
        self.whole(number.into())
    }

    fn serialize_i32(self, number: i32) -> Written {
        self.whole(number.into())
    }

    fn serialize_i64(self, number: i64) -> Written {
        self.whole(number)
    }

    fn serialize_u8(self, number: u8) -> Written {
        self.whole(number.into())
    }

    fn serialize_u16(self, number: u16) -> Written {
        self.whole(number.into())
    }

    fn serialize_u32(self, number: u32) -> Written {
        self.whole(number.into())
    }

    fn serialize_u64(self, number: u64) -> Written {
        self.0.push_str(&number.to_string());
        Ok(())
    }

    fn serialize_f32(self, number: f32) -> Written {
        self.serialize_f64(number.into())
    }

    fn serialize_f64(self, number: f64) -> Written {
        match number.is_finite() {
            true => self.word(&shown(number)),
            false => self.serialize_unit(),
        }
    }

    fn serialize_char(self, char: char) -> Written {
        self.serialize_str(char.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(mut self, text: &str) -> Written {
        self.text(text);
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Written {
        self.collect_seq(bytes)
    }

    fn serialize_none(self) -> Written {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        self.word("null")
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Written {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Written {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        let mut fields = Nested::fields(self.0, "}");
        fields.named(variant, value)?;
        fields.end()
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Nested<'a>, Unwritable> {
        Ok(Nested::items(self.0, "]"))
    }

    fn serialize_tuple(self, _length: usize) -> Result<Nested<'a>, Unwritable> {
        Ok(Nested::items(self.0, "]"))
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<Nested<'a>, Unwritable> {
        Ok(Nested::items(self.0, "]"))
    }

    fn serialize_tuple_variant(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Nested<'a>, Unwritable> {
        self.0.push('{');
        self.text(variant);
        self.0.push(':');
        Ok(Nested::items(self.0, "]}"))
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Nested<'a>, Unwritable> {
        Ok(Nested::fields(self.0, "}"))
    }

    fn serialize_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<Nested<'a>, Unwritable> {
        Ok(Nested::fields(self.0, "}"))
    }

    fn serialize_struct_variant(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Nested<'a>, Unwritable> {
        self.0.push('{');
        self.text(variant);
        self.0.push(':');
        Ok(Nested::fields(self.0, "}}"))
    }
}

/// A list or an object of which the first items are written.
pub(crate) struct Nested<'a> {
    out: &'a mut String,
    is_empty: bool,
    end: &'static str,
}

impl<'a> Nested<'a> {
    fn items(out: &'a mut String, end: &'static str) -> Self {
        out.push('[');
        Self {
            out,
            is_empty: true,
            end,
        }
    }

    fn fields(out: &'a mut String, end: &'static str) -> Self {
        out.push('{');
        Self {
            out,
            is_empty: true,
            end,
        }
    }

    /// What comes next is written with this.
    fn next(&mut self) -> Writer<'_> {
        if !self.is_empty {
            self.out.push(',');
        }
        self.is_empty = false;
        Writer(self.out)
    }

    fn key(&mut self, key: &str) {
        self.next().text(key);
        self.out.push(':');
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        value.serialize(self.next())
    }

    fn named<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Written {
        self.key(key);
        value.serialize(Writer(self.out))
    }

    fn end(self) -> Written {
        self.out.push_str(self.end);
        Ok(())
    }
}

impl ser::SerializeSeq for Nested<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.item(value)
    }

    fn end(self) -> Written {
        self.end()
    }
}

impl ser::SerializeTuple for Nested<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.item(value)
    }

    fn end(self) -> Written {
        self.end()
    }
}

impl ser::SerializeTupleStruct for Nested<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.item(value)
    }

    fn end(self) -> Written {
        self.end()
    }
}

impl ser::SerializeTupleVariant for Nested<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.item(value)
    }

    fn end(self) -> Written {
        self.end()
    }
}

impl ser::SerializeMap for Nested<'_> {
    type Ok = ();
    type Error = Unwritable;

    /// A key that is no text is written as one.
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Written {
        let start = self.next().0.len();
        key.serialize(Writer(self.out))?;
        if !self.out[start..].starts_with('"') {
            self.out.insert(start, '"');
            self.out.push('"');
        }
        self.out.push(':');
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        value.serialize(Writer(self.out))
    }

    fn end(self) -> Written {
        self.end()
    }
}

impl ser::SerializeStruct for Nested<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Written {
        self.named(key, value)
    }

    fn end(self) -> Written {
        self.end()
    }
}

impl ser::SerializeStructVariant for Nested<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Written {
        self.named(key, value)
    }

    fn end(self) -> Written {
        self.end()
    }
}

#[wasm_bindgen]
extern "C" {
    /// What `String(number)` is.
    #[wasm_bindgen(js_name = String)]
    fn shown(number: f64) -> String;
}
