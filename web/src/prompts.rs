//! What a run would send, word for word, and to whom: to be read before anything is sent.

use claimgauge_core::{prompt::Role, verification::Pass};
use leptos::prelude::*;

use crate::{
    bound::text,
    fold::fold,
    judge,
    judging::Asked,
    planning::{Plan, Question},
    running,
    state::State,
};

/// The fold. What knows is loaded when it is opened.
pub(crate) fn sending(state: State) -> AnyView {
    let open = RwSignal::new(false);
    let counted = RwSignal::new(None::<String>);
    let summary = move || match counted.get().filter(|_| open.get()) {
        Some(counted) => format!("{counted}, {}", judge::destination(state)),
        None => judge::destination(state),
    };
    let summary = view! { <b>"What is sent: "</b><span id="sending">{text(summary)}</span> };
    let body = move || {
        state
            .later
            .draw(move |later| (later.prompts)(state, counted))
    };
    fold("sending", open, summary, body)
}

/// What is sent, as long as it is looked at. `counted` is told how much it is.
pub(crate) fn prompts(state: State, counted: RwSignal<Option<String>>) -> AnyView {
    let claim = RwSignal::new(0_usize);
    // While a plan is being made only the last inputs wait.
    let (busy, waits) = (StoredValue::new(false), StoredValue::new(false));
    let again = RwSignal::new(());
    Effect::new(move |_| {
        again.track();
        let (inputs, claim) = (state.settled.get(), claim.get());
        if busy.get_value() {
            waits.set_value(true);
            return;
        }
        busy.set_value(true);
        running::say(state, &Asked::Plan { inputs, claim });
    });
    Effect::new(move |_| {
        let Some(plan) = state.plan.get() else {
            return;
        };
        counted.set(plan.ok().as_ref().map(in_all));
        busy.set_value(false);
        if waits.get_value() {
            waits.set_value(false);
            again.set(());
        }
    });
    let body = move || match state.plan.get() {
        None => view! { <p class="empty">"Counting …"</p> }.into_any(),
        Some(Err(fault)) => view! { <p class="empty">{fault.to_string()}</p> }.into_any(),
        Some(Ok(plan)) => body(plan, claim),
    };
    body.into_any()
}

fn in_all(plan: &Plan) -> String {
    let calls = match plan.calls {
        1 => "1 call".to_owned(),
        calls => format!("{calls} calls"),
    };
    format!("{calls}, about {} tokens", plan.tokens)
}

fn body(plan: Plan, claim: RwSignal<usize>) -> AnyView {
    let choice = (plan.claims.len() > 1).then(|| {
        let options: Vec<_> = plan
            .claims
            .iter()
            .enumerate()
            .map(|(at, id)| {
                view! { <option value=at.to_string() selected=at == plan.claim>{id.clone()}</option> }
            })
            .collect();
        view! {
            <label class="field of-claim">
                <span>"The questions about claim"</span>
                <select id="sending-claim" on:change:target=move |event| {
                    claim.set(event.target().value().parse().unwrap_or(0));
                }>
                    {options}
                </select>
            </label>
        }
    });
    let rules = plan.questions.first().and_then(|question| {
        let mut messages = question.messages.iter();
        messages.find(|message| message.role == Role::System)
    });
    let rules = rules.map(|rules| {
        view! {
            <h3>"The rules, the same in both passes"</h3>
            <pre tabindex="0">{rules.content.clone()}</pre>
        }
    });
    // As in the cards of a result.
    let mut questions: Vec<&Question> = plan.questions.iter().collect();
    questions.sort_by_key(|question| question.pass == Pass::Full);
    let questions: Vec<AnyView> = questions.into_iter().map(question).collect();
    view! {
        <div class="prompts">
            {choice}
            {rules}
            <div class="passes">{questions}</div>
            <p class="aside">
                "A reply that cannot be read is asked for again, at most twice, in fewer words. Tokens are an estimate; the server counts its own."
            </p>
        </div>
    }
    .into_any()
}

fn question(question: &Question) -> AnyView {
    let title = match question.pass {
        Pass::Full => "Full pass",
        Pass::Scrubbed => "Scrubbed pass",
        Pass::Null => "Other null",
    };
    let texts: Vec<_> = question
        .messages
        .iter()
        .filter(|message| message.role == Role::User)
        .map(|message| view! { <pre tabindex="0">{message.content.clone()}</pre> })
        .collect();
    view! {
        <section class="pass" aria-label=format!("Prompt of the {}", title.to_lowercase())>
            <h3>{title}<span class="aside">{format!("about {} tokens with the rules", question.tokens)}</span></h3>
            {texts}
        </section>
    }
    .into_any()
}
