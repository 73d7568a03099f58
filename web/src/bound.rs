//! What a view shows as it changes, and what it does. What draws a closure is compiled anew for each type of closure:
//! behind these few types the page is smaller.

use leptos::{
    ev::{Event, MouseEvent},
    prelude::*,
};

type Bound<T> = Box<dyn Fn() -> T + Send>;

/// Text, of an element or an attribute.
pub(crate) fn text(write: impl Fn() -> String + Send + 'static) -> Bound<String> {
    Box::new(write)
}

/// A part of the page that comes and goes.
pub(crate) fn part(draw: impl Fn() -> Option<AnyView> + Send + 'static) -> Bound<Option<AnyView>> {
    Box::new(draw)
}

/// An attribute that is `true`, or not there.
pub(crate) fn mark(is: impl Fn() -> bool + Send + 'static) -> Bound<Option<&'static str>> {
    Box::new(move || is().then_some("true"))
}

/// A property or a class that is on or off.
pub(crate) fn switch(is: impl Fn() -> bool + Send + 'static) -> Bound<bool> {
    Box::new(is)
}

/// What a press does.
pub(crate) fn pressed(act: impl Fn() + 'static) -> Box<dyn Fn(MouseEvent)> {
    Box::new(move |_| act())
}

/// What becomes of a field's value, when it is typed or chosen.
pub(crate) fn given(take: impl Fn(String) + 'static) -> Box<dyn Fn(Event)> {
    Box::new(move |event| take(event_target_value(&event)))
}
