//! A goal, worked on from outside: real gates that fail and then pass, a command in the place of a model, a real repository.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::devteam::{Client, MEMBERS};

/// What the command does in the place of a model: wrong four times, each time otherwise; right once the council has spoken.
const AGENT: &str = r#"
prompt=$(cat "$1")
case "$TREATY_TASK" in
task-plan) echo "Goal: four. Action Steps: write it." ;;
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
"#;

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
    assert!(inside(&mut Client::at(root, None), root, usize::MAX), "it does not end");
}

/// At most so many reports and words of the council. Says whether the task is done.
fn inside(client: &mut Client, root: &Path, most: usize) -> bool {
    let mut done = 0;
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
        if done >= most {
            return false;
        }
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
                done += 1;
                client.call("report_completion", &json!({ "filesChanged": files, "summary": format!("wrote {text}") }));
            }
            "activating_bug_council" => {
                let asked = client.call("bug_council_analyze", &json!({}));
                let mut next = asked["next"].as_str().expect("somebody").to_owned();
                let mut is_ranking = asked["ranking"] == true;
                while !next.is_empty() && done < most {
                    done += 1;
                    assert!(MEMBERS.contains(&next.as_str()), "{next}");
                    let said = client.call("bug_council_submit", &answer(&next, is_ranking));
                    is_ranking = said["ranking"] == true;
                    next = said["next"].as_str().filter(|_| said["decided"] == false).unwrap_or_default().to_owned();
                }
            }
            "completed" => return true,
            other => panic!("{other}: {status}"),
        }
    }
    panic!("it does not end");
}

#[test]
fn what_an_agent_began_goes_on_from_outside() {
    let folder = project(AGENT);
    let root = &folder.path().join("project");
    assert!(team(root, &RUN, None).status.success());
    let whole = outcome(root);
    for steps in 0..15 {
        let folder = project(AGENT);
        let root = &folder.path().join("project");
        // The client ends its server by killing it.
        {
            let mut client = Client::at(root, None);
            client.call("start_session", &json!({"command": "four", "commandType": "implement"}));
            let task = json!({
                "taskId": "adhoc", "description": "four", "acceptanceCriteria": ["it is four"], "scopeFiles": ["src/**"],
            });
            client.call("start_task", &task);
            inside(&mut client, root, steps);
        }
        let out = team(root, &["resume", "--backend", "command"], None);
        assert!(out.status.success(), "after {steps}: {}", said(&out));
        let now = outcome(root);
        assert_eq!((&now["verdicts"], &now["sum"]), (&whole["verdicts"], &whole["sum"]), "after {steps}");
        assert_eq!((&now["council"], &now["ended"]), (&whole["council"], &whole["ended"]), "after {steps}");
    }
}

/// What the command does for roles: the architect leaves something open at first, the tests do not start at first, the judge is
/// stricter at first.
const ROLES: &str = r#"
prompt=$(cat "$1")
case "$TREATY_TASK" in
leader) cat > answer.json <<'J'
{"missions": [{"mission_id": "notes", "type": "documentation", "goal": "Write notes", "role": "architect", "files": ["docs/**"]}]}
J
  ;;
notes) mkdir -p docs; echo note > docs/notes.md; echo "notes are there" ;;
design)
  mkdir -p docs; echo design > docs/design.md
  case "$prompt" in
  *"holds placeholders"*) echo "The design: one table." ;;
  *) echo "The design: TODO" ;;
  esac ;;
code-plan) echo "Action Steps: write src/app.py" ;;
code)
  case "$prompt" in *"The design: one table."*) ;; *) exit 3 ;; esac
  case "$prompt" in *"Action Steps: write src/app.py"*) ;; *) exit 4 ;; esac
  mkdir -p src; echo "app = 1" > src/app.py; echo own > elsewhere.txt; echo "src/app.py keeps one table" ;;
check)
  [ "$TREATY_ATTEMPT" = 1 ] && { echo "no port is free"; exit 1; }
  mkdir -p tests; echo "attempt $TREATY_ATTEMPT" > tests/test_app.py; echo "one test" ;;
check-judge) 
  [ -f tests/test_app.py ] || exit 5
  score=60; [ "$(cat tests/test_app.py)" = "attempt 2" ] || score=90
  echo "{\"overall_score\": $score, \"issues\": [\"one test is few\"], \"suggestions\": []}" ;;
esac
"#;

const MISSIONS: &str = "
- {id: check, type: testing, goal: Test the app, dependencies: [code], files: ['tests/**']}
- {id: code, goal: Write the app, dependencies: [design], files: ['src/**'], output_standard: {required_files: [src/app.py]}}
- {id: design, type: documentation, goal: Write the design, role: architect, files: ['docs/**'], priority: HIGH}
";

const TESTER: &str = "
description: Tests.
category: [testing]
recommended_persona: test-engineer
mission: {goal: Test what is there, success_criteria: [enough tests]}
tools: [read, write, run]
enable_quality_check: true
";

fn with_roles(settings: &str) -> TempDir {
    let folder = project(ROLES);
    let root = &folder.path().join("project");
    write(root, "missions.yaml", MISSIONS);
    write(root, ".devteam/roles/test-engineer.yaml", TESTER);
    write(root, ".devteam/config.yaml", settings);
    folder
}

const LEAD: [&str; 6] = ["run", "An app with a table", "--missions", "missions.yaml", "--backend", "command"];

fn interventions(root: &Path) -> Vec<String> {
    let events = trace(root);
    let of = |it: &Value| {
        let it = &it["data"]["happened"];
        let name = |it: &Value| it.as_str().unwrap_or_default().to_owned();
        format!("{} {}", name(&it["mission"]), name(&it["decision"]["intervention"]))
    };
    events.iter().filter(|it| it["event_type"] == "INTERVENED").map(of).collect()
}

#[test]
fn a_leader_decides_on_each_result() {
    let folder = with_roles("leader: {enabled: true}\n");
    let root = &folder.path().join("project");
    let out = team(root, &LEAD, None);
    let said = said(&out);
    assert!(out.status.success(), "{said}");
    assert_eq!(
        interventions(root),
        ["design ENHANCE", "design CONTINUE", "code CONTINUE", "check RETRY", "check ENHANCE", "check CONTINUE"],
        "{said}"
    );
    for line in [
        "| design | architect | done | 2 | 100 | validators",
        "| code | code-writer | done | 1 |",
        "| check | test-engineer | done | 3 | 90 | a model |",
        "format validation failed: the output holds placeholders: TODO",
        "the command ended with exit status: 1; retry 1 of 3",
        "quality below threshold: 60 of 100, 70 are wanted: one test is few",
        "completed; taken apart by file",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert!(root.join("src/app.py").is_file() && root.join("docs/design.md").is_file());
    assert!(!root.join("elsewhere.txt").exists(), "what a mission may not write stays out");
    assert_eq!(git(root, &["worktree", "list"]).lines().count(), 1, "no checkout is left");
    let folder =
        fs::read_dir(root.join(".treaty/devteam")).expect("a folder").next().expect("one").expect("read").path();
    let state = fs::read_to_string(folder.join("workflow_state.json")).expect("a state");
    let state: Value = serde_json::from_str(&state).expect("JSON");
    assert_eq!(state["workflow_status"], "COMPLETED", "{state}");
    assert_eq!(state["completed_roles"], json!(["test-engineer", "code-writer", "architect"]), "{state}");
    for name in ["DELIVERABLE.md", "trace.jsonl", "check-judge/3/executor.log", "code-plan/1/executor.log"] {
        assert!(folder.join(name).is_file(), "{name}");
    }
}

#[test]
fn another_threshold_or_mode_is_another_outcome() {
    let folder = with_roles("leader: {enabled: true, quality_threshold: 55}\n");
    let root = &folder.path().join("project");
    assert!(team(root, &LEAD, None).status.success());
    assert_eq!(
        interventions(root),
        ["design ENHANCE", "design CONTINUE", "code CONTINUE", "check RETRY", "check CONTINUE"]
    );
    // Without a leader a result that is not good enough ends the run.
    let folder = with_roles("");
    let root = &folder.path().join("project");
    let arguments: Vec<&str> = LEAD.into_iter().chain(["--mode", "team"]).collect();
    let out = team(root, &arguments, None);
    assert_eq!(out.status.code(), Some(1), "{}", said(&out));
    assert_eq!(interventions(root), ["design TERMINATE"]);
    assert!(said(&out).contains("The goal is not reached: design: format validation failed"), "{}", said(&out));
    assert!(!root.join("docs/design.md").exists(), "what is not good enough is not written");
}

#[test]
fn killed_after_every_event_missions_go_on() {
    let folder = with_roles("leader: {enabled: true}\n");
    let root = &folder.path().join("project");
    assert!(team(root, &LEAD, None).status.success());
    let (whole, events) = (interventions(root), trace(root).len());
    for after in 2..events {
        let folder = with_roles("leader: {enabled: true}\n");
        let root = &folder.path().join("project");
        let killed = team(root, &LEAD, Some(after));
        assert!(killed.status.code().is_none(), "after {after}: {}", said(&killed));
        let out = team(root, &["resume", "--backend", "command"], None);
        assert!(out.status.success(), "after {after}: {}", said(&out));
        assert_eq!(interventions(root), whole, "after {after}");
        assert!(root.join("src/app.py").is_file() && root.join("tests/test_app.py").is_file(), "after {after}");
    }
}

#[test]
fn a_model_takes_a_goal_apart_and_what_cannot_be_done_is_said() {
    let folder = with_roles("");
    let root = &folder.path().join("project");
    let out = team(root, &["run", "Notes", "--mode", "leader", "--backend", "command"], None);
    assert!(out.status.success() && said(&out).contains("taken apart by model"), "{}", said(&out));
    assert_eq!(fs::read_to_string(root.join("docs/notes.md")).ok().as_deref(), Some("note\n"));
    let refused = |arguments: &[&str], why: &str| {
        let out = team(root, arguments, None);
        assert_eq!(out.status.code(), Some(2), "{}", said(&out));
        assert!(said(&out).replace("\n  │ ", " ").contains(why), "{why}: {}", said(&out));
    };
    refused(&["run"], "no goal is named");
    refused(&["run", "g", "--backend", "scaffold"], "nobody can work on a goal");
    refused(&["run", "g", "--backend", "command", "--budget", "1"], "nobody is here to agree");
    refused(&["resume", "nobody", "--backend", "command"], "there is no session `nobody`");
    // What was asked of a model belongs to a session, which says why it has ended.
    let folder_of_nobody = project("echo no missions\n");
    let nobody = &folder_of_nobody.path().join("project");
    let out = team(nobody, &["run", "Notes", "--mode", "leader", "--backend", "command"], None);
    assert_eq!(out.status.code(), Some(2), "{}", said(&out));
    assert_eq!(outcome(nobody)["ended"], json!("failed"));
    write(root, "circle.yaml", "[{id: a, goal: x, dependencies: [b]}, {id: b, goal: y, dependencies: [a]}]");
    refused(&["run", "g", "--missions", "circle.yaml", "--backend", "command"], "tasks wait for each other");
    write(root, "lost.yaml", "[{id: a, goal: x, dependencies: [nowhere]}]");
    refused(&["run", "g", "--missions", "lost.yaml", "--backend", "command"], "depends on `nowhere`");
    write(root, "search.yaml", "[{id: a, goal: x, type: research}]");
    refused(&["run", "g", "--missions", "search.yaml", "--backend", "command"], "`web_search` is off");
}

/// What the hook answers: its exit code, and what the agent reads.
fn session_stop(root: &Path, payload: &Value) -> (Option<i32>, String) {
    use std::io::Write as _;
    let mut command = Command::new(env!("CARGO_BIN_EXE_treaty"));
    command.args(["hook", "session-stop"]).current_dir("/").stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).env_remove("DEVTEAM_DB");
    let mut child = command.spawn().expect("it runs");
    let mut payload = payload.clone();
    payload["cwd"] = json!(root);
    write!(child.stdin.take().expect("an input"), "{payload}").expect("written");
    let out = child.wait_with_output().expect("it ends");
    (out.status.code(), said(&out))
}

#[test]
fn an_agent_that_would_leave_a_task_open_is_held_once() {
    let folder = project(AGENT);
    let root = &folder.path().join("project");
    assert_eq!(session_stop(root, &json!({})).0, Some(0), "no session");
    team(root, &RUN, Some(4));
    let (code, reason) = session_stop(root, &json!({"stop_hook_active": false}));
    assert!(code == Some(2) && reason.contains("devteam_report_completion"), "{reason}");
    assert_eq!(session_stop(root, &json!({"stop_hook_active": true})).0, Some(0), "once is enough");
    assert!(team(root, &["resume", "--backend", "command"], None).status.success());
    assert_eq!(session_stop(root, &json!({})).0, Some(0), "the task is done");
}

#[test]
fn a_task_of_the_plan_is_held_to_its_scope() {
    let agent = "[ \"$TREATY_TASK\" = task ] || exit 0\nmkdir -p services/diary-service\necho 4 > services/diary-service/sum.txt\n\
                 echo x > outside.txt\n";
    let folder = project(agent);
    let root = &folder.path().join("project");
    write(root, "test.sh", "[ -f services/diary-service/sum.txt ]\n");
    git(root, &["commit", "-qam", "Another test"]);
    let needs =
        "# Diary\n\n## Services\n\n### diary-service\n\nOwns **Entry** (id, text). `GET /entries` lists entries.\n";
    write(folder.path(), "DIARY.md", needs);
    let mut plan = Command::new(env!("CARGO_BIN_EXE_treaty"));
    plan.args(["orchestrate", "../DIARY.md", "--into", ".", "--plan-only"]).current_dir(root).stdin(Stdio::null());
    let out = plan.output().expect("it runs");
    assert!(out.status.success(), "{}", said(&out));
    let out = team(root, &["run", "--task", "TASK-999", "--backend", "command"], None);
    assert!(out.status.code() == Some(2) && said(&out).contains("no task `TASK-999`"), "{}", said(&out));
    let out = team(root, &["run", "--task", "TASK-001", "--backend", "command"], None);
    assert!(out.status.success(), "{}", said(&out));
    assert!(said(&out).contains("taken back, outside of what may be changed: outside.txt"), "{}", said(&out));
    assert!(root.join("services/diary-service/sum.txt").is_file() && !root.join("outside.txt").exists());
}
