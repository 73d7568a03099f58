//! Replacements in columns: a scrub of a megabyte has tens of thousands, with a few hundred texts among them.

use alloc::vec::Vec;

use super::hash::{Hash, Table};
use super::{Replacement, SpanField, Utf16Offset, Why};

/// Replacements as numbers, with each text once: for a host to which an object for each is dear.
#[derive(Debug, Default)]
pub struct Columns<'a> {
    /// The texts.
    pub texts: Vec<&'a str>,
    /// Of each replacement, [`Columns::WIDTH`] numbers in the order of its fields: `start` and `end` as they
    /// are, of every other field the position in `texts`.
    pub numbers: Vec<u32>,
}

impl<'a> Columns<'a> {
    /// How many numbers a replacement is.
    pub const WIDTH: usize = 8;

    /// Takes replacements apart.
    pub fn new(replacements: &'a [Replacement<Utf16Offset>]) -> Self {
        let mut columns = Self::default();
        let mut known = Table::default();
        columns.numbers.reserve(Self::WIDTH * replacements.len());
        for one in replacements {
            let mut text = |text| columns.text(&mut known, text);
            let row = [
                text(&*one.span),
                text(one.field.word()),
                one.start.0 as u32,
                one.end.0 as u32,
                text(one.kind.word()),
                text(&*one.placeholder),
                text(&*one.text),
                text(one.why.word()),
            ];
            columns.numbers.extend(row);
        }
        columns
    }

    /// The position of a text. Replacements share theirs: one is known by where it lies.
    fn text(&mut self, known: &mut Table, text: &'a str) -> u32 {
        let mut place = Hash(0);
        place.mix(text.as_ptr() as usize as u64);
        place.mix(text.len() as u64);
        let position = known.entry(place.0);
        if *position == 0 {
            self.texts.push(text);
            *position = self.texts.len() as u64;
        }
        *position as u32 - 1
    }
}

impl SpanField {
    fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Source => "source",
        }
    }
}

impl Why {
    fn word(self) -> &'static str {
        match self {
            Self::Claim => "claim",
            Self::Glossary => "glossary",
            Self::Secret => "secret",
            Self::Shape => "shape",
            Self::Structure => "structure",
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{borrow::ToOwned, format, vec::Vec};

    use serde_json::{Value, json};

    use super::Columns;
    use crate::scrub::ScrubRequest;

    #[test]
    fn columns_say_what_the_list_says() {
        let lines =
            (0..50).map(|at| format!("SELECT name, é FROM orders_{} WHERE id = {at};", at % 7));
        let request: ScrubRequest = serde_json::from_value(json!({
            "profile": "data",
            "evidence": [
                { "id": "a", "text": lines.collect::<Vec<_>>().join("\n"), "source": "db/orders_3.sql" },
                "The table `orders_3` belongs to billing_core",
            ],
            "claims": ["orders_3 has a column é"],
            "glossary": { "PKG": ["billing_core"] },
        }))
        .unwrap();
        let scrubbed = request.run().unwrap().into_utf16();
        let Columns { texts, numbers } = Columns::new(&scrubbed.replacements);
        let rows: Vec<Value> = numbers
            .chunks(Columns::WIDTH)
            .map(|row| {
                let text = |at: usize| texts[row[at] as usize].to_owned();
                json!({
                    "span": text(0), "field": text(1), "start": row[2], "end": row[3],
                    "kind": text(4), "placeholder": text(5), "text": text(6), "why": text(7),
                })
            })
            .collect();
        assert!(rows.len() > 100 && texts.len() < rows.len());
        assert_eq!(json!(rows), json!(scrubbed.replacements));
    }
}
