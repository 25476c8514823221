//! Long requirements, cut at their headings: parts that are written down, and what a prompt holds of them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A section: from one heading to the next one that has something below it.
#[derive(Debug)]
struct Section {
    /// The first heading in it; empty before the first one of the text.
    title: String,
    /// Headings that it stands below, and its own.
    headings: Vec<String>,
    at: Range<usize>,
}

/// The sections of a Markdown text, in order; together they are the whole text.
fn sections(text: &str) -> Vec<Section> {
    let mut found = vec![Section { title: String::new(), headings: Vec::new(), at: 0..text.len() }];
    let mut open: Vec<(usize, String)> = Vec::new();
    let mut heading: Option<(usize, usize, String)> = None;
    let mut is_bare = false;
    for (event, at) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => heading = Some((level as usize, at.start, String::new())),
            Event::End(TagEnd::Heading(_)) => {
                let Some((level, start, title)) = heading.take() else { continue };
                open.retain(|it| it.0 < level);
                open.push((level, title.trim().to_owned()));
                let (mut start, mut title) = (start, title.trim().to_owned());
                if let Some(last) = found.last_mut() {
                    last.at.end = start;
                    // A heading with nothing but another one below it says nothing alone.
                    if std::mem::take(&mut is_bare) {
                        start = last.at.start;
                        title = std::mem::take(&mut last.title);
                        found.pop();
                    }
                }
                is_bare = true;
                let headings = open.iter().map(|it| it.1.clone()).collect();
                found.push(Section { title, headings, at: start..text.len() });
            }
            Event::Text(words) | Event::Code(words) => {
                if let Some((_, _, title)) = &mut heading {
                    title.push_str(&words);
                } else {
                    is_bare = false;
                }
            }
            _ => is_bare &= heading.is_some(),
        }
    }
    found.retain(|it| !text[it.at.clone()].trim().is_empty());
    found
}

/// Where a text that is longer than `most` bytes is cut: after a paragraph, else after a line, else between two characters.
fn cut(text: &str, most: usize) -> usize {
    if text.len() <= most {
        return text.len();
    }
    let end = (1..=most).rev().find(|it| text.is_char_boundary(*it)).unwrap_or(text.len());
    let head = &text[..end];
    head.rfind("\n\n").map(|it| it + 2).or_else(|| head.rfind('\n').map(|it| it + 1)).unwrap_or(end)
}

/// A text that is not longer than `most` bytes but for the note that says how much of `what` is left out.
pub(super) fn bounded(text: &str, most: usize, what: &str) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(most);
    let end = text[..end].rfind('\n').unwrap_or(end);
    format!("{}\n\n({} bytes of {what} are left out.)\n", &text[..end], text.len() - end)
}

/// A part of long requirements.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Part<'t> {
    /// The first heading of it.
    pub title: String,
    pub text: &'t str,
}

/// A text in parts of at most `most` bytes, cut at headings where that is possible; together they are the whole text but for what is
/// blank. `most` below 4 is taken as 4: a character has to fit.
pub(super) fn parts(text: &str, most: usize) -> Vec<Part<'_>> {
    let most = most.max(4);
    let mut found: Vec<(String, Range<usize>)> = Vec::new();
    for section in sections(text) {
        match found.last_mut() {
            Some((_, last)) if section.at.end - last.start <= most => last.end = section.at.end,
            _ => {
                let mut at = section.at.clone();
                while at.len() > most {
                    let end = at.start + cut(&text[at.clone()], most);
                    found.push((section.title.clone(), at.start..end));
                    at.start = end;
                }
                found.push((section.title, at));
            }
        }
    }
    found
        .into_iter()
        .map(|(title, at)| Part { title, text: text[at].trim() })
        .filter(|it| !it.text.is_empty())
        .collect()
}

/// What a text says about `names`, in at most `most` bytes: the whole where that is short enough, else the sections that name most of
/// them, in the order of the text, and how many are left out. Empty for an empty text.
pub(super) fn about(text: &str, names: &[&str], most: usize) -> String {
    if text.trim().len() <= most {
        return text.trim().to_owned();
    }
    let sections = sections(text);
    let names: BTreeSet<String> = names.iter().flat_map(|it| words(it)).collect();
    let mut ranked: Vec<(usize, usize)> = sections
        .iter()
        .enumerate()
        .map(|(at, it)| {
            let said: BTreeSet<String> = words(&text[it.at.clone()]).collect();
            let above: BTreeSet<String> = it.headings.iter().flat_map(|it| words(it)).collect();
            // A heading says what all that stands below it is about.
            (names.intersection(&said).count() + 2 * names.intersection(&above).count(), at)
        })
        .filter(|it| it.0 > 0)
        .collect();
    ranked.sort_by_key(|(score, at)| (std::cmp::Reverse(*score), *at));
    let (mut kept, mut length) = (BTreeSet::new(), 0);
    for (_, at) in ranked {
        let size = sections[at].at.len();
        if length + size <= most {
            length += size;
            kept.insert(at);
        }
    }
    let mut out: String = kept.iter().map(|at| text[sections[*at].at.clone()].trim_end().to_owned() + "\n\n").collect();
    let left = sections.len() - kept.len();
    if left > 0 {
        let _ = write!(out, "({left} of {} sections are left out here.)", sections.len());
    }
    out.trim_end().to_owned()
}

/// Words by which two texts are held against each other: those with four letters or more, in lower case, without a plural's `s`.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|it| it.chars().count() > 3);
    words.map(|it| it.to_lowercase().trim_end_matches('s').to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = "Preface.\n\n# Shop\n\n## Orders\n\nAn order has lines.\n\n```\n# no heading\n```\n\n## Billing\n\nAn invoice is sent.\n";

    #[test]
    fn a_text_is_cut_at_its_headings() {
        let shown: Vec<String> = parts(TEXT, 70).iter().map(|it| format!("{}: {}", it.title, it.text.len())).collect();
        assert_eq!(shown, [": 8", "Shop: 60", "Billing: 31"]);
        assert_eq!(parts(TEXT, 1_000).len(), 1);
        assert_eq!(parts("", 10), []);
    }

    #[test]
    fn the_sections_that_speak_of_a_thing_are_told() {
        let told = about(TEXT, &["billing-service"], 60);
        assert!(told.starts_with("## Billing") && told.ends_with("(2 of 3 sections are left out here.)"), "{told}");
        assert_eq!(about(TEXT, &["x"], 1_000), TEXT.trim());
        assert_eq!(about(TEXT, &["nothing"], 20), "(3 of 3 sections are left out here.)");
    }

    #[test]
    fn a_long_text_is_cut_at_a_line_and_says_so() {
        let cut = bounded(&"ä line\n".repeat(5_000), 16_000, "this brief");
        assert!(cut.len() < 16_100 && cut.contains("line\n\n(") && cut.contains("bytes of this brief are left out"));
        assert_eq!(bounded("short", 16_000, "this brief"), "short");
    }

    proptest! {
        #[test]
        fn parts_are_the_whole_and_no_longer_than_allowed(text in "([a-zä#\n `|-]{0,12}\n){0,30}", most in 4usize..80) {
            let parts = parts(&text, most);
            prop_assert!(parts.iter().all(|it| it.text.len() <= most));
            let kept: String = parts.iter().flat_map(|it| it.text.split_whitespace()).collect();
            let all: String = text.split_whitespace().collect();
            prop_assert_eq!(kept, all);
        }
    }
}
