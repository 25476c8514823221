//! `treaty init`: what it finds, what it writes, and what it leaves alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::files::root;

fn git(folder: &Path, arguments: &[&str]) {
    let ended = Command::new("git").args(arguments).current_dir(folder).output().expect("git starts");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
}

/// What the program prints, both streams, with its exit code.
fn treaty(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let ended = Command::new(env!("CARGO_BIN_EXE_treaty")).args(arguments).current_dir(folder).output();
    let ended = ended.expect("the program starts");
    let text = [ended.stdout, ended.stderr].concat();
    (ended.status.code().expect("it ends by itself"), String::from_utf8(text).expect("text"))
}

fn copy(from: &str, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(root().join(from)).expect("the fixture is there").flatten() {
        let name = entry.file_name().into_string().expect("a plain name");
        if entry.path().is_dir() {
            copy(&format!("{from}/{name}"), &to.join(name));
        } else {
            fs::copy(entry.path(), to.join(name)).expect("a copy");
        }
    }
}

/// Two services, one of them in a folder with a space.
fn monorepo() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    git(folder.path(), &["init", "--quiet"]);
    copy("fixtures/kiosk", &folder.path().join("services/kiosk"));
    copy("fixtures/clean", &folder.path().join("services/the tasks"));
    folder
}

fn all(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).expect("a folder").flatten().filter(|it| it.file_name() != ".git") {
            if entry.path().is_dir() {
                open.push(entry.path());
            } else {
                found.insert(entry.path().display().to_string(), fs::read(entry.path()).expect("a file"));
            }
        }
    }
    found
}

fn findings(folder: &Path) -> Vec<serde_json::Value> {
    let (_, text) = treaty(folder, &["scan", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    report["findings"].as_array().expect("findings").clone()
}

#[test]
fn what_was_found_is_written_and_changes_nothing() {
    let folder = monorepo();
    let before = findings(folder.path());
    let (code, said) = treaty(folder.path(), &["init"]);
    assert_eq!(code, 0, "{said}");
    insta::assert_snapshot!(said);
    insta::assert_snapshot!("settings", fs::read_to_string(folder.path().join("treaty.toml")).expect("settings"));
    let hook = fs::read_to_string(folder.path().join(".pre-commit-config.yaml")).expect("a hook");
    insta::assert_snapshot!("hook", hook.replace(env!("CARGO_PKG_VERSION"), "[version]"));
    assert!(before.len() == 2 && before == findings(folder.path()));
    let (_, report) = treaty(folder.path(), &["scan", "--format", "json", "--verbose"]);
    assert!(!report.contains("treaty.schema.json"), "what editors read is no contract: {report}");
    let schema =
        fs::read_to_string(folder.path().join("treaty.schema.json")).expect("the schema that the settings name");
    assert_eq!(treaty(folder.path(), &["config", "schema"]), (0, schema));
    // Again: nothing is written, and it says so.
    let written = all(folder.path());
    let (code, said) = treaty(folder.path(), &["init"]);
    assert!(code == 0 && !said.contains("wrote"), "{said}");
    assert_eq!(written, all(folder.path()));
}

#[test]
fn what_is_there_stays_and_is_told() {
    let folder = monorepo();
    let own = "repos: []\n";
    fs::write(folder.path().join(".pre-commit-config.yaml"), own).expect("a file");
    fs::write(folder.path().join(".gitlab-ci.yml"), "stages: []\n").expect("a file");
    fs::write(folder.path().join("treaty.toml"), "fail-on = \"never\"\n").expect("a file");
    let before = all(folder.path());
    let (code, said) = treaty(folder.path(), &["init"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(before, all(folder.path()), "{said}");
    for told in ["your settings stay", "add below `repos:`", "- id: treaty", "GitLab"] {
        assert!(said.contains(told), "no {told}: {said}");
    }
}

#[test]
fn settings_of_a_folder_below_the_root_have_its_own_paths() {
    let folder = monorepo();
    let (code, said) = treaty(folder.path(), &["init", "--root", "services/kiosk"]);
    assert_eq!(code, 0, "{said}");
    let settings = fs::read_to_string(folder.path().join("services/kiosk/treaty.toml")).expect("settings");
    assert!(settings.contains("root = \".\"\ncontracts = [\"openapi.yaml\"]\n"), "{settings}");
    assert!(folder.path().join(".pre-commit-config.yaml").exists(), "hooks are of the repository: {said}");
    assert_eq!(findings(folder.path()).len(), 2, "settings of a folder are no mistake for a scan of all");
    assert_eq!(findings(&folder.path().join("services/kiosk")).len(), 2);
}

#[test]
fn where_nothing_is_found_it_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, said) = treaty(folder.path(), &["init"]);
    assert!(code == 0 && said.contains("found no service") && said.contains("no git repository"), "{said}");
    let (code, said) = treaty(folder.path(), &["scan"]);
    assert!(!said.contains("treaty.toml"), "settings that cannot be read: {code} {said}");
    let (code, said) = treaty(folder.path(), &["init", "--root", "nowhere"]);
    assert!(code == 2 && said.contains("no folder"), "{said}");
}
