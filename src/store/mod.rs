//! One SQLite file: opened, brought forward to what this version of the program writes, changed in short transactions.
//!
//! Each library that keeps something declares its tables as a [`Part`] with migrations of its own, so that several can
//! share a file and each file holds the tables of those alone that opened it.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

pub use digest::digest;

mod digest;

/// The tables of one library, and how they came about.
#[derive(Debug)]
pub struct Part {
    /// Prefix of its tables: `registry` for `registry_contract`.
    pub name: &'static str,
    /// SQL of each version, oldest first; what was released is never changed.
    pub migrations: &'static [&'static str],
}

impl Part {
    /// The version of the tables that this program reads and writes.
    pub fn version(&self) -> u32 {
        self.migrations.len() as u32
    }
}

/// An open database. Other processes may have it open, too.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
}

/// Why a database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{path}: {reason}")]
    Folder { path: String, reason: String },
    #[error("{path} is no database that can be used: {reason}")]
    Unusable { path: String, reason: String },
    #[error(
        "{path} was written by a newer treaty: its `{part}` tables have version {found}, and this program knows {known}; \
         update treaty, or name another file"
    )]
    Newer { path: String, part: &'static str, found: u32, known: u32 },
    #[error("{path} has no `{part}` tables of this version yet, and may only be read: open it once for writing")]
    Older { path: String, part: &'static str },
    #[error("the database could not be read or written: {0}")]
    Sql(#[from] rusqlite::Error),
}

/// How long one process waits for the others before it gives up: writers hold the file for milliseconds.
const PATIENCE: Duration = Duration::from_mins(1);
const PAUSE: Duration = Duration::from_millis(1);
/// Most writers are done sooner: so many of the first pauses are short.
const SHORT_PAUSES: i32 = 20;
const SHORT_PAUSE: Duration = Duration::from_micros(100);

/// Statements that a connection keeps prepared: more than any of the libraries has.
const STATEMENTS: usize = 64;

/// Where a project keeps what treaty stores of it.
pub fn default_path(root: &Path) -> PathBuf {
    root.join(".treaty").join("treaty.db")
}

impl Store {
    /// Opens a database, makes it where there is none, and brings the tables of `parts` forward.
    ///
    /// # Errors
    /// A folder that cannot be made, a file that is no database, one that a newer version has written.
    pub fn open(path: &Path, parts: &[&Part]) -> Result<Store, StoreError> {
        prepare_folder(path)?;
        let unusable = |error: rusqlite::Error| unusable(path, &error);
        let mut connection = Connection::open(path).map_err(unusable)?;
        connection.busy_handler(Some(wait)).map_err(unusable)?;
        use_write_ahead_log(&connection).map_err(unusable)?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        connection.pragma_update(None, "foreign_keys", true)?;
        for part in parts {
            bring_forward(&mut connection, part, path)?;
        }
        Ok(Store { connection })
    }

    /// Opens a database that is there, to read it only.
    ///
    /// # Errors
    /// As [`Store::open`], and a file without the tables of one of the parts.
    pub fn open_read_only(path: &Path, parts: &[&Part]) -> Result<Store, StoreError> {
        let unusable = |error: rusqlite::Error| unusable(path, &error);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(unusable)?;
        connection.busy_handler(Some(wait)).map_err(unusable)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        for part in parts {
            let found = if has_versions(&connection).map_err(unusable)? { version(&connection, part)? } else { 0 };
            refuse_newer(part, found, path)?;
            if found < part.version() {
                return Err(StoreError::Older { path: path.display().to_string(), part: part.name });
            }
        }
        Ok(Store { connection })
    }

    /// A database that is gone with the value.
    ///
    /// # Errors
    /// None that a program could cause; those of SQLite.
    pub fn in_memory(parts: &[&Part]) -> Result<Store, StoreError> {
        let mut connection = Connection::open_in_memory()?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        connection.pragma_update(None, "foreign_keys", true)?;
        for part in parts {
            bring_forward(&mut connection, part, Path::new(":memory:"))?;
        }
        Ok(Store { connection })
    }

    /// For questions.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// One change: all of it is stored when this returns `Ok`, and nothing of it otherwise. Other writers wait meanwhile,
    /// so `change` does nothing but read and write rows.
    ///
    /// # Errors
    /// Those of `change`, and of SQLite.
    pub fn write<T, E: From<StoreError>>(
        &mut self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        // A transaction that begins as a reader may be refused when it starts to write, however long it waits.
        let begun = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let transaction = begun.map_err(StoreError::from)?;
        let value = change(&transaction)?;
        transaction.commit().map_err(StoreError::from)?;
        Ok(value)
    }
}

/// What SQLite asks before it gives up on a file that another process holds.
fn wait(attempts: i32) -> bool {
    thread::sleep(if attempts < SHORT_PAUSES { SHORT_PAUSE } else { PAUSE });
    u128::from(attempts.unsigned_abs()) * PAUSE.as_millis() < PATIENCE.as_millis()
}

/// The folder of a database that does not exist yet. What lies in `.treaty` is no part of the project's history.
fn prepare_folder(path: &Path) -> Result<(), StoreError> {
    let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) else { return Ok(()) };
    let failed =
        |error: std::io::Error| StoreError::Folder { path: folder.display().to_string(), reason: error.to_string() };
    fs::create_dir_all(folder).map_err(failed)?;
    if folder.file_name().is_some_and(|name| name == ".treaty") && !folder.join(".gitignore").exists() {
        fs::write(folder.join(".gitignore"), "*\n").map_err(failed)?;
    }
    Ok(())
}

/// Readers and one writer at a time (<https://sqlite.org/wal.html>). SQLite does not wait for others by itself here.
fn use_write_ahead_log(connection: &Connection) -> rusqlite::Result<()> {
    let mut attempts = 0;
    loop {
        let set = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0));
        match set {
            Ok(_) => return Ok(()),
            Err(error) if is_busy(&error) && wait(attempts) => attempts += 1,
            Err(error) => return Err(error),
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked))
}

/// Several processes may start at once: the first one migrates, the others find it done.
fn bring_forward(connection: &mut Connection, part: &Part, path: &Path) -> Result<(), StoreError> {
    let unusable = |error: rusqlite::Error| unusable(path, &error);
    if has_versions(connection).map_err(unusable)? {
        let found = version(connection, part)?;
        refuse_newer(part, found, path)?;
        if found == part.version() {
            return Ok(());
        }
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(unusable)?;
    transaction
        .execute_batch("CREATE TABLE IF NOT EXISTS treaty_part (name TEXT PRIMARY KEY, version INTEGER NOT NULL)")?;
    let found = version(&transaction, part)?;
    refuse_newer(part, found, path)?;
    for migration in &part.migrations[found as usize..] {
        transaction.execute_batch(migration)?;
    }
    transaction
        .execute("INSERT OR REPLACE INTO treaty_part (name, version) VALUES (?1, ?2)", (part.name, part.version()))?;
    transaction.commit()?;
    Ok(())
}

fn has_versions(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) FROM sqlite_master WHERE name = 'treaty_part'", [], |row| row.get(0))
}

fn version(connection: &Connection, part: &Part) -> Result<u32, StoreError> {
    use rusqlite::OptionalExtension;
    let found = connection
        .query_row("SELECT version FROM treaty_part WHERE name = ?1", [part.name], |row| row.get(0))
        .optional()?;
    Ok(found.unwrap_or(0))
}

fn refuse_newer(part: &Part, found: u32, path: &Path) -> Result<(), StoreError> {
    let known = part.version();
    if found > known {
        return Err(StoreError::Newer { path: path.display().to_string(), part: part.name, found, known });
    }
    Ok(())
}

fn unusable(path: &Path, error: &rusqlite::Error) -> StoreError {
    StoreError::Unusable { path: path.display().to_string(), reason: error.to_string() }
}

#[cfg(test)]
mod tests;
