//! What a judge never needs to see. Precision first: a hash, a UUID and a public key are no secrets.

use alloc::{string::String, sync::Arc, vec::Vec};

use super::{
    hash::{self, Table},
    kinds::Kinds,
    look::{Look, count},
    ordinary::is_ordinary,
    placeholders::{self, Numbering},
    scanner::{Scan, Token, TokenKind, fold, hash_of, is_joiner, is_word},
    words::{
        self, ALGORITHMS, COMMON, List, NOT_NAMES, SECRET_CUE, SECRET_NAME, SECRET_OPENER, VERB,
        Words, any_of,
    },
};
use crate::{evidence::Span, profile::Kind, sort::sort_by};

/// A secret in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Secret {
    /// Its first token.
    pub(super) from: usize,
    /// The token behind its last.
    pub(super) to: usize,
    /// Whether it is one wherever it occurs.
    pub(super) everywhere: bool,
}

/// How issuers mark their tokens: the least length of some, and what each of them begins with.
#[rustfmt::skip]
static PREFIXES: [(usize, &str); 12] = [
    (20, "AKIA ASIA EAACEdEose0cBA dckr_pat_ gho_ ghp_ ghr_ ghs_ ghu_ gldt- glpat- glptt- hf_ lin_api_ pk_live_ rk_live_ \
        rk_test_ sk_live_ sk_test_ tvly- xapp- xoxa- xoxb- xoxp- xoxs-"),
    (24, "hvb. hvs. sk- whsec_ ya29."),
    (26, "sq0atp-"),
    (28, "ATBB GOCSPX-"),
    (30, "NRAK- github_pat_ npm_ xoxe"),
    (32, "glc_ glsa_ pscale_tkn_ shpat_ shpca_ shppa_ shpss_"),
    (35, "AIza"),
    (36, "dapi nfp_ r8_ tskey-"),
    (40, "AGE-SECRET-KEY- CFPAT- PMAK- SG. doo_v1_ dop_v1_ dor_v1_ dp.pt. dp.st. figd_ fm2_ gsk_ ntn_ pplx- pul- pypi- sbp_ \
        sntrys_ sq0csp-"),
    (48, "rubygems_"),
    (60, "ATATT3 xai-"),
    // What [`is_jwt`] and [`is_shaped`] know.
    (usize::MAX, "AA MD MT Mj Mz ND NT Nj Nz OD OT SK ey ke"),
];

/// For each byte that a token may begin with, the low bits of those that may follow.
static OPENS_TOKEN: [u32; 128] = {
    let mut opens = [0; 128];
    let mut row = 0;
    while row < PREFIXES.len() {
        let prefixes = PREFIXES[row].1.as_bytes();
        let mut at = 0;
        while at < prefixes.len() {
            if at == 0 || prefixes[at - 1] == b' ' {
                opens[prefixes[at] as usize] |= 1 << (prefixes[at + 1] % 32);
            }
            at += 1;
        }
        row += 1;
    }
    opens
};

fn may_open_token(text: &[u8]) -> bool {
    let [first, second, ..] = text else {
        return false;
    };
    let seconds = OPENS_TOKEN.get(usize::from(*first));
    seconds.is_some_and(|seconds| seconds & (1 << (second % 32)) != 0)
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
        if scan.start(at) >= table && token.lists().has(SECRET_NAME) {
            table = column(scan, at, &mut secrets).unwrap_or(table);
        }
        let found = match token.kind {
            TokenKind::WORD if at >= done => at_word(scan, at, token).map(alone),
            TokenKind(b'-') if at >= done && scan.kind(at + 1) != Some(TokenKind::SPACE) => {
                let block = block(scan, at).map(alone);
                block.or_else(|| option(scan, at))
            }
            TokenKind(b'/') if at >= done && at > 1 && b"/\\".contains(&kind(scan, at - 1).0) => {
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
            everywhere: is_telling(text),
        }
    }
}

/// Whether a text that is a secret somewhere is one wherever it stands: a short one may be an ordinary word.
fn is_telling(text: &str) -> bool {
    const LEAST: usize = 8;
    text.len() >= LEAST && !words::is_in(COMMON, text)
}

/// A secret that is the word at `at`, or is announced by it.
fn at_word(scan: &Scan<'_>, at: usize, word: &Token) -> Option<(usize, usize)> {
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
    token(scan, at).or_else(|| rules.iter().find_map(|rule| rule(scan, at)))
}

/// Finds the secret that the name at a place announces.
type Rule = fn(&Scan<'_>, usize) -> Option<(usize, usize)>;

/// How names announce secrets, in the order in which it is tried: the first two those that the lists tell, the next three
/// also others that something is assigned to, the last all.
static RULES: [Rule; 6] = [bearer, cookie, element, assigned, said, beside];

/// `-----BEGIN PRIVATE KEY-----` to its end, or to the end of what looks like its body; what stands behind
/// `Private-Lines: 8` of PuTTY.
fn block(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
    const LONGEST_LABEL: usize = 40;
    if before(scan, at, 1) == "Private" && scan.word(at + 1) == "Lines" {
        let from = at + 6;
        let start = scan.start(from);
        return Some((from, scan.token_at(start + encoded(&scan.text[start..]))));
    }
    if !scan.is_mark(at + 1, b'-') {
        return None;
    }
    let rest = &scan.text[scan.start(at)..];
    // `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----`
    let (dashes, rest) = match rest.strip_prefix("-----BEGIN ") {
        Some(rest) => ("-----", rest),
        None => ("----", rest.strip_prefix("---- BEGIN ")?),
    };
    let mut label = rest.bytes().take(LONGEST_LABEL);
    let (label, rest) = rest.split_at(label.position(|byte| byte == b'-')?);
    let name = label.trim_end();
    let named = name.ends_with("PRIVATE KEY") || name.ends_with("PRIVATE KEY BLOCK");
    // What was scrubbed was none of a label's words.
    if !named || name.contains('[') {
        return None;
    }
    let body = rest.strip_prefix(dashes)?;
    let (body, behind) = body.split_at(body.find(dashes).unwrap_or(body.len()));
    let closed = behind
        .strip_prefix(dashes)
        .and_then(|rest| rest.trim_start_matches(' ').strip_prefix("END "))
        .and_then(|rest| rest.strip_prefix(label)?.strip_prefix(dashes))
        .filter(|_| !body.contains('['));
    let length = match closed {
        Some(after) => body.len() + behind.len() - after.len(),
        None => Some(encoded(body)).filter(|length| *length > 0)?,
    };
    let end = scan.text.len() - behind.len() - body.len() + length;
    Some((at, scan.token_at(end)))
}

/// The length of what looks like the body of a key that was cut: lines of base64, also quoted, behind
/// the marks of a comment, with escaped line ends, or all on one line.
fn encoded(body: &str) -> usize {
    /// A shorter line may be a word of what follows the key.
    const SHORTEST_LINE: usize = 16;
    const LONGEST_WORD: usize = 40;
    const HEADERS: [&str; 3] = ["Comment:", "Proc-Type:", "DEK-Info:"];
    let ends = if body.starts_with(' ') { ' ' } else { '\n' };
    let mut length = 0;
    let mut start = 0;
    for line in body.split_inclusive(ends) {
        let lead = line.len() - line.trim_start_matches(is_margin).len();
        let inner = &line[lead..];
        let run = inner.bytes().position(|byte| !is_of_base64(byte));
        let (run, rest) = inner.split_at(run.unwrap_or(inner.len()));
        let header = HEADERS.iter().any(|header| inner.starts_with(header));
        let whole = count(rest, &u8::is_ascii_alphanumeric) == 0;
        // What else stands between spaces is shorter.
        let cut =
            (!rest.starts_with(char::is_whitespace) || run.len() > LONGEST_WORD) && has_digit(run);
        if header {
            length = start + line.trim_end().len();
        } else if (run.len() >= SHORTEST_LINE || run.ends_with('=')) && (whole || cut) {
            length = start + lead + run.len();
        }
        let goes_on = header || whole && (run.is_empty() || run.len() >= SHORTEST_LINE);
        if !goes_on {
            break;
        }
        start += line.len();
    }
    length
}

/// What may stand before a line of a key: it is quoted, commented out, or a part of a program.
fn is_margin(char: char) -> bool {
    char.is_whitespace() || matches!(char, '>' | '|' | '#' | '*' | '"' | '\'')
}

/// The backslash is that of an escaped line end.
fn is_of_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\\')
}

/// A token that says by its look that it is one.
fn token(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
    let before = kind(scan, at.wrapping_sub(1));
    let inside = matches!(before, TokenKind::WORD | TokenKind(b'-' | b'.'));
    if inside || !may_open_token(&scan.text.as_bytes()[scan.start(at)..]) {
        return None;
    }
    let to = run_end(scan, at, b"-.");
    let text = scan.text_of(at, to);
    // Names of columns have more words.
    let fits = |prefix: &str| {
        let rest = text.strip_prefix(prefix);
        rest.is_some_and(|rest| !prefix.ends_with('_') || count(rest, &|byte| *byte == b'_') < 2)
    };
    let by_prefix = PREFIXES
        .iter()
        .any(|(least, prefixes)| text.len() >= *least && prefixes.split(' ').any(fits));
    // Nothing else that begins so is so long.
    let long = text.starts_with("eyJ") && to - at == LONGEST_RUN;
    let mut end = rest_of_run(scan, to, b"-.");
    while scan.is_mark(end - 1, b'.') {
        end -= 1;
    }
    (by_prefix && is_random(text) || long || is_jwt(text) || is_shaped(scan, at, text))
        .then_some((at, end))
}

/// Three parts of base64, the first one of which is JSON.
fn is_jwt(text: &str) -> bool {
    let mut parts = text.split('.');
    let mut long = || parts.next().is_some_and(|part| part.len() > 3);
    text.starts_with("eyJ") && long() && long() && parts.count() <= 3
}

/// `SK…` of Twilio, `key-…` of Mailgun, `123456789:AA…` of Telegram, the three parts of Discord's.
fn is_shaped(scan: &Scan<'_>, at: usize, text: &str) -> bool {
    let hex = text
        .strip_prefix("SK")
        .or_else(|| text.strip_prefix("key-"));
    let hex = hex.is_some_and(|hex| hex.len() == 32 && count(hex, &u8::is_ascii_hexdigit) == 32);
    let bot = before(scan, at, 2);
    let bot =
        scan.is_mark(at.wrapping_sub(1), b':') && matches!(bot.len(), 8..=10) && is_number(bot);
    let mut parts = text.split('.').map(str::len);
    let three = [(); 3].map(|()| parts.next().unwrap_or_default());
    hex || bot && text.starts_with("AA") && text.len() == 35
        || matches!(three, [24..=28, 6, 27..=38]) && is_random(text) && parts.next().is_none()
}

/// Digits and letters both: names made of words have no digits.
fn is_random(text: &str) -> bool {
    has_digit(text) || count(text, &u8::is_ascii_uppercase) > 6
}

/// `Authorization: Bearer …`, `Basic …`.
fn bearer(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
    const LEAST: usize = 8;
    const MARKS: &[u8] = b"-._~+/=";
    let word = scan.word(at);
    let header = before(scan, at, 3).eq_ignore_ascii_case("authorization");
    let cue = word.eq_ignore_ascii_case("bearer")
        || word == "Basic"
        || header && matches!(word, "ApiKey" | "Token");
    if !cue || !scan.is_space(at + 1) {
        return None;
    }
    let to = run_end(scan, at + 2, MARKS);
    let text = scan.text_of(at + 2, to);
    // "Basic Permissions" is a title.
    let told = header || is_quote(scan, at.wrapping_sub(1));
    let humped = text.bytes().skip(1).any(|byte| byte.is_ascii_uppercase());
    let marked =
        text.contains('=') || is_random(text) || humped && told || header && !is_letters(text);
    (text.len() >= LEAST && marked && is_value(text))
        .then(|| (at + 2, rest_of_run(scan, to, MARKS)))
}

/// `Cookie: session=…`: whoever has it is logged in.
fn cookie(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
    const LEAST: usize = 8;
    const MOST_PAIRS: usize = 8;
    let header = scan.word(at).eq_ignore_ascii_case("cookie")
        && scan.is_mark(at + 1, b':')
        && scan.is_space(at + 2);
    if !header {
        return None;
    }
    let mut name = at + 3;
    for _ in 0..MOST_PAIRS {
        let from = run_end(scan, name, b"-._") + 1;
        if !scan.is_mark(from - 1, b'=') {
            break;
        }
        let to = run_end(scan, from, b"-._~+/=%");
        let text = scan.text_of(from, to);
        if text.len() >= LEAST && is_random(text) && is_value(text) {
            return Some((from, to));
        }
        // `theme=dark; sid=…`
        name = to + 2;
    }
    None
}

/// Addresses of which the rest lets anyone post who knows it, and how many parts of that are no secret.
static WEBHOOKS: [(&str, usize); 4] = [
    ("hooks.slack.com/services/", 2),
    ("discord.com/api/webhooks/", 1),
    ("discordapp.com/api/webhooks/", 1),
    // `bot123456789:…`
    ("api.telegram.org/bot", 1),
];

/// The secret of a webhook's URL, whose second slash is at `at`.
fn webhook(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
    const LEAST: usize = 16;
    let start = scan.start(at + 1);
    let rest = &scan.text[start..];
    let (address, parts) = WEBHOOKS
        .iter()
        .find(|(address, _)| rest.starts_with(address))?;
    let mut from = scan.token_at(start + address.len());
    for _ in 0..*parts {
        from = run_end(scan, from, b"-_") + 1;
    }
    let to = run_end(scan, from, b"-_");
    let text = scan.text_of(from, to);
    (text.len() >= LEAST && is_random(text)).then(|| (from, rest_of_run(scan, to, b"-_")))
}

/// `user:password` in `scheme://user:password@host`, whose second slash is at `at`: where each begins,
/// and where both end.
fn credentials(scan: &Scan<'_>, at: usize) -> Option<(usize, usize, usize)> {
    const LONGEST: usize = 128;
    const LEAST_TOKEN: usize = 20;
    // `https:\/\/…` of JSON
    let escapes = usize::from(scan.is_mark(at - 1, b'\\') && scan.is_mark(at - 2, b'/'));
    if !scan.is_mark(at.wrapping_sub(2 + 2 * escapes), b':') {
        return None;
    }
    let mut colon = None;
    let mut sign = None;
    let mut odd = false;
    for next in at + 1..at + LONGEST {
        match (kind(scan, next), colon) {
            (TokenKind(b':'), None) => colon = Some(next),
            (TokenKind(b'@'), _) => sign = Some(next),
            // A password may have them all the same; what goes on behind a port is a path.
            (TokenKind(b'/' | b'?' | b'#' | b'\\'), Some(colon))
                if sign.is_none() && (odd || !is_number(scan.text_of(colon + 1, next))) =>
            {
                odd = true;
            }
            (TokenKind(b'/' | b'?' | b'#' | b'\\' | b'"' | b'\'' | b'`' | b'<' | b'>'), _) => break,
            // Of a host, behind which another sign may stand.
            (TokenKind::PLACEHOLDER, _) if sign.is_some() => {}
            (kind, _) if kind.is_mark() || matches!(kind, TokenKind::WORD | TokenKind::NUMBER) => {}
            // `用户:密码` stands for both.
            (TokenKind::IDEOGRAPHS, Some(colon)) if kind(scan, colon + 1) != TokenKind::NUMBER => {
                odd = true
            }
            _ => break,
        }
    }
    let sign = sign?;
    let Some(colon) = colon else {
        // A token stands for the user.
        let token = scan.text_of(at + 1, sign);
        let fits = sign == at + 2 && token.len() >= LEAST_TOKEN && is_random(token);
        return fits.then_some((at + 1, at + 1, sign));
    };
    let password = scan.text_of(colon + 1, sign);
    let fits = !odd || is_random(password) && kind(scan, sign + 1) == TokenKind::WORD;
    (colon + 1 < sign && fits && is_value(password)).then_some((at + 1, colon + 1, sign))
}

/// `--password hunter2`, `curl -u deploy:hunter2`, `mysql -phunter2`: as [`credentials`].
fn option(scan: &Scan<'_>, at: usize) -> Option<(usize, usize, usize)> {
    const LEAST: usize = 6;
    const MOST_WORDS: usize = 6;
    let doubled = scan.is_mark(at + 1, b'-');
    let mut name = at + 1 + usize::from(doubled);
    // `--api-key`
    while doubled && scan.is_mark(name + 1, b'-') && name < at + MOST_WORDS {
        name += 2;
    }
    let word = scan.word(name);
    // Not the second hyphen of `--protocol=tcp`, nor the one of `pre-production`.
    let apart = matches!(
        kind(scan, at.wrapping_sub(1)),
        TokenKind(b' ' | b'"' | b'\'')
    );
    let joined = apart
        && !doubled
        && word.starts_with('p')
        && follows(scan, at, any_of!("mysql mysqldump mysqladmin mariadb"));
    let named = joined
        || doubled && names_secret(scan, name)
        || word == "p" && (before(scan, at, 2) == "sshpass" || follows(scan, at, any_of!("login")));
    if !joined && !scan.is_space(name + 1) {
        return None;
    }
    let from = match joined {
        // `-p'…'`
        true => name + usize::from(word == "p" && is_quote(scan, name + 1)),
        false => name + 2,
    };
    if named && matches!(kind(scan, from), TokenKind(b'"' | b'\'')) {
        let close = close(scan, from, false)?;
        let text = scan.text_of(from + 1, close);
        return (text.len() >= LEAST && is_value(text)).then_some((from + 1, from + 1, close));
    }
    if kind(scan, from) != TokenKind::WORD || !named && !matches!(word, "u" | "user") {
        return None;
    }
    let to = run_end(scan, from, VALUE_MARKS);
    let first = match named {
        true => from,
        false => 1 + (from..to).find(|at| scan.is_mark(*at, b':'))?,
    };
    let value = scan.text_of(first, to);
    let long = value.len() >= LEAST;
    let fits = match named {
        _ if joined => long && word.len() > LEAST || is_random(value) && to > name + 1,
        true if has_digit(value) => long,
        true => to == from + 1 && is_password(word) && is_unknown(scan, from),
        false => long && follows(scan, at, any_of!("curl http wget")),
    };
    // `-pchangeme` is `changeme`.
    let told = &value[usize::from(joined)..];
    (fits && is_value(told)).then(|| (from, first, rest_of_run(scan, to, VALUE_MARKS)))
}

/// Whether the option at `at` is one of such a program: it stands before it on its line.
fn follows(scan: &Scan<'_>, at: usize, programs: &Words) -> bool {
    const FAR: usize = 32;
    let mut at = at;
    for _ in 0..FAR {
        at = at.wrapping_sub(1);
        if matches!(kind(scan, at), TokenKind::NEWLINE | TokenKind::PLACEHOLDER) {
            return false;
        }
        if programs.has(scan.word(at)) {
            return true;
        }
    }
    false
}

/// Where what the quote at `at` opens is closed on its line: a passphrase has few words, a key may have many marks.
/// `escapes` says whether a backslash keeps a quote from that. The next quote ends the search, so that all searches
/// together go over the text once.
fn close(scan: &Scan<'_>, at: usize, escapes: bool) -> Option<usize> {
    const FAR: usize = 64;
    let quote = kind(scan, at);
    let mut close = at + 1;
    while kind(scan, close) != quote || escapes && is_escaped(scan, close) {
        if matches!(
            kind(scan, close),
            TokenKind::NEWLINE | TokenKind::PLACEHOLDER
        ) {
            return None;
        }
        close += 1;
    }
    let few = close - at < FAR || !has_any(scan.text_of(at, close), b" \t");
    few.then_some(close)
}

/// `password=…`, `"api_key": "…"`.
fn assigned(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
    const FAR: usize = 16;
    let word = scan.word(at);
    // SQL: `PASSWORD '…'`, `IDENTIFIED BY '…'`.
    let by = || before(scan, at, 2) == "IDENTIFIED" || before(scan, at, 4) == "WITH";
    if scan.is_mark(at + 2, b'\'') && (word == "PASSWORD" || word == "BY" && by()) {
        let close = close(scan, at + 2, false)?;
        return is_value(scan.text_of(at + 3, close)).then_some((at + 3, close));
    }
    let signature = names_signature(scan, at);
    // `client-key-data: …`, and what names a user and a password at once: `"auth": "…"`
    let data = scan.text_of(at.wrapping_sub(2), at + 3) == "client-key-data";
    let encoded = matches!(word, "auth" | "_auth");
    if !(signature || data || encoded || names_secret(scan, at)) {
        return None;
    }
    let at = at + 2 * usize::from(data);
    let name = scan
        .word(at)
        .trim_end_matches(|char: char| char == '_' || char.is_ascii_digit());
    let numbered = name.len() < scan.word(at).len();
    let name = name.to_ascii_lowercase();
    let skip_space = |at: usize| at + usize::from(scan.is_space(at));
    // `**Password:** …` of Markdown, `[Password]: …`
    let starred = scan.is_mark(at.wrapping_sub(1), b'*');
    let framed = scan.is_mark(at.wrapping_sub(1), b'[') && opens_line(scan, at - 1);
    // `\"password\":\"…\"` of JSON in a string.
    let escaped = scan.is_mark(at + 1, b'\\') && is_quote(scan, at + 2);
    let mut sign = at + 1 + usize::from(escaped);
    if is_quote(scan, sign) {
        // `environ["DB_PASSWORD"] = …`
        sign += 1 + usize::from(scan.is_mark(sign + 1, b']'));
    }
    sign += usize::from(framed && scan.is_mark(sign, b']'));
    let sign = skip_space(behind_stars(scan, sign, starred));
    let mark = kind(scan, sign);
    // `Token::Ident` is a path.
    let single = !scan.is_mark(sign + 1, mark.0);
    let equals = single && mark == TokenKind(b'=');
    let colon = single && mark == TokenKind(b':');
    let paired = pair(scan, at).or_else(|| typed(scan, at));
    if !equals && !colon && paired.is_none() {
        return None;
    }
    // A shell's own variable is where it works.
    if word == "PWD" && scan.is_mark(sign + 1, b'/') {
        return None;
    }
    let passing = name.ends_with("pass");
    // `pass: 12 of 14` tells of a test, `token_2: 512` of a count.
    let doubtful = numbered || framed || passing && !equals && paired.is_none();
    // `password := "…"`, `:secret => "…"`
    let long = colon && scan.is_mark(sign + 1, b'=') || equals && scan.is_mark(sign + 1, b'>');
    let behind = behind_stars(scan, sign + 1 + usize::from(long), starred);
    let mut from = paired.unwrap_or(skip_space(behind));
    let escaped = escaped && scan.is_mark(from, b'\\');
    from += usize::from(escaped);
    if long && !is_quote(scan, from) {
        return None;
    }
    // In code an unquoted value is an expression, unless it is set without spaces.
    let tight = equals && sign == at + 1 && from == sign + 1;
    let loud = tight && words::is_all_capitals(&scan.word(at).replace('_', ""));
    let fits = |text: &str, set: bool| {
        // `first_pass=12345678`
        let count = passing && is_number(text);
        let bare = tight && !passing || !has_any(text, b"-_.");
        let odd = text.len() >= LEAST_DOUBTFUL && is_mixed(text) && bare;
        !count
            && (!doubtful || odd)
            && (!encoded || is_encoded(text))
            && text.len() >= least(&name, text, set, loud)
            && is_value(text)
    };
    let keeps = is_password(&name);
    if is_quote(scan, from) {
        if !escaped && paired.is_none() && closes(scan, from) {
            return None;
        }
        let close = close(scan, from, !escaped)?;
        let close = (close - usize::from(escaped)).max(from + 1);
        let text = scan.text_of(from + 1, close);
        let word = keeps && close == from + 2 && is_unlisted(scan, from + 1) && is_value(text);
        // `{"key": "token", "value": "user-service"}`
        let sure = paired.is_none() || !scan.is_mark(at + 2, b',') || is_mixed(text);
        return (sure && (loud || !is_label(text)) && (word || fits(text, true)))
            .then_some((from + 1, close));
    }
    if colon && let Some(end) = phrase(scan, at, from, &name) {
        return Some((from, end));
    }
    let without_stop = |run: usize| {
        let mut to = run;
        // `Password=…!;Encrypt=true`
        while !scan.is_mark(run, b';')
            && to > from
            && matches!(kind(scan, to - 1), TokenKind(b'.' | b'?' | b'!' | b':'))
        {
            to -= 1;
        }
        to
    };
    // `?token=…&page=2`
    let query = signature || matches!(kind(scan, at.wrapping_sub(1)), TokenKind(b'?' | b'&'));
    let marks = if query { QUERY_MARKS } else { VALUE_MARKS };
    // `spring.datasource.password=…`
    let mut first = at - usize::from(framed);
    while first > 1 && first + FAR > at && scan.is_mark(first - 1, b'.') {
        first -= 2;
    }
    let opens = opens_line(scan, first);
    let mut run = run_end(scan, from, marks);
    if run > from && scan.is_mark(at.wrapping_sub(1), b';')
        || opens && (run > from || is_wide(scan, from))
    {
        run = line_end(scan, from, run, marks, opens);
    }
    let to = without_stop(run);
    let text = scan.text_of(from, to);
    // People think passwords up: words, too, where such a line or setting holds nothing else.
    let behind = kind(scan, run);
    let line = opens && behind == TokenKind::NEWLINE;
    if doubtful && !line && !tight || matches!(kind(scan, to), TokenKind(b'(' | b'[')) {
        return None;
    }
    let ends = matches!(behind, TokenKind(b'\n' | b' ' | b';' | b'&'));
    let alone = keeps && (line || tight && ends);
    let unknown = alone && to == from + 1 && is_unknown(scan, from) && is_value(text);
    // `password = local.db.password1`
    let named = equals && !tight && names_secret(scan, to.wrapping_sub(1));
    let of_name = |byte: &u8| {
        byte.is_ascii_alphabetic() || named && byte.is_ascii_digit() || b"_.".contains(byte)
    };
    let plain = count(text, &of_name) == text.len() && !loud && !is_scrambled(text, tight);
    (unknown || fits(text, tight || alone) && !plain)
        .then(|| (from, without_stop(rest_of_run(scan, run, marks))))
}

/// The place behind the stars at `at` that close what Markdown stresses, where there may be any.
fn behind_stars(scan: &Scan<'_>, at: usize, may: bool) -> usize {
    let star = |nth: &usize| may && scan.is_mark(at + nth, b'*');
    at + (0..2).take_while(star).count()
}

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

/// Whether a text is what a form calls a password: `"password": "Mot de passe"`.
fn is_label(text: &str) -> bool {
    const WORDS: &Words = any_of!(
        "adgangskode contraseña hasło heslo jelszó kennwort lösenord parola passe passord passwort password salasana \
         senha wachtwoord şifre пароль"
    );
    let is_of_label = |char: char| {
        char.is_alphabetic() || matches!(char, ' ' | '\'' | '’' | '-' | '?' | '*' | ':')
    };
    // `not-a-real-password` is none that a form shows.
    let chained = count(text, &|byte| *byte == b'-') > 1 && !has_any(text, b" ");
    !chained
        && text.chars().all(is_of_label)
        && crate::case::small_text(text)
            .split(|char: char| !char.is_alphabetic())
            .any(|word| WORDS.has(word))
}

/// Where the words from `from` on end that are all a line sets as the passphrase at `at`: "correct horse battery
/// staple", not "must be set first".
fn phrase(scan: &Scan<'_>, at: usize, from: usize, name: &str) -> Option<usize> {
    const LONGEST: usize = 24;
    const LEAST: usize = 3;
    if !name.ends_with("passphrase") || !opens_line(scan, at) {
        return None;
    }
    let end = scan.line_end(from, LONGEST)?;
    let words = (from..end).all(|at| match (at - from) % 2 {
        0 => scan.tokens[at].is_plain() && !scan.lists(at).has(NOT_NAMES.or(VERB)),
        _ => scan.word(at) == " ",
    });
    (words && (end - from).div_ceil(2) >= LEAST).then_some(end)
}

/// Takes the passwords of the table, its cells parted by bars or commas, in whose head the word at `at` stands.
/// Says where the table ends.
fn column(scan: &Scan<'_>, at: usize, secrets: &mut Vec<Secret>) -> Option<usize> {
    const LONGEST: usize = 256;
    let bytes = scan.text.as_bytes();
    let line = |start: usize| {
        let rest = bytes.get(start..).unwrap_or_default();
        let end = rest.iter().position(|byte| *byte == b'\n');
        &rest[..end.unwrap_or(rest.len())]
    };
    let mut start = scan.start(at);
    let word = start;
    while start > 0 && bytes[start - 1] != b'\n' {
        start -= 1;
        if start + LONGEST < word {
            return None;
        }
    }
    let head = line(start).trim_ascii_end();
    let mark = *head.iter().find(|byte| b"|,;".contains(byte))?;
    let mut told = 0_u64;
    each_cell(scan, start, head, mark, &mut |nth, cell, _| {
        told |= u64::from(is_password(cell)) << nth;
    });
    if head.len() > LONGEST || told == 0 {
        return None;
    }
    start += line(start).len() + 1;
    let fits = match mark {
        b'|' => is_rule(line(start)),
        _ => !head.iter().any(u8::is_ascii_whitespace) && !head.ends_with(&[mark]),
    };
    if !fits {
        return None;
    }
    let marks = |row: &[u8]| row.iter().filter(|byte| **byte == mark).count();
    let count = marks(head);
    while start < bytes.len() {
        let row = line(start);
        let scrubbed = scan.has_placeholders && row.contains(&b'[');
        if scrubbed || marks(row) != count && !is_rule(row) {
            break;
        }
        each_cell(scan, start, row, mark, &mut |nth, cell, from| {
            if told >> nth & 1 == 1 && is_kept(cell) {
                let to = scan.token_at(from + cell.len());
                secrets.push(Secret::new(scan, scan.token_at(from), to));
            }
        });
        start += row.len() + 1;
    }
    Some(start)
}

/// Whether a line parts the head of a table from its rows.
fn is_rule(line: &[u8]) -> bool {
    line.contains(&b'-')
        && line
            .iter()
            .all(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric())
}

/// Hands on the cells of the line at `start`: each with its number, its content without quotes, and where that begins.
fn each_cell(
    scan: &Scan<'_>,
    start: usize,
    line: &[u8],
    mark: u8,
    sink: &mut dyn FnMut(usize, &str, usize),
) {
    const MOST_CELLS: usize = 64;
    let mut from = start;
    for (nth, cell) in line
        .split(|byte| *byte == mark)
        .take(MOST_CELLS)
        .enumerate()
    {
        let text = scan.text.get(from..from + cell.len()).unwrap_or_default();
        let is_around = |char: char| char.is_whitespace() || matches!(char, '"' | '\'' | '`');
        let content = text.trim_start_matches(is_around);
        let place = from + text.len() - content.len();
        sink(nth, content.trim_end_matches(is_around), place);
        from += cell.len() + 1;
    }
}

/// Whether a cell holds a password, and says nothing of one: "maple7", "tulip"; not "hashed", "required".
fn is_kept(cell: &str) -> bool {
    const LEAST: usize = 4;
    let said = is_letters(cell) && (words::is_in(List::ANY, cell) || cell.ends_with("ed"));
    let apart = count(cell, &u8::is_ascii_whitespace) > 0;
    cell.len() >= LEAST && !said && !apart && is_value(cell)
}

/// `The password is …`, `with token …`: a value that nothing else looks like.
fn said(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
    const LEAST: usize = 8;
    const DIGITS: usize = 4;
    if !scan.is_space(at + 1) || !names_secret(scan, at) && !ends_name(scan, at) {
        return None;
    }
    // "The password for staging is …"
    let of = 4 * usize::from(matches!(scan.word(at + 2), "for" | "of"));
    let mut from = at + 2 + of;
    if matches!(scan.word(from), "is" | "was") {
        from += 1 + usize::from(scan.is_mark(from + 1, b':'));
        from += usize::from(scan.is_space(from));
    }
    let quoted = is_quote(scan, from);
    let from = from + usize::from(quoted);
    let mut to = run_end(scan, from, SAID_MARKS);
    while !quoted && to > from && matches!(kind(scan, to - 1), TokenKind(b'!' | b'?')) {
        to -= 1;
    }
    // What a mark joins to more is a path, a host or a call.
    let apart = match kind(scan, to) {
        TokenKind(b'.' | b':') => matches!(kind(scan, to + 1), TokenKind(b' ' | b'\n')),
        TokenKind(mark) => !b"/\\([{".contains(&mark),
    };
    let text = scan.text_of(from, to);
    let digits = count(text, &u8::is_ascii_digit);
    // No number ends `sha512`, and no mark joins `2031-04-09`.
    let mixed = digits >= DIGITS
        && !has_any(text, b"-_")
        && text
            .as_bytes()
            .windows(2)
            .any(|pair| pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic());
    let marked = before(scan, at, 2) == "ENV" || digits > 0 && has_any(text, b"!@#%^&*$");
    (apart && text.len() >= LEAST && has_letter(text) && (mixed || marked) && is_value(text))
        .then_some((from, to))
}

/// `api_key      k9f2…`, `| API_KEY | … |`, `API_KEY,…`, `login clerk password …`, "API key: …": the value in the column
/// behind its name, which is the last of its line or cell and looks like nothing else.
fn beside(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
    const LEAST: usize = 8;
    let login = before(scan, at, 4) == "login";
    let loud = matches!(scan.look(at), Look::Constant | Look::Key);
    // Most words have nothing such behind them.
    let from = match kind(scan, at + 1) {
        TokenKind(b',') => at + 2,
        TokenKind(b':') if scan.is_space(behind_stars(scan, at + 2, true)) => {
            behind_stars(scan, at + 2, true) + 1
        }
        TokenKind::SPACE if scan.is_mark(at + 2, b'|') => {
            at + 3 + usize::from(scan.is_space(at + 3))
        }
        TokenKind::SPACE if login || loud || scan.word(at + 1).len() > 1 => at + 2,
        _ => return None,
    };
    let key = ends_name(scan, at);
    if !key && (scan.is_mark(at + 1, b':') || !names_secret(scan, at)) {
        return None;
    }
    let mut first = at - 2 * usize::from(key);
    // `api-key`, and `| API_KEY | … |`, `export API_KEY …`
    if scan.is_mark(first.wrapping_sub(1), b'-') {
        first = first.saturating_sub(2);
    }
    if matches!(before(scan, first, 2), "|" | "export") {
        first -= 2;
    }
    if !login && !opens_line(scan, first) {
        return None;
    }
    let to = run_end(scan, from, SAID_MARKS);
    let ends = match kind(scan, to + usize::from(scan.is_space(to))) {
        TokenKind::NEWLINE | TokenKind(b'|') => true,
        mark => mark == TokenKind(b',') && scan.is_mark(at + 1, b','),
    };
    let text = scan.text_of(from, to);
    // `base64-encoded`, `v2-beta-3`
    let head = head(text, b"-_");
    let known = any_of!("base32 base64 oauth2 utf8 v1 v2 v3").has(head) || text.ends_with("_t");
    let fits = ends && text.len() >= LEAST && is_mixed(text) && is_value(text);
    (fits && !known && !words::is_in(ALGORITHMS, head)).then_some((from, to))
}

/// How long a value at least is: a short one must be set as nothing else is. `set` says whether it is quoted
/// or stands without a space behind its sign, `loud` whether it is a variable's of the environment.
fn least(name: &str, text: &str, set: bool, loud: bool) -> usize {
    const LEAST: usize = 6;
    const SHORT: usize = 4;
    const SHORTEST: usize = 3;
    let secret = is_password(name) || name.ends_with("secret");
    let access = || name.ends_with("_token") && name.split('_').any(|part| SECRET_KEYS.has(part));
    match set && has_letter(text) {
        true if loud && (secret || access()) => SHORTEST,
        true if secret && has_digit(text) => SHORT,
        _ => LEAST,
    }
}

/// `echo "Password: "`: whether the quote at `at` closes what a line opened, as far as that shows.
fn closes(scan: &Scan<'_>, at: usize) -> bool {
    const FAR: usize = 64;
    let quote = kind(scan, at);
    // A word, or what has been put in the place of one.
    let is_word = |at: usize| matches!(kind(scan, at), TokenKind::WORD | TokenKind::PLACEHOLDER);
    let mut open = false;
    for before in (at.saturating_sub(FAR)..at).rev() {
        match kind(scan, before) {
            TokenKind::NEWLINE => return open,
            // Neither `\"` nor "don't"; `f"…"` opens.
            mark if mark == quote => {
                let inside = quote == TokenKind(b'\'')
                    && is_word(before.wrapping_sub(1))
                    && is_word(before + 1);
                open ^= !inside && !is_escaped(scan, before);
            }
            _ => {}
        }
    }
    open && at < FAR
}

/// The value of a secret with a type: `password: &str = "…"`, `password string = "…"`.
fn typed(scan: &Scan<'_>, at: usize) -> Option<usize> {
    const FAR: usize = 16;
    let is_type = |at: &usize| {
        let mark = kind(scan, *at);
        matches!(mark, TokenKind::WORD | TokenKind::SPACE) || b":&?<>'".contains(&mark.0)
    };
    let sign = (at + 1..at + FAR).find(|at| !is_type(at))?;
    let set = sign > at + 2
        && scan.is_mark(sign, b'=')
        && scan.is_space(sign - 1)
        && scan.is_space(sign + 1);
    (set && matches!(kind(scan, sign + 2), TokenKind(b'"' | b'\''))).then_some(sign + 2)
}

/// Whether the name of a secret says that people think its value up, so that it may be a word.
fn is_password(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["password", "passwd", "pwd", "passphrase", "_pass", "_pw"]
        .iter()
        .any(|kept| name.ends_with(kept))
}

/// Whether a word of small letters is in no list, nor named after a secret.
fn is_unlisted(scan: &Scan<'_>, at: usize) -> bool {
    const LEAST: usize = 4;
    let word = scan.word(at);
    scan.look(at) == Look::Small
        && word.len() >= LEAST
        && !scan.lists(at).has(List::ANY)
        && !holds_name(word)
}

/// Whether a text of small letters has a word in it that is in the names of secrets.
fn holds_name(text: &str) -> bool {
    let names = ["apikey", "credential", "pass", "pwd", "secret", "token"];
    names.iter().any(|name| text.contains(name))
}

/// Whether it is nothing else that is known, either.
fn is_unknown(scan: &Scan<'_>, at: usize) -> bool {
    is_unlisted(scan, at) && !is_ordinary(scan.word(at))
}

/// Whether a word is a line's first, also of an item of a list and of a line that is quoted.
fn opens_line(scan: &Scan<'_>, at: usize) -> bool {
    let mut before = at.wrapping_sub(1);
    while matches!(kind(scan, before), TokenKind(b' ' | b'-' | b'>' | b'*')) {
        before = before.wrapping_sub(1);
    }
    kind(scan, before) == TokenKind::NEWLINE
}

/// The value of a secret whose name is the value of another key: `- name: API_SECRET`, and on the next line
/// `value: …`; `name="password" value="…"`; `{"key": "DB_PASSWORD", "value": "…"}`.
fn pair(scan: &Scan<'_>, at: usize) -> Option<usize> {
    // `variable "password" { default = "…" }`
    if scan.is_mark(at + 3, b'{') && before(scan, at, 3) == "variable" {
        const FAR: usize = 64;
        let mut inner = (at + 4..at + FAR).take_while(|at| !scan.is_mark(*at, b'}'));
        return inner
            .find(|at| scan.word(*at) == "default" && scan.is_mark(at + 2, b'='))
            .map(|at| at + 4);
    }
    const FAR: usize = 6;
    let is_between = |at: usize| matches!(kind(scan, at), TokenKind(b' ' | b'\n' | b',' | b'"'));
    let is_sign = |at: usize| matches!(kind(scan, at), TokenKind(b'=' | b':'));
    let mut name = at.wrapping_sub(1);
    while name < at && name + FAR > at && (is_between(name) || is_sign(name)) {
        name = name.wrapping_sub(1);
    }
    let mut value = at + 1;
    while value < at + FAR && is_between(value) {
        value += 1;
    }
    let sign = value + 1 + usize::from(scan.is_mark(value + 1, b'"'));
    let told = any_of!("key name").has_in_any_case(scan.word(name))
        && (name + 1..at).any(is_sign)
        && any_of!("value").has_in_any_case(scan.word(value));
    let from = sign + 1;
    (told && is_sign(sign)).then(|| from + usize::from(scan.is_space(from)))
}

/// `<password>…</password>`
fn element(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
    const LEAST: usize = 6;
    let opened = scan.is_mark(at.wrapping_sub(1), b'<') && scan.is_mark(at + 1, b'>');
    if !opened || !names_secret(scan, at) {
        return None;
    }
    let to = run_end(scan, at + 2, VALUE_MARKS);
    let text = scan.text_of(at + 2, to);
    let closed = scan.is_mark(to, b'<') && scan.is_mark(to + 1, b'/');
    (closed && !is_letters(text) && text.len() >= LEAST && is_value(text)).then_some((at + 2, to))
}

/// Whether the sign of an assignment, or of a block, is near behind a word: `"name": "DB_PASSWORD", "value": …`,
/// `variable "password" {`.
fn is_signed(scan: &Scan<'_>, at: usize) -> bool {
    (at + 1..at + 9).any(|at| matches!(kind(scan, at), TokenKind(b'=' | b':' | b'>' | b'{')))
}

/// Whether a text is a user and a password in base64, and no name.
fn is_encoded(text: &str) -> bool {
    const LEAST: usize = 16;
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'=';
    text.len() >= LEAST
        && text.len().is_multiple_of(4)
        && count(text, &plain) == text.len()
        && count(text, &u8::is_ascii_digit) > 1
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
    scan.word(at).eq_ignore_ascii_case("key") && SECRET_KEYS.has_in_any_case(before(scan, at, 2))
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
    const NONE: &Words = any_of!(
        "false true yes on off nil null none undefined string required optional changeme example password secret redacted \
                        hidden plaintext cleartext keyring kerberos vault scram"
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

/// Marks inside a value without quotes.
const VALUE_MARKS: &[u8] = b"-._~+/=!@#%^&*:$?";

/// The same where sentences and columns hold one.
const SAID_MARKS: &[u8] = b"-_~+=!@#%^&*$?";

/// The same in the query of a URL.
const QUERY_MARKS: &[u8] = b"-._~+/=!@%^*:$?";

/// How long a value at least is whose name may tell of a test that passed.
const LEAST_DOUBTFUL: usize = 8;

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

/// A text as names are compared, all white space one space.
struct Folded<'t> {
    text: String,
    original: &'t str,
    /// Where what each byte stands for begins in the original, and where that ends.
    places: Vec<usize>,
}

impl<'t> Folded<'t> {
    fn new(original: &'t str) -> Self {
        let mut text = String::with_capacity(original.len());
        let mut places = Vec::with_capacity(original.len() + 1);
        for (place, char) in original.char_indices() {
            if !char.is_whitespace() {
                let mut bytes = [0; 4];
                fold(char.encode_utf8(&mut bytes), &mut |char| text.push(char));
            } else if !text.ends_with(' ') {
                text.push(' ');
            }
            places.resize(text.len(), place);
        }
        places.push(original.len());
        Self {
            text,
            original,
            places,
        }
    }

    /// Whether no word goes on at a byte.
    fn is_edge(&self, at: usize) -> bool {
        let place = self.places[at];
        let (head, rest) = self.original.split_at(place);
        let before = head
            .chars()
            .rev()
            .find(|char| !is_joiner(*char))
            .unwrap_or(' ');
        let next = rest.chars().next().unwrap_or(' ');
        let inside = |char: char| char != '_' && is_word(char);
        let hump = next.is_uppercase() && !before.is_uppercase();
        let split = at > 0 && self.places[at - 1] == place;
        !split && (hump || !inside(before) || !inside(next))
    }

    /// The original with what `find` finds at a byte, and behind where the last ends, replaced. Of two that overlap no
    /// part stays.
    fn replaced<'s>(&self, find: &dyn Fn(usize, usize) -> Option<(usize, &'s str)>) -> String {
        let mut result = String::with_capacity(self.original.len());
        let (mut end, mut done, mut inert) = (0, 0, 0);
        for (at, _) in self.text.char_indices() {
            let place = self.places[at];
            if at < inert {
            } else if let Some(placeholder) = placeholders::at(self.original, place) {
                inert = at + placeholder.end - place;
            } else if let Some((to, placeholder)) = find(at, end).filter(|(to, _)| *to > end) {
                result.push_str(self.original.get(done..place).unwrap_or_default());
                result.push_str(placeholder);
                (end, done) = (to, self.places[to]);
            }
        }
        result.push_str(&self.original[done..]);
        result
    }
}

/// Secrets of the evidence with their placeholders.
pub(crate) struct Known<'s> {
    /// By text, each once: the folded text, its placeholder, and the longest other that it begins with, from 1.
    secrets: Vec<(String, &'s str, usize)>,
}

/// How long a part of a secret is that is hidden, too: a shorter one may be a word that stands elsewhere.
const LEAST_PART: usize = 16;

impl<'s> Known<'s> {
    /// Of equal texts the last one's placeholder counts.
    pub(super) fn new(secrets: &mut dyn Iterator<Item = (&'s str, &'s str)>) -> Self {
        let mut known = Vec::new();
        for (nth, (text, placeholder)) in secrets.enumerate() {
            let mut add = |text, nth| known.push((Folded::new(text).text, placeholder, nth));
            // The password of `user:password` by itself, where that has no other placeholder.
            if let Some((_, password)) = str::split_once(text, ':')
                && is_telling(password)
                && is_mixed(password)
            {
                add(password, 0);
            }
            add(text, nth + 1);
        }
        known.retain(|(text, ..)| !text.is_empty());
        sort_by(&mut known, |(a, _, nth), (b, _, other)| {
            (a, other) < (b, nth)
        });
        known.dedup_by(|(a, ..), (b, ..)| a == b);
        for at in 0..known.len() {
            // The one before it, or what that begins with.
            let mut other = at;
            while other > 0 && !known[at].0.starts_with(&known[other - 1].0) {
                other = known[other - 1].2;
            }
            known[at].2 = other;
        }
        Self { secrets: known }
    }

    /// Replaces the secrets that claims quote; also says for each whether there were any. One that is not
    /// in the evidence gets a placeholder of its own, the same in every claim, which stands nowhere else:
    /// neither in a claim nor in `spans`, the evidence as it was scrubbed.
    pub(crate) fn hide(&self, claims: &[&str], spans: &[Span]) -> Vec<(String, bool)> {
        let mut hidden: Vec<String> = claims.iter().map(|claim| self.hide_known(claim)).collect();
        let mut fresh = None;
        for claim in &mut hidden {
            let scan = Scan::new(claim);
            let secrets = find(&scan);
            if !secrets.is_empty() {
                let fresh = fresh.get_or_insert_with(|| self.fresh(claims, spans));
                *claim = fresh.hide(&scan, secrets, self);
            }
        }
        // Another claim may quote it where nothing says what it is.
        if let Some(fresh) = &fresh {
            let known = fresh.known();
            for claim in &mut hidden {
                *claim = known.hide_known(claim);
            }
        }
        // Parts come last: tokens of one kind begin alike, and each is whole until it is hidden.
        let changed = |(hidden, claim): (String, &&str)| {
            let any = hidden != **claim;
            (hidden, any)
        };
        let hidden = self.hide_parts(&hidden).into_iter();
        hidden.zip(claims).map(changed).collect()
    }

    /// The claims without the lines of a key, the parts of a token, or a half of either.
    fn hide_parts(&self, claims: &[String]) -> Vec<String> {
        let claims: Vec<Folded<'_>> = claims.iter().map(|claim| Folded::new(claim)).collect();
        // For each stretch of a claim the secret that it is in, from 1.
        let mut parts = Table::default();
        for word in claims.iter().flat_map(|claim| claim.text.split(' ')) {
            if word.len() >= LEAST_PART && has_digit(word) && has_letter(word) {
                for part in word.as_bytes().windows(LEAST_PART) {
                    parts.entry(hash::exact(part));
                }
            }
        }
        for (nth, (text, ..)) in (1..).zip(&self.secrets) {
            // Of `user:password` only the password.
            let own = text.rsplit(':').next().unwrap_or_default();
            for part in own.as_bytes().windows(LEAST_PART).map(hash::exact) {
                if parts.get(part) == Some(0) {
                    *parts.entry(part) = nth;
                }
            }
        }
        let hide = |claim: &Folded<'_>| {
            let secret = |at: usize| {
                let part = claim.text.as_bytes().get(at..at + LEAST_PART)?;
                parts.get(hash::exact(part))?.checked_sub(1)
            };
            claim.replaced(&|at, end| {
                let nth = secret(at).filter(|_| at >= end)?;
                let more = (at + 1..).take_while(|at| secret(*at).is_some()).count();
                Some((at + more + LEAST_PART, self.secrets[nth as usize].1))
            })
        };
        claims.iter().map(hide).collect()
    }

    /// The claim with what is known replaced, but in longer words that only contain it.
    fn hide_known(&self, claim: &str) -> String {
        let claim = Folded::new(claim);
        claim.replaced(&|at, _| {
            let text = &claim.text[at..];
            let edge = claim.is_edge(at);
            let mut nth = self
                .secrets
                .partition_point(|(known, ..)| edge && &**known <= text);
            // The longest of all that a text begins with.
            while nth > 0 {
                let (known, placeholder, other) = &self.secrets[nth - 1];
                let end = at + known.len();
                if text.starts_with(&**known) && claim.is_edge(end) {
                    return Some((end, placeholder));
                }
                nth = *other;
            }
            None
        })
    }

    /// The placeholder of one that a text is the first part of: a key without its end.
    fn begun(&self, text: &str) -> Option<&'s str> {
        let text = Folded::new(text).text;
        let nth = self.secrets.partition_point(|(known, ..)| *known < text);
        let (known, placeholder, _) = self.secrets.get(nth)?;
        (text.len() >= LEAST_PART && known.starts_with(&text)).then_some(*placeholder)
    }

    fn fresh(&self, claims: &[&str], spans: &[Span]) -> Fresh {
        let placeholders = self.secrets.iter().map(|(_, placeholder, _)| *placeholder);
        let sources = spans.iter().filter_map(|span| span.source.as_deref());
        let texts = spans.iter().map(|span| &*span.text).chain(sources);
        let mut fresh = Fresh::default();
        for text in placeholders.chain(texts).chain(claims.iter().copied()) {
            fresh.numbering.reserve(text, &Kinds::BUILT_IN);
        }
        fresh
    }
}

/// Secrets that claims quote and the evidence does not hold.
#[derive(Default)]
struct Fresh {
    numbering: Numbering,
    /// Each with its placeholder.
    secrets: Vec<(String, Arc<str>)>,
    /// The place of a text, from 1, by the hash of its folded form.
    known: Table,
}

impl Fresh {
    /// Those of them that are secrets wherever they stand.
    fn known(&self) -> Known<'_> {
        let all = self
            .secrets
            .iter()
            .map(|(text, placeholder)| (&**text, &**placeholder));
        Known::new(&mut all.filter(|(text, _)| is_telling(text)))
    }

    fn hide(&mut self, scan: &Scan<'_>, secrets: Vec<Secret>, known: &Known<'_>) -> String {
        let mut result = String::with_capacity(scan.text.len());
        let mut done = 0;
        for secret in secrets {
            let (start, end) = (scan.start(secret.from), scan.start(secret.to));
            if start < done {
                continue;
            }
            result.push_str(&scan.text[done..start]);
            let text = &scan.text[start..end];
            done = end;
            if let Some(placeholder) = known.begun(text) {
                result.push_str(placeholder);
                continue;
            }
            let known = self.known.entry(hash_of(text));
            if *known == 0 {
                let next = self.numbering.next(Kind::Secret.into(), &Kinds::BUILT_IN);
                self.secrets.push((text.into(), next));
                *known = self.secrets.len() as u64;
            }
            result.push_str(&self.secrets[*known as usize - 1].1);
        }
        result.push_str(&scan.text[done..]);
        result
    }
}
