//! Stages after the build: each looks at everything that was merged for one family of defects.

use std::path::Path;

use super::inspect::Inspection;
use crate::events::{Stage, StageOutcome};
use crate::rules::RuleSet;

/// Rules that a stage stands for, by their codes or the beginnings of them.
fn rules(stage: Stage) -> &'static [&'static str] {
    match stage {
        Stage::Mock => &["MOCK-"],
        Stage::Ui => &["UI-"],
        Stage::Deployment => &["DEPLOY-"],
        Stage::Asset => &["ASSET-"],
        Stage::PrdReconciliation => &["PRD-"],
        Stage::DualOrm => &["DB-001", "DB-002", "DB-003"],
        Stage::DefaultValue => &["DB-004", "DB-005"],
        Stage::Relationship => &["DB-006", "DB-007", "DB-008"],
        Stage::ApiContract => &["API-", "ENUM-"],
        Stage::EndpointSchema => &["CONTRACT-001", "CONTRACT-010"],
        Stage::MissingEndpoint => &["CONTRACT-002"],
        Stage::EventSchema => &["CONTRACT-003"],
        Stage::SharedModel => &["CONTRACT-004"],
        Stage::SilentDataLoss => &["SDL-"],
        Stage::EndpointXref => &["XREF-", "CONTRACT-009"],
        Stage::E2eBackend | Stage::E2eFrontend | Stage::Browser => &[],
        Stage::E2eQuality => &["E2E-"],
    }
}

/// What a stage finds in a checkout. A stage that breaks down says so, and the others go on.
pub(super) fn scan(stage: Stage, root: &Path) -> StageOutcome {
    let codes = rules(stage);
    let stands_for = |code: &str| codes.iter().any(|it| code == *it || (it.ends_with('-') && code.starts_with(it)));
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
