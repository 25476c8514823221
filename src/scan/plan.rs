//! Which modules make which service, and which contracts may speak for it.

use std::collections::{BTreeMap, BTreeSet};

use super::gather::{CodeFile, parent};
use super::paths::below;
use super::projects::TEST_HOSTS;
use crate::config::{Config, ServiceConfig};
use crate::evaluate::{ModuleId, ProgramIndex};
use crate::model::name_key;
use crate::model::program::{ImportStyle, Module, StmtKind};
use crate::project::{Claim, Home, NAMELESS, Service};

/// One service before it is evaluated.
pub(super) struct Plan {
    pub(super) name: String,
    pub(super) root: String,
    /// Indices into the modules that are evaluated for it; tests are left out.
    pub(super) modules: Vec<ModuleId>,
    pub(super) files: usize,
    /// The configured service that it is.
    pub(super) configured: Option<usize>,
}

/// Each module belongs to the configured service, else the manifest, else the scanned path that encloses it nearest.
pub(super) fn plan_services(code: &[CodeFile], roots: &[String], manifests: &[String], config: &Config) -> Vec<Plan> {
    let configured: Vec<String> = config.services.iter().map(|service| service.root.clone()).collect();
    let mut plans: BTreeMap<String, Plan> = BTreeMap::new();
    let new_plan = |root: &str| {
        let configured = configured.iter().position(|known| known == root);
        let name = configured.map_or_else(|| name_of(root), |at| config.services[at].name.clone());
        Plan { name, root: root.to_owned(), modules: Vec::new(), files: 0, configured }
    };
    for root in roots.iter().chain(&configured) {
        plans.entry(root.clone()).or_insert_with(|| new_plan(root));
    }
    for (at, file) in code.iter().enumerate() {
        let mut directory = parent(&file.path);
        let root = loop {
            let known = |list: &[String]| list.iter().any(|root| root == directory);
            if known(&configured)
                || manifests.binary_search_by(|root| root.as_str().cmp(directory)).is_ok()
                || known(roots)
            {
                break directory.to_owned();
            }
            if directory == "." || directory.is_empty() {
                break roots.first().cloned().unwrap_or_else(|| ".".to_owned());
            }
            directory = parent(directory);
        };
        let plan = plans.entry(root.clone()).or_insert_with(|| new_plan(&root));
        plan.files += 1;
        if !file.is_test {
            plan.modules.push(ModuleId(at as u32));
        }
    }
    plans.into_values().collect()
}

fn name_of(root: &str) -> String {
    match root.rsplit('/').next() {
        Some(name) if !name.is_empty() && name != "." => name.to_owned(),
        _ => NAMELESS.to_owned(),
    }
}

/// The modules of the projects that a service of C# is built with: their controllers are served, too. What starts a service for
/// its tests is built with it and serves nothing.
pub(super) fn built_with(modules: &[Module], index: &ProgramIndex, plan: &Plan) -> Vec<ModuleId> {
    let serves = |id: ModuleId| {
        index.project_serves(id) || !index.dependencies(id).iter().any(|name| TEST_HOSTS.contains(&name.as_str()))
    };
    let own: BTreeSet<&str> = plan
        .modules
        .iter()
        .filter(|id| index.style(**id) == ImportStyle::Namespace && serves(**id))
        .map(|id| index.project_of(*id))
        .collect();
    let referenced: BTreeSet<&str> =
        own.iter().flat_map(|project| index.referenced_projects(project)).filter(|it| !own.contains(it)).collect();
    let all = referenced.into_iter().flat_map(|project| index.modules_of_project(project)).copied();
    let built = all.filter(|id| index.style(*id) == ImportStyle::Namespace);
    let mut built: Vec<ModuleId> = built.filter(|id| !runs_by_itself(&modules[id.0 as usize])).collect();
    built.sort_unstable();
    built
}

/// Whether a module of C# does something at its own level, as a program does that starts there.
pub(super) fn runs_by_itself(module: &Module) -> bool {
    module.imports == ImportStyle::Namespace
        && module.body.iter().any(|statement| matches!(statement.kind, StmtKind::Expr(_) | StmtKind::Assign { .. }))
}

/// The services that the configuration names a contract for.
pub(super) fn services_named_for(path: &str, plans: &[Plan], config: &Config) -> Vec<usize> {
    let names_it = |at: usize| config.services[at].contracts.iter().any(|known| known == path);
    let plan_of = |at: usize| plans.iter().position(|plan| plan.configured == Some(at));
    (0..config.services.len()).filter(|at| names_it(*at)).filter_map(plan_of).collect()
}

/// The services that a contract may speak for: the configured one, else the one whose root encloses it and those below,
/// else all.
pub(super) fn claims(
    contract: usize,
    (path, provider): (&str, Option<&str>),
    named: bool,
    services: &[Service],
    plans: &[Plan],
    config: &Config,
) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (at, configured) in config.services.iter().enumerate() {
        let names_it = configured.contracts.iter().any(|known| known == path);
        if names_it && let Some(service) = plans.iter().position(|plan| plan.configured == Some(at)) {
            claims.push(Claim {
                contract,
                candidates: vec![service],
                elsewhere: Vec::new(),
                named: true,
                base_path: configured.base_path.clone(),
                ignore: configured.ignore_operations.clone(),
            });
        }
    }
    if !claims.is_empty() {
        return claims;
    }
    let mut candidates: Vec<usize> = Vec::new();
    if let Some(provider) = provider {
        let is_it = |service: &Service| name_key(&service.name) == name_key(provider);
        candidates.extend(services.iter().position(is_it));
    }
    let known = !candidates.is_empty();
    let enclosing = services
        .iter()
        .enumerate()
        .filter(|(_, service)| below(path, &service.root).is_some())
        .max_by_key(|(_, service)| service.root.len());
    if let Some((at, service)) = enclosing.filter(|_| !known) {
        candidates.push(at);
        let inner = services
            .iter()
            .enumerate()
            .filter(|(other, inner)| *other != at && below(&inner.root, &service.root).is_some());
        candidates.extend(inner.map(|(other, _)| other));
    }
    // A package that only holds the contract speaks for whoever serves it.
    let serves_nothing = candidates.iter().all(|at| services[*at].operations.is_empty());
    if serves_nothing || named {
        let rest: Vec<usize> = (0..services.len()).filter(|at| !candidates.contains(at)).collect();
        candidates.extend(rest);
    }
    // Documents are kept in packages of their own, too.
    let elsewhere: Vec<usize> = (0..services.len()).filter(|at| !candidates.contains(at)).collect();
    // What the configuration says of the service that it is found to be.
    let settings = candidates.iter().find_map(|at| plans[*at].configured).map(|at| &config.services[at]);
    vec![Claim {
        contract,
        candidates,
        elsewhere,
        named,
        base_path: settings.and_then(|service| service.base_path.clone()),
        ignore: settings.map(|service| service.ignore_operations.clone()).unwrap_or_default(),
    }]
}

/// The addresses that the configuration says belong to services.
pub(super) fn homes(services: &[Service], config: &Config) -> Vec<Home> {
    let position = |name: &str| services.iter().position(|service| service.name == name);
    let of = |configured: &ServiceConfig| {
        let service = position(&configured.name);
        let urls = configured.urls.clone();
        service.into_iter().flat_map(move |service| urls.clone().into_iter().map(move |url| Home { url, service }))
    };
    config.services.iter().flat_map(of).collect()
}
