//! The way back.

use alloc::{string::String, vec::Vec};

use super::{Offset, Replacement, Scrubbed, SpanField, placeholders};
use crate::{evidence::Span, sort::sort};

/// Puts the originals back.
///
/// A text that is the scrubbed text (or source label) of a span gets its replacements back one by
/// one, so that it comes out exactly as it was; `span` says which span, where two read alike. In
/// any other text each placeholder becomes the first form that it stood for; `[REDACTED]` and
/// placeholders that the scrub did not make stay.
pub fn unscrub<O: Offset>(text: &str, scrubbed: &Scrubbed<O>, span: Option<&str>) -> String {
    let Scrubbed {
        spans,
        replacements,
        ..
    } = scrubbed;
    originals(text, spans, replacements, span, usize::MAX).unwrap_or_default()
}

/// The originals; `None` where they are longer than `most` bytes, as a short text may say a long name often.
pub(super) fn originals<O: Offset>(
    text: &str,
    spans: &[Span],
    replacements: &[Replacement<O>],
    span: Option<&str>,
    most: usize,
) -> Option<String> {
    let candidates = spans
        .iter()
        .filter(|known| span.is_none_or(|id| id == known.id));
    let fields = candidates.flat_map(|known| {
        let source = known
            .source
            .as_deref()
            .map(|text| (SpanField::Source, text));
        [(SpanField::Text, known.text.as_str())]
            .into_iter()
            .chain(source)
            .map(|(field, text)| (known.id.as_str(), field, text))
    });
    // A text before a label, whichever span it is of.
    let exact = fields
        .filter(|(_, _, known)| *known == text)
        .min_by_key(|(_, field, _)| *field);
    if let Some((id, field, _)) = exact {
        let own = replacements
            .iter()
            .filter(|replacement| &*replacement.span == id && replacement.field == field);
        if let Some(original) = in_order(text, own) {
            return Some(original);
        }
    }
    first_forms(text, replacements, most)
}

/// The original of a scrubbed text; `None` where the replacements are not this text's.
fn in_order<'r, O: Offset + 'r>(
    text: &str,
    replacements: impl Iterator<Item = &'r Replacement<O>>,
) -> Option<String> {
    let mut original = String::with_capacity(text.len());
    let mut rest = text;
    let mut done = 0;
    for replacement in replacements {
        let kept = O::split(rest, replacement.start.get().checked_sub(done)?)?;
        original.push_str(kept);
        rest = rest[kept.len()..].strip_prefix(&*replacement.placeholder)?;
        original.push_str(&replacement.text);
        done = replacement.end.get();
    }
    original.push_str(rest);
    Some(original)
}

fn first_forms<O>(text: &str, replacements: &[Replacement<O>], most: usize) -> Option<String> {
    let placeholders = replacements.iter().map(|one| &*one.placeholder);
    let mut forms: Vec<(&str, usize)> = placeholders.zip(0..).collect();
    sort(&mut forms);
    let first_form = |name: &str| {
        let at = forms.partition_point(|(placeholder, _)| *placeholder < name);
        let (_, at) = forms
            .get(at)
            .filter(|(placeholder, _)| *placeholder == name)?;
        Some(&*replacements[*at].text)
    };
    let mut original = String::with_capacity(text.len());
    let mut done = 0;
    for (start, placeholder) in placeholders::all(text) {
        original.push_str(&text[done..start]);
        let name = &text[start..placeholder.end];
        let known = (name != placeholders::REDACTED).then(|| first_form(name));
        original.push_str(known.flatten().unwrap_or(name));
        done = placeholder.end;
        if original.len() > most {
            return None;
        }
    }
    original.push_str(&text[done..]);
    (original.len() <= most).then_some(original)
}
