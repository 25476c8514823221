//! The engines: general checks that rules configure. A closed set; each is one file with one `judge`.

mod agreement;
mod alternatives;
mod answers;
mod breaking;
mod causes;
mod consumer;
mod contract_form;
mod coverage;
mod drift;
mod evidence;
#[cfg(test)]
pub(crate) mod fixture;
mod member;
mod messages;
mod parameters;
mod presence;
mod requests;
mod rows;
pub mod shape;
mod stability;
mod states;
mod undocumented;
pub mod verdicts;
mod wiring;

pub use agreement::Agreement;
pub use breaking::Breaking;
pub use consumer::Consumer;
pub use contract_form::ContractForm;
pub use coverage::{Coverage, coverage};
pub use drift::Drift;
pub use evidence::EvidenceOf;
pub use messages::Messages;
pub use presence::Presence;
pub use requests::Requests;
pub use rows::Rows;
pub use states::States;
pub use undocumented::Undocumented;
pub use wiring::Wiring;

use crate::finding::{Severity, Sink};
use crate::project::{Answer, Asked, Link, Project};

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
    /// Requests that code makes against the operations that answer them.
    Consumer(Consumer),
    /// What code sends and receives against a document about events.
    Messages(Messages),
    /// Several declarations of one model.
    Drift(Drift),
    /// Whether the rows of requirements documents are well formed.
    Rows(Rows),
    /// States of fields, against a registry and among services.
    States(States),
    /// What modules export, import and register.
    Wiring(Wiring),
    /// Whether what is marked as implemented is.
    Evidence(EvidenceOf),
}

/// Which contracts an engine holds code against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Of {
    #[default]
    Documents,
    /// The tables of requirements documents.
    Tables,
}

impl Of {
    fn links(self, project: &Project) -> &[Link] {
        match self {
            Of::Documents => &project.links,
            Of::Tables => &project.table_links,
        }
    }
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
            Engine::Consumer(_) => "consumer",
            Engine::Messages(_) => "messages",
            Engine::Drift(_) => "drift",
            Engine::Wiring(_) => "wiring",
            Engine::Evidence(_) => "evidence",
            Engine::Rows(_) => "rows",
            Engine::States(_) => "states",
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
            Engine::Consumer(params) => params.kinds(),
            Engine::Messages(_) => messages::KINDS,
            Engine::Drift(_) => drift::KINDS,
            Engine::Wiring(_) => wiring::KINDS,
            Engine::Evidence(_) => evidence::KINDS,
            Engine::Rows(_) => rows::KINDS,
            Engine::States(_) => states::KINDS,
        }
    }

    /// Whether the run has both sides that the engine compares, so that no finding means no defect: an earlier version, another
    /// service, a known answer to each request.
    pub fn has_both_sides(&self, project: &Project) -> bool {
        match self {
            Engine::Breaking(_) => !project.earlier.is_empty() || project.before.is_some(),
            Engine::Consumer(_) => {
                let is_known = |asked: &Asked| [&asked.code, &asked.contract].into_iter().any(Answer::is_known);
                !project.asked.is_empty() && project.asked.iter().all(is_known)
            }
            Engine::Drift(_) => project.services.len() > 1,
            Engine::Messages(_) => !project.keepers.is_empty(),
            Engine::Agreement(_)
            | Engine::Requests(_)
            | Engine::Presence(_)
            | Engine::Undocumented(_)
            | Engine::ContractForm(_)
            | Engine::Rows(_)
            | Engine::States(_)
            | Engine::Wiring(_)
            | Engine::Evidence(_) => !project.contracts.is_empty(),
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
            Engine::Consumer(params) => consumer::judge(params, project, sink),
            Engine::Messages(params) => messages::judge(params, project, sink),
            Engine::Drift(params) => drift::judge(params, project, sink),
            Engine::Wiring(params) => wiring::judge(params, project, sink),
            Engine::Evidence(params) => evidence::judge(params, project, sink),
            Engine::Rows(params) => rows::judge(params, project, sink),
            Engine::States(params) => states::judge(params, project, sink),
        }
    }
}

#[cfg(test)]
mod tests;
