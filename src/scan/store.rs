//! Where a version of the scanned paths is read from: the disk, another folder of it, or a git revision. Everything
//! else asks for paths as they are now, so that both versions of a file have the same name.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::decode::{Decoded, decode};
use super::places::Places;
use super::revision::{BlobError, Revision};
use crate::finding::{Problem, ProblemKind};

/// One version of what is scanned.
#[derive(Debug)]
pub(super) enum Store {
    /// What lies there now.
    Disk,
    /// The same, with another content for some files, which need not be there yet; absolute.
    Edited(BTreeMap<PathBuf, Vec<u8>>),
    /// `folder` stands for `root`, both absolute.
    Folder {
        folder: PathBuf,
        root: PathBuf,
    },
    Revision(Revision),
}

/// The text of a file, and what was wrong with its bytes.
pub(super) struct Text {
    pub(super) text: String,
    pub(super) flaw: Option<Problem>,
}

pub(super) enum ReadFailure {
    TooLarge(u64),
    Encoding,
    Io(String),
}

impl Store {
    /// How the version of an absolute path is called: the path as shown, after the revision.
    pub(super) fn name(&self, path: &Path, places: &Places) -> String {
        match self {
            Store::Disk | Store::Edited(_) | Store::Folder { .. } => places.shown(&self.place(path)),
            Store::Revision(revision) if revision.is_nameless => places.shown(path),
            Store::Revision(revision) => format!("{}:{}", revision.name, places.shown(path)),
        }
    }

    /// Where an absolute path lies on the disk.
    pub(super) fn place(&self, path: &Path) -> PathBuf {
        match self {
            Store::Folder { folder, root } => {
                path.strip_prefix(root).map_or_else(|_| path.to_path_buf(), |rest| folder.join(rest))
            }
            Store::Disk | Store::Edited(_) | Store::Revision(_) => path.to_path_buf(),
        }
    }

    /// The text of a file without its byte-order mark.
    pub(super) fn text(&self, path: &Path, limit: u64) -> Result<Decoded, ReadFailure> {
        let bytes = match self {
            Store::Edited(files) if files.contains_key(path) => {
                let bytes = &files[path];
                let size = bytes.len() as u64;
                (size <= limit).then(|| bytes.clone()).ok_or(ReadFailure::TooLarge(size))?
            }
            Store::Disk | Store::Edited(_) | Store::Folder { .. } => {
                let path = self.place(path);
                let io = |error: std::io::Error| ReadFailure::Io(plain_error(&error));
                let meta = fs::metadata(&path).map_err(io)?;
                if !meta.is_file() {
                    return Err(ReadFailure::Io("it is not a file".to_owned()));
                }
                if meta.len() > limit {
                    return Err(ReadFailure::TooLarge(meta.len()));
                }
                fs::read(&path).map_err(io)?
            }
            Store::Revision(revision) if revision.is_beside(path) => return Store::Disk.text(path, limit),
            Store::Revision(revision) => revision.read(path, limit).map_err(|error| match error {
                BlobError::Missing if revision.is_nameless => {
                    ReadFailure::Io("git does not track it: `git add` it".to_owned())
                }
                BlobError::Missing => ReadFailure::Io("it does not exist there".to_owned()),
                BlobError::TooLarge(bytes) => ReadFailure::TooLarge(bytes),
                BlobError::Git(reason) => ReadFailure::Io(reason),
            })?,
        };
        decode(bytes, path).ok_or(ReadFailure::Encoding)
    }

    /// The text of a file, or why not as the user is told.
    pub(super) fn read(&self, path: &Path, name: &str, limit: u64) -> Result<Text, Problem> {
        let mended = |decoded: Decoded| {
            let message = "bytes that are not valid UTF-8 were replaced before it was read";
            let flaw = Problem::new(ProblemKind::InvalidEncoding, name, message);
            let help = "save it as UTF-8; in Python, a `coding:` line names another encoding";
            Text { text: decoded.text, flaw: decoded.is_mended.then(|| flaw.with_help(help)) }
        };
        self.text(path, limit).map(mended).map_err(|failure| {
            let (kind, message, help) = match failure {
                ReadFailure::TooLarge(bytes) => (
                    ProblemKind::TooLarge,
                    format!("{bytes} bytes are more than the {limit} that are read"),
                    "exclude it in `treaty.toml`, or split it",
                ),
                ReadFailure::Encoding => {
                    (ProblemKind::InvalidEncoding, "the file is no text in UTF-8".to_owned(), "save it as UTF-8")
                }
                ReadFailure::Io(reason) => (ProblemKind::Unreadable, reason, "check that it may be read"),
            };
            Problem::new(kind, name, message).with_help(help)
        })
    }

    /// Whether there is something at a path.
    pub(super) fn has(&self, path: &Path) -> bool {
        match self {
            Store::Edited(files) if files.contains_key(path) => true,
            Store::Disk | Store::Edited(_) | Store::Folder { .. } => self.place(path).exists(),
            Store::Revision(revision) if revision.is_beside(path) => path.exists(),
            Store::Revision(revision) => revision.has(path),
        }
    }

    /// Whether a path lies in one of these directories, links on the disk resolved.
    pub(super) fn is_inside(&self, path: &Path, roots: &[PathBuf]) -> bool {
        if let Store::Revision(_) = self {
            return roots.iter().any(|root| path.starts_with(root));
        }
        let path = self.place(path);
        let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        roots.iter().any(|root| {
            let root = self.place(root);
            let real_root = fs::canonicalize(&root).unwrap_or_else(|_| root.clone());
            path.starts_with(root) && real.starts_with(real_root)
        })
    }
}

/// The reason without the operating system's number.
pub(super) fn plain_error(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "it does not exist".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// The nearest directory around an absolute path that exists.
pub(super) fn existing(path: &Path) -> PathBuf {
    path.ancestors().find(|outer| outer.is_dir()).unwrap_or(path).to_path_buf()
}
