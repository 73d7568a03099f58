//! Secrets that show themselves: tokens by their shape, keys, credentials in URLs.

use super::{
    LONGEST_RUN, before, has_digit, head, is_number, is_value, kind, rest_of_run, run_end,
};
use crate::scrub::{
    look::{Makeup, count},
    scanner::{Scan, Token, TokenKind},
};

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

/// `-----BEGIN PRIVATE KEY-----` to its end, or to the end of what looks like its body; what stands behind
/// `Private-Lines: 8` of PuTTY.
pub(super) fn block(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
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

/// A token that says by its look that it is one: how many bytes of the word stand before it, and where it ends.
pub(super) fn token(scan: &Scan<'_>, at: usize, word: &Token) -> Option<(usize, usize)> {
    /// How many parts of a word are looked at, and of what hyphens and points join.
    const MOST_PARTS: usize = 8;
    let joined = |back: usize| matches!(kind(scan, at.wrapping_sub(back)), TokenKind(b'-' | b'.'));
    let before = kind(scan, at.wrapping_sub(1));
    if before == TokenKind::WORD || (0..MOST_PARTS).all(|part| joined(2 * part + 1)) {
        return None;
    }
    let bytes = &scan.text.as_bytes()[scan.start(at)..];
    let lead = match before {
        TokenKind(b'%' | b'\\') => escaped(scan.word(at)),
        _ => 0,
    };
    let mut skip = lead;
    for _ in 0..MOST_PARTS {
        if may_open_token(&bytes[skip..]) {
            // What Markdown stresses is the word.
            let stressed = bytes[lead..skip].iter().all(|byte| *byte == b'_');
            if let Some(end) = token_from(scan, at, skip, joined(1) || !stressed) {
                return Some((if stressed { lead } else { skip }, end));
            }
        }
        if !word.makeup.has(Makeup::UNDERSCORE) {
            break;
        }
        // `AWS_AKIA…`
        skip += 1 + scan.word(at)[skip..].find('_')?;
    }
    None
}

/// How much of a word is the rest of the escape of a mark: of `%22`, `\u0022`, `\x22`.
fn escaped(word: &str) -> usize {
    let length = match word.as_bytes() {
        [b'u', ..] => 5,
        [b'x', ..] => 3,
        _ => 2,
    };
    let digits = word.get(length % 2..length).unwrap_or("-");
    match count(digits, &u8::is_ascii_hexdigit) == digits.len() {
        true => length,
        false => 0,
    }
}

/// Where the token ends that begins `skip` bytes into the word at `at`. It is `inside` where what stands before it may
/// be the rest of its name.
fn token_from(scan: &Scan<'_>, at: usize, skip: usize, inside: bool) -> Option<usize> {
    const LEAST: usize = 20;
    const LEAST_PART: usize = 12;
    let to = run_end(scan, at, b"-.");
    let text = scan.text_of(at, to).get(skip..)?.trim_end_matches('_');
    // Neither `app-sk-frontend-7d9f8c6b5d` nor `my_hf_model_large_2`.
    let part = |part: &str| part.len() >= LEAST_PART && has_digit(part);
    let long = text.len() >= LEAST && text.split(['-', '_', '.']).any(part);
    if !long && (inside || skip > 0) {
        return None;
    }
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
    // `cache-key-…` of a hash is none.
    let shaped = || is_shaped(scan, at, text) && !(inside && text.starts_with('k'));
    if !(by_prefix && is_random(text) || long || is_jwt(text) || shaped()) {
        return None;
    }
    let mut end = rest_of_run(scan, to, b"-.");
    while scan.is_mark(end - 1, b'.') {
        end -= 1;
    }
    Some(end)
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
        || matches!(three, [24..=28, 6, 27..=38])
            && has_digit(head(text, b"."))
            && parts.next().is_none()
}

/// Digits and letters both: names made of words have no digits.
pub(super) fn is_random(text: &str) -> bool {
    has_digit(text) || count(text, &u8::is_ascii_uppercase) > 6
}

/// Several digits, one of them before a letter: no number ends `sha512`, and no letter goes on behind that of
/// `release-2031-final`.
pub(super) fn is_woven(text: &str) -> bool {
    const DIGITS: usize = 4;
    let woven = |pair: &[u8]| pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic();
    count(text, &u8::is_ascii_digit) >= DIGITS && text.as_bytes().windows(2).any(woven)
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
pub(super) fn webhook(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
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
pub(super) fn credentials(scan: &Scan<'_>, at: usize) -> Option<(usize, usize, usize)> {
    const LONGEST: usize = 128;
    const LEAST_TOKEN: usize = 20;
    // `https:\/\/…` of JSON
    let escapes =
        usize::from(scan.is_mark(at - 1, b'\\') && scan.is_mark(at.wrapping_sub(2), b'/'));
    // `//user:password@host`
    let bare = match kind(scan, at.wrapping_sub(2 + 2 * escapes)) {
        TokenKind(b':') => false,
        TokenKind(b' ' | b'\n' | b'"' | b'\'' | b'=' | b'(') => true,
        _ => return None,
    };
    let mut colon = None;
    let mut sign = None;
    let mut odd = false;
    for next in at + 1..at + LONGEST {
        match (kind(scan, next), colon) {
            (TokenKind(b':'), None) => colon = Some(next),
            (TokenKind(b'@'), _) => {
                sign = Some(next);
                // `me@corp.example:password@host` goes on.
                if colon.is_none() && kind(scan, next + 1) != TokenKind::WORD {
                    break;
                }
            }
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
        if bare {
            return None;
        }
        // A token stands for the user.
        let token = scan.text_of(at + 1, sign);
        let random = match sign == at + 2 {
            true => is_random(token),
            false => run_end(scan, at + 1, b"-_.~") == sign && is_woven(token),
        };
        let fits = random && token.len() >= LEAST_TOKEN;
        return fits.then_some((at + 1, at + 1, sign));
    };
    let password = scan.text_of(colon + 1, sign);
    let random = is_random(password) && kind(scan, sign + 1) == TokenKind::WORD;
    let fits = match (bare, odd) {
        (false, false) => true,
        _ => random && bare != odd,
    };
    (colon + 1 < sign && fits && is_value(password)).then_some((at + 1, colon + 1, sign))
}
