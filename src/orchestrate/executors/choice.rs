//! Which executor a run works with, and why.

use std::sync::Arc;

use super::{CommandExecutor, Executor, ScaffoldExecutor};
use crate::ledger::Usd;
use crate::orchestrate::OrchestrateError;
use crate::settings::Settings;

/// What the executors need to know, from the configuration.
#[derive(Clone, Debug, Default)]
pub struct ExecutorSettings {
    pub command: Option<CommandExecutor>,
}

impl From<&Settings> for ExecutorSettings {
    fn from(settings: &Settings) -> Self {
        let it = &settings.orchestrate;
        let command = it.command.as_ref().map(|template| CommandExecutor {
            template: template.clone(),
            model: it.model.clone(),
            cost_pointer: it.cost_pointer.clone(),
            environment: it.environment.clone(),
        });
        ExecutorSettings { command }
    }
}

/// An executor, why it is the one, and why the others are not.
pub struct Choice {
    pub executor: Arc<dyn Executor>,
    pub reason: String,
    pub passed_over: Vec<String>,
}

/// The executor of a name.
///
/// # Errors
/// There is none of this name, or its settings are missing.
pub fn named(name: &str, settings: &ExecutorSettings) -> Result<Arc<dyn Executor>, OrchestrateError> {
    match name {
        "scaffold" => Ok(Arc::new(ScaffoldExecutor)),
        "command" => match &settings.command {
            Some(command) => Ok(Arc::new(command.clone())),
            None => Err(OrchestrateError::refused(
                "the backend `command` has no command",
                "set `command` in [orchestrate]: `codex exec --cd {worktree} < {prompt_file}`",
            )),
        },
        other => Err(OrchestrateError::refused(
            format!("there is no backend `{other}`"),
            "backends are auto, scaffold, command",
        )),
    }
}

/// The executor that was asked for; with `auto`, the first that is there and may spend, else the scaffold.
///
/// # Errors
/// The one that was asked for by name cannot work.
pub fn choose(wanted: &str, budget: Option<Usd>, settings: &ExecutorSettings) -> Result<Choice, OrchestrateError> {
    if wanted != "auto" {
        let executor = named(wanted, settings)?;
        return Ok(Choice { executor, reason: "asked for".to_owned(), passed_over: Vec::new() });
    }
    let mut passed_over = Vec::new();
    let mut pass = |name: &str, why: &str| passed_over.push(format!("{name}: {why}"));
    match (&settings.command, budget) {
        (Some(_), Some(_)) => {
            let executor = named("command", settings)?;
            return Ok(Choice {
                executor,
                reason: "a command is configured, and there is a budget".to_owned(),
                passed_over,
            });
        }
        (Some(_), None) => pass("command", "no --budget is given"),
        (None, _) => pass("command", "no command is configured"),
    }
    let reason = "no model may be asked".to_owned();
    Ok(Choice { executor: Arc::new(ScaffoldExecutor), reason, passed_over })
}
