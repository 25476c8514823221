//! Any text as a requirements document, and as a `CONTRACTS.json`: reading it ends, does not panic, and every span lies in
//! the text.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use treaty::contracts::{declare, parse_file, sniff, unfold};
use treaty::model::ShapeId;
use treaty::text::FileId;

fuzz_target!(|text: &str| {
    for path in ["REQUIREMENTS.md", "CONTRACTS.json"] {
        let _ = sniff(path, text);
        let mut documents = BTreeMap::from([(path.to_owned(), parse_file(FileId(0), path, text))]);
        let mut entries = vec![path.to_owned()];
        entries.extend(unfold(&mut documents, path).into_iter().map(|(path, _)| path));
        for entry in entries {
            let declarations = declare(&documents, &entry);
            let rows = declarations.table.iter().flat_map(|table| table.issues.iter().map(|issue| issue.span));
            for span in declarations.issues.iter().map(|issue| issue.span).chain(rows) {
                assert!(text.get(span.start as usize..span.end as usize).is_some());
            }
            for id in 0..declarations.shapes.len() {
                let _ = declarations.shapes.view(ShapeId(id as u32));
            }
        }
    }
});
