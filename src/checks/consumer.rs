//! Engine `consumer`: requests that code makes, against the operations that answer them: of other code, or of a contract.
//!
//! What cannot be known of a request is never wrong: an address that comes from somewhere else, several operations that
//! could be meant, a query that is put together elsewhere. Where the operation is known and something about the way to it
//! is not, what is found is told as info.

mod evidence;
mod shapes;

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use self::evidence::Place;
use self::shapes::Comparers;
use super::KindInfo;
use super::undocumented::{is_of_operation, is_page};
use crate::contracts::Declarations;
use crate::finding::{Severity, Sink};
use crate::model::{HttpCall, Operation, ShapeTable};
use crate::project::{Answer, Asked, Link, Project};

/// `[check.consumer]`
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consumer {
    /// What requests are held against.
    against: Against,
    /// What of them is looked at.
    about: Vec<About>,
}

/// Who answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Against {
    /// Services of the project.
    Code,
    /// Their contracts, and those of others.
    Contract,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum About {
    /// Whether the path is there.
    Path,
    /// Whether it is there with this method.
    Method,
    /// What is given.
    Request,
    /// What the answer is taken for.
    Answer,
    /// Operations that nobody asks for.
    Uncalled,
}

const GAPS: &[&str] = &["request", "operation", "provider", "subject", "expected", "actual", "reason"];

const NO_OPERATION: &str = "no-operation";
const OTHER_METHOD: &str = "other-method";
const MISSING_PARAMETER: &str = "missing-parameter";
const MISSING_BODY: &str = "missing-body";
const MISSING_MEMBER: &str = "missing-member";
const CASING: &str = "casing";
const TYPE: &str = "type";
const READS_MISSING: &str = "reads-missing";
const READS_CASING: &str = "reads-casing";
const READS_TYPE: &str = "reads-type";
const UNCALLED: &str = "uncalled";

const fn kind(name: &'static str, severity: Severity, about: &'static str) -> KindInfo {
    KindInfo { name, severity, about, gaps: GAPS }
}

/// In the order of [`About`].
static KINDS: &[KindInfo] = &[
    kind(NO_OPERATION, Severity::Error, "a request for a path that nobody serves or promises"),
    kind(OTHER_METHOD, Severity::Error, "the path is there, and not with this method"),
    kind(MISSING_PARAMETER, Severity::Error, "a required query parameter is not given"),
    kind(MISSING_BODY, Severity::Error, "a required body is not sent"),
    kind(MISSING_MEMBER, Severity::Error, "the body that is sent lacks a required member"),
    kind(CASING, Severity::Error, "a member is sent in another casing"),
    kind(TYPE, Severity::Error, "a member of another type is sent"),
    kind(READS_MISSING, Severity::Warning, "the answer is taken for a type with a member that it does not have"),
    kind(READS_CASING, Severity::Warning, "a member of the answer is read in another casing"),
    kind(READS_TYPE, Severity::Warning, "a member of the answer is taken for another type"),
    kind(UNCALLED, Severity::Info, "no request of the project asks for an operation"),
];

/// One request with the operation that answers it.
#[derive(Clone, Copy)]
struct Pair<'a> {
    call: &'a HttpCall,
    asking: &'a ShapeTable,
    operation: &'a Operation,
    answering: &'a ShapeTable,
    place: Place<'a>,
    doubt: Option<&'static str>,
}

pub(super) fn judge(params: &Consumer, project: &Project, sink: &mut Sink<'_>) {
    let mut told: FxHashSet<(&'static str, String)> = FxHashSet::default();
    let mut comparers: Comparers = BTreeMap::new();
    let mut served: Comparers = BTreeMap::new();
    for asked in &project.asked {
        let call = &project.services[asked.service].calls[asked.call];
        let answer = params.answer(asked);
        let place = |of: usize| Place::new(params.against == Against::Contract, of, project);
        let file = project.sources.path(call.span);
        let mut report = |kind: &'static str, evidence: crate::finding::Evidence| {
            // A doubtful one does not stand for one that is sure.
            if told.insert((kind, format!("{} {file} {}", evidence.subject, evidence.at_most.is_some()))) {
                sink.report(evidence);
            }
        };
        match answer {
            Answer::Missing { of, doubt } if params.about(About::Path) => {
                // Where both ends are there, the code is what a request meets.
                let (silent, doubt) = match (params.against, &asked.code, &asked.contract) {
                    (Against::Code, _, Answer::Found { .. } | Answer::OtherMethod { .. }) => (true, *doubt),
                    (Against::Contract, Answer::Missing { .. } | Answer::OtherMethod { .. }, _) => (true, *doubt),
                    (Against::Contract, Answer::Found { .. }, _) => (false, Some("the code serves it")),
                    (Against::Contract, Answer::Unknown(_) | Answer::Several { .. }, _) => {
                        (place(*of).is_served(project), *doubt)
                    }
                    _ => (false, *doubt),
                };
                if !silent {
                    report(NO_OPERATION, evidence::no_operation(call, place(*of), doubt));
                }
            }
            Answer::OtherMethod { of, operations, doubt } if params.about(About::Method) => {
                let all = place(*of).operations(project);
                let served = place(*of).is_served(project);
                let silent = params.against == Against::Contract
                    && (matches!(asked.code, Answer::OtherMethod { .. })
                        || (served && matches!(asked.code, Answer::Unknown(_) | Answer::Several { .. })));
                let doubt = match &asked.code {
                    Answer::Found { .. } if params.against == Against::Contract => Some("the code serves it"),
                    _ => *doubt,
                };
                if !silent && let Some(operation) = operations.first().and_then(|at| all.get(*at)) {
                    report(OTHER_METHOD, evidence::other_method(call, operation, place(*of), doubt));
                }
            }
            Answer::Found { of, operations, doubt } => {
                let place = place(*of);
                let all = place.operations(project);
                // Of several routes at one place, which one answers is not known.
                let [only] = operations.as_slice() else { continue };
                let Some(operation) = all.get(*only) else { continue };
                let asking = &project.services[asked.service].shapes;
                let pair = Pair { call, asking, operation, answering: place.shapes(project), place, doubt: *doubt };
                let key = (asked.service, *of);
                let mut found = Vec::new();
                if params.about(About::Request) {
                    shapes::request(pair, key, &mut comparers, &mut found);
                }
                // Code that takes names whatever their case does so of what a contract says of it.
                let any_case = || {
                    let code =
                        code_pair(project, asked, call).and_then(|(pair, _)| pair.operation.implementation.as_ref());
                    code.is_some_and(|code| code.any_case)
                };
                if params.against == Against::Contract && found.iter().any(|(kind, _)| *kind == CASING) && any_case() {
                    for (_, evidence) in found.iter_mut().filter(|(kind, _)| *kind == CASING) {
                        evidence.at_most = Some(Severity::Info);
                        evidence::tell(evidence, "the code takes it in any case");
                    }
                }
                if params.about(About::Answer) {
                    let before = found.len();
                    shapes::answer(pair, key, &mut comparers, &mut found);
                    if params.against == Against::Contract && found.len() > before {
                        let code = code_pair(project, asked, call);
                        excuse(code, &mut served, &mut found[before..]);
                    }
                }
                found.into_iter().for_each(|(kind, evidence)| report(kind, evidence));
            }
            _ => {}
        }
    }
    for (key, both) in comparers.iter().chain(&served) {
        both.cuts().for_each(|what| sink.cut(&project.services[key.0].root, what));
    }
    if params.about(About::Uncalled) {
        uncalled(params, project, sink);
    }
}

/// The same request with the code that answers it, where one operation does.
fn code_pair<'a>(project: &'a Project, asked: &Asked, call: &'a HttpCall) -> Option<(Pair<'a>, (usize, usize))> {
    let Answer::Found { of, operations, doubt } = &asked.code else { return None };
    let [only] = operations.as_slice() else { return None };
    let place = Place::new(false, *of, project);
    let operation = place.operations(project).get(*only)?;
    let (asking, answering) = (&project.services[asked.service].shapes, place.shapes(project));
    Some((Pair { call, asking, operation, answering, place, doubt: *doubt }, (asked.service, *of)))
}

/// Of what is read of an answer and not promised, what the code answers with all the same is the contract's fault: it is told
/// as info.
fn excuse<'a>(
    code: Option<(Pair<'a>, (usize, usize))>,
    comparers: &mut Comparers<'a>,
    found: &mut [(&'static str, crate::finding::Evidence)],
) {
    let Some((pair, key)) = code else { return };
    let mut missing = Vec::new();
    shapes::answer(pair, key, comparers, &mut missing);
    for (kind, evidence) in found {
        if !missing.iter().any(|(known, other)| known == kind && other.field == evidence.field) {
            evidence.at_most = Some(Severity::Info);
            evidence::tell(evidence, "the code may answer with it");
        }
    }
}

impl Consumer {
    /// What it may report.
    pub(super) fn kinds(&self) -> &'static [KindInfo] {
        let range = |about: &About| match about {
            About::Path => (0, 1),
            About::Method => (1, 2),
            About::Request => (2, 7),
            About::Answer => (7, 10),
            About::Uncalled => (10, 11),
        };
        let first = self.about.iter().map(|about| range(about).0).min().unwrap_or(0);
        let last = self.about.iter().map(|about| range(about).1).max().unwrap_or(0);
        &KINDS[first..last]
    }

    fn about(&self, what: About) -> bool {
        self.about.contains(&what)
    }

    fn answer<'a>(&self, asked: &'a Asked) -> &'a Answer {
        match self.against {
            Against::Code => &asked.code,
            Against::Contract => &asked.contract,
        }
    }
}

/// Operations that no request asks for, of services that other code of the project asks for most of what they serve: the
/// rest has no known user.
fn uncalled(params: &Consumer, project: &Project, sink: &mut Sink<'_>) {
    let mut called: BTreeMap<usize, FxHashSet<usize>> = BTreeMap::new();
    let mut perhaps: BTreeMap<usize, FxHashSet<usize>> = BTreeMap::new();
    for asked in &project.asked {
        let (to, of, operations) = match params.answer(asked) {
            Answer::Found { of, operations, .. } => (&mut called, of, operations),
            Answer::Several { of, operations } => (&mut perhaps, of, operations),
            _ => continue,
        };
        if params.against == Against::Contract || *of != asked.service {
            to.entry(*of).or_default().extend(operations);
        }
    }
    for (of, called) in called {
        let place = Place::new(params.against == Against::Contract, of, project);
        let all = place.operations(project);
        if called.len() * 5 < all.len() * 4 {
            continue;
        }
        // What is registered twice is one operation to those who ask for it.
        let key = |operation: &Operation| (operation.method, operation.path.key());
        let called = called.iter().chain(perhaps.get(&of).into_iter().flatten());
        let mut known: FxHashSet<_> = called.filter_map(|at| all.get(*at)).map(key).collect();
        for operation in all {
            let hidden = operation.implementation.as_ref().is_some_and(|code| code.hidden);
            // Probes, browsers and what nothing else answers are no requests of code.
            let is_named = operation.path.key().split('/').any(|part| !part.is_empty() && !part.starts_with('{'));
            let of_others = hidden || !is_named || is_of_operation(operation) || is_page(operation);
            if !of_others && known.insert(key(operation)) {
                sink.report(evidence::uncalled(operation, place));
            }
        }
    }
}

impl Place<'_> {
    fn operations<'a>(&self, project: &'a Project) -> &'a [Operation] {
        match self.contract {
            Some(at) => &project.contracts[at].operations,
            None => &project.services[self.at].operations,
        }
    }

    /// Whether a service of the project keeps the contract.
    fn is_served(&self, project: &Project) -> bool {
        let of = |link: &Link| Some(link.contract) == self.contract && !link.unrelated;
        project.links.iter().any(|link| of(link) && !project.services[link.service].operations.is_empty())
    }

    fn shapes<'a>(&self, project: &'a Project) -> &'a ShapeTable {
        match self.contract {
            Some(at) => &project.contracts[at].shapes,
            None => &project.services[self.at].shapes,
        }
    }
}

/// The name of a contract, as shown.
fn contract_name<'a>(contract: &Declarations, project: &'a Project) -> &'a str {
    &project.sources.get(contract.file).path
}
