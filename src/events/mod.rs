//! Everything that happens in a run, as a closed list, and the log that keeps it.
//!
//! An event is committed before anything relies on it. What a run is at any time follows from its events alone.

mod export;
mod log;
mod rows;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::architect::Decomposition;
use crate::council::{Member, Submission};
pub use crate::finding::Depth;
use crate::finding::Severity;
use crate::ledger::{Usage, Usd};
use crate::plan::{Plan, Task};

pub use export::{line, write_all};
pub use log::{EventError, Log, Recorded, RunRow};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Event {
    RunStarted(RunStarted),
    /// A process took a run up that another one left.
    RunResumed {
        owner: String,
        budget: Option<Usd>,
    },
    /// `mends`: findings can be handed to the backend; `answers`: it can be asked a question.
    BackendChosen {
        backend: String,
        reason: String,
        passed_over: Vec<String>,
        mends: bool,
        #[serde(default)]
        answers: bool,
    },
    PhaseStarted {
        phase: Phase,
    },
    PhaseFinished {
        phase: Phase,
        outcome: PhaseOutcome,
        note: String,
    },
    /// What an architect elsewhere made of the requirements; where it made nothing, the own decomposition stands in for it.
    Decomposed {
        decomposition: Option<Decomposition>,
        fallback: bool,
        warning: Option<String>,
    },
    /// `base` is the commit with the contracts, which every task starts from.
    PlanMade {
        plan: Plan,
        base: String,
        /// A person edited it: nobody is asked to better it.
        #[serde(default)]
        edited: bool,
    },
    /// What a model made of the plan; none where the plan stays as it is. `note`: what changed, or why nothing did.
    PlanRefined {
        plan: Option<Plan>,
        note: String,
        result: TaskResult,
    },
    WaveStarted {
        wave: usize,
    },
    TaskStarted {
        task: String,
        attempt: u32,
        allowance: Option<Usd>,
        base: String,
    },
    AttemptFinished {
        task: String,
        attempt: u32,
        result: TaskResult,
    },
    AttemptJudged {
        task: String,
        attempt: u32,
        verdict: Verdict,
    },
    TaskMerged {
        task: String,
        attempt: u32,
        commit: String,
    },
    /// New files of a merged task that the codebase index took; `left_out`: those that it did not.
    ArtifactsRegistered {
        task: String,
        files: Vec<String>,
        left_out: usize,
        warning: Option<String>,
    },
    MergeConflicted {
        task: String,
        attempt: u32,
        files: Vec<String>,
    },
    TaskFailed {
        task: String,
        reason: String,
    },
    /// A task is stuck: the council looks for the cause. `allowance`: what each of its questions may cost.
    CouncilConvened {
        task: String,
        allowance: Option<Usd>,
    },
    /// What a member said in a round; none where the provider cut the question off, which is asked again.
    CouncilSpoke {
        task: String,
        member: Member,
        submission: Option<Submission>,
        result: TaskResult,
    },
    StageStarted {
        stage: Stage,
        pass: u32,
    },
    StageScanned {
        stage: Stage,
        pass: u32,
        outcome: StageOutcome,
    },
    /// What a stage found becomes a task like any other.
    FixPlanned {
        stage: Stage,
        pass: u32,
        task: Task,
    },
    StageFinished {
        stage: Stage,
        fixed: usize,
        residual: usize,
        new: usize,
    },
    BudgetWarned {
        spent: Usd,
        cap: Usd,
    },
    BudgetReached {
        spent: Usd,
        cap: Usd,
    },
    /// A limit of somebody else: nothing starts before `until` (RFC 3339).
    Paused {
        until: String,
        reason: String,
    },
    Continued,
    Interrupted {
        reason: String,
    },
    /// A person wants a failed task to be tried once more.
    TaskRetried {
        task: String,
    },
    /// Each contracted operation was asked.
    OperationsAsked {
        rows: Vec<AskedRow>,
    },
    HealthMeasured {
        health: Health,
    },
    RunFinished {
        outcome: Outcome,
    },
}

impl Event {
    /// The name of its kind, as stored.
    pub fn kind(&self) -> &'static str {
        match self {
            Event::RunStarted(_) => "run_started",
            Event::RunResumed { .. } => "run_resumed",
            Event::BackendChosen { .. } => "backend_chosen",
            Event::PhaseStarted { .. } => "phase_started",
            Event::PhaseFinished { .. } => "phase_finished",
            Event::Decomposed { .. } => "decomposed",
            Event::PlanMade { .. } => "plan_made",
            Event::PlanRefined { .. } => "plan_refined",
            Event::WaveStarted { .. } => "wave_started",
            Event::TaskStarted { .. } => "task_started",
            Event::AttemptFinished { .. } => "attempt_finished",
            Event::AttemptJudged { .. } => "attempt_judged",
            Event::TaskMerged { .. } => "task_merged",
            Event::ArtifactsRegistered { .. } => "artifacts_registered",
            Event::MergeConflicted { .. } => "merge_conflicted",
            Event::TaskFailed { .. } => "task_failed",
            Event::CouncilConvened { .. } => "council_convened",
            Event::CouncilSpoke { .. } => "council_spoke",
            Event::StageStarted { .. } => "stage_started",
            Event::StageScanned { .. } => "stage_scanned",
            Event::FixPlanned { .. } => "fix_planned",
            Event::StageFinished { .. } => "stage_finished",
            Event::BudgetWarned { .. } => "budget_warned",
            Event::BudgetReached { .. } => "budget_reached",
            Event::Paused { .. } => "paused",
            Event::Continued => "continued",
            Event::Interrupted { .. } => "interrupted",
            Event::TaskRetried { .. } => "task_retried",
            Event::OperationsAsked { .. } => "operations_asked",
            Event::HealthMeasured { .. } => "health_measured",
            Event::RunFinished { .. } => "run_finished",
        }
    }
}

/// What was asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunStarted {
    /// Path of the requirements, as given.
    pub requirements: String,
    /// The requirements themselves, with the answers: a run does not depend on a file that changes.
    pub text: String,
    pub depth: Depth,
    /// Services to build; all where empty.
    pub services: Vec<String>,
    pub jobs: usize,
    pub budget: Option<Usd>,
    /// Attempts of a task.
    pub attempts: u32,
    /// Passes of a fix loop.
    pub fix_passes: u32,
    pub plan_only: bool,
    pub backend: String,
    /// Stages that are not looked at, each with the reason.
    #[serde(default)]
    pub left_out: Vec<(Stage, String)>,
    /// New files are registered with the codebase index once they are merged.
    #[serde(default)]
    pub registers: bool,
    /// A council looks for the cause before a task is given up.
    #[serde(default)]
    pub council: bool,
    /// A model is asked to better the plan.
    #[serde(default)]
    pub refine_plan: bool,
}

/// Parts of a run, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Configuration,
    CodebaseMap,
    DesignReference,
    Chunking,
    Contracts,
    Plan,
    TechResearch,
    Execution,
    PostBuild,
    ContractEndToEnd,
    Report,
}

impl Stage {
    pub const ALL: [Stage; 19] = [
        Stage::Mock,
        Stage::Ui,
        Stage::Deployment,
        Stage::Asset,
        Stage::PrdReconciliation,
        Stage::DualOrm,
        Stage::DefaultValue,
        Stage::Relationship,
        Stage::ApiContract,
        Stage::EndpointSchema,
        Stage::MissingEndpoint,
        Stage::EventSchema,
        Stage::SharedModel,
        Stage::SilentDataLoss,
        Stage::EndpointXref,
        Stage::E2eBackend,
        Stage::E2eFrontend,
        Stage::E2eQuality,
        Stage::Browser,
    ];

    /// As stored and shown: `missing_endpoint`.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Mock => "mock",
            Stage::Ui => "ui",
            Stage::Deployment => "deployment",
            Stage::Asset => "asset",
            Stage::PrdReconciliation => "prd_reconciliation",
            Stage::DualOrm => "dual_orm",
            Stage::DefaultValue => "default_value",
            Stage::Relationship => "relationship",
            Stage::ApiContract => "api_contract",
            Stage::EndpointSchema => "endpoint_schema",
            Stage::MissingEndpoint => "missing_endpoint",
            Stage::EventSchema => "event_schema",
            Stage::SharedModel => "shared_model",
            Stage::SilentDataLoss => "silent_data_loss",
            Stage::EndpointXref => "endpoint_xref",
            Stage::E2eBackend => "e2e_backend",
            Stage::E2eFrontend => "e2e_frontend",
            Stage::E2eQuality => "e2e_quality",
            Stage::Browser => "browser",
        }
    }

    /// Whether what the stage finds is handed to a fixer: two stages only report.
    pub fn is_mended(self) -> bool {
        !matches!(self, Stage::PrdReconciliation | Stage::E2eQuality)
    }
}

impl Phase {
    pub const ALL: [Phase; 11] = [
        Phase::Configuration,
        Phase::CodebaseMap,
        Phase::DesignReference,
        Phase::Chunking,
        Phase::Contracts,
        Phase::Plan,
        Phase::TechResearch,
        Phase::Execution,
        Phase::PostBuild,
        Phase::ContractEndToEnd,
        Phase::Report,
    ];

    /// In the words of people.
    pub fn title(self) -> &'static str {
        match self {
            Phase::Configuration => "configuration",
            Phase::CodebaseMap => "codebase map",
            Phase::DesignReference => "design reference",
            Phase::Chunking => "chunking of the requirements",
            Phase::Contracts => "contracts",
            Phase::Plan => "plan",
            Phase::TechResearch => "technology research",
            Phase::Execution => "execution",
            Phase::PostBuild => "stages after the build",
            Phase::ContractEndToEnd => "contracts end to end",
            Phase::Report => "report",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhaseOutcome {
    Done,
    Skipped,
    Failed,
}

/// Stages after the build, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    Mock,
    Ui,
    Deployment,
    Asset,
    PrdReconciliation,
    DualOrm,
    DefaultValue,
    Relationship,
    ApiContract,
    EndpointSchema,
    MissingEndpoint,
    EventSchema,
    SharedModel,
    SilentDataLoss,
    EndpointXref,
    E2eBackend,
    E2eFrontend,
    E2eQuality,
    Browser,
}

/// What an executor made of a task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TaskResult {
    pub task_id: String,
    pub status: TaskStatus,
    /// Who carried the task out: `api`.
    #[serde(default)]
    pub backend: String,
    /// The end of what the executor said.
    pub output: String,
    pub error: Option<String>,
    pub files_created: Vec<String>,
    pub files_modified: Vec<String>,
    pub cost_usd: f64,
    pub duration_seconds: f64,
    /// What was used, and what that cost.
    pub used: Vec<(Usage, Usd)>,
    /// Everything that the task asks for was there already: nothing had to be changed.
    #[serde(default)]
    pub done_before: bool,
    /// More of the same would not help: the run ends.
    pub fatal: bool,
    /// Seconds after which the executor may be asked again, where it was told so.
    pub retry_after: Option<u64>,
    /// What a person should know of this attempt: denied permissions, hooks that did not run.
    pub remarks: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    #[default]
    Completed,
    Failed,
    Timeout,
    /// The allowance was used up.
    Budget,
    /// A limit of the model's provider was reached.
    RateLimited,
    Cancelled,
}

/// What the driver found of an attempt, whatever its executor said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    pub passed: bool,
    /// The commit of what may be merged; none where nothing changed.
    pub commit: Option<String>,
    /// Files that were changed and lie outside of the scope: they are left out.
    pub outside: Vec<String>,
    pub gates: Vec<GateResult>,
    pub findings: Vec<FindingRow>,
    /// Why the attempt does not pass; empty where it does.
    pub reasons: Vec<String>,
    /// More of the same would be dangerous: the run ends.
    pub halt: bool,
}

/// A check of a project that was run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GateResult {
    pub gate: String,
    pub command: String,
    pub verdict: GateVerdict,
    #[serde(rename = "errorCount")]
    pub error_count: usize,
    pub errors: Vec<String>,
    pub warnings: Vec<String>,
    /// Seconds.
    pub duration: f64,
    /// Why it was skipped.
    pub note: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum GateVerdict {
    Pass,
    Fail,
    Halt,
    #[default]
    Skipped,
}

/// A finding of the scan, as far as a run needs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingRow {
    pub fingerprint: String,
    pub rule: String,
    pub severity: Severity,
    pub file: String,
    pub line: u32,
    pub message: String,
}

/// What a stage found in one pass.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StageOutcome {
    /// Why nothing was looked at; empty where something was.
    pub skipped: String,
    pub findings: Vec<FindingRow>,
    /// Commands that passed, of a stage that runs some.
    #[serde(default)]
    pub passed: usize,
    /// What could not be compared.
    pub unknown: usize,
    /// The stage itself broke down.
    pub crashed: bool,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Healthy,
    NotHealthy,
    /// It could not go on.
    Failed,
    Budget,
    Cancelled,
    /// Only a plan was wanted.
    Planned,
}

/// How far the requirements and contracts are kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Health {
    /// `healthy`, `degraded`, `failed`, `unknown`
    pub verdict: String,
    pub requirements_checked: usize,
    pub requirements_total: usize,
    pub contracts_verified: usize,
    pub contracts_total: usize,
    /// The smaller of both ratios, where there is one.
    pub ratio: Option<f64>,
    pub notes: Vec<String>,
    /// The compliance matrix; empty in runs of versions that had none.
    #[serde(default)]
    pub promises: Vec<Promise>,
}

/// One operation that was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedRow {
    /// Id of the contract.
    pub contract: String,
    /// `GET /users/{id}`
    pub operation: String,
    pub verdict: AskedVerdict,
    /// What was answered otherwise, or why nothing was asked.
    pub notes: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskedVerdict {
    Passed,
    Failed,
    NotAsked,
}

/// One operation or channel of a contract, and how far it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Promise {
    pub kind: PromiseKind,
    /// Id of the contract.
    pub contract: String,
    /// `GET /users/{id}`; the address of a channel
    pub name: String,
    /// Services that keep it: those that serve or publish.
    pub providers: Vec<String>,
    /// Services that rely on it: those that ask or subscribe.
    pub consumers: Vec<String>,
    pub implemented: Extent,
    pub verified: Extent,
    /// Errors of the scan about it.
    pub violations: usize,
    /// Why it is not verified, where it is not.
    pub note: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromiseKind {
    Operation,
    Channel,
}

/// How far something holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    Yes,
    No,
    Partial,
}

impl Extent {
    pub fn word(self) -> &'static str {
        match self {
            Extent::Yes => "YES",
            Extent::No => "NO",
            Extent::Partial => "PARTIAL",
        }
    }
}
