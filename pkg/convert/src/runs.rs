//! Machines that cross as numbers of the caller's choosing.

use std::cell::RefCell;

use claimgauge_core::{Error, ErrorCode};

/// The machines that were not disposed of yet. They are few: those that run at one time.
pub struct Runs<T>(RefCell<Vec<(u32, T)>>);

impl<T> Runs<T> {
    /// None.
    pub const fn new() -> Self {
        Self(RefCell::new(Vec::new()))
    }

    /// Keeps a machine under a number that was never used before, not even in an earlier instance.
    pub fn keep(&self, id: u32, machine: T) {
        self.0.borrow_mut().push((id, machine));
    }

    /// What `act` makes of a machine.
    ///
    /// # Errors
    /// `stale_handle` for one that is not there, and what `act` refuses.
    pub fn with<R>(
        &self,
        id: u32,
        act: impl FnOnce(&mut T) -> Result<R, Error>,
    ) -> Result<R, Error> {
        match self.0.borrow_mut().iter_mut().find(|(at, _)| *at == id) {
            Some((_, machine)) => act(machine),
            None => Err(stale()),
        }
    }

    /// Forgets a machine; one that is not there is forgotten already.
    pub fn forget(&self, id: u32) {
        let mut machines = self.0.borrow_mut();
        let at = machines.iter().position(|(at, _)| *at == id);
        let machine = at.map(|at| machines.swap_remove(at));
        // The machine is dropped when the list is no longer borrowed.
        drop(machines);
        drop(machine);
    }
}

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Self::new()
    }
}

fn stale() -> Error {
    Error::new(ErrorCode::StaleHandle, "", "There is no such run")
        .with_hint("It has ended, or was lost when the module failed: start it again.")
}
