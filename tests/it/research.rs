//! What a run reads before it builds: technologies, and requirements that are long.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::net::TcpListener;
use std::thread;

use crate::orchestrate::{AGENT, Project, ends};

/// The agent, which keeps its prompt.
fn keeps_its_prompt() -> String {
    format!("cp \"$1\" \"$(dirname \"$APP\")/$TREATY_TASK.md\"\n{AGENT}")
}

fn run(project: &Project, depth: &str) {
    let arguments = ["../DIARY.md", "--backend", "command", "--depth", depth];
    ends(&project.command(&arguments).output().expect("the program starts"), 0);
}

fn prompt(project: &Project, task: &str) -> String {
    std::fs::read_to_string(project.path(&format!("{task}.md"))).expect(task)
}

#[test]
fn technologies_of_the_plan_are_written_down_with_what_holds_for_them() {
    let project = Project::new(&keeps_its_prompt());
    run(&project, "standard");
    let document = project.exported("TECH_RESEARCH.md");
    assert!(document.starts_with("# Technologies: Diary\n"), "{document}");
    assert!(document.contains("| FastAPI |  | diary-service | below |"), "{document}");
    assert!(document.contains("\n## Python\n\n- ") && document.contains("Servers that agents can ask"), "{document}");
    assert!(prompt(&project, "TASK-002").contains("## Technologies\n\n### FastAPI\n\n- "));
}

#[test]
fn technologies_are_left_out_where_nobody_asks_for_them() {
    let project = Project::new(&keeps_its_prompt());
    run(&project, "quick");
    assert!(!project.root().join(".agent-team/TECH_RESEARCH.md").exists());
    let project = Project::with(&keeps_its_prompt(), "[tech-research]\nenabled = false\n");
    run(&project, "standard");
    assert!(!project.root().join(".agent-team/TECH_RESEARCH.md").exists());
    assert!(!prompt(&project, "TASK-002").contains("## Technologies"));
}

#[test]
fn long_requirements_are_cut_and_a_prompt_has_what_speaks_of_its_task() {
    let settings = "[prd-chunking]\nthreshold = 200\nmax-chunk-size = 220\n";
    let project = Project::with(&keeps_its_prompt(), settings);
    run(&project, "quick");
    let index = project.exported("requirements/INDEX.md");
    assert!(index.contains("- [Data model](002.md), "), "{index}");
    assert!(project.exported("requirements/002.md").contains("| text | string | yes |"));
    let prompt = prompt(&project, "TASK-002");
    assert!(prompt.contains("sections are left out here.)\n</requirements>"), "{prompt}");
    let project = Project::new(&keeps_its_prompt());
    run(&project, "quick");
    assert!(!project.root().join(".agent-team/requirements").exists());
    assert!(self::prompt(&project, "TASK-002").contains("| text | string | yes |"), "short requirements are whole");
}

/// Serves a small site for as long as the test lasts, and gives its address.
fn site() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut first = String::new();
            let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
            let _ = reader.read_line(&mut first);
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|it| it > 2) {
                line.clear();
            }
            let (status, kind, body) = match first.split_whitespace().nth(1).unwrap_or_default() {
                "/" => (
                    "200 OK",
                    "text/html; charset=utf-8",
                    "<title>Diaries</title><link rel=stylesheet href=look.css><link rel=stylesheet href=https://fonts.invalid/a.css>\
                     <h1>What happened</h1><a href=/new>New</a><a href=/gone>Gone</a><a href=mailto:a@b.c>Mail</a>",
                ),
                "/new" => (
                    "200 OK",
                    "text/html",
                    "<title>New entry</title><form><input name=text><button>Keep</button></form>",
                ),
                "/look.css" => ("200 OK", "text/css", "h1 { color: #0a7; font-family: Inter }"),
                _ => ("404 Not Found", "text/plain", "no"),
            };
            let _ = write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    address
}

#[test]
fn pages_to_look_like_are_read_and_told_to_who_builds_pages() {
    let address = site();
    let settings =
        format!("[design-reference]\nurls = [\"{address}/\", \"../secret.html\"]\nbrowser = \"../../browser.sh\"\n");
    let project = Project::with(&keeps_its_prompt(), &settings);
    fs::write(project.path("secret.html"), "<title>secret</title>").expect("a page outside");
    // A browser as far as a run knows one: it writes where it is told to.
    let browser = "#!/bin/sh\nfor it in \"$@\"; do case $it in --screenshot=*) echo drawn > \"${it#--screenshot=}\";; esac; done\n";
    let path = project.path("browser.sh");
    fs::write(&path, browser).expect("a browser");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&path, mode).expect("a program");
    run(&project, "quick");
    let document = project.exported("UI_REQUIREMENTS.md");
    for part in [
        "### Diaries",
        "`#0a7` (1)",
        "`Inter` (1)",
        "### New entry",
        "- form with: text (text)",
        "- which ends with: Keep",
    ] {
        assert!(document.contains(part), "{part} is not in {document}");
    }
    assert!(document.contains("![New entry](design/1-2.png)") && !document.contains("secret</title>"), "{document}");
    assert_eq!(project.exported("design/1-2.png"), "drawn\n");
    for problem in [
        "/gone: http status: 404",
        "fonts.invalid/a.css: a stylesheet of another host",
        "secret.html: outside of the project",
    ] {
        assert!(document.contains(problem), "{problem} is not in {document}");
    }
    assert!(prompt(&project, "TASK-002").contains("## Design\n\n# Pages of Diary"), "{}", prompt(&project, "TASK-002"));
}

#[test]
fn pages_that_are_files_are_read_without_a_network_and_what_is_not_there_is_said() {
    let settings = "[design-reference]\nurls = [\"look.html\", \"http://127.0.0.1:9/\"]\ndepth = \"branding\"\n";
    let project = Project::with(&keeps_its_prompt(), settings);
    fs::write(project.root().join("look.html"), "<link rel=stylesheet href=a.css><h1>Here</h1>").expect("a page");
    fs::write(project.root().join("a.css"), "h1 { color: #123456 }").expect("a sheet");
    project.git(&["add", "."]);
    project.git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "look"]);
    run(&project, "quick");
    let document = project.exported("UI_REQUIREMENTS.md");
    assert!(document.contains("`#123456` (1)") && !document.contains("Here"), "{document}");
    assert!(document.contains("### Not read\n\n- http://127.0.0.1:9/: "), "{document}");
    let project = Project::new(&keeps_its_prompt());
    run(&project, "quick");
    assert!(!project.root().join(".agent-team/UI_REQUIREMENTS.md").exists());
}

#[test]
fn tests_of_a_contract_are_there_for_who_builds_its_service() {
    let project = Project::with(&keeps_its_prompt(), "[contract-engine]\ntest-generation = true\n");
    run(&project, "quick");
    let tests = project.exported("contract-tests/test_diary_service_api.py");
    assert!(tests.contains("/entries") && tests.contains("CONTRACT_BASE_URL"), "{tests}");
    assert!(prompt(&project, "TASK-002").contains("/contract-tests/test_diary_service_api.py"));
    let project = Project::new(&keeps_its_prompt());
    run(&project, "quick");
    assert!(!project.root().join(".agent-team/contract-tests").exists());
}

/// The branch of the only run of a project.
fn branch(project: &Project) -> String {
    project.git(&["branch", "--list", "treaty/run-*", "--format=%(refname:short)"])
}

#[test]
fn work_is_held_against_its_contracts_before_it_is_merged_unless_that_is_switched_off() {
    // The text is a number in what the agent writes.
    let wrong = "sed -i 's/text: str/text: int/' \"$APP\"\n";
    let agent = format!("{wrong}{}", keeps_its_prompt());
    let held = Project::new(&agent);
    let out = held
        .command(&["../DIARY.md", "--backend", "command", "--depth", "quick"])
        .output()
        .expect("the program starts");
    assert_eq!(out.status.code(), Some(1), "{}", String::from_utf8_lossy(&out.stderr));
    let told = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    assert!(told.contains("TASK-002 ") || told.contains("TASK-002:"), "{told}");
    assert!(!held.git(&["ls-tree", "-r", "--name-only", &branch(&held)]).contains("main.py"));
    let merged = Project::with(&agent, "[contract-engine]\nvalidation-on-build = false\n");
    let out = merged
        .command(&["../DIARY.md", "--backend", "command", "--depth", "quick"])
        .output()
        .expect("the program starts");
    assert_eq!(
        out.status.code(),
        Some(1),
        "what was merged is held against the contract: {}",
        String::from_utf8_lossy(&out.stderr)
    );
    assert!(merged.git(&["ls-tree", "-r", "--name-only", &branch(&merged)]).contains("main.py"));
}
