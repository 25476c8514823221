//! Phases that one step carries out. Each may be done twice: a killed run begins the phase again.

use std::fmt::Write as _;
use std::fs;
use std::sync::Arc;

use super::runner::Run;
use super::{OrchestrateError, exports, health, known, promises, requirements};
use super::{engines, executors};
use crate::architect::{Decomposition, decompose};
use crate::events::{AskedVerdict, Event, Phase, PhaseOutcome};
use crate::finding::Severity;
use crate::plan::{self, Contract, PLAN_FILE, Plan, Service, TASKS_FILE, read, waves};
use crate::registry::Registry;

impl Run {
    /// Carries out a phase, and gives the events that tell so.
    ///
    /// # Errors
    /// What cannot be done at all: the run ends with it.
    pub(super) fn perform(&mut self, phase: Phase) -> Result<Vec<Event>, OrchestrateError> {
        let done = |note: String| Event::PhaseFinished { phase, outcome: PhaseOutcome::Done, note };
        Ok(match phase {
            Phase::Configuration => {
                let choice = executors::choose(
                    &self.state.started.backend,
                    self.state.started.budget,
                    &self.settings.executors,
                )?;
                if choice.lacks_team {
                    executors::note_none(&self.place.exports(), &self.place.run);
                }
                let note = format!("{}: {}", choice.executor.name(), choice.reason);
                let chosen = Event::BackendChosen {
                    backend: choice.executor.name().to_owned(),
                    reason: choice.reason,
                    passed_over: choice.passed_over,
                    answers: choice.executor.answers(),
                    mends: choice.executor.mends(),
                };
                self.executor = Some(choice.executor);
                vec![chosen, done(note)]
            }
            Phase::CodebaseMap => {
                let (outcome, note) = self.map_codebase(&self.decomposed())?;
                vec![Event::PhaseFinished { phase, outcome, note }]
            }
            Phase::DesignReference => {
                let (outcome, note) = self.refer_to_design()?;
                vec![Event::PhaseFinished { phase, outcome, note }]
            }
            Phase::Chunking => {
                let (outcome, note) = self.cut_requirements()?;
                vec![Event::PhaseFinished { phase, outcome, note }]
            }
            // What was answered is kept before the phase goes on with it.
            Phase::Contracts => match self.ask_architect() {
                Some(decomposed) => vec![decomposed],
                None => vec![done(self.lay_down_contracts()?)],
            },
            Phase::Plan => {
                let (plan, edited) = self.plan()?;
                let base = self.git.tip(&self.place.branch()).unwrap_or_default();
                self.contracts = Arc::new(self.contracts_of_base());
                vec![Event::PlanMade { plan, base, edited }]
            }
            Phase::TechResearch => {
                let (outcome, note) = self.research_technologies()?;
                vec![Event::PhaseFinished { phase, outcome, note }]
            }
            Phase::Report => {
                let found = self.inspect()?;
                let errors = found.findings.iter().filter(|it| it.0.severity == Severity::Error).count();
                let otherwise = self.state.asked.iter().filter(|it| it.verdict == AskedVerdict::Failed).count();
                let verified = found.verified(&self.state.plan, &self.contracts);
                let boxes = requirements::boxes(&self.state);
                let mut health = health::health(&self.state, boxes, verified, errors, self.settings.thresholds);
                health.notes.extend(requirements::untested(&self.state));
                if otherwise > 0 {
                    health
                        .notes
                        .push(format!("{otherwise} contracted operations answered otherwise when they were asked"));
                    if health.verdict == "healthy" {
                        "degraded".clone_into(&mut health.verdict);
                    }
                }
                health.promises = promises::promises(&self.state.plan, &self.contracts, &found);
                if let [first, rest @ ..] = found.problems.as_slice() {
                    let more = if rest.is_empty() { String::new() } else { format!(" (and {} more)", rest.len()) };
                    health.notes.push(format!("not everything could be read: {first}{more}"));
                }
                vec![Event::HealthMeasured { health }]
            }
            // Many steps carry these out.
            Phase::Execution | Phase::PostBuild | Phase::ContractEndToEnd => Vec::new(),
        })
    }

    pub(super) fn decomposed(&self) -> Decomposition {
        self.state.decomposed.clone().flatten().unwrap_or_else(|| decompose(&self.state.started.text))
    }

    /// Contracts and services that the requirements lead to. A contract that is known already takes the place of the stub.
    fn wanted(
        &self,
        parts: &Decomposition,
        revision: &str,
        elsewhere: &[Contract],
    ) -> Result<(Vec<Contract>, Vec<Service>), OrchestrateError> {
        let mut contracts = known::of_revision(&self.git, revision, parts);
        for it in elsewhere {
            contracts.retain(|known| known.id != it.id);
            contracts.push(it.clone());
        }
        let services = plan::services(parts, &contracts, &self.state.started.services);
        let unknown =
            self.state.started.services.iter().find(|it| !services.iter().any(|service| service.name == **it));
        if let Some(unknown) = unknown {
            let known: Vec<&str> = parts.service_map.services.iter().map(|it| it.name.as_str()).collect();
            let message = format!("the requirements have no service `{unknown}`");
            return Err(OrchestrateError::refused(message, format!("they have {}", known.join(", "))));
        }
        Ok((contracts, services))
    }

    /// The branch of the run, with the contracts and the settings that lead a scan to them.
    fn lay_down_contracts(&self) -> Result<String, OrchestrateError> {
        let branch = self.place.branch();
        let head = self.git.commit_of("HEAD").unwrap_or_default();
        let parts = self.decomposed();
        // What cannot be asked is no reason to stop: the stubs are there, and the note says so.
        let mut registry = Registry::open(&self.place.database(), &self.place.root);
        let (mut engine, mut warnings) = (self.contract_engine(), Vec::new());
        let mut asked = |service: &str, kind| {
            let answered = engines::document(engine.as_mut()?, service, kind);
            answered.unwrap_or_else(|why| {
                // An engine that is away says the same of every service.
                if !warnings.contains(&why) {
                    warnings.push(why);
                }
                None
            })
        };
        let elsewhere = known::elsewhere(&self.git, &head, &parts, &mut asked, registry.as_ref().ok());
        let from_elsewhere: Vec<Contract> = elsewhere.iter().map(|it| it.0.clone()).collect();
        let (contracts, services) = self.wanted(&parts, &head, &from_elsewhere)?;
        let ours: Vec<&Contract> = contracts
            .iter()
            .filter(|it| {
                services
                    .iter()
                    .any(|s| [&s.serves, &s.publishes, &s.receives, &s.asks].iter().any(|ids| ids.contains(&it.id)))
            })
            .collect();
        let mut note = format!("{} contracts on {branch}", ours.len());
        for (it, from) in elsewhere.iter().filter(|it| ours.iter().any(|ours| ours.id == it.0.id)) {
            let _ = write!(note, "; {} from {from}", it.id);
        }
        warnings.iter().for_each(|it| {
            let _ = write!(note, "; {it}");
        });
        let kept = registry.as_mut().map_err(|it| it.to_string());
        let kept = kept.and_then(|it| {
            let ids = known::register(it, &self.place.run, &ours).map_err(|it| it.to_string())?;
            Ok((it, ids))
        });
        match kept {
            Ok((registry, ids)) => note.push_str(&self.write_tests(registry, &ids, &ours, &services)?),
            Err(reason) => {
                let _ = write!(note, "; not registered: {reason}");
            }
        }
        // A killed run has moved the branch already.
        if self.git.tip(&branch).is_some() {
            return Ok(note);
        }
        let mut files: Vec<(String, String)> = Vec::new();
        for it in &ours {
            if self.git.file(&head, &it.path).is_none() {
                let text = serde_json::to_string_pretty(&it.document).unwrap_or_default();
                files.push((it.path.clone(), text + "\n"));
            }
        }
        let settings = self.git.file(&head, crate::config::FILE_NAME).unwrap_or_default();
        let added = service_settings(&services, &contracts, &settings);
        if !added.is_empty() {
            files.push((crate::config::FILE_NAME.to_owned(), settings + &added));
        }
        for service in &services {
            // The settings name the folder: it has to be there before the first task is done.
            let readme = format!("{}/README.md", service.folder);
            if self.git.file(&head, &readme).is_none() {
                files.push((readme, format!("# {}\n", service.name)));
            }
        }
        let commit = self.git.commit_files(&head, &files, "Contracts to build from")?;
        self.git.move_branch(&branch, &commit, None)?;
        Ok(note)
    }

    /// Contracts as the branch of the run has them.
    pub(super) fn contracts_of_base(&self) -> Vec<Contract> {
        known::of_revision(&self.git, &self.place.branch(), &self.decomposed())
    }

    /// The plan: as a person left it, if it was made of the same requirements, else the one that follows from them; and whether
    /// a person changed it.
    fn plan(&self) -> Result<(Plan, bool), OrchestrateError> {
        let parts = self.decomposed();
        let (contracts, services) = self.wanted(&parts, &self.place.branch(), &[])?;
        let project = parts.service_map.project_name.clone();
        let folder = self.place.exports();
        self.write_questions(&parts)?;
        let stamp = exports::stamp(&self.state.started.text);
        let kept = |name: &str| fs::read_to_string(folder.join(name)).ok().filter(|it| it.contains(&stamp));
        let follows = plan::tasks(&project, services.clone(), &contracts, &parts);
        let (plan, edited) = match (kept(PLAN_FILE), kept(TASKS_FILE)) {
            (Some(master), Some(tasks)) if !self.state.started.plan_only => {
                let without = |text: &str| text.replace(&stamp, "");
                let plan = read(&project, services, &without(&master), &without(&tasks))?;
                let edited = !plan.says_the_same_as(&follows);
                (plan, edited)
            }
            _ => (follows, false),
        };
        if plan.tasks.is_empty() {
            let message = "the requirements name nothing that can be built";
            let help =
                "name services, their entities and their operations; `treaty architect decompose` shows what is read";
            return Err(OrchestrateError::refused(message, help));
        }
        waves(&plan)?;
        Ok((plan, edited))
    }

    fn write_questions(&self, parts: &Decomposition) -> Result<(), OrchestrateError> {
        let mut text = format!("# Questions: {}\n\n", parts.service_map.project_name);
        if parts.interview_questions.is_empty() {
            text.push_str("None: the requirements say what is needed.\n");
        }
        for (at, question) in parts.interview_questions.iter().enumerate() {
            let _ = writeln!(text, "{}. {question}", at + 1);
        }
        if !parts.validation_issues.is_empty() {
            text.push_str("\n## Issues\n\n");
            parts.validation_issues.iter().for_each(|it| {
                let _ = writeln!(text, "- {it}");
            });
        }
        text.push_str("\nAnswer them in a file, and hand it in with `--answers FILE`: answers are read as part of the requirements.\n");
        exports::write_whole(&self.place.exports().join("QUESTIONS.md"), &text)
    }
}

/// `[[service]]` tables for services that the settings do not have.
fn service_settings(services: &[Service], contracts: &[Contract], settings: &str) -> String {
    let known: toml::Table = settings.parse().unwrap_or_default();
    let known = known.get("service").and_then(toml::Value::as_array);
    let has = |name: &str| {
        known.is_some_and(|it| it.iter().any(|it| it.get("name").and_then(toml::Value::as_str) == Some(name)))
    };
    let mut added = String::new();
    for service in services.iter().filter(|it| !has(&it.name)) {
        let mut ids: Vec<&String> = service.serves.iter().chain(&service.publishes).chain(&service.receives).collect();
        ids.dedup();
        let paths = ids.into_iter().filter_map(|id| contracts.iter().find(|it| it.id == *id));
        let paths: Vec<String> = paths.map(|it| format!("\"{}\"", it.path)).collect();
        let _ = write!(added, "\n[[service]]\nname = \"{}\"\nroot = \"{}\"\n", service.name, service.folder);
        let _ = writeln!(added, "contracts = [{}]", paths.join(", "));
    }
    added
}
