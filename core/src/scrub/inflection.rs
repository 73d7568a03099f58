//! English endings and beginnings: what a word may be a form of.
//!
//! Generous on purpose. A stem that is no word is in no list and does no harm; a list that holds stems
//! only is a third as long. The program that makes the list reads this same file.

/// An ending, and what stands in its place in the stem.
#[rustfmt::skip]
static ENDINGS: [(&str, &str); 36] = [
    ("s", ""), ("es", ""), ("ies", "y"), ("d", ""), ("ed", ""), ("ied", "y"), ("ing", ""), ("ing", "e"),
    ("ings", ""), ("ings", "e"), ("r", ""), ("er", ""), ("ier", "y"), ("rs", ""), ("ers", ""), ("st", ""),
    ("est", ""), ("iest", "y"), ("ly", ""), ("ily", "y"), ("ly", "le"), ("able", ""), ("able", "e"), ("ability", "able"),
    ("ness", ""), ("iness", "y"), ("less", ""), ("ful", ""), ("ment", ""), ("ments", ""), ("ion", ""), ("ion", "e"),
    ("ions", ""), ("ions", "e"), ("ation", ""), ("ation", "e"),
];

/// Endings that begin with a letter of the stem's.
static SHARED: [&str; 4] = ["d", "r", "rs", "st"];

/// Endings before which a consonant is doubled: `dropped`.
static DOUBLING: [&str; 7] = ["ed", "ing", "ings", "er", "ers", "est", "able"];

static BEGINNINGS: [&str; 9] = [
    "un", "re", "non", "pre", "mis", "over", "under", "dis", "auto",
];

/// Stems are not shorter, nor what stands behind a beginning.
const LEAST_STEM: usize = 2;
const LEAST_REST: usize = 4;

/// Whether `word`, in small ASCII letters, is one that `knows` says yes to or a form of it: by up to
/// two endings, or by a beginning and an ending.
pub(crate) fn is_form(word: &str, knows: &dyn Fn(&str) -> bool) -> bool {
    let ended = |word: &str| knows(word) || any_stem(word, knows);
    let behind = |beginning: &&str| {
        let rest = word.strip_prefix(*beginning);
        rest.is_some_and(|rest| rest.len() >= LEAST_REST && ended(rest))
    };
    ended(word) || any_stem(word, &ended) || BEGINNINGS.iter().any(behind)
}

/// Whether `fits` says yes to a stem of the word.
fn any_stem(word: &str, fits: &dyn Fn(&str) -> bool) -> bool {
    ENDINGS.iter().any(|(ending, instead)| {
        let Some(stem) = word
            .strip_suffix(ending)
            .filter(|stem| stem.len() >= LEAST_STEM)
        else {
            return false;
        };
        if SHARED.contains(ending) {
            return stem.ends_with('e') && fits(stem);
        }
        match instead.is_empty() {
            true => fits(stem) || DOUBLING.contains(ending) && fits_undoubled(stem, fits),
            false => fits(&[stem, *instead].concat()),
        }
    })
}

/// `drop` of `dropp`.
fn fits_undoubled(stem: &str, fits: &dyn Fn(&str) -> bool) -> bool {
    let [.., before, last] = stem.as_bytes() else {
        return false;
    };
    before == last && stem.len() > LEAST_STEM + 1 && fits(&stem[..stem.len() - 1])
}
