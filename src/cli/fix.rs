//! `treaty scan --fix`: applies what findings say would mend them, run after run until nothing is left to do, and writes the
//! files at the end; `--diff` shows them instead.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;

use similar::TextDiff;

use super::Outcome;
use super::args::{FixArgs, FixSide, ScanArgs};
use super::failure::Failure;
use super::output::deliver;
use super::scan::Asked;
use crate::contracts::IssueKind;
use crate::finding::{Fix, ProblemKind, Safety, Side};
use crate::report::{count, visible, visible_lines};
use crate::scan::{self, Choice, Fixing, Options, Report, Rewritten};

/// A fix may bring about another one; what goes on longer goes round in circles.
const MAX_PASSES: usize = 10;

pub(super) enum Done {
    /// The files are written; what is left.
    Applied(Box<Report>),
    /// The changes are shown.
    Shown(Outcome),
}

pub(super) fn run(arguments: &ScanArgs, asked: &Asked, mut options: Options, choice: &Choice) -> Result<Done, Failure> {
    let fixing = fixing(&arguments.fixing);
    let mut work: BTreeMap<PathBuf, Rewritten> = BTreeMap::new();
    let (mut without, mut refused) = (BTreeSet::new(), BTreeSet::new());
    let mut applied = 0;
    let mut report = asked.judge(&options, choice, arguments.quiet)?;
    for _ in 0..MAX_PASSES {
        let fixed = scan::fixed(&report, fixing, &options.edited, &without);
        refused.extend(fixed.refused);
        if fixed.files.is_empty() {
            break;
        }
        let before = options.edited.clone();
        for (path, file) in &fixed.files {
            options.edited.insert(path.clone(), file.bytes.clone());
        }
        let next = asked.judge(&options, choice, arguments.quiet)?;
        let broken = |file: &Rewritten| is_broken(&next, &file.name) && !is_broken(&report, &file.name);
        let broken: Vec<PathBuf> =
            fixed.files.iter().filter(|(_, it)| broken(it)).map(|(path, _)| path.clone()).collect();
        if !broken.is_empty() {
            // Fixes may belong to several files: the whole pass is taken back, and tried without those.
            without.extend(broken);
            options.edited = before;
            continue;
        }
        applied += fixed.applied;
        for (path, file) in fixed.files {
            if let Some(known) = work.get_mut(&path) {
                (known.after, known.bytes) = (file.after, file.bytes);
            } else {
                work.insert(path, file);
            }
        }
        report = next;
    }
    let left_over = scan::fixed(&report, fixing, &options.edited, &without);
    if !left_over.files.is_empty() {
        refused.insert(format!("{} are left after {MAX_PASSES} passes; run it again", fixes(left_over.applied)));
    }
    work.retain(|_, file| file.before != file.after);
    let outcome = if arguments.fixing.diff {
        show(arguments, &work)?;
        Done::Shown(if work.is_empty() { Outcome::Clean } else { Outcome::Findings })
    } else {
        for (path, file) in &work {
            scan::rewrite(path, &file.had, &file.bytes).map_err(|error| unwritten(&file.name, &error))?;
        }
        Done::Applied(Box::new(report))
    };
    if !arguments.quiet {
        let verb = if arguments.fixing.diff { "would be applied" } else { "applied" };
        let mut lines = vec![format!("{} {verb} in {}", fixes(applied), count(work.len(), "file"))];
        lines.extend(refused.iter().map(|reason| format!("not fixed: {reason}")));
        if let Done::Applied(report) = &outcome {
            lines.extend(left(report, &arguments.fixing));
        }
        let mut stderr = std::io::stderr().lock();
        for line in lines {
            // A closed pipe is no reason to complain.
            let _ = writeln!(stderr, "{}", visible(&line));
        }
    }
    Ok(outcome)
}

fn fixing(arguments: &FixArgs) -> Fixing {
    let side = arguments.fix_side.map(|side| match side {
        FixSide::Code => Side::Code,
        FixSide::Contract => Side::Contract,
    });
    Fixing { with_unsafe: arguments.with_unsafe, side }
}

/// Fixes that were not asked for, by what would apply them.
fn left(report: &Report, asked: &FixArgs) -> Vec<String> {
    let mut by: BTreeMap<String, usize> = BTreeMap::new();
    for finding in &report.findings {
        for fix in &finding.fixes {
            let Fix { side, safety, .. } = fix;
            if finding.contract.is_some() && fixing(asked).side.is_some_and(|asked| asked != *side) {
                continue;
            }
            let mut options = Vec::new();
            if *safety == Safety::Unsafe && !asked.with_unsafe {
                options.push("--unsafe".to_owned());
            }
            if finding.contract.is_some() && fixing(asked).side.is_none() {
                options.push(format!("--fix-side {}", side.name()));
            }
            if !options.is_empty() {
                *by.entry(options.join(" ")).or_default() += 1;
            }
        }
    }
    by.into_iter().map(|(options, number)| format!("{} left that need `--fix {options}`", fixes(number))).collect()
}

fn fixes(number: usize) -> String {
    if number == 1 { "1 fix".to_owned() } else { format!("{number} fixes") }
}

/// Whether the file of this name, code or a contract, cannot be parsed.
fn is_broken(report: &Report, name: &str) -> bool {
    let sources = &report.project.sources;
    let mut issues = report.project.contracts.iter().flat_map(|contract| &contract.issues);
    report.problems.iter().any(|problem| problem.kind == ProblemKind::SyntaxError && problem.path == name)
        || issues.any(|issue| issue.kind == IssueKind::Syntax && sources.path(issue.span) == name)
}

fn unwritten(name: &str, error: &std::io::Error) -> Failure {
    Failure::said(
        format!("cannot write {}: {error}", visible(name)),
        "files before it are written; run it again when that is mended",
    )
}

/// Writes the changes as `git apply` takes them; what a terminal would act on is made visible there.
fn show(arguments: &ScanArgs, work: &BTreeMap<PathBuf, Rewritten>) -> Result<(), Failure> {
    let file = arguments.output.as_deref();
    let is_shown = file.is_none() && std::io::stdout().is_terminal();
    deliver(file, |out| {
        for file in work.values() {
            let name = visible(&file.name);
            let (from, to) = (format!("a/{name}"), format!("b/{name}"));
            let diff = TextDiff::from_lines(&file.before, &file.after);
            let text = diff.unified_diff().context_radius(3).header(&from, &to).to_string();
            if is_shown {
                out.write_all(visible_lines(&text).as_bytes())?;
            } else {
                out.write_all(text.as_bytes())?;
            }
        }
        Ok(())
    })
}
