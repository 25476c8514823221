//! The rules as the command line needs them: the tool's own and the user's, chosen by code or family.

use std::path::Path;

use super::failure::Failure;
use crate::checks::Engine;
use crate::config::Config;
use crate::report::RuleCard;
use crate::rules::{Rule, RuleSet, Selection};
use crate::scan::{Asked, Choice};

/// Larger files are no rules.
const MAX_BYTES: u64 = 1 << 20;

/// The rules of a run.
pub(super) fn choose(config: &Config, selection: &Selection<'_>) -> Result<RuleSet, Failure> {
    Ok(all(config)?.select(selection)?)
}

/// Every rule: the tool's own, and those of the directory that the configuration names.
pub(super) fn all(config: &Config) -> Result<RuleSet, Failure> {
    let embedded = RuleSet::embedded();
    match &config.rules {
        Some(directory) => Ok(embedded.load_user(&files(&config.directory.join(directory))?)?),
        None => Ok(embedded),
    }
}

/// Those that look at contract documents only.
pub(super) fn about_contracts_alone() -> RuleSet {
    RuleSet::embedded().keep(|rule| matches!(rule.engine, Engine::ContractForm(_)))
}

/// Those of a run that hold a contract against its earlier version.
pub(super) fn about_versions(config: &Config) -> Result<Choice, Failure> {
    let choice = Choice::of(all(config)?, config, Asked::default())?;
    Ok(choice.keep(|rule| matches!(rule.engine, Engine::Breaking(_))))
}

/// What the report says about the rules.
pub(super) fn cards(rules: &RuleSet) -> Vec<RuleCard> {
    rules.rules().map(card).collect()
}

pub(super) fn card(rule: &Rule) -> RuleCard {
    RuleCard {
        code: rule.code.clone(),
        name: rule.name.clone(),
        severity: rule.severity,
        tier: rule.tier.name(),
        summary: rule.summary.clone(),
        markdown: rule.markdown.clone(),
    }
}

/// The rule files below a directory, `<family>/<CODE>.toml` and `.md`, sorted by name. Links are not followed.
pub(super) fn files(directory: &Path) -> Result<Vec<(String, String)>, Failure> {
    let unreadable = |path: &Path, reason: String| {
        let help =
            "a directory of rules holds a folder a family, and in it two files a rule: `treaty rules new` starts one";
        Failure::said(format!("cannot read rules from {}: {reason}", path.display()), help)
    };
    let entries = |path: &Path| -> Result<Vec<std::fs::DirEntry>, Failure> {
        let read = std::fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let mut entries = read.map_err(|error| unreadable(path, error.to_string()))?;
        entries.sort_by_key(std::fs::DirEntry::file_name);
        Ok(entries)
    };
    let mut files = Vec::new();
    for family in entries(directory)? {
        if !family.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        for entry in entries(&family.path())? {
            let path = entry.path();
            let rule = path.extension().is_some_and(|extension| extension == "toml" || extension == "md");
            let Some(metadata) = entry.metadata().ok().filter(|metadata| rule && metadata.is_file()) else { continue };
            if metadata.len() > MAX_BYTES {
                return Err(unreadable(&path, format!("it has {} bytes, which no rule needs", metadata.len())));
            }
            let text = std::fs::read_to_string(&path).map_err(|error| unreadable(&path, error.to_string()))?;
            let name = |name: std::ffi::OsString| name.to_string_lossy().into_owned();
            files.push((format!("{}/{}", name(family.file_name()), name(entry.file_name())), text));
        }
    }
    Ok(files)
}
