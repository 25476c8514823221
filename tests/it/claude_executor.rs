//! `treaty orchestrate --backend claude`, with a stand-in for the client that takes its arguments and speaks its stream.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;

use crate::orchestrate::{APP, Project, ends, said};

/// What the client does before and after the work of an agent: the hook of the session's start, the stream around it.
const CLIENT: &str = r#"#!/bin/sh
if [ "$1" = --version ]; then echo "2.1.330 (stand-in)"; exit 0; fi
set -e
here=$(dirname "$0")
cat > "$here/$TREATY_TASK-$TREATY_ATTEMPT.prompt"
echo "$@" > "$here/$TREATY_TASK-$TREATY_ATTEMPT.arguments"
env | sort > "$here/$TREATY_TASK-$TREATY_ATTEMPT.environment"
cp .claude/settings.local.json "$here/$TREATY_TASK-$TREATY_ATTEMPT.settings"
cp .claude/CLAUDE.md "$here/$TREATY_TASK-$TREATY_ATTEMPT.brief"
cp -r .claude/memory/rules "$here/$TREATY_TASK-$TREATY_ATTEMPT.rules"
for word in "$@"; do case "$word" in *mcp.json) cp "$word" "$here/$TREATY_TASK-$TREATY_ATTEMPT.mcp" ;; esac; done
say() { printf '%s\n' "$1"; }
answer() { say "{\"type\":\"assistant\",\"message\":{\"id\":\"msg_$1\",\"model\":\"m-1\",\"content\":[],\"usage\":{\"input_tokens\":$2,\"output_tokens\":$3}},\"session_id\":\"s\"}"; }
result() { say "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":$1,\"terminal_reason\":\"$2\",\"session_id\":\"s\",\"total_cost_usd\":$3,\"result\":\"$4\",\"modelUsage\":{\"m-1\":{\"inputTokens\":2000,\"outputTokens\":300,\"costUSD\":$3}},\"permission_denials\":[]}"; }
hook() { command=$(sed -n "s/.*\"command\": \"\(.* hook $1\)\".*/\1/p" .claude/settings.local.json); printf '%s' "$2" | sh -c "$command"; }
if hook session-start '{"hook_event_name":"SessionStart"}' > /dev/null 2>&1; then
  say '{"type":"system","subtype":"hook_response","hook_event":"SessionStart","exit_code":0,"session_id":"s"}'
fi
say '{"type":"system","subtype":"init","claude_code_version":"2.1.330","mcp_servers":[{"name":"contract-engine","status":"connected"}],"session_id":"s"}'
d=services/diary-service
"#;

/// An agent that does what it is told, the second time where the first was wrong.
const AGENT: &str = r#"answer 1 2000 300
case "$TREATY_TASK-$TREATY_ATTEMPT" in
  TASK-001-*) echo "types" > $d/types.txt ;;
  TASK-002-1) sed 's/    text: str/    body: str/' "$here/../main.py" > $d/main.py; echo x > treaty.toml ;;
  *) cp "$here/../main.py" $d/main.py; echo "$TREATY_TASK" > $d/$TREATY_TASK.txt ;;
esac
result false completed 0.02 done
"#;

fn project(agent: &str, settings: &str) -> Project {
    let project = Project::with(
        "exit 1",
        &format!(
            "model = \"m-1\"\n[claude]\ncommand = \"../../../../../cli/claude\"\nmax-output-tokens = 1000\n{settings}"
        ),
    );
    let folder = project.path("cli");
    fs::create_dir(&folder).expect("a folder");
    let path = folder.join("claude");
    fs::write(&path, format!("{CLIENT}{agent}")).expect("a client");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it can be run");
    // The path is seen from a worktree, and from the folder in which the version is asked for.
    let text = fs::read_to_string(project.root().join("treaty.toml")).expect("settings");
    fs::write(
        project.root().join("treaty.toml"),
        text.replace("../../../../../cli/claude", &path.display().to_string()),
    )
    .expect("settings");
    project.git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--all", "--message", "client"]);
    project
}

fn run(project: &Project, more: &[&str]) -> Output {
    let mut command = project.command(&[&["../DIARY.md", "--backend", "claude"], more].concat());
    command.env("ANTHROPIC_API_KEY", "key-of-the-user").env("OTHER_SECRET", "of nobody's business");
    command.output().expect("the program starts")
}

#[test]
fn sessions_build_a_service_and_mend_what_breaks_the_contract() {
    let project = project(AGENT, "");
    fs::create_dir(project.root().join(".claude")).expect("a folder");
    let settings = project.root().join(".claude/settings.local.json");
    fs::write(&settings, "{\"env\": {\"MINE\": \"1\"}}").expect("settings of a user");
    project.git(&["add", "."]);
    project.git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "settings"]);
    let out = run(&project, &[]);
    ends(&out, 0);
    assert_eq!(project.file("services/diary-service/main.py"), APP.trim());
    // Settings and brief were there for the session, and never enter a diff.
    assert_eq!(project.file(".claude/settings.local.json"), "{\"env\": {\"MINE\": \"1\"}}");
    assert!(!project.git(&["ls-tree", "-r", "--name-only", "--full-tree", "HEAD"]).contains("CLAUDE.md"));
    let told = |name: &str| fs::read_to_string(project.path("cli").join(name)).expect(name);
    let settings = told("TASK-002-1.settings");
    assert!(settings.contains("\"MINE\"") && settings.contains("hook post-tool-use"), "{settings}");
    assert!(settings.contains("\"Edit(./contracts/**)\""), "what is forbidden is denied: {settings}");
    let brief = told("TASK-002-1.brief");
    assert!(brief.contains("# Code Writer Instructions — diary-service"), "{brief}");
    assert!(brief.contains("- **diary-service-api** (openapi, provider)"), "{brief}");
    assert!(told("TASK-003-1.brief").contains("# Test Engineer Instructions"));
    assert!(told("TASK-002-1.rules/fastapi.md").starts_with("# FastAPI"));
    let index: serde_json::Value = serde_json::from_str(&told("TASK-002-1.rules/index.json")).expect("JSON");
    assert_eq!((&index["rules"][0]["stack"], &index["rules"][1]["path"]), (&"fastapi".into(), &"python.md".into()));
    let prompt = told("TASK-002-1.prompt");
    assert!(prompt.contains("### FastAPI\n\n- ") && prompt.contains("<requirements>\n# Diary\n"), "{prompt}");
    assert!(!project.git(&["ls-tree", "-r", "--name-only", "--full-tree", "HEAD"]).contains("memory"));
    let arguments = told("TASK-002-1.arguments");
    for wanted in ["-p", "stream-json", "--include-hook-events", "dontAsk", "--strict-mcp-config", "--model m-1"] {
        assert!(arguments.contains(wanted), "{wanted}: {arguments}");
    }
    let environment = told("TASK-002-1.environment");
    assert!(environment.contains("key-of-the-user") && !environment.contains("OTHER_SECRET"), "{environment}");
    // The second attempt knows why the first one was not taken.
    assert!(told("TASK-002-2.prompt").contains("`text` is missing"), "{}", told("TASK-002-2.prompt"));
    assert!(said(&out).contains("left out, outside of the scope: treaty.toml"), "{}", said(&out));
    let report = project.report();
    let spent = report["summary"]["cost_usd"].as_f64().expect("a number");
    assert!((spent - 0.1).abs() < 1e-6, "five sessions of two cents: {spent}");
}

#[test]
fn a_budget_needs_prices_and_is_never_passed() {
    let priced = "[prices.\"m-1\"]\ninput = 10\noutput = 50\ncache-write = 10\n";
    let project = project(AGENT, "");
    let out = run(&project, &["--budget", "1", "--yes"]);
    ends(&out, 2);
    assert!(said(&out).contains("[prices.\"m-1\"]"), "{}", said(&out));
    // The client always has the provider keep what it reads.
    let project = self::project(AGENT, &priced.replace("cache-write = 10\n", ""));
    let out = run(&project, &["--budget", "1", "--yes"]);
    ends(&out, 2);
    assert!(said(&out).contains("add `cache-write` to [prices.\"m-1\"]"), "{}", said(&out));
    // A first answer may cost 40 000 tokens in and 1 000 out, and the next as much again: 2 dollars are enough for some tasks.
    let project = self::project(AGENT, priced);
    let out = run(&project, &["--budget", "2", "--yes"]);
    ends(&out, 0);
    let report = project.report();
    assert!(report["summary"]["cost_usd"].as_f64().is_some_and(|it| it > 0.0 && it <= 2.0), "{}", report["summary"]);
    let endless = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do answer $i 3000 900; sleep 0.2; done\nresult false completed 9 done\n";
    let project = self::project(endless, priced);
    let out = run(&project, &["--budget", "1", "--yes"]);
    ends(&out, 3);
    let report = project.report();
    let spent = report["summary"]["cost_usd"].as_f64().expect("a number");
    assert!(spent > 0.0 && spent <= 1.0, "{spent}");
}

#[test]
fn what_goes_wrong_with_the_client_is_told() {
    let key = "say '{\"type\":\"system\",\"subtype\":\"api_retry\",\"attempt\":1,\"retry_delay_ms\":600,\"error_status\":401}'\nsleep 600\n";
    let out = run(&project(key, ""), &[]);
    ends(&out, 2);
    assert!(said(&out).contains("refuses the key (401)"), "{}", said(&out));
    let silent = project("sleep 600\n", "");
    let path = silent.root().join("treaty.toml");
    let text = fs::read_to_string(&path).expect("settings");
    fs::write(&path, text.replace("[orchestrate]\n", "[orchestrate]\nattempts = 1\nidle-limit = 1\n"))
        .expect("settings");
    silent.git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--all", "--message", "limits"]);
    let out = run(&silent, &[]);
    ends(&out, 1);
    assert!(said(&out).contains("said nothing for 1 s"), "{}", said(&out));
    let client = project(AGENT, "");
    let path = client.path("cli/claude");
    let text = fs::read_to_string(&path).expect("a client");
    fs::write(&path, text.replace("if hook session-start", "if false && hook session-start")).expect("a client");
    let out = run(&client, &[]);
    ends(&out, 0);
    assert!(said(&out).contains("ran without our hooks"), "{}", said(&out));
    let missing = Project::with("exit 1", "[claude]\ncommand = \"no-such-client\"\n");
    let out = run(&missing, &[]);
    ends(&out, 2);
    assert!(said(&out).contains("no-such-client") && said(&out).contains("install Claude Code"), "{}", said(&out));
}

#[test]
fn sessions_have_the_engines_that_the_settings_name_and_know_the_codebase() {
    let engines = "[contract-engine]\nenabled = true\nmcp-command = \"no-such-engine\"\nmcp-args = [\"--of\", \"a team\"]\n\
                   database-path = \"theirs.db\"\nserver-root = \"engine\"\n[codebase-intelligence]\nenabled = true\n";
    let project = project(AGENT, engines);
    let out = run(&project, &[]);
    ends(&out, 0);
    let told = |name: &str| fs::read_to_string(project.path("cli").join(name)).expect(name);
    let servers: serde_json::Value = serde_json::from_str(&told("TASK-002-1.mcp")).expect("JSON");
    let theirs = &servers["mcpServers"]["contract-engine"];
    let line = theirs["args"][1].as_str().expect("a line for a shell");
    let folder = project.root().join("engine");
    assert!(line.starts_with("cd ") && line.contains(&folder.display().to_string()), "{line}");
    assert!(line.ends_with("&& exec no-such-engine --of 'a team'"), "{line}");
    assert_eq!(theirs["env"]["DATABASE_PATH"], "theirs.db");
    let ours = &servers["mcpServers"]["codebase-intelligence"]["args"];
    assert_eq!((&ours[0], &ours[2]), (&"mcp".into(), &"codebase-intelligence".into()));
    let brief = told("TASK-002-1.brief");
    assert!(brief.contains("## Codebase Context\n\n"), "{brief}");
}
