//! What a run reads, from the arguments and the configuration.

use std::path::{Path, PathBuf};

use super::args::ManyInputs;
use super::failure::Failure;
use crate::config::{self, Config};
use crate::scan::Options;

/// Options of a run over what the arguments name.
pub(super) fn options(input: &ManyInputs) -> Result<Options, Failure> {
    let config = configuration(input.config.as_deref(), &input.paths)?;
    Ok(Options { paths: input.paths.clone(), contracts: input.contracts.clone(), config })
}

/// The configuration that was named, or the one that is in force for every scanned path.
pub(super) fn configuration(named: Option<&Path>, paths: &[PathBuf]) -> Result<Config, Failure> {
    if let Some(file) = named {
        return Ok(config::load(file)?);
    }
    let working_directory = [PathBuf::from(".")];
    let paths = if paths.is_empty() { &working_directory[..] } else { paths };
    let mut found: Vec<PathBuf> = paths.iter().filter_map(|path| config::find(path)).collect();
    found.sort();
    found.dedup();
    match found.as_slice() {
        [] => Ok(Config::default()),
        [file] => Ok(config::load(file)?),
        [first, second, ..] => Err(Failure::said(
            format!("the scanned paths have different settings: {} and {}", first.display(), second.display()),
            "scan them one by one, or name the settings to use with `--config`",
        )),
    }
}
