//! Entries for the settings of clients: printed, or merged into their files.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::Server;

/// Programs that start servers, and keep in the project which ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    Claude,
    Cursor,
    VsCode,
}

impl Client {
    /// Where it looks, below the project's folder.
    fn file(self) -> &'static str {
        match self {
            Client::Claude => ".mcp.json",
            Client::Cursor => ".cursor/mcp.json",
            Client::VsCode => ".vscode/mcp.json",
        }
    }

    /// What holds the servers in that file.
    fn key(self) -> &'static str {
        match self {
            Client::Claude | Client::Cursor => "mcpServers",
            Client::VsCode => "servers",
        }
    }

    /// How the project's folder is written where the client does not start servers in it.
    fn root(self) -> Option<&'static str> {
        match self {
            Client::Claude => None,
            Client::Cursor | Client::VsCode => Some("${workspaceFolder}"),
        }
    }
}

/// The content of a `.mcp.json`: how to start these servers. `root` is named where the client starts them elsewhere.
pub fn config(command: &str, servers: &[Server], root: Option<&str>) -> Value {
    json!({ "mcpServers": entries(command, servers, root) })
}

fn entries(command: &str, servers: &[Server], root: Option<&str>) -> Map<String, Value> {
    let entry = |server: &Server| {
        let mut arguments = vec!["mcp", "serve", server.name()];
        arguments.extend(root.into_iter().flat_map(|root| ["--root", root]));
        (server.key().to_owned(), json!({ "type": "stdio", "command": command, "args": arguments, "env": {} }))
    };
    servers.iter().map(entry).collect()
}

/// What is to be written into a client's file.
#[derive(Debug)]
pub struct Change {
    pub path: PathBuf,
    /// Name, what stands there, and what is to stand there.
    pub entries: Vec<(String, Option<Value>, Value)>,
    text: String,
}

impl Change {
    /// Whether the file says so already.
    pub fn is_nothing(&self) -> bool {
        self.entries.iter().all(|(_, old, new)| old.as_ref() == Some(new))
    }

    /// Writes the file: beside it first, so that it is the old one or the new one whatever happens.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self) -> Result<(), ClientError> {
        let failed = |error: std::io::Error| ClientError::File {
            path: self.path.display().to_string(),
            reason: error.to_string(),
        };
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        // A link stays one.
        let path = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let beside = path.with_extension("json.new");
        fs::write(&beside, &self.text).map_err(failed)?;
        fs::rename(&beside, &path).map_err(failed)
    }
}

/// Why a client's file is left alone.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    #[error("{path}: {reason}")]
    File { path: String, reason: String },
    #[error("{path} {why}, and is left as it is")]
    Unread { path: String, why: String },
}

/// How a client's file below `root` is to change: our entries by their names, all others as they are.
///
/// # Errors
/// A file that is no JSON, or that has comments, which would be lost.
pub fn merge(client: Client, root: &Path, command: &str, servers: &[Server]) -> Result<Change, ClientError> {
    let path = root.join(client.file());
    let shown = path.display().to_string();
    let old = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(ClientError::File { path: shown, reason: error.to_string() }),
    };
    let entries = entries(command, servers, client.root());
    let (text, entries) =
        merged(&old, client.key(), entries).map_err(|why| ClientError::Unread { path: shown, why })?;
    Ok(Change { path, entries, text })
}

type Merged = (String, Vec<(String, Option<Value>, Value)>);

fn merged(old: &str, key: &str, entries: Map<String, Value>) -> Result<Merged, String> {
    let mut whole = match old.trim_start_matches('\u{feff}').trim() {
        "" => json!({}),
        text => serde_json::from_str(text).map_err(|error| {
            let has_comments = {
                let mut stripped = text.to_owned();
                json_strip_comments::strip(&mut stripped).is_ok() && serde_json::from_str::<Value>(&stripped).is_ok()
            };
            if has_comments { "has comments".to_owned() } else { format!("is no JSON ({error})") }
        })?,
    };
    let top = whole.as_object_mut().ok_or("is no JSON object")?;
    let held = top.entry(key).or_insert_with(|| json!({}));
    let held = held.as_object_mut().ok_or_else(|| format!("has a `{key}` that is no object"))?;
    let changes = entries
        .into_iter()
        .map(|(name, new)| {
            let old = held.insert(name.clone(), new.clone());
            (name, old, new)
        })
        .collect();
    let text = serde_json::to_string_pretty(&whole).map_err(|error| error.to_string())?;
    Ok((text + "\n", changes))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Client, Server, config, merge, merged};

    #[test]
    fn the_configuration_names_each_server_with_its_command() {
        let written = config("treaty", &Server::EACH, None);
        let names: Vec<&String> = written["mcpServers"].as_object().expect("servers").keys().collect();
        assert_eq!(names, ["architect", "contract-engine", "codebase-intelligence"]);
        let entry = &written["mcpServers"]["contract-engine"];
        let expected =
            json!({ "type": "stdio", "command": "treaty", "args": ["mcp", "serve", "contract-engine"], "env": {} });
        assert_eq!(*entry, expected);
        assert_eq!(config("treaty", &[Server::All], None)["mcpServers"]["treaty"]["args"][2], "all");
    }

    #[test]
    fn what_others_wrote_into_a_clients_file_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(".vscode/mcp.json");
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        let old = r#"{"inputs": [1], "servers": {"theirs": {"url": "x"}, "architect": {"command": "old"}}}"#;
        std::fs::write(&path, old).expect("a file");
        let change = merge(Client::VsCode, folder.path(), "treaty", &[Server::Architect]).expect("it is read");
        assert!(!change.is_nothing());
        assert_eq!(change.entries[0].1, Some(json!({"command": "old"})));
        change.write().expect("it is written");
        let now: Value = serde_json::from_str(&std::fs::read_to_string(&path).expect("a file")).expect("JSON");
        assert_eq!(now["inputs"], json!([1]));
        assert_eq!(now["servers"]["theirs"], json!({"url": "x"}));
        let arguments = json!(["mcp", "serve", "architect", "--root", "${workspaceFolder}"]);
        assert_eq!(now["servers"]["architect"]["args"], arguments);
        let again = merge(Client::VsCode, folder.path(), "treaty", &[Server::Architect]).expect("it is read");
        assert!(again.is_nothing(), "{again:?}");
    }

    #[test]
    fn a_file_that_would_lose_something_is_left_alone() {
        for (text, why) in [
            ("{ // mine\n}", "has comments"),
            ("[1]", "is no JSON object"),
            ("{\"mcpServers\": 3}", "has a `mcpServers` that is no object"),
            ("{", "is no JSON (EOF while parsing an object at line 1 column 1)"),
        ] {
            assert_eq!(merged(text, "mcpServers", serde_json::Map::new()), Err(why.to_owned()));
        }
    }
}
