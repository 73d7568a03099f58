//! What a judge never needs to see. Precision first: a hash, a UUID and a public key are no secrets.

use alloc::{string::String, vec::Vec};

use super::{
    kinds::Kinds,
    placeholders::Numbering,
    scanner::{Scan, Token, TokenKind},
    words::{self, COMMON, SECRET_CUE, SECRET_NAME},
};
use crate::{profile::Kind, sort::sort_by};

/// A secret in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Secret {
    /// Its first token.
    pub(super) from: usize,
    /// The token behind its last.
    pub(super) to: usize,
    /// Whether it is one wherever it occurs: a short password may be an ordinary word.
    pub(super) everywhere: bool,
}

/// How issuers mark their tokens: what one begins with, and its least length.
#[rustfmt::skip]
static PREFIXES: [(&str, usize); 30] = [
    ("AGE-SECRET-KEY-", 40), ("AIza", 35), ("AKIA", 20), ("ASIA", 20), ("EAACEdEose0cBA", 20), ("SG.", 40),
    ("dckr_pat_", 20), ("dop_v1_", 40), ("ghp_", 20), ("gho_", 20), ("ghu_", 20), ("ghs_", 20), ("ghr_", 20),
    ("github_pat_", 30), ("glpat-", 20), ("hf_", 20), ("hvs.", 24), ("lin_api_", 20), ("npm_", 30), ("pk_live_", 20),
    ("pypi-", 40), ("rk_live_", 20), ("shpat_", 32), ("sk-", 24), ("sk_live_", 20), ("sk_test_", 20),
    ("xoxa-", 20), ("xoxb-", 20), ("xoxp-", 20), ("ya29.", 24),
];

/// For each byte that a token may begin with, the low bits of those that may follow.
static OPENS_TOKEN: [u32; 128] = {
    let mut opens = [0; 128];
    let mut at = 0;
    while at < PREFIXES.len() {
        let prefix = PREFIXES[at].0.as_bytes();
        opens[prefix[0] as usize] |= 1 << (prefix[1] % 32);
        at += 1;
    }
    opens[b'e' as usize] |= 1 << (b'y' % 32);
    opens
};

fn may_open_token(word: &str) -> bool {
    let [first, second, ..] = word.as_bytes() else {
        return false;
    };
    let seconds = OPENS_TOKEN.get(usize::from(*first));
    seconds.is_some_and(|seconds| seconds & (1 << (second % 32)) != 0)
}

/// Last words of a name whose value is a secret.
#[rustfmt::skip]
pub(super) static SECRET_WORDS: [&str; 14] = [
    "password", "passwd", "pwd", "passphrase", "secret", "token", "credential", "credentials", "apikey", "apitoken",
    "authtoken", "dbpassword", "mypassword", "pgpassword",
];
/// Words before a last `key` that make it a secret one.
#[rustfmt::skip]
static SECRET_KEYS: [&str; 10] = [
    "access", "account", "api", "auth", "encryption", "master", "private", "secret", "shared", "signing",
];

/// The secrets of a text, by start; one may be a part of the one before it.
pub(super) fn find(scan: &Scan<'_>) -> Vec<Secret> {
    let mut secrets = Vec::new();
    let mut done = 0;
    for (at, token) in scan.tokens.iter().enumerate() {
        let found = match token.kind {
            TokenKind::Word if at >= done => at_word(scan, at, token),
            TokenKind::Mark(b'-') if at >= done => block(scan, at).or_else(|| option(scan, at)),
            TokenKind::Mark(b'/') if at >= done => {
                let credentials = credentials(scan, at);
                // The password is one by itself, too, where it stands elsewhere.
                let whole = credentials.map(|(user, _, end)| (user, end));
                secrets.extend(whole.map(|(from, to)| Secret::new(scan, from, to)));
                credentials.map(|(_, password, end)| (password, end))
            }
            _ => continue,
        };
        if let Some((from, to)) = found
            && from < to
        {
            secrets.push(Secret::new(scan, from, to));
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
            to,
            everywhere: text.len() >= 8 && !words::is_in(COMMON, text),
        }
    }
}

/// A secret that is the word at `at`, or is announced by it.
fn at_word(scan: &Scan<'_>, at: usize, word: &Token) -> Option<(usize, usize)> {
    let joined = matches!(scan.kind(at + 1), Some(TokenKind::Mark(b'-' | b'.')));
    // Most words are none for one of these.
    if word.is_plain() && !joined && !word.lists().has(SECRET_CUE.or(SECRET_NAME)) {
        return None;
    }
    // What hangs on a placeholder was left on purpose.
    if at > 0 && scan.kind(at - 1) == Some(TokenKind::Placeholder) {
        return None;
    }
    token(scan, at, joined).or_else(|| announced(scan, at))
}

/// A secret behind its name.
fn announced(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
    if scan.lists(at).has(SECRET_CUE.or(SECRET_NAME)) {
        return bearer(scan, at).or_else(|| assigned(scan, at));
    }
    // The last of several atoms may name one, and one behind an underscore.
    let other = scan.atoms_of(at, at + 1).len() > 1 || !scan.is_letters(at);
    other.then(|| assigned(scan, at))?
}

/// `-----BEGIN PRIVATE KEY-----` to its end, or to the end of what looks like its body.
fn block(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
    const DASHES: &str = "-----";
    const LONGEST_LABEL: usize = 40;
    /// A shorter line may be a word of what follows a key that was cut.
    const SHORTEST_LINE: usize = 16;
    let rest = scan.text[scan.start(at)..].strip_prefix("-----BEGIN ")?;
    let label_end = rest
        .bytes()
        .take(LONGEST_LABEL)
        .position(|byte| byte == b'-')?;
    let (label, rest) = rest.split_at(label_end);
    let body = rest
        .strip_prefix(DASHES)
        .filter(|_| label.ends_with("PRIVATE KEY"))?;
    let body_start = scan.text.len() - body.len();
    let close = body.find(DASHES).unwrap_or(body.len());
    let label_of_end = body[close..].strip_prefix("-----END ");
    let closed = label_of_end
        .and_then(|rest| rest.strip_prefix(label)?.strip_prefix(DASHES))
        .filter(|_| !body[..close].contains('['));
    let end = match closed {
        Some(after) => scan.text.len() - after.len(),
        None => {
            let encoded = |line: &&str| {
                let line = line.trim();
                line.is_empty()
                    || line.len() >= SHORTEST_LINE
                        && line
                            .bytes()
                            .all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
            };
            let lines = body[..close].split_inclusive('\n').take_while(encoded);
            let length: usize = lines.map(str::len).sum();
            body_start + body[..length].trim_end().len()
        }
    };
    let to = scan.token_at(end);
    Some((at, to))
}

/// A token that says by its look that it is one.
fn token(scan: &Scan<'_>, at: usize, joined: bool) -> Option<(usize, usize)> {
    if scan.tokens[at].is_plain() && !joined {
        return None;
    }
    let word = scan.word(at);
    if !may_open_token(word) {
        return None;
    }
    let known = || {
        PREFIXES.iter().any(|(prefix, _)| {
            let head = &prefix[..prefix.len().min(word.len())];
            word.starts_with(head)
        })
    };
    let inside = matches!(
        at.checked_sub(1).and_then(|at| scan.kind(at)),
        Some(TokenKind::Word | TokenKind::Placeholder | TokenKind::Mark(b'-' | b'.'))
    );
    if inside || !(word.starts_with("eyJ") || known()) {
        return None;
    }
    let to = run_end(scan, at, b"-.");
    let text = scan.text_of(at, to);
    let by_prefix = PREFIXES
        .iter()
        .any(|(prefix, least)| text.starts_with(prefix) && text.len() >= *least);
    (by_prefix && is_random(text) || is_jwt(text)).then_some((at, to))
}

/// Three parts of base64, the first one of which is JSON.
fn is_jwt(text: &str) -> bool {
    let mut parts = text.split('.');
    let long = |part: Option<&str>| part.is_some_and(|part| part.len() > 3);
    text.starts_with("eyJ") && long(parts.next()) && long(parts.next()) && parts.count() <= 3
}

/// Digits and letters both: names made of words have no digits.
fn is_random(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
        || text.bytes().filter(u8::is_ascii_uppercase).count() > 6
}

/// `Authorization: Bearer …`, `Basic …`.
fn bearer(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
    const LEAST: usize = 8;
    if !scan.lists(at).has(SECRET_CUE) {
        return None;
    }
    let word = scan.word(at);
    if !word.eq_ignore_ascii_case("bearer") && word != "Basic"
        || scan.kind(at + 1) != Some(TokenKind::Space)
    {
        return None;
    }
    let to = run_end(scan, at + 2, b"-._~+/=");
    let text = scan.text_of(at + 2, to);
    let marked = text
        .bytes()
        .any(|byte| byte.is_ascii_digit() || byte == b'=' || byte.is_ascii_uppercase());
    (text.len() >= LEAST && marked && is_value(text)).then_some((at + 2, to))
}

/// `user:password` in `scheme://user:password@host`: where each begins, and where both end.
fn credentials(scan: &Scan<'_>, at: usize) -> Option<(usize, usize, usize)> {
    const LONGEST: usize = 128;
    let slashes = at > 1 && scan.is_mark(at - 1, b'/') && scan.is_mark(at - 2, b':');
    if !slashes {
        return None;
    }
    let mut colon = None;
    let mut sign = None;
    for next in at + 1..at + LONGEST {
        match scan.kind(next) {
            None
            | Some(
                TokenKind::Space
                | TokenKind::Newline
                | TokenKind::Ideographs
                | TokenKind::Placeholder,
            ) => break,
            Some(TokenKind::Mark(b'/' | b'?' | b'#' | b'"' | b'\'' | b'`' | b'<' | b'>')) => break,
            Some(TokenKind::Mark(b':')) if colon.is_none() => colon = Some(next),
            Some(TokenKind::Mark(b'@')) => sign = Some(next),
            _ => {}
        }
    }
    let (colon, sign) = (colon?, sign?);
    let password = scan.text_of(colon + 1, sign);
    (colon + 1 < sign && is_value(password)).then_some((at + 1, colon + 1, sign))
}

/// `--password hunter2`, `curl -u deploy:hunter2`.
fn option(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
    const LEAST: usize = 6;
    const FAR: usize = 32;
    let doubled = scan.is_mark(at + 1, b'-');
    let name = at + 1 + usize::from(doubled);
    let from = name + 2;
    if scan.kind(name) != Some(TokenKind::Word)
        || scan.kind(name + 1) != Some(TokenKind::Space)
        || scan.kind(from) != Some(TokenKind::Word)
    {
        return None;
    }
    let named = doubled && scan.lists(name).has(SECRET_NAME);
    let user = matches!(scan.word(name), "u" | "user");
    if !named && !user {
        return None;
    }
    let to = run_end(scan, from, b"-._~+/=!@#%^&*:$?");
    let value = scan.text_of(from, to);
    if named {
        let random = value.bytes().any(|byte| byte.is_ascii_digit()) && value.len() >= LEAST;
        return (random && is_value(value)).then_some((from, to));
    }
    let fetched = || {
        let before = at.saturating_sub(FAR)..at;
        before
            .rev()
            .take_while(|at| {
                !matches!(
                    scan.kind(*at),
                    Some(TokenKind::Newline | TokenKind::Placeholder)
                )
            })
            .any(|at| matches!(scan.word(at), "curl" | "http" | "wget"))
    };
    let (_, password) = value.split_once(':')?;
    (password.len() >= LEAST && is_value(password) && fetched()).then_some((from, to))
}

/// `password=…`, `"api_key": "…"`.
fn assigned(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
    const LEAST: usize = 6;
    // SQL: `PASSWORD '…'`, `IDENTIFIED BY '…'`.
    let word = match scan.lists(at).has(SECRET_CUE) {
        true => scan.word(at),
        false => "",
    };
    if matches!(word, "PASSWORD" | "BY") && scan.is_mark(at + 2, b'\'') {
        let of_user = word == "PASSWORD" || at > 1 && scan.word(at - 2) == "IDENTIFIED";
        let close = (at + 3..at + 64).find(|at| scan.is_mark(*at, b'\''))?;
        let text = scan.text_of(at + 3, close);
        return (of_user && is_value(text) && !text.contains(['[', '\n']))
            .then_some((at + 3, close));
    }
    let signed = (at + 1..at + 4).any(|at| scan.is_mark(at, b'=') || scan.is_mark(at, b':'));
    if !signed || !names_secret(scan, at) {
        return None;
    }
    let skip_space = |at: usize| at + usize::from(scan.kind(at) == Some(TokenKind::Space));
    let is_quote = |at: usize| matches!(scan.kind(at), Some(TokenKind::Mark(b'"' | b'\'' | b'`')));
    let quoted_key = is_quote(at + 1);
    let sign = skip_space(at + 1 + usize::from(quoted_key));
    let equals = scan.is_mark(sign, b'=') && !scan.is_mark(sign + 1, b'=');
    if !equals && !scan.is_mark(sign, b':') {
        return None;
    }
    let from = skip_space(sign + 1);
    if is_quote(from) {
        let quote = scan.word(from);
        let close = (from + 1..from + 64)
            .take_while(|at| {
                !matches!(
                    scan.kind(*at),
                    None | Some(TokenKind::Newline | TokenKind::Placeholder)
                )
            })
            .find(|at| scan.word(*at) == quote)?;
        let text = scan.text_of(from + 1, close);
        return (text.len() >= LEAST && is_value(text)).then_some((from + 1, close));
    }
    let mut to = run_end(scan, from, b"-._~+/=!@#%^&*:$?");
    while to > from
        && matches!(
            scan.kind(to - 1),
            Some(TokenKind::Mark(b'.' | b'?' | b'!' | b':'))
        )
    {
        to -= 1;
    }
    let text = scan.text_of(from, to);
    // In code an unquoted value is an expression, unless it is set without spaces.
    let tight = equals && sign == at + 1 && from == sign + 1;
    let name = text
        .bytes()
        .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'.'));
    let called = scan.is_mark(to, b'(') || scan.is_mark(to, b'[');
    let plain = name && !(tight && words::is_all_capitals(&scan.word(at).replace('_', "")));
    (text.len() >= LEAST && !plain && !called && is_value(text)).then_some((from, to))
}

/// Whether the word is the name of something secret: `DB_PASSWORD`, `apiKey`, not `monkey`.
fn names_secret(scan: &Scan<'_>, at: usize) -> bool {
    let atoms = scan.atoms_of(at, at + 1);
    let text = |nth: usize| {
        let atom = atoms.len().checked_sub(nth).and_then(|at| atoms.get(at));
        atom.map_or("", |atom| &scan.text[atom.start()..atom.end()])
    };
    let is = |list: &[&str], word: &str| list.iter().any(|known| word.eq_ignore_ascii_case(known));
    let before = text(2);
    // `X-Api-Key`
    let before = match before {
        "" if at > 1 && scan.is_mark(at - 1, b'-') => scan.word(at - 2),
        before => before,
    };
    is(&SECRET_WORDS, text(1)) && !is(&["public", "page", "next", "csrf"], before)
        || text(1).eq_ignore_ascii_case("key") && is(&SECRET_KEYS, before)
}

/// Whether a text is a value and not what stands for one.
fn is_value(text: &str) -> bool {
    const NONE: [&str; 12] = [
        "null",
        "none",
        "undefined",
        "string",
        "required",
        "optional",
        "changeme",
        "example",
        "password",
        "secret",
        "redacted",
        "hidden",
    ];
    let stands_for = text.starts_with(['$', '<', '{', '*', '%', '['])
        || text
            .bytes()
            .all(|byte| matches!(byte, b'*' | b'x' | b'X' | b'.'));
    // `your-api-key-here`
    let told = ["enter", "insert", "replace", "your"].iter().any(|verb| {
        text.get(..verb.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(verb))
            && matches!(text.as_bytes().get(verb.len()), Some(b'-' | b'_' | b' '))
    });
    // `TIDE_SIGNING_KEY`: the name of a variable that holds it.
    let variable = text.contains('_')
        && text
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    !stands_for && !told && !variable && !NONE.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// A secret has fewer tokens; without a limit each start would look at all that follows.
const LONGEST_RUN: usize = 256;

fn run_end(scan: &Scan<'_>, at: usize, marks: &[u8]) -> usize {
    let inside = |at: &usize| match scan.kind(*at) {
        Some(TokenKind::Word | TokenKind::Number) => true,
        Some(TokenKind::Mark(mark)) => mark != 0 && marks.contains(&mark),
        _ => false,
    };
    let end = (at..at + LONGEST_RUN)
        .find(|at| !inside(at))
        .unwrap_or(at + LONGEST_RUN);
    // What goes on in a placeholder was longer, and was left on purpose.
    match scan.kind(end) {
        Some(TokenKind::Placeholder) => at,
        _ => end,
    }
}

/// Replaces the secrets that a claim quotes; also says whether there were any. One that is not in
/// the evidence gets a placeholder that nothing there has.
pub(super) fn hide<'s>(
    claim: &str,
    secrets: impl Iterator<Item = (&'s str, &'s str)>,
) -> (String, bool) {
    // The longest first, where one is part of another; of equals the last.
    let mut secrets: Vec<(usize, (&str, &str))> = (0..usize::MAX).rev().zip(secrets).collect();
    secrets.retain(|(_, (text, _))| !text.is_empty());
    sort_by(&mut secrets, |(at, (a, _)), (other, (b, _))| {
        (b.len(), *a, at) < (a.len(), *b, other)
    });
    secrets.dedup_by_key(|(_, (text, _))| *text);
    let mut numbering = Numbering::default();
    let mut hidden = String::from(claim);
    for (_, (text, placeholder)) in secrets {
        numbering.reserve(placeholder, &Kinds::BUILT_IN);
        if hidden.contains(text) {
            hidden = hidden.replace(text, placeholder);
        }
    }
    numbering.reserve(&hidden, &Kinds::BUILT_IN);
    let scan = Scan::new(&hidden);
    let mut result = String::with_capacity(hidden.len());
    let mut done = 0;
    for secret in find(&scan) {
        if scan.start(secret.from) < done {
            continue;
        }
        result.push_str(&hidden[done..scan.start(secret.from)]);
        result.push_str(&numbering.next(Kind::Secret.into(), &Kinds::BUILT_IN));
        done = scan.start(secret.to);
    }
    result.push_str(&hidden[done..]);
    let any = result != claim;
    (result, any)
}
