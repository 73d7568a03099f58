//! Characters: which open a token, which go on in it, and which read alike.

use alloc::string::String;

use super::{BREAK, LOOSE, MOST_JOIN_BYTES};
use crate::{
    case::small,
    scrub::{
        decompositions::parts,
        hash::{self, Hash},
        look::{MAKEUP, Makeup},
        placeholders, structure,
    },
};

/// The character that a terminal's commands begin with.
const ESCAPE: u8 = 0x1b;

/// The length of the escape that a text begins with: `\n`, `\t`, or a terminal's colour (`\x1b[31m`); 1
/// where it is none.
pub(super) fn escape_length(text: &str) -> usize {
    const CHARACTERS: [&[u8]; 5] = [&[ESCAPE], b"\\e", b"\\033", b"\\x1b", b"\\u001b"];
    let bytes = text.as_bytes();
    if let [b'\\', b'n' | b'r' | b't', ..] = bytes {
        return 2;
    }
    let colour = CHARACTERS.iter().find_map(|character| {
        let (head, rest) = bytes.split_at_checked(character.len())?;
        let rest = rest.strip_prefix(b"[")?;
        let number = |byte: &&u8| byte.is_ascii_digit() || **byte == b';';
        let numbers = rest.iter().take_while(number).count();
        let closed = rest.get(numbers).is_some_and(u8::is_ascii_alphabetic);
        let is_one = head.eq_ignore_ascii_case(character)
            && closed
            && placeholders::at(text, head.len()).is_none();
        is_one.then_some(head.len() + numbers + 2)
    });
    colour.unwrap_or(1)
}

/// The class of the letter at `at`, none of what has no width, and its length.
pub(super) fn letter_at(text: &str, at: usize) -> (Makeup, usize) {
    match text.as_bytes().get(at) {
        Some(byte) if byte.is_ascii() => (Makeup(MAKEUP[usize::from(*byte)]), 1),
        _ => wide_letter(&text[at..]),
    }
}

fn wide_letter(text: &str) -> (Makeup, usize) {
    let Some(char) = text.chars().next() else {
        return (Makeup::OTHER, 1);
    };
    let class = match char {
        _ if is_joiner(char) => Makeup::default(),
        _ if is_underscore(char) => Makeup::UNDERSCORE,
        _ if char.is_uppercase() => Makeup::CAPITAL,
        _ if char.is_lowercase() => Makeup::SMALL,
        _ => Makeup::WIDE,
    };
    (class, char.len_utf8())
}

/// What a single mark makes of two atoms.
pub(super) fn join_by(mark: u8) -> u64 {
    match mark {
        b'_' | b'-' => LOOSE,
        _ if mark.is_ascii_whitespace() => LOOSE,
        _ => {
            let mut hash = Hash(BREAK + 1);
            hash.mix(u64::from(mark));
            hash.0
        }
    }
}

/// What two atoms are joined by that more than one byte stands between.
pub(super) fn join(between: &str) -> u64 {
    let bytes = between.as_bytes();
    let loose = match bytes {
        _ if !between.is_ascii() => {
            let mut visible = between.chars().filter(|char| !is_joiner(*char));
            let loose = |char| {
                is_hyphen(char) || is_underscore(char) || is_blank(char) || "- ".contains(char)
            };
            visible.next().is_none_or(loose) && visible.next().is_none()
        }
        _ => {
            bytes.len() <= MOST_JOIN_BYTES
                && bytes.iter().all(u8::is_ascii_whitespace)
                && bytes.iter().filter(|byte| **byte == b'\n').count() < 2
        }
    };
    if loose {
        return LOOSE;
    }
    if bytes.len() > MOST_JOIN_BYTES || bytes.contains(&b'[') || !between.is_ascii() {
        return BREAK;
    }
    // A doubled mark is the mark: `\\` in a string is one backslash.
    let mut hash = Hash(BREAK + 1);
    let mut before = 0;
    for byte in bytes.iter().copied().filter(|byte| *byte != b'_') {
        if byte != before {
            hash.mix(u64::from(byte));
        }
        before = byte;
    }
    hash.0
}

/// The hash of a text as names are compared.
pub(crate) fn hash_of(text: &str) -> u64 {
    if text.is_ascii() {
        return hash::of_bytes(text.as_bytes());
    }
    let mut folded = String::with_capacity(text.len());
    fold(text, &mut |char| folded.push(char));
    hash::of_bytes(folded.as_bytes())
}

/// Gives `sink` the letters of `text` as names are compared: small, accents apart, full-width
/// forms narrow, what has no width left out, letters that are others in capitals or at a word's end as
/// those.
pub(crate) fn fold(text: &str, sink: &mut dyn FnMut(char)) {
    let mut before = ' ';
    for char in text.chars().filter(|char| !is_joiner(*char)) {
        match small(narrow(char)) {
            'ß' => {
                sink('s');
                sink('s');
            }
            'ς' => sink('σ'),
            // The point of `İ`, which in small letters has a mark of its own.
            '\u{307}' if matches!(before, 'i' | 'I') => {}
            small if small.is_ascii() => sink(small),
            small => decompose(small, sink),
        }
        before = char;
    }
}

/// A text as a claim's is read: full-width forms narrow, every hyphen the usual one, without what has
/// no width.
pub(crate) fn plain(text: &str) -> impl Iterator<Item = char> {
    let visible = text.chars().filter(|char| !is_joiner(*char));
    visible.map(|char| match narrow(char) {
        char if is_hyphen(char) => '-',
        char if is_blank(char) => ' ',
        char => char,
    })
}

fn narrow(char: char) -> char {
    match u32::from(char) {
        code @ 0xff01..=0xff5e => char::from_u32(code - 0xfee0).unwrap_or(char),
        _ => char,
    }
}

/// Hyphens that are not ASCII: the typographer's, the one that breaks no line, the full-width one.
pub(super) fn is_hyphen(char: char) -> bool {
    matches!(char, '\u{2010}' | '\u{2011}' | '\u{ff0d}')
}

/// Spaces that are not ASCII: those that break no line, narrow and wide ones.
pub(super) fn is_blank(char: char) -> bool {
    matches!(
        char,
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

fn is_underscore(char: char) -> bool {
    matches!(char, '_' | '\u{ff3f}')
}

fn decompose(char: char, sink: &mut dyn FnMut(char)) {
    match parts(char) {
        Some([base, mark]) => {
            decompose(base, sink);
            sink(mark);
        }
        None => sink(char),
    }
}

/// The bit that tells a small letter of ASCII from its capital.
pub(super) const CASE: u8 = b'a' ^ b'A';

/// What a token may be, by its first byte.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Opening {
    Blank,
    Bracket,
    Digit,
    /// What an escape begins with.
    Escape,
    /// A mark that joins what stands on both sides of it.
    Joint,
    Letter,
    /// A mark that no rule begins at, but where it opens a line.
    Mark,
    Newline,
    /// A mark that rules begin at.
    RuledMark,
    Underscore,
    /// Not ASCII.
    Wide,
}

pub(super) static OPENINGS: [Opening; 256] = {
    let mut openings = [Opening::Mark; 256];
    let mut byte = 0;
    while byte < 256 {
        openings[byte] = match byte as u8 {
            b' ' | b'\t' | b'\r' => Opening::Blank,
            b'[' => Opening::Bracket,
            b'0'..=b'9' => Opening::Digit,
            b'A'..=b'Z' | b'a'..=b'z' => Opening::Letter,
            b'\n' => Opening::Newline,
            b'\\' | ESCAPE => Opening::Escape,
            b'-' | b'/' | b'.' | b':' | b'~' | b'@' => Opening::Joint,
            b'{' | b'}' | b']' | b'"' | b'`' | b'\'' | 0 => Opening::RuledMark,
            b'_' => Opening::Underscore,
            128.. => Opening::Wide,
            _ => Opening::Mark,
        };
        byte += 1;
    }
    openings
};

/// Whether ASCII that is in no word stands at `at`, or the text's end.
pub(crate) fn ends_word(bytes: &[u8], at: usize) -> bool {
    let other = |byte: &u8| MAKEUP[usize::from(*byte)] == Makeup::OTHER.0;
    bytes.get(at).is_none_or(other)
}

/// Whether nothing hangs on a word that ends at `end`: white space follows, a mark that neither joins
/// nor calls, or the point of a sentence. Where that is not seen at once it does not.
pub(super) fn stands_alone(bytes: &[u8], end: usize, behind: Behind) -> bool {
    match behind {
        Behind::Space | Behind::Blank | Behind::Apart => true,
        Behind::Point => is_blank_at(bytes, end + 1),
        Behind::Joined | Behind::Word => false,
    }
}

/// Whether a line ends at `at` as on Windows: that is one token as well.
pub(super) fn opens_newline(bytes: &[u8], at: usize) -> bool {
    bytes.get(at) == Some(&b'\r') && bytes.get(at + 1) == Some(&b'\n')
}

/// Whether white space stands at `at`, or the text's end.
pub(super) fn is_blank_at(bytes: &[u8], at: usize) -> bool {
    let blank = |byte: &u8| {
        matches!(
            OPENINGS[usize::from(*byte)],
            Opening::Blank | Opening::Newline
        )
    };
    bytes.get(at).is_none_or(blank)
}

/// What the byte behind a word is to it.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Behind {
    /// A mark that neither joins nor calls.
    Apart,
    /// Other white space, or the text's end.
    Blank,
    Joined,
    Point,
    Space,
    /// It may be a part of the word.
    Word,
}

pub(super) static BEHIND: [Behind; 256] = {
    let mut behind = [Behind::Joined; 256];
    let mut byte = 0;
    while byte < 256 {
        behind[byte] = match OPENINGS[byte] {
            _ if MAKEUP[byte] != Makeup::OTHER.0 => Behind::Word,
            _ if byte == b' ' as usize => Behind::Space,
            _ if byte == b'.' as usize => Behind::Point,
            Opening::Blank | Opening::Newline => Behind::Blank,
            Opening::Mark | Opening::RuledMark if structure::stands_alone_before(byte as u8) => {
                Behind::Apart
            }
            _ => Behind::Joined,
        };
        byte += 1;
    }
    behind
};

/// Digits, and more digits after a point or as groups of three after a comma, or the other way round.
pub(super) fn number_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or(&[]);
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let first = digits(at);
    let mut end = at + first;
    while bytes.get(end) == Some(&b',') && first <= 3 && digits(end + 1) == 3 {
        end += 4;
    }
    while bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    // `1.299,00`: groups of three after points, and a fraction after a comma.
    if bytes.get(end) == Some(&b',') && first <= 3 && end > at + first {
        let group = |group: &[u8]| {
            group.len() == 4 && group[0] == b'.' && group[1..].iter().all(u8::is_ascii_digit)
        };
        let next = end + 1 + digits(end + 1);
        let closed = bytes.get(next) != Some(&b',') && ends_word(bytes, next);
        if bytes[at + first..end].chunks(4).all(group) && matches!(next - end, 2 | 3) && closed {
            return next;
        }
    }
    end
}

/// Where the exponent ends that follows a number, as in `6.02e23`, `1e-9`; `end` itself where none does. Longer ones
/// are hashes.
pub(super) fn exponent_end(bytes: &[u8], end: usize) -> usize {
    const MOST_DIGITS: usize = 3;
    let Some([b'e' | b'E', rest @ ..]) = bytes.get(end..) else {
        return end;
    };
    let sign = usize::from(matches!(rest, [b'+' | b'-', ..]));
    let digits = rest[sign..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let behind = end + 1 + sign + digits;
    match (1..=MOST_DIGITS).contains(&digits) && ends_word(bytes, behind) {
        true => behind,
        false => end,
    }
}

/// Where the word ends that `at` is in; `at` itself where no word character stands there.
pub(super) fn word_end(text: &str, at: usize) -> usize {
    let mut end = at;
    let mut chars = text[at..].char_indices();
    // What has no width is part of the word only where the word goes on behind it.
    for (offset, char) in chars.by_ref() {
        if is_word(char) {
            end = at + offset + char.len_utf8();
        } else if !is_joiner(char) || end == at {
            break;
        }
    }
    // `v2.1`: the points of a version.
    let digits = text[at..end].strip_prefix(['v', 'V']);
    if digits.is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    }) {
        let version = number_end(text, at + 1);
        if !text[version..].starts_with(is_word) {
            return version;
        }
    }
    end
}

/// Letters, digits, `_` and the marks that combine with them; not ideographs.
pub(crate) fn is_word(char: char) -> bool {
    match char.is_ascii() {
        true => char.is_ascii_alphanumeric() || char == '_',
        false => is_wide_word(char),
    }
}

#[inline(never)]
fn is_wide_word(char: char) -> bool {
    let combining = match u32::from(char) {
        // The dot and the stroke that the scripts of India have at one place of their blocks.
        code @ 0x900..=0xd7f => matches!(code & 0x7f, 0x3c | 0x4d),
        // What joins and what tells tones in Sinhala, Thai, Lao, Burmese and Khmer.
        0xdca | 0xe47..=0xe4e | 0xec8..=0xece | 0x1037 | 0x1039..=0x103a | 0x17c9..=0x17d3 => true,
        0x300..=0x36f | 0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x20d0..=0x20ff | 0xfe20..=0xfe2f => {
            true
        }
        _ => false,
    };
    combining || char == '\u{ff3f}' || char.is_alphanumeric() && !is_ideograph(char)
}

/// Characters without width that hide inside a name: soft hyphens, joiners, what turns a text round, what
/// chooses a glyph.
#[inline(never)]
pub(crate) fn is_joiner(char: char) -> bool {
    matches!(
        char,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
    )
}

/// Han, kana, hangul.
#[inline(never)]
pub(crate) fn is_ideograph(char: char) -> bool {
    matches!(u32::from(char),
        0x1100..=0x11ff | 0x2e80..=0x2fdf | 0x3005..=0x3007 | 0x3040..=0x31ff | 0x3400..=0x4dbf
        | 0x4e00..=0x9fff | 0xa960..=0xa97f | 0xac00..=0xd7ff | 0xf900..=0xfaff
        | 0xff66..=0xffdc | 0x20000..=0x3ffff)
}
