//! What the agents of a team are told.

use std::fmt::Write as _;

use indexmap::IndexMap;

use super::machine::{Agent, Part as Role};
use super::wave::Part;
use crate::settings::AgentTeams;

/// What the lead is told: whom to spawn, with which words, and then to wait.
pub(super) fn lead(settings: &AgentTeams, agents: &IndexMap<String, Agent>) -> String {
    let mut list = String::new();
    for (name, agent) in agents {
        let peer = agents.iter().find(|it| it.1.track == agent.track && it.1.part != agent.part);
        let text = match agent.part {
            Role::Implementer => include_str!("implementer.md"),
            Role::Auditor => include_str!("auditor.md"),
        };
        let text = text
            .replace("{{name}}", name)
            .replace("{{track}}", &agent.track)
            .replace("{{peer}}", peer.map_or("", |it| it.0.as_str()));
        let model = settings.agents.get(name).map(|it| it.model.as_str()).filter(|it| !it.is_empty());
        let model = model.map(|it| format!(", `model`: `{it}`")).unwrap_or_default();
        let _ = write!(
            list,
            "- `name`: `{name}`{model}, `description`: `{name}`, `prompt`: the text between the lines\n\n---\n{text}---\n\n"
        );
    }
    let delegate = if settings.delegate_mode { "Change no file yourself." } else { "" };
    include_str!("lead.md").replace("{{agents}}", &list).replace("{{delegate}}", delegate)
}

/// What comes before a task that an audit sends back.
pub(super) fn again(findings: &[String]) -> String {
    format!("# What the audit found\n\nMend each of these. The whole task follows.\n\n{}\n", listed(findings))
}

/// What an auditor is told: what was asked for, and where the work is.
pub(super) fn review(parts: &[&Part]) -> String {
    let mut out = "Review what was made of these tasks against what they ask for. Change no file.\n".to_owned();
    for it in parts {
        let _ = write!(out, "\n---\n\nIn {}:\n\n{}", it.worktree.display(), it.told);
    }
    out
}

/// What an audit left, in words for people.
pub(super) fn left(findings: &[String]) -> String {
    match findings {
        [] => "the audit does not pass".to_owned(),
        [first] => first.clone(),
        [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
    }
}

fn listed(lines: &[String]) -> String {
    lines.iter().fold(String::new(), |mut out, it| {
        let _ = writeln!(out, "- {it}");
        out
    })
}
