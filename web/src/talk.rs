//! What the page and its drawer say to each other: two programs in one window, so it is lines of JSON in
//! events of that window.

use leptos::prelude::window;
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{CustomEvent, CustomEventInit};

use crate::{inputs::Inputs, sight::Sight};

const TO_PAGE: &str = "claimgauge-page";
const TO_DRAWER: &str = "claimgauge-drawer";

/// What the page tells: how it stands.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Standing {
    pub(crate) inputs: Inputs,
    /// Of the last run, where nothing was changed since.
    pub(crate) outcome: Option<Outcome>,
}

/// What a run came to, as texts to take away.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Outcome {
    pub(crate) json: String,
    pub(crate) markdown: String,
    /// Where each claim stands in the evidence.
    #[serde(default)]
    pub(crate) sights: Vec<Sight>,
}

/// What the drawer tells.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Asked {
    /// How the page stands.
    Standing,
    /// To put this in place of what stands there.
    Load {
        origin: Origin,
        standing: Box<Standing>,
        /// What of it could not be taken, in words.
        without: String,
    },
    /// To tell the user something.
    Say { words: String },
}

/// Where something comes from.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Origin {
    File,
    Link,
    Run,
}

pub(crate) fn to_page(asked: &Asked) {
    tell(TO_PAGE, asked);
}

pub(crate) fn to_drawer(standing: &Standing) {
    tell(TO_DRAWER, standing);
}

/// Has the page hear its drawer, as long as it lives. What it asks is read by what does it.
pub(crate) fn hear_drawer(hear: impl Fn(String) + 'static) {
    listen(TO_PAGE, hear);
}

/// Has the drawer hear its page.
pub(crate) fn hear_page(hear: impl Fn(Standing) + 'static) {
    listen(TO_DRAWER, move |text| {
        if let Ok(standing) = serde_json::from_str(&text) {
            hear(standing);
        }
    });
}

fn tell(name: &str, message: &impl Serialize) {
    let Ok(text) = serde_json::to_string(message) else {
        return;
    };
    let detail = CustomEventInit::new();
    detail.set_detail(&text.into());
    if let Ok(event) = CustomEvent::new_with_event_init_dict(name, &detail) {
        // It fails only where the event is being told already.
        let _ = window().dispatch_event(&event);
    }
}

fn listen(name: &str, hear: impl Fn(String) + 'static) {
    let heard = Closure::<dyn Fn(CustomEvent)>::new(move |event: CustomEvent| {
        hear(event.detail().as_string().unwrap_or_default());
    });
    // A window takes every listener.
    let _ = window().add_event_listener_with_callback(name, heard.as_ref().unchecked_ref());
    heard.forget();
}
