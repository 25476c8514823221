//! Starts servers as a client would, on a small project of their own, and tells whether they answer.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Server;
use super::session::{Session, SessionError};

/// What each server does with calls of each of its tools.
#[derive(Debug, Serialize)]
pub struct Report {
    pub status: Health,
    pub servers: Vec<ServerHealth>,
}

#[derive(Debug, Serialize)]
pub struct ServerHealth {
    pub status: Health,
    pub server: &'static str,
    pub tools_count: usize,
    pub tool_names: Vec<String>,
    /// From its start to its first answer.
    pub started_in_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    pub tools: Vec<ToolHealth>,
}

#[derive(Debug, Serialize)]
pub struct ToolHealth {
    pub tool: String,
    pub status: Health,
    pub has_content: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    Healthy,
    /// It answers that it cannot.
    Error,
    /// It does not answer, or not as it says.
    Unhealthy,
}

/// One call of a tool, with the parameters it must have and with all of them. Texts that begin with `@` stand for the
/// content of a file of the sample, with `$` for what an earlier call gave.
#[derive(Debug, Deserialize)]
struct Sample {
    tool: String,
    required: Value,
    /// A second call; none where the first one changes what a second one would find.
    #[serde(default)]
    all: Option<Value>,
    /// The call is one that the tool has to refuse.
    #[serde(default)]
    refuses: bool,
    /// Name, and where it stands in the answer.
    #[serde(default)]
    keep: BTreeMap<String, String>,
}

/// The project that the calls are about.
const FILES: &[(&str, &str)] = &[
    ("books/main.py", include_str!("sample/books/main.py")),
    ("books/requirements.txt", include_str!("sample/books/requirements.txt")),
    ("books/openapi.json", include_str!("sample/books/openapi.json")),
    ("loans/main.py", include_str!("sample/loans/main.py")),
    ("loans/requirements.txt", include_str!("sample/loans/requirements.txt")),
    ("requirements.md", include_str!("sample/requirements.md")),
];
const CALLS: &str = include_str!("sample/calls.json");

/// As the client calls itself.
const NAME: &str = "treaty-check";
/// Within which a server answers first, and a call is answered.
const START: Duration = Duration::from_secs(20);
const CALL: Duration = Duration::from_mins(1);

/// Asks each of these servers of a program everything.
///
/// # Errors
/// A temporary folder that cannot be made.
pub fn check(program: &Path, servers: &[Server]) -> io::Result<Report> {
    let samples: Vec<Sample> = serde_json::from_str(CALLS)?;
    let mut checked = Vec::new();
    for server in servers {
        let project = Project::new()?;
        checked.push(one(program, *server, &project, &samples));
    }
    let healthy = checked.iter().all(|it| it.status == Health::Healthy);
    Ok(Report { status: if healthy { Health::Healthy } else { Health::Unhealthy }, servers: checked })
}

fn one(program: &Path, server: Server, project: &Project, samples: &[Sample]) -> ServerHealth {
    let mut health = ServerHealth {
        status: Health::Unhealthy,
        server: server.key(),
        tools_count: 0,
        tool_names: Vec::new(),
        started_in_ms: 0,
        error: None,
        tools: Vec::new(),
    };
    if let Err(error) = ask(program, server, project, samples, &mut health) {
        health.error = Some(error);
        return health;
    }
    if health.tools.iter().all(|tool| tool.status == Health::Healthy) {
        health.status = Health::Healthy;
    }
    health
}

fn ask(
    program: &Path,
    server: Server,
    project: &Project,
    samples: &[Sample],
    health: &mut ServerHealth,
) -> Result<(), String> {
    let begun = Instant::now();
    let said = |error: SessionError| error.to_string();
    let mut line = started(program, server, &project.0).map_err(said)?;
    let about = json!({ "name": NAME, "version": env!("CARGO_PKG_VERSION") });
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": about,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    line.request("server/discover", &json!({ "_meta": meta }), START).map_err(said)?;
    health.started_in_ms = begun.elapsed().as_millis() as u64;
    line.initialize(NAME, START).map_err(said)?;
    let tools = line.tools(START).map_err(said)?;
    let name = |tool: &Value| tool["name"].as_str().unwrap_or_default().to_owned();
    health.tools_count = tools.len();
    health.tool_names = tools.iter().map(name).collect();
    let mut kept = BTreeMap::new();
    for sample in samples {
        let Some(tool) = tools.iter().find(|tool| tool["name"] == *sample.tool) else { continue };
        let calls = [Some(&sample.required), sample.all.as_ref()].into_iter().flatten();
        let calls: Vec<ToolHealth> =
            calls.map(|arguments| call(&mut line, tool, sample, arguments, &mut kept)).collect();
        let worst = calls.into_iter().max_by_key(|it| it.status as u8);
        health.tools.extend(worst);
    }
    let unasked = health.tool_names.iter().filter(|name| health.tools.iter().all(|it| it.tool != **name));
    if let Some(noise) = line.noise() {
        return Err(format!("it wrote what is no message: {noise}"));
    }
    match unasked.cloned().collect::<Vec<_>>().join(", ") {
        names if names.is_empty() => Ok(()),
        names => Err(format!("there is no sample call of {names}")),
    }
}

fn call(
    line: &mut Session,
    tool: &Value,
    sample: &Sample,
    arguments: &Value,
    kept: &mut BTreeMap<String, Value>,
) -> ToolHealth {
    let mut health =
        ToolHealth { tool: sample.tool.clone(), status: Health::Unhealthy, has_content: false, error: None };
    let answer = match line.call(&sample.tool, &filled(arguments, kept), CALL) {
        Ok(answer) => answer,
        Err(error) => {
            health.error = Some(error.to_string());
            return health;
        }
    };
    let text = answer["content"][0]["text"].as_str().unwrap_or_default();
    health.has_content = !text.is_empty();
    if sample.refuses {
        let is_refused = answer["isError"] == true && health.has_content;
        health.status = if is_refused { Health::Healthy } else { Health::Error };
        health.error = (!is_refused).then(|| "it did not refuse".to_owned());
        return health;
    }
    if answer["isError"] == true {
        health.status = Health::Error;
        health.error = Some(text.to_owned());
        return health;
    }
    let said = serde_json::from_str(text).unwrap_or(Value::Null);
    for (name, pointer) in &sample.keep {
        let found = said.pointer(pointer).or_else(|| answer["structuredContent"].pointer(pointer));
        kept.insert(name.clone(), found.cloned().unwrap_or_default());
    }
    match keeps_its_word(tool, &answer, &said) {
        Ok(()) => health.status = Health::Healthy,
        Err(error) => health.error = Some(error),
    }
    health
}

/// Whether the structured answer is what the tool announced, and the text says the same.
fn keeps_its_word(tool: &Value, answer: &Value, said: &Value) -> Result<(), String> {
    let Some(schema) = tool.get("outputSchema") else {
        let bare = answer.get("structuredContent").is_none();
        return if bare { Ok(()) } else { Err("structured content without an output schema".to_owned()) };
    };
    let structured = &answer["structuredContent"];
    let validator = jsonschema::validator_for(schema).map_err(|error| format!("its output schema: {error}"))?;
    validator
        .validate(structured)
        .map_err(|error| format!("the answer is not what it announces, at `{}`: {error}", error.instance_path()))?;
    let is_told = structured["text"].is_string() && structured["text"] == answer["content"][0]["text"];
    if is_told || said == structured || structured.get("result") == Some(said) {
        return Ok(());
    }
    Err("the text and the structured content say different things".to_owned())
}

/// Arguments with what their texts stand for.
fn filled(arguments: &Value, kept: &BTreeMap<String, Value>) -> Value {
    match arguments {
        Value::String(text) => {
            let file = |name: &str| FILES.iter().find(|(path, _)| *path == name).map(|(_, content)| *content);
            if let Some(name) = text.strip_prefix('$') {
                return kept.get(name).cloned().unwrap_or_default();
            }
            match text.strip_prefix('@').and_then(file) {
                Some(content) => serde_json::from_str(content).unwrap_or_else(|_| content.into()),
                None => text.as_str().into(),
            }
        }
        Value::Array(items) => items.iter().map(|item| filled(item, kept)).collect(),
        Value::Object(members) => members.iter().map(|(name, it)| (name.clone(), filled(it, kept))).collect(),
        other => other.clone(),
    }
}

/// The sample, in a folder that is gone with the value.
struct Project(PathBuf);

impl Project {
    fn new() -> io::Result<Project> {
        let folder = std::env::temp_dir().join(format!("treaty-check-{}", uuid::Uuid::new_v4()));
        let project = Project(folder);
        for (name, content) in FILES {
            let path = project.0.join(name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(path, content)?;
        }
        Ok(project)
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        // It lies among what the system throws away by itself.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A server in the sample project, which knows nothing of the databases that its starter works with.
fn started(program: &Path, server: Server, root: &Path) -> Result<Session, SessionError> {
    let mut command = Command::new(program);
    command.args(["mcp", "serve", server.name(), "--root"]).arg(root);
    command.arg("--database").arg(root.join(".treaty").join("check.db"));
    for variable in ["DATABASE_PATH", "GRAPH_PATH", "CHROMA_PATH", "CONTRACT_ENGINE_URL"] {
        command.env_remove(variable);
    }
    Session::start(command, end, Arc::default())
}

fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}
