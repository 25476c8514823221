//! Any bytes, read as a Python file: no panic, no overflow, and every unreadable place lies in the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treaty::languages::{Language, lower};
use treaty::text::{FileId, Span};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (module, _) = lower(Language::Python, FileId(0), "fuzz.py", text);
    for span in &module.errors {
        assert!(text.get(span.start as usize..span.end as usize).is_some());
    }
    let span = Span::new(FileId(0), 0, text.len());
    let _ = treaty::languages::python::parse_expression(FileId(0), span, text);
});
