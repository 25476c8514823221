//! The tables of engines elsewhere: servers of the protocol that a run asks in the place of its own.

use std::time::Duration;

use serde::Deserialize;

/// A server as its table describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineServer {
    pub command: String,
    pub arguments: Vec<String>,
    /// Folder that it is started in, below the project's; empty: the project's own.
    pub root: String,
    /// What it finds in its environment, where that is set.
    pub environment: Vec<(&'static str, String)>,
    pub startup: Duration,
    pub call: Duration,
}

impl EngineServer {
    /// Whether our own engine is meant: the command by which older setups start theirs, without a folder that has one.
    pub fn is_embedded(&self) -> bool {
        let is_python = ["python", "python3", "py"].contains(&self.command.as_str());
        let is_module =
            matches!(self.arguments.as_slice(), [flag, module, ..] if flag == "-m" && module.starts_with("src."));
        self.root.is_empty() && is_python && is_module
    }
}

/// `[contract-engine]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ContractEngine {
    /// The engine that is described here is asked, instead of the own one.
    pub enabled: bool,
    /// The command that starts it.
    pub mcp_command: String,
    /// Arguments of that command.
    pub mcp_args: Vec<String>,
    /// `DATABASE_PATH` of its environment.
    pub database_path: String,
    /// The folder that it is started in; the project's own, if left out.
    pub server_root: String,
    /// Milliseconds in which it must answer first.
    pub startup_timeout_ms: u64,
    /// Milliseconds in which it must answer a call.
    pub tool_timeout_ms: u64,
    /// What an attempt left is held against its contracts before it is merged; else only what was merged is.
    pub validation_on_build: bool,
    /// Tests of each contract are written for whoever builds its service. Where nobody says: from the depth `thorough` on.
    pub test_generation: Option<bool>,
}

/// `[codebase-intelligence]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct CodebaseIntelligence {
    /// The engine that is described here is asked, instead of the own one.
    pub enabled: bool,
    /// The command that starts it.
    pub mcp_command: String,
    /// Arguments of that command.
    pub mcp_args: Vec<String>,
    /// `DATABASE_PATH` of its environment.
    pub database_path: String,
    /// `CHROMA_PATH` of its environment.
    pub chroma_path: String,
    /// `GRAPH_PATH` of its environment.
    pub graph_path: String,
    /// The folder that it is started in; the project's own, if left out.
    pub server_root: String,
    /// Milliseconds in which it must answer first.
    pub startup_timeout_ms: u64,
    /// Milliseconds in which it must answer a call.
    pub tool_timeout_ms: u64,
    /// The index's map stands in the place of the list of files; else after it.
    pub replace_static_map: bool,
    /// New files are registered once they are merged.
    pub register_artifacts: bool,
}

/// `[architect]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Architect {
    /// The engine that is described here is asked, instead of the own one.
    pub enabled: bool,
    /// The command that starts it.
    pub mcp_command: String,
    /// Arguments of that command.
    pub mcp_args: Vec<String>,
    /// `DATABASE_PATH` of its environment.
    pub database_path: String,
    /// The folder that it is started in; the project's own, if left out.
    pub server_root: String,
    /// Milliseconds in which it must answer first.
    pub startup_timeout_ms: u64,
    /// Milliseconds in which it must answer a call.
    pub tool_timeout_ms: u64,
}

const COMMAND: &str = "python";
const STARTUP_MS: u64 = 30_000;
const CALL_MS: u64 = 60_000;

fn module(name: &str) -> Vec<String> {
    vec!["-m".to_owned(), format!("src.{name}.mcp_server")]
}

impl Default for ContractEngine {
    fn default() -> Self {
        ContractEngine {
            enabled: false,
            mcp_command: COMMAND.to_owned(),
            mcp_args: module("contract_engine"),
            database_path: String::new(),
            server_root: String::new(),
            startup_timeout_ms: STARTUP_MS,
            tool_timeout_ms: CALL_MS,
            validation_on_build: true,
            test_generation: None,
        }
    }
}

impl Default for CodebaseIntelligence {
    fn default() -> Self {
        CodebaseIntelligence {
            enabled: false,
            mcp_command: COMMAND.to_owned(),
            mcp_args: module("codebase_intelligence"),
            database_path: String::new(),
            chroma_path: String::new(),
            graph_path: String::new(),
            server_root: String::new(),
            startup_timeout_ms: STARTUP_MS,
            tool_timeout_ms: CALL_MS,
            replace_static_map: true,
            register_artifacts: true,
        }
    }
}

impl Default for Architect {
    fn default() -> Self {
        Architect {
            enabled: false,
            mcp_command: COMMAND.to_owned(),
            mcp_args: module("architect"),
            database_path: String::new(),
            server_root: String::new(),
            startup_timeout_ms: STARTUP_MS,
            tool_timeout_ms: CALL_MS,
        }
    }
}

/// Variables that are set, with their values.
fn set(variables: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
    let set = variables.iter().filter(|it| !it.1.is_empty());
    set.map(|(name, value)| (*name, (*value).to_owned())).collect()
}

impl ContractEngine {
    pub fn server(&self) -> EngineServer {
        EngineServer {
            command: self.mcp_command.clone(),
            arguments: self.mcp_args.clone(),
            root: self.server_root.clone(),
            environment: set(&[("DATABASE_PATH", &self.database_path)]),
            startup: Duration::from_millis(self.startup_timeout_ms),
            call: Duration::from_millis(self.tool_timeout_ms),
        }
    }
}

impl CodebaseIntelligence {
    pub fn server(&self) -> EngineServer {
        let (database, chroma, graph) = (&self.database_path, &self.chroma_path, &self.graph_path);
        EngineServer {
            command: self.mcp_command.clone(),
            arguments: self.mcp_args.clone(),
            root: self.server_root.clone(),
            environment: set(&[("DATABASE_PATH", database), ("CHROMA_PATH", chroma), ("GRAPH_PATH", graph)]),
            startup: Duration::from_millis(self.startup_timeout_ms),
            call: Duration::from_millis(self.tool_timeout_ms),
        }
    }
}

impl Architect {
    /// `engine` is where a contract engine answers over HTTP, if one does: `CONTRACT_ENGINE_URL`.
    pub fn server(&self, engine: Option<&str>) -> EngineServer {
        let engine = engine.unwrap_or_default();
        EngineServer {
            command: self.mcp_command.clone(),
            arguments: self.mcp_args.clone(),
            root: self.server_root.clone(),
            environment: set(&[("DATABASE_PATH", &self.database_path), ("CONTRACT_ENGINE_URL", engine)]),
            startup: Duration::from_millis(self.startup_timeout_ms),
            call: Duration::from_millis(self.tool_timeout_ms),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_are_not_there_have_the_defaults_that_older_setups_know() {
        let read: ContractEngine = toml::from_str("").expect("an empty table");
        assert_eq!(read, ContractEngine::default());
        let server = read.server();
        assert_eq!((read.enabled, server.command.as_str()), (false, "python"));
        assert_eq!(server.arguments, ["-m", "src.contract_engine.mcp_server"]);
        assert_eq!((server.startup.as_millis(), server.call.as_millis()), (30_000, 60_000));
        assert_eq!(server.environment, []);
        let index = CodebaseIntelligence::default();
        assert_eq!(index.mcp_args, ["-m", "src.codebase_intelligence.mcp_server"]);
        assert_eq!((index.replace_static_map, index.register_artifacts), (true, true));
        assert_eq!(Architect::default().mcp_args, ["-m", "src.architect.mcp_server"]);
    }

    #[test]
    fn variables_are_set_only_where_the_table_has_them() {
        let text = "database-path = \"i.db\"\ngraph-path = \"g.json\"\n";
        let index: CodebaseIntelligence = toml::from_str(text).expect("a table");
        let set = index.server().environment;
        assert_eq!(set, [("DATABASE_PATH", "i.db".to_owned()), ("GRAPH_PATH", "g.json".to_owned())]);
        let architect = Architect::default().server(Some("http://127.0.0.1:8002"));
        assert_eq!(architect.environment, [("CONTRACT_ENGINE_URL", "http://127.0.0.1:8002".to_owned())]);
    }

    #[test]
    fn the_usual_command_without_a_folder_means_our_own_engine() {
        let is_embedded = |text: &str| toml::from_str::<Architect>(text).expect("a table").server(None).is_embedded();
        assert!(is_embedded(""));
        assert!(is_embedded("mcp-command = \"python3\""));
        assert!(!is_embedded("server-root = \"../elsewhere\""));
        assert!(!is_embedded("mcp-command = \"treaty\"\nmcp-args = [\"mcp\", \"serve\", \"architect\"]"));
        assert!(!is_embedded("mcp-args = [\"server.py\"]"));
    }
}
