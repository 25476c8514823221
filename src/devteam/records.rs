//! What a session is made of: models, limits, tasks, failures, and the closed list of what happens.

use serde::{Deserialize, Serialize};

use super::table::Stage;
use crate::council::{Council, Decision, Submission};
use crate::events::GateResult;
use crate::ledger::Usd;
use crate::missions;

/// Which model works, by size; the configuration names them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    Small,
    #[default]
    Middle,
    Large,
}

impl Model {
    pub const ALL: [Model; 3] = [Model::Small, Model::Middle, Model::Large];

    /// The next larger one; none after the largest.
    pub fn larger(self) -> Option<Model> {
        match self {
            Model::Small => Some(Model::Middle),
            Model::Middle => Some(Model::Large),
            Model::Large => None,
        }
    }
}

/// Limits of a session, as they were configured when it began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// Evaluations of a task.
    pub max_iterations: u32,
    /// Failures in a row after which a larger model takes over.
    pub escalation_threshold: u32,
    /// Failures in a row on one model after which nothing more is tried.
    pub breaker: u32,
    pub stuck_detection: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_iterations: 10, escalation_threshold: 2, breaker: 5, stuck_detection: true }
    }
}

/// A task as the team takes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Work {
    /// The id of a task of the plan, or `adhoc`.
    pub id: String,
    pub description: String,
    pub acceptance_criteria: Vec<String>,
    /// Patterns of files that may be changed; none of an ad-hoc task: no restriction.
    pub scope_files: Vec<String>,
    /// 1 to 14.
    pub complexity: u8,
}

/// An evaluation that did not pass.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    pub iteration: u32,
    pub model: Model,
    pub agent: String,
    /// Files that the attempt changed, sorted.
    pub files: Vec<String>,
    pub summary: String,
    pub gates_failed: Vec<String>,
    pub errors: Vec<String>,
    /// Of all gates; `errors` may hold fewer.
    pub error_count: usize,
}

/// Where the work on the task stands: what a checkpoint keeps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    pub stage: Stage,
    pub task: Option<Work>,
    pub agent: String,
    pub model: Model,
    /// From 1; 0 before the first task.
    pub iteration: u32,
    /// Failures in a row on this model.
    pub failures: u32,
    /// Failures of the task, oldest first.
    pub history: Vec<Failure>,
    /// Failures before this place of the history were seen by a council.
    pub diagnosed: usize,
    pub councils: u32,
    /// A council was started after the task had failed.
    pub is_last_council: bool,
    /// A gate said that nobody may go on.
    pub is_halted: bool,
    pub council: Option<Council>,
    pub decision: Option<Decision>,
    /// How the task is to be worked on.
    #[serde(default)]
    pub plan: String,
    /// The files when the executor began, as a commit; none where nobody is at work from outside.
    #[serde(default)]
    pub begun: Option<String>,
    pub gates: Vec<GateResult>,
    /// What was changed since the last evaluation, as reported.
    pub reported: Option<(Vec<String>, String)>,
    /// Why the executor did not finish.
    #[serde(default)]
    pub trouble: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    #[default]
    Initializing,
    Running,
    Paused,
    Completed,
    Failed,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checkpoint {
    pub id: String,
    pub created_at: String,
    pub description: String,
    pub standing: Standing,
}

/// A task that has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    pub id: String,
    pub passed: bool,
    pub iterations: u32,
}

/// What happens in a session: a closed list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    SessionStarted {
        command: String,
        command_type: String,
        is_eco: bool,
        limits: Limits,
        /// What may be spent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        budget: Option<Usd>,
    },
    /// How the task is to be worked on, where somebody planned it first.
    WorkPlanned {
        plan: String,
    },
    /// An executor begins: the files as they are, as a commit of git.
    WorkBegun {
        commit: String,
    },
    TaskStarted {
        task: Work,
        agent: String,
        model: Model,
    },
    CompletionReported {
        files: Vec<String>,
        summary: String,
        /// Why the executor did not finish.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trouble: Option<String>,
    },
    Evaluated {
        gates: Vec<GateResult>,
    },
    Escalated {
        to: Option<Model>,
        reason: String,
    },
    CouncilStarted {},
    CouncilSubmitted {
        submission: Submission,
    },
    CheckpointSaved {
        id: String,
        description: String,
    },
    CheckpointRestored {
        id: String,
    },
    BudgetSet {
        budget: Usd,
    },
    /// Four fifths of the budget are spent.
    BudgetWarned {},
    /// Something happened in the run of missions.
    Missions {
        happened: missions::Event,
    },
    TokensRecorded {
        model: String,
        input: u64,
        output: u64,
        task: Option<String>,
        cost: Usd,
    },
    SessionEnded {
        status: Status,
        reason: String,
    },
    SessionResumed {},
}

impl Event {
    /// As it stands in the log, with the category that other tools know.
    pub fn kind(&self) -> (&'static str, &'static str) {
        match self {
            Event::SessionStarted { .. } => ("session_started", "session"),
            Event::TaskStarted { .. } => ("task_started", "task"),
            Event::CompletionReported { .. } => ("completion_reported", "task"),
            Event::Evaluated { .. } => ("gates_evaluated", "gate"),
            Event::Escalated { .. } => ("model_escalated", "escalation"),
            Event::CouncilStarted {} => ("council_started", "council"),
            Event::CouncilSubmitted { .. } => ("council_submitted", "council"),
            Event::WorkPlanned { .. } => ("work_planned", "task"),
            Event::WorkBegun { .. } => ("work_begun", "task"),
            Event::BudgetSet { .. } => ("budget_set", "cost"),
            Event::BudgetWarned {} => ("cost_warning", "cost"),
            Event::Missions { happened } => match happened {
                missions::Event::Planned { .. } => ("missions_planned", "mission"),
                missions::Event::RoleStarted { .. } => ("role_started", "mission"),
                missions::Event::RoleFinished { .. } => ("role_finished", "mission"),
                missions::Event::Intervened { .. } => ("intervened", "mission"),
            },
            Event::CheckpointSaved { .. } => ("checkpoint_saved", "session"),
            Event::CheckpointRestored { .. } => ("checkpoint_restored", "session"),
            Event::TokensRecorded { .. } => ("tokens_recorded", "cost"),
            Event::SessionEnded { .. } => ("session_ended", "session"),
            Event::SessionResumed {} => ("session_resumed", "session"),
        }
    }
}

/// Why something cannot happen now, and which tool comes first.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);
