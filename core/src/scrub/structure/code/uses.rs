//! What code only uses: calls, and types where they stand.

use super::{
    CLASS, FUNC, METHOD, MODULE, closing,
    definitions::{NEVER_NAMES, defined, described, parameters},
    ends_line, is_annotated, is_capital,
    variables::local,
};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        look::Look,
        scanner::TokenKind,
        structure::{ORDINARY_IN_CODE, Reader, calls, shapes, sql},
        words::{NOT_CALLED, NOT_NAMES, PROVIDED, TYPE_WORDS, Words, any_of},
    },
};

pub(super) fn capital(reader: &mut Reader<'_, '_>, at: usize, kinds: &'static [Kind]) {
    let fits = is_capital(reader, at) && !reader.is_in(at, NOT_NAMES) && !reader.is_built_in(at);
    if reader.is_word(at) && fits && !reader.is_mark(at + 1, b'.') {
        reader.push(at, at + 1, kinds, Rank::Structure);
    }
}

/// `load(…)`, `.load(…)`, and methods where they are defined.
pub(super) fn call(reader: &mut Reader<'_, '_>, at: usize) {
    let word = reader.word(at);
    let after_point = reader.is_mark(at.wrapping_sub(1), b'.');
    let method = || reader.bodies.is_in_brackets() && defined(reader, at).is_some();
    let provided = reader.is_in(at, PROVIDED) && !method();
    // `-module(kitchen).` of Erlang
    if reader.is_mark(at.wrapping_sub(1), b'-') && reader.opens_line(at - 1) {
        if word == "module" && reader.is_word(at + 2) {
            reader.push_name_at(at + 2, at + 3, MODULE, Rank::Definition);
        }
        return;
    }
    // `constructor(queue) {` has no name of its own.
    if word == "constructor" && method() {
        let close = closing(reader, at + 1).unwrap_or(at + 1);
        return reader.widely(true, |reader| parameters(reader, at + 1, close));
    }
    let marked = at > 1 && reader.is_mark(at - 1, b'@');
    if marked && (reader.is_mark(at - 2, b'@') || reader.is(at, "relation")) {
        return calls::attribute(reader, at + 1);
    }
    if reader.is_in(at, NOT_CALLED.or(TYPE_WORDS)) && (provided || !reader.is_in(at, PROVIDED))
        || !after_point && provided
        || reader.is_built_in(at)
        || shapes::is_of_language(word)
        || word.chars().nth(1).is_none()
        || matches!(word.as_bytes(), [b'0'..=b'9', ..])
    {
        return;
    }
    let before = reader.before(at);
    if reader.is_word(at + 2)
        && before.is_some_and(|verb| reader.says_in_any_case(verb, any_of!("references")))
    {
        return sql::referenced(reader, at);
    }
    // "file(s)" and `count(*)` call nothing of ours.
    if reader.says(at + 2, any_of!("s es *")) && reader.is_mark(at + 3, b')') {
        return;
    }
    let qualified = after_point && reader.is_word(at.wrapping_sub(2));
    let defined = if after_point {
        None
    } else {
        defined(reader, at)
    };
    // A constructor is called as its class.
    let method = defined == Some(METHOD)
        && reader.bodies.is_in_brackets()
        && reader.word(reader.bodies.name) != word;
    // `{ Cast(knots); }` of C#: a class would have `new` before it.
    let stated = || {
        closing(reader, at + 1).is_some_and(|close| reader.is_mark(close + 1, b';'))
            && (reader.opens_line(at) || reader.says_before(at, any_of!("{ } ;")))
            && reader.word(reader.bodies.name) != word
    };
    let kinds = match reader.look(at) {
        Look::Capitals | Look::Constant => return,
        Look::Capital | Look::Pascal if !after_point && !method && !stated() => CLASS,
        _ if qualified => return,
        _ if after_point => METHOD,
        _ => defined.unwrap_or(FUNC),
    };
    let rank = match defined {
        Some(_) => Rank::Definition,
        None => Rank::Structure,
    };
    let in_body = reader.is_in(at, PROVIDED) && !after_point;
    reader.widely(in_body, |reader| reader.push_plain(at, at + 1, kinds, rank));
    // `sleep(backoff)`: what is given is a name, bound wherever it may be.
    let given = at + 2;
    let plain = reader.is_word(given)
        && reader.look(given).is_plain()
        && !reader.is_in(given, ORDINARY_IN_CODE)
        && !reader.says(given, NEVER_NAMES);
    // "retry(twice) when asked"
    let behind = reader.skip_space(given + 2);
    let said =
        reader.is_word(behind) || reader.is_mark(behind, b'.') && ends_line(reader, behind + 1);
    if defined.is_none() && plain && reader.is_mark(given + 1, b')') && !said {
        reader.push_here(given, given + 1, &[Var, Param], Rank::Structure);
        reader.note_used(given);
    }
    if rank == Rank::Definition
        && let Some(close) = closing(reader, at + 1)
    {
        described(reader, at, kinds);
        // `Money fareOf(Leg leg) {`
        if let Some(given) = before {
            capital(reader, given, CLASS);
        }
        parameters(reader, at + 1, close);
    }
}

/// A word with a first capital, at `at`, where only a type stands: `cart: Cart,`, `-> Money {`, `Promise<Quote>`, `[]Route`.
#[inline(never)]
pub(in crate::scrub::structure) fn type_place(reader: &mut Reader<'_, '_>, at: usize) {
    // `@Inject Ledger ledger;`
    if is_annotated(reader, at) {
        local(reader, at);
    }
    let mark = |at: usize| reader.scan.kind(at).map_or(0, |kind| kind.0);
    let behind = mark(reader.skip_space(at + 1));
    // In a body a field may have no more: `owner: Person`, `notes: [Note!]!`.
    let alone = b"\n!]".contains(&behind) && reader.bodies.is_in_brackets();
    // Most words have none of these behind them.
    if !alone && !b"{)>;=,|[?</:]".contains(&behind) {
        return tag(reader, at);
    }
    let Some(before) = reader.before(at) else {
        return;
    };
    let left = mark(before);
    // `def berth(no: int) -> Berth:`, `list[Berth]` of Python
    const GENERICS: &Words =
        any_of!("Iterable Iterator List Optional Sequence Set Type list set tuple type");
    let python = match behind {
        b':' => {
            reader.has_marks(before.wrapping_sub(1), b"->")
                && reader.is_mark(reader.left(before - 1), b')')
        }
        b']' => left == b'[' && reader.says(before.wrapping_sub(1), GENERICS),
        _ => false,
    };
    let listed = || left == b'[' && reader.says_before(before, any_of!(":"));
    let adjacent = before + 1 == at;
    // `Result<Badge, …`, `Promise<Menu | …`
    let first = || {
        // `useState<Row[]>(…)`
        let listed = || reader.is_mark(at + 1, b'[') && reader.is_mark(at + 3, b'>');
        left == b'<' && adjacent && before > 0 && (is_capital(reader, before - 1) || listed())
    };
    // `-> (Badge, Money)`
    let given = || match left {
        // `Err(Full)`
        b'(' if before > 0 && reader.is(before - 1, "Err") => true,
        b'(' | b',' => is_given(reader, before),
        // `(*Cellar, error) {` of Go
        b'*' => adjacent && before > 0 && is_given(reader, before - 1),
        _ => false,
    };
    let settled = matches!(left, b':' | b']') || first() || given();
    let closes = match behind {
        b'{' | b')' | b'>' | b';' | b'=' => true,
        _ if python => true,
        // `<Panel />`
        b'/' => {
            left == b'<' && adjacent && reader.says(reader.skip_space(at + 1) + 1, any_of!(">"))
        }
        b',' | b'|' | b'[' | b'?' | b'<' => settled,
        _ => alone && (left == b':' || listed()),
    };
    let opens = || match left {
        _ if python => true,
        // `name: Type`, with the colon on the name.
        b':' => before > 0 && (reader.is_word(before - 1) || reader.is_mark(before - 1, b')')),
        b'>' => before > 0 && reader.is_mark(before - 1, b'-'),
        b'<' | b'&' | b'*' => true,
        b',' | b'|' if behind == b'>' => is_generic(reader, before.saturating_sub(8), before),
        b',' | b'(' => given(),
        // `func (c *Cart) Total() Money {` of Go
        b')' => behind == b'{',
        b'[' => alone,
        // `[]Shelf`, `map[string]Shelf`
        b']' => {
            let map = || before > 2 && reader.is(before - 3, "map");
            adjacent && before > 0 && (reader.is_mark(before - 1, b'[') || map())
        }
        // `ticket := Ticket{…`
        _ => !adjacent && reader.is_mark(at + 1, b'{') && reader.says(before, any_of!("= return")),
    };
    let known = || reader.is_in(at, NOT_NAMES) || reader.is_built_in(at);
    if closes && opens() && !known() {
        reader.widely(alone, |reader| {
            reader.push_plain(at, at + 1, CLASS, Rank::Structure);
        });
    }
}

/// `<Panel title="Tides">` of JSX.
fn tag(reader: &mut Reader<'_, '_>, at: usize) {
    let opens = at > 0 && reader.is_mark(at - 1, b'<') && !reader.is_word(at.wrapping_sub(2));
    if opens && reader.scan.kind(at + 1) == Some(TokenKind::SPACE) && reader.is_mark(at + 3, b'=') {
        capital(reader, at, CLASS);
    }
}

/// Whether the bracket or the comma at `at` is of several types that a function gives.
fn is_given(reader: &Reader<'_, '_>, at: usize) -> bool {
    let mut places = (at.saturating_sub(8)..=at).rev();
    let Some(open) = places.find(|open| reader.is_mark(*open, b'(')) else {
        return false;
    };
    reader.before(open).is_some_and(|sign| {
        let block = || closing(reader, open).map(|close| reader.skip_space(close + 1));
        // `func Open(path string) (*Cellar, error) {`
        reader.is_mark(sign, b')') && block().is_some_and(|at| reader.is_mark(at, b'{'))
            || reader.is_mark(sign, b'>') && sign > 0 && reader.is_mark(sign - 1, b'-')
    })
}

/// Whether what stands at `to` is a parameter of a type that begins behind `from`: `HashMap<u64, Money>`.
pub(super) fn is_generic(reader: &Reader<'_, '_>, from: usize, to: usize) -> bool {
    reader.find(from, to, any_of!("<")).is_some()
}
