//! Which role takes which mission, and which of them work at the same time.

use super::MissionError;
use super::mission::Mission;
use super::role::{Role, Roles};
use crate::plan::{self, Plan, Scope, Task, waves};

/// The role of each mission: the one that it names, else the one that fits best among those that have its tools.
///
/// # Errors
/// A mission names a role that is not there or lacks a tool, or nobody fits.
pub fn assign(missions: &[Mission], roles: &Roles, tools: &[String]) -> Result<Vec<String>, MissionError> {
    let of = |mission: &Mission| {
        let refused = |reasons: String| MissionError::NoRole { mission: mission.id.clone(), reasons };
        let lacks = |names: &[String]| names.iter().find(|it| !tools.contains(it)).cloned();
        if let Some(name) = &mission.role {
            let role = roles
                .get(name)
                .ok_or_else(|| refused(format!("there is no role `{name}`; there is {}", roles.names().join(", "))))?;
            let needed = mission.tools.iter().find(|it| !role.tools.contains(it));
            return match (needed, lacks(&role.tools)) {
                (Some(tool), _) => Err(refused(format!("the role `{name}` has no tool `{tool}`"))),
                (_, Some(tool)) => Err(refused(unavailable(&tool))),
                _ => Ok(role.name.clone()),
            };
        }
        let mut reasons = Vec::new();
        for (_, role) in roles.ranked(mission) {
            if let Some(tool) = mission.tools.iter().find(|it| !role.tools.contains(it)) {
                reasons.push(format!("`{}` has no tool `{tool}`", role.name));
            } else if let Some(tool) = lacks(&role.tools) {
                reasons.push(format!("`{}`: {}", role.name, unavailable(&tool)));
            } else {
                return Ok(role.name.clone());
            }
        }
        Err(refused(if reasons.is_empty() { "no role does work of its type".into() } else { reasons.join("; ") }))
    };
    missions.iter().map(of).collect()
}

fn unavailable(tool: &str) -> String {
    if tool == "web_search" {
        return "`web_search` is off; `network: true` in .devteam/*.yaml allows it, and the backend needs such a tool (`search` in [api])"
            .to_owned();
    }
    format!("the backend has no tool `{tool}`")
}

/// Missions in layers, by their places; `assigned` names the role of each. Each comes after all that it depends on, no two of a layer may write the same file, and
/// in a layer the more urgent come first.
///
/// # Errors
/// Missions that wait for each other, by name.
pub fn layers(missions: &[Mission], assigned: &[String], roles: &Roles) -> Result<Vec<Vec<usize>>, MissionError> {
    let writes = |role: &String| roles.get(role).is_none_or(Role::writes);
    let task = |(mission, role): (&Mission, &String)| Task {
        id: mission.id.clone(),
        title: String::new(),
        parent: String::new(),
        service: String::new(),
        kind: plan::Kind::Other,
        description: String::new(),
        criteria: Vec::new(),
        scope: if writes(role) { scope(&mission.files) } else { Scope::default() },
        depends_on: mission.dependencies.clone(),
        keeps: Vec::new(),
        complexity: 1,
        line: 0,
    };
    let plan = Plan { tasks: missions.iter().zip(assigned).map(task).collect(), ..Plan::default() };
    let mut layers = waves(&plan)?;
    for layer in &mut layers {
        layer.sort_by(|a, b| missions[*b].priority.cmp(&missions[*a].priority).then(a.cmp(b)));
    }
    Ok(layers)
}

/// What may be written: any file where nothing is said.
pub fn scope(files: &[String]) -> Scope {
    let allowed = if files.is_empty() { vec!["**".to_owned()] } else { files.to_vec() };
    Scope { allowed, forbidden: Vec::new() }
}
