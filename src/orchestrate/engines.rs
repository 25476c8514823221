//! The engines that a run asks, where the settings switch them on, and what it does with their answers. An engine that is away, or
//! answers what is no answer, is told in the note of the phase; what treaty knows by itself stands in for it.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use super::runner::Run;
use super::{OrchestrateError, codebase_map, exports, known};
use crate::architect::Decomposition;
use crate::events::{Event, PhaseOutcome};
use crate::index::Index;
use crate::mcp::Server;
use crate::mcp_clients::{ArchitectClient, Client, CodebaseClient, ContractClient, ContractFilter, Project};
use crate::process::Cancel;
use crate::registry::{MAX_PAGE, SpecKind};
use crate::scan::Silent;
use crate::settings::{Architect, CodebaseIntelligence, ContractEngine, EngineServer, Settings};

/// Which engines are asked, and how they are reached.
#[derive(Clone, Debug, Default)]
pub struct Engines {
    pub contract_engine: ContractEngine,
    pub codebase_intelligence: CodebaseIntelligence,
    pub architect: Architect,
}

impl From<&Settings> for Engines {
    fn from(settings: &Settings) -> Self {
        Engines {
            contract_engine: settings.contract_engine.clone(),
            codebase_intelligence: settings.codebase_intelligence.clone(),
            architect: settings.architect.clone(),
        }
    }
}

impl Engines {
    /// How an engine is reached that is asked in the place of our own; none where our own answers.
    pub fn elsewhere(&self, server: Server) -> Option<EngineServer> {
        let (is_enabled, engine) = match server {
            Server::ContractEngine => (self.contract_engine.enabled, self.contract_engine.server()),
            Server::CodebaseIntelligence => (self.codebase_intelligence.enabled, self.codebase_intelligence.server()),
            Server::Architect => {
                (self.architect.enabled, self.architect.server(std::env::var(CONTRACT_ENGINE_URL).ok().as_deref()))
            }
            Server::All | Server::DevTeam => return None,
        };
        (is_enabled && !engine.is_embedded()).then_some(engine)
    }

    /// Whether new files are registered once they are merged.
    pub fn registers(&self) -> bool {
        self.codebase_intelligence.enabled && self.codebase_intelligence.register_artifacts
    }
}

/// Where the architect finds contracts that are kept elsewhere.
const CONTRACT_ENGINE_URL: &str = "CONTRACT_ENGINE_URL";

/// What a run's codebase index is asked through while tasks are merged: one session for all of them.
pub(super) type Registrar = Arc<Mutex<Option<CodebaseClient>>>;

impl Run {
    fn connect(&self, server: Server, settings: &EngineServer) -> Client {
        let database = self.place.database();
        let project = Project { root: &self.place.root, database: &database };
        Client::connect(server, settings, project, &self.cancel)
    }

    /// What the architect makes of the requirements; nothing where none is asked, or where one was asked before.
    pub(super) fn ask_architect(&self) -> Option<Event> {
        let settings = &self.settings.engines.architect;
        if !settings.enabled || self.state.decomposed.is_some() {
            return None;
        }
        let url = std::env::var(CONTRACT_ENGINE_URL).ok();
        let mut client = ArchitectClient(self.connect(Server::Architect, &settings.server(url.as_deref())));
        let answer = client.decompose(&self.state.started.text);
        let fallback = answer.value.is_none();
        Some(Event::Decomposed { decomposition: answer.value, fallback, warning: answer.warning })
    }

    /// The contract engine, where one is asked.
    pub(super) fn contract_engine(&self) -> Option<ContractClient> {
        let settings = &self.settings.engines.contract_engine;
        settings.enabled.then(|| ContractClient(self.connect(Server::ContractEngine, &settings.server())))
    }

    /// Writes the codebase map: how the phase ended, and what is to be known of it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn map_codebase(&self, parts: &Decomposition) -> Result<(PhaseOutcome, String), OrchestrateError> {
        let settings = &self.settings.engines.codebase_intelligence;
        if !settings.enabled {
            return Ok((PhaseOutcome::Skipped, "switched on by [codebase-intelligence] enabled".to_owned()));
        }
        let server = settings.server();
        let of_index = if server.is_embedded() {
            let index = Index::open(&self.place.database(), &self.place.root);
            index.and_then(|mut it| it.map(&Silent)).map_err(|error| error.to_string())
        } else {
            let mut names = known::service_names(&self.git, "HEAD");
            names.extend(parts.service_map.services.iter().map(|it| it.name.clone()));
            let mut client = CodebaseClient(self.connect(Server::CodebaseIntelligence, &server));
            let things: Vec<&str> = parts.domain_model.entities.iter().map(|it| it.name.as_str()).collect();
            codebase_map::of_index(&mut client, &names, &things)
        };
        let of_files = || codebase_map::of_files(&self.git.files("HEAD").unwrap_or_default());
        let (map, note) = match of_index {
            Ok(map) if settings.replace_static_map => (map, "from the index".to_owned()),
            Ok(map) => (format!("{}\n{map}", of_files()), "from the files and from the index".to_owned()),
            Err(why) => (of_files(), format!("from the files alone: {why}")),
        };
        exports::write_whole(&self.place.exports().join("CODEBASE_MAP.md"), &map)?;
        Ok((PhaseOutcome::Done, note))
    }

    /// Work that registers the new files of a merged task, and the event that tells so.
    ///
    /// # Errors
    /// Those of `git`.
    pub(super) fn registering(&self, id: &str) -> Result<impl FnOnce() -> Event + Send + use<>, OrchestrateError> {
        let commit = self.state.task(id).map(|it| it.standing.clone());
        let mut files = match commit {
            Some(super::Standing::Merged(commit)) => self.git.added(&commit)?,
            _ => Vec::new(),
        };
        let folders = self.state.plan.services.iter().map(|it| (format!("{}/", it.folder), it.name.clone()));
        let folders: Vec<(String, String)> = folders.collect();
        let service = |path: &String| Some(folders.iter().find(|it| path.starts_with(&it.0))?.1.clone());
        let known: BTreeSet<&String> = self.state.registered.iter().collect();
        files.retain(|it| !known.contains(it));
        let files: Vec<(String, String)> = files.into_iter().filter_map(|it| Some((service(&it)?, it))).collect();
        let checkout = self.place.registered();
        if !files.is_empty() {
            self.git.follow(&checkout, &self.place.branch())?;
        }
        let (registrar, cancel, task) = (self.registrar.clone(), self.cancel.clone(), id.to_owned());
        let settings = self.settings.engines.codebase_intelligence.server();
        let database = self.place.own().join("logs").join(&self.place.run).join("index.db");
        Ok(move || {
            let mut client = registrar.lock().unwrap_or_else(PoisonError::into_inner);
            let open = || open(&settings, &checkout, &database, &cancel);
            register(&mut client, open, task, &files, &checkout)
        })
    }
}

fn open(settings: &EngineServer, root: &Path, database: &Path, cancel: &Cancel) -> CodebaseClient {
    CodebaseClient(Client::connect(Server::CodebaseIntelligence, settings, Project { root, database }, cancel))
}

/// Registers files one after the other. After the first one without an answer, the others are not asked for: nobody waits for
/// an index that hangs.
fn register(
    client: &mut Option<CodebaseClient>,
    open: impl FnOnce() -> CodebaseClient,
    task: String,
    files: &[(String, String)],
    checkout: &Path,
) -> Event {
    let (mut registered, mut left_out, mut warning) = (Vec::new(), 0, None);
    if !files.is_empty() {
        let client = client.get_or_insert_with(open);
        for (service, path) in files {
            // A server elsewhere works in a folder of its own.
            let whole = checkout.join(path);
            match client.register_artifact(&whole.to_string_lossy(), service).given() {
                Ok(answer) if answer.indexed => registered.push(path.clone()),
                Ok(_) => left_out += 1,
                Err(why) => {
                    left_out = files.len() - registered.len();
                    warning = Some(why);
                    break;
                }
            }
        }
    }
    Event::ArtifactsRegistered { task, files: registered, left_out, warning }
}

/// The newest document of a kind that an engine has for a service, but for what a run has made.
///
/// # Errors
/// Why the engine does not say.
pub(super) fn document(client: &mut ContractClient, service: &str, kind: SpecKind) -> Result<Option<Value>, String> {
    let filter = ContractFilter {
        service_name: Some(service.to_owned()),
        kind: Some(kind),
        page_size: Some(MAX_PAGE),
        ..ContractFilter::default()
    };
    let items = client.list_contracts(&filter).given()?.items;
    let fits = items.iter().filter(|it| {
        it.service_name == service
            && it.kind == kind.name()
            && !it.build_cycle_id.as_deref().is_some_and(known::is_of_a_run)
    });
    let Some(newest) = fits.max_by(|a, b| a.updated_at.cmp(&b.updated_at).then_with(|| a.id.cmp(&b.id))) else {
        return Ok(None);
    };
    let whole = client.get_contract(&newest.id).given()?;
    Ok(whole.map(|it| it.1).filter(|it| SpecKind::of(it) == kind))
}
