//! Tests of the reader beside this file.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::finding::ProblemKind;

fn read_text(text: &str) -> Tree {
    read(FileId(0), text)
}

fn snippet<'t>(text: &'t str, node: &Node) -> &'t str {
    &text[node.span.start as usize..node.span.end as usize]
}

#[test]
fn yaml_spans_are_bytes_of_the_text_despite_wide_characters_and_crlf() {
    let text = "\u{feff}# ü 世\r\nñame: 'wört' # ü\r\nlist:\r\n  - ü1\r\n  - {a: 世界, b: [x]}\r\nnext: |\r\n  block\r\nlast:\r\n";
    let tree = read_text(text);
    assert!(tree.issues.is_empty(), "{:?}", tree.issues);
    let (key, value) = tree.root.entry("ñame").expect("the key is there");
    assert_eq!(&text[key.span.start as usize..key.span.end as usize], "ñame");
    assert_eq!(snippet(text, value), "'wört'");
    let list = tree.root.get("list").expect("the list is there");
    assert_eq!(snippet(text, list), "- ü1\r\n  - {a: 世界, b: [x]}");
    assert_eq!(snippet(text, &list.items()[1]), "{a: 世界, b: [x]}");
    assert_eq!(snippet(text, list.at(["1", "a"]).expect("the flow mapping has `a`")), "世界");
    assert!(tree.root.get("last").expect("the key is there").is_null());
    let text = "a: &x !!str # ü\n  'y' # z\n";
    let tree = read_text(text);
    assert_eq!(snippet(text, tree.root.get("a").expect("the key is there")), "'y'");
}

#[test]
fn json_spans_and_escapes_are_exact() {
    let text = "{\"a\\u00fc\": \"\\ud83d\\ude00\\/\\n\", \"b\"\t:\t[1.50, -0, true, null, {}]}";
    let tree = read_text(text);
    assert!(tree.issues.is_empty(), "{:?}", tree.issues);
    assert_eq!(tree.root.get("aü").and_then(Node::text), Some("😀/\n"));
    let list = tree.root.get("b").expect("the key is there");
    assert_eq!(snippet(text, list), "[1.50, -0, true, null, {}]");
    assert_eq!(snippet(text, &list.items()[0]), "1.50");
    assert_eq!(list.to_json(), "[1.50,-0,true,null,{}]");
}

#[test]
fn keys_are_text_and_quoted_scalars_are_strings() {
    let tree = read_text("200: ok\n'404': '12'\nno: 2024-01-31\nn: !!str 5\nd: 1.10\n~: x\n");
    assert_eq!(tree.root.get("200").and_then(Node::text), Some("ok"));
    assert_eq!(tree.root.get("404").and_then(Node::text), Some("12"));
    assert_eq!(tree.root.get("no").and_then(Node::text), Some("2024-01-31"));
    assert_eq!(tree.root.get("n").and_then(Node::text), Some("5"));
    assert!(matches!(&tree.root.get("d").expect("the key is there").value, Value::Number(text) if text == "1.10"));
    assert!(tree.root.get("~").is_some());
}

#[test]
fn the_first_of_two_equal_keys_is_kept_and_both_places_are_named() {
    for text in ["{\"a\": {\"x/y\": 1, \"z\": 0, \"x/y\": 2}}", "a:\n  x/y: 1\n  z: 0\n  x/y: 2\n"] {
        let tree = read_text(text);
        assert_eq!(tree.root.at(["a", "x/y"]).and_then(Node::scalar_text), Some("1"));
        let [issue] = tree.issues.as_slice() else { panic!("one issue: {:?}", tree.issues) };
        assert_eq!((issue.kind, issue.pointer.as_str()), (IssueKind::DuplicateKey, "/a/x~1y"));
        let (first, _) = issue.related.as_ref().expect("the first place is named");
        assert!(first.start < issue.span.start);
        assert!(text[issue.span.start as usize..].trim_start_matches('"').starts_with("x/y"));
    }
}

#[test]
fn aliases_and_merge_keys_are_followed() {
    let tree = read_text(
        "base: &b {a: 1, c: 2}\nmore: &m {d: 4, a: 0}\none: *b\ntwo:\n  <<: [*b, *m]\n  c: 3\n'<<': x\n&k key: *k\n",
    );
    assert!(tree.issues.is_empty(), "{:?}", tree.issues);
    assert_eq!(tree.root.get("one").expect("the alias is there").to_json(), r#"{"a":1,"c":2}"#);
    assert_eq!(tree.root.get("two").expect("the merge is there").to_json(), r#"{"c":3,"a":1,"d":4}"#);
    assert_eq!(tree.root.get("<<").and_then(Node::text), Some("x"));
    assert_eq!(tree.root.get("key").and_then(Node::text), Some("key"));
}

#[test]
fn an_alias_bomb_is_refused() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..20 {
        let list = vec![format!("*a{}", level - 1); 9].join(", ");
        let _ = writeln!(text, "a{level}: &a{level} [{list}]");
    }
    let tree = read_text(&text);
    assert_eq!(tree.problems.iter().map(|problem| problem.kind).collect::<Vec<_>>(), [ProblemKind::TooLarge]);
    let big = format!("a: &a '{}'\nb: [{}]\n", "x".repeat(1 << 20), "*a, ".repeat(100_000));
    assert_eq!(read_text(&big).problems.len(), 1);
}

#[test]
fn an_alias_to_an_open_container_is_an_issue_not_a_hang() {
    let tree = read_text("a: &a\n  b: *a\n");
    assert_eq!(tree.issues.len(), 1, "{:?}", tree.issues);
    assert!(tree.root.at(["a", "b"]).is_some_and(Node::is_null));
}

#[test]
fn deep_nesting_is_refused_in_every_style() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("- ", ""), ("{a: ", "}"), ("? ", ""), ("[{\"a\":", "}]")] {
        let text = open.repeat(10_000) + &close.repeat(10_000);
        let tree = read_text(&text);
        let kinds: Vec<_> = tree.problems.iter().map(|problem| problem.kind).collect();
        assert!(kinds == [ProblemKind::TooDeep] || open == "? ", "{open}: {kinds:?} {:?}", tree.issues);
    }
    let fits = "[".repeat(MAX_DEPTH) + &"]".repeat(MAX_DEPTH);
    assert!(read_text(&fits).problems.is_empty());
}

#[test]
fn a_syntax_error_stands_at_its_line_and_what_is_before_it_stays() {
    let text = "a: 1\nb:\n  c: 2\n  d: [1, 2\ne: 3\n";
    let tree = read_text(text);
    let issue = tree.syntax_error().expect("an error is found");
    assert!(text[..issue.span.start as usize].matches('\n').count() >= 3, "{issue:?}");
    assert!(tree.root.cut && tree.root.get("b").expect("`b` is there").cut);
    assert!(!tree.root.get("a").expect("`a` is there").cut);
    let json = read_text("{\"a\": 1,\n \"b\": {\"c\": 2,\n \"d\" 3}}");
    let issue = json.syntax_error().expect("an error is found");
    assert_eq!(issue.message, "not valid JSON: expected `:`, found `3`");
    assert_eq!(json.root.at(["b", "c"]).and_then(Node::scalar_text), Some("2"));
    assert!(json.root.cut);
}

#[test]
fn json_with_a_trailing_comma_is_usable_but_not_json() {
    let tree = read_text("{\"a\": [1, 2,],\n \"b\": 3,}");
    assert!(tree.issues.is_empty() && !tree.root.cut);
    assert!(tree.not_json.is_some());
    assert_eq!(tree.root.get("b").and_then(Node::scalar_text), Some("3"));
    assert!(read_text("{a: b, c: [d]}").not_json.is_none());
}

#[test]
fn a_second_document_is_not_dropped_silently() {
    let tree = read_text("a: 1\n---\nb: 2\n");
    assert_eq!(tree.root.to_json(), r#"{"a":1}"#);
    assert_eq!(tree.issues.len(), 1);
}

fn json_value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        any::<f64>().prop_map(serde_json::Value::from),
        any::<String>().prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

fn yaml_like() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "b:", " ", "\n", "\n  ", "- ", "? ", ": ", "{", "}", "[", "]", ",", "\"", "'", "|", ">", "&a ", "*a",
        "<<: ", "#", "!!str ", "---", "...", "\t", "\r\n", "ü", "%", "\\", "1", "null", "\u{feff}", "\u{0}", "@", "`",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn spans_fit(node: &Node, text: &str) -> bool {
    let (start, end) = (node.span.start as usize, node.span.end as usize);
    text.get(start..end).is_some()
        && node.items().iter().all(|item| spans_fit(item, text))
        && node.entries().iter().all(|(key, value)| {
            text.get(key.span.start as usize..key.span.end as usize).is_some() && spans_fit(value, text)
        })
}

proptest! {
    #[test]
    fn reading_any_text_gives_spans_inside_it(text in prop_oneof![any::<String>(), yaml_like()]) {
        let tree = read_text(&text);
        prop_assert!(spans_fit(&tree.root, &text));
        for issue in &tree.issues {
            prop_assert!(text.get(issue.span.start as usize..issue.span.end as usize).is_some());
        }
    }

    #[test]
    fn json_comes_back_as_it_went_in(value in json_value(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
        let text = text.expect("a value can be written");
        let tree = read_text(&text);
        prop_assert!(tree.issues.is_empty(), "{:?}", tree.issues);
        prop_assert_eq!(tree.root.to_json(), serde_json::to_string(&value).expect("a value can be written"));
    }
}
