//! From requirements to services that keep their contracts: a plan, executors that carry it out, and a driver that holds every
//! result to the contracts and never loses work.
//!
//! What a run is follows from its events alone ([`State::of`]); what is to be done next follows from that ([`wanted`]). The
//! runner does it, and keeps the event before anything relies on it: killed at any time, it goes on where it was.

pub mod answer;
mod ask;
mod attempts;
mod briefs;
mod codebase_map;
mod council;
mod crew;
mod design;
mod engines;
mod error;
mod excerpt;
pub mod executors;
mod exports;
mod gate;
pub mod git;
mod handoff;
pub mod harness;
mod health;
mod inspect;
mod judge;
mod known;
mod lock;
mod phases;
mod promises;
mod refine;
pub mod report;
mod requirements;
mod research;
pub mod roles;
mod runner;
mod stages;
mod state;
mod step;
mod suites;
#[cfg(test)]
mod tests;
mod workplace;

pub use engines::Engines;
pub use error::OrchestrateError;
pub use runner::{Ended, Observer, Run, RunSettings};
pub use stages::left_out;
pub use state::{StageState, Standing, State, TaskState};
pub use step::{Action, FIX, step, wanted};
pub use workplace::{Workplace, is_clean_or_new};
