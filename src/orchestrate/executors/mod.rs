//! Who carries tasks out. An executor gets a task and a worktree, and changes files; what it made is judged by the runner.

mod api;
mod choice;
mod claude;
mod command;
mod scaffold;
mod teams;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use api::{ApiExecutor, answer_of};
pub use choice::{Choice, ExecutorSettings, choose, instead, named};
pub use claude::ClaudeExecutor;
pub use command::CommandExecutor;
pub use scaffold::ScaffoldExecutor;
pub use teams::TeamsExecutor;
pub(super) use teams::note_none;

use crate::events::TaskResult;
use crate::ledger::Usd;
use crate::orchestrate::engines::Engines;
use crate::plan::{Contract, Plan, Task};
use crate::process::{Cancel, Limits};
use crate::settings::Research;

/// What an executor is to do.
#[derive(Debug)]
pub struct Job<'j> {
    pub run: &'j str,
    pub task: &'j Task,
    pub attempt: u32,
    /// When it begins, as RFC 3339.
    pub at: &'j str,
    /// The task's own checkout, on the task's own branch.
    pub worktree: &'j Path,
    pub plan: &'j Plan,
    pub contracts: &'j [Contract],
    /// What the attempts before taught, oldest first.
    pub learnt: &'j [String],
    /// Tasks of the same wave that may begin at once, too.
    pub peers: usize,
    /// What may be spent; none where there is no budget.
    pub allowance: Option<Usd>,
    /// File for whatever the executor says.
    pub log: &'j Path,
    /// What treaty stores of the project.
    pub database: &'j Path,
    /// Folder of the documents that other tools and people read.
    pub exports: &'j Path,
    /// The requirements as they were handed in.
    pub requirements: &'j str,
    pub research: &'j Research,
    /// Engines that are asked in the place of our own.
    pub engines: &'j Engines,
    /// Share of the requirements from which on a run is healthy.
    pub convergence: f64,
    pub limits: Limits,
}

impl Job<'_> {
    /// The file that hooks of an agent read: beside the folders of all attempts.
    fn gate(&self) -> Option<PathBuf> {
        Some(self.log.parent()?.parent()?.join("gate.json"))
    }
}

/// Carries out tasks, several at a time.
pub trait Executor: Send + Sync {
    /// As on the command line: `scaffold`.
    fn name(&self) -> &'static str;

    /// Whether findings can be handed to it.
    fn mends(&self) -> bool;

    /// Whether it can be asked a question about files, whose answer is data.
    fn answers(&self) -> bool {
        self.mends()
    }

    /// Works until the task is done, failed, out of time or cancelled. Never fails by itself: what went wrong is a result.
    fn execute(&self, job: &Job<'_>, cancel: &Cancel) -> TaskResult;

    /// Hands a text to somebody who is at work; says whether that is possible.
    fn send_context(&self, _recipient: &str, _content: &str) -> bool {
        false
    }

    fn supports_peer_messaging(&self) -> bool {
        false
    }

    fn supports_self_claiming(&self) -> bool {
        false
    }
}

/// Of what an executor said, the end that is kept.
const KEPT_OUTPUT: u64 = 4_000;

impl Default for Limits {
    fn default() -> Self {
        Limits { time: Duration::from_mins(30), idle: Duration::from_mins(10) }
    }
}
