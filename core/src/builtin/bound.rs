//! What compares a value: "at least 5", "> 5", "fewer than five", "5 or more", "before 1990".

use core::cmp::Ordering;

use super::lex::{self, Kind, Token};

/// On which side of a value another may be.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum Side {
    /// It is the value itself.
    #[default]
    Itself,
    Above,
    Below,
}

impl Side {
    fn turned(self) -> Self {
        match self {
            Self::Itself => self,
            Self::Above => Self::Below,
            Self::Below => Self::Above,
        }
    }

    /// Where a value lies that compares so with another.
    fn of(order: Ordering) -> Self {
        match order {
            Ordering::Less => Self::Below,
            Ordering::Equal => Self::Itself,
            Ordering::Greater => Self::Above,
        }
    }
}

/// A value's comparison.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Bound {
    pub(super) side: Side,
    /// The value itself is not meant.
    pub(super) strict: bool,
    /// Nor is another far from it: "about 300".
    pub(super) about: bool,
}

/// What a value of the evidence is to one of the claim in its slot.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Relation {
    Same,
    Rival,
    /// It is one of those that the claim's comparison leaves, "12" of "more than 8".
    Within,
    /// It is of the same kind, and both may be.
    Open,
    /// It is of another kind.
    Neither,
}

impl Bound {
    fn limit(side: Side) -> Self {
        Self {
            side,
            ..Self::default()
        }
    }

    fn strictly(side: Side) -> Self {
        Self {
            strict: true,
            ..Self::limit(side)
        }
    }

    fn about() -> Self {
        Self {
            about: true,
            ..Self::default()
        }
    }

    /// "No more than": at most.
    fn denied(self) -> Self {
        Self {
            side: self.side.turned(),
            strict: !self.strict,
            ..self
        }
    }

    /// What the evidence's value is to the claim's, which has this comparison, where both values are the same.
    pub(super) fn of_same(self, found: Self) -> Relation {
        if self.side != Side::Itself && found.side == self.side.turned() {
            return Relation::Rival;
        }
        match (self.strict, found.strict) {
            (true, false) => Relation::Open,
            (false, true) if self.side == Side::Itself => Relation::Open,
            _ => Relation::Same,
        }
    }

    /// The same where the claim's value compares with the evidence's so.
    ///
    /// A limit is held to as it was set: who says "at least 8" does not say "at least 6", nor 12. What is only
    /// compared is not: what is "more than 8" may be 12, or more than 12. And what is "more than 12", or "at least
    /// 12", is "more than 8"; but what happens above 12 need not happen above 8, so that is left open.
    pub(super) fn of_other(self, found: Self, order: Ordering) -> Relation {
        let claimed = Side::of(order);
        let may_be = match (self.side, found.side) {
            (Side::Itself, Side::Itself) => false,
            (side, Side::Itself) if self.strict && claimed == side.turned() => {
                return Relation::Within;
            }
            (Side::Itself, side) => found.strict && claimed == side,
            (one, other) if one == other => found.strict || self.strict && claimed == one.turned(),
            (one, _) => claimed == one.turned(),
        };
        match may_be {
            true => Relation::Open,
            false => Relation::Rival,
        }
    }
}

/// Gives a value what compares it, and marks the words `before` it that do.
pub(super) fn compare(
    text: &str,
    low: &str,
    before: &mut [Token],
    token: &mut Token,
    after: &mut [Token],
) {
    let words = Words { text, low };
    if let Some((bound, length, denial)) = words.ahead(before, token) {
        let from = before.len() - length;
        token.bound = bound;
        for token in &mut before[from..] {
            token.compares = true;
        }
        if let Some(first) = before.get(from - denial) {
            token.phrase.0 = token.phrase.0.min(first.start);
        }
        if let Kind::Number(ref mut number) = token.kind
            && bound.about
        {
            number.slack = number.slack.max(number.value.abs() * NEAR);
        }
    } else if let Some((bound, length)) = words.behind(after, token) {
        token.bound = bound;
        for token in &mut after[..length] {
            token.compares = true;
        }
        token.phrase.1 = after[length - 1].end;
    }
}

/// How far from a value "about" it may be, as a share of it.
const NEAR: f64 = 0.15;

struct Words<'a> {
    text: &'a str,
    low: &'a str,
}

impl<'a> Words<'a> {
    fn word(&self, token: Option<&Token>) -> &'a str {
        let word = token.filter(|token| token.kind == Kind::Word);
        word.map_or("", |token| &self.low[token.start..token.end])
    }

    /// What compares a value from before it, how many tokens that is, and how far before these the word stands that
    /// denies it.
    fn ahead(&self, before: &[Token], token: &Token) -> Option<(Bound, usize, usize)> {
        let currency = usize::from(before.last().is_some_and(|t| t.kind == Kind::Punct(b'$')));
        let before = &before[..before.len() - currency];
        let nth = |back: usize| before.len().checked_sub(back).and_then(|at| before.get(at));
        let [last, second] = [1, 2].map(|back| self.word(nth(back)));
        let day = token.kind == Kind::Date || lex::is_year(&self.low[token.start..token.end]);
        let found = match last {
            "" => {
                let (bound, length) = self.sign(before, token)?;
                return Some((bound, length + currency, 0));
            }
            "than" => (Bound::strictly(comparative(second)?), 2),
            // "Over three days" is as often how long something took.
            "over" => (Bound::limit(Side::Above), 1),
            "above" | "exceeding" | "exceeds" | "exceed" | "exceeded" | "beyond" => {
                (Bound::strictly(Side::Above), 1)
            }
            "below" | "under" => (Bound::strictly(Side::Below), 1),
            "least" if second == "at" => (Bound::limit(Side::Above), 2),
            "most" if second == "at" => (Bound::limit(Side::Below), 2),
            "to" if second == "up" => (Bound::limit(Side::Below), 2),
            "within" => (Bound::limit(Side::Below), 1),
            "maximum" | "max" => (Bound::limit(Side::Below), 1),
            "minimum" | "min" => (Bound::limit(Side::Above), 1),
            "of" => match second {
                "maximum" | "max" => (Bound::limit(Side::Below), 2),
                "minimum" | "min" => (Bound::limit(Side::Above), 2),
                _ => return None,
            },
            "about" | "around" | "approximately" | "roughly" | "nearly" | "almost" | "circa" => {
                (Bound::about(), 1)
            }
            "before" if day => (Bound::strictly(Side::Below), 1),
            "after" if day => (Bound::strictly(Side::Above), 1),
            "until" | "till" | "by" if day => (Bound::limit(Side::Below), 1),
            "since" if day => (Bound::limit(Side::Above), 1),
            _ => return None,
        };
        let (bound, length) = found;
        let no =
            |word: &str| matches!(word, "no" | "not" | "never" | "cannot") || word.ends_with("n't");
        // "No more than", "must not be above", "do not take more than"; but "not open after 5 pm".
        let denied = (bound.strict && !day)
            .then(|| (1..=3).find(|back| no(self.word(nth(length + back)))))
            .flatten();
        Some(match denied {
            Some(back) => (bound.denied(), length + currency, back),
            None => (bound, length + currency, 0),
        })
    }

    /// A sign of comparison before a value: `> 5`, `<= 5`, `≥ 5`.
    fn sign(&self, before: &[Token], token: &Token) -> Option<(Bound, usize)> {
        let lead = self.text[..token.start].trim_end_matches([' ', '$']);
        if lead.ends_with('≥') {
            return Some((Bound::limit(Side::Above), 0));
        }
        if lead.ends_with('≤') {
            return Some((Bound::limit(Side::Below), 0));
        }
        let mark = |back: usize| match before.get(before.len().checked_sub(back)?)?.kind {
            Kind::Punct(mark) => Some(mark),
            _ => None,
        };
        let (sign, length) = match (mark(1)?, mark(2)) {
            (b'=', Some(sign @ (b'<' | b'>'))) => (sign, 2),
            (sign @ (b'<' | b'>'), _) => (sign, 1),
            _ => return None,
        };
        let first = before.len() - length;
        let left = before.get(first.checked_sub(1)?)?;
        // The end of a tag or an arrow compares nothing, nor does what opens a line.
        let tag = sign == b'>'
            && before[..first]
                .iter()
                .rev()
                .take(3)
                .any(|token| token.kind == Kind::Punct(b'<'));
        let compares = match left.kind {
            Kind::Punct(mark) => matches!(mark, b')' | b']'),
            _ => !self.text[left.end..before[first].start].contains('\n'),
        };
        let side = match sign {
            b'<' => Side::Below,
            _ => Side::Above,
        };
        let bound = match length {
            1 => Bound::strictly(side),
            _ => Bound::limit(side),
        };
        (compares && !tag).then_some((bound, length))
    }

    /// What compares a value from behind it: "5 or more", "18+".
    fn behind(&self, after: &[Token], token: &Token) -> Option<(Bound, usize)> {
        let first = after.first()?;
        if first.kind == Kind::Punct(b'+') && first.start == token.end {
            let counts = !matches!(after.get(1).map(|next| next.kind), Some(Kind::Number(_)));
            return counts.then_some((Bound::limit(Side::Above), 1));
        }
        let [first, second] = [Some(first), after.get(1)].map(|token| self.word(token));
        let side = match (first, second) {
            ("or" | "and", "above" | "up" | "over" | "later" | "newer" | "older" | "higher")
            | ("or", "more" | "greater" | "longer") => Side::Above,
            ("or" | "and", "below" | "under" | "earlier" | "younger" | "lower")
            | ("or", "less" | "fewer" | "shorter") => Side::Below,
            _ => return None,
        };
        Some((Bound::limit(side), 2))
    }
}

/// The side of what is more than a value, or less.
fn comparative(word: &str) -> Option<Side> {
    match word {
        "more" | "greater" | "higher" | "longer" | "larger" | "bigger" | "later" | "older"
        | "newer" | "heavier" | "deeper" | "wider" | "taller" | "faster" => Some(Side::Above),
        "less" | "fewer" | "lower" | "shorter" | "smaller" | "earlier" | "younger" | "lighter"
        | "narrower" | "slower" | "cheaper" => Some(Side::Below),
        _ => None,
    }
}

/// Whether a word does nothing but compare, so that a value that says the same says it.
pub(super) fn only_compares(word: &str) -> bool {
    const OTHERS: [&str; 8] = [
        "above",
        "almost",
        "approximately",
        "around",
        "below",
        "circa",
        "nearly",
        "roughly",
    ];
    comparative(word).is_some() || exceeds(word) || OTHERS.contains(&word)
}

fn exceeds(word: &str) -> bool {
    matches!(
        word,
        "beyond" | "exceed" | "exceeds" | "exceeded" | "exceeding"
    )
}

/// Whether a negation before these words is a bound: "no more than five", "do not take more than five", "must not
/// exceed five".
pub(super) fn is_bound<'a>(next: impl Iterator<Item = &'a str>) -> bool {
    let mut last = "";
    next.take(5).enumerate().any(|(at, word)| {
        let before = core::mem::replace(&mut last, word);
        let value = word.starts_with(|c: char| c.is_ascii_digit());
        let compares =
            exceeds(before) || matches!(before, "than" | "above" | "below" | "over" | "under");
        at < 3 && matches!(word, "more" | "less" | "fewer") || value && compares
    })
}
