//! What is read before the build: long requirements in parts, and what a project is built with.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::executors::Job;
use super::runner::Run;
use super::{OrchestrateError, excerpt, exports};
use crate::events::{Depth, PhaseOutcome};
use crate::mcp::Server;
use crate::scan::{BlobError, Revision};
use crate::technologies::{self, Technology, is_manifest};

/// Manifests of a service that are read for a task; more than this are copies or examples, and are passed over.
const MAX_MANIFESTS: usize = 20;
/// Manifests of the whole project that are read; more are counted.
const MOST_MANIFESTS: usize = 2_000;
/// Of a manifest; a longer one is named and not read.
const MOST_BYTES: u64 = 1 << 20;

impl Run {
    /// Writes requirements that are long as parts, each below one heading.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn cut_requirements(&self) -> Result<(PhaseOutcome, String), OrchestrateError> {
        let chunking = &self.settings.research.chunking;
        let skipped = |note: &str| Ok((PhaseOutcome::Skipped, note.to_owned()));
        if !chunking.enabled {
            return skipped("switched off by [prd-chunking] enabled");
        }
        if self.requirements.len() <= chunking.threshold {
            return skipped("the requirements are short enough");
        }
        let folder = self.place.exports().join("requirements");
        let failed = |error: std::io::Error| OrchestrateError::file(&folder, &error);
        // Parts of other requirements would stand among these.
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
            _ => fs::create_dir_all(&folder).map_err(failed)?,
        }
        let parts = excerpt::parts(&self.requirements, chunking.max_chunk_size);
        let mut index = format!("# Requirements: {} parts\n\n", parts.len());
        for (at, part) in parts.iter().enumerate() {
            let name = format!("{:03}.md", at + 1);
            let title = if part.title.is_empty() { "Begin" } else { &part.title };
            let _ = writeln!(index, "- [{title}]({name}), {} bytes", part.text.len());
            exports::write_whole(&folder.join(name), &format!("{}\n", part.text))?;
        }
        exports::write_whole(&folder.join("INDEX.md"), &index)?;
        Ok((PhaseOutcome::Done, format!("{} parts", parts.len())))
    }

    /// Writes what the project is built with, and what holds for that.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn research_technologies(&self) -> Result<(PhaseOutcome, String), OrchestrateError> {
        let settings = &self.settings.research.technologies;
        match settings.enabled {
            Some(false) => return Ok((PhaseOutcome::Skipped, "switched off by [tech-research] enabled".to_owned())),
            None if self.state.started.depth < Depth::Standard => {
                let note = "switched on by [tech-research] enabled, or by the depth standard";
                return Ok((PhaseOutcome::Skipped, note.to_owned()));
            }
            _ => {}
        }
        let branch = self.place.branch();
        let (manifests, unread) = manifests_at(&branch, self.git.root())?;
        let words: Vec<(String, String)> = self.state.plan.services.iter().flat_map(words_of).collect();
        let (found, mut problems) = technologies::technologies(&words, &manifests);
        problems.extend(unread);
        let servers: Vec<&str> = Server::EACH.iter().map(|it| it.name()).collect();
        let project = &self.state.plan.project;
        let text = technologies::document(project, &found, &problems, settings.max_techs, &servers);
        exports::write_whole(&self.place.exports().join("TECH_RESEARCH.md"), &text)?;
        let with_rules = found.iter().filter(|it| it.stack.is_some()).count();
        Ok((PhaseOutcome::Done, format!("{} technologies, rules for {with_rules}", found.len())))
    }
}

/// Files by their paths.
type Texts = Vec<(String, String)>;

/// Manifests in a revision of a repository, by their paths below its root, and what could not be read of them.
///
/// # Errors
/// There is no such revision.
fn manifests_at(revision: &str, root: &Path) -> Result<(Texts, Vec<String>), OrchestrateError> {
    let root = std::path::absolute(root).map_err(|error| OrchestrateError::file(root, &error))?;
    let failed = |reason| OrchestrateError::File { path: root.display().to_string(), reason };
    let files = Revision::open(revision, &root).map_err(failed)?;
    let mut manifests = Vec::new();
    let mut unread = Vec::new();
    let mut left = 0;
    for path in files.below(&root) {
        let name = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        if !is_manifest(&name) {
            continue;
        }
        if manifests.len() == MOST_MANIFESTS {
            left += 1;
            continue;
        }
        match files.read(&path, MOST_BYTES) {
            Ok(bytes) => manifests.push((name, String::from_utf8_lossy(&bytes).into_owned())),
            Err(BlobError::Missing) => {}
            Err(BlobError::TooLarge(size)) => unread.push(format!("{name} was not read: {size} bytes")),
            Err(BlobError::Git(reason)) => unread.push(format!("{name} was not read: {reason}")),
        }
    }
    if left > 0 {
        unread.push(format!("{left} manifests of {} were not read", left + MOST_MANIFESTS));
    }
    Ok((manifests, unread))
}

fn words_of(service: &crate::plan::Service) -> impl Iterator<Item = (String, String)> + '_ {
    service.stack.iter().map(|it| (service.name.clone(), it.clone()))
}

/// What the service of a task is built with: by the plan, and by the manifests in its folder.
pub(super) fn technologies_of(job: &Job<'_>) -> Vec<Technology> {
    if job.research.technologies.enabled == Some(false) {
        return Vec::new();
    }
    let Some(service) = job.plan.service(&job.task.service) else { return Vec::new() };
    let words: Vec<(String, String)> = words_of(service).collect();
    technologies::technologies(&words, &manifests(&job.worktree.join(&service.folder))).0
}

/// Manifests at the top of a folder, by name.
fn manifests(folder: &Path) -> Vec<(String, String)> {
    let names = names(folder).into_iter().filter(|it| is_manifest(it)).take(MAX_MANIFESTS);
    names.filter_map(|it| Some((it.clone(), fs::read_to_string(folder.join(&it)).ok()?))).collect()
}

/// Names of the files at the top of a folder, in order.
pub(super) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter(|it| it.file_type().is_ok_and(|it| it.is_file()));
    let mut names: Vec<String> = files.filter_map(|it| it.file_name().into_string().ok()).collect();
    names.sort();
    names
}
