//! `treaty completions`: a completion script for a shell.

use std::io::Write;

use super::Outcome;
use super::args::{CompletionsArgs, command};
use super::failure::Failure;
use super::output::deliver;

pub(super) fn run(arguments: &CompletionsArgs) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command(), "treaty", &mut script);
    deliver(None, |out| out.write_all(&script))?;
    Ok(Outcome::Clean)
}
