//! What a run did, for people and programs. Every number comes from an event.

mod page;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use serde_json::{Value, json as value};

use super::state::{Standing, State};
use crate::events::{Event, GateVerdict, Outcome, Recorded};
use crate::finding::Severity;

pub use page::html;

/// How a run stands, as data.
pub fn summary(run: &str, state: &State, at_work: bool) -> Value {
    let of = |word: &str| state.tasks.iter().filter(|it| it.status() == word).count();
    value!({
        "run": run,
        "requirements": state.started.requirements,
        "backend": state.backend,
        "phase": state.phase().map(|it| it.0.title()),
        "at_work": at_work,
        "outcome": state.outcome,
        "stop_reason": state.stop_reason,
        "tasks": {
            "total": state.tasks.len(),
            "merged": of("COMPLETE"),
            "failed": of("FAILED"),
            "in_progress": of("IN_PROGRESS"),
            "pending": of("PENDING"),
        },
        "waves_begun": state.waves_begun,
        "cost_usd": state.ledger.spent().dollars(),
        "budget_usd": state.ledger.cap.map(crate::ledger::Usd::dollars),
        "paused_until": state.paused_until,
        "health": state.health,
    })
}

/// How a run stands, in a few lines.
///
/// # Errors
/// Those of `out`.
pub fn standing(run: &str, state: &State, at_work: bool, out: &mut dyn Write) -> io::Result<()> {
    let word = match (state.outcome, at_work) {
        (Some(outcome), _) => outcome_words(outcome),
        (None, true) => "at work",
        (None, false) => "interrupted; `treaty orchestrate resume` goes on",
    };
    writeln!(out, "run {run}: {word}")?;
    if let Some(phase) = state.phase().filter(|_| state.outcome.is_none()) {
        writeln!(out, "phase: {}", phase.0.title())?;
    }
    counts(state, out)?;
    for it in &state.tasks {
        let note = match &it.standing {
            Standing::Failed(reason) => format!("  {reason}"),
            _ if it.attempt > 1 => format!("  attempt {}", it.attempt),
            _ => String::new(),
        };
        writeln!(out, "  {:<12} {:<11} {}{note}", it.task.id, it.status(), it.task.title)?;
    }
    Ok(())
}

fn counts(state: &State, out: &mut dyn Write) -> io::Result<()> {
    let merged = state.tasks.iter().filter(|it| matches!(it.standing, Standing::Merged(_))).count();
    let cap = state.ledger.cap.map(|it| format!(" of {it}")).unwrap_or_default();
    writeln!(
        out,
        "{merged} of {} tasks merged, {}{cap} spent, backend {}",
        state.tasks.len(),
        state.ledger.spent(),
        state.backend
    )
}

fn outcome_words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Healthy => "healthy",
        Outcome::NotHealthy => "finished, not healthy",
        Outcome::Failed => "could not go on",
        Outcome::Budget => "stopped by the budget",
        Outcome::Cancelled => "cancelled",
        Outcome::Planned => "planned",
    }
}

/// What is said when a run ends: how, why not better, and what a person does next.
///
/// # Errors
/// Those of `out`.
pub fn ending(run: &str, state: &State, branch: &str, root: &Path, out: &mut dyn Write) -> io::Result<()> {
    let Some(outcome) = state.outcome else {
        return writeln!(
            out,
            "run {run} is interrupted: `treaty orchestrate resume --into {}` goes on",
            root.display()
        );
    };
    if outcome == Outcome::Planned {
        let folder = root.join(".agent-team");
        writeln!(out, "the plan is in {}: MASTER_PLAN.md, TASKS.md, QUESTIONS.md", folder.display())?;
        return writeln!(out, "edit it, then run the same command without --plan-only");
    }
    writeln!(out, "run {run}: {}", outcome_words(outcome))?;
    if !state.stop_reason.is_empty() {
        writeln!(out, "  {}", state.stop_reason)?;
    }
    counts(state, out)?;
    if let Some(health) = &state.health {
        writeln!(
            out,
            "requirements {} of {}, contracted operations verified {} of {}",
            health.requirements_checked, health.requirements_total, health.contracts_verified, health.contracts_total
        )?;
        health.notes.iter().try_for_each(|it| writeln!(out, "  {it}"))?;
    }
    for it in &state.tasks {
        if let Standing::Failed(reason) = &it.standing {
            writeln!(out, "  {} {} failed: {reason}", it.task.id, it.task.title)?;
        }
    }
    writeln!(out, "everything is on the branch {branch}: git -C {} switch {branch}", root.display())
}

/// The whole report as text.
///
/// # Errors
/// Those of `out`.
pub fn text(run: &str, state: &State, events: &[Recorded], out: &mut dyn Write) -> io::Result<()> {
    standing(run, state, false, out)?;
    writeln!(out, "\nwaves")?;
    for (wave, tasks) in waves(state) {
        writeln!(out, "  {}: {}", wave + 1, tasks.join(", "))?;
    }
    writeln!(out, "\ntimeline")?;
    for it in timeline(events) {
        let waited = if it.waited_for.is_empty() { String::new() } else { format!(", after {}", it.waited_for) };
        writeln!(out, "  {} to {}  {} attempt {}{waited}", clock(&it.begin), clock(&it.end), it.task, it.attempt)?;
    }
    let gates = gates(events);
    if !gates.is_empty() {
        writeln!(out, "\ngates")?;
        for (name, [pass, fail, halt, skipped]) in gates {
            writeln!(out, "  {name}: {pass} passed, {fail} failed, {halt} halted, {skipped} skipped")?;
        }
    }
    writeln!(out, "\nstages")?;
    for it in &state.stages {
        let (fixed, residual, new) = it.balance();
        match it.outcomes.last() {
            Some(last) if !last.skipped.is_empty() => {
                writeln!(out, "  {}: skipped, {}", it.stage.name(), last.skipped)?;
            }
            _ => writeln!(out, "  {}: {fixed} fixed, {residual} left, {new} new", it.stage.name())?,
        }
    }
    if !state.ledger.entries.is_empty() {
        writeln!(out, "\ncost")?;
        for (model, (usage, cost)) in state.ledger.by_model() {
            writeln!(out, "  {model}: {cost}, {} tokens in, {} out", usage.input, usage.output)?;
        }
    }
    if let Some(health) = state.health.as_ref().filter(|it| !it.promises.is_empty()) {
        writeln!(out, "\ncontracts")?;
        for it in &health.promises {
            let word = if it.violations > 0 { "violated" } else { it.verified.word() };
            let note = if it.note.is_empty() { String::new() } else { format!("  {}", it.note) };
            writeln!(out, "  {:<8} {} ({}){note}", word.to_lowercase(), it.name, it.contract)?;
        }
    }
    if let Some(health) = &state.health {
        writeln!(out, "\nhealth: {}", health.verdict)?;
        health.notes.iter().try_for_each(|it| writeln!(out, "  {it}"))?;
    }
    Ok(())
}

/// The whole report as JSON.
///
/// # Errors
/// Those of `out`.
pub fn json(run: &str, state: &State, events: &[Recorded], out: &mut dyn Write) -> io::Result<()> {
    let tasks: Vec<Value> = state
        .tasks
        .iter()
        .map(|it| {
            value!({
                "id": it.task.id,
                "title": it.task.title,
                "service": it.task.service,
                "kind": it.task.kind,
                "wave": it.wave + 1,
                "status": it.status(),
                "attempts": it.attempt,
                "failures": it.failures,
                "learnt": it.learnt,
                "outside": it.outside,
                "cost_usd": state.ledger.of_task(&it.task.id).dollars(),
                "reason": if let Standing::Failed(reason) = &it.standing { Some(reason) } else { None },
            })
        })
        .collect();
    let stages: Vec<Value> = state
        .stages
        .iter()
        .map(|it| {
            let (fixed, residual, new) = it.balance();
            let last = it.outcomes.last();
            value!({
                "stage": it.stage,
                "passes": it.outcomes.len(),
                "fixed": fixed,
                "residual": residual,
                "new": new,
                "skipped": last.map(|it| it.skipped.as_str()).filter(|it| !it.is_empty()),
                "findings": last.map(|it| &it.findings),
            })
        })
        .collect();
    let timeline: Vec<Value> = timeline(events)
        .into_iter()
        .map(|it| value!({"task": it.task, "attempt": it.attempt, "begin": it.begin, "end": it.end, "after": it.waited_for}))
        .collect();
    let whole = value!({
        "summary": summary(run, state, false),
        "tasks": tasks,
        "stages": stages,
        "timeline": timeline,
        "ledger": state.ledger.entries,
        "phases": state.phases.iter().map(|it| value!({"phase": it.0, "note": it.1})).collect::<Vec<_>>(),
    });
    writeln!(out, "{}", serde_json::to_string_pretty(&whole)?)
}

/// One attempt in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) task: String,
    pub(super) attempt: u32,
    pub(super) begin: String,
    pub(super) end: String,
    /// The task whose end let this one begin; empty for the first ones.
    pub(super) waited_for: String,
}

/// Attempts in the order in which they began.
pub(super) fn timeline(events: &[Recorded]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut open: BTreeMap<&str, usize> = BTreeMap::new();
    let mut last_settled = "";
    for it in events {
        match &it.event {
            Event::TaskStarted { task, attempt, .. } => {
                open.insert(task, spans.len());
                spans.push(Span {
                    task: task.clone(),
                    attempt: *attempt,
                    begin: it.at.clone(),
                    end: it.at.clone(),
                    waited_for: last_settled.to_owned(),
                });
            }
            Event::AttemptFinished { task, .. } | Event::AttemptJudged { task, .. } => {
                if let Some(at) = open.get(task.as_str()) {
                    spans[*at].end.clone_from(&it.at);
                }
            }
            Event::TaskMerged { task, .. } | Event::TaskFailed { task, .. } => {
                if let Some(at) = open.get(task.as_str()) {
                    spans[*at].end.clone_from(&it.at);
                }
                last_settled = task;
            }
            _ => {}
        }
    }
    spans
}

/// Tasks of each wave.
fn waves(state: &State) -> BTreeMap<usize, Vec<&str>> {
    let mut waves: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    state.tasks.iter().for_each(|it| waves.entry(it.wave).or_default().push(&it.task.id));
    waves
}

/// How often each gate passed, failed, halted and was skipped.
pub(super) fn gates(events: &[Recorded]) -> BTreeMap<&str, [usize; 4]> {
    let mut gates: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for it in events {
        let Event::AttemptJudged { verdict, .. } = &it.event else { continue };
        for gate in &verdict.gates {
            let at = match gate.verdict {
                GateVerdict::Pass => 0,
                GateVerdict::Fail => 1,
                GateVerdict::Halt => 2,
                GateVerdict::Skipped => 3,
            };
            gates.entry(&gate.gate).or_default()[at] += 1;
        }
    }
    gates
}

/// `03:04:05` of an RFC 3339 time.
fn clock(at: &str) -> &str {
    at.get(11..19).unwrap_or(at)
}

/// Errors and others that stages left.
pub(super) fn left(state: &State) -> (usize, usize) {
    let last = state.stages.iter().filter_map(|it| it.outcomes.last()).flat_map(|it| &it.findings);
    let (errors, others): (Vec<_>, Vec<_>) = last.partition(|it| it.severity == Severity::Error);
    (errors.len(), others.len())
}
