//! Files that become evidence, by dropping or picking them: read in the page, sent nowhere.

use js_sys::Uint8Array;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{DragEvent, Event, File, FileList, HtmlInputElement};

use crate::{inputs::SpanText, state::State};

/// What is larger is no evidence that a person or a judge reads.
const MOST_BYTES: f64 = 4_000_000.0;

/// How many files are taken at a time.
const MOST_FILES: u32 = 100;

/// How many characters of a file's name are shown.
const MOST_OF_NAME: usize = 120;

/// Whether files are dragged; text that is dragged is the fields' own.
pub(crate) fn are_dragged(event: &DragEvent) -> bool {
    let data = event.data_transfer();
    data.is_some_and(|data| data.types().includes(&"Files".into(), 0))
}

/// Hands `take` what was picked in a field, and empties the field: the same may be picked again.
pub(crate) fn picked(event: &Event, take: impl FnOnce(&FileList)) {
    let field = event
        .target()
        .and_then(|it| it.dyn_into::<HtmlInputElement>().ok());
    if let Some(field) = field {
        if let Some(files) = field.files() {
            take(&files);
        }
        field.set_value("");
    }
}

/// Adds a span for each file, once what reads them is there.
pub(crate) fn take(state: State, files: &FileList) {
    let left = files.length().saturating_sub(MOST_FILES);
    let files: Vec<File> = (0..files.length().min(MOST_FILES))
        .filter_map(|at| files.item(at))
        .collect();
    if !files.is_empty() {
        let later = state.later;
        later.act(state, move |later| (later.add_files)(state, files, left));
    }
}

/// Adds a span for each file, and says which could not be read, and why. `left` more were not taken.
pub(crate) fn add(state: State, files: Vec<File>, left: u32) {
    spawn_local(async move {
        let mut spans = Vec::new();
        let mut told = String::new();
        for file in files {
            let name = readable(&file.name());
            match text(&file).await {
                Ok(text) => spans.push(SpanText {
                    id: String::new(),
                    source: name,
                    text,
                }),
                Err(why) => told.push_str(&format!(" {name} was left out: {why}.")),
            }
        }
        if left > 0 {
            told.push_str(&format!(
                " {left} more were left out: {MOST_FILES} are taken at a time."
            ));
        }
        let added = match spans.len() {
            0 => "No file was added.".to_owned(),
            1 => "One file was added.".to_owned(),
            number => format!("{number} files were added."),
        };
        if !spans.is_empty() {
            state.add_spans("Adding files", spans);
        }
        if told.is_empty() {
            state.tell(added);
        } else {
            state.warn(added + &told);
        }
    });
}

/// A file's text, or why it has none.
pub(crate) async fn text(file: &File) -> Result<String, &'static str> {
    if file.size() > MOST_BYTES {
        return Err("it is larger than 4 MB");
    }
    let unreadable = |_| "it cannot be read";
    let buffer = JsFuture::from(file.array_buffer())
        .await
        .map_err(unreadable)?;
    let bytes = Uint8Array::new(buffer.unchecked_ref()).to_vec();
    from_bytes(bytes).ok_or("it is not text in UTF-8")
}

fn from_bytes(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes)
        .ok()
        .filter(|text| !text.contains('\0'))?;
    Some(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// A file's name without what would make it look like another: controls, and marks that turn text around.
fn readable(name: &str) -> String {
    let hides = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let shown: String = name
        .chars()
        .map(|c| if hides(c) { '\u{fffd}' } else { c })
        .take(MOST_OF_NAME)
        .collect();
    if name.chars().nth(MOST_OF_NAME).is_some() {
        return shown + "…";
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_shows_what_it_is() {
        assert_eq!(readable("notes (1).md"), "notes (1).md");
        assert_eq!(
            readable("a\u{202e}txt.exe\n\u{200b}b\0"),
            "a\u{fffd}txt.exe\u{fffd}\u{fffd}b\u{fffd}"
        );
        assert_eq!(readable(&"é".repeat(500)).chars().count(), MOST_OF_NAME + 1);
    }

    #[test]
    fn only_text_is_text() {
        let text = |bytes: &[u8]| from_bytes(bytes.to_vec());
        assert_eq!(text("é".as_bytes()), Some("é".to_owned()));
        assert_eq!(text(b"\xef\xbb\xbfa"), Some("a".to_owned()));
        assert_eq!(text(b"\x89PNG\r\n"), None);
        assert_eq!(text(b"a\0b"), None);
        assert_eq!(text(b"\xff\xfea\0"), None);
    }
}
