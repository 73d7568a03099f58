//! Whether a word beside a cue is the name that it announces, or what is said of the thing: "the field pending", not
//! "the field name".

use super::grammar::{
    KNOWN, ends_clause, ends_in, has, has_object, has_value, is_abstract, is_adjectival, is_adverb,
    is_bare, is_cut, is_determiner, is_helped, is_many, is_ordinary, is_participle, is_title,
    is_verb, led_by, listing,
};
use super::placed::{cue_near, is_aspect, is_callable, is_its_name, is_named, owner_of};
use super::{Reader, Reading, prose};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        look::Look,
        ordinary,
        words::{
            self, CUE, DESCRIBING, DETERMINER, LANGUAGE, NOT_NAMES, SMALL_NAMES, VERB, Words,
            any_of,
        },
    },
};

/// Whether a small word behind a cue is the name that it announces: "Method get returns …", "the
/// parameter since is …", not "the field value is …".
pub(super) fn is_small_name(reader: &Reader<'_, '_>, at: usize) -> bool {
    let cue = reader.left(at);
    let word = reader.word(at);
    let many = is_many(reader.word(cue));
    // "column cell_id of table calls"
    let table = prose::cue_kinds(reader, cue) == Some(&[Table]) && !many && word.ends_with('s');
    // "Table grants has column stage"
    let next = reader.skip_space(at + 1);
    let owns = || has(reader, next) && cue_near(reader, reader.skip_space(next + 1)).is_some();
    if table && is_bare(reader, cue) && (ends_clause(reader, at) || owns()) {
        return true;
    }
    if !SMALL_NAMES.has(word) {
        return false;
    }
    // Words that stand behind a noun in their own role, too, are names where that cannot be.
    let joins = |at: usize| reader.says(at, any_of!(", and or"));
    match word {
        // "Parameters from and to are dates"
        _ if many => joins(next),
        _ if joins(cue) => ends_clause(reader, at) || reader.says(next, any_of!("are have")),
        // "Table items has column next"
        _ if is_owned(reader, cue, at) => true,
        _ if BASE_FORMS.has(word) => is_bare(reader, cue) || has_value(reader, next),
        "first" | "last" | "next" | "once" => {
            is_bare(reader, cue) && (is_verb(reader, next) || reader.is(next, "of"))
        }
        _ => is_verb(reader, next),
    }
}

/// "Table items has column next", "Class Basket has a method get that …": whether the word at `at` can only be what the
/// thing is called whose cue is before it.
fn is_owned(reader: &Reader<'_, '_>, cue: usize, at: usize) -> bool {
    let article = led_by(reader, cue, &[any_of!("a an")]);
    let verb = reader.left(article.unwrap_or(cue));
    let owner = reader.left(verb);
    // "Each row has a column count" only counts.
    let named = || is_named(reader, owner) && !reader.is_in(reader.left(owner), DETERMINER);
    reader.says(verb, any_of!("contains has includes"))
        && (article.is_none() || named())
        && (ends_clause(reader, at) || is_told(reader, at))
}

/// "that returns a price", "of type TEXT": whether what the word at `at` names is told of behind it.
fn is_told(reader: &Reader<'_, '_>, at: usize) -> bool {
    let that = reader.skip_space(at + 1);
    let then = reader.skip_space(that + 1);
    reader.is(that, "that") && is_verb(reader, then)
        || reader.is(that, "of") && reader.says(then, any_of!("length type"))
}

/// Of [`SMALL_NAMES`] those that no noun in the singular has behind it but as its name.
pub(super) const BASE_FORMS: &Words =
    any_of!("add get give hold keep make need query return see set type use value");

/// Whether a small word before a cue is its name: "the set method", "the value column", "the view
/// permission".
pub(super) fn is_small_name_before(reader: &Reader<'_, '_>, at: usize, cue: &[Kind]) -> bool {
    let word = reader.word(at);
    match cue {
        [Method | Func, ..] => any_of!("add get set").has(word),
        [Col | Field, ..] => any_of!("query type value").has(word),
        [Perm, ..] => {
            let which = reader.word(reader.left(at));
            let allowed = any_of!("The a an no the").has(which)
                || which.ends_with('s') && words::is_in(VERB, which);
            let verb = BASE_FORMS.has(word) || word == "test";
            allowed && (verb || reader.is_in(at, CUE.or(LANGUAGE)) && !reader.is_in(at, NOT_NAMES))
        }
        _ => false,
    }
}

/// Whether a plain word behind a cue is what is said of the thing: "the function consumes the buffer",
/// "values given by", "the option wasn't", "the column name".
pub(super) fn is_no_name(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    let next = reader.skip_space(at + 1);
    let cue = reader.left(at);
    let determined = is_determiner(reader, next) && !is_told(reader, at);
    let placed = reader.says(next, any_of!("as at by from in into on to with"));
    // "the users table"
    let headed = || {
        prose::cue_kinds(reader, at)
            .is_some_and(|kinds| is_cue_name(reader, cue, kinds, is_many(word)))
            && !reader.says(next, any_of!(", and or"))
    };
    let bare = is_bare(reader, cue);
    let single = reader.is_in(cue, CUE) && !is_many(reader.word(cue));
    // "The role permissions are …", "Field names are …", not "Role admins are …"
    let compound = single
        && (!bare || reader.opens_sentence(cue) && HEADS.has(word))
        && is_many(word)
        && reader.says(next, any_of!("are have were"));
    let said = word.ends_with('s') && determined
        || word.ends_with("ed") && (determined || placed)
        || is_adverb(reader, cue, at);
    // "the fields length and width"
    let joins = |at| reader.says(at, any_of!(", and or"));
    let listed = is_many(reader.word(cue)) && joins(next) || joins(cue);
    let head = word.starts_with("name") || !has_value(reader, next) && !listed;
    let member = || {
        let kinds = prose::cue_kinds(reader, cue);
        matches!(kinds, Some([Col | Field | Method, ..])) && is_owned(reader, cue, at)
    };
    let part = HEADS.has(word) && !bare && head && !member();
    let does = single
        && !bare
        && can_act(prose::cue_kinds(reader, cue).unwrap_or_default())
        && has_object(reader, at);
    is_cut(reader, at)
        || part
        || ordinary::is_ordinary(word) && (said || compound || does || is_done(reader, cue, at))
        || headed()
}

/// "Tables grow slowly", "Options follow the command": whether the word at `at` may be what several things do.
pub(super) fn may_act(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    let plain = reader.reading == Reading::Claim && reader.look(at).is_plain();
    plain && is_ordinary(word) && !is_many(word)
}

/// Whether an ordinary word behind a cue may only say with it what a thing is: "a type error", "the class loader",
/// "class loading"; not "of table visits", "The table menu has a field".
pub(super) fn may_describe(reader: &Reader<'_, '_>, at: usize, cue: &[Kind]) -> bool {
    let word = reader.word(at);
    let Some(noun) = reader.before(at).filter(|noun| reader.is_in(*noun, CUE)) else {
        return false;
    };
    let verb = reader.skip_space(at + 1);
    let plain = reader.reading == Reading::Claim && reader.look(at).is_plain();
    let relates = reader.says(
        verb,
        any_of!("calls declares exports extends imports joins references"),
    );
    let owns = || has(reader, verb) && cue_near(reader, reader.skip_space(verb + 1)).is_some();
    if !plain || !is_ordinary(word) || relates || owns() {
        return false;
    }
    // "The table size is", "a role change"
    let aspect = is_aspect(word) || is_abstract(word) && !word.ends_with("ing");
    // "prints role permissions", not "the table permissions"
    let held = reader.is_in(at, CUE) || any_of!("calls names paths").has(word);
    if is_many(word) && held && !is_verb(reader, verb) && !matches!(cue, [Table | Schema | Db, ..])
    {
        return true;
    }
    if aspect && !cue.iter().any(|kind| PART_KINDS.contains(kind)) {
        return true;
    }
    let bare = is_bare(reader, noun);
    // "Module billing was removed", "The schema archived is old": what acts is no participle, and no ordinary
    // noun of its own behind an article.
    let object = reader.skip_space(verb + 1);
    // "Module parsing reads files", "Index listing speeds up reading"
    let objects = || {
        is_determiner(reader, object)
            || reader.says(
                object,
                any_of!("down how off on out over up what whether who"),
            )
            || reader.look(object).is_plain() && is_many(reader.word(object))
    };
    let acts = is_verb(reader, verb) || is_many(reader.word(verb)) && !is_many(word) && objects();
    let ends = ends_clause(reader, at);
    let (doing, done) = (word.ends_with("ing"), word.ends_with("ed"));
    let done_to = ACTIONS.has(word);
    let part = HEADS.has(word);
    // "The field missing from the table", "The role assigned is a new one"
    let takes =
        reader.is(verb, "from") || is_determiner(reader, verb) || !reader.is_in(verb, NOT_NAMES);
    if !bare && (doing && takes && !acts && !ends || done && done_to) {
        return true;
    }
    let participle = (doing || done) && !done_to;
    let apt = || word.ends_with("ly") || is_its_name(reader, at);
    let typed = || matches!(cue, [Type, ..]) && is_callable(reader, at);
    if !part
        && (participle && (acts || doing && ends)
            || acts && !bare && apt()
            || acts && bare && typed())
    {
        return false;
    }
    // "of the table customer", where a row is one; "in the module garden"
    let joined = || reader.says(verb, any_of!("and by for from in or when with"));
    let row = cue == [Table] && ROWS.has(word);
    let own = || {
        let sort = matches!(cue, [Type, Class, Dtype]) || cue != [Table] && is_many(word);
        !sort && is_its_name(reader, at)
    };
    if !part && (acts || ends || joined()) && (row || own()) {
        return false;
    }
    let abstract_noun = is_abstract(word);
    let head = matches!(word, "check" | "list" | "model" | "range");
    match cue {
        [Type, Class, Dtype] => reader.before(noun).is_none_or(|of| !reader.is(of, "of")),
        [Table] => !bare && !is_many(word) || word.ends_with("ing"),
        [Func, Class, ..] => !bare,
        [Class | Constraint | Db | Module | Pkg | Schema | Type, ..] => !bare || abstract_noun,
        [Perm | Role, ..] => !bare && (abstract_noun || head),
        _ => !bare && head,
    }
}

/// Whether what is of these kinds does something by itself. Columns and tables seldom do.
fn can_act(kinds: &[Kind]) -> bool {
    matches!(
        kinds,
        [
            Class | Config | Func | Method | Module | Param | Role | Var,
            ..
        ]
    )
}

/// What things have or do, which may well be called by what they are: the column `size`, the option `strict`.
const PART_KINDS: [Kind; 9] = [Cmd, Col, Config, Field, Func, Method, Param, Value, Var];

/// What is often told of in rows, a table's name in the singular.
const ROWS: &Words = any_of!(
    "account address booking customer document event invoice item job member message order parcel payment people person plan \
    post product project report request session stock task team ticket user visit"
);

/// What is done with classes, modules, tables and the like: "class loading", "the role assigned".
const ACTIONS: &Words = any_of!(
    "\
    assigned changed created deleted exported granted imported installed invoked loaded passed referenced requested \
    selected specified tested updated \
    aliasing binding bundling caching casting checking generating handling importing indexing inlining loading \
    locking mapping matching mixing mocking naming nesting ordering parsing partitioning pooling pruning reloading \
    resolving scanning sharding sharing splitting testing typing versioning wrapping"
);

/// Whether a cue word before another is its name: "the users table", "the host setting"; not "the table
/// column", where a noun in the singular only says which sort of column.
pub(super) fn is_cue_name(reader: &Reader<'_, '_>, at: usize, cue: &[Kind], cues: bool) -> bool {
    const NAMES: &Words = any_of!(
        "account file group host model permission port release role scope token user version"
    );
    let word = reader.word(at);
    let which = reader.word(reader.left(at));
    let many = is_many(word);
    // "the user roles", "the role roles/reader"
    if cues && !many || prose::cue_kinds(reader, at) == Some(cue) {
        return false;
    }
    // "The crate table has column due_on"
    let next = reader.skip_space(reader.skip_space(at + 1) + 1);
    let owns = cue == [Table] && has(reader, next) && owner_of(reader, next).is_some();
    let apt = owns
        || match cue {
            [
                Cmd | Col | Config | Endpoint | Field | Param | Perm | Role | Table | Var,
                ..,
            ] => many || NAMES.has(word),
            [Class | Func | Method, ..] => many,
            _ => false,
        };
    // "The boats table has a host field", not "A user role"
    let one = matches!(cue, [Col | Field, ..]) && any_of!("a an").has(which);
    apt && reader.look(at).is_plain() && (one || any_of!("The the and or ,").has(which))
}

/// "The clerk role lacks orders:refund", "the parameter limits access": whether the word at `at` is what the
/// thing does whose cue is before it, and no name.
pub(super) fn is_done(reader: &Reader<'_, '_>, cue: usize, at: usize) -> bool {
    let word = reader.word(at);
    let next = reader.skip_space(at + 1);
    let many = is_many(reader.word(cue));
    // "The trips and rides tables share a key"
    let does = is_many(word) && !many || many && !word.ends_with('s') || word.ends_with("ed");
    let Some(name) = reader.before(cue).filter(|_| reader.is_in(cue, CUE)) else {
        return false;
    };
    // Its name stands before the cue and is written as no word is.
    let joined = name > 1 && reader.is_word(name) && reader.is_mark(name - 1, b'-');
    let shaped = !reader.look(name).is_ordinary() && reader.look(name) != Look::Number;
    if reader.is_any(name, b"`\"") || joined || shaped {
        return does || !ends_clause(reader, at) && !is_verb(reader, next);
    }
    let finite = is_verb(reader, next) || reader.says(next, any_of!("are have were"));
    if !does || finite || !reader.is_word(name) {
        return false;
    }
    // "Each column drops …", "If the column drops, …"
    let each = reader.says(name, any_of!("Any Each Every No any each every no"));
    let clause = || {
        let opener = any_of!(
            "After As Because Before If Once Unless Until When While after as because before if once unless until when while"
        );
        reader.says(reader.left(name), opener) && ends_clause(reader, at)
    };
    if !many && (each || clause()) {
        return true;
    }
    let opens = |at: usize| reader.opens_sentence(at);
    let kinds = prose::cue_kinds(reader, cue).unwrap_or(&[]);
    let described = describes(reader.word(name), kinds);
    if is_determiner(reader, name) || reader.is_in(name, DETERMINER) && opens(name) || described {
        // What does nothing by itself is often called by plurals.
        let object = reader.look(next).is_plain()
            && reader.is_word(next)
            && !reader.word(next).ends_with('s')
            && !reader.is_in(next, NOT_NAMES);
        return can_act(kinds) && (opens(name) || described) && object;
    }
    let which = reader.before(name);
    let determined = which.is_some_and(|which| {
        reader.is_in(which, DETERMINER) || many && reader.says(which, any_of!("and or"))
    });
    let subject = which.is_none_or(&opens) || opens(name);
    let plain = reader.look(name).is_plain() && (determined || opens(name))
        || reader.look(name) == Look::Capital && determined;
    plain && !reader.is_in(name, NOT_NAMES) && (subject || !ends_clause(reader, at))
}

/// "can archive tables", "Jobs archive tables": whether the word at `at`, before a cue, is what is done with such things.
/// `many` says whether the cue is in the plural: "moved to archive table 3" has a name.
pub(super) fn is_done_with(reader: &Reader<'_, '_>, at: usize, many: bool) -> bool {
    let before = reader.left(at);
    // "can create and archive tables"
    let joined = reader.says(before, any_of!(", and or"));
    let verb = if joined { reader.left(before) } else { at };
    let helped = is_helped(reader, verb) && (many || !reader.is(reader.left(verb), "to"));
    let word = reader.word(before);
    let several =
        || is_many(word) && is_ordinary(word) || any_of!("They We You they we who you").has(word);
    let ordinary = is_ordinary(reader.word(at));
    let behind = reader.skip_space(at + 3);
    // What is of it: "field values", not "the users table is"
    let part = reader.is_word(behind)
        && reader.look(behind).is_plain()
        && (!reader.is_in(behind, NOT_NAMES.or(VERB))
            || is_many(reader.word(behind)) && ends_clause(reader, behind));
    // "It measures table size", "This checks columns", "The job prints field values"
    let one = || {
        let this = !is_many(word) && is_ordinary(word);
        any_of!("It it which who").has(word)
            || any_of!("This this").has(word) && (many || part)
            || this && !joined && !reader.is_in(before, DETERMINER) && (many || part)
    };
    ordinary
        && match is_many(reader.word(at)) {
            true => one(),
            false => helped || many && several(),
        }
}

/// "config key users is …": the name of a setting, not what it does.
pub(super) fn is_key(reader: &Reader<'_, '_>, at: usize) -> bool {
    let next = reader.skip_space(at + 1);
    let named = !reader.is_in(at, NOT_NAMES) && !reader.word(at).ends_with('s');
    named || !reader.is_in(at, VERB) && is_verb(reader, next)
}

/// "the key replicas of service web", "has the keys pace and width", not "the key point": where a setting's name
/// stands.
pub(super) fn is_setting(reader: &Reader<'_, '_>, at: usize) -> bool {
    let next = reader.skip_space(at + 1);
    let held = || {
        let key = listing(reader, at, &|word| any_of!("key keys").has(word));
        let the = key.and_then(|key| led_by(reader, key, &[any_of!("the")]));
        let verb = the.and_then(|the| reader.before(the));
        let ends = ends_clause(reader, at) || reader.says(next, any_of!("and or"));
        ends && verb.is_some_and(|verb| has(reader, verb)) && is_callable(reader, at)
    };
    !reader.is_in(at, NOT_NAMES) && (reader.says(next, any_of!("defaults equals in of")) || held())
}

/// "Setting level accepts debug and warn": what the named thing accepts, not "the port accepts
/// connections".
pub(super) fn is_accepted(reader: &Reader<'_, '_>, at: usize) -> bool {
    const LONGEST: usize = 16;
    let lists = |at: usize| reader.says(at, any_of!("and or , `")) || reader.look(at).is_plain();
    let mut verb = None;
    for at in (at.saturating_sub(LONGEST)..at).rev() {
        if verb.is_some() || !lists(at) {
            break;
        }
        verb = reader
            .says(at, any_of!("accepts be either of"))
            .then_some(at);
    }
    let joins = |at: usize| reader.says(at, any_of!(", and or"));
    let next = reader.skip_space(at + 1);
    // "may be red, green or blue", "is one of north and south"
    let listed = joins(next) || reader.before(at).is_some_and(joins);
    let steps = verb.map_or(0, |verb| match reader.word(verb) {
        "of" => 3,
        "be" | "either" => 2,
        _ => 1,
    });
    let subject = verb.and_then(|verb| (0..steps).try_fold(verb, |at, _| reader.before(at)));
    // Of two ways in which a setting may be one is a value: "small or large", not "small and old".
    let titled = || {
        let title = subject.and_then(|subject| reader.before(subject));
        title.is_some_and(|title| is_title(reader, title))
    };
    let chosen = || {
        let or = |at| reader.is(at, "or");
        let mut last = at;
        while last < at + LONGEST && lists(last) && !or(last) {
            last += 1;
        }
        let either = verb.is_some_and(|verb| reader.is(verb, "either"));
        let done = is_participle(reader.word(at)) && !either;
        (or(last) || or(reader.left(at))) && !done && titled()
    };
    let apt = listed && (!is_adjectival(reader, at) || chosen());
    let named = subject.is_some_and(|subject| is_named(reader, subject)) && (steps == 1 || apt);
    // "accepts light and dark"
    let of_list = apt && !is_many(reader.word(at));
    let ordinary = match of_list {
        true => NOT_NAMES.or(CUE),
        false => KNOWN,
    };
    named && !reader.is_in(at, ordinary) && (ends_clause(reader, at) || joins(next))
}

/// Whether the word at `at` begins a list of names: "The parameters are width and depth", not "are old
/// and slow".
pub(super) fn begins_list(reader: &Reader<'_, '_>, at: usize) -> bool {
    let next = reader.word(reader.skip_space(at + 1));
    reader.look(at).is_plain() && any_of!(", and or").has(next) && !is_adjectival(reader, at)
}

/// What things have rather than what they are called, where it is said which thing is meant.
pub(super) const HEADS: &Words = any_of!(
    "\
    alias body call count definition description docstring length name names order pair pairs pointer signature"
);

/// "a nested table", "the renamed column", "an environment variable": a word before a cue that says what
/// kind of thing it is.
pub(super) fn describes(word: &str, cue: &[Kind]) -> bool {
    let doing = word.ends_with("ing") && matches!(cue, [Func | Method | Param | Class | Role, ..]);
    words::is_small_in(DESCRIBING, word)
        || (doing || ends_in(word, "ed able ible")) && word.len() > 5 && ordinary::is_ordinary(word)
}
