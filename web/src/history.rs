//! The runs of this browser, in its IndexedDB: what judges writes them, the drawer lists them.
//!
//! A run is kept in two parts under one key, so that a list of runs does not have to read what they were
//! made with. Keys for endpoints are in neither.

use std::{cell::RefCell, rc::Rc};

use claimgauge_core::decide::Status;
use js_sys::{Array, Function, Promise, Reflect};
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    IdbDatabase, IdbFactory, IdbObjectStore, IdbOpenDbRequest, IdbRequest, IdbTransaction,
    IdbTransactionMode,
};

use crate::{inputs::Inputs, talk::Outcome};

const DATABASE: &str = "claimgauge.history";
const VERSION: u32 = 1;
const ENTRIES: &str = "entries";
const RUNS: &str = "runs";

/// How many runs are kept; the oldest make room.
const MOST_RUNS: u32 = 50;

/// How many claims of a run are listed, and how many characters of each.
const MOST_CLAIMS: usize = 500;
const MOST_OF_CLAIM: usize = 300;

/// What a run was made with, and what it came to.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Run {
    pub(crate) inputs: Inputs,
    pub(crate) outcome: Outcome,
}

/// A run as it is listed and compared.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Entry {
    /// Milliseconds since 1970.
    pub(crate) time: f64,
    pub(crate) profile: String,
    pub(crate) judge: String,
    /// The result's heading; what an earlier version kept is the recommendation's name.
    pub(crate) recommendation: String,
    pub(crate) claims: Vec<Line>,
    /// All of them.
    pub(crate) total: usize,
}

/// One claim of a run.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) status: Status,
    pub(crate) delta: Option<f64>,
}

impl Line {
    pub(crate) fn new(text: &str, status: Status, delta: Option<f64>) -> Self {
        Self {
            text: text.chars().take(MOST_OF_CLAIM).collect(),
            status,
            delta,
        }
    }
}

impl Entry {
    /// With as many of the claims as are listed.
    pub(crate) fn with_claims(mut self, claims: impl ExactSizeIterator<Item = Line>) -> Self {
        self.total = claims.len();
        self.claims = claims.take(MOST_CLAIMS).collect();
        self
    }
}

/// Keeps a run. Where the browser does not keep anything, nothing is kept.
pub(crate) async fn add(entry: &Entry, run: &Run) -> Result<(), JsValue> {
    let text = |text: serde_json::Result<String>| text.map_err(|_| JsValue::NULL);
    let (entry, run) = (
        text(serde_json::to_string(entry))?,
        text(serde_json::to_string(run))?,
    );
    let change = Change::begin().await?;
    let key = done(&change.entries.add(&entry.into())?).await?;
    done(&change.runs.put_with_key(&run.into(), &key)?).await?;
    let keys = Array::from(&done(&change.entries.get_all_keys()?).await?);
    for at in 0..keys.length().saturating_sub(MOST_RUNS) {
        change.remove(&keys.get(at))?;
    }
    Ok(())
}

/// All of them with their keys, the last one first.
pub(crate) async fn list() -> Result<Vec<(f64, Entry)>, JsValue> {
    let change = Change::begin().await?;
    let keys = Array::from(&done(&change.entries.get_all_keys()?).await?);
    let entries = Array::from(&done(&change.entries.get_all()?).await?);
    let read = |at: u32| {
        let text = entries.get(at).as_string()?;
        Some((keys.get(at).as_f64()?, serde_json::from_str(&text).ok()?))
    };
    // What another version has written is passed over.
    Ok((0..keys.length()).rev().filter_map(read).collect())
}

/// One of them, with all that it was made with.
pub(crate) async fn open(key: f64) -> Result<Option<Run>, JsValue> {
    let change = Change::begin().await?;
    let text = done(&change.runs.get(&key.into())?).await?.as_string();
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
}

pub(crate) async fn remove(key: f64) -> Result<(), JsValue> {
    Change::begin().await?.remove(&key.into())
}

pub(crate) async fn clear() -> Result<(), JsValue> {
    let change = Change::begin().await?;
    change.entries.clear()?;
    done(&change.runs.clear()?).await.map(|_| ())
}

/// Both parts, within one transaction.
struct Change {
    entries: IdbObjectStore,
    runs: IdbObjectStore,
}

impl Change {
    async fn begin() -> Result<Self, JsValue> {
        let database = database().await?;
        let stores = Array::of2(&ENTRIES.into(), &RUNS.into());
        let transaction: IdbTransaction = database
            .transaction_with_str_sequence_and_mode(&stores, IdbTransactionMode::Readwrite)?;
        Ok(Self {
            entries: transaction.object_store(ENTRIES)?,
            runs: transaction.object_store(RUNS)?,
        })
    }

    fn remove(&self, key: &JsValue) -> Result<(), JsValue> {
        self.entries.delete(key)?;
        self.runs.delete(key).map(|_| ())
    }
}

async fn database() -> Result<IdbDatabase, JsValue> {
    // A page and a worker have it under one name, and where it is not allowed, asking for it fails.
    let factory: IdbFactory = Reflect::get(&js_sys::global(), &"indexedDB".into())?.dyn_into()?;
    let request: IdbOpenDbRequest = factory.open_with_u32(DATABASE, VERSION)?;
    let opened = request.clone();
    let prepare = Closure::once(move || -> Result<(), JsValue> {
        let database: IdbDatabase = opened.result()?.unchecked_into();
        let options = web_sys::IdbObjectStoreParameters::new();
        options.set_auto_increment(true);
        database.create_object_store_with_optional_parameters(ENTRIES, &options)?;
        database.create_object_store(RUNS).map(|_| ())
    });
    request.set_onupgradeneeded(Some(prepare.as_ref().unchecked_ref()));
    let database = done(&request).await?;
    Ok(database.unchecked_into())
}

/// What hears that a request has succeeded, and that it has failed.
type Handlers = [Closure<dyn FnMut()>; 2];

/// What a request comes to.
async fn done(request: &IdbRequest) -> Result<JsValue, JsValue> {
    let held: Rc<RefCell<Option<Handlers>>> = Rc::default();
    let promise = Promise::new(&mut |resolve: Function, reject: Function| {
        let answered = request.clone();
        let succeeded = Closure::new(move || {
            // Neither a resolve nor a reject fails.
            let _ = resolve.call1(&JsValue::NULL, &answered.result().unwrap_or(JsValue::NULL));
        });
        let failed = Closure::new(move || {
            let _ = reject.call0(&JsValue::NULL);
        });
        request.set_onsuccess(Some(succeeded.as_ref().unchecked_ref()));
        request.set_onerror(Some(failed.as_ref().unchecked_ref()));
        *held.borrow_mut() = Some([succeeded, failed]);
    });
    JsFuture::from(promise).await
}
