//! One judgement from several replies to one question.

use alloc::{string::String, vec::Vec};

use crate::{
    judgement::{Basis, Judgement, Verdict},
    sort::sort_by,
};

/// What `samples` replies say together, of which those that held a verdict are `judgements`.
///
/// The verdict of most; where no verdict has more than each other, UNSURE. The confidence is the median
/// of all, in [0, 1]; the reasoning is the first of that verdict. Absent where not more than half of
/// the replies held a verdict: the others might have said anything.
pub(crate) fn vote(judgements: Vec<Judgement>, samples: usize) -> Option<Judgement> {
    if judgements.len() * 2 <= samples {
        return None;
    }
    let (mut verdict, mut most) = (Verdict::Unsure, 0);
    for one in Verdict::ALL {
        let same = judgements.iter().filter(|other| other.verdict == one);
        let votes = same.count();
        if votes >= most {
            verdict = if votes > most { one } else { Verdict::Unsure };
            most = votes;
        }
    }
    let confidence = median(judgements.iter().filter_map(|one| one.confidence).collect());
    let mut same = judgements.into_iter().filter(|one| one.verdict == verdict);
    Some(Judgement {
        verdict,
        confidence,
        reasoning: same.next().map_or_else(String::new, |one| one.reasoning),
        basis: Basis::Sampled,
    })
}

/// The middle one, or half way between the middle two.
fn median(mut numbers: Vec<f64>) -> Option<f64> {
    sort_by(&mut numbers, |a, b| a < b);
    let upper = *numbers.get(numbers.len() / 2)?;
    if numbers.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = numbers[numbers.len() / 2 - 1];
    Some(lower + (upper - lower) / 2.0)
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec};

    use super::*;
    use Verdict::{Contradicted, Entailed, Unsure};

    fn judged(verdict: Verdict, confidence: Option<f64>) -> Judgement {
        Judgement {
            verdict,
            confidence,
            reasoning: format!("{verdict:?} {confidence:?}"),
            basis: Basis::Verbal,
        }
    }

    /// Judgements, how many samples there were, and what they say together.
    #[test]
    fn most_decide_and_the_median_is_the_confidence() {
        let e = |confidence| judged(Entailed, Some(confidence));
        let c = |confidence| judged(Contradicted, Some(confidence));
        let u = |confidence| judged(Unsure, Some(confidence));
        #[rustfmt::skip]
        let rows = [
            (vec![e(0.9), c(0.6), e(0.7)], 3, Some((Entailed, Some(0.7)))),
            (vec![c(0.9), c(0.2), e(0.7)], 3, Some((Contradicted, Some(0.7)))),
            // A tie of all three, and of two.
            (vec![e(0.9), c(0.5), u(0.1)], 3, Some((Unsure, Some(0.5)))),
            (vec![e(0.9), c(0.5)], 2, Some((Unsure, Some(0.7)))),
            // Replies without a verdict do not vote.
            (vec![e(0.9), e(0.7)], 3, Some((Entailed, Some(0.8)))),
            (vec![e(0.9)], 3, None),
            (vec![e(0.9)], 2, None),
            (vec![], 3, None),
            (vec![], 0, None),
            // Nor do absent confidences count.
            (vec![e(0.9), judged(Entailed, None), e(0.3)], 3, Some((Entailed, Some(0.6)))),
            (vec![judged(Entailed, None)], 1, Some((Entailed, None))),
        ];
        for (judgements, samples, want) in rows {
            let said = format!("{judgements:?} of {samples}");
            let first = judgements.first().map(|one| one.verdict);
            let got = vote(judgements.clone(), samples);
            let short = got.as_ref().map(|one| {
                (
                    one.verdict,
                    one.confidence.map(|c| libm::round(c * 1e6) / 1e6),
                )
            });
            assert_eq!(short, want, "{said}");
            if let Some(got) = got {
                assert_eq!(got.basis, Basis::Sampled);
                if first == Some(got.verdict) {
                    assert_eq!(got.reasoning, judgements[0].reasoning);
                }
            }
        }
    }
}
