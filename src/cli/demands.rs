//! What a run must have shown for the exit code to be 0.

use std::collections::BTreeMap;
use std::io::Write;

use super::Outcome;
use crate::config::FailOn;
use crate::report::visible;
use crate::scan::{ContractSummary, Report};

/// What the user asks of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demands {
    /// Findings of this severity fail it.
    pub(super) fail_on: FailOn,
    /// Anything that was to be compared and was not fails it.
    pub(super) strict: bool,
    /// Fewer verified operations of a hundred fail it.
    pub(super) min_verified: Option<u8>,
}

impl Demands {
    /// How the run ended, and a line for each demand beside findings that it does not meet.
    pub(super) fn judge(self, report: &Report) -> (Outcome, Vec<String>) {
        let mut unmet = Vec::new();
        let Counts { expected, verified, requests, blind, uncompared } = Counts::of(report);
        if self.fail_on != FailOn::Never {
            unmet.extend(blind.iter().map(|it| {
                format!("{}: nothing of it was found in `{}`: it was compared with nothing", it.contract, it.service)
            }));
        }
        if self.strict {
            let problems = report.problems.len();
            let counted = [
                (problems, "inputs were not understood, or problems met"),
                (expected - verified, "contracted operations have responses that were not verified"),
                (expected - requests, "contracted operations have requests that were not verified"),
                (uncompared, "contracts were compared with nothing"),
            ];
            // Who asks for a part answers for that alone; what is verified is known of the whole.
            let asked = if report.narrowed.is_some() { 1 } else { counted.len() };
            let counted = counted[..asked].iter().filter(|(number, _)| *number > 0);
            unmet.extend(counted.map(|(number, what)| format!("--strict: {number} {what}")));
        }
        if let Some(percent) = self.min_verified
            && (verified * 100 < expected * usize::from(percent) || (expected == 0 && percent > 0))
        {
            unmet.push(format!(
                "--min-verified {percent}: {verified} of {expected} contracted operations were verified"
            ));
        }
        let fails = report.findings.iter().any(|finding| self.fail_on.is_reached(finding.severity));
        (if fails || !unmet.is_empty() { Outcome::Findings } else { Outcome::Clean }, unmet)
    }
}

/// Says on standard error which demands are not met.
pub(super) fn tell(unmet: &[String]) {
    let mut stderr = std::io::stderr().lock();
    for line in unmet {
        // A closed pipe is no reason to complain.
        let _ = writeln!(stderr, "{}", visible(line));
    }
}

/// How a run ended that compares no service with a contract.
pub(super) fn outcome(report: &Report, fail_on: FailOn, strict: bool) -> Outcome {
    let fails = report.findings.iter().any(|finding| fail_on.is_reached(finding.severity));
    if fails || (strict && !report.problems.is_empty()) { Outcome::Findings } else { Outcome::Clean }
}

/// How many of a hundred operations of each contract were verified, by the contract's path. What nobody named and nothing
/// is found of is somebody else's.
pub(super) fn verified_of_contracts(report: &Report) -> BTreeMap<String, u64> {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for contract in report.summary.contracts.iter().filter(|it| it.found > 0 || it.unread > 0 || it.named) {
        let expected = contract.contracted.saturating_sub(contract.ignored);
        let (all, verified) = counts.entry(contract.contract.clone()).or_default();
        // Several services may keep it together.
        *all = (*all).max(expected);
        *verified += contract.verified;
    }
    let percent = |all: usize, verified: usize| (verified.min(all) * 100 / all.max(1)) as u64;
    let counted = counts.into_iter().filter(|(_, (all, _))| *all > 0);
    counted.map(|(contract, (all, verified))| (contract, percent(all, verified))).collect()
}

/// What of the contracts was compared.
struct Counts<'r> {
    /// Operations that are expected.
    expected: usize,
    /// … whose responses were verified.
    verified: usize,
    /// … whose requests were.
    requests: usize,
    /// Named contracts that nothing was found of.
    blind: Vec<&'r ContractSummary>,
    /// Documents about events that no service was held against.
    uncompared: usize,
}

impl<'r> Counts<'r> {
    fn of(report: &'r Report) -> Self {
        let contracts = &report.summary.contracts;
        let uncompared = report.summary.events.iter().filter(|events| events.services.is_empty()).count();
        let mut counts = Counts { expected: 0, verified: 0, requests: 0, blind: Vec::new(), uncompared };
        // What nothing is found of, and nobody named, is somebody else's, unless it is all that there is.
        let is_foreign = |it: &ContractSummary| it.found == 0 && it.unread == 0 && !it.named;
        let only_foreign = contracts.iter().all(is_foreign);
        let mut seen: Vec<&str> = Vec::new();
        for contract in contracts.iter().filter(|it| only_foreign || !is_foreign(it)) {
            if seen.contains(&contract.contract.as_str()) {
                continue;
            }
            seen.push(&contract.contract);
            // Several services may keep it together.
            let links = || contracts.iter().filter(|it| it.contract == contract.contract);
            let expected = contract.contracted.saturating_sub(contract.ignored);
            counts.expected += expected;
            counts.verified += links().map(|it| it.verified).sum::<usize>().min(expected);
            counts.requests += links().map(|it| it.requests_verified).sum::<usize>().min(expected);
            if contract.named && expected > 0 && links().all(|it| it.found == 0 && it.unread == 0) {
                counts.blind.push(contract);
            }
        }
        counts
    }
}
