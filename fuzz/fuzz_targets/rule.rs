//! Any text as a rule and its page, which a line of `---` divides: rules, or an error that can be shown; the cases of the
//! page are run.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use treaty::cases::run_cases;
use treaty::rules::RuleSet;

static RULES: LazyLock<RuleSet> = LazyLock::new(RuleSet::embedded);

fuzz_target!(|text: &str| {
    let (rule, page) = text.split_once("\n---\n").unwrap_or((text, "# A page\n"));
    let files = [("own/OWN-001.toml".to_owned(), rule.to_owned()), ("own/OWN-001.md".to_owned(), page.to_owned())];
    if let Err(error) = RuleSet::load(&files) {
        let _ = error.to_string();
    }
    let _ = run_cases(&[("rules/own/OWN-001.md".to_owned(), page.to_owned())], &RULES);
});
