//! The rules as the command line needs them. The only place that knows how rules are loaded and chosen.

use std::path::Path;

use super::Outcome;
use super::failure::Failure;
use crate::config::nearest;
use crate::report::RuleCard;
use crate::rules::RuleSet;

/// The rules of a run, and what the report says about them.
pub(super) struct Chosen {
    pub(super) rules: RuleSet,
    pub(super) cards: Vec<RuleCard>,
}

/// Rules by code or family: all of `select` (every rule where empty) but those of `ignore`.
pub(super) fn choose(select: &[String], ignore: &[String]) -> Result<Chosen, Failure> {
    let cards = all()?;
    let names = |wanted: &str, card: &RuleCard| {
        card.code == wanted || card.code.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('-'))
    };
    for wanted in select.iter().chain(ignore) {
        if !cards.iter().any(|card| names(wanted, card)) {
            return Err(unknown(wanted, &cards));
        }
    }
    let chosen = |card: &RuleCard| {
        (select.is_empty() || select.iter().any(|it| names(it, card))) && !ignore.iter().any(|it| names(it, card))
    };
    Ok(Chosen { rules: RuleSet::default(), cards: cards.into_iter().filter(chosen).collect() })
}

/// Those that look at contract documents only.
pub(super) fn about_contracts_alone() -> Result<Chosen, Failure> {
    choose(&[], &[])
}

/// Every rule.
#[allow(clippy::unnecessary_wraps, reason = "loading can fail")]
pub(super) fn all() -> Result<Vec<RuleCard>, Failure> {
    Ok(Vec::new())
}

/// One rule, by code in any casing.
pub(super) fn one(code: &str) -> Result<RuleCard, Failure> {
    let cards = all()?;
    match cards.iter().find(|card| card.code.eq_ignore_ascii_case(code)) {
        Some(card) => Ok(card.clone()),
        None => Err(unknown(code, &cards)),
    }
}

/// Runs the cases of the rules in `directory`.
pub(super) fn test(directory: &Path) -> Result<Outcome, Failure> {
    let _ = directory;
    Err(Failure::said("`treaty rules test` is not connected in this build", "build a later version"))
}

fn unknown(code: &str, cards: &[RuleCard]) -> Failure {
    let help = match nearest(code, cards.iter().map(|card| card.code.as_str())) {
        Some(code) => format!("did you mean `{code}`?"),
        None => "`treaty rules list` shows them all".to_owned(),
    };
    Failure::said(format!("there is no rule `{code}`"), help)
}
