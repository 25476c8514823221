//! Alternatives: several operations that answer one promise and of which no run of the program serves two. What all of
//! them get wrong is wrong; what only some get wrong is a warning that says in which runs.

use crate::finding::{Evidence, Label, Severity};
use crate::model::{Condition, Operation};

/// The conditions under which a route is what it is and others, which answer the same, are not. Empty where it is no
/// alternative to any of them.
fn conditions(route: &Operation, others: &[&Operation]) -> Vec<Label> {
    let Some(code) = &route.implementation else { return Vec::new() };
    let opposed = |condition: &&Condition| {
        let opposite = |theirs: &Condition| theirs.test == condition.test && theirs.holds != condition.holds;
        others.iter().filter_map(|other| other.implementation.as_ref()).any(|other| other.when.iter().any(opposite))
    };
    let text = |holds: bool| if holds { "where this holds" } else { "where this does not hold" };
    let label = |condition: &Condition| Label { span: condition.test, text: text(condition.holds).to_owned() };
    code.when.iter().filter(opposed).map(label).collect()
}

/// Makes a warning of what a route gets wrong and its alternatives do not. `None` where it has no alternatives, so that
/// what the others get right counts for it.
pub(super) fn in_some_runs(evidence: Evidence, route: &Operation, others: &[&Operation]) -> Option<Evidence> {
    let conditions = conditions(route, others);
    if conditions.is_empty() {
        return None;
    }
    let mut evidence = evidence;
    evidence.related.extend(conditions);
    evidence.at_most = Some(evidence.at_most.map_or(Severity::Warning, |limit| limit.min(Severity::Warning)));
    Some(evidence)
}
