//! The development team over the protocol: a whole session against a project whose tests really fail, and then pass.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) const MEMBERS: [&str; 5] =
    ["root_cause_analyst", "code_archaeologist", "pattern_matcher", "systems_thinker", "adversarial_tester"];

pub(crate) struct Client {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Client {
    fn new(root: &Path) -> Client {
        Client::at(root, Some(&root.join(".devteam/state.db")))
    }

    /// A client of the sessions in a database; the usual one where none is named.
    pub(crate) fn at(root: &Path, database: Option<&Path>) -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_treaty"));
        command.args(["mcp", "serve", "devteam"]).current_dir(root);
        command.env_remove("DEVTEAM_DB").env_remove("DATABASE_PATH");
        database.map(|it| command.env("DEVTEAM_DB", it));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        let (to, from) = (child.stdin.take().expect("an input"), child.stdout.take().expect("an output"));
        let mut client = Client { child, to, from: BufReader::new(from) };
        let about = json!({ "name": "test", "version": "1" });
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about });
        let said = client.ask("initialize", &hello);
        assert_eq!(said["result"]["serverInfo"]["name"], "devteam-orchestrator");
        assert!(said["result"]["capabilities"]["resources"].is_object(), "{said}");
        client.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn say(&mut self, message: &Value) {
        writeln!(self.to, "{message}").and_then(|()| self.to.flush()).expect("it reads");
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }));
        let mut line = String::new();
        self.from.read_line(&mut line).expect("it writes");
        serde_json::from_str(&line).expect("lines are messages")
    }

    /// The answer of a tool: its data, whose `text` is what the text block says.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let tool = format!("devteam_{tool}");
        let result = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }))["result"].clone();
        assert_ne!(result["isError"], true, "{tool}: {result}");
        let data = result["structuredContent"].clone();
        if data.get("text").is_some() {
            assert_eq!(data["text"], result["content"][0]["text"], "a client shows one of the two");
        }
        data
    }

    fn refused(&mut self, tool: &str, arguments: &Value) -> String {
        let tool = format!("devteam_{tool}");
        let result = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }))["result"].clone();
        assert_eq!(result["isError"], true, "{tool}: {result}");
        result["content"][0]["text"].as_str().expect("text").to_owned()
    }

    fn resource(&mut self, uri: &str) -> Value {
        let read = self.ask("resources/read", &json!({ "uri": uri }))["result"]["contents"][0].clone();
        assert_eq!((&read["uri"], &read["mimeType"]), (&json!(uri), &json!("application/json")), "{read}");
        serde_json::from_str(read["text"].as_str().expect("text")).expect("JSON")
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A project whose only gate is a script that fails until `src/sum.txt` is right, with another error for each wrong text.
fn project() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    };
    write("treaty.toml", "[gates]\nrun = [\"tests\"]\n[gates.commands]\ntests = \"sh test.sh\"\n");
    write(
        ".devteam/config.yaml",
        "orchestration:\n  max_iterations: 9\nqualityGates:\n  security:\n    required: false\n",
    );
    write(
        "test.sh",
        "found=$(cat src/sum.txt)\nif [ \"$found\" = 4 ]; then echo ok; exit 0; fi\necho \"FAILED test_sum: got $found\"\nexit 1\n",
    );
    write("src/sum.txt", "five\n");
    folder
}

/// Writes another text, and reports another file beside it: the same files each time would be a sign that the work is stuck.
fn report(client: &mut Client, root: &Path, text: &str) -> Value {
    fs::write(root.join("src/sum.txt"), text).expect("written");
    client.call(
        "report_completion",
        &json!({ "filesChanged": ["src/sum.txt", format!("src/{text}.txt")], "summary": format!("wrote {text}") }),
    )
}

fn begin(client: &mut Client) {
    let started = client.call("start_session", &json!({ "command": "mend the sum", "commandType": "bug" }));
    assert!(started["text"].as_str().is_some_and(|it| it.contains("devteam_start_task")), "{started}");
    let task = json!({
        "taskId": "adhoc", "description": "Fix the sum of two numbers", "acceptanceCriteria": ["2 + 2 is 4"],
        "scopeFiles": ["src/**"], "complexity": 3,
    });
    let started = client.call("start_task", &task);
    assert_eq!(started["session"]["currentModel"], "haiku", "by complexity");
    assert!(
        started["text"].as_str().is_some_and(|it| it.contains("1. 2 + 2 is 4") && it.contains("src/**")),
        "{started}"
    );
}

/// Fails with another error each time, until the council is asked.
fn until_the_council(client: &mut Client, root: &Path) {
    let wrong = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff"];
    let decisions: Vec<(String, String)> = wrong
        .iter()
        .map(|it| {
            let said = report(client, root, it);
            let text = said["text"].as_str().expect("text");
            assert!(!text.contains("EXIT_SIGNAL"), "{text}");
            let word = |key: &str| said[key].as_str().expect("a word").to_owned();
            if word("decision") != "bug_council" {
                assert!(text.contains(&format!("FAILED test_sum: got {it}")), "{text}");
            }
            (word("decision"), word("model"))
        })
        .collect();
    let expected = [
        ("iterate", "haiku"),
        ("escalate", "sonnet"),
        ("iterate", "sonnet"),
        ("escalate", "opus"),
        ("iterate", "opus"),
        ("bug_council", "opus"),
    ];
    assert_eq!(decisions, expected.map(|(decision, model)| (decision.to_owned(), model.to_owned())));
}

fn hold_council(client: &mut Client, winner: &str) -> Value {
    let analysed = client.call("bug_council_analyze", &json!({}));
    assert_eq!(analysed["next"], MEMBERS[0]);
    assert!(analysed["text"].as_str().is_some_and(|it| it.contains("wrote eeeee")), "what was tried: {analysed}");
    let submission = |member: &str, ranking: Option<&str>| {
        let mut it = json!({
            "member": member, "findings": [format!("{member} looked")], "hypothesis": format!("{member} knows"),
            "suggestedFix": format!("fix of {member}"), "confidence": 50,
        });
        if let Some(first) = ranking {
            it["ranking"] = json!([first]);
        }
        it
    };
    let mut last = Value::Null;
    for member in MEMBERS {
        last = client.call("bug_council_submit", &submission(member, None));
    }
    assert_eq!((&last["decided"], &last["ranking"]), (&json!(false), &json!(true)));
    for member in MEMBERS {
        last = client.call("bug_council_submit", &submission(member, Some(winner)));
    }
    assert_eq!(last["decided"], true, "{last}");
    last
}

#[test]
fn a_session_goes_from_failing_tests_through_the_council_to_the_end() {
    let folder = project();
    let root = folder.path();
    let mut client = Client::new(root);
    let tools = client.ask("tools/list", &json!({}))["result"]["tools"].as_array().map(Vec::len);
    assert_eq!(tools, Some(16));
    assert!(client.refused("get_session_status", &json!({})).contains("devteam_start_session"));
    begin(&mut client);
    assert!(
        client
            .refused("start_session", &json!({ "command": "x", "commandType": "plan" }))
            .contains("devteam_end_session")
    );
    assert!(client.refused("bug_council_analyze", &json!({})).contains("devteam_report_completion"));
    let outside = json!({ "filesChanged": ["test.sh"], "summary": "made the test weaker" });
    assert!(client.refused("report_completion", &outside).contains("outside of the scope"));
    let scope = client.call("check_scope", &json!({ "files": ["src/a.txt", "../b"] }));
    assert_eq!(scope["violations"], json!(["../b"]));
    let saved = client.call("save_checkpoint", &json!({}))["checkpointId"].clone();
    until_the_council(&mut client, root);
    assert!(client.refused("report_completion", &outside).contains("devteam_bug_council_submit"));
    let decision = hold_council(&mut client, "pattern_matcher");
    assert_eq!(decision["decision"]["recommendedFix"], "fix of pattern_matcher");
    let context = client.call("get_context", &json!({}));
    assert_eq!((&context["iteration"], context["failureHistory"].as_array().map(Vec::len)), (&json!(7), Some(5)));
    let booked = client.call("record_tokens", &json!({ "model": "opus", "inputTokens": 1000, "outputTokens": 1000 }));
    assert_eq!(booked["costCents"], 9.0);
    assert!(
        client
            .refused("record_tokens", &json!({ "model": "other", "inputTokens": 1, "outputTokens": 1 }))
            .contains("[prices")
    );
    let done = report(&mut client, root, "4");
    assert_eq!(done["decision"], "complete");
    assert!(done["text"].as_str().is_some_and(|it| it.contains("\nEXIT_SIGNAL: true")), "{done}");
    assert!(
        client
            .refused("report_completion", &json!({ "filesChanged": ["src/a"], "summary": "" }))
            .contains("devteam_start_task")
    );
    // A checkpoint brings back where the work stood, not what was paid, and not files.
    let restored = client.call("restore_checkpoint", &json!({ "checkpointId": saved }));
    assert_eq!((&restored["session"]["iteration"], &restored["session"]["costCents"]), (&json!(1), &json!(9.0)));
    assert_eq!(fs::read_to_string(root.join("src/sum.txt")).expect("there"), "4");
    assert_eq!(report(&mut client, root, "4")["decision"], "complete");
    let gates = client.call("run_quality_gates", &json!({ "gates": ["tests"] }));
    assert_eq!((&gates["overall"], &gates["blocking"]), (&json!("pass"), &json!([])));
    let agent = client.call("get_agent_info", &json!({ "agentId": "diagnosis:pattern_matcher" }));
    assert_eq!(agent["category"], "diagnosis");
    let ended = client.call("end_session", &json!({ "status": "completed" }));
    assert!(ended["text"].as_str().is_some_and(|it| it.contains("2 of 2 tasks completed")), "{ended}");
    assert_eq!(client.resource("devteam://session/history")[0]["status"], "completed");
    assert_eq!(client.resource("devteam://session/current"), Value::Null);
    assert_eq!(client.resource("devteam://config")["orchestration"]["maxIterations"], 9);
    assert!(client.resource("devteam://agents").as_array().is_some_and(|it| it.len() == 15));
    assert_eq!(client.resource("devteam://agents/leader")["category"], "lead");
    let missing = client.ask("resources/read", &json!({ "uri": "devteam://nothing" }));
    assert!(missing["error"]["message"].as_str().is_some_and(|it| it.contains("devteam://agents")), "{missing}");
}

#[test]
fn a_session_that_was_killed_goes_on_in_another_process() {
    let folder = project();
    let root = folder.path();
    let mut client = Client::new(root);
    begin(&mut client);
    let mut decisions = Vec::new();
    for text in ["a", "bb", "ccc", "dddd", "eeeee", "ffffff"] {
        decisions.push(report(&mut client, root, text)["decision"].clone());
        // The server is killed after every event.
        client = Client::new(root);
    }
    assert_eq!(decisions, ["iterate", "escalate", "iterate", "escalate", "iterate", "bug_council"]);
    for round in 0..10 {
        let member = MEMBERS[round % 5];
        let it = json!({ "member": member, "findings": [], "hypothesis": "h", "suggestedFix": "f", "confidence": 1 });
        client.call("bug_council_submit", &it);
        client = Client::new(root);
    }
    client.call("end_session", &json!({ "status": "paused" }));
    assert!(
        client.refused("report_completion", &json!({ "filesChanged": ["src/a"], "summary": "" })).contains("paused")
    );
    let again = json!({ "taskId": "adhoc", "description": "d", "acceptanceCriteria": ["c"] });
    let resumed = client.call("start_task", &again);
    assert_eq!((&resumed["session"]["iteration"], &resumed["session"]["currentModel"]), (&json!(7), &json!("opus")));
    assert_eq!(report(&mut client, root, "4")["decision"], "complete");
}

#[test]
fn nobody_says_that_work_is_done_which_no_gate_has_seen() {
    let folder = project();
    fs::write(folder.path().join("treaty.toml"), "").expect("written");
    let mut client = Client::new(folder.path());
    begin(&mut client);
    let why = client.refused("report_completion", &json!({ "filesChanged": ["src/sum.txt"], "summary": "done" }));
    assert!(why.contains("no gate can run") && why.contains("[gates.commands]"), "{why}");
}

#[test]
fn a_critical_finding_ends_the_task_and_a_threshold_changes_the_outcome() {
    let folder = project();
    let root = folder.path();
    fs::write(root.join(".devteam/z.yaml"), "orchestration: {escalationThreshold: 1, maxIterations: 2}\n")
        .expect("written");
    let mut client = Client::new(root);
    begin(&mut client);
    let said: Vec<Value> = ["a", "bb"].iter().map(|it| report(&mut client, root, it)["decision"].clone()).collect();
    assert_eq!(said, ["escalate", "failed"]);
}

#[test]
fn the_team_is_shown_and_what_cannot_be_used_of_it_is_said() {
    let folder = project();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_treaty"));
        command.arg("team").args(arguments).current_dir(folder.path());
        let out =
            command.env_remove("DEVTEAM_CONFIG").env_remove("DEVTEAM_AGENTS").output().expect("the program starts");
        (out.status.code(), String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned())
    };
    let (code, list) = run(&["list"]);
    assert!(code == Some(0) && list.lines().count() == 15 && list.contains("security-auditor"), "{list}");
    let (code, shown) = run(&["show", "team:security_auditor"]);
    assert!(code == Some(0) && shown.contains("Security auditor"), "{shown}");
    let (code, missing) = run(&["show", "nobody"]);
    assert!(code == Some(2) && missing.contains("treaty team list"), "{missing}");
    let (code, checked) = run(&["check"]);
    assert!(code == Some(0) && checked.contains("required gates: tests, typecheck, lint\n"), "{checked}");
    fs::write(folder.path().join(".devteam/z.yaml"), "orchestration: {maxIterations: many}\n").expect("written");
    let (code, checked) = run(&["check"]);
    assert!(code == Some(1) && checked.contains("orchestration.maxIterations: a number from 1 to 100"), "{checked}");
}

#[test]
fn the_files_of_a_team_are_written_and_never_over_what_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    let own = r#"{"mcpServers": {"devteam": {"command": "mine"}, "other": {"command": "x"}}}"#;
    fs::write(root.join(".mcp.json"), own).expect("written");
    fs::create_dir_all(root.join("agents/build")).expect("made");
    fs::write(root.join("agents/build/architect.md"), "# Ours\n").expect("written");
    fs::create_dir(root.join(".claude")).expect("made");
    let hooks = r#"{"model": "x", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}"#;
    fs::write(root.join(".claude/settings.json"), hooks).expect("written");
    let init = || {
        let out = Command::new(env!("CARGO_BIN_EXE_treaty")).args(["init", "--agents", "--root"]).arg(root).output();
        let out = out.expect("the program starts");
        assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    let said = init();
    assert!(said.contains("wrote .mcp.json: architect, contract-engine, codebase-intelligence\n"), "{said}");
    assert!(
        said.contains("kept  agents/build/architect.md\n") && said.contains("wrote agents/lead/leader.md\n"),
        "{said}"
    );
    let servers: Value =
        serde_json::from_str(&fs::read_to_string(root.join(".mcp.json")).expect("there")).expect("JSON");
    assert_eq!(servers["mcpServers"]["devteam"]["command"], "mine");
    assert_eq!(servers["mcpServers"].as_object().map(serde_json::Map::len), Some(5));
    assert_eq!(fs::read_to_string(root.join("agents/build/architect.md")).expect("there"), "# Ours\n");
    let settings: Value =
        serde_json::from_str(&fs::read_to_string(root.join(".claude/settings.json")).expect("there")).expect("JSON");
    let stop = |at: usize| settings["hooks"]["Stop"][at]["hooks"][0]["command"].as_str();
    assert_eq!(
        (settings["model"].as_str(), stop(0), stop(1)),
        (Some("x"), Some("mine"), Some("treaty hook session-stop"))
    );
    let again = init();
    assert!(!again.contains("wrote"), "{again}");
    // What was written can be used.
    let mut check = Command::new(env!("CARGO_BIN_EXE_treaty"));
    let out = check.args(["team", "check"]).current_dir(root).output().expect("the program starts");
    let shown = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.success() && shown.contains("15 agents") && shown.contains("0 problems"), "{shown}");
    // A file with comments would lose them.
    fs::write(root.join(".mcp.json"), "{ // mine\n}").expect("written");
    let mut init = Command::new(env!("CARGO_BIN_EXE_treaty"));
    let out = init.args(["init", "--agents"]).current_dir(root).output().expect("the program starts");
    let shown = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.code() == Some(2) && shown.contains("has comments"), "{shown}");
}
