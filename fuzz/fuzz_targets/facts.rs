//! Any text as a file of facts: problems, never a panic, and what was understood can be written again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treaty::facts::{read, write};
use treaty::project::Project;
use treaty::text::Sources;

fuzz_target!(|text: &str| {
    let mut sources = Sources::default();
    let (services, _) = read("facts.json", text, &mut sources);
    let _ = write(&Project { sources, services, ..Project::default() }, "here");
});
