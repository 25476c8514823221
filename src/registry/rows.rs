//! Rows of the registry's tables, read and written.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::contract::{Contract, Entry, ListFilter, NewContract, SpecKind};
use super::implemented::Implementation;
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

/// What is stored of a document: its JSON and its hash.
#[derive(Clone, Copy)]
pub(super) struct Document<'d> {
    pub(super) text: &'d str,
    pub(super) hash: &'d str,
}

pub(super) fn insert(it: &Connection, id: &str, new: &NewContract, spec: Document<'_>) -> Result<()> {
    let mut insert = it.prepare_cached(
        "INSERT INTO registry_contract (id, service_name, type, version, spec, spec_hash, status, build_cycle_id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'active', ?7)",
    )?;
    insert.execute(params![id, new.service_name, new.kind, new.version, spec.text, spec.hash, new.build_cycle_id])?;
    Ok(())
}

/// Puts another document in the place of a contract's, and keeps the one that was there.
pub(super) fn replace(it: &Connection, id: &str, new: &NewContract, spec: Document<'_>) -> Result<()> {
    let mut keep = it.prepare_cached(
        "INSERT INTO registry_replaced (contract_id, number, spec, spec_hash, build_cycle_id)
         SELECT id, (SELECT coalesce(max(number) + 1, 0) FROM registry_replaced WHERE contract_id = ?1),
            spec, spec_hash, build_cycle_id
         FROM registry_contract WHERE id = ?1",
    )?;
    keep.execute([id])?;
    let mut update = it.prepare_cached(
        "UPDATE registry_contract SET spec = ?2, spec_hash = ?3, build_cycle_id = ?4, status = 'active',
         updated_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = ?1",
    )?;
    update.execute(params![id, spec.text, spec.hash, new.build_cycle_id])?;
    Ok(())
}

/// The same document in another build cycle.
pub(super) fn set_cycle(it: &Connection, id: &str, build_cycle_id: Option<&str>) -> Result<()> {
    it.execute("UPDATE registry_contract SET build_cycle_id = ?2 WHERE id = ?1", params![id, build_cycle_id])?;
    Ok(())
}

pub(super) fn of_version(it: &Connection, new: &NewContract) -> Result<Option<Entry>> {
    let sql = format!("SELECT {ENTRY} FROM registry_contract WHERE service_name = ?1 AND type = ?2 AND version = ?3");
    let mut statement = it.prepare_cached(&sql)?;
    Ok(statement.query_row(params![new.service_name, new.kind, new.version], entry).optional()?)
}

pub(super) fn get(it: &Connection, id: &str) -> Result<Option<Contract>> {
    let sql = format!("SELECT {ENTRY}, spec FROM registry_contract WHERE id = ?1");
    Ok(it.prepare_cached(&sql)?.query_row([id], contract).optional()?)
}

/// All contracts that a filter lets through, and those on its page, oldest first.
pub(super) fn list(it: &Connection, filter: &ListFilter) -> Result<(u32, Vec<Entry>)> {
    const WHERE: &str = "WHERE (?1 IS NULL OR service_name = ?1) AND (?2 IS NULL OR type = ?2)
                         AND (?3 IS NULL OR status = ?3)";
    let ListFilter { service_name, kind, status, page, page_size } = filter;
    let count = format!("SELECT count(*) FROM registry_contract {WHERE}");
    let total = it.prepare_cached(&count)?.query_row(params![service_name, kind, status], |row| row.get(0))?;
    let sql = format!("SELECT {ENTRY} FROM registry_contract {WHERE} ORDER BY rowid LIMIT ?4 OFFSET ?5");
    let offset = u64::from(page - 1) * u64::from(*page_size);
    let mut statement = it.prepare_cached(&sql)?;
    let rows = statement.query_map(params![service_name, kind, status, page_size, offset as i64], entry)?;
    Ok((total, rows.collect::<rusqlite::Result<_>>()?))
}

/// All contracts, or those of a service, oldest first.
pub(super) fn entries(it: &Connection, service: Option<&str>) -> Result<Vec<Entry>> {
    let sql = format!("SELECT {ENTRY} FROM registry_contract WHERE ?1 IS NULL OR service_name = ?1 ORDER BY rowid");
    let mut statement = it.prepare_cached(&sql)?;
    let rows = statement.query_map([service], entry)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// All contracts of a type with their documents, oldest first.
pub(super) fn documents(it: &Connection, kind: SpecKind) -> Result<Vec<Contract>> {
    let sql = format!("SELECT {ENTRY}, spec FROM registry_contract WHERE type = ?1 ORDER BY rowid");
    let mut statement = it.prepare_cached(&sql)?;
    let rows = statement.query_map([kind], contract)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The document that a contract's took the place of, else that of the version registered before it.
pub(super) fn earlier(it: &Connection, of: &Entry) -> Result<Option<serde_json::Value>> {
    let replaced = it
        .query_row(
            "SELECT spec FROM registry_replaced WHERE contract_id = ?1 ORDER BY number DESC LIMIT 1",
            [&of.id],
            |row| document(row, 0),
        )
        .optional()?;
    if replaced.is_some() {
        return Ok(replaced);
    }
    let before = it.query_row(
        "SELECT spec FROM registry_contract WHERE service_name = ?1 AND type = ?2
         AND rowid < (SELECT rowid FROM registry_contract WHERE id = ?3) ORDER BY rowid DESC LIMIT 1",
        params![of.service_name, of.kind, of.id],
        |row| document(row, 0),
    );
    Ok(before.optional()?)
}

pub(super) fn mark(it: &Connection, id: &str, mark: &Implementation) -> Result<()> {
    it.execute(
        "INSERT OR REPLACE INTO registry_implementation
         (contract_id, service_name, evidence_path, status, spec_hash, reasons) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            id,
            mark.service_name,
            mark.evidence_path,
            mark.status,
            mark.spec_hash,
            serde_json::Value::from(mark.reasons.clone()).to_string()
        ],
    )?;
    Ok(())
}

/// Who is said to implement a contract, by name.
pub(super) fn implementations(it: &Connection, id: &str) -> Result<Vec<Implementation>> {
    let mut statement = it.prepare_cached(
        "SELECT service_name, evidence_path, status, spec_hash, reasons FROM registry_implementation
         WHERE contract_id = ?1 ORDER BY service_name",
    )?;
    let rows = statement.query_map([id], |row| {
        let reasons: String = row.get(4)?;
        Ok(Implementation {
            service_name: row.get(0)?,
            evidence_path: row.get(1)?,
            status: row.get(2)?,
            spec_hash: row.get(3)?,
            reasons: serde_json::from_str(&reasons).unwrap_or_default(),
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Every contract that somebody is said to implement, with who is.
pub(super) fn implemented(it: &Connection) -> Result<Vec<(Contract, Vec<Implementation>)>> {
    let sql = format!(
        "SELECT {ENTRY}, spec FROM registry_contract
         WHERE id IN (SELECT contract_id FROM registry_implementation) ORDER BY rowid"
    );
    let mut statement = it.prepare_cached(&sql)?;
    let contracts: Vec<Contract> = statement.query_map([], contract)?.collect::<rusqlite::Result<_>>()?;
    contracts
        .into_iter()
        .map(|contract| {
            let implementations = implementations(it, &contract.entry.id)?;
            Ok((contract, implementations))
        })
        .collect()
}

/// What generated tests are known by.
pub(super) struct Suite<'s> {
    pub(super) contract_id: &'s str,
    pub(super) framework: &'s str,
    pub(super) negative: bool,
    pub(super) spec_hash: &'s str,
    pub(super) generator: &'s str,
}

pub(super) fn suite(it: &Connection, of: &Suite<'_>) -> Result<Option<String>> {
    let found = it.query_row(
        "SELECT source FROM registry_test_suite
         WHERE contract_id = ?1 AND framework = ?2 AND negative = ?3 AND spec_hash = ?4 AND generator = ?5",
        params![of.contract_id, of.framework, of.negative, of.spec_hash, of.generator],
        |row| row.get(0),
    );
    Ok(found.optional()?)
}

pub(super) fn keep_suite(it: &Connection, of: &Suite<'_>, source: &str) -> Result<()> {
    it.execute(
        "INSERT OR REPLACE INTO registry_test_suite
         (contract_id, framework, negative, spec_hash, generator, source) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![of.contract_id, of.framework, of.negative, of.spec_hash, of.generator, source],
    )?;
    Ok(())
}

/// `2026-01-31`, in UTC.
pub(super) fn today(it: &Connection) -> Result<String> {
    Ok(it.query_row("SELECT date('now')", [], |row| row.get(0))?)
}
