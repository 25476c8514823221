//! `treaty baseline`: what is found today, written down so that only what is new counts.

use std::io::Write;
use std::path::Path;

use super::Outcome;
use super::args::{BaselineArgs, BaselineCommand, BaselineWriteArgs};
use super::failure::Failure;
use super::output::deliver;
use super::scan::judge;
use crate::report::{count, json, visible};
use crate::scan::{Baseline, MAX_BASELINE_BYTES};

pub(super) fn run(arguments: &BaselineArgs) -> Result<Outcome, Failure> {
    match &arguments.command {
        BaselineCommand::Write(arguments) => write(arguments),
    }
}

fn write(arguments: &BaselineWriteArgs) -> Result<Outcome, Failure> {
    let file = arguments.output.as_path();
    if file.exists() {
        // What is no baseline is somebody's work.
        read(file)?;
    }
    let report = judge(&arguments.input, &arguments.judged, arguments.quiet)?;
    deliver(Some(file), |out| json::write_value(&Baseline::of(&report), out))?;
    if !arguments.quiet {
        let name = file.display().to_string();
        let found = count(report.findings.len(), "finding");
        deliver(None, |out| writeln!(out, "{found} written to {}", visible(&name)))?;
    }
    Ok(Outcome::Clean)
}

/// Reads the baseline that an argument names.
pub(super) fn read(file: &Path) -> Result<Baseline, Failure> {
    let name = file.display().to_string();
    let unreadable = |reason: String| {
        Failure::said(
            format!("cannot read the baseline {name}: {reason}"),
            format!("name a file that `treaty baseline write -o {name}` wrote"),
        )
    };
    let size = std::fs::metadata(file).map_err(|error| unreadable(error.to_string()))?;
    if !size.is_file() {
        return Err(unreadable("it is no file".to_owned()));
    }
    if size.len() > MAX_BASELINE_BYTES {
        return Err(unreadable(format!("{} bytes are more than a baseline may have", size.len())));
    }
    let bytes = std::fs::read(file).map_err(|error| unreadable(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|error| unreadable(error.to_string()))?;
    Baseline::read(&name.replace('\\', "/"), &text).map_err(|error| Failure::baseline(error, text))
}
