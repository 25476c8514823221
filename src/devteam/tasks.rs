//! Tasks: those of a plan, what kind each is, and what may be changed for it.

use std::collections::BTreeSet;
use std::path::Path;

use super::{DevTeam, DevTeamError, Session, Work};
use crate::plan::{self, Scope};

impl DevTeam {
    /// A task of the plan that `treaty orchestrate` wrote.
    pub(super) fn planned(&self, id: &str, scope: &[String]) -> Result<Work, DevTeamError> {
        let folder = self.root.join(".agent-team");
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        let missing = |why: &str| {
            DevTeamError::NotFound(format!("{why}; use the taskId `adhoc` with description and acceptanceCriteria"))
        };
        let tasks = read(plan::TASKS_FILE);
        if tasks.trim().is_empty() {
            return Err(missing(&format!("there is no plan in {}, so no task `{id}`", folder.display())));
        }
        let master = read(plan::PLAN_FILE);
        let named = tasks.lines().chain(master.lines()).filter_map(|it| it.trim().strip_prefix("- Service: "));
        let names: BTreeSet<&str> = named.map(str::trim).collect();
        let services = names.into_iter().map(|it| plan::Service { name: it.to_owned(), ..plan::Service::default() });
        let plan = plan::read("", services.collect(), &master, &tasks).map_err(|error| missing(&error.to_string()))?;
        let Some(task) = plan.task(id) else {
            let names: Vec<&str> = plan.tasks.iter().take(20).map(|it| it.id.as_str()).collect();
            return Err(missing(&format!("the plan has no task `{id}`; there is {}", names.join(", "))));
        };
        Ok(Work {
            id: task.id.clone(),
            description: format!("{}: {}", task.title, task.description),
            acceptance_criteria: task.criteria.clone(),
            scope_files: if scope.is_empty() { task.scope.allowed.clone() } else { scope.to_vec() },
            complexity: task.complexity,
        })
    }

    /// Files that the task may not change.
    pub fn outside(&self, session: &Session, files: &[String]) -> Vec<String> {
        let Some(task) = &session.now.task else { return Vec::new() };
        // Whoever takes a task without a plan says what it is about; a task of the plan is held to its scope.
        if task.scope_files.is_empty() && task.id == "adhoc" {
            return files.iter().filter(|it| leads_out(it)).cloned().collect();
        }
        let scope = Scope { allowed: task.scope_files.clone(), forbidden: Vec::new() };
        files.iter().filter(|it| leads_out(it) || !scope.permits(it.trim_start_matches("./"))).cloned().collect()
    }
}

/// Whether a path leads out of the project.
fn leads_out(path: &str) -> bool {
    let path = Path::new(path);
    path.is_absolute() || path.components().any(|it| matches!(it, std::path::Component::ParentDir))
}

/// What kind of task it is: by the command of the session, and by words that name a risk.
pub(super) fn kind(command_type: &str, description: &str) -> &'static str {
    let text = description.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|it| text.contains(it));
    if has(&["security", "vulnerab", "injection", "password", "authoriz", "authentic"]) {
        "security"
    } else if has(&["refactor", "clean up", "rename"]) {
        "refactor"
    } else if command_type == "bug" || command_type == "issue" || has(&["bug", "fix "]) {
        "bug"
    } else if has(&["document", "readme"]) {
        "docs"
    } else {
        "feature"
    }
}
