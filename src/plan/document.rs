//! The plan as documents that people read and edit: `MASTER_PLAN.md` with the milestones, `TASKS.md` with the tasks.
//!
//! Headings begin a milestone (`## Milestone 1: title`) or a task (`### TASK-001: title`), dashes its fields. Both documents
//! are read back with the place of every mistake.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use miette::{Diagnostic, NamedSource, SourceSpan};

use super::{Cycle, Kind, Milestone, Plan, Scope, Service, Task, scope, waves};

pub const PLAN_FILE: &str = "MASTER_PLAN.md";
pub const TASKS_FILE: &str = "TASKS.md";

/// A plan that cannot be carried out, with the place.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{file}: {message}")]
pub struct PlanError {
    pub file: String,
    pub message: String,
    #[help]
    pub help: Option<String>,
    #[source_code]
    text: NamedSource<String>,
    #[label("here")]
    span: Option<SourceSpan>,
}

/// Milestones as Markdown. `status` says how far a milestone is: `PENDING`, `IN_PROGRESS`, `COMPLETE`, `FAILED`.
pub fn master_plan(plan: &Plan, status: &dyn Fn(&Milestone) -> &'static str) -> String {
    let mut out = format!("# Master plan: {}\n", plan.project);
    for (at, it) in plan.milestones.iter().enumerate() {
        let Milestone { id, title, service, description, depends_on } = it;
        let _ = write!(out, "\n## Milestone {}: {title}\n\n- ID: {id}\n- Service: {service}\n", at + 1);
        let _ = writeln!(out, "- Status: {}\n- Dependencies: {}", status(it), listed(depends_on));
        if !description.is_empty() {
            let _ = writeln!(out, "- Description: {description}");
        }
    }
    out
}

/// Tasks as Markdown; `status` as with milestones.
pub fn task_list(plan: &Plan, status: &dyn Fn(&Task) -> &'static str) -> String {
    let mut out = format!("# Tasks: {}\n", plan.project);
    for it in &plan.tasks {
        let Task {
            id, title, parent, service, kind, description, criteria, scope, depends_on, keeps, complexity, ..
        } = it;
        let _ = write!(out, "\n### {id}: {title}\n\n- Parent: {parent}\n- Service: {service}\n- Kind: {kind}\n");
        let _ = writeln!(out, "- Status: {}\n- Dependencies: {}", status(it), listed(depends_on));
        let _ = writeln!(out, "- Files: {}\n- Forbidden: {}", listed(&scope.allowed), listed(&scope.forbidden));
        let _ = writeln!(out, "- Contracts: {}\n- Complexity: {complexity}", listed(keeps));
        let _ = writeln!(out, "- Description: {description}\n- Criteria:");
        criteria.iter().for_each(|it| {
            let _ = writeln!(out, "  - {it}");
        });
    }
    out
}

fn listed(items: &[String]) -> String {
    if items.is_empty() { "none".to_owned() } else { items.join(", ") }
}

/// Reads both documents. `services` are those that the requirements name: a plan says what is done, not what there is.
///
/// # Errors
/// The first mistake, with its place: an unknown field or value, a task without a file that it may change, a dependency on
/// nothing, tasks that wait for each other.
pub fn read(project: &str, services: Vec<Service>, master: &str, tasks: &str) -> Result<Plan, Box<PlanError>> {
    let page = Page { file: PLAN_FILE, text: master };
    let entries = page.entries(|level, title| (2..=4).contains(&level).then(|| milestone_title(title)).flatten())?;
    let mut milestones: Vec<Milestone> = Vec::new();
    for entry in &entries {
        let fields = page.fields(entry, &["id", "service", "status", "dependencies", "description"])?;
        let id = fields.get("id").map_or_else(|| format!("M{}", entry.id), |it| it.text.clone());
        if milestones.iter().any(|it| it.id == id) {
            return Err(page.error(
                &entry.range,
                format!("the milestone `{id}` is there twice"),
                "give each its own ID",
            ));
        }
        milestones.push(Milestone {
            id,
            title: entry.title.clone(),
            service: text(&fields, "service"),
            description: text(&fields, "description"),
            depends_on: list(&fields, "dependencies"),
        });
    }
    let page = Page { file: TASKS_FILE, text: tasks };
    let mut plan = Plan { project: project.to_owned(), services, milestones, tasks: Vec::new() };
    let entries = page.entries(|level, title| if level == 3 { task_title(title) } else { None })?;
    for entry in &entries {
        let task = page.task(entry, &plan)?;
        plan.tasks.push(task);
    }
    for (entry, task) in entries.iter().zip(&plan.tasks) {
        if let Some(missing) = task.depends_on.iter().find(|it| plan.task(it).is_none()) {
            let message = format!("{} depends on `{missing}`, and there is no such task", task.id);
            return Err(page.error(&entry.range, message, "name the ID of a task of this document, or `none`"));
        }
    }
    waves(&plan).map_err(|cycle: Cycle| {
        let first = entries.iter().find(|it| cycle.ids.first() == Some(&it.id));
        page.error(&first.map_or(0..0, |it| it.range.clone()), cycle.to_string(), "take one of the dependencies out")
    })?;
    Ok(plan)
}

/// `Milestone 2: title`, `2. title`: the number and the title.
fn milestone_title(heading: &str) -> Option<(String, String)> {
    let rest = heading.strip_prefix("Milestone ").unwrap_or(heading);
    let digits = rest.find(|c: char| !c.is_ascii_digit()).filter(|at| *at > 0)?;
    let title = rest[digits..].strip_prefix([':', '.'])?;
    Some((rest[..digits].to_owned(), title.trim().to_owned()))
}

/// `TASK-001: title`: the id and the title.
fn task_title(heading: &str) -> Option<(String, String)> {
    let (id, title) = heading.split_once(':').unwrap_or((heading, ""));
    let number = id.trim().strip_prefix("TASK-")?;
    (!number.is_empty() && number.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'))
        .then(|| (id.trim().to_owned(), title.trim().to_owned()))
}

/// One milestone or task of a document.
struct Entry {
    id: String,
    title: String,
    /// Bytes of its heading.
    range: Range<usize>,
    line: u32,
    /// Lines below the heading, with the place where each begins.
    lines: Vec<(usize, String)>,
}

struct Value {
    text: String,
    /// Of the indented dashes below the field.
    items: Vec<String>,
    range: Range<usize>,
}

struct Page<'p> {
    file: &'static str,
    text: &'p str,
}

/// Names that older plans use for a field.
const ALIASES: [(&str, &str); 7] = [
    ("depends_on", "dependencies"),
    ("depends on", "dependencies"),
    ("requires", "dependencies"),
    ("targets", "files"),
    ("modifies", "files"),
    ("acceptance criteria", "criteria"),
    ("acceptance_criteria", "criteria"),
];

const TASK_FIELDS: [&str; 11] = [
    "parent",
    "service",
    "kind",
    "status",
    "dependencies",
    "files",
    "forbidden",
    "contracts",
    "complexity",
    "description",
    "criteria",
];

impl Page<'_> {
    fn error(&self, range: &Range<usize>, message: String, help: &str) -> Box<PlanError> {
        Box::new(PlanError {
            file: self.file.to_owned(),
            message,
            help: Some(help.to_owned()),
            text: NamedSource::new(self.file, self.text.to_owned()),
            span: Some((range.start..range.end).into()),
        })
    }

    /// Entries of the document: `named` gives the id and the title of a heading that begins one.
    fn entries(&self, named: impl Fn(usize, &str) -> Option<(String, String)>) -> Result<Vec<Entry>, Box<PlanError>> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut open = false;
        let mut start = 0;
        for (at, line) in self.text.split_inclusive('\n').enumerate() {
            let shown = line.trim_end();
            let level = shown.bytes().take_while(|it| *it == b'#').count();
            if level > 0 && shown[level..].starts_with(' ') {
                let found = named(level, shown[level..].trim());
                open = found.is_some();
                if let Some((id, title)) = found {
                    let range = start..start + shown.len();
                    if entries.iter().any(|it| it.id == id) {
                        return Err(self.error(&range, format!("`{id}` is there twice"), "give each its own number"));
                    }
                    entries.push(Entry { id, title, range, line: at as u32 + 1, lines: Vec::new() });
                }
            } else if open && let Some(entry) = entries.last_mut() {
                entry.lines.push((start, shown.to_owned()));
            }
            start += line.len();
        }
        Ok(entries)
    }

    /// Fields of an entry by their names in lower case.
    fn fields(&self, entry: &Entry, known: &[&'static str]) -> Result<BTreeMap<&'static str, Value>, Box<PlanError>> {
        let mut fields: BTreeMap<&'static str, Value> = BTreeMap::new();
        let mut last = None;
        for (start, line) in &entry.lines {
            let indent = line.len() - line.trim_start().len();
            let Some(item) = line.trim_start().strip_prefix(['-', '*']) else {
                // A line that goes on belongs to the field above it.
                if let Some(value) = last.and_then(|name| fields.get_mut(name)).filter(|_| !line.trim().is_empty()) {
                    let target = value.items.last_mut().unwrap_or(&mut value.text);
                    target.push(' ');
                    target.push_str(line.trim());
                }
                continue;
            };
            let item = item.trim();
            if indent >= 2
                && let Some(value) = last.and_then(|name| fields.get_mut(name))
            {
                value.items.push(item.to_owned());
                continue;
            }
            let range = *start..*start + line.len();
            let Some((name, text)) = item.split_once(':') else {
                return Err(self.error(&range, "a field has a name and a value".to_owned(), "write `- Name: value`"));
            };
            let word = name.trim().trim_matches('*').to_lowercase();
            let word = ALIASES.iter().find(|it| it.0 == word).map_or(word.as_str(), |it| it.1);
            let Some(name) = known.iter().find(|it| **it == word) else {
                let help = format!("fields are {}", known.join(", "));
                return Err(self.error(&range, format!("`{word}` is no field of {}", entry.id), &help));
            };
            // `- **Files:** src/**` has its stars on both sides of the colon.
            let text = text.strip_prefix("**").filter(|_| item.starts_with("**")).unwrap_or(text).trim().to_owned();
            fields.insert(name, Value { text, items: Vec::new(), range });
            last = Some(*name);
        }
        Ok(fields)
    }

    fn task(&self, entry: &Entry, plan: &Plan) -> Result<Task, Box<PlanError>> {
        let fields = self.fields(entry, &TASK_FIELDS)?;
        let at = |name: &str| fields.get(name).map_or(entry.range.clone(), |it| it.range.clone());
        let parent = text(&fields, "parent");
        let milestone = plan.milestones.iter().find(|it| it.id == parent);
        if milestone.is_none() && !parent.is_empty() && !plan.milestones.is_empty() && !parent.starts_with("WIRE-") {
            let known: Vec<&str> = plan.milestones.iter().map(|it| it.id.as_str()).collect();
            let help = format!("milestones of {PLAN_FILE} are {}", known.join(", "));
            return Err(self.error(&at("parent"), format!("there is no milestone `{parent}`"), &help));
        }
        let service = Some(text(&fields, "service")).filter(|it| !it.is_empty());
        let service = service.or_else(|| milestone.map(|it| it.service.clone())).unwrap_or_default();
        if !service.is_empty() && plan.service(&service).is_none() {
            let known: Vec<&str> = plan.services.iter().map(|it| it.name.as_str()).collect();
            let help = format!("services of the requirements are {}", known.join(", "));
            return Err(self.error(&at("service"), format!("there is no service `{service}`"), &help));
        }
        let kind = fields.get("kind").map(|it| it.text.parse::<Kind>());
        let kind = kind.unwrap_or(Ok(Kind::Other));
        let kind = kind.map_err(|help| self.error(&at("kind"), "an unknown kind of task".to_owned(), &help))?;
        let complexity = fields.get("complexity").map_or(Ok(5), |it| it.text.parse::<u8>());
        let complexity = complexity.ok().filter(|it| (1..=14).contains(it)).ok_or_else(|| {
            self.error(&at("complexity"), "a complexity is a number from 1 to 14".to_owned(), "5 is usual")
        })?;
        let scope = Scope { allowed: list(&fields, "files"), forbidden: list(&fields, "forbidden") };
        if scope.allowed.is_empty() {
            let help = "add `- Files: services/name/**`: what is not allowed is not merged";
            return Err(self.error(&at("files"), format!("{} may change no file", entry.id), help));
        }
        let out = |it: &&String| it.starts_with('/') || it.split('/').any(|part| part == "..");
        if let Some(path) = scope.allowed.iter().find(out) {
            let message = format!("`{path}` leads out of the project");
            return Err(self.error(&at("files"), message, "paths are relative to the project, without `..`"));
        }
        for (name, patterns) in [("files", &scope.allowed), ("forbidden", &scope.forbidden)] {
            if let Some((path, why)) = patterns.iter().find_map(|it| Some((it, scope::mistake(it)?))) {
                let message = format!("`{path}` is no pattern of paths: {why}");
                return Err(self.error(&at(name), message, "`*` is any part of a name, `**` any number of folders"));
            }
        }
        Ok(Task {
            id: entry.id.clone(),
            title: entry.title.clone(),
            parent,
            service,
            kind,
            description: text(&fields, "description"),
            criteria: list(&fields, "criteria"),
            scope,
            depends_on: list(&fields, "dependencies"),
            keeps: list(&fields, "contracts"),
            complexity,
            line: entry.line,
        })
    }
}

fn text(fields: &BTreeMap<&'static str, Value>, name: &str) -> String {
    fields.get(name).map(|it| it.text.clone()).unwrap_or_default()
}

/// Values between commas, or those of the dashes below.
fn list(fields: &BTreeMap<&'static str, Value>, name: &str) -> Vec<String> {
    let Some(value) = fields.get(name) else { return Vec::new() };
    if !value.items.is_empty() {
        return value.items.clone();
    }
    let words = value.text.split(',').map(|it| it.trim().trim_matches(['`', '[', ']']).to_owned());
    words.filter(|it| !it.is_empty() && !["none", "-"].contains(&it.to_lowercase().as_str())).collect()
}
