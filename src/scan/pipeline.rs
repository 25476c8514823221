//! From texts to a report, without touching the outside: lower in parallel, evaluate each service, link, judge.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::gather::{Gathered, Tree};
use super::lower::{Commented, Lookout, Saw, crashed, lower};
use super::paths::below;
use super::plan::{Plan, built_with, claims, homes, plan_services, runs_by_itself, services_named_for};
use super::suppress::Suppressions;
use super::threads::with_room;
use super::{
    ContractSummary, EventSummary, Progress, Report, RequestSummary, ServiceSummary, Summary, beside, blind,
    entry_points, manifests, wanted,
};
use crate::checks::{Coverage, coverage};
use crate::config::Config;
use crate::contracts::{self, Declarations, Document, IssueKind};
use crate::evaluate::{EntryPoint, Evaluator, ModuleId, ProgramIndex, SettingValues, imported_packages, is_of_package};
use crate::facts;
use crate::finding::{Finding, Problem, ProblemKind, Reason};
use crate::frameworks::{self, Wanted};
use crate::languages::python::schema::is_version_one;
use crate::model::program::Module;
use crate::model::{Method, Reach, Sight, Sighting, Unread, name_key};
use crate::project::{
    Answer, Before, Claim, Earlier, Keeper, Link, Marked, Project, Service, WiredFacts, ask, callers, keepers, link,
    route_by_contract, wired,
};
use crate::rules::RuleSet;
use crate::text::{FileId, Sources, Span};
use crate::wires;

/// Analyses and judges what was gathered.
pub(super) fn run(gathered: Gathered, rules: &RuleSet, progress: &dyn Progress) -> Report {
    let Gathered {
        mut sources,
        mut now,
        before,
        against,
        against_is_found,
        facts,
        here,
        base,
        config,
        scanned,
        scope,
        today,
        all_models,
        changes,
        wants,
    } = gathered;
    let config = &config;
    let mut problems = Vec::new();
    let roots = now.roots.clone();
    let against = against.filter(|path| !against_is_found || is_earlier(path, &mut now, &mut problems));
    let changed = changes.as_ref().filter(|it| !it.is_file).map(|changes| changes.files(&[&now]));
    let lookout = Lookout::new(rules, &roots);
    let asked = Asked { all_models, with_sights: wants.sights(), lookout: Some(&lookout), changed: changed.as_ref() };
    let understood = understand(&now, &sources, (config, asked), progress, &mut problems);
    let Understood { mut services, contracts, links, table_links, keepers, wired, .. } = understood;
    let Understood { seen, mut comments, sightings, mut importers, .. } = understood;
    let workspace = beside::look(&mut now, seen, &sources, &mut problems);
    comments.extend(beside::commented(&workspace, &sources));
    importers.extend(changes.iter().filter(|it| !it.is_file).flat_map(|changes| changes.referring(&now)));
    let narrowed = changes.map(|changes| {
        let trees: Vec<&Tree> = [&now].into_iter().chain(before.as_ref().map(|(tree, _)| tree)).collect();
        changes.narrowed(&trees, &importers, &sources)
    });
    let mut earlier: Vec<Earlier> = against
        .and_then(|path| earlier_version(&path, (&now, &sources), &contracts, &mut problems))
        .map(|(contract, declarations)| Earlier { contract, declarations, today: today.clone(), notice: config.notice })
        .into_iter()
        .collect();
    let mut before = before.map(|(tree, name)| {
        let mut told = Vec::new();
        let Understood { services, contracts: then, .. } =
            understand(&tree, &sources, (config, Asked::default()), progress, &mut told);
        // What is wrong with the links of back then is nothing that could still be changed, and what cannot be read in
        // both versions is told once.
        told.retain(|problem| {
            let is_same = |known: &Problem| {
                (&known.path, known.kind, &known.message) == (&problem.path, problem.kind, &problem.message)
            };
            !matches!(problem.kind, ProblemKind::UnusedContract | ProblemKind::ExtractionIncomplete)
                && !problems.iter().any(is_same)
        });
        for problem in &mut told {
            if let Some(span) = problem.span {
                sources.path(span).clone_into(&mut problem.path);
            }
        }
        problems.extend(told);
        for (declarations, (path, _)) in then.into_iter().zip(&tree.entries) {
            let Some(contract) = now.entries.iter().position(|(known, _)| known == path) else { continue };
            problems.extend(unresolved(&declarations, &sources));
            if comparable(&declarations, tree.documents.get(path))
                && comparable(&contracts[contract], now.documents.get(path))
            {
                earlier.push(Earlier { contract, declarations, today: today.clone(), notice: config.notice });
            }
        }
        if tree.code.is_empty() && tree.entries.is_empty() {
            let message = "nothing of what is scanned was there: everything is new";
            problems.push(Problem::new(ProblemKind::NoSources, name.clone(), message));
        }
        let now: BTreeMap<&str, FileId> = now.code.iter().map(|file| (file.path.as_str(), file.file)).collect();
        let same = tree.code.iter().filter_map(|then| Some((then.file, *now.get(then.path.as_str())?))).collect();
        Before { name, services, same, callers: Vec::new() }
    });
    if now.code.is_empty() {
        let path = now.roots.first().cloned().unwrap_or_default();
        let message = "no source file of a language that is understood was found (Python, TypeScript, JavaScript, C#)";
        problems.push(Problem::new(ProblemKind::NoSources, path, message).with_help("scan the folder of a service"));
    }
    if now.entries.is_empty() {
        let path = now.roots.first().cloned().unwrap_or_default();
        let message = "no contract was found: only what needs none is checked";
        problems.push(
            Problem::new(ProblemKind::NoContract, path, message)
                .with_help("pass one with `--contract openapi.yaml`, or put it below the scanned path"),
        );
    }
    // What is scanned speaks for itself: facts of it may be old.
    let known: BTreeSet<String> =
        services.iter().map(|it| if it.is_nameless() { &here } else { &it.name }).cloned().collect();
    for (path, text) in &facts {
        let (others, told) = facts::read(path, text, &mut sources);
        problems.extend(told);
        services.extend(others.into_iter().filter(|it| !known.contains(&it.name)));
    }
    let files = now.code.len() + now.documents.len();
    let bytes = (0..sources.len() as u32).map(|at| sources.get(FileId(at)).text.len()).sum();
    if let Some(before) = &mut before {
        before.callers = callers(&before.services, &services, &homes(&before.services, config));
    }
    let asked = Vec::new();
    let place = |mark: &contracts::Mark| now.entries.iter().position(|(path, _)| *path == mark.document);
    let marks =
        now.marks.iter().map(|(mark, found)| Marked { contract: place(mark), mark: mark.clone(), found: *found });
    let marks = marks.collect();
    let mut project = Project {
        sources,
        services,
        contracts,
        links,
        table_links,
        asked,
        keepers,
        earlier,
        wired,
        before,
        marks,
        workspace,
        sightings,
    };
    project.asked = ask(&project, &homes(&project.services, config));
    problems.extend(blind::note_providers(&project));
    let suppressions = Suppressions::read(&project.sources, &comments, &now.documents);
    let mut findings = rules.judge(&project, &mut problems);
    let unasked = unasked(&now, &scanned, &mut findings);
    problems.sort();
    problems.dedup();
    let documents = now.documents.values().filter_map(contracts::Document::file);
    let files_of_now = now.code.iter().map(|file| file.file).chain(documents).collect();
    let summary = Summary { skipped: now.skipped, ..summary(&project, config, files, bytes) };
    Report {
        project,
        findings,
        suppressed: Vec::new(),
        suppressions,
        scope,
        problems,
        summary,
        here,
        base,
        now: files_of_now,
        unasked,
        narrowed,
        parts: now.parts,
    }
}

/// Code of scanned services that is none of the scanned paths, whose findings are told elsewhere: all those that show no
/// place in what is scanned.
fn unasked(now: &Tree, scanned: &[String], findings: &mut Vec<Finding>) -> BTreeSet<FileId> {
    let is_asked = |path: &str| scanned.is_empty() || scanned.iter().any(|root| below(path, root).is_some());
    let outside: BTreeSet<FileId> =
        now.code.iter().filter(|file| !is_asked(&file.path)).map(|file| file.file).collect();
    if !outside.is_empty() {
        let code = now.code.iter().filter(|file| is_asked(&file.path)).map(|file| file.file);
        let documents = now.documents.iter().filter(|(path, _)| is_asked(path)).filter_map(|(_, it)| it.file());
        let asked: BTreeSet<FileId> = code.chain(documents).collect();
        findings.retain(|finding| {
            let mut related = finding.related.iter().map(|label| label.span.file);
            let contract = finding.contract.as_ref().map(|place| place.span.file);
            !outside.contains(&finding.span.file)
                || related.any(|file| asked.contains(&file))
                || contract.is_some_and(|file| asked.contains(&file))
        });
    }
    outside
}

/// What one version of the code and its contracts says.
struct Understood {
    services: Vec<Service>,
    /// In the order of the tree's entries.
    contracts: Vec<Declarations>,
    links: Vec<Link>,
    /// The same for tables of requirements.
    table_links: Vec<Link>,
    keepers: Vec<Keeper>,
    wired: BTreeMap<String, WiredFacts>,
    /// What rules see in each file of the code, in its order.
    seen: Vec<Vec<Sight>>,
    /// Of the files whose comments may say something to treaty.
    comments: Vec<Commented>,
    sightings: Vec<Sighting>,
    /// Files that import one of those that were changed.
    importers: BTreeSet<FileId>,
}

/// What is to be understood besides.
#[derive(Clone, Copy, Default)]
struct Asked<'a> {
    /// Every type that code declares.
    all_models: bool,
    /// What rules see in files of code.
    with_sights: bool,
    /// Rules of code.
    lookout: Option<&'a Lookout<'a>>,
    /// Who imports these files.
    changed: Option<&'a BTreeSet<FileId>>,
}

fn understand(
    tree: &Tree,
    sources: &Sources,
    (config, Asked { all_models, with_sights, lookout, changed }): (&Config, Asked<'_>),
    progress: &dyn Progress,
    problems: &mut Vec<Problem>,
) -> Understood {
    problems.extend(tree.problems.iter().cloned());
    let Saw { modules, sights: seen, commented: comments, sightings } =
        lower(sources, (&tree.code, with_sights), progress, lookout, problems);
    let points = entry_points::read(&tree.metadata);
    let manifests: Vec<String> = tree.manifests.iter().cloned().collect();
    let plans = plan_services(&tree.code, &tree.roots, &manifests, config);
    let specifiers = manifests::specifiers(&tree.metadata);
    let together: Vec<&[ModuleId]> = plans.iter().map(|plan| plan.modules.as_slice()).collect();
    let index = ProgramIndex::new(&modules, &tree.outer_packages, specifiers, wires::libraries(), &together);
    let mut contracts: Vec<Declarations> =
        tree.entries.iter().map(|(path, _)| contracts::declare(&tree.documents, path)).collect();
    if let Some(check) = config.check_null {
        contracts.iter_mut().for_each(|contract| contract.check_null(check));
    }
    let of_services: Vec<Vec<&Module>> =
        plans.iter().map(|plan| plan.modules.iter().map(|id| &modules[id.0 as usize]).collect()).collect();
    let wanted = if all_models { Wanted::All } else { wanted::wanted(&contracts, &of_services) };
    let settings = super::settings::read(&tree.metadata);
    let program = Program {
        modules: &modules,
        index: &index,
        points: &points,
        sources,
        settings: &settings,
        wanted: &wanted,
        shared: frameworks::Shared::default(),
    };
    let mut services = evaluate(&program, &plans, problems, progress);
    blind::note_files(&mut services, tree, (&modules, sources), problems);
    let declared: BTreeSet<String> = services.iter().flat_map(|it| &it.models).map(|it| name_key(&it.name)).collect();
    for (contract, (_, named)) in contracts.iter_mut().zip(&tree.entries) {
        // Schemas lie about for many purposes: one that nobody names, and no type is called like, promises nothing.
        let Some(models) = &contract.models else { continue };
        let mut names = models.iter().flat_map(|model| &model.names);
        if !named && !names.any(|name| declared.contains(&name_key(name))) {
            contract.issues.clear();
            contract.problems.clear();
        }
    }
    for contract in &contracts {
        problems.extend(contract.problems.iter().cloned());
    }
    let claims: Vec<Claim> = tree
        .entries
        .iter()
        .enumerate()
        .filter(|(at, _)| contracts[*at].promises_operations())
        .flat_map(|(at, (path, named))| {
            let provider = tree.providers.get(path).map(String::as_str);
            claims(at, (path, provider), *named, &services, &plans, config)
        })
        .collect();
    route_by_contract(&mut services, &contracts, &claims, sources);
    let wired = wired_modules(&modules, &index, &contracts, sources);
    let (of_tables, of_documents): (Vec<Claim>, Vec<Claim>) =
        claims.into_iter().partition(|claim| contracts[claim.contract].table.is_some());
    let (links, linking) = link(&services, &contracts, &of_documents, sources);
    problems.extend(linking);
    let (table_links, linking) = link(&services, &contracts, &of_tables, sources);
    problems.extend(linking);
    let configured = |contract: usize| services_named_for(&tree.entries[contract].0, &plans, config);
    let keepers = keepers(&services, &contracts, configured, sources);
    let importers = changed.map(|changed| index.importers(&modules, changed, sources)).unwrap_or_default();
    // Giving back so many small pieces takes its time; nothing waits for it where there are threads.
    if rayon::current_thread_index().is_some() {
        rayon::spawn(move || drop((modules, index)));
    }
    Understood { services, contracts, links, table_links, keepers, wired, seen, comments, sightings, importers }
}

/// What the modules that contracts about wiring name export, import and register.
fn wired_modules(
    modules: &[Module],
    index: &ProgramIndex,
    contracts: &[Declarations],
    sources: &Sources,
) -> BTreeMap<String, WiredFacts> {
    if contracts.iter().all(|contract| contract.wiring.is_none()) {
        return BTreeMap::new();
    }
    let mut evaluator = Evaluator::new(modules, index, Vec::new());
    wired(&mut evaluator, modules, contracts, sources)
}

/// The earlier version, held against the contract that it is a version of: the only one, else the one of its title. A
/// document that is no contract, before or now, is compared with nothing: everything would be gone.
fn earlier_version(
    path: &str,
    (now, sources): (&Tree, &Sources),
    contracts: &[Declarations],
    problems: &mut Vec<Problem>,
) -> Option<(usize, Declarations)> {
    let declarations = contracts::declare(&now.documents, path);
    problems.extend(declarations.problems.iter().cloned());
    problems.extend(unresolved(&declarations, sources));
    let contract = match contracts {
        [_] => Some(0),
        several => several.iter().position(|contract| contract.title == declarations.title),
    };
    let mut refuse = |path: &str, message: &str| {
        problems.push(Problem::new(ProblemKind::NoContract, path, message));
        None
    };
    let Some(contract) = contract else {
        return refuse(path, "no contract of this title was found that it could be an earlier version of");
    };
    let kind = |it: &Declarations| (it.events.is_some(), it.models.is_some());
    if kind(&declarations) != kind(&contracts[contract]) {
        return refuse(path, "it is another kind of document than the contract, so the two are not compared");
    }
    for (version, path) in [(&declarations, path), (&contracts[contract], now.entries[contract].0.as_str())] {
        if !comparable(version, now.documents.get(path)) {
            return refuse(path, "it cannot be read as a contract, so its versions are not compared");
        }
    }
    Some((contract, declarations))
}

/// Whether a document that lies among the contracts is an earlier version of another one. The contract itself is none: it
/// stays what the code is held against.
fn is_earlier(path: &str, now: &mut Tree, problems: &mut Vec<Problem>) -> bool {
    let then = contracts::declare(&now.documents, path);
    let is_version = |(known, _): &(String, bool)| {
        let it = contracts::declare(&now.documents, known);
        let promises = |it: &Declarations| -> BTreeSet<(Method, String)> {
            it.operations.iter().map(|operation| (operation.method, operation.path.key())).collect()
        };
        it.title == then.title || !promises(&it).is_disjoint(&promises(&then))
    };
    if now.entries.iter().any(is_version) {
        return true;
    }
    let message = "no other contract is a version of it: it is held against the code, and nothing against it";
    let help = "name the version that was released, such as `--against main` or a copy of it";
    problems.push(Problem::new(ProblemKind::NoContract, path, message).with_help(help));
    now.entries.push((path.to_owned(), false));
    now.entries.sort();
    false
}

/// References of an earlier version that lead nowhere: in a contract of now they are findings.
fn unresolved<'d>(earlier: &'d Declarations, sources: &'d Sources) -> impl Iterator<Item = Problem> + 'd {
    let issues = earlier.issues.iter().filter(|issue| issue.kind == IssueKind::UnresolvedReference);
    issues.map(|issue| {
        let message = format!("{}: what it stands for is not compared", issue.message);
        Problem::at(ProblemKind::UnresolvedReference, sources, issue.span, message)
    })
}

/// Whether a document could be read as a contract.
fn comparable(version: &Declarations, document: Option<&Document>) -> bool {
    let kinds = [IssueKind::Syntax, IssueKind::NotAContract];
    let absent = matches!(document, None | Some(Document::Absent { .. }));
    !absent && !version.issues.iter().any(|issue| kinds.contains(&issue.kind))
}

const NULL_UNSTATED: &str = "it states null nowhere";
const NULL_SET: &str = "as `check-null` says";

fn null_unchecked(contract: &Declarations, config: &Config) -> Option<&'static str> {
    match config.check_null {
        Some(true) => None,
        Some(false) => Some(NULL_SET),
        None => (!contract.states_null).then_some(NULL_UNSTATED),
    }
}

fn summary(project: &Project, config: &Config, files: usize, bytes: usize) -> Summary {
    let coverage = coverage(project);
    let services = services(project, &coverage);
    let contracts = coverage
        .into_iter()
        .map(|covered| {
            let link = &project.links[covered.link];
            ContractSummary {
                contract: project.sources.get(project.contracts[link.contract].file).path.clone(),
                service: project.services[link.service].name.clone(),
                contracted: covered.contracted,
                found: covered.found,
                verified: covered.verified,
                requests_verified: covered.requests_verified,
                named: link.named,
                unread: covered.unread,
                not_verifiable: covered.not_verifiable,
                ignored: covered.ignored,
                null_unchecked: null_unchecked(&project.contracts[link.contract], config),
            }
        })
        .collect();
    let events = project.contracts.iter().enumerate().filter_map(|(at, contract)| {
        let events = contract.events.as_ref()?;
        let keepers = project.keepers.iter().filter(|keeper| keeper.contract == at);
        let services = keepers.flat_map(|keeper| &keeper.services).map(|at| project.services[*at].name.clone());
        Some(EventSummary {
            contract: project.sources.get(contract.file).path.clone(),
            channels: events.channels.len(),
            messages: events.channels.iter().map(|channel| channel.messages.len()).sum(),
            operations: events.operations.len(),
            services: services.collect(),
        })
    });
    let events = events.collect();
    let requests = requests(project);
    Summary { files, bytes, services, contracts, events, requests, ..Summary::default() }
}

/// What was understood of each scanned service that serves something, or is known to.
fn services(project: &Project, coverage: &[Coverage]) -> Vec<ServiceSummary> {
    let summary = |(at, service): (usize, &Service)| {
        let of_service = coverage.iter().filter(|covered| project.links[covered.link].service == at);
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for (reason, operations) in of_service.flat_map(|covered| &covered.not_verifiable) {
            *reasons.entry(reason).or_default() += operations;
        }
        let mut not_verifiable: Vec<(String, usize)> =
            reasons.into_iter().map(|(reason, operations)| (reason.to_owned(), operations)).collect();
        not_verifiable.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        ServiceSummary {
            service: service.name.clone(),
            frameworks: service.frameworks.clone(),
            unsupported: service.unsupported.clone(),
            routes: service.operations.len(),
            unread: service.unread.iter().filter(|it| it.is_gap()).count(),
            not_verifiable,
        }
    };
    let is_told = |service: &Service| {
        service.scanned
            && !(service.operations.is_empty() && service.frameworks.is_empty() && service.unsupported.is_empty())
    };
    let scanned = project.services.iter().enumerate().filter(|(_, service)| is_told(service));
    scanned.map(summary).collect()
}

/// What became of the requests of each scanned service.
fn requests(project: &Project) -> Vec<RequestSummary> {
    let mut of: Vec<RequestSummary> = Vec::new();
    of.extend(
        project.services.iter().map(|it| RequestSummary { service: it.name.clone(), ..RequestSummary::default() }),
    );
    for asked in &project.asked {
        let call = &project.services[asked.service].calls[asked.call];
        let summary = &mut of[asked.service];
        summary.made += 1;
        if let Some(why) = asked.unresolved() {
            let why = call.url.as_ref().err().map_or(why, |reason| reason.text.as_str());
            summary.unresolved.push((call.span, why.to_owned()));
        } else if matches!(asked.code, Answer::Foreign) && matches!(asked.contract, Answer::Foreign) {
            summary.elsewhere += 1;
        }
    }
    let is_told = |(summary, service): &(RequestSummary, &Service)| summary.made > 0 && service.scanned;
    of.into_iter().zip(&project.services).filter(is_told).map(|(summary, _)| summary).collect()
}

/// What every service is evaluated with.
struct Program<'a> {
    modules: &'a [Module],
    index: &'a ProgramIndex,
    points: &'a [EntryPoint],
    sources: &'a Sources,
    settings: &'a SettingValues,
    /// Types that somebody wants to know.
    wanted: &'a Wanted,
    shared: frameworks::Shared<'a>,
}

fn evaluate(
    program: &Program<'_>,
    plans: &[Plan],
    problems: &mut Vec<Problem>,
    progress: &dyn Progress,
) -> Vec<Service> {
    let done = AtomicUsize::new(0);
    let each = |plan: &Plan| {
        let run = || evaluate_service(program, plan);
        let evaluated =
            catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| (empty_service(plan), vec![crashed(&plan.root)]));
        progress.tick("evaluating", done.fetch_add(1, Ordering::Relaxed) + 1, plans.len());
        evaluated
    };
    let evaluated: Result<Vec<(Service, Vec<Problem>)>, _> = with_room(|| plans.par_iter().map(&each).collect());
    let evaluated = evaluated.unwrap_or_else(|_| plans.iter().map(each).collect());
    evaluated
        .into_iter()
        .map(|(service, found)| {
            problems.extend(found);
            service
        })
        .collect()
}

fn empty_service(plan: &Plan) -> Service {
    Service {
        name: plan.name.clone(),
        root: plan.root.clone(),
        scanned: true,
        operations: Vec::new(),
        messages: Vec::new(),
        calls: Vec::new(),
        models: Vec::new(),
        shapes: crate::model::ShapeTable::default(),
        unknown: Vec::new(),
        unread: Vec::new(),
        routings: Vec::new(),
        frameworks: Vec::new(),
        unsupported: Vec::new(),
        files: plan.files,
    }
}

const OUT_OF_BUDGET: &str = "evaluating it took more steps than one file may; routes that it registers may be missing";

/// An application of a known kind that is not read may serve anything.
fn unread_framework(service: &mut Service, name: &str, site: Span) {
    if !service.unsupported.iter().any(|known| known == name) {
        service.unsupported.push(name.to_owned());
        service.unread.push(blind::anything(format!("{name} is not read yet"), Some(site)));
    }
}

fn evaluate_service(program: &Program<'_>, plan: &Plan) -> (Service, Vec<Problem>) {
    let Program { modules, index, points, sources, settings, wanted, ref shared } = *program;
    let mut service = empty_service(plan);
    let mut used = false;
    let mut frameworks_used: BTreeSet<&str> = BTreeSet::new();
    for id in &plan.modules {
        used |= index
            .dependencies(*id)
            .iter()
            .any(|name| frameworks::ALL.iter().any(|framework| framework.packages.contains(&name.as_str())));
        used |= index.package_of(*id).is_some_and(|package| {
            frameworks::ALL.iter().any(|framework| {
                framework.packages.iter().any(|name| package.dependencies.iter().any(|known| known == name))
            })
        });
        let module = &modules[id.0 as usize];
        used |= index.is_at_wire(*id);
        used |= index.project_serves(*id) || runs_by_itself(module);
        for package in imported_packages(module) {
            let is = |known: &str| is_of_package(module, package, known);
            used |= wires::all().any(|wire| wire.library.wire_packages.iter().any(|name| is(name)));
            used |= frameworks::ALL.iter().any(|framework| framework.packages.iter().any(|name| is(name)));
            for framework in frameworks::ALL.iter().filter(|known| known.packages.iter().any(|name| is(name))) {
                frameworks_used.insert(framework.name);
            }
            if frameworks::SERVER_PACKAGES.iter().any(|name| is(name))
                && let Some(site) = frameworks::own_server(module)
            {
                used = true;
                frameworks_used.insert(frameworks::OWN_SERVER);
                let why = format!("{} is read only where it compares paths", frameworks::OWN_SERVER);
                let reason = Reason::new(why, Some(site));
                service.unread.push(Unread { path: String::new(), method: None, reach: Reach::Anything, reason });
            }
            if let Some((_, name)) = frameworks::UNREAD.iter().find(|(known, _)| is(known)) {
                unread_framework(&mut service, name, Span::new(module.file, 0, 0));
            }
        }
    }
    service.unsupported.sort();
    let declares =
        !wanted.is_empty() && plan.modules.iter().any(|id| wanted::declares(&modules[id.0 as usize], wanted));
    if !used && !declares {
        return (service, Vec::new());
    }
    let points = points
        .iter()
        .map(|point| EntryPoint { group: point.group.clone(), name: point.name.clone(), target: point.target.clone() })
        .collect();
    let mut evaluator = Evaluator::new(modules, index, points);
    evaluator.setting_values = Some(settings);
    let mut run = plan.modules.clone();
    run.extend(built_with(modules, index, plan));
    if used {
        evaluator.run(&run);
    } else {
        evaluator.of_service(&run);
    }
    let own = plan.modules.iter().map(|id| &modules[id.0 as usize]);
    let mut schemas = frameworks::Schemas::new(is_version_one(own), shared);
    let served = frameworks::served(&mut evaluator, &mut schemas);
    let mut problems: Vec<Problem> = evaluator
        .out_of_budget
        .iter()
        .map(|file| {
            let path = sources.get(*file).path.clone();
            Problem::new(ProblemKind::BudgetExhausted, path, OUT_OF_BUDGET)
        })
        .collect();
    let files = evaluator.out_of_budget.iter();
    service.unread.extend(files.map(|file| blind::anything(OUT_OF_BUDGET, Some(Span::new(*file, 0, 0)))));
    if declares {
        service.models = frameworks::models(&mut evaluator, &mut schemas, &plan.modules, wanted);
    }
    service.operations = served.operations;
    let of_routes = service.operations.iter().filter_map(|route| route.implementation.as_ref());
    frameworks_used.extend(of_routes.map(|code| code.framework));
    service.frameworks = frameworks_used.into_iter().map(str::to_owned).collect();
    (service.messages, service.calls) = wires::uses(&mut evaluator, &mut schemas, &plan.modules);
    service.shapes = schemas.into_table();
    service.routings = served.routings;
    service.unknown = served.unknown;
    service.unread.extend(served.unread);
    problems.extend(blind::note_cuts(&mut service, &evaluator.cuts, sources));
    (service, problems)
}
