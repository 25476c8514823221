//! `treaty diff`: what two versions of one contract differ in, for those who rely on the older one.

use std::io::Write;

use super::args::DiffArgs;
use super::failure::Failure;
use super::output::{deliver, style};
use super::scan::{outcome, override_severities};
use super::{Outcome, input, rule_set};
use crate::config::FailOn;
use crate::finding::{ProblemKind, Severity};
use crate::report::{self, count};
use crate::scan::{Options, Silent, scan};

/// A version that cannot be read means that the run could not be done.
pub(super) fn run(arguments: &DiffArgs) -> Result<Outcome, Failure> {
    let config = input::configuration(arguments.config.as_deref(), std::slice::from_ref(&arguments.new))?;
    let rules = rule_set::about_versions(&config)?;
    let cards = rule_set::cards(&rules);
    let options = Options {
        paths: vec![arguments.new.clone()],
        contracts: vec![arguments.new.clone()],
        against: Some(arguments.old.clone()),
        today: input::today(),
        config,
        all_models: false,
    };
    let mut report = scan(&options, &rules, &Silent)?;
    if let Some(problem) = report.problems.iter().find(|problem| problem.kind == ProblemKind::NoContract) {
        let help = "name two versions of an OpenAPI document; `treaty contract validate` says what is wrong in one";
        return Err(Failure::said(format!("{}: {}", problem.path, problem.message), help));
    }
    override_severities(&mut report, &options.config, &cards);
    // That there is no code beside the documents is the point of this command.
    report.problems.retain(|problem| !matches!(problem.kind, ProblemKind::NoSources | ProblemKind::UnusedContract));
    report.summary.contracts.clear();
    let file = arguments.output.as_deref();
    let format = report::Format::from(arguments.format);
    deliver(file, |out| {
        report::write(&report, &cards, format, style(file, true), out)?;
        if format == report::Format::Text && !arguments.quiet {
            let of = |severity| report.findings.iter().filter(|finding| finding.severity == severity).count();
            let breaking = count(of(Severity::Error), "breaking change");
            let (doubtful, other) = (count(of(Severity::Warning), "warning"), of(Severity::Info));
            writeln!(out, "{breaking}, {doubtful}, {other} that break nobody")?;
        }
        Ok(())
    })?;
    let fail_on = arguments.fail_on.map(FailOn::from).or(options.config.fail_on).unwrap_or(FailOn::Error);
    Ok(outcome(&report, fail_on, false))
}
