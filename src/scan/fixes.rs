//! Fixes of findings as new contents of files. What overlaps is left to the next run over what the ones before made.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::Report;
use super::decode::{decode, encode};
use crate::finding::{Edit, Finding, Fix, Safety, Side};
use crate::text::FileId;

/// Which fixes are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fixing {
    /// Those that somebody has to look at, too.
    pub with_unsafe: bool,
    /// Of findings about two that disagree, those that change this one; none where nothing is said.
    pub side: Option<Side>,
}

/// A file that fixes change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// As shown.
    pub name: String,
    pub before: String,
    pub after: String,
    /// What lay there when it was scanned.
    pub had: Vec<u8>,
    /// What is to lie there, in the file's own encoding.
    pub bytes: Vec<u8>,
}

/// What the fixes of one run come to.
#[derive(Clone, Debug, Default)]
pub struct Fixed {
    /// By absolute path.
    pub files: BTreeMap<PathBuf, Rewritten>,
    /// Fixes that are in them.
    pub applied: usize,
    /// Fixes that are wanted and cannot be applied, each with the reason.
    pub refused: Vec<String>,
}

impl Fixing {
    /// The fix that is wanted of a finding.
    fn of(self, finding: &Finding) -> Option<&Fix> {
        let is_wanted = |fix: &&Fix| {
            (self.with_unsafe || fix.safety == Safety::Safe)
                && (finding.contract.is_none() || self.side == Some(fix.side))
        };
        finding.fixes.iter().find(is_wanted)
    }
}

/// Applies the wanted fixes of a run's findings to the files as `edited` or the disk have them. Of fixes that overlap, the
/// first is applied; the same change is made once. Nothing is written.
pub fn fixed(
    report: &Report,
    fixing: Fixing,
    edited: &BTreeMap<PathBuf, Vec<u8>>,
    without: &BTreeSet<PathBuf>,
) -> Fixed {
    let mut fixed = Fixed::default();
    let mut accepted: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
    let mut refused: BTreeSet<String> = BTreeSet::new();
    let mut contents: BTreeMap<FileId, Result<(PathBuf, Vec<u8>), String>> = BTreeMap::new();
    for fix in report.findings.iter().filter_map(|finding| fixing.of(finding)) {
        let mut is_possible = !fix.edits.is_empty();
        for file in fix.edits.iter().map(|edit| edit.span.file) {
            let content = contents.entry(file).or_insert_with(|| content(report, file, edited, without));
            if let Err(reason) = content {
                refused.insert(format!("{}: {reason}", report.project.sources.get(file).path));
                is_possible = false;
            }
        }
        let text = |edit: &Edit| &report.project.sources.get(edit.span.file).text;
        let is_place = |edit: &Edit| text(edit).get(edit.span.start as usize..edit.span.end as usize).is_some();
        if !is_possible || !fix.edits.iter().all(is_place) {
            continue;
        }
        let known = |edit: &Edit| accepted.get(&edit.span.file).into_iter().flatten();
        let is_free = |edit: &Edit| known(edit).all(|other| **other == *edit || !overlap(other, edit));
        if !fix.edits.iter().all(is_free) {
            continue;
        }
        for edit in &fix.edits {
            let of_file = accepted.entry(edit.span.file).or_default();
            if !of_file.contains(&edit) {
                of_file.push(edit);
            }
        }
        fixed.applied += 1;
    }
    for (file, mut edits) in accepted {
        let Some(Ok((path, bytes))) = contents.remove(&file) else { continue };
        let source = report.project.sources.get(file);
        edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
        let after = rewritten(&source.text, &edits);
        match encode(&after, &bytes, &path) {
            Some(new) if after != *source.text => {
                let (name, before) = (source.path.clone(), source.text.to_string());
                fixed.files.insert(path, Rewritten { name, before, after, had: bytes, bytes: new });
            }
            Some(_) => {}
            None => {
                refused.insert(format!("{}: its encoding has no letters for what would stand there", source.path));
            }
        }
    }
    fixed.refused = refused.into_iter().collect();
    fixed
}

/// Two places share something, or something would be put into one place twice.
fn overlap(a: &Edit, b: &Edit) -> bool {
    let (one, other) = (a.span, b.span);
    (one.start < other.end && other.start < one.end)
        || one.start == other.start
        || (one.start == one.end && other.start < one.start && one.start < other.end)
        || (other.start == other.end && one.start < other.start && other.start < one.end)
}

/// The text with its edits, which are sorted and share nothing, in the line ends of the text.
fn rewritten(text: &str, edits: &[&Edit]) -> String {
    let is_crlf = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for edit in edits {
        out.push_str(&text[done..edit.span.start as usize]);
        let new = edit.text.replace("\r\n", "\n");
        out.push_str(&if is_crlf { new.replace('\n', "\r\n") } else { new });
        done = edit.span.end as usize;
    }
    out.push_str(&text[done..]);
    out
}

/// Where a file lies and what it has, if it may be changed and is what was scanned.
fn content(
    report: &Report,
    file: FileId,
    edited: &BTreeMap<PathBuf, Vec<u8>>,
    without: &BTreeSet<PathBuf>,
) -> Result<(PathBuf, Vec<u8>), String> {
    let source = report.project.sources.get(file);
    if !report.now.contains(&file) || report.base.as_os_str().is_empty() {
        return Err("it is no file of now".to_owned());
    }
    let path = report.base.join(&source.path);
    if without.contains(&path) {
        return Err("a fix of it made something that cannot be read".to_owned());
    }
    if !is_inside(&path, &report.base) {
        return Err("it lies outside of what is scanned".to_owned());
    }
    let bytes = match edited.get(&path) {
        Some(bytes) => bytes.clone(),
        None => fs::read(&path).map_err(|error| error.to_string())?,
    };
    let is_same = decode(bytes.clone(), &path).is_some_and(|it| !it.is_mended && it.text == *source.text);
    if !is_same || encode(&source.text, &bytes, &path).as_ref() != Some(&bytes) {
        return Err("it was changed, or its encoding is not known well enough to write it".to_owned());
    }
    Ok((path, bytes))
}

/// Writes a file anew, whole or not at all, if it still has what it had; who may read it stays.
///
/// # Errors
/// The file was changed in between, or cannot be written.
pub fn rewrite(path: &Path, had: &[u8], bytes: &[u8]) -> std::io::Result<()> {
    if fs::read(path)? != had {
        return Err(std::io::Error::other("it was changed while it was scanned"));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.treaty-{}", std::process::id()));
    let permissions = fs::metadata(path)?.permissions();
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(&beside)?;
    let write = || {
        // Before there is anything to read.
        file.set_permissions(permissions)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        drop(file);
        fs::rename(&beside, path)
    };
    write().inspect_err(|_| {
        // Nothing is left of what could not be done.
        let _ = fs::remove_file(&beside);
    })
}

/// Whether a path lies below a directory, links resolved.
fn is_inside(path: &Path, base: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    let is_link = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
    path.starts_with(base) && !is_link && real(path).zip(real(base)).is_some_and(|(path, base)| path.starts_with(base))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Span;

    fn edit(start: usize, end: usize, text: &str) -> Edit {
        Edit { span: Span::new(FileId(0), start, end), text: text.to_owned() }
    }

    #[test]
    fn edits_keep_the_ends_of_lines() {
        let edits = [edit(1, 1, "\nb"), edit(3, 4, "d\r\ne")];
        let edits: Vec<&Edit> = edits.iter().collect();
        assert_eq!(rewritten("a\nxc", &edits[..1]), "a\nb\nxc");
        assert_eq!(rewritten("a\r\nc", &edits), "a\r\nb\r\nd\r\ne");
    }

    #[test]
    fn what_touches_does_not_overlap_and_two_insertions_at_one_place_do() {
        let cases = [((0, 2), (2, 4), false), ((0, 3), (2, 4), true), ((2, 2), (2, 2), true), ((1, 1), (0, 2), true)];
        for ((a, b), (c, d), expected) in cases {
            assert_eq!(overlap(&edit(a, b, ""), &edit(c, d, "")), expected, "{a} {b} {c} {d}");
            assert_eq!(overlap(&edit(c, d, ""), &edit(a, b, "")), expected, "{c} {d} {a} {b}");
        }
    }
}
