//! Machines that cross as numbers of the caller's choosing.

use std::cell::RefCell;
use std::collections::BTreeMap;

use claimgauge_core::{Error, ErrorCode};

/// The machines that were not disposed of yet.
pub(crate) struct Runs<T>(RefCell<BTreeMap<u32, T>>);

impl<T> Runs<T> {
    pub(crate) const fn new() -> Self {
        Self(RefCell::new(BTreeMap::new()))
    }

    /// Keeps a machine under a number that was never used before, not even in an earlier instance.
    pub(crate) fn keep(&self, id: u32, machine: T) {
        self.0.borrow_mut().insert(id, machine);
    }

    pub(crate) fn with<R>(
        &self,
        id: u32,
        act: impl FnOnce(&mut T) -> Result<R, Error>,
    ) -> Result<R, Error> {
        match self.0.borrow_mut().get_mut(&id) {
            Some(machine) => act(machine),
            None => Err(
                Error::new(ErrorCode::StaleHandle, "", "There is no such run")
                    .with_hint("It has ended, or was lost when the module failed: start it again."),
            ),
        }
    }

    /// Forgets a machine; one that is not there is forgotten already.
    pub(crate) fn forget(&self, id: u32) {
        // Taken out first: the machine is dropped when the list is no longer borrowed.
        let machine = self.0.borrow_mut().remove(&id);
        drop(machine);
    }
}
