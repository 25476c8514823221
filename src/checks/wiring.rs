//! Engine `wiring`: modules that do not export, import or register what a contract about wiring says. What cannot be told
//! is never reported as wrong.

use super::KindInfo;
use crate::contracts::{WiredImport, WiredMiddlewares, WiredModule, WiredName};
use crate::finding::{ContractPlace, Evidence, Label, Severity, Sink};
use crate::project::{Imported, Project, WiredFacts, middleware_key};
use crate::text::Span;

/// It has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wiring {}

const MISSING_FILE: &str = "missing-file";
const MISSING_EXPORT: &str = "missing-export";
const NOT_VERIFIABLE: &str = "not-verifiable";
const MISSING_IMPORT: &str = "missing-import";
const UNUSED_IMPORT: &str = "unused-import";
const NOT_REGISTERED: &str = "not-registered";
const ORDER: &str = "order";

const GAPS: &[&str] = &["name", "module", "target", "reason", "before"];

const fn kind(name: &'static str, severity: Severity, about: &'static str) -> KindInfo {
    KindInfo { name, severity, about, gaps: GAPS }
}

pub(super) const KINDS: &[KindInfo] = &[
    kind(MISSING_FILE, Severity::Error, "there is no file of a module"),
    kind(MISSING_EXPORT, Severity::Error, "a module does not export a name"),
    kind(NOT_VERIFIABLE, Severity::Info, "it cannot be told what a module exports"),
    kind(MISSING_IMPORT, Severity::Error, "a module does not import a name from another"),
    kind(UNUSED_IMPORT, Severity::Warning, "a module imports a name and does not use it"),
    kind(NOT_REGISTERED, Severity::Warning, "a file does not register a middleware"),
    kind(ORDER, Severity::Warning, "a file registers a middleware after one that should come later"),
];

pub(super) fn judge(_: &Wiring, project: &Project, sink: &mut Sink<'_>) {
    for wiring in project.contracts.iter().filter_map(|contract| contract.wiring.as_ref()) {
        for module in &wiring.modules {
            if let Some(facts) = project.wired.get(&module.path) {
                exports(module, facts, sink);
            }
        }
        for wire in &wiring.imports {
            if let Some(facts) = project.wired.get(&wire.source) {
                imports(wire, facts, project, sink);
            }
        }
        for middlewares in &wiring.middlewares {
            if let Some(facts) = project.wired.get(&middlewares.entry) {
                registrations(middlewares, facts, sink);
            }
        }
    }
}

/// Where a finding stands: the module where there is one, else the contract.
struct Place {
    span: Span,
    contract: ContractPlace,
}

fn report(sink: &mut Sink<'_>, kind: &'static str, place: Place, subject: &str, values: Vec<(&'static str, String)>) {
    let Place { span, contract } = place;
    let related = if span == contract.span { Vec::new() } else { vec![label(contract.span, "asked for here")] };
    sink.report(Evidence {
        kind,
        span,
        label: String::new(),
        related,
        operations: Vec::new(),
        field: None,
        contract: Some(contract),
        subject: subject.to_owned(),
        values,
        at_most: None,
    });
}

fn label(span: Span, text: &str) -> Label {
    Label { span, text: text.to_owned() }
}

fn of_name(name: &WiredName) -> ContractPlace {
    ContractPlace { span: name.span, pointer: name.pointer.clone() }
}

fn exports(module: &WiredModule, facts: &WiredFacts, sink: &mut Sink<'_>) {
    let shown = format!("`{}`", module.path);
    let contract = || ContractPlace { span: module.span, pointer: module.pointer.clone() };
    let Some(start) = facts.span else {
        let place = Place { span: module.span, contract: contract() };
        return report(sink, MISSING_FILE, place, &module.path, vec![("module", shown)]);
    };
    if let Some(reason) = &facts.unread
        && !module.exports.is_empty()
    {
        let place = Place { span: start, contract: contract() };
        let values = vec![("module", shown), ("reason", reason.clone())];
        return report(sink, NOT_VERIFIABLE, place, &module.path, values);
    }
    for export in module.exports.iter().filter(|export| facts.not_exported.contains(&export.name)) {
        let place = Place { span: start, contract: of_name(export) };
        let values = vec![("module", shown.clone()), ("name", format!("`{}`", export.name))];
        report(sink, MISSING_EXPORT, place, &format!("{} {}", module.path, export.name), values);
    }
}

fn imports(wire: &WiredImport, facts: &WiredFacts, project: &Project, sink: &mut Sink<'_>) {
    let exists = |path: &str| project.wired.get(path).is_some_and(|facts| facts.span.is_some());
    for path in [&wire.source, &wire.target] {
        if !exists(path) {
            let place = Place { span: wire.span, contract: ContractPlace { span: wire.span, pointer: String::new() } };
            report(sink, MISSING_FILE, place, path, vec![("module", format!("`{path}`"))]);
        }
    }
    let Some(start) = facts.span else { return };
    for name in &wire.names {
        let (kind, span) = match facts.imports.get(&(wire.target.clone(), name.name.clone())) {
            Some(Imported::Missing) => (MISSING_IMPORT, start),
            Some(Imported::Unused(span)) => (UNUSED_IMPORT, *span),
            Some(Imported::Used) | None => continue,
        };
        let values = vec![
            ("name", format!("`{}`", name.name)),
            ("module", format!("`{}`", wire.source)),
            ("target", format!("`{}`", wire.target)),
        ];
        let place = Place { span, contract: of_name(name) };
        report(sink, kind, place, &format!("{} {} {}", wire.source, wire.target, name.name), values);
    }
}

fn registrations(middlewares: &WiredMiddlewares, facts: &WiredFacts, sink: &mut Sink<'_>) {
    let shown = format!("`{}`", middlewares.entry);
    let Some(start) = facts.span else {
        let contract = ContractPlace { span: middlewares.span, pointer: String::new() };
        let place = Place { span: middlewares.span, contract };
        return report(sink, MISSING_FILE, place, &middlewares.entry, vec![("module", shown)]);
    };
    // The latest so far, with its name.
    let mut latest: Option<(usize, &str, Span)> = None;
    for wanted in &middlewares.order {
        let key = middleware_key(&wanted.name);
        let subject = format!("{} {}", middlewares.entry, wanted.name);
        let values = |before: &str| {
            let quoted = |text: &str| format!("`{text}`");
            vec![("name", quoted(&wanted.name)), ("module", shown.clone()), ("before", quoted(before))]
        };
        let Some(at) = facts.registered.iter().position(|(known, _)| *known == key) else {
            if !facts.registers_more {
                let place = Place { span: start, contract: of_name(wanted) };
                report(sink, NOT_REGISTERED, place, &subject, values(""));
            }
            continue;
        };
        let span = facts.registered[at].1;
        match latest {
            Some((later, before, _)) if at < later => {
                let place = Place { span, contract: of_name(wanted) };
                report(sink, ORDER, place, &subject, values(before));
            }
            _ => latest = Some((at, &wanted.name, span)),
        }
    }
}
