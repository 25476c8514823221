//! Stages after the build: each looks at everything that was merged for one family of defects.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::inspect::Inspection;
use super::state::State;
use crate::events::{Depth, FindingRow, GateResult, GateVerdict, Stage, StageOutcome};
use crate::finding::Severity;
use crate::gates::{EndToEnd, GateSettings, end_to_end};
use crate::process::Cancel;
use crate::rules::{RuleSet, Tier};
use crate::settings::Scans;

/// What `stages.toml` says of one stage.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// Codes of rules or the beginnings of them; none for a stage that runs commands.
    #[serde(default)]
    rules: Vec<String>,
    /// `table.key`
    switch: String,
    from: Depth,
}

fn rows() -> BTreeMap<String, Row> {
    toml::from_str(include_str!("stages.toml")).unwrap_or_default()
}

fn rules(stage: Stage) -> Vec<String> {
    rows().remove(stage.name()).map(|it| it.rules).unwrap_or_default()
}

/// The stages that a run leaves out, each with the reason: what a person set goes before the depth.
pub fn left_out(depth: Depth, scans: &Scans) -> Vec<(Stage, String)> {
    let rows = rows();
    let reason = |stage: Stage| {
        let Row { switch, from, .. } = rows.get(stage.name())?;
        let (table, key) = switch.split_once('.')?;
        match scans.is_set(switch) {
            Some(true) => None,
            Some(false) => Some(format!("switched off by [{table}] {key}")),
            None if depth >= *from => None,
            None => Some(format!("switched on by [{table}] {key}, or by the depth {}", from.name())),
        }
    };
    Stage::ALL.into_iter().filter_map(|it| Some((it, reason(it)?))).collect()
}

/// Why a stage looks at nothing; none for one that does.
pub(super) fn idle(stage: Stage, state: &State, scans: &Scans) -> Option<StageOutcome> {
    if let Some((_, reason)) = state.started.left_out.iter().find(|it| it.0 == stage) {
        return Some(skipped(reason));
    }
    if stage == Stage::Browser {
        return too_few_passed(state, scans.browser.e2e_pass_rate_gate);
    }
    let codes = rules(stage);
    let is_known = RuleSet::embedded().rules().any(|rule| rule.tier != Tier::Preview && stands_for(&codes, &rule.code));
    let missing = !codes.is_empty() && !is_known;
    missing.then(|| skipped(&format!("there is no rule for {}", codes.join(", "))))
}

/// A browser goes through the application only where enough of the end-to-end tests passed.
#[expect(clippy::cast_precision_loss, reason = "counts of commands")]
fn too_few_passed(state: &State, gate: f64) -> Option<StageOutcome> {
    let ran = state.stages.iter().filter(|it| matches!(it.stage, Stage::E2eBackend | Stage::E2eFrontend));
    let last: Vec<&StageOutcome> = ran.filter_map(|it| it.outcomes.last()).collect();
    let (passed, all) = last.iter().fold((0, 0), |sum, it| (sum.0 + it.passed, sum.1 + it.passed + it.findings.len()));
    let rate = if all == 0 { 1.0 } else { passed as f64 / all as f64 };
    (rate < gate).then(|| skipped(&format!("{passed} of {all} end-to-end tests passed, and {gate} of them must")))
}

/// Whether a stage runs commands of the project.
pub(super) fn runs_commands(stage: Stage) -> Option<EndToEnd> {
    match stage {
        Stage::E2eBackend => Some(EndToEnd::Backend),
        Stage::E2eFrontend => Some(EndToEnd::Frontend),
        Stage::Browser => Some(EndToEnd::Browser),
        _ => None,
    }
}

/// What the commands of a checkout say: those of the whole and of each service. `folders` are below `root`.
pub(super) fn of_commands(
    kind: EndToEnd,
    (root, folders): (&Path, &[String]),
    settings: &GateSettings,
    logs: &Path,
    cancel: &Cancel,
) -> StageOutcome {
    let mut outcome = StageOutcome::default();
    let mut notes = Vec::new();
    for folder in [String::new()].iter().chain(folders) {
        for result in end_to_end(kind, &root.join(folder), settings, logs, cancel) {
            match result.verdict {
                GateVerdict::Pass => outcome.passed += 1,
                GateVerdict::Skipped => notes.push(result.note),
                GateVerdict::Fail | GateVerdict::Halt => outcome.findings.extend(failures(folder, &result)),
            }
        }
        // A command in the settings is for the whole.
        if settings.commands.contains_key(kind.name()) {
            break;
        }
    }
    if outcome.passed == 0 && outcome.findings.is_empty() {
        notes.dedup();
        outcome.skipped = notes.join("; ");
    }
    outcome
}

/// Failing tests as findings, so that they can be mended like any other.
fn failures(folder: &str, result: &GateResult) -> Vec<FindingRow> {
    let each = result.errors.iter().map(|error| FindingRow {
        fingerprint: format!("{folder}:{}:{error}", result.gate),
        rule: result.gate.clone(),
        severity: Severity::Error,
        file: if folder.is_empty() { ".".to_owned() } else { folder.to_owned() },
        line: 1,
        message: format!("`{}` fails: {error}", result.command),
    });
    each.collect()
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
    use crate::settings::parse;

    #[test]
    fn every_stage_has_a_row_and_every_row_is_a_stage() {
        let rows = rows();
        let names = Stage::ALL.map(Stage::name);
        assert!(rows.keys().all(|it| names.contains(&it.as_str())), "{rows:?}");
        assert!(names.iter().all(|it| rows.contains_key(*it)), "{rows:?}");
        let idle: Vec<&str> = Stage::ALL.into_iter().filter(|it| rules(*it).is_empty()).map(Stage::name).collect();
        assert_eq!(idle, ["e2e_backend", "e2e_frontend", "browser"]);
        assert!(Stage::ALL.iter().all(|it| rules(*it).is_empty() == runs_commands(*it).is_some()));
    }

    #[test]
    fn the_depth_decides_where_nobody_did() {
        let out = |depth, text: &str| -> Vec<&str> {
            let scans = parse("treaty.toml", text).expect("settings").scans;
            left_out(depth, &scans).into_iter().map(|it| it.0.name()).collect()
        };
        let end_to_end = ["e2e_backend", "e2e_frontend", "e2e_quality", "browser"];
        let contracts = ["endpoint_schema", "missing_endpoint", "event_schema", "shared_model"];
        let quick = out(Depth::Quick, "");
        assert!(quick.len() == 15 && !contracts.iter().any(|it| quick.contains(it)), "{quick:?}");
        let standard = out(Depth::Standard, "");
        assert_eq!(standard, [&["prd_reconciliation"][..], &end_to_end].concat());
        assert_eq!(out(Depth::Thorough, ""), [""; 0]);
        assert_eq!(out(Depth::Exhaustive, "[integrity-scans]\nasset-scan = false\n"), ["asset"]);
        assert_eq!(out(Depth::Thorough, "[contract-scans]\nevent-schema-scan = false\n"), ["event_schema"]);
        let asked = out(Depth::Quick, "[e2e-testing]\nenabled = true\n[database-scans]\ndual-orm-scan = true\n");
        assert!(
            !asked.contains(&"e2e_backend") && !asked.contains(&"dual_orm") && asked.contains(&"browser"),
            "{asked:?}"
        );
        // Every switch of the table is one of the settings.
        for (name, row) in rows() {
            let (table, key) = row.switch.split_once('.').expect("table.key");
            let scans = parse("treaty.toml", &format!("[{table}]\n{key} = false\n")).expect("settings").scans;
            assert_eq!(scans.is_set(&row.switch), Some(false), "{name}");
        }
    }

    #[test]
    fn a_browser_is_started_only_where_enough_passed() {
        let mut state = State::default();
        state.apply(&crate::events::Event::StageStarted { stage: Stage::E2eBackend, pass: 1 });
        let finding = |at: usize| FindingRow { fingerprint: at.to_string(), ..failures("", &failing())[0].clone() };
        let outcome = StageOutcome { passed: 6, findings: (0..4).map(finding).collect(), ..StageOutcome::default() };
        state.apply(&crate::events::Event::StageScanned { stage: Stage::E2eBackend, pass: 1, outcome });
        let scans = Scans::default();
        let told = idle(Stage::Browser, &state, &scans).expect("too few");
        assert_eq!(told.skipped, "6 of 10 end-to-end tests passed, and 0.7 of them must");
        assert!(too_few_passed(&state, 0.6).is_none());
    }

    fn failing() -> GateResult {
        GateResult { gate: "e2e-backend".to_owned(), errors: vec!["one".to_owned()], ..GateResult::default() }
    }
}
