//! The plan of a run: services, milestones and tasks, made of requirements or read from the documents that a person edited.
//!
//! Everything here is a function of its arguments.

mod document;
mod scope;
mod tasks;
#[cfg(test)]
mod tests;
mod waves;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use document::{PLAN_FILE, PlanError, TASKS_FILE, master_plan, read, task_list};
pub use scope::Scope;
pub use tasks::{Contract, TESTS_PASS, contracts, message_names, operation_names, services, tasks};
pub use waves::{Cycle, waves};

/// What a run is to build.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub project: String,
    pub services: Vec<Service>,
    pub milestones: Vec<Milestone>,
    /// In the order in which they are merged.
    pub tasks: Vec<Task>,
}

/// A service that is built.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Service {
    /// `order-service`
    pub name: String,
    /// Folder of the service below the root, forward slashes: `services/order-service`.
    pub folder: String,
    /// What the requirements say that it is built with: `Python`, `FastAPI`; empty where they do not.
    pub stack: Vec<String>,
    /// Port on which it listens by default.
    pub port: u16,
    /// Ids of contracts about operations that it serves.
    pub serves: Vec<String>,
    /// Ids of its contracts that have messages which it sends.
    pub publishes: Vec<String>,
    /// Ids of its contracts that have messages which it receives.
    pub receives: Vec<String>,
    /// Ids of contracts about operations that it asks for.
    pub asks: Vec<String>,
    /// People look at it; it serves no operations.
    pub is_frontend: bool,
}

/// Tasks that belong together: those of one service.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Milestone {
    /// `M1`
    pub id: String,
    pub title: String,
    pub service: String,
    pub description: String,
    pub depends_on: Vec<String>,
}

/// One piece of work for one executor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// `TASK-001`
    pub id: String,
    pub title: String,
    /// Id of the milestone.
    pub parent: String,
    pub service: String,
    pub kind: Kind,
    pub description: String,
    /// Acceptance criteria.
    pub criteria: Vec<String>,
    pub scope: Scope,
    /// Ids of tasks that are merged before this one starts.
    pub depends_on: Vec<String>,
    /// Ids of contracts that the code keeps when the task is done.
    pub keeps: Vec<String>,
    /// From 1 to 14.
    pub complexity: u8,
    /// Line of its heading in the task list that it was read from; 0 for one that was made.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub line: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(line: &u32) -> bool {
    *line == 0
}

/// What a task is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Model,
    Operations,
    Events,
    Consumers,
    Tests,
    Deployment,
    /// A whole frontend.
    Frontend,
    /// What a person wrote into the plan.
    Other,
}

impl Kind {
    pub const ALL: [Kind; 8] = [
        Kind::Model,
        Kind::Operations,
        Kind::Events,
        Kind::Consumers,
        Kind::Tests,
        Kind::Deployment,
        Kind::Frontend,
        Kind::Other,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Model => "model",
            Kind::Operations => "operations",
            Kind::Events => "events",
            Kind::Consumers => "consumers",
            Kind::Tests => "tests",
            Kind::Deployment => "deployment",
            Kind::Frontend => "frontend",
            Kind::Other => "other",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = || Kind::ALL.map(Kind::name).join(", ");
        Kind::ALL.into_iter().find(|it| it.name() == text).ok_or_else(|| format!("a kind is one of {}", known()))
    }
}

impl Plan {
    /// Whether both say the same, wherever it was read from.
    pub fn says_the_same_as(&self, other: &Plan) -> bool {
        let anywhere = |plan: &Plan| {
            let mut plan = plan.clone();
            plan.tasks.iter_mut().for_each(|it| it.line = 0);
            plan
        };
        anywhere(self) == anywhere(other)
    }

    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.iter().find(|it| it.id == id)
    }

    pub fn service(&self, name: &str) -> Option<&Service> {
        self.services.iter().find(|it| it.name == name)
    }
}
