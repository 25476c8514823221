//! How an engine is reached: in this process, or through a session with a server, which is started anew where it broke.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::answers::known_by;
use crate::mcp::session::{Session, SessionError};
use crate::mcp::{Embedded, Options, Server};
use crate::process::{self, Cancel};
use crate::settings::EngineServer;

/// As this client calls itself.
const NAME: &str = "treaty";
/// Pauses between the three tries of a call.
const WAITS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(2)];
/// Of what a server said, as much is told.
const TOLD: usize = 300;

/// The project that an engine is asked about.
#[derive(Clone, Copy, Debug)]
pub struct Project<'p> {
    pub root: &'p Path,
    /// What our own engines keep, where their settings name no other file.
    pub database: &'p Path,
}

/// A connection to one engine. Ends with the value.
pub struct Client {
    server: Server,
    line: Line,
    pub(super) waits: [Duration; 2],
    cancel: Cancel,
}

enum Line {
    Embedded(Box<Embedded>),
    Elsewhere(Box<Elsewhere>),
    /// Nobody answers, and why.
    Away(String),
}

/// A server that is a process.
struct Elsewhere {
    settings: EngineServer,
    folder: PathBuf,
    /// None after it broke.
    session: Option<Session>,
    /// Tries in a row that broke.
    broken: usize,
}

impl Client {
    /// Reaches an engine. One that cannot be reached is away: every call of it says why. A wait ends when `cancel` wants so.
    pub fn connect(server: Server, settings: &EngineServer, project: Project<'_>, cancel: &Cancel) -> Client {
        let line = if settings.is_embedded() {
            Line::Embedded(Box::new(embedded(server, settings, project)))
        } else {
            let folder = project.root.join(&settings.root);
            let mut elsewhere = Elsewhere { settings: settings.clone(), folder, session: None, broken: 0 };
            match elsewhere.open(cancel) {
                Ok(_) => Line::Elsewhere(Box::new(elsewhere)),
                Err(error) => Line::Away(format!("not connected: `{}` {error}", elsewhere.command())),
            }
        };
        Client { server, line, waits: WAITS, cancel: cancel.clone() }
    }

    /// Why nobody answers, where nobody does.
    pub fn is_away(&self) -> Option<&str> {
        match &self.line {
            Line::Away(why) => Some(why),
            Line::Embedded(_) | Line::Elsewhere(_) => None,
        }
    }

    /// Whether the engine is our own, in this process.
    pub fn is_embedded(&self) -> bool {
        matches!(self.line, Line::Embedded(_))
    }

    /// The names of the tools that a server elsewhere has.
    ///
    /// # Errors
    /// Why it does not say.
    pub fn tool_names(&mut self) -> Result<Vec<String>, String> {
        let Line::Elsewhere(elsewhere) = &mut self.line else { return Err("there is no server".to_owned()) };
        let limit = elsewhere.settings.call;
        let session = elsewhere.session.as_mut().ok_or("not connected")?;
        let tools = session.tools(limit).map_err(|it| it.to_string())?;
        Ok(tools.iter().filter_map(|it| Some(it["name"].as_str()?.to_owned())).collect())
    }

    /// The answer of a tool, read as JSON.
    ///
    /// # Errors
    /// In one line: nobody answers, the engine refuses, or the answer is not what the tool gives.
    pub(super) fn ask<T: DeserializeOwned>(&mut self, tool: &str, arguments: &Value) -> Result<T, String> {
        let result = self.call(tool, arguments, None)?;
        self.read(tool, &result)
    }

    /// Asks an engine's tool like [`Client::ask`], within a shorter time and without a second try.
    ///
    /// # Errors
    /// The errors of [`Client::ask`], and a tool that takes longer than `limit`.
    pub(super) fn ask_once<T: DeserializeOwned>(
        &mut self,
        tool: &str,
        arguments: &Value,
        limit: Duration,
    ) -> Result<T, String> {
        let result = self.call(tool, arguments, Some(limit))?;
        self.read(tool, &result)
    }

    /// The answer of a tool, as it stands in the first block of text.
    ///
    /// # Errors
    /// Nobody answers, or the engine refuses.
    pub(super) fn text(&mut self, tool: &str, arguments: &Value) -> Result<String, String> {
        let result = self.call(tool, arguments, None)?;
        text_of(&result).map_err(|why| self.failure(tool, &why))
    }

    fn read<T: DeserializeOwned>(&self, tool: &str, result: &Value) -> Result<T, String> {
        let text = text_of(result).map_err(|why| self.failure(tool, &why))?;
        let known = |mut answer: Value| {
            known_by(&mut answer);
            serde_json::from_value(answer)
        };
        let error = match serde_json::from_str(&text).and_then(known) {
            Ok(read) => return Ok(read),
            Err(error) => error,
        };
        // Some servers write a block for each item of a list, and the whole list as structured content.
        let structured = result.get("structuredContent").map(|it| it.get("result").unwrap_or(it));
        let structured = structured.and_then(|it| known(it.clone()).ok());
        structured.ok_or_else(|| self.failure(tool, &format!("the answer is not what it should be: {error}")))
    }

    fn call(&mut self, tool: &str, arguments: &Value, once: Option<Duration>) -> Result<Value, String> {
        let waits = if once.is_some() { &[] } else { self.waits.as_slice() };
        let result = match &mut self.line {
            Line::Away(why) => return Err(format!("the {} is {why}", self.server.name())),
            Line::Embedded(embedded) => Ok(embedded.call(tool, arguments)),
            Line::Elsewhere(elsewhere) => {
                let limit = once.map_or(elsewhere.settings.call, |it| it.min(elsewhere.settings.call));
                elsewhere.call(tool, arguments, limit, waits, &self.cancel)
            }
        };
        match result {
            Ok(result) => Ok(result),
            Err(error) => {
                // What was tried often enough is not waited for once more; the next session is the next phase's.
                if matches!(&self.line, Line::Elsewhere(it) if it.broken > WAITS.len()) {
                    self.line = Line::Away(format!("not connected any more: {error}"));
                }
                Err(self.failure(tool, &error.to_string()))
            }
        }
    }

    fn failure(&self, tool: &str, why: &str) -> String {
        let shown: String = why.trim().chars().take(TOLD).collect();
        let more = if shown.len() < why.trim().len() { "…" } else { "" };
        format!("`{tool}` of the {}: {shown}{more}", self.server.name())
    }
}

/// Our own engine.
fn embedded(server: Server, settings: &EngineServer, project: Project<'_>) -> Embedded {
    let variable = |name: &str| settings.environment.iter().find(|it| it.0 == name).map(|it| it.1.as_str());
    let database = variable("DATABASE_PATH").map_or_else(|| project.database.to_owned(), |it| project.root.join(it));
    Embedded::new(Options {
        server,
        root: project.root.to_owned(),
        database,
        contract_engine: variable("CONTRACT_ENGINE_URL").map(str::to_owned),
        read_only: false,
        extended: false,
        team_config: None,
        team_agents: None,
    })
}

impl Elsewhere {
    fn command(&self) -> String {
        [&self.settings.command]
            .into_iter()
            .chain(&self.settings.arguments)
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// A new session, within the time that a start may take.
    fn open(&mut self, cancel: &Cancel) -> Result<&mut Session, SessionError> {
        // The environment is filtered: no key of ours reaches a server of somebody else.
        let mut command = process::command(&self.settings.command, &self.folder, &[]);
        command.args(&self.settings.arguments);
        for (name, value) in &self.settings.environment {
            command.env(name, value);
        }
        let mut session = Session::start(command, process::end, cancel.flag())?;
        session.initialize(NAME, self.settings.startup)?;
        Ok(self.session.insert(session))
    }

    fn call(
        &mut self,
        tool: &str,
        arguments: &Value,
        limit: Duration,
        waits: &[Duration],
        cancel: &Cancel,
    ) -> Result<Value, SessionError> {
        let mut waits = waits.iter();
        loop {
            let session = match self.session.as_mut() {
                Some(session) => Ok(session),
                None => self.open(cancel),
            };
            let result = session.and_then(|it| it.call(tool, arguments, limit));
            let Err(error) = &result else {
                self.broken = 0;
                return result;
            };
            if error.is_transient() {
                self.broken += 1;
            }
            if matches!(error, SessionError::Stopped { .. }) || error.is_transient() {
                self.session = None;
            }
            match waits.next() {
                Some(wait) if error.is_transient() && cancel.pause(*wait) => {}
                _ => return result,
            }
        }
    }
}

/// The first block of text of a result. A result without blocks is how some servers say `null`.
///
/// # Errors
/// What the engine says where it refuses; an answer that has no text.
pub(super) fn text_of(result: &Value) -> Result<String, String> {
    let blocks = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = blocks.iter().find(|it| it["type"] == "text").and_then(|it| it["text"].as_str());
    if result["isError"] == true {
        return Err(text.unwrap_or("it refuses, and does not say why").to_owned());
    }
    match text {
        Some(text) => Ok(text.to_owned()),
        None if result["content"].is_array() && blocks.is_empty() => Ok("null".to_owned()),
        None => Err("the answer is not what it should be: it has no text".to_owned()),
    }
}
