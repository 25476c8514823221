//! What an executor is told.

use std::fmt::Write as _;

use super::design::DOCUMENT;
use super::excerpt;
use super::executors::Job;
use super::research::technologies_of;
use super::suites;
use crate::technologies;

/// The whole task as a prompt: what to do, what is held against it, what may be changed, what the attempts before taught.
pub(super) fn prompt(job: &Job<'_>) -> String {
    let task = job.task;
    let mut out = format!("# {}: {}\n\n{}\n", task.id, task.title, task.description);
    if !task.criteria.is_empty() {
        out.push_str("\n## Acceptance criteria\n\n");
        task.criteria.iter().for_each(|it| {
            let _ = writeln!(out, "- {it}");
        });
    }
    let _ = write!(out, "\n## Files\n\nYou work in {}. You may change:\n\n", job.worktree.display());
    task.scope.allowed.iter().for_each(|it| {
        let _ = writeln!(out, "- `{it}`");
    });
    if !task.scope.forbidden.is_empty() {
        let _ = writeln!(out, "\nNever change `{}`.", task.scope.forbidden.join("`, `"));
    }
    out.push_str("Whatever else you change is left out when your work is merged. Do not commit.\n");
    let contracts: Vec<_> = job.contracts.iter().filter(|it| task.keeps.contains(&it.id)).collect();
    if !contracts.is_empty() {
        out.push_str("\n## Contracts\n\nThe code is held against these when you are done: names, types, required members, status codes.\n\n");
        contracts.iter().for_each(|it| {
            let _ = writeln!(out, "- `{}` ({}, {})", it.path, it.id, it.kind);
            if let Some(tests) = suites::of(job.exports, &it.id) {
                let _ = writeln!(
                    out,
                    "  Tests of what it promises, for a service that runs (`CONTRACT_BASE_URL` says where): {}",
                    tests.display()
                );
            }
        });
    }
    if let Some(service) = job.plan.service(&task.service) {
        let _ = write!(out, "\n## Service\n\n`{}` in `{}`, port {}", service.name, service.folder, service.port);
        if !service.stack.is_empty() {
            let _ = write!(out, ", built with {}", service.stack.join(", "));
        }
        out.push_str(".\n");
        let others = [("asks", &service.asks), ("receives messages of", &service.receives)];
        for (verb, ids) in others.into_iter().filter(|it| !it.1.is_empty()) {
            let _ = writeln!(out, "It {verb} `{}`.", ids.join("`, `"));
        }
    }
    let technologies = technologies::told(&technologies_of(job), job.research.technologies.injection_max_chars);
    if !technologies.is_empty() {
        let _ = write!(out, "\n## Technologies\n\n{technologies}\n");
    }
    let design = design_of(job);
    if !design.is_empty() {
        let _ = write!(out, "\n## Design\n\n{design}\n");
    }
    let chunking = &job.research.chunking;
    let most = if chunking.enabled { chunking.max_chunk_size } else { usize::MAX };
    let asked = excerpt::about(job.requirements, &[&task.service, &task.title, &task.description], most);
    if !asked.is_empty() {
        let _ = write!(
            out,
            "\n## Requirements\n\nWhat the whole project is asked for; yours is the task above.\n\n<requirements>\n{asked}\n</requirements>\n"
        );
    }
    if !job.learnt.is_empty() {
        out.push_str("\n## What the attempts before taught\n\n");
        let newest = job.learnt.iter().rev().take(MAX_LESSONS).rev();
        newest.for_each(|it| {
            let _ = writeln!(out, "- {it}");
        });
        let left = job.learnt.len().saturating_sub(MAX_LESSONS);
        if left > 0 {
            let _ = writeln!(out, "\n{left} older ones are left out.");
        }
    }
    out
}

/// What pages of the service are to look like, where the settings name a reference. A service that serves nothing itself is what
/// people look at; where every one serves something, any may.
fn design_of(job: &Job<'_>) -> String {
    if job.research.design.urls.is_empty() {
        return String::new();
    }
    let serves = |service: &crate::plan::Service| !service.serves.is_empty();
    if job.plan.service(&job.task.service).is_some_and(serves) && !job.plan.services.iter().all(serves) {
        return String::new();
    }
    let text = std::fs::read_to_string(job.exports.join(DOCUMENT)).unwrap_or_default();
    excerpt::about(&text, &[&job.task.title, &job.task.description], MAX_DESIGN)
}

/// Bytes of a prompt that speak of the design; sections beyond are left out, which the text says.
const MAX_DESIGN: usize = 6_000;
/// Lessons that a prompt holds, the newest; how many are left out is said.
const MAX_LESSONS: usize = 30;
