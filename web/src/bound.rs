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

/// An attribute that is `true` or `false`.
pub(crate) fn mark(is: impl Fn() -> bool + Send + 'static) -> Bound<String> {
    Box::new(move || is().to_string())
}

/// A property or a class that is on or off.
pub(crate) fn switch(is: impl Fn() -> bool + Send + 'static) -> Bound<bool> {
    Box::new(is)
}

/// What stands in a list, before it is drawn.
pub(crate) type Item = Box<dyn FnOnce() -> AnyView + Send>;

/// A list whose items keep their places on the page as long as their numbers are in it: who comes is drawn, who was
/// there is not drawn again.
pub(crate) fn list(items: impl Fn() -> Vec<(u64, Item)> + Send + 'static) -> AnyView {
    let items: Bound<Vec<(u64, Item)>> = Box::new(items);
    view! { <For each=items key=|(number, _)| *number children=|(_, draw)| draw()/> }.into_any()
}

/// What a press does.
pub(crate) fn pressed(act: impl Fn() + 'static) -> Box<dyn Fn(MouseEvent)> {
    Box::new(move |_| act())
}

/// What becomes of a field's value, when it is typed or chosen.
pub(crate) fn given(take: impl Fn(String) + 'static) -> Box<dyn Fn(Event)> {
    Box::new(move |event| take(event_target_value(&event)))
}
