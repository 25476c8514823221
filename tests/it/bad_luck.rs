//! `treaty orchestrate` under bad luck: signals, full disks, people who edit what a run works on.
#![cfg(unix)]

use std::fs;
use std::process::{Command, Stdio};

use crate::orchestrate::{AGENT, Project, await_file, ends, said};

/// An agent that tells that it has begun, waits until it may go on, and then does its work.
fn patient() -> String {
    format!("touch \"$APP.$TREATY_TASK\"\nwhile [ ! -f \"$APP.go\" ]; do sleep 0.05; done\n{AGENT}")
}

#[test]
fn whoever_is_asked_to_end_can_be_resumed() {
    for signal in ["-TERM", "-INT"] {
        let project = Project::new(&patient());
        let mut run = project.command(&["../DIARY.md", "--backend", "command"]);
        let child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        await_file(&project.path("main.py.TASK-001"));
        let asked = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill is there");
        assert!(asked.success());
        let out = child.wait_with_output().expect("it ends");
        ends(&out, 130);
        assert!(said(&out).contains("resume"), "{}", said(&out));
        fs::write(project.path("main.py.go"), "").expect("a file");
        ends(&project.treaty(&["resume"]), 0);
    }
}

#[test]
fn a_full_disk_is_told_and_the_run_goes_on_when_there_is_room() {
    let calm = Project::new(AGENT);
    ends(&calm.treaty(&["../DIARY.md", "--backend", "command"]), 0);
    let project = Project::new(AGENT);
    // No file may grow beyond 96 kB: what a write says then is what it says on a full disk, with another number.
    let limited = "trap '' XFSZ; ulimit -f 96; exec \"$0\" orchestrate \"$@\"";
    let out = Command::new("sh")
        .args(["-c", limited, env!("CARGO_BIN_EXE_treaty"), "../DIARY.md", "--backend", "command"])
        .current_dir(project.root())
        .output()
        .expect("sh is there");
    ends(&out, 2);
    assert!(said(&out).contains("treaty.db") && said(&out).contains("resume"), "{}", said(&out));
    let again = project.treaty(&["resume"]);
    ends(&again, 0);
    assert_eq!(project.tree(), calm.tree());
}

#[test]
fn what_a_person_commits_to_the_branch_of_a_run_stays() {
    let project = Project::new(&patient());
    let mut run = project.command(&["../DIARY.md", "--backend", "command"]);
    let child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    await_file(&project.path("main.py.TASK-001"));
    let branch = project.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads/treaty/run-*"]);
    let person = project.path("person");
    project.git(&["worktree", "add", "--quiet", &person.to_string_lossy(), &branch]);
    fs::write(person.join("notes.md"), "mine\n").expect("a file");
    let commit = "git add . && git -c user.name=p -c user.email=p@q commit --quiet --message mine";
    assert!(Command::new("sh").args(["-c", commit]).current_dir(&person).status().expect("sh is there").success());
    project.git(&["worktree", "remove", "--force", &person.to_string_lossy()]);
    // Somebody's notes within the worktree of the agent, out of the scope of its task.
    let runs = fs::read_dir(project.root().join(".treaty/worktrees")).expect("a folder");
    let worktrees = runs.flatten().flat_map(|it| fs::read_dir(it.path()).expect("a folder").flatten());
    let worktree = worktrees.into_iter().find(|it| it.file_name().to_string_lossy().starts_with("TASK-001"));
    let worktree = worktree.expect("a worktree");
    fs::write(worktree.path().join("stray.md"), "mine\n").expect("a file");
    fs::write(project.path("main.py.go"), "").expect("a file");
    ends(&child.wait_with_output().expect("it ends"), 0);
    assert_eq!(project.file("notes.md"), "mine");
    let branch = format!("{branch}:stray.md");
    let stray = Command::new("git").arg("-C").arg(project.root()).args(["cat-file", "-e", &branch]).output();
    assert!(!stray.expect("git is there").status.success());
    assert!(project.report().to_string().contains("stray.md"));
}

#[test]
fn a_worktree_that_disappears_costs_an_attempt() {
    let agent = format!(
        "if [ ! -f \"$APP.once\" ]; then touch \"$APP.once\"; here=$(pwd); cd /; rm -rf \"$here\"; exit 0; fi\n{AGENT}"
    );
    let project = Project::new(&agent);
    ends(&project.treaty(&["../DIARY.md", "--backend", "command"]), 0);
    let first = &project.report()["tasks"][0];
    assert_eq!((first["status"].as_str(), first["attempts"].as_u64()), (Some("COMPLETE"), Some(2)), "{first}");
}

#[test]
fn a_machine_without_git_is_told_so() {
    let project = Project::new(AGENT);
    let mut run = project.command(&["../DIARY.md", "--backend", "command"]);
    let out = run.env("PATH", project.path("nothing")).output().expect("the program starts");
    ends(&out, 2);
    assert!(said(&out).contains("git"), "{}", said(&out));
}

#[test]
fn services_of_one_name_and_tasks_that_wait_for_nothing_are_told() {
    let project = Project::new(AGENT);
    let text = fs::read_to_string(project.path("DIARY.md")).expect("requirements");
    let row = "| diary-service | Python, FastAPI | Keeps what people write |\n";
    let twice = format!("{row}| diary-service | TypeScript, NestJS | Keeps what people say |\n");
    fs::write(project.path("TWICE.md"), text.replace(row, &twice)).expect("requirements");
    ends(&project.treaty(&["../TWICE.md", "--plan-only"]), 0);
    let questions = fs::read_to_string(project.root().join(".agent-team/QUESTIONS.md")).expect("questions");
    assert!(questions.contains("both describe a service `diary-service`"), "{questions}");

    ends(&project.treaty(&["../DIARY.md", "--backend", "command", "--plan-only"]), 0);
    let path = project.root().join(".agent-team/TASKS.md");
    let plan = fs::read_to_string(&path).expect("a plan");
    fs::write(&path, plan.replacen("Dependencies: none", "Dependencies: TASK-099", 1)).expect("a plan");
    let out = project.treaty(&["../DIARY.md", "--backend", "command"]);
    ends(&out, 2);
    assert!(said(&out).contains("TASK-099") && said(&out).contains("TASKS.md"), "{}", said(&out));
}

#[test]
fn long_requirements_are_read_whole() {
    let project = Project::new(AGENT);
    let text = fs::read_to_string(project.path("DIARY.md")).expect("requirements");
    let padding = "People write down what happened to them, and read it again when they are old.\n\n".repeat(30_000);
    fs::write(project.path("LONG.md"), format!("{text}\n## Background\n\n{padding}")).expect("requirements");
    let out = project.treaty(&["../LONG.md", "--backend", "command", "--plan-only"]);
    ends(&out, 0);
    assert!(said(&out).contains("4 tasks"), "{}", said(&out));
}
