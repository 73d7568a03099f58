//! Words that restrict what a sentence says: "except", "unless", "if", "only", "some", "might". Where only the claim
//! or only the evidence has such a word, the terms of both may agree and the sentences not.

use alloc::vec::Vec;

/// A word that one of both has and the other has not.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Restriction {
    pub(super) word: &'static str,
    /// It is the claim's.
    pub(super) claimed: bool,
    /// It leaves open whether a "no" speaks against the claim.
    pub(super) excepts: bool,
    /// And whether another value does: it takes something out of what is said.
    pub(super) whole: bool,
}

/// A word in its clause.
#[derive(Clone, Copy, Debug)]
struct Word<'a> {
    text: &'a str,
    clause: usize,
}

/// A kind of restriction.
struct Kind {
    /// What restricts; of two words, both in a row, or with `~` in one clause.
    words: &'static [&'static str],
    /// What says as much, or takes it away.
    answers: &'static [&'static str],
    whose: Whose,
    excepts: bool,
    /// It says nothing new where the rest of its clause stands in the other sentence.
    stated: bool,
}

/// Whose word restricts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Whose {
    Both,
    Claim,
    Evidence,
}

const EXCEPTIONS: &[&str] = &[
    "except",
    "excepting",
    "excluding",
    "unlike",
    "all~but",
    "every~but",
    "other than",
    "apart from",
    "aside from",
];

const KINDS: [Kind; 8] = [
    Kind {
        words: EXCEPTIONS,
        answers: EXCEPTIONS,
        whose: Whose::Both,
        excepts: true,
        stated: false,
    },
    Kind {
        words: &["unless"],
        answers: &["unless", "if not"],
        whose: Whose::Both,
        excepts: true,
        stated: false,
    },
    Kind {
        words: &["if", "provided that", "as long", "in case"],
        answers: &[
            "if",
            "when",
            "whenever",
            "where",
            "once",
            "while",
            "provided that",
            "as long",
            "in case",
            "unless",
            "without",
            "with",
            "after",
            "until",
            "during",
        ],
        whose: Whose::Evidence,
        excepts: true,
        stated: true,
    },
    Kind {
        words: &["neither", "none", "nobody", "no-one"],
        answers: &["neither", "none", "nobody", "no-one", "no", "nothing"],
        whose: Whose::Both,
        excepts: false,
        stated: false,
    },
    Kind {
        words: &["either~or"],
        answers: &["either", "or", "both"],
        whose: Whose::Evidence,
        excepts: true,
        stated: false,
    },
    Kind {
        words: &["only", "solely", "exclusively"],
        answers: &[
            "only",
            "solely",
            "exclusively",
            "alone",
            "sole",
            "nothing but",
            "not only",
        ],
        whose: Whose::Claim,
        excepts: false,
        stated: false,
    },
    Kind {
        words: &["all", "every", "each", "always", "everyone", "everything"],
        answers: &[],
        whose: Whose::Claim,
        excepts: false,
        stated: false,
    },
    Kind {
        words: &[
            "might",
            "perhaps",
            "possibly",
            "maybe",
            "allegedly",
            "reportedly",
            "supposedly",
            "hardly",
            "barely",
            "rarely",
            "seldom",
            "nearly",
            "almost",
        ],
        answers: &[
            "might",
            "perhaps",
            "possibly",
            "maybe",
            "allegedly",
            "reportedly",
            "supposedly",
            "hardly",
            "barely",
            "rarely",
            "seldom",
            "nearly",
            "almost",
            "about",
            "around",
            "approximately",
            "may",
            "could",
            "not",
        ],
        whose: Whose::Evidence,
        excepts: true,
        stated: false,
    },
];

/// What a part is of: it answers "all" with less.
const PARTIAL: &[&str] = &[
    "some",
    "most",
    "many",
    "several",
    "few",
    "half",
    "usually",
    "often",
    "sometimes",
    "mostly",
    "partly",
];

/// The first word that restricts a claim or its evidence, both in lower case, and has no match in the other.
/// `stated` is whether a word of the evidence is said by the claim, or says nothing; `empty` whether it says nothing.
pub(super) fn between(
    claim: &str,
    evidence: &str,
    stated: &dyn Fn(&str) -> bool,
    empty: &dyn Fn(&str) -> bool,
) -> Option<Restriction> {
    let (said, shown) = (words(claim), words(evidence));
    let (negated, partial) = (says_not(&said), has(&shown, PARTIAL));
    KINDS.iter().find_map(|kind| {
        let universal = kind.answers.is_empty();
        let one = |claimed: bool| {
            let (own, other) = match claimed {
                true => (&said, &shown),
                false => (&shown, &said),
            };
            let (at, word) = find(own, kind.words)?;
            let answered = match universal {
                true => !partial || has(other, kind.words),
                false => has(other, kind.answers),
            };
            let rest = || {
                own[at + 1..]
                    .iter()
                    .filter(|word| word.clause == own[at].clause)
            };
            let known = match claimed {
                true => kind.whose == Whose::Both && rest().all(|word| empty(word.text)),
                false => kind.stated && rest().all(|word| stated(word.text)),
            };
            (!answered && !known).then_some(Restriction {
                word,
                claimed,
                // "Neither" says no to what a plain claim says.
                excepts: kind.excepts || negated || claimed,
                whole: kind.words == EXCEPTIONS,
            })
        };
        match kind.whose {
            Whose::Claim => one(true),
            Whose::Evidence => one(false),
            Whose::Both => one(false).or_else(|| one(true)),
        }
    })
}

/// Whether a word takes back what the "no" before it says: "not only".
pub(super) fn lifts(word: &str) -> bool {
    matches!(word, "only" | "just" | "merely" | "simply" | "solely")
}

/// Whether a word says that what follows is not so: "failed to start", "unable to read".
pub(super) fn denies(word: &str, next: &str) -> bool {
    const FAIL: [&str; 11] = [
        "fail", "fails", "failed", "failing", "unable", "refuse", "refuses", "refused", "decline",
        "declines", "declined",
    ];
    matches!(word.as_bytes(), [b'd' | b'f' | b'r' | b'u', _, _, _, ..])
        && next == "to"
        && FAIL.contains(&word)
}

fn says_not(words: &[Word<'_>]) -> bool {
    let no = |word: &Word<'_>| {
        matches!(word.text, "not" | "no" | "never" | "cannot" | "without")
            || word.text.ends_with("n't")
    };
    words.iter().any(no)
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut clause = 0;
    let mut rest = text;
    while let Some(start) = rest.find(char::is_alphanumeric) {
        clause += usize::from(rest[..start].contains([',', ';', ':', '(', ')', '.']));
        rest = &rest[start..];
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '-' | '\'' | '_');
        let end = rest.find(|c: char| !inside(c)).unwrap_or(rest.len());
        words.push(Word {
            text: &rest[..end],
            clause,
        });
        rest = &rest[end..];
    }
    words
}

fn has(words: &[Word<'_>], wanted: &'static [&'static str]) -> bool {
    find(words, wanted).is_some()
}

/// Where the first of the wanted words stands that "not" does not stand before.
fn find(words: &[Word<'_>], wanted: &'static [&'static str]) -> Option<(usize, &'static str)> {
    let stands = |at: usize, wanted: &str| {
        // Most words are none of them: that is seen at once.
        if words[at].text.as_bytes().first() != wanted.as_bytes().first() {
            return false;
        }
        let Some((first, second)) = wanted.split_once([' ', '~']) else {
            return words[at].text == wanted;
        };
        let mut later = words[at + 1..]
            .iter()
            .take_while(|word| word.clause == words[at].clause);
        words[at].text == first
            && match wanted.contains(' ') {
                true => later.next().is_some_and(|next| next.text == second),
                // A first word looks no further than to the next of them, so that a clause is read once.
                false => later
                    .find(|word| word.text == first || word.text == second)
                    .is_some_and(|word| word.text == second),
            }
    };
    let lifted = |at: usize| at > 0 && words[at - 1].text == "not" && lifts(words[at].text);
    (0..words.len()).find_map(|at| {
        let word = wanted.iter().find(|wanted| stands(at, wanted))?;
        (!lifted(at)).then_some((at, *word))
    })
}
