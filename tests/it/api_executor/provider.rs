//! What providers do beside answering: they charge as much as they can, keep what they read, point elsewhere, say a key back.

use std::fs;
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::model::{Asked, Format, Model, Reply, whole};
use super::{KEY, project, run, texts};
use crate::orchestrate::{APP, Project, await_file, ends, said};

type Calls = Vec<(&'static str, Value)>;

/// What a model does that builds either of two services: its tools, or nothing more.
fn works(asked: &Asked) -> Calls {
    let folder = asked.prompt.split("You may change:\n\n- `").nth(1).and_then(|it| it.split("/**").next());
    let folder = folder.expect("the scope of a task");
    let app = if folder.ends_with("reader-service") {
        APP.replace("Entry", "Reader").replace("entries", "readers").replace("text: str", "name: str")
    } else {
        APP.to_owned()
    };
    match asked.turn {
        0 => vec![("list_files", json!({})), ("read_file", json!({"path": "treaty.toml"}))],
        1 if asked.prompt.contains("Routes, validation") => {
            vec![("write_file", json!({"path": format!("{folder}/main.py"), "content": app}))]
        }
        1 => vec![("write_file", json!({"path": format!("{folder}/{}.md", asked.task), "content": "# Done\n"}))],
        2 => vec![("scan", json!({}))],
        _ => Vec::new(),
    }
}

fn reply(asked: &Asked) -> Reply {
    let calls = works(asked);
    if calls.is_empty() { Reply::Say("It is done.") } else { Reply::Use(calls) }
}

/// The project, with requirements of two services beside it.
fn of_two(model: &Model, format: Format, orchestrate: &str, api: &str) -> Project {
    let project = project(model, format, orchestrate, api);
    fs::write(project.path("DIARY.md"), include_str!("TWO.md")).expect("requirements");
    project
}

#[test]
fn two_services_are_built_side_by_side() {
    for format in Format::BOTH {
        let model = Model::new(format, reply);
        let project = of_two(&model, format, "", "");
        ends(&run(&project, &["--budget", "5", "--yes", "--jobs", "2"]), 0);
        assert_eq!(project.report()["summary"]["tasks"]["merged"], 8);
        assert_eq!(project.file("services/diary-service/main.py"), APP.trim());
        assert!(project.file("services/reader-service/main.py").contains("class Reader"));
        let report = project.treaty(&["report"]);
        assert!(said(&report).contains("\ncost\n  m-1: $0."), "{}", said(&report));
    }
}

/// A model whose every answer is as dear as it can be: a token for each byte, and the longest output. Also what it charged, in
/// millionths of a dollar at 10 and 50 dollars for a million tokens.
fn dear(format: Format) -> (Model, Arc<AtomicU64>) {
    let charged = Arc::new(AtomicU64::new(0));
    let book = charged.clone();
    let model = Model::new(format, move |asked| {
        let input = asked.size as u64 + 346;
        book.fetch_add(input * 10 + 1000 * 50, Ordering::SeqCst);
        let usage = match format {
            Format::Messages => json!({"input_tokens": input, "output_tokens": 1000}),
            Format::ChatCompletions => json!({"prompt_tokens": input, "completion_tokens": 1000}),
        };
        Reply::Whole(whole(format, "I go on.", &works(asked), &usage))
    });
    (model, charged)
}

#[test]
fn the_cap_holds_however_dear_the_answers_are() {
    for format in Format::BOTH {
        for budget in [0.05, 0.2, 0.5, 1.0, 2.0] {
            let (model, charged) = dear(format);
            let project = of_two(&model, format, "", "");
            ends(&run(&project, &["--budget", &budget.to_string(), "--yes", "--jobs", "2"]), 3);
            #[expect(clippy::cast_precision_loss, reason = "some millionths")]
            let theirs = charged.load(Ordering::SeqCst) as f64 / 1e6;
            let ours = project.spent();
            assert!(theirs <= budget && (ours - theirs).abs() < 1e-6, "{format:?}: {ours} {theirs} of {budget}");
        }
    }
}

#[test]
fn what_a_provider_kept_is_charged_for() {
    let usage = |format| match format {
        Format::Messages => json!({"input_tokens": 1000, "cache_read_input_tokens": 4000, "output_tokens": 100}),
        Format::ChatCompletions => {
            json!({"prompt_tokens": 5000, "prompt_tokens_details": {"cached_tokens": 4000}, "completion_tokens": 100})
        }
    };
    for format in Format::BOTH {
        // A price that is not there is not nothing: what was kept is as dear as what is read anew.
        for (price, each) in [("cache-read = 1\n", 0.019), ("", 0.055)] {
            let model =
                Model::new(format, move |asked| Reply::Whole(whole(format, "I go on.", &works(asked), &usage(format))));
            let project = of_two(&model, format, "", "");
            change(&project, "input = 10\n", &format!("input = 10\n{price}"));
            ends(&run(&project, &["--service", "diary-service", "--budget", "5", "--yes"]), 0);
            let (spent, answers) = (project.spent(), f64::from(model.charged()));
            assert!((spent - answers * each).abs() < 1e-6, "{spent} for {answers} answers of {each}");
        }
    }
    // Keeping may cost more than reading.
    let kept = json!({"input_tokens": 1000, "cache_creation_input_tokens": 4000, "output_tokens": 100});
    let model = Model::new(Format::Messages, move |asked| {
        Reply::Whole(whole(Format::Messages, "I go on.", &works(asked), &kept))
    });
    let project = of_two(&model, Format::Messages, "", "");
    let out = run(&project, &["--budget", "5", "--yes"]);
    ends(&out, 2);
    assert!(said(&out).contains("add `cache-write` to [prices.\"m-1\"]"), "{}", said(&out));
}

/// Changes a setting that is committed.
fn change(project: &Project, old: &str, new: &str) {
    let path = project.root().join("treaty.toml");
    let text = fs::read_to_string(&path).expect("settings");
    assert!(text.contains(old), "{text}");
    fs::write(&path, text.replace(old, new)).expect("settings");
    let commit = ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--all", "--allow-empty"];
    project.git(&[&commit[..], &["--message", "a setting"]].concat());
}

#[test]
fn a_server_that_tells_no_tokens_keeps_no_budget() {
    for format in Format::BOTH {
        let model = Model::new(format, move |asked| Reply::Whole(whole(format, "I go on.", &works(asked), &json!({}))));
        let project = of_two(&model, format, "", "");
        let out = run(&project, &["--budget", "5", "--yes", "--jobs", "1"]);
        ends(&out, 2);
        assert!(said(&out).contains("the server does not tell tokens"), "{}", said(&out));
        assert!(model.charged() == 1 && project.spent() > 0.0, "what it may have cost is booked");
        ends(&run(&project, &[]), 0);
        assert!(project.exported("events.jsonl").contains("what this attempt cost is not known"));
    }
}

#[test]
fn a_key_is_not_carried_to_where_a_server_points() {
    let other = Model::new(Format::Messages, reply);
    let head: &'static str = Box::leak(format!("location: {}/messages", other.url).into_boxed_str());
    let model = Model::new(Format::Messages, move |_| Reply::Refuse(307, head, "moved"));
    let project = project(&model, Format::Messages, "", "");
    let out = run(&project, &[]);
    ends(&out, 2);
    assert!(said(&out).contains("the server points to") && other.asked().is_empty(), "{}", said(&out));
}

#[test]
fn a_key_that_a_server_says_back_is_kept_nowhere() {
    let usage = json!({"input_tokens": 1000, "output_tokens": 100});
    let model = Model::new(Format::Messages, move |asked| match reply(asked) {
        Reply::Say(_) => Reply::Whole(whole(Format::Messages, &format!("Your key is {KEY}."), &[], &usage)),
        other => other,
    });
    let project = project(&model, Format::Messages, "", "");
    let out = run(&project, &[]);
    ends(&out, 0);
    let events = project.exported("events.jsonl");
    assert!(events.contains("Your key is [key]."), "what the model said is kept");
    for (name, text) in texts(&project.root()) {
        assert!(!text.contains(KEY), "the key is in {name}");
    }
    assert!(!said(&out).contains(KEY));
}

#[test]
fn a_signal_ends_a_question_and_the_run_goes_on_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let mark = folder.path().join("asked");
    let (begun, is_away) = (mark.clone(), Arc::new(Mutex::new(true)));
    let away = is_away.clone();
    let model = Model::new(Format::ChatCompletions, move |asked| {
        if asked.task == "TASK-002" && asked.turn == 2 && *away.lock().expect("nobody panicked") {
            fs::write(&begun, "").expect("a file");
            return Reply::Hang;
        }
        reply(asked)
    });
    let project = project(&model, Format::ChatCompletions, "", "");
    let mut asking = project.command(&["../DIARY.md", "--backend", "api"]);
    asking.env("MODEL_KEY", KEY).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = asking.spawn().expect("the program starts");
    await_file(&mark);
    let asked = Instant::now();
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
    ends(&child.wait_with_output().expect("it ends"), 130);
    assert!(asked.elapsed() < Duration::from_secs(10), "{:?}: the answer would come for 20 s", asked.elapsed());
    *is_away.lock().expect("nobody panicked") = false;
    let resumed = project.command(&["resume"]).env("MODEL_KEY", KEY).output().expect("the program starts");
    ends(&resumed, 0);
    // What was asked for before the signal was paid for, too, and the answer that never came at most.
    let (ours, theirs) = (project.spent(), super::price(model.charged()));
    assert!(
        ours > theirs && project.exported("events.jsonl").contains("from before an interruption"),
        "{ours} {theirs}"
    );
    let first = model.asked().iter().filter(|it| it.task == "TASK-001").count();
    assert_eq!(first, 4, "a finished task is not done again");
}
