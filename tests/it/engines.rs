//! Runs that ask engines: servers elsewhere, our own, and ones that are not there.
#![cfg(unix)]

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::orchestrate::{AGENT, APP, Project, ends, said};

/// The tables of three engines with a server of the one program, named by `$server`.
fn tables(command: &str, arguments: &str) -> String {
    let table = |name: &str, server: &str| {
        let arguments = arguments.replace("$server", server);
        format!("[{name}]\nenabled = true\nmcp-command = \"{command}\"\nmcp-args = [{arguments}]\n")
    };
    let names = [("contract-engine", "contract-engine"), ("codebase-intelligence", "codebase-intelligence")];
    names.into_iter().chain([("architect", "architect")]).map(|(name, server)| table(name, server)).collect()
}

/// Our own servers as if they were somebody else's: each start is noted.
fn elsewhere(project: &str) -> String {
    let script = format!(
        "echo $server >> {project}/starts; exec '{}' mcp serve $server --database {project}/$server.db",
        env!("CARGO_BIN_EXE_treaty")
    );
    tables("sh", &format!("\"-c\", \"{script}\""))
}

fn events(project: &Project, kind: &str) -> Vec<Value> {
    let replayed = project.treaty(&["replay", "--json"]);
    let lines = String::from_utf8_lossy(&replayed.stdout).into_owned();
    let all = lines.lines().map(|it| serde_json::from_str::<Value>(it).expect("JSON"));
    all.filter(|it| it["event_type"] == kind).map(|it| it["data"].clone()).collect()
}

fn note(project: &Project, phase: &str) -> String {
    let ended = events(project, "phase_finished").into_iter().find(|it| it["phase"] == phase).expect("the phase ended");
    ended["note"].as_str().expect("a note").to_owned()
}

fn exported(project: &Project, name: &str) -> String {
    fs::read_to_string(project.root().join(".agent-team").join(name)).expect("exported")
}

fn run(project: &Project) -> std::process::Output {
    project.treaty(&["../DIARY.md", "--backend", "command"])
}

/// 000, and 001 P1: servers absent, so what treaty knows by itself stands in for each of them.
#[test]
fn engines_that_are_absent_leave_a_run_with_what_treaty_knows_itself() {
    let alone = Project::new(AGENT);
    ends(&run(&alone), 0);
    let project = Project::with(AGENT, &tables("treaty-no-such-server", "\"$server\""));
    let out = run(&project);
    ends(&out, 0);
    let gone = "is not connected: `treaty-no-such-server ";
    let decomposed = events(&project, "decomposed");
    assert_eq!((decomposed.len(), &decomposed[0]["fallback"]), (1, &json!(true)));
    assert!(decomposed[0]["warning"].as_str().expect("a reason").contains(gone), "{decomposed:?}");
    assert!(said(&out).contains("the own decomposition"), "{}", said(&out));
    assert!(note(&project, "contracts").contains(gone), "{}", note(&project, "contracts"));
    assert!(note(&project, "codebase_map").contains(gone));
    assert_eq!(
        exported(&project, "CODEBASE_MAP.md"),
        "# Codebase map\n\n1 files, by their names alone.\n\n## .\n\n- treaty.toml\n"
    );
    let registered = events(&project, "artifacts_registered");
    assert_eq!(registered.len(), 4, "one of each task");
    assert!(registered.iter().all(|it| it["files"] == json!([])));
    let made = |it: &Project| {
        let names = it.git(&["ls-tree", "-r", &it.tree()]);
        names.lines().filter(|it| !it.ends_with("treaty.toml")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(made(&project), made(&alone), "the run makes the same");
}

/// 001, P1: the contract engine is away, and what breaks the SVC rows of the requirements is found all the same.
#[test]
fn without_a_contract_engine_the_rows_of_the_requirements_are_what_the_code_is_held_against() {
    let table = "[contract-engine]\nenabled = true\nmcp-command = \"treaty-no-such-server\"\n";
    let wrong = "d=services/diary-service\necho done > $d/$TREATY_TASK.txt\nsed 's/text: str/body: str/' \"$APP\" > $d/main.py\n";
    let project = Project::with(wrong, table);
    let rows = "# Diary\n\n## Services\n\n| Service | Stack | Responsibility |\n|---|---|---|\n| diary-service | Python, FastAPI | Keeps what people write |\n\n## diary-service\n\n| ID | Service.Method | Path | Method | Request | Response |\n|---|---|---|---|---|---|\n| SVC-001 | DiaryService.list | /entries | GET | - | Entry[] { id: string, text: string } |\n";
    fs::write(project.path("DIARY.md"), rows).expect("requirements");
    let out = run(&project);
    ends(&out, 1);
    assert!(note(&project, "contracts").contains("not connected"), "{}", said(&out));
    let judged = events(&project, "attempt_judged");
    let found = judged.iter().flat_map(|it| it["verdict"]["findings"].as_array().cloned().unwrap_or_default());
    assert!(found.into_iter().any(|it| it["rule"] == "CONTRACT-001"), "{judged:?}");
}

/// Contracts, map, plan and new files by servers that are processes.
#[test]
fn engines_elsewhere_are_asked_in_the_place_of_our_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().display().to_string();
    let old = "[[service]]\nname = \"old-service\"\nroot = \"services/old\"\n";
    let project = Project::with(AGENT, &(elsewhere(&place) + old));
    let document = json!({
        "openapi": "3.1.0",
        "info": { "title": "Diary", "version": "9.9.9" },
        "paths": { "/entries": { "get": { "responses": { "200": { "description": "ok" } } } } },
    });
    fs::write(folder.path().join("agreed.json"), document.to_string()).expect("a file");
    let added = Command::new(env!("CARGO_BIN_EXE_treaty"))
        .args(["contract", "add", "agreed.json", "--service", "diary-service", "--database", "contract-engine.db"])
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    ends(&added, 0);
    // There is code already, which the index knows.
    fs::create_dir_all(project.root().join("services/old")).expect("a folder");
    fs::write(project.root().join("services/old/main.py"), APP.replace("/entries", "/old")).expect("code");
    project.git(&["add", "."]);
    project.git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "old"]);
    let out = run(&project);
    ends(&out, 0);
    let starts = fs::read_to_string(folder.path().join("starts")).expect("servers were started");
    let count = |name: &str| starts.lines().filter(|it| *it == name).count();
    assert_eq!((count("architect"), count("contract-engine")), (1, 1), "one session a phase");
    assert_eq!(count("codebase-intelligence"), 2, "one for the map, one for all that is registered");
    let decomposed = events(&project, "decomposed");
    assert_eq!((&decomposed[0]["fallback"], &decomposed[0]["warning"]), (&json!(false), &Value::Null));
    assert!(note(&project, "contracts").contains("diary-service-api from the contract engine"), "{}", said(&out));
    assert!(project.file("contracts/diary-service-api.json").contains("9.9.9"));
    let map = exported(&project, "CODEBASE_MAP.md");
    assert!(map.contains("## Service `old-service`\n\n- `GET /old` list_entries (services/old/main.py:14)"), "{map}");
    assert!(map.contains("## What the requirements speak of\n\n- services/old/main.py:13-15 "), "{map}");
    let state: Value = serde_json::from_str(&exported(&project, "STATE.json")).expect("JSON");
    assert_eq!(state["registered_artifacts"], json!(["services/diary-service/main.py"]));
    assert_eq!(project.git(&["worktree", "list"]).lines().count(), 1, "no worktree is left");
}

/// The same by our own engines, for which no process is started; and nothing is done twice after a kill.
#[test]
fn our_own_engines_are_asked_without_a_process_and_nothing_twice() {
    let enabled =
        "[contract-engine]\nenabled = true\n[codebase-intelligence]\nenabled = true\n[architect]\nenabled = true\n";
    let undisturbed = Project::with(AGENT, enabled);
    ends(&run(&undisturbed), 0);
    assert_eq!(events(&undisturbed, "decomposed")[0]["fallback"], json!(false));
    assert_eq!(note(&undisturbed, "codebase_map"), "from the index");
    let state = |it: &Project| serde_json::from_str::<Value>(&exported(it, "STATE.json")).expect("JSON");
    let registered = state(&undisturbed)["registered_artifacts"].clone();
    assert_eq!(registered, json!(["services/diary-service/main.py"]));
    let all = String::from_utf8_lossy(&undisturbed.treaty(&["replay", "--json"]).stdout).lines().count();
    for at in (2..all).step_by(17) {
        let project = Project::with(AGENT, enabled);
        let mut killed = project.command(&["../DIARY.md", "--backend", "command"]);
        let killed = killed.env("TREATY_TEST_KILL_AFTER", at.to_string()).output().expect("the program starts");
        assert_eq!(killed.status.code(), None, "killed after event {at}: {}", said(&killed));
        ends(&project.treaty(&["resume"]), 0);
        assert_eq!(project.tree(), undisturbed.tree(), "killed after event {at}");
        assert_eq!(state(&project)["registered_artifacts"], registered, "killed after event {at}");
        assert_eq!(events(&project, "decomposed").len(), 1, "killed after event {at}");
    }
}
