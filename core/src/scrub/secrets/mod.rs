//! What a judge never needs to see. Precision first: a hash, a UUID and a public key are no secrets.

mod announced;
mod claims;
mod tokens;

use alloc::vec::Vec;

use crate::scrub::{
    lexicon::{Entry, Lexicon, NameId},
    look::count,
    scanner::{Scan, Token, TokenKind},
    words::{self, COMMON, List, SECRET_CUE, SECRET_NAME, SECRET_OPENER, Words, any_of},
};
use announced::{assigned, bearer, beside, column, cookie, element, holds_name, option, said};
use tokens::{block, credentials, token, webhook};

pub(crate) use claims::Known;

/// A secret in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Secret {
    /// Its first token.
    pub(super) from: usize,
    /// How many bytes of that token stand before it.
    skip: usize,
    /// The token behind its last.
    pub(super) to: usize,
    /// Whether it is one wherever it occurs.
    pub(super) everywhere: bool,
}

/// Last words of a name whose value is a secret.
#[rustfmt::skip]
pub(super) static SECRET_WORDS: [&str; 15] = [
    "password", "pass", "passwd", "pwd", "passphrase", "secret", "token", "credential", "credentials", "apikey", "apitoken",
    "authtoken", "dbpassword", "mypassword", "pgpassword",
];

/// Words before a last `key` that make it a secret one.
const SECRET_KEYS: &Words = any_of!(
    "access account api app application auth authorization deploy encryption master private secret shared signing"
);

/// The lists of the small words that tell of a secret.
pub(super) const TOLD: List = SECRET_CUE.or(SECRET_NAME).or(SECRET_OPENER);

/// The secrets of a text, by start but for those of tables, which come with the table's head; one may be a part of the
/// one before it.
pub(super) fn find(scan: &Scan<'_>) -> Vec<Secret> {
    let mut secrets = Vec::new();
    let mut done = 0;
    // Where the last table with passwords ends.
    let mut table = 0;
    for at in scan.odd.iter().map(|at| *at as usize) {
        let token = &scan.tokens[at];
        let alone = |(from, to)| (from, from, to);
        let mut skip = 0;
        if scan.start(at) >= table && token.lists().has(SECRET_NAME) {
            table = column(scan, at, &mut secrets).unwrap_or(table);
        }
        let found = match token.kind {
            TokenKind::WORD if at >= done => at_word(scan, at, token, &mut skip).map(alone),
            TokenKind(b'-') if at >= done && scan.kind(at + 1) != Some(TokenKind::SPACE) => {
                let block = block(scan, at).map(alone);
                block.or_else(|| option(scan, at))
            }
            TokenKind(b'/') if at >= done && at > 0 && b"/\\".contains(&kind(scan, at - 1).0) => {
                credentials(scan, at).or_else(|| webhook(scan, at).map(alone))
            }
            _ => continue,
        };
        if let Some((user, from, to)) = found
            && from < to
        {
            // The password is one by itself, too, where it stands elsewhere.
            if user < from {
                secrets.push(Secret::new(scan, user, to));
            }
            let secret = Secret::new(scan, from, to);
            secrets.push(Secret { skip, ..secret });
            done = to;
        }
    }
    secrets
}

impl Secret {
    fn new(scan: &Scan<'_>, from: usize, to: usize) -> Self {
        let text = scan.text_of(from, to);
        Self {
            from,
            skip: 0,
            to,
            everywhere: is_telling(text),
        }
    }

    /// The name that it is.
    pub(super) fn add_to(
        &self,
        lexicon: &mut Lexicon,
        scan: &Scan<'_>,
        entry: Entry,
    ) -> Option<NameId> {
        match self.skip {
            0 => lexicon.add_tokens(scan, self.from, self.to, entry),
            _ => lexicon.add(&scan.text[self.start(scan)..scan.start(self.to)], entry),
        }
    }

    /// Where it begins.
    pub(super) fn start(&self, scan: &Scan<'_>) -> usize {
        scan.start(self.from) + self.skip
    }
}

/// Whether a text that is a secret somewhere is one wherever it stands: a short one may be an ordinary word.
fn is_telling(text: &str) -> bool {
    const LEAST: usize = 8;
    text.len() >= LEAST && !words::is_in(COMMON, text)
}

/// A secret that is the word at `at` but for its first `skip` bytes, or is announced by it.
fn at_word(scan: &Scan<'_>, at: usize, word: &Token, skip: &mut usize) -> Option<(usize, usize)> {
    let told = word.lists().has(SECRET_CUE.or(SECRET_NAME));
    let alone = word.is_plain() && !matches!(kind(scan, at + 1), TokenKind(b'-' | b'.'));
    // What hangs on a placeholder was left on purpose.
    if alone && !told || kind(scan, at.wrapping_sub(1)) == TokenKind::PLACEHOLDER {
        return None;
    }
    // The last of several atoms may name one, and one behind an underscore.
    let other = || scan.atoms_of(at, at + 1).len() > 1 || !word.is_letters();
    let signed = || (is_signed(scan, at) || before(scan, at, 2) == "ENV") && other();
    let rules = match told {
        true => &RULES[..],
        false if signed() => &RULES[2..],
        false => &RULES[5..],
    };
    if let Some((lead, to)) = token(scan, at, word) {
        *skip = lead;
        return Some((at, to));
    }
    rules.iter().find_map(|rule| rule(scan, at))
}

/// Finds the secret that the name at a place announces.
type Rule = fn(&Scan<'_>, usize) -> Option<(usize, usize)>;

/// How names announce secrets, in the order in which it is tried: the first two those that the lists tell, the next three
/// also others that something is assigned to, the last all.
static RULES: [Rule; 6] = [bearer, cookie, element, assigned, said, beside];

/// Whether a backslash, and no pair of them, stands before the quote at `at`.
pub(super) fn is_escaped(scan: &Scan<'_>, at: usize) -> bool {
    const MOST: usize = 8;
    let mut slashes = 0;
    while slashes < MOST && scan.is_mark(at.wrapping_sub(slashes + 1), b'\\') {
        slashes += 1;
    }
    slashes % 2 == 1
}

/// Where a value ends that is the rest of its line or setting, also with marks that end others: `a,b;c9`, and
/// `a,b9` of `Uid=app;Pwd=a,b9;Port=1`. It begins at `from`, and its run ends at `run`.
fn line_end(scan: &Scan<'_>, from: usize, run: usize, marks: &[u8], line: bool) -> usize {
    const MOST_MARKS: usize = 8;
    let mut end = run;
    for _ in 0..MOST_MARKS {
        if !(scan.is_mark(end, b',') || line && (scan.is_mark(end, b';') || is_wide(scan, end))) {
            break;
        }
        end = run_end(scan, end + 1, marks);
    }
    let whole = match kind(scan, end) {
        TokenKind::NEWLINE => true,
        kind => !line && matches!(kind, TokenKind(b';' | b'"' | b'\'')),
    };
    let fits = is_mixed(scan.text_of(from, end)) && !scan.text_of(run, end).contains('=');
    if whole && fits { end } else { run }
}

/// Whether ideographs, a picture or the like stand at `at`, no mark of a sentence.
fn is_wide(scan: &Scan<'_>, at: usize) -> bool {
    let mark = |char| matches!(char, '«' | '·' | '»' | '\u{2010}'..='\u{205e}' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff65}');
    match kind(scan, at) {
        TokenKind(0) => !scan.word(at).starts_with(mark),
        kind => kind == TokenKind::IDEOGRAPHS,
    }
}

/// Letters and digits, and nothing that more than one word has.
pub(super) fn is_mixed(text: &str) -> bool {
    has_digit(text) && has_letter(text) && !has_any(text, b" :")
}

/// Whether a word is a line's first, also of an item of a list and of a line that is quoted.
fn opens_line(scan: &Scan<'_>, at: usize) -> bool {
    let mut before = at.wrapping_sub(1);
    while matches!(kind(scan, before), TokenKind(b' ' | b'-' | b'>' | b'*')) {
        before = before.wrapping_sub(1);
    }
    kind(scan, before) == TokenKind::NEWLINE
}

/// Whether the sign of an assignment, or of a block, is near behind a word: `"name": "DB_PASSWORD", "value": …`,
/// `variable "password" {`.
fn is_signed(scan: &Scan<'_>, at: usize) -> bool {
    (at + 1..at + 9).any(|at| matches!(kind(scan, at), TokenKind(b'=' | b':' | b'>' | b'{')))
}

/// Whether the word is the name of something secret: `DB_PASSWORD`, `apiKey`, not `monkey`.
fn names_secret(scan: &Scan<'_>, at: usize) -> bool {
    // `secret_key_base`, `API_KEY_2`
    let digit = |char: char| char.is_ascii_digit();
    let name = nth_last(scan, at, 1).trim_end_matches(digit);
    let last = 1 + usize::from(matches!(name, "" | "base" | "BASE"));
    let name = nth_last(scan, at, last).trim_end_matches(digit);
    let key = name.eq_ignore_ascii_case("key");
    if !key && !words::is_in(SECRET_NAME, name) && !name.eq_ignore_ascii_case("pw") {
        return false;
    }
    let mut which = nth_last(scan, at, last + 1);
    // `X-Api-Key`
    if which.is_empty() && scan.is_mark(at.wrapping_sub(1), b'-') {
        which = before(scan, at, 2);
    }
    match key {
        true => SECRET_KEYS.has_in_any_case(which),
        false => !any_of!("csrf next page public").has_in_any_case(which),
    }
}

/// An atom of the word at `at`, counted from its end, from 1; empty where there is none.
#[inline(never)]
fn nth_last<'t>(scan: &Scan<'t>, at: usize, nth: usize) -> &'t str {
    let atoms = scan.atoms_of(at, at + 1);
    let atom = atoms.get(atoms.len().wrapping_sub(nth));
    let text = atom.and_then(|atom| scan.text.get(atom.start()..atom.end()));
    text.unwrap_or_default()
}

/// "API key": whether the word is the last of the two that name something secret.
fn ends_name(scan: &Scan<'_>, at: usize) -> bool {
    at > 1
        && scan.word(at).eq_ignore_ascii_case("key")
        && SECRET_KEYS.has_in_any_case(nth_last(scan, at - 2, 1))
}

/// Whether the word names the signature of a URL: who has it may do what it signs.
fn names_signature(scan: &Scan<'_>, at: usize) -> bool {
    let word = scan.word(at);
    let named = word.eq_ignore_ascii_case("sig") || word.eq_ignore_ascii_case("signature");
    named
        && scan.is_mark(at + 1, b'=')
        && (matches!(kind(scan, at.wrapping_sub(1)), TokenKind(b'?' | b'&'))
            // `X-Amz-Signature`
            || matches!(before(scan, at, 2), "Amz" | "Goog"))
}

/// Whether letters alone make neither a word nor a name: a name has fewer capitals, no word is so long.
/// `tight` says that they stand as a value of a program seldom does.
fn is_scrambled(text: &str, tight: bool) -> bool {
    const LEAST: usize = 20;
    const LONG: usize = 24;
    const LONG_AND_TIGHT: usize = 16;
    let small = count(text, &u8::is_ascii_lowercase);
    let capitals = count(text, &u8::is_ascii_uppercase);
    let long = if tight { LONG_AND_TIGHT } else { LONG };
    text.len() >= LEAST && 3 * small.min(capitals) >= text.len()
        || small == text.len() && small >= long && !holds_name(text)
}

/// Whether a text is a value and not what stands for one.
fn is_value(text: &str) -> bool {
    // With the first word of what is a key as a whole, or none.
    const NONE: &Words = any_of!(
        "false true yes on off nil null none undefined string required optional changeme example password secret redacted \
                        hidden plaintext cleartext keyring kerberos vault scram -----begin putty-user-key-file-2 \
                        putty-user-key-file-3"
    );
    let stands_for = head(text, b"$<{*%[").is_empty();
    let blank = |byte: &u8| b"*xX.".contains(byte);
    // `process.env.TOKEN`, `!vault |`: where it is to be had.
    let refers = ["!secret", "!vault", "file:", "op:", "process.env", "vault:"];
    // "Forgot your password?"
    let sentence = has_any(text, b" ") && matches!(text.as_bytes(), [.., b'.' | b'?' | b':']);
    // `TIDE_SIGNING_KEY`: the name of a variable that holds it.
    let loud = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    if stands_for
        || sentence
        || count(text, &blank) == text.len()
        || has_any(text, b"_") && count(text, &loud) == text.len()
        || refers.iter().any(|head| text.starts_with(head))
    {
        return false;
    }
    // `your-api-key-here`
    let told = any_of!("enter insert replace your").has_in_any_case(head(text, b"-_ "));
    !told && !NONE.has_in_any_case(text)
}

/// How many tokens say whether a run is a secret; without a limit each start would look at all that
/// follows.
const LONGEST_RUN: usize = 256;

fn run_end(scan: &Scan<'_>, at: usize, marks: &[u8]) -> usize {
    let mut end = at;
    while end < at + LONGEST_RUN && is_in_run(scan, end, marks) {
        end += 1;
    }
    // What goes on in a placeholder was longer, and was left on purpose.
    match kind(scan, end) {
        TokenKind::PLACEHOLDER => at,
        _ => end,
    }
}

/// Where a run ends that is known to be a secret up to `to`: nothing looks at it again.
fn rest_of_run(scan: &Scan<'_>, to: usize, marks: &[u8]) -> usize {
    let mut end = to;
    while is_in_run(scan, end, marks) {
        end += 1;
    }
    end
}

fn is_in_run(scan: &Scan<'_>, at: usize, marks: &[u8]) -> bool {
    match kind(scan, at) {
        TokenKind::WORD | TokenKind::NUMBER => true,
        // Signs of money, `№` and its like, and marks on what stands before them.
        TokenKind(0) if marks.contains(&b'$') => {
            let more =
                |char| matches!(char, '¢'..='§' | '\u{300}'..='\u{36f}' | '\u{20a0}'..='\u{214f}');
            scan.word(at).starts_with(more)
        }
        TokenKind(mark) => mark != 0 && marks.contains(&mark),
    }
}

/// The kind of the token at `at`; that of a line's end where there is none.
#[cfg_attr(target_arch = "wasm32", inline(never))]
fn kind(scan: &Scan<'_>, at: usize) -> TokenKind {
    scan.kind(at).unwrap_or(TokenKind::NEWLINE)
}

fn is_quote(scan: &Scan<'_>, at: usize) -> bool {
    matches!(kind(scan, at), TokenKind(b'"' | b'\'' | b'`'))
}

/// The text of the token so many before `at`; empty where there is none.
fn before<'t>(scan: &Scan<'t>, at: usize, back: usize) -> &'t str {
    scan.word(at.wrapping_sub(back))
}

fn has_digit(text: &str) -> bool {
    count(text, &u8::is_ascii_digit) > 0
}

fn has_letter(text: &str) -> bool {
    count(text, &u8::is_ascii_alphabetic) > 0
}

/// Whether there is nothing but letters.
fn is_letters(text: &str) -> bool {
    count(text, &u8::is_ascii_alphabetic) == text.len()
}

fn is_number(text: &str) -> bool {
    count(text, &u8::is_ascii_digit) == text.len()
}

/// Whether one of these marks is in a text.
fn has_any(text: &str, marks: &[u8]) -> bool {
    head(text, marks).len() < text.len()
}

/// The text up to the first of these marks.
#[inline(never)]
fn head<'t>(text: &'t str, marks: &[u8]) -> &'t str {
    let end = text.bytes().position(|byte| marks.contains(&byte));
    &text[..end.unwrap_or(text.len())]
}
