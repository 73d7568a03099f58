//! What holds whenever the built-in judge judges any text. The suites and the fuzzer share it.

use claimgauge_core::{
    builtin,
    evidence::Span,
    judgement::{Judgement, Verdict},
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
    points_at_words_that_are_there(&judged, spans, &context);

    says_what_it_says(spans, added, claim, &context);

    let mut turned = spans.to_vec();
    turned.reverse();
    same(&builtin::judge(&turned, claim), &judged, &context);

    let mut more = spans.to_vec();
    more.push(added.clone());
    let later = builtin::judge(&more, claim);
    points_at_words_that_are_there(&later, &more, &context);
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

/// A claim that is a span is ENTAILED, whatever else there is, unless it states nothing or hides a name.
fn says_what_it_says(spans: &[Span], other: &Span, claim: &str, context: &dyn Fn() -> String) {
    let states = !claim.trim_end().ends_with('?') && !claim.contains('[');
    let itself = Span {
        text: claim.to_owned(),
        source: None,
        ..other.clone()
    };
    let all: Vec<Span> = spans.iter().cloned().chain([itself]).collect();
    let judged = builtin::judge(&all, claim);
    // That it has no term, or is too long to be read.
    let unread = judged.reasoning.starts_with("The claim ");
    if states && !unread {
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

/// A judgement that is no UNSURE quotes a span, and what it quotes and what it found stands there.
fn points_at_words_that_are_there(
    judged: &Judgement,
    spans: &[Span],
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
        text.contains(rest[..end].trim_end_matches('…'))
            && found.is_none_or(|(found, _)| text.contains(&line(found)))
    });
    assert!(holds, "{}", context());
}

/// One space between words.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
