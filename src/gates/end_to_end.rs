//! Tests of a whole application that a project brings along, in its own words: pytest, Playwright, a script of its manifest.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::detect::{missing, on_path, packages_missing};
use super::{GateSettings, run_one, skipped};
use crate::events::GateResult;
use crate::process::Cancel;

/// Which end of an application the tests go through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndToEnd {
    Backend,
    Frontend,
    Browser,
}

impl EndToEnd {
    pub fn name(self) -> &'static str {
        match self {
            EndToEnd::Backend => "e2e-backend",
            EndToEnd::Frontend => "e2e-frontend",
            EndToEnd::Browser => "browser",
        }
    }

    /// Scripts of a `package.json` that are such tests.
    fn scripts(self) -> &'static [&'static str] {
        match self {
            EndToEnd::Backend => &["test:e2e:api", "test:e2e:backend", "test:e2e", "e2e"],
            EndToEnd::Frontend => &["test:e2e:frontend", "test:e2e:ui", "test:e2e", "e2e"],
            EndToEnd::Browser => &["test:browser", "browser"],
        }
    }
}

/// Runs what a folder has of these tests. Empty: it has none; a command that cannot be run is skipped and said so.
pub fn end_to_end(
    kind: EndToEnd,
    folder: &Path,
    settings: &GateSettings,
    logs: &Path,
    cancel: &Cancel,
) -> Vec<GateResult> {
    let found = match settings.commands.get(kind.name()) {
        Some(line) => Some(Ok(line.clone())),
        None => detect(kind, folder),
    };
    match found {
        None => Vec::new(),
        Some(Err(note)) => vec![skipped(kind.name(), note)],
        Some(Ok(line)) => vec![run_one(kind.name(), &line, folder, settings, logs, cancel)],
    }
}

/// The command of a folder, or the reason why it cannot be run; nothing where there are no such tests.
pub(super) fn detect(kind: EndToEnd, folder: &Path) -> Option<Result<String, String>> {
    if let Ok(text) = fs::read_to_string(folder.join("package.json")) {
        return node(kind, folder, &text);
    }
    let tests = ["tests/e2e", "e2e"].into_iter().find(|it| has_tests(&folder.join(it)))?;
    let is_browser = ["requirements.txt", "pyproject.toml"]
        .iter()
        .any(|it| fs::read_to_string(folder.join(it)).is_ok_and(|text| text.contains("pytest-playwright")));
    let wanted = if is_browser { EndToEnd::Frontend } else { EndToEnd::Backend };
    if kind != wanted {
        return None;
    }
    Some(match missing(folder, &["pytest".to_owned()]) {
        Ok(names) if names.is_empty() => Ok(format!("python3 -m pytest -q {tests}")),
        Ok(_) => Err("pytest is not installed: set `setup` in [gates] to a command that installs it".to_owned()),
        Err(why) => Err(why),
    })
}

fn node(kind: EndToEnd, folder: &Path, text: &str) -> Option<Result<String, String>> {
    let manifest: Value = match serde_json::from_str(text) {
        Ok(manifest) => manifest,
        Err(error) => return Some(Err(format!("package.json: {error}"))),
    };
    let has_browser = [
        "playwright.config.ts",
        "playwright.config.js",
        "playwright.config.mjs",
        "cypress.config.ts",
        "cypress.config.js",
    ]
    .iter()
    .any(|it| folder.join(it).is_file());
    let script = kind.scripts().iter().find(|it| manifest["scripts"][**it].is_string());
    // A script whose name does not tell is of the end that the project has.
    let tells = |it: &str| it.contains(':') && it != "test:e2e";
    let script =
        script.filter(|it| tells(it) || kind == EndToEnd::Browser || has_browser == (kind == EndToEnd::Frontend));
    let line = match script {
        Some(script) => format!("npm run {script}"),
        None if has_browser
            && kind == EndToEnd::Frontend
            && folder.read_dir().is_ok_and(|mut it| {
                it.any(|it| it.is_ok_and(|it| it.file_name().to_string_lossy().starts_with("playwright.config.")))
            }) =>
        {
            "npx --no-install playwright test".to_owned()
        }
        None => return None,
    };
    if on_path(folder, "npm").is_none() {
        return Some(Err("npm is not installed".to_owned()));
    }
    Some(packages_missing(folder, &manifest).map_or(Ok(line), Err))
}

fn has_tests(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(|it| {
        let name = it.file_name();
        let name = name.to_string_lossy();
        name.starts_with("test_") && name.ends_with(".py")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_those_of_the_project() {
        let folder = tempfile::tempdir().expect("a folder");
        let of = |kind| detect(kind, folder.path());
        assert_eq!(of(EndToEnd::Backend), None);
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        write("tests/e2e/test_orders.py", "def test_it(): pass\n");
        assert!(of(EndToEnd::Backend).is_some() && of(EndToEnd::Frontend).is_none());
        write("requirements.txt", "pytest-playwright\n");
        assert!(of(EndToEnd::Backend).is_none() && of(EndToEnd::Frontend).is_some());
        write("package.json", "{\"scripts\": {\"e2e\": \"node run.js\", \"test:browser\": \"node b.js\"}}");
        assert_eq!(of(EndToEnd::Frontend), None);
        assert_eq!(of(EndToEnd::Backend).expect("a script"), Ok("npm run e2e".to_owned()));
        assert_eq!(of(EndToEnd::Browser).expect("a script"), Ok("npm run test:browser".to_owned()));
        write("playwright.config.ts", "");
        assert_eq!(of(EndToEnd::Backend), None);
        assert_eq!(of(EndToEnd::Frontend).expect("a script"), Ok("npm run e2e".to_owned()));
        write("package.json", "{\"devDependencies\": {\"playwright\": \"1\"}}");
        assert!(of(EndToEnd::Frontend).expect("a configuration").is_err_and(|it| it.contains("not installed")));
        write("package.json", "{");
        assert!(of(EndToEnd::Frontend).expect("a manifest").is_err());
    }

    #[test]
    fn what_fails_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let run = |line: &str| {
            let settings = GateSettings {
                commands: [(EndToEnd::Backend.name(), line.to_owned())].into(),
                ..GateSettings::default()
            };
            end_to_end(EndToEnd::Backend, folder.path(), &settings, folder.path(), &Cancel::default()).remove(0)
        };
        assert_eq!(run("true").verdict, crate::events::GateVerdict::Pass);
        let failed = run("echo 'FAILED tests/e2e/test_a.py::test_b'; exit 1");
        assert_eq!(failed.errors, ["FAILED tests/e2e/test_a.py::test_b"]);
    }
}
