//! One run: walk, read, analyse in parallel, judge, sort. The only place below the shell that touches the file system.

mod baseline;
mod beside;
mod blind;
mod changes;
mod decode;
mod entry_points;
mod files;
mod fixes;
mod gather;
mod left_out;
mod loader;
mod lower;
mod manifests;
mod parts;
mod paths;
mod pipeline;
mod places;
mod plan;
mod projects;
mod revision;
mod settings;
mod skipped;
mod store;
mod suppress;
mod threads;
mod walk;
mod wanted;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::config::{Config, ConfigError};
use crate::finding::{Finding, Problem, ProblemKind};
use crate::project::Project;
use crate::rules::{RuleSet, Selection};
use crate::text::{FileId, Span};

pub use baseline::{Baseline, BaselineError, MAX_BYTES as MAX_BASELINE_BYTES};
pub use changes::{Narrowed, Narrowing, staged_text};
pub use files::{Listed, Listing, State, list, specifiers, state, text_of};
pub use fixes::{Fixed, Fixing, Rewritten, fixed, rewrite};
pub use left_out::{Why, left_out};
pub(crate) use parts::Part;
pub use parts::{Asked, Choice};
#[cfg(feature = "orchestrate")]
pub(crate) use revision::{BlobError, Revision};
pub use skipped::Skipped;
pub(crate) use suppress::Suppressions;
pub use suppress::{Suppressed, Suppression, SuppressionKind};
#[cfg(feature = "serve")]
pub(crate) use threads::start as start_threads;

/// What to scan and how, free of any command-line type.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Files and directories; the working directory where empty.
    pub paths: Vec<PathBuf>,
    /// `--contract`: used instead of discovery where not empty.
    pub contracts: Vec<PathBuf>,
    /// Contracts that are handed in as texts, as if `contracts` named files of these paths.
    pub documents: Vec<Input>,
    /// `--contract-root`: further directories that references may lead into, wherever they lie.
    pub contract_roots: Vec<PathBuf>,
    /// `--against`: the earlier version, instead of the configured one: a document that the contract is held against, or
    /// a folder or git revision of what is scanned.
    pub against: Option<PathBuf>,
    /// The git revision that everything is held against, instead of `against`.
    pub before: Option<String>,
    /// Read the scanned paths from this git revision instead of the disk.
    pub revision: Option<String>,
    /// Contents that take the place of what lies in these files, or make new ones.
    pub edited: BTreeMap<PathBuf, Vec<u8>>,
    /// Tell of a part only.
    pub narrowing: Option<Narrowing>,
    /// `--facts`: files that tell what other services serve, call and send.
    pub facts: Vec<PathBuf>,
    /// The day of the run, `2026-01-31`: what is deprecated until a day may go after it.
    pub today: Option<String>,
    /// Every type that code declares is wanted, for a document of them, rather than those that a check looks at.
    pub all_models: bool,
    /// Settings in folders of what is scanned hold for these.
    pub nested: bool,
    pub config: Config,
}

impl Options {
    /// Whether contracts are named, rather than looked for.
    fn names_contracts(&self) -> bool {
        !self.contracts.is_empty() || !self.documents.is_empty()
    }
}

/// One text handed to the pure part of a run.
#[derive(Clone, Debug)]
pub struct Input {
    /// Path as shown to the user, forward slashes.
    pub path: String,
    pub text: String,
}

/// A finished run.
#[derive(Debug)]
pub struct Report {
    /// Everything that was understood; the sources of all spans are in it.
    pub project: Project,
    /// Sorted by file path, span, rule; whole until [`Report::shorten`] was called. Those that count: all of them, until
    /// [`Report::suppress`] was called.
    pub findings: Vec<Finding>,
    /// Those that do not count, in the same order.
    pub suppressed: Vec<Suppressed>,
    pub(crate) suppressions: Suppressions,
    /// What was asked for: two runs of one scope can be held against each other.
    pub scope: Scope,
    /// Sorted likewise.
    pub problems: Vec<Problem>,
    pub summary: Summary,
    /// What the directory is called that names are relative to.
    pub here: String,
    /// The same, absolute; empty where there is no disk.
    pub base: PathBuf,
    /// Files as they are now: neither those of an earlier version nor of facts.
    pub now: BTreeSet<FileId>,
    /// Code that was read because its service is scanned, and that is none of the scanned paths.
    pub unasked: BTreeSet<FileId>,
    /// What was asked for, where that is a part; [`narrow`] leaves it.
    pub narrowed: Option<Narrowed>,
    /// Settings of parts of what is scanned, outer ones first.
    pub(crate) parts: Vec<Part>,
}

/// What a run was asked to look at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// Scanned paths, as shown, sorted.
    pub scanned: Vec<String>,
    /// Contracts that were named instead of looked for, as shown, sorted.
    pub contracts: Vec<String>,
    /// All that belongs to what names are relative to is scanned, and no contract is left out.
    pub is_whole: bool,
}

/// What was looked at, and how much of it could be verified.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Source files and contract documents that were read.
    pub files: usize,
    pub bytes: usize,
    /// Of the scanned services that serve something, or are known to.
    pub services: Vec<ServiceSummary>,
    pub contracts: Vec<ContractSummary>,
    pub events: Vec<EventSummary>,
    /// Of the services that make any.
    pub requests: Vec<RequestSummary>,
    /// What was not scanned, though it holds a contract or an application.
    pub skipped: Skipped,
    /// Wall time; only the text report shows it.
    pub elapsed: std::time::Duration,
}

/// What was understood of a service.
#[derive(Clone, Debug, Default)]
pub struct ServiceSummary {
    pub service: String,
    /// Web frameworks that it uses.
    pub frameworks: Vec<String>,
    /// … that are known and not read.
    pub unsupported: Vec<String>,
    /// Routes that were read.
    pub routes: usize,
    /// Parts that could not be read, and may serve something.
    pub unread: usize,
    /// Operations of its contracts that could not be verified, by reason, most frequent first.
    pub not_verifiable: Vec<(String, usize)>,
}

#[derive(Clone, Debug, Default)]
pub struct ContractSummary {
    /// Path of the contract document.
    pub contract: String,
    pub service: String,
    /// The user named it.
    pub named: bool,
    /// Operations that the contract promises.
    pub contracted: usize,
    /// … that have a route.
    pub found: usize,
    /// … whose responses could be compared whole.
    pub verified: usize,
    /// … that have a route of which all is known that it takes.
    pub requests_verified: usize,
    /// … that have no route and may be served by what could not be read.
    pub unread: usize,
    /// … that could not be verified, by reason, most frequent first; the numbers add up to `found - verified + unread`.
    pub not_verifiable: Vec<(String, usize)>,
    /// Ignored by configuration or planned by the contract.
    pub ignored: usize,
    /// Why null is not held against it, if it is not.
    pub null_unchecked: Option<&'static str>,
}

/// What was read of a document about events, and which services' messages were held against it.
#[derive(Clone, Debug, Default)]
pub struct EventSummary {
    /// Path of the contract document.
    pub contract: String,
    pub channels: usize,
    pub messages: usize,
    /// … of sending and receiving.
    pub operations: usize,
    /// Names of the services.
    pub services: Vec<String>,
}

/// Which of the requests that the code of a service makes are held against operations.
#[derive(Clone, Debug, Default)]
pub struct RequestSummary {
    pub service: String,
    /// All of them.
    pub made: usize,
    /// … that somebody answers who is no part of the run.
    pub elsewhere: usize,
    /// … of which it is not known what they ask for, or who answers: where they are made, and why, in the order of the code.
    pub unresolved: Vec<(Span, String)>,
}

/// Progress of a long run, for the shell to show. Called from several threads.
pub trait Progress: Sync {
    /// `stage` names what is going on, `done` of `total` files.
    fn tick(&self, stage: &'static str, done: usize, total: usize);
}

/// Nobody watches.
pub struct Silent;

impl Progress for Silent {
    fn tick(&self, _: &'static str, _: usize, _: usize) {}
}

/// The run could not start.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    #[error("cannot scan {path}: {reason}")]
    BadPath { path: String, reason: String },
    #[error(transparent)]
    Settings(Box<ConfigError>),
    #[error("this machine starts no threads: {reason}")]
    NoThreads { reason: String },
    #[error("{asked}: {reason}")]
    BadChanges { asked: String, reason: String },
    #[error("cannot read contract {path}: {reason}")]
    BadContract { path: String, reason: String },
    #[error("cannot read facts {path}: {reason}")]
    BadFacts { path: String, reason: String },
    #[error("cannot read the revision `{revision}`: {reason}")]
    BadRevision { revision: String, reason: String },
    #[error("`{against}` is neither a file nor a revision that can be read: {reason}")]
    BadAgainst { against: String, reason: String },
}

/// Reads what `options` name and judges it with `rules`.
///
/// # Errors
/// A path or an explicit contract that does not exist or cannot be read.
pub fn scan(options: &Options, rules: &RuleSet, progress: &dyn Progress) -> Result<Report, ScanError> {
    let started = std::time::Instant::now();
    threads::with_room(|| {
        let gathered = gather::gather(options, rules.wants(), progress)?;
        let mut report = pipeline::run(gathered, rules, progress);
        report.summary.elapsed = started.elapsed();
        Ok(report)
    })?
}

/// Findings of one rule that only some scans run which are shown; how many more there are is told.
const MOST_OF_ONE: usize = 100;

impl Report {
    /// Settings of folders below those in force, as shown, each with the keys of it that hold only where a scan begins there.
    pub fn folder_settings(&self) -> impl Iterator<Item = (String, &[String])> {
        self.parts.iter().filter_map(Part::file)
    }

    /// Leaves the first [`MOST_OF_ONE`] findings of each rule that only some scans run, and tells of the rest: the last step before a
    /// report is written, behind suppression, baselines and scopes.
    pub fn shorten(&mut self, rules: &RuleSet) {
        let besides: BTreeSet<&str> = rules.besides().collect();
        let mut found: BTreeMap<String, usize> = BTreeMap::new();
        self.findings.retain(|finding| {
            if !besides.contains(finding.rule.as_str()) {
                return true;
            }
            let number = found.entry(finding.rule.clone()).or_default();
            *number += 1;
            *number <= MOST_OF_ONE
        });
        for (rule, number) in found.into_iter().filter(|(_, number)| *number > MOST_OF_ONE) {
            let message = format!("{} more findings of {rule} are left out, after {MOST_OF_ONE}", number - MOST_OF_ONE);
            let help = "`--full` shows all of them; mend or suppress what is shown, or scan a part of the project";
            self.problems.push(Problem::new(ProblemKind::BudgetExhausted, "", message).with_help(help));
        }
        self.problems.sort();
    }
}

/// The rules that settings select.
pub fn configured(config: &Config) -> Selection<'_> {
    Selection { also: &config.extend_select, depth: config.depth, ..Selection::of(&config.select, &config.ignore) }
}

/// Leaves of a report what [`Options::narrowing`] asks for: findings and problems with a place in what was changed or in what
/// imports it, and findings that what was changed brought about elsewhere. For those the state before is scanned, too, where
/// there is anything that may be one: what is suppressed is better taken out before.
///
/// # Errors
/// The state before cannot be read.
pub fn narrow(
    report: &mut Report,
    options: &Options,
    rules: &RuleSet,
    progress: &dyn Progress,
) -> Result<(), ScanError> {
    let base = report.narrowed.as_ref().and_then(|it| it.base.clone());
    let Some(commit) = base.filter(|_| report.has_others()) else {
        report.leave_narrowed(None);
        return Ok(());
    };
    let before = threads::with_room(|| {
        let gathered = gather::gather_before(&commit, options, rules.wants(), progress)?;
        let before = pipeline::run(gathered, rules, progress);
        Ok::<_, ScanError>(before.findings.into_iter().map(|finding| finding.fingerprint).collect())
    })??;
    report.leave_narrowed(Some(&before));
    Ok(())
}

/// Two versions of a contract, handed in as texts: what the newer one breaks of what the older one promised. `today` is
/// the day of the run, `2026-01-31`.
pub fn scan_versions(old: Input, new: Input, today: Option<String>, config: &Config, rules: &RuleSet) -> Report {
    pipeline::run(gather::from_versions(old, new, today, config), rules, &Silent)
}

/// The folder of the service that a path belongs to: the nearest one with a manifest, in it or above it up to `root`, else
/// `root`.
pub fn service_folder(path: &Path, root: &Path) -> PathBuf {
    let holds_manifest = |folder: &&Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name()).any(|name| paths::is_manifest(&name.to_string_lossy()))
    };
    let below = path.ancestors().take_while(|folder| folder.starts_with(root));
    below.filter(|folder| folder.is_dir()).find(holds_manifest).unwrap_or(root).to_owned()
}

/// The pure part: texts in, report out. `inputs` are source files and contract documents; contracts are discovered by
/// content, `$ref`s are followed among `inputs` only.
pub fn scan_texts(inputs: Vec<Input>, config: &Config, rules: &RuleSet) -> Report {
    pipeline::run(gather::from_texts(inputs, config, rules.wants()), rules, &Silent)
}
