//! From what the passes gave to a finding's conclusion, and from the findings to a report's.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use crate::{
    decide::{self, Decision, Flag, Outcome, Policy, Rule, Status, recommend},
    judgement::{Judgement, Verdict},
    profile::Thresholds,
    report::{Finding, Indicator, Null, PassReport, Report, Summary, rationale, tally},
    scrub::Mode,
};

impl<O> Report<O> {
    /// Decides every judged claim again by other thresholds, on the passes as they are: what a
    /// verification with these thresholds would have concluded from the same replies.
    ///
    /// `more_evidence` says, as in a request, whether the caller can get more. A claim whose scrubbed pass
    /// was not asked, and must be by these thresholds, is INCONCLUSIVE.
    pub fn decide_again(&mut self, thresholds: &Thresholds, policy: Policy, more_evidence: bool) {
        for finding in &mut self.claims {
            finding.decide_again(thresholds, policy);
        }
        let tally = tally(&self.claims, &self.skipped, more_evidence);
        self.recommendation = recommend(&tally);
        self.rationale = rationale(self.recommendation, &tally, &self.claims, &self.skipped);
        self.summary = Summary::new(&tally, self.skipped.len());
    }
}

impl Finding {
    /// The status that other thresholds give, on the passes as they are; see [`Report::decide_again`].
    #[must_use]
    pub fn status_by(&self, thresholds: &Thresholds, policy: Policy) -> Status {
        match self.rule {
            Rule::NotJudged => self.status,
            _ => self.decided(thresholds, policy).status,
        }
    }

    fn decide_again(&mut self, thresholds: &Thresholds, policy: Policy) {
        if self.rule == Rule::NotJudged {
            return;
        }
        let own = self.flags.iter().copied();
        let own: Vec<Flag> = own.filter(|flag| !is_concluded(*flag)).collect();
        self.conclude(thresholds, policy, &own);
        self.flags.extend(own);
        self.indicate(thresholds);
    }

    /// Takes up what follows from the passes and the second opinion; the flags are the conclusion's alone, beside
    /// the claim's `own`.
    pub(crate) fn conclude(&mut self, thresholds: &Thresholds, policy: Policy, own: &[Flag]) {
        self.take(self.decided(thresholds, policy));
        if own.contains(&Flag::RedactedSpans) {
            // No name was taken out.
            self.why = self.why.replace("the names", "the spans");
        }
    }

    /// What follows from the passes and the second opinion.
    fn decided(&self, thresholds: &Thresholds, policy: Policy) -> Decision {
        let (scrubbed, full) = (
            self.scrubbed.as_ref().and_then(judgement),
            self.full.as_ref().and_then(judgement),
        );
        let asked = self.scrubbed.is_some();
        let outcome = match asked {
            true => scrubbed.as_ref().into(),
            false => Outcome::NotAsked,
        };
        let mut decision = decide::decide(thresholds, outcome, full.as_ref().into(), policy);
        if !asked && decide::settled_by_full(thresholds, full.as_ref().into()) {
            decision
                .why
                .push_str(" The scrubbed pass was not asked: it could not change the status.");
        } else if !asked {
            // The thresholds of the run did not need it, and these do: no judge has failed.
            decision.flags.retain(|flag| *flag != Flag::JudgeFailed);
            decision.why =
                "The scrubbed pass was not asked, and by these thresholds it can change the status."
                    .to_owned();
        }
        let entailed = full.is_some_and(|full| full.verdict == Verdict::Entailed);
        let rival = entailed && self.atoms.iter().any(|atom| atom.rival.is_some());
        let ungrounded = self.atoms.iter().any(|atom| !atom.grounded);
        decision.ground(ungrounded, rival, policy);
        decision
    }

    pub(crate) fn take(&mut self, decision: Decision) {
        self.status = decision.status;
        self.delta = decision.delta;
        self.flags = decision.flags;
        self.rule = decision.rule;
        self.why = decision.why;
        self.action = decision.action.to_owned();
    }

    /// Signs that depend on the thresholds, anew; the others stay.
    fn indicate(&mut self, thresholds: &Thresholds) {
        let had = |indicator| self.indicators.contains(&indicator);
        let mut nulls = self
            .nulls
            .iter()
            .filter(|null| null.mode == Mode::NoEvidence)
            .peekable();
        let obvious = match nulls.peek() {
            Some(_) => {
                nulls.any(|Null { pass, .. }| is_obvious(pass.verdict, pass.confidence, thresholds))
            }
            None => had(Indicator::ObviousWithoutEvidence),
        };
        self.indicators = indicators(
            obvious,
            had(Indicator::GenericPattern),
            self.delta,
            thresholds,
        );
    }
}

/// The signs in a finding: whether the judge believed the claim with no evidence at all, and whether the claim
/// names nothing that could be checked, are told.
pub(crate) fn indicators(
    obvious: bool,
    generic: bool,
    delta: Option<f64>,
    thresholds: &Thresholds,
) -> Vec<Indicator> {
    let rows = [
        (obvious, Indicator::ObviousWithoutEvidence),
        (
            delta.is_some_and(|delta| delta < thresholds.plausible.delta),
            Indicator::ScrubbedAsGood,
        ),
        (
            delta.is_some_and(|delta| delta <= 0.0),
            Indicator::NamesAddNothing,
        ),
        (generic, Indicator::GenericPattern),
    ];
    let holding = rows.into_iter().filter(|(holds, _)| *holds);
    holding.map(|(_, indicator)| indicator).collect()
}

/// Whether with no evidence at all the judge found the claim as likely as PLAUSIBLE asks for.
pub(crate) fn is_obvious(
    verdict: Option<Verdict>,
    confidence: Option<f64>,
    thresholds: &Thresholds,
) -> bool {
    verdict == Some(Verdict::Entailed) && confidence >= Some(thresholds.plausible.full)
}

/// What the judge said, as far as the status table reads it.
fn judgement(pass: &PassReport) -> Option<Judgement> {
    Some(Judgement {
        verdict: pass.verdict?,
        confidence: pass.confidence,
        reasoning: String::new(),
        basis: pass.basis?,
    })
}

/// Whether a flag is one that follows from the passes and the second opinion.
fn is_concluded(flag: Flag) -> bool {
    matches!(
        flag,
        Flag::Anomalous
            | Flag::BothLow
            | Flag::Conflict
            | Flag::JudgeFailed
            | Flag::MixedBasis
            | Flag::NeedsMoreEvidence
            | Flag::NoConfidence
            | Flag::PriorLeak
            | Flag::RivalValue
            | Flag::ScrubbedUnsure
            | Flag::Ungrounded
    )
}
