//! `gates WHICH NAME=FIGURE… NAME:REASON…` compares figures with the gates and fails where one is missed.
//!
//! WHICH is what `by` says in `tests/gates.json`, or `all`. The scrubber's quality and the prompts are measured here;
//! every other figure is handed in. A gate without a figure was not measured in this run, and is said to be so, with
//! the reason that stands beside its own name or beside its `by`.

use std::{collections::BTreeMap, env, process::ExitCode};

use claimgauge_tests::{
    cases::{prompt_tokens, quality},
    gates::{By, Gate, Standing, gates},
};

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let which = arguments.next().unwrap_or_default();
    let by = By::named(&which);
    if by.is_none() && which != "all" {
        return wrong("the first argument is a `by` of tests/gates.json, or `all`");
    }
    let mut found = Found::default();
    for argument in arguments {
        if !found.read(&argument) {
            return wrong(&format!(
                "{argument:?} is neither NAME=FIGURE nor NAME:REASON"
            ));
        }
    }
    let asked = |of| by.is_none_or(|by| by == of);
    if asked(By::Test) {
        found.measure();
    }

    let mut gates = gates();
    gates.retain(|gate| asked(gate.by));
    if let Some(name) = found.without_gate(&gates) {
        return wrong(&format!("tests/gates.json has no gate {name:?} for this"));
    }
    print_sum(gates.iter().map(|gate| found.compare(gate)))
}

/// What this run came to.
#[derive(Default)]
struct Found {
    figures: BTreeMap<String, f64>,
    /// Why there is no figure, by a gate's name or by who would have measured it.
    reasons: BTreeMap<String, String>,
}

impl Found {
    /// Takes an argument; whether it is one.
    fn read(&mut self, argument: &str) -> bool {
        let Some(end) = argument.find(['=', ':']) else {
            return false;
        };
        let (name, rest) = (argument[..end].to_owned(), &argument[end + 1..]);
        if argument[end..].starts_with(':') {
            self.reasons.insert(name, rest.to_owned());
            return true;
        }
        let figure = rest.parse().ok();
        figure.is_some_and(|figure| {
            self.figures.insert(name, figure);
            true
        })
    }

    fn measure(&mut self) {
        self.figures.extend(quality().figures());
        for (gate, group) in [("prompt_tokens", 1), ("prompt_tokens_grouped", 4)] {
            self.figures.insert(gate.to_owned(), prompt_tokens(group));
        }
    }

    fn without_gate(&self, gates: &[Gate]) -> Option<&String> {
        let has_gate = |name: &String| gates.iter().any(|gate| gate.id == *name);
        let mut reasons = self.reasons.keys();
        let mut figures = self.figures.keys();
        figures
            .find(|name| !has_gate(name))
            .or_else(|| reasons.find(|name| By::named(name).is_none() && !has_gate(name)))
    }

    /// Prints a gate's line; how it stands, where it was measured.
    fn compare(&self, gate: &Gate) -> Option<Standing> {
        let Gate {
            id,
            what,
            unit,
            limit,
            now,
            ..
        } = gate;
        let limit = format!("{limit} {unit}");
        let Some(&figure) = self.figures.get(id) else {
            let reason = self.reasons.get(id).or_else(|| self.of_all(gate.by));
            let reason = reason.map_or("nothing measured it in this run", String::as_str);
            println!(
                "  {id:<21} {:<12} {:>9}  {limit:<18} {:>6}  {what}: {reason}",
                "not measured", "", ""
            );
            return None;
        };
        let standing = gate.standing(figure);
        let ratio = gate
            .ratio(figure)
            .map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        print!("  {id:<21} {standing:<12} {figure:>9.2}  {limit:<18} {ratio:>6}  {what}");
        match now.filter(|_| standing != Standing::Met) {
            Some(now) => println!(" (now: {now})"),
            None => println!(),
        }
        Some(standing)
    }

    /// Why nothing of a benchmark was measured.
    fn of_all(&self, by: By) -> Option<&String> {
        let reasons = &mut self.reasons.iter();
        reasons.find_map(|(name, reason)| (By::named(name) == Some(by)).then_some(reason))
    }
}

/// How many gates stand how, and whether none is missed.
fn print_sum(standings: impl Iterator<Item = Option<Standing>>) -> ExitCode {
    println!(
        "  {:<21} {:<12} {:>9}  {:<18} {:>6}  what",
        "gate", "", "figure", "limit", "ratio"
    );
    let standings: Vec<_> = standings.collect();
    let count = |of| standings.iter().filter(|one| **one == of).count();
    let missed = count(Some(Standing::Missed));
    println!(
        "\n  {} gates: {} met, {} not met yet, {missed} missed, {} not measured",
        standings.len(),
        count(Some(Standing::Met)),
        count(Some(Standing::NotYet)),
        count(None),
    );
    match missed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn wrong(what: &str) -> ExitCode {
    eprintln!("error: {what}");
    ExitCode::FAILURE
}
