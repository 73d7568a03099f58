//! Names of several parts: `a.b`, `a::b`, `a.b.C.d`. Each part is a name of its own.

use super::{
    forms::{count_of, is_top_level, last_part},
    is_algorithm_at,
    word::word,
};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        look::{Look, Makeup},
        structure::{Reader, Reading, calls, code, config, prose},
        words::{self, DOTTED, LANGUAGE, SQL, Words, any_of},
    },
};

/// Reads the name that stands from `from` up to `to`; says whether it is one.
pub(super) fn qualified(reader: &mut Reader<'_, '_>, from: usize, to: usize) -> bool {
    let Some(name) = Qualified::read(reader, from, to) else {
        return method_of_ruby(reader, from, to);
    };
    if name.is_one(reader) || name.is_told(reader) {
        return true;
    }
    for nth in 0..name.count {
        name.part(reader, nth);
    }
    name.whole(reader);
    true
}

/// `Depot::Ledger.open(…)` of Ruby: its method is seen where it is called.
fn method_of_ruby(reader: &mut Reader<'_, '_>, from: usize, to: usize) -> bool {
    let called = to > from + 5
        && reader.is_mark(from + 1, b':')
        && reader.is_word(to - 1)
        && reader.is_mark(to - 2, b'.')
        && reader.is_mark(to - 4, b':')
        && qualified(reader, from, to - 2);
    if called && reader.is_mark(to, b'(') {
        reader.push_plain(to - 1, to, &[Method, Func], Rank::Structure);
    }
    called
}

struct Qualified {
    from: usize,
    to: usize,
    /// Whether colons join the parts, and not points.
    colons: bool,
    /// How many parts there are.
    count: usize,
    evidence: bool,
    called: bool,
    /// The first part that looks like a class.
    first_class: Option<usize>,
    /// Whether it begins with what no text has named: `self`, `crate`.
    itself: bool,
    /// `await fan.RunAsync(speed)` of C#
    awaited: bool,
    /// `process.env.PORT`: the last part is a name of its own.
    constant: bool,
}

/// What a part is.
enum Part {
    /// No name, or one that is seen elsewhere.
    Nothing,
    /// The evidence may know better.
    Maybe(&'static [Kind]),
    Name(&'static [Kind]),
    /// One of those before a class, which are one name.
    OfPackage,
}

impl Qualified {
    fn read(reader: &Reader<'_, '_>, from: usize, to: usize) -> Option<Self> {
        let evidence = reader.reading == Reading::Evidence;
        let colons = reader.is_mark(from + 1, b':');
        let called = reader.is_mark(to, b'(');
        let mut name = Self {
            from,
            to,
            colons,
            count: 0,
            evidence,
            called,
            first_class: None,
            itself: false,
            awaited: false,
            constant: false,
        };
        let length = to - from;
        name.count = length.div_ceil(name.step());
        let joint = |at: usize| match colons {
            true => reader.has_marks(at, b"::"),
            false => reader.is_mark(at, b'.'),
        };
        let fits = |nth| reader.is_word(name.at(nth)) && (nth == 0 || joint(name.at(nth - 1) + 1));
        if length < 3 || length % name.step() != 1 || !(0..name.count).all(fits) {
            return None;
        }
        let before = name.before(reader);
        // `heat = var.heat`, `[local.heat]` of Terraform
        let given = || evidence && !called && any_of!("= { ( [ ,").has(before);
        name.first_class = (0..name.count).find(|nth| name.is_class(reader, *nth));
        name.itself = reader.says(
            from,
            any_of!("this self super cls crate Self exports module"),
        ) || reader.says(from, any_of!("local var")) && given();
        name.awaited = name.is_class_called() && before == "await";
        name.constant = evidence && matches!(reader.look(to - 1), Look::Constant | Look::Key);
        Some(name)
    }

    /// How many tokens there are from part to part.
    fn step(&self) -> usize {
        if self.colons { 3 } else { 2 }
    }

    /// The token of a part.
    fn at(&self, nth: usize) -> usize {
        self.from + nth * self.step()
    }

    /// The word before.
    fn before<'t>(&self, reader: &Reader<'_, 't>) -> &'t str {
        reader.before(self.from).map_or("", |at| reader.word(at))
    }

    fn is_class(&self, reader: &Reader<'_, '_>, nth: usize) -> bool {
        let at = self.at(nth);
        let small = Makeup::SMALL.and(Makeup::WIDE);
        reader.scan.makeup(at).has(small) && reader.word(at).starts_with(char::is_uppercase)
    }

    /// Whether the first class is the last part, and called.
    fn is_class_called(&self) -> bool {
        self.called && self.first_class == Some(self.count - 1)
    }

    /// Reads what is one name, or none.
    fn is_one(&self, reader: &mut Reader<'_, '_>) -> bool {
        let Self { from, to, .. } = *self;
        let text = reader.text(from, to);
        if DOTTED.contains(&text) {
            if !self.evidence {
                reader.push(from, to, &[Id], Rank::Shape);
            }
            return true;
        }
        // `e.g.`, `i.e.`, `a.m.`
        if !self.called && (0..self.count).all(|nth| reader.word(self.at(nth)).len() < 2) {
            return true;
        }
        if self.colons || self.called {
            return false;
        }
        if is_top_level(last_part(text, b'.')) && count_of(text, b'_') == 0 {
            reader.push(from, to, &[Url], Rank::Shape);
            return true;
        }
        // `quilld.service` of systemd
        let unit = self.count == 2 && is_unit(reader, to - 1);
        if unit && !reader.scan.has_placeholders {
            reader.push_plain(from, from + 1, &[Id], Rank::Structure);
        }
        unit
    }

    /// Reads what its first part, or what stands beside it, tells of the whole.
    fn is_told(&self, reader: &mut Reader<'_, '_>) -> bool {
        let Self {
            from, to, evidence, ..
        } = *self;
        let two = self.count == 2;
        // `JSON.parse`, `Math.max`, `console.log` come with the language.
        let provided = || {
            reader.is_built_in(from)
                || reader.says(from, any_of!("JSON console process Console System"))
        };
        // `t.integer :slots` of Ruby
        let typed = || calls::is_typed(reader, to - 1);
        if evidence && two && (self.called && provided() || typed()) {
            return true;
        }
        // `main.heat(…)` of Go, or what a trace of it calls so: what is before the point is a package.
        let of_go = || evidence && code::is_traced(reader, from, to) || reader.is(from, "main");
        if self.called && two && of_go() {
            reader.push_plain(from, from + 1, &[Pkg, Module, Id], Rank::Definition);
            reader.push_plain(to - 1, to, &[Func, Method], Rank::Definition);
            return true;
        }
        // `using City.Rail;` of C#: a namespace, which is one name. `System.Text` comes with the language.
        let using = reader.before(from).filter(|at| reader.is(*at, "using"));
        let namespace = evidence && !self.colons && reader.is_mark(to, b';');
        if namespace && using.is_some_and(|using| reader.opens_line(using)) {
            if !reader.says(from, any_of!("Microsoft System")) {
                reader.push(from, to, &[Module, Pkg, Id], Rank::Definition);
            }
            return true;
        }
        // `DataTypes.DATEONLY` of Sequelize
        let of_sequelize = evidence && two && reader.is(from, "DataTypes");
        if of_sequelize {
            reader.push_type(to - 1);
        }
        of_sequelize
    }

    fn part(&self, reader: &mut Reader<'_, '_>, nth: usize) {
        let at = self.at(nth);
        let last = nth + 1 == self.count;
        if self.is_known(reader, nth) {
            return;
        }
        // `hashlib.sha256`, `JSON.parse`
        if self.evidence && is_algorithm_at(reader, at) {
            reader.push(at, at + 1, &[Algo], Rank::Shape);
        }
        if self.evidence && self.is_in_capitals(reader, nth) {
            return;
        }
        if self.constant && last {
            return word(reader, at, &[]);
        }
        if last && let Some(kinds) = self.cued(reader) {
            return reader.push(at, at + 1, kinds, Rank::Claim);
        }
        match self.kinds(reader, nth) {
            Part::Nothing => {}
            Part::Maybe(kinds) => reader.push(at, at + 1, kinds, Rank::Shape),
            Part::Name(kinds) => self.push(reader, nth, kinds),
            Part::OfPackage if nth == 0 => {
                let end = self.at(self.first_class.unwrap_or(1)) - self.step() + 1;
                reader.push(at, end, &[Pkg, Module, Id], Rank::Structure);
            }
            Part::OfPackage => {}
        }
    }

    /// Whether a part comes with a language or a framework: `crate::error`, `Order.class`.
    fn is_known(&self, reader: &Reader<'_, '_>, nth: usize) -> bool {
        let at = self.at(nth);
        let exported = || nth == 1 && reader.is(at, "exports") && reader.is(self.from, "module");
        // `models.CASCADE` of Django
        let of_django = || {
            self.evidence
                && reader.is(at, "models")
                && matches!(reader.look(self.to - 1), Look::Capitals | Look::Constant)
        };
        // `logging.getLogger(…)` where it is imported
        let imported = || reader.bound(at) == Some(&[]);
        self.itself && (nth == 0 || exported())
            || nth + 1 == self.count && reader.is(at, "class")
            || nth == 0 && (of_django() || imported())
    }

    /// `HTTP.get`, `IO.puts(…)`
    fn is_in_capitals(&self, reader: &Reader<'_, '_>, nth: usize) -> bool {
        let at = self.at(nth);
        let word = reader.word(at);
        let calls = self.called && nth + 1 < self.count;
        words::is_all_capitals(word) && reader.is_in(at, LANGUAGE.or(SQL))
            || calls && reader.look(at) == Look::Capitals && word.len() > 1
    }

    /// "Type shipping::Label": a cue of a claim says what the last part is.
    fn cued(&self, reader: &Reader<'_, '_>) -> Option<&'static [Kind]> {
        let cue = reader.before(self.from).filter(|_| !self.evidence)?;
        prose::cue_kinds(reader, cue)
            .filter(|kinds| matches!(kinds[0], Class | Type | Func | Method))
    }

    /// What a part is by the classes beside it, its place and its look.
    fn kinds(&self, reader: &Reader<'_, '_>, nth: usize) -> Part {
        let Self {
            colons,
            called,
            awaited,
            evidence,
            first_class,
            ..
        } = *self;
        let at = self.at(nth);
        let last = nth + 1 == self.count;
        let after_class = first_class.is_some_and(|class| class < nth);
        let before_class = first_class.is_some_and(|class| class > nth);
        let made = || any_of!("new raise throw").has(self.before(reader));
        if self.is_class(reader, nth) {
            return match () {
                () if last
                    && called
                    && (after_class || awaited || !made() && is_method(reader, at)) =>
                {
                    Part::Name(&[Method, Func])
                }
                // `StockService.Pick`: the evidence may know it as a method.
                () if last && after_class && !evidence => Part::Maybe(&[Class, Type]),
                () => Part::Name(&[Class, Type]),
            };
        }
        let standard = || evidence && code::is_standard_at(reader, self.from);
        let used = || any_of!("use mod import").has(self.before(reader));
        // `t.mu.Lock()`
        let of_method =
            || self.count > 2 && self.is_class_called() && is_method(reader, self.to - 1);
        Part::Name(match () {
            () if last && called && colons && !after_class => &[Func, Method],
            () if last && called || colons && after_class => &[Method, Func],
            () if (colons || before_class) && standard() => return Part::Nothing,
            () if colons && last && evidence && !used() => &[Func, Method, Module, Id],
            () if colons => &[Module, Pkg, Id],
            () if after_class => &[Method, Func, Field, Col],
            () if before_class && (of_method() || awaited) => &[Var],
            () if before_class && first_class > Some(1) => return Part::OfPackage,
            // `_taken.Contains(…)`
            () if before_class && reader.word(at).starts_with('_') => &[Var],
            () if before_class => &[Module, Pkg, Var],
            () if called || self.itself => &[Var],
            () if !evidence => return Part::Maybe(named_by_place(self.count, nth)),
            () => by_place(self.count, nth),
        })
    }

    fn push(&self, reader: &mut Reader<'_, '_>, nth: usize, kinds: &'static [Kind]) {
        let Self { from, to, .. } = *self;
        let at = self.at(nth);
        let by_its_place = kinds == by_place(self.count, nth);
        if by_its_place && self.evidence && is_said_in_json(reader, from, to) {
            return reader.push_here(at, at + 1, kinds, Rank::Structure);
        }
        // What the name hangs on is a variable where code uses it.
        if nth == 0 && (kinds == [Var] || by_its_place) {
            reader.note_used(at);
        }
        let alias = reader.word(at).len() < 2;
        if self.evidence && (kinds == [Var] || alias) {
            reader.push_here(at, at + 1, kinds, Rank::Structure);
        } else if self.evidence && reader.is_built_in(at) {
            return;
        } else if self.evidence && self.called && nth + 1 == self.count {
            reader.push_plain(at, at + 1, kinds, Rank::Structure);
        } else if self.evidence && self.colons {
            reader.push_name_at(at, at + 1, kinds, Rank::Structure);
        } else {
            reader.push(at, at + 1, kinds, Rank::Structure);
        }
        // A variable is one where it stands; the words of its name are used for much else.
        if by_its_place {
            reader.push_here(at, at + 1, &[Var], Rank::Structure);
        }
    }

    /// What the name is as a whole: a permission or a setting.
    fn whole(&self, reader: &mut Reader<'_, '_>) {
        let Self {
            from, to, evidence, ..
        } = *self;
        if self.called {
            return;
        }
        // Beside `parcels.read` that a claim names `parcels.write` is a permission, too.
        if evidence {
            reader.push(from, to, &[Perm], Rank::Structure);
            if let Some(find) = reader.finds.last_mut() {
                find.if_named = true;
            }
        }
        if self.first_class.is_some() || self.colons || self.itself || self.constant {
            return;
        }
        let permitted = self.count > 2 && reader.says(to - 1, PERMITTED);
        let kinds: &'static [Kind] = match evidence && !permitted {
            true => &[Config],
            false => &[Config, Perm],
        };
        // The evidence may know it as a value: `size = "t3.small"`.
        let rank = match evidence {
            true => Rank::Structure,
            false => Rank::Shape,
        };
        reader.push(from, to, kinds, rank);
        if let Some(find) = reader.finds.last_mut() {
            find.only_in_profile = true;
        }
    }
}

/// `"origin": "harbour.pilots"`: whether it is a string of JSON whose key says of no table or column. What its parts
/// are is not known.
fn is_said_in_json(reader: &Reader<'_, '_>, from: usize, to: usize) -> bool {
    let quoted = from > 3 && reader.is_mark(from - 1, b'"') && reader.is_mark(to, b'"');
    let Some(colon) = reader.before(from - usize::from(quoted)).filter(|_| quoted) else {
        return false;
    };
    let key = colon.saturating_sub(2);
    reader.is_mark(colon, b':')
        && reader.is_mark(key + 1, b'"')
        && !config::key_kinds(reader.word(key))
            .is_some_and(|kinds| kinds.contains(&Table) || kinds.contains(&Col))
}

/// Whether the word at `at` is the ending of a unit: what runs units is near, or was before it was scrubbed.
fn is_unit(reader: &Reader<'_, '_>, at: usize) -> bool {
    const NEAR: usize = 24;
    const RUN: &Words = any_of!("daemon journalctl systemctl systemd");
    let runs = |at: usize| reader.says(at, RUN) || reader.is_scrubbed(at);
    reader.says(at, any_of!("mount service socket target timer"))
        && (at.saturating_sub(NEAR)..at + NEAR).any(runs)
}

/// What a permission of Google Cloud ends with: `storage.objects.get`.
const PERMITTED: &Words = any_of!(
    "\
    actAs admin call create delete execute export get getIamPolicy invoke list publish read setIamPolicy \
    update use watch write"
);

/// `store.Load(…)`, `os.ReadFile(…)` of Go: one capital or a verb, and no error or model whose class would be in a
/// module.
fn is_method(reader: &Reader<'_, '_>, at: usize) -> bool {
    const VERBS: &Words =
        any_of!("Get Has Is Listen Marshal Must New Parse Read Set Trim Unmarshal Write");
    let word = reader.word(at);
    let hump = word
        .bytes()
        .skip(1)
        .position(|byte| byte.is_ascii_uppercase());
    let acts = || hump.is_some_and(|hump| VERBS.has(&word[..=hump]));
    reader.look(at) == Look::Capital && !reader.is_built_in(at) || acts()
}

/// The same for a claim: whatever the profile, each part is a name.
fn named_by_place(count: usize, nth: usize) -> &'static [Kind] {
    match count - nth {
        1 => &[Col, Field, Config, Var, Perm],
        2 => &[Table, Config, Module, Perm],
        3 => &[Schema, Config, Module, Perm],
        _ => &[Db, Config, Module, Perm],
    }
}

/// The parts of `schema.table.column`, from the last.
fn by_place(count: usize, nth: usize) -> &'static [Kind] {
    match count - nth {
        1 => &[Col, Field],
        2 => &[Table],
        3 => &[Schema],
        _ => &[Db],
    }
}
