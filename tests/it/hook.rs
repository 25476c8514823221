//! `treaty hook`, with payloads as Claude Code 2.1.330 sends them, shortened.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

const STOP: &str = r#"{"session_id": "2c68", "cwd": "/p", "hook_event_name": "Stop", "stop_hook_active": false,
    "last_assistant_message": "ALL DONE", "background_tasks": []}"#;
const STOP_AGAIN: &str = r#"{"session_id": "2c68", "hook_event_name": "Stop", "stop_hook_active": true}"#;
const COMPLETED: &str = r#"{"session_id": "2c68", "hook_event_name": "TaskCompleted", "task_id": "1",
    "task_subject": "TASK-002: the routes", "task_description": "do them"}"#;
const IDLE: &str = r#"{"session_id": "7345", "permission_mode": "acceptEdits", "agent_id": "acoder-04",
    "hook_event_name": "TeammateIdle", "teammate_name": "coder", "team_name": "session-7345f4a2"}"#;
const ASKS: &str = r#"{"session_id": "2c68", "permission_mode": "default", "hook_event_name": "PermissionRequest",
    "tool_name": "Bash", "tool_input": {"command": "rm -rf /"}, "agent_type": "coder"}"#;
const START: &str = r#"{"session_id": "2c68", "cwd": "/p", "hook_event_name": "SessionStart", "source": "startup"}"#;

/// A payload of a tool that wrote a file.
fn wrote(path: &str) -> String {
    let payload = json!({"session_id": "2c68", "cwd": "/w/app/deeper", "hook_event_name": "PostToolUse", "tool_name": "Write",
        "tool_input": {"file_path": path, "content": "secret"}, "tool_response": {"type": "create"}, "duration_ms": 13});
    payload.to_string()
}

/// A run in which the task TASK-002 was refused, TASK-003 is worked on, and TASK-004 waits for somebody.
fn gate() -> Value {
    json!({"run": "r", "open": 3, "first_open": ["TASK-002", "TASK-003", "TASK-004"], "ready": ["TASK-004"],
        "refused": [{"task": "TASK-002", "reasons": ["`pytest` fails"]}],
        "active": [{"task": "TASK-003", "worktree": "/w", "scope": {"allowed": ["app/**"], "forbidden": []}}],
        "checked": 1, "total": 4, "threshold": 0.9, "errors": 0, "health": ""})
}

struct Place(TempDir);

impl Place {
    fn with(gate: &str) -> Place {
        let place = Place(tempfile::tempdir().expect("a folder"));
        fs::write(place.0.path().join("gate.json"), gate).expect("a file");
        place
    }

    /// Exit code, standard output and standard error.
    fn ask(&self, hook: &str, input: &str, own: Option<&str>) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_treaty"));
        command.args(["hook", hook]).env_clear().env("TREATY_GATE", self.0.path().join("gate.json"));
        command.envs(own.map(|it| ("TREATY_TASK", it)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("the program reads");
        let output = child.wait_with_output().expect("the program ends");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code().expect("a code"), text(output.stdout), text(output.stderr))
    }

    fn log(&self, hook: &str) -> String {
        fs::read_to_string(self.log_path(hook)).expect("a log")
    }

    fn log_path(&self, hook: &str) -> std::path::PathBuf {
        Path::new(self.0.path()).join("hooks").join(format!("{hook}.jsonl"))
    }
}

#[test]
fn an_agent_is_held_with_the_reason_on_standard_error() {
    let place = Place::with(&gate().to_string());
    let cases = [
        ("stop", STOP.to_owned(), None, "1 of 4 requirements are met, 90 % are wanted"),
        ("stop", STOP.to_owned(), None, "3 tasks are open: TASK-002, TASK-003, TASK-004"),
        ("task-completed", COMPLETED.to_owned(), None, "TASK-002 was not accepted: `pytest` fails"),
        ("teammate-idle", IDLE.to_owned(), None, "TASK-004"),
        ("post-tool-use", wrote("/w/other/main.py"), Some("TASK-003"), "other/main.py is outside"),
    ];
    for (hook, input, own, reason) in cases {
        let (code, out, said) = place.ask(hook, &input, own);
        assert_eq!((code, out.as_str()), (2, ""), "{hook}: {said}");
        assert!(said.contains(reason), "{hook}: {said}");
    }
}

#[test]
fn what_is_not_known_to_be_wrong_is_let_through() {
    let place = Place::with(&gate().to_string());
    let cases = [
        ("stop", STOP_AGAIN.to_owned(), None),
        // A session for one task cannot settle the others.
        ("stop", STOP.to_owned(), Some("TASK-003")),
        ("task-completed", COMPLETED.replace("TASK-002", "TASK-0021"), None),
        ("post-tool-use", wrote("/w/app/./main.py"), Some("TASK-003")),
        ("post-tool-use", wrote("/elsewhere/main.py"), Some("TASK-003")),
        ("post-tool-use", wrote("/w/other/main.py"), Some("TASK-009")),
        ("session-start", START.to_owned(), None),
    ];
    for (hook, input, own) in cases {
        assert_eq!(place.ask(hook, &input, own), (0, "{}\n".to_owned(), String::new()), "{hook}: {input}");
    }
    let settled = json!({"open": 0, "checked": 4, "total": 4, "threshold": 0.9, "health": "healthy"});
    let place = Place::with(&settled.to_string());
    assert_eq!(place.ask("stop", STOP, None).0, 0);
    assert_eq!(place.ask("teammate-idle", IDLE, None).0, 0);
}

#[test]
fn what_cannot_be_read_is_a_warning() {
    let place = Place::with(&gate().to_string());
    for input in ["", "{", "[]", "7", "{\"cwd\": \"/p\"}"] {
        let (code, out, said) = place.ask("stop", input, None);
        assert_eq!((code, out.as_str()), (0, "{}\n"), "{input}");
        assert!(said.starts_with("warning: the input "), "{said}");
    }
    let (code, out, said) = Place::with("{\"open\": ").ask("stop", STOP, None);
    assert_eq!((code, out.as_str()), (0, "{}\n"));
    assert!(said.contains("gate.json"), "{said}");
}

#[test]
fn the_log_is_cut_and_keeps_no_texts() {
    let place = Place::with(&gate().to_string());
    place.ask("post-tool-use", &wrote("/w/app/a.py"), Some("TASK-003"));
    let first = place.log("post-tool-use");
    assert!(first.contains("\"tool_name\":\"Write\"") && !first.contains("secret"), "{first}");
    let long = (0..1000).fold(String::new(), |text, it| text + &format!("{{\"n\":{it}}}\n"));
    fs::write(place.log_path("stop"), long).expect("a file");
    place.ask("stop", STOP, None);
    let lines: Vec<String> = place.log("stop").lines().map(str::to_owned).collect();
    assert_eq!((lines.len(), lines[0].as_str()), (500, "{\"n\":501}"));
    assert!(lines[499].contains("tasks are open"), "{}", lines[499]);
}

#[test]
fn what_an_agent_of_a_team_asks_for_is_refused_and_nobody_waits() {
    let place = Place::with(&gate().to_string());
    let (code, out, _) = place.ask("permission-request", ASKS, Some("team"));
    let answer: Value = serde_json::from_str(&out).expect("JSON");
    let output = &answer["hookSpecificOutput"];
    assert_eq!(
        (code, &output["hookEventName"], &output["decision"]["behavior"]),
        (0, &json!("PermissionRequest"), &json!("deny"))
    );
    assert!(place.log("permission-request").contains("\"tool_name\":\"Bash\""));
    for own in [None, Some("TASK-003")] {
        let (code, out, _) = place.ask("permission-request", ASKS, own);
        assert_eq!((code, out.trim()), (0, "{}"), "a client that is asked by a person asks the person");
    }
    fs::remove_file(place.0.path().join("gate.json")).expect("a file");
    assert!(place.ask("permission-request", ASKS, Some("team")).1.contains("deny"), "the run need not be known");
}

#[test]
fn an_agent_of_a_team_is_told_of_its_own_tasks_and_not_for_ever() {
    let place = Place::with(&gate().to_string());
    let ask = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_treaty"));
        command.args(["hook", "teammate-idle"]).env_clear().env("TREATY_GATE", place.0.path().join("gate.json"));
        command.env("TREATY_TASK", "team").env("CLAUDE_CONFIG_DIR", place.0.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        child.stdin.take().expect("a pipe").write_all(IDLE.as_bytes()).expect("the program reads");
        let output = child.wait_with_output().expect("the program ends");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).trim().to_owned())
    };
    assert_eq!(ask(), (Some(0), String::new()), "what else the run waits for is not for this team");
    let tasks = place.0.path().join("tasks/session-7345f4a2");
    fs::create_dir_all(&tasks).expect("a folder");
    let task = |id: &str, owner: &str, status: &str, blocked_by: &[&str]| {
        let it = json!({"id": id, "subject": format!("task {id}"), "status": status, "owner": owner, "blockedBy": blocked_by});
        fs::write(tasks.join(format!("{id}.json")), it.to_string()).expect("a file");
    };
    task("1", "coder", "completed", &[]);
    task("2", "coder", "pending", &["3"]);
    task("3", "other", "pending", &[]);
    assert_eq!(ask().0, Some(0), "one is blocked, the other is somebody else's");
    task("3", "other", "completed", &[]);
    for _ in 0..3 {
        assert_eq!(ask(), (Some(2), "pending tasks that nothing blocks: task 2".to_owned()));
    }
    assert_eq!(ask().0, Some(0), "the fourth time the agent is let go");
}
