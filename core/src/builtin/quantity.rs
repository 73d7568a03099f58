//! Numbers as they are written: in words and in groups, with what multiplies them and with their units; dates
//! and times of day that are several words.

use alloc::vec::Vec;

use super::{
    bound,
    lex::{self, Kind, Number, Token},
    lexicon::{Dimension, Lexicon, Numeral},
};

/// Gives numbers the unit in the word that follows, or in the key that they are the value of, and takes such a
/// following word out; gives values what compares them.
pub(super) fn units(text: &str, low: &str, tokens: &mut Vec<Token>, lexicon: &Lexicon) {
    join(text, low, tokens, lexicon);
    // What is kept moves forward in place.
    let mut kept = 0;
    let mut at = 0;
    while at < tokens.len() {
        let mut token = tokens[at];
        at += 1;
        let value = matches!(token.kind, Kind::Date | Kind::Number(_) | Kind::Version);
        if let Kind::Number(ref mut number) = token.kind
            && let Some((start, words)) = minus(text, low, &tokens[..kept], token.start)
        {
            number.value = -number.value;
            token.start = start;
            kept -= words;
        }
        if value {
            at += measure(
                text,
                low,
                &mut token,
                &tokens[..kept],
                &tokens[at..],
                lexicon,
            );
            let (before, after) = tokens.split_at_mut(at);
            bound::compare(text, low, &mut before[..kept], &mut token, after);
        }
        tokens[kept] = token;
        kept += 1;
    }
    tokens.truncate(kept);
}

/// Gives a number its unit: how many of the tokens `after` it are read with it.
fn measure(
    text: &str,
    low: &str,
    token: &mut Token,
    before: &[Token],
    after: &[Token],
    lexicon: &Lexicon,
) -> usize {
    let mut at = 0;
    let dollar = before.last().filter(|t| t.kind == Kind::Punct(b'$'));
    token.phrase = (dollar.map_or(token.start, |sign| sign.start), token.end);
    let word = |at: usize| after.get(at).filter(|t| t.kind == Kind::Word);
    let unit_at = |at: usize| {
        let word = word(at)?;
        Some((lexicon.unit(&low[word.start..word.end])?, word.end))
    };
    let percent = |at: usize| after.get(at).filter(|t| t.kind == Kind::Punct(b'%'));
    // "2.50" is a release only where it has no unit.
    if token.kind == Kind::Version
        && (dollar.is_some() || percent(0).is_some() || unit_at(0).is_some())
        && let Ok(value) = low[token.start..token.end].parse()
    {
        token.kind = Kind::Number(Number::plain(value));
    }
    let Kind::Number(ref mut number) = token.kind else {
        return 0;
    };
    if number.unit.is_none() {
        // "thirty (30) days": said twice, the unit is of both.
        if let [open, same, close, ..] = after
            && (open.kind, close.kind) == (Kind::Punct(b'('), Kind::Punct(b')'))
            && matches!(same.kind, Kind::Number(same) if same.value == number.value)
        {
            (token.start, token.end) = (same.start, same.end);
            token.phrase = (same.start, same.end);
            at = 3;
        }
        let joint = after.get(at);
        let skip = usize::from(joint.is_some_and(|t| matches!(t.kind, Kind::Punct(b'#' | b'-'))));
        let key = before
            .iter()
            .rev()
            .find(|t| !matches!(t.kind, Kind::Punct(b'"' | b'\'' | b'=' | b':')));
        if let Some((unit, end)) = unit_at(at + skip) {
            number.unit = Some(unit);
            token.phrase.1 = end;
            at += skip + 1;
        } else if let Some(unit) = times(low, &after[at..], lexicon) {
            number.unit = Some(unit);
            at += 2;
        } else if let Some(sign) = percent(at) {
            number.unit = lexicon.unit("%");
            (token.end, token.phrase.1) = (sign.end, sign.end);
            at += 1;
        } else if let (Some(per), Some(cent)) = (word(at), word(at + 1))
            && low[per.start..cent.end] == *"per cent"
        {
            number.unit = lexicon.unit("%");
            token.phrase.1 = cent.end;
            at += 2;
        } else if dollar.is_some() {
            number.unit = lexicon.unit("$");
        } else if let Some(key) = key.filter(|t| t.kind == Kind::Word && t.end < token.start) {
            let assigned = low[key.end..token.start].contains(['=', ':']);
            let last = assigned.then(|| key.start + last_part(&text[key.start..key.end]));
            // A short key is a name: "d: 5", "min: 5".
            let last = last.filter(|last| *last > key.start || key.end - key.start >= 4);
            number.unit = last.and_then(|last| lexicon.unit(&low[last..key.end]));
        }
    }
    // "1 hour and 30 minutes" is one length of time.
    while let Some((value, length, end)) = remainder(low, *number, &after[at..], lexicon) {
        number.value += value;
        (token.end, token.phrase.1) = (end, end);
        at += length;
    }
    at
}

/// What stands behind a number with a unit and is of it in a smaller one: in the number's unit, with how many
/// tokens it is and where it ends.
fn remainder(
    low: &str,
    whole: Number,
    tokens: &[Token],
    lexicon: &Lexicon,
) -> Option<(f64, usize, usize)> {
    let (dimension, large) = whole.unit?;
    let divided = matches!(
        dimension,
        Dimension::Time | Dimension::Months | Dimension::Mass | Dimension::Length
    );
    let joint = tokens.first().filter(|_| divided)?;
    let at = usize::from(low[joint.start..joint.end] == *"and");
    let part = tokens.get(at)?;
    let Kind::Number(number) = part.kind else {
        return None;
    };
    let (unit, length, end) = match number.unit {
        Some(unit) => (unit, at + 1, part.end),
        None => {
            let word = tokens.get(at + 1).filter(|t| t.kind == Kind::Word)?;
            (lexicon.unit(&low[word.start..word.end])?, at + 2, word.end)
        }
    };
    let value = number.value * unit.1 / large;
    (unit.0 == dimension && unit.1 < large && value < 1.0).then_some((value, length, end))
}

/// The sign of a number: where it begins, and how many of the tokens `before` it are. A stroke behind other words is
/// none: `kill -9`, "pages 3 -5".
fn minus(text: &str, low: &str, before: &[Token], number: usize) -> Option<(usize, usize)> {
    const SAYING: [&str; 12] = [
        "are", "at", "be", "below", "by", "from", "is", "of", "than", "to", "was", "were",
    ];
    let signed = text[..number]
        .strip_suffix('-')
        .or_else(|| text[..number].strip_suffix('\u{2212}'));
    let Some(lead) = signed else {
        let word = before.last()?;
        let says = word.kind == Kind::Word && &low[word.start..word.end] == "minus";
        return says.then_some((word.start, 1));
    };
    let words = before
        .iter()
        .rev()
        .take_while(|token| token.end > lead.len())
        .count();
    let separated = matches!(
        lead.bytes().last(),
        None | Some(b'\n' | b',' | b';' | b'=' | b'(' | b'[' | b'"' | b'\'')
    );
    let said = || {
        let word = before.get(before.len().checked_sub(words + 1)?)?;
        let apart = word.end < lead.len() && lead.ends_with(char::is_whitespace);
        let says = match word.kind {
            Kind::Punct(mark) => matches!(mark, b':' | b'=' | b',' | b'|' | b'(' | b'['),
            _ => SAYING.contains(&&low[word.start..word.end]),
        };
        Some(apart && says)
    };
    (separated || said().unwrap_or(before.len() == words)).then_some((lead.len(), words))
}

/// Makes one token of a date in words, "1 May 2024", of a time of day, "7 pm", and of a number of several words.
fn join(text: &str, low: &str, tokens: &mut Vec<Token>, lexicon: &Lexicon) {
    let mut kept = 0;
    let mut at = 0;
    let mut before = "";
    while at < tokens.len() {
        let mut token = tokens[at];
        let rest = &tokens[at..];
        let multiplies = |token: &Token| matches!(token.kind, Kind::Multiple(_));
        let joined = match token.kind {
            Kind::Punct(_) | Kind::Placeholder => None,
            // Only "a hundred" and "one million" begin with a word that is no number.
            Kind::Word if !rest.get(1).is_some_and(multiplies) => date_in_words(text, low, rest),
            _ => date_in_words(text, low, rest)
                .or_else(|| time_of_day(low, rest))
                .or_else(|| grouped(low, rest, lexicon))
                .or_else(|| multiplied(low, rest, before, lexicon)),
        };
        before = match token.kind {
            Kind::Word => &low[token.start..token.end],
            _ => "",
        };
        let (kind, length) = joined.unwrap_or((token.kind, 1));
        (token.kind, token.end) = (kind, tokens[at + length - 1].end);
        tokens[kept] = token;
        kept += 1;
        at += length;
    }
    tokens.truncate(kept);
}

/// A time of day with the half that it is in, and how many tokens that is.
fn time_of_day(low: &str, tokens: &[Token]) -> Option<(Kind, usize)> {
    let [time, half, ..] = tokens else {
        return None;
    };
    let figures = matches!(time.kind, Kind::Number(_) | Kind::Date) && half.kind == Kind::Word;
    let apart = low[half.start..half.end].len() - lex::half_of_day(&low[half.start..half.end])?.0;
    let whole = figures && apart == half.end - half.start;
    lex::clock(&low[time.start..half.end]).filter(|_| whole)?;
    Some((Kind::Date, 2))
}

/// A number with what multiplies it, or one of several words: "2.5 million", "one hundred and twenty".
fn multiplied(
    low: &str,
    tokens: &[Token],
    before: &str,
    lexicon: &Lexicon,
) -> Option<(Kind, usize)> {
    let word = |at: usize| tokens.get(at).map_or("", |t| &low[t.start..t.end]);
    let times = |at: usize| match tokens.get(at)?.kind {
        Kind::Multiple(times) => Some(times),
        _ => None,
    };
    if let Kind::Number(number) = tokens.first()?.kind
        && word(0).starts_with(|c: char| c.is_ascii_digit())
    {
        let scale = times(1).filter(|_| number.unit.is_none())?;
        let again = times(2).filter(|again| *again > scale);
        let scale = scale * again.unwrap_or(1.0);
        let kind = Kind::Number(scaled(number.value, word(0), scale));
        return Some((kind, 2 + usize::from(again.is_some())));
    }
    let spelled = Spelled {
        word: &word,
        times: &times,
        // "Between one hundred and two hundred" are two numbers.
        both: before == "between",
        lexicon,
    };
    let (value, length) = spelled.number()?;
    let several = length > 1 || times(0).is_some();
    several.then_some((Kind::Number(Number::plain(value)), length))
}

/// A value that was written with what multiplies it: it is rounded to its last digit.
fn scaled(value: f64, digits: &str, scale: f64) -> Number {
    let decimals = digits.rsplit_once('.').map_or(0, |(_, rest)| rest.len());
    let step = (0..decimals).fold(scale, |step, _| step / 10.0);
    Number {
        slack: step / 2.0,
        ..Number::plain(value * scale)
    }
}

/// A number in words, read from the tokens at its start.
struct Spelled<'f, 'a> {
    word: &'f dyn Fn(usize) -> &'a str,
    times: &'f dyn Fn(usize) -> Option<f64>,
    both: bool,
    lexicon: &'f Lexicon,
}

impl Spelled<'_, '_> {
    /// Its value, and how many tokens it is.
    fn number(&self) -> Option<(f64, usize)> {
        let (mut sum, mut at, mut most) = (0.0, 0, f64::MAX);
        loop {
            let joint = usize::from(at > 0 && !self.both && (self.word)(at) == "and");
            let Some((group, length)) = self.group(at + joint) else {
                break;
            };
            let end = at + joint + length;
            match (self.times)(end).filter(|times| *times < most) {
                Some(times) => (sum, at, most) = (sum + group * times, end + 1, times),
                None if at == 0 || most > group => return Some((sum + group, end)),
                None => break,
            }
        }
        (at > 0).then_some((sum, at))
    }

    /// A number below a thousand, or what stands for one before a word that multiplies.
    fn group(&self, at: usize) -> Option<(f64, usize)> {
        let hundred = |at: usize| (self.times)(at) == Some(100.0);
        let (first, mut length) = self.below_hundred(at)?;
        if !hundred(at + length) {
            return Some((first, length));
        }
        length += 1;
        let value = first * 100.0;
        let joint = usize::from((self.word)(at + length) == "and" && !self.both);
        let rest = self.below_hundred(at + length + joint);
        let rest = rest.filter(|(value, length_of)| {
            *value >= 1.0 && *length_of > 0 && !hundred(at + length + joint + length_of)
        });
        Some(match rest {
            Some((more, words)) => (value + more, length + joint + words),
            None => (value, length),
        })
    }

    fn below_hundred(&self, at: usize) -> Option<(f64, usize)> {
        let one = |at: usize| match (self.word)(at) {
            "one" => Some(1.0),
            word => match self.lexicon.numeral(word)? {
                Numeral::Value(value) => Some(value),
                Numeral::Times(_) => None,
            },
        };
        let multiple = |at: usize| (self.times)(at).is_some();
        let Some(first) = one(at) else {
            let single = matches!((self.word)(at), "a" | "an") && multiple(at + 1);
            // A word that multiplies may stand by itself at the start.
            return match single {
                true => Some((1.0, 1)),
                false => (at == 0 && multiple(0)).then_some((1.0, 0)),
            };
        };
        let tens = first >= 20.0 && first % 10.0 == 0.0;
        let unit = one(at + 1).filter(|unit| tens && (1.0..10.0).contains(unit));
        Some(match unit {
            Some(unit) => (first + unit, 2),
            None => (first, 1),
        })
    }
}

/// A value and what it is counted in, in one word: "2.5M", "10k", "1h30m", "7:05pm".
pub(super) fn in_one_word(
    word: &str,
    cased: &str,
    money: impl Fn() -> bool,
    lexicon: &Lexicon,
) -> Option<Kind> {
    if word.ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let suffix = &word[digits.len()..];
    let scale = match (suffix, &cased[digits.len()..]) {
        ("k", _) => 1e3,
        ("mn", _) | ("m", "M") => 1e6,
        ("bn", _) => 1e9,
        ("m", _) if money() => 1e6,
        ("b", _) if money() => 1e9,
        _ => 0.0,
    };
    if scale > 0.0 {
        let value = digits.replace([',', '_'], "").parse().ok()?;
        return Some(Kind::Number(scaled(value, digits, scale)));
    }
    if lex::half_of_day(word).is_some() {
        return lex::clock(word).map(|_| Kind::Date);
    }
    compound(word, lexicon).map(Kind::Number)
}

/// A length of time of several parts: "1h30m".
fn compound(word: &str, lexicon: &Lexicon) -> Option<Number> {
    let (mut seconds, mut parts, mut rest) = (0.0, 0, word);
    let mut smallest = f64::MAX;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let letters = rest[digits..]
            .bytes()
            .take_while(u8::is_ascii_lowercase)
            .count();
        let (number, unit) = (&rest[..digits], &rest[digits..digits + letters]);
        // An "m" among hours and seconds is minutes.
        let (dimension, factor) = lexicon.unit(if unit == "m" { "min" } else { unit })?;
        let value: f64 = number.parse().ok()?;
        if dimension != Dimension::Time || factor >= smallest {
            return None;
        }
        (seconds, parts, smallest) = (seconds + value * factor, parts + 1, factor);
        rest = &rest[digits + letters..];
    }
    let unit = lexicon.unit("s").filter(|_| parts > 1);
    unit.map(|unit| Number {
        unit: Some(unit),
        ..Number::plain(seconds)
    })
}

/// A date at the start of `tokens`, with how many of them it is.
fn date_in_words(text: &str, low: &str, tokens: &[Token]) -> Option<(Kind, usize)> {
    let [first, second, ..] = tokens else {
        return None;
    };
    let digit = |token: &Token| text.as_bytes()[token.start].is_ascii_digit();
    let capital = |token: &Token| text.as_bytes()[token.start].is_ascii_uppercase();
    if digit(first) == digit(second) {
        return None;
    }
    let upto = |length: usize| {
        let last = tokens.get(length - 1)?;
        lex::in_words(&low[first.start..last.end]).map(|_| (Kind::Date, length))
    };
    let comma = tokens.get(2).is_some_and(|t| t.kind == Kind::Punct(b','));
    let whole = upto(3 + usize::from(comma));
    // "5 may be", "may 5" are no dates.
    whole.or_else(|| upto(2).filter(|_| capital(first) || capital(second)))
}

/// A number in groups of three digits before a unit, with how many tokens it is.
fn grouped(low: &str, tokens: &[Token], lexicon: &Lexicon) -> Option<(Kind, usize)> {
    const MOST: usize = 4;
    let digits = |token: &Token| {
        let text = &low[token.start..token.end];
        text.bytes()
            .all(|b| b.is_ascii_digit())
            .then_some(text.len())
    };
    if !(1..=3).contains(&tokens.first().and_then(digits)?) {
        return None;
    }
    let next = |pair: &&[Token]| {
        let between = &low[pair[0].end..pair[1].start];
        between == " " && digits(&pair[1]) == Some(3)
    };
    let length = 1 + tokens.windows(2).take(MOST).take_while(next).count();
    let unit = tokens.get(length).filter(|t| t.kind == Kind::Word)?;
    lexicon.unit(&low[unit.start..unit.end])?;
    let text = low[tokens[0].start..tokens[length - 1].end].replace(' ', "");
    let value = text.parse().ok().filter(|_| length > 1)?;
    Some((Kind::Number(Number::plain(value)), length))
}

/// The unit by which code multiplies: `45 * time.Second`.
fn times(low: &str, next: &[Token], lexicon: &Lexicon) -> Option<(Dimension, f64)> {
    let [sign, word, ..] = next else { return None };
    let named = sign.kind == Kind::Punct(b'*') && word.kind == Kind::Word;
    let name = low[word.start..word.end].rsplit(['.', ':']).next()?;
    lexicon.unit(name).filter(|_| named)
}

/// Where the last part of a key begins: `seconds` in `max_seconds`, `max-seconds`, `maxSeconds`.
fn last_part(key: &str) -> usize {
    let mark = key.rfind(['_', '-', '.']).map_or(0, |at| at + 1);
    let hump = key.rfind(char::is_uppercase).unwrap_or(0);
    let small = key[..hump].ends_with(char::is_lowercase);
    if small { mark.max(hump) } else { mark }
}
