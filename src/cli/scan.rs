//! `treaty scan`: compare services with their contracts.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use super::args::{Judged, ManyInputs, Part, ScanArgs};
use super::demands::{Demands, tell};
use super::failure::Failure;
use super::output::{deliver, style};
use super::progress::Bar;
use super::{Outcome, baseline, fix, input, ratchet, rule_set, watch};
use crate::config::{Config, FILE_NAME, FailOn};
use crate::finding::Depth;
use crate::report;
use crate::scan::{self, Baseline, Choice, Narrowing, Options, Report};

pub(super) fn run(arguments: &ScanArgs) -> Result<Outcome, Failure> {
    if arguments.watch {
        return watch::run(arguments);
    }
    once(arguments)
}

/// One run, with everything that it is asked to do.
pub(super) fn once(arguments: &ScanArgs) -> Result<Outcome, Failure> {
    let format = format(arguments)?;
    let asked = Asked::of(arguments)?;
    let options = asked.options(&arguments.input, &arguments.judged)?;
    let choice = choose(&arguments.judged, &options.config)?;
    let mut report = if arguments.fixing.fix {
        match fix::run(arguments, &asked, options.clone(), &choice)? {
            fix::Done::Shown(outcome) => return Ok(outcome),
            fix::Done::Applied(report) => *report,
        }
    } else {
        asked.judge(&options, &choice, arguments.quiet)?
    };
    let rules = &choice.rules;
    if arguments.verbose {
        explain(&report, &options, &choice, arguments)?;
    }
    let fail_on = arguments.fail_on.map(FailOn::from).or(options.config.fail_on).unwrap_or(FailOn::Error);
    let demands = Demands { fail_on, strict: arguments.strict, min_verified: arguments.min_verified };
    let (mut outcome, mut unmet) = demands.judge(&report);
    // Programs get everything: what a report no longer has would count as mended.
    let is_read = matches!(
        format,
        report::Format::Text | report::Format::Html | report::Format::Markdown | report::Format::Github
    );
    if is_read && !arguments.full {
        report.shorten(rules);
    }
    let cards = rule_set::cards(rules);
    let file = arguments.output.as_deref();
    let style = style(file, (arguments.quiet, arguments.full));
    deliver(file, |out| report::write(&report, &cards, format, style, out))?;
    if let Some(file) = &arguments.ratchet {
        let fallen = ratchet::hold(file, &report, arguments.quiet)?;
        if !fallen.is_empty() {
            outcome = Outcome::Findings;
        }
        unmet.extend(fallen);
    }
    if !arguments.quiet {
        tell(&unmet);
    }
    Ok(outcome)
}

/// What a scan is asked besides its rules: the part that it tells of, and what does not count.
pub(super) struct Asked {
    narrowing: Option<Narrowing>,
    edited: Contents,
    baseline: Option<Baseline>,
}

impl Asked {
    fn of(arguments: &ScanArgs) -> Result<Self, Failure> {
        let baseline = arguments.baseline.as_deref().map(baseline::read).transpose()?;
        let (narrowing, edited) = narrowing(&arguments.part)?;
        Ok(Asked { narrowing, edited, baseline })
    }

    fn options(&self, input: &ManyInputs, judged: &Judged) -> Result<Options, Failure> {
        let options = input::options(input, self.narrowing == Some(Narrowing::Staged))?;
        let (narrowing, edited) = (self.narrowing.clone(), self.edited.clone());
        let (against, facts) = (judged.against.clone(), judged.facts.clone());
        Ok(Options { against, edited, narrowing, facts, ..options })
    }

    /// Scans, and leaves what counts.
    pub(super) fn judge(&self, options: &Options, choice: &Choice, quiet: bool) -> Result<Report, Failure> {
        let mut report = scanned(options, choice, quiet)?;
        if let Some(baseline) = &self.baseline {
            report.hold_against(baseline, &choice.rules);
        }
        scan::narrow(&mut report, options, &choice.rules, &scan::Silent)?;
        Ok(report)
    }
}

/// `--verbose`: what was read and recognised, and what was left out.
fn explain(report: &Report, options: &Options, choice: &Choice, arguments: &ScanArgs) -> Result<(), Failure> {
    let named = arguments.input.config.clone();
    let in_force = (!options.config.is_default()).then(|| options.config.directory.join(FILE_NAME));
    let settings = named.or(in_force).map(|file| file.display().to_string());
    // Of the index of git, nothing was left out that lies on the disk.
    let left_out = if arguments.part.staged { Vec::new() } else { scan::left_out(options)? };
    let rules = (choice.rules.rules().count(), choice.all.rules().count());
    let mut text = Vec::new();
    // Memory takes all, and a closed pipe is no reason to complain.
    let _ = report::verbose::write(report, &report::verbose::Asked { settings, rules, left_out }, &mut text)
        .and_then(|()| std::io::stderr().lock().write_all(&text));
    Ok(())
}

fn format(arguments: &ScanArgs) -> Result<report::Format, Failure> {
    let format = report::Format::from(arguments.format);
    match format {
        report::Format::Sarif if arguments.sarif_per_service && !arguments.statistics => {
            Ok(report::Format::SarifByService)
        }
        _ if !arguments.statistics => Ok(format),
        report::Format::Text | report::Format::Concise => Ok(report::Format::Statistics),
        report::Format::Markdown => Ok(report::Format::MarkdownStatistics),
        _ => Err(Failure::said(
            "`--statistics` counts for people, and this format is for programs",
            "leave one of the two out, or take `--format text`, `concise` or `markdown`",
        )),
    }
}

/// What takes the place of files.
type Contents = BTreeMap<PathBuf, Vec<u8>>;

/// The part that is asked for, and the content of what is handed in.
fn narrowing(part: &Part) -> Result<(Option<Narrowing>, Contents), Failure> {
    if part.staged {
        return Ok((Some(Narrowing::Staged), BTreeMap::new()));
    }
    if let Some(revision) = &part.changed {
        return Ok((Some(Narrowing::Since(revision.clone())), BTreeMap::new()));
    }
    let Some(path) = part.stdin_filename.clone() else { return Ok((None, BTreeMap::new())) };
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MAX_STDIN_BYTES).read_to_end(&mut bytes);
    read.map_err(|error| {
        Failure::said(format!("cannot read standard input: {error}"), "pipe the content of the file into it")
    })?;
    Ok((Some(Narrowing::File(path.clone())), BTreeMap::from([(path, bytes)])))
}

/// More than any file may have that is read.
const MAX_STDIN_BYTES: u64 = 64 << 20;

/// A scan without what is suppressed, for a baseline of it.
pub(super) fn judge(input: &ManyInputs, judged: &Judged, quiet: bool) -> Result<Report, Failure> {
    let asked = Asked { narrowing: None, edited: BTreeMap::new(), baseline: None };
    let options = asked.options(input, judged)?;
    asked.judge(&options, &choose(judged, &options.config)?, quiet)
}

/// Scans, and takes out what comments, contracts and settings of parts suppress.
fn scanned(options: &Options, choice: &Choice, quiet: bool) -> Result<Report, Failure> {
    let bar = Bar::new(quiet);
    let scanned = scan::scan(options, &choice.rules, &bar);
    bar.finish();
    let mut report = scanned?;
    report.suppress(&choice.rules, Some(&choice.all));
    choice.settle(&mut report)?;
    Ok(report)
}

/// What the command line asks for and the settings choose.
fn choose(judged: &Judged, config: &Config) -> Result<Choice, Failure> {
    let Judged { select, ignore, depth, .. } = judged;
    Ok(Choice::of(rule_set::all(config)?, config, scan::Asked { select, ignore, depth: depth.map(Depth::from) })?)
}
