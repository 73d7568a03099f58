//! The fields: the output, the folder, and what goes with them.

use std::ops::Range;

use leptos::{html, prelude::*, task::spawn_local};

use super::{
    folder::{self, Folder},
    inputs::{Fault, Field},
    result::visible,
    state::{State, select},
};
use crate::{
    browser,
    icon::{self, Icon},
    markup::turns,
};

/// The message about an input, beside it. There is always an element, so that screen readers tell
/// what comes into it.
#[component]
fn FaultNote(state: State, field: Field) -> impl IntoView {
    let fault = move || state.fault.get().filter(|fault| fault.field == field);
    view! {
        <div id=field.note_id() class="fault" role="alert">
            {move || fault().map(|Fault { message, range, .. }| view! {
                <Icon outline=icon::WARNING/>
                <p>
                    {visible(&message)}
                    {range.map(|range| view! {
                        " "
                        <button type="button" class="link" on:click=move |_| select(field, &range)>
                            "Show the place"
                        </button>
                    })}
                </p>
            })}
        </div>
    }
}

/// A field for JSON.
#[component]
fn JsonField(
    state: State,
    field: Field,
    text: RwSignal<String>,
    label: &'static str,
    rows: &'static str,
) -> impl IntoView {
    let is_wrong = move || {
        let wrong = state
            .fault
            .with(|fault| fault.as_ref().is_some_and(|fault| fault.field == field));
        wrong.then_some("true")
    };
    view! {
        <textarea
            id=field.id()
            rows=rows
            spellcheck="false"
            autocomplete="off"
            aria-label=label
            aria-describedby=field.note_id()
            aria-invalid=is_wrong
            prop:value=move || text.get()
            on:input:target=move |event| {
                text.set(event.target().value());
                state.mend(field);
                if field == Field::Output {
                    state.part_from_example();
                }
            }
        ></textarea>
        {move || text.with(|text| odd(text)).map(|(range, line, character)| view! {
            <p class="stale odd" role="status">
                <Icon outline=icon::WARNING/>
                <span>
                    {format!("Line {line} holds {}, which turns the text around it. Results show it written out. ", visible(&character))}
                    <button type="button" class="link" on:click=move |_| select(field, &range)>"Show the place"</button>
                </span>
            </p>
        })}
        <FaultNote state field/>
    }
}

/// The first character that turns the text around, which a field cannot help: where it stands, on which line, and itself.
fn odd(text: &str) -> Option<(Range<usize>, usize, String)> {
    let (at, character) = text
        .char_indices()
        .find(|(_, character)| turns(*character))?;
    let line = text[..at].matches('\n').count() + 1;
    Some((at..at + character.len_utf8(), line, character.to_string()))
}

/// What the agent returned.
#[component]
pub(crate) fn Output(state: State) -> impl IntoView {
    view! {
        <section class="panel" aria-labelledby="outputs-output-title">
            <header>
                <h2 id="outputs-output-title">"Output"</h2>
                <p class="aside">
                    "JSON with "<code>"summary"</code>", "<code>"traceRef"</code>" and "<code>"claims"</code>", as the agent returned it."
                </p>
            </header>
            <JsonField state field=Field::Output text=state.output label="Output of the agent, as JSON" rows="8"/>
        </section>
    }
}

/// The choice of a folder.
#[component]
pub(crate) fn FolderPicker(state: State) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    let pick = move |_| {
        if !folder::can_pick() {
            if let Some(field) = field.get() {
                field.click();
            }
            return;
        }
        spawn_local(async move {
            match folder::pick().await {
                Ok(Some(folder)) => state.pick(folder),
                Ok(None) => {}
                Err(why) => {
                    state.blame(Field::Folder, format!("The folder cannot be opened: {why}"))
                }
            }
        });
    };
    let listed = move |_| {
        let list = field.get().and_then(|field| field.files());
        match list.as_ref().and_then(Folder::listed) {
            Some(folder) => state.pick(folder),
            None => state.blame(Field::Folder, "The folder holds no files".to_owned()),
        }
    };
    let remove = move |_| {
        state.remove_folder();
        browser::focus_soon("pick-folder".to_owned());
    };
    let picked = move || {
        match state.folder.get() {
        None => view! {
            <p class="folder-none">"No folder yet: claims about files cannot be checked without one."</p>
        }
        .into_any(),
        Some(folder) => {
            let count = folder.count().map(|count| match count {
                1 => ", 1 file".to_owned(),
                n => format!(", {n} files"),
            });
            view! {
                <p class="folder-name">
                    <Icon outline=icon::FOLDER/>
                    <span><bdi>{visible(&folder.name)}</bdi>{count}</span>
                    <button
                        type="button"
                        id="remove-folder"
                        class="bare"
                        aria-label="Remove the folder"
                        title="Remove"
                        on:click=remove
                    >
                        <Icon outline=icon::REMOVE/>
                    </button>
                </p>
            }
            .into_any()
        }
    }
    };
    view! {
        <section class="panel" id=Field::Folder.id() aria-labelledby="outputs-folder-title">
            <header>
                <h2 id="outputs-folder-title">"Folder"</h2>
                <p class="aside">"Where the agent worked. Its files are read here, as far as claims name them, and go nowhere."</p>
            </header>
            <div class="folder">
                <button type="button" id="pick-folder" class="quiet" on:click=pick>
                    <Icon outline=icon::FOLDER/>
                    "Pick a folder"
                </button>
                <span class="aside">"or drop one on this page"</span>
                // For browsers without a picker; the button opens it.
                <input
                    node_ref=field
                    id="folder-field"
                    type="file"
                    prop:webkitdirectory=true
                    hidden
                    aria-label="Folder"
                    on:change=listed
                />
            </div>
            <div role="status">{picked}</div>
            <label class="field">
                <span>"Path of the folder where the agent ran"</span>
                <input
                    type="text"
                    class="mono"
                    spellcheck="false"
                    autocomplete="off"
                    placeholder="/home/agent/project"
                    aria-describedby="outputs-path-about"
                    prop:value=move || state.base_path.get()
                    on:input:target=move |event| state.base_path.set(event.target().value())
                />
            </label>
            <p class="aside" id="outputs-path-about">
                "Needed only where claims have absolute paths: a browser does not tell a page where a folder lies, nor which entries are links."
            </p>
            <FaultNote state field=Field::Folder/>
        </section>
    }
}

/// What the check may rest on beside the files.
#[component]
pub(crate) fn Trace(state: State) -> impl IntoView {
    let is_set = |text: RwSignal<String>| move || !text.with(|text| text.trim().is_empty());
    let (traced, schemed) = (is_set(state.trace), is_set(state.schemas));
    let kinds_set = is_set(state.tool_kinds);
    let given = |is: bool| if is { "given" } else { "optional" };
    view! {
        <section class="panel" aria-labelledby="outputs-trace-title">
            <header>
                <h2 id="outputs-trace-title">"Trace and rules"</h2>
            </header>
            <label class="check">
                <input
                    type="checkbox"
                    id="outputs-strict"
                    prop:checked=move || state.strict.get()
                    on:change:target=move |event| state.strict.set(event.target().checked())
                />
                <span>
                    "Strict"
                    <span class="aside">"Each claim must also be in the trace, edits must be found whole, and what cannot be told counts against the output."</span>
                </span>
            </label>
            <details>
                <summary>"Trace of the tools, "{move || given(traced())}</summary>
                <p class="aside">"JSON with "<code>"traceId"</code>", "<code>"specialistId"</code>" and "<code>"invocations"</code>"."</p>
                <JsonField state field=Field::Trace text=state.trace label="Trace of the tools, as JSON" rows="6"/>
            </details>
            <details>
                <summary>"Schemas of the tools, "{move || given(schemed())}</summary>
                <p class="aside">
                    "JSON by tool: a JSON Schema, or the name of another entry such as "<code>"pkg/path#Name"</code>". What checks them is loaded when there is one."
                </p>
                <JsonField state field=Field::Schemas text=state.schemas label="Schemas of the tools, as JSON" rows="6"/>
            </details>
            <details>
                <summary>"What the tools do, "{move || given(kinds_set())}</summary>
                <p class="aside">
                    "JSON by tool, for a strict check: "<code>"write"</code>", "<code>"edit"</code>", "<code>"delete"</code>", "<code>"read"</code>", "<code>"run"</code>" or "<code>"any"</code>". "<code>"fs:write"</code>", "<code>"fs:edit"</code>", "<code>"fs:delete"</code>", "<code>"fs:read"</code>" and "<code>"shell:exec"</code>" are known."
                </p>
                <JsonField state field=Field::ToolKinds text=state.tool_kinds label="What the tools do, as JSON" rows="3"/>
            </details>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_field_does_not_show_is_found() {
        let found = odd("[\n \"a\u{202e}b\"]");
        assert_eq!(found, Some((5..8, 2, "\u{202e}".to_owned())));
        assert_eq!(odd("{\t\"é\": \"👩\u{fe0f}\"}\r\n"), None);
    }
}
