//! What comments say, whatever stands in them.

use proptest::prelude::*;

use super::comments::read;
use super::{Directive, Scope};
use crate::finding::ProblemKind;
use crate::text::{SourceFile, Sources};

/// What the comments of a text say; each `«…»` is a comment, without those signs.
fn said(marked: &str) -> (Sources, Vec<Directive>, Vec<ProblemKind>) {
    let (mut text, mut comments, mut open) = (String::new(), Vec::new(), 0);
    for c in marked.chars() {
        match c {
            '«' => open = text.len() as u32,
            '»' => comments.push((open, text.len() as u32)),
            c => text.push(c),
        }
    }
    let mut sources = Sources::default();
    let file = sources.add(SourceFile::new("a.ts", text));
    let (directives, problems) = read(&sources, file, &comments);
    (sources, directives, problems.iter().map(|problem| problem.kind).collect())
}

fn lines(marked: &str) -> Vec<(u32, u32)> {
    let of = |directive: &Directive| match directive.scope {
        Scope::Lines { lines, .. } => lines,
        _ => (0, 0),
    };
    said(marked).1.iter().map(of).collect()
}

#[test]
fn lines_are_those_of_the_code_that_a_comment_is_about() {
    for (marked, expected) in [
        ("a «// treaty: ignore[A-1]»\nb\n", (1, 1)),
        ("«// treaty: ignore[A-1]»\nb\n", (1, 2)),
        ("«// treaty: ignore[A-1]»\r\n«// more»\r\n\tb\r\n", (1, 3)),
        ("«/* treaty: ignore[A-1] */» b\nc", (1, 1)),
        ("«/**\n * treaty: ignore[A-1]\n * why\n */»\nb\nc", (2, 5)),
        ("  {«/* treaty: ignore[A-1] */»}\n  <a/>", (1, 2)),
        ("«// treaty: ignore[A-1]»\n\nb", (1, 1)),
        ("«// treaty: ignore[A-1]»", (1, 1)),
        ("a\n«// treaty: ignore[A-1]»\n", (2, 2)),
    ] {
        assert_eq!(lines(marked), [expected], "{marked}");
    }
}

#[test]
fn several_in_one_place_all_hold() {
    let marked = "«// treaty: ignore[A-1] one»\n«// treaty: ignore[B-1, B-2]: two»\nb";
    assert_eq!(lines(marked), [(1, 3), (2, 3)]);
    let (_, directives, problems) = said(marked);
    let names: Vec<Vec<&str>> =
        directives.iter().map(|it| it.names.iter().map(|(name, _)| name.as_str()).collect()).collect();
    assert_eq!(names, [vec!["A-1"], vec!["B-1", "B-2"]]);
    let reasons: Vec<_> = directives.iter().map(|it| it.reason.as_deref()).collect();
    assert_eq!((reasons, problems), (vec![Some("one"), Some("two")], vec![]));
}

proptest! {
    #[test]
    fn no_comment_makes_it_fail(text in "[a-z\\[\\],:#/* {}\n\rü世-]{0,60}", word in "(treaty: ?(ignore(-file)?)?)?", rest in "[A-Z0-9\\[\\], \n-]{0,20}") {
        let (sources, directives, _) = said(&format!("{text}«# {word}{rest}»{text}"));
        for directive in directives {
            prop_assert!(word.contains("ignore") || text.contains("treaty"));
            prop_assert!(!directive.names.is_empty() || directive.scope == Scope::File(directive.place.file));
            prop_assert!(sources.snippet(directive.place).starts_with("treaty:"));
        }
    }
}
