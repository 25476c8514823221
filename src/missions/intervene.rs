//! What becomes of a result: one table, in one place.

use serde::{Deserialize, Serialize};

use super::decompose::Mode;
use super::run::{Limits, RoleResult, Standing, Trouble};

/// What a leader does with a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Intervention {
    /// The result is good enough.
    Continue,
    /// The same once more: what failed may pass by itself.
    Retry,
    /// Once more, with what was unclear said.
    Enhance,
    /// Another role helps.
    Escalate,
    /// The run ends.
    Terminate,
}

impl Intervention {
    pub fn name(self) -> &'static str {
        match self {
            Intervention::Continue => "CONTINUE",
            Intervention::Retry => "RETRY",
            Intervention::Enhance => "ENHANCE",
            Intervention::Escalate => "ESCALATE",
            Intervention::Terminate => "TERMINATE",
        }
    }
}

/// An intervention and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    pub intervention: Intervention,
    pub reason: String,
}

/// What becomes of a result. `helper`: the role that could help, where there is another one. `attempts`: of the whole run.
///
/// | result | then |
/// |---|---|
/// | score reached, form valid | CONTINUE |
/// | failed by something that may pass | RETRY, at most `retries` times a mission |
/// | failed for good | TERMINATE |
/// | not good enough, and no leader | TERMINATE |
/// | a capability is missing, or was ENHANCEd before | ESCALATE, at most `helper_iterations` attempts of the helper |
/// | not good enough | ENHANCE, once a mission |
/// | anything else | TERMINATE |
pub fn decide(
    mode: Mode,
    limits: &Limits,
    at: &Standing,
    result: &RoleResult,
    helper: Option<&str>,
    attempts: u32,
) -> Decision {
    let so = |intervention: Intervention, reason: String| Decision { intervention, reason };
    let end = |reason: String| so(Intervention::Terminate, reason);
    let score = format!("{:.0} of 100, {:.0} are wanted", result.quality_score, limits.threshold);
    let is_good = result.quality_score >= limits.threshold && result.format_valid && result.trouble.is_none();
    if is_good {
        return so(Intervention::Continue, score);
    }
    if attempts >= limits.max_iterations {
        return end(format!("all {} attempts of the run are used up", limits.max_iterations));
    }
    match &result.trouble {
        Some(Trouble::Fatal(why)) => return end(why.clone()),
        Some(Trouble::Transient(why)) if at.retries < limits.retries => {
            return so(Intervention::Retry, format!("{why}; retry {} of {}", at.retries + 1, limits.retries));
        }
        Some(Trouble::Transient(why)) => return end(format!("{why}, after {} retries", limits.retries)),
        Some(Trouble::Missing(_)) | None => {}
    }
    let why = match &result.trouble {
        Some(Trouble::Missing(what)) => format!("a capability is missing: {what}"),
        _ if !result.format_valid => format!("format validation failed: {}", result.problems.join("; ")),
        _ if result.problems.is_empty() => format!("quality below threshold: {score}"),
        _ => format!("quality below threshold: {score}: {}", result.problems.join("; ")),
    };
    if mode != Mode::Leader {
        return end(why);
    }
    let lacks = matches!(result.trouble, Some(Trouble::Missing(_)));
    match (&at.helper, helper) {
        (Some(name), _) if at.helped < limits.helper_iterations => {
            let next = at.helped + 1;
            so(Intervention::Escalate, format!("{why}; {name}, attempt {next} of {}", limits.helper_iterations))
        }
        (Some(name), _) => end(format!("{why}, after {} attempts of {name}", at.helped)),
        (None, _) if !lacks && !at.enhanced => so(Intervention::Enhance, why),
        (None, Some(name)) => {
            so(Intervention::Escalate, format!("{why}; {name}, attempt 1 of {}", limits.helper_iterations))
        }
        (None, None) => end(format!("{why}, and nobody else can take it")),
    }
}
