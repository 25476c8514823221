//! `treaty orchestrate --backend teams`, with a stand-in for the client in a terminal, which keeps the files that a team keeps.
#![cfg(unix)]

mod resume;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use serde_json::Value;

use crate::orchestrate::{APP, Project, ends, said};

const VARIABLE: &str = "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS";

/// A project whose agents do what these functions of a shell say.
fn project(agents: &str, settings: &str) -> Project {
    // What comes first is of [orchestrate].
    let settings = format!("model = \"m-1\"\n{settings}[claude]\ncommand = \"CLIENT\"\nmax-output-tokens = 1000\n");
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

/// The way that a run took when its team fell, and what it says of that.
#[track_caller]
fn fell(project: &Project, out: &Output, reason: &str) {
    ends(out, 0);
    let team = document(project, "team-state.json");
    assert_eq!(
        (&team["state"], &team["mode"], &team["fallback_reason"]),
        (&"FALLBACK".into(), &"task".into(), &reason.into())
    );
    let said = said(out);
    assert!(said.contains(&format!("claude goes on: the team fell ({reason})")), "{said}");
    assert!(noted(project, "plain").contains("TASK-001"), "{said}");
    assert_eq!(project.file("services/diary-service/main.py"), APP.trim());
    // It stays so: there is no second team.
    assert!(noted(project, "sessions").lines().count() <= 1, "{said}");
    let metrics = document(project, "team-metrics.json");
    let modes: Vec<&str> =
        metrics["teams"].as_array().expect("a list").iter().filter_map(|it| it["mode"].as_str()).collect();
    assert!(modes.contains(&"task"), "{metrics}");
}

const IMPATIENT: &str = "[agent-teams]\nteammate-idle-timeout = 1\n";

#[test]
fn a_team_whose_agents_do_not_come_falls() {
    let project = project("spawn() { echo 'Do you trust this folder?'; }", IMPATIENT);
    let out = run(&project, &[]);
    fell(&project, &out, "init_failed");
    assert!(said(&out).contains("Do you trust this folder?"), "{}", said(&out));
}

#[test]
fn a_team_whose_client_ends_falls_and_without_a_fallback_the_run_ends() {
    let dies = "build() { if [ $2 = plain ]; then cp \"$here/../main.py\" services/diary-service/; echo $1 > services/diary-service/$1.txt; else kill -KILL $$; fi; }";
    let project = self::project(dies, "");
    fell(&project, &run(&project, &[]), "agent_failed");
    let project = self::project(dies, "[agent-teams]\nfallback-to-cli = false\n");
    let out = run(&project, &[]);
    ends(&out, 2);
    assert!(said(&out).contains("the team fell (agent_failed)"), "{}", said(&out));
    assert_eq!(noted(&project, "plain"), "");
}

#[test]
fn a_team_whose_agent_is_silent_falls() {
    let project = project("asleep() { true; }", IMPATIENT);
    let out = run(&project, &[]);
    fell(&project, &out, "agent_failed");
    assert!(said(&out).contains("codex-implementer was silent for 1 s"), "{}", said(&out));
}

#[test]
fn an_audit_is_handed_back_twice_and_no_more() {
    let never = |critical: u32| {
        format!(
            "audit() {{ echo '{{\"critical_issues\": {critical}, \"passed\": false, \"findings\": [\"main.py:1 is wrong\"]}}'; }}"
        )
    };
    for (critical, reason) in [(1, "audit_critical"), (0, "max_iterations")] {
        let project = project(&never(critical), "");
        let out = run(&project, &[]);
        fell(&project, &out, reason);
        assert_eq!(document(&project, "team-state.json")["iteration"], 2);
        let metrics = document(&project, "team-metrics.json");
        assert_eq!(metrics["teams"][0]["audits"].as_array().map(Vec::len), Some(3), "{metrics}");
        // Whoever goes on knows what the audit found.
        assert!(noted(&project, "TASK-001-1.prompt").contains("main.py:1 is wrong"));
    }
}

#[test]
fn what_an_audit_finds_is_mended_by_the_team() {
    let once = "audit() { if [ -e \"$here/audited\" ]; then echo '{\"critical_issues\": 0}'; else touch \"$here/audited\"; echo '{\"critical_issues\": 2, \"findings\": [\"a\"]}'; fi; }";
    let project = project(once, "");
    let out = run(&project, &[]);
    ends(&out, 0);
    assert_eq!(noted(&project, "plain"), "");
    assert_eq!(project.file("services/diary-service/TASK-001.txt"), "TASK-001 2", "it was done again");
    let metrics = document(&project, "team-metrics.json");
    assert_eq!(
        (&metrics["teams"][0]["iterations"], &metrics["teams"][1]["iterations"]),
        (&1.into(), &0.into()),
        "{metrics}"
    );
}

#[test]
fn a_review_that_tells_nothing_is_asked_for_once_more() {
    let again = "audit() { if [ -e \"$here/asked\" ]; then echo '{\"critical_issues\": 0}'; else touch \"$here/asked\"; echo '{}'; fi; }
heard() { cat \"$2\" >> \"$here/heard\"; }
look() { for it in \"$tasks\"/*.json; do if [ -s \"$team/inboxes/codex-auditor.json\" ] && [ \"$(field status \"$it\")\" = in_progress ] && grep -q Review \"$it\"; then set_to \"$it\" pending; fi; done; }";
    let project = project(again, "");
    ends(&run(&project, &[]), 0);
    assert!(
        noted(&project, "heard").contains("has no `critical_issues` in its metadata"),
        "{}",
        noted(&project, "heard")
    );
    assert_eq!(document(&project, "team-state.json")["state"], "COMPLETE");
}

#[test]
fn without_the_variable_nothing_is_different() {
    let project = project("", "");
    let out = command(&project, &[]).env_remove(VARIABLE).output().expect("the program starts");
    ends(&out, 0);
    let told = format!("backend claude: a team was asked for, and cannot work (teams: {VARIABLE} is not 1)");
    assert!(said(&out).contains(&told), "{}", said(&out));
    assert_eq!(noted(&project, "sessions"), "");
    // Who did not ask for a team sees nothing of teams, whatever the variable is.
    let seen = |value: Option<&str>| {
        let project = self::project("", "");
        let mut command = project.command(&["../DIARY.md", "--backend", "claude", "--jobs", "1"]);
        command.env_remove(VARIABLE);
        command.envs(value.map(|it| (VARIABLE, it)));
        let out = command.output().expect("the program starts");
        ends(&out, 0);
        let branch = project.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads/treaty/run-*"]);
        let run = branch.trim_start_matches("treaty/run-").to_owned();
        let folder = fs::read_dir(project.root().join(".agent-team")).expect("a folder").flatten();
        let mut names: Vec<String> = folder.map(|it| it.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        let place = project.root().display().to_string();
        (said(&out).replace(&run, "RUN").replace(&place, "PLACE"), names)
    };
    let without = seen(None);
    assert!(!without.1.iter().any(|it| it.contains("team")), "{without:?}");
    assert_eq!(without.0, seen(Some("1")).0);
    assert_eq!(without, seen(Some("0")));
    assert!(!without.0.contains("team"), "{}", without.0);
}

#[test]
fn a_team_that_cannot_be_made_is_told_before_anything_is_done() {
    let lost = |fallback: bool| {
        let project = project("", &format!("[agent-teams]\nfallback-to-cli = {fallback}\n"));
        let client = project.path("cli/claude");
        let text = fs::read_to_string(&client).expect("a client");
        let broken = text.replace("if [ \"$1\" = --version ]; then", "if [ \"$1\" = --version ]; then exit 7;");
        fs::write(&client, broken).expect("a client");
        let out = run(&project, &[]);
        (project, out)
    };
    let (_, out) = lost(false);
    ends(&out, 2);
    assert!(said(&out).contains("no team can work") && said(&out).contains("fallback-to-cli = true"), "{}", said(&out));
    // The client is the same for one session: nothing else may be taken for it.
    let (_, out) = lost(true);
    ends(&out, 2);
    assert!(said(&out).contains("ended with exit status: 7"), "{}", said(&out));
}

#[test]
fn a_budget_holds_for_all_agents_together() {
    let priced = "[prices.\"m-1\"]\ninput = 10\noutput = 50\ncache-write = 10\n";
    let project = project("", priced);
    let out = run(&project, &["--budget", "8", "--yes"]);
    ends(&out, 0);
    let spent = project.report()["summary"]["cost_usd"].as_f64().expect("a number");
    // Each answer is one of 1 000 tokens in and 100 out: a cent and a half. Lead, work and review for each task.
    let sessions = noted(&project, "sessions").lines().count();
    #[expect(clippy::cast_precision_loss, reason = "a handful")]
    let expected = 0.045 * sessions as f64;
    assert!((spent - expected).abs() < 1e-6, "{spent}, not {expected}");
    // The first answers of three agents may cost 4.5 dollars; each of these costs 0.245.
    let line = r#"{\"type\":\"assistant\",\"message\":{\"id\":\"msg_e$i\",\"model\":\"m-1\",\"usage\":{\"input_tokens\":20000,\"output_tokens\":900}}}"#;
    let endless = format!(
        "build() {{ i=0; while [ $i -lt 50 ]; do i=$((i+1)); echo \"{line}\" >> \"$books/$session/subagents/agent-acodex-implementer-1.jsonl\"; sleep 0.3; done; }}"
    );
    let project = self::project(&endless, priced);
    let out = run(&project, &["--budget", "5", "--yes"]);
    ends(&out, 3);
    let spent = project.report()["summary"]["cost_usd"].as_f64().expect("a number");
    assert!(spent > 0.0 && spent <= 5.0, "{spent}");
}

#[test]
fn time_limits_leave_what_is_done() {
    let slow = "build() { if [ $2 != plain ] && [ \"$1\" = TASK-001 ]; then sleep 30; fi; }";
    for (limits, why) in [
        ("task-timeout-seconds = 1\n", "the task took longer than 1 s"),
        ("wave-timeout-seconds = 2\n", "the team did not finish the task"),
    ] {
        let project = project(slow, &format!("attempts = 1\n[agent-teams]\n{limits}"));
        let out = run(&project, &[]);
        ends(&out, 1);
        assert!(said(&out).contains(why), "{}", said(&out));
        assert_eq!(noted(&project, "plain"), "");
    }
}

const TWO: &str = "# Notebook

## Services

| Service | Stack | Responsibility |
|---|---|---|
| note-service | Python, FastAPI | Keeps notes |
| tag-service | Python, FastAPI | Keeps tags |

## Data model

### Note

Kept by the note-service.

| Field | Type | Required |
|---|---|---|
| id | string | yes |
| text | string | yes |

### Tag

Kept by the tag-service.

| Field | Type | Required |
|---|---|---|
| id | string | yes |
| text | string | yes |

## API

### note-service

| Method | Path | Description | Response |
|---|---|---|---|
| GET | /notes | List notes | 200 Note[] |

### tag-service

| Method | Path | Description | Response |
|---|---|---|---|
| GET | /tags | List tags | 200 Tag[] |
";

/// What agents make of the tasks of two services.
const OF_TWO: &str = "build() {
  case $1 in TASK-00[1-4]) n=note N=Note ;; *) n=tag N=Tag ;; esac
  sed \"s/entries/${n}s/; s/Entry/$N/\" \"$here/../main.py\" > services/$n-service/main.py
  echo \"$1 $2\" > services/$n-service/$1.txt
}
";

#[test]
fn tasks_that_begin_together_are_of_one_team_with_two_tracks() {
    let project = project(OF_TWO, "");
    fs::write(project.path("DIARY.md"), TWO).expect("requirements");
    let out = run(&project, &["--jobs", "2"]);
    ends(&out, 0);
    let turns = noted(&project, "turns");
    assert!(
        turns.contains("codex-implementer TASK-001\n") && turns.contains("gemini-implementer TASK-005\n"),
        "{turns}"
    );
    let agents = document(&project, "team-metrics.json");
    assert_eq!(agents["teams"][0]["tasks"], serde_json::json!(["TASK-001-1", "TASK-005-1"]), "{agents}");
    let sessions = noted(&project, "sessions");
    let first = sessions.lines().next().expect("a session");
    let prompt = noted(&project, &format!("{first}.prompt"));
    for name in ["codex-implementer", "gemini-implementer", "codex-auditor", "gemini-auditor"] {
        assert!(prompt.contains(&format!("- `name`: `{name}`")), "{prompt}");
    }
    // Messages stay inside a track.
    assert!(
        prompt.contains("Write to `gemini-auditor` alone") && prompt.contains("Write to `codex-implementer` alone")
    );
    assert_eq!(project.file("services/tag-service/TASK-005.txt"), "TASK-005 1");
}

#[test]
fn the_work_of_a_silent_agent_is_given_to_another() {
    let agents = format!("{OF_TWO}asleep() {{ [ \"$1\" = gemini-implementer ]; }}\n");
    let project = project(&agents, "[agent-teams]\nteammate-idle-timeout = 3\n");
    fs::write(project.path("DIARY.md"), TWO).expect("requirements");
    let out = run(&project, &["--jobs", "2"]);
    ends(&out, 0);
    let turns = noted(&project, "turns");
    assert!(turns.contains("codex-implementer TASK-005\n"), "{turns}");
    assert!(said(&out).contains("gemini-implementer was silent for 3 s"), "{}", said(&out));
    assert_eq!(noted(&project, "plain"), "");
}
