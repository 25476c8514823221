//! What people install and let run says the same everywhere: one version, one list of file kinds, actions pinned by hash.

use std::fs;

use crate::files::root;

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn every_package_has_the_version_of_the_program() {
    let version = env!("CARGO_PKG_VERSION");
    let hook = text("pyproject.toml");
    assert!(hook.contains(&format!("version = \"{version}\"\n")), "{hook}");
    assert!(hook.contains(&format!("dependencies = [\"treaty-scan=={version}\"]")), "{hook}");
    let package: serde_json::Value = serde_json::from_str(&text("packaging/npm/package.json")).expect("JSON");
    assert_eq!(package["version"], version);
    for (name, wanted) in package["optionalDependencies"].as_object().expect("packages with the program") {
        assert_eq!(wanted, version, "{name}");
    }
    for page in ["README.md", "docs/pipelines.md"] {
        assert!(text(page).contains(&format!("rev: v{version}\n")), "{page} names another version");
    }
    assert!(text("CHANGELOG.md").contains(&format!("## {version}")), "the changelog does not know {version}");
}

#[test]
fn both_hooks_run_for_the_same_files() {
    let hooks = text(".pre-commit-hooks.yaml");
    let files: Vec<&str> = hooks.lines().map(str::trim).filter(|line| line.starts_with("files: ")).collect();
    assert!(files.len() == 2 && files[0] == files[1], "{files:?}");
}

#[test]
fn actions_are_pinned_and_scripts_have_no_expressions() {
    for path in ["action.yml", ".github/workflows/ci.yml", ".github/workflows/release.yml", "src/cli/init/workflow.yml"]
    {
        let mut is_script = None;
        for line in text(path).lines() {
            let indent = line.len() - line.trim_start().len();
            let line = line.trim_start().trim_start_matches("- ");
            if is_script.is_some_and(|outer| indent <= outer && !line.is_empty()) {
                is_script = None;
            }
            if let Some(used) = line.strip_prefix("uses: ") {
                let pin = used.split_once('@').map(|(_, rest)| rest.split(' ').next().unwrap_or_default());
                let is_pinned = pin.is_some_and(|it| it.len() == 40 && it.chars().all(|c| c.is_ascii_hexdigit()));
                assert!(is_pinned || used.starts_with("./"), "{path}: {used}");
                assert!(!is_pinned || used.contains(" # v"), "{path}: which version is {used}?");
            }
            if line.starts_with("run: ") {
                is_script = Some(indent);
            }
            assert!(is_script.is_none() || !line.contains("${{"), "{path}: an expression in a script: {line}");
        }
    }
}

/// A workflow that says less than the gate would let a commit in that the gate holds.
#[test]
fn the_workflow_runs_the_gate() {
    assert!(text(".github/workflows/ci.yml").contains("run: .ci/run\n"));
    for part in [".ci/ship", ".ci/page"] {
        assert!(text(".ci/run").contains(&format!("    {part}\n")), "{part}");
    }
}
