//! A run of missions: where each stands, by the events that happened.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::decompose::Mode;
use super::intervene::{Decision, Intervention};
use super::judge::Judged;
use super::mission::Mission;

/// What holds for a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// Of 100; a result below is not good enough.
    pub threshold: f64,
    /// Of a mission, after something that may pass by itself.
    pub retries: u32,
    /// Attempts of a role that helps.
    pub helper_iterations: u32,
    /// Attempts of the whole run.
    pub max_iterations: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { threshold: 70.0, retries: 3, helper_iterations: 5, max_iterations: 50 }
    }
}

/// What a role made of its mission.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RoleResult {
    pub output: String,
    /// Where the whole output stands.
    pub place: String,
    /// The files before and after the work, as commits.
    #[serde(default)]
    pub base: String,
    #[serde(default)]
    pub commit: String,
    /// Files that were written, below the root.
    pub files: Vec<String>,
    pub quality_score: f64,
    pub judged: Judged,
    /// Criteria that nobody could look at.
    pub unjudged: Vec<String>,
    pub format_valid: bool,
    pub problems: Vec<String>,
    pub trouble: Option<Trouble>,
}

/// Why a role came to no result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "reason", rename_all = "snake_case")]
pub enum Trouble {
    /// May pass by itself: a timeout, a busy server, a file that somebody else changed meanwhile.
    Transient(String),
    /// The role cannot do it: a tool is missing.
    Missing(String),
    /// More of the same would not help.
    Fatal(String),
}

/// What happens in a run of missions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "mission_event", rename_all = "snake_case")]
pub enum Event {
    Planned {
        goal: String,
        mode: Mode,
        limits: Limits,
        missions: Vec<Mission>,
        /// The role of each mission.
        roles: Vec<String>,
        layers: Vec<Vec<usize>>,
        /// `model`, `requirements`, `roles`, or the file.
        taken_apart_by: String,
    },
    RoleStarted {
        mission: String,
        role: String,
        attempt: u32,
    },
    RoleFinished {
        mission: String,
        attempt: u32,
        result: RoleResult,
    },
    Intervened {
        mission: String,
        decision: Decision,
        helper: Option<String>,
    },
}

/// Where a mission stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    pub state: State,
    /// Who works on it: the role, or the one that helps.
    pub role: String,
    pub attempts: u32,
    pub retries: u32,
    pub enhanced: bool,
    pub helper: Option<String>,
    /// Attempts of the helper.
    pub helped: u32,
    /// What the attempts before lacked.
    pub lessons: Vec<String>,
    pub result: Option<RoleResult>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    #[default]
    Waiting,
    Working,
    /// There is a result, and nothing was decided.
    Finished,
    Done,
    GivenUp,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", content = "reason", rename_all = "snake_case")]
pub enum Outcome {
    Completed,
    Terminated(String),
}

/// A run of missions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub goal: String,
    pub mode: Mode,
    pub limits: Limits,
    pub missions: Vec<Mission>,
    pub layers: Vec<Vec<usize>>,
    pub taken_apart_by: String,
    pub standings: BTreeMap<String, Standing>,
    /// The intervention log: mission, decision.
    pub log: Vec<(String, Decision)>,
    pub outcome: Option<Outcome>,
}

impl Run {
    /// Takes an event. A refused one changes nothing.
    ///
    /// # Errors
    /// The event cannot happen now.
    pub fn take(&mut self, event: &Event) -> Result<(), String> {
        if let Event::Planned { goal, mode, limits, missions, roles, layers, taken_apart_by } = event {
            if !self.missions.is_empty() {
                return Err("the missions of this session are planned".to_owned());
            }
            let of = |(mission, role): (&Mission, &String)| {
                (mission.id.clone(), Standing { role: role.clone(), ..Standing::default() })
            };
            self.standings = missions.iter().zip(roles).map(of).collect();
            (self.goal, self.mode, self.limits) = (goal.clone(), *mode, limits.clone());
            (self.missions, self.layers) = (missions.clone(), layers.clone());
            self.taken_apart_by.clone_from(taken_apart_by);
            return Ok(());
        }
        if self.outcome.is_some() {
            return Err("the run of missions has ended".to_owned());
        }
        match event {
            Event::Planned { .. } => Ok(()),
            Event::RoleStarted { mission, role, attempt } => {
                let at = self.at(mission)?;
                // What a killed process began is begun again.
                let again = at.state == State::Working && at.attempts == *attempt;
                if !again && (at.state != State::Waiting || *attempt != at.attempts + 1) {
                    return Err(format!("the mission `{mission}` cannot begin attempt {attempt}"));
                }
                (at.state, at.attempts) = (State::Working, *attempt);
                at.role.clone_from(role);
                Ok(())
            }
            Event::RoleFinished { mission, attempt, result } => {
                let at = self.at(mission)?;
                if at.state != State::Working || at.attempts != *attempt {
                    return Err(format!("the mission `{mission}` is not at attempt {attempt}"));
                }
                at.state = State::Finished;
                at.result = Some(result.clone());
                Ok(())
            }
            Event::Intervened { mission, decision, helper } => {
                let at = self.at(mission)?;
                if at.state != State::Finished {
                    return Err(format!("the mission `{mission}` has no result to decide on"));
                }
                let lacks = at.result.as_ref().map(|it| it.problems.clone()).unwrap_or_default();
                at.state = match decision.intervention {
                    Intervention::Continue => State::Done,
                    Intervention::Terminate => State::GivenUp,
                    _ => State::Waiting,
                };
                match decision.intervention {
                    Intervention::Retry => at.retries += 1,
                    Intervention::Enhance => {
                        at.enhanced = true;
                        at.lessons.extend(lacks);
                    }
                    Intervention::Escalate => {
                        at.helper = at.helper.take().or_else(|| helper.clone());
                        at.helped += 1;
                        at.role = at.helper.clone().unwrap_or_else(|| at.role.clone());
                        at.lessons.extend(lacks);
                    }
                    Intervention::Continue | Intervention::Terminate => {}
                }
                self.log.push((mission.clone(), decision.clone()));
                if decision.intervention == Intervention::Terminate {
                    self.outcome = Some(Outcome::Terminated(format!("{mission}: {}", decision.reason)));
                } else if self.standings.values().all(|it| it.state == State::Done) {
                    self.outcome = Some(Outcome::Completed);
                }
                Ok(())
            }
        }
    }

    fn at(&mut self, mission: &str) -> Result<&mut Standing, String> {
        self.standings.get_mut(mission).ok_or_else(|| format!("there is no mission `{mission}`"))
    }

    /// Attempts of all missions.
    pub fn attempts(&self) -> u32 {
        self.standings.values().map(|it| it.attempts).sum()
    }

    /// Missions that can be worked on: those of the first layer that is not done, as far as they wait or were interrupted.
    pub fn ready(&self) -> Vec<&Mission> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        let state = |at: &usize| self.standings[&self.missions[*at].id].state;
        let layer = self.layers.iter().find(|layer| layer.iter().any(|it| state(it) != State::Done));
        let open = layer.into_iter().flatten().filter(|it| matches!(state(it), State::Waiting | State::Working));
        open.map(|it| &self.missions[*it]).collect()
    }

    /// Missions with a result that nobody has decided on, in the order of the missions.
    pub fn finished(&self) -> impl Iterator<Item = &Mission> {
        self.missions.iter().filter(|it| self.standings[&it.id].state == State::Finished)
    }
}
