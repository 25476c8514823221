//! Engine `evidence`: contracts that a document marks as implemented, and nothing shows that they are.

use super::KindInfo;
use super::verdicts::{self, Verdict};
use crate::finding::{ContractPlace, Evidence, Severity, Sink};
use crate::project::{Marked, Project};

/// It has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvidenceOf {}

const NO_EVIDENCE: &str = "no-evidence";
const NOT_THERE: &str = "evidence-not-there";
const NOT_FOUND: &str = "not-found";
const NOT_VERIFIED: &str = "not-verified";

const GAPS: &[&str] = &["contract", "evidence", "verified", "promised", "reason"];

const fn kind(name: &'static str, severity: Severity, about: &'static str) -> KindInfo {
    KindInfo { name, severity, about, gaps: GAPS }
}

pub(super) const KINDS: &[KindInfo] = &[
    kind(NO_EVIDENCE, Severity::Error, "a contract is marked as implemented, and no evidence is named"),
    kind(NOT_THERE, Severity::Error, "the evidence is no file or folder of the project"),
    kind(NOT_FOUND, Severity::Error, "nothing in the code that is scanned serves, sends or declares what it promises"),
    kind(NOT_VERIFIED, Severity::Warning, "the code does not show that all of it is kept"),
];

pub(super) fn judge(_: &EvidenceOf, project: &Project, sink: &mut Sink<'_>) {
    for marked in &project.marks {
        let Marked { mark, found, .. } = marked;
        let mut gaps = Gaps::default();
        let kind = match (mark.written.is_empty(), found) {
            (true, _) => Some(NO_EVIDENCE),
            (false, false) => Some(NOT_THERE),
            (false, true) => unverified(project, marked, &mut gaps),
        };
        let Some(kind) = kind else { continue };
        sink.report(Evidence {
            kind,
            span: mark.span,
            label: "marked here".to_owned(),
            related: Vec::new(),
            operations: Vec::new(),
            field: None,
            contract: Some(ContractPlace { span: mark.span, pointer: mark.pointer.clone() }),
            subject: mark.id.clone(),
            values: vec![
                ("contract", format!("`{}`", mark.id)),
                ("evidence", format!("`{}`", mark.written)),
                ("verified", gaps.verified.to_string()),
                ("promised", gaps.promised.to_string()),
                ("reason", gaps.reason),
            ],
            at_most: None,
        });
    }
}

#[derive(Default)]
struct Gaps {
    verified: usize,
    promised: usize,
    /// Why the first one is not verified.
    reason: String,
}

/// What is wrong with a mark whose evidence is there; what is missing of the contract beside what is found is told by
/// itself.
fn unverified(project: &Project, marked: &Marked, gaps: &mut Gaps) -> Option<&'static str> {
    // Without any code, and without the document, nothing can be said.
    let at = marked.contract.filter(|_| project.services.iter().any(|service| service.scanned && service.files > 0))?;
    let contract = &project.contracts[at];
    let candidates: Vec<Vec<Verdict>> = if contract.events.is_some() {
        project.services.iter().map(|service| verdicts::of_events(project, at, service, true)).collect()
    } else if contract.models.is_some() {
        project.services.iter().map(|service| verdicts::of_models(project, at, service)).collect()
    } else {
        let links = project.links.iter().filter(|link| link.contract == at && !link.unrelated);
        links.map(|link| verdicts::of_operations(project, link)).collect()
    };
    let verified = |all: &Vec<Verdict>| all.iter().filter(|verdict| **verdict == Verdict::Verified).count();
    let best = candidates.into_iter().max_by_key(verified).unwrap_or_default();
    (gaps.verified, gaps.promised) = (verified(&best), best.len());
    let is_found = |verdict: &Verdict| !matches!(verdict, Verdict::Missing | Verdict::Ignored);
    if !best.iter().any(is_found) {
        return Some(NOT_FOUND);
    }
    gaps.reason = best.iter().find_map(|verdict| match verdict {
        Verdict::Unverified(reason) | Verdict::Unread(reason) => Some(reason.clone()),
        _ => None,
    })?;
    Some(NOT_VERIFIED)
}
