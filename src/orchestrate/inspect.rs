//! What treaty itself says of a checkout.

use std::path::Path;

use super::promises::{self, Looked};
use crate::config;
use crate::events::{Depth, FindingRow};
use crate::plan::{Contract, Plan};
use crate::rules::{RuleSet, Selection};
use crate::scan::{ContractSummary, Options, Silent, configured, scan};

/// A scan of a whole checkout, as far as a run needs it.
#[derive(Clone, Debug, Default)]
pub(super) struct Inspection {
    /// Each with the path of the contract that it is about, where it is about one.
    pub findings: Vec<(FindingRow, Option<String>)>,
    pub contracts: Vec<ContractSummary>,
    /// Each promise of a contract that a service was held against.
    pub looked: Vec<Looked>,
    /// What could not be read or compared.
    pub problems: Vec<String>,
}

impl Inspection {
    /// Scans a checkout with the rules of the product: those that are on, and those that a depth adds.
    ///
    /// # Errors
    /// A configuration that cannot be used, a folder that cannot be read.
    pub(super) fn of(root: &Path, depth: Option<Depth>) -> Result<Inspection, String> {
        let settings = root.join(config::FILE_NAME);
        let config = if settings.is_file() {
            config::load(&settings).map_err(|error| error.to_string())?
        } else {
            config::Config::default()
        };
        let chosen = Selection { depth: depth.or(config.depth), ..configured(&config) };
        let rules = RuleSet::embedded().select(&chosen).map_err(|error| error.to_string())?;
        let options = Options { paths: vec![root.to_owned()], config, ..Options::default() };
        let report = scan(&options, &rules, &Silent).map_err(|error| error.to_string())?;
        let sources = &report.project.sources;
        let below = |path: &str| relative(path, root);
        let findings = report.findings.iter().map(|it| {
            let row = FindingRow {
                fingerprint: it.fingerprint.clone(),
                rule: it.rule.clone(),
                severity: it.severity,
                file: below(sources.path(it.span)),
                line: sources.positions(it.span).0.line,
                message: it.message.clone(),
            };
            (row, it.contract.as_ref().map(|place| below(sources.path(place.span))))
        });
        let findings = findings.collect();
        let contracts =
            report.summary.contracts.iter().map(|it| ContractSummary { contract: below(&it.contract), ..it.clone() });
        let contracts = contracts.collect();
        let problems = report.problems.iter().map(|it| format!("{}: {}", below(&it.path), it.message)).collect();
        let looked = promises::looked(&report);
        let looked = looked.into_iter().map(|it| Looked { contract: below(&it.contract), ..it }).collect();
        Ok(Inspection { findings, contracts, looked, problems })
    }

    /// Findings that a task answers for: those about contracts that it is to keep.
    pub(super) fn against<'i>(
        &'i self,
        keeps: &'i [String],
        contracts: &'i [Contract],
    ) -> impl Iterator<Item = &'i FindingRow> {
        let kept = move |path: &String| contracts.iter().any(|it| it.path == *path && keeps.contains(&it.id));
        self.findings.iter().filter(move |it| it.1.as_ref().is_some_and(kept)).map(|it| &it.0)
    }

    /// Operations that the contracts of the plan promise, and those that were verified.
    pub(super) fn verified(&self, plan: &Plan, contracts: &[Contract]) -> (usize, usize) {
        let ours = |path: &str| {
            contracts
                .iter()
                .any(|it| it.path == path && plan.services.iter().any(|service| service.serves.contains(&it.id)))
        };
        let promised =
            contracts.iter().filter(|it| plan.services.iter().any(|service| service.serves.contains(&it.id)));
        let total = promised.map(|it| crate::plan::operation_names(&it.document).len()).sum();
        let violated = |summary: &ContractSummary| {
            let about = self.findings.iter().filter(|it| it.1.as_deref() == Some(&summary.contract));
            about.filter(|it| it.0.severity == crate::finding::Severity::Error).count()
        };
        let kept = self.contracts.iter().filter(|it| ours(&it.contract));
        let verified: usize = kept.map(|it| it.verified.saturating_sub(violated(it))).sum();
        (verified.min(total), total)
    }
}

/// A path as the scan shows it, below the root of the checkout.
fn relative(path: &str, root: &Path) -> String {
    let whole = Path::new(path);
    let absolute =
        if whole.is_absolute() { whole.to_owned() } else { std::env::current_dir().unwrap_or_default().join(whole) };
    let absolute = config::plain_path(&absolute);
    let below = absolute.strip_prefix(root).map(|it| it.to_string_lossy().replace('\\', "/"));
    below.unwrap_or_else(|_| path.to_owned())
}
