//! Which executor a run works with, and why.

use std::sync::Arc;

use super::teams::{Detected, Missing, VARIABLE, World, detect};
use super::{ApiExecutor, ClaudeExecutor, CommandExecutor, Executor, ScaffoldExecutor, TeamsExecutor};
use crate::ledger::Usd;
use crate::orchestrate::OrchestrateError;
use crate::process::no_terminal;
use crate::settings::{AgentTeams, Settings};

/// What the executors need to know, from the configuration.
#[derive(Clone, Debug, Default)]
pub struct ExecutorSettings {
    pub claude: ClaudeExecutor,
    pub teams: AgentTeams,
    pub api: Option<ApiExecutor>,
    pub command: Option<CommandExecutor>,
    /// Another executor may go on where one cannot.
    pub fallback: bool,
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
            searches: false,
            max_output: settings.claude.max_output_tokens,
            commands: settings.claude.commands.clone(),
            environment: it.environment.clone(),
            prices: settings.prices.clone(),
        };
        let api = settings.api.as_ref().map(|api| ApiExecutor {
            model: api.model.clone().unwrap_or_else(|| it.model.clone()),
            environment: it.environment.clone(),
            prices: settings.prices.clone(),
            searches: false,
            api: api.clone(),
        });
        ExecutorSettings { claude, teams: settings.agent_teams.clone(), api, command, fallback: it.fallback }
    }
}

/// An executor, why it is the one, and why the others are not.
pub struct Choice {
    pub executor: Arc<dyn Executor>,
    pub reason: String,
    pub passed_over: Vec<String>,
    /// A team was wanted and could be switched on, and cannot be made here.
    pub lacks_team: bool,
}

/// The executor of a name.
///
/// # Errors
/// There is none of this name, or its settings are missing.
pub fn named(name: &str, settings: &ExecutorSettings) -> Result<Arc<dyn Executor>, OrchestrateError> {
    match name {
        "scaffold" => Ok(Arc::new(ScaffoldExecutor)),
        "claude" => Ok(Arc::new(settings.claude.clone())),
        "teams" => Ok(Arc::new(TeamsExecutor::new(settings.teams.clone(), settings.claude.clone()))),
        "api" => match &settings.api {
            Some(api) => Ok(Arc::new(api.clone())),
            None => Err(OrchestrateError::refused(
                "the backend `api` has no server",
                "set `url` and `format` (messages, chat-completions) in [api]",
            )),
        },
        "command" => match &settings.command {
            Some(command) => Ok(Arc::new(command.clone())),
            None => Err(OrchestrateError::refused(
                "the backend `command` has no command",
                "set `command` in [orchestrate]: `codex exec --cd {worktree} < {prompt_file}`",
            )),
        },
        other => Err(OrchestrateError::refused(
            format!("there is no backend `{other}`"),
            "backends are auto, scaffold, claude, teams, api, command",
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

/// Whether a team can work here.
fn detected(asked: bool, settings: &ExecutorSettings) -> Detected {
    let variable = std::env::var(VARIABLE).ok();
    let world = World { variable, client: &|| settings.claude.missing(), terminal: &no_terminal };
    detect(&settings.teams, asked, &world)
}

/// A team was wanted and cannot work, and nothing may take its place.
fn no_team(why: &str) -> OrchestrateError {
    let help = "set `fallback-to-cli = true` in [agent-teams] to go on with one session for each task";
    OrchestrateError::refused(format!("no team can work: {why}"), help)
}

/// Executors in the order in which `auto` looks at them.
const ORDER: [&str; 5] = ["teams", "claude", "api", "command", "scaffold"];

/// The executor that takes the place of one that cannot go on: the next one of the order that can work. Without a budget no model is
/// asked that nobody asked for. `why`: what kept the other from going on.
pub fn instead(fallen: &str, why: &str, budget: Option<Usd>, settings: &ExecutorSettings) -> Option<Choice> {
    let at = ORDER.iter().position(|it| *it == fallen)?;
    let mut passed_over = vec![format!("{fallen}: {why}")];
    for name in &ORDER[at + 1..] {
        if *name != "scaffold" && budget.is_none() {
            passed_over.push(format!("{name}: no --budget is given"));
            continue;
        }
        match strictly(name, budget, settings) {
            Ok(choice) => {
                let reason = format!("{fallen} cannot go on, and `fallback` allows another");
                return Some(Choice { reason, passed_over, ..choice });
            }
            Err(error) => passed_over.push(format!("{name}: {error}")),
        }
    }
    None
}

/// The executor that was asked for; with `auto`, the first that is there and may spend, else the scaffold. Where one that was asked
/// for by name cannot work and the settings allow another, the next one.
///
/// # Errors
/// The one that was asked for by name cannot work.
pub fn choose(wanted: &str, budget: Option<Usd>, settings: &ExecutorSettings) -> Result<Choice, OrchestrateError> {
    match strictly(wanted, budget, settings) {
        Err(error) if settings.fallback => instead(wanted, &error.to_string(), budget, settings).ok_or(error),
        choice => choice,
    }
}

fn strictly(wanted: &str, budget: Option<Usd>, settings: &ExecutorSettings) -> Result<Choice, OrchestrateError> {
    if wanted == "teams" {
        return match detected(true, settings) {
            Detected::Teams => {
                budget.map_or(Ok(()), |_| priced(&settings.claude))?;
                Ok(Choice {
                    executor: named(wanted, settings)?,
                    reason: "asked for".to_owned(),
                    passed_over: Vec::new(),
                    lacks_team: false,
                })
            }
            Detected::Plain(missing, why) => {
                let plain = strictly("claude", budget, settings)?;
                let reason = "a team was asked for, and cannot work".to_owned();
                let lacks_team = missing == Missing::Means;
                Ok(Choice { reason, passed_over: vec![format!("teams: {why}")], lacks_team, ..plain })
            }
            Detected::Refused(why) => Err(no_team(&why)),
        };
    }
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
        if let ("api", Some(api)) = (wanted, &settings.api) {
            if let Some(why) = api.missing() {
                return Err(OrchestrateError::refused(why, "see [api] in `treaty.toml`"));
            }
            if budget.is_some() {
                api.has_prices()?;
            }
        }
        return Ok(Choice { executor, reason: "asked for".to_owned(), passed_over: Vec::new(), lacks_team: false });
    }
    let mut passed_over = Vec::new();
    let mut lacks_team = false;
    let mut pass = |name: &str, why: &str| passed_over.push(format!("{name}: {why}"));
    // Without the wish for a team nothing is said of teams.
    if budget.is_none() && settings.teams.enabled {
        pass("teams", "no --budget is given");
    } else if budget.is_some() {
        match detected(false, settings) {
            Detected::Plain(Missing::Wish, _) => {}
            Detected::Plain(missing, why) => {
                lacks_team = missing == Missing::Means;
                pass("teams", &why);
            }
            Detected::Refused(why) => return Err(no_team(&why)),
            Detected::Teams => {
                if let Err(error) = priced(&settings.claude) {
                    pass("teams", &error.to_string());
                } else {
                    let reason = "a team can work here, and there is a budget".to_owned();
                    return Ok(Choice { executor: named("teams", settings)?, reason, passed_over, lacks_team });
                }
            }
        }
    }
    if budget.is_none() {
        pass("claude", "no --budget is given");
    } else if let Some(why) = settings.claude.missing() {
        pass("claude", &why);
    } else if let Err(error) = priced(&settings.claude) {
        pass("claude", &error.to_string());
    } else {
        let reason = "the client is there, and there is a budget".to_owned();
        return Ok(Choice { executor: named("claude", settings)?, reason, passed_over, lacks_team });
    }
    match &settings.api {
        None => pass("api", "no server is configured"),
        Some(_) if budget.is_none() => pass("api", "no --budget is given"),
        Some(api) => {
            let Some(why) = api.missing().or_else(|| Some(api.has_prices().err()?.to_string())) else {
                let reason = "a server is configured, and there is a budget".to_owned();
                return Ok(Choice { executor: named("api", settings)?, reason, passed_over, lacks_team });
            };
            pass("api", &why);
        }
    }
    match (&settings.command, budget) {
        (Some(_), Some(_)) => {
            let executor = named("command", settings)?;
            return Ok(Choice {
                executor,
                reason: "a command is configured, and there is a budget".to_owned(),
                passed_over,
                lacks_team,
            });
        }
        (Some(_), None) => pass("command", "no --budget is given"),
        (None, _) => pass("command", "no command is configured"),
    }
    let reason = "no model may be asked".to_owned();
    Ok(Choice { executor: Arc::new(ScaffoldExecutor), reason, passed_over, lacks_team })
}
