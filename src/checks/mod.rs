//! The engines: general checks that rules configure. A closed set; each is one file with one `judge`.

mod agreement;
mod alternatives;
mod answers;
mod assets;
mod breaking;
mod causes;
mod claims;
mod consumer;
mod contract_form;
mod coverage;
mod deployment;
mod design;
mod drift;
mod evidence;
#[cfg(test)]
pub(crate) mod fixture;
mod left_out;
mod member;
mod mend;
mod messages;
mod parameters;
mod place;
mod presence;
mod requests;
mod rows;
pub mod shape;
mod source;
mod stability;
mod states;
mod undocumented;
pub mod verdicts;
mod wiring;

pub use agreement::Agreement;
pub use assets::Assets;
pub use breaking::Breaking;
pub use claims::Claims;
pub use consumer::Consumer;
pub use contract_form::ContractForm;
pub use coverage::{Coverage, coverage};
pub use deployment::Deployment;
pub use design::Design;
pub use drift::Drift;
pub use evidence::EvidenceOf;
pub use left_out::LeftOut;
pub use mend::mend;
pub use messages::Messages;
pub use presence::Presence;
pub use requests::Requests;
pub use rows::Rows;
pub use source::{Source, is_written_by_tools};
pub use states::States;
pub use undocumented::Undocumented;
pub use wiring::Wiring;

use crate::finding::{Severity, Sink};
use crate::project::{Answer, Asked, Link, Project};
use crate::workspace::Wants;

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
    /// How services are deployed against what their code expects.
    Deployment(Deployment),
    /// Files that are shown or loaded.
    Assets(Assets),
    /// Colours, fonts, spaces and words of pages.
    Design(Design),
    /// What documents say of the project.
    Claims(Claims),
    /// What git should leave out.
    LeftOut(LeftOut),
    /// Code that a pattern describes.
    Source(Source),
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
            Engine::Deployment(_) => "deployment",
            Engine::LeftOut(_) => "left-out",
            Engine::Claims(_) => "claims",
            Engine::Design(_) => "design",
            Engine::Assets(_) => "assets",
            Engine::Source(_) => "source",
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
            Engine::Deployment(_) => deployment::KINDS,
            Engine::LeftOut(_) => left_out::KINDS,
            Engine::Claims(_) => claims::KINDS,
            Engine::Design(_) => design::KINDS,
            Engine::Assets(_) => assets::KINDS,
            Engine::Source(_) => source::KINDS,
        }
    }

    /// Whether it tells what code sends and a document promises, so that the document could say it.
    pub fn tells_what_is_sent(&self) -> bool {
        matches!(self, Engine::Agreement(_) | Engine::Messages(_))
    }

    /// Whether what it reports is code that a template can take the place of.
    pub fn takes_fix(&self) -> bool {
        matches!(self, Engine::Source(_))
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
            Engine::Source(_) => true,
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
            Engine::Deployment(_) => !project.workspace.composes.is_empty(),
            Engine::Assets(_) | Engine::Design(_) | Engine::Claims(_) | Engine::LeftOut(_) => true,
        }
    }

    /// Which files other than code and contracts it looks at.
    pub fn wants(&self) -> Wants {
        match self {
            Engine::Deployment(_) => Wants { deployment: true, ..Wants::default() },
            Engine::Assets(_) => Wants { assets: true, ..Wants::default() },
            Engine::Design(_) => Wants { design: true, ..Wants::default() },
            Engine::Claims(_) => Wants { documents: true, ..Wants::default() },
            Engine::LeftOut(_) => Wants { ignored: true, ..Wants::default() },
            _ => Wants::default(),
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
            Engine::Deployment(params) => deployment::judge(params, project, sink),
            Engine::LeftOut(params) => left_out::judge(params, project, sink),
            Engine::Claims(params) => claims::judge(params, project, sink),
            Engine::Design(params) => design::judge(params, project, sink),
            Engine::Assets(params) => assets::judge(params, project, sink),
            Engine::Source(params) => source::judge(params, project, sink),
        }
    }
}

#[cfg(test)]
mod tests;
