//! Gates and scope, asked without a decision.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::super::tool::{Call, Given, Refusal};
use super::{SHOWN_ERRORS, told};
use crate::devteam::{DevTeamError, Refused, failed};
use crate::events::{GateResult, GateVerdict};
use crate::gates::Gate;

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Named {
    Tests,
    Typecheck,
    Lint,
    Security,
    Coverage,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RunGates {
    /// Default: all.
    gates: Option<Vec<Named>>,
}

pub(super) fn run_gates(call: &Call<'_>, asked: &RunGates) -> Result<Given, Refusal> {
    let of = |named: &Named| match named {
        Named::Tests => Gate::Tests,
        Named::Typecheck => Gate::Typecheck,
        Named::Lint => Gate::Lint,
        Named::Security => Gate::Security,
        Named::Coverage => Gate::Coverage,
    };
    let wanted: Vec<Gate> = asked.gates.as_ref().map_or(Gate::ALL.to_vec(), |it| it.iter().map(of).collect());
    let said = call.place.team(|team| {
        let session = team.current()?;
        let results = team.run_gates(&session.id, &wanted);
        let has = |verdict: GateVerdict| results.iter().any(|it| it.verdict == verdict);
        let overall = if has(GateVerdict::Halt) {
            "halt"
        } else if has(GateVerdict::Fail) {
            "fail"
        } else if has(GateVerdict::Pass) {
            "pass"
        } else {
            "skipped"
        };
        let is_required = |it: &&GateResult| team.settings.required.iter().any(|gate| gate.name() == it.gate);
        let blocking: Vec<&str> = failed(&results).filter(is_required).map(|it| it.gate.as_str()).collect();
        let mut text = format!("Gates: {overall}.\n");
        for it in &results {
            let note = if it.note.is_empty() { String::new() } else { format!(" ({})", it.note) };
            let _ = writeln!(text, "{}: {}{note}", it.gate, word(it.verdict));
        }
        text.push_str(&errors(&results, SHOWN_ERRORS));
        let logs = team.logs(&session.id);
        let _ = write!(text, "The whole of what they say: {}", logs.display());
        let summary = format!(
            "{} of {} gates pass",
            results.iter().filter(|it| it.verdict == GateVerdict::Pass).count(),
            results.len()
        );
        Ok((
            text,
            json!({ "overall": overall, "results": results, "blocking": blocking, "summary": summary, "logs": logs }),
        ))
    })?;
    Ok(told(said))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckScope {
    /// Paths below the project's folder.
    files: Vec<String>,
}

pub(super) fn check_scope(call: &Call<'_>, asked: &CheckScope) -> Result<Given, Refusal> {
    let said = call.place.team(|team| {
        let session = team.current()?;
        let Some(task) = &session.now.task else {
            return Err(DevTeamError::from(Refused(session.what_first())));
        };
        let outside = team.outside(&session, &asked.files);
        let allowed =
            if task.scope_files.is_empty() { "no restriction".to_owned() } else { task.scope_files.join(", ") };
        let text = if outside.is_empty() {
            format!("All {} files are within the scope of the task ({allowed}).", asked.files.len())
        } else {
            format!("Outside of the scope: {}.\nAllowed: {allowed}.", outside.join(", "))
        };
        Ok((text, json!({ "withinScope": outside.is_empty(), "violations": outside, "allowed": task.scope_files })))
    })?;
    Ok(told(said))
}

pub(super) fn word(verdict: GateVerdict) -> &'static str {
    match verdict {
        GateVerdict::Pass => "pass",
        GateVerdict::Fail => "fail",
        GateVerdict::Halt => "halt",
        GateVerdict::Skipped => "skipped",
    }
}

/// What failed, gate by gate.
pub(super) fn errors(gates: &[GateResult], most: usize) -> String {
    let mut text = String::new();
    for gate in failed(gates) {
        let _ = writeln!(text, "{} ({}): {} errors", gate.gate, gate.command, gate.error_count);
        gate.errors.iter().take(most).for_each(|it| {
            let _ = writeln!(text, "  {it}");
        });
        let left = gate.error_count.saturating_sub(gate.errors.len().min(most));
        if left > 0 {
            let _ = writeln!(text, "  … and {left} more");
        }
    }
    text
}
