//! The words and numbers of an answer.

use alloc::{string::String, vec::Vec};

use crate::{case::small_text, judgement::Verdict, number};

/// Words that are a verdict by themselves.
#[rustfmt::skip]
pub(super) static LABELS: [(&str, Verdict); 3] = [
    ("entailed", Verdict::Entailed),
    ("contradicted", Verdict::Contradicted),
    ("unsure", Verdict::Unsure),
];

/// Words that are a verdict where they stand alone.
#[rustfmt::skip]
pub(super) static ALONE: [(&str, Verdict); 5] = [
    ("yes", Verdict::Entailed),
    ("no", Verdict::Contradicted),
    ("unclear", Verdict::Unsure),
    ("uncertain", Verdict::Unsure),
    ("undetermined", Verdict::Unsure),
];

/// Words that turn a label into UNSURE.
static NEGATIONS: [&str; 10] = [
    "not", "isn't", "isn’t", "neither", "never", "cannot", "can't", "can’t", "aren't", "non",
];

/// Words that weaken a label into UNSURE.
static HEDGES: [&str; 14] = [
    "likely",
    "maybe",
    "might",
    "partially",
    "partly",
    "perhaps",
    "possibly",
    "probably",
    "presumably",
    "seemingly",
    "somewhat",
    "unlikely",
    "may",
    "could",
];

/// Words that a negation or a hedge can stand before, beside the labels.
static NEGATED: [&str; 7] = [
    "supported",
    "sure",
    "certain",
    "clear",
    "stated",
    "determined",
    "verified",
];

/// The verdict of a key's value or of a labelled line: a few words at most.
pub(super) fn verdict(text: &str) -> Option<Verdict> {
    let words = words(text);
    if let [word] = words.as_slice()
        && let Some(verdict) = alone(word)
    {
        return Some(verdict);
    }
    let mut labels = words.iter().filter_map(|word| label(word));
    let first = labels.next();
    if modified(&words) && (first.is_some() || has(&words, &NEGATED)) {
        return Some(Verdict::Unsure);
    }
    // Two labels are the schema's own words.
    first.filter(|first| labels.all(|other| other == *first))
}

/// The verdict that a word is wherever it stands.
pub(super) fn label(word: &str) -> Option<Verdict> {
    LABELS
        .iter()
        .find(|(label, _)| *label == word)
        .map(|(_, verdict)| *verdict)
}

/// The verdict that a word is where it stands alone.
pub(super) fn alone(word: &str) -> Option<Verdict> {
    let row = ALONE.iter().find(|(known, _)| *known == word);
    row.map(|(_, verdict)| *verdict).or_else(|| label(word))
}

/// Whether the words negate or hedge.
pub(super) fn modified(words: &[String]) -> bool {
    has(words, &NEGATIONS) || has(words, &HEDGES)
}

/// Whether the words hold one that a negation can stand before.
pub(super) fn negatable(words: &[String]) -> bool {
    has(words, &NEGATED)
}

fn has(words: &[String], list: &[&str]) -> bool {
    words.iter().any(|word| list.contains(&word.as_str()))
}

/// The words of a text, in lower case, without what stands around them.
pub(super) fn words(text: &str) -> Vec<String> {
    let apart = |c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’'));
    text.split(apart)
        .map(|word| small_text(word.trim_matches(['\'', '’'])))
        .filter(|word| !word.is_empty())
        .collect()
}

/// A confidence in [0, 1]: `0.85`, `0,85`, `95%`, `95`, `7/10`. Absent for everything else, and for
/// a number that is cut short: nothing is clamped or guessed.
pub(super) fn confidence(text: &str) -> Option<f64> {
    let text = text
        .trim()
        .trim_matches(['"', '\'', '“', '”', '*', '`'])
        .trim();
    let value = if let Some(percent) = text.strip_suffix('%') {
        number(percent.trim_end())? / 100.0
    } else if let Some((part, whole)) = text.split_once('/') {
        let (part, whole) = (number(part.trim_end())?, number(whole.trim_start())?);
        if whole <= 0.0 || part > whole {
            return None;
        }
        part / whole
    } else {
        let value = number(text)?;
        if value > 1.0 { value / 100.0 } else { value }
    };
    (0.0..=1.0).contains(&value).then_some(value)
}

/// A plain number that is not negative and not cut short.
fn number(text: &str) -> Option<f64> {
    let mut number = String::from(text.strip_prefix('+').unwrap_or(text));
    // "1,000" is a thousand as likely as one.
    if let Some((whole, decimals)) = text.split_once(',')
        && (whole == "0" || decimals.len() < 3)
    {
        number.replace_range(whole.len()..=whole.len(), ".");
    }
    let ends = number.ends_with(|c: char| c.is_ascii_digit());
    number::parse(&number).filter(|_| ends)
}
