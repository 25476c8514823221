//! What a run reads before it builds: technologies, and requirements that are long.
#![cfg(unix)]

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
