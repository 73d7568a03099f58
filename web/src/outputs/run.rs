//! One check: carries the core's questions to the folder and the schemas, and the answers back.

use std::cell::Cell;

use claimgauge_core::{
    Error,
    output::{Check, CheckResult, Look, Observation, Options, SchemaRequest, Step},
    verification::Progress,
};
use serde_json::Value;

use super::{
    folder::Folder,
    inputs::{Fault, Field, Inputs},
    schemas::Schemas,
};
use crate::browser;

/// How many requests are taken from the machine at a time.
const BATCH: usize = 32;

/// How long small files may keep the page from drawing, in milliseconds.
const TURN_MS: f64 = 12.0;

/// How far a check is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Reached {
    pub(crate) done: usize,
    pub(crate) total: usize,
    /// The file that is being read: its path, the bytes read, its size.
    pub(crate) file: Option<(String, f64, f64)>,
}

/// What is told while a check runs; says whether anybody still waits.
pub(crate) type OnProgress<'a> = &'a dyn Fn(Reached) -> bool;

/// A check that ended.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) result: CheckResult,
    /// How long each level took, in milliseconds.
    pub(crate) durations_ms: [f64; 3],
}

/// Checks what was given. `None` where nobody waits any more.
pub(crate) async fn check(
    inputs: &Inputs,
    folder: Option<&Folder>,
    on_progress: OnProgress<'_>,
) -> Result<Option<Checked>, Fault> {
    if !is_waited_for(on_progress).await {
        return Ok(None);
    }
    let read = inputs.read()?;
    let schemas = Schemas::new(read.schemas).await;
    let schemas = schemas.map_err(|message| Fault::new(Field::Schemas, message))?;
    if !is_waited_for(on_progress).await {
        return Ok(None);
    }
    let start = browser::now();
    let options = Options {
        strict: Some(inputs.strict),
        trace: read.trace,
        tools: Some(schemas.tools()),
        schemas: Some(schemas.registered().cloned().collect()),
        tool_kinds: Some(read.tool_kinds),
        base: folder.map(|_| inputs.base()),
        ..Options::default()
    };
    let check = Check::new(read.output, options).map_err(|error| inputs.fault_of(&error))?;
    Run {
        check,
        schemas,
        tool_outputs: read.tool_outputs,
        folder,
        on_progress,
        durations_ms: [browser::now() - start, 0.0, 0.0],
        turn: Cell::new(start),
    }
    .drive()
    .await
}

/// Lets the page take a click before what may keep it busy for long; says whether anybody still waits.
async fn is_waited_for(on_progress: OnProgress<'_>) -> bool {
    browser::sleep(0).await;
    on_progress(Reached::default())
}

struct Run<'a> {
    check: Check,
    schemas: Schemas,
    tool_outputs: Vec<Value>,
    folder: Option<&'a Folder>,
    on_progress: OnProgress<'a>,
    durations_ms: [f64; 3],
    turn: Cell<f64>,
}

impl Run<'_> {
    async fn drive(mut self) -> Result<Option<Checked>, Fault> {
        if !is_waited_for(self.on_progress).await {
            return Ok(None);
        }
        loop {
            let start = browser::now();
            let (level, answered) = match self.check.poll(BATCH) {
                Step::Fit(requests) => (1, self.fit(&requests).await?),
                Step::Observe(looks) => (2, self.observe(&looks).await?),
                Step::Done(result) => {
                    return Ok(Some(Checked {
                        result: *result,
                        durations_ms: self.durations_ms,
                    }));
                }
                Step::Wait => unreachable!("each request is answered before the next is asked for"),
            };
            self.durations_ms[level] += browser::now() - start;
            if !answered {
                return Ok(None);
            }
        }
    }

    async fn fit(&mut self, requests: &[SchemaRequest]) -> Result<bool, Fault> {
        for request in requests {
            let output = self.tool_outputs.get(request.invocation);
            let answer = self
                .schemas
                .answer(request, output.unwrap_or(&Value::Null))
                .map_err(|message| Fault::new(Field::Schemas, message))?;
            self.check
                .handle_schema(request.invocation, answer)
                .map_err(|error| unexpected(&error))?;
            if !self.goes_on().await {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn observe(&mut self, looks: &[Look]) -> Result<bool, Fault> {
        for look in looks {
            let Some(seen) = self.look(look).await else {
                return Ok(false);
            };
            self.check
                .handle_observation(&look.path, &seen)
                .map_err(|error| unexpected(&error))?;
            if !self.goes_on().await {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn look(&self, look: &Look) -> Option<Observation> {
        let Some(folder) = self.folder else {
            // Without a base nothing is asked about.
            return Some(Observation::Missing);
        };
        let Progress { done, total } = self.check.progress();
        let on_bytes = |bytes, size| {
            (self.on_progress)(Reached {
                done,
                total,
                file: Some((look.path.clone(), bytes, size)),
            })
        };
        folder.observe(look, &on_bytes).await
    }

    /// Tells how far the check is; lets the page draw, and the user cancel, now and then.
    async fn goes_on(&self) -> bool {
        if browser::now() - self.turn.get() > TURN_MS {
            browser::sleep(0).await;
            self.turn.set(browser::now());
        }
        let Progress { done, total } = self.check.progress();
        (self.on_progress)(Reached {
            done,
            total,
            file: None,
        })
    }
}

/// An answer that the machine did not ask for: a fault of this page.
fn unexpected(error: &Error) -> Fault {
    Fault::new(Field::Output, error.to_string())
}
