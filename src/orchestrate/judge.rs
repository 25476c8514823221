//! What an attempt left is held against its scope, the gates of the project and the contracts, whatever its executor says.

use std::path::Path;

use super::git::{Git, GitError};
use super::inspect::Inspection;
use crate::events::{FindingRow, GateVerdict, TaskResult, TaskStatus, Verdict};
use crate::finding::Severity;
use crate::gates::{self, GateSettings};
use crate::plan::{Contract, Plan, Task};
use crate::process::Cancel;

/// What a verdict is made of.
#[derive(Debug)]
pub(super) struct Case<'c> {
    pub git: &'c Git,
    pub worktree: &'c Path,
    /// The commit that the attempt started from.
    pub base: &'c str,
    pub task: &'c Task,
    pub result: &'c TaskResult,
    pub plan: &'c Plan,
    /// None: the code is not held against contracts before it is merged.
    pub contracts: Option<&'c [Contract]>,
    pub gates: &'c GateSettings,
    /// Folder for what the gates say.
    pub logs: &'c Path,
    pub cancel: &'c Cancel,
}

/// Of the findings of an attempt, as many are told to the next one; the others are counted.
const MAX_TOLD: usize = 20;

impl Case<'_> {
    /// The verdict. Judging twice gives the same.
    ///
    /// # Errors
    /// Those of `git`: the worktree is not there any more.
    pub(super) fn judge(&self) -> Result<Verdict, GitError> {
        let mut verdict = Verdict::default();
        if !self.worktree.is_dir() {
            verdict.reasons.push("the worktree of the attempt is gone".to_owned());
            return Ok(verdict);
        }
        let changed = self.git.changed(self.worktree, self.base)?;
        verdict.outside =
            changed.iter().map(|it| &it.path).filter(|it| !self.task.scope.permits(it)).cloned().collect();
        self.git.take_back(self.worktree, self.base, &verdict.outside)?;
        let message = format!("{}: {}", self.task.id, self.task.title);
        if changed.len() > verdict.outside.len() {
            verdict.commit = Some(self.git.commit_worktree(self.worktree, self.base, &message)?);
        }
        let mut reasons = Vec::new();
        if self.result.status != TaskStatus::Completed {
            let said = self.result.error.clone().unwrap_or_else(|| "it gave no reason".to_owned());
            reasons.push(format!("the executor did not finish: {said}"));
        }
        if !verdict.outside.is_empty() {
            let told = format!(
                "{} is outside of what this task may change, and was left out",
                verdict.outside.iter().take(MAX_TOLD).map(String::as_str).collect::<Vec<_>>().join(", ")
            );
            // What was asked for may be there all the same.
            if verdict.commit.is_none() {
                reasons.push(told);
            }
        }
        if verdict.commit.is_none() && reasons.is_empty() && !self.result.done_before {
            reasons.push("no file was changed".to_owned());
        }
        if reasons.is_empty() {
            verdict.gates = gates::run(self.worktree, self.service_folder(), self.gates, self.logs, self.cancel);
            for gate in verdict.gates.iter().filter(|it| matches!(it.verdict, GateVerdict::Fail | GateVerdict::Halt)) {
                let first: Vec<&str> = gate.errors.iter().take(5).map(String::as_str).collect();
                let more = gate.error_count.saturating_sub(first.len());
                let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
                reasons.push(format!("`{}` fails: {}{rest}", gate.command, first.join("; ")));
                verdict.halt |= gate.verdict == GateVerdict::Halt;
            }
            match self.kept().map(|it| (it, Inspection::of(self.worktree, None))) {
                Some((contracts, Ok(found))) => {
                    verdict.findings = found.against(&self.task.keeps, contracts).cloned().collect();
                    reasons.extend(told(&verdict.findings));
                }
                Some((_, Err(why))) => reasons.push(format!("the code could not be held against its contracts: {why}")),
                None => {}
            }
        }
        verdict.passed = reasons.is_empty();
        verdict.reasons = reasons;
        Ok(verdict)
    }

    /// The contracts, where the task is to keep one of them: no finding of a scan counts against a task that keeps none.
    fn kept(&self) -> Option<&[Contract]> {
        self.contracts.filter(|all| all.iter().any(|it| self.task.keeps.contains(&it.id)))
    }

    fn service_folder(&self) -> Option<&str> {
        self.plan.service(&self.task.service).map(|it| it.folder.as_str())
    }
}

/// Errors among findings, in words for the next attempt.
fn told(findings: &[FindingRow]) -> Vec<String> {
    let errors: Vec<&FindingRow> = findings.iter().filter(|it| it.severity == Severity::Error).collect();
    let mut lines: Vec<String> =
        errors.iter().take(MAX_TOLD).map(|it| format!("{} {}:{} {}", it.rule, it.file, it.line, it.message)).collect();
    if errors.len() > MAX_TOLD {
        lines.push(format!("{} more findings of this kind", errors.len() - MAX_TOLD));
    }
    lines
}
