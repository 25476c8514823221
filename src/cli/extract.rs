//! `treaty extract`: the API that the code really serves, as a document.

use super::args::{Document, ExtractArgs};
use super::failure::Failure;
use super::output::deliver;
use super::progress::Bar;
use super::{Outcome, input};
use crate::export::openapi;
use crate::report::json;
use crate::rules::RuleSet;
use crate::scan::{Options, scan};

pub(super) fn run(arguments: &ExtractArgs) -> Result<Outcome, Failure> {
    let paths: Vec<_> = arguments.path.iter().cloned().collect();
    let config = input::configuration(arguments.config.as_deref(), &paths)?;
    let bar = Bar::new(false);
    let scanned = scan(&Options { paths, config, ..Options::default() }, &RuleSet::default(), &bar);
    bar.finish();
    let report = scanned?;
    deliver(arguments.output.as_deref(), |out| match arguments.kind {
        Document::Openapi => json::write_value(&openapi(&report.project), out),
    })?;
    Ok(Outcome::Clean)
}
