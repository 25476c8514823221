//! Any text as the documents of a plan and as a manifest: read, or refused with a place in the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treaty::plan::read;
use treaty::technologies::packages;

fuzz_target!(|texts: (&str, &str)| {
    let _ = read("Project", Vec::new(), texts.0, texts.1).map_err(|error| error.to_string());
    for path in ["package.json", "pyproject.toml", "requirements.txt", "A.csproj"] {
        let _ = packages(path, texts.0);
    }
});
