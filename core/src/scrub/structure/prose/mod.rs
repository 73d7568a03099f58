//! Prose: cue words ("table X", "the X role"), quotations, attacks by name.

mod cues;
mod quotes;

use super::{Find, REACH, Reader, Reading, Shown, claim, cued, grammar, placed, sql};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        look::{Look, look},
        words::{
            self, COMMON, COMPOUND, CUE, DESCRIBING, DETERMINER, LANGUAGE, NOT_NAMES, QUALITY,
            SMALL_TYPE, TYPE_WORDS, VALUE_CUE, VERB, any_of,
        },
    },
};
use cues::{Cue, Names, find_cue};
use quotes::{attack, month};

pub(in crate::scrub) use cues::CUE_WORDS;
pub(super) use cues::{
    CUED, Rows, cue_kinds, kinds_in, kinds_of, names_any, only_announces, title_kinds,
};
pub(super) use quotes::{quotation, quote};

use Names::{After, Any, Before, Number, Shaped};

/// Looks at the word at `at`, which is in one of the lists of [`CUED`]. The quotation that it is in ends at
/// `limit`: that mark opens none.
#[inline(never)]
pub(super) fn cue(reader: &mut Reader<'_, '_>, at: usize, limit: usize) {
    // "the Vault Secrets Reader role": "Secrets" announces nothing.
    let claim = reader.reading == Reading::Claim;
    let titled = claim && has_capital(reader, at) && is_in_title(reader, at);
    if attack(reader, at) || titled || claim && ends_path(reader, at) {
        return;
    }
    let Some((cue, many)) = find_cue(reader, at).or_else(|| value_cue(reader, at)) else {
        return month(reader, at);
    };
    if reader.reading == Reading::Evidence && reader.is_mark(at + 1, b'=') {
        return setting(reader, at + 2, cue);
    }
    let next = match after(reader, at, cue) {
        next if next < limit => next,
        _ => reader.scan.tokens.len(),
    };
    // What was scrubbed was the name.
    let mut found = reader.is_scrubbed(next);
    if matches!(cue.kinds[0], Table | Col | Field | Index) && chain(reader, next, cue) {
        return;
    }
    if claim {
        command_of(reader, next, cue);
        // "permission contents: read"
        let access = reader.skip_space(next + 2);
        if cue.kinds == [Perm]
            && reader.is_word(next)
            && reader.is_mark(next + 1, b':')
            && claim::is_access(reader, access)
        {
            reader.push(next, access + 1, cue.kinds, Rank::Claim);
        }
    }
    found |= member(reader, next, cue)
        || claim && called(reader, at, cue)
        || names(reader, next, cue, many);
    let named = !found && cue.names != Number && cue.kinds != [Value];
    let mut from = named.then(|| before(reader, at, cue, many)).flatten();
    // "the trips, stops and rides tables"
    for _ in 0..MOST_LISTED {
        let Some(joint) = from.filter(|_| many).and_then(|from| joint(reader, from)) else {
            return;
        };
        from = before(reader, joint, cue, true);
    }
}

/// "POST /v1/crates answers": whether the word at `at` ends a path, and so is nothing that has a name behind it.
fn ends_path(reader: &Reader<'_, '_>, at: usize) -> bool {
    let mut first = at;
    while at - first < REACH
        && first > 0
        && (reader.is_mark(first - 1, b'/') || reader.is_word(first - 1))
    {
        first -= 1;
    }
    reader.is_mark(first, b'/')
}

/// How many names of a list are looked at.
const MOST_LISTED: usize = 8;

/// The first token of what joins the name at `at` to one before it: ", ", " and ".
fn joint(reader: &Reader<'_, '_>, at: usize) -> Option<usize> {
    let comma = |at: &usize| reader.is_mark(*at, b',');
    let last = reader.before(at)?;
    match reader.says(last, any_of!("and or")) {
        true => reader.before(last).filter(comma).or(Some(last)),
        false => Some(last).filter(comma),
    }
}

/// "config key retention": a key that is a setting, whatever word names it.
fn is_of_config(reader: &Reader<'_, '_>, key: usize) -> bool {
    reader.says(
        reader.left(key),
        any_of!("CONFIG CONFIGURATION Config Configuration config configuration"),
    )
}

/// "Option --dry of tide watch is slow": the command behind the option, whose cue stands before `at`.
fn command_of(reader: &mut Reader<'_, '_>, at: usize, cue: &'static Cue) {
    let flag = reader.is_mark(at, b'-').then(|| name_at(reader, at, cue));
    let of = flag.flatten().map(|flag| reader.skip_space(flag.to));
    let Some(of) = of.filter(|of| reader.is(*of, "of")) else {
        return;
    };
    let from = reader.skip_space(of + 1);
    let to = command_end(reader, from);
    // "of recursive copies", "of all files"
    let word = reader.word(from);
    let plain = !reader.is_in(from, DETERMINER.or(DESCRIBING)) && !grammar::is_adjective(word);
    if to > from + 1 && plain {
        reader.push(from, to, &[Cmd, Id], Rank::Claim);
    }
}

/// Where the words of a command end of which the first is at `from`: before what it does.
fn command_end(reader: &Reader<'_, '_>, from: usize) -> usize {
    const MOST_WORDS: usize = 3;
    let is_verb = |at: usize| reader.is_in(at, VERB);
    let small =
        |at: usize| reader.is_in(at, NOT_NAMES) && !(at == from && cued::is_small_name(reader, at));
    let plain = |at: &usize| {
        reader.look(*at).is_plain()
            && reader.is_space(*at - 1)
            && !small(*at)
            && (!does(reader, *at) || is_verb(*at + 2) && !is_verb(*at))
    };
    let words = (from..).step_by(2).take(MOST_WORDS);
    from + 2 * words.take_while(plain).count() - 1
}

/// Whether the word at `at` may be what a command does.
fn does(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    reader.is_in(at, VERB)
        || word.ends_with('s') && grammar::is_ordinary(word)
        || any_of!("always also never only").has(word)
}

/// "Command tide watch runs", "The subcommand tide watch of …": the words up to what it does.
fn called(reader: &mut Reader<'_, '_>, at: usize, cue: &'static Cue) -> bool {
    let opens = reader.opens_sentence(at);
    let which = reader.word(reader.left(at));
    let part = || reader.says(at + 2, any_of!("line name output prompt"));
    if cue.kinds != [Cmd] || part() || !opens && !any_of!("The the").has(which) {
        return false;
    }
    let to = command_end(reader, at + 2);
    let behind = to + 1;
    let acts = match to - at {
        1 => false,
        3 => {
            (opens && does(reader, behind) || reader.is_in(behind, VERB))
                && !cued::is_no_name(reader, at + 2)
        }
        _ => opens && does(reader, behind) || reader.is(behind, "of"),
    };
    if acts {
        reader.push(at + 2, to, cue.kinds, Rank::Claim);
    }
    acts
}

/// "Type shipping::Label": the cue says what the last part is.
fn member(reader: &mut Reader<'_, '_>, at: usize, cue: &'static Cue) -> bool {
    let named = matches!(cue.kinds[0], Class | Func | Method | Type | Var);
    if reader.reading == Reading::Evidence || !named {
        return false;
    }
    let mut last = at;
    while last < at + REACH && reader.is_word(last) {
        let next = match reader.is_mark(last + 1, b':') && reader.is_mark(last + 2, b':') {
            true => last + 3,
            false => last + 1 + usize::from(reader.is_mark(last + 1, b'.')),
        };
        if next == last + 1 || !reader.is_word(next) {
            break;
        }
        // What types are in by colons is a module.
        if next == last + 3 && matches!(cue.kinds[0], Class | Type) {
            reader.push(last, last + 1, &[Module, Class], Rank::Claim);
        }
        last = next;
    }
    let path = reader.is_mark(last + 1, b'/');
    if last == at || path {
        return false;
    }
    reader.push(last, last + 1, cue.kinds, Rank::Claim);
    true
}

/// The name at `at` that a cue announces; "fields a, b and c" for one in the plural.
fn names(reader: &mut Reader<'_, '_>, at: usize, cue: &'static Cue, many: bool) -> bool {
    let mut found = false;
    let mut next = Some(at);
    while let Some(at) = next
        && let Some(name) = name_at(reader, at, cue)
    {
        if !cue.takes(reader, &name) {
            // Not "section 4.3"
            let word = name.to == name.from + 1 && reader.is_word(name.from);
            let plain = word && reader.look(name.from).is_plain();
            let said = plain && reader.reading == Reading::Evidence && cue.names != Number;
            if said && !name.quoted && !reader.is_in(name.from, NOT_NAMES) {
                reader.push_if_named(name, cue);
            }
            break;
        }
        let listed = found;
        found = true;
        let single = name.to == name.from + 1 && !name.quoted;
        let unsure = match many {
            true => {
                !listed
                    && conjunction(reader, name.next).is_none()
                    && cued::may_act(reader, name.from)
            }
            false => cued::may_describe(reader, name.from, cue.kinds),
        };
        if single && unsure {
            reader.push_if_shown(name.from, cue.kinds, Rank::Claim, Shown::Named);
            break;
        }
        reader.push_name(name, cue);
        next = conjunction(reader, name.next).filter(|next| many || cue.names_both(reader, *next));
    }
    found
}

/// The values in "`theme`: `light` or `dark`", from the second code span on.
pub(super) fn values(reader: &mut Reader<'_, '_>, at: usize) {
    names(reader, at, &ACCEPTS, true);
}

/// "accepts `dev`, `test` and `prod`"
static ACCEPTS: Cue = Cue {
    kinds: &[Value],
    names: Shaped,
};

/// `role=clerk` of a log line.
fn setting(reader: &mut Reader<'_, '_>, at: usize, cue: &'static Cue) {
    let named = matches!(
        cue.kinds[0],
        Algo | Col | Constraint | Db | Index | Module | Perm | Role | Schema | Table
    );
    let name = name_at(reader, at, cue).filter(|name| !reader.is_mark(name.to, b'('));
    let name = name.filter(|name| {
        let text = reader.text(name.from, name.to);
        named && !words::is_in(LANGUAGE, text)
    });
    if let Some(name) = name.filter(|name| reader.is_word(name.from)) {
        reader.push_name_at(name.from, name.to, cue.kinds, Rank::Structure);
    }
}

/// "defaults to 900", "is set to 25MB", "can be `on` or `off`", "one of `a`, `b`".
fn value_cue(reader: &Reader<'_, '_>, at: usize) -> Option<(&'static Cue, bool)> {
    static VALUE: Cue = Cue {
        kinds: &[Value],
        names: After,
    };
    if !reader.is_in(at, VALUE_CUE) {
        return None;
    }
    let spanned = reader.is_mark(reader.skip_space(at + 1), b'`');
    let claim = reader.reading == Reading::Claim;
    let before = reader.left(at);
    let accepts = match reader.word(at) {
        "accepts" => true,
        "either" => claim && reader.says(before, any_of!("are is")),
        "be" => (spanned || claim) && reader.says(before, any_of!("can may must")),
        "of" => (spanned || claim) && reader.is(before, "one"),
        // "Set `mode` to `fan` or `grill`"
        "to" => spanned && reader.is_mark(before, b'`') && is_set(reader, before),
        _ => false,
    };
    if accepts {
        return Some((&ACCEPTS, true));
    }
    if !reader.is(at, "to") || spanned && reader.is_mark(before, b'`') {
        return None;
    }
    let said = any_of!("default defaults equal set").has_in_any_case(reader.word(before));
    let set = reader.left(before);
    // "Set gloss to deep in …", not "set out to"
    let given = claim
        && !reader.is_in(before, NOT_NAMES)
        && reader.says(set, any_of!("Set Setting setting sets"));
    // "can be set to red, green or blue"
    let listed = claim && reader.is(set, "be");
    (said || given).then_some((&VALUE, listed))
}

/// Where the name begins that a cue announces: behind "named", a colon, an opening bracket.
fn after(reader: &Reader<'_, '_>, at: usize, cue: &Cue) -> usize {
    let claim = reader.reading == Reading::Claim;
    let next = reader.skip_space(at + 1);
    // Most words before a name are none of these.
    if reader.is_word(next) && !reader.is_in(next, NOT_NAMES) {
        return next;
    }
    let then = reader.skip_space(next + 1);
    let begins_behind = match reader.word(next) {
        "named" | "called" => true,
        "is" => cue.names == Number,
        // "The default of `max_rows` is 500"
        "of" => cue.names == Number && !reader.is_mark(then, b'`'),
        // "permission packages: read" is one name.
        ":" => next == at + 1 && !(claim && cue.kinds != [Perm] && claim::is_access(reader, then)),
        "=" => claim,
        "are" => claim && cued::begins_list(reader, then),
        // "has two fields, width and depth"
        "," => {
            let count = reader.left(at);
            let counted =
                reader.is_number(count) || reader.says(count, any_of!("two three four five six"));
            claim && counted && cued::begins_list(reader, then)
        }
        // "Table (orders)", "Fields (id, total)"
        "(" => {
            claim
                && reader.is_word(next + 1)
                && reader.is_any(next + 2, b"),")
                && !grammar::is_adjectival(reader, next + 1)
        }
        _ => false,
    };
    if begins_behind { then } else { next }
}

/// Whether the code span that ends at `at` is what is set.
fn is_set(reader: &Reader<'_, '_>, at: usize) -> bool {
    const LONGEST: usize = 16;
    let mut before = (at.saturating_sub(LONGEST)..at).rev();
    let open = before.find(|open| reader.is_mark(*open, b'`'));
    open.is_some_and(|open| {
        let verb = reader.left(open);
        reader.says(verb, any_of!("Set Setting set setting sets"))
    })
}

/// The next of a list, behind what joins it to the one that ends at `at`.
pub(super) fn conjunction(reader: &Reader<'_, '_>, at: usize) -> Option<usize> {
    let mut at = reader.skip_space(at);
    let mut found = false;
    // "id / total"
    let slash = reader.is_mark(at, b'/') && reader.skip_space(at + 1) > at + 1;
    if reader.is_mark(at, b',') || slash {
        at = reader.skip_space(at + 1);
        found = true;
    }
    if reader.says(at, any_of!("and or")) {
        at = reader.skip_space(at + 1);
        found = true;
    }
    found.then_some(at)
}

/// Something that may be a name: a quotation, or a word with what hangs on it.
#[derive(Clone, Copy)]
struct Candidate {
    from: usize,
    to: usize,
    quoted: bool,
    next: usize,
}

fn name_at(reader: &Reader<'_, '_>, at: usize, cue: &Cue) -> Option<Candidate> {
    let dotted = matches!(
        cue.kinds[0],
        Config | Key | Module | Param | Perm | Pkg | Role | Value
    );
    // "Permission repo/write"; not "The roles baker/miller", "rights and/or roles"
    let one = || {
        let title = reader.before(at).map_or("", |title| reader.word(title));
        reader.reading == Reading::Claim && cue.is_granted() && !grammar::is_many(title)
    };
    let bracketed = || match (reader.reading, cue.kinds) {
        (Reading::Claim, [Table | Col | Field | Schema | Db, ..]) => sql::bracketed(reader, at),
        _ => None,
    };
    if let Some((from, to)) = quotation(reader, at).or_else(bracketed) {
        return Some(Candidate {
            from,
            to,
            quoted: true,
            next: to + 1,
        });
    }
    // A flag's hyphens are its own.
    let flag = reader.is_mark(at, b'-') && reader.is_mark(at + 1, b'-');
    let mut to = if flag { at + 2 } else { at };
    let first = to;
    while reader.is_alphanumeric(to) {
        to += 1;
        let word = reader.is_word(to + 1);
        let joined = reader.is_any(to, b"-:") && reader.is_alphanumeric(to + 1);
        // A qualified name has parts of different kinds and is left to its shape.
        let colon = reader.is_mark(to, b':') && word;
        let qualified =
            reader.is_any(to, b".:/") && !colon && (word || reader.is_any(to + 1, b":/"));
        if qualified && !dotted || to - at > REACH {
            return None;
        }
        let dot = dotted && reader.is_mark(to, b'.') && word;
        let slash = reader.is_mark(to, b'/')
            && word
            && !reader.is_in(to - 1, NOT_NAMES.or(COMPOUND))
            && one();
        if !(joined || dot || slash) {
            break;
        }
        to += 1;
    }
    if to == at + 1 && reader.reading == Reading::Claim {
        to = capitals(reader, at, cue);
    }
    (to > first).then_some(Candidate {
        from: at,
        to,
        quoted: false,
        next: to,
    })
}

/// How many words a name with spaces has at most.
const MOST_WORDS: usize = 6;

/// "Storage Blob Data Reader": where the words with capitals end of which the first is at `at`.
fn capitals(reader: &Reader<'_, '_>, at: usize, cue: &Cue) -> usize {
    let ends = |at: usize| {
        let other = find_cue(reader, at).is_some() && !(cue.is_granted() && is_granted(reader, at));
        other || reader.is_in(at, VERB) || is_keyword(reader.word(at))
    };
    let mut to = at + 1;
    while to < at + 2 * MOST_WORDS && have_capitals(reader, to - 1) && !ends(to + 1) {
        to += 2;
    }
    to
}

/// The same of those of which the last is at `at`: where they begin.
fn capitals_before(reader: &Reader<'_, '_>, at: usize) -> usize {
    let mut from = at;
    while from > 1
        && from + 2 * MOST_WORDS > at + 2
        && have_capitals(reader, from - 2)
        && !reader.is_in(from - 2, NOT_NAMES.or(DETERMINER))
        && (!reader.is_in(from - 2, CUE) || is_granted(reader, from - 2))
        && !reader.opens_sentence(from - 2)
    {
        from -= 2;
    }
    from
}

/// Whether the word before the one at `at` opens a sentence, and may be of the same name.
fn opens_title(reader: &Reader<'_, '_>, at: usize) -> bool {
    have_capitals(reader, at - 2)
        && reader.opens_sentence(at - 2)
        && !reader.is_in(at - 2, NOT_NAMES.or(DETERMINER).or(CUE))
}

/// Whether the cue at `at` is one of rights, whose words are parts of the names of others: "Vault Secrets User".
fn is_granted(reader: &Reader<'_, '_>, at: usize) -> bool {
    find_cue(reader, at).is_some_and(|(cue, _)| cue.is_granted())
}

/// Whether the word at `at` is one of several with capitals that are a name, by the cue beside them.
pub(super) fn is_in_title(reader: &Reader<'_, '_>, at: usize) -> bool {
    let from = capitals_before(reader, at);
    // "Class Ranger fields calls"
    let announces = find_cue(reader, at)
        .is_some_and(|(cue, many)| !many && !cue.is_granted() && cue.announces());
    if from == at && announces {
        return false;
    }
    let mut to = at + 1;
    while to < from + 2 * MOST_WORDS && have_capitals(reader, to - 1) {
        to += 2;
    }
    let cued = |at: Option<usize>| at.is_some_and(|at| reader.is_in(at, CUE));
    to > from + 1 && (cued(reader.before(from)) || cued(Some(reader.skip_space(to))))
}

fn has_capital(reader: &Reader<'_, '_>, at: usize) -> bool {
    matches!(
        reader.look(at),
        Look::Capital | Look::Capitals | Look::Pascal
    )
}

/// Whether the word at `at` and the one behind the next space have capitals.
fn have_capitals(reader: &Reader<'_, '_>, at: usize) -> bool {
    has_capital(reader, at) && reader.is_space(at + 1) && has_capital(reader, at + 2)
}

/// A word of a language in capitals: `SELECT`.
fn is_keyword(text: &str) -> bool {
    words::is_all_capitals(text) && words::is_in(LANGUAGE, text)
}

impl Cue {
    /// Whether any word behind it is a name: "Class Mill".
    fn announces(&self) -> bool {
        matches!(self.names, Any | After)
    }

    /// Whether it is the word "type".
    fn is_type(&self) -> bool {
        self.kinds == [Type, Class, Dtype]
    }

    /// Whether it is the word "key".
    fn is_key(&self) -> bool {
        self.kinds == [Key, Config]
    }

    /// "Version 2 and 3.0 differ": whether the number at `at` is another one.
    fn names_both(&self, reader: &Reader<'_, '_>, at: usize) -> bool {
        self.names == Number
            && reader.reading == Reading::Claim
            && reader.is_number(at)
            && reader.says(reader.left(at), any_of!("and or"))
    }

    fn is_granted(&self) -> bool {
        matches!(self.kinds[0], Key | Perm | Role)
    }

    /// Whether what follows the cue is a name.
    fn takes(&self, reader: &Reader<'_, '_>, name: &Candidate) -> bool {
        let text = reader.text(name.from, name.to);
        if text.is_empty() {
            return false;
        }
        // `1.4`, `v2`
        let number = is_digit(text.strip_prefix('v').unwrap_or(text));
        if self.names == Number {
            // "default `prefer`"
            let value = name.quoted && self.kinds == [Value] && reader.is_mark(name.from - 1, b'`');
            // "(boolean, default: false)"
            let literal = self.kinds == [Value] && any_of!("false true").has(text);
            return (number || literal) && !name.quoted || value;
        }
        // A flag is a parameter, whatever accepts it.
        if text.starts_with('-') && !self.kinds.contains(&Param) {
            return false;
        }
        if name.quoted {
            return true;
        }
        if number {
            return self.kinds == [Value];
        }
        let single = name.to == name.from + 1;
        if !single {
            return reader.reading == Reading::Claim && self.names != Shaped
                || self.kinds == [Perm] && text.contains('.')
                || !grammar::all_parts(text, "-:.", &is_ordinary);
        }
        match reader.look(name.from) {
            // "Failed password for invalid user oracle from 203.0.113.9"
            Look::Plain | Look::Small if self.kinds[0] == Role && is_client(reader, name) => {
                !reader.is_in(name.from, NOT_NAMES)
            }
            Look::Plain | Look::Small if reader.reading == Reading::Evidence => false,
            // "User alice …" opens a claim; "a user interface" does not.
            Look::Plain | Look::Small if matches!(self.names, Shaped | Before) => {
                let cue = reader.left(name.from);
                let opens =
                    reader.opens_sentence(cue) && grammar::opens_with_capital(reader.word(cue));
                let key = || {
                    cued::is_setting(reader, name.from)
                        || is_of_config(reader, cue) && cued::is_key(reader, name.from)
                };
                text.len() > 1
                    && (opens && !grammar::is_ordinary(text) && !text.ends_with('s')
                        || self.is_key() && key()
                        || self.kinds == [Value] && cued::is_accepted(reader, name.from))
            }
            Look::Plain | Look::Small => {
                text.len() > 1
                    && (!reader.is_in(name.from, NOT_NAMES)
                        || cued::is_small_name(reader, name.from))
                    && !cued::is_no_name(reader, name.from)
            }
            Look::Capital => reader.reading == Reading::Claim,
            Look::Capitals => reader.reading == Reading::Claim && self.names != Shaped,
            _ => true,
        }
    }
}

/// Whether a log says of whom it names from which address: "for user oracle from 203.0.113.9 port 22".
fn is_client(reader: &Reader<'_, '_>, name: &Candidate) -> bool {
    let cue = reader.left(name.from);
    let from = reader.skip_space(name.next);
    let address = reader.word(reader.skip_space(from + 1)).bytes();
    reader.says(reader.left(cue), any_of!("for invalid"))
        && reader.is(from, "from")
        && address.filter(|byte| *byte == b'.').count() == 3
}

/// Whether a key is called as the index of a table is.
fn is_index(key: &str) -> bool {
    ["idx", "ix"].iter().any(|index| {
        let before = key.strip_suffix(index);
        let behind = key.strip_prefix(index);
        before.is_some_and(|rest| rest.ends_with('_'))
            || behind.is_some_and(|rest| rest.starts_with('_'))
    })
}

/// Whether a text begins with a digit.
fn is_digit(text: &str) -> bool {
    text.starts_with(|char: char| char.is_ascii_digit())
}

fn is_ordinary(word: &str) -> bool {
    word.is_empty() || words::is_in(COMMON.or(NOT_NAMES), word)
}

/// "Table shop.carts", "table [shop].[carts]", `"shop"."carts"`: the cue says what the last part is.
fn chain(reader: &mut Reader<'_, '_>, at: usize, cue: &'static Cue) -> bool {
    let claim = reader.reading == Reading::Claim;
    let rank = reader.rank();
    let named = quotation(reader, at).or_else(|| sql::bracketed(reader, at));
    let small = |at| reader.word(at).starts_with(char::is_lowercase);
    let goes_on = |at| small(at) || reader.says(at, any_of!("\" ' ` ["));
    let parts = claim
        && named.is_some_and(|(_, close)| reader.is_mark(close + 1, b'.') && goes_on(close + 2));
    let whole = named.is_some_and(|(from, to)| sql::is_qualified(reader, from, to));
    if whole || parts {
        return sql::push_chain(reader, at, cue.kinds, rank).is_some();
    }
    let at = at + usize::from(reader.is_mark(at, b'"'));
    let qualified = reader.is_word(at) && reader.is_mark(at + 1, b'.') && reader.is_word(at + 2);
    qualified && sql::push_chain(reader, at, cue.kinds, rank).is_some()
}

/// "the users table". Says where the name begins, if there is one.
fn before(reader: &mut Reader<'_, '_>, at: usize, cue: &'static Cue, many: bool) -> Option<usize> {
    let mut last = reader.before(at)?;
    let cued_at = at;
    let claim = reader.reading == Reading::Claim;
    // "the harvest config key", "the harvest foreign key column": what stands between only says which sort.
    if claim && let Some(which) = placed::behind_sorts(reader, last) {
        last = which;
    }
    // A code span, or one word, or several with capitals.
    let single = claim && reader.is_mark(last, b'\'');
    let quoted = single || reader.is_any(last, b"`\"");
    let (from, to) = if quoted {
        let mark = reader.word(last);
        let mut inside = (last.saturating_sub(REACH)..last).rev();
        let open = inside
            .find(|at| reader.is(*at, mark) || reader.is_mark(*at, b'\n'))
            .filter(|open| last + 1 < cued_at && reader.is(*open, mark))
            .filter(|open| !single || quotation(reader, *open) == Some((open + 1, last)));
        (open? + 1, last)
    } else {
        let mut from = if claim {
            capitals_before(reader, last)
        } else {
            last
        };
        // "Data Protection Officer role is …": not "Assign Officer role to …"
        let behind = reader.skip_space(cued_at + 1);
        if claim && from > 1 && reader.is_in(behind, VERB) && opens_title(reader, from) {
            from -= 2;
        }
        while from >= 2
            && reader.is_word(from)
            && reader.is_mark(from - 1, b'-')
            && reader.is_word(from - 2)
        {
            from -= 2;
        }
        (reader.is_word(last).then_some(from)?, last + 1)
    };
    let text = reader.text(from, to);
    let single = to == from + 1;
    let look = reader.look(from);
    let shaped = single
        && !look.is_ordinary()
        && look != Look::Number
        && !reader.is_well_known(from)
        && !reader.is_built_in(from);
    // "violates not-null constraint"
    let language = |part: &str| words::is_in(LANGUAGE, part);
    let kebab = !single
        && !quoted
        && !grammar::all_parts(text, "-", &is_ordinary)
        && !grammar::all_parts(text, "-", &language);
    let small = reader.is_in(from, NOT_NAMES);
    let cued =
        || find_cue(reader, from).is_some() && !cued::is_cue_name(reader, from, cue.kinds, many);
    // "Class PatchTable routes calls": it is what the cue before it says.
    let titled = || {
        let title = find_cue(reader, reader.left(from - usize::from(quoted)));
        title.is_some_and(|(title, many)| !many && title.announces())
    };
    if claim && !look.is_plain() && titled() {
        return None;
    }
    // "The guest role inherits permissions", "the job drops tables"
    let done = || {
        let which = reader.left(from);
        many && !reader.is_in(which, DETERMINER)
            && text.ends_with('s')
            && grammar::is_ordinary(text)
            && joint(reader, from).is_none()
            && !reader.is(cued_at, "and")
            || cued::is_done(reader, which, from)
    };
    let done_with = single && look.is_plain() && cued::is_done_with(reader, from, many);
    // Of what says how a thing is the evidence must tell that it is called so: "the strict option".
    let quality = single && reader.is_in(from, QUALITY);
    let any = || matches!(cue.names, Any | Before) || cue.is_key() && is_of_config(reader, cued_at);
    let plain = claim
        && single
        && any()
        && text.len() > 1
        && !small
        && !cued()
        && !cued::describes(text, cue.kinds)
        && !is_keyword(text)
        && !done_with
        && !done()
        && !(grammar::opens_with_capital(text) && reader.opens_sentence(from));
    let placed = claim && single && cued::is_small_name_before(reader, from, cue.kinds);
    let name = Candidate {
        from,
        to,
        quoted,
        next: to,
    };
    if plain && quality {
        reader.push_if_shown(from, cue.kinds, Rank::Claim, Shown::Named);
    } else if quoted || shaped || kebab || plain || placed {
        reader.push_name(name, cue);
    } else if !claim
        && single
        && look.is_plain()
        && !(small || done_with || quality)
        && cue.kinds != [Path]
    {
        // "sqlite files" are files of what is called so.
        reader.push_if_named(name, cue);
    } else {
        return None;
    }
    Some(if quoted { from - 1 } else { from })
}

impl Reader<'_, '_> {
    /// The rank of what a cue announces.
    fn rank(&self) -> Rank {
        match self.reading {
            Reading::Claim => Rank::Claim,
            Reading::Evidence => Rank::Structure,
        }
    }

    fn push_name(&mut self, name: Candidate, cue: &'static Cue) {
        let text = self.text(name.from, name.to);
        let rank = self.rank();
        // "type VARCHAR": a word of the language in its own role.
        let of_language = || {
            let text = text.trim_end_matches("[]");
            let more = any_of!("bytes nil never null undefined").has(text);
            more || words::is_small_in(SMALL_TYPE, text)
        };
        let data_type = cue.is_type()
            && (words::is_in(TYPE_WORDS, text)
                || self.reading == Reading::Evidence && of_language());
        let kinds: &'static [Kind] = match data_type {
            true => &[Dtype],
            // A flag is a parameter, whatever it is called.
            false if text.starts_with('-') => &[Param, Config, Id],
            // "has the value 42"
            false if cue.kinds == [Value] && is_digit(text) => &[Value, Num],
            // "MySQL chooses key idx_loans_due"
            false if cue.is_key() && is_index(text) => &[Index, Key, Config],
            // "the variable JWT_SECRET"
            false if cue.kinds == [Var, Config] && look(text) == Look::Key => &[Var, Config, Key],
            false => cue.kinds,
        };
        // "defaults to true": so is a literal.
        let literal = cue.kinds[0] == Value
            && !name.quoted
            && any_of!("false nil none null true undefined").has(text);
        // Both ends of "lines 12-20" are such, too.
        let ends =
            cue.names == Number && name.to == name.from + 3 && self.reading == Reading::Claim;
        if ends
            && self.is_number(name.from)
            && self.is_mark(name.from + 1, b'-')
            && self.is_number(name.to - 1)
        {
            self.push(name.from, name.from + 1, kinds, rank);
            self.push(name.to - 1, name.to, kinds, rank);
        }
        let to = match data_type {
            true => self.type_end(name.from),
            false => name.to,
        };
        self.push(name.from, to, kinds, rank);
        if let Some(Find {
            only_in_profile,
            everywhere,
            ..
        }) = self.finds.last_mut()
        {
            *only_in_profile = data_type || literal || cue.names == Before;
            *everywhere = self.reading == Reading::Claim || cue.names != Number;
        }
    }

    /// A plain word of the evidence, of which the cue only says what it is where a claim names it.
    fn push_if_named(&mut self, name: Candidate, cue: &'static Cue) {
        self.push_here(name.from, name.to, cue.kinds, Rank::Structure);
        if let Some(find) = self.finds.last_mut() {
            find.if_named = true;
        }
    }
}
