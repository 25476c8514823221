//! Roles: who takes missions, as YAML files describe them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::check::Standard;
use super::mission::{Criterion, Kind, Mission, criteria, texts};
use crate::contracts::tree;

/// The roles that the product brings.
const OWN: [(&str, &str); 6] = [
    ("architect", include_str!("roles/architect.yaml")),
    ("code-reviewer", include_str!("roles/code-reviewer.yaml")),
    ("code-writer", include_str!("roles/code-writer.yaml")),
    ("researcher", include_str!("roles/researcher.yaml")),
    ("test-engineer", include_str!("roles/test-engineer.yaml")),
    ("wiring-verifier", include_str!("roles/wiring-verifier.yaml")),
];

/// A role.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Role {
    pub name: String,
    pub description: String,
    /// Types of missions that it takes.
    pub kinds: Vec<Kind>,
    pub goal: String,
    pub strategy: String,
    pub criteria: Vec<Criterion>,
    /// Answers of a model for one attempt.
    pub max_iterations: u32,
    /// Roles whose results it needs, where a team works without missions.
    pub dependencies: Vec<String>,
    /// `read`, `write`, `run`, `web_search`.
    pub tools: Vec<String>,
    /// Patterns of files that it may write; none: any that its mission allows.
    pub files: Vec<String>,
    pub standard: Standard,
    /// Plans before it works.
    pub use_planner: bool,
    /// A model judges what it made, where there is one.
    pub enable_quality_check: bool,
    /// The agent whose instructions it works by.
    pub agent: String,
}

/// The roles of a project: by default those of the product.
#[derive(Clone, Debug)]
pub struct Roles {
    all: BTreeMap<String, Role>,
    /// Files that are no roles, with the reason.
    pub problems: Vec<String>,
}

/// The files of the roles that the product brings: name, text.
pub fn own() -> impl Iterator<Item = (&'static str, &'static str)> {
    OWN.into_iter()
}

/// Answers of a model for one attempt, where a role says nothing.
const TURNS: u32 = 30;

impl Role {
    pub fn has(&self, tool: &str) -> bool {
        self.tools.iter().any(|it| it == tool)
    }

    /// Whether it changes files.
    pub fn writes(&self) -> bool {
        self.has("write")
    }
}

impl Default for Roles {
    fn default() -> Self {
        let mut roles = Roles { all: BTreeMap::new(), problems: Vec::new() };
        OWN.into_iter().for_each(|(name, text)| roles.add(name, name, text));
        roles
    }
}

impl Roles {
    /// Adds the role of a file, in the place of one with the same name. `shown`: the file, as problems name it; `file`: its name
    /// without the ending, which is that of a role that says none. A file that is no role is a problem.
    pub fn add(&mut self, shown: &str, file: &str, text: &str) {
        match tree::value(text).and_then(|value| read(file, &value)) {
            Ok(role) => {
                self.all.insert(role.name.clone(), role);
            }
            Err(reason) => self.problems.push(format!("{shown}: {reason}")),
        }
    }

    /// All roles, by name.
    pub fn all(&self) -> impl Iterator<Item = &Role> {
        self.all.values()
    }

    pub fn names(&self) -> Vec<&str> {
        self.all.keys().map(String::as_str).collect()
    }

    /// A role by its name, `_` or `-` between words.
    pub fn get(&self, name: &str) -> Option<&Role> {
        self.all.get(&named(name))
    }

    /// The roles that do work of a mission's type, the best first: by the words that its goal shares with theirs.
    pub fn ranked(&self, mission: &Mission) -> Vec<(usize, &Role)> {
        let wanted = words(&mission.goal);
        let shared = |it: &Role| {
            let own = words(&format!("{} {} {}", it.name, it.description, it.goal));
            wanted.iter().filter(|word| own.contains(word)).count()
        };
        let fitting = self.all.values().filter(|it| it.kinds.contains(&mission.kind));
        let mut ranked: Vec<(usize, &Role)> = fitting.map(|it| (shared(it), it)).collect();
        ranked.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.name.cmp(&b.1.name)));
        ranked
    }
}

/// Words of four letters and more, lower case, as far as endings do not tell them apart.
fn words(text: &str) -> Vec<String> {
    let all = text.split(|it: char| !it.is_alphanumeric()).filter(|it| it.chars().count() > 3).map(str::to_lowercase);
    let mut words: Vec<String> = all.map(|it| it.trim_end_matches('s').to_owned()).collect();
    words.sort();
    words.dedup();
    words
}

fn named(name: &str) -> String {
    name.trim().to_lowercase().replace(['_', ' '], "-")
}

fn read(file: &str, value: &Value) -> Result<Role, String> {
    if !value.is_object() {
        return Err("a mapping is wanted".to_owned());
    }
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().trim().to_owned();
    let mission = &value["mission"];
    let name = Some(text(value, "name")).filter(|it| !it.is_empty()).unwrap_or_else(|| file.to_owned());
    let flag = |key: &str| match value.get(key) {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(_) => Err(format!("`{key}` is true or false")),
    };
    let kinds = texts(value.get("category"))?;
    let kind = |name: &String| {
        let found = Kind::ALL.into_iter().find(|it| it.name() == name.to_lowercase());
        found.ok_or_else(|| format!("`{name}` is no category; there is {}", Kind::ALL.map(Kind::name).join(", ")))
    };
    let goal = text(mission, "goal");
    if goal.is_empty() {
        return Err("`mission.goal` is missing".to_owned());
    }
    let turns = match mission.get("max_iterations") {
        None | Some(Value::Null) => TURNS,
        Some(it) => {
            let turns = it.as_u64().and_then(|it| u32::try_from(it).ok()).filter(|it| (1..=1_000).contains(it));
            turns.ok_or("`mission.max_iterations` is a number from 1 to 1000")?
        }
    };
    let name = named(&name);
    let agent = text(value, "recommended_persona");
    Ok(Role {
        description: text(value, "description"),
        kinds: kinds.iter().map(kind).collect::<Result<_, _>>()?,
        goal,
        strategy: text(mission, "strategy"),
        criteria: criteria(mission.get("success_criteria"))?,
        max_iterations: turns,
        dependencies: texts(value.get("dependencies"))?.iter().map(|it| named(it)).collect(),
        tools: texts(value.get("tools"))?,
        files: texts(value.get("files"))?,
        standard: Standard::read(value.get("output_standard"))?,
        use_planner: flag("use_planner")?,
        enable_quality_check: flag("enable_quality_check")?,
        agent: if agent.is_empty() { name.clone() } else { named(&agent) },
        name,
    })
}
