//! Engine `requests`: what clients that keep to the contract may send, against what code takes. The contract is the
//! producer here, the code the consumer.
//!
//! One cause, one finding, as with responses. Where several routes serve one operation, only what all of them get wrong
//! counts. Nothing is missing where code may take more than could be read.

mod bodies;
mod inputs;
mod wording;

pub(super) use bodies::paired;

use std::collections::BTreeSet;

use super::alternatives::in_some_runs;
use super::causes::{Cause, Causes};
use super::shape::Comparer;
use super::{KindInfo, Of};
use crate::contracts::{Declarations, Terms};
use crate::finding::{Evidence, Severity, Sink};
use crate::model::Operation;
use crate::project::{Project, Service};

/// `of = "tables"` for the tables of requirements documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requests {
    #[serde(default)]
    of: Of,
}

const GAPS: &[&str] = &["subject", "operation", "type", "schema", "expected", "actual"];

const fn error(name: &'static str, about: &'static str) -> KindInfo {
    KindInfo { name, severity: Severity::Error, about, gaps: GAPS }
}

const fn warning(name: &'static str, about: &'static str) -> KindInfo {
    KindInfo { name, severity: Severity::Warning, about, gaps: GAPS }
}

const MISSING: &str = "missing";
const REQUIRED: &str = "required";
const UNDOCUMENTED: &str = "undocumented";
const UNKNOWN: &str = "unknown";
const FORBIDDEN: &str = "forbidden";
const CASING: &str = "casing";
const TYPE: &str = "type";
const ENUM_VALUE: &str = "enum-value";
const NULLABLE: &str = "nullable";
const MISSING_BODY: &str = "missing-body";
const REQUIRED_BODY: &str = "required-body";
const UNKNOWN_BODY: &str = "unknown-body";
const MEDIA: &str = "media";

pub(super) const KINDS: &[KindInfo] = &[
    error(MISSING, "code requires a parameter or a member that the contract does not have"),
    error(REQUIRED, "code requires what the contract lets clients leave out"),
    KindInfo {
        name: UNDOCUMENTED,
        severity: Severity::Info,
        about: "code takes an optional parameter or member that the contract does not have",
        gaps: GAPS,
    },
    warning(UNKNOWN, "the contract has a parameter or a member that code does not take"),
    error(FORBIDDEN, "the contract has a member that code refuses"),
    error(CASING, "code reads a parameter or a member in another casing"),
    error(TYPE, "code takes another or a narrower type"),
    error(ENUM_VALUE, "code refuses a value that the contract lets clients send"),
    error(NULLABLE, "code refuses null where the contract allows it"),
    error(MISSING_BODY, "code requires a body where the contract has none"),
    warning(REQUIRED_BODY, "code requires the body that the contract lets clients leave out"),
    warning(UNKNOWN_BODY, "the contract has a body where code takes none"),
    error(MEDIA, "code takes none of the media types that the contract has for the body"),
];

/// One thing in which a route and the contract disagree.
struct Found {
    /// The same for two routes of one operation that are wrong in the same way.
    essence: (&'static str, String),
    cause: Cause,
    evidence: Evidence,
}

/// Everything that one operation of a contract is judged with.
#[derive(Clone, Copy)]
struct Context<'a> {
    service: &'a Service,
    contract: &'a Declarations,
    declared: &'a Operation,
    terms: Option<&'a Terms>,
    served: &'a Operation,
    /// The contract says of request bodies whether they are required: one that never does leaves it open.
    states_required_bodies: bool,
}

impl Context<'_> {
    /// Names of query parameters and of members are found in any casing.
    fn any_case(&self) -> bool {
        self.served.implementation.as_ref().is_some_and(|code| code.any_case)
    }
}

pub(super) fn judge(params: &Requests, project: &Project, sink: &mut Sink<'_>) {
    let mut causes = Causes::default();
    for link in params.of.links(project).iter().filter(|link| !link.unrelated) {
        let (service, contract) = (&project.services[link.service], &project.contracts[link.contract]);
        let mut comparer = Comparer::of_requests(&contract.shapes, &service.shapes);
        let states_required_bodies = states_required_bodies(contract);
        for pair in link.pairs.iter().filter(|pair| !pair.ignored) {
            let contexts = pair.served.iter().map(|at| Context {
                service,
                contract,
                declared: &contract.operations[pair.declared],
                terms: contract.terms.get(pair.declared),
                served: &service.operations[*at],
                states_required_bodies,
            });
            judge_pair(contexts, (link.contract, pair.declared), &mut comparer, &mut causes);
        }
        comparer.cuts().for_each(|what| sink.cut(&project.sources.get(contract.file).path, what));
    }
    causes.report(project, sink);
}

/// Whether at least half of the request bodies of a contract are stated as required.
fn states_required_bodies(contract: &Declarations) -> bool {
    let bodies = contract.operations.iter().filter_map(|operation| operation.request.bodies.first());
    let (all, required) = bodies.fold((0, 0), |(all, required), body| (all + 1, required + usize::from(body.required)));
    required * 2 >= all
}

fn judge_pair<'a>(
    contexts: impl Iterator<Item = Context<'a>>,
    operation: (usize, usize),
    comparer: &mut Comparer<'_>,
    causes: &mut Causes,
) {
    let contexts: Vec<Context<'a>> = contexts.collect();
    let routes: Vec<&Operation> = contexts.iter().map(|context| context.served).collect();
    let found: Vec<Vec<Found>> = contexts.iter().map(|context| disagreements(*context, comparer)).collect();
    let essences: Vec<BTreeSet<_>> =
        found.iter().map(|found| found.iter().map(|found| found.essence.clone()).collect()).collect();
    for (index, (found, served)) in found.into_iter().zip(&routes).enumerate() {
        for Found { essence, cause, evidence } in found {
            if essences.iter().all(|theirs| theirs.contains(&essence)) {
                if index == 0 {
                    causes.add(cause, evidence, operation);
                }
            } else if let Some(evidence) = in_some_runs(evidence, served, &routes) {
                causes.add(cause, evidence, operation);
            }
        }
    }
}

fn disagreements(context: Context<'_>, comparer: &mut Comparer<'_>) -> Vec<Found> {
    let mut out = inputs::disagreements(context, comparer);
    out.extend(bodies::disagreements(context, comparer));
    out
}
