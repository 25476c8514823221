//! Any text as a C# file: no panic, no overflow, and every unreadable place lies in the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treaty::languages::{Language, lower};
use treaty::text::FileId;

fuzz_target!(|text: &str| {
    let (module, _) = lower(Language::CSharp, FileId(0), "Fuzz.cs", text);
    for span in &module.errors {
        assert!(text.get(span.start as usize..span.end as usize).is_some());
    }
});
