//! Missions as a model or a person writes them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::MissionError;
use super::check::{Check, Standard};
use crate::contracts::tree;

/// A part of a goal, for one role.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mission {
    /// `mission-1`
    pub id: String,
    pub goal: String,
    pub kind: Kind,
    pub criteria: Vec<Criterion>,
    pub priority: Priority,
    /// Ids of missions whose results this one needs.
    pub dependencies: Vec<String>,
    /// The role that takes it; none: the one that fits best.
    pub role: Option<String>,
    /// Tools without which nobody can do it.
    pub tools: Vec<String>,
    /// Patterns of files that it may write; none: any.
    pub files: Vec<String>,
    /// What holds for its result beside the standard of the role.
    pub standard: Standard,
}

/// What a mission is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Research,
    Documentation,
    #[default]
    Development,
    Testing,
    Deployment,
}

impl Kind {
    pub const ALL: [Kind; 5] =
        [Kind::Research, Kind::Documentation, Kind::Development, Kind::Testing, Kind::Deployment];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Research => "research",
            Kind::Documentation => "documentation",
            Kind::Development => "development",
            Kind::Testing => "testing",
            Kind::Deployment => "deployment",
        }
    }
}

/// 1 to 10, the most urgent last; among missions that could begin, the more urgent begins first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Priority(pub u8);

impl Default for Priority {
    fn default() -> Self {
        Priority(5)
    }
}

/// How it is known that a mission is done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Criterion {
    pub criterion: String,
    /// Share of the whole; those of a mission come to 1.
    pub weight: f64,
    /// How it can be checked without a model.
    pub check: Option<Check>,
}

/// A longer goal is a document.
const MAX_GOAL: usize = 1_000;
/// More missions than this are no plan.
const MAX_MISSIONS: usize = 200;

/// Missions of a text, YAML or JSON: a list, or a mapping with `missions`. Names of keys may be those of either form in use:
/// `mission_id` or `id`, `success_criteria` or `criteria`, `type` or `kind`, a priority in words or as a number.
///
/// # Errors
/// The text is none of that, names a mission twice, or a dependency that no mission has.
pub fn read(text: &str) -> Result<Vec<Mission>, MissionError> {
    let value = tree::value(text).map_err(MissionError::Form)?;
    let list = value.as_array().or_else(|| value["missions"].as_array());
    let list =
        list.ok_or_else(|| MissionError::Form("a list of missions is wanted, or `missions:` with one".into()))?;
    if list.is_empty() || list.len() > MAX_MISSIONS {
        return Err(MissionError::Form(format!("{} missions; 1 to {MAX_MISSIONS} are wanted", list.len())));
    }
    let missions: Vec<Mission> = list.iter().enumerate().map(|(at, it)| mission(at, it)).collect::<Result<_, _>>()?;
    checked(missions)
}

/// The missions, if each has a name of its own and depends only on others that are there.
///
/// # Errors
/// A name is there twice, or a dependency is not there.
pub(super) fn checked(missions: Vec<Mission>) -> Result<Vec<Mission>, MissionError> {
    for (at, it) in missions.iter().enumerate() {
        if missions[..at].iter().any(|other| other.id == it.id) {
            return Err(MissionError::Twice(it.id.clone()));
        }
        if let Some(unknown) = it.dependencies.iter().find(|id| !missions.iter().any(|other| other.id == **id)) {
            let known: Vec<&str> = missions.iter().map(|it| it.id.as_str()).collect();
            return Err(MissionError::Unknown {
                mission: it.id.clone(),
                dependency: unknown.clone(),
                known: known.join(", "),
            });
        }
    }
    Ok(missions)
}

fn mission(at: usize, value: &Value) -> Result<Mission, MissionError> {
    let place = |what: &str| MissionError::Form(format!("mission {}: {what}", at + 1));
    let first = |names: &[&str]| names.iter().find_map(|it| value.get(*it)).filter(|it| !it.is_null());
    let text = |names: &[&str]| first(names).and_then(Value::as_str).map(|it| it.trim().to_owned());
    let goal = text(&["goal"]).filter(|it| !it.is_empty()).ok_or_else(|| place("`goal` is missing"))?;
    if goal.chars().count() > MAX_GOAL {
        return Err(place(&format!("`goal` has more than {MAX_GOAL} characters: say the rest as criteria")));
    }
    let kind = match text(&["kind", "type"]) {
        None => Kind::default(),
        Some(name) => Kind::ALL
            .into_iter()
            .find(|it| it.name() == name.to_lowercase())
            .ok_or_else(|| place(&format!("`{name}` is no type; there is {}", Kind::ALL.map(Kind::name).join(", "))))?,
    };
    Ok(Mission {
        id: text(&["id", "mission_id"]).filter(|it| !it.is_empty()).unwrap_or_else(|| format!("mission-{}", at + 1)),
        goal,
        kind,
        criteria: criteria(first(&["criteria", "success_criteria"])).map_err(|it| place(&it))?,
        priority: priority(first(&["priority"])).map_err(|it| place(&it))?,
        dependencies: texts(first(&["dependencies", "depends_on"])).map_err(|it| place(&it))?,
        role: text(&["role"]).filter(|it| !it.is_empty()),
        tools: texts(first(&["tools", "resources"])).map_err(|it| place(&it))?,
        files: texts(first(&["files"])).map_err(|it| place(&it))?,
        standard: Standard::read(first(&["output_standard", "standard"])).map_err(|it| place(&it))?,
    })
}

/// Criteria, texts or mappings, with weights that come to 1.
pub(super) fn criteria(value: Option<&Value>) -> Result<Vec<Criterion>, String> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let list = value.as_array().ok_or("criteria are a list")?;
    let mut found = Vec::with_capacity(list.len());
    for it in list {
        let criterion = match it {
            Value::String(text) => Criterion { criterion: text.trim().to_owned(), weight: 1.0, check: None },
            Value::Object(_) => Criterion {
                criterion: it["criterion"].as_str().unwrap_or_default().trim().to_owned(),
                weight: it["weight"].as_f64().unwrap_or(1.0),
                check: Check::of_criterion(it)?,
            },
            _ => return Err("a criterion is a text, or a mapping with `criterion`".to_owned()),
        };
        if criterion.criterion.is_empty() {
            return Err("a criterion says nothing".to_owned());
        }
        if !(0.0..=1_000.0).contains(&criterion.weight) {
            return Err(format!("the weight {} of a criterion is none", criterion.weight));
        }
        found.push(criterion);
    }
    let sum: f64 = found.iter().map(|it| it.weight).sum();
    if !found.is_empty() && sum <= 0.0 {
        return Err("no criterion has a weight".to_owned());
    }
    found.iter_mut().for_each(|it| it.weight /= sum);
    Ok(found)
}

fn priority(value: Option<&Value>) -> Result<Priority, String> {
    match value {
        None => Ok(Priority::default()),
        Some(Value::String(word)) => match word.to_uppercase().as_str() {
            "HIGH" => Ok(Priority(8)),
            "MEDIUM" => Ok(Priority(5)),
            "LOW" => Ok(Priority(2)),
            _ => Err(format!("`{word}` is no priority; there is HIGH, MEDIUM, LOW, or 1 to 10")),
        },
        Some(number) => {
            let number = number.as_u64().and_then(|it| u8::try_from(it).ok()).filter(|it| (1..=10).contains(it));
            number.map(Priority).ok_or_else(|| "a priority is HIGH, MEDIUM, LOW, or 1 to 10".to_owned())
        }
    }
}

/// A list of texts, or one text.
pub(super) fn texts(value: Option<&Value>) -> Result<Vec<String>, String> {
    match value {
        None => Ok(Vec::new()),
        Some(Value::String(one)) => Ok(vec![one.clone()]),
        Some(Value::Array(list)) => {
            list.iter().map(|it| it.as_str().map(str::to_owned).ok_or_else(|| format!("{it} is no text"))).collect()
        }
        Some(other) => Err(format!("{other} is no list of texts")),
    }
}
