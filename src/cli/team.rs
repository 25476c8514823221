//! `treaty team`: who is in the development team, and whether its files can be used.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueHint};

use super::Outcome;
use super::failure::Failure;
use super::output::deliver;
use crate::devteam::{DevTeamError, Team};

#[derive(Debug, Args)]
pub(super) struct TeamArgs {
    #[command(subcommand)]
    command: TeamCommand,

    /// The project's folder
    #[arg(long, global = true, value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    root: PathBuf,
}

#[derive(Debug, Subcommand)]
enum TeamCommand {
    /// List the agents: those of the product, and those of the folder `agents`
    List,
    /// Show an agent: what it does, for what, with which instructions
    Show {
        /// Its id, with or without its category
        agent: String,
    },
    /// Check `.devteam/*.yaml`, `treaty.toml` and the agents; exit code 1 where something cannot be used
    Check,
}

pub(super) fn run(arguments: &TeamArgs) -> Result<Outcome, Failure> {
    let team = team(&arguments.root).map_err(|error| Failure::said(error.to_string(), "mend the file"))?;
    match &arguments.command {
        TeamCommand::List => {
            let width = team.agents.all().map(|it| it.id.len()).max().unwrap_or(0);
            deliver(None, |out| {
                team.agents.all().try_for_each(|it| {
                    writeln!(out, "{:width$}  {:9}  {:7}  {}", it.id, it.category, it.model, it.purpose)
                })
            })?;
        }
        TeamCommand::Show { agent } => {
            let Some(it) = team.agents.get(agent) else {
                let message = format!("there is no agent `{agent}`");
                return Err(Failure::said(message, "`treaty team list` lists them"));
            };
            deliver(None, |out| {
                writeln!(out, "{} ({}:{}), model {}", it.name, it.category, it.id, it.model)?;
                writeln!(out, "complexity {} to {}", it.complexity_range.0, it.complexity_range.1)?;
                let lists = [
                    ("keywords", &it.keywords),
                    ("files", &it.files),
                    ("tasks", &it.task_types),
                    ("knows", &it.languages),
                ];
                for (name, list) in lists.into_iter().filter(|it| !it.1.is_empty()) {
                    writeln!(out, "{name}: {}", list.join(", "))?;
                }
                writeln!(out, "\n{}\n{}\n\n{}", it.role, it.purpose, it.instructions)
            })?;
        }
        TeamCommand::Check => {
            let problems: Vec<&String> = team.settings.problems.iter().chain(&team.agents.problems).collect();
            let agents = team.agents.all().count();
            let required: Vec<&str> = team.settings.required.iter().map(|it| it.name()).collect();
            deliver(None, |out| {
                problems.iter().try_for_each(|it| writeln!(out, "error: {it}"))?;
                writeln!(out, "{agents} agents; models {}", team.settings.models.join(", "))?;
                writeln!(out, "required gates: {}", required.join(", "))?;
                writeln!(out, "{} problems", problems.len())
            })?;
            return Ok(if problems.is_empty() { Outcome::Clean } else { Outcome::Findings });
        }
    }
    Ok(Outcome::Clean)
}

fn team(root: &Path) -> Result<Team, DevTeamError> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let place = |name: &str, usual: &str| root.join(variable(name).unwrap_or_else(|| usual.into()));
    Team::load(root, &place("DEVTEAM_CONFIG", ".devteam"), &place("DEVTEAM_AGENTS", "agents"))
}
