//! Whether a service implements a contract: asked of a scan of its code, not of whoever says so.

use serde::Serialize;

use super::contract::{Contract, SpecKind};
use super::evidence::{self, Place};
use super::{Registry, RegistryError, rows, scanned};
use crate::checks::verdicts::{self, Verdict};
use crate::finding::{Finding, Problem, ProblemKind, Severity};
use crate::model::{Action, Events, Operation};
use crate::rules::{RuleSet, Selection};
use crate::scan::{Options, Report, Silent, scan, service_folder};

/// What became of a mark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Marked {
    /// Every operation of the contract is verified.
    pub marked: bool,
    /// Implementations of this contract, whatever their status.
    pub total: u32,
    /// There are some, and all are verified.
    pub all_implemented: bool,
    pub status: Status,
    /// Operations, messages or models of the contract that were verified, and how many it has.
    pub verified: usize,
    pub promised: usize,
    /// Why not all are, one line for each that is not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// What the code does otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Refusal>,
}

/// How far an implementation was verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Verified,
    /// Nothing is wrong, and not all is known.
    Pending,
    /// Something is missing or wrong.
    Failed,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Status::Verified => "verified",
            Status::Pending => "pending",
            Status::Failed => "failed",
        }
    }
}

/// A finding that speaks against an implementation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    pub rule: String,
    pub kind: String,
    pub severity: Severity,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    pub file: String,
    pub line: u32,
}

/// One service that is said to implement a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Implementation {
    pub service_name: String,
    pub evidence_path: String,
    pub status: String,
    /// Of the document that was looked at.
    pub spec_hash: String,
    pub reasons: Vec<String>,
}

/// A contract that is not verified to be implemented.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unimplemented {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: SpecKind,
    pub expected_service: String,
    pub version: String,
    /// Of the contract.
    pub status: String,
    /// `missing` where nobody says that it is implemented, else `pending` or `failed`.
    pub implementation: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
}

/// What a scan said of one contract and one service.
#[derive(Debug, Default)]
struct Seen {
    verified: usize,
    promised: usize,
    missing: bool,
    reasons: Vec<String>,
    findings: Vec<Refusal>,
}

impl Seen {
    fn status(&self) -> Status {
        match self {
            Seen { missing: true, .. } => Status::Failed,
            Seen { findings, .. } if !findings.is_empty() => Status::Failed,
            Seen { verified, promised, .. } if verified == promised && *promised > 0 => Status::Verified,
            _ => Status::Pending,
        }
    }

    /// Takes in how far each promise was looked at; `titles` name them, and findings tell what is `wrong` with some.
    fn count(&mut self, verdicts: &[Verdict], titles: &[String], wrong: impl Fn(&str) -> bool) {
        self.promised = verdicts.len();
        for (verdict, title) in verdicts.iter().zip(titles) {
            let reason = match verdict {
                Verdict::Verified if wrong(title) => "the code does otherwise, see the findings".to_owned(),
                Verdict::Verified => {
                    self.verified += 1;
                    continue;
                }
                Verdict::Unverified(reason) => format!("not known: {reason}"),
                Verdict::Unread(reason) => format!("not found, and not all could be read: {reason}"),
                Verdict::Ignored => "planned by the contract, or ignored by `treaty.toml`".to_owned(),
                Verdict::Missing => {
                    self.missing = true;
                    "not found in the code".to_owned()
                }
            };
            self.reasons.push(format!("`{title}`: {reason}"));
        }
    }
}

impl Registry {
    /// Scans the service that the evidence (a file or folder below the root) belongs to, and writes down whether it keeps
    /// the contract, here and in the project's `CONTRACTS.json`.
    ///
    /// # Errors
    /// `not_found`: no such contract. `outside_root`: the evidence does not lie in the project, links followed.
    /// `invalid`: no evidence there. `unreadable`: a `CONTRACTS.json` that cannot be written on.
    pub fn mark_implemented(&mut self, id: &str, service: &str, evidence: &str) -> Result<Marked, RegistryError> {
        let contract = self.existing(id)?;
        super::contract::check_name("service_name", service)?;
        let place = evidence::place(&self.root, evidence)?;
        let seen = look(&contract, service, &place)?;
        let implementation = Implementation {
            service_name: service.to_owned(),
            evidence_path: place.shown.clone(),
            status: seen.status().name().to_owned(),
            spec_hash: contract.entry.spec_hash.clone(),
            reasons: seen.reasons.clone(),
        };
        // The file is written within the change, so that of two processes none writes what the other does not know.
        let all = self.store.write(|it| {
            rows::mark(it, id, &implementation)?;
            evidence::export(&place.root, &rows::implemented(it)?)?;
            Ok::<_, RegistryError>(rows::implementations(it, id)?)
        })?;
        let is_verified = |it: &Implementation| is_verified(it, &contract);
        Ok(Marked {
            marked: seen.status() == Status::Verified,
            total: all.len() as u32,
            all_implemented: all.iter().all(is_verified),
            status: seen.status(),
            verified: seen.verified,
            promised: seen.promised,
            reasons: seen.reasons,
            findings: seen.findings,
        })
    }

    /// Contracts that no service, or not every service that is said to, implements; of all services or of one.
    ///
    /// # Errors
    /// Those of the database.
    pub fn unimplemented(&self, service: Option<&str>) -> Result<Vec<Unimplemented>, RegistryError> {
        let mut found = Vec::new();
        let it = self.store.connection();
        for entry in rows::entries(it, service)? {
            let all = rows::implementations(it, &entry.id)?;
            let open: Vec<_> =
                all.iter().filter(|it| it.status != "verified" || it.spec_hash != entry.spec_hash).collect();
            if !all.is_empty() && open.is_empty() {
                continue;
            }
            let mut reasons = Vec::new();
            for it in &open {
                if it.spec_hash != entry.spec_hash {
                    reasons.push(format!("`{}`: the contract has changed since it was marked", it.service_name));
                }
                reasons.extend(it.reasons.iter().cloned());
            }
            let failed = open.iter().any(|it| it.status == "failed" && it.spec_hash == entry.spec_hash);
            found.push(Unimplemented {
                id: entry.id,
                kind: entry.kind,
                expected_service: entry.service_name,
                version: entry.version,
                status: entry.status,
                implementation: match () {
                    () if all.is_empty() => "missing",
                    () if failed => "failed",
                    () => "pending",
                },
                reasons,
            });
        }
        Ok(found)
    }
}

/// Whether an implementation is verified against what the contract is now.
pub(super) fn is_verified(it: &Implementation, contract: &Contract) -> bool {
    it.status == Status::Verified.name() && it.spec_hash == contract.entry.spec_hash
}

/// Scans the service of the evidence and holds the contract against it.
fn look(contract: &Contract, service: &str, place: &Place) -> Result<Seen, RegistryError> {
    let folder = service_folder(&place.path, &place.root);
    let config = scanned::configuration(&folder, &place.root)?;
    let document = scanned::document(contract, &contract.spec, &folder);
    let options = Options { paths: vec![folder], documents: vec![document], config, ..Options::default() };
    let rules = RuleSet::embedded().select(&Selection::default()).unwrap_or_default();
    let report = scan(&options, &rules, &Silent)?;
    let project = &report.project;
    let mut seen = Seen::default();
    // Nothing else is held against the code.
    let Some(declared) = project.contracts.first() else {
        seen.reasons.push("the contract could not be read; `validate_spec` says why".to_owned());
        return Ok(seen);
    };
    let other = contract.entry.service_name != service;
    let (titles, candidates): (Vec<String>, Vec<Vec<Verdict>>) = match contract.entry.kind {
        SpecKind::Openapi => (
            declared.operations.iter().map(Operation::title).collect(),
            project.links.iter().map(|link| verdicts::of_operations(project, link)).collect(),
        ),
        SpecKind::Asyncapi => (
            declared.events.iter().flat_map(exchanges).collect(),
            project.services.iter().map(|service| verdicts::of_events(project, 0, service, other)).collect(),
        ),
        SpecKind::JsonSchema => (
            declared.models.iter().flatten().map(|model| model.names.first().cloned().unwrap_or_default()).collect(),
            project.services.iter().map(|service| verdicts::of_models(project, 0, service)).collect(),
        ),
    };
    let missing = || titles.iter().map(|_| Verdict::Missing).collect();
    let is_verified = |verdict: &&Verdict| **verdict == Verdict::Verified;
    let verified = |all: &Vec<Verdict>| all.iter().filter(is_verified).count();
    let best = candidates.into_iter().max_by_key(verified).unwrap_or_else(missing);
    // Members of models and messages are told as warnings: the other side may read them otherwise. Here, they are promised.
    let is_grave = |finding: &Finding| match contract.entry.kind {
        SpecKind::Openapi => finding.severity == Severity::Error,
        SpecKind::Asyncapi | SpecKind::JsonSchema => {
            finding.severity == Severity::Error || (finding.severity == Severity::Warning && finding.field.is_some())
        }
    };
    let speaks_against = |finding: &&Finding| {
        let of_contract = finding.contract.as_ref().is_some_and(|place| place.span.file == declared.file);
        is_grave(finding) && (of_contract || finding.span.file == declared.file)
    };
    let against: Vec<&Finding> = report.findings.iter().filter(speaks_against).collect();
    seen.findings = against.iter().map(|it| refusal(it, &report)).collect();
    let wrong = |title: &str| against.iter().any(|finding| finding.operations.iter().any(|it| it == title));
    seen.count(&best, &titles, wrong);
    if seen.promised == 0 {
        seen.reasons.push("the contract promises nothing that code could keep".to_owned());
    }
    let is_telling = |problem: &&Problem| {
        let kinds = [ProblemKind::NoSources, ProblemKind::UnusedContract, ProblemKind::BudgetExhausted];
        kinds.contains(&problem.kind) && seen.verified < seen.promised
    };
    let told = report.problems.iter().filter(is_telling).map(|it| format!("{}: {}", it.path, it.message));
    let told: Vec<String> = told.collect();
    seen.reasons.extend(told);
    Ok(seen)
}

/// `send orders.placed`
fn exchanges(events: &Events) -> impl Iterator<Item = String> {
    events.operations.iter().map(|exchange| {
        let channel = events.channels.get(exchange.channel);
        let address = channel.map_or("", |it| it.address.as_deref().unwrap_or(&it.name));
        let verb = if exchange.action == Action::Send { "send" } else { "receive" };
        format!("{verb} {address}")
    })
}

fn refusal(finding: &Finding, report: &Report) -> Refusal {
    let sources = &report.project.sources;
    Refusal {
        rule: finding.rule.clone(),
        kind: finding.kind.to_owned(),
        severity: finding.severity,
        message: finding.message.clone(),
        help: finding.help.clone(),
        operation: finding.operation.clone(),
        file: sources.path(finding.span).to_owned(),
        line: sources.positions(finding.span).0.line,
    }
}
