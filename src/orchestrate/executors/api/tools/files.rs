//! Files of the checkout: read, listed, searched, written, edited.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::place::{Place, place};
use super::{Arguments, Failed, Given, MAX_GIVEN, Tools};

/// Bytes of a file that is read; a larger one is refused.
const MAX_FILE: u64 = 4 << 20;
/// Files that a list names, and lines that a search finds; the others are counted.
const MAX_LISTED: usize = 400;
/// Characters of a line that a search shows; the rest of a longer one is left out.
const MAX_LINE: usize = 240;

/// The text of a file that is there.
fn text_of(it: &Place) -> Result<String, Failed> {
    let metadata = fs::metadata(&it.path).map_err(|error| Failed::Said(format!("{}: {error}", it.name)))?;
    if !metadata.is_file() {
        return Err(Failed::Said(format!("{} is no file", it.name)));
    }
    if metadata.len() > MAX_FILE {
        return Err(Failed::Said(format!("{} is larger than {MAX_FILE} bytes", it.name)));
    }
    let bytes = fs::read(&it.path).map_err(|error| Failed::Said(format!("{}: {error}", it.name)))?;
    String::from_utf8(bytes).map_err(|_| Failed::Said(format!("{} is no text", it.name)))
}

pub(super) fn read(tools: &mut Tools<'_>, arguments: &Arguments<'_>) -> Given {
    let it = place(tools.job.worktree, arguments.text("path")?)?;
    let text = text_of(&it)?;
    let total = text.lines().count();
    let first = arguments.number("first_line")?.unwrap_or(1);
    let wanted = arguments.number("lines")?.unwrap_or(usize::MAX);
    if total == 0 {
        return Ok(format!("{} is empty", it.name));
    }
    let (mut shown, mut out) = (0, String::new());
    for line in text.split_inclusive('\n').skip(first - 1).take(wanted) {
        if out.len() + line.len() > MAX_GIVEN - 200 && shown > 0 {
            break;
        }
        out.push_str(line);
        shown += 1;
    }
    let last = first - 1 + shown;
    if shown < total {
        let more = if last < total { format!("; read on with first_line {}", last + 1) } else { String::new() };
        let _ = write!(out, "\n[lines {first} to {last} of {total}{more}]");
    }
    Ok(out)
}

/// Files below a place, in their order, with their names.
fn below(root: &Path, it: &Place) -> Vec<(PathBuf, String)> {
    let mut walk = WalkBuilder::new(&it.path);
    // What lies above the checkout is not its own: its rules may leave all of it out.
    walk.hidden(false).parents(false).git_global(false).follow_links(false).sort_by_file_name(Ord::cmp);
    walk.filter_entry(|entry| entry.file_name() != ".git");
    let files = walk.build().flatten().filter(|it| it.file_type().is_some_and(|it| it.is_file()));
    files
        .filter_map(|it| {
            let name = it.path().strip_prefix(root).ok()?.to_string_lossy().replace('\\', "/");
            Some((it.into_path(), name))
        })
        .collect()
}

fn start(tools: &Tools<'_>, arguments: &Arguments<'_>) -> Result<Place, Failed> {
    let written = arguments.maybe_text("path")?.unwrap_or("");
    let it = place(tools.job.worktree, written)?;
    if it.path.exists() { Ok(it) } else { Err(Failed::Said(format!("there is no `{written}`"))) }
}

pub(super) fn list(tools: &mut Tools<'_>, arguments: &Arguments<'_>) -> Given {
    let it = start(tools, arguments)?;
    let files = below(tools.job.worktree, &it);
    if files.is_empty() {
        return Ok("no files".to_owned());
    }
    let mut out: Vec<&str> = files.iter().take(MAX_LISTED).map(|it| it.1.as_str()).collect();
    let more = format!("[{} more: list a folder of them]", files.len().saturating_sub(MAX_LISTED));
    if files.len() > MAX_LISTED {
        out.push(&more);
    }
    Ok(out.join("\n"))
}

pub(super) fn search(tools: &mut Tools<'_>, arguments: &Arguments<'_>) -> Given {
    let it = start(tools, arguments)?;
    let (text, loosely) = (arguments.text("text")?, arguments.flag("ignore_case")?);
    if text.is_empty() {
        return Err(Failed::Form("`text` is empty".to_owned()));
    }
    let wanted = if loosely { text.to_lowercase() } else { text.to_owned() };
    let (mut out, mut found) = (Vec::new(), 0_usize);
    for (path, name) in below(tools.job.worktree, &it) {
        let Ok(text) = text_of(&Place { path, name: name.clone() }) else { continue };
        for (at, line) in text.lines().enumerate() {
            let fits = if loosely { line.to_lowercase().contains(&wanted) } else { line.contains(&wanted) };
            if !fits {
                continue;
            }
            found += 1;
            if found <= MAX_LISTED {
                let shown: String = line.chars().take(MAX_LINE).collect();
                out.push(format!("{name}:{}: {shown}", at + 1));
            }
        }
    }
    if found == 0 {
        return Ok("nothing found".to_owned());
    }
    if found > MAX_LISTED {
        out.push(format!("[{} more lines]", found - MAX_LISTED));
    }
    Ok(out.join("\n"))
}

/// A place that the task may change.
fn changeable(tools: &mut Tools<'_>, arguments: &Arguments<'_>) -> Result<Place, Failed> {
    let it = place(tools.job.worktree, arguments.text("path")?)?;
    let scope = &tools.job.task.scope;
    if it.name.is_empty() || !scope.permits(&it.name) {
        let words = format!(
            "refused: {} is outside of what {} may change, which is {}{}",
            if it.name.is_empty() { "the root" } else { &it.name },
            tools.job.task.id,
            if scope.allowed.is_empty() { "nothing".to_owned() } else { scope.allowed.join(", ") },
            if scope.forbidden.is_empty() {
                String::new()
            } else {
                format!(", and never {}", scope.forbidden.join(", "))
            },
        );
        tools.refused.insert(it.name);
        return Err(Failed::Said(words));
    }
    Ok(it)
}

fn put(tools: &mut Tools<'_>, it: &Place, text: &str) -> Result<bool, Failed> {
    let error = |error: std::io::Error| Failed::Said(format!("{}: {error}", it.name));
    let metadata = fs::symlink_metadata(&it.path);
    if metadata.as_ref().is_ok_and(|it| !it.is_file()) {
        return Err(Failed::Said(format!("{} is no file", it.name)));
    }
    if let Some(folder) = it.path.parent() {
        fs::create_dir_all(folder).map_err(error)?;
    }
    fs::write(&it.path, text).map_err(error)?;
    let is_new = metadata.is_err();
    if is_new {
        tools.created.insert(it.name.clone());
    } else if !tools.created.contains(&it.name) {
        tools.modified.insert(it.name.clone());
    }
    Ok(is_new)
}

pub(super) fn write(tools: &mut Tools<'_>, arguments: &Arguments<'_>) -> Given {
    let content = arguments.text("content")?;
    let it = changeable(tools, arguments)?;
    let is_new = put(tools, &it, content)?;
    Ok(format!("{} {}, {} lines", it.name, if is_new { "is made" } else { "is written" }, content.lines().count()))
}

pub(super) fn edit(tools: &mut Tools<'_>, arguments: &Arguments<'_>) -> Given {
    let (old, new, all) = (arguments.text("old")?, arguments.text("new")?, arguments.flag("all")?);
    if old.is_empty() {
        return Err(Failed::Form("`old` is empty: write_file writes whole files".to_owned()));
    }
    let it = changeable(tools, arguments)?;
    let text = text_of(&it)?;
    // A model writes ends of lines in one way, whatever the file has.
    let returns = text.contains("\r\n") && !old.contains('\r');
    let with_returns = |text: &str| if returns { text.replace('\n', "\r\n") } else { text.to_owned() };
    let (old, new) = (with_returns(old), with_returns(new));
    let count = text.matches(&old).count();
    match count {
        0 => Err(Failed::Said(format!("`old` does not stand in {}: read the file as it is now", it.name))),
        2.. if !all => Err(Failed::Said(format!(
            "`old` stands {count} times in {}: name more of what is around it, or set `all`",
            it.name
        ))),
        _ => {
            put(tools, &it, &text.replace(&old, &new))?;
            Ok(format!("{} is changed in {count} {}", it.name, if count == 1 { "place" } else { "places" }))
        }
    }
}
