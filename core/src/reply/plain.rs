//! Answers without an object: labelled lines, or a verdict in plain words.

use alloc::vec::Vec;

use super::{
    Answer, REASONING, Reading, Verdicts,
    label::{self, words},
    starts::{behind, behind_digits, behind_space, is_with_digit, length},
};
use crate::{case::small_text, judgement::Verdict};

/// What stands before a verdict.
const VERDICT: [&str; 5] = ["verdict", "answer", "label", "judgement", "judgment"];
/// What stands before a confidence.
const CONFIDENCE: [&str; 1] = ["confidence"];

/// What may stand between a label and its separator.
const MARKS: &str = "*_\"'` ";
/// Words that a label may have behind it: "Confidence score".
const QUALIFIERS: [&str; 4] = ["score", "level", "rating", "value"];

/// More words than that are prose, in which "yes" or "not sure" need not be the answer.
const FEW: usize = 6;

pub(super) fn read(text: &str) -> Reading {
    let mut verdicts = Verdicts::default();
    for value in labelled(text, &VERDICT) {
        if let Some(verdict) = label::verdict(head(value)) {
            verdicts.add(verdict);
        }
    }
    if verdicts.first.is_none() {
        verdicts = plain_verdicts(text);
    }
    if verdicts.first.is_none() {
        return Reading::None;
    }
    let reasoning = labelled(text, &REASONING);
    let answer = Answer {
        verdicts,
        confidence: match labelled_confidence(text) {
            Some(value) => number_at_start(value),
            None => beside_verdict(text),
        },
        reasoning: reasoning.first().map(|value| value.trim().into()),
        ..Answer::default()
    };
    answer.reading(false)
}

fn labelled_confidence(text: &str) -> Option<&str> {
    let labelled = labelled(text, &CONFIDENCE);
    let in_words = || text.lines().find_map(after_word);
    labelled.first().copied().or_else(in_words)
}

/// What stands behind `labels`: in their line, or in the next one with words where the label ends its own.
fn labelled<'a>(text: &'a str, labels: &[&str]) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let value = match after_label(line, labels) {
            None if is_heading(line, labels) => Some(""),
            value => value,
        };
        found.extend(match value {
            Some("") => lines.clone().map(str::trim).find(|line| !line.is_empty()),
            value => value,
        });
    }
    found
}

/// Whether a line is a label and nothing else, as a heading is.
fn is_heading(line: &str, labels: &[&str]) -> bool {
    let marks = |c: char| c.is_whitespace() || c.is_ascii_digit() || "#*_.)-".contains(c);
    let name = line.trim_matches(marks);
    labels.iter().any(|label| label.eq_ignore_ascii_case(name))
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
            // What closes a tag says nothing.
            if before.is_some_and(|c| c.is_alphanumeric() || c == '/') {
                continue;
            }
            let rest = behind(&line[from..], &|c| MARKS.contains(c));
            let qualified = QUALIFIERS.iter().find_map(|word| {
                let (head, rest) = rest.split_at_checked(word.len())?;
                head.eq_ignore_ascii_case(word).then_some(rest)
            });
            let rest = behind(qualified.unwrap_or(rest), &|c| MARKS.contains(c));
            let value = rest
                .strip_prefix([':', '=', '-', '–', '—', '>'])
                .or_else(|| rest.strip_prefix("is "));
            if let Some(value) = value {
                return Some(behind(value, &|c| MARKS.contains(c)));
            }
        }
    }
    None
}

/// What follows the word "confidence" where it is a number, with no separator between.
fn after_word(line: &str) -> Option<&str> {
    let [word] = CONFIDENCE;
    let at = line.to_ascii_lowercase().find(word)?;
    let rest = behind_space(&line[at + word.len()..]);
    let value = rest.strip_prefix("of ").unwrap_or(rest);
    is_with_digit(value).then_some(value)
}

/// The part of a labelled value that can be the verdict: before a sentence goes on.
fn head(value: &str) -> &str {
    &value[..length(value, &|c| !"(;.,\n".contains(c))]
}

/// The verdicts that a text without labels names.
fn plain_verdicts(text: &str) -> Verdicts {
    let mut verdicts = Verdicts::default();
    let mut letters = words(text);
    letters.retain(|word| is_letters(word));
    if let [word] = letters.as_slice() {
        verdicts.first = label::alone(word);
    } else if letters.len() <= FEW && label::modified(&letters) && label::negatable(&letters) {
        verdicts.first = Some(Verdict::Unsure);
    } else {
        for sentence in text.split(['.', '!', '?', ';', '\n']) {
            if !is_echo(sentence) {
                add_sentence(&mut verdicts, sentence);
            }
        }
    }
    verdicts
}

/// The verdicts that one sentence names.
fn add_sentence(verdicts: &mut Verdicts, sentence: &str) {
    /// How far before a label its negation stands.
    const REACH: usize = 3;

    let words = words(sentence);
    let mut named = Verdicts::default();
    let mut negated = false;
    for (at, word) in words.iter().enumerate() {
        if let Some(verdict) = label::label(word) {
            if named.first.is_none() {
                negated = label::modified(&words[at.saturating_sub(REACH)..at]);
            }
            named.add(verdict);
        }
    }
    let Some(first) = named.first else {
        return;
    };
    if named.differ {
        // Neither of them is a verdict of its own; without the word it is either.
        negated = words.iter().any(|word| word == "neither");
        verdicts.differ |= !negated;
    }
    verdicts.add(if negated { Verdict::Unsure } else { first });
}

/// Whether the labels stand as the schema lists them.
pub(super) fn is_echo(sentence: &str) -> bool {
    // Each is a bit.
    let mut all = 0;
    let mut options = 0;
    for option in sentence.split(['|', '/']) {
        let mut labels = 0;
        for word in words(option) {
            labels |= label::label(&word).map_or(0, |verdict| 1 << verdict as u8);
        }
        all |= labels;
        options += usize::from(labels != 0);
    }
    all == 0b111 || options > 1
}

/// The number right after a word of the verdict, with nothing but separators between.
fn beside_verdict(text: &str) -> Option<f64> {
    let few = words(text).iter().filter(|word| is_letters(word)).count() <= FEW;
    let is_verdict = |word: &str| {
        let word = small_text(word);
        let alone = few
            && (label::alone(&word).is_some() || label::negatable(core::slice::from_ref(&word)));
        alone || label::label(&word).is_some()
    };
    let mut ends = word_ends(text).filter_map(|(word, end)| is_verdict(word).then_some(end));
    ends.find_map(|end| {
        let rest = &text[end..];
        // A full stop is a separator only where the number is all that its line goes on with.
        let number = rest.strip_prefix('.').filter(|after| {
            let (number, rest) = split_number(behind_space(after));
            let rest = behind(rest, &|c| " %".contains(c));
            let ends = rest.is_empty() || rest.starts_with(['\n', '\r']);
            ends && label::confidence(number).is_some()
        });
        let rest = without_separators(number.unwrap_or(rest));
        (!counts(rest)).then(|| number_at_start(rest)).flatten()
    })
}

/// The words of letters, each with where it ends.
fn word_ends(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut at = 0;
    text.split_inclusive(|c: char| !c.is_alphabetic())
        .map(move |piece| {
            let word = piece.trim_end_matches(|c: char| !c.is_alphabetic());
            let end = at + word.len();
            at += piece.len();
            (word, end)
        })
}

fn is_letters(word: &str) -> bool {
    !is_with_digit(word)
}

/// Whether a whole number starts the text and a word goes on: it counts something, as in "5 spans".
fn counts(text: &str) -> bool {
    let digits = behind_digits(text);
    let word = behind(digits, &|c| c == ' ');
    digits.len() < text.len()
        && word.starts_with(char::is_alphabetic)
        && !word.starts_with("percent")
        && !digits.starts_with(['e', 'E'])
}

fn without_separators(text: &str) -> &str {
    let apart = |c: char| c.is_whitespace() || ":,;()[]*_=\"'`–—|".contains(c);
    behind(text, &apart).trim_start_matches("- ")
}

fn number_at_start(text: &str) -> Option<f64> {
    let text = without_separators(text);
    let text = behind_item(text).unwrap_or(text);
    let (number, rest) = split_number(text);
    // "95 %" is one number; the point or comma after a number with decimals ends a sentence.
    if behind(rest, &|c| c == ' ').starts_with('%') && !number.contains('%') {
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

/// What a number may be made of at the start, and the rest.
fn split_number(text: &str) -> (&str, &str) {
    let numeric = |c: char| c.is_ascii_digit() || ".,%/eE+-".contains(c);
    text.split_at(length(text, &numeric))
}

/// What follows the mark of a numbered list's item, where it is a number.
fn behind_item(text: &str) -> Option<&str> {
    let rest = behind_digits(text);
    let item = rest.strip_prefix(['.', ')'])?;
    let value = behind_space(item);
    let marked = rest.len() < text.len() && value.len() < item.len();
    (marked && is_with_digit(value)).then_some(value)
}
