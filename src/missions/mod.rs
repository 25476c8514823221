//! A goal in parts: missions, the role that takes each, the order of their work, what is held against a result, and what becomes of
//! a result that is not good enough.
//!
//! Everything here is a function of its arguments; `devteam` keeps what happens, and `teamwork` does it.

mod check;
mod decompose;
mod intervene;
mod judge;
mod layers;
mod mission;
mod role;
mod run;
#[cfg(test)]
mod tests;
mod upstream;

pub use check::{Check, Files, Made, Standard};
pub use decompose::{Mode, by_requirements, by_roles};
pub use intervene::{Decision, Intervention, decide};
pub use judge::{Judged, Judgement, score};
pub use layers::{assign, layers, scope};
pub use mission::{Criterion, Kind, Mission, Priority, read};
pub use role::{Role, Roles, own};
pub use run::{Event, Limits, Outcome, RoleResult, Run, Standing, State, Trouble};
pub use upstream::{FULL, Upstream, told};

use crate::plan::Cycle;

/// Why missions cannot be worked on.
#[derive(Debug, thiserror::Error)]
pub enum MissionError {
    #[error("{0}")]
    Form(String),
    #[error("the mission `{mission}` depends on `{dependency}`, which is none of the missions; there is {known}")]
    Unknown { mission: String, dependency: String, known: String },
    #[error("two missions are called `{0}`")]
    Twice(String),
    #[error(transparent)]
    Cycle(#[from] Cycle),
    #[error("no role can take the mission `{mission}`: {reasons}")]
    NoRole { mission: String, reasons: String },
}
