//! `[agent-teams]`

use indexmap::IndexMap;
use serde::Deserialize;

/// How a team of agents works.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct AgentTeams {
    /// Without it `auto` never takes a team.
    pub enabled: bool,
    /// One session for each task goes on where a team cannot.
    pub fallback_to_cli: bool,
    /// The lead only hands out work.
    pub delegate_mode: bool,
    /// Agents beside the lead.
    pub max_teammates: usize,
    /// Model of the agents; empty for that of the lead.
    pub teammate_model: String,
    /// What an agent may do without being asked, beside what its task allows. In a terminal that nobody looks at a question is
    /// never answered: `dontAsk` refuses instead.
    pub teammate_permission_mode: String,
    /// Seconds that an agent may be silent before its work is given to another.
    pub teammate_idle_timeout: u64,
    /// A hook answers when an agent calls a task done.
    pub task_completed_hook: bool,
    /// Seconds that a wave of tasks may take.
    pub wave_timeout_seconds: u64,
    /// Seconds that a task may take.
    pub task_timeout_seconds: u64,
    /// How the client shows its agents: `in-process`, `tmux`, `split`.
    pub teammate_display_mode: String,
    /// Contracts that the brief of an agent names; the others are counted.
    pub contract_limit: usize,
    /// The agents by their names, in the place of the usual four.
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, TeamAgent>"))]
    pub agents: IndexMap<String, TeamAgent>,
}

/// `[agent-teams.agents.NAME]`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TeamAgent {
    /// What the agent does.
    pub role: TeamRole,
    /// Messages stay inside a track.
    pub track: String,
    /// As the client names models; empty for that of all agents.
    #[serde(default)]
    pub model: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TeamRole {
    Implementer,
    Auditor,
}

impl Default for AgentTeams {
    fn default() -> Self {
        AgentTeams {
            enabled: false,
            fallback_to_cli: true,
            delegate_mode: true,
            max_teammates: 5,
            teammate_model: String::new(),
            teammate_permission_mode: "dontAsk".to_owned(),
            teammate_idle_timeout: 300,
            task_completed_hook: true,
            wave_timeout_seconds: 3600,
            task_timeout_seconds: 1800,
            teammate_display_mode: "in-process".to_owned(),
            contract_limit: 100,
            agents: usual(),
        }
    }
}

fn usual() -> IndexMap<String, TeamAgent> {
    let agent = |track: &str, role, name: &str| {
        (format!("{track}-{name}"), TeamAgent { role, track: track.to_owned(), model: String::new() })
    };
    let of = |role, name: &'static str| ["codex", "gemini"].map(|track| agent(track, role, name));
    of(TeamRole::Implementer, "implementer").into_iter().chain(of(TeamRole::Auditor, "auditor")).collect()
}

/// Modes in which nothing is bypassed.
const MODES: [&str; 4] = ["default", "acceptEdits", "dontAsk", "plan"];

impl AgentTeams {
    /// What is wrong with the settings.
    pub(super) fn mistake(&self) -> Option<String> {
        let is_name = |it: &str| !it.is_empty() && it.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        let has = |track: &str, role| self.agents.values().any(|it| it.track == track && it.role == role);
        if let Some(name) = self.agents.keys().find(|it| !is_name(it)) {
            return Some(format!("`{name}` is no name of an agent: letters, digits, `-` and `_` make one"));
        }
        for it in self.agents.values() {
            for (role, what) in [(TeamRole::Implementer, "implementer"), (TeamRole::Auditor, "auditor")] {
                if !has(&it.track, role) {
                    return Some(format!("the track `{}` has no {what}", it.track));
                }
            }
        }
        if self.agents.is_empty() || self.max_teammates < 2 {
            return Some("a team has an implementer and an auditor at least".to_owned());
        }
        if !MODES.contains(&self.teammate_permission_mode.as_str()) {
            return Some(format!("modes of permission are {}", MODES.join(", ")));
        }
        None
    }
}
