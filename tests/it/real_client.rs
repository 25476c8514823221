//! `treaty orchestrate --backend claude` with the real client, offline: its provider is the stand-in of the tests of `api`.
//! `CLAUDE_BIN=/path/to/claude cargo test --test it -- --ignored real_client`
#![cfg(unix)]

use std::path::PathBuf;

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

#[test]
#[ignore = "needs the client that CLAUDE_BIN names"]
fn the_real_client_builds_a_service_and_mends_what_breaks_the_contract() {
    let client = PathBuf::from(std::env::var_os("CLAUDE_BIN").expect("CLAUDE_BIN names the client"));
    let model = Model::new(Format::Messages, agent);
    let settings = format!(
        "model = \"claude-opus-5-5\"\n[claude]\ncommand = \"{}\"\nmax-output-tokens = 2000\n\
         [prices.\"claude-opus-5-5\"]\ninput = 5\noutput = 25\ncache-read = 0.5\ncache-write = 6.25\n",
        client.display()
    );
    let project = Project::with("exit 1", &settings);
    let home = project.path("home");
    std::fs::create_dir(&home).expect("a folder");
    let run = |budget: &str| {
        let mut command = project.command(&["../DIARY.md", "--backend", "claude", "--budget", budget, "--yes"]);
        command.env("HOME", &home).env("ANTHROPIC_API_KEY", "test-key");
        command.env("ANTHROPIC_BASE_URL", model.url.trim_end_matches("/v1"));
        command.output().expect("the program starts")
    };
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
