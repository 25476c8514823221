//! `MILESTONE_HANDOFF.md` and `FIX_CYCLE_LOG.md`: what whoever goes on after a run has to know.

use std::fmt::Write as _;

use super::promises::cell;
use super::state::{Standing, State};
use super::step::fix_id;
use crate::events::{Extent, FindingRow};

/// What each milestone hands over: its tasks with the commits, what it provides and who relies on that, what is open.
pub(super) fn handoff(state: &State) -> String {
    let mut out = format!("# Handoff: {}\n", state.plan.project);
    let health = state.health.clone().unwrap_or_default();
    for milestone in &state.plan.milestones {
        let tasks: Vec<_> = state.tasks.iter().filter(|it| it.task.parent == milestone.id).collect();
        let services: Vec<&str> = tasks.iter().map(|it| it.task.service.as_str()).collect();
        let _ = writeln!(out, "\n## {}: {}\n", milestone.id, milestone.title);
        for it in &tasks {
            let what = match &it.standing {
                Standing::Merged(commit) => format!("merged as `{}`", commit.get(..12).unwrap_or(commit)),
                Standing::Failed(reason) => format!("**failed**: {reason}"),
                _ => it.status().to_lowercase().replace('_', " "),
            };
            let _ = writeln!(out, "- {} {}: {what}", it.task.id, it.task.title);
        }
        let provided =
            health.promises.iter().filter(|it| it.providers.iter().any(|one| services.contains(&one.as_str())));
        let provided: Vec<_> = provided.collect();
        if !provided.is_empty() {
            let verified = provided.iter().filter(|it| it.verified == Extent::Yes).count();
            let _ = writeln!(out, "\nProvides ({verified} of {} verified):\n", provided.len());
            let _ = writeln!(out, "| Contract | Provides | Verified | For |\n|---|---|---|---|");
            for it in provided {
                let (contract, name, consumers) = (cell(&it.contract), cell(&it.name), cell(&it.consumers.join(", ")));
                let _ = writeln!(out, "| {contract} | {name} | {} | {consumers} |", it.verified.word());
            }
        }
        let relies =
            health.promises.iter().filter(|it| it.consumers.iter().any(|one| services.contains(&one.as_str())));
        let unkept: Vec<_> = relies.filter(|it| it.verified != Extent::Yes).collect();
        if !unkept.is_empty() {
            let _ = writeln!(out, "\nRelies on what is not verified:\n");
            for it in unkept {
                let _ = writeln!(out, "- `{}` of {}: {}", it.name, it.contract, it.note);
            }
        }
    }
    let left = state.stages.iter().filter_map(|it| it.outcomes.last()).flat_map(|it| &it.findings);
    let mut left: Vec<&FindingRow> = left.collect();
    left.sort_by(|a, b| (&a.file, a.line, &a.rule).cmp(&(&b.file, b.line, &b.rule)));
    left.dedup_by(|a, b| a.fingerprint == b.fingerprint && a.file == b.file && a.line == b.line);
    let _ = writeln!(out, "\n## Left to do\n");
    if left.is_empty() && health.notes.is_empty() {
        let _ = writeln!(out, "Nothing that is known.");
    }
    health.notes.iter().for_each(|it| {
        let _ = writeln!(out, "- {it}");
    });
    for it in left {
        let _ = writeln!(out, "- {}:{} {}: {}", it.file, it.line, it.rule, it.message);
    }
    out
}

/// The cycles of every fix loop: those of tasks, attempt by attempt, and those of the stages after the build.
pub(super) fn fix_log(state: &State) -> String {
    let mut out = format!("# Fix cycles: {}\n\n## Tasks\n\n", state.plan.project);
    let again: Vec<_> = state.tasks.iter().filter(|it| !it.learnt.is_empty()).collect();
    if again.is_empty() {
        let _ = writeln!(out, "Every task passed at its first attempt, or was not tried.");
    }
    for it in again {
        let _ = writeln!(out, "### {} {} ({} attempts)\n", it.task.id, it.task.title, it.attempt);
        for (at, learnt) in it.learnt.iter().enumerate() {
            let _ = writeln!(out, "{}. {}", at + 1, learnt.trim().replace('\n', "\n   "));
        }
        let _ = writeln!(out);
    }
    let _ = writeln!(out, "\n## Stages\n");
    let _ = writeln!(out, "| Stage | Pass | Found | Fixed | Left | New | Task |\n|---|---|---|---|---|---|---|");
    for stage in &state.stages {
        for (at, outcome) in stage.outcomes.iter().enumerate() {
            if !outcome.skipped.is_empty() {
                let _ = writeln!(
                    out,
                    "| {} | {} | skipped: {} | | | | |",
                    stage.stage.name(),
                    at + 1,
                    cell(&outcome.skipped)
                );
                continue;
            }
            let is_in = |it: &FindingRow, at: usize| {
                stage.outcomes[at].findings.iter().any(|other| other.fingerprint == it.fingerprint)
            };
            let balance = at.checked_sub(1).map(|before| {
                let earlier = &stage.outcomes[before].findings;
                let residual = outcome.findings.iter().filter(|it| is_in(it, before)).count();
                (earlier.iter().filter(|it| !is_in(it, at)).count(), residual, outcome.findings.len() - residual)
            });
            let balance = balance.map_or(" | | ".to_owned(), |(fixed, left, new)| format!("{fixed} | {left} | {new}"));
            let task = state.task(&fix_id(stage.stage, at + 1)).map_or("-", |it| it.task.id.as_str());
            let (name, found) = (stage.stage.name(), outcome.findings.len());
            let _ = writeln!(out, "| {name} | {} | {found} | {balance} | {task} |", at + 1);
        }
    }
    out
}
