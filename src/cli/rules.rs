//! `treaty rules`: list, show, test and start rules.

use std::io::Write;
use std::path::Path;

use super::Outcome;
use super::args::{RulesArgs, RulesCommand};
use super::failure::Failure;
use super::output::deliver;
use super::rule_set;
use crate::report::{RuleCard, visible};

pub(super) fn run(arguments: &RulesArgs) -> Result<Outcome, Failure> {
    match arguments.command.as_ref().unwrap_or(&RulesCommand::List) {
        RulesCommand::List => list(),
        RulesCommand::Show { code } => show(code),
        RulesCommand::Test { directory } => rule_set::test(directory),
        RulesCommand::New { rule, directory } => new(rule, directory),
    }
}

fn list() -> Result<Outcome, Failure> {
    let cards = rule_set::all()?;
    let width = |of: fn(&RuleCard) -> &str| cards.iter().map(|card| of(card).chars().count()).max().unwrap_or(0);
    let (codes, names) = (width(|card| &card.code), width(|card| &card.name));
    deliver(None, |out| {
        cards.iter().try_for_each(|card| {
            let severity = card.severity.name();
            writeln!(out, "{:codes$}  {:names$}  {severity:7}  {}", card.code, card.name, visible(&card.summary))
        })
    })?;
    Ok(Outcome::Clean)
}

fn show(code: &str) -> Result<Outcome, Failure> {
    let card = rule_set::one(code)?;
    deliver(None, |out| {
        card.markdown.trim_end().lines().try_for_each(|line| {
            let indent = line.len() - line.trim_start_matches('\t').len();
            writeln!(out, "{}{}", &line[..indent], visible(&line[indent..]))
        })
    })?;
    Ok(Outcome::Clean)
}

/// Writes the two files of a rule, which must not exist yet.
fn new(rule: &str, directory: &Path) -> Result<Outcome, Failure> {
    let Some((family, code)) = rule.split_once('/').filter(|(family, code)| is_family(family) && is_code(code)) else {
        return Err(Failure::said(
            format!("`{rule}` does not name a rule"),
            "write a family in lower case and a code in upper case: `house/HOUSE-001`",
        ));
    };
    let folder = directory.join(family);
    std::fs::create_dir_all(&folder).map_err(|reason| unwritable(&folder, reason))?;
    for (extension, text) in [("toml", declaration()), ("md", &page(code))] {
        let file = folder.join(format!("{code}.{extension}"));
        let mut created = std::fs::File::create_new(&file).map_err(|reason| unwritable(&file, reason))?;
        created.write_all(text.as_bytes()).map_err(|reason| unwritable(&file, reason))?;
        deliver(None, |out| writeln!(out, "{}", visible(&file.display().to_string())))?;
    }
    Ok(Outcome::Clean)
}

fn unwritable(path: &Path, reason: std::io::Error) -> Failure {
    Failure::Output { place: path.display().to_string(), reason }
}

fn is_family(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

fn is_code(text: &str) -> bool {
    let Some((letters, number)) = text.rsplit_once('-') else { return false };
    letters.starts_with(|c: char| c.is_ascii_uppercase())
        && letters.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-')
        && !number.is_empty()
        && number.chars().all(|c| c.is_ascii_digit())
}

fn declaration() -> &'static str {
    r#"name = "name-of-the-defect"
severity = "warning"
message = "what is wrong, with `the thing` named"
help = "what to do about it"

[check.source-pattern]
language = "python"
query = """
(call function: (identifier) @found (#eq? @found "eval"))
"""
"#
}

fn page(code: &str) -> String {
    format!(
        r"# {code}: name-of-the-defect

One line that says what is reported.

## What it does

## Why it matters

## How to fix

## Cases

### it is reported

```python file=app.py
eval(text)
```

```findings
app.py:1 {code} warning
```

### something close to it is not

```python file=app.py
evaluate(text)
```

```findings
```
"
    )
}
