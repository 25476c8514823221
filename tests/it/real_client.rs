//! `treaty orchestrate --backend claude` with the real client, offline: its provider is the stand-in of the tests of `api`.
//! `CLAUDE_BIN=/path/to/claude cargo test --test it -- --ignored real_client`
#![cfg(unix)]

use std::path::PathBuf;
use std::process::Output;

use serde_json::json;

use crate::api_executor::model::{Asked, Format, Model, Reply, TOKENS};
use crate::orchestrate::{APP, Project, ends, said};

/// The file of the worktree that the prompt names.
fn at(asked: &Asked, path: &str) -> String {
    let place = asked.prompt.split("You work in ").nth(1).and_then(|it| it.split(". You may").next());
    format!("{}/{path}", place.unwrap_or_default())
}

fn agent(asked: &Asked) -> Reply {
    if !asked.tools.iter().any(|it| it == "Write") {
        return Reply::Say("ok");
    }
    let write = |path: &str, content: &str| {
        Reply::Use(vec![("Write", json!({"file_path": at(asked, path), "content": content}))])
    };
    let main = "services/diary-service/main.py";
    match (asked.task.as_str(), asked.is_repeated, asked.turn) {
        ("TASK-002", false, 0) => {
            Reply::Use(vec![("mcp__contract-engine__list_contracts", json!({"service_name": "diary-service"}))])
        }
        ("TASK-002", false, 1) => write(main, &APP.replace("    text: str", "    body: str")),
        ("TASK-002", false, 2) => write("contracts/stolen.json", "{}"),
        ("TASK-002", true, 0) => write(main, APP),
        (task, _, 0) => write(&format!("services/diary-service/{task}.txt"), "done\n"),
        _ => Reply::Say("It is done."),
    }
}

/// A project whose tasks the client does that CLAUDE_BIN names, with a home of the client's own.
fn with_client() -> Project {
    let client = PathBuf::from(std::env::var_os("CLAUDE_BIN").expect("CLAUDE_BIN names the client"));
    let settings = format!(
        "model = \"claude-opus-5-5\"\n[claude]\ncommand = \"{}\"\nmax-output-tokens = 2000\n\
         [prices.\"claude-opus-5-5\"]\ninput = 5\noutput = 25\ncache-read = 0.5\ncache-write = 6.25\n",
        client.display()
    );
    let project = Project::with("exit 1", &settings);
    std::fs::create_dir(project.path("home")).expect("a folder");
    project
}

/// A run with the client, which asks a stand-in for its provider.
fn ask(project: &Project, model: &Model, budget: &str) -> Output {
    let mut command = project.command(&["../DIARY.md", "--backend", "claude", "--budget", budget, "--yes"]);
    command.env("HOME", project.path("home")).env("ANTHROPIC_API_KEY", "test-key");
    command.env("ANTHROPIC_BASE_URL", model.url.trim_end_matches("/v1"));
    command.output().expect("the program starts")
}

#[test]
#[ignore = "needs the client that CLAUDE_BIN names"]
fn the_real_client_builds_a_service_and_mends_what_breaks_the_contract() {
    let model = Model::new(Format::Messages, agent);
    let project = with_client();
    let run = |budget: &str| ask(&project, &model, budget);
    let out = run("20");
    ends(&out, 0);
    assert_eq!(project.file("services/diary-service/main.py"), APP.trim());
    let asked = model.asked();
    let given = |turn: usize| {
        let one = |it: &&Asked| it.task == "TASK-002" && !it.is_repeated && it.turn == turn;
        asked.iter().find(one).map(|it| it.given.concat()).unwrap_or_default()
    };
    assert!(given(1).contains("\"service_name\":\"diary-service\""), "our server was asked: {}", given(1));
    assert!(asked.iter().any(|it| it.is_repeated && it.prompt.contains("`text` is missing")));
    assert!(!project.git(&["ls-tree", "-r", "--name-only", &project.tree()]).contains("stolen"));
    assert!(said(&out).contains("refused to the agent: Write"), "{}", said(&out));
    assert!(!said(&out).contains("without our hooks"), "{}", said(&out));
    let price = f64::from(TOKENS.0) * 5e-6 + f64::from(TOKENS.1) * 25e-6;
    let (spent, charged) = (project.spent(), f64::from(model.charged()) * price);
    assert!(spent > 0.0 && spent <= charged + 1e-6, "{spent} for {charged}");
    // A cap that is too small for the whole stops the run before it is passed.
    let before = model.charged();
    let out = run("0.3");
    ends(&out, 3);
    assert!(f64::from(model.charged() - before) * price <= 0.3, "{}", said(&out));
}

/// An agent that builds either of two services, and gets one wrong at first.
fn of_two(asked: &Asked) -> Reply {
    if !asked.tools.iter().any(|it| it == "Write") {
        return Reply::Say("ok");
    }
    let write = |path: &str, content: &str| {
        Reply::Use(vec![("Write", json!({"file_path": at(asked, path), "content": content}))])
    };
    let folder = asked.prompt.split("You may change:\n\n- `").nth(1).and_then(|it| it.split("/**").next());
    let folder = folder.expect("the scope of a task");
    let main = format!("{folder}/main.py");
    let reader = APP.replace("Entry", "Reader").replace("entries", "readers").replace("text: str", "name: str");
    let routes = asked.prompt.contains("Routes, validation");
    match (routes, folder.ends_with("reader-service"), asked.is_repeated, asked.turn) {
        (true, _, false, 0) => Reply::Use(vec![("mcp__contract-engine__list_contracts", json!({}))]),
        (true, true, _, 1) => write(&main, &reader),
        (true, false, false, 1) => write(&main, &APP.replace("    text: str", "    body: str")),
        (true, false, false, 2) => write("contracts/stolen.json", "{}"),
        (true, false, true, 0) => write(&main, APP),
        (false, _, _, 0) => write(&format!("{folder}/{}.md", asked.task), "# Done\n"),
        _ => Reply::Say("It is done."),
    }
}

#[test]
#[ignore = "needs the client that CLAUDE_BIN names"]
fn the_real_client_builds_two_services() {
    let model = Model::new(Format::Messages, of_two);
    let project = with_client();
    std::fs::write(project.path("DIARY.md"), include_str!("api_executor/TWO.md")).expect("requirements");
    let out = ask(&project, &model, "20");
    ends(&out, 0);
    assert_eq!(project.report()["summary"]["tasks"]["merged"], 8);
    assert_eq!(project.file("services/diary-service/main.py"), APP.trim());
    assert!(project.file("services/reader-service/main.py").contains("class Reader"));
    let asked = model.asked();
    assert!(asked.iter().any(|it| it.given.concat().contains("\"service_name\":\"reader-service\"")));
    assert!(asked.iter().any(|it| it.is_repeated && it.prompt.contains("`text` is missing")));
    assert!(!project.git(&["ls-tree", "-r", "--name-only", &project.tree()]).contains("stolen"));
    assert!(said(&out).contains("refused to the agent: Write"), "{}", said(&out));
    assert!(!said(&out).contains("without our hooks"), "{}", said(&out));
}

/// An agent that knows how to begin, and takes each next step from what the tool before says.
fn led(asked: &Asked, hint: &str) -> Reply {
    let call = |tool: &'static str, arguments: serde_json::Value| Reply::Use(vec![(tool, arguments)]);
    if !asked.tools.iter().any(|it| it == "mcp__devteam__devteam_start_session") {
        return Reply::Say("ok");
    }
    if asked.turn == 0 {
        let begun = json!({"command": "make the sum four", "commandType": "bug"});
        return call("mcp__devteam__devteam_start_session", begun);
    }
    let said = asked.given.concat();
    if said.contains("EXIT_SIGNAL: true") {
        return call("mcp__devteam__devteam_end_session", json!({"status": "completed"}));
    }
    let Some((_, next)) = said.rsplit_once(hint) else { return Reply::Say("Nothing says what comes next.") };
    let is_name = |it: char| it.is_ascii_lowercase() || it == '_';
    let words: Vec<&str> = next.split(|it| !is_name(it)).filter(|it| !it.is_empty()).collect();
    match words.iter().find(|it| it.starts_with("devteam_")).copied().unwrap_or_default() {
        "devteam_start_task" => {
            let task = json!({"taskId": "adhoc", "description": "four", "acceptanceCriteria": ["the test passes"]});
            call("mcp__devteam__devteam_start_task", task)
        }
        "devteam_report_completion" => {
            let number =
                said.split("teration ").nth(1).and_then(|it| it.split('/').next()).and_then(|it| it.parse().ok());
            let words = ["one", "two", "three", "five", "six"];
            let fixed = said.contains("Fix: write 4");
            let word = if fixed { "4" } else { words[number.unwrap_or(1_usize).clamp(1, 5) - 1] };
            let other = format!("src/{word}.txt");
            Reply::Use(vec![
                ("Write", json!({"file_path": "src/sum.txt", "content": word})),
                (
                    "mcp__devteam__devteam_report_completion",
                    json!({"filesChanged": ["src/sum.txt", other], "summary": format!("wrote {word}")}),
                ),
            ])
        }
        "devteam_bug_council_analyze" => call("mcp__devteam__devteam_bug_council_analyze", json!({})),
        "devteam_bug_council_submit" => {
            let members = [
                "root_cause_analyst",
                "code_archaeologist",
                "pattern_matcher",
                "systems_thinker",
                "adversarial_tester",
            ];
            let Some(member) = words.iter().find(|it| members.contains(it)) else { return Reply::Say("Who is next?") };
            let submission = json!({
                "member": member, "findings": ["a word"], "hypothesis": "words are no numbers", "suggestedFix": "write 4",
                "confidence": 50,
            });
            call("mcp__devteam__devteam_bug_council_submit", submission)
        }
        _ => Reply::Say("It is done."),
    }
}

/// Lets the client work in a project with the team's server, and gives the events of the newest session.
fn worked(client: &PathBuf, hint: &'static str) -> (String, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let (root, home) = (folder.path().join("project"), folder.path().join("home"));
    std::fs::create_dir_all(root.join("src")).expect("a folder");
    std::fs::create_dir(&home).expect("a folder");
    let write = |path: &str, text: &str| std::fs::write(root.join(path), text).expect("written");
    write("treaty.toml", "[gates]\nrun = [\"tests\"]\n[gates.commands]\ntests = \"sh test.sh\"\n");
    write(
        "test.sh",
        "found=$(cat src/sum.txt)\n[ \"$found\" = 4 ] && exit 0\necho \"FAILED test_sum: got $found\"\nexit 1\n",
    );
    let treaty = |arguments: &[&str]| {
        let out = std::process::Command::new(env!("CARGO_BIN_EXE_treaty")).args(arguments).current_dir(&root).output();
        String::from_utf8_lossy(&out.expect("it runs").stdout).into_owned()
    };
    treaty(&["init", "--agents"]);
    let model = Model::new(Format::Messages, move |asked| led(asked, hint));
    let mut command = std::process::Command::new(client);
    command.args(["-p", "Make the test pass with the tools of the development team.", "--output-format", "json"]);
    command.args(["--mcp-config", ".mcp.json", "--strict-mcp-config", "--permission-mode", "dontAsk"]);
    command.args(["--allowedTools", "mcp__devteam,Write"]).current_dir(&root).stdin(std::process::Stdio::null());
    // What `init` writes asks for `treaty` by its name.
    let ours = std::path::Path::new(env!("CARGO_BIN_EXE_treaty")).parent().expect("a folder");
    let path = format!("{}:{}", ours.display(), std::env::var("PATH").unwrap_or_default());
    command.env("PATH", path).env("ENABLE_TOOL_SEARCH", "false");
    command.env("HOME", &home).env("ANTHROPIC_API_KEY", "test-key");
    command.env("ANTHROPIC_BASE_URL", model.url.trim_end_matches("/v1"));
    for name in ["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY"] {
        command.env(name, "1");
    }
    let out = command.output().expect("the client starts");
    let said = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    let kind = |line: &str| -> Option<String> {
        let event: serde_json::Value = serde_json::from_str(line).ok()?;
        event["event_type"].as_str().map(str::to_owned)
    };
    (said, treaty(&["team", "trace"]).lines().filter_map(kind).collect())
}

#[test]
#[ignore = "needs the client that CLAUDE_BIN names"]
fn the_real_client_goes_through_the_loop_by_what_the_tools_say() {
    let client = PathBuf::from(std::env::var_os("CLAUDE_BIN").expect("CLAUDE_BIN names the client"));
    let (said, events) = worked(&client, "Next:");
    let count = |kind: &str| events.iter().filter(|it| *it == kind).count();
    assert_eq!((count("GATES_EVALUATED"), count("COUNCIL_SUBMITTED")), (5, 10), "{events:?}\n{said}");
    assert_eq!(events.last().map(String::as_str), Some("SESSION_ENDED"), "{events:?}\n{said}");
    // Without the hint nobody knows how to go on.
    let (said, events) = worked(&client, "a hint that no tool gives");
    assert_eq!(events, ["SESSION_STARTED"], "{said}");
}
