//! Rows of the registry's tables, read and written.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::contract::{Contract, Entry, ListFilter, NewContract, SpecKind};
use crate::store::{Part, StoreError};

/// The registry's tables.
pub(super) const PART: Part = Part { name: "registry", migrations: &[include_str!("schema.sql")] };

type Result<T> = std::result::Result<T, StoreError>;

const ENTRY: &str = "id, type, version, service_name, spec_hash, status, build_cycle_id, created_at, updated_at";

impl ToSql for SpecKind {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.name().into())
    }
}

impl FromSql for SpecKind {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        SpecKind::parse(value.as_str()?).map_err(|error| FromSqlError::Other(Box::new(error)))
    }
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    Ok(Entry {
        id: row.get(0)?,
        kind: row.get(1)?,
        version: row.get(2)?,
        service_name: row.get(3)?,
        spec_hash: row.get(4)?,
        status: row.get(5)?,
        build_cycle_id: row.get(6)?,
        created_at: row.get(7)?,
        updated_at: row.get(8)?,
    })
}

/// A document, as JSON text in the column `at`.
fn document(row: &Row<'_>, at: usize) -> rusqlite::Result<serde_json::Value> {
    let text: String = row.get(at)?;
    let wrong = |error| rusqlite::Error::FromSqlConversionFailure(at, rusqlite::types::Type::Text, Box::new(error));
    serde_json::from_str(&text).map_err(wrong)
}

fn contract(row: &Row<'_>) -> rusqlite::Result<Contract> {
    Ok(Contract { entry: entry(row)?, spec: document(row, 9)? })
}

pub(super) fn insert(it: &Connection, id: &str, new: &NewContract, spec_hash: &str) -> Result<()> {
    it.execute(
        "INSERT INTO registry_contract (id, service_name, type, version, spec, spec_hash, status, build_cycle_id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'active', ?7)",
        params![id, new.service_name, new.kind, new.version, new.spec.to_string(), spec_hash, new.build_cycle_id],
    )?;
    Ok(())
}

/// Puts another document in the place of a contract's, and keeps the one that was there.
pub(super) fn replace(it: &Connection, id: &str, new: &NewContract, spec_hash: &str) -> Result<()> {
    it.execute(
        "INSERT INTO registry_replaced (contract_id, number, spec, spec_hash, build_cycle_id)
         SELECT id, (SELECT count(*) FROM registry_replaced WHERE contract_id = ?1), spec, spec_hash, build_cycle_id
         FROM registry_contract WHERE id = ?1",
        [id],
    )?;
    it.execute(
        "UPDATE registry_contract SET spec = ?2, spec_hash = ?3, build_cycle_id = ?4, status = 'active',
         updated_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = ?1",
        params![id, new.spec.to_string(), spec_hash, new.build_cycle_id],
    )?;
    Ok(())
}

/// The same document in another build cycle.
pub(super) fn set_cycle(it: &Connection, id: &str, build_cycle_id: Option<&str>) -> Result<()> {
    it.execute("UPDATE registry_contract SET build_cycle_id = ?2 WHERE id = ?1", params![id, build_cycle_id])?;
    Ok(())
}

pub(super) fn of_version(it: &Connection, new: &NewContract) -> Result<Option<Entry>> {
    let sql = format!("SELECT {ENTRY} FROM registry_contract WHERE service_name = ?1 AND type = ?2 AND version = ?3");
    Ok(it.query_row(&sql, params![new.service_name, new.kind, new.version], entry).optional()?)
}

pub(super) fn get(it: &Connection, id: &str) -> Result<Option<Contract>> {
    let sql = format!("SELECT {ENTRY}, spec FROM registry_contract WHERE id = ?1");
    Ok(it.query_row(&sql, [id], contract).optional()?)
}

/// All contracts that a filter lets through, and those on its page, oldest first.
pub(super) fn list(it: &Connection, filter: &ListFilter) -> Result<(u32, Vec<Entry>)> {
    const WHERE: &str = "WHERE (?1 IS NULL OR service_name = ?1) AND (?2 IS NULL OR type = ?2)
                         AND (?3 IS NULL OR status = ?3)";
    let ListFilter { service_name, kind, status, page, page_size } = filter;
    let count = format!("SELECT count(*) FROM registry_contract {WHERE}");
    let total = it.query_row(&count, params![service_name, kind, status], |row| row.get(0))?;
    let sql = format!("SELECT {ENTRY} FROM registry_contract {WHERE} ORDER BY rowid LIMIT ?4 OFFSET ?5");
    let offset = u64::from(page - 1) * u64::from(*page_size);
    let mut statement = it.prepare_cached(&sql)?;
    let rows = statement.query_map(params![service_name, kind, status, page_size, offset as i64], entry)?;
    Ok((total, rows.collect::<rusqlite::Result<_>>()?))
}
