//! Things that are opened once and used by one call at a time.

use std::sync::{Mutex, PoisonError};

/// As many as calls ran at once.
#[derive(Debug)]
pub(super) struct Pool<T>(Mutex<Vec<T>>);

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool(Mutex::new(Vec::new()))
    }
}

impl<T> Pool<T> {
    /// Does some work with one that is free, or that is opened for it. One that panicked is not used again.
    pub(super) fn with<R, E>(
        &self,
        open: impl FnOnce() -> Result<T, E>,
        work: impl FnOnce(&mut T) -> Result<R, E>,
    ) -> Result<R, E> {
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut one = match free {
            Some(one) => one,
            None => open()?,
        };
        let done = work(&mut one);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(one);
        done
    }
}
