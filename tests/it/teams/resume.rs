//! Teams of runs that were ended by force, and taken up again.

use std::fs;
use std::process::{Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{OF_TWO, TWO, VARIABLE, command, document, fell, noted, project};
use crate::orchestrate::{Project, ends, said};

/// A run that is ended by force when its first team is in a state, and what came of taking it up again.
fn interrupted(state: &str, agents: &str, edit: &dyn Fn(&mut Value)) -> (Project, Output) {
    let project = project(agents, "");
    let out = taken_up(&project, state, edit);
    (project, out)
}

/// What comes of taking up a run of this project that was ended by force in a state of its first team.
fn taken_up(project: &Project, state: &str, edit: &dyn Fn(&mut Value)) -> Output {
    let mut child = command(project, &["--jobs", "2"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let path = project.root().join(".agent-team/team-state.json");
    let begun = Instant::now();
    let read = || serde_json::from_str::<Value>(&fs::read_to_string(&path).ok()?).ok();
    while read().is_none_or(|it| it["state"] != state) {
        assert!(begun.elapsed() < Duration::from_mins(1), "the team is never in {state}: {:?}", read());
        thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("it is there");
    child.wait().expect("it ends");
    let mut team = read().expect("the file is whole");
    edit(&mut team);
    fs::write(&path, team.to_string()).expect("a file");
    let mut resume = project.command(&["resume"]);
    resume.env(VARIABLE, "1").env("CLAUDE_CONFIG_DIR", project.path("client"));
    resume.output().expect("the program starts")
}

/// The same, for a team that goes on and ends well. How often the first task was built.
#[track_caller]
fn goes_on(state: &str, slow: &str, edit: &dyn Fn(&mut Value)) -> (usize, Project) {
    let agents = format!("once() {{ [ -e \"$here/slow\" ] || {{ touch \"$here/slow\"; sleep 20; }}; }}\n{slow}\n");
    let (project, out) = interrupted(state, &agents, edit);
    ends(&out, 0);
    assert_eq!(noted(&project, "plain"), "", "{}", said(&out));
    assert_eq!(document(&project, "team-state.json")["state"], "COMPLETE");
    assert!(project.file("services/diary-service/TASK-001.txt").starts_with("TASK-001"), "{}", said(&out));
    let turns = noted(&project, "turns").lines().filter(|it| it.ends_with("TASK-001")).count();
    (turns, project)
}

const SLOW_AUDIT: &str = "audit() { once; echo '{\"critical_issues\": 0}'; }";

#[test]
fn a_team_that_was_cut_off_goes_on_in_its_state() {
    let nothing = |_: &mut Value| {};
    goes_on("INIT_TEAM", "spawn() { once; members \"$@\"; }", &nothing);
    goes_on("INIT_TEAM", "spawn() { once; members \"$@\"; }", &|it| it["state"] = "DETECT".into());
    let (turns, _) = goes_on(
        "PROTOTYPE",
        "build() { once; echo $1 > services/diary-service/$1.txt; cp \"$here/../main.py\" services/diary-service/; }",
        &nothing,
    );
    assert_eq!(turns, 2, "what was half done is done again");
    let (turns, _) = goes_on("AUDIT", SLOW_AUDIT, &nothing);
    assert_eq!(turns, 1, "what was done is only reviewed");
}

#[test]
fn a_team_that_was_cut_off_hands_back_what_it_had_found() {
    let (turns, project) = goes_on("AUDIT", SLOW_AUDIT, &|it| {
        it["state"] = "ITERATE".into();
        it["audit_results"] = serde_json::json!({"critical_issues": 1, "warnings": 0, "passed": false});
        it["findings"] = serde_json::json!({"codex": ["main.py:1 is wrong"]});
    });
    assert_eq!(turns, 2);
    assert_eq!(project.file("services/diary-service/TASK-001.txt"), "TASK-001 2", "the second round");
    assert_eq!(document(&project, "team-metrics.json")["teams"][0]["iterations"], 1);
}

#[test]
fn what_nobody_can_read_and_what_is_over_is_not_taken_up() {
    for (edit, reason) in [("\"BROKEN\"", "init_failed"), ("\"FALLBACK\"", "audit_critical")] {
        let slow =
            format!("once() {{ [ -e \"$here/slow\" ] || {{ touch \"$here/slow\"; sleep 20; }}; }}\n{SLOW_AUDIT}\n");
        let (project, out) = interrupted("AUDIT", &slow, &|it| {
            it["state"] = serde_json::from_str(edit).expect("JSON");
            it["fallback_reason"] = "audit_critical".into();
            it["mode"] = "task".into();
        });
        fell(&project, &out, reason);
    }
    // The variable may be gone when a run is taken up.
    let project = project("build() { sleep 20; }", "");
    let mut child =
        command(&project, &[]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    let begun = Instant::now();
    while noted(&project, "turns").is_empty() && begun.elapsed() < Duration::from_mins(1) {
        thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("it is there");
    child.wait().expect("it ends");
    fs::write(project.path("cli/agents.sh"), "").expect("agents");
    let out = project.command(&["resume"]).env_remove(VARIABLE).output().expect("the program starts");
    fell(&project, &out, "disabled");
}

#[test]
fn a_team_of_two_tasks_is_taken_up_whole() {
    let once = "once() { [ -e \"$here/slow\" ] || { touch \"$here/slow\"; sleep 20; }; }";
    let project = project(&format!("{once}\n{OF_TWO}{SLOW_AUDIT}\n"), "");
    fs::write(project.path("DIARY.md"), TWO).expect("requirements");
    let out = taken_up(&project, "AUDIT", &|_| {});
    ends(&out, 0);
    let turns = noted(&project, "turns");
    for task in ["TASK-001", "TASK-005"] {
        assert_eq!(turns.lines().filter(|it| it.ends_with(task)).count(), 1, "what was done is only reviewed: {turns}");
    }
    let metrics = document(&project, "team-metrics.json");
    assert_eq!(metrics["teams"][0]["tasks"], serde_json::json!(["TASK-001-1", "TASK-005-1"]), "{metrics}");
}
