//! The compliance matrix: each promise of the contracts, who keeps it and who relies on it, and what the scan says of it.

use std::fmt::Write as _;

use super::inspect::Inspection;
use crate::checks::verdicts::{Verdict, of_events, of_operations};
use crate::events::{Extent, Promise, PromiseKind};
use crate::finding::{Finding, Severity};
use crate::model::{Action, Operation};
use crate::plan::{Contract, Plan, Service, message_names, operation_names};
use crate::scan::Report;

/// What a scan says of one promise and one service.
#[derive(Clone, Debug)]
pub(super) struct Looked {
    /// Path of the contract as the scan shows paths.
    pub contract: String,
    pub service: String,
    pub kind: PromiseKind,
    /// `GET /users/{id}`; the address of a channel
    pub name: String,
    /// What the service does with a channel; `None` for an operation.
    pub action: Option<Action>,
    pub verdict: Verdict,
    /// Errors about the promise.
    pub violations: usize,
}

/// What a report says of every operation and channel that a service was held against.
pub(super) fn looked(report: &Report) -> Vec<Looked> {
    let project = &report.project;
    let path = |contract: usize| project.sources.get(project.contracts[contract].file).path.clone();
    let errors = |contract: usize, is_about: &dyn Fn(&Finding) -> bool| {
        let file = project.contracts[contract].file;
        let of_contract = |it: &&Finding| it.contract.as_ref().is_some_and(|place| place.span.file == file);
        let all = report.findings.iter().filter(of_contract);
        all.filter(|it| it.severity == Severity::Error && is_about(it)).count()
    };
    let mut out = Vec::new();
    for link in &project.links {
        let operations = &project.contracts[link.contract].operations;
        for (pair, verdict) in link.pairs.iter().zip(of_operations(project, link)) {
            let name = Operation::title(&operations[pair.declared]);
            let violations = errors(link.contract, &|it| it.operations.contains(&name));
            let (contract, service) = (path(link.contract), project.services[link.service].name.clone());
            out.push(Looked {
                contract,
                service,
                kind: PromiseKind::Operation,
                name,
                action: None,
                verdict,
                violations,
            });
        }
    }
    for keeper in &project.keepers {
        let Some(events) = &project.contracts[keeper.contract].events else { continue };
        for service in keeper.services.iter().map(|at| &project.services[*at]) {
            let verdicts = of_events(project, keeper.contract, service, false);
            for (exchange, verdict) in events.operations.iter().zip(verdicts) {
                let channel = &events.channels[exchange.channel];
                let name = channel.address.as_ref().unwrap_or(&channel.name).clone();
                let is_about = |it: &Finding| it.values.iter().any(|(gap, text)| *gap == "channel" && *text == name);
                let violations = errors(keeper.contract, &is_about);
                let (contract, service) = (path(keeper.contract), service.name.clone());
                let action = Some(exchange.action);
                out.push(Looked { contract, service, kind: PromiseKind::Channel, name, action, verdict, violations });
            }
        }
    }
    out
}

/// The promises of a plan's contracts in the order of the contracts, as the scan found them kept.
pub(super) fn promises(plan: &Plan, contracts: &[Contract], found: &Inspection) -> Vec<Promise> {
    let mut out: Vec<Promise> = Vec::new();
    for contract in contracts {
        // A contract that nobody of the plan has to keep is not this run's work.
        let held = services_with(plan, &|it| {
            let exchanged = it.publishes.iter().chain(&it.receives);
            it.serves.iter().chain(exchanged).any(|id| *id == contract.id)
        });
        if held.is_empty() {
            continue;
        }
        let of_contract: Vec<&Looked> = found.looked.iter().filter(|it| it.contract == contract.path).collect();
        for (kind, name, action) in promised(contract, &of_contract) {
            let is_it =
                |it: &&&Looked, service: &String| (&it.name, it.action, &it.service) == (&name, action, service);
            let each: Vec<Option<&Looked>> =
                held.iter().map(|service| of_contract.iter().find(|it| is_it(it, service)).copied()).collect();
            let of = |extent: fn(&Looked) -> Extent| together(each.iter().map(|it| it.map_or(Extent::No, extent)));
            let notes = held.iter().zip(&each).filter_map(|(service, it)| Some(format!("{service}: {}", note(*it)?)));
            let others = match action {
                None => services_with(plan, &|it| it.asks.contains(&contract.id)),
                Some(action) => other_ends(plan, contracts, &name, action),
            };
            let (providers, consumers) = match action {
                Some(Action::Receive) => (others, held.clone()),
                _ => (held.clone(), others),
            };
            out.push(Promise {
                kind,
                contract: contract.id.clone(),
                name: name.clone(),
                providers,
                consumers,
                implemented: of(implemented),
                verified: of(verified),
                violations: each.iter().flatten().map(|it| it.violations).max().unwrap_or(0),
                note: notes.collect::<Vec<_>>().join("; "),
            });
        }
    }
    out
}

/// What a contract promises: as the scan read it, else as the document says.
fn promised(contract: &Contract, looked: &[&Looked]) -> Vec<(PromiseKind, String, Option<Action>)> {
    let mut names: Vec<(PromiseKind, String, Option<Action>)> = Vec::new();
    for it in looked {
        let name = (it.kind, it.name.clone(), it.action);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if !names.is_empty() {
        return names;
    }
    if contract.kind != "asyncapi" {
        let operations = operation_names(&contract.document).into_iter();
        return operations.map(|it| (PromiseKind::Operation, it, None)).collect();
    }
    let both = [Action::Send, Action::Receive].into_iter();
    both.flat_map(|action| {
        let names = message_names(&contract.document, word(action)).into_iter();
        names.map(move |it| (PromiseKind::Channel, it, Some(action)))
    })
    .collect()
}

fn word(action: Action) -> &'static str {
    match action {
        Action::Send => "send",
        Action::Receive => "receive",
    }
}

/// Services at the other end of a channel, by their own contracts.
fn other_ends(plan: &Plan, contracts: &[Contract], channel: &str, action: Action) -> Vec<String> {
    let other = if action == Action::Send { Action::Receive } else { Action::Send };
    let has = |id: &String| {
        let contract = contracts.iter().find(|it| it.id == *id);
        contract.is_some_and(|it| message_names(&it.document, word(other)).iter().any(|it| it == channel))
    };
    services_with(plan, &|it| if other == Action::Send { &it.publishes } else { &it.receives }.iter().any(has))
}

fn services_with(plan: &Plan, is_wanted: &dyn Fn(&Service) -> bool) -> Vec<String> {
    plan.services.iter().filter(|it| is_wanted(it)).map(|it| it.name.clone()).collect()
}

fn implemented(it: &Looked) -> Extent {
    match it.verdict {
        Verdict::Verified | Verdict::Unverified(_) => Extent::Yes,
        Verdict::Unread(_) => Extent::Partial,
        Verdict::Missing | Verdict::Ignored => Extent::No,
    }
}

fn verified(it: &Looked) -> Extent {
    match it.verdict {
        _ if it.violations > 0 => Extent::No,
        Verdict::Verified => Extent::Yes,
        Verdict::Unverified(_) | Verdict::Unread(_) => Extent::Partial,
        Verdict::Missing | Verdict::Ignored => Extent::No,
    }
}

/// What several services make of one promise: all, none, or something between.
fn together(mut each: impl Iterator<Item = Extent>) -> Extent {
    let Some(first) = each.next() else { return Extent::No };
    if each.all(|it| it == first) { first } else { Extent::Partial }
}

fn note(it: Option<&Looked>) -> Option<String> {
    match it.map(|it| &it.verdict) {
        Some(Verdict::Verified) => None,
        Some(Verdict::Unverified(reason)) => Some(format!("not known, {reason}")),
        Some(Verdict::Unread(reason)) => Some(format!("not found, and not all could be read: {reason}")),
        Some(Verdict::Ignored) => Some("not expected yet".to_owned()),
        Some(Verdict::Missing) | None => Some("not found".to_owned()),
    }
}

/// `CONTRACT_COMPLIANCE_MATRIX.md`.
pub(super) fn matrix(project: &str, promises: &[Promise]) -> String {
    let mut out = format!("# Contract compliance: {project}\n");
    let tables = [
        (PromiseKind::Operation, "OpenAPI contracts", "Endpoint | Provider | Consumer"),
        (PromiseKind::Channel, "AsyncAPI contracts", "Channel | Publisher | Subscriber"),
    ];
    for (kind, title, columns) in tables {
        let rows: Vec<&Promise> = promises.iter().filter(|it| it.kind == kind).collect();
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n## {title}\n");
        let _ = writeln!(out, "| Contract ID | {columns} | Implemented | Verified | Violations | Note |");
        let _ = writeln!(out, "|---|---|---|---|---|---|---|---|");
        for it in rows {
            let cells = [
                cell(&it.contract),
                cell(&it.name),
                cell(&it.providers.join(", ")),
                cell(&it.consumers.join(", ")),
                it.implemented.word().to_owned(),
                it.verified.word().to_owned(),
                it.violations.to_string(),
                cell(&it.note),
            ];
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
    }
    let of = |is_it: &dyn Fn(&Promise) -> bool| promises.iter().filter(|it| is_it(it)).count();
    let _ = writeln!(
        out,
        "\n{} promises, {} implemented, {} verified, {} violated.",
        promises.len(),
        of(&|it| it.implemented == Extent::Yes),
        of(&|it| it.verified == Extent::Yes),
        of(&|it| it.violations > 0),
    );
    out
}

/// A text within a row of a table.
pub(super) fn cell(text: &str) -> String {
    if text.is_empty() {
        return "-".to_owned();
    }
    text.replace('\\', "\\\\").replace('|', "\\|").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contract(id: &str, kind: &str, document: serde_json::Value) -> Contract {
        let (id, path) = (id.to_owned(), format!("contracts/{id}.json"));
        Contract { id, kind: kind.to_owned(), service: "orders".to_owned(), path, document }
    }

    fn seen(contract: &str, name: &str, action: Option<Action>, verdict: Verdict, violations: usize) -> Looked {
        let kind = if action.is_some() { PromiseKind::Channel } else { PromiseKind::Operation };
        let (contract, service) = (format!("contracts/{contract}.json"), "orders".to_owned());
        Looked { contract, service, kind, name: name.to_owned(), action, verdict, violations }
    }

    #[test]
    fn the_matrix_tells_who_keeps_what() {
        let ids = |ids: &[&str]| ids.iter().map(|it| (*it).to_owned()).collect::<Vec<String>>();
        let orders = Service {
            name: "orders".to_owned(),
            serves: ids(&["api"]),
            publishes: ids(&["events"]),
            receives: ids(&["events"]),
            ..Service::default()
        };
        let mails = Service {
            name: "mails".to_owned(),
            receives: ids(&["mail-events"]),
            asks: ids(&["api"]),
            ..Service::default()
        };
        let plan = Plan { services: vec![orders, mails], ..Plan::default() };
        let api = serde_json::json!({"paths": {"/a": {"get": {}}}});
        let placed = |action: &str| {
            serde_json::json!({
                "channels": {"placed": {"address": "order.placed"}},
                "operations": {"it": {"action": action, "channel": {"$ref": "#/channels/placed"}}},
            })
        };
        let contracts = [
            contract("api", "openapi", api.clone()),
            contract("events", "asyncapi", placed("send")),
            contract("mail-events", "asyncapi", placed("receive")),
            contract("foreign", "openapi", api),
        ];
        let mut found = Inspection::default();
        let missing = promises(&plan, &contracts[..1], &found);
        assert_eq!((missing.len(), missing[0].implemented, missing[0].verified), (1, Extent::No, Extent::No));
        found.looked = vec![
            seen("api", "GET /a", None, Verdict::Verified, 0),
            seen("api", "GET /b", None, Verdict::Verified, 2),
            seen("api", "GET /c", None, Verdict::Unverified("a call | that".to_owned()), 0),
            seen("api", "GET /d", None, Verdict::Missing, 1),
            seen("events", "order.placed", Some(Action::Send), Verdict::Verified, 0),
            seen("events", "stock.gone", Some(Action::Receive), Verdict::Unread("a loop".to_owned()), 0),
        ];
        let rows = promises(&plan, &contracts, &found);
        assert_eq!(
            matrix("Shop", &rows),
            "\
# Contract compliance: Shop

## OpenAPI contracts

| Contract ID | Endpoint | Provider | Consumer | Implemented | Verified | Violations | Note |
|---|---|---|---|---|---|---|---|
| api | GET /a | orders | mails | YES | YES | 0 | - |
| api | GET /b | orders | mails | YES | NO | 2 | - |
| api | GET /c | orders | mails | YES | PARTIAL | 0 | orders: not known, a call \\| that |
| api | GET /d | orders | mails | NO | NO | 1 | orders: not found |

## AsyncAPI contracts

| Contract ID | Channel | Publisher | Subscriber | Implemented | Verified | Violations | Note |
|---|---|---|---|---|---|---|---|
| events | order.placed | orders | mails | YES | YES | 0 | - |
| events | stock.gone | - | orders | PARTIAL | PARTIAL | 0 | orders: not found, and not all could be read: a loop |
| mail-events | order.placed | orders | mails | NO | NO | 0 | mails: not found |

7 promises, 4 implemented, 2 verified, 2 violated.
"
        );
    }
}
