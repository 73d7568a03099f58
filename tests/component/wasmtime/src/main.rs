//! Runs lines of JSON in the component and prints what comes of each, as tests/component/host.py does in Python:
//! `[interface, function, args]` or `["verify", request]`, then `{"result": text}` or `{"refused": …}`.
//!
//! The argument is the component.

use std::env;
use std::io::{self, BufRead, BufWriter, Write};

use serde_json::{Value, json};
use wasmtime::component::{Component, Linker, bindgen};
use wasmtime::{Engine, Store};

bindgen!({ path: "../../../pkg/wit", world: "claimgauge" });

use claimgauge::verify::types::Refusal;
use exports::claimgauge::verify::verifying::Step;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// What the component says to a call.
type Said = Result<String, Refusal>;

fn main() -> Outcome<()> {
    let mut host = Host::new(
        &env::args()
            .nth(1)
            .ok_or("the component's file is missing")?,
    )?;
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let call: Value = serde_json::from_str(&line?)?;
        let said = match call[0].as_str() {
            Some("verify") => host.verify(&call[1])?,
            Some(interface) => host.call(interface, text(&call[1])?, &call[2])?,
            None => return Err("a call begins with a name".into()),
        };
        let line = match said {
            Ok(result) => json!({ "result": result }),
            Err(Refusal {
                code,
                path,
                message,
                hint,
            }) => {
                json!({ "refused": { "code": code, "path": path, "message": message, "hint": hint } })
            }
        };
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}

struct Host {
    store: Store<()>,
    claimgauge: Claimgauge,
}

impl Host {
    /// An empty linker: there is nothing that the component asks for.
    fn new(file: &str) -> Outcome<Self> {
        let engine = Engine::default();
        let component = Component::from_file(&engine, file)?;
        let mut store = Store::new(&engine, ());
        let claimgauge = Claimgauge::instantiate(&mut store, &component, &Linker::new(&engine))?;
        Ok(Self { store, claimgauge })
    }

    fn call(&mut self, interface: &str, name: &str, args: &Value) -> Outcome<Said> {
        let store = &mut self.store;
        let scrubbing = self.claimgauge.claimgauge_verify_scrubbing();
        let deciding = self.claimgauge.claimgauge_verify_deciding();
        let document = || text(&args[0]).map(str::to_owned);
        Ok(match (interface, name) {
            ("scrubbing", "scrub") => scrubbing.call_scrub(store, &document()?)?,
            ("deciding", "decide") => deciding.call_decide(store, &document()?)?,
            ("deciding", "estimate") => {
                let group = args[1].as_u64().and_then(|group| group.try_into().ok());
                let group = group.ok_or("a group is a number")?;
                deciding.call_estimate(store, &document()?, group)?
            }
            ("deciding", "read-reply") => Ok(deciding.call_read_reply(store, text(&args[0])?)?),
            ("deciding", "profiles") => Ok(deciding.call_profiles(store)?),
            ("deciding", "presets") => Ok(deciding.call_presets(store)?),
            _ => return Err(format!("{interface}.{name} is not called here").into()),
        })
    }

    /// A whole verification with the built-in judge: the report.
    fn verify(&mut self, request: &Value) -> Outcome<Said> {
        let store = &mut self.store;
        let judging = self.claimgauge.claimgauge_verify_judging();
        let runs = self.claimgauge.claimgauge_verify_verifying().verification();
        let run = match runs.call_start(&mut *store, &request.to_string(), 1)? {
            Ok(run) => run,
            Err(refusal) => return Ok(Err(refusal)),
        };
        loop {
            let questions = match runs.call_poll(&mut *store, run, 16)? {
                Step::Ask(questions) => questions,
                Step::Done(report) => {
                    run.resource_drop(store)?;
                    return Ok(Ok(report));
                }
                Step::Wait => return Err("every question was answered".into()),
            };
            for question in questions {
                let question: Value = serde_json::from_str(&question)?;
                let (id, spans) = (text(&question["id"])?, &question["spans"]);
                if question["pass"] == "full" && question["attempt"] == 1 {
                    let claims = question["claims"].as_array().into_iter().flatten();
                    let texts: Vec<&Value> = claims.map(|claim| &claim["text"]).collect();
                    let on = json!({ "spans": spans, "claimTexts": texts });
                    let atoms = judging.call_atoms(&mut *store, &on.to_string())?;
                    runs.call_handle_atoms(&mut *store, run, id, &taken(atoms)?)?
                        .map_err(refused)?;
                }
                let on = json!({ "spans": spans, "claimText": question["claims"][0]["text"] });
                let reply = judging.call_builtin_reply(&mut *store, &on.to_string())?;
                let answer = json!({ "text": taken(reply)?, "basis": "builtin" });
                runs.call_handle(&mut *store, run, id, &answer.to_string())?
                    .map_err(refused)?;
            }
        }
    }
}

fn text(value: &Value) -> Outcome<&str> {
    Ok(value.as_str().ok_or("a text is missing")?)
}

fn taken(said: Said) -> Outcome<String> {
    Ok(said.map_err(refused)?)
}

fn refused(refusal: Refusal) -> String {
    format!("{refusal:?}")
}
