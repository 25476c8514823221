//! The embedded executor: contracts become a service by templates, without a model and without the network.

use std::fs;
use std::path::Path;

use super::{Executor, Job};
use crate::events::{TaskResult, TaskStatus};
use crate::plan::{self, Kind, Service};
use crate::process::Cancel;
use crate::scaffold::{Blueprint, Contract, Part, Target, generate};

/// Writes the files of a task from the contracts of its service.
#[derive(Clone, Copy, Debug)]
pub struct ScaffoldExecutor;

impl Executor for ScaffoldExecutor {
    fn name(&self) -> &'static str {
        "scaffold"
    }

    fn mends(&self) -> bool {
        false
    }

    fn execute(&self, job: &Job<'_>, _cancel: &Cancel) -> TaskResult {
        let mut result = TaskResult { task_id: job.task.id.clone(), ..TaskResult::default() };
        match write(job, &mut result) {
            Ok(()) => result.status = TaskStatus::Completed,
            Err(why) => {
                result.status = TaskStatus::Failed;
                result.error = Some(why);
            }
        }
        result
    }
}

fn write(job: &Job<'_>, result: &mut TaskResult) -> Result<(), String> {
    let part = part(job.task.kind)
        .ok_or_else(|| format!("templates make no {}: name another backend for it", job.task.kind))?;
    let service =
        job.plan.service(&job.task.service).ok_or_else(|| format!("there is no service `{}`", job.task.service))?;
    let target = target(service)?;
    let contracts = |ids: &[String]| -> Vec<Contract> {
        let known = ids.iter().filter_map(|id| job.contracts.iter().find(|it| it.id == *id));
        known.map(|it: &plan::Contract| Contract { id: it.id.clone(), document: it.document.clone() }).collect()
    };
    let blueprint = Blueprint {
        service: service.name.clone(),
        target,
        port: service.port,
        serves: contracts(&service.serves),
        publishes: contracts(&service.publishes),
        consumes: contracts(&service.receives),
    };
    let scaffold = generate(&blueprint).map_err(|error| error.to_string())?;
    let together = match so_far(job, &blueprint) {
        Some(blueprint) => generate(&blueprint).map_err(|error| error.to_string())?.files,
        None => Vec::new(),
    };
    // The project has its contracts in one place.
    let own = scaffold.files.iter().filter(|it| it.part == part && !it.path.starts_with("contracts/"));
    for it in own.chain(together.iter().filter(|it| it.part == Part::Composition)) {
        let path = format!("{}/{}", service.folder, it.path);
        let place = job.worktree.join(&path);
        let before = fs::read_to_string(&place);
        if before.as_ref().is_ok_and(|text| *text == it.text) {
            continue;
        }
        let files = if before.is_ok() { &mut result.files_modified } else { &mut result.files_created };
        files.push(path);
        put(&place, &it.text).map_err(|error| format!("{}: {error}", place.display()))?;
    }
    // One task writes the operations of all contracts that a service serves.
    result.done_before = result.files_created.is_empty() && result.files_modified.is_empty();
    // Notes are about the whole service: its first task tells them.
    if job.plan.tasks.iter().find(|it| it.service == service.name).is_some_and(|it| it.id == job.task.id) {
        result.remarks = scaffold.notes;
    }
    result.output =
        format!("{} files from templates for {target}", result.files_created.len() + result.files_modified.len());
    Ok(())
}

/// The service as far as it is built when a task is done: what puts its parts together names no part that is not there. None before
/// there is anything to put together.
fn so_far(job: &Job<'_>, whole: &Blueprint) -> Option<Blueprint> {
    let done = |kind: Kind| {
        let tasks = job.plan.tasks.iter().take_while(|it| it.id != job.task.id).chain([job.task]);
        tasks.filter(|it| it.service == job.task.service).any(|it| it.kind == kind)
    };
    let of = |kind: Kind, contracts: &[Contract]| if done(kind) { contracts.to_vec() } else { Vec::new() };
    let is_code = matches!(job.task.kind, Kind::Events | Kind::Operations | Kind::Consumers);
    is_code.then(|| Blueprint {
        serves: of(Kind::Operations, &whole.serves),
        publishes: of(Kind::Events, &whole.publishes),
        consumes: of(Kind::Consumers, &whole.consumes),
        ..whole.clone()
    })
}

fn put(place: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(place, text)
}

/// Files of which step belong to a task.
fn part(kind: Kind) -> Option<Part> {
    match kind {
        Kind::Model => Some(Part::Model),
        Kind::Operations => Some(Part::Operations),
        Kind::Events => Some(Part::Events),
        Kind::Consumers => Some(Part::Consumers),
        Kind::Tests => Some(Part::Tests),
        Kind::Deployment => Some(Part::Deployment),
        Kind::Frontend | Kind::Other => None,
    }
}

/// Words of a stack, and the target that they stand for: the first one that fits.
const STACKS: [(&str, Target); 11] = [
    ("nestjs", Target::NestJs),
    ("express", Target::Express),
    ("fastapi", Target::FastApi),
    ("asp.net", Target::AspNet),
    (".net", Target::AspNet),
    ("c#", Target::AspNet),
    ("csharp", Target::AspNet),
    ("typescript", Target::Express),
    ("javascript", Target::Express),
    ("node", Target::Express),
    ("python", Target::FastApi),
];

/// What a service is written with: what its stack says, and FastAPI where nothing is said.
fn target(service: &Service) -> Result<Target, String> {
    // The framework stands behind the language, and says more.
    let Some(said) = service.stack.last().map(|it| it.to_lowercase()) else { return Ok(Target::FastApi) };
    let found = STACKS.iter().find(|it| said.contains(it.0)).map(|it| it.1);
    found.ok_or_else(|| {
        format!(
            "there are no templates for {}: there are some for fastapi, express, nestjs, aspnet",
            service.stack.join(", ")
        )
    })
}
