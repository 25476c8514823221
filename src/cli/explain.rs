//! `treaty explain`: what rules are about, to be read in a terminal.

use std::io::Write;

use super::args::ExplainArgs;
use super::failure::Failure;
use super::output::{deliver, style};
use super::{Outcome, rule_set, rules};
use crate::report::explain;
use crate::rules::Rule;

pub(super) fn run(arguments: &ExplainArgs) -> Result<Outcome, Failure> {
    let known = rule_set::all(&rules::configuration()?)?;
    let mut asked: Vec<Asked<'_>> = Vec::new();
    for name in &arguments.rules {
        let named = |rule: &&Rule| rule.name.eq_ignore_ascii_case(name);
        let family: Vec<&Rule> = known.rules().filter(|rule| rule.answers_to(name)).collect();
        asked.push(match known.get(name).or_else(|| known.rules().find(named)) {
            Some(rule) => Asked::Rule(rule),
            None if family.is_empty() => return Err(rules::unknown(&known, name)),
            None => Asked::Family(family),
        });
    }
    deliver(None, |out| {
        for (at, asked) in asked.iter().enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            match asked {
                Asked::Rule(rule) => explain::write(&rule_set::card(rule), style(None, (false, true)), out)?,
                Asked::Family(family) => rules::write_list(family, out)?,
            }
        }
        Ok(())
    })?;
    Ok(Outcome::Clean)
}

enum Asked<'r> {
    Rule(&'r Rule),
    Family(Vec<&'r Rule>),
}
