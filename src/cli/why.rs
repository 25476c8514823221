//! `treaty why`: how an operation was found, or why not.

use super::args::WhyArgs;
use super::failure::Failure;
use super::output::deliver;
use super::progress::Bar;
use super::{Outcome, input, rule_set};
use crate::model::{Method, PathTemplate};
use crate::report::why;
use crate::rules::Selection;
use crate::scan::scan;

pub(super) fn run(arguments: &WhyArgs) -> Result<Outcome, Failure> {
    let Some((method, path)) = parse(&arguments.operation) else {
        return Err(Failure::said(
            format!("`{}` is not an operation", arguments.operation),
            "write a method and a path in one argument: `treaty why \"GET /users/{id}\"`",
        ));
    };
    let options = input::options(&arguments.input, false)?;
    let rules = rule_set::choose(&options.config, &Selection::default())?;
    let bar = Bar::new(false);
    let scanned = scan(&options, &rules, &bar);
    bar.finish();
    let report = scanned?;
    let mut known = false;
    deliver(None, |out| {
        known = why::write(&report, method, &path, out)?;
        Ok(())
    })?;
    Ok(if known { Outcome::Clean } else { Outcome::Findings })
}

fn parse(text: &str) -> Option<(Method, PathTemplate)> {
    let (method, path) = text.trim().split_once(char::is_whitespace)?;
    let path = path.trim();
    Some((Method::parse(method)?, PathTemplate::new(path))).filter(|_| path.starts_with('/'))
}
