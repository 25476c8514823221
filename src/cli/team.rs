//! `treaty team`: who is in the development team, whether its files can be used, and goals that it works on.

mod run;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

use super::Outcome;
use super::failure::Failure;
use super::output::deliver;
use crate::devteam::{DevTeam, DevTeamError, Team};
use crate::teamwork::trace;
pub(super) use run::places;

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
    /// Work on a goal until the gates of the project pass
    ///
    /// Tests, types and linter decide, not what an agent says of itself. Failures hand the work to a larger model, then to a council of
    /// five that looks for the cause. Ended at any time, `treaty team resume` goes on, and so does an agent that has the tools of
    /// `treaty mcp serve devteam`.
    Run(run::RunArgs),
    /// Go on with a session that was begun here or by an agent
    Resume(run::ResumeArgs),
    /// Print what happened in a session, a JSON object a line
    Trace {
        /// The session. Default: the newest
        session: Option<String>,
    },
    /// Check `.devteam/*.yaml`, `treaty.toml` and the agents; exit code 1 where something cannot be used
    Check,
}

pub(super) fn run(arguments: &TeamArgs) -> Result<Outcome, Failure> {
    let failed = |error: DevTeamError| Failure::said(error.to_string(), "mend the file");
    let root = std::path::absolute(&arguments.root).map_err(|error| {
        Failure::said(format!("{}: {error}", arguments.root.display()), "name a folder with --root")
    })?;
    let places = run::places(&root);
    let team = Team::load(&root, &places.config, &places.agents).map_err(failed)?;
    match &arguments.command {
        TeamCommand::Run(it) => return run::run(&root, places, it),
        TeamCommand::Resume(it) => return run::resume(&root, places, it),
        TeamCommand::Trace { session } => {
            let none = || Failure::said("there is no session", "`treaty team run` begins one");
            if !places.database.is_file() {
                return Err(none());
            }
            let team = DevTeam::open(&places).map_err(failed)?;
            let newest = || team.history(1).ok()?.into_iter().next().map(|it| it.id);
            let id = session.clone().or_else(newest).ok_or_else(none)?;
            let mut lines = Vec::new();
            // Writing to memory does not fail.
            let _ = trace(&team, &id, &mut lines).map_err(failed)?;
            deliver(None, |out| out.write_all(&lines))?;
        }
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
            let problems: Vec<&String> =
                team.settings.problems.iter().chain(&team.agents.problems).chain(&team.roles.problems).collect();
            let agents = team.agents.all().count();
            let required: Vec<&str> = team.settings.required.iter().map(|it| it.name()).collect();
            deliver(None, |out| {
                problems.iter().try_for_each(|it| writeln!(out, "error: {it}"))?;
                writeln!(
                    out,
                    "{agents} agents, {} roles; models {}",
                    team.roles.names().len(),
                    team.settings.models.join(", ")
                )?;
                writeln!(out, "required gates: {}", required.join(", "))?;
                writeln!(out, "{} problems", problems.len())
            })?;
            return Ok(if problems.is_empty() { Outcome::Clean } else { Outcome::Findings });
        }
    }
    Ok(Outcome::Clean)
}
