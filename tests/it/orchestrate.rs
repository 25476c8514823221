//! `treaty orchestrate`, as a user runs it, with an agent that is a script.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

const DIARY: &str = "# Diary

## Services

| Service | Stack | Responsibility |
|---|---|---|
| diary-service | Python, FastAPI | Keeps what people write |

## Data model

### Entry

| Field | Type | Required |
|---|---|---|
| id | string | yes |
| text | string | yes |

## API

| Method | Path | Description | Response |
|---|---|---|---|
| GET | /entries | List entries | 200 Entry[] |
";

pub(crate) const APP: &str = "from fastapi import FastAPI
from pydantic import BaseModel


class Entry(BaseModel):
    id: str
    text: str


app = FastAPI()


@app.get(\"/entries\")
def list_entries() -> list[Entry]:
    return []
";

/// An agent that does what it is told: a file for each task, and the application from the second on.
pub(crate) const AGENT: &str = "d=services/diary-service
if [ \"$TREATY_TASK\" != TASK-001 ]; then cp \"$APP\" $d/main.py; fi
echo done > $d/$TREATY_TASK.txt
";

/// A project with a committed configuration, requirements beside it, and an agent.
pub(crate) struct Project {
    folder: TempDir,
}

impl Project {
    pub(crate) fn new(agent: &str) -> Project {
        Project::with(agent, "")
    }

    pub(crate) fn with(agent: &str, settings: &str) -> Project {
        let folder = tempfile::tempdir().expect("a folder");
        let it = Project { folder };
        fs::create_dir(it.root()).expect("a folder");
        fs::write(it.path("DIARY.md"), DIARY).expect("requirements");
        fs::write(it.path("main.py"), APP).expect("an application");
        let agent = format!("set -e\nAPP={}\n{agent}", it.path("main.py").display());
        fs::write(it.path("agent.sh"), agent).expect("an agent");
        // The path is seen from a worktree: the same in every project, since the settings are part of the tree.
        let text = format!("[orchestrate]\ncommand = \"sh ../../../../../agent.sh {{prompt_file}}\"\n{settings}");
        let gates = if text.contains("[gates]") { "" } else { "[gates.commands]\ntests = \"true\"\n" };
        fs::write(it.root().join("treaty.toml"), text + gates).expect("settings");
        it.git(&["init", "--quiet"]);
        it.git(&["add", "."]);
        it.git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "begin"]);
        it
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.path("project")
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let out = Command::new("git").arg("-C").arg(self.root()).args(arguments).output().expect("git is there");
        assert!(out.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).trim().to_owned()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_treaty"));
        command.current_dir(self.root()).arg("orchestrate").args(arguments).stdin(Stdio::null());
        command
    }

    pub(crate) fn treaty(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program starts")
    }

    fn run(&self, more: &[&str]) -> Output {
        self.treaty(&[&["../DIARY.md", "--backend", "command"], more].concat())
    }

    /// The tree of the only run's branch.
    pub(crate) fn tree(&self) -> String {
        let branch = self.git(&["for-each-ref", "--format=%(refname)", "refs/heads/treaty/run-*"]);
        self.git(&["rev-parse", &format!("{branch}^{{tree}}")])
    }

    pub(crate) fn file(&self, path: &str) -> String {
        let branch = self.git(&["for-each-ref", "--format=%(refname)", "refs/heads/treaty/run-*"]);
        self.git(&["show", &format!("{branch}:{path}")])
    }

    /// A document that the run wrote for others.
    pub(crate) fn exported(&self, name: &str) -> String {
        fs::read_to_string(self.root().join(".agent-team").join(name)).expect(name)
    }

    /// Dollars that the last run cost.
    pub(crate) fn spent(&self) -> f64 {
        self.report()["summary"]["cost_usd"].as_f64().expect("a number")
    }

    /// How many merges the branches have.
    fn merges(&self) -> usize {
        self.git(&["log", "--all", "--merges", "--format=%s"]).lines().count()
    }

    pub(crate) fn report(&self) -> Value {
        let out = self.treaty(&["report", "--format", "json"]);
        serde_json::from_slice(&out.stdout).unwrap_or_else(|_| panic!("{}", said(&out)))
    }
}

pub(crate) fn said(out: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr))
}

#[track_caller]
pub(crate) fn ends(out: &Output, code: i32) {
    assert_eq!(out.status.code(), Some(code), "{}", said(out));
}

#[test]
fn the_hooks_of_an_agent_know_its_run_and_its_scope() {
    let asks = format!(
        "h() {{ printf '%s' \"$2\" | {} hook $1 2>> $d/$TREATY_TASK.said || echo \"$1 $?\" >> $d/$TREATY_TASK.said; }}
h stop '{{\"hook_event_name\": \"Stop\"}}'
w() {{ h post-tool-use '{{\"hook_event_name\": \"PostToolUse\", \"tool_name\": \"Write\", \"tool_input\": {{\"file_path\": \"'$PWD/$1'\"}}}}'; }}
w $d/main.py
w README-of-others.md
(unset TREATY_TASK; h stop '{{\"hook_event_name\": \"Stop\"}}'; mv $d/.said $d/whole.said)
",
        env!("CARGO_BIN_EXE_treaty")
    );
    let project = Project::new(&format!("{AGENT}{asks}"));
    ends(&project.run(&[]), 0);
    let told = project.file("services/diary-service/TASK-001.said");
    let outside = "README-of-others.md is outside of what TASK-001 may change, and will be left out";
    assert_eq!(told, format!("{outside}\npost-tool-use 2"));
    let whole = project.file("services/diary-service/whole.said");
    assert!(whole.contains("tasks are open: TASK-") && whole.ends_with("stop 2"), "{whole}");
}

#[test]
fn a_run_merges_to_a_branch_of_its_own() {
    let project = Project::new(AGENT);
    let head = project.git(&["rev-parse", "HEAD"]);
    ends(&project.run(&[]), 0);
    assert_eq!(project.git(&["rev-parse", "HEAD"]), head, "the user's branch is where it was");
    assert_eq!(project.git(&["status", "--porcelain"]), "");
    assert_eq!(project.git(&["worktree", "list"]).lines().count(), 1, "no worktree is left");
    assert_eq!(project.file("services/diary-service/main.py"), APP.trim());
    let state: Value =
        serde_json::from_str(&fs::read_to_string(project.root().join(".agent-team/STATE.json")).expect("exported"))
            .expect("JSON");
    assert_eq!((&state["interrupted"], &state["summary"]["success"]), (&Value::Bool(false), &Value::Bool(true)));
    let checklist = fs::read_to_string(project.root().join(".agent-team/REQUIREMENTS.md")).expect("exported");
    assert!(
        checklist.contains("- [x] REQ-002: GET /entries answers as contracts/diary-service-api.json says"),
        "{checklist}"
    );
    let events = fs::read_to_string(project.root().join(".agent-team/events.jsonl")).expect("exported");
    let replayed = project.treaty(&["replay", "--json"]);
    assert_eq!(events, String::from_utf8_lossy(&replayed.stdout), "the export is the log");
}

#[test]
fn contracts_that_are_known_take_the_place_of_stubs() {
    let document = |path: &str| {
        format!(
            "{{\"openapi\": \"3.1.0\", \"info\": {{\"title\": \"d\", \"version\": \"2.0.0\"}}, \"paths\": {{\"{path}\": {{\"get\": {{\"responses\": {{\"200\": {{\"description\": \"ok\"}}}}}}}}}}}}"
        )
    };
    let project = Project::new(AGENT);
    let cached = format!(
        "{{\"version\": \"1.0\", \"contracts\": {{\"c\": {{\"contract_type\": \"openapi\", \"provider_service\": \"diary-service\", \"spec\": {}}}}}}}",
        document("/cached")
    );
    fs::write(project.root().join("CONTRACTS.json"), cached).expect("a file");
    project.git(&["add", "."]);
    project.git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "cache"]);
    let laid = |project: &Project| {
        let out = project.run(&["--plan-only"]);
        ends(&out, 0);
        let branches = project.git(&["for-each-ref", "--format=%(refname)", "refs/heads/treaty/run-*"]);
        let contract = project.git(&["show", &format!("{branches}:contracts/diary-service-api.json")]);
        project.git(&["update-ref", "-d", &branches]);
        (contract, said(&out))
    };
    let (contract, said) = laid(&project);
    assert!(contract.contains("/cached") && said.contains("from CONTRACTS.json"), "{said}");
    // What a run has registered is not what somebody has agreed on: the next run sees the cache again.
    let (contract, _) = laid(&project);
    assert!(contract.contains("/cached"));
    fs::write(project.path("agreed.json"), document("/agreed")).expect("a file");
    let added = Command::new(env!("CARGO_BIN_EXE_treaty"))
        .current_dir(project.root())
        .args(["contract", "add", "../agreed.json", "--service", "diary-service"])
        .output()
        .expect("the program starts");
    ends(&added, 0);
    let (contract, said) = laid(&project);
    assert!(contract.contains("/agreed") && said.contains("from the registry"), "{said}");
    // What the settings name comes first.
    fs::create_dir(project.root().join("api")).expect("a folder");
    fs::write(project.root().join("api/diary.yaml"), "openapi: 3.1.0\ninfo: {title: d, version: 3.0.0}\npaths:\n  /ours:\n    get: {responses: {'200': {description: ok}}}\n").expect("a file");
    let settings = project.root().join("treaty.toml");
    let text = fs::read_to_string(&settings).expect("settings");
    let service =
        "[[service]]\nname = \"diary-service\"\nroot = \"services/diary-service\"\ncontracts = [\"api/diary.yaml\"]\n";
    fs::write(&settings, text + service).expect("settings");
    project.git(&["add", "."]);
    project.git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "ours"]);
    ends(&project.run(&["--plan-only"]), 0);
    let tasks = fs::read_to_string(project.root().join(".agent-team/TASKS.md")).expect("a plan");
    assert!(tasks.contains("GET /ours answers as api/diary.yaml says"), "{tasks}");
}

/// Every so many events of a run: the process is killed right after the event is kept, and the run is taken up.
fn killed_and_resumed(arguments: &[&str], step: usize) {
    let undisturbed = Project::new(AGENT);
    ends(&undisturbed.treaty(arguments), 0);
    let events = String::from_utf8_lossy(&undisturbed.treaty(&["replay", "--json"]).stdout).lines().count();
    let (ledger, merges) = (undisturbed.report()["ledger"].clone(), undisturbed.merges());
    assert!(events > 60 && merges > 3, "{events} events, {merges} merges");
    // The last events are those of the report: what was measured before the end is not lost.
    for at in (1..events).step_by(step).chain(events - 4..events) {
        let project = Project::new(AGENT);
        let mut run = project.command(arguments);
        let killed = run.env("TREATY_TEST_KILL_AFTER", at.to_string()).output().expect("the program starts");
        assert_eq!(killed.status.code(), None, "killed after event {at}: {}", said(&killed));
        ends(&project.treaty(&["resume"]), 0);
        assert_eq!(project.tree(), undisturbed.tree(), "killed after event {at}");
        assert_eq!(project.report()["ledger"], ledger, "killed after event {at}");
        assert_eq!(project.merges(), merges, "each task is merged once, killed after event {at}");
    }
}

const SMALL: [&str; 3] = ["../DIARY.md", "--backend", "command"];

#[test]
fn a_killed_run_goes_on_where_it_was() {
    killed_and_resumed(&SMALL, 9);
}

/// `cargo test --test it -- --ignored every_event`
#[test]
#[ignore = "minutes: a run for every event"]
fn a_run_that_is_killed_after_every_event_goes_on() {
    killed_and_resumed(&SMALL, 1);
}

/// `cargo test --test it -- --ignored large_run`
#[test]
#[ignore = "minutes: a run of three services for every tenth event"]
fn a_large_run_that_is_killed_after_every_tenth_event_goes_on() {
    let requirements = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/shop/REQUIREMENTS.md");
    killed_and_resumed(&[requirements, "--backend", "scaffold", "--yes"], 10);
}

#[test]
fn what_lies_outside_of_the_scope_is_left_out_and_told() {
    let project = Project::new(&format!("{AGENT}echo mine > contracts/stolen.json\necho x > README.md\n"));
    ends(&project.run(&[]), 0);
    let report = project.report();
    assert_eq!(report["tasks"][0]["outside"], serde_json::json!(["README.md", "contracts/stolen.json"]));
    assert!(!project.git(&["ls-tree", "-r", "--name-only", &project.tree()]).contains("stolen"));
}

#[test]
fn an_attempt_that_breaks_the_contract_is_mended_by_the_next() {
    // The first attempt answers something else; the second one finds out from its prompt what was wrong.
    let agent = "d=services/diary-service
prompt=$1
echo done > $d/$TREATY_TASK.txt
cp \"$APP\" $d/main.py
if [ $TREATY_TASK = TASK-002 ] && ! grep -q CONTRACT-001 \"$prompt\"; then sed -i 's/text: str/body: str/' $d/main.py; fi
";
    let project = Project::new(agent);
    ends(&project.run(&[]), 0);
    let task = project.report()["tasks"][1].clone();
    assert_eq!((&task["attempts"], &task["failures"]), (&2.into(), &1.into()), "{task}");
    assert!(task["learnt"][0].as_str().expect("text").contains("CONTRACT-001"), "{task}");
}

#[test]
fn a_task_that_never_passes_fails_with_what_builds_on_it() {
    let project = Project::new("exit 3\n");
    let out = project.run(&[]);
    ends(&out, 1);
    let report = project.report();
    let status = |at: usize| report["tasks"][at]["status"].as_str().expect("text").to_owned();
    assert_eq!((status(0), status(1)), ("FAILED".to_owned(), "FAILED".to_owned()));
    assert_eq!(report["tasks"][0]["attempts"], 3);
    assert_eq!(report["tasks"][1]["attempts"], 0, "it was not even tried");
    // A person mends the agent and tries once more.
    fs::write(project.path("agent.sh"), format!("set -e\nAPP={}\n{AGENT}", project.path("main.py").display()))
        .expect("an agent");
    let id = report["summary"]["run"].as_str().expect("an id").to_owned();
    ends(&project.treaty(&["retry", &id, "TASK-001"]), 0);
    assert_eq!(project.file("services/diary-service/main.py"), APP.trim());
}

/// Whose members are of one mind, and who works as the council says.
const STUCK: &str = "d=services/diary-service
case $TREATY_TASK in
*-council-*)
  if grep -q 'All five have spoken' \"$1\"; then echo '{\"ranking\": [\"code_archaeologist\"]}' > answer.json; exit 0; fi
  grep -q 'body: str' $d/main.py
  member=${TREATY_TASK#*-council-}
  printf '{\"findings\": [], \"hypothesis\": \"text is called body\", \"suggested_fix\": \"do as %s says\", \"confidence\": 50}' $member
  exit 0 ;;
esac
echo done > $d/$TREATY_TASK.txt
cp \"$APP\" $d/main.py
if [ $TREATY_TASK = TASK-002 ] && ! grep -q 'Fix: do as code_archaeologist says' \"$1\"; then sed -i 's/text: str/body: str/' $d/main.py; fi
";

fn spoken(project: &Project) -> Vec<Value> {
    let out = project.treaty(&["replay", "--json"]);
    let events: Vec<Value> =
        String::from_utf8_lossy(&out.stdout).lines().map(|it| serde_json::from_str(it).expect("JSON")).collect();
    events
        .into_iter()
        .filter(|it| it["event_type"] == "council_spoke")
        .map(|it| it["data"]["submission"].clone())
        .collect()
}

#[test]
fn a_council_looks_for_the_cause_before_a_task_is_given_up() {
    let settings = |council: bool| format!("attempts = 2\ncouncil = {council}\n");
    let without = Project::with(STUCK, &settings(false));
    ends(&without.run(&[]), 1);
    assert_eq!(without.report()["tasks"][1]["status"], "FAILED");
    let project = Project::with(STUCK, &settings(true));
    let out = project.run(&["--jobs=3"]);
    ends(&out, 0);
    assert!(said(&out).contains("TASK-002 is stuck: the council looks for the cause"), "{}", said(&out));
    let task = project.report()["tasks"][1].clone();
    assert_eq!((&task["status"], &task["attempts"]), (&"COMPLETE".into(), &3.into()), "{task}");
    let words = spoken(&project);
    assert_eq!(words.len(), 10, "each member analyses and ranks: {words:?}");
    let left = fs::read_dir(project.root().join(".treaty/worktrees")).into_iter().flatten().flatten();
    let left = left.flat_map(|run| fs::read_dir(run.path()).expect("a folder")).flatten();
    assert!(left.into_iter().all(|it| !it.file_name().to_string_lossy().contains("council")), "checkouts are gone");
    // Killed after each word, the run goes on and comes to the same.
    let out = project.treaty(&["replay", "--json"]);
    let events = String::from_utf8_lossy(&out.stdout).into_owned();
    let of_council = events
        .lines()
        .enumerate()
        .filter(|it| it.1.contains("\"event_type\":\"council_"))
        .map(|it| it.0 + 1)
        .collect::<Vec<_>>();
    assert_eq!(of_council.len(), 11, "{of_council:?}");
    for at in of_council {
        let again = Project::with(STUCK, &settings(true));
        let mut run = again.command(&["../DIARY.md", "--backend", "command", "--jobs=3"]);
        let killed = run.env("TREATY_TEST_KILL_AFTER", at.to_string()).output().expect("the program starts");
        assert_eq!(killed.status.code(), None, "killed after event {at}: {}", said(&killed));
        ends(&again.treaty(&["resume"]), 0);
        assert_eq!(again.tree(), project.tree(), "killed after event {at}");
        assert_eq!(spoken(&again).len(), 10, "killed after event {at}");
    }
}

#[test]
fn a_failing_gate_is_told_to_the_next_attempt() {
    let project = Project::with(
        &format!("{AGENT}if [ $TREATY_ATTEMPT = 2 ]; then echo ok > $d/ok; fi\n"),
        "[gates]\nrun = [\"tests\"]\n[gates.commands]\ntests = \"test -f ok || { echo 'FAILED no ok'; exit 1; }\"\n",
    );
    ends(&project.run(&[]), 0);
    let task = project.report()["tasks"][0].clone();
    assert_eq!(task["attempts"], 2);
    assert!(task["learnt"][0].as_str().expect("text").contains("FAILED no ok"), "{task}");
}

#[test]
fn the_budget_is_never_passed_and_more_money_goes_on() {
    let settings = "cost-pointer = \"/cost\"\n";
    let project = Project::with(&format!("{AGENT}echo '{{\"cost\": 0.4}}'\n"), settings);
    let out = project.run(&["--budget", "1", "--yes"]);
    ends(&out, 3);
    let report = project.report();
    let spent = report["summary"]["cost_usd"].as_f64().expect("a number");
    assert!(spent <= 1.0 && spent > 0.0, "{spent}");
    assert!(said(&out).contains("budget"), "{}", said(&out));
    ends(&project.treaty(&["resume", "--budget", "5"]), 0);
    let report = project.report();
    let spent = report["summary"]["cost_usd"].as_f64().expect("a number");
    assert!((spent - 1.6).abs() < 1e-6, "four tasks: {spent}");
}

#[test]
fn money_is_not_spent_unasked_and_unknown_costs_are_refused() {
    let project = Project::with(AGENT, "cost-pointer = \"/cost\"\n");
    let out = project.run(&["--budget", "1"]);
    ends(&out, 2);
    assert!(said(&out).contains("--yes"), "{}", said(&out));
    let out = project.run(&["--budget", "1", "--yes"]);
    ends(&out, 2);
    assert!(said(&out).contains("no cost at `/cost`"), "{}", said(&out));
}

#[test]
fn bad_input_is_refused_with_the_way_out() {
    let project = Project::new(AGENT);
    fs::write(project.path("EMPTY.md"), " \n").expect("a file");
    let out = project.treaty(&["../EMPTY.md"]);
    ends(&out, 2);
    assert!(said(&out).contains("is empty"), "{}", said(&out));
    ends(&project.treaty(&["../NONE.md"]), 2);
    let out = project.run(&["--service", "nobody"]);
    ends(&out, 2);
    assert!(said(&out).contains("they have diary-service"), "{}", said(&out));
    let out = project.run(&["--backend", "magic"]);
    assert!(
        said(&out).contains("cannot be used multiple times") || said(&out).contains("no backend"),
        "{}",
        said(&out)
    );
    fs::write(project.root().join("mine.txt"), "work").expect("a file");
    let out = project.run(&[]);
    ends(&out, 2);
    assert!(said(&out).contains("mine.txt"), "{}", said(&out));
    let elsewhere = project.path("elsewhere");
    fs::create_dir(&elsewhere).expect("a folder");
    fs::write(elsewhere.join("a"), "").expect("a file");
    let out = project.treaty(&["../DIARY.md", "--into", "../elsewhere"]);
    ends(&out, 2);
    assert!(said(&out).contains("git init"), "{}", said(&out));
}

#[test]
fn an_edited_plan_is_carried_out_and_a_wrong_one_told_with_its_place() {
    let project = Project::new(AGENT);
    ends(&project.run(&["--plan-only"]), 0);
    let path = project.root().join(".agent-team/TASKS.md");
    let plan = fs::read_to_string(&path).expect("a plan");
    fs::write(&path, plan.replacen("Dependencies: none", "Dependencies: TASK-002", 1)).expect("a plan");
    let out = project.run(&[]);
    ends(&out, 2);
    assert!(said(&out).contains("wait for each other") && said(&out).contains("TASKS.md"), "{}", said(&out));
    // Without its last task.
    let cut = plan.find("### TASK-004").expect("four tasks");
    let end = plan.find("<!-- made of").expect("a stamp");
    fs::write(&path, format!("{}{}", &plan[..cut], &plan[end..])).expect("a plan");
    ends(&project.run(&[]), 0);
    assert_eq!(project.report()["tasks"].as_array().expect("a list").len(), 3);
}

/// Waits until a file is there.
pub(crate) fn await_file(path: &Path) {
    let begun = Instant::now();
    while !path.exists() {
        assert!(begun.elapsed() < Duration::from_mins(1), "{} never came", path.display());
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_signal_ends_a_run_with_its_agents_and_a_second_run_is_refused_meanwhile() {
    let project = Project::new("echo $$ > \"$APP.pid\"\nif [ ! -f \"$APP.go\" ]; then sleep 600; fi\n");
    let mut run = project.command(&["../DIARY.md", "--backend", "command"]);
    let child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let pid = project.path("main.py.pid");
    await_file(&pid);
    let second = project.run(&[]);
    ends(&second, 2);
    assert!(
        said(&second).contains("at work here already") && said(&second).contains(&child.id().to_string()),
        "{}",
        said(&second)
    );
    let asked = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    assert!(asked.success());
    let out = child.wait_with_output().expect("it ends");
    ends(&out, 130);
    let agent = fs::read_to_string(&pid).expect("a number");
    let state = fs::read_to_string(format!("/proc/{}/stat", agent.trim())).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z"), "the agent lives on: {state}");
    fs::write(project.path("agent.sh"), format!("set -e\nAPP={}\n{AGENT}", project.path("main.py").display()))
        .expect("an agent");
    ends(&project.treaty(&["resume"]), 0);
}

#[test]
fn a_run_can_be_cancelled_from_elsewhere() {
    let project = Project::new("touch \"$APP.begun\"\nsleep 600\n");
    let mut run = project.command(&["../DIARY.md", "--backend", "command"]);
    let child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    await_file(&project.path("main.py.begun"));
    ends(&project.treaty(&["cancel"]), 0);
    let out = child.wait_with_output().expect("it ends");
    ends(&out, 130);
    let status = project.treaty(&["status"]);
    assert!(said(&status).contains("cancelled"), "{}", said(&status));
    ends(&project.treaty(&["clean"]), 0);
    assert_eq!(project.git(&["for-each-ref", "refs/heads/treaty/work-*"]), "");
}

#[test]
fn the_scanner_passes_over_the_tables_of_a_run() {
    for table in treaty::settings::TABLES {
        let text = format!("[{table}]\n");
        assert!(treaty::config::parse("treaty.toml", &text).is_ok(), "{table}");
    }
}

#[test]
fn end_to_end_tests_of_the_project_are_run_where_they_are_switched_on() {
    let settings = "[e2e-testing]\nenabled = true\nbackend-command = \"test -f services/diary-service/mended\"\n\
                    [browser-testing]\nenabled = true\ncommand = \"true\"\n";
    // The agent mends what the stage found.
    let agent =
        format!("if [ \"$TREATY_TASK\" = FIX-e2e_backend-1 ]; then touch services/diary-service/mended; fi\n{AGENT}");
    let project = Project::with(&agent, settings);
    ends(&project.run(&["--depth", "quick"]), 0);
    let stages = project.report()["stages"].clone();
    let of = |name: &str| stages.as_array().expect("a list").iter().find(|it| it["stage"] == name).expect(name).clone();
    // A quick run has no passes of fix loops.
    assert_eq!(of("e2e_backend")["findings"].as_array().expect("a list").len(), 1);
    assert!(of("browser")["skipped"].as_str().expect("a reason").contains("0 of 1"), "{stages}");
    assert!(of("mock")["skipped"].as_str().expect("a reason").contains("mock-data-scan"), "{stages}");

    let project = Project::with(&agent, settings);
    ends(&project.run(&[]), 0);
    let stages = project.report()["stages"].clone();
    let of = |name: &str| stages.as_array().expect("a list").iter().find(|it| it["stage"] == name).expect(name).clone();
    assert_eq!((of("e2e_backend")["fixed"].as_u64(), of("e2e_backend")["residual"].as_u64()), (Some(1), Some(0)));
    assert!(of("browser")["skipped"].is_null(), "{stages}");
}

#[test]
fn contracted_operations_are_asked_of_services_that_are_started() {
    // Without Python there is nothing that could answer.
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let server = "import http.server, json, os, sys

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = open(sys.argv[1]).read().encode()
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

http.server.HTTPServer(('127.0.0.1', int(os.environ['PORT'])), Handler).serve_forever()
";
    let ask = |answer: &str| {
        let place = tempfile::tempdir().expect("a folder");
        fs::write(place.path().join("server.py"), server).expect("a server");
        fs::write(place.path().join("answer.json"), answer).expect("an answer");
        let (server, answer) = (place.path().join("server.py"), place.path().join("answer.json"));
        let command = format!("exec python3 {} {}", server.display(), answer.display());
        let project =
            Project::with(AGENT, &format!("[e2e-testing]\nenabled = true\nstart.diary-service = \"{command}\"\n"));
        let out = project.run(&[]);
        let results = project.root().join(".agent-team/CONTRACT_E2E_RESULTS.md");
        let results = fs::read_to_string(results).unwrap_or_else(|_| panic!("{}", said(&out)));
        (out.status.code(), results)
    };
    let (code, results) = ask("[{\"id\": \"1\", \"text\": \"rain\"}]");
    assert!(code == Some(0) && results.contains("1 answered as promised, 0 otherwise"), "{results}");
    let (code, results) = ask("[{\"id\": 1, \"text\": \"rain\"}]");
    assert_eq!(code, Some(1), "{results}");
    assert!(results.contains("- `GET /entries` (diary-service-api): [0].id: string expected"), "{results}");
    let project = Project::with(AGENT, "[e2e-testing]\nenabled = true\nstart.diary-service = \"exit 3\"\n");
    ends(&project.run(&[]), 0);
    let results = fs::read_to_string(project.root().join(".agent-team/CONTRACT_E2E_RESULTS.md")).expect("results");
    assert!(results.contains("1 not asked") && results.contains("does not listen"), "{results}");
}
