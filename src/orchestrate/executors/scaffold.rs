//! The embedded executor: contracts become a service by templates, without a model and without the network.

use super::{Executor, Job};
use crate::events::{TaskResult, TaskStatus};
use crate::process::Cancel;

/// Writes the files of a task from the contracts of its service.
#[derive(Clone, Copy, Debug)]
pub struct ScaffoldExecutor;

impl Executor for ScaffoldExecutor {
    fn name(&self) -> &'static str {
        "scaffold"
    }

    fn mends(&self) -> bool {
        false
    }

    fn execute(&self, _job: &Job<'_>, _cancel: &Cancel) -> TaskResult {
        TaskResult {
            status: TaskStatus::Failed,
            error: Some("not there yet".to_owned()),
            fatal: true,
            ..TaskResult::default()
        }
    }
}
