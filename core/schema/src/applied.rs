//! How many schemas a schema applies to one and the same value, those that references and keywords like
//! `anyOf` lead to: what a look at a value costs before anything inside of it is looked at.

use std::collections::HashMap;

use jsonschema::{Draft, Registry, uri};
use referencing::Resolver;
use serde_json::Value;

use crate::{Nowhere, joined};

/// The most schemas that may apply to one value, each counted as often as something leads to it.
pub(crate) const MOST: u64 = 10_000;

/// How deep they may lie in each other.
pub(crate) const DEEPEST: usize = 128;

/// Where a schema without a name of its own stands.
const NAMELESS: &str = "json-schema:///";

/// Keywords whose schema, schemas in a list or schemas by name apply to the same value.
const SINGLE: [&str; 4] = ["else", "if", "not", "then"];
const LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const NAMED: [&str; 2] = ["dependencies", "dependentSchemas"];
const REFERENCES: [&str; 2] = ["$dynamicRef", "$ref"];

/// Keywords for which everything else in the schema is looked at again, to see what it covers.
const UNEVALUATED: [&str; 2] = ["unevaluatedItems", "unevaluatedProperties"];
const AGAIN: u64 = 3;

/// What applies to one value.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Applied {
    pub(crate) schemas: u64,
    pub(crate) depth: usize,
}

/// Why a schema is refused.
#[derive(Debug, Eq, PartialEq)]
pub(crate) enum Refused {
    /// It leads back to itself without a step into the value: the answer would never come.
    Circle,
    /// Too many schemas apply to one value.
    TooMany,
}

/// The most that applies to any value, or what leads to too much and where.
pub(crate) fn applied(schema: &Value) -> Result<Applied, (String, Refused)> {
    let draft = Draft::default().detect(schema);
    let resource = draft.create_resource_ref(schema);
    let nothing = Applied {
        schemas: 1,
        depth: 1,
    };
    let Ok(base) = uri::from_str(resource.id().unwrap_or(NAMELESS)) else {
        return Ok(nothing);
    };
    let registry = Registry::new()
        .retriever(Nowhere)
        .draft(draft)
        .add(base.as_str(), resource)
        .and_then(|registry| registry.prepare());
    let Ok(registry) = registry else {
        // The library says better what is wrong with its references.
        return Ok(nothing);
    };
    let resolver = registry.resolver(base);
    let mut count = Count {
        draft,
        known: HashMap::new(),
    };
    count.everywhere(schema, &resolver, "")
}

struct Count {
    draft: Draft,
    /// By the place of the schema in memory; `None` while it is being counted.
    known: HashMap<*const Value, Option<Applied>>,
}

impl Count {
    /// Looks at every object that could be a schema.
    fn everywhere<'r>(
        &mut self,
        value: &'r Value,
        outer: &Resolver<'r>,
        path: &str,
    ) -> Result<Applied, (String, Refused)> {
        let resolver = self.inside(value, outer);
        let mut most = self
            .at(value, outer, 0)
            .map_err(|(keyword, refused)| (joined(path, keyword), refused))?;
        for (key, value) in children(value) {
            most = most.max(self.everywhere(value, &resolver, &joined(path, &key))?);
        }
        Ok(most)
    }

    /// What applies where this schema does, or the keyword that leads to too much.
    fn at<'r>(
        &mut self,
        schema: &'r Value,
        outer: &Resolver<'r>,
        depth: usize,
    ) -> Result<Applied, (&'r str, Refused)> {
        let Value::Object(fields) = schema else {
            return Ok(Applied {
                schemas: 1,
                depth: 1,
            });
        };
        let place = std::ptr::from_ref(schema);
        match self.known.insert(place, None) {
            Some(Some(known)) => {
                self.known.insert(place, Some(known));
                return Ok(known);
            }
            Some(None) => return Err(("", Refused::Circle)),
            None if depth > DEEPEST => return Err(("", Refused::TooMany)),
            None => {}
        }
        let resolver = self.inside(schema, outer);
        let again = fields.keys().any(|key| UNEVALUATED.contains(&&**key));
        let times = if again { AGAIN } else { 1 };
        let mut sum = Applied {
            schemas: 1,
            depth: 1,
        };
        for (keyword, value) in fields {
            let keyword = keyword.as_str();
            let mut below = |value: &'r Value, resolver: &Resolver<'r>| {
                let below = self
                    .at(value, resolver, depth + 1)
                    .map_err(|(_, refused)| (keyword, refused))?;
                sum.schemas += below.schemas.saturating_mul(times);
                sum.depth = sum.depth.max(below.depth + 1);
                if sum.schemas > MOST || sum.depth > DEEPEST {
                    return Err((keyword, Refused::TooMany));
                }
                Ok(())
            };
            if REFERENCES.contains(&keyword) {
                let reference = value.as_str();
                let target = reference.and_then(|reference| resolver.lookup(reference).ok());
                if let Some(target) = target {
                    below(target.contents(), target.resolver())?;
                }
            } else if SINGLE.contains(&keyword) {
                below(value, &resolver)?;
            } else if LISTS.contains(&keyword) {
                for value in value.as_array().into_iter().flatten() {
                    below(value, &resolver)?;
                }
            } else if NAMED.contains(&keyword) {
                for value in value
                    .as_object()
                    .into_iter()
                    .flat_map(|named| named.values())
                {
                    below(value, &resolver)?;
                }
            }
        }
        self.known.insert(place, Some(sum));
        Ok(sum)
    }

    /// What references in this schema are relative to.
    fn inside<'r>(&self, schema: &'r Value, outer: &Resolver<'r>) -> Resolver<'r> {
        outer
            .in_subresource(self.draft.create_resource_ref(schema))
            .unwrap_or_else(|_| outer.clone())
    }
}

fn children(value: &Value) -> Vec<(String, &Value)> {
    match value {
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.map(|(at, item)| (at.to_string(), item)).collect()
        }
        Value::Object(fields) => {
            let fields = fields.iter();
            fields.map(|(key, field)| (key.clone(), field)).collect()
        }
        _ => Vec::new(),
    }
}
