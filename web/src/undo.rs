//! Undo and redo: the inputs as they were, step by step.

use std::collections::VecDeque;

use crate::inputs::Inputs;

/// How many steps are kept, and how many bytes of text in all of them.
const MOST_STEPS: usize = 60;
const MOST_BYTES: usize = 24_000_000;

/// What the user did, in the words of "… undone".
pub(crate) type What = &'static str;

/// What typing is called.
const TYPING: What = "Typing";

/// States in their order; one of them is where the user is.
#[derive(Debug)]
pub(crate) struct Timeline {
    /// Each with what led to it.
    states: VecDeque<(What, Inputs)>,
    at: usize,
}

impl Timeline {
    pub(crate) fn new(first: Inputs) -> Self {
        Self {
            states: VecDeque::from([(TYPING, first)]),
            at: 0,
        }
    }

    /// Notes a step: the inputs before and after it. What was typed since the last one is a step of its own.
    pub(crate) fn step(&mut self, what: What, before: Inputs, after: Inputs) {
        self.push(TYPING, before);
        self.push(what, after);
    }

    /// One step back from `now`: what is undone, and the inputs before it.
    pub(crate) fn undo(&mut self, now: Inputs) -> Option<(What, Inputs)> {
        self.push(TYPING, now);
        let before = self.at.checked_sub(1)?;
        let (what, _) = self.states.get(self.at)?;
        let (_, inputs) = self.states.get(before)?;
        self.at = before;
        Some((what, inputs.clone()))
    }

    /// One step ahead from `now`; there is none where something was changed since.
    pub(crate) fn redo(&mut self, now: Inputs) -> Option<(What, Inputs)> {
        self.push(TYPING, now);
        let (what, inputs) = self.states.get(self.at + 1)?;
        self.at += 1;
        Some((what, inputs.clone()))
    }

    /// Whether there is a step back from `now`, and one ahead.
    pub(crate) fn can(&self, now: &Inputs) -> (bool, bool) {
        let changed = !self.is_at(now);
        (
            changed || self.at > 0,
            !changed && self.at + 1 < self.states.len(),
        )
    }

    fn is_at(&self, now: &Inputs) -> bool {
        self.states
            .get(self.at)
            .is_some_and(|(_, inputs)| inputs == now)
    }

    /// Puts a state after the one where the user is, in place of those ahead; the oldest make room.
    fn push(&mut self, what: What, inputs: Inputs) {
        if self.is_at(&inputs) {
            return;
        }
        self.states.truncate(self.at + 1);
        self.states.push_back((what, inputs));
        let bytes = |states: &VecDeque<(What, Inputs)>| -> usize {
            states.iter().map(|(_, inputs)| inputs.bytes()).sum()
        };
        while self.states.len() > MOST_STEPS
            || self.states.len() > 2 && bytes(&self.states) > MOST_BYTES
        {
            self.states.pop_front();
        }
        self.at = self.states.len() - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(claims: &str) -> Inputs {
        Inputs {
            claims: claims.to_owned(),
            ..Inputs::default()
        }
    }

    fn claims((what, inputs): (What, Inputs)) -> (What, String) {
        (what, inputs.claims)
    }

    #[test]
    fn steps_go_back_and_ahead() {
        let mut timeline = Timeline::new(inputs("a"));
        assert_eq!(timeline.can(&inputs("a")), (false, false));
        assert!(timeline.undo(inputs("a")).is_none());

        timeline.step("Clearing", inputs("ab"), inputs(""));
        assert_eq!(timeline.can(&inputs("")), (true, false));
        let back = timeline.undo(inputs("")).map(claims);
        assert_eq!(back, Some(("Clearing", "ab".to_owned())));
        let back = timeline.undo(inputs("ab")).map(claims);
        assert_eq!(back, Some(("Typing", "a".to_owned())));
        assert_eq!(timeline.can(&inputs("a")), (false, true));
        let ahead = timeline.redo(inputs("a")).map(claims);
        assert_eq!(ahead, Some(("Typing", "ab".to_owned())));
        let ahead = timeline.redo(inputs("ab")).map(claims);
        assert_eq!(ahead, Some(("Clearing", String::new())));
        assert!(timeline.redo(inputs("")).is_none());
    }

    #[test]
    fn what_was_typed_since_is_a_step_and_ends_the_way_ahead() {
        let mut timeline = Timeline::new(inputs("a"));
        timeline.step("Clearing", inputs("a"), inputs(""));
        timeline.undo(inputs(""));
        assert_eq!(timeline.can(&inputs("ax")), (true, false));
        assert!(timeline.redo(inputs("ax")).is_none());
        let back = timeline.undo(inputs("ax")).map(claims);
        assert_eq!(back, Some(("Typing", "a".to_owned())));
    }

    #[test]
    fn the_oldest_make_room() {
        let large = |fill: &str| inputs(&fill.repeat(MOST_BYTES / 3));
        let mut timeline = Timeline::new(large("a"));
        for fill in ["b", "c", "d", "e"] {
            let before = timeline.states[timeline.at].1.clone();
            timeline.step("Pasting", before, large(fill));
        }
        assert_eq!(timeline.states.len(), 3);
        let back = timeline.undo(large("e")).map(claims);
        assert!(back.is_some_and(|(_, text)| text.starts_with('d')));
        for step in 0..200 {
            let before = timeline.states[timeline.at].1.clone();
            timeline.step("Adding", before, inputs(&step.to_string()));
        }
        assert_eq!(timeline.states.len(), MOST_STEPS);
    }
}
