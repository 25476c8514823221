//! How a service is started, by the files that are there.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::detect::{missing, on_path, packages_missing};

/// Commands that start a service, which listens on the port that the variable `PORT` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// What has to run first.
    pub build: Option<String>,
    pub command: String,
}

/// The commands of a service's folder.
///
/// # Errors
/// Why it cannot be started.
pub fn start_of(folder: &Path) -> Result<Start, String> {
    if let Ok(text) = fs::read_to_string(folder.join("package.json")) {
        let manifest: Value = serde_json::from_str(&text).map_err(|error| format!("package.json: {error}"))?;
        let has = |script: &str| manifest["scripts"][script].is_string();
        if !has("start") {
            return Err("package.json has no script `start`".to_owned());
        }
        if on_path(folder, "npm").is_none() {
            return Err("npm is not installed".to_owned());
        }
        if let Some(reason) = packages_missing(folder, &manifest) {
            return Err(reason);
        }
        let build = has("build").then(|| "npm run build".to_owned());
        return Ok(Start { build, command: "npm start".to_owned() });
    }
    for (file, module) in [("app/main.py", "app.main"), ("main.py", "main"), ("src/main.py", "src.main")] {
        let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
        if !text.lines().any(|line| line.starts_with("app = FastAPI(") || line.starts_with("app: FastAPI = ")) {
            continue;
        }
        return match missing(folder, &["uvicorn".to_owned()]) {
            Ok(names) if names.is_empty() => {
                Ok(Start { build: None, command: format!("exec python3 -m uvicorn {module}:app --port \"$PORT\"") })
            }
            Ok(names) => Err(format!(
                "{} is not installed: set `setup` in [gates] to a command that installs it",
                names.join(", ")
            )),
            Err(why) => Err(why),
        };
    }
    Err("no command is known that starts it: name one in [e2e-testing.start]".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_started_as_its_files_say() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(start_of(folder.path()).expect_err("nothing is there").contains("[e2e-testing.start]"));
        fs::write(folder.path().join("package.json"), "{\"scripts\": {\"start\": \"node .\", \"build\": \"tsc\"}}")
            .expect("a file");
        if on_path(folder.path(), "npm").is_some() {
            let start = start_of(folder.path()).expect("a script");
            assert_eq!((start.build.as_deref(), start.command.as_str()), (Some("npm run build"), "npm start"));
        }
        fs::write(folder.path().join("package.json"), "{\"scripts\": {}}").expect("a file");
        assert!(start_of(folder.path()).is_err());
    }
}
