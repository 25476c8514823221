//! `treaty.toml`, the entry for pre-commit and the workflow.

use std::io::Write;
use std::path::Path;

use super::is_written;
use super::settings::{self, Found};
use crate::cli::config::SCHEMA;
use crate::cli::failure::Failure;
use crate::cli::output::deliver;
use crate::cli::progress::Bar;
use crate::cli::{Outcome, input, rule_set};
use crate::config::{self, Config};
use crate::finding::Severity;
use crate::report::{count, visible};
use crate::scan::{self, Asked, Choice, Options, Report};

/// The hooks that this repository offers, whose list of file kinds is the one that holds.
const HOOKS: &str = include_str!("../../../.pre-commit-hooks.yaml");
const WORKFLOW: &str = include_str!("workflow.yml");
const HOOK_FILE: &str = ".pre-commit-config.yaml";
const WORKFLOW_FILE: &str = ".github/workflows/treaty.yml";

/// Scans the folder, writes what is not there yet, and says what was found, written and left alone, and what to do next.
///
/// # Errors
/// A folder that cannot be scanned, a file that cannot be written.
pub(super) fn run(root: &Path) -> Result<Outcome, Failure> {
    let own = config::find(root);
    let config = own.as_deref().map(config::load).transpose()?.unwrap_or_else(Config::default);
    let (paths, today) = (vec![root.to_owned()], input::today());
    let options = Options { paths, today, config, nested: true, ..Options::default() };
    let choice = Choice::of(rule_set::all(&options.config)?, &options.config, Asked::default())?;
    let bar = Bar::new(false);
    let scanned = scan::scan(&options, &choice.rules, &bar);
    bar.finish();
    let mut report = scanned?;
    report.suppress(&choice.rules, Some(&choice.all));
    choice.settle(&mut report)?;
    let absolute = std::path::absolute(root).map_or_else(|_| root.to_owned(), |it| config::plain_path(&it));
    let repository = config::repository(&absolute);
    let folder = absolute.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    let services = settings::found(&report, &prefix(&absolute, repository.as_deref()), &folder);
    let mut told = found(&services);

    match own {
        Some(file) => told.push(format!("left  {}: your settings stay as they are", file.display())),
        None if is_written(root, config::FILE_NAME, &settings::text(&services))? => {
            told.push(format!("wrote {}: services and contracts, and what else can be set", config::FILE_NAME));
            if is_written(root, config::SCHEMA_NAME, SCHEMA)? {
                told.push(format!("wrote {}: lets editors complete and check it", config::SCHEMA_NAME));
            }
        }
        None => told.push(format!("left  {}: it is there already", config::FILE_NAME)),
    }
    let Some(repository) = repository else {
        told.push("left  out the hook and the workflow: this is no git repository".to_owned());
        return tell(&told, &report, false);
    };
    let entry = hook();
    let has_hook = if is_written(&repository, HOOK_FILE, &format!("repos:\n{entry}"))? {
        told.push(format!("wrote {HOOK_FILE}: treaty looks at every commit"));
        true
    } else if std::fs::read_to_string(repository.join(HOOK_FILE)).is_ok_and(|text| text.contains("treaty")) {
        told.push(format!("left  {HOOK_FILE}: it speaks of treaty already"));
        true
    } else {
        told.push(format!(
            "left  {HOOK_FILE}: it is yours; to have treaty look at every commit, add below `repos:`\n\n{entry}"
        ));
        false
    };
    if repository.join(".gitlab-ci.yml").exists() && !repository.join(".github").exists() {
        told.push(
            "left  out the workflow: this is a project of GitLab, where a job runs\n      \
             `treaty scan --format gitlab -o treaty.json` and keeps that as `artifacts: reports: codequality`"
                .to_owned(),
        );
    } else if is_written(&repository, WORKFLOW_FILE, &workflow())? {
        told.push(format!("wrote {WORKFLOW_FILE}: treaty looks at every pull request"));
    } else {
        told.push(format!("left  {WORKFLOW_FILE}: it is there already"));
    }
    tell(&told, &report, has_hook)
}

/// What the folder is called in a run whose names begin at the root of the repository.
fn prefix(absolute: &Path, repository: Option<&Path>) -> String {
    let below = repository.and_then(|repository| absolute.strip_prefix(repository).ok());
    below.map(|it| it.to_string_lossy().replace('\\', "/")).unwrap_or_default()
}

fn found(services: &[Found]) -> Vec<String> {
    let mut told: Vec<String> = services
        .iter()
        .map(|it| {
            let contracts = match it.contracts.as_slice() {
                [] => "no contract".to_owned(),
                known => known.join(", "),
            };
            visible(&format!("found {} in {}: {}; {contracts}", it.name, it.root, it.what)).into_owned()
        })
        .collect();
    if told.is_empty() {
        told.push("found no service: `treaty scan` says what was looked at".to_owned());
    }
    told.push(String::new());
    told
}

/// The entry of `.pre-commit-config.yaml`, which takes the wheel of this version.
fn hook() -> String {
    let files = HOOKS.lines().map(str::trim).find(|line| line.starts_with("files: ")).unwrap_or("files: ''");
    format!(
        "  - repo: local\n    hooks:\n      - id: treaty\n        name: treaty\n        entry: treaty scan --quiet\n        \
         language: python\n        additional_dependencies: [\"{}=={}\"]\n        pass_filenames: false\n        {files}\n",
        crate::cli::WHEEL,
        env!("CARGO_PKG_VERSION")
    )
}

fn workflow() -> String {
    WORKFLOW.replace("WHEEL", crate::cli::WHEEL).replace("VERSION", env!("CARGO_PKG_VERSION"))
}

fn tell(told: &[String], report: &Report, has_hook: bool) -> Result<Outcome, Failure> {
    let of = |severity| report.findings.iter().filter(|it| it.severity == severity).count();
    let (errors, warnings) = (of(Severity::Error), of(Severity::Warning));
    deliver(None, |out| {
        told.iter().try_for_each(|it| writeln!(out, "{it}"))?;
        writeln!(out, "\nNext:")?;
        if errors + warnings == 0 {
            writeln!(out, "  treaty scan               what was compared; nothing is wrong now")?;
        } else {
            let (errors, warnings) = (count(errors, "error"), count(warnings, "warning"));
            writeln!(out, "  treaty scan               shows {errors} and {warnings}")?;
            writeln!(out, "  treaty baseline write     keeps them apart, so that only new ones count")?;
        }
        if has_hook {
            writeln!(out, "  pre-commit install        lets the hook run")?;
        }
        writeln!(out, "  treaty explain CODE       what a rule reports, and how to fix it")
    })?;
    Ok(Outcome::Clean)
}
