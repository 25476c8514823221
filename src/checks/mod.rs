//! The engines: general checks that rules configure. A closed set; each is one file with one `judge`.

mod agreement;
mod answers;
mod breaking;
mod causes;
mod contract_form;
mod coverage;
mod drift;
#[cfg(test)]
pub(crate) mod fixture;
mod parameters;
mod presence;
mod requests;
pub mod shape;
mod stability;
mod undocumented;

pub use agreement::Agreement;
pub use breaking::Breaking;
pub use contract_form::ContractForm;
pub use coverage::{Coverage, coverage};
pub use drift::Drift;
pub use presence::Presence;
pub use requests::Requests;
pub use undocumented::Undocumented;

use crate::finding::{Severity, Sink};
use crate::project::Project;

/// An engine with its parameters, as a rule file names it: `[check.agreement]`.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// What code answers against what the contract promises.
    Agreement(Agreement),
    /// What the contract lets clients send against what code takes.
    Requests(Requests),
    /// Whether code serves what the contract promises.
    Presence(Presence),
    /// Whether the contract has what code serves.
    Undocumented(Undocumented),
    /// Whether the contract document is well formed.
    ContractForm(ContractForm),
    /// A contract against its own earlier version.
    Breaking(Breaking),
    /// Several declarations of one model.
    Drift(Drift),
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
            Engine::Requests(_) => "requests",
            Engine::Presence(_) => "presence",
            Engine::Undocumented(_) => "undocumented",
            Engine::ContractForm(_) => "contract-form",
            Engine::Breaking(_) => "breaking",
            Engine::Drift(_) => "drift",
        }
    }

    /// Every kind it may report; closed.
    pub fn kinds(&self) -> &'static [KindInfo] {
        match self {
            Engine::Agreement(_) => agreement::KINDS,
            Engine::Requests(_) => requests::KINDS,
            Engine::Presence(_) => presence::KINDS,
            Engine::Undocumented(_) => undocumented::KINDS,
            Engine::ContractForm(_) => contract_form::KINDS,
            Engine::Breaking(_) => breaking::KINDS,
            Engine::Drift(_) => drift::KINDS,
        }
    }

    /// Looks at the whole project; what it finds goes into the sink.
    pub fn judge(&self, project: &Project, sink: &mut Sink<'_>) {
        match self {
            Engine::Agreement(params) => agreement::judge(params, project, sink),
            Engine::Requests(params) => requests::judge(params, project, sink),
            Engine::Presence(params) => presence::judge(params, project, sink),
            Engine::Undocumented(params) => undocumented::judge(params, project, sink),
            Engine::ContractForm(params) => contract_form::judge(params, project, sink),
            Engine::Breaking(params) => breaking::judge(params, project, sink),
            Engine::Drift(params) => drift::judge(params, project, sink),
        }
    }
}

#[cfg(test)]
mod tests;
