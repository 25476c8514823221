//! Stages after the build: each looks at everything that was merged for one family of defects.

use super::inspect::Inspection;
use crate::events::{Stage, StageOutcome};
use crate::rules::RuleSet;

/// Rules that a stage stands for, by their codes or the beginnings of them; none for one that runs commands.
fn rules(stage: Stage) -> Vec<String> {
    let table: toml::Table = include_str!("stages.toml").parse().unwrap_or_default();
    let codes = table.get(stage.name()).and_then(toml::Value::as_array);
    codes.into_iter().flatten().filter_map(toml::Value::as_str).map(str::to_owned).collect()
}

/// Why a stage looks at nothing; none for one that looks at a scan.
pub(super) fn idle(stage: Stage) -> Option<StageOutcome> {
    let codes = rules(stage);
    if codes.is_empty() {
        return Some(skipped("no command was detected that runs these tests"));
    }
    if !RuleSet::embedded().rules().any(|rule| stands_for(&codes, &rule.code)) {
        return Some(skipped(&format!("there is no rule for {}", codes.join(", "))));
    }
    None
}

/// What a stage finds in the scan of a checkout.
pub(super) fn of_scan(stage: Stage, found: &Inspection) -> StageOutcome {
    let codes = rules(stage);
    let findings = found.findings.iter().map(|it| &it.0).filter(|it| stands_for(&codes, &it.rule));
    StageOutcome {
        findings: findings.cloned().collect(),
        unknown: found.contracts.iter().flat_map(|it| &it.not_verifiable).map(|it| it.1).sum(),
        ..StageOutcome::default()
    }
}

fn stands_for(codes: &[String], code: &str) -> bool {
    codes.iter().any(|it| code == it || (it.ends_with('-') && code.starts_with(it)))
}

fn skipped(why: &str) -> StageOutcome {
    StageOutcome { skipped: why.to_owned(), ..StageOutcome::default() }
}

/// A stage that breaks down says so, and the others go on.
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
