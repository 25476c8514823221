//! Who works: agents as Markdown files describe them, and which of them fits a task.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::contracts::tree;
use crate::plan::Scope;

/// The team that the product brings: category, id, text.
const OWN: [(&str, &str, &str); 15] = [
    ("build", "architect", include_str!("agents/build/architect.md")),
    ("build", "code-writer", include_str!("agents/build/code-writer.md")),
    ("build", "code-reviewer", include_str!("agents/build/code-reviewer.md")),
    ("build", "test-engineer", include_str!("agents/build/test-engineer.md")),
    ("build", "wiring-verifier", include_str!("agents/build/wiring-verifier.md")),
    ("diagnosis", "root-cause-analyst", include_str!("agents/diagnosis/root-cause-analyst.md")),
    ("diagnosis", "code-archaeologist", include_str!("agents/diagnosis/code-archaeologist.md")),
    ("diagnosis", "pattern-matcher", include_str!("agents/diagnosis/pattern-matcher.md")),
    ("diagnosis", "systems-thinker", include_str!("agents/diagnosis/systems-thinker.md")),
    ("diagnosis", "adversarial-tester", include_str!("agents/diagnosis/adversarial-tester.md")),
    ("lead", "leader", include_str!("agents/lead/leader.md")),
    ("team", "backend-implementer", include_str!("agents/team/backend-implementer.md")),
    ("team", "frontend-implementer", include_str!("agents/team/frontend-implementer.md")),
    ("team", "contract-auditor", include_str!("agents/team/contract-auditor.md")),
    ("team", "security-auditor", include_str!("agents/team/security-auditor.md")),
];

/// An agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    pub id: String,
    pub name: String,
    pub category: String,
    /// `haiku`, `sonnet`, `opus`, or `dynamic`: by complexity.
    pub model: String,
    pub complexity_range: (u8, u8),
    pub purpose: String,
    pub role: String,
    pub instructions: String,
    #[serde(default)]
    pub keywords: Vec<String>,
    /// Patterns of files.
    #[serde(default)]
    pub files: Vec<String>,
    /// `feature`, `bug`, `security`, `refactor`, `docs`.
    #[serde(default)]
    pub task_types: Vec<String>,
    /// Languages and frameworks.
    #[serde(default)]
    pub languages: Vec<String>,
}

/// The agents of a project: the team of the product, and the files of a folder, which win where an id is the same.
#[derive(Clone, Debug, Default)]
pub struct Agents {
    all: BTreeMap<String, Agent>,
    /// Files that are no agents, with the reason.
    pub problems: Vec<String>,
}

/// The files of the team that the product brings: category, id, text.
pub fn own() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    OWN.into_iter()
}

/// Larger files are no agents.
const MAX_BYTES: u64 = 1 << 18;

impl Agents {
    /// The team of the product, and the agents of a folder: Markdown files, one folder a category. A folder that is not there
    /// is fine.
    pub fn load(folder: &Path) -> Agents {
        let mut agents = Agents::default();
        for (category, id, text) in OWN {
            agents.add(category, id, text);
        }
        let mut files: Vec<_> = ignore::WalkBuilder::new(folder)
            .max_depth(Some(4))
            .build()
            .flatten()
            .map(ignore::DirEntry::into_path)
            .filter(|it| it.extension().is_some_and(|it| it == "md") && it.is_file())
            .collect();
        files.sort();
        for path in files {
            let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            // What explains the folder, and what agents are copied from.
            if ["readme", "template"].iter().any(|it| id.eq_ignore_ascii_case(it)) {
                continue;
            }
            let category = path.parent().filter(|it| *it != folder).and_then(Path::file_name);
            let category = category.map_or_else(|| "custom".to_owned(), |it| it.to_string_lossy().into_owned());
            let size = fs::metadata(&path).map_or(0, |it| it.len());
            match fs::read_to_string(&path) {
                _ if size > MAX_BYTES => agents.problems.push(format!("{}: {size} bytes", path.display())),
                Ok(text) => agents.add(&category, &id, &text),
                Err(error) => agents.problems.push(format!("{}: {error}", path.display())),
            }
        }
        agents
    }

    fn add(&mut self, category: &str, file: &str, text: &str) {
        match read(category, file, text) {
            Ok(agent) => {
                self.all.insert(agent.id.clone(), agent);
            }
            Err(reason) => self.problems.push(format!("{category}/{file}.md: {reason}")),
        }
    }

    /// Puts an agent in the place of the one with its id.
    pub(super) fn put(&mut self, agent: Agent) {
        self.all.insert(agent.id.clone(), agent);
    }

    /// All agents, by id.
    pub fn all(&self) -> impl Iterator<Item = &Agent> {
        self.all.values()
    }

    /// An agent by its id, with or without its category, `_` or `-` between words.
    pub fn get(&self, id: &str) -> Option<&Agent> {
        let id = id.rsplit(':').next().unwrap_or(id).trim().to_lowercase().replace('_', "-");
        self.all.get(&id)
    }

    /// The agents that fit a task, the best first. None takes what is outside of its range of complexity where another does.
    pub fn select(&self, asked: &Asked<'_>) -> Option<Chosen<'_>> {
        let words = words(asked.description);
        let mut scored: Vec<(f64, &Agent, Vec<String>)> = self
            .all
            .values()
            .filter(|it| it.category != "diagnosis" && it.category != "lead")
            .map(|it| it.score(asked, &words))
            .collect();
        let fits = |it: &Agent| (it.complexity_range.0..=it.complexity_range.1).contains(&asked.complexity);
        scored.sort_by(|a, b| fits(b.1).cmp(&fits(a.1)).then(b.0.total_cmp(&a.0)).then_with(|| a.1.id.cmp(&b.1.id)));
        let (_, primary, reasons) = scored.first()?;
        let support = self.support(asked, primary);
        let scores = scored.iter().map(|it| (it.1.id.clone(), it.0)).collect();
        let reasoning = if reasons.is_empty() { "no factor speaks for anybody".to_owned() } else { reasons.join("; ") };
        Some(Chosen { primary, support, scores, reasoning })
    }

    /// Who reads the change: a reviewer of its language where the project has one.
    fn reviewer(&self, asked: &Asked<'_>) -> &str {
        let ending = |path: &String| path.rsplit('.').next().unwrap_or_default().to_lowercase();
        let endings: Vec<String> = asked.files.iter().map(ending).collect();
        let words = words(asked.description);
        let is_meant = |language: &String| {
            let of = LANGUAGES.iter().filter(|it| endings.iter().any(|ending| ending == it.0)).map(|it| it.1);
            words.contains(language) || of.clone().any(|it| it == language)
        };
        let reviewers = self.all.values().filter(|it| it.id.contains("review") && it.languages.iter().any(is_meant));
        reviewers.map(|it| it.id.as_str()).next().unwrap_or("code-reviewer")
    }

    /// Who looks at the result besides: by its language, and by what is at risk.
    fn support(&self, asked: &Asked<'_>, primary: &Agent) -> Vec<String> {
        let mut ids = Vec::new();
        if asked.task_type == "security" || asked.complexity >= 10 {
            ids.push("security-auditor");
        }
        if matches!(asked.task_type, "feature" | "bug") {
            ids.push("test-engineer");
        }
        if matches!(asked.task_type, "refactor") || asked.complexity >= 5 {
            ids.push(self.reviewer(asked));
        }
        ids.into_iter().filter(|it| *it != primary.id && self.all.contains_key(*it)).map(str::to_owned).collect()
    }
}

/// Languages by the endings of files.
const LANGUAGES: [(&str, &str); 7] = [
    ("py", "python"),
    ("ts", "typescript"),
    ("tsx", "typescript"),
    ("js", "javascript"),
    ("jsx", "javascript"),
    ("cs", "c#"),
    ("sql", "sql"),
];

/// What a task is, as far as the choice of an agent asks.
#[derive(Clone, Debug)]
pub struct Asked<'t> {
    pub description: &'t str,
    pub task_type: &'t str,
    pub files: &'t [String],
    pub complexity: u8,
}

/// Who works on a task, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen<'a> {
    pub primary: &'a Agent,
    pub support: Vec<String>,
    pub scores: BTreeMap<String, f64>,
    pub reasoning: String,
}

/// The most that each factor counts: keywords, files, kind of task, language or framework.
const WEIGHTS: [f64; 4] = [40.0, 30.0, 20.0, 10.0];
/// Keywords after which more count nothing.
const ENOUGH: usize = 3;

impl Agent {
    fn score<'a>(&'a self, asked: &Asked<'_>, words: &[String]) -> (f64, &'a Agent, Vec<String>) {
        let mut reasons = Vec::new();
        #[expect(clippy::cast_precision_loss, reason = "a handful")]
        let share = |hits: usize, of: usize| if of == 0 { 0.0 } else { (hits as f64 / of as f64).min(1.0) };
        let hits: Vec<&str> = self.keywords.iter().filter(|it| words.contains(it)).map(String::as_str).collect();
        if !hits.is_empty() {
            reasons.push(format!("keywords {}", hits.join(", ")));
        }
        let scope = Scope { allowed: self.files.clone(), forbidden: Vec::new() };
        let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        let files = asked.files.iter().filter(|it| scope.permits(it) || scope.permits(&name(it))).count();
        if files > 0 {
            reasons.push(format!("{files} of {} files", asked.files.len()));
        }
        let kind = self.task_types.iter().filter(|it| *it == asked.task_type).count();
        if kind > 0 {
            reasons.push(format!("does {} tasks", asked.task_type));
        }
        let language = self.languages.iter().filter(|it| words.contains(it)).count();
        if language > 0 {
            reasons.push("knows the language or framework".to_owned());
        }
        let shares = [share(hits.len(), ENOUGH), share(files, asked.files.len()), share(kind, 1), share(language, 1)];
        (WEIGHTS.iter().zip(shares).map(|(weight, share)| weight * share).sum(), self, reasons)
    }
}

/// Words that say nothing about who should work.
const STOP: [&str; 20] = [
    "the", "a", "an", "and", "or", "of", "to", "in", "on", "for", "with", "is", "are", "be", "that", "this", "it",
    "as", "by", "from",
];

/// The words of a description, lower case, each once.
fn words(text: &str) -> Vec<String> {
    let all = text.split(|c: char| !c.is_alphanumeric() && c != '#').filter(|it| it.len() > 1).map(str::to_lowercase);
    let mut words: Vec<String> = all.filter(|it| !STOP.contains(&it.as_str())).collect();
    words.sort();
    words.dedup();
    words
}

/// An agent of a Markdown file: front matter, or bold fields below the title, or both.
fn read(category: &str, file: &str, text: &str) -> Result<Agent, String> {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let (front, body) = match text.strip_prefix("---\n").and_then(|it| it.split_once("\n---")) {
        Some((front, body)) => (front_matter(front)?, body.trim_start_matches('-')),
        None => (Value::Null, text.as_str()),
    };
    if body.trim().is_empty() {
        return Err("it says nothing".to_owned());
    }
    let bold = |name: &str| -> Option<String> {
        let found = body.lines().find_map(|line| {
            let line = line.trim().trim_start_matches(['-', '*', ' ']);
            let (key, value) = line.split_once(':')?;
            (key.trim_matches(['*', ' ']).eq_ignore_ascii_case(name))
                .then(|| value.trim_matches(['*', '`', ' ']).to_owned())
        });
        found.filter(|it| !it.is_empty())
    };
    let field = |name: &str| front[name].as_str().map(str::to_owned).or_else(|| bold(name));
    let list = |name: &str| -> Vec<String> {
        let items = match &front[name] {
            Value::Array(items) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Value::String(items) => items.split(',').map(|it| it.trim().to_owned()).collect::<Vec<_>>(),
            _ => Vec::new(),
        };
        items.into_iter().filter(|it| !it.is_empty()).collect()
    };
    let number = |at: usize| front["complexity_range"][at].as_u64().and_then(|it| u8::try_from(it).ok());
    let id = field("name").or_else(|| bold("Agent ID")).unwrap_or_else(|| file.to_owned());
    let id = id.rsplit(':').next().unwrap_or(&id).trim().to_lowercase().replace(['_', ' '], "-");
    let title = body.lines().find_map(|it| it.strip_prefix("# ")).unwrap_or(&id).trim().to_owned();
    Ok(Agent {
        name: title,
        category: category.to_owned(),
        model: field("model").unwrap_or_else(|| "dynamic".to_owned()).to_lowercase(),
        complexity_range: (number(0).unwrap_or(1), number(1).unwrap_or(14)),
        purpose: section(body, "Purpose")
            .or_else(|| field("description"))
            .or_else(|| bold("Purpose"))
            .unwrap_or_default(),
        role: section(body, "Your role").or_else(|| bold("Role")).unwrap_or_default(),
        instructions: section(body, "Instructions").unwrap_or_else(|| body.trim().to_owned()),
        keywords: list("keywords").into_iter().map(|it| it.to_lowercase()).collect(),
        files: list("files"),
        task_types: list("task_types"),
        languages: list("languages").into_iter().map(|it| it.to_lowercase()).collect(),
        id,
    })
}

/// Front matter as YAML; where it is none, a field a line, as many people write it: `description: Use it so: like this`.
fn front_matter(text: &str) -> Result<Value, String> {
    let whole = tree::value(text);
    if whole.is_ok() {
        return whole;
    }
    let mut fields = serde_json::Map::new();
    for line in text.lines().filter(|it| !it.trim().is_empty()) {
        let (key, value) = line.split_once(':').ok_or_else(|| format!("`{line}` is no field"))?;
        let value = value.trim();
        let read = match tree::value(value) {
            Ok(read) if !read.is_object() => read,
            _ if value.starts_with(['[', '{']) => return whole,
            _ => Value::String(value.to_owned()),
        };
        fields.insert(key.trim().to_owned(), read);
    }
    Ok(Value::Object(fields))
}

/// What stands below a heading of the second level.
fn section(body: &str, title: &str) -> Option<String> {
    let mut lines =
        body.lines().skip_while(|it| !it.strip_prefix("## ").is_some_and(|it| it.trim().eq_ignore_ascii_case(title)));
    lines.next()?;
    let text: Vec<&str> = lines.take_while(|it| !it.starts_with("## ")).collect();
    Some(text.join("\n").trim().to_owned()).filter(|it| !it.is_empty())
}
