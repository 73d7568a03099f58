//! The probability of a verdict, from the probabilities of the tokens that spell it.
//!
//! ```
//! use claimgauge_core::judgement::Verdict;
//! use claimgauge_core::reply::logprobs::{LabelProbabilities, TokenLogprob};
//!
//! // The reply "ENTAILED" in two tokens. At the first, half of what could have stood there was ENTAILED.
//! let tokens: Vec<TokenLogprob> = serde_json::from_str(
//!     r#"[
//!         { "token": "ENT", "logprob": -0.6931472, "top": [
//!             { "token": "ENT", "logprob": -0.6931472 },
//!             { "token": "UNS", "logprob": -1.3862944 },
//!             { "token": "Well", "logprob": -1.3862944 }
//!         ] },
//!         { "token": "AILED", "logprob": 0.0 }
//!     ]"#,
//! )
//! .unwrap();
//! let probabilities = LabelProbabilities::read(&tokens, Verdict::Entailed).unwrap();
//! // "Well" is no answer, so the labels share the rest. CONTRADICTED is not listed: nothing is left for it.
//! assert!(probabilities.of(Verdict::Entailed) > 0.6);
//! assert!(probabilities.of(Verdict::Contradicted) < probabilities.of(Verdict::Unsure));
//! ```

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::{
    label,
    starts::{behind, length},
};
use crate::{case::small_text, input::null_as_default, judgement::Verdict};

/// One token of a reply, and what could have stood in its place.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TokenLogprob {
    /// The token's text.
    pub token: String,
    /// The natural logarithm of its probability.
    pub logprob: f64,
    /// The likeliest tokens at this place, this one usually among them.
    #[serde(default, deserialize_with = "null_as_default")]
    pub top: Vec<Alternative>,
}

/// A token that could have stood in a place.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Alternative {
    /// The token's text.
    pub token: String,
    /// The natural logarithm of its probability.
    pub logprob: f64,
}

/// How probable each verdict was at the place where the reply wrote one. The three sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelProbabilities([f64; 3]);

impl LabelProbabilities {
    /// The probability of `verdict`, in [0, 1].
    pub fn of(&self, verdict: Verdict) -> f64 {
        self.0[index(verdict)]
    }

    /// Reads them off the tokens of a reply that said `verdict`.
    ///
    /// All spellings of a label are summed (`E`, `ENT`, `entailed`, `YES`) and the three are
    /// renormalised, since what else the model might have written is no answer. A label that is not
    /// among the listed tokens is less probable than each of them, and no more so than what they leave
    /// over: it gets the smaller of the two. Absent where the tokens do not spell the verdict, or list
    /// nothing beside it.
    pub fn read(tokens: &[TokenLogprob], verdict: Verdict) -> Option<Self> {
        let spelled = Spelled::new(tokens);
        let key = spelled.text.match_indices(KEY).last();
        let from = key.map_or(0, |(at, _)| at + KEY.len());
        Self::at(spelled.verdict(verdict, from, spelled.text.len())?)
    }

    /// Reads them off the token in which a verdict starts.
    fn at(place: &TokenLogprob) -> Option<Self> {
        let mut mass = [0.0; 3];
        let mut smallest = f64::INFINITY;
        let mut left = 1.0;
        if place.top.is_empty() {
            return None;
        }
        let listed = place.top.iter().any(|other| other.token == place.token);
        for at in 0..place.top.len() + usize::from(!listed) {
            let (token, logprob) = match place.top.get(at) {
                Some(other) => (&other.token, other.logprob),
                None => (&place.token, place.logprob),
            };
            let probability = libm::exp(logprob);
            if !probability.is_finite() || probability > 1.0 + 1e-6 {
                return None;
            }
            smallest = smallest.min(probability);
            left -= probability;
            if let Some(verdict) = spells(token) {
                mass[index(verdict)] += probability;
            }
        }
        for label in &mut mass {
            if *label == 0.0 {
                *label = smallest.min(left).max(0.0);
            }
        }
        let sum: f64 = mass.iter().sum();
        (sum > 0.0).then(|| Self(mass.map(|label| label / sum)))
    }
}

fn index(verdict: Verdict) -> usize {
    match verdict {
        Verdict::Entailed => 0,
        Verdict::Contradicted => 1,
        Verdict::Unsure => 2,
    }
}

/// The tokens of a reply, with what they spell.
pub(crate) struct Spelled<'t> {
    tokens: &'t [TokenLogprob],
    /// In lower case.
    text: String,
    /// Where each token starts in it.
    starts: Vec<usize>,
    /// Where the keys of verdicts end in it.
    keys: Vec<usize>,
}

impl<'t> Spelled<'t> {
    pub(crate) fn new(tokens: &'t [TokenLogprob]) -> Self {
        let mut text = String::new();
        let mut starts = Vec::with_capacity(tokens.len());
        for token in tokens {
            starts.push(text.len());
            text.push_str(&token.token);
        }
        text.make_ascii_lowercase();
        let keys = keys(&text).collect();
        Self {
            tokens,
            text,
            starts,
            keys,
        }
    }

    /// As [`LabelProbabilities::read`], of the verdict that is the `nth` of so many in the reply.
    pub(crate) fn label_nth(
        &self,
        verdict: Verdict,
        nth: usize,
        of: usize,
    ) -> Option<LabelProbabilities> {
        let from = *self.keys.get(nth).filter(|_| self.keys.len() == of)?;
        let to = self.keys.get(nth + 1).copied().unwrap_or(self.text.len());
        LabelProbabilities::at(self.verdict(verdict, from, to)?)
    }

    /// The token in which that verdict first starts in a stretch of the text.
    fn verdict(&self, verdict: Verdict, from: usize, to: usize) -> Option<&'t TokenLogprob> {
        let labels = label::LABELS.iter().chain(&label::ALONE);
        let names = labels.filter(|(_, known)| *known == verdict);
        let places = names.filter_map(|(name, _)| self.text[from..to].find(name));
        let at = from + places.min()?;
        let token = self.starts.partition_point(|start| *start <= at) - 1;
        self.tokens.get(token)
    }
}

const KEY: &str = "verdict";

/// Where the keys of verdicts end; the word in a sentence is none.
fn keys(text: &str) -> impl Iterator<Item = usize> {
    let ends = text.match_indices(KEY).map(|(at, key)| at + key.len());
    ends.filter(|end| {
        let rest = behind(&text[*end..], &|c| "\"' \\".contains(c));
        rest.starts_with(':')
    })
}

/// The verdict of which the token is a spelling or the start of one.
fn spells(token: &str) -> Option<Verdict> {
    let letters = small_text(behind(token, &|c| !c.is_alphabetic()));
    let word = &letters[..length(&letters, &char::is_alphabetic)];
    let yes_no = label::ALONE
        .iter()
        .filter(|(name, _)| matches!(*name, "yes" | "no"));
    let mut names = label::LABELS.iter().chain(yes_no);
    let starts = |name: &str| !word.is_empty() && name.starts_with(word);
    names
        .find(|(name, _)| starts(name))
        .map(|(_, verdict)| *verdict)
}

#[cfg(test)]
mod tests {
    use alloc::{borrow::ToOwned, vec};

    use super::*;

    fn token(token: &str, top: &[(&str, f64)]) -> TokenLogprob {
        TokenLogprob {
            token: token.to_owned(),
            logprob: top
                .first()
                .map_or(0.0, |(_, probability)| libm::log(*probability)),
            top: top
                .iter()
                .map(|(token, probability)| Alternative {
                    token: (*token).to_owned(),
                    logprob: libm::log(*probability),
                })
                .collect(),
        }
    }

    #[test]
    fn spellings_are_summed_and_the_rest_renormalised() {
        let tokens = [
            token("{\"verdict\"", &[("{\"verdict\"", 1.0)]),
            token(": \"", &[(": \"", 1.0)]),
            token(
                "ENT",
                &[
                    ("ENT", 0.5),
                    (" ent", 0.1),
                    ("UN", 0.2),
                    ("C", 0.1),
                    ("The", 0.1),
                ],
            ),
            token("AILED\"}", &[("AILED\"}", 1.0)]),
        ];
        let read = LabelProbabilities::read(&tokens, Verdict::Entailed).unwrap();
        assert!(
            (read.of(Verdict::Entailed) - 0.6 / 0.9).abs() < 1e-9,
            "{read:?}"
        );
        assert!((read.of(Verdict::Unsure) - 0.2 / 0.9).abs() < 1e-9);
    }

    #[test]
    fn a_label_that_is_not_listed_is_bounded_by_the_smallest() {
        let tokens = [token(
            "UNSURE",
            &[("UNSURE", 0.8), ("ENTAILED", 0.1), ("The", 0.04)],
        )];
        let read = LabelProbabilities::read(&tokens, Verdict::Unsure).unwrap();
        assert!(
            (read.of(Verdict::Contradicted) - 0.04 / 0.94).abs() < 1e-9,
            "{read:?}"
        );
        assert!((read.of(Verdict::Unsure) - 0.8 / 0.94).abs() < 1e-9);
    }

    #[test]
    fn a_label_that_is_not_listed_is_bounded_by_what_is_left() {
        let tokens = [token("ENTAILED", &[("ENTAILED", 0.6), ("The", 0.39)])];
        let read = LabelProbabilities::read(&tokens, Verdict::Entailed).unwrap();
        assert!(
            (read.of(Verdict::Entailed) - 0.6 / 0.62).abs() < 1e-9,
            "{read:?}"
        );
    }

    #[test]
    fn tokens_that_do_not_tell_give_nothing() {
        let no_alternatives = [token("ENTAILED", &[])];
        let other_words = [token("Hello", &[("Hello", 1.0)])];
        let nonsense = [TokenLogprob {
            logprob: f64::NAN,
            ..token("ENTAILED", &[("ENTAILED", f64::NAN)])
        }];
        for tokens in [
            vec![],
            no_alternatives.to_vec(),
            other_words.to_vec(),
            nonsense.to_vec(),
        ] {
            assert_eq!(
                LabelProbabilities::read(&tokens, Verdict::Entailed),
                None,
                "{tokens:?}"
            );
        }
    }

    #[test]
    fn each_of_several_verdicts_is_found_by_its_place() {
        let tokens = [
            token("[{\"verdict\":\"", &[("[{\"verdict\":\"", 1.0)]),
            token("NO", &[("NO", 0.7), ("YES", 0.3)]),
            token(
                "\",\"reasoning\":\"the verdict is no\"},{\"verdict\": \"",
                &[("x", 1.0)],
            ),
            token("NO", &[("NO", 0.9), ("YES", 0.1)]),
            token("\"}]", &[("\"}]", 1.0)]),
        ];
        let read = |nth, of| {
            let labels = Spelled::new(&tokens).label_nth(Verdict::Contradicted, nth, of);
            labels.map(|labels| libm::round(labels.of(Verdict::Entailed) * 100.0) as u32)
        };
        // The label that is not listed gets nothing: the two sum to 1.
        assert_eq!((read(0, 2), read(1, 2)), (Some(30), Some(10)));
        assert_eq!(
            (read(2, 2), read(0, 3)),
            (None, None),
            "not so many verdicts"
        );
        let other = Spelled::new(&tokens).label_nth(Verdict::Unsure, 0, 2);
        assert_eq!(other, None, "another verdict's tokens");
    }

    #[test]
    fn the_verdict_is_looked_for_after_its_key() {
        let tokens = [
            token("Not ENTAILED? ", &[("Not", 0.5), ("ENTAILED", 0.5)]),
            token("verdict: ", &[("verdict: ", 1.0)]),
            token("ENTAILED", &[("ENTAILED", 0.8), ("UNSURE", 0.2)]),
        ];
        let read = LabelProbabilities::read(&tokens, Verdict::Entailed).unwrap();
        assert!((read.of(Verdict::Entailed) - 0.8).abs() < 1e-9, "{read:?}");
    }
}
