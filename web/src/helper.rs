//! Programs that work apart from the page, in workers: what they are told and tell are lines of JSON.

use std::{cell::RefCell, rc::Rc};

use serde::Serialize;
use wasm_bindgen::{JsCast, closure::Closure, prelude::wasm_bindgen};
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

use crate::browser;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = postMessage)]
    fn post_message(message: &str);
}

/// Tells the page something, in a program that works for it.
pub(crate) fn tell(message: &impl Serialize) {
    if let Ok(text) = serde_json::to_string(message) {
        tell_text(&text);
    }
}

/// The same, of what is text already.
pub(crate) fn tell_text(text: &str) {
    post_message(text);
}

/// A program at work for the page, started when it is first spoken to.
pub(crate) struct Helper {
    program: &'static str,
    hear: Rc<dyn Fn(String)>,
    worker: RefCell<Option<Worker>>,
}

impl Helper {
    /// `hear` is told what the program tells; it gives nothing where it cannot read that: the program could not start
    /// or has failed, and hears nothing any more.
    pub(crate) fn new(program: &'static str, hear: impl Fn(&str) -> Option<()> + 'static) -> Self {
        Self {
            program,
            hear: Rc::new(move |text| {
                if hear(&text).is_none() {
                    browser::show_trouble(&(text + ". Reload the page: what you typed is kept."));
                }
            }),
            worker: RefCell::new(None),
        }
    }

    /// Says something to the program.
    pub(crate) fn say(&self, message: &str) {
        let mut worker = self.worker.borrow_mut();
        if worker.is_none() {
            *worker = start(self.program, Rc::clone(&self.hear));
        }
        if let Some(worker) = &*worker {
            // Text can always be sent.
            let _ = worker.post_message(&message.into());
        }
    }
}

fn start(program: &str, hear: Rc<dyn Fn(String)>) -> Option<Worker> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    options.set_name(program);
    let worker = Worker::new_with_options("./worker.js", &options).ok()?;
    let told = Rc::clone(&hear);
    let heard = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        told(event.data().as_string().unwrap_or_default());
    });
    worker.set_onmessage(Some(heard.as_ref().unchecked_ref()));
    let failed = Closure::<dyn Fn()>::new(move || {
        hear("A part of the playground could not be loaded: is there a network?".to_owned());
    });
    worker.set_onerror(Some(failed.as_ref().unchecked_ref()));
    // They hear as long as the page lives.
    heard.forget();
    failed.forget();
    Some(worker)
}
