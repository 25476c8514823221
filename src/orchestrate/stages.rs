//! Stages after the build: each looks at everything that was merged for one family of defects.

use std::path::Path;

use super::inspect::Inspection;
use crate::events::{Stage, StageOutcome};
use crate::rules::RuleSet;

/// Rules that a stage stands for, by their codes or the beginnings of them; none for one that runs commands.
fn rules(stage: Stage) -> Vec<String> {
    let table: toml::Table = include_str!("stages.toml").parse().unwrap_or_default();
    let codes = table.get(stage.name()).and_then(toml::Value::as_array);
    codes.into_iter().flatten().filter_map(toml::Value::as_str).map(str::to_owned).collect()
}

/// What a stage finds in a checkout. A stage that breaks down says so, and the others go on.
pub(super) fn scan(stage: Stage, root: &Path) -> StageOutcome {
    let codes = rules(stage);
    let stands_for = |code: &str| codes.iter().any(|it| code == it || (it.ends_with('-') && code.starts_with(it)));
    if codes.is_empty() {
        return skipped("no command was detected that runs these tests");
    }
    if !RuleSet::embedded().rules().any(|rule| stands_for(&rule.code)) {
        return skipped(&format!("there is no rule for {}", codes.join(", ")));
    }
    match Inspection::of(root) {
        Ok(found) => StageOutcome {
            findings: found.findings.into_iter().map(|it| it.0).filter(|it| stands_for(&it.rule)).collect(),
            unknown: found.contracts.iter().flat_map(|it| &it.not_verifiable).map(|it| it.1).sum(),
            ..StageOutcome::default()
        },
        Err(why) => broken(why),
    }
}

fn skipped(why: &str) -> StageOutcome {
    StageOutcome { skipped: why.to_owned(), ..StageOutcome::default() }
}

pub(super) fn broken(why: String) -> StageOutcome {
    StageOutcome { skipped: why, crashed: true, ..StageOutcome::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_of_the_table_is_one_and_every_other_runs_commands() {
        let table: toml::Table = include_str!("stages.toml").parse().expect("TOML");
        let names = Stage::ALL.map(Stage::name);
        assert!(table.keys().all(|it| names.contains(&it.as_str())), "{table:?}");
        let idle: Vec<&str> = Stage::ALL.into_iter().filter(|it| rules(*it).is_empty()).map(Stage::name).collect();
        assert_eq!(idle, ["e2e_backend", "e2e_frontend", "browser"]);
    }
}
