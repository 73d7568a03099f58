//! What the place of a word in a claim makes it: "Table orders references users", "was renamed to atlas".

use super::cued::{BASE_FORMS, HEADS};
use super::grammar::{
    KNOWN, acts_on, ends_clause, ends_in, has, has_object, has_value, is_abstract, is_adjectival,
    is_adjective, is_bare, is_determiner, is_many, is_ordinary, is_participle, is_said, is_title,
    is_verb, led_by, listing,
};
use super::{
    Reader,
    prose::{self, Rows, kinds_in},
};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        look::Look,
        ordinary,
        scanner::TokenKind,
        words::{
            self, COMMON, COMPOUND, CUE, DESCRIBING, DETERMINER, LANGUAGE, List, NOT_NAMES,
            SMALL_TYPE, TITLE, TYPE_WORDS, VERB, Words, any_of,
        },
    },
};

/// What the place of a word that is written like any other makes it.
pub(super) fn placed(reader: &Reader<'_, '_>, at: usize) -> Option<&'static [Kind]> {
    if !reader.look(at).is_ordinary() {
        return None;
    }
    let text = reader.word(at);
    // "get()", not "VARCHAR(255)" nor "file(s)".
    let called = reader.is_mark(at + 1, b'(')
        && !reader.is_in(at, TYPE_WORDS)
        && !reader.says(at + 2, any_of!("s es"));
    if called || is_macro(reader, at) {
        return Some(if is_of_table(reader, at) {
            &[Table, Id]
        } else {
            &[Func, Method, Id]
        });
    }
    let listed = at > 1 && reader.is_mark(at - 1, b'(') && reader.is_mark(at + 1, b')');
    if listed && reader.is_word(at - 2) && is_of_table(reader, at - 2) {
        return Some(&[Col, Field, Id]);
    }
    // "the decorator @cached"
    if at > 0 && reader.is_mark(at - 1, b'@') {
        return Some(&[Id]);
    }
    if reader.is_in(at, LANGUAGE) && words::is_all_capitals(text) {
        return None;
    }
    let by = |rules: &[(Rule, &'static [Kind])]| {
        let rule = rules.iter().find(|(fits, _)| fits(reader, at));
        rule.map(|(_, kinds)| *kinds)
    };
    if let Some(kinds) = christened(reader, at) {
        return Some(kinds);
    }
    // "the", "gets"
    if reader.is_in(at, NOT_NAMES) {
        return is_in_ideographs(reader, at).then_some(&[Id]);
    }
    by(ASSIGNED)
        .or_else(|| titled(reader, at))
        .or_else(|| is_listed(reader, at).then_some(&[Id] as _))
        .or_else(|| apposed(reader, at))
        .or_else(|| by(ROWS))
        .or_else(|| owner(reader, at))
        .or_else(|| object(reader, at))
}

type Rule = fn(&Reader<'_, '_>, usize) -> bool;

/// What settings and values are, by what stands beside them.
const ASSIGNED: &[(Rule, &[Kind])] = &[
    (is_assigned, &[Config, Param, Var, Id]),
    (is_given, &[Value, Var, Id]),
    (is_vector, &[Attack, Id]),
    (is_in_ideographs, &[Id]),
];

/// What tables have, and who they have it for.
const ROWS: &[(Rule, &[Kind])] = &[
    (is_sorted_by, &[Col, Field, Id]),
    (is_key_column, &[Col, Field, Id]),
    (is_filled, &[Table, Id]),
    (is_account, &[Role, Id]),
];

/// A word of another writing in Chinese or Japanese is a name: it stands there because it is one.
fn is_in_ideographs(reader: &Reader<'_, '_>, at: usize) -> bool {
    let ideographs = |at: usize| reader.is_mark(at, TokenKind::IDEOGRAPHS.0);
    (ideographs(reader.left(at)) || ideographs(reader.skip_space(at + 1)))
        && !reader.speaks_english
        && !reader.is_in(at, LANGUAGE)
        && reader.word(at).is_ascii()
        && !reader.is_well_known(at)
}

/// "The index is on carts(owner)", "references carts(owner)": whether the word at `at` is a table with columns.
fn is_of_table(reader: &Reader<'_, '_>, at: usize) -> bool {
    let verb = reader.word(reader.left(at));
    let named = reader.is_word(at + 2);
    any_of!("covers on").has(verb) || named && any_of!("REFERENCES references").has(verb)
}

/// "seal!(x) expands", "Macro seal! is unsafe"
fn is_macro(reader: &Reader<'_, '_>, at: usize) -> bool {
    let next = reader.skip_space(at + 2);
    let said = || is_verb(reader, next) || reader.says(next, any_of!("and are or"));
    reader.is_mark(at + 1, b'!') && (reader.is_mark(at + 2, b'(') || said())
}

/// "Function sift calls grind", "Table crates references trees": what a named thing has to do with.
fn object(reader: &Reader<'_, '_>, at: usize) -> Option<&'static [Kind]> {
    const VERBS: Rows = &[
        (any_of!("assigned granted"), &[Role, Id]),
        (any_of!("calls invokes"), &[Func, Method, Id]),
        (any_of!("covers"), &[Col, Field, Id]),
        (any_of!("declares"), &[Method, Func, Field, Id]),
        (any_of!("depends"), &[Pkg, Module, Id]),
        (any_of!("exports"), &[Func, Class, Var, Id]),
        (any_of!("extends"), &[Class, Type, Id]),
        (any_of!("imports"), &[Module, Pkg, Id]),
        (any_of!("inherits"), &[Role, Class, Id]),
        (any_of!("joins links references"), &[Table, Id]),
        (any_of!("overrides"), &[Method, Func, Config, Id]),
        (any_of!("takes"), &[Var, Param, Id]),
    ];
    let next = reader.skip_space(at + 1);
    let behind = any_of!("and by for if of on once or to twice when with");
    if !(ends_clause(reader, at) || reader.says(next, behind)) || !reader.look(at).is_plain() {
        return None;
    }
    // "inherits from guest", "depends on oven", "is granted to guest"
    let preposition = reader.left(at);
    let placed = reader.says(preposition, any_of!("from on to with"));
    let listed = if placed { preposition } else { at };
    let verb = listing(reader, listed, &|verb| kinds_in(VERBS, verb).is_some());
    // "joins stalls with guides", "links boats to berths"
    let beside = || {
        let first = reader.before(preposition).filter(|_| placed)?;
        listing(reader, first, &|verb| any_of!("joins links").has(verb))
    };
    let verb = verb.or_else(beside)?;
    let word = reader.word(verb);
    if reader.is(next, "of") && word != "covers" {
        return None;
    }
    let kinds = kinds_in(VERBS, word)?;
    let subject = subject(reader, verb)?;
    // Tables and roles are often called by ordinary plurals, what programs do is often said of such.
    let ordinary = match kinds {
        [Table, ..] => NOT_NAMES.or(TYPE_WORDS),
        [Role, ..] => NOT_NAMES.or(CUE),
        // Nothing else is extended in a word.
        [Class, ..] => NOT_NAMES,
        _ => KNOWN.or(CUE).or(TYPE_WORDS).or(SMALL_TYPE),
    };
    let text = reader.word(at);
    let many = text.ends_with('s');
    let fits = match kinds {
        [Role | Table, ..] => true,
        [Class, ..] => !many && !any_of!("behavior behaviour functionality").has(text),
        _ => !many,
    };
    let named = !reader.is_in(at, ordinary) && fits;
    let title = prose::cue_kinds(reader, reader.left(subject));
    let apt = match word {
        "assigned" | "granted" => {
            reader.is(preposition, "to") && matches!(title, Some([Perm | Role]))
        }
        "covers" | "links" => matches!(title, Some([Constraint | Index | Key, ..])),
        _ => title != Some(&[Role]) || word == "inherits",
    };
    let apt = apt && !reader.is_mark(subject, b'-');
    let opens = reader.opens_sentence(subject) && reader.look(subject).is_plain()
        || word == "joins" && reader.says(subject, any_of!("query statement view"));
    (named && apt && (opens || is_named(reader, subject))).then_some(kinds)
}

/// The name before the verb at `verb`, behind which it "is granted"; that which the sentence opens with in "Package
/// harbor imports x and depends on y", "Column pier_id in boats references piers".
fn subject(reader: &Reader<'_, '_>, verb: usize) -> Option<usize> {
    const LONGEST: usize = 16;
    let before = reader.before(verb)?;
    let opens = |title: &usize| {
        let first = led_by(reader, *title, &[any_of!("The")]);
        is_title(reader, *title) && reader.opens_sentence(first.unwrap_or(*title))
    };
    let first = |before: usize| {
        let title = (before.saturating_sub(LONGEST)..before).rev().find(opens)?;
        let name = reader.skip_space(title + 1);
        (!reader.is_in(name, NOT_NAMES)).then_some(name)
    };
    match reader.word(before) {
        "is" | "was" => reader.before(before),
        "and" => first(before),
        _ => led_by(reader, before, &[any_of!("in of on")])
            .and_then(first)
            .or(Some(before)),
    }
}

/// Whether the word at `at` is a name, by what it looks like or by what stands before it.
pub(super) fn is_named(reader: &Reader<'_, '_>, at: usize) -> bool {
    let title = reader.left(at);
    let proper = reader.look(at) == Look::Capital && !is_ordinary(reader.word(at));
    !reader.is_word(at)
        || !reader.look(at).is_ordinary()
        || proper
        || reader.is_any(title, b"./")
        || is_flag(reader, at)
        || is_title(reader, title)
        // "The orders table"
        || is_title(reader, at) && reader.before(at).is_some() && !is_determiner(reader, title)
}

/// "trips has column fare", "fare is a column of trips", "the default of limit is 20": what the sentence
/// says that the name up to `to` is.
pub(super) fn told(reader: &Reader<'_, '_>, at: usize, to: usize) -> Option<&'static [Kind]> {
    if is_default(reader, at, to) {
        return Some(&[Value]);
    }
    let single = to == at + 1;
    let next = reader.skip_space(to);
    let name = !single || !reader.is_in(at, NOT_NAMES) && reader.word(at).len() > 1;
    let bare = reader.opens_sentence(at)
        || !single
        || !reader.look(at).is_ordinary()
        || is_behind_place(reader, at);
    if !name || next == to && next < reader.scan.tokens.len() {
        return None;
    }
    match reader.word(next) {
        _ if has(reader, next) => owner_of(reader, next).filter(|_| bare),
        "is" | "was" if bare && reader.says(reader.skip_space(next + 1), any_of!("a an the")) => {
            let first = reader.skip_space(reader.skip_space(next + 1) + 1);
            let (at, kinds) = cue_near(reader, first)?;
            let then = reader.word(reader.skip_space(at + 1));
            let ends =
                ends_clause(reader, at) || any_of!("for from in of on that which with").has(then);
            (ends && !matches!(kinds, [Value | Line | Num | Version, ..])).then_some(kinds)
        }
        verb => {
            let of = led_by(reader, at, &[any_of!("for of")])?;
            let plain = single && reader.look(at).is_plain();
            // "the type of berth is TEXT"
            let typed = reader.is_in(reader.skip_space(next + 1), TYPE_WORDS);
            if plain && reader.is(reader.left(of), "type") && verb == "is" && typed {
                return Some(&[Col, Field, Var, Param, Id]);
            }
            let value = reader.skip_space(next + 1);
            let told = plain && (is_default_of(reader, of) || is_default(reader, value, value + 1));
            (told && any_of!("is was equals").has(verb)).then_some(&[Param, Config, Id])
        }
    }
}

/// "In table stays, tail is a column": whether nothing but where it is stands before the word at `at`.
fn is_behind_place(reader: &Reader<'_, '_>, at: usize) -> bool {
    const LONGEST: usize = 12;
    let comma = reader
        .before(at)
        .filter(|comma| reader.is_mark(*comma, b','));
    comma.is_some_and(|comma| {
        let mut before = comma.saturating_sub(LONGEST)..comma;
        before.any(|at| reader.is(at, "In") && reader.opens_sentence(at))
    })
}

/// Whether the stretch is what "The default value of mode is" ends with, or "The value of mode is", or "mode has the
/// default".
pub(super) fn is_default(reader: &Reader<'_, '_>, at: usize, to: usize) -> bool {
    const LONGEST: usize = 16;
    let quote = |at: usize| reader.is_any(at, b"`\"'");
    let mut verb = reader.left(at);
    if quote(verb) {
        verb = reader.left(verb);
    }
    if reader.is(verb, "default") {
        let other =
            reader.is_in(at, NOT_NAMES.or(CUE)) || reader.says(at, any_of!("behavior behaviour"));
        return !other && is_held(reader, verb) && ends_clause(reader, to - 1);
    }
    if !reader.says(verb, any_of!("equals is was")) {
        return false;
    }
    let mut before = (verb.saturating_sub(LONGEST)..verb).rev();
    let Some(of) = before.find(|of| reader.says(*of, any_of!("for of"))) else {
        return false;
    };
    let value = reader.is(reader.left(of), "value");
    let by_default = is_default_of(reader, of);
    let number = reader.is_number(at);
    let word = reader.word(at);
    // "The value of a page is"
    let one = reader.left(verb) == reader.skip_space(of + 1);
    // "The default of mode is slow" tells none.
    let describes = !(value && by_default) && reader.is_in(at, COMPOUND)
        || reader.is_in(at, NOT_NAMES.or(DESCRIBING).or(LANGUAGE))
        || is_participle(word)
        || is_adjective(word);
    let ends = ends_clause(reader, to - 1) || quote(to) || number;
    (by_default || value && one) && (number || !describes) && ends
}

/// "Parameter order has the default", whose name is behind it: a setting has one by itself, "The client has the
/// default timeout" only says which.
fn is_held(reader: &Reader<'_, '_>, default: usize) -> bool {
    let the = led_by(reader, default, &[any_of!("a the")]).unwrap_or(default);
    let verb = reader.left(the);
    let subject = reader
        .before(verb)
        .filter(|_| has_value(reader, verb) || reader.is(verb, "with"));
    let title = |at: usize| prose::cue_kinds(reader, reader.left(at));
    subject.is_some_and(|at| matches!(title(at), Some([Param | Config, ..])))
}

/// "default of", "default value of"
fn is_default_of(reader: &Reader<'_, '_>, of: usize) -> bool {
    let which = reader.left(of);
    let default = match reader.is(which, "value") {
        true => reader.left(which),
        false => which,
    };
    reader.is(default, "default")
}

/// "has a column fare": what it is that has this, by the verb at `verb`.
pub(super) fn owner_of(reader: &Reader<'_, '_>, verb: usize) -> Option<&'static [Kind]> {
    let (cue, kinds) = cue_near(reader, reader.skip_space(verb + 1))?;
    let which = reader.word(reader.left(cue));
    match kinds {
        [Col | Field | Index | Constraint, ..] => Some(&[Table, Class, Id]),
        [Key, ..] if any_of!("foreign primary").has(which) => Some(&[Table, Id]),
        [Method, ..] => Some(&[Class, Type, Id]),
        [Perm, ..] => Some(&[Role, Id]),
        _ => None,
    }
}

/// The first cue of the next words from `at` on, and what it announces.
pub(super) fn cue_near(reader: &Reader<'_, '_>, at: usize) -> Option<(usize, &'static [Kind])> {
    const NEAR: usize = 3;
    let mut at = at;
    for _ in 0..NEAR {
        // "has 3 columns"
        if !reader.is_alphanumeric(at) {
            return None;
        }
        if let Some(kinds) = prose::cue_kinds(reader, at) {
            return Some((at, kinds));
        }
        at = reader.skip_space(at + 1);
    }
    None
}

/// "retries = 5", "sets retries to 5", "retries defaults to 5".
fn is_assigned(reader: &Reader<'_, '_>, at: usize) -> bool {
    let next = reader.skip_space(at + 1);
    if reader.is_mark(next, b'=') && !reader.is_mark(next + 1, b'=') {
        return true;
    }
    let behind = reader.skip_space(next + 1);
    let sets = any_of!("Set set sets setting");
    if reader.says(reader.left(at), sets) && reader.is(next, "to") {
        return true;
    }
    let set =
        reader.says(next, any_of!("is are be")) && reader.says(behind, any_of!("set configured"));
    let defaults = reader.is(next, "defaults") && reader.is(behind, "to");
    (set || defaults) && reader.look(at).is_plain() && is_bare(reader, at)
}

/// "pace=brisk is the default", "depth = high": what the assigned name is.
fn is_given(reader: &Reader<'_, '_>, at: usize) -> bool {
    let sign = reader.left(at);
    reader.is_mark(sign, b'=') && reader.is_word(reader.left(sign)) && !reader.is_in(at, LANGUAGE)
}

/// `--no-color`: whether the word at `at` ends a flag.
fn is_flag(reader: &Reader<'_, '_>, at: usize) -> bool {
    let mut first = at;
    while first > 1 && reader.is_mark(first - 1, b'-') && reader.is_word(first - 2) {
        first -= 2;
    }
    first > 1 && reader.has_marks(first - 2, b"--")
}

/// "Attack vector is network": the words of CVSS for how an attack comes.
fn is_vector(reader: &Reader<'_, '_>, at: usize) -> bool {
    let vector = [any_of!("Attack attack"), any_of!("vector"), any_of!(": is")];
    reader.says(at, any_of!("adjacent local network physical"))
        && led_by(reader, at, &vector).is_some()
}

/// "a queue called letters", "The token named sweep is …", "goes by the name of sweep": whatever thing it is.
fn christened(reader: &Reader<'_, '_>, at: usize) -> Option<&'static [Kind]> {
    let word = reader.word(at);
    let small = reader.is_in(at, NOT_NAMES);
    if !reader.look(at).is_plain() || small && !BASE_FORMS.has(word) {
        return None;
    }
    if is_renamed(reader, at) {
        return Some(&[Id]);
    }
    let before = reader.before(at)?;
    let of = match reader.is(before, "of") {
        true => reader.left(before),
        false => before,
    };
    let by = [any_of!("by under with"), any_of!("the")];
    if reader.is(of, "name") && led_by(reader, of, &by).is_some() {
        return Some(&[Id]);
    }
    let verb = listing(reader, at, &|verb| any_of!("called named titled").has(verb))?;
    let mut noun = reader.before(verb)?;
    let is = reader.says(noun, any_of!("are is was were"));
    if is {
        noun = reader.before(noun)?;
    }
    // "is called twice", "are named badly", "uses named pipes", "newly named files"
    let how = word.ends_with("ly")
        || reader.is(verb, "called")
            && any_of!("back earlier early home late often soon twice").has(word);
    let other = NOT_NAMES.or(VERB).or(DETERMINER);
    let thing = reader.is_word(noun)
        && (is || !reader.is_in(noun, other) && !reader.word(noun).ends_with("ly"));
    let one = verb == before || is_many(reader.word(noun));
    let kinds = prose::cue_kinds(reader, noun).unwrap_or(&[Id]);
    (thing && one && !how).then_some(kinds)
}

/// "was renamed to atlas", "was renamed from trunk to harvest"; not "renamed to tell what it holds".
fn is_renamed(reader: &Reader<'_, '_>, at: usize) -> bool {
    const RENAMES: &Words = any_of!("Rename rename renamed renames");
    let Some(preposition) = led_by(reader, at, &[any_of!("from to")]) else {
        return false;
    };
    let renamed = |at: usize| led_by(reader, at, &[RENAMES]).is_some();
    let verb = reader.left(preposition);
    // "renamed the option mode to strategy"
    let far = (0..3).try_fold(preposition, |at, _| {
        reader.before(at).filter(|at| reader.is_word(*at))
    });
    let of_thing = far.is_some_and(|far| reader.says(far, RENAMES) || renamed(far));
    let next = reader.skip_space(at + 1);
    let ends = ends_clause(reader, at)
        || reader.says(next, any_of!("and because before by in on since to when"));
    ends && (renamed(preposition)
        || of_thing && reader.is(preposition, "to")
        || led_by(reader, verb, &[RENAMES, any_of!("from")]).is_some())
}

/// "Queue emails is drained", "The view breeze shows …", "The sweep job runs …", "is given to group interns.": by the
/// noun beside it for a thing that has a name.
fn titled(reader: &Reader<'_, '_>, at: usize) -> Option<&'static [Kind]> {
    let title = reader.before(at).filter(|title| title + 1 < at)?;
    let word = reader.word(at);
    if !reader.look(at).is_plain() {
        return None;
    }
    let next = reader.skip_space(at + 1);
    let determined = |noun: usize| reader.says(noun, any_of!("The the"));
    let many = is_many(word) && !word.ends_with("us");
    // Of what two words say together the verb has the number of the second.
    let apart = many && reader.word(next).ends_with('s');
    if determined(title) {
        let kinds = prose::title_kinds(reader, next)?;
        let then = reader.skip_space(next + 1);
        let finite = is_verb(reader, then);
        // "The orders queue is drained": other words may only say how it is or which sort of queue.
        let sorts = many && is_ordinary(word) && !reader.says(next, any_of!("group team"));
        let named = sorts && reader.is_in(next, TITLE) && (finite || ends_clause(reader, next))
            || finite
                && !prose::names_any(reader, next)
                && is_callable(reader, at)
                && !ends_in(word, "est en")
                && !QUALITIES.has(word);
        return named.then_some(kinds);
    }
    let kinds = prose::title_kinds(reader, title)?;
    if HEADS.has(word) {
        return None;
    }
    let acts = is_verb(reader, next)
        || is_running(reader, next)
        || acts_on(reader, next)
        || reader.says(next, any_of!("joins references"));
    // "The materialized view mist is", "The service account harbor is"
    let mut which = reader.left(title);
    let sort = is_adjectival(reader, which) || reader.says(which, any_of!("cron message service"));
    let sorted = sort && !reader.is_in(which, NOT_NAMES);
    let opens = reader.opens_sentence(title) || sorted && reader.opens_sentence(which);
    if opens && is_served(reader, at, kinds) {
        return Some(kinds);
    }
    if sorted {
        which = reader.before(which).unwrap_or(which);
    }
    // "The service billing restarts", not "The service billing fails"
    let runs = is_running(reader, next) && reader.is_in(title, TITLE) && word.ends_with("ing");
    let callable = || is_its_name(reader, at) || kinds == [Role] && is_person(reader, at);
    let apt = || (apart || runs || callable()) && !has_object(reader, at);
    let named = match opens {
        true => acts && apt(),
        false if acts && determined(which) => apt(),
        false => {
            let thing = reader.is_in(title, TITLE);
            // "from server logs", "to group policies", "by queue length"; not "from queue emails"
            let one = singular(word);
            let parts = any_of!(
                "batch color document environment log mesh priority process request response sensor thread"
            );
            let part = SORTED.has(one)
                || is_aspect(word)
                || many
                    && (parts.has(one)
                        || words::is_in(CUE.or(TITLE), one)
                        || word.ends_with("ies"));
            let apt = !part && (thing || kinds == [Role] && callable());
            // "is set by the job unload", "adds the command unload", "is signed with key unload"
            let key = matches!(kinds, [Key, ..]);
            let placed = |at: usize| {
                reader.says(
                    at,
                    any_of!("at by from in into of on through to under via with"),
                ) && (!key || is_participle(reader.word(reader.left(at))))
                    || matches!(kinds, [Cmd | Table]) && is_many(reader.word(at))
            };
            let place = match reader.is(which, "the") {
                true => reader.before(which),
                false => Some(which).filter(|_| key),
            };
            let behind = kinds != [Path] && place.is_some_and(placed) && is_its_name(reader, at);
            (apt && is_bare(reader, title) || behind) && ends_clause(reader, at)
        }
    };
    named.then_some(kinds)
}

/// Whether the word at `at` may be what people are called for what they do, and no part of a program.
fn is_person(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    let one = singular(word);
    one.ends_with("er") && !AGENTS.has(one) && !words::is_in(OF_TRADE, one)
}

/// Words of the trade, and what it has names for.
pub(super) const OF_TRADE: List = KNOWN.or(CUE).or(TITLE).or(LANGUAGE);

/// What parts of programs are called for what they do.
const AGENTS: &Words = any_of!(
    "buffer controller counter filter identifier layer manager owner parameter pointer register router scheduler"
);

/// Whether the word at `at` says what only programs do.
fn is_running(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.says(at, any_of!("crashes exits polls reboots restarts retries"))
}

/// "Header trace is sent", "Endpoint health returns 200": by what is said of the word at `at` alone, as it may be one
/// of the trade's.
fn is_served(reader: &Reader<'_, '_>, at: usize, kinds: &[Kind]) -> bool {
    let verb = reader.skip_space(at + 1);
    let said = match kinds {
        [Param] => {
            let how = reader.skip_space(verb + 1);
            let sent = reader.says(
                how,
                any_of!("absent forwarded missing optional present required sent"),
            );
            is_verb(reader, verb) && sent && !reader.is_in(at, COMMON)
        }
        [Endpoint] => reader.says(verb, any_of!("answers redirects responds returns")),
        _ => false,
    };
    let word = reader.word(at);
    said && !reader.is_in(at, CUE) && !is_abstract(word)
}

/// Whether the word at `at`, beside a noun for a thing that has a name, is seldom said of such things: "harbor", not
/// "manager", "rotation", "pool".
pub(super) fn is_callable(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    // "courier", "visitor"; not "holder", "iterator", which English makes of verbs
    let agent = ends_in(word, "er sor tor");
    let own = agent && ordinary::is_listed(word) && !AGENTS.has(word);
    let adjectival = match own {
        true => reader.is_in(at, DESCRIBING.or(COMPOUND)),
        false => agent || is_adjectival(reader, at),
    };
    !reader.is_in(at, OF_TRADE) && !adjectival && !is_abstract(word) && !SORTED.has(singular(word))
}

/// Whether the word at `at`, which ends what is said behind an article and a noun for a thing that has a name, is that
/// name: "from the table people"; not "during the table scan", "leaves the table alone".
pub(super) fn is_its_name(reader: &Reader<'_, '_>, at: usize) -> bool {
    /// Nouns that others say the sort of, and words that say how or when something is done or is left.
    const LAST: &Words = any_of!(
        "\
        administrator alone anew apart away backlog canvas cell chat clean correct delta descriptor diagram diff dirty dump exchange \
        failover fast flat forever fresh guide hot idea idle insight intact late later layout live loose manifest membership os \
        outage overall payload position prefix press quiet rewrite right separator sharp soon spec stable stale store strong \
        suffix theft tip together too twice weak well wrong"
    );
    is_callable(reader, at) && !LAST.has(reader.word(at))
}

/// The name before the words up to `at` that say which sort of thing it is: "the harvest query parameter".
pub(super) fn behind_sorts(reader: &Reader<'_, '_>, at: usize) -> Option<usize> {
    const MOST: usize = 2;
    let mut which = at;
    for _ in 0..MOST {
        which = reader
            .before(which)
            .filter(|_| reader.is_in(which, DESCRIBING))?;
        if !reader.is_in(which, DESCRIBING) {
            break;
        }
    }
    let determined = reader.says(reader.left(which), any_of!("The the"));
    let plain = reader.look(which).is_plain() && !reader.is_in(which, DESCRIBING);
    (determined && plain && is_callable(reader, which)).then_some(which)
}

/// A noun without the ending of its plural, where it has that.
fn singular(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

/// What a noun before them only says the sort of: "worker pool", "key fingerprint".
const SORTED: &Words = any_of!(
    "\
    agent attack bar board bus cabinet card catalog chain clock cost depth edge engine fingerprint flow fund \
    gallery graph guard handle harness health home icon id lag layer leaf load lock logic loop mail map mask mesh \
    mode pair pattern pool prompt proxy quality quota ring room scan space story structure suite syntax tree usage web window zone"
);

/// Whether the word says what things have or what happens to them: "table size", "role changes".
pub(super) fn is_aspect(word: &str) -> bool {
    const ASPECTS: &Words = any_of!(
        "\
        access age change cleanup content cost count data deletion depth design error failure growth health lag length limit \
        load lookup loss metadata output position pressure quality quota review row scan size state statistic throughput \
        traffic update usage volume"
    );
    ASPECTS.has(word) || ASPECTS.has(singular(word))
}

/// Words that say how things are and that no ending tells.
const QUALITIES: &Words = any_of!(
    "\
    black blue brown cron gray green left main red white"
);

/// "toString and equals are …": beside something that is written as no word is.
fn is_listed(reader: &Reader<'_, '_>, at: usize) -> bool {
    let joins = |at: usize| reader.says(at, any_of!("and or"));
    let name = |at: usize| {
        let look = reader.look(at);
        !look.is_ordinary() && look != Look::Number && !reader.is_well_known(at)
    };
    if !reader.look(at).is_plain() {
        return false;
    }
    let next = reader.skip_space(at + 1);
    let before = led_by(reader, at, &[any_of!("and or")]);
    let behind = before.is_some_and(|and| name(reader.left(and)));
    let ahead = joins(next) && name(reader.skip_space(next + 1)) && is_bare(reader, at);
    let ends = || {
        is_verb(reader, next)
            || reader.says(next, any_of!("are have were"))
            || ends_clause(reader, at)
    };
    behind && ends() || ahead
}

/// "The keys host, port and user are required", "Labels bug and docs were added": a list behind a noun in the plural,
/// which has nothing but names between it and its verb. Not "Tests pass and builds are green".
fn apposed(reader: &Reader<'_, '_>, at: usize) -> Option<&'static [Kind]> {
    const MOST: usize = 8;
    let plain = |at: usize| {
        reader.look(at).is_plain() && !reader.is_in(at, NOT_NAMES) && reader.word(at).len() > 1
    };
    let noun = listing(reader, at, &|word| is_many(word) && word.len() > 3)?;
    let which = reader.left(noun);
    let determined = is_determiner(reader, which) || reader.is(which, "The");
    if reader.is_in(noun, NOT_NAMES) || !determined && !reader.opens_sentence(noun) {
        return None;
    }
    let cue = prose::cue_kinds(reader, noun);
    let one = |ending| {
        let one = reader.word(noun).strip_suffix(ending);
        one.is_some_and(|one| words::is_in(TITLE, one))
    };
    let named = cue.is_some() || one("s") || one("es");
    let first = reader.skip_space(noun + 1);
    let (mut last, mut count, mut many, mut said) = (first, 0, 0, 0);
    loop {
        if !plain(last) || count == MOST {
            return None;
        }
        count += 1;
        many += usize::from(is_many(reader.word(last)));
        said += usize::from(is_adjectival(reader, last));
        match prose::conjunction(reader, last + 1) {
            Some(next) => last = next,
            None => break,
        }
    }
    let joined = reader.says(reader.left(last), any_of!("and or"));
    let next = reader.skip_space(last + 1);
    let verb = reader.says(next, any_of!("are have were"))
        || named && reader.says(next, any_of!("can cannot may must need should take will"));
    let alike = many == 0 || many == count || !is_many(reader.word(last));
    let acts = || words::is_in(VERB, &[reader.word(first), "s"].concat());
    // "Jobs fail and people are paged", "Tickets open and mail is lost"
    let plural = || reader.says(last, any_of!("data mail media people staff"));
    let bare = !determined && (!named || acts() || plural());
    let apt = !bare && (alike || named && !acts());
    let listed = joined && verb && said < count && apt;
    listed.then_some(cue.unwrap_or(&[Id]))
}

/// "filters on state", "sorted by due": what rows are told apart by.
fn is_sorted_by(reader: &Reader<'_, '_>, at: usize) -> bool {
    const SORTS: &Words =
        any_of!("filter group index join key order partition select sort unique cluster");
    let Some(by) = led_by(reader, at, &[any_of!("by on")]) else {
        return false;
    };
    let word = reader.word(reader.left(by));
    let stem = word.strip_suffix("ed").or(word.strip_suffix('s'));
    let how = any_of!("day default hand hour minute month quarter week year");
    SORTS.has(stem.unwrap_or(word))
        && reader.look(at).is_plain()
        && !reader.says(at, how)
        && ends_clause(reader, at)
}

/// "Inserting into harbor needs …", "Rows are deleted from parcels": where rows come and go.
fn is_filled(reader: &Reader<'_, '_>, at: usize) -> bool {
    const MOVING: &Words = any_of!("deleting inserting selecting");
    const MOVES: &Words = any_of!(
        "delete deleted deletes deletion deletions insert inserted insertion insertions inserts select selected \
        selection selections selects"
    );
    let Some(from) = led_by(reader, at, &[any_of!("from into")]) else {
        return false;
    };
    // "deleted from disk"
    let many = is_many(reader.word(at));
    let verb = |at: usize| {
        reader.says_in_any_case(at, MOVING) || many && reader.says_in_any_case(at, MOVES)
    };
    let next = reader.skip_space(at + 1);
    let ends = ends_clause(reader, at)
        || reader.is_in(next, VERB.or(NOT_NAMES))
        || reader.word(next).ends_with('s');
    let named = reader.look(at).is_plain() && !reader.is_in(at, KNOWN.or(CUE).or(LANGUAGE));
    // "Selecting zone from stalls"
    let moved = reader.left(from);
    named && ends && (verb(moved) || verb(reader.left(moved)))
}

/// "the guest account", "User root can …", "Service account exporter may …", "User deploy assumes role x", "The service
/// account backup was locked": the account that it is.
fn is_account(reader: &Reader<'_, '_>, at: usize) -> bool {
    /// Names that accounts have wherever there are any.
    const ACCOUNTS: &Words = any_of!("admin anonymous guest nobody root superuser");
    /// What users and accounts have: "the user interface was locked".
    const PARTS: &Words = any_of!(
        "access account agent base data directory email experience form group holder id interface key limit list login name \
        owner page password policy pool profile record role secret session store table team token usage user"
    );
    let title = reader.left(at);
    let next = reader.skip_space(at + 1);
    if ACCOUNTS.has(reader.word(at)) {
        // "as user root", "The account admin connects to …", not "the user guest list"
        let said = || {
            ends_clause(reader, at)
                || reader.is_in(next, VERB.or(NOT_NAMES)) && !reader.is(next, "is")
                || acts_on(reader, next)
        };
        return reader.says(next, any_of!("account user"))
            || reader.says(title, any_of!("Account User"))
            || reader.says(title, any_of!("account user")) && said();
    }
    // What accounts alone do, and what is done to them.
    let then = reader.skip_space(next + 1);
    let done = any_of!("banned granted locked suspended");
    let acts = reader.is(next, "assumes")
        || reader.is(next, "logs") && reader.is(then, "in")
        || reader.says(then, done) && is_said(reader, then);
    // "Service account exporter may …", not "Service account keys", "service account rotation"
    let word = reader.word(at);
    let service = || {
        reader.says(reader.left(title), any_of!("Service service"))
            && is_verb(reader, next)
            && !(is_verb(reader, at) || is_many(word) || is_abstract(word))
            && !reader.is_in(at, NOT_NAMES)
    };
    (acts || service()) && reader.says(title, any_of!("User account user"))
        && reader.look(at).is_plain()
        && !reader.says(at, PARTS)
        // "The user normally logs in", "The service account nightly has …"
        && (service() || !word.ends_with("ly"))
        && (reader.opens_sentence(title)
            || reader.says(reader.left(title), any_of!("Service The service the")))
}

/// "In coupons, the column …", "the column status of tickets": whose column it is.
fn owner(reader: &Reader<'_, '_>, at: usize) -> Option<&'static [Kind]> {
    /// How far before the preposition the column may stand, in words.
    const NEAR: usize = 3;
    let text = reader.word(at);
    // "an index out of bounds" is of nothing.
    let preposition = led_by(reader, at, &[any_of!("from in In of on to")])
        .filter(|preposition| !reader.is(reader.left(*preposition), "out"))?;
    // "Method colour of harbor is pure", not "The method of payment", "The parameter length of time"
    let member = reader.before(preposition).filter(|member| {
        reader.is(preposition, "of")
            && reader.is_word(*member)
            && !reader.is_in(*member, NOT_NAMES)
            && !HEADS.has(reader.word(*member))
    });
    // "The primary key of harbor is hull", "The index covers colour of stalls"
    let keyed = member.is_some_and(|member| {
        is_row_key(reader, member) || matches!(object(reader, member), Some([Col, ..]))
    });
    let whole: Option<&'static [Kind]> =
        match member.and_then(|member| prose::cue_kinds(reader, reader.before(member)?)) {
            _ if keyed => Some(&[Table, Id]),
            Some([Method, ..]) => Some(&[Class, Id]),
            Some([Func, ..]) => Some(&[Module, Id]),
            Some([Param, ..]) => Some(&[Func, Method, Cmd, Id]),
            _ => None,
        };
    let next = reader.skip_space(at + 1);
    let acts = ends_clause(reader, at) || is_verb(reader, next) || reader.is(next, "references");
    if whole.is_some() && acts && reader.look(at).is_plain() && is_callable(reader, at) {
        return whole;
    }
    let plural = is_many(text) && !text.ends_with("us");
    if !plural || !reader.look(at).is_plain() {
        return None;
    }
    let is_part = |at: usize| {
        let kinds = prose::cue_kinds(reader, at);
        matches!(kinds, Some([Col | Field | Index | Constraint, ..])) || reader.is(at, "key")
    };
    let part_before = || {
        let mut place = preposition;
        for _ in 0..NEAR {
            place = reader.left(place);
            if !reader.is_word(place) || is_part(place) {
                break;
            }
        }
        is_part(place)
    };
    let mut next = reader.skip_space(at + 2);
    if is_determiner(reader, next) {
        next = reader.skip_space(next + 1);
    }
    let opens = reader.opens_sentence(preposition) && reader.is_mark(at + 1, b',') && is_part(next);
    (opens || acts && part_before()).then_some(&[Table, Id])
}

/// "primary key": what tells rows apart.
fn is_row_key(reader: &Reader<'_, '_>, at: usize) -> bool {
    let which = any_of!("composite foreign primary unique");
    reader.is(at, "key") && reader.says(reader.left(at), which)
}

/// "The primary key of harbor is hull"
fn is_key_column(reader: &Reader<'_, '_>, at: usize) -> bool {
    let is = led_by(reader, at, &[any_of!("is was")]);
    let key =
        is.and_then(|is| led_by(reader, reader.before(is)?, &[any_of!("key"), any_of!("of")]));
    key.is_some_and(|key| is_row_key(reader, key))
        && ends_clause(reader, at)
        && is_callable(reader, at)
}
