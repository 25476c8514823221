//! `team-state.json` and `team-metrics.json`, among the documents of a run.

use std::fs;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::machine::{Audit, Mode, Reason, Stand, Team};
use crate::orchestrate::exports::write_whole;

pub(super) fn state_file(exports: &Path) -> PathBuf {
    exports.join("team-state.json")
}

fn metrics_file(exports: &Path) -> PathBuf {
    exports.join("team-metrics.json")
}

/// What is known of a team from before.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Known {
    /// None, or one that has nothing to do with these tasks: of an earlier run, or of tasks that are done.
    Nothing,
    /// A team that works on these tasks, and was cut off.
    Live(Box<Team>),
    /// Teams are over for this run.
    Fallen(Reason),
    /// Nobody can tell: teams are over for this run.
    Unreadable,
}

/// Reads what is known, for a run and the tasks that are about to begin; without tasks, whether teams are over.
pub(super) fn known(exports: &Path, run: &str, tasks: Option<&[String]>) -> Known {
    match fs::read(state_file(exports)) {
        Ok(text) => of_text(&text, run, tasks),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Known::Nothing,
        Err(_) => Known::Unreadable,
    }
}

pub(super) fn of_text(text: &[u8], run: &str, tasks: Option<&[String]>) -> Known {
    let Ok(team) = serde_json::from_slice::<Team>(text) else { return Known::Unreadable };
    if team.run_id != run {
        return Known::Nothing;
    }
    match team.state {
        Stand::Fallback => Known::Fallen(team.fallback_reason.unwrap_or(Reason::InitFailed)),
        Stand::Complete => Known::Nothing,
        _ if tasks.is_some_and(|it| it == team.tasks) => Known::Live(Box::new(team)),
        _ => Known::Nothing,
    }
}

/// Writes a team as it is now; readers see the old one or the new one. What cannot be written is told.
pub(super) fn keep(exports: &Path, team: &Team) -> Result<(), String> {
    let text = serde_json::to_string_pretty(team).unwrap_or_default() + "\n";
    write_whole(&state_file(exports), &text).map_err(|error| error.to_string())
}

/// What one team, or one task of the plain way, came to: to compare the two ways.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Metrics {
    pub(super) tasks: Vec<String>,
    pub(super) mode: Mode,
    pub(super) iterations: u32,
    /// Seconds by state.
    pub(super) seconds: IndexMap<Stand, f64>,
    /// One for each audit.
    pub(super) audits: Vec<Audit>,
    pub(super) cost_usd: f64,
    /// `complete`, `partial`, `cancelled`, or the reason of a fallback; of a task, its status.
    pub(super) result: String,
}

/// Adds to the metrics of a run; those of an earlier run are overwritten.
pub(super) fn measure(exports: &Path, run: &str, metrics: &Metrics) {
    let path = metrics_file(exports);
    let read = fs::read(&path).ok().and_then(|text| serde_json::from_slice::<Value>(&text).ok());
    let mut whole = read.filter(|it| it["run_id"] == run).unwrap_or_else(|| json!({"run_id": run, "teams": []}));
    if let Some(teams) = whole["teams"].as_array_mut() {
        teams.push(serde_json::to_value(metrics).unwrap_or_default());
    }
    // Metrics are no part of the work.
    let _ = write_whole(&path, &(serde_json::to_string_pretty(&whole).unwrap_or_default() + "\n"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn team(state: Stand) -> Team {
        Team { state, ..Team::new("run", vec!["TASK-001-1".to_owned()], IndexMap::new(), "2026-01-01T00:00:00.000Z") }
    }

    #[test]
    fn a_live_team_is_taken_up_in_its_state_and_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let tasks = ["TASK-001-1".to_owned()];
        assert_eq!(known(folder.path(), "run", Some(&tasks)), Known::Nothing);
        for state in [Stand::Detect, Stand::InitTeam, Stand::Prototype, Stand::Audit, Stand::Iterate] {
            let live = team(state);
            keep(folder.path(), &live).expect("written");
            assert_eq!(known(folder.path(), "run", Some(&tasks)), Known::Live(Box::new(live)));
            assert_eq!(known(folder.path(), "other", Some(&tasks)), Known::Nothing, "it is stale");
            assert_eq!(known(folder.path(), "run", Some(&["TASK-002-1".to_owned()])), Known::Nothing);
        }
        keep(folder.path(), &team(Stand::Complete)).expect("written");
        assert_eq!(known(folder.path(), "run", Some(&tasks)), Known::Nothing);
        let fallen = Team { fallback_reason: Some(Reason::AuditCritical), ..team(Stand::Fallback) };
        keep(folder.path(), &fallen).expect("written");
        assert_eq!(known(folder.path(), "run", None), Known::Fallen(Reason::AuditCritical));
        for text in ["", "{", "[]", "{\"state\": \"SOMEWHERE\"}"] {
            fs::write(state_file(folder.path()), text).expect("written");
            assert_eq!(known(folder.path(), "run", None), Known::Unreadable, "{text}");
        }
    }

    #[test]
    fn metrics_of_an_earlier_run_are_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let one = |result: &str| Metrics {
            tasks: Vec::new(),
            mode: Mode::Team,
            iterations: 1,
            seconds: IndexMap::from([(Stand::Prototype, 1.5)]),
            audits: vec![Audit::default()],
            cost_usd: 0.25,
            result: result.to_owned(),
        };
        for (run, result) in [("old", "complete"), ("new", "partial"), ("new", "complete")] {
            measure(folder.path(), run, &one(result));
        }
        let text = fs::read(metrics_file(folder.path())).expect("there");
        let read: Value = serde_json::from_slice(&text).expect("JSON");
        assert_eq!((&read["run_id"], read["teams"].as_array().map(Vec::len)), (&"new".into(), Some(2)));
        assert_eq!(read["teams"][0]["seconds"]["PROTOTYPE"], 1.5);
    }
}
