//! Checks that a project brings along: its tests, its types, its linter. Found by the files that are there, run with a limit,
//! and read. A gate without a command, or whose tools are not there, is skipped and said so, never passed.

mod detect;
mod end_to_end;
mod parse;
mod start;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::events::{GateResult, GateVerdict};
use crate::process::{Cancel, Ended, Limits, command, run as run_command, tail};
use crate::settings::Gates;

pub use detect::{Planned, detect, on_path};
pub use end_to_end::{EndToEnd, end_to_end};
pub use start::{Start, start_of};

/// What a gate looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gate {
    Tests,
    Typecheck,
    Lint,
    Security,
    Coverage,
}

impl Gate {
    pub const ALL: [Gate; 5] = [Gate::Tests, Gate::Typecheck, Gate::Lint, Gate::Security, Gate::Coverage];

    pub fn name(self) -> &'static str {
        match self {
            Gate::Tests => "tests",
            Gate::Typecheck => "typecheck",
            Gate::Lint => "lint",
            Gate::Security => "security",
            Gate::Coverage => "coverage",
        }
    }
}

/// How gates are run.
#[derive(Clone, Debug)]
pub struct GateSettings {
    /// Gates that are run.
    pub enabled: Vec<Gate>,
    /// Commands that take the place of those that are found, run by a shell in the folder of the service.
    pub commands: BTreeMap<&'static str, String>,
    /// A command before the first gate: installs what the others need.
    pub setup: Option<String>,
    pub limit: Duration,
    /// Variables that the commands get beside the usual ones.
    pub environment: Vec<String>,
}

impl From<&Gates> for GateSettings {
    fn from(gates: &Gates) -> Self {
        let is_wanted = |gate: &Gate| gates.run.iter().any(|it| it == gate.name());
        let command = |gate: Gate| Some((gate.name(), gates.commands.get(gate.name())?.clone()));
        GateSettings {
            enabled: Gate::ALL.into_iter().filter(is_wanted).collect(),
            commands: Gate::ALL.into_iter().filter_map(command).collect(),
            setup: gates.setup.clone(),
            limit: Duration::from_secs(gates.time_limit),
            environment: gates.environment.clone(),
        }
    }
}

impl Default for GateSettings {
    /// Tests, types and linter. The two others ask the network or take long: they are run where they are switched on.
    fn default() -> Self {
        GateSettings {
            enabled: vec![Gate::Tests, Gate::Typecheck, Gate::Lint],
            commands: BTreeMap::new(),
            setup: None,
            limit: Duration::from_mins(10),
            environment: Vec::new(),
        }
    }
}

/// Errors of one gate that are kept; how many there are is counted.
const MAX_ERRORS: usize = 50;
/// Of what a command says, the end that is read.
const READ_BYTES: u64 = 1 << 20;

/// Runs the gates of a service in a checkout. `logs` takes what the commands say, one file each. What runs when `cancel` is
/// wanted is ended, and its result means nothing.
pub fn run(
    root: &Path,
    folder: Option<&str>,
    settings: &GateSettings,
    logs: &Path,
    cancel: &Cancel,
) -> Vec<GateResult> {
    let folder = folder.map_or_else(|| root.to_owned(), |it| root.join(it));
    if !folder.is_dir() {
        return Vec::new();
    }
    if let Some(setup) = &settings.setup {
        let result = run_one("setup", setup, &folder, settings, logs, cancel);
        if result.verdict != GateVerdict::Pass {
            return vec![result];
        }
    }
    let mut results = Vec::new();
    for planned in detect(&folder, settings) {
        results.push(match planned.command {
            Some(line) => run_one(planned.gate.name(), &line, &folder, settings, logs, cancel),
            None => skipped(planned.gate.name(), planned.note),
        });
    }
    results
}

fn skipped(gate: &str, note: String) -> GateResult {
    GateResult { gate: gate.to_owned(), note, ..GateResult::default() }
}

fn run_one(gate: &str, line: &str, folder: &Path, settings: &GateSettings, logs: &Path, cancel: &Cancel) -> GateResult {
    let log = logs.join(format!("gate-{gate}.log"));
    let mut shell = command("sh", folder, &settings.environment);
    // Tests of a project say the same in a pipe and without colours.
    shell.args(["-c", line]).env("CI", "1").env("NO_COLOR", "1").env("PYTHONDONTWRITEBYTECODE", "1");
    let started = Instant::now();
    let limits = Limits { time: settings.limit, idle: settings.limit };
    let ended = run_command(shell, &log, limits, cancel);
    let mut result = GateResult {
        gate: gate.to_owned(),
        command: line.to_owned(),
        duration: started.elapsed().as_secs_f64(),
        ..GateResult::default()
    };
    let said = tail(&log, READ_BYTES);
    match ended {
        Ok(Ended::Exited(status)) if status.success() => {
            result.verdict = GateVerdict::Pass;
            result.warnings = parse::warnings(&said);
        }
        Ok(Ended::Exited(status)) => {
            let (errors, count) = parse::errors(gate, &said);
            result.error_count = count.max(1);
            result.errors = errors;
            result.errors.truncate(MAX_ERRORS);
            if result.errors.is_empty() {
                result.errors.push(format!("it ended with {status} and said nothing"));
            }
            let critical = gate == Gate::Security.name() && parse::has_critical(&said);
            result.verdict = if critical { GateVerdict::Halt } else { GateVerdict::Fail };
        }
        Ok(_) => {
            result.verdict = GateVerdict::Fail;
            result.error_count = 1;
            result.errors = vec![format!("it ran longer than {} s", settings.limit.as_secs())];
        }
        Err(error) => result.note = format!("it could not be started: {error}"),
    }
    result
}
