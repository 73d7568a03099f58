//! Reading a reply to several claims at once.

use alloc::{string::String, vec::Vec};

use super::{
    Answer, Reading, ReplyContext, each_object,
    object::{Object, Value},
    reasoning, stands_in,
};
use crate::verification::MAX_GROUP;

/// More objects with answers than that, and only the last ones count: each is looked for in the prompt.
const MOST_OBJECTS: usize = 4 * MAX_GROUP;

/// What a reply says of one of several claims.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    /// Never taken from the order in which claims were asked: a judge may leave one out.
    pub(crate) reading: Reading,
    /// Which of the verdicts in the reply this is, in the order in which they stand.
    pub(crate) nth: usize,
    /// How many verdicts the reply has.
    pub(crate) of: usize,
}

/// Reads a reply that answers each claim by its id; `None` for one that it does not answer.
///
/// An answer is an object with the claim's id and a verdict, or one with a verdict under the id as its
/// key, wherever it stands. The last one of an id counts. Only complete objects do.
pub(crate) fn read_many(
    text: &str,
    context: &ReplyContext<'_>,
    ids: &[&str],
) -> Vec<Option<Entry>> {
    let answer = reasoning::drop(text);
    let mut objects = Vec::new();
    let looked_at_all = each_object(&answer, &mut |candidate| {
        let mut answers = Vec::new();
        if candidate.object.complete {
            gather(&candidate.object, &mut answers);
        }
        let any = !answers.is_empty();
        if any {
            if objects.len() == MOST_OBJECTS {
                objects.remove(0);
            }
            objects.push((String::from(candidate.text()), answers));
        }
        any
    });
    if !looked_at_all {
        // What follows could revise any of them.
        objects.clear();
    }
    let mut found: Vec<(String, Reading)> = Vec::new();
    for (object, answers) in objects {
        if !stands_in(context.sent, &object) {
            found.extend(answers);
        }
    }
    let last = |id: &&str| {
        // White space around an id tells nothing, but where it tells two of them apart.
        let names = |known: &str| known == *id || known.trim() == *id && !ids.contains(&known);
        let nth = found.iter().rposition(|(known, _)| names(known))?;
        let mut reading = found[nth].1.clone();
        if let Reading::Judgement {
            verdict, revised, ..
        } = &mut reading
        {
            let differs = |one: &Reading| !matches!(one, Reading::Judgement { verdict: other, .. } if other == verdict);
            let mut earlier = found[..nth].iter().filter(|(known, _)| names(known));
            *revised = earlier.any(|(_, one)| differs(one));
        }
        Some(Entry {
            reading,
            nth,
            of: found.len(),
        })
    };
    ids.iter().map(last).collect()
}

/// The answers in an object, in order.
fn gather(object: &Object, found: &mut Vec<(String, Reading)>) {
    let mut ids = object.get("id").map(text_of);
    let id = ids.next().flatten();
    // Two ids that differ are none.
    if let Some(id) = id
        && ids.all(|other| other == Some(id))
        && let Some(reading) = reading(object)
    {
        found.push((id.into(), reading));
        return;
    }
    for (key, value) in &object.fields {
        gather_value(Some(key), value, found);
    }
}

/// `key` is absent for what is in a list: that is named by its own id and nothing else.
fn gather_value(key: Option<&str>, value: &Value, found: &mut Vec<(String, Reading)>) {
    match value {
        Value::List(items) => items
            .iter()
            .for_each(|item| gather_value(None, item, found)),
        Value::Object(inner) if !inner.has("id") => match (key, reading(inner)) {
            (Some(key), Some(reading)) => found.push((key.into(), reading)),
            _ => gather(inner, found),
        },
        Value::Object(inner) => gather(inner, found),
        Value::Text { .. } | Value::Word(_) => {}
    }
}

/// What an object says by itself; `None` where it has no verdict that is an answer.
fn reading(object: &Object) -> Option<Reading> {
    let mut answer = Answer::default();
    answer.add(object);
    Some(answer.reading(false)).filter(|reading| *reading != Reading::None)
}

fn text_of(value: &Value) -> Option<&str> {
    match value.single() {
        Value::Word(text) if text == "null" => None,
        value => value.text(),
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;
    use crate::judgement::Verdict;

    /// The verdicts of C0, C1 and C2.
    fn verdicts(text: &str, context: &ReplyContext<'_>) -> [Option<Verdict>; 3] {
        let read = read_many(text, context, &["C0", "C1", "C2"]);
        let verdict = |entry: &Option<Entry>| match entry.as_ref()?.reading {
            Reading::Judgement { verdict, .. } => Some(verdict),
            _ => None,
        };
        [verdict(&read[0]), verdict(&read[1]), verdict(&read[2])]
    }

    #[test]
    fn answers_are_found_by_id() {
        const E: Option<Verdict> = Some(Verdict::Entailed);
        const C: Option<Verdict> = Some(Verdict::Contradicted);
        let [c0, c1, c2] = [
            r#"{"id":"C0","verdict":"ENTAILED","confidence":0.9}"#,
            r#"{"id":"C1","verdict":"CONTRADICTED","confidence":0.8}"#,
            r#"{"id":"C2","verdict":"ENTAILED","confidence":0.7}"#,
        ];
        let rows = [
            (format!("{{\"answers\":[{c0},{c1},{c2}]}}"), [E, C, E]),
            // In another order, one left out, one of no claim.
            (
                format!("[{c2}, {{\"id\":\"C9\",\"verdict\":\"UNSURE\"}}, {c1}]"),
                [None, C, E],
            ),
            (format!("Sure!\n```json\n{c1}\n{c0}\n```"), [E, C, None]),
            // Cut short: what is complete counts.
            (
                format!("{{\"answers\":[{c0},{}", &c1[..30]),
                [E, None, None],
            ),
            (
                r#"{"C0": {"verdict": "yes"}, "C1": {"verdict": "no"}}"#.into(),
                [E, C, None],
            ),
            (
                "{answers: [{id: C0, verdict: ENTAILED,},]}".into(),
                [E, None, None],
            ),
            // The last one wins; two in one object are none.
            (
                format!("{c0} no: {{\"id\":\"C0\",\"verdict\":\"NO\"}}"),
                [C, None, None],
            ),
            (
                r#"{"id":"C0","verdict":"YES","verdict":"NO"}"#.into(),
                [None, None, None],
            ),
            (format!("<think>{c0}</think>{c1}"), [None, C, None]),
            // No ids, no answers.
            (
                r#"[{"verdict":"ENTAILED"},{"verdict":"ENTAILED"},{"verdict":"ENTAILED"}]"#.into(),
                [None; 3],
            ),
            (
                r#"{"id":"C0","verdict":"ENTAILED | CONTRADICTED | UNSURE"}"#.into(),
                [None; 3],
            ),
            ("ENTAILED".into(), [None; 3]),
        ];
        for (text, want) in rows {
            assert_eq!(verdicts(&text, &ReplyContext::default()), want, "{text}");
        }
    }

    #[test]
    fn what_was_sent_is_no_answer() {
        let echo = r#"{"id":"C0","verdict":"ENTAILED"}"#;
        let sent = ReplyContext {
            sent: &[echo],
            cut: false,
        };
        assert_eq!(verdicts(echo, &sent), [None; 3]);
    }

    #[test]
    fn verdicts_are_counted_as_they_stand() {
        let text = r#"[{"id":"C1","verdict":"NO"},{"id":"C0","verdict":"YES"},{"id":"C1","verdict":"YES"}]"#;
        let read = read_many(text, &ReplyContext::default(), &["C0", "C1"]);
        let nth = |entry: &Option<Entry>| entry.as_ref().map(|entry| (entry.nth, entry.of));
        assert_eq!((nth(&read[0]), nth(&read[1])), (Some((1, 3)), Some((2, 3))));
        let revised = |entry: &Option<Entry>| {
            matches!(
                entry,
                Some(Entry {
                    reading: Reading::Judgement { revised: true, .. },
                    ..
                })
            )
        };
        assert_eq!((revised(&read[0]), revised(&read[1])), (false, true));
    }

    #[test]
    fn a_long_broken_reply_ends() {
        let text = "{\"id\":".repeat(20_000);
        assert_eq!(verdicts(&text, &ReplyContext::default()), [None; 3]);
    }
}
