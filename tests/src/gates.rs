//! The gates: figures that must be kept, in `tests/gates.json`.
//!
//! Those that a machine's speed does not change are compared with each run of the tests (`by: test`),
//! the others by the benchmark that `by` names: `cargo xtask bench scrub` compares those of `by: scrub`, and
//! `cargo xtask bench` all. A gate that is not met yet has a figure `now`: it may not get worse, and is taken out
//! when the gate is met.

use std::fmt;

use serde::Deserialize;

/// One figure that must be kept.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// Its name.
    pub id: String,
    /// What is measured.
    pub what: String,
    /// In which unit.
    pub unit: String,
    /// The wanted figure.
    #[serde(flatten)]
    pub limit: Limit,
    /// While the gate is not met: how bad the figure may be.
    #[serde(default)]
    pub now: Option<f64>,
    /// Who compares.
    pub by: By,
}

/// On which side of a gate a figure must be; the gate's own is met.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// The least that is enough.
    Least(f64),
    /// The most that is allowed.
    Most(f64),
}

/// Who compares a gate: `cargo xtask test`, or a benchmark.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The batches' benchmark.
    Batch,
    /// The built-in judge's.
    Builtin,
    /// The one of output checks.
    Output,
    /// The scrubber's.
    Scrub,
    /// What does not depend on the machine.
    Test,
    /// The one that counts what is sent to judges.
    Tokens,
}

impl By {
    /// By the name in gates.json.
    pub fn named(name: &str) -> Option<Self> {
        serde_json::from_value(name.into()).ok()
    }
}

/// How a figure compares.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Standing {
    /// The gate is met.
    Met,
    /// Neither met nor allowed.
    Missed,
    /// Not met, but no worse than now.
    NotYet,
}

impl Gate {
    /// How `figure` compares.
    pub fn standing(&self, figure: f64) -> Standing {
        let within = |most_or_least: f64| match self.limit {
            Limit::Least(_) => figure >= most_or_least,
            Limit::Most(_) => figure <= most_or_least,
        };
        let (Limit::Least(wanted) | Limit::Most(wanted)) = self.limit;
        if within(wanted) {
            Standing::Met
        } else if self.now.is_some_and(within) {
            Standing::NotYet
        } else {
            Standing::Missed
        }
    }

    /// How far `figure` is on the right side, as a ratio: 1 is just met, 2 twice as good. Where the gate
    /// or the figure is 0 there is none.
    pub fn ratio(&self, figure: f64) -> Option<f64> {
        let ratio = match self.limit {
            Limit::Least(least) => figure / least,
            Limit::Most(most) => most / figure,
        };
        (ratio.is_finite() && ratio > 0.0).then_some(ratio)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Least(figure) => write!(f, "at least {figure}"),
            Self::Most(figure) => write!(f, "at most {figure}"),
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Met => "met",
            Self::Missed => "MISSED",
            Self::NotYet => "not met yet",
        })
    }
}

/// All gates.
pub fn gates() -> Vec<Gate> {
    serde_json::from_str(include_str!("../gates.json")).expect("gates.json holds gates")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(limit: &str, now: &str) -> Gate {
        let text = format!(r#"{{"id":"x","what":"x","unit":"x",{limit}{now},"by":"test"}}"#);
        serde_json::from_str(&text).expect("a gate")
    }

    #[test]
    fn figures_stand_on_one_side_or_the_other() {
        let most = gate(r#""most":3"#, "");
        assert_eq!(most.standing(3.0), Standing::Met);
        assert_eq!(most.standing(3.1), Standing::Missed);
        assert_eq!(most.ratio(1.5), Some(2.0));
        let least = gate(r#""least":80"#, "");
        assert_eq!(least.standing(80.0), Standing::Met);
        assert_eq!(least.standing(79.9), Standing::Missed);
        assert_eq!(least.ratio(40.0), Some(0.5));
        assert_eq!(gate(r#""most":0"#, "").ratio(0.0), None);
    }

    #[test]
    fn what_is_not_met_yet_may_not_get_worse() {
        let most = gate(r#""most":3"#, r#","now":5"#);
        assert_eq!(most.standing(2.0), Standing::Met);
        assert_eq!(most.standing(5.0), Standing::NotYet);
        assert_eq!(most.standing(5.1), Standing::Missed);
    }

    #[test]
    fn every_gate_has_a_name_of_its_own() {
        let mut names: Vec<_> = gates().into_iter().map(|gate| gate.id).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
