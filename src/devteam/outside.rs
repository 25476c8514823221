//! A session that is driven from outside: by an executor whose work is seen, and not only told.

use super::records::Event;
use super::{DevTeam, DevTeamError, Session, Stage, Status};
use crate::events::{GateResult, GateVerdict};
use crate::ledger::{Usage, Usd};
use crate::missions;
use crate::process::Cancel;

/// What an executor hands in.
#[derive(Clone, Debug, Default)]
pub struct Delivery {
    /// Files that it changed, as they were seen.
    pub files: Vec<String>,
    /// What it said.
    pub summary: String,
    /// Why the executor did not finish; none where it did.
    pub trouble: Option<String>,
}

impl DevTeam {
    /// A session by its id, or the current one; `budget`: what it may spend in all from now on.
    ///
    /// # Errors
    /// There is none, or it has ended.
    pub fn take_up(&mut self, id: Option<&str>, budget: Option<Usd>) -> Result<Session, DevTeamError> {
        let session = match id {
            None => self.current()?,
            Some(id) if !self.log.has(id)? => {
                return Err(DevTeamError::NotFound(format!("there is no session `{id}`")));
            }
            Some(id) => self.log.session(id)?,
        };
        if !session.is_active() {
            return Err(DevTeamError::refused(format!("the session {} has ended: {}", session.id, session.reason)));
        }
        self.own = Some(session.id.clone());
        let mut session = match session.status {
            Status::Paused => self.log.append(&session.id, &Event::SessionResumed {})?,
            _ => session,
        };
        if let Some(budget) = budget.filter(|it| session.budget != Some(*it)) {
            session = self.log.append(&session.id, &Event::BudgetSet { budget })?;
        }
        Ok(session)
    }

    /// The newest session whose task is under way, if something happened in it in the last hours.
    ///
    /// # Errors
    /// Those of the database.
    pub fn at_work(&self) -> Result<Option<Session>, DevTeamError> {
        let Some(id) = self.log.newest_active()? else { return Ok(None) };
        if !self.log.is_recent(&id)? {
            return Ok(None);
        }
        let session = self.log.session(&id)?;
        let is_open = !matches!(session.now.stage, Stage::Idle | Stage::Completed | Stage::Failed);
        Ok((is_open && session.status == Status::Running).then_some(session))
    }

    /// Keeps how the task is to be worked on.
    ///
    /// # Errors
    /// No task is under way.
    pub fn plan_work(&mut self, plan: &str) -> Result<Session, DevTeamError> {
        let id = self.current()?.id;
        self.log.append(&id, &Event::WorkPlanned { plan: plan.to_owned() })
    }

    /// An executor begins; `commit`: the files as they are.
    ///
    /// # Errors
    /// No task is under way.
    pub fn begin_work(&mut self, commit: &str) -> Result<Session, DevTeamError> {
        let id = self.current()?.id;
        self.log.append(&id, &Event::WorkBegun { commit: commit.to_owned() })
    }

    /// Takes what an executor left, runs the gates, and decides. An executor that did not finish, or changed nothing, has failed
    /// without a gate: that all tests pass says nothing of work that was not done. None where the gates were cancelled.
    ///
    /// # Errors
    /// No task is under way, or no gate can run.
    pub fn take_work(&mut self, delivery: &Delivery, cancel: &Cancel) -> Result<Option<Session>, DevTeamError> {
        let session = self.current()?;
        self.can_tell()?;
        if session.now.stage == Stage::Executing {
            let Delivery { files, summary, trouble } = delivery.clone();
            self.log.append(&session.id, &Event::CompletionReported { files, summary, trouble })?;
        }
        let gates = self.verdicts(&session.id, cancel)?;
        // Gates that were ended say nothing.
        if cancel.is_wanted() {
            return Ok(None);
        }
        self.log.append(&session.id, &Event::Evaluated { gates }).map(Some)
    }

    /// What the gates say of the work that was reported.
    pub(super) fn verdicts(&self, session: &str, cancel: &Cancel) -> Result<Vec<GateResult>, DevTeamError> {
        let now = self.log.session(session)?.now;
        let failed = |gate: &str, error: &str| GateResult {
            gate: gate.to_owned(),
            verdict: GateVerdict::Fail,
            error_count: 1,
            errors: vec![error.to_owned()],
            ..GateResult::default()
        };
        let is_empty = now.reported.as_ref().is_none_or(|it| it.0.is_empty());
        Ok(match &now.trouble {
            Some(why) => vec![failed("executor", why)],
            None if is_empty => vec![failed("work", "no file was changed")],
            None => self.ran(session, &self.settings.required, cancel),
        })
    }

    /// Books what an executor used. Says whether the budget's warning is due: once, when four fifths are spent.
    ///
    /// # Errors
    /// There is no session.
    pub fn book(&mut self, used: &[(Usage, Usd)], task: &str) -> Result<bool, DevTeamError> {
        let mut session = self.current()?;
        for (usage, cost) in used {
            let event = Event::TokensRecorded {
                model: usage.model.clone(),
                input: usage.input + usage.cache_read + usage.cache_write,
                output: usage.output,
                task: Some(task.to_owned()),
                cost: *cost,
            };
            session = self.log.append(&session.id, &event)?;
        }
        if !session.warning_is_due() {
            return Ok(false);
        }
        self.log.append(&session.id, &Event::BudgetWarned {})?;
        Ok(true)
    }

    /// Keeps what happened in the run of missions.
    ///
    /// # Errors
    /// It cannot happen now.
    pub fn happened(&mut self, happened: missions::Event) -> Result<Session, DevTeamError> {
        let id = self.current()?.id;
        self.log.append(&id, &Event::Missions { happened })
    }
}
