//! Answers without an object: labelled lines, or a verdict in plain words.

use alloc::{string::String, vec::Vec};

use super::{
    Reading,
    label::{self, words},
};
use crate::judgement::Verdict;

/// What stands before a verdict.
const VERDICT: [&str; 5] = ["verdict", "answer", "label", "judgement", "judgment"];
/// What stands before a confidence.
const CONFIDENCE: [&str; 1] = ["confidence"];
/// What stands before the judge's own words.
const REASONING: [&str; 4] = ["reasoning", "explanation", "reason", "rationale"];

/// More words than that are prose, in which "yes" or "not sure" need not be the answer.
const FEW: usize = 6;

pub(super) fn read(text: &str) -> Reading {
    let labelled: Vec<Verdict> = text
        .lines()
        .filter_map(|line| after_label(line, &VERDICT))
        .filter_map(|value| label::verdict(head(value)))
        .collect();
    let verdicts = if labelled.is_empty() {
        plain_verdicts(text)
    } else {
        labelled
    };
    let Some(first) = verdicts.first() else {
        return Reading::None;
    };
    if verdicts.iter().any(|other| other != first) {
        return Reading::Ambiguous;
    }
    let lines = || text.lines();
    Reading::Judgement {
        verdict: *first,
        confidence: lines()
            .find_map(|line| after_label(line, &CONFIDENCE).or_else(|| after_word(line)))
            .map_or_else(|| beside_verdict(text), number_at_start),
        reasoning: lines()
            .find_map(|line| after_label(line, &REASONING))
            .map(|value| value.trim().into()),
        revised: false,
    }
}

/// What follows one of `labels` and its separator in a line, wherever it stands in it.
fn after_label<'a>(line: &'a str, labels: &[&str]) -> Option<&'a str> {
    let lower = line.to_ascii_lowercase();
    for name in labels {
        let mut from = 0;
        while let Some(found) = lower[from..].find(name) {
            let start = from + found;
            from = start + name.len();
            let before = line[..start].chars().next_back();
            if before.is_some_and(char::is_alphanumeric) {
                continue;
            }
            let rest = line[from..].trim_start_matches(['*', '_', '"', '\'', '`', ' ']);
            let value = rest
                .strip_prefix([':', '=', '-', '–', '—'])
                .or_else(|| rest.strip_prefix("is "));
            if let Some(value) = value {
                return Some(value.trim_start_matches(['*', '_', '"', '\'', '`', ' ']));
            }
        }
    }
    None
}

/// What follows the word "confidence" where it is a number, with no separator between.
fn after_word(line: &str) -> Option<&str> {
    let [word] = CONFIDENCE;
    let at = line.to_ascii_lowercase().find(word)?;
    let rest = line[at + word.len()..].trim_start();
    let value = rest.strip_prefix("of ").unwrap_or(rest);
    value
        .starts_with(|c: char| c.is_ascii_digit())
        .then_some(value)
}

/// The part of a labelled value that can be the verdict: before a sentence goes on.
fn head(value: &str) -> &str {
    let end = value
        .find(['(', ';', '.', ',', '\n'])
        .unwrap_or(value.len());
    &value[..end]
}

/// The verdicts that a text without labels names.
fn plain_verdicts(text: &str) -> Vec<Verdict> {
    let all = words(text);
    let letters: Vec<String> = all
        .iter()
        .filter(|word| !word.starts_with(|c: char| c.is_ascii_digit()))
        .cloned()
        .collect();
    if let [word] = letters.as_slice() {
        return label::alone(word).into_iter().collect();
    }
    if letters.len() <= FEW && label::modified(&letters) && label::negatable(&letters) {
        return Vec::from([Verdict::Unsure]);
    }

    text.split(['.', '!', '?', ';', '\n'])
        .filter(|sentence| !is_echo(sentence))
        .flat_map(sentence_verdicts)
        .collect()
}

/// The verdicts that one sentence names.
fn sentence_verdicts(sentence: &str) -> Vec<Verdict> {
    /// How far before a label its negation stands.
    const REACH: usize = 3;

    let words = words(sentence);
    let named = || {
        let labels = words.iter().enumerate();
        labels.filter_map(|(at, word)| Some((at, label::label(word)?)))
    };
    let Some((at, first)) = named().next() else {
        return Vec::new();
    };
    if named().any(|(_, verdict)| verdict != first) {
        let neither = words.iter().any(|word| word == "neither");
        return if neither {
            Vec::from([Verdict::Unsure])
        } else {
            named().map(|(_, verdict)| verdict).collect()
        };
    }
    let before = &words[at.saturating_sub(REACH)..at];
    Vec::from([if label::modified(before) {
        Verdict::Unsure
    } else {
        first
    }])
}

/// Whether the labels stand as the schema lists them.
fn is_echo(sentence: &str) -> bool {
    let mentions = |text: &str, label: &str| words(text).iter().any(|word| word == label);
    let all = label::LABELS
        .iter()
        .all(|(label, _)| mentions(sentence, label));
    let options = sentence.split(['|', '/']).filter(|option| {
        label::LABELS
            .iter()
            .any(|(label, _)| mentions(option, label))
    });
    all || options.count() > 1
}

/// The number right after the verdict, with nothing but separators between.
fn beside_verdict(text: &str) -> Option<f64> {
    let lower = text.to_ascii_lowercase();
    let named = label::LABELS
        .iter()
        .map(|(label, _)| *label)
        .chain(["yes", "no"]);
    let end = named
        .filter_map(|name| lower.find(name).map(|at| at + name.len()))
        .min()?;
    let rest = &text[end..];
    // A full stop is a separator only where the number is all that its line goes on with.
    let number = rest.strip_prefix('.').filter(|after| {
        let line = after.lines().next().unwrap_or_default();
        label::confidence(line).is_some()
    });
    let rest = without_separators(number.unwrap_or(rest));
    if counts(rest) {
        return None;
    }
    number_at_start(rest)
}

/// Whether a whole number starts the text and a word goes on: it counts something, as in "5 spans".
fn counts(text: &str) -> bool {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let word = digits.trim_start_matches(' ');
    digits.len() < text.len()
        && word.starts_with(char::is_alphabetic)
        && !word.starts_with("percent")
        && !digits.starts_with(['e', 'E'])
}

fn without_separators(text: &str) -> &str {
    let apart = |c: char| c.is_whitespace() || ":,;()[]*_=\"'`–—|".contains(c);
    text.trim_start_matches(apart).trim_start_matches("- ")
}

fn number_at_start(text: &str) -> Option<f64> {
    let text = without_separators(text);
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || ".,%/eE+-".contains(c)))
        .unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    // "95 %" is one number; the point or comma after a number with decimals ends a sentence.
    if rest.trim_start_matches(' ').starts_with('%') && !number.contains('%') {
        return label::confidence(&alloc::format!("{number}%"));
    }
    let ended = number.trim_end_matches([',', '.']);
    let whole = if number.ends_with('.') && !ended.contains(['.', '%', '/', ',']) {
        number
    } else {
        ended
    };
    label::confidence(whole)
}
