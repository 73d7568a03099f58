//! The browser's own means, behind functions that do not fail where there is a way around.

use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, HtmlAnchorElement, HtmlDialogElement, HtmlElement, HtmlTextAreaElement,
    Response, Storage, Url,
};

/// Whether this is the page, not a worker beside it.
pub(crate) fn is_page() -> bool {
    js_sys::global().has_type::<web_sys::Window>()
}

/// Shows what keeps the page from working.
pub(crate) fn show_trouble(words: &str) {
    let Some(place) = element("trouble") else {
        return;
    };
    place.set_text_content(Some(words));
    // There is nobody left to tell.
    let _ = place.remove_attribute("hidden");
}

/// The element of that id.
pub(crate) fn element(id: &str) -> Option<HtmlElement> {
    document().get_element_by_id(id)?.dyn_into().ok()
}

/// Whether there is room for two columns, as the styles see it.
pub(crate) fn is_wide() -> bool {
    let width = window().inner_width().ok();
    width.and_then(|width| width.as_f64()).unwrap_or_default() >= 1000.0
}

/// The element of that id, emptied.
pub(crate) fn clear(id: &str) -> Option<HtmlElement> {
    let place = element(id)?;
    place.set_text_content(None);
    Some(place)
}

/// Moves the focus to the element of that id, once the page is as the signals say.
pub(crate) fn focus_soon(id: String) {
    leptos::task::spawn_local(async move {
        sleep(0).await;
        if let Some(target) = element(&id) {
            // An element that is gone again needs no focus.
            let _ = target.focus();
        }
    });
}

/// Selects a stretch of a text field, in UTF-16 units, and moves there.
pub(crate) fn select(id: &str, from: u32, to: u32) {
    let field = element(id).and_then(|element| element.dyn_into::<HtmlTextAreaElement>().ok());
    if let Some(field) = field {
        // Neither fails for a field that takes text.
        let _ = field.focus();
        let _ = field.set_selection_range(from, to);
    }
}

/// The browser's storage, where the user allows it.
pub(crate) fn storage() -> Option<Storage> {
    window().local_storage().ok()?
}

#[wasm_bindgen]
extern "C" {
    /// Milliseconds since the page, or the program beside it, was opened.
    #[wasm_bindgen(js_namespace = performance)]
    pub(crate) fn now() -> f64;

    /// What results look like, loaded by boot.js.
    #[wasm_bindgen(js_name = resultStyles)]
    fn result_styles() -> js_sys::Promise;

    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(run: &js_sys::Function, ms: f64) -> JsValue;
}

/// Loads what results look like, from now on; gives nothing where it cannot be loaded.
pub(crate) fn load_result_styles() -> impl Future<Output = Option<()>> {
    let loaded = JsFuture::from(result_styles());
    async { loaded.await.ok().map(drop) }
}

/// Milliseconds since 1970, by the user's clock.
#[allow(
    clippy::disallowed_methods,
    reason = "a host may look at the clock; the core is handed the time"
)]
pub(crate) fn date() -> f64 {
    js_sys::Date::now()
}

/// Whether the panel that is mounted in the element of that id is the one on the screen.
pub(crate) fn is_open(id: &str) -> bool {
    element(id).is_some_and(|panel| !panel.hidden())
}

/// Whether a dialog lies above the page: keys are its own then.
pub(crate) fn has_open_dialog() -> bool {
    let open = document().query_selector("dialog[open]");
    open.is_ok_and(|dialog| dialog.is_some())
}

/// Closes a dialog, which gives the focus back to what opened it.
pub(crate) fn close_dialog(id: &str) {
    let dialog = element(id).and_then(|element| element.dyn_into::<HtmlDialogElement>().ok());
    if let Some(dialog) = dialog {
        dialog.close();
    }
}

/// The page's address.
pub(crate) fn address() -> String {
    window().location().href().unwrap_or_default()
}

/// What stands in the address from the # on.
pub(crate) fn place() -> String {
    window().location().hash().unwrap_or_default()
}

/// Puts something else there, without a step in the browser's history.
pub(crate) fn set_place(place: &str) {
    let address = address();
    let bare = address.split('#').next().unwrap_or_default();
    if let Ok(history) = window().history() {
        // Where the address stays as it is, a reload opens the same again.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("{bare}{place}")));
    }
}

/// Offers text as a file; whether the browser can do that.
pub(crate) fn save(name: &str, kind: &str, text: &str) -> bool {
    let offer = || -> Result<(), JsValue> {
        let options = BlobPropertyBag::new();
        options.set_type(kind);
        let parts = js_sys::Array::of1(&text.into());
        let blob = Blob::new_with_str_sequence_and_options(&parts, &options)?;
        let url = Url::create_object_url_with_blob(&blob)?;
        let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
        link.set_href(&url);
        link.set_download(name);
        link.click();
        Url::revoke_object_url(&url)
    };
    offer().is_ok()
}

/// Whether the focus is in a field that takes text.
pub(crate) fn is_typing() -> bool {
    document().active_element().is_some_and(|element| {
        element
            .matches(
                "textarea, input:not([type=radio], [type=checkbox], [type=file], [type=range])",
            )
            .unwrap_or(false)
    })
}

/// The text of a file that lies beside the page.
pub(crate) async fn fetch(path: &str) -> Option<String> {
    let answer = JsFuture::from(window().fetch_with_str(path)).await.ok()?;
    let answer = answer.dyn_into::<Response>().ok()?;
    let text = answer.ok().then(|| answer.text())?.ok()?;
    JsFuture::from(text).await.ok()?.as_string()
}

/// A number in [0, 1) that differs each time: it spreads retries, no result depends on it.
#[allow(
    clippy::disallowed_methods,
    reason = "a host may draw lots; the core is handed the number"
)]
pub(crate) fn jitter() -> f64 {
    js_sys::Math::random()
}

/// Ends after so many milliseconds; 0 lets the browser draw and take input in between.
pub(crate) async fn sleep(ms: u64) {
    let _ = JsFuture::from(after(ms)).await;
}

/// A promise of nothing, kept after so many milliseconds.
pub(crate) fn after(ms: u64) -> js_sys::Promise {
    js_sys::Promise::new(&mut |resolve, _| {
        set_timeout(&resolve, ms as f64);
    })
}

/// Puts `text` on the clipboard; whether that was allowed.
pub(crate) async fn copy(text: &str) -> bool {
    if !window().is_secure_context() {
        return false;
    }
    let written = window().navigator().clipboard().write_text(text);
    JsFuture::from(written).await.is_ok()
}
