//! `treaty contract validate`: what is wrong in contract documents, without any code.

use std::io::Write;

use super::args::{ContractArgs, ContractCommand, ValidateArgs};
use super::demands::outcome;
use super::failure::Failure;
use super::output::{deliver, style};
use super::{Outcome, input, rule_set};
use crate::config::FailOn;
use crate::finding::ProblemKind;
use crate::report::{self, count};
use crate::rules::RuleSet;
use crate::scan::{Options, Silent, scan};

pub(super) fn run(arguments: &ContractArgs) -> Result<Outcome, Failure> {
    match &arguments.command {
        ContractCommand::Validate(arguments) => validate(arguments),
        #[cfg(feature = "serve")]
        ContractCommand::Registry(command) => super::registry::run(command),
    }
}

/// Rules that a document may name. Settings play no part in a validation otherwise, so those that cannot be read are none.
fn known(arguments: &ValidateArgs) -> RuleSet {
    let config = input::configuration(None, &arguments.files);
    config.and_then(|config| rule_set::all(&config)).unwrap_or_else(|_| RuleSet::embedded())
}

/// A document that cannot be read at all fails the validation too.
fn validate(arguments: &ValidateArgs) -> Result<Outcome, Failure> {
    let rules = rule_set::about_contracts_alone();
    let contract_roots = input::existing(&arguments.contract_roots)?;
    let (paths, contracts) = (arguments.files.clone(), arguments.files.clone());
    let options = Options { paths, contracts, contract_roots, ..Options::default() };
    let mut report = scan(&options, &rules, &Silent)?;
    report.suppress(&rules, Some(&known(arguments)));
    // That there is no code beside the documents is the point of this command.
    report.problems.retain(|problem| !matches!(problem.kind, ProblemKind::NoSources | ProblemKind::UnusedContract));
    // Nor is it of interest what of them was found in code.
    report.summary.contracts.clear();
    report.summary.events.clear();
    let format = report::Format::from(arguments.format);
    deliver(None, |out| {
        report::write(&report, &rule_set::cards(&rules), format, style(None, (true, true)), out)?;
        if matches!(format, report::Format::Text | report::Format::Concise) {
            let documents = count(arguments.files.len(), "contract");
            let mut findings = count(report.findings.len(), "finding");
            if !report.suppressed.is_empty() {
                findings = format!("{findings}, {} suppressed", report.suppressed.len());
            }
            writeln!(out, "{documents}: {findings}, {}", count(report.problems.len(), "problem"))?;
        }
        Ok(())
    })?;
    Ok(outcome(&report, FailOn::Error, true))
}
