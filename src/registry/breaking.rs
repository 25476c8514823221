//! What another document in the place of a contract would break, and for whom.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use super::contract::{Contract, SpecKind};
use super::{Registry, RegistryError, rows, scanned, spec_hash};
use crate::checks::Engine;
use crate::finding::{Finding, ProblemKind, Severity};
use crate::model::{Method, PathTemplate, name_key};
use crate::project::{Answer, Service, channel_name};
use crate::rules::{RuleSet, Selection};
use crate::scan::{Input, Options, Silent, scan, scan_versions};

/// One difference between two versions of a contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// `operation-removed`, `response-type`, …: the kinds of the rule about breaking changes.
    pub change: &'static str,
    /// `error` breaks clients, `warning` may, `info` does not.
    pub severity: Severity,
    /// Services that use what changed, where that may break them.
    pub affected_consumers: Vec<String>,
    /// JSON pointer into the new version, else into the nearest thing that is still there.
    pub path: String,
    pub old_value: Option<String>,
    pub new_value: Option<String>,
    pub message: String,
    /// Operations that it is about: `GET /users/{id}`, `send orders.placed`.
    pub operations: Vec<String>,
}

impl Registry {
    /// What `new_spec` would break of a contract; without one, what the contract's document breaks of the one that it took
    /// the place of, or of the version that was registered before it.
    ///
    /// # Errors
    /// `not_found`: no such contract. `invalid`: a document that cannot be read as a contract of this type. `scan`: the
    /// project's folder cannot be read.
    pub fn breaking_changes(&self, id: &str, new_spec: Option<&Value>) -> Result<Vec<Change>, RegistryError> {
        let contract = self.existing(id)?;
        let (old, new) = match new_spec {
            Some(new) => (contract.spec.clone(), new.clone()),
            None => match rows::earlier(self.store.connection(), &contract.entry)? {
                Some(old) => (old, contract.spec.clone()),
                None => return Ok(Vec::new()),
            },
        };
        if spec_hash(&old) == spec_hash(&new) {
            return Ok(Vec::new());
        }
        let kind = contract.entry.kind;
        let told = SpecKind::of(&new);
        if !new.is_object() || (told != kind && kind != SpecKind::JsonSchema) {
            let what = format!("`new_spec` is no {} document", kind.name());
            return Err(RegistryError::invalid(what, "hand in the whole new document, of the contract's own type"));
        }
        let mut changes = self.compare(&contract, &old, &new)?;
        if changes.iter().any(|change| change.severity > Severity::Info) {
            let consumers = self.consumers(&contract, &old)?;
            for change in changes.iter_mut().filter(|change| change.severity > Severity::Info) {
                change.affected_consumers = consumers.of(&change.operations);
            }
        }
        Ok(changes)
    }

    fn compare(&self, contract: &Contract, old: &Value, new: &Value) -> Result<Vec<Change>, RegistryError> {
        let kind = contract.entry.kind;
        let input = |folder: &str, spec: &Value| Input {
            // A schema without a name of its own has that of its file.
            path: format!("{folder}/{}.json", contract.entry.service_name.replace('/', "-")),
            text: scanned::text(kind, spec),
        };
        let today = Some(rows::today(self.store.connection())?);
        let config = scanned::configuration(&self.root, &self.root)?;
        let settings = crate::config::Config { notice: config.notice, ..Default::default() };
        let report = scan_versions(input("old", old), input("new", new), today, &settings, &about_versions());
        if let Some(problem) = report.problems.iter().find(|problem| problem.kind == ProblemKind::NoContract) {
            let what = format!("the {} version: {}", problem.path.split('/').next().unwrap_or(""), problem.message);
            return Err(RegistryError::invalid(what, "`validate_spec` says what is wrong in a document"));
        }
        Ok(report.findings.into_iter().map(change).collect())
    }

    /// Who uses what of a contract: requests and messages of the code below the root, and services that are registered
    /// with the same channels, or as implementing the contract besides its own.
    fn consumers(&self, contract: &Contract, spec: &Value) -> Result<Consumers, RegistryError> {
        let provider = &contract.entry.service_name;
        let mut consumers = Consumers::default();
        let it = self.store.connection();
        for implementation in rows::implementations(it, &contract.entry.id)? {
            consumers.of_all.insert(implementation.service_name);
        }
        let options = Options {
            paths: vec![self.root.clone()],
            documents: vec![scanned::document(contract, spec, &self.root)],
            config: scanned::configuration(&self.root, &self.root)?,
            ..Options::default()
        };
        let project = scan(&options, &RuleSet::default(), &Silent)?.project;
        let serves = |service: usize| project.links.iter().any(|link| link.service == service && !link.unrelated);
        for asked in &project.asked {
            let Answer::Found { of, operations, .. } = &asked.contract else { continue };
            let elsewhere = matches!(&asked.code, Answer::Found { of, .. } if !serves(*of))
                && project.links.iter().any(|link| !link.unrelated);
            if elsewhere || serves(asked.service) {
                continue;
            }
            for at in operations {
                let title = project.contracts[*of].operations[*at].title();
                consumers.add(&title, &project.services[asked.service].name);
            }
        }
        if let Some(events) = project.contracts.first().and_then(|it| it.events.as_ref()) {
            let addresses: BTreeSet<String> =
                events.channels.iter().map(|it| key(it.address.as_deref().unwrap_or(&it.name))).collect();
            for service in &project.services {
                let used = service.messages.iter().filter_map(channel_name).map(key);
                used.filter(|address| addresses.contains(address))
                    .for_each(|address| consumers.add(&address, &service.name));
            }
            for other in rows::documents(it, SpecKind::Asyncapi)? {
                for address in scanned::channels(&other.spec) {
                    let address = key(&address);
                    if addresses.contains(&address) {
                        consumers.add(&address, &other.entry.service_name);
                    }
                }
            }
        }
        for model in project.contracts.first().and_then(|it| it.models.as_deref()).unwrap_or_default() {
            let is_it = |name: &str| model.names.iter().any(|known| name_key(known) == name_key(name));
            let declares = |service: &&Service| service.models.iter().any(|declared| is_it(&declared.name));
            consumers.of_all.extend(project.services.iter().filter(declares).map(|service| service.name.clone()));
        }
        consumers.forget(provider);
        Ok(consumers)
    }
}

/// Services by what they use.
#[derive(Debug, Default)]
struct Consumers {
    by_use: BTreeMap<String, BTreeSet<String>>,
    /// Who uses the contract without it being known what of it.
    of_all: BTreeSet<String>,
}

impl Consumers {
    fn add(&mut self, title: &str, service: &str) {
        self.by_use.entry(key(title)).or_default().insert(service.to_owned());
    }

    /// A service is no consumer of its own contract.
    fn forget(&mut self, provider: &str) {
        let is_it = |name: &String| name_key(name) == name_key(provider);
        self.by_use.values_mut().chain([&mut self.of_all]).for_each(|names| names.retain(|name| !is_it(name)));
    }

    /// Those who use any of these operations; all of them where none is named.
    fn of(&self, operations: &[String]) -> Vec<String> {
        let wanted: BTreeSet<String> = operations.iter().map(|title| key(title)).collect();
        let of_use = |(used, _): &(&String, &BTreeSet<String>)| wanted.is_empty() || wanted.contains(*used);
        let named = self.by_use.iter().filter(of_use).flat_map(|(_, names)| names);
        named.chain(&self.of_all).collect::<BTreeSet<_>>().into_iter().cloned().collect()
    }
}

/// What makes two titles one, whatever their parameters are called: of an operation, or of a channel whatever is done
/// with it.
fn key(title: &str) -> String {
    match title.split_once(' ') {
        Some(("send" | "receive", address)) => PathTemplate::new(address).key(),
        Some((method, path)) if Method::parse(method).is_some() => {
            format!("{method} {}", PathTemplate::new(path).key())
        }
        _ => PathTemplate::new(title).key(),
    }
}

/// The rule that holds a version against another.
fn about_versions() -> RuleSet {
    let all = RuleSet::embedded();
    let codes: Vec<String> =
        all.rules().filter(|rule| matches!(rule.engine, Engine::Breaking(_))).map(|rule| rule.code.clone()).collect();
    all.select(&Selection::only(&codes)).unwrap_or_default()
}

fn change(finding: Finding) -> Change {
    let value = |name: &str| {
        let found = finding.values.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.trim_matches('`').to_owned()).filter(|value| !value.is_empty())
    };
    Change {
        change: finding.kind,
        severity: finding.severity,
        affected_consumers: Vec::new(),
        path: finding.contract.as_ref().map(|place| place.pointer.clone()).unwrap_or_default(),
        old_value: value("was"),
        new_value: value("is"),
        operations: finding.operations.iter().filter(|title| !title.is_empty()).cloned().collect(),
        message: finding.message,
    }
}
