//! What code defines: classes, models, functions and what these take.

use super::{
    CLASS, FUNC, METHOD, behind_generics,
    bodies::{body, indent_of},
    closing, ends_line, is_capital, line_of,
    uses::{capital, is_generic},
    variables::bind,
};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        scanner::TokenKind,
        structure::{REACH, Reader, prose, shapes},
        words::{
            self, LANGUAGE, NOT_CALLED, NOT_NAMES, SMALL_TYPE, TYPE_WORDS, VERB, Words, any_of,
        },
    },
};

/// Types that are no names where they stand alone, either: `Odd(u8)`, `(void)`.
pub(super) const NEVER_NAMES: &Words =
    any_of!("f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize void");

/// Words before a parameter's name or type that are neither.
const PARAMETER_WORDS: &Words = any_of!(
    "\
    const crossinline final inout internal mut noinline open out override params private protected public readonly \
    ref val var vararg"
);

/// `class Row`, and `class row` where code goes on behind it.
pub(super) fn declare(reader: &mut Reader<'_, '_>, at: usize, kinds: &'static [Kind]) {
    let qualified = reader.is_mark(at + 1, b'.') || reader.has_marks(at + 1, b"::");
    if reader.is_name(at) && at > 1 {
        body(reader, at - 2, at);
    }
    if !reader.is_word(at) || qualified {
        return;
    }
    let word = reader.word(at);
    let sign = reader.skip_space(at + 1);
    // Not "a struct that implements".
    let code = reader.says(sign, any_of!("{ ( : < = @"))
        || reader.says(sign, any_of!("extends implements")) && !reader.is_in(at, NOT_NAMES);
    let opens = word.starts_with(char::is_uppercase) && !words::is_all_capitals(word);
    if opens && (code || !reader.is_in(at, NOT_NAMES)) || code && !reader.is_in(at, LANGUAGE) {
        reader.push(at, at + 1, kinds, Rank::Definition);
    }
    // `class Prescription(Base):`, `class Till < Device` of Ruby, `class Gull : Bird` of Kotlin
    let below = sign > at + 1
        && (reader.is_mark(sign, b'<') && !reader.is_mark(sign + 3, b'>')
            || reader.is_mark(sign, b':'));
    let parent = match closing(reader, at + 1) {
        Some(close) => close - 1,
        None if below => reader.skip_space(sign + 1),
        None => return,
    };
    if reader.says(parent, any_of!("ApplicationRecord Base Model")) {
        reader.push(at, at + 1, &[Class, Type, Table], Rank::Definition);
    }
    if parent == sign + 1 || parent == sign + 2 {
        capital(reader, parent, kinds);
    }
}

/// `model Appointment { slotCode String … }`: a table and its columns.
pub(super) fn model(reader: &mut Reader<'_, '_>, at: usize) {
    const MOST_LINES: usize = 64;
    let open = reader.skip_space(at + 1);
    if !reader.is_word(at) || !reader.is_mark(open, b'{') {
        return;
    }
    reader.push(at, at + 1, &[Table, Class, Type], Rank::Definition);
    let mut line = open + 1;
    for nth in 0..MOST_LINES {
        let Some(end) = reader.scan.line_end(line, REACH) else {
            return;
        };
        // `model Parcel { weight Int }`
        let closes = nth == 0 && reader.find(line, end, any_of!("}")).is_some();
        let opened = closes || nth == 0 && reader.is_word(reader.skip_space(line));
        let name = reader.skip_space(if opened { line } else { end + 1 });
        let kind = reader.skip_space(name + 1);
        // Another model begins: this one is not closed.
        if reader.is_mark(name, b'}') || reader.is(name, "model") {
            return;
        }
        if reader.is_word(name) && reader.is_word(kind) {
            reader.push_plain(name, name + 1, &[Col, Field, Var], Rank::Definition);
            let row = kind..reader.scan.line_end(kind, REACH).unwrap_or(kind);
            let attribute = |at: usize| reader.is_mark(at - 1, b'@') && reader.is(at, "relation");
            // `owner Guest @relation(…)`, `number String @db.VarChar(12)`
            match row.clone().any(attribute) {
                true => capital(reader, kind, &[Table, Class, Type]),
                false => {
                    reader.push_type(kind);
                }
            }
            for at in row {
                if reader.is(at, "db")
                    && reader.is_mark(at - 1, b'@')
                    && reader.is_mark(at + 1, b'.')
                {
                    reader.push_type(at + 2);
                }
            }
        }
        if closes {
            return;
        }
        if !opened {
            line = end + 1;
        }
    }
}

/// `__tablename__ = "prescriptions"`
pub(super) fn table_name(reader: &mut Reader<'_, '_>, at: usize) {
    let sign = reader.skip_space(at + 1);
    if reader.is_mark(sign, b'=') {
        mapped(reader, reader.skip_space(sign + 1), &[Table]);
    }
}

/// The name in quotes that a model is stored under.
pub(super) fn mapped(reader: &mut Reader<'_, '_>, at: usize, kinds: &'static [Kind]) {
    if let Some((from, to)) = prose::quotation(reader, at)
        && !reader.is_scrubbed(from)
    {
        reader.push(from, to, kinds, Rank::Definition);
    }
}

/// The name behind `def`, which is at `keyword`, and its parameters.
pub(super) fn function(reader: &mut Reader<'_, '_>, keyword: usize, at: usize) {
    let mut at = at;
    let indent = indent_of(reader, keyword);
    let mut method = match indent {
        Some(indent) => reader.bodies.has_method(indent),
        None => reader.bodies.is_in_brackets(),
    };
    // `def self.open(key)` of Ruby
    let ruby = reader.is(keyword, "def") && indent.is_some();
    if ruby && reader.is(at, "self") && reader.is_mark(at + 1, b'.') {
        at += 2;
    }
    // The receiver of a Go method.
    if reader.is_mark(at, b'(') {
        let Some(close) = closing(reader, at) else {
            return;
        };
        parameters(reader, at, close);
        at = reader.skip_space(close + 1);
        method = true;
    }
    let asks = usize::from(ruby && reader.says(at + 1, any_of!("? !")));
    let open = behind_generics(reader, at + 1 + asks);
    // `def total` of Ruby, `def total: Int` of Scala take nothing.
    let bare = ruby && (ends_line(reader, open) || reader.says_next(open, any_of!("; = :")));
    if !reader.is_word(at) || !reader.is_mark(open, b'(') && !bare {
        return;
    }
    let first = (open + 1..open + 8).find(|at| reader.is_word(*at) && !reader.is(*at, "mut"));
    method |= first.is_some_and(|at| reader.says(at, any_of!("self cls this")));
    let kinds = if method { METHOD } else { FUNC };
    if !shapes::is_of_language(reader.word(at)) {
        reader.push_bound(at, kinds, Rank::Definition);
        described(reader, at, kinds);
    }
    if let Some(close) = closing(reader, open) {
        parameters(reader, open, close);
    }
}

/// `// dial gives up` above `func dial(`: a comment that says of the function whose name is at `at` what it does.
pub(super) fn described(reader: &mut Reader<'_, '_>, at: usize, kinds: &'static [Kind]) {
    // Most have no comment above them.
    let above = line_of(reader, line_of(reader, at).saturating_sub(1));
    if !reader.says_next(above, any_of!("/ * # @ [")) {
        return;
    }
    let word = reader.word(at);
    let named = (at.saturating_sub(2 * REACH)..at).rev().find(|name| {
        let mark = || reader.before(*name).unwrap_or(*name);
        // Not an imperative, as in "// sort rows".
        reader.is(*name, word)
            && reader.is_in(reader.skip_space(name + 1), VERB)
            && reader.says(mark(), any_of!("/ * #"))
    });
    if let Some(name) = named {
        reader.push_here(name, name + 1, kinds, Rank::Structure);
    }
}

/// `(cart: Cart, percent: number)`, `(int rowNo)`, `(path string)`.
pub(super) fn parameters(reader: &mut Reader<'_, '_>, open: usize, close: usize) {
    let mut from = open + 1;
    for to in open + 1..=close {
        let ends = to == close || reader.is_mark(to, b',');
        if !ends {
            continue;
        }
        // `struct buoy *head` of C, `by amount: Int` of Swift
        const TAGS: &Words = any_of!("enum struct union");
        let tagged = reader.find(from, to, TAGS).is_some();
        let mut words = (from..to).filter(|at| {
            let word = reader.word(*at);
            let next = reader.skip_space(at + 1);
            // `val name: String` of Kotlin, `val int` of Go
            let typed = || reader.says_next(next + 1, any_of!(":"));
            let label = reader.is_in(*at, NOT_NAMES) && typed();
            let modifies = reader.is_word(next)
                && (!any_of!("val var").has(word) || typed())
                && (PARAMETER_WORDS.has(word) || TAGS.has(word) || label);
            // `(void)`, `Odd(u8)`, `std::string_view name`, `vector<int> rows`
            let none = next == to && NEVER_NAMES.has(word);
            let outer = reader.has_marks(at + 1, b"::");
            let opened = || is_generic(reader, from, *at);
            // `@Param("title") String name`
            let inner = reader.is_any(at - 1, b"<@\"") || reader.is_mark(at + 1, b'>') && opened();
            reader.is_word(*at)
                && !(modifies || none || outer || inner)
                && !any_of!("self cls mut this").has(word)
        });
        let scrubbed = reader.has_scrubbed(from, to);
        let (first, second) = (words.next().filter(|_| !scrubbed), words.next());
        let Some(first) = first else {
            from = to + 1;
            continue;
        };
        let colon = reader.says_next(first + 1, any_of!(":"));
        let (name, kind) = match second {
            // `int rowNo`, `Cart cart`: the name is last; `path string`, `cart Cart`: first.
            Some(second)
                if !colon
                    && (!is_type(reader, second) || reader.word(first).ends_with("_t"))
                    && (tagged
                        || is_type(reader, first)
                        || is_capital(reader, first)
                        // `const T& name`
                        || matches!(reader.word(first).as_bytes(), [b'A'..=b'Z'])
                        // `std::string_view name`
                        || reader.is_mark(first - 1, b':')) =>
            {
                (second, Some(first))
            }
            second => (first, second),
        };
        // Of a word that is both, `Basket basket`, the type is meant.
        if let Some(kind) = kind {
            for part in kind..to {
                if part == kind || reader.is_mark(part - 1, b'<') {
                    capital(reader, part, CLASS);
                }
            }
        }
        // A letter is one where a type says so.
        let named = reader.word(name).len() > 1 || kind.is_some();
        if named && !is_capital(reader, name) {
            bind(reader, name);
        }
        from = to + 1;
    }
}

/// Whether the word at `at` is a type that comes with a language.
pub(super) fn is_type(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is_in(at, TYPE_WORDS)
        || reader.is_built_in(at)
        || reader.is_in(at, SMALL_TYPE) && reader.look(at).is_plain()
        || reader.word(at).ends_with("_t")
        || is_sized(reader.word(at))
}

/// `int32`, `uint8`, `sfixed64`: types that say how long they are.
pub(in crate::scrub::structure) fn is_sized(word: &str) -> bool {
    // Most words end otherwise.
    matches!(word.as_bytes(), [.., b'0'..=b'9'])
        && any_of!(
            "\
            fixed32 fixed64 int8 int16 int32 int64 int128 sfixed32 sfixed64 sint32 sint64 uint8 uint16 uint32 uint64 \
            uint128"
        )
        .has(word)
}

/// Whether the name at `at` is written as a type's, or was before it was scrubbed.
pub(super) fn may_be_type(reader: &Reader<'_, '_>, at: usize) -> bool {
    is_capital(reader, at) || reader.is_scrubbed(at)
}

/// What a call's look defines: at most modifiers and a type before it, and a block behind it or, in
/// an interface, nothing. What is indented is a method.
pub(super) fn defined(reader: &Reader<'_, '_>, at: usize) -> Option<&'static [Kind]> {
    let close = closing(reader, at + 1)?;
    if reader.is_mark(at.wrapping_sub(1), b'@') {
        return None;
    }
    let typed = |at: usize| {
        // `T` is a type, too.
        let mut letters = reader.word(at).bytes();
        is_type(reader, at)
            || is_capital(reader, at)
            || reader.is_mark(at, b'>')
            || letters.all(|letter| letter.is_ascii_uppercase())
    };
    let declared = reader.is_mark(close + 1, b';') && reader.before(at).is_some_and(typed);
    let ends = |at: &usize| reader.ends_statement(*at) || reader.is_mark(*at, b'{');
    let end = (close + 1..close + 16).find(ends);
    let block =
        end.is_some_and(|end| reader.is_mark(end, b'{')) || opens_next_line(reader, close + 1);
    let in_class = reader.bodies.is_in_brackets();
    let mut first = at;
    while let Some(before) = reader.before(first) {
        let kind = reader.scan.kind(before);
        // `class Mill { grind() {} }`, `@Input() set label(value) {`
        let opens = in_class && matches!(kind, Some(TokenKind(b'{' | b'}' | b';' | b')')));
        // `-  async seal(letter) {` of a diff
        let sided = || reader.says(before, any_of!("- +")) && reader.opens_line(before);
        if kind == Some(TokenKind::NEWLINE) || opens || sided() {
            break;
        }
        let modifier = reader.is_word(before) && !reader.is_in(before, NOT_CALLED)
            || reader.says(before, any_of!("async > < [ ] @ * # & ?"));
        if !modifier || at - before > 24 {
            return None;
        }
        first = before;
    }
    // `Load(id string) (Row, error)` of Go
    let alone = || first == at && !reader.says(close + 1, any_of!(", . )"));
    if in_class && !reader.is_mark(first, b'*') && (heads_method(reader, close + 1) || alone()) {
        return Some(METHOD);
    }
    let indented = reader.scan.kind(first.wrapping_sub(1)) == Some(TokenKind::SPACE);
    match indented {
        true => (block || declared).then_some(METHOD),
        false => (block && first < at).then_some(FUNC),
    }
}

/// Whether what stands behind a bracket, at `at`, goes on from the head of a method: `{`, `;`, `: Tide;`,
/// `const override;`.
fn heads_method(reader: &Reader<'_, '_>, at: usize) -> bool {
    let next = reader.skip_space(at);
    reader.says(
        next,
        any_of!("{ ; : = const noexcept override throws where"),
    ) || reader.has_marks(next, b"->")
        || opens_next_line(reader, next)
}

/// Whether a block begins the line behind the one that ends at `at`.
fn opens_next_line(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is_mark(at, b'\n') && reader.says_next(at + 1, any_of!("{"))
}
