//! The engines: general checks that rules configure. A closed set; each is one file with one `judge`.

mod agreement;
mod answers;
mod breaking;
mod contract_form;
mod coverage;
mod drift;
#[cfg(test)]
pub(crate) mod fixture;
mod presence;
pub mod shape;
mod stability;
mod wiring;

pub use agreement::Agreement;
pub use breaking::Breaking;
pub use contract_form::ContractForm;
pub use drift::Drift;
pub use coverage::{Coverage, coverage};
pub use presence::Presence;
pub use wiring::Wiring;

use crate::finding::{Severity, Sink};
use crate::project::Project;

/// An engine with its parameters, as a rule file names it: `[check.agreement]`.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// What code answers against what the contract promises.
    Agreement(Agreement),
    /// Whether code serves what the contract promises.
    Presence(Presence),
    /// Whether the contract document is well formed.
    ContractForm(ContractForm),
    /// A contract against its own earlier version.
    Breaking(Breaking),
    /// Several declarations of one model.
    Drift(Drift),
    /// What modules export, import and register.
    Wiring(Wiring),
}

/// One kind of defect that an engine reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindInfo {
    pub name: &'static str,
    /// Unless the rule says otherwise.
    pub severity: Severity,
    /// What it means, for documentation.
    pub about: &'static str,
    /// Gaps that the rule's wording of this kind may have. Their values come quoted.
    pub gaps: &'static [&'static str],
}

impl Engine {
    pub fn name(&self) -> &'static str {
        match self {
            Engine::Agreement(_) => "agreement",
            Engine::Presence(_) => "presence",
            Engine::ContractForm(_) => "contract-form",
            Engine::Breaking(_) => "breaking",
            Engine::Drift(_) => "drift",
            Engine::Wiring(_) => "wiring",
        }
    }

    /// Every kind it may report; closed.
    pub fn kinds(&self) -> &'static [KindInfo] {
        match self {
            Engine::Agreement(_) => agreement::KINDS,
            Engine::Presence(_) => presence::KINDS,
            Engine::ContractForm(_) => contract_form::KINDS,
            Engine::Breaking(_) => breaking::KINDS,
            Engine::Drift(_) => drift::KINDS,
            Engine::Wiring(_) => wiring::KINDS,
        }
    }

    /// Looks at the whole project; what it finds goes into the sink.
    pub fn judge(&self, project: &Project, sink: &mut Sink<'_>) {
        match self {
            Engine::Agreement(params) => agreement::judge(params, project, sink),
            Engine::Presence(params) => presence::judge(params, project, sink),
            Engine::ContractForm(params) => contract_form::judge(params, project, sink),
            Engine::Breaking(params) => breaking::judge(params, project, sink),
            Engine::Drift(params) => drift::judge(params, project, sink),
            Engine::Wiring(params) => wiring::judge(params, project, sink),
        }
    }
}

#[cfg(test)]
mod tests;
