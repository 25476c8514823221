//! Any text as a contract: reading it ends, does not panic, and every span lies in the text.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use treaty::contracts::{declare, parse, referenced_files, sniff};
use treaty::model::ShapeId;
use treaty::text::FileId;

fuzz_target!(|text: &str| {
    let _ = sniff("api.yaml", text);
    let document = parse(FileId(0), text);
    let _ = referenced_files(&document);
    let declarations = declare(&BTreeMap::from([("api.yaml".to_owned(), document)]), "api.yaml");
    for issue in &declarations.issues {
        assert!(text.get(issue.span.start as usize..issue.span.end as usize).is_some());
    }
    for id in 0..declarations.shapes.len() {
        let _ = declarations.shapes.view(ShapeId(id as u32));
    }
});
