//! Runs that ask engines: servers elsewhere, our own, and ones that are not there.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

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

/// A server of all three that is a script: it answers what lies beside it, by the name of the tool, or does `$call`.
fn faked(folder: &Path, call: &str) -> String {
    let script = format!(
        r#"cd "{}"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/^{{"jsonrpc":"2.0","id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"method":"initialize"'*) printf '{{"jsonrpc":"2.0","id":%s,"result":{{"protocolVersion":"2025-06-18","capabilities":{{}},"serverInfo":{{"name":"f","version":"1"}}}}}}\n' "$id" ;;
    *'"method":"tools/call"'*) tool=$(printf '%s' "$line" | sed -n 's/.*"params":{{"name":"\([a-z_]*\)".*/\1/p'); {call} ;;
  esac
done
"#,
        folder.display()
    );
    fs::write(folder.join("server.sh"), script).expect("a script");
    let path = folder.join("server.sh").display().to_string();
    ["contract-engine", "codebase-intelligence", "architect"]
        .map(|it| {
            format!("[{it}]\nenabled = true\nmcp-command = \"sh\"\nmcp-args = [\"{path}\"]\ntool-timeout-ms = 400\n")
        })
        .concat()
}

/// 000: the whole pipeline with faked servers, whose answers have the forms of older engines.
#[test]
fn a_run_takes_what_faked_servers_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let answers = r#"printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$(cat $tool.json)""#;
    let project = Project::with(AGENT, &faked(folder.path(), answers));
    let text = json!({ "type": "string" });
    let entry = json!({ "type": "object", "properties": { "id": text, "text": text }, "required": ["id", "text"] });
    let answered = json!({ "description": "ok", "content": { "application/json": { "schema": { "type": "array", "items": entry } } } });
    let document = |version: &str| {
        json!({
            "openapi": "3.1.0",
            "info": { "title": "Diary", "version": version },
            "paths": { "/entries": { "get": { "responses": { "200": answered } } } },
        })
    };
    let mut stub = document("0.0.1");
    stub["type"] = json!("openapi");
    stub["service_id"] = json!("diary-service");
    let service = json!({
        "name": "diary-service", "domain": "diary", "description": "", "estimated_loc": 100, "is_frontend": false,
        "stack": { "language": "Python", "framework": "FastAPI", "database": null, "message_broker": null },
        "owns_entities": ["Entry"], "provides_contracts": ["diary-service-api"], "consumes_contracts": [],
    });
    let decomposition = json!({
        "service_map": { "project_name": "Faked", "services": [service], "prd_hash": "0", "generated_at": null, "build_cycle_id": null },
        "domain_model": { "entities": [{ "name": "Entry", "description": "", "owning_service": "diary-service", "fields": [], "state_machine": null }], "relationships": [], "generated_at": null },
        "contract_stubs": [stub],
        "validation_issues": [],
        "interview_questions": ["What about drafts?"],
    });
    let listed = json!({ "id": "7", "contract_type": "openapi", "type": "openapi", "version": "9.9.9", "service_name": "diary-service" });
    let mut whole = listed.clone();
    whole["spec"] = document("9.9.9");
    let interface =
        json!({ "endpoints": [{ "method": "GET", "path": "/seen" }], "events_published": [], "events_consumed": [] });
    for (tool, answer) in [
        ("decompose", decomposition),
        ("list_contracts", json!({ "items": [listed], "total": 1, "page": 1, "page_size": 100 })),
        ("get_contract", whole),
        ("get_service_interface", interface),
        ("search_semantic", json!([{ "file_path": "a.py", "lines": [1, 2], "content": "x", "score": 0.5 }])),
        ("check_dead_code", json!([])),
        ("register_artifact", json!({ "indexed": true, "symbols_found": 1, "dependencies_found": 0, "errors": [] })),
    ] {
        let result = json!({ "content": [{ "type": "text", "text": answer.to_string() }] });
        fs::write(folder.path().join(format!("{tool}.json")), result.to_string()).expect("an answer");
    }
    let out = run(&project);
    ends(&out, 0);
    assert_eq!(events(&project, "decomposed")[0]["fallback"], json!(false), "{}", said(&out));
    assert!(exported(&project, "MASTER_PLAN.md").contains("Faked"));
    assert!(exported(&project, "QUESTIONS.md").contains("What about drafts?"));
    assert!(project.file("contracts/diary-service-api.json").contains("9.9.9"), "the engine's, and not the stub");
    assert!(
        exported(&project, "CODEBASE_MAP.md").contains("- `GET /seen` \n"),
        "{}",
        exported(&project, "CODEBASE_MAP.md")
    );
    let state: Value = serde_json::from_str(&exported(&project, "STATE.json")).expect("JSON");
    let registered = state["registered_artifacts"].as_array().expect("a list").len();
    assert_eq!(registered, 5, "every new file below a service: {state}");
}

/// 000: engines that die, hang, refuse and talk nonsense in the middle of a run change nothing of what it makes.
#[test]
fn engines_that_fail_in_the_middle_of_a_run_leave_it_with_what_treaty_knows_itself() {
    let made = |it: &Project| {
        let names = it.git(&["ls-tree", "-r", &it.tree()]);
        names.lines().filter(|it| !it.ends_with("treaty.toml")).map(str::to_owned).collect::<Vec<_>>()
    };
    let alone = Project::new(AGENT);
    ends(&run(&alone), 0);
    let result = |it: &str| format!("printf '{{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}}\\n' \"$id\" '{it}'");
    let refusal = result("{\"content\":[{\"type\":\"text\",\"text\":\"no\"}],\"isError\":true}");
    let nonsense = result("{\"content\":[{\"type\":\"text\",\"text\":\"{]\"}]}");
    let calls = [
        ("exit 1", "the server ended"),
        ("sleep 600", "no answer within"),
        (&refusal, ": no"),
        (&nonsense, "not what it should be"),
    ];
    thread::scope(|scope| {
        for (call, why) in calls {
            let (alone, made) = (&alone, &made);
            scope.spawn(move || {
                let folder = tempfile::tempdir().expect("a folder");
                let project = Project::with(AGENT, &faked(folder.path(), call));
                ends(&run(&project), 0);
                assert_eq!(made(&project), made(alone), "{call}");
                let decomposed = &events(&project, "decomposed")[0];
                assert_eq!(decomposed["fallback"], json!(true), "{call}");
                let warning = decomposed["warning"].as_str().expect("a reason");
                assert!(warning.contains(why), "{call}: {warning}");
                for phase in ["contracts", "codebase_map"] {
                    assert!(note(&project, phase).contains(why), "{phase}: {}", note(&project, phase));
                }
                assert!(exported(&project, "CODEBASE_MAP.md").contains("by their names alone"), "{call}");
                let registered = events(&project, "artifacts_registered");
                assert!(registered.iter().all(|it| it["files"] == json!([])), "{call}");
                assert!(registered.iter().any(|it| it["warning"].is_string()), "{call}");
            });
        }
    });
}

/// 000: with everything off, a run and a scan are what they are without the tables.
#[test]
fn tables_that_are_switched_off_change_nothing() {
    let off = "[contract-engine]\n[codebase-intelligence]\nenabled = false\nmcp-command = \"sh\"\nmcp-args = [\"-c\", \"touch started\"]\n[architect]\nenabled = false\n";
    let (with, without) = (Project::with(AGENT, off), Project::new(AGENT));
    let kinds = |project: &Project| {
        ends(&run(project), 0);
        let replayed = String::from_utf8_lossy(&project.treaty(&["replay", "--json"]).stdout).into_owned();
        let events = replayed.lines().map(|it| serde_json::from_str::<Value>(it).expect("JSON"));
        let mut kinds: Vec<String> = events.map(|it| it["event_type"].to_string()).collect();
        kinds.sort();
        kinds
    };
    assert_eq!(kinds(&with), kinds(&without));
    assert!(!with.root().join(".agent-team/CODEBASE_MAP.md").exists() && !with.root().join("started").exists());
    let scanned = |settings: &str| {
        fs::write(with.root().join("treaty.toml"), settings).expect("settings");
        fs::write(with.root().join("main.py"), APP).expect("code");
        let mut scan = Command::new(env!("CARGO_BIN_EXE_treaty"));
        scan.args(["scan", ".", "--format", "json"])
            .current_dir(with.root())
            .output()
            .expect("the program starts")
            .stdout
    };
    let (bare, switched) = (scanned(""), scanned(off));
    assert!(!bare.is_empty());
    assert_eq!(String::from_utf8_lossy(&bare), String::from_utf8_lossy(&switched));
}
