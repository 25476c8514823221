//! Any text as YAML and as JSON: reading it ends, every place lies in the text, and what is written as JSON can be read
//! again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treaty::contracts::tree::{Node, read};
use treaty::text::{FileId, Span};

/// Values that are looked at: aliases of aliases stand for more than anybody can visit.
const MOST: usize = 20_000;

fn check(text: &str, node: &Node, left: &mut usize) {
    let lies_in = |span: Span| text.get(span.start as usize..span.end as usize).is_some();
    assert!(lies_in(node.span));
    *left = left.saturating_sub(1);
    for (key, value) in node.entries().iter().take(*left) {
        assert!(lies_in(key.span));
        check(text, value, left);
    }
    for item in node.items().iter().take(*left) {
        check(text, item, left);
    }
}

fuzz_target!(|text: &str| {
    let tree = read(FileId(0), text);
    for issue in &tree.issues {
        assert!(text.get(issue.span.start as usize..issue.span.end as usize).is_some());
    }
    let mut left = MOST;
    check(text, &tree.root, &mut left);
    if left > 0 {
        let again = read(FileId(0), &tree.root.to_json());
        assert!(again.syntax_error().is_none(), "{:?}", again.syntax_error());
    }
});
