//! The development team: a session takes a task, hears what was done, runs the gates, and says honestly what comes next: done,
//! once more, a larger model, the council, or the end. Every transition is an event in the database, and everything that is
//! told follows from the events.

pub mod agents;
mod capabilities;
mod evaluate;
mod outside;
mod records;
mod roles;
mod rows;
mod session;
mod stuck;
mod table;
mod tasks;
mod team_settings;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use serde::Serialize;

use agents::{Agents, Asked};
pub use evaluate::{Verdict, failed};
pub use outside::Delivery;
use records::Event;
pub use records::{Checkpoint, Ended, Failure, Limits, Model, Refused, Standing, Status, Work};
use rows::Log;
pub use session::Session;
pub use table::{Stage, Step};
pub use team_settings::{Goals, Settings};

use crate::council::{Member, Submission};
use crate::events::{GateResult, GateVerdict};
use crate::gates::{self, Gate, GateSettings};
use crate::ledger::{UnknownPrice, Usage, Usd};
use crate::missions::Roles;
use crate::process::Cancel;
use crate::settings;
use crate::store::StoreError;

/// Why something cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum DevTeamError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the session {session} cannot be read: {reason}; a newer treaty may have written it")]
    Unreadable { session: String, reason: String },
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error(transparent)]
    Price(#[from] UnknownPrice),
    #[error("{0}")]
    NotFound(String),
    #[error("{0}")]
    Settings(String),
}

impl DevTeamError {
    fn unreadable(session: &str, error: &serde_json::Error) -> DevTeamError {
        DevTeamError::Unreadable { session: session.to_owned(), reason: error.to_string() }
    }

    fn refused(why: impl Into<String>) -> DevTeamError {
        DevTeamError::Refused(Refused(why.into()))
    }

    /// The class of the error, in one word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            DevTeamError::Store(_) => "database",
            DevTeamError::Unreadable { .. } => "unreadable",
            DevTeamError::Refused(_) => "refused",
            DevTeamError::Price(_) => "unknown_price",
            DevTeamError::NotFound(_) => "not_found",
            DevTeamError::Settings(_) => "settings",
        }
    }
}

/// An event in a list.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    pub seq: i64,
    pub timestamp: String,
    pub event_type: String,
    pub event_category: String,
}

/// The sessions of a project.
#[derive(Debug)]
pub struct DevTeam {
    log: Log,
    root: PathBuf,
    pub settings: Settings,
    pub agents: Agents,
    pub roles: Roles,
    /// The session that was started here: others of the same database are apart.
    own: Option<String>,
}

/// Where a team finds what it works with.
#[derive(Clone, Debug)]
pub struct Places {
    pub root: PathBuf,
    pub database: PathBuf,
    /// `.devteam`
    pub config: PathBuf,
    /// Folder of agents.
    pub agents: PathBuf,
}

/// Who works, and how.
#[derive(Clone, Debug)]
pub struct Team {
    pub settings: Settings,
    pub agents: Agents,
    pub roles: Roles,
}

impl Team {
    /// The team of a project: its `treaty.toml`, the folder of its settings, the folder of its agents.
    ///
    /// # Errors
    /// A `treaty.toml` that cannot be used. What cannot be used of the folders is a problem, and the rest holds.
    pub fn load(root: &Path, config: &Path, agents: &Path) -> Result<Team, DevTeamError> {
        let file = root.join(crate::config::FILE_NAME);
        let shown = file.display().to_string();
        let project = match std::fs::read_to_string(&file) {
            Ok(text) => settings::parse(&shown, &text).map_err(|error| DevTeamError::Settings(error.to_string()))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => settings::Settings::default(),
            Err(error) => return Err(DevTeamError::Settings(format!("{shown}: {error}"))),
        };
        let settings = Settings::load(config, &GateSettings::from(&project.gates), &project.prices);
        let mut agents = Agents::load(agents);
        capabilities::add(&mut agents, config);
        Ok(Team { settings, agents, roles: roles::load(&config.join("roles")) })
    }
}

/// What somebody who takes a task is told.
#[derive(Debug)]
pub struct Started {
    pub session: Session,
    pub support: Vec<String>,
    pub reasoning: String,
}

impl DevTeam {
    /// Opens the sessions of a database, and makes it where there is none.
    ///
    /// # Errors
    /// Those of the database, and a `treaty.toml` that cannot be used.
    pub fn open(places: &Places) -> Result<DevTeam, DevTeamError> {
        let Team { settings, agents, roles } = Team::load(&places.root, &places.config, &places.agents)?;
        Ok(DevTeam { log: Log::open(&places.database)?, root: places.root.clone(), settings, agents, roles, own: None })
    }

    /// The settings of a project's team, without its sessions.
    ///
    /// # Errors
    /// A `treaty.toml` that cannot be used.
    pub fn settings(places: &Places) -> Result<Settings, DevTeamError> {
        Ok(Team::load(&places.root, &places.config, &places.agents)?.settings)
    }

    /// Begins a session.
    ///
    /// # Errors
    /// The session that was started here is under way.
    pub fn start_session(
        &mut self,
        command: &str,
        command_type: &str,
        is_eco: bool,
        budget: Option<Usd>,
    ) -> Result<Session, DevTeamError> {
        if let Some(session) = self.own.clone().map(|it| self.log.session(&it)).transpose()?
            && session.status == Status::Running
        {
            let message = format!("the session {} is under way; `devteam_end_session` ends or pauses it", session.id);
            return Err(DevTeamError::refused(message));
        }
        let id = uuid::Uuid::new_v4().simple().to_string().chars().take(12).collect::<String>();
        let threshold = if is_eco { self.settings.eco_threshold } else { self.settings.limits.escalation_threshold };
        let limits = Limits { escalation_threshold: threshold, ..self.settings.limits.clone() };
        let event = Event::SessionStarted {
            command: command.to_owned(),
            command_type: command_type.to_owned(),
            is_eco,
            limits,
            budget,
        };
        let session = self.log.append(&id, &event)?;
        self.own = Some(id);
        Ok(session)
    }

    /// The session that is worked on: the one that was started here, else the newest that has not ended.
    ///
    /// # Errors
    /// There is none.
    pub fn current(&self) -> Result<Session, DevTeamError> {
        let own = self.own.clone().map(|it| self.log.session(&it)).transpose()?.filter(Session::is_active);
        if let Some(own) = own {
            return Ok(own);
        }
        let newest = self.log.newest_active()?.map(|it| self.log.session(&it)).transpose()?;
        newest.ok_or_else(|| DevTeamError::refused("there is no active session; call `devteam_start_session` first"))
    }

    /// The newest sessions.
    ///
    /// # Errors
    /// Those of the database.
    pub fn history(&self, most: usize) -> Result<Vec<Session>, DevTeamError> {
        self.log.ids(most)?.iter().map(|it| self.log.session(it)).collect()
    }

    /// The last events of a session, oldest first.
    ///
    /// # Errors
    /// Those of the database, and a session that is not there.
    pub fn events(&self, session: &str, most: usize) -> Result<Vec<Row>, DevTeamError> {
        if !self.log.has(session)? {
            return Err(DevTeamError::NotFound(format!("there is no session `{session}`")));
        }
        self.log.last(session, most)
    }

    /// All events of a session with what they say, as JSON, oldest first.
    ///
    /// # Errors
    /// Those of the database, and a session that is not there.
    pub fn bodies(&self, session: &str) -> Result<Vec<(Row, String)>, DevTeamError> {
        if !self.log.has(session)? {
            return Err(DevTeamError::NotFound(format!("there is no session `{session}`")));
        }
        self.log.bodies(session)
    }

    /// Ends or pauses the session.
    ///
    /// # Errors
    /// There is none.
    pub fn end_session(&mut self, status: Status, reason: &str) -> Result<Session, DevTeamError> {
        let id = self.current()?.id;
        self.log.append(&id, &Event::SessionEnded { status, reason: reason.to_owned() })
    }

    /// Takes a task, with the agent that fits and the model that its complexity asks for. A paused session goes on.
    ///
    /// # Errors
    /// There is no session, a task is under way, or nobody knows the task.
    pub fn start_task(&mut self, mut task: Work) -> Result<Started, DevTeamError> {
        let mut session = self.current()?;
        if session.status == Status::Paused {
            session = self.log.append(&session.id, &Event::SessionResumed {})?;
            // The task that the pause interrupted goes on where it stands.
            if session.now.task.as_ref().is_some_and(|it| it.id == task.id) && session.now.stage != Stage::Idle {
                return Ok(Started { session, support: Vec::new(), reasoning: "the session goes on".to_owned() });
            }
        }
        if task.id != "adhoc" {
            task = self.planned(&task.id, &task.scope_files)?;
        } else if task.description.trim().is_empty() {
            return Err(DevTeamError::refused("an ad-hoc task needs `description` and `acceptanceCriteria`"));
        } else if task.acceptance_criteria.is_empty() {
            return Err(DevTeamError::refused(
                "an ad-hoc task needs `acceptanceCriteria`: how is it known to be done?",
            ));
        }
        let task_type = tasks::kind(&session.command_type, &task.description);
        let asked =
            Asked { description: &task.description, task_type, files: &task.scope_files, complexity: task.complexity };
        let chosen = self.agents.select(&asked).ok_or_else(|| {
            DevTeamError::NotFound("there is no agent; `DEVTEAM_AGENTS` names a folder of them".to_owned())
        })?;
        let is_risky = matches!(task_type, "security") || chosen.primary.id == "architect";
        let by_agent = self.settings.model(&chosen.primary.model).filter(|_| !session.is_eco);
        let by_complexity = evaluate::first_model(task.complexity, session.is_eco, is_risky);
        // An agent that asks for a larger model than the task gets the larger one.
        let model = by_agent.map_or(by_complexity, |it| it.max(by_complexity));
        let (agent, support, reasoning) = (chosen.primary.id.clone(), chosen.support.clone(), chosen.reasoning.clone());
        let session = self.log.append(&session.id, &Event::TaskStarted { task, agent, model })?;
        Ok(Started { session, support, reasoning })
    }

    /// Hears that the work is done, runs the gates, and decides.
    ///
    /// # Errors
    /// No task is under way, files lie outside of its scope, or no gate can run: then nothing can be said of the work, and
    /// nothing is.
    pub fn report(&mut self, files: &[String], summary: &str) -> Result<Session, DevTeamError> {
        let session = self.current()?;
        let is_cut_off = session.now.stage == Stage::AwaitingQualityGates;
        if session.now.stage != Stage::Executing && !is_cut_off {
            return Err(DevTeamError::refused(session.what_first()));
        }
        if files.is_empty() && !is_cut_off {
            return Err(DevTeamError::refused(
                "`filesChanged` is empty: nothing was done; name the files that changed",
            ));
        }
        let outside = self.outside(&session, files);
        if !outside.is_empty() {
            let message = format!(
                "outside of the scope of the task: {}; take these changes back, or start a task whose scope holds them",
                outside.join(", ")
            );
            return Err(DevTeamError::refused(message));
        }
        self.can_tell()?;
        let id = session.id.clone();
        if !is_cut_off {
            let (files, summary) = (files.to_vec(), summary.to_owned());
            self.log.append(&id, &Event::CompletionReported { files, summary, trouble: None })?;
        }
        let gates = self.verdicts(&id, &Cancel::default())?;
        self.log.append(&id, &Event::Evaluated { gates })
    }

    /// Whether anything could tell that work is done.
    fn can_tell(&self) -> Result<(), DevTeamError> {
        let wanted = GateSettings { enabled: self.settings.required.clone(), ..self.settings.gates.clone() };
        let found = gates::detect(&self.root, &wanted);
        if found.iter().any(|it| it.command.is_some()) {
            return Ok(());
        }
        let notes: Vec<String> = found.iter().map(|it| format!("{}: {}", it.gate.name(), it.note)).collect();
        Err(DevTeamError::refused(format!(
            "no gate can run, so nobody can tell whether the work is done ({}); write tests, or name commands in \
             [gates.commands] of treaty.toml or qualityGates of .devteam",
            notes.join("; ")
        )))
    }

    /// Runs gates of the project, and decides nothing.
    pub fn run_gates(&self, session: &str, wanted: &[Gate]) -> Vec<GateResult> {
        self.ran(session, wanted, &Cancel::default())
    }

    fn ran(&self, session: &str, wanted: &[Gate], cancel: &Cancel) -> Vec<GateResult> {
        let settings = GateSettings { enabled: wanted.to_vec(), ..self.settings.gates.clone() };
        gates::run(&self.root, None, &settings, &self.logs(session), cancel)
    }

    /// Where the whole of what gates say is kept.
    pub fn logs(&self, session: &str) -> PathBuf {
        self.root.join(".treaty").join("devteam").join(session)
    }

    /// Hands the task to a larger model, or to the council where there is none.
    ///
    /// # Errors
    /// No task is under way, or the model is not known or not larger.
    pub fn escalate(&mut self, reason: &str, to: Option<&str>) -> Result<Session, DevTeamError> {
        let session = self.current()?;
        let to = match to {
            None => None,
            Some(name) => Some(self.settings.model(name).ok_or_else(|| {
                let names = self.settings.models.join(", ");
                DevTeamError::refused(format!("`{name}` is no model of this team; there is {names}"))
            })?),
        };
        self.log.append(&session.id, &Event::Escalated { to, reason: reason.to_owned() })
    }

    /// The council, which is convened where the task has failed.
    ///
    /// # Errors
    /// The task is neither stuck nor failed, or has had its council.
    pub fn convene(&mut self) -> Result<Session, DevTeamError> {
        let session = self.current()?;
        if session.now.stage == Stage::ActivatingBugCouncil {
            return Ok(session);
        }
        self.log.append(&session.id, &Event::CouncilStarted {})
    }

    /// Takes what a member of the council says.
    ///
    /// # Errors
    /// No council is at work, or the member has spoken.
    pub fn submit(&mut self, submission: Submission) -> Result<Session, DevTeamError> {
        let id = self.current()?.id;
        self.log.append(&id, &Event::CouncilSubmitted { submission })
    }

    /// Keeps where the work stands. Files are not kept.
    ///
    /// # Errors
    /// There is no session.
    pub fn save(&mut self, description: &str) -> Result<(Session, String), DevTeamError> {
        let session = self.current()?;
        let id = format!("cp-{}", session.checkpoints.len() + 1);
        let event = Event::CheckpointSaved { id: id.clone(), description: description.to_owned() };
        Ok((self.log.append(&session.id, &event)?, id))
    }

    /// Goes back to where the work stood. Files stay as they are.
    ///
    /// # Errors
    /// There is no such checkpoint.
    pub fn restore(&mut self, id: &str) -> Result<Session, DevTeamError> {
        let session = self.current()?;
        self.log.append(&session.id, &Event::CheckpointRestored { id: id.to_owned() })
    }

    /// Books tokens.
    ///
    /// # Errors
    /// There is no session, or the price of the model is not known.
    pub fn record(
        &mut self,
        model: &str,
        input: u64,
        output: u64,
        task: Option<String>,
    ) -> Result<Session, DevTeamError> {
        let session = self.current()?;
        let usage = Usage { model: model.to_owned(), input, output, ..Usage::default() };
        let cost: Usd = self.settings.prices.cost(&usage)?;
        let event = Event::TokensRecorded { model: model.to_owned(), input, output, task, cost };
        self.log.append(&session.id, &event)
    }

    /// Who is asked next in the council.
    pub fn next_member(session: &Session) -> Option<Member> {
        session.now.council.as_ref()?.next()
    }
}

/// Whether any gate has said something of the work.
pub fn has_run(gates: &[GateResult]) -> bool {
    gates.iter().any(|it| it.verdict != GateVerdict::Skipped)
}
