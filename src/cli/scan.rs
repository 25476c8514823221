//! `treaty scan`: compare services with their contracts.

use super::args::ScanArgs;
use super::demands::{Demands, tell};
use super::failure::Failure;
use super::output::{deliver, style};
use super::progress::Bar;
use super::{Outcome, input, rule_set};
use crate::config::{Config, FailOn};
use crate::finding::Severity;
use crate::report::{self, RuleCard};
use crate::rules::RuleSet;
use crate::scan::{self, Options, Report};

pub(super) fn run(arguments: &ScanArgs) -> Result<Outcome, Failure> {
    let options = Options {
        against: arguments.against.clone(),
        facts: arguments.facts.clone(),
        ..input::options(&arguments.input)?
    };
    let rules = choose(arguments, &options.config)?;
    let cards = rule_set::cards(&rules);
    let bar = Bar::new(arguments.quiet);
    let scanned = scan::scan(&options, &rules, &bar);
    bar.finish();
    let mut report = scanned?;
    override_severities(&mut report, &options.config, &cards);
    report.suppress(&rules, &rule_set::all(&options.config)?);

    let file = arguments.output.as_deref();
    let style = style(file, (arguments.quiet, arguments.full));
    deliver(file, |out| report::write(&report, &cards, arguments.format.into(), style, out))?;
    let fail_on = arguments.fail_on.map(FailOn::from).or(options.config.fail_on).unwrap_or(FailOn::Error);
    let demands = Demands { fail_on, strict: arguments.strict, min_verified: arguments.min_verified };
    let (outcome, unmet) = demands.judge(&report);
    if !arguments.quiet {
        tell(&unmet);
    }
    Ok(outcome)
}

/// `--select` replaces what the configuration selects; `--ignore` adds to what it ignores.
fn choose(arguments: &ScanArgs, config: &Config) -> Result<RuleSet, Failure> {
    // A severity for a rule that does not exist is a typing error too.
    let adjusted: Vec<String> = config.severities.iter().map(|(code, _)| code.clone()).collect();
    rule_set::choose(config, &adjusted, &[])?;
    let select = if arguments.select.is_empty() { &config.select } else { &arguments.select };
    let ignore: Vec<String> = config.ignore.iter().chain(&arguments.ignore).cloned().collect();
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
