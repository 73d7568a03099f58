//! The inside of a statement, word by word.

use super::{
    COLUMN, TABLE, is_option,
    names::{is_qualified, push_chain},
    openers::{NAMES_BEHIND, Opener},
    queries::{is_template, prior},
    scrubbed_end,
};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        scanner::TokenKind,
        structure::{REACH, Reader, calls, code, prose, shapes},
        words::{self, BEHIND, LANGUAGE, List, OPENER, SQL, TYPE_WORDS, Words, any_of},
    },
};

/// Types of some databases that are other words of languages, too.
const MORE_TYPES: &Words =
    any_of!("byte bytes list long map number object short string struct super");

/// Words that open an entry of a table's definition that is no column.
const NO_COLUMN: &Words =
    any_of!("primary foreign unique constraint check key index like exclude partition");

pub(super) struct Statement<'r, 's, 't> {
    pub(super) reader: &'r mut Reader<'s, 't>,
    pub(super) at: usize,
    pub(super) limit: usize,
    pub(super) opener: Opener,
    /// Whether it opens in capitals.
    pub(super) shouted: bool,
    /// Whether it does, and has small words, too: its names.
    pub(super) mixed: bool,
    /// Whether it opens its line: else it may stand in a log or in a string.
    pub(super) opens_line: bool,
    /// Where the last comment begins and ends.
    pub(super) comment: (usize, usize),
    /// The last keyword.
    pub(super) last: &'t str,
    /// Whether a table's definition is being read: none stands inside another.
    pub(super) defines: bool,
}

impl Statement<'_, '_, '_> {
    pub(super) fn read(&mut self) -> usize {
        while self.at < self.limit
            && let Some(kind) = self.reader.scan.kind(self.at)
        {
            if let Some(end) = comment_end(self.reader, self.at) {
                self.comment = (self.at, end);
                self.at = end;
                continue;
            }
            match kind {
                TokenKind(b';') => return self.at + 1,
                TokenKind::NEWLINE => match self.goes_on() {
                    Some(true) => self.at += 1,
                    Some(false) => return self.at + 1,
                    None => return scrubbed_end(self.reader, self.at),
                },
                TokenKind::WORD => self.word(),
                TokenKind(b'"' | b'`') => self.quoted(),
                // Not the index of an array: `tags[1]`.
                TokenKind(b'[')
                    if self.shouted && !self.reader.is_word(self.at.wrapping_sub(1)) =>
                {
                    self.quoted();
                }
                TokenKind(b'\'') => self.literal(),
                // `$body$` opens and closes what a function does.
                TokenKind(b'$') if self.reader.is_mark(self.at + 2, b'$') => self.at += 3,
                _ => self.at += 1,
            }
        }
        self.at
    }

    /// Whether the statement goes on behind the line end at the place; `None` where what has been scrubbed
    /// says no more whether it did.
    fn goes_on(&self) -> Option<bool> {
        let next = self.reader.skip_space(self.at + 1);
        // "a, -- the first"
        let end = match self.comment.1 == self.at {
            true => self.comment.0,
            false => self.at,
        };
        let before = self
            .reader
            .before(end)
            .map_or("", |at| self.reader.word(at));
        let open = any_of!(", ( = > <").has(before);
        let keyword = self
            .reader
            .is_in(next, LANGUAGE.or(SQL).or(BEHIND).or(OPENER));
        let word = self.reader.word(next);
        let small = !word.starts_with(char::is_uppercase) || words::is_all_capitals(word);
        match self.reader.scan.kind(next) {
            None | Some(TokenKind::NEWLINE) => Some(false),
            _ if open => Some(true),
            // Prose goes on with a capital; so may a log's next line.
            Some(TokenKind::WORD)
                if keyword && small || self.opens_line && small && next > self.at + 1 =>
            {
                Some(true)
            }
            // What has been scrubbed may have been a comment.
            Some(TokenKind::WORD) => match self.reader.before(end) {
                Some(last) if self.opens_line && self.reader.is_scrubbed(last) => None,
                _ => Some(false),
            },
            Some(TokenKind::PLACEHOLDER) if self.opens_line => None,
            _ => Some(self.opens_line),
        }
    }

    /// `WHERE type = 3`, `SET owner = 4`: whether the word at the place is compared or set, as only a column is.
    fn is_compared(&self) -> bool {
        const KEYWORD: List = LANGUAGE.or(SQL).or(BEHIND).or(OPENER);
        let (reader, at) = (&self.reader, self.at);
        if !reader.is_in(at, KEYWORD) || reader.word(at).contains('_') {
            return false;
        }
        let next = self.next(at + 1);
        let compared = reader.says(next, any_of!("= < > !"))
            || reader.says_in_any_case(next, any_of!("between in is like"));
        let values = any_of!("all any case exists false null some true");
        if !compared || reader.says_in_any_case(at, values) {
            return false;
        }
        let before = prior(reader, at);
        let listed = self.opener == Opener::Update && reader.is_mark(next, b'=');
        reader.says_in_any_case(before, any_of!("and not or set where"))
            || listed && reader.is_mark(before, b',')
    }

    fn word(&mut self) {
        if self.is_compared() {
            return self.push_name(COLUMN);
        }
        let at = self.at;
        let word = self.reader.word(at);
        let is = |words: &Words| words.has_in_any_case(word);
        let behind = self.behind(at);
        let next = self.next(at + 1);
        // `ALTER DEFAULT PRIVILEGES … GRANT SELECT ON TABLES TO clerk`
        if self.opener == Opener::Alter && is(any_of!("grant revoke")) {
            self.opener = Opener::Grant;
        }
        let grants = matches!(self.opener, Opener::Grant | Opener::Revoke);
        // `REFERENCES rooms (no)`
        let alone = self.reader.is_mark(at.wrapping_sub(1), b'(')
            && self.reader.is_mark(at + 1, b')')
            && self.reader.look(at).is_plain();
        let lists = if alone { LANGUAGE } else { LANGUAGE.or(SQL) };
        let keyword = self.reader.is_in(at, lists) || behind.is_some() || self.is_shouted(word);
        if !keyword || alone && self.reader.is_in(at, TYPE_WORDS) {
            // A role that is granted: `GRANT staff TO ann`.
            let granted = grants && self.reader.says_in_any_case(next, any_of!("from to"));
            return match granted && matches!(self.last.len(), 5 | 6) {
                true => self.push_name(&[Role]),
                false => self.name(alone),
            };
        }
        let last = core::mem::replace(&mut self.last, word);
        self.at = next;
        if is(any_of!("on")) {
            // `ON DELETE CASCADE`
            if self
                .reader
                .says_in_any_case(next, any_of!("conflict delete update"))
            {
                return self.at += 1;
            }
            // `CREATE INDEX … ON stays`, not `CREATE VIEW … JOIN stays s ON s.guest = …`
            let joined = || any_of!("as join").has_in_any_case(last);
            if grants || self.opener == Opener::Create && !joined() {
                // `ON SCHEMA depot`, `ON ALL TABLES IN SCHEMA depot`: of which kind it is is said.
                let word = self.reader.word(next);
                let named = self.next(next + 1);
                let capitals = words::is_all_capitals(word) && self.reader.is_in(next, LANGUAGE);
                let kind = self.behind(next).is_some()
                    && !self.reader.is_in(named, LANGUAGE)
                    && !self.reader.is_mark(named, b'(');
                let every = any_of!("all").has_in_any_case(word)
                    || any_of!("FUNCTIONS ROUTINES SCHEMAS SEQUENCES TABLES TYPES").has(word);
                return match capitals || kind || every {
                    true => {}
                    false => self.push_name(TABLE),
                };
            }
        }
        if grants && is(any_of!("from to")) {
            self.grantee();
            while self.reader.is_mark(self.next(self.at), b',') {
                self.at = self.next(self.next(self.at) + 1);
                self.grantee();
            }
            return;
        }
        if is(any_of!("using")) && matches!(self.opener, Opener::Delete | Opener::Merge) {
            self.push_name(TABLE);
            return self.aliases(false);
        }
        // `LANGUAGE plpgsql`, `ENGINE=InnoDB`
        let value = match self.reader.is_mark(next, b'=') {
            true => self.next(next + 1),
            false => next,
        };
        let skipped = word == "LANGUAGE" || is_option(self.reader, value);
        if skipped && self.reader.is_name(value) {
            return self.at = value + 1;
        }
        // `RETURNS trigger`, `RETURNS SETOF racks`
        if is(any_of!("returns")) {
            if self.reader.says_in_any_case(next, any_of!("setof")) {
                self.at = self.next(next + 1);
                self.push_name(TABLE);
            } else if self.reader.says_in_any_case(next, any_of!("trigger")) {
                // Whether the next line belongs to it is seen there.
                self.at += 1;
            }
            return;
        }
        // `CREATE TYPE state AS ENUM`, `ALTER COLUMN fee TYPE numeric`
        let declares = self.opener == Opener::Create || self.opener == Opener::Alter;
        if declares && (is(any_of!("type")) && (!self.shouted || word == "TYPE"))
            || self.opener == Opener::Create && word == "DOMAIN"
        {
            if self.reader.is_word(next) {
                self.at = self.reader.push_type(next);
            }
            return;
        }
        // `KEY idx_order (order_id)`, not `PRIMARY KEY (…)`.
        if is(any_of!("key"))
            && !any_of!("foreign primary").has_in_any_case(last)
            && !self.reader.is_mark(next, b'(')
        {
            return self.push_name(&[Index]);
        }
        let adds = is(any_of!("add"));
        let Some(kinds) = behind.or(adds.then_some(COLUMN)) else {
            // Whether the next line belongs to it is seen there.
            return self.at = at + 1;
        };
        // `OWNER TO keeper`, not `OWNER TO CURRENT_USER`
        if is(any_of!("owner")) && self.reader.says_in_any_case(next, any_of!("to")) {
            let owner = self.next(next + 1);
            if !self.reader.is_in(owner, SQL) {
                self.at = owner;
            }
        }
        if adds {
            if self.opener == Opener::Alter && !self.is_keyword(self.at) {
                self.column();
            }
            return;
        }
        // `GRANT UPDATE`, `FOR UPDATE`, `INSERT … AT INDEX`
        let shadowed = grants && is(any_of!("truncate update"))
            || is(any_of!("update")) && any_of!("for").has_in_any_case(last)
            || is(any_of!("index")) && self.opener == Opener::Insert;
        if !shadowed {
            self.named(word, kinds);
        }
    }

    /// What is at the place, behind a word of [`NAMES_BEHIND`].
    fn named(&mut self, word: &str, kinds: &'static [Kind]) {
        let is = |words: &Words| words.has_in_any_case(word);
        // Without `IF` it stands where a name does, and is one once a claim has named it.
        if self.reader.says_in_any_case(self.at, any_of!("exists")) {
            self.at += 1;
        } else {
            self.skip_condition();
            // One of its words was scrubbed, or a name.
            if self.reader.is_scrubbed(self.at) && self.is_condition(self.next(self.at + 1)) {
                return self.at = scrubbed_end(self.reader, self.at) - 1;
            }
            if is(any_of!("column")) && self.opener == Opener::Alter {
                return self.column();
            }
            if self.is_keyword(self.at) {
                return;
            }
            match is_template(self.reader, self.at) {
                true => self.template(),
                false => self.push_name(kinds),
            }
        }
        // `MERGE INTO racks r USING …`, not `INSERT INTO racks (no)`
        if is(any_of!("from join only update"))
            || is(any_of!("into")) && self.opener == Opener::Merge
        {
            self.aliases(is(any_of!("from")));
        }
        if is(any_of!("table")) && self.opener == Opener::Create && !self.defines {
            self.defines = true;
            // `c:v (…)`: a name may have marks inside.
            let in_run = |kind| kind != TokenKind::SPACE && shapes::is_in_run(kind);
            while self.reader.scan.kind(self.at).is_some_and(in_run) {
                self.at += 1;
            }
            self.columns();
            self.skip_options();
            self.defines = false;
        }
    }

    /// A role that is given a right, or loses it: `TO clerk`. `PUBLIC` is the keyword for all of them.
    #[inline(never)]
    fn grantee(&mut self) {
        match self
            .reader
            .says_in_any_case(self.at, any_of!("current_user public"))
        {
            true => self.at += 1,
            false => self.push_name(&[Role]),
        }
    }

    /// `c` of `JOIN crew AS c`; with `more` the other tables of `FROM crew c, ships s`, too.
    fn aliases(&mut self, more: bool) {
        loop {
            let mut at = self.reader.skip_space(self.at);
            if self.reader.says_in_any_case(at, any_of!("as")) {
                at = self.reader.skip_space(at + 1);
            }
            let goes_on = self.reader.says(at + 1, any_of!("( ."));
            if self.may_name(at) && !goes_on {
                self.reader.push(at, at + 1, TABLE, Rank::Definition);
                self.at = at + 1;
            }
            let comma = self.next(self.at);
            let name = self.next(comma + 1);
            if !more || !self.reader.is_mark(comma, b',') || !self.may_name(name) {
                return;
            }
            self.at = name;
            self.push_name(TABLE);
        }
    }

    /// `{{ source('hall', 'keys') }}`: what the call names is read as anywhere.
    #[inline(never)]
    fn template(&mut self) {
        let call = self.reader.skip_space(self.at + 2);
        let closing = code::closing(self.reader, call + 1);
        if closing.is_some() {
            calls::named(self.reader, call);
        }
        let close = self.reader.skip_space(closing.unwrap_or(call) + 1);
        self.at = match self.reader.is_mark(close, b'}') {
            true => close + 2,
            false => call,
        };
    }

    /// Whether the word at the place is none of SQL's.
    fn may_name(&self, at: usize) -> bool {
        self.reader.is_word(at)
            && !self.reader.is_in(at, LANGUAGE.or(SQL))
            && !self.is_keyword(at)
            && !self.is_shouted(self.reader.word(at))
    }

    /// `IF NOT EXISTS`, `IF EXISTS`, `CONCURRENTLY`.
    fn skip_condition(&mut self) {
        while self.is_condition(self.at) {
            self.at = self.next(self.at + 1);
        }
    }

    fn is_condition(&self, at: usize) -> bool {
        self.reader
            .says_in_any_case(at, any_of!("concurrently exists if lateral not only"))
    }

    /// What stands behind the bracket: `ENGINE=InnoDB`, up to the query of `AS SELECT …`; the table of `LIKE racks`.
    fn skip_options(&mut self) {
        let ends = |kind| matches!(kind, None | Some(TokenKind::NEWLINE | TokenKind(b';')));
        while !ends(self.reader.scan.kind(self.at)) {
            if self.reader.says_in_any_case(self.at, any_of!("as")) {
                return;
            }
            if self.reader.says_in_any_case(self.at, any_of!("like")) {
                self.at = self.next(self.at + 1);
                if self.reader.is_any(self.at, b"\"`[") || self.may_name(self.at) {
                    self.push_name(TABLE);
                }
                return;
            }
            self.at = match prose::quotation(self.reader, self.at) {
                Some((_, close)) => close + 1,
                None => self.at + 1,
            };
        }
    }

    /// The entries between the brackets of a table's definition.
    fn columns(&mut self) {
        let open = self.next(self.at);
        if !self.reader.is_mark(open, b'(') {
            return;
        }
        self.at = self.next(open + 1);
        self.entry();
        let mut depth = 1;
        while depth > 0 {
            if let Some(end) = comment_end(self.reader, self.at) {
                self.at = end;
            }
            match self.reader.scan.kind(self.at) {
                None | Some(TokenKind(b';')) => return,
                Some(TokenKind(b'(')) => depth += 1,
                Some(TokenKind(b')')) => depth -= 1,
                Some(TokenKind(b',')) if depth == 1 => {
                    self.at = self.next(self.at + 1);
                    self.entry();
                    continue;
                }
                Some(TokenKind::WORD) => {
                    self.word();
                    continue;
                }
                Some(TokenKind(b'\'')) => {
                    self.literal();
                    continue;
                }
                // In quotes no statement ends.
                Some(TokenKind(b'"' | b'`')) => {
                    let ends = |at| self.reader.is_mark(at, b';');
                    let quoted = prose::quotation(self.reader, self.at);
                    let text = quoted.filter(|(from, to)| (*from..*to).any(ends));
                    self.at = text.map_or(self.at, |(_, close)| close);
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// A column's definition, or a constraint, which is read as any words of SQL.
    fn entry(&mut self) {
        if self.is_typed() || !self.reader.says_in_any_case(self.at, NO_COLUMN) {
            self.column();
        } else if self.reader.says_in_any_case(self.at, any_of!("like")) {
            self.at = self.next(self.at + 1);
            self.push_name(TABLE);
        }
    }

    /// Whether the word at the place has a data type behind it, as a column has, whatever it is called: `key TEXT`, not
    /// `KEY date (date)`, `CONSTRAINT date CHECK (…)`.
    fn is_typed(&self) -> bool {
        let kind = self.next(self.at + 1);
        let open = self.next(self.reader.type_end(kind));
        self.reader.is_in(kind, TYPE_WORDS)
            && !(self.reader.is_mark(open, b'(') && self.reader.is_name(open + 1))
            && !self.reader.says_in_any_case(self.at, any_of!("constraint"))
    }

    /// A column's name and its type.
    fn column(&mut self) {
        self.push_name(COLUMN);
        self.at = self.next(self.at);
        let data_type = self.reader.is_in(self.at, TYPE_WORDS)
            || self.reader.is_word(self.at) && !self.reader.is_in(self.at, LANGUAGE)
            || self.reader.says_in_any_case(self.at, MORE_TYPES);
        if data_type {
            self.at = self.reader.push_type(self.at);
            self.inner_types();
        }
    }

    /// `(String)` of `Array(String)`, `<code STRING>` of `STRUCT<code STRING>`.
    fn inner_types(&mut self) {
        let mark = self.reader.scan.kind(self.at);
        let open = self.at + 1;
        let first =
            self.reader.is_word(open) && !self.reader.says_in_any_case(open, any_of!("max"));
        if !matches!(mark, Some(TokenKind(b'(' | b'<'))) || !first {
            return;
        }
        let mut depth = 1_usize;
        let mut at = open;
        while depth > 0 && at < open + REACH {
            match self.reader.scan.kind(at) {
                None | Some(TokenKind::NEWLINE | TokenKind(b';')) => break,
                Some(TokenKind(b'(' | b'<')) => depth += 1,
                Some(TokenKind(b')' | b'>')) => depth -= 1,
                Some(TokenKind::WORD) => {
                    let behind = self.reader.skip_space(at + 1);
                    match behind > at + 1 && self.reader.is_word(behind) {
                        true => self.reader.push(at, at + 1, COLUMN, Rank::Definition),
                        false => {
                            self.reader.push_type(at);
                        }
                    }
                }
                _ => {}
            }
            at += 1;
        }
        if depth == 0 {
            self.at = at;
        }
    }

    /// A bare name: a column where a condition or a list stands.
    fn name(&mut self, alone: bool) {
        let called = self.reader.is_mark(self.at + 1, b'(') || is_option(self.reader, self.at);
        // `%(year)s` of Python
        let bound = self.at.wrapping_sub(4);
        let called = called
            || self.reader.is_mark(self.at.wrapping_sub(1), b')')
                && self.reader.has_marks(bound, b"%(");
        // `nvarchar(max)`
        let called = called || alone && self.reader.word(self.at).eq_ignore_ascii_case("max");
        // `fee > @least`, `fee > :least`
        let mark = self.at.wrapping_sub(1);
        let called = called
            || self.reader.is_mark(mark, b'@')
            || self.reader.is_mark(mark, b':') && !self.reader.is_word(mark.wrapping_sub(1));
        let type_word = self.reader.is_in(self.at, TYPE_WORDS) && !alone;
        if called || type_word || self.last.is_empty() {
            self.at += 1;
            return;
        }
        // `late` of `), late AS (SELECT …)`
        let word = self.next(self.at + 1);
        let query = self.reader.says_in_any_case(word, any_of!("as"))
            && self.reader.is_mark(self.next(word + 1), b'(');
        self.push_name(if query { TABLE } else { COLUMN });
    }

    /// A name in double quotes or backticks.
    fn quoted(&mut self) {
        self.push_name(COLUMN);
    }

    /// A text in single quotes is no name.
    fn literal(&mut self) {
        self.at = match prose::quotation(self.reader, self.at) {
            Some((_, end)) => end + 1,
            None => self.at + 1,
        };
    }

    /// The name at the place, with what qualifies it: the last part is of `kinds`. What ends an entry is no
    /// name, and left to be read.
    fn push_name(&mut self, kinds: &'static [Kind]) {
        // `COPY racks FROM '/tmp/racks.csv'`; MySQL quotes its users so.
        let text = || {
            let quoted = prose::quotation(self.reader, self.at);
            let chain = quoted.is_some_and(|(from, to)| is_qualified(self.reader, from, to));
            self.opener == Opener::Copy || kinds != TABLE || !chain
        };
        if self.reader.is_mark(self.at, b'\'') && kinds != [Role] && text() {
            return self.literal();
        }
        let end = push_chain(self.reader, self.at, kinds, Rank::Definition);
        let ends = matches!(
            self.reader.scan.kind(self.at),
            Some(TokenKind(b',' | b')' | b';'))
        );
        self.at = end.unwrap_or(self.at + usize::from(!ends));
    }

    /// The kinds of the name behind a keyword. In a statement in capitals a small `user` is a name.
    fn behind(&self, at: usize) -> Option<&'static [Kind]> {
        const VERBS: &Words = any_of!("constraint from into join references update");
        if !self.reader.is_in(at, BEHIND) {
            return None;
        }
        let word = self.reader.word(at);
        let (known, kinds) = NAMES_BEHIND
            .iter()
            .find(|(known, _)| word.eq_ignore_ascii_case(known))?;
        let keyword = !self.shouted || words::is_all_capitals(word) || VERBS.has(known);
        keyword.then_some(*kinds)
    }

    /// Whether the word is read as a keyword, also where a name is awaited.
    fn is_keyword(&self, at: usize) -> bool {
        self.reader.is_in(at, LANGUAGE) && words::is_all_capitals(self.reader.word(at))
            || self.reader.says_in_any_case(at, any_of!("select set"))
            || self.behind(at).is_some()
    }

    /// Whether a word is a keyword because names are small here and it is not: `NOTHING`, `SKIP LOCKED`.
    fn is_shouted(&self, word: &str) -> bool {
        self.mixed && words::is_all_capitals(word)
    }

    /// The next token that is neither space nor line end, nor in a comment.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn next(&self, at: usize) -> usize {
        next_of(self.reader, at).min(self.limit.max(at))
    }
}

/// The next token from `at` on that is neither space nor line end, nor in a comment.
#[cfg_attr(target_arch = "wasm32", inline(never))]
pub(super) fn next_of(reader: &Reader<'_, '_>, at: usize) -> usize {
    let mut next = at;
    while next < at + MOST_SAID {
        next = match reader.scan.kind(next) {
            Some(TokenKind::SPACE | TokenKind::NEWLINE) => next + 1,
            _ => match comment_end(reader, next) {
                Some(end) => end,
                None => break,
            },
        };
    }
    next
}

/// How many tokens of comments are passed over at once, as more than one rule may look behind them.
const MOST_SAID: usize = 8 * REACH;

/// Where the comment ends that begins at `at`: `-- as weighed`, `/* in grams */`, `# of MySQL`, not `#queue`,
/// which is a table of SQL Server.
#[cfg_attr(target_arch = "wasm32", inline(never))]
fn comment_end(reader: &Reader<'_, '_>, at: usize) -> Option<usize> {
    let space = |at: usize| {
        matches!(
            reader.scan.kind(at),
            None | Some(TokenKind::SPACE | TokenKind::NEWLINE)
        )
    };
    let reach = at + MOST_SAID;
    match reader.scan.kind(at)? {
        TokenKind(b'-') if reader.is_mark(at + 1, b'-') => {}
        TokenKind(b'#') if space(at + 1) && at.checked_sub(1).is_none_or(space) => {}
        TokenKind(b'/') if reader.is_mark(at + 1, b'*') => {
            let closes = |at: &usize| reader.is_mark(*at, b'*') && reader.is_mark(*at + 1, b'/');
            return (at + 2..reach).find(closes).map(|close| close + 2);
        }
        _ => return None,
    }
    (at..reach).find(|at| matches!(reader.scan.kind(*at), None | Some(TokenKind::NEWLINE)))
}

/// `[Order Details]`, as SQL Server quotes a name.
pub(in crate::scrub::structure) fn bracketed(
    reader: &Reader<'_, '_>,
    at: usize,
) -> Option<(usize, usize)> {
    if !reader.is_mark(at, b'[') || !reader.is_name(at + 1) {
        return None;
    }
    let inside = |at: &usize| {
        matches!(
            reader.scan.kind(*at),
            Some(
                TokenKind::WORD
                    | TokenKind::PLACEHOLDER
                    | TokenKind::SPACE
                    | TokenKind::NUMBER
                    | TokenKind(b'.')
            )
        )
    };
    let close = (at + 1..at + REACH).find(|at| !inside(at))?;
    reader.is_mark(close, b']').then_some((at + 1, close))
}
