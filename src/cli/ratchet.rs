//! `treaty scan --ratchet`: of each contract, how much was verified once, as a file that only rises.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::demands::verified_of_contracts;
use super::failure::Failure;
use super::output::deliver;
use crate::report::{json, visible};
use crate::scan::Report;

/// What the file begins with: the version of its form.
const FORMAT: &str = "treaty-ratchet";

/// Larger files are none.
const MAX_BYTES: u64 = 4 << 20;

/// Holds a run against the file and raises what rose; a line for each contract of which less is verified than before.
/// Contracts that this run did not look at stay as they are, unless it looked at everything.
///
/// # Errors
/// A file that is something else, or cannot be read or written.
pub(super) fn hold(file: &Path, report: &Report, quiet: bool) -> Result<Vec<String>, Failure> {
    let before = read(file)?;
    let now = verified_of_contracts(report);
    let mut fallen = Vec::new();
    let mut raised = 0;
    let mut held = before.clone();
    for (contract, percent) in &now {
        let known = held.entry(contract.clone()).or_insert(0);
        if percent < known {
            fallen.push(format!(
                "--ratchet: {contract}: {percent} % of its operations were verified, and {known} % were before"
            ));
        } else if percent > known {
            *known = *percent;
            raised += 1;
        }
    }
    let sources = &report.project.sources;
    let there: BTreeSet<&str> =
        report.project.contracts.iter().map(|contract| sources.get(contract.file).path.as_str()).collect();
    for (contract, known) in before.iter().filter(|(it, known)| **known > 0 && !now.contains_key(*it)) {
        // All of its operations may be planned or ignored: then nothing is expected.
        let mut kept = report.summary.contracts.iter().filter(|it| it.contract == *contract).peekable();
        let is_empty = kept.peek().is_some() && kept.all(|it| it.contracted <= it.ignored);
        if there.contains(contract.as_str()) && !is_empty {
            fallen.push(format!(
                "--ratchet: {contract}: nothing of it is found any more, and {known} % were verified before"
            ));
        }
    }
    if report.scope.is_whole && report.narrowed.is_none() {
        // A contract that is no longer there cannot fall.
        held.retain(|contract, _| there.contains(contract.as_str()));
    }
    if held != before || !file.exists() {
        deliver(Some(file), |out| json::write_value(&json!({ FORMAT: 1, "verified": held }), out))?;
        if !quiet && raised > 0 {
            let mut stderr = std::io::stderr().lock();
            let name = file.display().to_string();
            // A closed pipe is no reason to complain.
            let _ = writeln!(stderr, "more was verified than before: commit {}", visible(&name));
        }
    }
    Ok(fallen)
}

/// Percentages of operations by contract; none where there is no file.
fn read(file: &Path) -> Result<BTreeMap<String, u64>, Failure> {
    let refuse = |reason: &str| {
        let message = format!("{} is no ratchet: {reason}", file.display());
        Failure::said(message, "name a file that `treaty scan --ratchet` wrote, or none that is there")
    };
    match std::fs::metadata(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(refuse(&error.to_string())),
        Ok(meta) if !meta.is_file() || meta.len() > MAX_BYTES => return Err(refuse("no file of that kind")),
        Ok(_) => {}
    }
    let text = std::fs::read_to_string(file).map_err(|error| refuse(&error.to_string()))?;
    let root: Value = serde_json::from_str(&text).map_err(|error| refuse(&error.to_string()))?;
    if root[FORMAT] != 1 {
        return Err(refuse(&format!("it has no `{FORMAT}` of 1")));
    }
    let Some(verified) = root["verified"].as_object() else { return Err(refuse("it has no `verified`")) };
    let percent = |(contract, percent): (&String, &Value)| {
        let percent = percent.as_u64().filter(|percent| *percent <= 100);
        percent.map(|percent| (contract.clone(), percent))
    };
    verified.iter().map(percent).collect::<Option<_>>().ok_or_else(|| refuse("a contract has no percentage"))
}
