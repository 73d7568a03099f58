//! Secrets that the words before them announce.

use alloc::vec::Vec;

use super::{
    SECRET_KEYS, Secret, before, ends_name, has_any, has_digit, has_letter, head, is_escaped,
    is_letters, is_mixed, is_number, is_quote, is_scrambled, is_value, is_wide, kind, line_end,
    names_secret, names_signature, opens_line, rest_of_run, run_end,
    tokens::{is_random, is_woven},
};
use crate::scrub::{
    look::{Look, count},
    ordinary::is_ordinary,
    scanner::{Scan, TokenKind},
    words::{self, ALGORITHMS, List, NOT_NAMES, VERB, Words, any_of},
};

/// `Authorization: Bearer …`, `Basic …`.
pub(super) fn bearer(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
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
pub(super) fn cookie(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
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

/// `--password hunter2`, `curl -u deploy:hunter2`, `mysql -phunter2`: as [`credentials`].
pub(super) fn option(scan: &Scan<'_>, at: usize) -> Option<(usize, usize, usize)> {
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
pub(super) fn assigned(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
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
    // `[Password]: …`
    let framed = scan.is_mark(at.wrapping_sub(1), b'[')
        && scan.is_mark(at + 1, b']')
        && opens_line(scan, at - 1);
    // `\"password\":\"…\"` of JSON in a string.
    let inner = scan.is_mark(at + 1, b'\\') && is_quote(scan, at + 2);
    let mut sign = at + 1 + usize::from(inner);
    if is_quote(scan, sign) {
        // `environ["DB_PASSWORD"] = …`
        sign += 1 + usize::from(scan.is_mark(sign + 1, b']'));
    }
    sign += usize::from(framed);
    let sign = skip_space(behind_stars(scan, sign));
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
    let behind = behind_stars(scan, sign + 1 + usize::from(long));
    let mut from = paired.unwrap_or(skip_space(behind));
    // `password = \"…\"`, too.
    let escaped = scan.is_mark(from, b'\\') && is_quote(scan, from + 1);
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
        if !(inner && escaped) && paired.is_none() && closes(scan, from, escaped) {
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
    // `password = local.db.password1`, `password2 = password1`, not `password = Password123`
    let refers = numbered || has_any(text, b".");
    let named = equals && !tight && refers && names_secret(scan, to.wrapping_sub(1));
    let name = match named {
        true => text.trim_end_matches(|char: char| char.is_ascii_digit()),
        false => text,
    };
    let of_name = |byte: &u8| byte.is_ascii_alphabetic() || b"_.".contains(byte);
    let plain = count(name, &of_name) == name.len() && !loud && !is_scrambled(text, tight);
    (unknown || fits(text, tight || alone) && !plain)
        .then(|| (from, without_stop(rest_of_run(scan, run, marks))))
}

/// The place behind what closes, at `at`, what Markdown stresses, if that is there: `**Password:** …`, `__Password__: …`.
fn behind_stars(scan: &Scan<'_>, at: usize) -> usize {
    let star = |nth: &usize| scan.is_mark(at + nth, b'*') || scan.is_word(at + nth, "__");
    at + (0..2).take_while(star).count()
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
pub(super) fn column(scan: &Scan<'_>, at: usize, secrets: &mut Vec<Secret>) -> Option<usize> {
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
pub(super) fn said(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
    const LEAST: usize = 8;
    if !scan.is_space(at + 1) || !names_secret(scan, at) && !ends_name(scan, at) {
        return None;
    }
    // "The password for staging is …"
    let of = 4 * usize::from(matches!(scan.word(at + 2), "for" | "of"));
    let mut from = at + 2 + of;
    if matches!(scan.word(from), "is" | "was") {
        from += 1 + usize::from(scan.is_mark(from + 1, b':'));
        from += usize::from(scan.is_space(from));
    } else if of > 0 {
        // "The token of request 7f3a9c21d4 was rejected"
        return None;
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
    // No mark joins `2031-04-09T06`.
    let mixed = is_woven(text) && !has_any(text, b"-_");
    let marked = before(scan, at, 2) == "ENV" || has_digit(text) && has_any(text, b"!@#%^&*$");
    (apart && text.len() >= LEAST && has_letter(text) && (mixed || marked) && is_value(text))
        .then_some((from, to))
}

/// `api_key      k9f2…`, `| API_KEY | … |`, `API_KEY,…`, `login clerk password …`, "API key: …": the value in the column
/// behind its name, which is the last of its line or cell and looks like nothing else.
pub(super) fn beside(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
    const LEAST: usize = 8;
    let login = before(scan, at, 4) == "login";
    let loud = matches!(scan.look(at), Look::Constant | Look::Key);
    // Most words have nothing such behind them.
    let from = match kind(scan, at + 1) {
        TokenKind(b',') => at + 2,
        TokenKind(b':') if scan.is_space(behind_stars(scan, at + 2)) => {
            behind_stars(scan, at + 2) + 1
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
    let quoted = usize::from(is_quote(scan, from));
    let from = from + quoted;
    let to = run_end(scan, from, SAID_MARKS);
    let ends = match kind(scan, to + quoted + usize::from(scan.is_space(to + quoted))) {
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

/// `echo "Password: "`: whether the quote at `at`, which may be `escaped`, closes what a line opened, as far as that
/// shows.
fn closes(scan: &Scan<'_>, at: usize, escaped: bool) -> bool {
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
                open ^= !inside && is_escaped(scan, before) == escaped;
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
pub(super) fn holds_name(text: &str) -> bool {
    let names = ["apikey", "credential", "pass", "pwd", "secret", "token"];
    names.iter().any(|name| text.contains(name))
}

/// Whether it is nothing else that is known, either.
fn is_unknown(scan: &Scan<'_>, at: usize) -> bool {
    is_unlisted(scan, at) && !is_ordinary(scan.word(at))
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
pub(super) fn element(scan: &Scan<'_>, at: usize) -> Option<(usize, usize)> {
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

/// Whether a text is a user and a password in base64, and no name.
fn is_encoded(text: &str) -> bool {
    const LEAST: usize = 16;
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'=';
    text.len() >= LEAST
        && text.len().is_multiple_of(4)
        && count(text, &plain) == text.len()
        && count(text, &u8::is_ascii_digit) > 1
}

/// Marks inside a value without quotes.
const VALUE_MARKS: &[u8] = b"-._~+/=!@#%^&*:$?";

/// The same where sentences and columns hold one.
const SAID_MARKS: &[u8] = b"-_~+=!@#%^&*$?";

/// The same in the query of a URL.
const QUERY_MARKS: &[u8] = b"-._~+/=!@%^*:$?";

/// How long a value at least is whose name may tell of a test that passed.
const LEAST_DOUBTFUL: usize = 8;
