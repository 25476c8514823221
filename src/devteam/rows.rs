//! Events of sessions in a database: read, held against where the session stands, and kept, in one transaction.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};

use super::records::Event;
use super::session::Session;
use super::{DevTeamError, Row};
use crate::store::{Part, Store, StoreError};

const PART: Part = Part { name: "devteam", migrations: &[include_str!("schema.sql")] };

/// The log of a database.
#[derive(Debug)]
pub(super) struct Log {
    store: Store,
}

impl Log {
    pub(super) fn open(database: &Path) -> Result<Log, DevTeamError> {
        Ok(Log { store: Store::open(database, &[&PART])? })
    }

    /// The session as it stands; one without events is new.
    pub(super) fn session(&self, id: &str) -> Result<Session, DevTeamError> {
        session(self.store.connection(), id)
    }

    /// Keeps an event, if it can happen now: when this returns, a killed process does not lose it.
    pub(super) fn append(&mut self, id: &str, event: &Event) -> Result<Session, DevTeamError> {
        let session = self.store.write(|it| {
            let mut session = session(it, id)?;
            let body = serde_json::to_string(event).map_err(|error| DevTeamError::unreadable(id, &error))?;
            let (kind, category) = event.kind();
            let mut statement = it
                .prepare_cached(
                    "INSERT INTO devteam_event (session, seq, kind, category, body)
                     VALUES (?1, (SELECT coalesce(max(seq), 0) + 1 FROM devteam_event WHERE session = ?1), ?2, ?3, ?4)
                     RETURNING at",
                )
                .map_err(StoreError::from)?;
            let at: String =
                statement.query_row(params![id, kind, category, body], |row| row.get(0)).map_err(StoreError::from)?;
            session.accept(event, &at)?;
            Ok::<_, DevTeamError>(session)
        })?;
        #[cfg(debug_assertions)]
        self.end_here(id)?;
        Ok(session)
    }

    /// A test ends the process after a number of events, as a power cut would.
    #[cfg(debug_assertions)]
    fn end_here(&self, id: &str) -> Result<(), DevTeamError> {
        let Some(after) = std::env::var("TREATY_TEST_KILL_AFTER").ok().and_then(|it| it.parse::<i64>().ok()) else {
            return Ok(());
        };
        let query = "SELECT max(seq) FROM devteam_event WHERE session = ?1";
        let last: i64 = self.store.connection().query_row(query, [id], |row| row.get(0)).map_err(StoreError::from)?;
        if last == after { std::process::abort() } else { Ok(()) }
    }

    /// The newest session that has not ended.
    pub(super) fn newest_active(&self) -> Result<Option<String>, DevTeamError> {
        let ids = self.ids(100)?;
        for id in ids {
            if self.session(&id)?.is_active() {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// Sessions, the newest first.
    pub(super) fn ids(&self, most: usize) -> Result<Vec<String>, DevTeamError> {
        let query = "SELECT session FROM devteam_event GROUP BY session ORDER BY min(at) DESC, session LIMIT ?1";
        let mut statement = self.store.connection().prepare(query).map_err(StoreError::from)?;
        let rows = statement.query_map([most as i64], |row| row.get(0)).map_err(StoreError::from)?;
        Ok(rows.collect::<rusqlite::Result<_>>().map_err(StoreError::from)?)
    }

    /// The last events of a session, oldest first.
    pub(super) fn last(&self, id: &str, most: usize) -> Result<Vec<Row>, DevTeamError> {
        let query = "SELECT seq, at, kind, category FROM devteam_event WHERE session = ?1 ORDER BY seq DESC LIMIT ?2";
        let mut statement = self.store.connection().prepare(query).map_err(StoreError::from)?;
        let row = |row: &rusqlite::Row<'_>| {
            Ok(Row { seq: row.get(0)?, timestamp: row.get(1)?, event_type: row.get(2)?, event_category: row.get(3)? })
        };
        let rows = statement.query_map(params![id, most as i64], row).map_err(StoreError::from)?;
        let mut rows: Vec<Row> = rows.collect::<rusqlite::Result<_>>().map_err(StoreError::from)?;
        rows.reverse();
        Ok(rows)
    }

    /// All events of a session with what they say, oldest first.
    pub(super) fn bodies(&self, id: &str) -> Result<Vec<(Row, String)>, DevTeamError> {
        let query = "SELECT seq, at, kind, category, body FROM devteam_event WHERE session = ?1 ORDER BY seq";
        let mut statement = self.store.connection().prepare(query).map_err(StoreError::from)?;
        let row = |row: &rusqlite::Row<'_>| {
            let (seq, timestamp) = (row.get(0)?, row.get(1)?);
            Ok((Row { seq, timestamp, event_type: row.get(2)?, event_category: row.get(3)? }, row.get(4)?))
        };
        let rows = statement.query_map([id], row).map_err(StoreError::from)?;
        Ok(rows.collect::<rusqlite::Result<_>>().map_err(StoreError::from)?)
    }

    /// Whether something happened in a session in the last two hours.
    pub(super) fn is_recent(&self, id: &str) -> Result<bool, DevTeamError> {
        let query = "SELECT julianday(max(at)) > julianday('now', '-2 hours') FROM devteam_event WHERE session = ?1";
        let recent: Option<bool> =
            self.store.connection().query_row(query, [id], |row| row.get(0)).map_err(StoreError::from)?;
        Ok(recent.unwrap_or(false))
    }

    /// Whether there is a session of this id.
    pub(super) fn has(&self, id: &str) -> Result<bool, DevTeamError> {
        let query = "SELECT 1 FROM devteam_event WHERE session = ?1 LIMIT 1";
        let found = self.store.connection().query_row(query, [id], |_| Ok(())).optional().map_err(StoreError::from)?;
        Ok(found.is_some())
    }
}

fn session(connection: &Connection, id: &str) -> Result<Session, DevTeamError> {
    let query = "SELECT at, body FROM devteam_event WHERE session = ?1 ORDER BY seq";
    let mut statement = connection.prepare_cached(query).map_err(StoreError::from)?;
    let rows = statement
        .query_map([id], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))
        .map_err(StoreError::from)?;
    let mut session = Session::new(id);
    for row in rows {
        let (at, body) = row.map_err(StoreError::from)?;
        let event: Event = serde_json::from_str(&body).map_err(|error| DevTeamError::unreadable(id, &error))?;
        session.accept(&event, &at)?;
    }
    Ok(session)
}
