//! `treaty why`: how an operation was found, or why not.

use std::io::{self, Write};

use super::args::WhyArgs;
use super::failure::Failure;
use super::output::deliver;
use super::progress::Bar;
use super::{Outcome, input};
use crate::model::{Implementation, Method, Operation, PathTemplate};
use crate::project::Service;
use crate::report::visible;
use crate::rules::RuleSet;
use crate::scan::{Report, scan};
use crate::text::Sources;

/// Near misses shown for an operation without a route.
const MAX_NEAR: usize = 5;

pub(super) fn run(arguments: &WhyArgs) -> Result<Outcome, Failure> {
    let Some((method, path)) = parse(&arguments.operation) else {
        return Err(Failure::said(
            format!("`{}` is not an operation", arguments.operation),
            "write a method and a path in one argument: `treaty why \"GET /users/{id}\"`",
        ));
    };
    let options = input::options(&arguments.input)?;
    let bar = Bar::new(false);
    let scanned = scan(&options, &RuleSet::default(), &bar);
    bar.finish();
    let report = scanned?;
    let mut known = false;
    deliver(None, |out| {
        known = explain(&report, method, &path, out)?;
        Ok(())
    })?;
    Ok(if known { Outcome::Clean } else { Outcome::Findings })
}

fn parse(text: &str) -> Option<(Method, PathTemplate)> {
    let (method, path) = text.trim().split_once(char::is_whitespace)?;
    let path = path.trim();
    Some((Method::parse(method)?, PathTemplate::new(path))).filter(|_| path.starts_with('/'))
}

/// Writes what is known; false where neither a contract nor the code has the operation.
fn explain(report: &Report, method: Method, path: &PathTemplate, out: &mut impl Write) -> io::Result<bool> {
    let project = &report.project;
    let mut known = false;
    for (index, contract) in project.contracts.iter().enumerate() {
        for (declared, operation) in contract.operations.iter().enumerate() {
            let same = |base: &String| operation.path.under(base).key() == path.key();
            if operation.method != method
                || !(operation.path.key() == path.key() || contract.base_paths.iter().any(same))
            {
                continue;
            }
            known = true;
            writeln!(out, "contract: {} at {}", visible(&operation.title()), place(&project.sources, operation))?;
            for link in project.links.iter().filter(|link| link.contract == index) {
                let service = &project.services[link.service];
                let pair = link.pairs.iter().find(|pair| pair.declared == declared);
                writeln!(out, "service: {} ({})", visible(&service.name), visible(&service.root))?;
                if pair.is_some_and(|pair| pair.ignored) {
                    writeln!(out, "  not expected: planned by the contract, or ignored by configuration")?;
                }
                let served: Vec<&Operation> =
                    pair.into_iter().flat_map(|pair| &pair.served).map(|it| &service.operations[*it]).collect();
                for operation in &served {
                    route(operation, service, &project.sources, out)?;
                }
                if served.is_empty() {
                    missing(service, method, path, &project.sources, out)?;
                }
            }
        }
    }
    if known {
        return Ok(true);
    }
    writeln!(out, "contract: no contract has `{} {}`", method.name(), visible(path.text()))?;
    for service in &project.services {
        for operation in service.operations.iter().filter(|it| it.method == method && it.path.key() == path.key()) {
            known = true;
            writeln!(out, "service: {} ({})", visible(&service.name), visible(&service.root))?;
            route(operation, service, &project.sources, out)?;
        }
    }
    if !known {
        for service in &project.services {
            writeln!(out, "service: {} ({})", visible(&service.name), visible(&service.root))?;
            missing(service, method, path, &project.sources, out)?;
        }
    }
    Ok(known)
}

/// A route that answers: where it is, how its path came to be, what it answers with, what stayed unknown.
fn route(operation: &Operation, service: &Service, sources: &Sources, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "  route: {} at {}", visible(&operation.title()), place(sources, operation))?;
    if let Some(implementation) = &operation.implementation {
        origin(implementation, sources, out)?;
    }
    for response in &operation.responses {
        writeln!(out, "  answers {} ({})", response.status.name(), visible(&sources.place(response.span)))?;
        for body in &response.bodies {
            let view = service.shapes.view(body.shape);
            let name = view.shape.name.as_deref().unwrap_or("without a name");
            let at = view.shape.span.map_or_else(String::new, |span| format!(" ({})", sources.place(span)));
            writeln!(out, "    {}: {}{}", visible(&body.media), visible(name), visible(&at))?;
            if let crate::model::Kind::Unknown(reason) = &view.shape.kind {
                writeln!(out, "    unknown: {}", visible(&reason_text(reason, sources)))?;
            }
            if let crate::model::Kind::Object(object) = &view.shape.kind {
                for field in &object.fields {
                    let from = field.span.map_or_else(String::new, |span| format!(" ({})", sources.place(span)));
                    let optional = if field.always { "" } else { ", may be absent" };
                    writeln!(out, "      {}{}{optional}", visible(&field.name), visible(&from))?;
                }
            }
        }
    }
    Ok(())
}

fn origin(implementation: &Implementation, sources: &Sources, out: &mut impl Write) -> io::Result<()> {
    let handler = implementation.handler_span.map_or_else(String::new, |span| format!(" at {}", sources.place(span)));
    writeln!(
        out,
        "  handler: {}{} ({})",
        visible(&implementation.handler),
        visible(&handler),
        implementation.framework
    )?;
    for step in &implementation.mounts {
        let prefix = if step.prefix.is_empty() { "no prefix".to_owned() } else { format!("prefix `{}`", step.prefix) };
        writeln!(
            out,
            "  through {} at {}: {}",
            visible(&step.what),
            visible(&sources.place(step.span)),
            visible(&prefix)
        )?;
    }
    for (holds, text) in [
        (implementation.hidden, "left out of the generated documentation"),
        (implementation.conditional, "registered under a condition"),
        (!implementation.mounted, "its router was never seen to be mounted: the path may lack a prefix"),
    ] {
        if holds {
            writeln!(out, "  note: {text}")?;
        }
    }
    implementation
        .unknown
        .iter()
        .try_for_each(|reason| writeln!(out, "  unknown: {}", visible(&reason_text(reason, sources))))
}

/// No route answers: what comes closest, and what could not be resolved.
fn missing(
    service: &Service,
    method: Method,
    path: &PathTemplate,
    sources: &Sources,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "  no route of {} serves it", crate::report::count(service.operations.len(), "route"))?;
    let last = |template: &PathTemplate| template.key().rsplit('/').find(|part| *part != "{}").map(str::to_owned);
    let wanted = last(path);
    let mut near: Vec<(u8, &Operation)> = service
        .operations
        .iter()
        .filter_map(|operation| {
            let key = operation.path.key();
            let closeness = if key == path.key() {
                0
            } else if key.ends_with(&path.key()) || path.key().ends_with(&key) {
                1
            } else if wanted.is_some() && last(&operation.path) == wanted {
                2
            } else {
                return None;
            };
            Some((closeness * 2 + u8::from(operation.method != method), operation))
        })
        .collect();
    near.sort_by_key(|(closeness, operation)| (*closeness, operation.title()));
    for (_, operation) in near.iter().take(MAX_NEAR) {
        writeln!(out, "  close: {} at {}", visible(&operation.title()), place(sources, operation))?;
    }
    service
        .unknown
        .iter()
        .try_for_each(|reason| writeln!(out, "  unknown: {}", visible(&reason_text(reason, sources))))?;
    service
        .unsupported
        .iter()
        .try_for_each(|framework| writeln!(out, "  not understood: the web framework {}", visible(framework)))
}

fn place(sources: &Sources, operation: &Operation) -> String {
    visible(&sources.place(operation.span)).into_owned()
}

fn reason_text(reason: &crate::finding::Reason, sources: &Sources) -> String {
    match reason.span {
        Some(span) => format!("{} ({})", reason.text, sources.place(span)),
        None => reason.text.clone(),
    }
}
