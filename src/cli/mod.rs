//! The command line: arguments become options, the library does the work, the report goes out. No `clap` type leaves
//! this folder.

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches};

#[cfg(feature = "serve")]
mod architect;
mod args;
mod baseline;
#[cfg(feature = "serve")]
mod code;
mod colours;
mod completions;
mod config;
mod contract;
mod demands;
mod diff;
mod explain;
mod extract;
mod failure;
mod fix;
#[cfg(feature = "orchestrate")]
mod hook;
mod init;
mod input;
#[cfg(feature = "serve")]
mod mcp;
#[cfg(feature = "orchestrate")]
mod orchestrate;
mod output;
mod progress;
mod ratchet;
#[cfg(feature = "serve")]
mod registry;
mod rule_set;
mod rules;
#[cfg(feature = "orchestrate")]
mod scaffold;
mod scan;
#[cfg(feature = "orchestrate")]
mod team;
mod watch;
mod why;

use args::{Cli, Command};
use failure::Failure;

/// What the wheel is called in package indexes, where `treaty` is somebody else's.
const WHEEL: &str = "treaty-scan";

/// How a run ended, as an exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Clean = 0,
    /// Findings at or above the threshold.
    Findings = 1,
    /// The run could not be done.
    CouldNotRun = 2,
    /// The budget of the run is used up.
    Budget = 3,
    /// Somebody ended the run, which can be resumed.
    Interrupted = 130,
}

/// Runs the program with these arguments, the first of which is its name, and says how that ended. Everything has been
/// printed by then.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Outcome {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let matches = Cli::command().color(colours::asked(&arguments)).try_get_matches_from(arguments);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(message) => {
            let outcome = if message.use_stderr() { Outcome::CouldNotRun } else { Outcome::Clean };
            // A closed pipe is no reason to complain.
            let _ = message.print();
            return outcome;
        }
    };
    colours::choose(cli.color);
    match dispatch(cli.command) {
        Ok(outcome) => outcome,
        Err(failure) => {
            failure.print();
            Outcome::CouldNotRun
        }
    }
}

fn dispatch(command: Command) -> Result<Outcome, Failure> {
    match command {
        Command::Scan(arguments) => scan::run(&arguments),
        Command::Baseline(arguments) => baseline::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Extract(arguments) => extract::run(&arguments),
        Command::Why(arguments) => why::run(&arguments),
        Command::Contract(arguments) => contract::run(&arguments),
        #[cfg(feature = "serve")]
        Command::Architect(arguments) => architect::run(&arguments),
        #[cfg(feature = "serve")]
        Command::Code(arguments) => code::run(&arguments),
        #[cfg(feature = "serve")]
        Command::Mcp(arguments) => mcp::run(arguments),
        #[cfg(feature = "orchestrate")]
        Command::Orchestrate(arguments) => orchestrate::run(&arguments),
        Command::Init(arguments) => init::run(&arguments),
        #[cfg(feature = "orchestrate")]
        Command::Team(arguments) => team::run(&arguments),
        #[cfg(feature = "orchestrate")]
        Command::Hook(arguments) => hook::run(&arguments),
        #[cfg(feature = "orchestrate")]
        Command::Scaffold(arguments) => scaffold::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Rules(arguments) => rules::run(&arguments),
        Command::Config(arguments) => config::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
    }
}
