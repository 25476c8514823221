//! What treaty itself says.

use std::fmt::Write as _;

use super::{Arguments, Failed, Given, Tools};
use crate::finding::Severity;
use crate::orchestrate::inspect::Inspection;

/// Findings that are named; the others are counted.
const MAX_NAMED: usize = 40;

pub(super) fn scan(tools: &mut Tools<'_>, _: &Arguments<'_>) -> Given {
    let job = tools.job;
    let found = Inspection::of(job.worktree, None)?;
    let own: Vec<_> = found.against(&job.task.keeps, job.contracts).collect();
    let mut out = if own.is_empty() {
        "nothing disagrees with the contracts of this task\n".to_owned()
    } else {
        format!("{} findings about the contracts of this task:\n", own.len())
    };
    for it in own.iter().take(MAX_NAMED) {
        let severity = if it.severity == Severity::Error { "error" } else { "note" };
        let _ = writeln!(out, "{} {severity} {}:{} {}", it.rule, it.file, it.line, it.message);
    }
    if own.len() > MAX_NAMED {
        let _ = writeln!(out, "[{} more]", own.len() - MAX_NAMED);
    }
    let others = found.findings.len() - own.len();
    if others > 0 {
        let _ = writeln!(out, "{others} findings are about other things");
    }
    found.problems.iter().take(MAX_NAMED).for_each(|it| {
        let _ = writeln!(out, "not read or not compared: {it}");
    });
    Ok(out)
}

pub(super) fn contract(tools: &mut Tools<'_>, arguments: &Arguments<'_>) -> Given {
    let id = arguments.text("id")?;
    let known = tools.job.contracts;
    let Some(contract) = known.iter().find(|it| it.id == id || it.path == id) else {
        let ids: Vec<&str> = known.iter().map(|it| it.id.as_str()).collect();
        return Err(Failed::Said(format!("there is no contract `{id}`: there is {}", ids.join(", "))));
    };
    let pointer = arguments.maybe_text("pointer")?.unwrap_or("").trim_start_matches('#');
    let part = contract.document.pointer(pointer).ok_or_else(|| format!("{id} has nothing at `{pointer}`"))?;
    serde_json::to_string_pretty(part).map_err(|error| Failed::Said(error.to_string()))
}
