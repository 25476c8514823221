//! Any text as requirements: it comes apart, twice into the same, and every stub is a contract without a defect.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use treaty::architect::decompose;
use treaty::contracts::{declare, parse};
use treaty::text::FileId;

fuzz_target!(|text: &str| {
    let found = decompose(text);
    assert!(!found.service_map.services.is_empty());
    for stub in &found.contract_stubs {
        let document = parse(FileId(0), &stub.spec.to_string());
        let declarations = declare(&BTreeMap::from([("stub.json".to_owned(), document)]), "stub.json");
        assert!(declarations.issues.is_empty() && declarations.problems.is_empty(), "{:?}", declarations.issues);
    }
    assert_eq!(decompose(text), found);
});
