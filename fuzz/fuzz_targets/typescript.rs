//! Any text as a file of TypeScript, JavaScript or a component of Vue or Svelte: no panic, no overflow, and every unreadable
//! place lies in the text. The first byte says which of them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treaty::languages::{Language, lower};
use treaty::text::FileId;

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let (language, path) = match first % 4 {
        0 => (Language::TypeScript, "fuzz.ts"),
        1 => (Language::Tsx, "fuzz.tsx"),
        2 => (Language::JavaScript, "fuzz.js"),
        _ => (Language::Component, "fuzz.vue"),
    };
    let (module, _) = lower(language, FileId(0), path, text);
    for span in &module.errors {
        assert!(text.get(span.start as usize..span.end as usize).is_some());
    }
});
