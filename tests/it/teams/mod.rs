//! `treaty orchestrate --backend teams`, with a stand-in for the client in a terminal, which keeps the files that a team keeps.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use serde_json::Value;

use crate::orchestrate::{APP, Project, ends, said};

const VARIABLE: &str = "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS";

/// A project whose agents do what these functions of a shell say.
fn project(agents: &str, settings: &str) -> Project {
    let settings = format!("{settings}model = \"m-1\"\n[claude]\ncommand = \"CLIENT\"\nmax-output-tokens = 1000\n");
    let project = Project::with("exit 1", &settings);
    let folder = project.path("cli");
    fs::create_dir(&folder).expect("a folder");
    let client = folder.join("claude");
    fs::write(&client, include_str!("stand-in.sh")).expect("a client");
    fs::set_permissions(&client, fs::Permissions::from_mode(0o755)).expect("it can be run");
    fs::write(folder.join("agents.sh"), agents).expect("agents");
    let path = project.root().join("treaty.toml");
    let text = fs::read_to_string(&path).expect("settings").replace("CLIENT", &client.display().to_string());
    fs::write(&path, text).expect("settings");
    project.git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--all", "--message", "client"]);
    project
}

fn command(project: &Project, more: &[&str]) -> Command {
    let mut command = project.command(&[&["../DIARY.md", "--backend", "teams"], more].concat());
    command.env(VARIABLE, "1").env("CLAUDE_CONFIG_DIR", project.path("client"));
    command
}

fn run(project: &Project, more: &[&str]) -> Output {
    command(project, more).output().expect("the program starts")
}

/// What the client has noted of itself.
fn noted(project: &Project, name: &str) -> String {
    fs::read_to_string(project.path("cli").join(name)).unwrap_or_default()
}

fn document(project: &Project, name: &str) -> Value {
    let text = fs::read_to_string(project.root().join(".agent-team").join(name)).expect("written");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn a_team_builds_a_service_and_is_audited() {
    let project = project("", "");
    let out = run(&project, &[]);
    ends(&out, 0);
    assert_eq!(project.file("services/diary-service/main.py"), APP.trim());
    assert!(said(&out).contains("backend teams: asked for"), "{}", said(&out));
    let team = document(&project, "team-state.json");
    assert_eq!((&team["mode"], &team["state"], &team["iteration"]), (&"team".into(), &"COMPLETE".into(), &0.into()));
    assert_eq!(team["agents"]["codex-auditor"]["status"], "done");
    assert_eq!(team["audit_results"]["warnings"], 1);
    assert_eq!(noted(&project, "plain"), "", "no session without a terminal");
    let sessions = noted(&project, "sessions");
    let first = sessions.lines().next().expect("a session");
    assert!(noted(&project, &format!("{first}.folder")).contains("/worktrees/"));
    let settings = noted(&project, &format!("{first}.settings"));
    assert!(settings.contains("/services/diary-service/**)") && settings.contains("hook teammate-idle"), "{settings}");
    // Every team was asked to end, has ended, and nothing is left of it.
    assert_eq!(noted(&project, "asked-to-end").lines().count(), 2 * sessions.lines().count());
    assert_eq!(noted(&project, "ended").lines().count(), sessions.lines().count());
    for folder in ["teams", "tasks"] {
        let left = fs::read_dir(project.path("client").join(folder)).expect("a folder").count();
        assert_eq!(left, 0, "{folder}");
    }
    let metrics = document(&project, "team-metrics.json");
    let teams = metrics["teams"].as_array().expect("a list");
    assert_eq!(teams.len(), sessions.lines().count());
    assert!(teams.iter().all(|it| it["result"] == "complete" && it["seconds"]["AUDIT"].is_number()), "{metrics}");
    assert!(!said(&out).contains("without our hooks"), "{}", said(&out));
}
