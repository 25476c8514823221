//! Files other than code and contracts: how services are deployed, what pages show, what requirements and plans say. Each
//! reader is a function from a text to data with spans; it never fails, and what it cannot read it leaves out.

pub mod compose;
pub mod dockerfile;
pub mod documents;
pub mod environment;
pub mod ignored;
mod listing;
pub mod variables;

use crate::finding::Problem;
use crate::model::Sight;
use crate::text::FileId;

pub use compose::{Compose, Published, Service};
pub use dockerfile::Dockerfile;
pub use documents::{Item, Mismatch, Requirements, Task};
pub use listing::{Listing, directory, is_below, resolve};

/// Which of these files the rules of a run look at; none of the others is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    /// Compose files, `Dockerfile`, `.env`.
    pub deployment: bool,
    /// Pages, stylesheets, and the names of all files.
    pub assets: bool,
    /// Pages and stylesheets.
    pub design: bool,
    /// Requirements, tasks, reviews, manifests.
    pub documents: bool,
    /// What git leaves out.
    pub ignored: bool,
}

impl Wants {
    #[must_use]
    pub fn and(self, other: Wants) -> Wants {
        Wants {
            deployment: self.deployment || other.deployment,
            assets: self.assets || other.assets,
            design: self.design || other.design,
            documents: self.documents || other.documents,
            ignored: self.ignored || other.ignored,
        }
    }

    pub fn any(self) -> bool {
        self != Wants::default()
    }

    /// Whether places in code are looked at, too.
    pub fn sights(self) -> bool {
        self.deployment || self.assets || self.design || self.ignored
    }
}

/// What a file is, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `main`: one that is read without being named.
    Compose {
        main: bool,
    },
    Dockerfile,
    Environment,
    Styles,
    Markup,
    Requirements,
    Tasks,
    Reconciliation,
    /// Names the packages that a project is built with.
    Manifest,
    /// What git leaves out.
    Ignore,
}

impl Kind {
    /// What the file of a path is, if it is any of these.
    pub fn of(path: &str) -> Option<Kind> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let lower = name.to_ascii_lowercase();
        let (stem, extension) = lower.rsplit_once('.').unwrap_or((&lower, ""));
        let is_yaml = matches!(extension, "yml" | "yaml");
        if matches!(stem, "compose" | "docker-compose") && is_yaml {
            return Some(Kind::Compose { main: true });
        }
        if is_yaml && (stem.starts_with("docker-compose") || stem.starts_with("compose.")) {
            return Some(Kind::Compose { main: false });
        }
        if lower == "dockerfile"
            || lower == "containerfile"
            || lower.starts_with("dockerfile.")
            || extension == "dockerfile"
        {
            return Some(Kind::Dockerfile);
        }
        let written = [".min", ".bundle", ".chunk"].iter().any(|end| stem.ends_with(end));
        Some(match (lower.as_str(), extension) {
            (".gitignore", _) => Kind::Ignore,
            (".env", _) | (_, "env") => Kind::Environment,
            _ if lower.starts_with(".env.") || is_example(&lower) => Kind::Environment,
            ("requirements.md", _) => Kind::Requirements,
            ("tasks.md", _) => Kind::Tasks,
            ("prd_reconciliation.md", _) => Kind::Reconciliation,
            ("package.json" | "pyproject.toml", _) | (_, "csproj") => Kind::Manifest,
            _ if lower.starts_with("requirements") && extension == "txt" => Kind::Manifest,
            (_, "css" | "scss") if !written => Kind::Styles,
            (_, "html" | "htm") if !written => Kind::Markup,
            _ => return None,
        })
    }

    /// Whether the rules look at it.
    pub fn is_wanted(self, wants: Wants) -> bool {
        match self {
            Kind::Compose { .. } | Kind::Dockerfile | Kind::Environment => wants.deployment,
            Kind::Styles | Kind::Markup => wants.assets || wants.design,
            Kind::Requirements | Kind::Tasks | Kind::Reconciliation => wants.documents,
            Kind::Manifest => wants.documents || wants.ignored || wants.assets || wants.design,
            Kind::Ignore => wants.ignored || wants.assets,
        }
    }
}

/// `env_example`, `env.sample`, `dotenv.template`: variables to be filled in, under a name that shows.
fn is_example(name: &str) -> bool {
    (name.starts_with("env") || name.starts_with("dotenv"))
        && ["example", "sample", "template", "dist"].iter().any(|word| name.ends_with(word))
}

/// A file whose places were looked at.
#[derive(Debug)]
pub struct Watched {
    pub file: FileId,
    /// As shown.
    pub path: String,
    /// It is about tests or examples.
    pub is_test: bool,
    pub kind: Option<Kind>,
    pub sights: Vec<Sight>,
}

/// Byte ranges of comments that go from `#` to the end of a line, where words end before it: of YAML, images, variables.
pub fn line_comments(text: &str) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let begins = |(at, _): &(usize, &str)| line[..*at].chars().next_back().is_none_or(char::is_whitespace);
        if let Some((offset, _)) = line.match_indices('#').find(begins) {
            found.push(((at + offset) as u32, (at + line.trim_end().len()) as u32));
        }
        at += line.len();
    }
    found
}

/// A text with its place.
#[derive(Debug)]
pub struct Read<T> {
    pub file: FileId,
    /// As shown.
    pub path: String,
    pub it: T,
}

/// Everything that was read of these files; nothing where no rule wants it.
#[derive(Debug, Default)]
pub struct Workspace {
    /// Code, pages and stylesheets, sorted by path.
    pub watched: Vec<Watched>,
    pub composes: Vec<Read<Compose>>,
    pub dockerfiles: Vec<Read<Dockerfile>>,
    /// Names that files of the environment give a value.
    pub environments: Vec<Read<Vec<String>>>,
    pub requirements: Vec<Read<Requirements>>,
    pub tasks: Vec<Read<Vec<Task>>>,
    pub mismatches: Vec<Read<Vec<Mismatch>>>,
    /// Texts of manifests.
    pub manifests: Vec<Read<String>>,
    pub ignored: ignored::Ignored,
    pub listing: Listing,
    /// Every file that was read, and what it is.
    pub files: Vec<(Kind, FileId)>,
    /// Scanned paths, as shown.
    pub roots: Vec<String>,
}

impl Workspace {
    /// Reads one file of a kind; what is wrong with it is told.
    pub fn add(&mut self, kind: Kind, (file, path, is_test): (FileId, &str, bool), text: &str) -> Vec<Problem> {
        fn read<T>(file: FileId, path: &str, it: T) -> Read<T> {
            Read { file, path: path.to_owned(), it }
        }
        let mut problems = Vec::new();
        self.files.push((kind, file));
        match kind {
            Kind::Compose { main } => {
                let (compose, found) = compose::read(file, path, text, main && !is_test);
                problems.extend(found);
                self.composes.push(read(file, path, compose));
            }
            Kind::Dockerfile => self.dockerfiles.push(read(file, path, dockerfile::read(text))),
            Kind::Environment => self.environments.push(read(file, path, environment::read(text))),
            Kind::Requirements => self.requirements.push(read(file, path, documents::requirements(file, text))),
            Kind::Tasks => self.tasks.push(read(file, path, documents::tasks(file, text))),
            Kind::Reconciliation => self.mismatches.push(read(file, path, documents::mismatches(file, text))),
            Kind::Manifest => self.manifests.push(read(file, path, text.to_owned())),
            Kind::Ignore => self.ignored.add(file, path, text),
            // Their places are looked at where grammars are.
            Kind::Styles | Kind::Markup => {}
        }
        problems
    }
}

#[cfg(test)]
mod tests;
