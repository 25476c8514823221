//! `agent-capabilities.yaml`: what agents are for, by category, beside the files that describe them.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::agents::{Agent, Agents};
use crate::contracts::tree;

/// The file's name, in the folder of the settings.
pub(super) const FILE: &str = "agent-capabilities.yaml";
/// A larger file is no list of agents.
const MAX_BYTES: u64 = 1 << 20;

/// Adds what the file says: to an agent that is there, what it is for; an agent that is not there is new. A file that is not there
/// is fine, and what cannot be used of one is a problem.
pub(super) fn add(agents: &mut Agents, folder: &Path) {
    let path = folder.join(FILE);
    let text = match fs::metadata(&path) {
        Err(_) => return,
        Ok(it) if it.len() > MAX_BYTES => Err(format!("{} bytes are too many", it.len())),
        Ok(_) => fs::read_to_string(&path).map_err(|error| error.to_string()),
    };
    match text.and_then(|it| tree::value(&it)) {
        Ok(value) => read(agents, &value, &path.display().to_string()),
        Err(reason) => agents.problems.push(format!("{}: {reason}", path.display())),
    }
}

fn read(agents: &mut Agents, value: &Value, shown: &str) {
    let Some(categories) = value["categories"].as_object() else {
        agents.problems.push(format!("{shown}: `categories` is missing"));
        return;
    };
    for (category, it) in categories {
        for described in it["agents"].as_array().into_iter().flatten() {
            let Some(id) = described["id"].as_str().filter(|it| !it.trim().is_empty()) else {
                agents.problems.push(format!("{shown}: an agent of `{category}` has no `id`"));
                continue;
            };
            let known = agents.get(id).cloned();
            let agent = known.unwrap_or_else(|| Agent {
                id: id.trim().to_lowercase().replace(['_', ' '], "-"),
                name: id.replace(['_', '-'], " "),
                category: category.clone(),
                model: "dynamic".to_owned(),
                complexity_range: (1, 14),
                purpose: texts(&described["capabilities"]).join(", "),
                ..Agent::default()
            });
            agents.put(with(agent, described));
        }
    }
}

/// The agent as the file describes it: what is said there takes the place of what was said before.
fn with(mut agent: Agent, described: &Value) -> Agent {
    let triggers = &described["triggers"];
    let lower = |value: &Value| texts(value).into_iter().map(|it| it.to_lowercase()).collect::<Vec<_>>();
    let languages = [lower(&described["languages"]), lower(&described["frameworks"])].concat();
    let lists = [
        (&mut agent.keywords, lower(&triggers["keywords"])),
        (&mut agent.files, texts(&triggers["files"])),
        (&mut agent.task_types, texts(&triggers["task_types"])),
        (&mut agent.languages, languages),
    ];
    for (old, new) in lists {
        if !new.is_empty() {
            *old = new;
        }
    }
    if let Some(model) = described["default_model"].as_str() {
        agent.model = model.to_lowercase();
    }
    let bound = |at: usize| described["complexity_range"][at].as_u64().and_then(|it| u8::try_from(it).ok());
    if let (Some(low), Some(high)) = (bound(0), bound(1)) {
        agent.complexity_range = (low, high);
    }
    agent
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::super::agents::Asked;
    use super::*;

    #[test]
    fn what_agents_are_for_decides_who_is_chosen() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut agents = Agents::load(Path::new("/nowhere"));
        let asked = |agents: &Agents| {
            let files = ["schema.sql".to_owned()];
            let asked =
                Asked { description: "Migrate the ledger table", task_type: "feature", files: &files, complexity: 6 };
            agents.select(&asked).map(|it| it.primary.id.clone())
        };
        assert_ne!(asked(&agents).as_deref(), Some("database-migrator"));
        let text = "
version: '2.0'
categories:
  database:
    description: Tables
    agents:
      - id: database_migrator
        capabilities: [migrations, indexes]
        complexity_range: [3, 12]
        default_model: opus
        languages: [SQL]
        triggers: {keywords: [Migrate, table, ledger], files: ['*.sql'], task_types: [feature]}
      - id: code_writer
        triggers: {keywords: [poem]}
      - capabilities: [nameless]
";
        std::fs::write(folder.path().join(FILE), text).expect("written");
        add(&mut agents, folder.path());
        assert_eq!(asked(&agents).as_deref(), Some("database-migrator"));
        let migrator = agents.get("database:database_migrator").expect("it is there");
        assert_eq!((migrator.model.as_str(), migrator.complexity_range), ("opus", (3, 12)));
        assert_eq!(migrator.purpose, "migrations, indexes");
        let writer = agents.get("code-writer").expect("it is there");
        assert!(!writer.instructions.is_empty(), "its file still says how it works");
        assert_eq!(writer.keywords, ["poem"]);
        assert_eq!(agents.problems.len(), 1, "{:?}", agents.problems);
    }
}
