//! How far a team is: a function of what has happened to it. No file, no clock, no process.

#[cfg(test)]
mod tests;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// What a team is at. `Complete` and `Fallback` are final.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Stand {
    /// Variable, client and terminal are looked for.
    #[default]
    Detect,
    /// The agents are made.
    InitTeam,
    /// The implementers work.
    Prototype,
    /// The auditors review.
    Audit,
    /// What the audit found is handed back.
    Iterate,
    Complete,
    /// The plain way goes on: one session for each task.
    Fallback,
}

/// Why a team does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reason {
    /// The variable is not set.
    Disabled,
    /// The team was not made: no client, no terminal, an agent that did not come.
    InitFailed,
    /// Nobody is left who could do the work.
    AgentFailed,
    /// The iterations are used up, and the audit still does not pass.
    MaxIterations,
    /// The same, with critical findings left.
    AuditCritical,
}

impl Reason {
    /// As stored and shown.
    pub(super) fn word(self) -> &'static str {
        match self {
            Reason::Disabled => "disabled",
            Reason::InitFailed => "init_failed",
            Reason::AgentFailed => "agent_failed",
            Reason::MaxIterations => "max_iterations",
            Reason::AuditCritical => "audit_critical",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    #[default]
    Idle,
    Working,
    Done,
    Failed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Part {
    Implementer,
    Auditor,
}

/// An agent of a team. Messages stay inside a track.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Agent {
    pub(super) status: Status,
    pub(super) part: Part,
    pub(super) track: String,
}

/// What the auditors found, all together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Audit {
    pub(super) critical_issues: u32,
    pub(super) warnings: u32,
    pub(super) passed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mode {
    Team,
    /// One session for each task.
    Task,
}

/// A team, as `team-state.json` has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Team {
    pub(super) mode: Mode,
    pub(super) state: Stand,
    /// Repeats so far.
    pub(super) iteration: u32,
    pub(super) max_iterations: u32,
    /// RFC 3339, as the time of each change.
    pub(super) started_at: String,
    pub(super) last_transition: String,
    pub(super) agents: IndexMap<String, Agent>,
    pub(super) audit_results: Audit,
    pub(super) fallback_reason: Option<Reason>,
    pub(super) run_id: String,
    /// Tasks and attempts that the team works on: `TASK-001-1`.
    pub(super) tasks: Vec<String>,
    /// What was made of each of these when it was last called done, as a tree of git: a team that is taken up again goes on from it.
    #[serde(default)]
    pub(super) work: Vec<String>,
    /// What the last audit found, by track.
    #[serde(default)]
    pub(super) findings: IndexMap<String, Vec<String>>,
}

/// What happens to a team.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Event {
    /// Variable, client and terminal were looked for: what is missing.
    Detected(Option<Reason>),
    /// The agents were made, or one of them did not come.
    Created(bool),
    /// An agent is given more to do.
    Given(String),
    /// An agent has done what it was given.
    Done(String),
    /// An agent will do nothing more.
    Failed(String),
    /// All auditors have told what they found.
    Audited(Audit),
    /// What the audit found was handed back.
    HandedBack,
    /// The client has ended, and with it every agent.
    Lost,
}

/// Repeats of a team; with one more it falls.
pub(super) const MAX_ITERATIONS: u32 = 2;

impl Team {
    /// A team that nothing has happened to.
    pub(super) fn new(run: &str, tasks: Vec<String>, agents: IndexMap<String, Agent>, at: &str) -> Team {
        Team {
            mode: Mode::Team,
            state: Stand::Detect,
            iteration: 0,
            max_iterations: MAX_ITERATIONS,
            started_at: at.to_owned(),
            last_transition: at.to_owned(),
            agents,
            audit_results: Audit::default(),
            fallback_reason: None,
            run_id: run.to_owned(),
            tasks,
            work: Vec::new(),
            findings: IndexMap::new(),
        }
    }

    pub(super) fn is_final(&self) -> bool {
        matches!(self.state, Stand::Complete | Stand::Fallback)
    }

    fn of(&self, part: Part) -> impl Iterator<Item = &Agent> {
        self.agents.values().filter(move |it| it.part == part)
    }

    /// Whether all agents of a part have settled, and one at least has done its work.
    fn is_through(&self, part: Part) -> bool {
        self.of(part).all(|it| matches!(it.status, Status::Done | Status::Failed))
            && self.of(part).any(|it| it.status == Status::Done)
    }

    /// Whether an agent is of the part whose turn it is.
    fn is_at_work(&self, name: &str) -> bool {
        let turn = if self.state == Stand::Audit { Part::Auditor } else { Part::Implementer };
        self.agents.get(name).is_some_and(|it| it.part == turn)
    }

    fn is_lost(&self, part: Part) -> bool {
        self.of(part).all(|it| it.status == Status::Failed)
    }

    /// The team after an event at a time. An event that does not fit the state changes nothing.
    pub(super) fn after(&self, event: &Event, at: &str) -> Team {
        let mut next = self.clone();
        match (self.state, event) {
            _ if self.is_final() => {}
            (Stand::Detect, Event::Detected(None)) => next.state = Stand::InitTeam,
            (Stand::Detect, Event::Detected(Some(reason))) => next.fall(*reason),
            (Stand::Detect | Stand::InitTeam, Event::Lost) | (Stand::InitTeam, Event::Created(false)) => {
                next.fall(Reason::InitFailed);
            }
            (_, Event::Lost) => next.fall(Reason::AgentFailed),
            (Stand::InitTeam, Event::Created(true)) => next.begin(Stand::Prototype, Part::Implementer),
            (Stand::Prototype | Stand::Audit, Event::Given(name)) if self.is_at_work(name) => {
                next.set(name, Status::Working);
            }
            (Stand::Prototype | Stand::Audit, Event::Done(name)) if self.is_at_work(name) => {
                next.set(name, Status::Done);
            }
            (Stand::Prototype | Stand::Audit, Event::Failed(name)) => next.set(name, Status::Failed),
            (Stand::Audit, Event::Audited(audit)) if self.is_through(Part::Auditor) => {
                next.audit_results = *audit;
                next.state = if audit.passed && audit.critical_issues == 0 { Stand::Complete } else { Stand::Iterate };
            }
            (Stand::Iterate, Event::HandedBack) if self.iteration < self.max_iterations => {
                next.iteration += 1;
                next.begin(Stand::Prototype, Part::Implementer);
            }
            (Stand::Iterate, Event::HandedBack) if self.audit_results.critical_issues > 0 => {
                next.fall(Reason::AuditCritical);
            }
            (Stand::Iterate, Event::HandedBack) => next.fall(Reason::MaxIterations),
            _ => {}
        }
        if next.state == Stand::Prototype && next.is_through(Part::Implementer) {
            next.begin(Stand::Audit, Part::Auditor);
        }
        let lost = match next.state {
            Stand::Prototype => next.is_lost(Part::Implementer) || next.is_lost(Part::Auditor),
            Stand::Audit => next.is_lost(Part::Auditor),
            _ => false,
        };
        if lost {
            next.fall(Reason::AgentFailed);
        }
        if next.state != self.state {
            at.clone_into(&mut next.last_transition);
        }
        next
    }

    /// A team that was cut off, with new agents in the place of the old ones. What was made is there, or the round begins again.
    pub(super) fn taken_up(&self, has_work: bool) -> Team {
        let mut next = self.clone();
        match self.state {
            Stand::Prototype => next.begin(Stand::Prototype, Part::Implementer),
            Stand::Audit if has_work => next.begin(Stand::Audit, Part::Auditor),
            Stand::Iterate if has_work => {}
            Stand::Audit | Stand::Iterate => next.begin(Stand::Prototype, Part::Implementer),
            _ => {}
        }
        next
    }

    fn fall(&mut self, reason: Reason) {
        self.state = Stand::Fallback;
        self.mode = Mode::Task;
        self.fallback_reason = Some(reason);
    }

    fn set(&mut self, name: &str, status: Status) {
        // Whoever has failed does not come back.
        if let Some(agent) = self.agents.get_mut(name).filter(|it| it.status != Status::Failed) {
            agent.status = status;
        }
    }

    fn begin(&mut self, state: Stand, part: Part) {
        self.state = state;
        for agent in self.agents.values_mut().filter(|it| it.status != Status::Failed) {
            match part {
                _ if agent.part == part => agent.status = Status::Working,
                // A new round: nothing is reviewed yet.
                Part::Implementer => agent.status = Status::Idle,
                Part::Auditor => {}
            }
        }
    }
}
