//! A folder on the user's machine: where the browser has it from, and a look at one path in it.
//!
//! Nothing leaves the page: files are read in chunks and hashed here. What a browser hands over are
//! names below the folder, so no path can lead out of it; which entries are links it does not tell.

use std::{collections::BTreeMap, rc::Rc};

use claimgauge_core::output::{Content, Digest, FileSeen, FormsDigest, Look, Observation, Want};
use js_sys::{Function, Promise, Reflect, Uint8Array};
use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, DataTransfer, DomException, FileList, FileSystemDirectoryEntry,
    FileSystemDirectoryHandle, FileSystemFileEntry, FileSystemFileHandle, FileSystemFlags,
};

/// How much of a file is read and hashed before the page gets its turn.
const CHUNK: f64 = 1024.0 * 1024.0;

/// A folder that was picked.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    pub(crate) name: String,
    contents: Contents,
    is_built: bool,
}

#[derive(Clone, Debug)]
enum Contents {
    /// Looked into when it is asked about.
    Place(Place),
    /// Every file by its path, as a field for folders gives them.
    Files(Rc<BTreeMap<String, Blob>>),
}

/// A folder as a picker or a drop gives it.
#[derive(Clone, Debug)]
enum Place {
    Dropped(FileSystemDirectoryEntry),
    Picked(FileSystemDirectoryHandle),
}

/// What is at a path.
enum Found {
    Directory,
    File(Blob),
    Missing,
    Unreadable(String),
}

/// Told how much of a file was read; says whether anybody still waits.
pub(crate) type OnBytes<'a> = &'a dyn Fn(f64, f64) -> bool;

/// Whether the browser has a picker for folders; else there is a field for them.
pub(crate) fn can_pick() -> bool {
    picker().is_some()
}

fn picker() -> Option<Function> {
    Reflect::get(&window(), &"showDirectoryPicker".into())
        .ok()?
        .dyn_into()
        .ok()
}

/// Lets the user pick a folder. `None` where they changed their mind.
pub(crate) async fn pick() -> Result<Option<Folder>, String> {
    let Some(picker) = picker() else {
        return Ok(None);
    };
    let picked = match picker.call0(&window()) {
        Ok(promise) => JsFuture::from(promise.unchecked_into::<Promise>()).await,
        Err(thrown) => Err(thrown),
    };
    match picked {
        Ok(handle) => {
            let handle: FileSystemDirectoryHandle = handle.unchecked_into();
            Ok(Some(Folder {
                name: handle.name(),
                contents: Contents::Place(Place::Picked(handle)),
                is_built: false,
            }))
        }
        Err(thrown) if error_name(&thrown) == "AbortError" => Ok(None),
        Err(thrown) => Err(why(&thrown)),
    }
}

impl Folder {
    /// The first folder among what was dropped. Must be called while the event lasts.
    pub(crate) fn dropped(data: &DataTransfer) -> Option<Self> {
        let items = data.items();
        (0..items.length()).find_map(|at| {
            let entry = items.get(at)?.webkit_get_as_entry().ok()??;
            entry.is_directory().then(|| Self {
                name: entry.name(),
                contents: Contents::Place(Place::Dropped(entry.unchecked_into())),
                is_built: false,
            })
        })
    }

    /// The files of a field for folders, by their paths below the folder.
    pub(crate) fn listed(list: &FileList) -> Option<Self> {
        let mut name = None;
        let mut files = BTreeMap::new();
        for file in (0..list.length()).filter_map(|at| list.get(at)) {
            let path = Reflect::get(&file, &"webkitRelativePath".into()).ok();
            let path = path.and_then(|path| path.as_string()).unwrap_or_default();
            let Some((folder, below)) = path.split_once('/') else {
                continue;
            };
            name.get_or_insert_with(|| folder.to_owned());
            files.insert(below.to_owned(), file.unchecked_into());
        }
        Some(Self {
            name: name?,
            contents: Contents::Files(Rc::new(files)),
            is_built: false,
        })
    }

    /// A folder that exists in the page alone.
    pub(crate) fn built(name: &str, files: &BTreeMap<&str, &str>) -> Self {
        let blob = |text: &str| {
            Blob::new_with_str_sequence(&js_sys::Array::of1(&text.into()))
                .expect("text is a part of a blob")
        };
        let files = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), blob(text)));
        Self {
            name: name.to_owned(),
            contents: Contents::Files(Rc::new(files.collect())),
            is_built: true,
        }
    }

    /// Whether it exists in the page alone.
    pub(crate) fn is_built(&self) -> bool {
        self.is_built
    }

    /// How many files it has, where that is known without a search.
    pub(crate) fn count(&self) -> Option<usize> {
        match &self.contents {
            Contents::Files(files) => Some(files.len()),
            Contents::Place(_) => None,
        }
    }

    /// Looks at a path. `None` where nobody waits any more.
    pub(crate) async fn observe(&self, look: &Look, on_bytes: OnBytes<'_>) -> Option<Observation> {
        let found = match &self.contents {
            _ if look.path.is_empty() => Found::Directory,
            Contents::Files(files) => among(files, &look.path),
            Contents::Place(place) => place.clone().find(&look.path).await,
        };
        Some(match found {
            Found::Directory => Observation::Directory,
            Found::Missing => Observation::Missing,
            Found::Unreadable(why) => Observation::Unreadable { why },
            Found::File(blob) => match read(&blob, look, on_bytes).await {
                Ok(seen) => Observation::File(seen?),
                Err(thrown) => Observation::Unreadable { why: why(&thrown) },
            },
        })
    }
}

/// What a list of files has at a path: a folder is there where a file lies below it.
fn among(files: &BTreeMap<String, Blob>, path: &str) -> Found {
    if let Some(blob) = files.get(path) {
        return Found::File(blob.clone());
    }
    let below = format!("{path}/");
    match files.range(below.clone()..).next() {
        Some((name, _)) if name.starts_with(&below) => Found::Directory,
        _ => Found::Missing,
    }
}

impl Place {
    async fn find(self, path: &str) -> Found {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut at = self;
        for folder in folders.split('/').filter(|folder| !folder.is_empty()) {
            at = match at.folder(folder).await {
                Ok(below) => below,
                // A part on the way that is a file or not there: nothing is behind it.
                Err(thrown) => match error_name(&thrown).as_str() {
                    "NotFoundError" | "TypeMismatchError" => return Found::Missing,
                    _ => return Found::Unreadable(why(&thrown)),
                },
            };
        }
        match at.file(name).await {
            Ok(file) => Found::File(file),
            Err(thrown) => match error_name(&thrown).as_str() {
                "NotFoundError" => Found::Missing,
                "TypeMismatchError" => Found::Directory,
                _ => Found::Unreadable(why(&thrown)),
            },
        }
    }

    async fn folder(&self, name: &str) -> Result<Self, JsValue> {
        Ok(match self {
            Self::Picked(handle) => {
                let below = JsFuture::from(handle.get_directory_handle(name)).await?;
                Self::Picked(below.unchecked_into())
            }
            Self::Dropped(entry) => {
                let below = Promise::new(&mut |resolve, reject| {
                    entry.get_directory_with_path_and_options_and_callback_and_callback(
                        Some(name),
                        &FileSystemFlags::new(),
                        &resolve,
                        &reject,
                    );
                });
                Self::Dropped(JsFuture::from(below).await?.unchecked_into())
            }
        })
    }

    async fn file(&self, name: &str) -> Result<Blob, JsValue> {
        let file = match self {
            Self::Picked(handle) => {
                let file = JsFuture::from(handle.get_file_handle(name)).await?;
                file.unchecked_into::<FileSystemFileHandle>().get_file()
            }
            Self::Dropped(entry) => {
                let file = Promise::new(&mut |resolve, reject| {
                    entry.get_file_with_path_and_options_and_callback_and_callback(
                        Some(name),
                        &FileSystemFlags::new(),
                        &resolve,
                        &reject,
                    );
                });
                let file: FileSystemFileEntry = JsFuture::from(file).await?.unchecked_into();
                Promise::new(&mut |resolve, reject| {
                    file.file_with_callback_and_callback(&resolve, &reject);
                })
            }
        };
        Ok(JsFuture::from(file).await?.unchecked_into())
    }
}

/// Reads what is asked about a file, chunk by chunk. `None` where nobody waits any more.
async fn read(
    blob: &Blob,
    look: &Look,
    on_bytes: OnBytes<'_>,
) -> Result<Option<FileSeen>, JsValue> {
    let size = blob.size();
    let mut seen = FileSeen {
        size: size as u64,
        ..FileSeen::default()
    };
    let mut text = (look.want == Want::Text).then(Vec::new);
    let mut forms = (look.want == Want::Forms).then(FormsDigest::default);
    if look.want == Want::Entry || (text.is_some() && seen.size > look.text_limit) {
        return Ok(Some(seen));
    }
    let mut digest = Digest::default();
    let mut at = 0.0;
    while at < size {
        let end = size.min(at + CHUNK);
        let chunk = blob.slice_with_f64_and_f64(at, end)?.array_buffer();
        let chunk = Uint8Array::new(&JsFuture::from(chunk).await?).to_vec();
        digest.update(&chunk);
        if let Some(forms) = &mut forms {
            forms.update(&chunk);
        }
        if let Some(text) = &mut text {
            text.extend_from_slice(&chunk);
        }
        at = end;
        if !on_bytes(at, size) {
            return Ok(None);
        }
    }
    seen.sha256 = Some(digest.finish());
    seen.forms = forms.map(FormsDigest::finish);
    seen.text = text.map(Content);
    Ok(Some(seen))
}

fn error_name(thrown: &JsValue) -> String {
    thrown
        .dyn_ref::<DomException>()
        .map(DomException::name)
        .unwrap_or_default()
}

/// The browser's own words for what went wrong.
pub(crate) fn why(thrown: &JsValue) -> String {
    let message = Reflect::get(thrown, &"message".into()).ok();
    message
        .and_then(|message| message.as_string())
        .filter(|message| !message.is_empty())
        .unwrap_or_else(|| format!("{thrown:?}"))
}
