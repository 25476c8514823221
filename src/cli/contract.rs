//! `treaty contract validate`: what is wrong in contract documents, without any code.

use super::args::{ContractArgs, ContractCommand, ValidateArgs};
use super::failure::Failure;
use super::output::{deliver, style};
use super::scan::outcome;
use super::{Outcome, rule_set};
use crate::config::FailOn;
use crate::finding::ProblemKind;
use crate::report;
use crate::scan::{Options, Silent, scan};

pub(super) fn run(arguments: &ContractArgs) -> Result<Outcome, Failure> {
    match &arguments.command {
        ContractCommand::Validate(arguments) => validate(arguments),
    }
}

/// A document that cannot be read at all fails the validation too.
fn validate(arguments: &ValidateArgs) -> Result<Outcome, Failure> {
    let rules = rule_set::about_contracts_alone()?;
    let options = Options {
        paths: arguments.files.clone(),
        contracts: arguments.files.clone(),
        config: crate::config::Config::default(),
    };
    let mut report = scan(&options, &rules, &Silent)?;
    // That there is no code beside the documents is the point of this command.
    report.problems.retain(|problem| !matches!(problem.kind, ProblemKind::NoSources | ProblemKind::UnusedContract));
    report.summary.contracts.clear();
    let style = style(None, false);
    deliver(None, |out| report::write(&report, &rule_set::cards(&rules), arguments.format.into(), style, out))?;
    Ok(outcome(&report, FailOn::Error, true))
}
