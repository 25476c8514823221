//! The plan of a run, bettered by an agent that is a script.
#![cfg(unix)]

use crate::orchestrate::{AGENT, Project, ends};

/// Answers the question about the plan with the documents of the prompt, changed by `edit`, a command that reads and writes text.
fn betters(edit: &str) -> String {
    format!(
        r#"if [ "$TREATY_TASK" = PLAN ]; then
  written() {{ sed '1d' | {edit} | sed 's/\\/\\\\/g; s/"/\\"/g' | awk '{{printf "%s\\n", $0}}'; }}
  plan=$(sed -n '/^# MASTER_PLAN.md$/,/^# TASKS.md$/p' "$1" | sed '$d' | written)
  tasks=$(sed -n '/^# TASKS.md$/,/^Change no file of the project/p' "$1" | sed '$d' | written)
  printf '{{"master_plan": "%s", "tasks": "%s"}}' "$plan" "$tasks" > answer.json
  exit 0
fi
{AGENT}"#
    )
}

fn run(project: &Project, code: i32) -> String {
    let out = project.command(&["../DIARY.md", "--backend", "command", "--depth", "quick"]).output();
    let out = out.expect("the program starts");
    ends(&out, code);
    String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr)
}

#[test]
fn a_plan_that_an_agent_betters_is_the_one_that_is_built() {
    let project = Project::with(
        &betters("sed 's/Operations of diary-service-api/What the diary answers/'"),
        "refine-plan = true\n",
    );
    let told = run(&project, 0);
    assert!(told.contains("the model made 4 tasks of 4"), "{told}");
    assert!(told.contains("TASK-002 What the diary answers"), "{told}");
    assert!(project.exported("TASKS.md").contains("What the diary answers"));
}

#[test]
fn an_answer_that_is_no_plan_changes_nothing_and_says_why() {
    // No task keeps the contract any more.
    let project = Project::with(&betters("sed 's/^- Contracts: .*/- Contracts: none/'"), "refine-plan = true\n");
    let told = run(&project, 0);
    assert!(told.contains("the plan stays as it is: "), "{told}");
    assert!(told.contains("TASK-002 Operations of diary-service-api"), "{told}");
    let silent = Project::with(&betters("cat"), "refine-plan = true\n");
    assert!(run(&silent, 0).contains("the model left the plan as it is"));
    // Nobody is asked where nobody wants that.
    let unasked = Project::new(&betters("sed 's/Operations of diary-service-api/What the diary answers/'"));
    assert!(run(&unasked, 0).contains("TASK-002 Operations of diary-service-api"));
}
