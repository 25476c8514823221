//! `treaty diff`: what two versions of one contract differ in, for those who rely on the older one.

use std::io::Write;

use super::args::DiffArgs;
use super::demands::outcome;
use super::failure::Failure;
use super::output::{deliver, style};
use super::{Outcome, input, rule_set};
use crate::config::FailOn;
use crate::contracts::{Issue, IssueKind};
use crate::finding::{Problem, ProblemKind, Severity};
use crate::report::{self, count};
use crate::scan::{Options, Report, Silent, scan};

/// A version that cannot be read means that the run could not be done.
pub(super) fn run(arguments: &DiffArgs) -> Result<Outcome, Failure> {
    let mut options = options(arguments)?;
    options.contract_roots = input::existing(&arguments.contract_roots)?;
    options.config.notice = arguments.notice.unwrap_or(options.config.notice);
    let choice = rule_set::about_versions(&options.config)?;
    let cards = rule_set::cards(&choice.rules);
    let mut report = scan(&options, &choice.rules, &Silent)?;
    let is_code = report.project.before.is_some() && options.contracts.is_empty();
    if let Some(problem) = report.problems.iter().find(|problem| !is_code && problem.kind == ProblemKind::NoContract) {
        let help = "name two versions of an OpenAPI or AsyncAPI document or of a JSON Schema; `treaty contract validate` says what \
                    is wrong in one";
        return Err(Failure::said(format!("{}: {}", problem.path, problem.message), help));
    }
    if !is_code && report.project.earlier.is_empty() {
        let message = format!("{} has no version that could be read as a contract", arguments.paths[0].display());
        return Err(Failure::said(message, "name two versions of an OpenAPI or AsyncAPI document or of a JSON Schema"));
    }
    if is_code {
        // The code speaks for itself.
        report.findings.retain(|finding| finding.contract.is_none());
    }
    report.suppress(&choice.rules, Some(&choice.all));
    choice.settle(&mut report)?;
    // That there is no code beside the documents is the point of this command.
    let beside_the_point = |kind| match kind {
        ProblemKind::NoSources => !is_code,
        ProblemKind::UnusedContract => true,
        ProblemKind::NoContract | ProblemKind::ExtractionIncomplete => is_code,
        _ => false,
    };
    report.problems.retain(|problem| !beside_the_point(problem.kind));
    if !is_code {
        report.problems.extend(unresolved(&report));
        report.problems.sort();
        report.problems.dedup();
    }
    let is_gap = |kind| matches!(kind, ProblemKind::UnresolvedReference | ProblemKind::ReferenceOutsideRoot);
    let gaps = report.problems.iter().filter(|problem| !is_code && is_gap(problem.kind)).count();
    report.summary.contracts.clear();
    let file = arguments.output.as_deref();
    let format = report::Format::from(arguments.format);
    deliver(file, |out| {
        let style = style(file, (true, arguments.full));
        match format {
            report::Format::Markdown => report::changelog::write_markdown(&report, out)?,
            report::Format::Html => report::changelog::write_html(&report, out)?,
            _ => report::write(&report, &cards, format, style, out)?,
        }
        if matches!(format, report::Format::Text | report::Format::Concise) && !arguments.quiet {
            let of = |severity| report.findings.iter().filter(|finding| finding.severity == severity).count();
            let breaking = count(of(Severity::Error), "breaking change");
            let (doubtful, other) = (count(of(Severity::Warning), "warning"), of(Severity::Info));
            let suppressed = match report.suppressed.len() {
                0 => String::new(),
                some => format!("; {some} suppressed"),
            };
            let gaps = if gaps > 0 { format!("; not all was compared: {}", count(gaps, "gap")) } else { String::new() };
            let verb = if other == 1 { "breaks" } else { "break" };
            writeln!(out, "{breaking}, {doubtful}, {other} that {verb} nobody{suppressed}{gaps}")?;
        }
        Ok(())
    })?;
    let fail_on = arguments.fail_on.map(FailOn::from).or(options.config.fail_on).unwrap_or(FailOn::Error);
    match outcome(&report, fail_on, false) {
        // What was compared is told, and it is not all.
        Outcome::Clean if gaps > 0 => Ok(Outcome::CouldNotRun),
        other => Ok(other),
    }
}

/// References of the new version that lead nowhere: what they stand for is compared with nothing.
fn unresolved(report: &Report) -> Vec<Problem> {
    let contracts = report.project.earlier.iter().map(|earlier| &report.project.contracts[earlier.contract]);
    let issues = contracts.flat_map(|it| &it.issues).filter(|issue| issue.kind == IssueKind::UnresolvedReference);
    let problem = |issue: &Issue| {
        let message = format!("{}: what it stands for is not compared", issue.message);
        Problem::at(ProblemKind::UnresolvedReference, &report.project.sources, issue.span, message)
    };
    issues.map(problem).collect()
}

/// Two documents, two folders, or two revisions.
fn options(arguments: &DiffArgs) -> Result<Options, Failure> {
    let (today, facts, nested) = (input::today(), arguments.facts.clone(), arguments.config.is_none());
    if let Some(from) = &arguments.from {
        let config = input::configuration(arguments.config.as_deref(), &arguments.paths)?;
        let (paths, revision, before) = (arguments.paths.clone(), arguments.to.clone(), Some(from.clone()));
        return Ok(Options { paths, before, revision, facts, today, nested, config, ..Options::default() });
    }
    let [old, new] = arguments.paths.as_slice() else {
        let message = format!(
            "two versions are compared, and {} named",
            match arguments.paths.len() {
                0 => "none is".to_owned(),
                1 => "one is".to_owned(),
                several => format!("{several} are"),
            }
        );
        let help = "treaty diff OLD NEW, or treaty diff --from REVISION; `treaty diff --help` has examples";
        return Err(Failure::said(message, help));
    };
    let config = input::configuration(arguments.config.as_deref(), std::slice::from_ref(new))?;
    let against = Some(old.clone());
    // Two folders hold code; two files are documents.
    let contracts = if old.is_dir() && new.is_dir() { Vec::new() } else { vec![new.clone()] };
    let paths = vec![new.clone()];
    Ok(Options { paths, contracts, against, facts, today, nested, config, ..Options::default() })
}
