//! Engine `agreement`: each success response that code declares, against the contract's schema for it.
//!
//! One cause, one finding: the same member of the same type in code against the same schema is reported once, with all
//! operations that it affects. Where several routes serve one operation, only what all of them get wrong counts.

use std::collections::BTreeSet;

use super::alternatives::in_some_runs;
use super::answers::{Answer, Answers, Bodies, answers, declares_a_type};
use super::causes::{Cause, Causes, handler, route_span};
use super::member::{Around, Member, closed_set, labels_of_sent, quoted};
use super::shape::{Comparer, Difference, Policy, Step, describe};
use super::{KindInfo, Of};
use crate::contracts::Declarations;
use crate::finding::{ContractPlace, Evidence, Label, Severity, Sink};
use crate::model::{Body, Operation, Response, Status};
use crate::project::{Link, Pair, Project, Service};

/// `of = "tables"` for the tables of requirements documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    #[serde(default)]
    of: Of,
}

const STATUS: &str = "status";
const OTHER_STATUS: &str = "other-status";
const OTHER_BODY: &str = "other-body";
const MISSING_BODY: &str = "missing-body";

const MISSING: &[&str] = &["field", "operation", "type", "schema", "expected"];
const EXTRA: &[&str] = &["field", "operation", "type", "schema", "actual"];
const MEMBER: &[&str] = &["field", "operation", "type", "schema", "expected", "actual"];

const fn kind(kind: &'static str, severity: Severity, gaps: &'static [&'static str], about: &'static str) -> KindInfo {
    KindInfo { name: kind, severity, about, gaps }
}

pub(super) const KINDS: &[KindInfo] = &[
    kind("missing-field", Severity::Error, MISSING, "the contract requires a member that code never sends"),
    kind(
        "missing-optional-field",
        Severity::Info,
        MISSING,
        "the contract has an optional member that code never sends",
    ),
    kind("extra-field", Severity::Warning, EXTRA, "code sends a member that the contract does not declare"),
    kind("forbidden-field", Severity::Error, EXTRA, "code sends a member although the contract closes the object"),
    kind("casing", Severity::Error, MEMBER, "code sends the member in another casing"),
    kind("type", Severity::Error, MEMBER, "code sends a value of another type"),
    kind("enum-value", Severity::Error, MEMBER, "code can send a value that the contract's closed set lacks"),
    kind("optional", Severity::Error, MEMBER, "code may leave out a member that the contract requires"),
    kind(
        "left-out",
        Severity::Warning,
        MEMBER,
        "an option of the serialiser leaves out a member that the contract requires",
    ),
    kind("nullable", Severity::Error, MEMBER, "code may send null where the contract does not allow it"),
    kind(
        STATUS,
        Severity::Error,
        &["operation", "type", "expected", "actual"],
        "code answers with another success status",
    ),
    kind(
        OTHER_STATUS,
        Severity::Warning,
        &["operation", "type", "expected", "actual"],
        "code also answers with a success status that the contract does not have",
    ),
    kind(
        OTHER_BODY,
        Severity::Warning,
        &["operation", "type", "expected", "actual"],
        "code sends another type than the one that it is declared and documented with",
    ),
    kind(
        MISSING_BODY,
        Severity::Error,
        &["operation", "type", "expected"],
        "code sends no body where the contract promises one",
    ),
];

/// One thing that one route gets wrong in one operation.
enum Disagreement<'a> {
    Member { answer: Answer<'a>, promised: &'a Body, difference: Difference },
    Status { served: &'a Response },
    OtherStatus { served: &'a Response },
    OtherBody { answer: Answer<'a>, sent: &'a Body, promised: &'a Body },
    NoBody { answer: Answer<'a>, promised: &'a Body },
}

/// Everything that one operation of a contract is judged with.
#[derive(Clone, Copy)]
struct Context<'a> {
    service: &'a Service,
    contract: &'a Declarations,
    declared: &'a Operation,
    served: &'a Operation,
}

pub(super) fn judge(params: &Agreement, project: &Project, sink: &mut Sink<'_>) {
    let mut causes = Causes::default();
    for link in params.of.links(project).iter().filter(|link| !link.unrelated) {
        let (service, contract) = (&project.services[link.service], &project.contracts[link.contract]);
        let policy = policy(service, contract, link);
        let mut comparer = Comparer::new(&service.shapes, &contract.shapes, policy);
        for pair in link.pairs.iter().filter(|pair| !pair.ignored) {
            judge_pair((service, contract), (link, pair), &mut comparer, &mut causes);
        }
        comparer.cuts().for_each(|what| sink.cut(&project.sources.get(contract.file).path, what));
    }
    causes.report(project, sink);
}

/// What a contract means by what it says and does not say.
fn policy(service: &Service, contract: &Declarations, link: &Link) -> Policy {
    let mut policy = Policy {
        null: contract.states_null,
        null_of_references: contract.states_null_of_references,
        open_null: false,
        form: None,
    };
    if service.shapes.leaves_open() {
        let mut comparer = Comparer::new(&service.shapes, &contract.shapes, policy);
        for pair in link.pairs.iter().filter(|pair| !pair.ignored) {
            for served in &pair.served {
                let declared = &contract.operations[pair.declared];
                disagreements(&service.operations[*served], declared, contract, &mut comparer);
            }
        }
        policy.open_null = comparer.habits.states_null();
        policy.form = comparer.habits.form();
    }
    policy
}

fn judge_pair<'a>(
    (service, contract): (&'a Service, &'a Declarations),
    (link, pair): (&Link, &Pair),
    comparer: &mut Comparer<'_>,
    causes: &mut Causes,
) {
    let declared = &contract.operations[pair.declared];
    // A route that declares no type says nothing, so it does not speak for the others either.
    let all: Vec<&Operation> = pair.served.iter().map(|at| &service.operations[*at]).collect();
    let speaks = |route: &Operation| declares_a_type(route, &service.shapes);
    let some_speak = all.iter().any(|route| speaks(route));
    let routes: Vec<&Operation> = all.into_iter().filter(|route| !some_speak || speaks(route)).collect();
    let found: Vec<Vec<Disagreement<'_>>> =
        routes.iter().map(|route| disagreements(route, declared, contract, comparer)).collect();
    let essences: Vec<BTreeSet<_>> =
        found.iter().map(|found| found.iter().map(Disagreement::essence).collect()).collect();
    let at = (link.contract, pair.declared);
    let breaks = |found: &Vec<Disagreement<'_>>| found.iter().any(Disagreement::is_error);
    // What no run of the program keeps is wrong, whatever each of them gets wrong.
    let all_break = found.iter().all(breaks);
    for (index, (served, found)) in routes.iter().copied().zip(&found).enumerate() {
        let context = Context { service, contract, declared, served };
        for disagreement in found {
            if essences.iter().all(|theirs| theirs.contains(&disagreement.essence())) {
                if index == 0 {
                    let (cause, evidence) = disagreement.evidence(context);
                    causes.add(cause, evidence, at);
                }
                continue;
            }
            let (cause, evidence) = disagreement.evidence(context);
            let limit = evidence.at_most;
            if let Some(mut evidence) = in_some_runs(evidence, served, &routes) {
                if all_break && index == 0 {
                    evidence.at_most = limit;
                }
                causes.add(cause, evidence, at);
            }
        }
    }
}

fn disagreements<'a>(
    served: &'a Operation,
    declared: &'a Operation,
    contract: &Declarations,
    comparer: &mut Comparer<'_>,
) -> Vec<Disagreement<'a>> {
    let Answers { given, wrong_status, other_status, otherwise, .. } = answers(served, declared, &contract.shapes);
    let mut out: Vec<_> = wrong_status.into_iter().map(|served| Disagreement::Status { served }).collect();
    out.extend(other_status.into_iter().map(|served| Disagreement::OtherStatus { served }));
    for answer in otherwise {
        if let Bodies::Both { sent, promised } = answer.body
            && comparer.differences(sent.shape, promised.shape).iter().any(|difference| difference.kind.breaks())
        {
            out.push(Disagreement::OtherBody { answer, sent, promised });
        }
    }
    for answer in given {
        match answer.body {
            Bodies::Missing { promised } => out.push(Disagreement::NoBody { answer, promised }),
            Bodies::Both { sent, promised } => {
                for difference in comparer.differences(sent.shape, promised.shape).iter() {
                    out.push(Disagreement::Member { answer, promised, difference: difference.clone() });
                }
            }
            Bodies::OtherMedia { .. } | Bodies::Free => {}
        }
    }
    out
}

impl Disagreement<'_> {
    /// Whether it is one that clients cannot live with.
    fn is_error(&self) -> bool {
        let (kind, ..) = self.essence();
        KINDS.iter().any(|known| known.name == kind && known.severity == Severity::Error)
    }

    /// What two routes of one operation have in common when they are wrong in the same way.
    fn essence(&self) -> (&'static str, usize, &[Step]) {
        match self {
            Disagreement::Member { answer, difference, .. } => (difference.kind.name(), answer.index, &difference.path),
            Disagreement::Status { .. } => (STATUS, 0, &[]),
            Disagreement::OtherStatus { served } => match served.status {
                Status::Code(code) => (OTHER_STATUS, usize::from(code), &[]),
                _ => (OTHER_STATUS, 0, &[]),
            },
            Disagreement::OtherBody { answer, .. } => (OTHER_BODY, answer.index, &[]),
            Disagreement::NoBody { answer, .. } => (MISSING_BODY, answer.index, &[]),
        }
    }

    fn evidence(&self, context: Context<'_>) -> (Cause, Evidence) {
        match self {
            Disagreement::Member { answer, promised, difference } => member(context, answer, promised, difference),
            Disagreement::Status { served } => status(context, STATUS, served),
            Disagreement::OtherStatus { served } => status(context, OTHER_STATUS, served),
            Disagreement::OtherBody { answer, sent, promised } => other_body(context, answer, sent, promised),
            Disagreement::NoBody { answer, promised } => no_body(context, answer, promised),
        }
    }
}

fn member(context: Context<'_>, answer: &Answer<'_>, promised: &Body, difference: &Difference) -> (Cause, Evidence) {
    let around = Around {
        code: &context.service.shapes,
        contract: context.contract,
        sends: true,
        whole: (promised.shape, promised.span),
        at: route_span(context.served, answer.served.span),
    };
    let kind = difference.kind.name();
    let member = Member::of(&around, difference);
    let (subject, cause) = closed_set(&around, kind, difference)
        .unwrap_or_else(|| (member.subject(&context.declared.title()), member.cause(kind)));
    let field = member.shown("the response");
    let (label, contract_label) = labels_of_sent(difference.kind, &field, &member.expected, &member.actual);
    let evidence = Evidence {
        kind,
        span: member.span,
        label,
        related: vec![Label { span: member.place.span, text: contract_label }],
        operations: Vec::new(),
        field: member.field(),
        subject,
        values: vec![
            ("field", field),
            ("type", quoted(member.type_name.as_ref(), &handler(context.served))),
            ("schema", quoted(member.schema_name.as_ref(), "the schema")),
            ("expected", member.expected),
            ("actual", member.actual),
        ],
        contract: Some(member.place),
        at_most: None,
    };
    (cause, evidence)
}

/// A status that is not among those of the contract: the only one (`status`), or one of several (`other-status`).
fn status(context: Context<'_>, kind: &'static str, served: &Response) -> (Cause, Evidence) {
    let declared = context.declared;
    let success: Vec<&Response> = declared.responses.iter().filter(|response| response.status.is_success()).collect();
    let expected = success.iter().map(|response| response.status.name()).collect::<Vec<_>>().join(" or ");
    let actual = served.status.name();
    let (span, pointer) = match success[..] {
        [only] => (only.span, format!("{}/responses/{}", declared.pointer, only.status.name())),
        _ => (success.first().map_or(declared.span, |first| first.span), format!("{}/responses", declared.pointer)),
    };
    let route = if kind == STATUS { route_span(context.served, served.span) } else { served.span };
    let evidence = Evidence {
        kind,
        span: route,
        label: format!("answers {actual}"),
        related: vec![Label { span, text: format!("promises {expected}") }],
        operations: Vec::new(),
        field: None,
        contract: Some(ContractPlace { span, pointer: pointer.clone() }),
        subject: declared.title(),
        values: vec![("type", handler(context.served)), ("expected", expected), ("actual", actual)],
        at_most: None,
    };
    // A place in the code that answers for many operations is one cause.
    let contracted = if kind == STATUS { (Some(declared.span), pointer) } else { (None, String::new()) };
    ((kind, Some(route), served.status.name(), String::new(), contracted.0, contracted.1), evidence)
}

/// What is sent where another type is declared, documented and promised.
fn other_body(context: Context<'_>, answer: &Answer<'_>, sent: &Body, promised: &Body) -> (Cause, Evidence) {
    let shape = context.contract.shapes.get(promised.shape);
    let span = shape.span.unwrap_or(promised.span);
    let expected = describe(&context.contract.shapes, promised.shape);
    let actual = describe(&context.service.shapes, sent.shape);
    let evidence = Evidence {
        kind: OTHER_BODY,
        span: answer.served.span,
        label: format!("sends {actual}"),
        related: vec![Label { span, text: format!("promises {expected}") }],
        operations: Vec::new(),
        field: None,
        contract: Some(ContractPlace { span, pointer: shape.pointer.clone() }),
        subject: context.declared.title(),
        values: vec![("type", handler(context.served)), ("expected", expected), ("actual", actual)],
        at_most: None,
    };
    let cause =
        (OTHER_BODY, Some(answer.served.span), String::new(), String::new(), Some(answer.declared.span), String::new());
    (cause, evidence)
}

fn no_body(context: Context<'_>, answer: &Answer<'_>, promised: &Body) -> (Cause, Evidence) {
    let shape = context.contract.shapes.get(promised.shape);
    let span = shape.span.unwrap_or(promised.span);
    let expected = describe(&context.contract.shapes, promised.shape);
    let label = match answer.served.status {
        Status::Code(code) => format!("answers {code} without a body"),
        _ => "answers without a body".to_owned(),
    };
    let route = route_span(context.served, answer.served.span);
    let evidence = Evidence {
        kind: MISSING_BODY,
        span: route,
        label,
        related: vec![Label { span, text: format!("promises {expected}") }],
        operations: Vec::new(),
        field: None,
        contract: Some(ContractPlace { span, pointer: shape.pointer.clone() }),
        subject: context.declared.title(),
        values: vec![("type", handler(context.served)), ("expected", expected)],
        at_most: None,
    };
    let cause = (MISSING_BODY, Some(route), String::new(), String::new(), Some(answer.declared.span), String::new());
    (cause, evidence)
}
