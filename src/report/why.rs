//! How one operation was found, or why not: the contract's place, the route and its chain of mounts, where the answer
//! comes from, what stayed unknown, and what comes close.

use std::io::{self, Write};

use super::excerpt::count;
use super::terminal::{understood, why as reasons_of};
use super::visible::visible;
use crate::finding::Reason;
use crate::model::{Implementation, Kind, Method, Operation, PathTemplate, ShapeId, ShapeTable};
use crate::project::Service;
use crate::scan::Report;
use crate::text::Sources;

/// Near misses shown for an operation without a route; others are not shown.
const MAX_NEAR: usize = 5;
/// Types are named to this depth; for deeper ones stands `…`.
const MAX_DEPTH: usize = 4;

/// Writes what is known of the operation; false where neither a contract nor the code has it.
///
/// # Errors
/// What `out` returns.
pub fn write(report: &Report, method: Method, path: &PathTemplate, out: &mut impl Write) -> io::Result<bool> {
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
                about(service, report, out)?;
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
                    let cause = pair.and_then(|pair| {
                        let (service, part) = pair.miss.as_ref()?.doubt?;
                        project.services.get(service)?.unread.get(part)
                    });
                    if let Some(cause) = cause {
                        let why = reason_text(&cause.reason, &project.sources);
                        writeln!(out, "  not verifiable: it may be served by what was not read: {}", visible(&why))?;
                    }
                }
            }
            let title = operation.title();
            let about = report.findings.iter().filter(|finding| finding.operations.contains(&title));
            for finding in
                about.filter(|finding| finding.contract.as_ref().is_none_or(|it| it.span.file == contract.file))
            {
                writeln!(out, "finding: {} {}", visible(&finding.rule), visible(&finding.message))?;
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
            about(service, report, out)?;
            route(operation, service, &project.sources, out)?;
        }
    }
    if !known {
        for service in &project.services {
            about(service, report, out)?;
            missing(service, method, path, &project.sources, out)?;
        }
    }
    Ok(known)
}

/// The service, what it is made with, and how much of it was understood.
fn about(service: &Service, report: &Report, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "service: {} ({})", visible(&service.name), visible(&service.root))?;
    let Some(summary) = report.summary.services.iter().find(|it| it.service == service.name) else { return Ok(()) };
    writeln!(out, "  {}", understood(summary))?;
    let unverified: usize = summary.not_verifiable.iter().map(|(_, operations)| operations).sum();
    if unverified > 0 {
        let reasons = summary.not_verifiable.iter().map(|(reason, operations)| (reason.as_str(), *operations));
        writeln!(out, "  {} not verifiable ({})", count(unverified, "operation"), reasons_of(reasons))?;
    }
    Ok(())
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
            members(&body.media, body.shape, service, sources, out)?;
        }
    }
    Ok(())
}

/// The type of an answer, and each member with the place that it comes from.
fn members(media: &str, shape: ShapeId, service: &Service, sources: &Sources, out: &mut impl Write) -> io::Result<()> {
    let table = &service.shapes;
    let mut view = table.view(shape);
    writeln!(out, "    {}: {}", visible(media), visible(&describe(table, shape, 0)))?;
    // The members of a list are of more interest than the list.
    for _ in 0..MAX_DEPTH {
        let Kind::Array { items: Some(items), .. } = view.shape.kind else { break };
        view = table.view(items);
    }
    match &view.shape.kind {
        Kind::Unknown(reason) => writeln!(out, "      unknown: {}", visible(&reason_text(reason, sources))),
        Kind::Object(object) => object.fields.iter().try_for_each(|field| {
            let from = field.span.map_or_else(String::new, |span| format!(" ({})", sources.place(span)));
            let optional = if field.always { "" } else { ", may be absent" };
            let kind = describe(table, field.shape, 0);
            writeln!(out, "      {}: {}{optional}{}", visible(&field.name), visible(&kind), visible(&from))?;
            match &table.view(field.shape).shape.kind {
                Kind::Unknown(reason) => writeln!(out, "        unknown: {}", visible(&reason_text(reason, sources))),
                _ => Ok(()),
            }
        }),
        _ => Ok(()),
    }
}

/// `array of BookOut`, `string or null`
fn describe(table: &ShapeTable, shape: ShapeId, depth: usize) -> String {
    let view = table.view(shape);
    let kind = match (&view.shape.kind, view.shape.name.as_deref()) {
        _ if depth > MAX_DEPTH => "…".to_owned(),
        (Kind::Array { items: Some(items), .. }, _) => format!("array of {}", describe(table, *items, depth + 1)),
        (Kind::Union(union), None) => {
            let options: Vec<String> = union.options.iter().map(|it| describe(table, *it, depth + 1)).collect();
            options.join(" or ")
        }
        (Kind::Either(options), None) => {
            let options: Vec<String> = options.iter().map(|it| describe(table, *it, depth + 1)).collect();
            format!("either {}", options.join(" or "))
        }
        (_, Some(name)) => name.to_owned(),
        (Kind::Array { items: None, .. }, None) => "array".to_owned(),
        (Kind::Unknown(_), None) => "unknown".to_owned(),
        (Kind::Any, None) => "anything".to_owned(),
        (Kind::Never, None) => "nothing".to_owned(),
        (Kind::Null, None) => "null".to_owned(),
        (Kind::Boolean, None) => "boolean".to_owned(),
        (Kind::Integer, None) => "integer".to_owned(),
        (Kind::Number | Kind::Numeric, None) => "number".to_owned(),
        (Kind::String, None) => "string".to_owned(),
        (Kind::Object(_) | Kind::All(_) | Kind::Ref(_), None) => "object".to_owned(),
    };
    if view.nullable && !matches!(view.shape.kind, Kind::Null) { format!("{kind} or null") } else { kind }
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
    for condition in &implementation.when {
        let side = if condition.holds { "holds" } else { "does not hold" };
        writeln!(out, "  where the condition at {} {side}", visible(&sources.place(condition.test)))?;
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
    writeln!(out, "  no route of {} serves it", count(service.operations.len(), "route"))?;
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

fn reason_text(reason: &Reason, sources: &Sources) -> String {
    match reason.span {
        Some(span) => format!("{} ({})", reason.text, sources.place(span)),
        None => reason.text.clone(),
    }
}
