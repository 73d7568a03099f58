//! The drawer, where everything on the page is shared, exported and imported, and earlier runs lie.
//!
//! A program of its own, loaded when the drawer or a link is opened. It knows how the page stands from what
//! the page tells it ([`crate::talk`]), and changes nothing there itself.

mod exchange;
mod link;
mod runs;

use leptos::{
    ev::{self, Event},
    prelude::*,
    task::spawn_local,
};
use web_sys::{DataTransfer, File};

use self::{exchange::Given, runs::Runs};
use crate::{
    browser,
    copy::{Copies, Form},
    drop::DropTarget,
    files,
    icon::{self, Icon},
    inputs::Inputs,
    talk::{self, Asked, Origin, Standing},
};

/// The id of the element that the drawer is mounted in.
pub(crate) const PLACE: &str = "drawer-place";

/// The id of the dialog around it, which boot.js opens and closes.
const DIALOG: &str = "drawer";

/// What the drawer holds; signals only.
#[derive(Clone, Copy)]
struct State {
    standing: RwSignal<Option<Standing>>,
    link: RwSignal<Option<Result<String, String>>>,
    /// How many links were begun: an older one may be ready later.
    links: StoredValue<usize>,
    told: RwSignal<String>,
    /// Why a file could not be imported.
    refused: RwSignal<String>,
    /// Changes when the drawer is opened.
    opened: RwSignal<usize>,
}

impl State {
    fn new() -> Self {
        let state = Self {
            standing: RwSignal::new(None),
            link: RwSignal::new(None),
            links: StoredValue::new(0),
            told: RwSignal::new(String::new()),
            refused: RwSignal::new(String::new()),
            opened: RwSignal::new(0),
        };
        talk::hear_page(move |standing| {
            let is_first = state.standing.with_untracked(Option::is_none);
            spawn_local(state.make_link(standing.inputs.clone()));
            state.standing.set(Some(standing));
            if is_first {
                open_link();
            }
        });
        window_event_listener(ev::hashchange, |_| open_link());
        // boot.js says so.
        window_event_listener(ev::Custom::<Event>::new("drawer-opened"), move |_| {
            state.ask()
        });
        state.ask();
        state
    }

    fn ask(self) {
        self.told.set(String::new());
        self.refused.set(String::new());
        self.opened.update(|times| *times += 1);
        talk::to_page(&Asked::Standing);
    }

    async fn make_link(self, inputs: Inputs) {
        let number = self.links.get_value() + 1;
        self.links.set_value(number);
        let place = link::write(&inputs).await;
        if number != self.links.get_value() {
            return;
        }
        self.link.set(Some(place.map(|place| {
            let here = browser::address();
            format!("{}{place}", here.split('#').next().unwrap_or_default())
        })));
    }

    /// Hands the page what a file holds, where it is one that this page has written.
    fn import(self, file: File) {
        self.told.set(String::new());
        self.refused.set(String::new());
        spawn_local(async move {
            let text = files::text(&file).await;
            let text = text.map_err(|why| format!("This file cannot be read: {why}."));
            let now = self.standing.get_untracked();
            let now = now.map(|standing| standing.inputs).unwrap_or_default();
            match text.and_then(|text| exchange::read(&text, &now)) {
                Ok(given) => load_given(Origin::File, given),
                Err(why) => self.refused.set(why),
            }
        });
    }
}

/// Puts something on the page, and makes the way to it free.
fn load(origin: Origin, standing: Standing, without: &str) {
    browser::close_dialog(DIALOG);
    talk::to_page(&Asked::Load {
        origin,
        standing: Box::new(standing),
        without: without.to_owned(),
    });
}

fn load_given(origin: Origin, given: Given) {
    let standing = Standing {
        inputs: given.inputs,
        outcome: None,
    };
    load(origin, standing, given.without);
}

/// Reads the link that the page was opened by, and takes it out of the address: what is changed from now on is
/// not in it.
fn open_link() {
    let place = browser::place();
    if !place.starts_with(link::MARK) {
        return;
    }
    browser::set_place("");
    spawn_local(async move {
        match link::read(&place).await {
            Ok(given) => load_given(Origin::Link, given),
            Err(why) => talk::to_page(&Asked::Say {
                words: format!("{why} What was here stays as it is."),
            }),
        }
    });
}

/// Everything inside the drawer.
#[component]
pub(crate) fn App() -> impl IntoView {
    let state = State::new();
    let dropped = move |data: Option<DataTransfer>| {
        let files = data.and_then(|data| data.files());
        if let Some(file) = files.and_then(|files| files.item(0)) {
            state.import(file);
        }
    };
    view! {
        <DropTarget class="drawer-inside drop-target" takes=|_| true dropped>
            <p class="notice" role="status">{move || state.told.get()}</p>
            <Link state/>
            <Files state/>
            <Runs state/>
        </DropTarget>
    }
}

#[component]
fn Link(state: State) -> impl IntoView {
    view! {
        <section aria-labelledby="link-title">
            <h3 id="link-title">"A link"</h3>
            <p class="aside">
                "It holds evidence, claims and settings, so that no server has to. Whoever has the link can read them. Keys are not in it."
            </p>
            {move || match state.link.get() {
                None => view! { <p class="aside">"Making the link …"</p> }.into_any(),
                Some(Err(why)) => view! { <p class="aside">{why}</p> }.into_any(),
                Some(Ok(link)) => {
                    let length = link.len();
                    let copied = link.clone();
                    let forms: Vec<Form> = vec![("link", Box::new(move || copied.clone()))];
                    view! {
                        <input type="text" id="link" class="mono" readonly aria-label="Link" value=link/>
                        <p class="aside">
                            {format!("{length} characters.")}
                            {(length > 8000).then_some(" Some mail and chat programs cut a link of this length.")}
                        </p>
                        <Copies forms/>
                    }.into_any()
                }
            }}
        </section>
    }
}

#[component]
fn Files(state: State) -> impl IntoView {
    let buttons: Vec<_> = exchange::FORMS
        .into_iter()
        .zip(["JSON", "Markdown", "CSV"])
        .map(|((end, kind, write), name)| {
            let save = move |_| {
                let text = state.standing.with_untracked(|standing| {
                    let standing = standing.as_ref()?;
                    Some(write(&standing.inputs, standing.outcome.as_ref()))
                });
                let saved = text
                    .is_some_and(|text| browser::save(&format!("claimgauge.{end}"), kind, &text));
                state.told.set(if saved {
                    format!("Saved as claimgauge.{end}.")
                } else {
                    "The browser does not let the page save a file.".to_owned()
                });
            };
            view! {
                <button type="button" class="quiet small" data-export=end on:click=save>
                    {format!("Save {name}")}
                </button>
            }
        })
        .collect();
    let pick = move |event: Event| {
        files::picked(&event, |picked| {
            if let Some(file) = picked.item(0) {
                state.import(file);
            }
        });
    };
    view! {
        <section aria-labelledby="files-title">
            <h3 id="files-title">"A file"</h3>
            <p class="aside">
                "JSON holds everything but keys; Markdown and CSV hold evidence, claims and what the last run came to."
            </p>
            <div class="copies">
                {buttons}
                <label class="quiet small file">
                    <Icon outline=icon::FOLDER/>
                    "Import a file"
                    <input type="file" id="import" accept=".json,.md,.csv" on:change=pick/>
                </label>
            </div>
            <div class="fault" role="alert">
                {move || Some(state.refused.get()).filter(|why| !why.is_empty()).map(|why| view! {
                    <Icon outline=icon::WARNING/>
                    <p>{why}</p>
                })}
            </div>
        </section>
    }
}
