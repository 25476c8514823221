//! What an evaluation comes to: done, once more, a larger model, the council, or the end.

use serde::{Deserialize, Serialize};

use super::records::{Failure, Limits, Model, Standing};
use super::stuck::stuck;
use crate::events::{GateResult, GateVerdict};

/// What is decided after the gates have run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum Verdict {
    Complete,
    Iterate { reason: String },
    Escalate { to: Model, reason: String },
    Council { reason: String },
    Fail { reason: String, is_halt: bool },
}

/// Errors of an evaluation that are kept; how many there were is kept, too.
const MAX_ERRORS: usize = 20;
/// Characters of an error; the rest is left out, and stands in the log of the gate.
const MAX_ERROR: usize = 300;

/// Gates that say no.
pub fn failed(gates: &[GateResult]) -> impl Iterator<Item = &GateResult> {
    gates.iter().filter(|it| matches!(it.verdict, GateVerdict::Fail | GateVerdict::Halt))
}

/// The verdict on an attempt, by gates that are all required.
pub(super) fn verdict(now: &Standing, limits: &Limits, gates: &[GateResult]) -> Verdict {
    let mut names: Vec<&str> = failed(gates).map(|it| it.gate.as_str()).collect();
    let passed = gates.iter().any(|it| it.verdict == GateVerdict::Pass);
    if names.is_empty() && passed {
        return Verdict::Complete;
    }
    if names.is_empty() {
        names.push("no gate could run, and");
    }
    let failing = format!("{} failed", names.join(", "));
    if gates.iter().any(|it| it.verdict == GateVerdict::Halt) {
        let reason = format!("{failing}, with something critical: a person has to look at it");
        return Verdict::Fail { reason, is_halt: true };
    }
    let in_row = now.failures + 1;
    let give_up = |why: String| Verdict::Fail { reason: format!("{failing}, and {why}"), is_halt: false };
    if now.iteration >= limits.max_iterations {
        return give_up(format!("all {} iterations are used up", limits.max_iterations));
    }
    if in_row >= limits.breaker {
        return give_up(format!("that was the {in_row}. time in a row on one model"));
    }
    let council = |why: String| {
        if now.councils == 0 {
            Verdict::Council { reason: why }
        } else {
            give_up(format!("the council has met on this task before: {why}"))
        }
    };
    if limits.stuck_detection {
        let mut history = now.history[now.diagnosed.min(now.history.len())..].to_vec();
        let (files, summary) = now.reported.clone().unwrap_or_default();
        history.push(failure(now, gates, files, &summary));
        if let Some(why) = stuck(&history) {
            return council(why);
        }
    }
    match now.model.larger() {
        Some(to) if in_row >= limits.escalation_threshold => {
            Verdict::Escalate { to, reason: format!("{failing}, {in_row} times in a row") }
        }
        None if in_row >= limits.escalation_threshold => {
            council(format!("{failing}, {in_row} times in a row on the largest model"))
        }
        _ => Verdict::Iterate { reason: failing },
    }
}

/// What is kept of an evaluation that did not pass.
pub(super) fn failure(now: &Standing, gates: &[GateResult], files: Vec<String>, summary: &str) -> Failure {
    let cut = |error: &String| error.chars().take(MAX_ERROR).collect::<String>();
    Failure {
        iteration: now.iteration,
        model: now.model,
        agent: now.agent.clone(),
        files,
        summary: summary.chars().take(MAX_ERROR).collect(),
        gates_failed: failed(gates).map(|it| it.gate.clone()).collect(),
        errors: failed(gates).flat_map(|it| &it.errors).take(MAX_ERRORS).map(cut).collect(),
        error_count: failed(gates).map(|it| it.error_count).sum(),
    }
}

/// The model that begins: by complexity, and in eco mode the small one but for what is risky.
pub(super) fn first_model(complexity: u8, is_eco: bool, is_risky: bool) -> Model {
    match (is_eco, complexity) {
        (true, 10..) => Model::Middle,
        (true, _) => {
            if is_risky {
                Model::Middle
            } else {
                Model::Small
            }
        }
        (false, 0..=4) => Model::Small,
        (false, 5..=8) => Model::Middle,
        (false, 9..) => Model::Large,
    }
}
