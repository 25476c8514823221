//! `treaty orchestrate --backend api`, with a stand-in for the server of a model.
#![cfg(unix)]

pub(crate) mod model;
mod provider;
mod searching;

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use self::model::{Asked, Format, Model, Reply, TOKENS};
use crate::orchestrate::{AGENT, APP, Project, ends, said};

const KEY: &str = "sk-nobody-may-read-this";
const FOLDER: &str = "services/diary-service";

/// Settings of a project that asks a model, with more lines for `[orchestrate]` and for `[api]`.
fn settings(model: &Model, format: Format, orchestrate: &str, api: &str) -> String {
    format!(
        "model = \"m-1\"\nenvironment = [\"MODEL_KEY\", \"HARMLESS\"]\n{orchestrate}\n[api]\nurl = \"{}\"\nformat = \"{}\"\n\
         key-env = \"MODEL_KEY\"\nmax-tokens = 1000\ncommands = [\"env\"]\n{api}\n[prices.\"m-1\"]\ninput = 10\noutput = 50\n",
        model.url,
        format.name()
    )
}

fn project(model: &Model, format: Format, orchestrate: &str, api: &str) -> Project {
    Project::with("exit 1", &settings(model, format, orchestrate, api))
}

fn run(project: &Project, more: &[&str]) -> Output {
    let mut command = project.command(&[&["../DIARY.md", "--backend", "api"], more].concat());
    command.env("MODEL_KEY", KEY).env("HARMLESS", "seen-by-commands").output().expect("the program starts")
}

fn write(path: &str, content: &str) -> (&'static str, Value) {
    ("write_file", json!({"path": format!("{FOLDER}/{path}"), "content": content}))
}

/// A model that does what it is told; the operations are right the second time.
fn agent(asked: &Asked) -> Reply {
    let wrong = APP.replace("    text: str", "    body: str");
    match (asked.task.as_str(), asked.turn) {
        ("TASK-002", 0) if asked.is_repeated => {
            Reply::Use(vec![("read_file", json!({"path": format!("{FOLDER}/main.py")}))])
        }
        ("TASK-002", 0) => Reply::Use(vec![
            ("contract", json!({"id": "diary-service-api", "pointer": "/paths"})),
            ("run_command", json!({"command": ["env"]})),
        ]),
        ("TASK-002", 1) if asked.is_repeated => Reply::Use(vec![write("main.py", APP), ("scan", json!({}))]),
        ("TASK-002", 1) => {
            Reply::Use(vec![write("main.py", &wrong), ("write_file", json!({"path": "treaty.toml", "content": "x"}))])
        }
        (_, 0) => Reply::Use(vec![write(&format!("{}.txt", asked.task), "done\n")]),
        _ => Reply::Say("It is done."),
    }
}

/// Every text below a folder, with the name of its file.
fn texts(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(texts(&path));
        } else if let Ok(bytes) = fs::read(&path) {
            found.push((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    found
}

/// What the provider charges for an answer, in dollars: 10 and 50 for a million tokens.
fn price(answers: u32) -> f64 {
    let tokens = f64::from(TOKENS.0) * 10.0 + f64::from(TOKENS.1) * 50.0;
    f64::from(answers) * tokens / 1e6
}

#[test]
fn a_model_builds_a_service_and_mends_what_breaks_the_contract() {
    for format in Format::BOTH {
        let model = Model::new(format, agent);
        let project = project(&model, format, "", "");
        let out = run(&project, &["--budget", "5", "--yes"]);
        ends(&out, 0);
        assert_eq!(project.file(&format!("{FOLDER}/main.py")), APP.trim());
        let asked = model.asked();
        assert!(asked.iter().all(|it| it.key.ends_with(KEY)), "{}", asked[0].key);
        assert!(asked[0].tools.iter().any(|it| it == "write_file"), "{:?}", asked[0].tools);
        let of = |task: &str, is_repeated: bool, turn: usize| {
            let one = |it: &&Asked| it.task == task && it.is_repeated == is_repeated && it.turn == turn;
            asked.iter().find(one).unwrap_or_else(|| panic!("{task} {turn}")).given.clone()
        };
        let first = of("TASK-002", false, 1);
        assert!(first[0].contains("/entries"), "the contract: {}", first[0]);
        // A command finds what it is given, and never the key, whatever the settings pass on.
        assert!(first[1].contains("seen-by-commands") && !first[1].contains(KEY), "{}", first[1]);
        let refused = of("TASK-002", false, 2);
        assert!(refused[1].contains("refused: treaty.toml is outside"), "{refused:?}");
        assert!(said(&out).contains("refused to the model: writing treaty.toml"), "{}", said(&out));
        // The second attempt knows why the first one was not taken, and treaty itself says that it is right now.
        let second = asked.iter().find(|it| it.task == "TASK-002" && it.is_repeated).expect("a second attempt");
        assert!(second.prompt.contains("`text` is missing"), "{}", second.prompt);
        assert!(of("TASK-002", true, 2)[1].contains("nothing disagrees"));
        let (spent, charged) = (project.spent(), price(model.charged()));
        assert!((spent - charged).abs() < 1e-6, "{spent} for {charged}");
        for (name, text) in
            texts(&project.root().join(".treaty")).iter().chain(&texts(&project.root().join(".agent-team")))
        {
            assert!(!text.contains(KEY), "the key is in {name}");
        }
    }
}

#[test]
fn a_budget_is_never_passed() {
    for (format, budget) in [(Format::Messages, "0.06"), (Format::ChatCompletions, "0.2"), (Format::Messages, "0.4")] {
        let model = Model::new(format, agent);
        let project = project(&model, format, "", "");
        let out = run(&project, &["--budget", budget, "--yes"]);
        let code = out.status.code();
        assert!(matches!(code, Some(0 | 3)), "{code:?} with {budget}: {}", said(&out));
        let charged = price(model.charged());
        assert!(charged <= budget.parse().expect("a number"), "{charged} of {budget}");
        assert!((project.spent() - charged).abs() < 1e-6, "{} for {charged}", project.spent());
    }
    let model = Model::new(Format::Messages, agent);
    let project = project(&model, Format::Messages, "", "");
    let settings = fs::read_to_string(project.root().join("treaty.toml")).expect("settings");
    fs::write(project.root().join("treaty.toml"), settings.replace("[prices.\"m-1\"]", "[prices.\"m-2\"]"))
        .expect("a file");
    project.git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--all", "--message", "prices"]);
    let out = run(&project, &["--budget", "1", "--yes"]);
    ends(&out, 2);
    assert!(said(&out).contains("[prices.\"m-1\"]") && model.asked().is_empty(), "{}", said(&out));
}

#[test]
fn a_key_that_is_refused_or_missing_ends_the_run() {
    for format in Format::BOTH {
        let model = Model::new(format, |_| Reply::Refuse(401, "", "authentication_error"));
        let project = project(&model, format, "", "");
        let out = run(&project, &[]);
        ends(&out, 2);
        assert!(said(&out).contains("`key-env` in [api]"), "{}", said(&out));
        assert_eq!(model.asked().len(), 1);
        let out =
            project.command(&["../DIARY.md", "--backend", "api"]).env_remove("MODEL_KEY").output().expect("starts");
        ends(&out, 2);
        assert!(said(&out).contains("MODEL_KEY"), "{}", said(&out));
    }
}

#[test]
fn a_rate_limit_pauses_the_run_for_as_long_as_was_named() {
    for format in Format::BOTH {
        let model = Model::new(format, |asked| match asked.before {
            0 => Reply::Refuse(429, "retry-after: 1", "rate_limit_error"),
            _ => agent(asked),
        });
        let project = project(&model, format, "", "");
        let out = run(&project, &[]);
        ends(&out, 0);
        assert!(said(&out).contains("pause"), "{}", said(&out));
    }
}

#[test]
fn a_server_that_is_busy_is_asked_again_and_not_for_ever() {
    for format in Format::BOTH {
        let model = Model::new(format, |asked| match asked.before {
            0 => Reply::Refuse(529, "retry-after: 0", "overloaded_error"),
            1 => Reply::Refuse(503, "retry-after: 0", "api_error"),
            2 => Reply::Cut,
            3 => Reply::Raw("<html>a proxy says hello</html>"),
            _ => agent(asked),
        });
        let project = project(&model, format, "", "");
        ends(&run(&project, &["--budget", "5", "--yes"]), 0);
        // An answer that was cut is charged as what it could have cost at most: never less than the provider does.
        assert!(project.spent() >= price(model.charged()), "{} for {}", project.spent(), price(model.charged()));
        let model = Model::new(format, |_| Reply::Refuse(529, "retry-after: 0", "overloaded_error"));
        let project = self::project(&model, format, "attempts = 1", "retries = 1");
        let out = run(&project, &[]);
        ends(&out, 1);
        assert!(said(&out).contains("no answer after 2 requests"), "{}", said(&out));
        assert_eq!(model.asked().len(), 2);
    }
}

#[test]
fn a_model_that_is_silent_is_given_up() {
    for format in Format::BOTH {
        let model = Model::new(format, |_| Reply::Hang);
        let project = project(&model, format, "attempts = 1\nidle-limit = 1", "");
        let out = run(&project, &[]);
        ends(&out, 1);
        assert!(said(&out).contains("said nothing for 1 s"), "{}", said(&out));
    }
}

#[test]
fn a_model_that_talks_nonsense_comes_to_an_end() {
    for format in Format::BOTH {
        // What it asks for is told to be wrong, until it has asked often enough.
        let model = Model::new(format, |asked| match asked.turn % 3 {
            0 => Reply::Use(vec![("launch_rocket", json!({}))]),
            1 => Reply::Use(vec![("read_file", json!({"path": 7}))]),
            _ => Reply::Use(vec![("write_file", json!(["no object"]))]),
        });
        let project = project(&model, format, "attempts = 1", "");
        let out = run(&project, &[]);
        ends(&out, 1);
        assert!(said(&out).contains("in a form that is none, 6 times in a row"), "{}", said(&out));
        let asked = model.asked();
        let given =
            |turn: usize| asked.iter().find(|it| it.turn == turn).map(|it| it.given.concat()).unwrap_or_default();
        assert!(given(1).contains("there is no tool `launch_rocket`: there is read_file"), "{}", given(1));
        assert!(given(2).contains("`path` is a string"), "{}", given(2));
        assert!(given(3).contains("no JSON object"), "{}", given(3));
        // One that never ends is ended.
        let model = Model::new(format, |_| Reply::Use(vec![("list_files", json!({}))]));
        let project = self::project(&model, format, "attempts = 1", "turns = 4");
        let out = run(&project, &[]);
        ends(&out, 1);
        assert!(said(&out).contains("came to no end in 4 answers"), "{}", said(&out));
        assert_eq!(model.asked().len(), 4);
    }
}

#[test]
fn another_backend_goes_on_only_where_the_settings_allow_it() {
    let refusing = || Model::new(Format::Messages, |_| Reply::Refuse(403, "", "permission_error"));
    // Without a budget nobody is asked who costs something.
    let model = refusing();
    let project = project(&model, Format::Messages, "fallback = true", "");
    let out = run(&project, &[]);
    ends(&out, 0);
    assert!(said(&out).contains("backend scaffold: api cannot go on, and `fallback` allows another"), "{}", said(&out));
    assert!(said(&out).contains("api: the server refuses the key") && said(&out).contains("command: no --budget"));
    assert_eq!(model.asked().len(), 1);
    // What the first one lacked says nothing about the task.
    let report = project.report();
    let tasks = report["tasks"].as_array().expect("tasks");
    assert!(tasks.iter().all(|it| it["learnt"].as_array().is_some_and(Vec::is_empty)), "{tasks:?}");
    // With one, it is the next that can keep it.
    let model = refusing();
    let agent = format!("{AGENT}echo '{{\"cost\": 0.01}}'\n");
    let settings = settings(&model, Format::Messages, "fallback = true\ncost-pointer = \"/cost\"", "");
    let project = Project::with(&agent, &settings);
    let out = run(&project, &["--budget", "1", "--yes"]);
    ends(&out, 0);
    assert!(said(&out).contains("backend command: api cannot go on"), "{}", said(&out));
    assert!((project.spent() - 0.04).abs() < 1e-6, "{}", project.spent());
    // A key that is missing is told before anything is done.
    let without =
        project.command(&["../DIARY.md", "--backend", "api"]).env_remove("MODEL_KEY").output().expect("starts");
    ends(&without, 0);
    assert!(said(&without).contains("backend scaffold"), "{}", said(&without));
}
