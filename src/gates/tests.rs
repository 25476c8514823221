//! Gates of small projects, with the commands really run.

use std::fs;

use super::*;

fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

fn only(gate: Gate, command: Option<&str>) -> GateSettings {
    let mut settings = GateSettings { enabled: vec![gate], ..GateSettings::default() };
    settings.commands.extend(command.map(|it| (gate.name(), it.to_owned())));
    settings
}

#[test]
fn an_unknown_project_is_skipped_and_not_passed() {
    let folder = project(&[("README.md", "")]);
    let results = run(folder.path(), None, &GateSettings::default(), folder.path(), &Cancel::default());
    assert_eq!(results.len(), 3);
    assert!(results.iter().all(|it| it.verdict == GateVerdict::Skipped && !it.note.is_empty()));
}

#[test]
fn packages_that_are_not_installed_are_said() {
    let folder = project(&[("package.json", r#"{"scripts": {"test": "x"}, "dependencies": {"express": "5"}}"#)]);
    let result = &run(folder.path(), None, &only(Gate::Tests, None), folder.path(), &Cancel::default())[0];
    assert_eq!(result.verdict, GateVerdict::Skipped);
    assert!(result.note.contains("not installed"), "{}", result.note);
}

#[test]
fn tests_that_are_not_written_yet_do_not_fail() {
    let of = |files: &[(&str, &str)]| {
        let folder = project(files);
        run(folder.path(), None, &only(Gate::Tests, None), folder.path(), &Cancel::default()).remove(0)
    };
    let manifest = ("package.json", r#"{"scripts": {"test": "exit 3"}}"#);
    if detect::on_path(std::path::Path::new("."), "npm").is_some() {
        let none = of(&[manifest, ("src/app.ts", ""), ("node_modules/x/a.test.js", "")]);
        assert_eq!((none.verdict, none.note.as_str()), (GateVerdict::Skipped, "there are no tests yet"));
        for file in ["src/app.test.ts", "spec/app.spec.js", "__tests__/app.js", "test.js"] {
            assert_eq!(of(&[manifest, (file, "")]).verdict, GateVerdict::Fail, "{file}");
        }
    }
    let manifest = ("pyproject.toml", "[project]\nname = \"x\"\n");
    assert!(of(&[manifest, ("app.py", ""), ("testing.py", "")]).note.contains("no tests yet"));
    for file in ["tests/test_app.py", "app_test.py"] {
        assert!(!of(&[manifest, (file, "")]).note.contains("no tests yet"), "{file}");
    }
}

#[cfg(unix)]
#[test]
fn a_command_passes_fails_halts_or_takes_too_long() {
    let folder = project(&[("a", "")]);
    let verdict = |gate: Gate, command: &str| {
        let mut settings = only(gate, Some(command));
        settings.limit = Duration::from_millis(500);
        run(folder.path(), None, &settings, &folder.path().join("logs"), &Cancel::default()).remove(0)
    };
    assert_eq!(verdict(Gate::Tests, "true").verdict, GateVerdict::Pass);
    let failed =
        verdict(Gate::Tests, "echo 'FAILED tests/a.py::b - assert 1 == 2'; echo '2 failed, 3 passed in 0.1s'; exit 1");
    assert_eq!((failed.verdict, failed.error_count), (GateVerdict::Fail, 2));
    assert_eq!(failed.errors, ["FAILED tests/a.py::b - assert 1 == 2"]);
    assert_eq!(verdict(Gate::Security, "echo '1 critical'; exit 1").verdict, GateVerdict::Halt);
    assert_eq!(verdict(Gate::Security, "echo '1 high'; exit 1").verdict, GateVerdict::Fail);
    assert!(verdict(Gate::Lint, "sleep 60").errors[0].contains("longer"));
}

#[cfg(unix)]
#[test]
fn what_a_setup_cannot_do_fails() {
    let folder = project(&[("a", "")]);
    let mut settings = only(Gate::Tests, Some("true"));
    settings.setup = Some("exit 3".to_owned());
    let results = run(folder.path(), None, &settings, folder.path(), &Cancel::default());
    assert_eq!(results.len(), 1);
    assert_eq!((results[0].gate.as_str(), results[0].verdict), ("setup", GateVerdict::Fail));
}
