//! Components of Vue and Svelte: one file with a script, a template and styles. The scripts are TypeScript or JavaScript;
//! everything around them is blank to their parser, so that every place in them is a place in the file.

use super::typescript::{self, Dialect};
use crate::finding::Problem;
use crate::model::program::Module;
use crate::text::FileId;

/// Lowers the scripts of one file as one module. Never fails; see [`super::lower`].
pub(super) fn lower(
    file: FileId,
    path: &str,
    text: &str,
    look: &mut dyn FnMut(&super::Parsed<'_>),
) -> (Module, Vec<Problem>) {
    let (dialect, scripts) = scripts(text);
    typescript::lower_looking(dialect, file, path, &scripts, look)
}

/// The text with nothing but its scripts, and what they are written in. Bytes stay where they are.
fn scripts(text: &str) -> (Dialect, String) {
    let mut dialect = Dialect::JavaScript;
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, attributes, script, after)) = next_script(rest) {
        blank(before, &mut kept);
        if let Some(found) = dialect_of(attributes) {
            if dialect == Dialect::JavaScript {
                dialect = found;
            }
            kept.push_str(script);
            // What follows is another statement.
            kept.push(';');
            blank(&after[1..], &mut kept);
        } else {
            blank(script, &mut kept);
            blank(after, &mut kept);
        }
        rest = &rest[before.len() + script.len() + after.len()..];
    }
    blank(rest, &mut kept);
    (dialect, kept)
}

/// The next script: what stands before it with its tag, the attributes of the tag, the script, and its closing tag.
fn next_script(text: &str) -> Option<(&str, &str, &str, &str)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += text[at..].find('<')?;
        if text[at..].starts_with("<!--") {
            at += text[at..].find("-->")?;
            continue;
        }
        if is_tag(&bytes[at + 1..], b"script") {
            break;
        }
        at += 1;
    }
    let attributes = at + "<script".len();
    let mut quote = None;
    let end = bytes[attributes..].iter().position(|byte| match (quote, *byte) {
        (None, b'>') => true,
        (None, b'"' | b'\'') => {
            quote = Some(*byte);
            false
        }
        (Some(open), byte) if open == byte => {
            quote = None;
            false
        }
        _ => false,
    })?;
    let start = attributes + end + 1;
    let mut close = start;
    loop {
        close += text[close..].find("</")?;
        if is_tag(&bytes[close + 2..], b"script") {
            break;
        }
        close += 2;
    }
    let after = close + "</script".len();
    Some((&text[..start], &text[attributes..start - 1], &text[start..close], &text[close..after]))
}

/// Whether a tag of this name begins here.
fn is_tag(bytes: &[u8], name: &[u8]) -> bool {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
    bytes.len() > name.len() && bytes[..name.len()].eq_ignore_ascii_case(name) && ends(&bytes[name.len()])
}

/// What a script of these attributes is written in; `None` where it is no code of the component: data, or a text of another
/// language.
fn dialect_of(attributes: &str) -> Option<Dialect> {
    let value = |name: &str| {
        let at = attributes.match_indices(name).map(|(at, _)| at).find(|at| {
            let before = attributes[..*at].chars().next_back();
            before.is_none_or(char::is_whitespace) && attributes[at + name.len()..].starts_with('=')
        })?;
        let rest = &attributes[at + name.len() + 1..];
        let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''));
        Some(match quote {
            Some(quote) => rest[1..].split(quote).next().unwrap_or_default(),
            None => rest.split_whitespace().next().unwrap_or_default(),
        })
    };
    let written = value("lang").or_else(|| value("type")).unwrap_or("js");
    match written.to_ascii_lowercase().as_str() {
        "ts" | "typescript" | "text/typescript" => Some(Dialect::TypeScript),
        "tsx" => Some(Dialect::Tsx),
        "js" | "jsx" | "javascript" | "module" | "text/javascript" | "text/babel" => Some(Dialect::JavaScript),
        _ => None,
    }
}

/// As many bytes that say nothing, with the line breaks.
fn blank(text: &str, kept: &mut String) {
    kept.extend(text.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_scripts_are_places_of_the_file() {
        let text = "<!-- <script>no</script> -->\n<template>\n <p>ü</p></template>\n<script>\nexport const a = 1\n</script>\r\n<script setup lang=\"ts\" generic=\"T extends A<B>\">\nconst b: string = 'ü'\n</SCRIPT>\n<script type=\"application/json\">{}</script>\n<style>a > b {}</style>\n";
        let (dialect, kept) = scripts(text);
        assert_eq!(dialect, Dialect::TypeScript);
        assert_eq!(kept.len(), text.len());
        assert_eq!(kept.lines().count(), text.lines().count());
        for part in ["export const a", "const b: string = 'ü'"] {
            assert_eq!(kept.find(part), text.find(part), "{part}");
        }
        assert_eq!(
            kept.split_whitespace().collect::<Vec<_>>().join(" "),
            "export const a = 1 ; const b: string = 'ü' ;"
        );
    }

    #[test]
    fn what_ends_too_early_is_no_script() {
        for text in
            ["<script>let a = 1", "<script lang=\"ts", "</script>", "<scripts>a</scripts>", "<", "<!--", "<script"]
        {
            let (dialect, kept) = scripts(text);
            assert_eq!((dialect, kept.trim()), (Dialect::JavaScript, ""), "{text}");
        }
    }
}
