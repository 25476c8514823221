//! Which commands a project has, by the files that are there.

use std::cell::LazyCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ignore::WalkBuilder;
use serde_json::Value;

use super::{Gate, GateSettings};
use crate::technologies::packages;

/// A gate and how it is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    pub gate: Gate,
    pub command: Option<String>,
    /// Why there is no command.
    pub note: String,
}

/// A kind of project: the file that tells it, the program that its commands need, and the commands.
struct Ecosystem {
    marker: &'static str,
    program: &'static str,
    commands: &'static [(Gate, &'static str)],
}

/// Those whose commands are the same in every project. Python and Node are read from their manifests.
const PLAIN: [Ecosystem; 7] = [
    Ecosystem {
        marker: "go.mod",
        program: "go",
        commands: &[
            (Gate::Tests, "go test ./..."),
            (Gate::Typecheck, "go vet ./..."),
            (Gate::Lint, "golangci-lint run"),
            (Gate::Security, "gosec ./..."),
            (Gate::Coverage, "go test -coverprofile=/dev/null ./..."),
        ],
    },
    Ecosystem {
        marker: "Cargo.toml",
        program: "cargo",
        commands: &[
            (Gate::Tests, "cargo test --quiet"),
            (Gate::Typecheck, "cargo check --quiet"),
            (Gate::Lint, "cargo clippy --quiet"),
            (Gate::Security, "cargo audit"),
        ],
    },
    Ecosystem {
        marker: "*.csproj",
        program: "dotnet",
        commands: &[(Gate::Tests, "dotnet test --nologo"), (Gate::Typecheck, "dotnet build --nologo")],
    },
    Ecosystem { marker: "pom.xml", program: "./mvnw", commands: &[(Gate::Tests, "./mvnw --quiet test")] },
    Ecosystem { marker: "build.gradle", program: "./gradlew", commands: &[(Gate::Tests, "./gradlew test")] },
    Ecosystem { marker: "Gemfile", program: "bundle", commands: &[(Gate::Tests, "bundle exec rspec")] },
    Ecosystem {
        marker: "composer.json",
        program: "vendor/bin/phpunit",
        commands: &[(Gate::Tests, "vendor/bin/phpunit")],
    },
];

/// The enabled gates of a folder, in their order, each with its command or with the reason why it has none.
pub fn detect(folder: &Path, settings: &GateSettings) -> Vec<Planned> {
    let mut gates = settings.enabled.clone();
    gates.sort_unstable();
    gates.dedup();
    // All gates of a folder are those of one kind, and where all have commands of their own, nobody asks for it.
    let kind = LazyCell::new(|| Kind::of(folder));
    let plan = |gate: Gate| match settings.commands.get(gate.name()) {
        Some(line) => Planned { gate, command: Some(line.clone()), note: String::new() },
        None => match found(folder, kind.as_ref(), gate) {
            Ok(line) => Planned { gate, command: Some(line), note: String::new() },
            Err(note) => Planned { gate, command: None, note },
        },
    };
    gates.into_iter().map(plan).collect()
}

/// What a folder holds a project of, by its files.
enum Kind {
    Node,
    Python,
    Plain(&'static Ecosystem),
}

impl Kind {
    fn of(folder: &Path) -> Option<Kind> {
        let has_one = |names: &[&str]| names.iter().any(|it| folder.join(it).is_file());
        if has_one(&["package.json"]) {
            return Some(Kind::Node);
        }
        if has_one(&["pyproject.toml", "pytest.ini", "setup.py", "requirements.txt"]) {
            return Some(Kind::Python);
        }
        PLAIN.iter().find(|it| has(folder, it.marker)).map(Kind::Plain)
    }
}

fn found(folder: &Path, kind: Option<&Kind>, gate: Gate) -> Result<String, String> {
    let ecosystem = match kind {
        Some(Kind::Node) => return node(folder, gate),
        Some(Kind::Python) => return python(folder, gate),
        Some(Kind::Plain(ecosystem)) => ecosystem,
        None => return Err("no kind of project that is known".to_owned()),
    };
    let line = ecosystem.commands.iter().find(|it| it.0 == gate);
    let Some((_, line)) = line else {
        return Err(format!("projects with {} have no command for it", ecosystem.marker));
    };
    let own = line.split(' ').next().unwrap_or(ecosystem.program);
    let cargo_tool = own == "cargo" && matches!(gate, Gate::Lint | Gate::Security);
    let needed =
        if cargo_tool { format!("cargo-{}", line.split(' ').nth(1).unwrap_or_default()) } else { own.to_owned() };
    if on_path(folder, &needed).is_none() {
        return Err(format!("{needed} is not installed"));
    }
    Ok((*line).to_owned())
}

fn node(folder: &Path, gate: Gate) -> Result<String, String> {
    let manifest = fs::read_to_string(folder.join("package.json")).unwrap_or_default();
    let manifest: Value = serde_json::from_str(&manifest).map_err(|error| format!("package.json: {error}"))?;
    if on_path(folder, "npm").is_none() {
        return Err("npm is not installed".to_owned());
    }
    if let Some(reason) = packages_missing(folder, &manifest) {
        return Err(reason);
    }
    if matches!(gate, Gate::Tests | Gate::Coverage) && !has_tests(folder) {
        return Err(NO_TESTS.to_owned());
    }
    let script = |name: &str| manifest["scripts"][name].as_str().filter(|it| !it.contains("no test specified"));
    match gate {
        Gate::Tests if script("test").is_some() => Ok("npm test".to_owned()),
        Gate::Typecheck if folder.join("tsconfig.json").is_file() => Ok("npx --no-install tsc --noEmit".to_owned()),
        Gate::Lint if script("lint").is_some() => Ok("npm run lint".to_owned()),
        Gate::Security => Ok("npm audit --audit-level=moderate".to_owned()),
        Gate::Coverage if script("test").is_some() => Ok("npm test -- --coverage".to_owned()),
        _ => Err("package.json has no script for it".to_owned()),
    }
}

/// Runners fail where they find nothing to run, and the tests of a service may be a later task.
const NO_TESTS: &str = "there are no tests yet";

/// Whether a file below a folder is called like a test of Python or Node.
fn has_tests(folder: &Path) -> bool {
    let mut walk = WalkBuilder::new(folder);
    // What lies above the checkout is not its own: its rules may leave all of it out.
    walk.parents(false).git_global(false).follow_links(false);
    walk.filter_entry(|it| !["node_modules", "dist", "build"].iter().any(|name| it.file_name() == *name));
    walk.build().flatten().filter(|it| it.file_type().is_some_and(|it| it.is_file())).any(|it| {
        let name = it.file_name().to_string_lossy();
        let stem = name.split('.').next().unwrap_or_default();
        let folder = it.path().parent().and_then(Path::file_name).unwrap_or_default();
        name.contains(".test.")
            || name.contains(".spec.")
            || folder == "__tests__"
            || (name.ends_with(".py") && (stem.starts_with("test_") || stem.ends_with("_test")))
            || (!name.ends_with(".py") && ["test", "tests"].contains(&stem))
    })
}

/// Why commands of a Node project cannot be run, where it needs packages and has none.
pub(super) fn packages_missing(folder: &Path, manifest: &Value) -> Option<String> {
    let needs =
        ["dependencies", "devDependencies"].iter().any(|it| manifest[*it].as_object().is_some_and(|it| !it.is_empty()));
    let has = folder.ancestors().take(3).any(|it| it.join("node_modules").is_dir());
    (needs && !has).then(|| "the packages are not installed: set `setup = \"npm ci\"` in [gates]".to_owned())
}

fn python(folder: &Path, gate: Gate) -> Result<String, String> {
    let (module, line) = match gate {
        Gate::Tests => ("pytest", "python3 -m pytest -q"),
        Gate::Typecheck => ("mypy", "python3 -m mypy ."),
        Gate::Lint => ("ruff", "python3 -m ruff check ."),
        Gate::Security => ("bandit", "python3 -m bandit -ll -r ."),
        Gate::Coverage => ("pytest_cov", "python3 -m pytest -q --cov"),
    };
    let text = fs::read_to_string(folder.join("pyproject.toml")).unwrap_or_default();
    let manifest: toml::Table = text.parse().map_err(|error| format!("pyproject.toml: {error}"))?;
    // Types and style are a project's own wish.
    let tool = manifest.get("tool").and_then(|it| it.get(module));
    if matches!(gate, Gate::Typecheck | Gate::Lint) && tool.is_none() {
        return Err(format!("pyproject.toml has no [tool.{module}]"));
    }
    let packages = packages("pyproject.toml", &text).map_err(|error| format!("pyproject.toml: {error}"))?;
    let mut needed: Vec<String> = packages.into_iter().filter(|it| !it.is_for_development).map(|it| it.name).collect();
    needed.push(module.replace('_', "-"));
    let options = manifest.get("tool").and_then(|it| it.get("pytest")?.get("ini_options"));
    let has_own_names = options.is_some_and(|it| it.get("python_files").is_some());
    if matches!(gate, Gate::Tests | Gate::Coverage) && !has_own_names && !has_tests(folder) {
        return Err(NO_TESTS.to_owned());
    }
    match missing(folder, &needed) {
        Ok(missing) if missing.is_empty() => Ok(line.to_owned()),
        Ok(missing) => Err(format!(
            "{} is not installed: set `setup` in [gates] to a command that installs it",
            missing.join(", ")
        )),
        Err(why) => Err(why),
    }
}

/// Distributions that this Python does not have.
pub(super) fn missing(folder: &Path, names: &[String]) -> Result<Vec<String>, String> {
    let script = "import sys, importlib.metadata as m\nfor n in sys.argv[1:]:\n    try: m.version(n)\n    except m.PackageNotFoundError: print(n)";
    let out =
        Command::new("python3").args(["-c", script]).args(names).current_dir(folder).stdin(Stdio::null()).output();
    let out = out.map_err(|_| "python3 is not installed".to_owned())?;
    if !out.status.success() {
        return Err("python3 cannot tell what is installed".to_owned());
    }
    Ok(String::from_utf8_lossy(&out.stdout).lines().map(str::to_owned).collect())
}

fn has(folder: &Path, marker: &str) -> bool {
    match marker.strip_prefix('*') {
        None => folder.join(marker).is_file(),
        Some(ending) => fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().ends_with(ending)),
    }
}

/// The file of a program: in `folder` where the name is a path, else in a folder of `PATH`.
pub fn on_path(folder: &Path, program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(folder.join(program)).filter(|it| it.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|it| it.join(program)).find(|it| it.is_file())
}
