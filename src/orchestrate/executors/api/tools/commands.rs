//! Commands that the settings allow.

use std::path::Path;
use std::time::{Duration, Instant};

use super::place::place;
use super::{Arguments, Failed, Given, Tools};
use crate::process::{Ended, Limits, command, run as run_process, tail};

/// How long a command may take.
const TIME: Duration = Duration::from_mins(10);
/// Of what a command says, the end that is looked at.
const SAID: u64 = 64 << 10;

pub(super) fn run(tools: &mut Tools<'_>, arguments: &Arguments<'_>) -> Given {
    let words = arguments.words("command")?;
    let folder = place(tools.job.worktree, arguments.maybe_text("folder")?.unwrap_or(""))?;
    let allowed = |it: &&Vec<String>| words.len() >= it.len() && it.iter().zip(&words).all(|(may, word)| may == word);
    if !tools.commands.iter().any(|it| allowed(&it)) {
        let known: Vec<String> = tools.commands.iter().map(|it| format!("`{}`", it.join(" "))).collect();
        return Err(Failed::Said(format!("refused: commands begin with {}", known.join(" or "))));
    }
    if !folder.path.is_dir() {
        return Err(Failed::Said(format!("{} is no folder", folder.name)));
    }
    execute(tools, &words, &folder.path)
}

/// Searches the web with the command of the settings.
pub(super) fn search(tools: &mut Tools<'_>, arguments: &Arguments<'_>) -> Given {
    let query = arguments.text("query")?.trim();
    // What begins with a dash is an option to most programs.
    if query.is_empty() || query.starts_with('-') {
        return Err(Failed::Form("`query` is what to look for: words, of which the first has no dash".to_owned()));
    }
    let words: Vec<String> = tools.search.iter().map(|it| it.replace(QUERY, query)).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    execute(tools, &words, tools.job.worktree)
}

/// Where the words of a search stand in its command.
const QUERY: &str = "{query}";

/// Runs a program with its arguments, and gives what it says and how it ended.
fn execute(tools: &Tools<'_>, words: &[&str], folder: &Path) -> Given {
    let mut started = command(words[0], folder, tools.environment);
    started.args(&words[1..]);
    // Beside the transcript, so that what an interrupted attempt left behind is found by its number.
    let log = tools.job.log.with_extension("command");
    let left = tools.until.saturating_duration_since(Instant::now());
    let limits = Limits { time: left.min(TIME), idle: tools.job.limits.idle };
    let ended = run_process(started, &log, limits, tools.cancel).map_err(|error| format!("{}: {error}", words[0]))?;
    let said = tail(&log, SAID);
    let how = match ended {
        Ended::Exited(status) if status.success() => return Ok(format!("{said}\n[it succeeded]")),
        Ended::Exited(status) => format!("it ended with {status}"),
        Ended::TimedOut => format!("it ran longer than {} s and was ended", limits.time.as_secs()),
        Ended::Idle => format!("it said nothing for {} s and was ended", limits.idle.as_secs()),
        Ended::Cancelled | Ended::Enough => "it was ended, as the whole work".to_owned(),
    };
    Ok(format!("{said}\n[{how}]"))
}
