//! The tables of the index: rows in, rows out.

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use rustc_hash::FxHashMap;

use super::record::{FORMAT, Record};
use super::words::UnitText;
use crate::store::{Part, Store, StoreError};

/// The tables of the index.
pub const PART: Part =
    Part { name: "index", migrations: &[include_str!("schema.sql"), WHERE_WORDS_ARE, UNITS_OF_A_FILE] };

/// Every place of every word, by unit.
const WHERE_WORDS_ARE: &str = "CREATE VIRTUAL TABLE index_place USING fts5vocab (index_search, instance);";

/// The number of the state (`units` in `index_meta`) in which the units of the file were written.
const UNITS_OF_A_FILE: &str = "ALTER TABLE index_file ADD COLUMN units INTEGER NOT NULL DEFAULT 0;
INSERT OR IGNORE INTO index_meta (name, value) VALUES ('units', '1');";

/// What is known of a file from the last look at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileRow {
    pub(super) path: String,
    pub(super) hash: String,
    pub(super) size: i64,
    /// Nanoseconds since 1970.
    pub(super) modified: i64,
    /// When it was read.
    pub(super) checked: i64,
    pub(super) language: String,
    pub(super) service: String,
    pub(super) is_test: bool,
}

pub(super) fn meta(connection: &Connection, name: &str) -> Result<Option<String>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT value FROM index_meta WHERE name = ?1")?;
    Ok(statement.query_row([name], |row| row.get(0)).optional()?)
}

pub(super) fn set_meta(write: &Transaction<'_>, name: &str, value: &str) -> Result<(), StoreError> {
    write.execute("INSERT OR REPLACE INTO index_meta (name, value) VALUES (?1, ?2)", params![name, value])?;
    Ok(())
}

/// Forgets all files, for another root. Records stay: they are of texts.
pub(super) fn forget_files(write: &Transaction<'_>) -> Result<(), StoreError> {
    write.execute_batch("DELETE FROM index_file; DELETE FROM index_unit; DELETE FROM index_search;")?;
    change_units_state(write)
}

/// What somebody said of files: of another root that says nothing.
pub(super) fn forget_artifacts(write: &Transaction<'_>) -> Result<(), StoreError> {
    write.execute_batch("DELETE FROM index_artifact;")?;
    Ok(())
}

pub(super) fn files(connection: &Connection) -> Result<Vec<FileRow>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT path, hash, size, modified, checked, language, service, is_test FROM index_file ORDER BY path",
    )?;
    let rows = statement.query_map([], |row| {
        Ok(FileRow {
            path: row.get(0)?,
            hash: row.get(1)?,
            size: row.get(2)?,
            modified: row.get(3)?,
            checked: row.get(4)?,
            language: row.get(5)?,
            service: row.get(6)?,
            is_test: row.get(7)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The record of a text; `None` where there is none, or one of another format.
pub(super) fn record(connection: &Connection, hash: &str, language: &str) -> Result<Option<Record>, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT body FROM index_record WHERE hash = ?1 AND language = ?2 AND format = ?3")?;
    let body: Option<String> = statement.query_row(params![hash, language, FORMAT], |row| row.get(0)).optional()?;
    Ok(body.and_then(|body| serde_json::from_str(&body).ok()))
}

/// Keeps the record of a text, with the names in it.
pub(super) fn keep_record(
    write: &Transaction<'_>,
    hash: &str,
    language: &str,
    record: &Record,
    names: &[(String, bool)],
) -> Result<(), StoreError> {
    let body = serde_json::to_string(record).unwrap_or_default();
    let mut insert = write
        .prepare_cached("INSERT OR IGNORE INTO index_record (hash, language, format, body) VALUES (?1, ?2, ?3, ?4)")?;
    if insert.execute(params![hash, language, FORMAT, body])? == 0 {
        return Ok(());
    }
    let id = write.last_insert_rowid();
    let mut insert =
        write.prepare_cached("INSERT OR IGNORE INTO index_name (name, record, declares) VALUES (?1, ?2, ?3)")?;
    for (name, declares) in names {
        insert.execute(params![name, id, declares])?;
    }
    Ok(())
}

/// The hash of the text that a file had when it was kept.
pub(super) fn hash_of(connection: &Connection, path: &str) -> Result<Option<String>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT hash FROM index_file WHERE path = ?1")?;
    Ok(statement.query_row([path], |row| row.get(0)).optional()?)
}

/// Writes the row of a file. A new language or service changes the state of the units, so that search reads the files again.
pub(super) fn keep_file(write: &Transaction<'_>, file: &FileRow) -> Result<i64, StoreError> {
    let mut known = write.prepare_cached("SELECT language, service FROM index_file WHERE path = ?1")?;
    let known: Option<(String, String)> =
        known.query_row([&file.path], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let mut upsert = write.prepare_cached(
        "INSERT INTO index_file (path, hash, size, modified, checked, language, service, is_test)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         ON CONFLICT (path) DO UPDATE SET hash = ?2, size = ?3, modified = ?4, checked = ?5, language = ?6,
            service = ?7, is_test = ?8
         RETURNING id",
    )?;
    let it = params![
        file.path,
        file.hash,
        file.size,
        file.modified,
        file.checked,
        file.language,
        file.service,
        file.is_test
    ];
    let id = upsert.query_row(it, |row| row.get(0))?;
    if known.is_none_or(|(language, service)| language != file.language || service != file.service) {
        change_units_state(write)?;
    }
    Ok(id)
}

/// Forgets a file and what search finds in it.
pub(super) fn forget_file(write: &Transaction<'_>, path: &str) -> Result<(), StoreError> {
    let id: Option<i64> =
        write.query_row("SELECT id FROM index_file WHERE path = ?1", [path], |row| row.get(0)).optional()?;
    if let Some(id) = id {
        forget_units(write, id)?;
        write.execute("DELETE FROM index_file WHERE id = ?1", [id])?;
    }
    Ok(())
}

fn forget_units(write: &Transaction<'_>, file: i64) -> Result<(), StoreError> {
    write
        .prepare_cached("DELETE FROM index_search WHERE rowid IN (SELECT id FROM index_unit WHERE file = ?1)")?
        .execute([file])?;
    write.prepare_cached("DELETE FROM index_unit WHERE file = ?1")?.execute([file])?;
    change_units_state(write)
}

/// Replaces what search finds in a file.
pub(super) fn keep_units(write: &Transaction<'_>, file: i64, units: &[UnitText]) -> Result<(), StoreError> {
    forget_units(write, file)?;
    let mut state = write.prepare_cached(
        "UPDATE index_file SET units = (SELECT CAST(value AS INTEGER) FROM index_meta WHERE name = 'units') WHERE id = ?1",
    )?;
    state.execute([file])?;
    let mut insert = write.prepare_cached(
        "INSERT INTO index_unit (file, first, last, symbol, words_name, words_signature, words_body, words_class,
            words_path, prior) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    let mut words = write.prepare_cached(
        "INSERT INTO index_search (rowid, name, signature, body, class, path) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    for unit in units {
        let [name, signature, body, class, path] = &unit.fields;
        let counts = unit.fields.each_ref().map(|field| field.split(' ').count() as i64);
        let (first, last) = unit.lines;
        let [names, signatures, bodies, classes, paths] = counts;
        insert.execute(params![
            file,
            first,
            last,
            unit.symbol,
            names,
            signatures,
            bodies,
            classes,
            paths,
            unit.prior
        ])?;
        words.execute(params![write.last_insert_rowid(), name, signature, body, class, path])?;
    }
    Ok(())
}

/// Paths of files whose text says a name; declarations only, if asked.
pub(super) fn files_with(connection: &Connection, name: &str, declared: bool) -> Result<Vec<String>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT DISTINCT f.path FROM index_name n
         JOIN index_record r ON r.id = n.record AND r.format = ?3
         JOIN index_file f ON f.hash = r.hash AND f.language = r.language
         WHERE n.name = ?1 AND n.declares >= ?2 ORDER BY f.path",
    )?;
    let rows = statement.query_map(params![name, declared, FORMAT], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Names that files declare, of about this many characters.
pub(super) fn declared_names(connection: &Connection, length: usize) -> Result<Vec<String>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT DISTINCT n.name FROM index_name n
         JOIN index_record r ON r.id = n.record
         JOIN index_file f ON f.hash = r.hash AND f.language = r.language
         WHERE n.declares = 1 AND abs(length(n.name) - ?1) <= ?1 / 2 + 1 ORDER BY n.name",
    )?;
    let names = statement.query_map([length as i64], |row| row.get(0))?;
    Ok(names.collect::<Result<_, _>>()?)
}

pub(super) fn artifacts(connection: &Connection) -> Result<Vec<(String, String)>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT path, service FROM index_artifact ORDER BY path")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The service that a file was registered for.
pub(super) fn artifact(connection: &Connection, path: &str) -> Result<Option<String>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT service FROM index_artifact WHERE path = ?1")?;
    Ok(statement.query_row([path], |row| row.get(0)).optional()?)
}

pub(super) fn keep_artifact(write: &Transaction<'_>, path: &str, service: &str) -> Result<(), StoreError> {
    let mut keep = write.prepare_cached("INSERT OR REPLACE INTO index_artifact (path, service) VALUES (?1, ?2)")?;
    keep.execute(params![path, service])?;
    Ok(())
}

/// Forgets records that no file has, once there are many more of them than of files.
pub(super) fn forget_old_records(write: &Transaction<'_>) -> Result<(), StoreError> {
    let count = |sql: &str| write.query_row(sql, [], |row| row.get::<_, i64>(0));
    let (records, files) = (count("SELECT count(*) FROM index_record")?, count("SELECT count(*) FROM index_file")?);
    if records > 4 * files + 1_000 {
        write.execute("DELETE FROM index_record WHERE hash NOT IN (SELECT hash FROM index_file)", [])?;
    }
    Ok(())
}

/// What search may answer.
#[derive(Clone, Debug)]
pub(super) struct UnitRow {
    pub(super) id: i64,
    /// Of the file.
    pub(super) file: i64,
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) symbol: String,
    pub(super) prior: f64,
    /// How many words its fields have.
    pub(super) lengths: [u32; 5],
}

/// A file that units are of.
#[derive(Clone, Debug)]
pub(super) struct UnitFile {
    pub(super) path: String,
    pub(super) language: String,
    pub(super) service: String,
    pub(super) hash: String,
    /// Another number whenever the units of the file have been written anew.
    pub(super) units: i64,
}

/// One state of the tables that search reads, whoever writes meanwhile.
pub(super) struct Snapshot<'s> {
    read: Transaction<'s>,
}

impl<'s> Snapshot<'s> {
    pub(super) fn of(store: &'s Store) -> Result<Self, StoreError> {
        Ok(Snapshot { read: store.connection().unchecked_transaction()? })
    }

    /// The units that can be found, of one file or of all, ordered by their number.
    pub(super) fn units(&self, file: Option<i64>) -> Result<Vec<UnitRow>, StoreError> {
        let columns =
            "SELECT id, file, first, last, symbol, prior, words_name, words_signature, words_body, words_class,
                words_path FROM index_unit";
        let which = if file.is_some() { "WHERE file = ?1" } else { "WHERE ?1 IS NULL" };
        let mut statement = self.read.prepare_cached(&format!("{columns} {which} ORDER BY id"))?;
        let rows = statement.query_map([file], |row| {
            Ok(UnitRow {
                id: row.get(0)?,
                file: row.get(1)?,
                first: row.get(2)?,
                last: row.get(3)?,
                symbol: row.get(4)?,
                prior: row.get(5)?,
                lengths: [row.get(6)?, row.get(7)?, row.get(8)?, row.get(9)?, row.get(10)?],
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The files, by the number that units name.
    pub(super) fn files(&self) -> Result<FxHashMap<i64, UnitFile>, StoreError> {
        let mut statement =
            self.read.prepare_cached("SELECT id, path, language, service, hash, units FROM index_file")?;
        let rows = statement.query_map([], |row| {
            let (path, language, service) = (row.get(1)?, row.get(2)?, row.get(3)?);
            Ok((row.get(0)?, UnitFile { path, language, service, hash: row.get(4)?, units: row.get(5)? }))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Tells of each place of a word the unit and the field, ordered by unit.
    pub(super) fn places(&self, word: &str, found: &mut dyn FnMut(i64, usize)) -> Result<(), StoreError> {
        let mut statement = self.read.prepare_cached("SELECT doc, col FROM index_place WHERE term = ?1")?;
        let mut rows = statement.query([word])?;
        while let Some(row) = rows.next()? {
            let field = match row.get_ref(1)?.as_bytes() {
                Ok(b"name") => 0,
                Ok(b"signature") => 1,
                Ok(b"body") => 2,
                Ok(b"class") => 3,
                _ => 4,
            };
            found(row.get(0)?, field);
        }
        Ok(())
    }

    /// How many units say a word.
    pub(super) fn documents_with(&self, word: &str) -> Result<u32, StoreError> {
        let mut statement = self.read.prepare_cached("SELECT doc FROM index_term WHERE term = ?1")?;
        Ok(statement.query_row([word], |row| row.get(0)).optional()?.unwrap_or(0))
    }

    /// Which state the units and their files are in; another one after every change.
    pub(super) fn state(&self) -> Result<Option<String>, StoreError> {
        meta(&self.read, "units")
    }
}

fn change_units_state(write: &Transaction<'_>) -> Result<(), StoreError> {
    let mut next = write.prepare_cached(
        "INSERT INTO index_meta (name, value) VALUES ('units', '1')
         ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1",
    )?;
    next.execute([])?;
    Ok(())
}
