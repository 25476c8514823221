//! The stages of a task and what leads from one to the next: one table, every pair decided.

use serde::{Deserialize, Serialize};

/// Where the work on a task stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    #[default]
    Idle,
    Initializing,
    SelectingAgent,
    Executing,
    AwaitingQualityGates,
    EvaluatingResults,
    Escalating,
    ActivatingBugCouncil,
    Completed,
    Failed,
}

/// What happens to a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Somebody takes a task.
    Start,
    /// The task is known.
    Known,
    /// An agent takes the task.
    Chosen,
    /// The work is said to be done.
    Report,
    /// The gates have run.
    Judged,
    /// Every required gate passes.
    Pass,
    /// The same model tries again.
    Again,
    /// Another model is to take over, by a threshold or because somebody asks.
    Escalate,
    /// The other model has taken over.
    TakenOver,
    /// The council is to find the cause.
    Diagnose,
    /// The council has decided.
    Decided,
    /// Nothing more is tried.
    GiveUp,
    /// The session ends.
    End,
}

impl Stage {
    pub const ALL: [Stage; 10] = [
        Stage::Idle,
        Stage::Initializing,
        Stage::SelectingAgent,
        Stage::Executing,
        Stage::AwaitingQualityGates,
        Stage::EvaluatingResults,
        Stage::Escalating,
        Stage::ActivatingBugCouncil,
        Stage::Completed,
        Stage::Failed,
    ];

    /// The stage after a step; none where the step cannot be taken here.
    pub fn after(self, step: Step) -> Option<Stage> {
        match self {
            Stage::Idle | Stage::Completed => match step {
                Step::Start => Some(Stage::Initializing),
                Step::End => Some(Stage::Idle),
                _ => None,
            },
            Stage::Failed => match step {
                Step::Start => Some(Stage::Initializing),
                Step::Diagnose => Some(Stage::ActivatingBugCouncil),
                Step::End => Some(Stage::Idle),
                _ => None,
            },
            Stage::Initializing => match step {
                Step::Known => Some(Stage::SelectingAgent),
                Step::End | Step::GiveUp => Some(Stage::Idle),
                _ => None,
            },
            Stage::SelectingAgent => match step {
                Step::Chosen => Some(Stage::Executing),
                Step::End | Step::GiveUp => Some(Stage::Idle),
                _ => None,
            },
            Stage::Executing => match step {
                Step::Report => Some(Stage::AwaitingQualityGates),
                Step::Escalate => Some(Stage::Escalating),
                Step::Diagnose => Some(Stage::ActivatingBugCouncil),
                Step::End => Some(Stage::Idle),
                _ => None,
            },
            Stage::AwaitingQualityGates => match step {
                Step::Judged => Some(Stage::EvaluatingResults),
                Step::End => Some(Stage::Idle),
                _ => None,
            },
            Stage::EvaluatingResults => match step {
                Step::Pass => Some(Stage::Completed),
                Step::Again => Some(Stage::Executing),
                Step::Escalate => Some(Stage::Escalating),
                Step::Diagnose => Some(Stage::ActivatingBugCouncil),
                Step::GiveUp => Some(Stage::Failed),
                Step::End => Some(Stage::Idle),
                _ => None,
            },
            Stage::Escalating => match step {
                Step::TakenOver => Some(Stage::Executing),
                Step::End => Some(Stage::Idle),
                _ => None,
            },
            Stage::ActivatingBugCouncil => match step {
                Step::Decided => Some(Stage::Executing),
                Step::End => Some(Stage::Idle),
                _ => None,
            },
        }
    }
}
