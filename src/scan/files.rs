//! Which source files a run would read, without reading them: for what keeps its own record of each file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::gather::{CodeFile, Tree};
use super::manifests;
use super::places::Places;
use super::plan::plan_services;
use super::store::{ReadFailure, Store};
use super::walk::{Found, files_below, walk};
use super::{Options, ScanError};
use crate::evaluate::Specifiers;
use crate::languages::Language;
use crate::project::NAMELESS;
use crate::text::FileId;
use crate::workspace::Wants;

/// Larger files are no source that people write.
const MAX_BYTES: u64 = 16 << 20;

/// What lies below a root.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Sorted by name.
    pub files: Vec<Listed>,
    /// What says where imports lead, which services there are, and which files are left out; absolute.
    pub manifests: Vec<PathBuf>,
    /// What may hold a contract; absolute.
    pub documents: Vec<PathBuf>,
    /// Every directory that was looked into, absolute: a new file changes the time of one of them.
    pub directories: Vec<PathBuf>,
    /// Packages around the root.
    pub outer_packages: Vec<String>,
}

/// A source file.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Absolute.
    pub path: PathBuf,
    /// Relative to the root, forward slashes.
    pub name: String,
    pub language: Language,
    pub is_test: bool,
    /// The service that it belongs to, as a scan calls it.
    pub service: String,
}

/// Lists the source files below a root by the rules of a scan: what git and the settings leave out is left out.
///
/// # Errors
/// The root does not exist or cannot be read.
pub fn list(options: &Options, root: &Path) -> Result<Listing, ScanError> {
    let options = Options { paths: vec![root.to_path_buf()], ..options.clone() };
    let places = Places::of(&options)?;
    let (mut tree, mut found) = (Tree::default(), Found::default());
    for start in &places.starts {
        walk(&Store::Disk, start, &places, (&options, None), &mut tree, &mut found)?;
    }
    found.code.sort_by(|a, b| a.0.shown.cmp(&b.0.shown));
    found.code.dedup_by(|a, b| a.0.shown == b.0.shown);
    let code: Vec<CodeFile> = found
        .code
        .iter()
        .map(|(it, language)| CodeFile {
            file: FileId(0),
            path: it.shown.clone(),
            key: it.path.to_string_lossy().replace('\\', "/"),
            language: *language,
            // All of them belong to a service.
            is_test: false,
        })
        .collect();
    let manifests: Vec<String> = tree.manifests.iter().cloned().collect();
    let here = places.here();
    let mut services = vec![here.clone(); code.len()];
    for plan in plan_services(&code, &tree.roots, &manifests, &places.config) {
        let name = if plan.name == NAMELESS { &here } else { &plan.name };
        plan.modules.iter().for_each(|module| services[module.0 as usize].clone_from(name));
    }
    let whole = places.argument(root);
    let name = |path: &Path| path.strip_prefix(&whole).unwrap_or(path).to_string_lossy().replace('\\', "/");
    let files = found.code.into_iter().zip(services).map(|((it, language), service)| Listed {
        name: name(&it.path),
        path: it.path,
        language,
        is_test: it.is_test,
        service,
    });
    let mut files: Vec<Listed> = files.collect();
    files.sort_by(|a, b| a.name.cmp(&b.name));
    let mut manifests: Vec<PathBuf> = found.metadata.into_iter().map(|it| it.path).collect();
    manifests.sort();
    manifests.dedup();
    let mut documents: Vec<PathBuf> = found.documents.into_iter().map(|it| it.path).collect();
    documents.sort();
    Ok(Listing { files, manifests, documents, directories: found.directories, outer_packages: tree.outer_packages })
}

/// Sizes and times of what a scan reads.
pub type State = BTreeMap<PathBuf, (u64, Option<SystemTime>)>;

/// How the files that a scan would read are now, and those that `further` names; of a folder among these, all files. What cannot
/// be looked at is left out.
pub fn state(options: &Options, further: &[&Path]) -> State {
    let wants = Wants { deployment: true, assets: true, design: true, documents: true, ignored: true };
    let mut found = Found { wants, ..Found::default() };
    let mut paths: Vec<PathBuf> = Vec::new();
    if let Ok(places) = Places::of(options) {
        for start in &places.starts {
            files_below(&start.path, &places, options, &mut found);
        }
        paths.extend(places.configured.iter().cloned());
        paths.extend(options.config.against.iter().map(|path| places.settings().join(path)));
    }
    let code = found.code.into_iter().map(|(it, _)| it);
    let beside = found.beside.into_iter().map(|(it, _)| it);
    let all = code.chain(found.documents).chain(found.metadata).chain(found.settings).chain(beside);
    paths.extend(all.map(|it| it.path));
    for path in further {
        let walk = ignore::WalkBuilder::new(path).standard_filters(false).max_depth(Some(MAX_DEPTH)).build();
        paths.extend(walk.flatten().map(ignore::DirEntry::into_path));
    }
    let state = |path: PathBuf| {
        let meta = std::fs::metadata(&path).ok()?;
        Some((path, (meta.len(), meta.modified().ok())))
    };
    paths.into_iter().filter_map(state).collect()
}

/// Folders of rules have folders, and nothing is deeper.
const MAX_DEPTH: usize = 3;

/// What manifests say about where imports lead; those that cannot be read say nothing.
pub fn specifiers(manifests: &[PathBuf]) -> Specifiers {
    let text = |path: &PathBuf| Some((path.to_string_lossy().replace('\\', "/"), text_of(path).ok()?));
    let texts: Vec<(String, String)> = manifests.iter().filter_map(text).collect();
    manifests::specifiers(&texts)
}

/// The text of a file as a scan reads it, without a byte-order mark.
///
/// # Errors
/// Why it cannot be read, in words.
pub fn text_of(path: &Path) -> Result<String, String> {
    Store::Disk.text(path, MAX_BYTES).map(|decoded| decoded.text).map_err(|failure| match failure {
        ReadFailure::TooLarge(bytes) => format!("{bytes} bytes are more than the {MAX_BYTES} that are read"),
        ReadFailure::Encoding => "it is no text in UTF-8".to_owned(),
        ReadFailure::Io(reason) => reason,
    })
}
