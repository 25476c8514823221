//! A goal, worked on from outside: real gates that fail and then pass, a command in the place of a model, a real repository.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::devteam::{Client, MEMBERS};

/// What the command does in the place of a model: wrong four times, each time otherwise; right once the council has spoken.
const AGENT: &str = r##"
prompt=$(cat "$1")
case "$TREATY_TASK" in
plan) echo "Goal: four. Action Steps: write it." ;;
council-*)
  member=${TREATY_TASK#council-}
  case "$prompt" in
  *"All five have spoken"*) echo '{"ranking": ["code_archaeologist", "pattern_matcher"]}' > answer.json ;;
  *)
    confidence=40; [ "$member" = code_archaeologist ] && confidence=60
    printf '{"findings": ["seen by %s"], "hypothesis": "words are no numbers", "suggested_fix": "write 4 as %s says", "confidence": %s}' \
      "$member" "$member" "$confidence" ;;
  esac ;;
task)
  case "$prompt" in
  *"write 4 as code_archaeologist says"*) echo 4 > src/sum.txt ;;
  *)
    word=$(echo "one two three five six seven" | cut -d' ' -f"$TREATY_ATTEMPT")
    echo "$word" > src/sum.txt
    echo tried > "src/$word.txt"
    echo outside > escaped.txt ;;
  esac
  echo "wrote $(cat src/sum.txt)" ;;
esac
"##;

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, text).expect("written");
}

fn git(root: &Path, arguments: &[&str]) -> String {
    let settings = ["-c", "user.name=a", "-c", "user.email=a@b"];
    let out = Command::new("git").arg("-C").arg(root).args(settings).args(arguments).output().expect("git");
    assert!(out.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

/// A repository whose only gate fails until `src/sum.txt` is right, beside the command that works on it.
fn project(agent: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("project");
    write(folder.path(), "agent.sh", agent);
    let command = format!("sh {} {{prompt_file}}", folder.path().join("agent.sh").display());
    write(
        &root,
        "treaty.toml",
        &format!(
            "[gates]\nrun = [\"tests\"]\n[gates.commands]\ntests = \"sh test.sh\"\n[orchestrate]\ncommand = {}\n",
            json!(command)
        ),
    );
    let test = "found=$(cat src/sum.txt)\n[ \"$found\" = 4 ] && exit 0\necho \"FAILED test_sum: got $found\"\nexit 1\n";
    write(&root, "test.sh", test);
    write(&root, "src/sum.txt", "none\n");
    git(&root, &["init", "-q", "-b", "main"]);
    git(&root, &["add", "."]);
    git(&root, &["commit", "-qm", "Begin"]);
    folder
}

fn team(root: &Path, arguments: &[&str], kill_after: Option<usize>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_treaty"));
    command.arg("team").args(arguments).current_dir(root).stdin(Stdio::null());
    for name in ["DEVTEAM_DB", "DEVTEAM_CONFIG", "DEVTEAM_AGENTS"] {
        command.env_remove(name);
    }
    if let Some(after) = kill_after {
        command.env("TREATY_TEST_KILL_AFTER", after.to_string());
    }
    command.output().expect("it runs")
}

fn said(out: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr))
}

fn trace(root: &Path) -> Vec<Value> {
    let out = team(root, &["trace"], None);
    assert!(out.status.success(), "{}", said(&out));
    String::from_utf8_lossy(&out.stdout).lines().map(|it| serde_json::from_str(it).expect("a line of JSON")).collect()
}

fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().filter_map(|it| it["event_type"].as_str()).collect()
}

/// What a session came to, without times and ids.
fn outcome(root: &Path) -> Value {
    let events = trace(root);
    let of = |kind: &str| -> Vec<Value> {
        let found = events.iter().filter(|it| it["event_type"] == kind);
        found.map(|it| it["data"].clone()).collect()
    };
    let verdicts: Vec<Value> =
        of("GATES_EVALUATED").iter().map(|it| json!([it["gates"][0]["verdict"], it["gates"][0]["errors"]])).collect();
    let spoken: Vec<Value> = of("COUNCIL_SUBMITTED").iter().map(|it| it["submission"].clone()).collect();
    let files: Vec<Value> = of("COMPLETION_REPORTED").iter().map(|it| it["files"].clone()).collect();
    json!({
        "verdicts": verdicts, "council": spoken, "files": files, "sum": fs::read_to_string(root.join("src/sum.txt")).ok(),
        "ended": of("SESSION_ENDED").last().map(|it| it["status"].clone()),
    })
}

const RUN: [&str; 7] = ["run", "Make the sum four", "--backend", "command", "--files", "src/**", "--jobs=2"];

#[test]
fn one_agent_works_until_the_gates_pass() {
    let folder = project(AGENT);
    let root = &folder.path().join("project");
    let out = team(root, &RUN, None);
    let said = said(&out);
    assert!(out.status.success(), "{said}");
    for line in [
        "iteration 1 of 10: ",
        "taken back, outside of what may be changed: escaped.txt",
        "opus takes over",
        "the council looks for the cause",
        "code_archaeologist: words are no numbers",
        "the gates pass",
        "The goal is reached",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let events = trace(root);
    let found = kinds(&events);
    let count = |kind: &str| found.iter().filter(|it| **it == kind).count();
    assert_eq!((count("GATES_EVALUATED"), count("COUNCIL_SUBMITTED"), count("WORK_BEGUN")), (5, 10, 5), "{found:?}");
    assert_eq!(
        outcome(root)["files"][0],
        json!(["src/one.txt", "src/sum.txt"]),
        "what was seen, without what was taken back"
    );
    assert_eq!(outcome(root)["files"][4], json!(["src/sum.txt"]));
    let ids: std::collections::BTreeSet<&str> = events.iter().filter_map(|it| it["event_id"].as_str()).collect();
    assert_eq!(ids.len(), events.len(), "each event has an id of its own");
    assert_eq!(fs::read_to_string(root.join("src/sum.txt")).ok().as_deref(), Some("4\n"));
    assert!(!root.join("escaped.txt").exists());
    let status = git(root, &["status", "--porcelain"]);
    assert!(status.contains(" M src/sum.txt") && status.contains("?? src/one.txt"), "nothing is staged: {status}");
    assert_eq!(git(root, &["worktree", "list"]).lines().count(), 1, "no checkout is left");
    assert!(git(root, &["branch", "--list", "treaty*"]).is_empty());
}

#[test]
fn killed_after_every_event_a_session_goes_on_by_either_door() {
    let folder = project(AGENT);
    let root = &folder.path().join("project");
    assert!(team(root, &RUN, None).status.success());
    let (whole, events) = (outcome(root), trace(root).len());
    assert!(events > 20, "{events}");
    for after in 1..events {
        let folder = project(AGENT);
        let root = &folder.path().join("project");
        let killed = team(root, &RUN, Some(after));
        assert!(killed.status.code().is_none(), "after {after}: {}", said(&killed));
        if after == 1 {
            // A session without a task: there is nothing to go on with.
            let out = team(root, &["resume", "--backend", "command"], None);
            assert!(said(&out).contains("devteam_start_task"), "{}", said(&out));
            continue;
        }
        if after % 2 == 0 {
            let out = team(root, &["resume", "--backend", "command", "--jobs=2"], None);
            assert!(out.status.success(), "after {after}: {}", said(&out));
            assert_eq!(outcome(root), whole, "after {after}");
        } else {
            from_inside(root);
            let now = outcome(root);
            assert_eq!((&now["verdicts"], &now["sum"]), (&whole["verdicts"], &whole["sum"]), "after {after}");
            assert_eq!(now["council"], whole["council"], "after {after}");
        }
    }
}

/// Goes on as an agent would that has the team's tools, doing what the command does.
fn from_inside(root: &Path) {
    let mut client = Client::at(root, None);
    let answer = |member: &str, is_ranking: bool| {
        let confidence = if member == "code_archaeologist" { 60.0 } else { 40.0 };
        let mut said = json!({
            "member": member, "findings": [format!("seen by {member}")], "hypothesis": "words are no numbers",
            "suggestedFix": format!("write 4 as {member} says"), "confidence": confidence,
        });
        if is_ranking {
            said = json!({
                "member": member, "findings": [], "hypothesis": "", "suggestedFix": "", "confidence": 0.0,
                "ranking": ["code_archaeologist", "pattern_matcher"],
            });
        }
        said
    };
    for _ in 0..40 {
        let status = client.call("get_session_status", &json!({}));
        let stage = status["session"]["currentPhase"].as_str().unwrap_or_default().to_owned();
        match stage.as_str() {
            "executing" | "awaiting_quality_gates" => {
                let context = client.call("get_context", &json!({}));
                let iteration = context["iteration"].as_u64().expect("a number") as usize;
                let word = ["one", "two", "three", "five", "six", "seven"][iteration - 1];
                let decided = !context["council"].is_null();
                let text = if decided { "4" } else { word };
                fs::write(root.join("src/sum.txt"), format!("{text}\n")).expect("written");
                let mut files = vec!["src/sum.txt".to_owned()];
                if !decided {
                    files.insert(0, format!("src/{word}.txt"));
                }
                client.call("report_completion", &json!({ "filesChanged": files, "summary": format!("wrote {text}") }));
            }
            "activating_bug_council" => {
                let asked = client.call("bug_council_analyze", &json!({}));
                let mut next = asked["next"].as_str().expect("somebody").to_owned();
                let mut is_ranking = asked["ranking"] == true;
                while !next.is_empty() {
                    assert!(MEMBERS.contains(&next.as_str()), "{next}");
                    let said = client.call("bug_council_submit", &answer(&next, is_ranking));
                    is_ranking = said["ranking"] == true;
                    next = said["next"].as_str().filter(|_| said["decided"] == false).unwrap_or_default().to_owned();
                }
            }
            "completed" => return,
            other => panic!("{other}: {status}"),
        }
    }
    panic!("it does not end");
}
