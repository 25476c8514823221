//! `treaty scan`: compare services with their contracts.

use super::args::{Judged, ManyInputs, ScanArgs};
use super::demands::{Demands, tell};
use super::failure::Failure;
use super::output::{deliver, style};
use super::progress::Bar;
use super::{Outcome, baseline, input, rule_set};
use crate::config::{Config, FailOn};
use crate::finding::Severity;
use crate::report::{self, RuleCard};
use crate::rules::RuleSet;
use crate::scan::{self, Options, Report};

pub(super) fn run(arguments: &ScanArgs) -> Result<Outcome, Failure> {
    let format = format(arguments)?;
    let baseline = arguments.baseline.as_deref().map(baseline::read).transpose()?;
    let Judgement { mut report, rules, config } = judge(&arguments.input, &arguments.judged, arguments.quiet)?;
    if let Some(baseline) = &baseline {
        report.hold_against(baseline, &rules);
    }
    let cards = rule_set::cards(&rules);
    let file = arguments.output.as_deref();
    let style = style(file, (arguments.quiet, arguments.full));
    deliver(file, |out| report::write(&report, &cards, format, style, out))?;
    let fail_on = arguments.fail_on.map(FailOn::from).or(config.fail_on).unwrap_or(FailOn::Error);
    let demands = Demands { fail_on, strict: arguments.strict, min_verified: arguments.min_verified };
    let (outcome, unmet) = demands.judge(&report);
    if !arguments.quiet {
        tell(&unmet);
    }
    Ok(outcome)
}

fn format(arguments: &ScanArgs) -> Result<report::Format, Failure> {
    let format = report::Format::from(arguments.format);
    match format {
        _ if !arguments.statistics => Ok(format),
        report::Format::Text | report::Format::Concise => Ok(report::Format::Statistics),
        report::Format::Markdown => Ok(report::Format::MarkdownStatistics),
        _ => Err(Failure::said(
            "`--statistics` counts for people, and this format is for programs",
            "leave one of the two out, or take `--format text`, `concise` or `markdown`",
        )),
    }
}

/// A scan without what is suppressed.
pub(super) struct Judgement {
    pub(super) report: Report,
    /// Those that were run.
    pub(super) rules: RuleSet,
    pub(super) config: Config,
}

/// Scans what the arguments name, and takes out what comments and contracts suppress.
pub(super) fn judge(input: &ManyInputs, judged: &Judged, quiet: bool) -> Result<Judgement, Failure> {
    let options = Options { against: judged.against.clone(), facts: judged.facts.clone(), ..input::options(input)? };
    let rules = choose(judged, &options.config)?;
    let bar = Bar::new(quiet);
    let scanned = scan::scan(&options, &rules, &bar);
    bar.finish();
    let mut report = scanned?;
    override_severities(&mut report, &options.config, &rule_set::cards(&rules));
    report.suppress(&rules, Some(&rule_set::all(&options.config)?));
    Ok(Judgement { report, rules, config: options.config })
}

/// `--select` replaces what the configuration selects; `--ignore` adds to what it ignores.
fn choose(judged: &Judged, config: &Config) -> Result<RuleSet, Failure> {
    // A severity for a rule that does not exist is a typing error too.
    let adjusted: Vec<String> = config.severities.iter().map(|(code, _)| code.clone()).collect();
    rule_set::choose(config, &adjusted, &[])?;
    let select = if judged.select.is_empty() { &config.select } else { &judged.select };
    let ignore: Vec<String> = config.ignore.iter().chain(&judged.ignore).cloned().collect();
    rule_set::choose(config, select, &ignore)
}

/// A configured severity takes the place of the rule's own. A finding that its check had made milder than its rule
/// never gets more severe by it.
pub(super) fn override_severities(report: &mut Report, config: &Config, cards: &[RuleCard]) {
    if config.severities.is_empty() {
        return;
    }
    for finding in &mut report.findings {
        let configured = config.severities.iter().find(|(code, _)| code.eq_ignore_ascii_case(&finding.rule));
        let Some((_, configured)) = configured else { continue };
        let own = cards.iter().find(|card| card.code == finding.rule).map_or(Severity::Error, |card| card.severity);
        finding.severity = if finding.severity < own { finding.severity.min(*configured) } else { *configured };
    }
}
