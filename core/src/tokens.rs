//! About how many tokens a text has, without a tokeniser: by runs of characters of one class.
//!
//! Two figures, since they serve two ends. [`likely`] is what a plan should reckon with. [`least`] is
//! what any tokeniser finds at least, for telling whether a server cut what it was sent.
//!
//! Both were set by counting with six tokenisers (SmolLM2's in llama.cpp, o200k, Claude's public one,
//! Qwen3's, Gemini's, Llama 3's) over the prompts for seedstyle40, 60 claims of mutbench_a, and 125
//! texts made to mislead: encoded bytes, JSON, nine scripts, white space and repetitions of all kinds.

use crate::prompt::Message;

/// How far the true count of ordinary text (prose, code, SQL, JSON) may be from [`likely`], as a share
/// of it. Encoded bytes, and scripts that a tokeniser was not made for, may have twice as many and more.
pub(crate) const LIKELY_ERROR: f64 = 0.3;

/// About how many tokens `messages` have. Over seedstyle40's prompts counts were 0.95 to 1.01 times this
/// (SmolLM2's 1.07, as it takes each digit by itself), over code 1.02 to 1.24 times, over minified JSON
/// 1.04 to 1.12 times (SmolLM2's 1.42), over base64 1.3 to 1.6 times.
pub(crate) fn likely(messages: &[Message]) -> usize {
    count(messages, &LIKELY) as usize
}

/// How many tokens `messages` have at least, within a third: no count was below 0.68 times this. Over
/// seedstyle40's prompts counts were 1.2 to 1.4 times this.
pub(crate) fn least(messages: &[Message]) -> f64 {
    count(messages, &LEAST)
}

/// How many characters of a class become one token, where they stand in a row.
struct Rates {
    ascii_letters: u32,
    other_letters: u32,
    digits: u32,
    marks: u32,
    /// Of Chinese, Japanese and Korean, and of pictures.
    wide: f64,
    /// What a mark that stands alone counts: many are one token with the word beside them.
    lone_mark: f64,
    /// What a character counts that repeats the one before it, in quarters: long rows of one are one token.
    repeated: u32,
    /// Whether a capital after a small letter begins anew.
    splits_case: bool,
}

const LIKELY: Rates = Rates {
    ascii_letters: 7,
    other_letters: 3,
    digits: 2,
    marks: 3,
    wide: 1.4,
    lone_mark: 1.0,
    repeated: 1,
    splits_case: true,
};

const LEAST: Rates = Rates {
    ascii_letters: 16,
    other_letters: 16,
    digits: 3,
    marks: 16,
    wide: 2.0,
    lone_mark: 0.5,
    repeated: 0,
    splits_case: false,
};

/// What a character counts that is not the one before it, in quarters.
const WHOLE: u32 = 4;

#[derive(Clone, Copy, PartialEq)]
enum Class {
    /// Small and capital letters, as a capital may begin anew.
    Small,
    Capital,
    Digit,
    Mark,
    OtherLetter,
    Space,
    Wide,
}

/// The classes of ASCII: every prompt is counted, and is mostly that.
const ASCII: [Class; 128] = {
    let mut classes = [Class::Mark; 128];
    let mut at = 0;
    while at < 128 {
        let byte = at as u8;
        classes[at] = match byte {
            b'a'..=b'z' => Class::Small,
            b'A'..=b'Z' => Class::Capital,
            b'0'..=b'9' => Class::Digit,
            b' ' | b'\t'..=b'\r' => Class::Space,
            _ => Class::Mark,
        };
        at += 1;
    }
    classes
};

impl Class {
    fn of(c: char) -> Self {
        match ASCII.get(c as usize) {
            Some(class) => *class,
            None if c.is_whitespace() => Self::Space,
            None if c >= '\u{2e80}' => Self::Wide,
            None => Self::OtherLetter,
        }
    }

    fn is_ascii_letter(self) -> bool {
        matches!(self, Self::Small | Self::Capital)
    }

    fn is_letter(self) -> bool {
        self.is_ascii_letter() || self == Self::OtherLetter
    }
}

impl Rates {
    /// Whether a character of class `to` goes on with a run of which the last one is of class `from`.
    fn goes_on(&self, from: Class, to: Class) -> bool {
        from == to
            || match self.splits_case {
                true => from == Class::Capital && to == Class::Small,
                false => from.is_letter() && to.is_letter(),
            }
    }

    /// The tokens of a run that began with `class`, as long as so many quarters of a character.
    fn tokens(&self, class: Class, quarters: u32) -> f64 {
        let whole = |rate: u32| f64::from(quarters.div_ceil(WHOLE * rate));
        match class {
            Class::Small | Class::Capital => whole(self.ascii_letters),
            Class::Digit => whole(self.digits),
            Class::Mark if quarters == WHOLE => self.lone_mark,
            Class::Mark => whole(self.marks),
            Class::OtherLetter => whole(self.other_letters),
            Class::Space => 0.0,
            Class::Wide => f64::from(quarters) / f64::from(WHOLE) / self.wide,
        }
    }
}

fn count(messages: &[Message], rates: &Rates) -> f64 {
    let texts = messages.iter().map(|message| message.content.as_str());
    texts.map(|text| text_tokens(text, rates)).sum()
}

fn text_tokens(text: &str, rates: &Rates) -> f64 {
    let mut tokens = 0.0;
    // A run of space counts nothing.
    let (mut first, mut class, mut last, mut quarters) = (Class::Space, Class::Space, ' ', 0);
    for c in text.chars() {
        let next = Class::of(c);
        if rates.goes_on(class, next) {
            quarters += if c == last { rates.repeated } else { WHOLE };
        } else {
            tokens += rates.tokens(first, quarters);
            (first, quarters) = (next, WHOLE);
        }
        (class, last) = (next, c);
    }
    tokens + rates.tokens(first, quarters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_counted_by_runs() {
        for (text, likely, least) in [
            ("", 0.0, 0.0),
            ("one two", 2.0, 2.0),
            ("internationalisation", 3.0, 2.0),
            ("getUserName", 3.0, 1.0),
            ("1234567", 4.0, 3.0),
            ("a.b", 3.0, 2.5),
            ("});", 1.0, 1.0),
            ("字段不能", 4.0 / 1.4, 2.0),
            ("жизнь", 2.0, 1.0),
            ("señor", 3.0, 1.0),
            ("     ", 0.0, 0.0),
            ("=========", 1.0, 0.5),
        ] {
            assert_eq!(text_tokens(text, &LIKELY), likely, "{text}");
            assert_eq!(text_tokens(text, &LEAST), least, "{text}");
        }
    }

    #[test]
    fn a_megabyte_is_counted_once_through() {
        let text = "a-".repeat(500_000);
        assert_eq!(text_tokens(&text, &LIKELY), 1_000_000.0);
    }
}
