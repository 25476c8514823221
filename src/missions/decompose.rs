//! Missions that follow from a goal without a model: from a document of requirements, or from the roles of a team.

use serde::{Deserialize, Serialize};

use super::mission::{Criterion, Kind, Mission, Priority};
use super::role::Roles;
use super::{MissionError, mission};
use crate::architect;

/// Who works towards a goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// One agent: plan, work, check, until the gates pass.
    #[default]
    Single,
    /// The roles of the team, one after the other as they depend on each other.
    Team,
    /// A leader takes the goal apart and decides on each result.
    Leader,
}

/// Characters of the goal of a mission that is made here; the rest is left out, and stands in the requirements.
const MAX_GOAL: usize = 900;

/// One mission for each role that can work here: the goal as its role sees it.
///
/// # Errors
/// A role depends on one that is not there.
pub fn by_roles(goal: &str, roles: &Roles, tools: &[String]) -> Result<Vec<Mission>, MissionError> {
    let able = roles.all().filter(|it| it.tools.iter().all(|tool| tools.contains(tool)));
    let missions = able.map(|it| Mission {
        id: it.name.clone(),
        goal: cut(&format!("{goal}\n\n{}", it.goal)),
        kind: it.kinds.first().copied().unwrap_or_default(),
        role: Some(it.name.clone()),
        dependencies: it.dependencies.clone(),
        files: it.files.clone(),
        ..Mission::default()
    });
    mission::checked(missions.collect())
}

/// Missions of a document of requirements: a design, then code and tests of each service, then a review. None where the document
/// names no service.
pub fn by_requirements(text: &str) -> Vec<Mission> {
    let found = architect::decompose(text);
    let services = &found.service_map.services;
    // A text that names nothing is no document of requirements.
    if services.iter().all(|it| it.assumed && it.owns_entities.is_empty()) {
        return Vec::new();
    }
    let names: Vec<&str> = services.iter().map(|it| it.name.as_str()).collect();
    let criterion = |text: String| Criterion { criterion: text, weight: 1.0, check: None };
    let mut missions = vec![Mission {
        id: "design".to_owned(),
        goal: cut(&format!("Write down the design of {}: interfaces, data, events.", names.join(", "))),
        kind: Kind::Documentation,
        role: Some("architect".to_owned()),
        criteria: weighed(found.interview_questions.iter().map(|it| criterion(format!("decided: {it}"))).collect()),
        priority: Priority(8),
        files: vec!["docs/**".to_owned(), "contracts/**".to_owned()],
        ..Mission::default()
    }];
    for it in services {
        let folder = format!("services/{}/**", it.name);
        let knows = if it.owns_entities.is_empty() {
            String::new()
        } else {
            format!(" It keeps {}.", it.owns_entities.join(", "))
        };
        let code = format!("build-{}", it.name);
        missions.push(Mission {
            id: code.clone(),
            goal: cut(&format!("Build the service {}.{knows} {}", it.name, it.description)),
            kind: Kind::Development,
            role: Some("code-writer".to_owned()),
            dependencies: vec!["design".to_owned()],
            files: vec![folder.clone()],
            ..Mission::default()
        });
        missions.push(Mission {
            id: format!("test-{}", it.name),
            goal: format!("Test the service {}: each operation and each event that its contracts promise.", it.name),
            kind: Kind::Testing,
            role: Some("test-engineer".to_owned()),
            dependencies: vec![code],
            files: vec![folder],
            ..Mission::default()
        });
    }
    missions.push(Mission {
        id: "review".to_owned(),
        goal: format!("Review {}: what does not keep the requirements, and where.", names.join(", ")),
        kind: Kind::Documentation,
        role: Some("code-reviewer".to_owned()),
        dependencies: missions.iter().filter(|it| it.kind == Kind::Testing).map(|it| it.id.clone()).collect(),
        priority: Priority(2),
        ..Mission::default()
    });
    missions
}

fn weighed(mut criteria: Vec<Criterion>) -> Vec<Criterion> {
    #[expect(clippy::cast_precision_loss, reason = "a handful")]
    let share = 1.0 / criteria.len().max(1) as f64;
    criteria.iter_mut().for_each(|it| it.weight = share);
    criteria
}

fn cut(text: &str) -> String {
    text.trim().chars().take(MAX_GOAL).collect()
}
