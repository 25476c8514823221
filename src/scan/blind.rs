//! Parts of services that could not be read for other reasons than that code was not understood: files, budgets, frameworks.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::gather::Tree;
use crate::contracts::Declarations;
use crate::evaluate::{Cut, Cuts};
use crate::finding::{Problem, ProblemKind, Reason};
use crate::frameworks::may_register;
use crate::languages::Language;
use crate::model::program::Module;
use crate::model::{Operation, Reach, Unread};
use crate::project::{MAX_PROVIDERS, Project, Service, may_answer};
use crate::text::{FileId, Sources, Span};

/// Something that may register anything.
pub(super) fn anything(why: impl Into<String>, span: Option<Span>) -> Unread {
    Unread { path: String::new(), method: None, reach: Reach::Unseen, reason: Reason::new(why, span) }
}

/// One problem for each budget that was used up; where routes were being registered, there may be more of them.
pub(super) fn note_cuts(service: &mut Service, cuts: &Cuts, sources: &Sources) -> Vec<Problem> {
    let problem = |(what, cut): (&&'static str, &Cut)| {
        if cut.registers {
            let unread = anything(format!("not looked at: {what}"), cut.first);
            service.unknown.push(unread.reason.clone());
            service.unread.push(unread);
        }
        let times = if cut.times > 1 { format!("; {} times, here first", cut.times) } else { String::new() };
        let message = format!("not looked at, since there is too much of it: {what}{times}");
        let problem = match cut.first {
            Some(span) => Problem::at(ProblemKind::BudgetExhausted, sources, span, message),
            None => Problem::new(ProblemKind::BudgetExhausted, service.root.clone(), message),
        };
        problem.with_help("what hangs on it is missing from what is compared")
    };
    cuts.iter().map(problem).collect()
}

/// The problems of requests that are not looked for in all services and contracts, where there are too many.
pub(super) fn note_providers(project: &Project) -> Vec<Problem> {
    let Project { services, contracts, sources, .. } = project;
    if services.iter().all(|service| service.calls.is_empty()) {
        return Vec::new();
    }
    let service = |it: &Service| (it.root.clone(), it.name.clone());
    let contract = |it: &Declarations| {
        let path = sources.path(it.paths);
        (path.to_owned(), path.to_owned())
    };
    let services = services.iter().filter(|service| !service.operations.is_empty()).map(service);
    let contracts = contracts.iter().filter(|it| may_answer(it)).map(contract);
    let told = [
        left_out("services", services.skip(MAX_PROVIDERS).collect()),
        left_out("contracts", contracts.skip(MAX_PROVIDERS).collect()),
    ];
    told.into_iter().flatten().collect()
}

/// The problem of those that are left out, by path and name.
fn left_out(what: &str, left_out: Vec<(String, String)>) -> Option<Problem> {
    let times = left_out.len();
    let (path, name) = left_out.into_iter().next()?;
    let message = format!(
        "not looked at, since there is too much of it: {what} that requests may ask, beyond the first {MAX_PROVIDERS} \
         ({times} of them, `{name}` first)"
    );
    let problem = Problem::new(ProblemKind::BudgetExhausted, path, message);
    Some(problem.with_help("scan parts of the repository by themselves"))
}

/// Notes on each service the files of it that could not be read, whole or in part.
pub(super) fn note_files(
    services: &mut [Service],
    tree: &Tree,
    (modules, sources): (&[Module], &Sources),
    problems: &[Problem],
) {
    let read: BTreeSet<&str> = tree.code.iter().map(|file| file.path.as_str()).collect();
    let registering: FxHashSet<FileId> =
        services.iter().flat_map(|service| &service.operations).map(|route| route.span.file).collect();
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for problem in problems.iter().filter(|problem| Language::by_path(&problem.path).is_some()) {
        let file = || tree.code.iter().find(|file| file.path == problem.path).map(|file| file.file);
        let unread = match problem.kind {
            ProblemKind::Unreadable | ProblemKind::InvalidEncoding | ProblemKind::TooLarge => {
                !read.contains(problem.path.as_str())
            }
            ProblemKind::TooDeep => true,
            // Most errors of syntax are of no file that registers routes.
            ProblemKind::SyntaxError => file().is_some_and(|file| {
                registering.contains(&file)
                    && modules.iter().find(|module| module.file == file).is_none_or(|module| hides(module, sources))
            }),
            _ => false,
        };
        if unread && told.insert(&problem.path) {
            let holds = |root: &str| {
                root == "." || problem.path.strip_prefix(root).is_some_and(|rest| rest.starts_with(['/', '\\']))
            };
            let within = services.iter_mut().filter(|service| service.scanned && holds(&service.root));
            if let Some(service) = within.max_by_key(|service| service.root.len()) {
                let why = format!("`{}` could not be read: {}", problem.path, problem.message);
                let beginning = file().and_then(|file| only_beginning(&service.operations, file));
                service.unread.extend(beginning.map(|path| Unread {
                    path,
                    method: None,
                    reach: Reach::Below,
                    reason: Reason::new(why.clone(), problem.span),
                }));
                service.unread.push(anything(why, problem.span));
            }
        }
    }
}

/// The beginning below which all routes of a file are served, and no others: what is missing there may stand where the file
/// could not be read. `None` where routes of other files do not tell it from the whole service.
fn only_beginning(routes: &[Operation], file: FileId) -> Option<String> {
    let (own, others): (Vec<&Operation>, Vec<&Operation>) = routes.iter().partition(|route| route.span.file == file);
    let keys: Vec<String> = own.iter().map(|route| route.path.key()).collect();
    let first = keys.first()?;
    let is_below = |key: &str, beginning: &str| {
        key.strip_prefix(beginning).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let ends = first.match_indices('/').skip(1).map(|(at, _)| at).chain([first.len()]);
    let shared = ends
        .map(|end| &first[..end])
        .take_while(|it| !it.contains('{') && it.len() > 1 && keys.iter().all(|key| is_below(key, it)));
    let shared = shared.last()?;
    let is_told = !others.is_empty() && others.iter().all(|route| !is_below(&route.path.key(), shared));
    is_told.then(|| shared.to_owned())
}

/// Whether the places of a file that the parser could not read may register routes.
fn hides(module: &Module, sources: &Sources) -> bool {
    let text = &sources.get(module.file).text;
    let may_register = |place: &Span| may_register(text, place.start as usize, place.end as usize);
    module.errors.is_empty() || module.errors.iter().any(may_register)
}
