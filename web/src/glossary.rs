//! Words that the reader says are identifiers: clicked in the preview or typed, and listed.

use claimgauge_core::profile::{Kind, Profile};
use js_sys::{Function, Reflect};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Node;

use crate::{
    bound::{given, pressed, switch, text},
    browser,
    icon::{self, Icon},
    inputs::Named,
    state::State,
};

/// Longest name that a click picks, in characters.
const MOST: usize = 120;

/// The field for a word and its kind, and the words that are named so far.
pub(crate) fn own_names(state: State, picked: RwSignal<String>) -> AnyView {
    let kind = RwSignal::new(String::new());
    let profile = Memo::new(move |_| state.profile.get());
    let kinds = move || kinds(&profile.get());
    let chosen = move || {
        let chosen = kind.get();
        let kinds = kinds();
        let known = kinds.iter().find(|kind| kind.word() == chosen);
        let kind = known.or(kinds.first());
        kind.map_or("", |kind| kind.word()).to_owned()
    };
    let told = RwSignal::new(String::new());
    let add = move || {
        let text = picked.get_untracked().trim().to_owned();
        if text.is_empty() {
            return;
        }
        let kind = untrack(chosen);
        told.set(format!("{text} is hidden as {kind}."));
        picked.set(String::new());
        state.glossary.update(|names| {
            names.retain(|named| named.text != text);
            names.push(Named { text, kind });
        });
    };
    let options = move || {
        let kinds = kinds().into_iter();
        let options = kinds.map(|kind| {
            let word = kind.word();
            view! {
                <option value=word prop:selected=switch(move || chosen() == word)>{format!("{} [{word}]", kind.label())}</option>
            }
        });
        options.collect::<Vec<_>>()
    };
    let list = move || {
        let names = state.glossary.get().into_iter();
        let items = names.map(|named| item(state, told, named));
        items.collect::<Vec<_>>()
    };
    view! {
        <div class="own-name">
            <label class="field">
                <span>"Word"</span>
                <input
                    id="own-name"
                    class="mono"
                    type="text"
                    autocomplete="off"
                    autocapitalize="none"
                    spellcheck="false"
                    placeholder="Click one above, or type it"
                    prop:value=text(move || picked.get())
                    on:input=given(move |value| picked.set(value))
                    on:keydown=move |event| {
                        if event.key() == "Enter" && !event.ctrl_key() && !event.meta_key() {
                            add();
                        }
                    }
                />
            </label>
            <label class="field">
                <span>"As"</span>
                <select id="own-kind" on:change=given(move |value| kind.set(value))>
                    {options}
                </select>
            </label>
            <button
                type="button"
                class="quiet"
                disabled=switch(move || picked.with(|word| word.trim().is_empty()))
                on:click=pressed(add)
            >
                "Hide it"
            </button>
        </div>
        <ul class="named">{list}</ul>
        <p class="hidden-label" role="status">{text(move || told.get())}</p>
    }
    .into_any()
}

fn item(state: State, told: RwSignal<String>, named: Named) -> AnyView {
    let label = format!("Show {} again", named.text);
    let text = named.text.clone();
    let remove = move || {
        told.set(format!("{text} is shown again."));
        state
            .glossary
            .update(|names| names.retain(|named| named.text != text));
        browser::focus_soon("own-name".to_owned());
    };
    view! {
        <li>
            <code>{named.text}</code>
            <span class="aside">{named.kind}</span>
            <button type="button" class="bare" aria-label=label title="Show it again" on:click=pressed(remove)>
                <Icon outline=icon::REMOVE/>
            </button>
        </li>
    }
    .into_any()
}

/// What a word can be hidden as: the profile's kinds, then those that every profile has.
fn kinds(profile: &str) -> Vec<Kind> {
    let mut kinds = Profile::named(profile).map_or(Vec::new(), |profile| profile.kinds);
    for kind in [Kind::Id, Kind::Num, Kind::Str, Kind::Date] {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

/// The selected text, else the word at a place on the screen.
pub(crate) fn word_at(x: i32, y: i32) -> Option<String> {
    let selection = window().get_selection().ok().flatten();
    let selected = selection.map(|selection| String::from(selection.to_string()));
    if let Some(selected) = selected.filter(|text| !text.trim().is_empty()) {
        let selected = selected.trim();
        let short = selected.chars().count() <= MOST && !selected.contains('\n');
        return short.then(|| selected.to_owned());
    }
    let (node, at) = caret(x, y)?;
    word(&node.node_value()?, at)
}

/// The text at a place on the screen, and how far in it that is. Browsers call it by one of two names.
fn caret(x: i32, y: i32) -> Option<(Node, usize)> {
    const CALLS: [(&str, &str, &str); 2] = [
        ("caretPositionFromPoint", "offsetNode", "offset"),
        ("caretRangeFromPoint", "startContainer", "startOffset"),
    ];
    let document = JsValue::from(document());
    let get = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).ok();
    CALLS.into_iter().find_map(|(call, node, offset)| {
        let call = get(&document, call)?.dyn_into::<Function>().ok()?;
        let caret = call.call2(&document, &x.into(), &y.into()).ok()?;
        let node = get(&caret, node)?.dyn_into::<Node>().ok()?;
        Some((node, get(&caret, offset)?.as_f64()? as usize))
    })
}

/// The word around a place, in UTF-16 units.
fn word(text: &str, at: usize) -> Option<String> {
    let mut units = 0;
    let place = text.char_indices().find(|(_, c)| {
        let here = units >= at;
        units += c.len_utf16();
        here
    });
    let place = place.map_or(text.len(), |(place, _)| place);
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '@');
    let (before, after) = text.split_at(place);
    let start = before.trim_end_matches(inside).len();
    let end = text.len() - after.trim_start_matches(inside).len();
    let word = text[start..end].trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
    let short = !word.is_empty() && word.chars().count() <= MOST;
    short.then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_click_takes_the_word_around_it() {
        let text = "äß sends Retry-After, 429 (max_retries).";
        let rows = [
            (0, Some("äß")),
            (5, Some("sends")),
            (9, Some("Retry-After")),
            (20, Some("Retry-After")),
            (24, Some("429")),
            (30, Some("max_retries")),
            (99, None),
        ];
        for (at, want) in rows {
            assert_eq!(word(text, at).as_deref(), want, "{at}");
        }
        assert_eq!(word("😀 ok", 4).as_deref(), Some("ok"));
        assert_eq!(word("a  b", 2), None);
    }

    #[test]
    fn every_profile_can_hide_a_name() {
        for profile in Profile::all() {
            let kinds = kinds(&profile.name);
            assert!(kinds.contains(&Kind::Id), "{}", profile.name);
            assert_eq!(kinds[0], profile.kinds[0]);
        }
    }
}
