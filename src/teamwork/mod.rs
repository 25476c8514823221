//! A goal, worked on from outside: a session of the development team in which executors do the work.
//!
//! What a session is follows from its events (`devteam`), so a run that was killed goes on where it was, from here or from an agent
//! that asks the team's tools. Files are looked at and not believed: what an executor changed is what differs from before.

mod council;
mod lead;
mod pieces;
mod report;
mod single;

use std::path::Path;
use std::time::{Duration, Instant};

use crate::devteam::{DevTeam, DevTeamError, Places, Session, Status, Work};
use crate::events::TaskResult;
use crate::ledger::Usd;
use crate::missions::{MissionError, Mode};
use crate::orchestrate::executors::ExecutorSettings;
use crate::orchestrate::git::{Git, GitError};
use crate::orchestrate::{OrchestrateError, Workplace};
use crate::process::{Cancel, Limits};
use pieces::Hands;
pub use report::{deliverable, trace};

/// Why a goal cannot be worked on.
#[derive(Debug, thiserror::Error)]
pub enum TeamworkError {
    #[error(transparent)]
    Team(#[from] DevTeamError),
    #[error(transparent)]
    Mission(#[from] MissionError),
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    Orchestrate(#[from] OrchestrateError),
    #[error("{path}: {reason}")]
    File { path: String, reason: String },
    #[error("{0}")]
    Refused(String),
}

impl TeamworkError {
    fn file(path: &Path, error: &std::io::Error) -> TeamworkError {
        TeamworkError::File { path: path.display().to_string(), reason: error.to_string() }
    }
}

/// What is to be done.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    pub goal: String,
    /// A task of the plan that `treaty orchestrate --plan-only` wrote; the goal otherwise.
    pub task: Option<String>,
    /// A document of requirements: missions follow from it.
    pub requirements: Option<String>,
    /// Missions as they were written down.
    pub missions: Option<String>,
    pub mode: Mode,
    /// How it is known that the goal is reached.
    pub criteria: Vec<String>,
    /// Patterns of files that may be changed; none: any.
    pub files: Vec<String>,
    /// 1 to 14.
    pub complexity: u8,
    pub is_eco: bool,
    pub budget: Option<Usd>,
}

/// Where and with whom.
#[derive(Clone, Debug)]
pub struct Means {
    pub places: Places,
    /// `auto`, `claude`, `api`, `command`.
    pub backend: String,
    pub executors: ExecutorSettings,
    /// Roles and members of the council that work at the same time.
    pub jobs: usize,
    /// Of one attempt.
    pub limits: Limits,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    Completed,
    /// The goal was not reached, for this reason.
    Failed(String),
    /// Money or time is used up; the session is paused.
    Paused(String),
    Interrupted,
}

/// Hears what happens, a line at a time.
pub type Hear<'h> = &'h (dyn Fn(&str) + Sync);

/// A session of the team with whoever works in it, and the limits of this run.
pub(crate) struct Drive<'d> {
    team: DevTeam,
    git: Git,
    hands: Hands<'d>,
    hear: Hear<'d>,
    cancel: &'d Cancel,
    until: Instant,
    jobs: usize,
}

/// Begins a session and works on a goal until it is reached, nothing more is tried, or somebody ends it.
///
/// # Errors
/// No executor can work, the project is in no git repository, no gate could tell that the work is done, missions that are none.
pub fn begin(means: &Means, asked: &Asked, hear: Hear<'_>, cancel: &Cancel) -> Result<(Session, Ended), TeamworkError> {
    let mut drive = Drive::open(means, DevTeam::open(&means.places)?, asked.budget, hear, cancel)?;
    let leads = asked.mode != Mode::Single;
    // What cannot be worked on begins no session.
    let planned = if leads { drive.planned(asked)? } else { None };
    let session = drive.team.start_session(&asked.goal, "implement", asked.is_eco, asked.budget)?;
    hear(&format!("session {}", session.id));
    drive.hands.own(&session.id);
    if leads {
        let planned = match planned {
            Some(planned) => Ok(planned),
            None => drive.taken_apart(asked),
        };
        let planned = match planned {
            Ok(planned) => planned,
            Err(error) => {
                drive.team.end_session(Status::Failed, &error.to_string())?;
                return Err(error);
            }
        };
        drive.team.happened(planned)?;
    } else {
        let criteria = if asked.criteria.is_empty() { vec![asked.goal.clone()] } else { asked.criteria.clone() };
        drive.team.start_task(Work {
            id: asked.task.clone().unwrap_or_else(|| "adhoc".to_owned()),
            description: asked.goal.clone(),
            acceptance_criteria: criteria,
            scope_files: asked.files.clone(),
            complexity: asked.complexity,
        })?;
    }
    drive.on()
}

/// Takes up a session that was begun here or by an agent: the newest one, or the one that is named. `budget`: what it may spend in
/// all, where it had another one or none.
///
/// # Errors
/// There is no such session, or those of [`begin`].
pub fn resume(
    means: &Means,
    session: Option<&str>,
    budget: Option<Usd>,
    hear: Hear<'_>,
    cancel: &Cancel,
) -> Result<(Session, Ended), TeamworkError> {
    let mut team = DevTeam::open(&means.places)?;
    let session = team.take_up(session, budget)?;
    let mut drive = Drive::open(means, team, session.budget, hear, cancel)?;
    drive.hands.own(&session.id);
    hear(&format!("session {} goes on", session.id));
    drive.on()
}

/// Books what an executor used, and says once when most of the budget is gone.
fn book(team: &mut DevTeam, result: &TaskResult, task: &str, hear: Hear<'_>) -> Result<(), TeamworkError> {
    if team.book(&result.used, task)? {
        let session = team.current()?;
        hear(&format!("{} of {} are spent", session.cost, session.budget.unwrap_or_default()));
    }
    Ok(())
}

impl<'d> Drive<'d> {
    fn open(
        means: &Means,
        team: DevTeam,
        budget: Option<Usd>,
        hear: Hear<'d>,
        cancel: &'d Cancel,
    ) -> Result<Drive<'d>, TeamworkError> {
        let git = Git::open(&means.places.root)?;
        let hands = Hands::new(means, budget, hear)?;
        let hours = Duration::from_hours(u64::from(team.settings.goals.max_hours.max(1)));
        Ok(Drive { team, git, hands, hear, cancel, until: Instant::now() + hours, jobs: means.jobs.max(1) })
    }

    /// Works until the session comes to an end.
    fn on(&mut self) -> Result<(Session, Ended), TeamworkError> {
        let id = self.team.current()?.id;
        Workplace::new(self.git.root(), &id).prepare()?;
        let ended = if self.team.current()?.missions.missions.is_empty() { self.single() } else { self.lead() };
        // Checkouts are made anew from what is kept.
        self.hands.clear(&self.git);
        let ended = ended?;
        let (status, reason) = match &ended {
            Ended::Completed => (Status::Completed, String::new()),
            Ended::Failed(why) => (Status::Failed, why.clone()),
            Ended::Paused(why) => (Status::Paused, why.clone()),
            Ended::Interrupted => return Ok((self.team.current()?, ended)),
        };
        let session = self.team.end_session(status, &reason)?;
        report::write(&self.team, &session)?;
        Ok((session, ended))
    }

    /// Why nothing more may be begun now.
    fn stops(&self, session: &Session) -> Option<Ended> {
        if self.cancel.is_wanted() {
            return Some(Ended::Interrupted);
        }
        if session.left().is_some_and(Usd::is_zero) {
            let budget = session.budget.unwrap_or_default();
            return Some(Ended::Paused(format!("the budget of {budget} is used up")));
        }
        (Instant::now() >= self.until).then(|| {
            let hours = self.team.settings.goals.max_hours;
            Ended::Paused(format!("the run took longer than {hours} hours (safety.max_duration_hours)"))
        })
    }

    fn book(&mut self, result: &TaskResult, task: &str) -> Result<(), TeamworkError> {
        book(&mut self.team, result, task, self.hear)
    }
}
