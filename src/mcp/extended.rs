//! Tools beyond those that older clients know, for who asks for them: what a file declares, a scan as data,
//! how an operation was found.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::tool::{Call, Effect, Given, Output, Refusal, Told, Tool, given};
use crate::model::{Method, PathTemplate};
use crate::report::{json as document, why};
use crate::rules::{RuleError, RuleSet};
use crate::scan::{Asked, Choice, Options, Report, ScanError};
use crate::{config, scan};

/// In the order that clients are told.
pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new(
            "file_overview",
            "Symbols of a file",
            "What a file declares, in the order of the source, with signatures: to read before the file itself.",
            (Effect::Reads, Output::Wrapped(outline())),
            file_overview,
        ),
        Tool::new(
            "scan",
            "Compare services with their contracts",
            "Reads the source of services below a path and the contracts there, and gives every place where the two \
             disagree, with what could not be verified. Nothing is executed.",
            (Effect::Reads, Output::Object(scanned())),
            run_scan,
        ),
        Tool::new(
            "why",
            "Explain an operation",
            "How an operation (`GET /users/{id}`) was found in the code, or why not: where the contract states it, which \
             routes come close, where its response comes from, and what stayed unknown on the way.",
            (Effect::Reads, Output::Text),
            run_why,
        ),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FileOverview {
    /// File below the project's folder.
    file_path: String,
}

fn file_overview(call: &Call<'_>, asked: &FileOverview) -> Result<Given, Refusal> {
    given(call.place.index(|it| it.symbols(&asked.file_path, &Told(call)))?)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Scan {
    /// Folder or file to scan, below the project's folder. Default: all of it.
    path: Option<String>,
    /// Findings to give at most. Default: 50.
    max_findings: Option<u32>,
}

/// Findings in one answer, unless asked otherwise: a model reads them all.
const FINDINGS: usize = 50;

fn run_scan(call: &Call<'_>, asked: &Scan) -> Result<Given, Refusal> {
    let report = report_of(call, asked.path.as_deref())?;
    let mut bytes = Vec::new();
    let written = document::write(&report, &mut bytes).map_err(serde_json::Error::io);
    let mut value: Value = written
        .and_then(|()| serde_json::from_slice(&bytes))
        .map_err(|error| Refusal::new("internal", error.to_string()))?;
    let most = asked.max_findings.map_or(FINDINGS, |it| it as usize);
    let mut left_out = 0;
    for list in ["findings", "problems"] {
        if let Some(items) = value[list].as_array_mut() {
            left_out += items.len().saturating_sub(most);
            items.truncate(most);
        }
    }
    if left_out > 0 {
        value["more"] = format!("{left_out} were left out: scan a narrower `path`, or raise `max_findings`").into();
    }
    Ok(Given { value, more: None })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Why {
    /// Method and path: `GET /users/{id}`.
    operation: String,
    /// Folder to scan, below the project's folder. Default: all of it.
    path: Option<String>,
}

fn run_why(call: &Call<'_>, asked: &Why) -> Result<Given, Refusal> {
    let parts = asked.operation.trim().split_once(char::is_whitespace);
    let parts = parts.and_then(|(method, path)| Some((Method::parse(method)?, path.trim())));
    let Some((method, path)) = parts.filter(|(_, path)| path.starts_with('/')) else {
        let message = format!("`{}` is no operation; give a method and a path: GET /users/{{id}}", asked.operation);
        return Err(Refusal::new("invalid", message));
    };
    let report = report_of(call, asked.path.as_deref())?;
    let mut text = Vec::new();
    let known = why::write(&report, method, &PathTemplate::new(path), &mut text)
        .map_err(|error| Refusal::new("internal", error.to_string()))?;
    let text = String::from_utf8_lossy(&text).into_owned();
    if known { Ok(Given { value: text.into(), more: None }) } else { Err(Refusal::new("not_found", text)) }
}

/// A run over a part of the project, with the settings in force there.
fn report_of(call: &Call<'_>, path: Option<&str>) -> Result<Report, Refusal> {
    let path = call.place.inside(path.unwrap_or("."))?;
    let config = match config::find(&path) {
        Some(file) => config::load(&file).map_err(|error| Refusal::new("settings", error.to_string()))?,
        None => config::Config::default(),
    };
    let refused = |error: RuleError| Refusal::new("settings", error.to_string());
    let choice = Choice::of(RuleSet::embedded(), &config, Asked::default()).map_err(refused)?;
    let has_own = config.rules.is_some();
    let options = Options { paths: vec![path], config, nested: true, ..Options::default() };
    let mut report = scan::scan(&options, &choice.rules, &Told(call)).map_err(Refusal::from)?;
    // The project's own rules are not run here, and may be what a suppression names.
    report.suppress(&choice.rules, (!has_own).then_some(&choice.all));
    choice.settle(&mut report).map_err(refused)?;
    Ok(report)
}

impl From<ScanError> for Refusal {
    fn from(error: ScanError) -> Self {
        Refusal::new("scan", format!("{error}; name another path below the project's folder"))
    }
}

fn outline() -> Value {
    json!({ "type": "array", "items": {
        "type": "object",
        "properties": {
            "symbol": { "type": "string" },
            "kind": { "type": "string" },
            "line": { "type": "integer" },
            "lines": { "type": "array", "items": { "type": "integer" } },
            "signature": { "type": "string" },
            "exported": { "type": "boolean" },
        },
        "required": ["symbol", "kind", "line", "signature"],
    } })
}

fn scanned() -> Value {
    json!({
        "type": "object",
        "properties": {
            "findings": { "type": "array", "items": {
                "type": "object",
                "properties": {
                    "check": { "type": "string", "description": "Code of the rule." },
                    "kind": { "type": "string" },
                    "severity": { "type": "string" },
                    "message": { "type": "string" },
                    "help": { "type": ["string", "null"] },
                    "file_path": { "type": "string" },
                    "line": { "type": "integer" },
                    "operation": { "type": ["string", "null"] },
                },
                "required": ["check", "severity", "message", "file_path", "line"],
            } },
            "problems": { "type": "array", "description": "What could not be read or understood." },
            "summary": { "type": "object" },
            "more": { "type": "string", "description": "What was left out, and how to get it." },
        },
        "required": ["findings", "problems", "summary"],
    })
}
