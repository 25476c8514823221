//! Any text as a `treaty.toml`: a configuration, or an error whose place lies in the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treaty::config::parse;

fuzz_target!(|text: &str| {
    if let Err(error) = parse("treaty.toml", text) {
        assert!(error.range().is_none_or(|range| text.get(range).is_some()));
        let _ = error.to_string();
    }
});
