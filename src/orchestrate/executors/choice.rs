//! Which executor a run works with, and why.

use std::sync::Arc;

use super::{ClaudeExecutor, CommandExecutor, Executor, ScaffoldExecutor};
use crate::ledger::Usd;
use crate::orchestrate::OrchestrateError;
use crate::settings::Settings;

/// What the executors need to know, from the configuration.
#[derive(Clone, Debug, Default)]
pub struct ExecutorSettings {
    pub claude: ClaudeExecutor,
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
        let claude = ClaudeExecutor {
            command: settings.claude.command.clone(),
            model: it.model.clone(),
            max_turns: settings.claude.max_turns,
            max_output: settings.claude.max_output_tokens,
            commands: settings.claude.commands.clone(),
            environment: it.environment.clone(),
            prices: settings.prices.clone(),
        };
        ExecutorSettings { claude, command }
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
        "claude" => Ok(Arc::new(settings.claude.clone())),
        "command" => match &settings.command {
            Some(command) => Ok(Arc::new(command.clone())),
            None => Err(OrchestrateError::refused(
                "the backend `command` has no command",
                "set `command` in [orchestrate]: `codex exec --cd {worktree} < {prompt_file}`",
            )),
        },
        other => Err(OrchestrateError::refused(
            format!("there is no backend `{other}`"),
            "backends are auto, scaffold, claude, command",
        )),
    }
}

/// Whether a budget can be kept with this client.
fn priced(claude: &ClaudeExecutor) -> Result<(), OrchestrateError> {
    if claude.model.is_empty() {
        let help = "set `model` in [orchestrate], and what it costs in [prices.\"<model>\"]";
        return Err(OrchestrateError::refused("a budget cannot be kept with a model that is not named", help));
    }
    Ok(claude.has_prices()?)
}

/// The executor that was asked for; with `auto`, the first that is there and may spend, else the scaffold.
///
/// # Errors
/// The one that was asked for by name cannot work.
pub fn choose(wanted: &str, budget: Option<Usd>, settings: &ExecutorSettings) -> Result<Choice, OrchestrateError> {
    if wanted != "auto" {
        let executor = named(wanted, settings)?;
        if wanted == "claude" {
            if let Some(why) = settings.claude.missing() {
                let help = "install Claude Code, or name it: `command` in [claude]";
                return Err(OrchestrateError::refused(why, help));
            }
            if budget.is_some() {
                priced(&settings.claude)?;
            }
        }
        return Ok(Choice { executor, reason: "asked for".to_owned(), passed_over: Vec::new() });
    }
    let mut passed_over = Vec::new();
    let mut pass = |name: &str, why: &str| passed_over.push(format!("{name}: {why}"));
    if budget.is_none() {
        pass("claude", "no --budget is given");
    } else if let Some(why) = settings.claude.missing() {
        pass("claude", &why);
    } else if let Err(error) = priced(&settings.claude) {
        pass("claude", &error.to_string());
    } else {
        let reason = "the client is there, and there is a budget".to_owned();
        return Ok(Choice { executor: named("claude", settings)?, reason, passed_over });
    }
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
