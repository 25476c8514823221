//! One agent: a plan, then work and gates, until they pass or nothing more is tried.

use std::path::Path;

use super::pieces::Piece;
use super::{Drive, Ended, TeamworkError, report};
use crate::council::Council;
use crate::devteam::{Delivery, Session, Stage, Verdict};
use crate::events::{TaskResult, TaskStatus};
use crate::missions::scope;
use crate::plan::Kind;

/// Of what an executor said, as much is kept as its summary.
const SUMMARY: usize = 300;
/// Failures that the next attempt is told of, the newest.
const TOLD: usize = 5;
/// Errors of a failure that are told.
const ERRORS: usize = 10;

impl Drive<'_> {
    /// Drives the task of the session.
    pub(super) fn single(&mut self) -> Result<Ended, TeamworkError> {
        loop {
            let session = self.team.current()?;
            if let Some(ended) = self.stops(&session) {
                return Ok(ended);
            }
            match session.now.stage {
                Stage::Executing => {
                    let planned = !session.now.plan.is_empty() || session.now.iteration > 1;
                    let next = if planned { self.attempt(&session)? } else { self.plan(&session)? };
                    if let Some(ended) = next {
                        return Ok(ended);
                    }
                }
                Stage::AwaitingQualityGates => {
                    self.judge(&Delivery::default())?;
                }
                Stage::ActivatingBugCouncil => {
                    let is_ranking = session.now.council.as_ref().is_some_and(Council::is_ranking);
                    (self.hear)(if is_ranking {
                        "the council ranks its fixes"
                    } else {
                        "the council looks for the cause"
                    });
                    self.council(&session)?;
                }
                Stage::Completed => return Ok(Ended::Completed),
                Stage::Failed if !session.now.is_halted && !session.now.is_last_council => {
                    self.team.convene()?;
                }
                Stage::Failed => return Ok(Ended::Failed(reason(&session))),
                stage => {
                    let why = format!(
                        "the session has no task to work on ({stage:?}); `treaty team run` begins another, `devteam_start_task` gives it one"
                    );
                    return Err(TeamworkError::Refused(why));
                }
            }
        }
    }

    /// Has the work planned once, in a checkout of its own. Without a plan the work goes on all the same.
    fn plan(&mut self, session: &Session) -> Result<Option<Ended>, TeamworkError> {
        let task = session.now.task.clone().unwrap_or_default();
        let piece = Piece {
            criteria: task.acceptance_criteria.clone(),
            model: self.hands.model(&self.team.settings, session.now.model),
            allowance: session.left(),
            ..Piece::text("task", 1, &task.description)
        };
        let revision = self.git.snapshot()?;
        let result = self.hands.plan(&piece, &self.git, &revision, self.cancel)?;
        self.book(&result, &task.id)?;
        if self.cancel.is_wanted() {
            return Ok(Some(Ended::Interrupted));
        }
        if result.fatal {
            return Ok(Some(Ended::Failed(result.error.unwrap_or_default())));
        }
        let said = result.output.trim();
        let plan = if result.status == TaskStatus::Completed && !said.is_empty() { said } else { "No plan was made." };
        self.team.plan_work(plan)?;
        Ok(None)
    }

    /// One attempt in the project's folder, seen and judged.
    fn attempt(&mut self, session: &Session) -> Result<Option<Ended>, TeamworkError> {
        let session = match &session.now.begun {
            Some(_) => session.clone(),
            None => self.team.begin_work(&self.git.snapshot()?)?,
        };
        report::stand(&self.team, &session)?;
        let now = &session.now;
        let (task, before) = (now.task.clone().unwrap_or_default(), now.begun.clone().unwrap_or_default());
        let model = self.team.settings.name(now.model).to_owned();
        let of = session.limits.max_iterations;
        (self.hear)(&format!("iteration {} of {of}: {}, {model}", now.iteration, now.agent));
        let agent = self.team.agents.get(&now.agent).cloned().unwrap_or_default();
        let mut description = format!("{}\n\n{}\n\n{}", agent.role, agent.instructions, task.description);
        if !now.plan.is_empty() {
            description = format!("{description}\n\n## Plan\n\n{}", now.plan);
        }
        if let Some(decision) = &now.decision {
            description = format!("{description}\n\n## What the council found\n\n{}", decision.told());
        }
        let piece = Piece {
            criteria: task.acceptance_criteria.clone(),
            scope: scope(&task.scope_files),
            kind: Kind::Other,
            learnt: tried(&session, &self.team.settings),
            allowance: session.left(),
            model: self.hands.model(&self.team.settings, now.model),
            runs: true,
            ..Piece::text("task", now.iteration, &description)
        };
        let root = self.git.root().to_owned();
        let (result, _) = self.hands.work(&piece, &root, self.cancel);
        self.book(&result, &task.id)?;
        if self.cancel.is_wanted() {
            return Ok(Some(Ended::Interrupted));
        }
        if result.fatal {
            return Ok(Some(Ended::Failed(result.error.unwrap_or_default())));
        }
        let after = self.git.snapshot()?;
        let changed = self.git.differ(&before, &after)?;
        let outside = self.team.outside(&session, &changed);
        if !outside.is_empty() {
            self.git.write_files(&before, &outside)?;
            (self.hear)(&format!("taken back, outside of what may be changed: {}", outside.join(", ")));
        }
        let files = changed.into_iter().filter(|it| !outside.contains(it)).collect();
        self.judge(&Delivery { files, summary: summary(&result), trouble: trouble(&result) })
    }

    fn judge(&mut self, delivery: &Delivery) -> Result<Option<Ended>, TeamworkError> {
        let Some(session) = self.team.take_work(delivery, self.cancel)? else { return Ok(Some(Ended::Interrupted)) };
        (self.hear)(&match &session.verdict {
            Some(Verdict::Complete) => "the gates pass".to_owned(),
            Some(Verdict::Iterate { reason } | Verdict::Council { reason } | Verdict::Fail { reason, .. }) => {
                format!("not done: {reason}")
            }
            Some(Verdict::Escalate { to, reason }) => {
                format!("not done: {reason}; {} takes over", self.team.settings.name(*to))
            }
            None => "nothing was decided".to_owned(),
        });
        Ok(None)
    }
}

/// Why a task has failed.
fn reason(session: &Session) -> String {
    match &session.verdict {
        Some(Verdict::Fail { reason, .. }) => reason.clone(),
        _ => "the task has failed".to_owned(),
    }
}

/// What the attempts before taught.
pub(super) fn tried(session: &Session, settings: &crate::devteam::Settings) -> Vec<String> {
    let history = &session.now.history;
    let told = history[history.len().saturating_sub(TOLD)..].iter();
    told.map(|it| {
        let errors: Vec<&str> = it.errors.iter().take(ERRORS).map(String::as_str).collect();
        let more = it.error_count.saturating_sub(errors.len());
        let rest = if more > 0 { format!("; and {more} more errors") } else { String::new() };
        format!(
            "iteration {} ({}) changed {}: {} failed: {}{rest}",
            it.iteration,
            settings.name(it.model),
            if it.files.is_empty() { "nothing".to_owned() } else { it.files.join(", ") },
            it.gates_failed.join(", "),
            errors.join("; ")
        )
    })
    .collect()
}

pub(super) fn summary(result: &TaskResult) -> String {
    let said = result.output.trim();
    let from = said.char_indices().rev().nth(SUMMARY - 1).map_or(0, |it| it.0);
    said[from..].to_owned()
}

/// Why an executor did not finish; none where it did.
fn trouble(result: &TaskResult) -> Option<String> {
    (result.status != TaskStatus::Completed)
        .then(|| result.error.clone().unwrap_or_else(|| "the executor did not finish".to_owned()))
}

/// The path of a log below the root.
pub(super) fn below(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}
