//! What holds whenever the built-in judge judges any text. The suites and the fuzzer share it.

use claimgauge_core::{
    builtin,
    evidence::Span,
    judgement::{Judgement, Verdict},
    report::AtomKind,
};

/// Judges `claim` against `spans`, and with `added` among them, and panics where something does not hold.
pub fn check(spans: &[Span], added: &Span, claim: &str) {
    let added = &Span {
        id: "added".to_owned(),
        ..added.clone()
    };
    let judged = builtin::judge(spans, claim);
    let context = || format!("{claim:?} {spans:?} {added:?} -> {judged:?}");
    is_in_range(&judged, &context);
    points_at_words_that_are_there(&judged, spans, claim, &context);

    says_what_it_says(spans, added, claim, &context);
    tells_opposites_apart(claim, &context);

    let mut turned = spans.to_vec();
    turned.reverse();
    same(&builtin::judge(&turned, claim), &judged, &context);

    let mut more = spans.to_vec();
    more.push(added.clone());
    let later = builtin::judge(&more, claim);
    points_at_words_that_are_there(&later, &more, claim, &context);
    // What says the claim itself is another matter: then the spans disagree.
    let says = || builtin::judge(core::slice::from_ref(added), claim).verdict == Verdict::Entailed;
    if judged.verdict == Verdict::Contradicted && later.verdict == Verdict::Entailed {
        assert!(says(), "{later:?} {}", context());
    }
}

fn is_in_range(judged: &Judgement, context: &dyn Fn() -> String) {
    let confidence = judged.confidence.unwrap_or(-1.0);
    let most = match judged.verdict {
        Verdict::Unsure => 0.4,
        _ => 0.97,
    };
    assert!((0.0..=most).contains(&confidence), "{}", context());
}

/// A number is not its opposite, and what is above it is not below it, whatever it is the number of.
fn tells_opposites_apart(claim: &str, context: &dyn Fn() -> String) {
    let word = claim
        .split(|c: char| !c.is_ascii_alphabetic())
        .find(|word| word.len() > 3)
        .unwrap_or("level");
    let number = claim.len() % 90 + 2;
    for (one, other) in [
        (
            format!("The {word} is {number}"),
            format!("The {word} is -{number}"),
        ),
        (
            format!("It stops when the {word} > {number}"),
            format!("It stops when the {word} < {number}"),
        ),
    ] {
        for (said, shown) in [(&one, &other), (&other, &one)] {
            let span = Span {
                id: "S0".to_owned(),
                text: shown.clone(),
                source: None,
            };
            let judged = builtin::judge(&[span], said);
            assert_ne!(
                judged.verdict,
                Verdict::Entailed,
                "{said:?} {shown:?} {judged:?} {}",
                context()
            );
        }
    }
}

/// A claim that is a span is ENTAILED, whatever else there is, unless it states nothing or hides a name.
fn says_what_it_says(spans: &[Span], other: &Span, claim: &str, context: &dyn Fn() -> String) {
    let states = !claim.trim_end().ends_with('?')
        && !claim.contains('[')
        && claim.contains(char::is_alphanumeric);
    let itself = Span {
        text: claim.to_owned(),
        source: None,
        ..other.clone()
    };
    let all: Vec<Span> = spans.iter().cloned().chain([itself]).collect();
    let judged = builtin::judge(&all, claim);
    if states {
        assert_eq!(
            judged.verdict,
            Verdict::Entailed,
            "{judged:?} {}",
            context()
        );
    }
}

fn same(one: &Judgement, other: &Judgement, context: &dyn Fn() -> String) {
    assert_eq!(
        (one.verdict, one.confidence),
        (other.verdict, other.confidence),
        "{}",
        context()
    );
}

/// A judgement that is no UNSURE quotes a span, and what it quotes and what it found stands there: what it says the
/// quoted words hold, in them.
fn points_at_words_that_are_there(
    judged: &Judgement,
    spans: &[Span],
    claim: &str,
    context: &dyn Fn() -> String,
) {
    let reasoning = judged.reasoning.as_str();
    let quotes = |span: &&Span| {
        let rest = reasoning.strip_prefix(span.id.as_str());
        rest.is_some_and(|rest| rest.starts_with(" (\""))
    };
    let Some(span) = spans.iter().filter(quotes).max_by_key(|span| span.id.len()) else {
        assert_eq!(judged.verdict, Verdict::Unsure, "{}", context());
        return;
    };
    let text = line(&span.text);
    let rest = &reasoning[span.id.len() + 3..];
    // What is quoted may hold a quotation mark itself.
    let holds = rest.match_indices("\") ").any(|(end, _)| {
        let found = rest[end + 3..]
            .strip_prefix("has ")
            .and_then(|rest| rest.rsplit_once(" where the claim has "));
        let quoted = rest[..end].trim_matches('…');
        text.contains(quoted)
            && found.is_none_or(|(found, _)| quoted.contains(&line(found)))
            && holds(quoted, &rest[end + 3..], claim)
    });
    assert!(holds, "{}", context());
}

/// Whether the quoted words, judged alone, hold the claim's atoms that are said to stand in them.
fn holds(quoted: &str, said: &str, claim: &str) -> bool {
    let Some(said) = said.strip_prefix("holds ") else {
        return true;
    };
    let ends = [" and has ", ", and ", " (a check of terms"];
    let end = ends.iter().filter_map(|end| said.find(end)).min();
    let told: Vec<&str> = said[..end.unwrap_or(said.len())].split(", ").collect();
    let alone = Span {
        id: "quoted".to_owned(),
        text: quoted.to_owned(),
        source: None,
    };
    builtin::atoms(&[alone], claim)
        .iter()
        .filter(|atom| atom.kind != AtomKind::Quote && told.contains(&atom.text.as_str()))
        .all(|atom| atom.grounded)
}

/// One space between words.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
