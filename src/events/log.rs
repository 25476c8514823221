//! The log of runs in a database.

use std::path::Path;

use super::{Event, rows};
use crate::store::{Store, StoreError};

/// Events of the runs of one directory.
#[derive(Debug)]
pub struct Log {
    store: Store,
}

/// An event as it was kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// From 1, without gaps.
    pub seq: i64,
    /// RFC 3339, UTC.
    pub at: String,
    pub event: Event,
}

/// A run in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    pub run: String,
    pub started: String,
    pub last: String,
    pub events: i64,
    /// It has ended; a run that has not may be resumed.
    pub has_ended: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum EventError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("event {seq} of run {run} cannot be read: {reason}; a newer treaty may have written it")]
    Unreadable { run: String, seq: i64, reason: String },
    #[error("there is no run `{run}`; {known}")]
    NotFound { run: String, known: String },
}

impl Log {
    /// Opens the log of a database, and makes both where there are none.
    ///
    /// # Errors
    /// Those of [`Store::open`].
    pub fn open(database: &Path) -> Result<Log, EventError> {
        Ok(Log { store: Store::open(database, &[&rows::PART])? })
    }

    /// The same, for questions only.
    ///
    /// # Errors
    /// Those of [`Store::open_read_only`].
    pub fn open_read_only(database: &Path) -> Result<Log, EventError> {
        Ok(Log { store: Store::open_read_only(database, &[&rows::PART])? })
    }

    /// Keeps an event: when this returns, a killed process does not lose it.
    ///
    /// # Errors
    /// Those of the database.
    pub fn append(&mut self, run: &str, event: Event) -> Result<Recorded, EventError> {
        let body = serde_json::to_string(&event).map_err(|error| unreadable(run, 0, &error))?;
        let (seq, at) = self.store.write(|it| rows::append(it, run, event.kind(), &body))?;
        Ok(Recorded { seq, at, event })
    }

    /// The time so many seconds from now, as events have it.
    ///
    /// # Errors
    /// Those of the database.
    pub fn time_after(&self, seconds: u64) -> Result<String, EventError> {
        Ok(rows::time_after(self.store.connection(), seconds)?)
    }

    /// Whether a time that [`Log::time_after`] gave is over.
    ///
    /// # Errors
    /// Those of the database.
    pub fn is_past(&self, time: &str) -> Result<bool, EventError> {
        Ok(*time <= *self.time_after(0)?)
    }

    /// All events of a run in their order; none for a run that there is not.
    ///
    /// # Errors
    /// Those of the database, and events of a newer version.
    pub fn events(&self, run: &str) -> Result<Vec<Recorded>, EventError> {
        let rows = rows::all(self.store.connection(), run)?;
        rows.into_iter()
            .map(|row| {
                let seq = row.0;
                Recorded::read(row).map_err(|error| unreadable(run, seq, &error))
            })
            .collect()
    }

    /// Runs, the newest first.
    ///
    /// # Errors
    /// Those of the database.
    pub fn runs(&self) -> Result<Vec<RunRow>, EventError> {
        Ok(rows::runs(self.store.connection())?)
    }

    /// The run that a person means: by its id or the beginning of it, or the newest.
    ///
    /// # Errors
    /// `not_found`, with those that there are.
    pub fn find(&self, run: Option<&str>) -> Result<String, EventError> {
        let missing = |run: &str, known: String| EventError::NotFound { run: run.to_owned(), known };
        let Some(run) = run else {
            let newest = rows::newest(self.store.connection())?;
            return newest.ok_or_else(|| missing("last", "nothing was orchestrated here yet".to_owned()));
        };
        let runs = self.runs()?;
        let fitting: Vec<&RunRow> = runs.iter().filter(|it| it.run.starts_with(run)).collect();
        match fitting.as_slice() {
            [only] => Ok(only.run.clone()),
            [] if runs.is_empty() => Err(missing(run, "nothing was orchestrated here yet".to_owned())),
            found => {
                let shown = if found.is_empty() { runs.iter().take(10).collect() } else { found.to_vec() };
                let names: Vec<&str> = shown.iter().map(|it| it.run.as_str()).collect();
                Err(missing(run, format!("there is {}", names.join(", "))))
            }
        }
    }
}

fn unreadable(run: &str, seq: i64, error: &serde_json::Error) -> EventError {
    EventError::Unreadable { run: run.to_owned(), seq, reason: error.to_string() }
}
