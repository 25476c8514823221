//! What a run reads, from the arguments and the configuration.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::args::ManyInputs;
use super::failure::Failure;
use crate::config::{self, Config};
use crate::scan::Options;

/// Options of a run over what the arguments name; with the settings that are staged, if that is what is asked for.
pub(super) fn options(input: &ManyInputs, staged: bool) -> Result<Options, Failure> {
    let mut config = match (&input.config, staged) {
        (None, true) => staged_configuration(&input.paths)?,
        (named, _) => configuration(named.as_deref(), &input.paths)?,
    };
    config.no_skip |= input.no_skip;
    let contracts = input.contracts.clone();
    let contract_roots = existing(&input.contract_roots)?;
    let (paths, today, nested) = (input.paths.clone(), today(), input.config.is_none());
    Ok(Options { paths, contracts, contract_roots, today, nested, config, ..Options::default() })
}

/// Directories that were named for references.
pub(super) fn existing(roots: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    match roots.iter().find(|root| !root.is_dir()) {
        Some(root) => Err(Failure::said(
            format!("there is no directory {}", root.display()),
            "check what `--contract-root` names",
        )),
        None => Ok(roots.to_vec()),
    }
}

/// The day, `2026-01-31`, in UTC.
pub(super) fn today() -> Option<String> {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    Some(day(seconds / 86_400))
}

/// The date of a day counted from 1970-01-01: <https://howardhinnant.github.io/date_algorithms.html#civil_from_days>.
fn day(since_1970: u64) -> String {
    let days = since_1970 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The configuration that was named, or the one that is in force for every scanned path.
pub(super) fn configuration(named: Option<&Path>, paths: &[PathBuf]) -> Result<Config, Failure> {
    match named.map(Path::to_path_buf).map_or_else(|| in_force(paths), |file| Ok(Some(file)))? {
        Some(file) => Ok(config::load(&file)?),
        None => Ok(Config::default()),
    }
}

/// The configuration in force, as it is staged; as it lies there, where git does not track it.
fn staged_configuration(paths: &[PathBuf]) -> Result<Config, Failure> {
    let Some(file) = in_force(paths)? else { return Ok(Config::default()) };
    match crate::scan::staged_text(&file)? {
        Some(text) => Ok(config::parse(&file.to_string_lossy().replace('\\', "/"), &text)?),
        None => Ok(config::load(&file)?),
    }
}

/// The configuration file in force for every scanned path.
fn in_force(paths: &[PathBuf]) -> Result<Option<PathBuf>, Failure> {
    let working_directory = [PathBuf::from(".")];
    let paths = if paths.is_empty() { &working_directory[..] } else { paths };
    let mut found: Vec<PathBuf> = paths.iter().filter_map(|path| config::find(path)).collect();
    found.sort();
    found.dedup();
    match found.as_slice() {
        [] => Ok(None),
        [file] => Ok(Some(file.clone())),
        [first, second, ..] => Err(Failure::said(
            format!("the scanned paths have different settings: {} and {}", first.display(), second.display()),
            "scan them one by one, or name the settings to use with `--config`",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_have_dates() {
        for (days, date) in [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_454, "2026-01-01")] {
            assert_eq!(day(days), date);
        }
    }
}
