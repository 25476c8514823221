//! `treaty extract`: the API that the code really serves, as a document.

use std::collections::BTreeMap;
use std::io::Write;

use super::args::{Document, ExtractArgs};
use super::failure::Failure;
use super::output::deliver;
use super::progress::Bar;
use super::{Outcome, input};
use crate::export::{asyncapi, json_schema, openapi};
use crate::facts;
use crate::finding::{Problem, ProblemKind, Reason};
use crate::model::Method;
use crate::project::Service;
use crate::report::{json, terminal};
use crate::rules::RuleSet;
use crate::scan::{Options, Report, scan};

pub(super) fn run(arguments: &ExtractArgs) -> Result<Outcome, Failure> {
    let paths: Vec<_> = arguments.path.iter().cloned().collect();
    let config = input::configuration(arguments.config.as_deref(), &paths)?;
    let bar = Bar::new(false);
    let scanned = scan(
        &Options {
            paths,
            config,
            all_models: matches!(arguments.kind, Document::Facts | Document::JsonSchema),
            ..Options::default()
        },
        &RuleSet::default(),
        &bar,
    );
    bar.finish();
    let mut report = scanned?;
    if !report.unasked.is_empty() {
        report.project.narrow(|span| !report.unasked.contains(&span.file));
    }
    if matches!(arguments.kind, Document::Facts) {
        record_gaps(&mut report);
    }
    tell(&report, arguments.kind);
    if report.summary.files == 0 {
        let message = format!(
            "nothing was found to extract from in {}",
            report.project.services.first().map_or(".", |it| &it.root)
        );
        return Err(Failure::said(message, "name the folder of a service: Python, TypeScript, JavaScript or C#"));
    }
    deliver(arguments.output.as_deref(), |out| match arguments.kind {
        Document::Openapi => json::write_value(&openapi(&report.project), out),
        Document::Asyncapi => json::write_value(&asyncapi(&report.project), out),
        Document::JsonSchema => json::write_value(&json_schema(&report.project), out),
        Document::Facts => out.write_all(facts::write(&report.project, &report.here).as_bytes()),
    })?;
    Ok(Outcome::Clean)
}

/// What the document lacks, to standard error: what could not be read, and what it has no place for.
fn tell(report: &Report, kind: Document) {
    let beside_the_point = [ProblemKind::NoContract, ProblemKind::UnusedContract, ProblemKind::NoSources];
    let mut problems: Vec<Problem> =
        report.problems.iter().filter(|it| !beside_the_point.contains(&it.kind)).cloned().collect();
    if matches!(kind, Document::Openapi) {
        problems.extend(left_out(report));
    }
    // There is nobody left to tell when standard error is gone.
    let _ = terminal::write_gaps(&problems, &report.project.sources, &mut std::io::stderr().lock());
}

/// What could not be read of a service is a gap in its facts, too.
fn record_gaps(report: &mut Report) {
    use ProblemKind::{BudgetExhausted, Crashed, InvalidEncoding, SyntaxError, TooDeep, TooLarge, Unreadable};
    let kinds = [Unreadable, InvalidEncoding, TooLarge, TooDeep, SyntaxError, BudgetExhausted, Crashed];
    for problem in report.problems.iter().filter(|it| kinds.contains(&it.kind)) {
        let holds = |service: &&mut Service| {
            let below = problem.path.strip_prefix(&service.root).is_some_and(|rest| rest.starts_with('/'));
            service.root == "." || below || problem.path == service.root
        };
        let service = report.project.services.iter_mut().filter(holds).max_by_key(|service| service.root.len());
        if let Some(service) = service {
            service.unknown.push(Reason::new(format!("{}: {}", problem.path, problem.message), problem.span));
        }
    }
}

/// Operations that an earlier service serves as well: a document has one of each.
fn left_out(report: &Report) -> Vec<Problem> {
    let mut seen: BTreeMap<(Method, String), &Service> = BTreeMap::new();
    let mut left_out = Vec::new();
    for service in &report.project.services {
        for operation in &service.operations {
            let first = seen.entry((operation.method, operation.path.key())).or_insert(service);
            if !std::ptr::eq(*first, service) {
                let message = format!(
                    "`{}` of `{}` is left out: `{}` serves it too; extract one service at a time for both",
                    operation.title(),
                    service.name,
                    first.name
                );
                let sources = &report.project.sources;
                left_out.push(Problem::at(ProblemKind::ExtractionIncomplete, sources, operation.span, message));
            }
        }
    }
    left_out
}
