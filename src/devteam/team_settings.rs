//! `.devteam/*.yaml`: limits, names of models, gates; the files of the folder are put together in the order of their names.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::records::{Limits, Model};
use crate::contracts::tree;
use crate::gates::{Gate, GateSettings};
use crate::ledger::{Price, Prices, Usd};
use crate::missions::{self, Mode};

/// How a team works.
#[derive(Clone, Debug)]
pub struct Settings {
    pub limits: Limits,
    /// Failures in a row before a larger model takes over, in eco mode.
    pub eco_threshold: u32,
    /// What the models are called, the small one first.
    pub models: [String; 3],
    /// Gates that have to pass; the others run only where they are asked for.
    pub required: Vec<Gate>,
    pub gates: GateSettings,
    pub prices: Prices,
    pub goals: Goals,
    /// What the files say, put together.
    pub merged: Value,
    /// What cannot be used of them.
    pub problems: Vec<String>,
}

/// How a goal is worked on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Goals {
    pub goal: Option<String>,
    pub mode: Mode,
    pub limits: missions::Limits,
    /// Of the run; none: no limit.
    pub budget: Option<Usd>,
    pub max_hours: u32,
    /// Roles may look things up outside.
    pub has_network: bool,
}

/// Larger files are no settings.
const MAX_BYTES: u64 = 1 << 18;
/// Dollars for a million tokens, in and out, of the models as they are called by default.
const PRICES: [(&str, f64, f64); 3] = [("haiku", 0.25, 1.25), ("sonnet", 3.0, 15.0), ("opus", 15.0, 75.0)];

impl Settings {
    /// The settings of a folder; the defaults where there is none. Whatever cannot be used is a problem, and the default holds.
    pub fn load(folder: &Path, gates: &GateSettings, prices: &Prices) -> Settings {
        let mut problems = Vec::new();
        let mut merged = Value::Object(Map::new());
        let mut files: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path()).collect();
        files.retain(|it| it.extension().is_some_and(|it| it == "yaml" || it == "yml"));
        // A list of agents is no setting.
        files.retain(|it| it.file_stem().is_none_or(|it| it != "agent-capabilities"));
        files.sort();
        for path in files {
            let size = fs::metadata(&path).map_or(0, |it| it.len());
            let read = || -> Result<Value, String> {
                if size > MAX_BYTES {
                    return Err(format!("{size} bytes are too many"));
                }
                tree::value(&fs::read_to_string(&path).map_err(|error| error.to_string())?)
            };
            match read() {
                Ok(found @ Value::Object(_)) => put_together(&mut merged, camel(found)),
                Ok(Value::Null) => {}
                Ok(_) => problems.push(format!("{}: a mapping is wanted", path.display())),
                Err(reason) => problems.push(format!("{}: {reason}", path.display())),
            }
        }
        let mut read = Reader { merged: &merged, problems: &mut problems };
        let limits = Limits {
            max_iterations: read.number("orchestration.maxIterations", 10, 1..=100),
            escalation_threshold: read.number("orchestration.escalationThreshold", 2, 1..=100),
            breaker: 5,
            stuck_detection: read.flag("orchestration.stuckDetection", true),
        };
        let eco_threshold = read.number("ecoMode.escalationThreshold", 4, 1..=100);
        let models = ["haiku", "sonnet", "opus"]
            .map(|it| read.text(&format!("models.{it}.name")).unwrap_or_else(|| it.to_owned()));
        let required: Vec<Gate> = Gate::ALL
            .into_iter()
            .filter(|it| read.flag(&format!("qualityGates.{}.required", it.name()), *it != Gate::Coverage))
            .collect();
        let goals = goals(&mut read);
        let mut gates = gates.clone();
        for gate in Gate::ALL {
            if let Some(command) = read.text(&format!("qualityGates.{}.command", gate.name())) {
                gates.commands.insert(gate.name(), command);
            }
        }
        let mut known = Prices(BTreeMap::new());
        for (at, (name, input, output)) in PRICES.into_iter().enumerate() {
            let price = Price { input, output, ..Price::default() };
            known.0.insert(name.to_owned(), price);
            known.0.insert(models[at].clone(), price);
        }
        known.0.extend(prices.0.clone());
        Settings { limits, eco_threshold, models, required, gates, prices: known, goals, merged, problems }
    }

    /// What a model is called.
    pub fn name(&self, model: Model) -> &str {
        &self.models[model as usize]
    }

    /// The model of a name, or of the name that it has by default.
    pub fn model(&self, name: &str) -> Option<Model> {
        let by_default = ["haiku", "sonnet", "opus"].iter().position(|it| *it == name);
        let at = self.models.iter().position(|it| it == name).or(by_default)?;
        Model::ALL.get(at).copied()
    }

    /// The settings as other tools read them.
    pub fn document(&self) -> Value {
        let mut all = json!({
            "orchestration": {
                "maxIterations": self.limits.max_iterations,
                "escalationThreshold": self.limits.escalation_threshold,
                "stuckDetection": self.limits.stuck_detection,
            },
            "models": {
                "haiku": {"name": self.models[0], "maxComplexity": 4},
                "sonnet": {"name": self.models[1], "maxComplexity": 8},
                "opus": {"name": self.models[2], "maxComplexity": 14},
            },
            "ecoMode": {"defaultModel": self.models[0], "escalationThreshold": self.eco_threshold},
            "qualityGates": Gate::ALL.iter().map(|it| (it.name().to_owned(), json!({"required": self.required.contains(it)}))).collect::<Map<_, _>>(),
        });
        put_together(&mut all, without_secrets(self.merged.clone()));
        all
    }
}

/// The keys of runs towards a goal: `task`, `leader`, `safety`, `costControl`, `network`.
fn goals(read: &mut Reader<'_>) -> Goals {
    let usual = missions::Limits::default();
    let threshold = read.fraction("leader.qualityThreshold", usual.threshold);
    let limits = missions::Limits {
        threshold: if (0.0..=100.0).contains(&threshold) { threshold } else { usual.threshold },
        retries: read.number("leader.maxMissionRetries", usual.retries, 0..=100),
        max_iterations: read.number("safety.maxIterations", usual.max_iterations, 1..=10_000),
        ..usual
    };
    // A prompt to begin with asks for a team, a leader for missions.
    let prompt = read.get("task.initialPrompt").and_then(Value::as_str).map(str::trim).filter(|it| !it.is_empty());
    let prompt = prompt.map(str::to_owned);
    let mode = match (read.flag("leader.enabled", false), &prompt) {
        (true, _) => Mode::Leader,
        (false, Some(_)) => Mode::Team,
        (false, None) => Mode::Single,
    };
    let cap = read.fraction("costControl.maxBudgetUsd", 10.0);
    let stops = read.flag("costControl.enabled", false) && read.flag("costControl.autoStopOnExceed", true);
    Goals {
        goal: prompt.or_else(|| read.text("task.goal")),
        mode,
        limits,
        budget: Usd::from_dollars(cap).filter(|_| stops),
        max_hours: read.number("safety.maxDurationHours", 8, 1..=1_000),
        has_network: read.flag("network", false),
    }
}

struct Reader<'r> {
    merged: &'r Value,
    problems: &'r mut Vec<String>,
}

impl Reader<'_> {
    fn get(&self, path: &str) -> Option<&Value> {
        path.split('.').try_fold(self.merged, |at, key| at.get(key)).filter(|it| !it.is_null())
    }

    fn number(&mut self, path: &str, default: u32, range: std::ops::RangeInclusive<u32>) -> u32 {
        let Some(found) = self.get(path) else { return default };
        let number = found.as_u64().and_then(|it| u32::try_from(it).ok()).filter(|it| range.contains(it));
        number.unwrap_or_else(|| {
            let (low, high) = (range.start(), range.end());
            self.problems.push(format!("{path}: a number from {low} to {high} is wanted; {default} holds"));
            default
        })
    }

    fn fraction(&mut self, path: &str, default: f64) -> f64 {
        let Some(found) = self.get(path) else { return default };
        found.as_f64().filter(|it| *it >= 0.0).unwrap_or_else(|| {
            self.problems.push(format!("{path}: a number is wanted; {default} holds"));
            default
        })
    }

    fn flag(&mut self, path: &str, default: bool) -> bool {
        match self.get(path) {
            None => default,
            Some(Value::Bool(flag)) => *flag,
            Some(_) => {
                self.problems.push(format!("{path}: true or false is wanted; {default} holds"));
                default
            }
        }
    }

    fn text(&mut self, path: &str) -> Option<String> {
        match self.get(path)? {
            Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
            _ => {
                self.problems.push(format!("{path}: a text is wanted"));
                None
            }
        }
    }
}

/// `max_iterations` is `maxIterations`.
fn camel(value: Value) -> Value {
    let key = |key: &str| -> String {
        let mut parts = key.split('_');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |mut out, part| {
            let mut chars = part.chars();
            out.extend(chars.next().map(|it| it.to_ascii_uppercase()));
            out.push_str(chars.as_str());
            out
        })
    };
    match value {
        Value::Object(map) => Value::Object(map.into_iter().map(|(name, it)| (key(&name), camel(it))).collect()),
        other => other,
    }
}

/// Lays one mapping over another, key by key.
fn put_together(below: &mut Value, above: Value) {
    match (below, above) {
        (Value::Object(below), Value::Object(above)) => {
            for (key, value) in above {
                put_together(below.entry(key).or_insert(Value::Null), value);
            }
        }
        (below, above) => *below = above,
    }
}

/// Values of keys that sound secret are not shown.
fn without_secrets(value: Value) -> Value {
    let is_secret = |key: &str| {
        let key = key.to_lowercase();
        ["key", "token", "secret", "password"].iter().any(|it| key.ends_with(it))
    };
    match value {
        Value::Object(map) => Value::Object(
            map.into_iter()
                .map(|(key, it)| if is_secret(&key) { (key, json!("…")) } else { (key, without_secrets(it)) })
                .collect(),
        ),
        other => other,
    }
}
