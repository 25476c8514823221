//! Any text as the files of a small project (each below a line `--- path`): a run ends, every finding and problem can be
//! written in every form, a second run writes the same bytes, and a baseline of the run leaves nothing of it.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use treaty::config::Config;
use treaty::report::{Format, Style, write};
use treaty::rules::RuleSet;
use treaty::scan::{Baseline, Input, scan_texts};

const STYLE: Style = Style { colour: false, width: Some(100), quiet: false, full: false };

static RULES: LazyLock<RuleSet> = LazyLock::new(RuleSet::embedded);

fn inputs(text: &str) -> Vec<Input> {
    let mut inputs: Vec<Input> = Vec::new();
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("--- ").map(str::trim) {
            Some(path) if !path.is_empty() && inputs.iter().all(|it| it.path != path) => {
                inputs.push(Input { path: path.to_owned(), text: String::new() });
            }
            _ => {
                if let Some(input) = inputs.last_mut() {
                    input.text.push_str(line);
                }
            }
        }
    }
    inputs
}

fuzz_target!(|text: &str| {
    let mut report = scan_texts(inputs(text), &Config::default(), &RULES);
    report.suppress(&RULES, Some(&RULES));
    let mut written = Vec::new();
    for format in Format::ALL {
        written.clear();
        write(&report, &[], format, STYLE, &mut written).expect("memory can be written");
    }
    let mut json = Vec::new();
    write(&report, &[], Format::Json, STYLE, &mut json).expect("memory can be written");
    let mut again = scan_texts(inputs(text), &Config::default(), &RULES);
    again.suppress(&RULES, Some(&RULES));
    let mut second = Vec::new();
    write(&again, &[], Format::Json, STYLE, &mut second).expect("memory can be written");
    assert!(json == second, "two runs of the same input differ");
    let baseline = Baseline::read("baseline.json", &Baseline::of(&report).to_string()).expect("what is written is read");
    again.hold_against(&baseline, &RULES);
    assert!(again.findings.is_empty(), "a baseline holds all findings of its run");
});
