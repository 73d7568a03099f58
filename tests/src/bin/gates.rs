//! `gates test|bench NAME=FIGURE …` compares figures with the gates and fails where one is missed.
//! The scrubber's quality and the prompts are measured here; every other figure is handed in. A gate without a figure
//! was not measured in this run and is said to be so.

use std::{collections::BTreeMap, env, process::ExitCode};

use claimgauge_tests::{
    cases::{prompt_tokens, quality},
    gates::{By, Gate, Standing, gates},
};

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let by = match arguments.next().as_deref() {
        Some("bench") => By::Bench,
        Some("test") => By::Test,
        _ => return wrong("the first argument is `test` or `bench`"),
    };
    let mut figures = BTreeMap::new();
    for argument in arguments {
        let figure = argument.split_once('=');
        let Some((name, Ok(figure))) = figure.map(|(name, figure)| (name, figure.parse())) else {
            return wrong(&format!("{argument:?} is not NAME=FIGURE"));
        };
        figures.insert(name.to_owned(), figure);
    }
    if by == By::Test {
        figures.extend(quality().figures());
        figures.insert("prompt_tokens".to_owned(), prompt_tokens(1));
        figures.insert("prompt_tokens_grouped".to_owned(), prompt_tokens(4));
    }

    let mut gates = gates();
    gates.retain(|gate| gate.by == by);
    if let Some(name) = figures
        .keys()
        .find(|name| gates.iter().all(|gate| gate.id != **name))
    {
        return wrong(&format!("tests/gates.json has no gate {name:?} for this"));
    }
    let missed = gates
        .iter()
        .filter(|gate| !compared(gate, figures.get(&gate.id)))
        .count();
    if missed == 0 {
        return ExitCode::SUCCESS;
    }
    println!("{missed} of {} gates missed", gates.len());
    ExitCode::FAILURE
}

/// Prints a gate's line; whether it is not missed.
fn compared(gate: &Gate, figure: Option<&f64>) -> bool {
    let Gate {
        id,
        what,
        unit,
        limit,
        now,
        ..
    } = gate;
    let limit = format!("{limit} {unit}");
    let Some(&figure) = figure else {
        println!(
            "  {id:<18} {:<12} {:>9}  {limit:<16} {:>6}  {what}",
            "not measured", "", ""
        );
        return true;
    };
    let standing = gate.standing(figure);
    let ratio = gate
        .ratio(figure)
        .map_or_else(String::new, |ratio| format!("{ratio:.2}"));
    print!("  {id:<18} {standing:<12} {figure:>9.2}  {limit:<16} {ratio:>6}  {what}");
    match now.filter(|_| standing != Standing::Met) {
        Some(now) => println!(" (now: {now})"),
        None => println!(),
    }
    standing != Standing::Missed
}

fn wrong(what: &str) -> ExitCode {
    eprintln!("error: {what}");
    ExitCode::FAILURE
}
