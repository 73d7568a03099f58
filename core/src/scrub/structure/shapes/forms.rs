//! Forms of a text that stand for themselves: UUIDs, versions, dates, addresses, names of algorithms.

use crate::scrub::{
    look::{MAKEUP, Makeup, count},
    words::{self, ALGORITHMS, DOTTED, MONTH, Words, any_of},
};

/// What stands before a mark and behind it. Runs are short: looking for it as std does takes longer to
/// begin than to end.
#[inline(never)]
pub(in crate::scrub::structure) fn cut(text: &str, mark: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == mark)?;
    Some((&text[..at], &text[at + 1..]))
}

/// The parts of a text between some marks.
fn parts<'t>(text: &'t str, marks: &'static [u8]) -> Parts<'t> {
    Parts(Some(text), marks)
}

/// What is left of the text, and the marks.
struct Parts<'t>(Option<&'t str>, &'static [u8]);

impl<'t> Iterator for Parts<'t> {
    type Item = &'t str;

    #[inline(never)]
    fn next(&mut self) -> Option<&'t str> {
        let text = self.0?;
        let end = text.bytes().position(|byte| self.1.contains(&byte));
        self.0 = end.map(|end| &text[end + 1..]);
        Some(&text[..end.unwrap_or(text.len())])
    }
}

/// How often a mark stands in a text.
#[inline(never)]
pub(in crate::scrub::structure) fn count_of(text: &str, mark: u8) -> usize {
    count(text, &|byte| *byte == mark)
}

/// What stands behind the last mark, or the whole text.
#[inline(never)]
pub(super) fn last_part(text: &str, mark: u8) -> &str {
    let at = text.bytes().rposition(|byte| byte == mark);
    &text[at.map_or(0, |at| at + 1)..]
}

pub(super) const LETTER: Makeup = Makeup::SMALL.and(Makeup::CAPITAL);
const SMALL_OR_DIGIT: Makeup = Makeup::SMALL.and(Makeup::DIGIT);
pub(super) const LETTER_OR_DIGIT: Makeup = LETTER.and(Makeup::DIGIT);

/// Whether all characters of a text are of some classes or one of `more`.
#[inline(never)]
pub(super) fn is_of(text: &str, classes: Makeup, more: &[u8]) -> bool {
    text.bytes()
        .all(|byte| Makeup(MAKEUP[usize::from(byte)]).has(classes) || more.contains(&byte))
}

/// The same of a text that has any.
fn is_some_of(text: &str, classes: Makeup, more: &[u8]) -> bool {
    !text.is_empty() && is_of(text, classes, more)
}

/// Whether a text begins with a character of some classes.
pub(super) fn opens_with(text: &str, classes: Makeup) -> bool {
    is_some_of(text.get(..1).unwrap_or_default(), classes, &[])
}

/// Whether a text begins as a form does in which 0 stands for any digit.
#[inline(never)]
fn begins(text: &str, form: &str) -> bool {
    let fits = |(byte, form): (u8, u8)| byte == form || form == b'0' && byte.is_ascii_digit();
    text.len() >= form.len() && text.bytes().zip(form.bytes()).all(fits)
}

pub(super) fn is_uuid(text: &str) -> bool {
    let fits = |(at, byte): (usize, u8)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.len() == 36 && text.bytes().enumerate().all(fits)
}

pub(super) fn is_cve(text: &str) -> bool {
    let number = |part: &str| part.len() >= 4 && is_of(part, Makeup::DIGIT, &[]);
    cut(text, b'-').is_some_and(|(word, rest)| {
        word.eq_ignore_ascii_case("CVE")
            && cut(rest, b'-').is_some_and(|(year, rest)| number(year) && number(rest))
    })
}

/// `GHSA-2f7q-8xxm-w3vr`, `CWE-502`, `RUSTSEC-2021-0001`.
pub(super) fn is_advisory(text: &str) -> bool {
    const PREFIXES: &Words = any_of!("CAPEC CWE DSA GHSA OSV PYSEC RHSA RUSTSEC USN");
    cut(text, b'-').is_some_and(|(prefix, rest)| {
        PREFIXES.has(prefix)
            && is_of(rest, LETTER_OR_DIGIT, b"-:")
            && !is_of(rest, Makeup::default(), b"-:")
    })
}

/// `2031-04-09`, `06:12:44`, `09:14`, `2031-04-09T06:12:44.5Z`, `01:00-04:30`, `11/Jun/2031:08:20:41`,
/// `9/4/2031`, `09.04.2031`.
pub(super) fn is_date(text: &str) -> bool {
    // The year is last: with points, too, where day and month have two digits.
    #[rustfmt::skip]
    const WHOLE: [&str; 7] = [
        "0:00", "0/0/0000", "00/0/0000", "0/00/0000", "00/00/0000", "00-00-0000", "00.00.0000",
    ];
    const BEGINNINGS: [&str; 3] = ["00:00", "0000-00-00", "0000/00/00"];
    if !opens_with(text, Makeup::DIGIT) {
        return false;
    }
    if let Some((day, rest)) = cut(text, b'/')
        && let Some((month, year)) = cut(rest, b'/')
        && words::is_in(MONTH, month)
    {
        return is_of(year, Makeup::DIGIT, b":") && is_of(day, Makeup::DIGIT, &[]);
    }
    let is_whole = |form: &str| form.len() == text.len() && begins(text, form);
    // `2031-04`
    let month = is_whole("0000-00") && ("01"..="12").contains(&&text[5..]);
    month
        || WHOLE.iter().any(|form| is_whole(form))
        || is_of(text, Makeup::DIGIT, b"-:/.TZ+")
            && BEGINNINGS.iter().any(|form| begins(text, form))
}

/// `3.4.0`, `v2.1`, `3.0.0-rc.1`, `1.2.3+build.5`, `3.4.x`, `3.13.0rc2`; two numbers alone are an ordinary number.
pub(super) fn is_version(text: &str) -> bool {
    let prefix = matches!(text.as_bytes(), [b'v' | b'V', ..]);
    let rest = &text[usize::from(prefix)..];
    let any = rest.strip_suffix(".x");
    // `3.13.0rc2`, `4.0.0.dev3` of Python
    let stem = rest.trim_end_matches(|char: char| char.is_ascii_digit());
    let stages = ["a", "b", "rc", ".dev", ".post"];
    let stage = stages.iter().find_map(|stage| stem.strip_suffix(stage));
    let staged = stage.filter(|_| stem.len() < rest.len());
    let rest = any.or(staged).unwrap_or(rest);
    let in_core = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let core = rest.bytes().position(|byte| !in_core(byte));
    let (core, tail) = rest.split_at(core.unwrap_or(rest.len()));
    let points = count_of(core, b'.');
    let tagged =
        matches!(tail.as_bytes(), [b'-' | b'+', ..]) && is_of(tail, LETTER_OR_DIGIT, b".-+");
    let mut parts = core.as_bytes().split(|byte| *byte == b'.');
    parts.all(|part| !part.is_empty())
        && (tail.is_empty() || tagged && points > 0)
        && (points > 1 || any.is_some() || points > 0 && (prefix || tagged || staged.is_some()))
}

/// `10.0.0.7`, `0.0.0.0`: an address of a host. A version of four numbers begins with one digit: `6.1.4.1`.
pub(super) fn is_address(text: &str) -> bool {
    let first = cut(text, b'.').map_or("", |(first, _)| first);
    count_of(text, b'.') == 3
        && (first == "0" || matches!(first.len(), 2 | 3))
        && is_of(text, Makeup::DIGIT, b".")
}

/// `UTF-8`, `ISO-8601`: well known.
pub(super) fn is_standard(text: &str) -> bool {
    const WORDS: &Words = any_of!("AES ANSI ASCII CP IEC IEEE ISO RFC SHA UTF WCAG WIN");
    cut(text, b'-')
        .is_some_and(|(word, number)| WORDS.has(word) && is_of(number, Makeup::DIGIT, b"-"))
}

/// `ABC-123`
pub(super) fn is_ticket(text: &str) -> bool {
    cut(text, b'-').is_some_and(|(word, number)| {
        words::is_all_capitals(word) && is_some_of(number, Makeup::DIGIT, &[])
    })
}

pub(super) fn is_email(text: &str) -> bool {
    cut(text, b'@').is_some_and(|(user, host)| {
        let ending = last_part(host, b'.');
        is_some_of(user, LETTER_OR_DIGIT, b"._%+-")
            && is_of(host, LETTER_OR_DIGIT, b".-")
            && ending.len() < host.len()
            && ending.len() > 1
            && is_of(ending, LETTER, &[])
    })
}

/// `@scope/name` of npm.
pub(super) fn is_scoped(text: &str) -> bool {
    let parts = text.strip_prefix('@').and_then(|text| cut(text, b'/'));
    let fits = |part: &str| opens_with(part, SMALL_OR_DIGIT) && is_of(part, SMALL_OR_DIGIT, b"-_.");
    parts.is_some_and(|(scope, name)| fits(scope) && fits(name))
}

/// `roles/storage.objectViewer`, `projects/x/roles/y` of Google Cloud.
pub(super) fn is_granted(text: &str) -> bool {
    let role = last_part(text, b'/');
    let of = text.strip_suffix(role).unwrap_or_default();
    (of == "roles/" || of.ends_with("/roles/"))
        && is_some_of(role, LETTER_OR_DIGIT, b"._-")
        && !is_file(role)
}

/// `X-Api-Key`
pub(super) fn is_header(text: &str) -> bool {
    let name = text.strip_prefix("X-");
    name.is_some_and(|name| parts(name, b"-").all(|part| opens_with(part, Makeup::CAPITAL)))
}

/// `acme-parser`, `quay-web-2`: small letters and hyphens.
pub(super) fn is_kebab(text: &str) -> bool {
    let part = |part| is_some_of(part, SMALL_OR_DIGIT, &[]);
    opens_with(text, Makeup::SMALL) && parts(text, b"-").all(part)
}

/// Parts of an algorithm's name behind the first: sizes, modes, paddings.
const MODES: &Words = any_of!(
    "128 192 224 256 384 512 521 aead cbc ccm cfb ctr ecb gcm gmac hellman hmac mgf1 oaep ofb pkcs1 pkcs5 pkcs7 poly1305 \
    pss sha1 sha2 sha256 sha3 sha384 sha512 siv wrap xts"
);

fn is_mode(part: &str) -> bool {
    MODES.has_in_any_case(part)
}

/// `bcrypt`, `SHA-1`, `AES-256-GCM`, `HMAC-SHA256`, `aes-256-cbc`.
pub(in crate::scrub::structure) fn is_algorithm(text: &str) -> bool {
    let mut behind = parts(text, b"-_");
    let head = behind.next().unwrap_or_default();
    // `TLS_AES_256_GCM_SHA384`
    if let "TLS" | "SSL" = head {
        let (mut named, mut modes) = (0, 0);
        for part in parts(text, b"_") {
            match words::is_in(ALGORITHMS, part) && part.len() > 1 {
                true => named += 1,
                false => modes += usize::from(is_mode(part)),
            }
        }
        // `TLS_RSA_KEY_FILE` is a setting.
        return named > 0 && named + modes > 1;
    }
    if !words::is_in(ALGORITHMS, head) {
        return false;
    }
    // `P-256`
    let long = head.len() > 1;
    match head == text {
        true => long && !any_of!("sha des Des dsa Diffie").has(text),
        false => {
            long && is_of(head, Makeup::CAPITAL.and(Makeup::DIGIT), &[]) || behind.all(is_mode)
        }
    }
}

/// `s3:PutObject`, `secrets:list`: two names and one colon.
pub(super) fn is_permission(text: &str) -> bool {
    let name = |part: &str| part.len() > 1 && is_of(part, LETTER_OR_DIGIT, b"_-*.");
    cut(text, b':').is_some_and(|(scope, action)| {
        opens_with(scope, Makeup::SMALL)
            && name(scope)
            && (action == "*" || opens_with(action, LETTER) && name(action))
            && !is_other_pair(scope, action)
    })
}

/// `sha256:9f2c…`, `nginx:latest`, `tcp:sql.example`: what else has two names and one colon.
fn is_other_pair(scope: &str, action: &str) -> bool {
    any_of!("mailto md5 sha1 sha256 sha512 tcp udp xmlns xsi").has(scope)
        || any_of!("alpine latest slim stable").has(action)
}

/// `Microsoft.Storage/storageAccounts/read` of Azure.
pub(super) fn is_operation(text: &str) -> bool {
    let capital =
        |part: &str| opens_with(part, Makeup::CAPITAL) && is_of(part, LETTER_OR_DIGIT, &[]);
    cut(text, b'/').is_some_and(|(provider, rest)| {
        let action = last_part(rest, b'/');
        cut(provider, b'.').is_some_and(|(first, second)| capital(first) && capital(second))
            && any_of!("* action delete read write").has(action)
            && rest != action
    })
}

/// The last part of a host's name.
pub(super) fn is_top_level(part: &str) -> bool {
    any_of!("com de dev eu example io net org uk").has(part)
}

/// A name with a known ending.
pub(super) fn is_file(name: &str) -> bool {
    let ending = last_part(name, b'.');
    let Some(stem) = name
        .strip_suffix(ending)
        .and_then(|stem| stem.strip_suffix('.'))
    else {
        return false;
    };
    (stem.len() > 1 || ending.len() > 1)
        && words::is_extension(ending)
        && is_of(stem, LETTER_OR_DIGIT.and(Makeup::WIDE), b"._-@+{}")
        && !DOTTED.contains(&name)
}

/// Whether a word is a name that the language itself gives: `__init__`.
pub(in crate::scrub::structure) fn is_of_language(word: &str) -> bool {
    word.len() > 4 && word.starts_with("__") && word.ends_with("__")
}
