//! `treaty extract`: the API that the code really serves, as a document.

use std::io::Write;

use super::args::{Document, ExtractArgs};
use super::failure::Failure;
use super::output::deliver;
use super::progress::Bar;
use super::{Outcome, input};
use crate::export::{asyncapi, json_schema, openapi};
use crate::facts;
use crate::report::json;
use crate::rules::RuleSet;
use crate::scan::{Options, scan};

pub(super) fn run(arguments: &ExtractArgs) -> Result<Outcome, Failure> {
    let paths: Vec<_> = arguments.path.iter().cloned().collect();
    let config = input::configuration(arguments.config.as_deref(), &paths)?;
    let bar = Bar::new(false);
    let scanned = scan(
        &Options {
            paths,
            config,
            all_models: matches!(arguments.kind, Document::Facts | Document::JsonSchema),
            ..Options::default()
        },
        &RuleSet::default(),
        &bar,
    );
    bar.finish();
    let mut report = scanned?;
    if !report.unasked.is_empty() {
        report.project.narrow(|span| !report.unasked.contains(&span.file));
    }
    deliver(arguments.output.as_deref(), |out| match arguments.kind {
        Document::Openapi => json::write_value(&openapi(&report.project), out),
        Document::Asyncapi => json::write_value(&asyncapi(&report.project), out),
        Document::JsonSchema => json::write_value(&json_schema(&report.project), out),
        Document::Facts => out.write_all(facts::write(&report.project, &report.here).as_bytes()),
    })?;
    Ok(Outcome::Clean)
}
