//! Rows of the architect's table, read and written.

use rusqlite::{Connection, OptionalExtension, params};

use crate::store::{Part, StoreError};

/// The architect's tables.
pub(super) const PART: Part = Part { name: "architect", migrations: &[include_str!("schema.sql")] };

/// A decomposition as it was kept: its JSON, and when.
pub(super) struct Kept {
    pub(super) body: String,
    pub(super) kept_at: String,
}

/// Keeps a decomposition in the place of the one that the project had. Says when that was.
pub(super) fn keep(connection: &Connection, project: &str, hash: &str, body: &str) -> Result<String, StoreError> {
    connection.prepare_cached("DELETE FROM architect_decomposition WHERE project = ?1")?.execute([project])?;
    let insert = "INSERT INTO architect_decomposition (project, prd_hash, body) VALUES (?1, ?2, ?3) RETURNING kept_at";
    Ok(connection.prepare_cached(insert)?.query_row(params![project, hash, body], |row| row.get(0))?)
}

/// The decomposition that was kept last; with a name, that of this project.
pub(super) fn last(connection: &Connection, project: Option<&str>) -> Result<Option<Kept>, StoreError> {
    let query = "SELECT body, kept_at FROM architect_decomposition
        WHERE ?1 IS NULL OR project = ?1 COLLATE NOCASE ORDER BY id DESC LIMIT 1";
    let kept = |row: &rusqlite::Row<'_>| Ok(Kept { body: row.get(0)?, kept_at: row.get(1)? });
    Ok(connection.prepare_cached(query)?.query_row([project], kept).optional()?)
}

/// Names of the projects that have a decomposition.
pub(super) fn projects(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut statement = connection.prepare("SELECT project FROM architect_decomposition ORDER BY id DESC LIMIT 20")?;
    let rows = statement.query_map([], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
