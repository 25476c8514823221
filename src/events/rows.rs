//! Rows of the event table, read and written.

use rusqlite::{Connection, OptionalExtension, params};

use super::{Recorded, RunRow};
use crate::store::{Part, StoreError};

/// The tables of events.
pub(super) const PART: Part = Part { name: "events", migrations: &[include_str!("schema.sql")] };

/// Adds an event after those of the run. Gives its number and time.
pub(super) fn append(connection: &Connection, run: &str, kind: &str, body: &str) -> Result<(i64, String), StoreError> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO events_event (run, seq, kind, body)
         VALUES (?1, (SELECT coalesce(max(seq), 0) + 1 FROM events_event WHERE run = ?1), ?2, ?3) RETURNING seq, at",
    )?;
    Ok(statement.query_row(params![run, kind, body], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// Events of a run in their order: number, time, body.
pub(super) fn all(connection: &Connection, run: &str) -> Result<Vec<(i64, String, String)>, StoreError> {
    let mut statement = connection.prepare("SELECT seq, at, body FROM events_event WHERE run = ?1 ORDER BY seq")?;
    let rows = statement.query_map([run], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Runs of the database, the newest first.
pub(super) fn runs(connection: &Connection) -> Result<Vec<RunRow>, StoreError> {
    let mut statement = connection.prepare(
        "SELECT run, min(at), max(at), count(*), max(kind = 'run_finished') FROM events_event
         GROUP BY run ORDER BY min(at) DESC, run",
    )?;
    let rows = statement.query_map([], |row| {
        Ok(RunRow {
            run: row.get(0)?,
            started: row.get(1)?,
            last: row.get(2)?,
            events: row.get(3)?,
            has_ended: row.get(4)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The newest run of the database.
pub(super) fn newest(connection: &Connection) -> Result<Option<String>, StoreError> {
    let query = "SELECT run FROM events_event GROUP BY run ORDER BY min(at) DESC, run LIMIT 1";
    Ok(connection.query_row(query, [], |row| row.get(0)).optional()?)
}

impl Recorded {
    pub(super) fn read((seq, at, body): (i64, String, String)) -> Result<Recorded, serde_json::Error> {
        Ok(Recorded { seq, at, event: serde_json::from_str(&body)? })
    }
}

/// The time so many seconds from now, RFC 3339.
pub(super) fn time_after(connection: &Connection, seconds: u64) -> Result<String, StoreError> {
    let mut statement = connection.prepare_cached("SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?1)")?;
    Ok(statement.query_row([format!("+{seconds} seconds")], |row| row.get(0))?)
}
