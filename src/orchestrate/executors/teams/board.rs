//! Who does what in a team: tracks, agents, and the tasks on the team's list.

use std::time::Instant;

use indexmap::IndexMap;

use super::machine::{Agent, Audit, Part, Status};
use super::mailbox::TeamTask;
use crate::settings::{AgentTeams, TeamRole};

/// The agents of a team for so many tasks: whole tracks, as many as have work and are allowed, one at least.
pub(super) fn agents(settings: &AgentTeams, tasks: usize) -> IndexMap<String, Agent> {
    let mut tracks: Vec<&str> = Vec::new();
    for it in settings.agents.values() {
        if !tracks.contains(&it.track.as_str()) {
            tracks.push(&it.track);
        }
    }
    let mut chosen = IndexMap::new();
    for (at, track) in tracks.into_iter().enumerate() {
        let own = || settings.agents.iter().filter(|it| it.1.track == track);
        if at > 0 && (at >= tasks || chosen.len() + own().count() > settings.max_teammates) {
            break;
        }
        for (name, it) in own() {
            let part = match it.role {
                TeamRole::Implementer => Part::Implementer,
                TeamRole::Auditor => Part::Auditor,
            };
            chosen.insert(name.clone(), Agent { status: Status::Idle, part, track: track.to_owned() });
        }
    }
    chosen
}

/// What a task on the team's list is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Task of the run, by its place.
    Build(usize),
    /// Everything that the track has built.
    Review,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Progress {
    Open,
    Working(Instant),
    Done,
    /// It took too long.
    Stopped,
}

/// A task on the team's list.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) id: String,
    pub(super) kind: Kind,
    pub(super) track: String,
    pub(super) owner: String,
    pub(super) progress: Progress,
    pub(super) blocked_by: Vec<String>,
    /// The owner was asked once more for what a review found.
    pub(super) asked_again: bool,
}

impl Entry {
    pub(super) fn is_settled(&self) -> bool {
        matches!(self.progress, Progress::Done | Progress::Stopped)
    }
}

/// All tasks that a team has been given.
#[derive(Clone, Debug, Default)]
pub(super) struct Board {
    pub(super) entries: Vec<Entry>,
}

/// Names of the agents of a part and a track that have not failed.
pub(super) fn able<'a>(agents: &'a IndexMap<String, Agent>, part: Part, track: Option<&'a str>) -> Vec<&'a str> {
    let fits =
        move |it: &Agent| it.part == part && it.status != Status::Failed && track.is_none_or(|track| it.track == track);
    agents.iter().filter(|it| fits(it.1)).map(|it| it.0.as_str()).collect()
}

impl Board {
    /// Adds a round: each task to its track, in turn, and to each track a review that waits for them. `tasks` are places of tasks with
    /// their tracks; gives the places of the new entries.
    pub(super) fn add(&mut self, agents: &IndexMap<String, Agent>, tasks: &[(usize, String)]) -> Vec<usize> {
        let first = self.entries.len();
        let mut blocking: IndexMap<&str, Vec<String>> = IndexMap::new();
        for (place, track) in tasks {
            let own = blocking.entry(track).or_default();
            let owners = able(agents, Part::Implementer, Some(track));
            let owner = owners.get(own.len() % owners.len().max(1)).copied().unwrap_or_default();
            let id = (self.entries.len() + 1).to_string();
            own.push(id.clone());
            self.entries.push(Entry {
                id,
                kind: Kind::Build(*place),
                track: track.clone(),
                owner: owner.to_owned(),
                progress: Progress::Open,
                blocked_by: Vec::new(),
                asked_again: false,
            });
        }
        for (track, blocked_by) in blocking {
            for owner in able(agents, Part::Auditor, Some(track)) {
                self.entries.push(Entry {
                    id: (self.entries.len() + 1).to_string(),
                    kind: Kind::Review,
                    track: track.to_owned(),
                    owner: owner.to_owned(),
                    progress: Progress::Open,
                    blocked_by: blocked_by.clone(),
                    asked_again: false,
                });
            }
        }
        (first..self.entries.len()).collect()
    }

    /// The task as it is written to the team's list.
    pub(super) fn task(&self, at: usize, subject: String, description: String) -> TeamTask {
        let it = &self.entries[at];
        let waiting = self.entries.iter().filter(|other| other.blocked_by.contains(&it.id));
        TeamTask {
            id: it.id.clone(),
            subject,
            description,
            owner: it.owner.clone(),
            status: if it.progress == Progress::Done { "completed" } else { "pending" }.to_owned(),
            blocks: waiting.map(|it| it.id.clone()).collect(),
            blocked_by: it.blocked_by.clone(),
            ..TeamTask::default()
        }
    }

    /// The last entry about a task of the run.
    pub(super) fn last_of(&self, place: usize) -> Option<&Entry> {
        self.entries.iter().rfind(|it| it.kind == Kind::Build(place))
    }
}

/// What an auditor told, with the texts; none where there is nothing that can be read.
pub(super) fn audit(task: &TeamTask) -> Option<(Audit, Vec<String>)> {
    let number = |key: &str| {
        let it = task.metadata.get(key)?;
        it.as_u64().or_else(|| it.as_str()?.trim().parse().ok()).and_then(|it| u32::try_from(it).ok())
    };
    let critical_issues = number("critical_issues")?;
    let passed = match task.metadata.get("passed") {
        Some(it) => it.as_bool().or_else(|| it.as_str()?.trim().parse().ok())?,
        None => critical_issues == 0,
    };
    let findings = task.metadata.get("findings").and_then(serde_json::Value::as_array).into_iter().flatten();
    let findings = findings.map(|it| it.as_str().map_or_else(|| it.to_string(), str::to_owned)).collect();
    let audit =
        Audit { critical_issues, warnings: number("warnings").unwrap_or(0), passed: passed && critical_issues == 0 };
    Some((audit, findings))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_team_has_whole_tracks_and_none_without_work() {
        let names = |settings: &AgentTeams, tasks| agents(settings, tasks).into_keys().collect::<Vec<_>>();
        let usual = AgentTeams::default();
        assert_eq!(names(&usual, 1), ["codex-implementer", "codex-auditor"]);
        assert_eq!(names(&usual, 7), ["codex-implementer", "codex-auditor", "gemini-implementer", "gemini-auditor"]);
        let few = AgentTeams { max_teammates: 3, ..usual };
        assert_eq!(names(&few, 7).len(), 2);
    }

    #[test]
    fn reviews_wait_for_the_work_of_their_track() {
        let agents = agents(&AgentTeams::default(), 3);
        let mut board = Board::default();
        let tasks = [(0, "codex".to_owned()), (1, "gemini".to_owned()), (2, "codex".to_owned())];
        let new = board.add(&agents, &tasks);
        let shown: Vec<String> = new
            .into_iter()
            .map(|at| board.task(at, String::new(), String::new()))
            .map(|it| format!("{} {} blocks {:?} blocked by {:?}", it.id, it.owner, it.blocks, it.blocked_by))
            .collect();
        assert_eq!(
            shown,
            [
                "1 codex-implementer blocks [\"4\"] blocked by []",
                "2 gemini-implementer blocks [\"5\"] blocked by []",
                "3 codex-implementer blocks [\"4\"] blocked by []",
                "4 codex-auditor blocks [] blocked by [\"1\", \"3\"]",
                "5 gemini-auditor blocks [] blocked by [\"2\"]",
            ]
        );
    }

    #[test]
    fn an_audit_that_cannot_be_read_is_none() {
        let told = |metadata: serde_json::Value| {
            let metadata = metadata.as_object().cloned().unwrap_or_default();
            audit(&TeamTask { metadata, ..TeamTask::default() })
        };
        assert_eq!(told(json!({})), None);
        assert_eq!(told(json!({"critical_issues": "some"})), None);
        assert_eq!(told(json!({"critical_issues": 0, "passed": "perhaps"})), None);
        let (audit, findings) =
            told(json!({"critical_issues": 1, "passed": true, "findings": ["a.py:1 wrong"]})).expect("read");
        assert_eq!((audit.passed, findings.len()), (false, 1), "critical is never passed");
        assert!(
            told(json!({"critical_issues": "0", "warnings": 2})).is_some_and(|it| it.0.passed && it.0.warnings == 2)
        );
    }
}
