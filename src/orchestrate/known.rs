//! Contracts that are there before a run makes any: in the project's files, in the registry, in `CONTRACTS.json`.

use serde_json::Value;

use super::git::Git;
use crate::architect::Decomposition;
use crate::config;
use crate::contracts::tree;
use crate::plan::{self, Contract};
use crate::registry::{ListFilter, MAX_PAGE, NewContract, Registry, RegistryError, SpecKind};

/// The file in which older tools keep the contracts of a project.
const CACHE: &str = "CONTRACTS.json";
/// A run registers its contracts as a build cycle of this name and its id: what a run made is no contract for the next one.
const CYCLE: &str = "run-";

/// The contracts of a revision: those that its files have, and stubs of the requirements for the rest. A file that the settings
/// name for a service comes before `contracts/<id>.json`.
pub(super) fn of_revision(git: &Git, revision: &str, parts: &Decomposition) -> Vec<Contract> {
    let mut contracts = plan::contracts(parts);
    for service in parts.service_map.services.iter().map(|it| it.name.as_str()) {
        for kind in ["openapi", "asyncapi"] {
            let path = format!("contracts/{}.json", id(service, kind));
            if let Some(document) = git.file(revision, &path).and_then(|it| tree::value(&it).ok()) {
                put(&mut contracts, service, kind, path, document);
            }
        }
    }
    let settings = git.file(revision, config::FILE_NAME).unwrap_or_default();
    for (service, path) in named(&settings) {
        let Some(document) = git.file(revision, &path).and_then(|it| tree::value(&it).ok()) else { continue };
        if let Some(kind) = kind(&document) {
            put(&mut contracts, &service, kind, path, document);
        }
    }
    contracts
}

/// What takes the place of stubs: for each service and kind without a file in the revision, what `asked` answers, else the
/// newest document of the registry, else that of `CONTRACTS.json`. With where each came from.
pub(super) fn elsewhere(
    git: &Git,
    revision: &str,
    parts: &Decomposition,
    asked: &mut dyn FnMut(&str, SpecKind) -> Option<Value>,
    registry: Option<&Registry>,
) -> Vec<(Contract, &'static str)> {
    let cached = git.file(revision, CACHE).and_then(|it| serde_json::from_str::<Value>(&it).ok()).unwrap_or_default();
    let files = of_revision(git, revision, parts);
    let mut found = Vec::new();
    for service in parts.service_map.services.iter().map(|it| it.name.as_str()) {
        for kind in ["openapi", "asyncapi"] {
            let in_files = |it: &Contract| it.service == service && it.kind == kind;
            if files.iter().any(|it| in_files(it) && git.file(revision, &it.path).is_some()) {
                continue;
            }
            let from_engine = SpecKind::parse(kind).ok().and_then(|it| asked(service, it));
            let registered = || registry.and_then(|it| registered(it, service, kind)).map(|it| (it, "the registry"));
            let known = from_engine
                .map(|it| (it, "the contract engine"))
                .or_else(registered)
                .or_else(|| Some((cached_for(&cached, service, kind)?, CACHE)));
            if let Some((document, from)) = known {
                let id = id(service, kind);
                let contract = Contract {
                    path: format!("contracts/{id}.json"),
                    id,
                    kind: kind.to_owned(),
                    service: service.to_owned(),
                    document,
                };
                found.push((contract, from));
            }
        }
    }
    found
}

/// Puts the contracts of a run into the registry, as its build cycle.
///
/// # Errors
/// Those of the registry.
/// Gives their ids in the registry, in the order of `contracts`.
pub(super) fn register(
    registry: &mut Registry,
    run: &str,
    contracts: &[&Contract],
) -> Result<Vec<String>, RegistryError> {
    let register = |it: &&Contract| {
        let version = it.document.pointer("/info/version").and_then(Value::as_str).unwrap_or("1.0.0");
        let registered = registry.create(&NewContract {
            service_name: it.service.clone(),
            kind: SpecKind::of(&it.document),
            version: version.to_owned(),
            spec: it.document.clone(),
            build_cycle_id: Some(format!("{CYCLE}{run}")),
        })?;
        Ok(registered.entry.id)
    };
    contracts.iter().map(register).collect()
}

fn id(service: &str, kind: &str) -> String {
    format!("{service}-{}", if kind == "asyncapi" { "events" } else { "api" })
}

fn put(contracts: &mut Vec<Contract>, service: &str, kind: &str, path: String, document: Value) {
    match contracts.iter_mut().find(|it| it.service == service && it.kind == kind) {
        Some(known) => (known.path, known.document) = (path, document),
        None => contracts.push(Contract {
            id: id(service, kind),
            kind: kind.to_owned(),
            service: service.to_owned(),
            path,
            document,
        }),
    }
}

/// About operations or about messages; none of what a run builds nothing from.
fn kind(document: &Value) -> Option<&'static str> {
    match SpecKind::of(document) {
        SpecKind::Openapi => Some("openapi"),
        SpecKind::Asyncapi => Some("asyncapi"),
        SpecKind::JsonSchema => None,
    }
}

/// Whether a build cycle is one of a run of ours.
pub(super) fn is_of_a_run(cycle: &str) -> bool {
    cycle.starts_with(CYCLE)
}

/// Services that the settings of a revision name.
pub(super) fn service_names(git: &Git, revision: &str) -> Vec<String> {
    let settings: toml::Table = git.file(revision, config::FILE_NAME).unwrap_or_default().parse().unwrap_or_default();
    let services = settings.get("service").and_then(toml::Value::as_array).map(Vec::as_slice).unwrap_or_default();
    services.iter().filter_map(|it| Some(it.get("name")?.as_str()?.to_owned())).collect()
}

/// Services and paths of their contracts, as the settings name them.
fn named(settings: &str) -> Vec<(String, String)> {
    let settings: toml::Table = settings.parse().unwrap_or_default();
    let services = settings.get("service").and_then(toml::Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut found = Vec::new();
    for service in services {
        let Some(name) = service.get("name").and_then(toml::Value::as_str) else { continue };
        let paths = service.get("contracts").and_then(toml::Value::as_array).map(Vec::as_slice).unwrap_or_default();
        found.extend(paths.iter().filter_map(|it| Some((name.to_owned(), it.as_str()?.to_owned()))));
    }
    found
}

/// The newest document that somebody registered for a service, but for what a run has made.
fn registered(registry: &Registry, service: &str, kind: &str) -> Option<Value> {
    let kind = SpecKind::parse(kind).ok()?;
    let filter = ListFilter {
        service_name: Some(service.to_owned()),
        kind: Some(kind),
        page_size: MAX_PAGE,
        ..ListFilter::default()
    };
    let items = registry.list(&filter).ok()?.items;
    let by_people = items.iter().filter(|it| !it.build_cycle_id.as_deref().is_some_and(is_of_a_run));
    let newest = by_people.max_by(|a, b| a.updated_at.cmp(&b.updated_at).then_with(|| a.id.cmp(&b.id)))?;
    Some(registry.get(&newest.id).ok()??.spec)
}

/// The document that `CONTRACTS.json` (version 1.0, `contracts` by id) holds for a service.
fn cached_for(cache: &Value, service: &str, kind: &str) -> Option<Value> {
    let contracts = cache["contracts"].as_object()?;
    let fits = |it: &&Value| it["provider_service"] == service && it["contract_type"] == kind;
    let spec = &contracts.values().find(fits)?["spec"];
    (self::kind(spec) == Some(kind)).then(|| spec.clone())
}
