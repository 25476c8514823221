//! Streams of the real client (2.1.330, against a scripted provider; shortened), and what they come to.
#![cfg(unix)]

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use proptest::prelude::*;

use super::*;
use crate::ledger::{Price, Usd};
use crate::orchestrate::Engines;
use crate::plan::{Kind, Plan, Task};
use crate::settings::Research;

fn recorded(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/orchestrate/executors/claude/recorded");
    fs::read(format!("{folder}/{name}.jsonl")).expect(name)
}

fn prices() -> Prices {
    let mut prices = Prices::default();
    prices.0.insert(
        "claude-opus-5-5".to_owned(),
        Price { input: 4.0, output: 20.0, cache_read: Some(0.4), cache_write: Some(5.0) },
    );
    prices
}

fn executor() -> ClaudeExecutor {
    ClaudeExecutor {
        command: "claude".to_owned(),
        max_turns: 3,
        max_output: 1_000,
        prices: prices(),
        ..Default::default()
    }
}

/// What a stream comes to that ended with an exit code, and whether the session was let go on to its end.
fn told(stream: &[u8], code: i32, allowance: Option<Usd>) -> (TaskResult, bool) {
    let task = Task {
        id: "TASK-001".to_owned(),
        title: String::new(),
        parent: String::new(),
        service: String::new(),
        kind: Kind::Other,
        description: String::new(),
        criteria: Vec::new(),
        scope: Scope::default(),
        depends_on: Vec::new(),
        keeps: Vec::new(),
        complexity: 1,
        line: 0,
    };
    let nowhere = Path::new("/work/tree");
    let job = Job {
        run: "run",
        task: &task,
        attempt: 1,
        at: "",
        worktree: nowhere,
        plan: &Plan::default(),
        contracts: &[],
        learnt: &[],
        peers: 0,
        allowance,
        log: &nowhere.join("log/output.log"),
        database: nowhere,
        exports: nowhere,
        requirements: "",
        research: &Research::default(),
        engines: &Engines::default(),
        convergence: 0.9,
        limits: Limits::default(),
    };
    let executor = executor();
    let mut session = Session::new(executor.purse(&job));
    // The client would be ended at the first piece after which it is not to go on.
    let whole = stream.split_inclusive(|it| *it == b'\n').all(|line| session.hear(line));
    session.end();
    let ended = if whole { Ended::Exited(ExitStatus::from_raw(code << 8)) } else { Ended::Enough };
    let mut result = TaskResult::default();
    executor.tell(&job, &ended, &session, &mut result);
    (result, whole)
}

#[test]
fn a_session_that_ended_well_says_what_was_written_refused_and_spent() {
    let (result, whole) = told(&recorded("ok"), 0, None);
    assert!(whole);
    assert_eq!((result.status, result.output.as_str()), (TaskStatus::Completed, "FIN"));
    assert_eq!(result.files_created, ["services/a/x.txt"]);
    assert_eq!(result.remarks, ["refused to the agent: Write: /work/tree/forbidden.txt"]);
    // 6600 tokens in, 410 out.
    assert_eq!(result.used.iter().map(|it| it.1).collect::<Vec<_>>(), [Usd(6600 * 4 + 410 * 20)]);
}

#[test]
fn an_error_is_told_by_is_error_and_the_exit_code_whatever_subtype_says() {
    let long = recorded("long");
    assert!(String::from_utf8_lossy(&long).contains("\"subtype\":\"success\""), "the trap is in the recording");
    let (result, _) = told(&long, 1, None);
    assert_eq!(result.status, TaskStatus::Failed);
    assert!(result.error.as_deref().is_some_and(|it| it.contains("prompt_too_long")), "{:?}", result.error);
    let (result, _) = told(&recorded("turns"), 1, None);
    assert_eq!(result.error.as_deref(), Some("the session did not end in 3 turns"));
    let (result, _) = told(&recorded("ok"), 143, None);
    assert_eq!(result.status, TaskStatus::Failed, "the exit code says so");
}

#[test]
fn a_key_that_is_refused_ends_the_session_and_the_run_at_once() {
    let (result, whole) = told(&recorded("401"), 0, None);
    assert!(!whole, "ten retries would take minutes");
    assert!(result.fatal);
    assert!(result.error.as_deref().is_some_and(|it| it.contains("(401)")), "{:?}", result.error);
}

#[test]
fn a_limit_of_the_provider_is_no_failure_of_the_task() {
    let (result, _) = told(&recorded("429"), 1, None);
    assert_eq!((result.status, result.used.len()), (TaskStatus::RateLimited, 0));
    let event = br#"{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":4102444800}}"#;
    let (result, whole) = told(event, 0, None);
    assert_eq!((result.status, whole), (TaskStatus::RateLimited, true), "the line has no end yet");
    assert!(result.retry_after.is_some_and(|it| it > 1_000_000), "{:?}", result.retry_after);
}

#[test]
fn what_the_client_tries_again_by_itself_is_left_to_it() {
    for name in ["529", "cut"] {
        let (result, whole) = told(&recorded(name), 0, None);
        assert_eq!((result.status, whole), (TaskStatus::Completed, true), "{name}");
    }
}

#[test]
fn a_session_without_our_hooks_is_flagged() {
    let (result, _) = told(&recorded("unhooked"), 0, None);
    assert!(result.remarks.iter().any(|it| it.contains("without our hooks")), "{:?}", result.remarks);
    let (result, _) = told(&recorded("ok"), 0, None);
    assert!(!result.remarks.iter().any(|it| it.contains("without our hooks")));
}

#[test]
fn a_session_is_stopped_before_an_answer_that_could_pass_the_allowance() {
    // The next answer may cost (2 200 + 90 + 30 000) · $5 + 1 000 · $20 a million: about 18 cents.
    let (result, whole) = told(&recorded("ok"), 0, Some(Usd(190_000)));
    assert_eq!((result.status, whole), (TaskStatus::Budget, false));
    let spent: Usd = result.used.iter().map(|it| it.1).sum();
    assert!(spent > Usd(0) && spent < Usd(190_000), "{spent}");
    let (result, whole) = told(&recorded("ok"), 0, Some(Usd(1_000_000)));
    assert_eq!((result.status, whole), (TaskStatus::Completed, true));
    let (result, _) = told(&recorded("cap"), 1, None);
    assert_eq!(result.status, TaskStatus::Budget, "the client's own cap");
}

#[test]
fn under_a_budget_a_model_without_a_price_ends_the_run() {
    let answer = "{\"type\":\"assistant\",\"message\":{\"id\":\"a\",\"model\":\"another\",\"content\":[],\"usage\":{\"input_tokens\":9,\"output_tokens\":9}},\"session_id\":\"s\"}\n";
    let (result, whole) = told(answer.as_bytes(), 0, Some(Usd(1_000_000)));
    assert_eq!((result.status, result.fatal, whole), (TaskStatus::Failed, true, false));
    assert!(result.error.is_some_and(|it| it.contains("[prices.\"another\"]")));
    let (result, whole) = told(answer.as_bytes(), 0, None);
    assert!(whole && !result.fatal);
}

#[test]
fn several_results_are_one_session_and_the_last_total_counts() {
    let line = |cost: f64| {
        format!(
            "{{\"type\":\"result\",\"is_error\":false,\"terminal_reason\":\"completed\",\"session_id\":\"s\",\"total_cost_usd\":{cost},\"result\":\"done\"}}\n"
        )
    };
    let (result, _) = told((line(0.42) + &line(0.84)).as_bytes(), 0, None);
    assert_eq!(result.used.iter().map(|it| it.1).collect::<Vec<_>>(), [Usd(840_000)]);
}

#[test]
fn rules_keep_an_agent_in_its_scope() {
    let scope =
        Scope { allowed: vec!["services/a/**".to_owned(), "docs/".to_owned()], forbidden: vec!["x.toml".to_owned()] };
    let executor = ClaudeExecutor { commands: vec!["npm test".to_owned()], ..executor() };
    let rules = executor.permissions(&scope, Role::CodeWriter, &[Server::ContractEngine]);
    assert_eq!(
        rules.allow,
        [
            "Read(./**)",
            "Edit(./services/a/**)",
            "Edit(./docs)",
            "Edit(./docs/**)",
            "Bash(npm test:*)",
            "mcp__contract-engine"
        ]
    );
    assert_eq!(rules.deny, ["Edit(./x.toml)", "Edit(./x.toml/**)"]);
    assert_eq!(executor.permissions(&scope, Role::CodeReviewer, &[]).allow, ["Read(./**)"]);
}

proptest! {
    /// Whatever comes, in whatever pieces: no panic, and the same result.
    #[test]
    fn any_stream_is_read(name in prop::sample::select(vec!["ok", "401", "429", "cut", "cap"]), cuts in prop::collection::vec(1_usize..400, 1..20), noise in prop::collection::vec(any::<u8>(), 0..40), at in any::<prop::sample::Index>()) {
        let mut stream = recorded(name);
        let at = at.index(stream.len());
        stream.splice(at..at, noise);
        let mut whole = Session::new(None);
        whole.hear(&stream);
        whole.end();
        let mut pieces = Session::new(None);
        let mut rest = stream.as_slice();
        for size in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (piece, after) = rest.split_at((*size).min(rest.len()));
            pieces.hear(piece);
            rest = after;
        }
        pieces.end();
        prop_assert_eq!(&pieces.ending, &whole.ending);
        prop_assert_eq!(pieces.used(&prices()), whole.used(&prices()));
        prop_assert_eq!(pieces.garbled, whole.garbled);
    }
}
