//! `treaty rules`: list, show, test and start rules.

use std::io::Write;
use std::path::Path;

use super::args::{RulesArgs, RulesCommand};
use super::failure::Failure;
use super::output::deliver;
use super::{Outcome, input, rule_set};
use crate::cases::{Checked, run_cases};
use crate::config::Config;
use crate::report::{count, visible};
use crate::rules::{Rule, RuleError, RuleSet, Selection};

pub(super) fn run(arguments: &RulesArgs) -> Result<Outcome, Failure> {
    match arguments.command.as_ref().unwrap_or(&RulesCommand::List) {
        RulesCommand::List => list(),
        RulesCommand::Show { code } => show(code),
        RulesCommand::Test { directory } => test(directory),
        RulesCommand::New { rule, directory } => new(rule, directory),
    }
}

pub(super) fn configuration() -> Result<Config, Failure> {
    input::configuration(None, &[])
}

fn list() -> Result<Outcome, Failure> {
    let rules = rule_set::all(&configuration()?)?;
    deliver(None, |out| write_list(&rules.rules().collect::<Vec<_>>(), out))?;
    Ok(Outcome::Clean)
}

/// One line for each rule.
pub(super) fn write_list(rules: &[&Rule], out: &mut impl Write) -> std::io::Result<()> {
    let width = |of: fn(&Rule) -> &str| rules.iter().map(|rule| of(rule).chars().count()).max().unwrap_or(0);
    let (codes, names) = (width(|rule| &rule.code), width(|rule| &rule.name));
    for rule in rules {
        let (name, severity, tier) = (visible(&rule.name), rule.severity.name(), rule.tier.name());
        writeln!(out, "{:codes$}  {name:names$}  {severity:7}  {tier:7}  {}", rule.code, visible(&rule.summary))?;
    }
    Ok(())
}

fn show(code: &str) -> Result<Outcome, Failure> {
    let rules = rule_set::all(&configuration()?)?;
    let rule = rules.get(code).ok_or_else(|| unknown(&rules, code))?;
    deliver(None, |out| {
        for (at, line) in rule.markdown.trim_end().lines().enumerate() {
            if at == 1 {
                writeln!(out, "\nTier `{}`: {}.", rule.tier.name(), rule.tier.about())?;
            }
            let indent = line.len() - line.trim_start_matches('\t').len();
            writeln!(out, "{}{}", &line[..indent], visible(&line[indent..]))?;
        }
        Ok(())
    })?;
    Ok(Outcome::Clean)
}

/// Nothing is called so; the set knows best which code was meant.
pub(super) fn unknown(rules: &RuleSet, name: &str) -> Failure {
    let unknown = rules.select(&Selection::only(&[name.to_owned()])).err();
    unknown.map_or_else(|| family_is_no_rule(name), |error: RuleError| error.into())
}

fn family_is_no_rule(name: &str) -> Failure {
    Failure::said(format!("`{name}` is a family of rules"), "name one of them: `treaty rules list` shows all")
}

/// Runs the cases on the pages of the rules in `directory`. What does not hold makes the exit code 1.
fn test(directory: &Path) -> Result<Outcome, Failure> {
    let files = rule_set::files(directory)?;
    let rules = RuleSet::embedded().load_user(&files)?;
    let pages: Vec<(String, String)> = files.into_iter().filter(|(path, _)| is_page(path)).collect();
    if pages.is_empty() {
        return Err(Failure::said(
            format!("no rule was found in {}", directory.display()),
            "name the folder that holds `<family>/<CODE>.toml` and its `.md`, or start a rule with `treaty rules new`",
        ));
    }
    let checked = run_cases(&pages, &rules);
    let failures: usize = checked.iter().map(|page| page.failures.len()).sum();
    let cases: usize = checked.iter().map(|page| page.cases).sum();
    deliver(None, |out| {
        for line in checked.iter().map(Checked::explain).collect::<String>().lines() {
            writeln!(out, "{}", visible(line))?;
        }
        writeln!(out, "{} of {}: {}", count(cases, "case"), count(pages.len(), "rule"), count(failures, "failure"))
    })?;
    Ok(if failures == 0 { Outcome::Clean } else { Outcome::Findings })
}

fn is_page(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "md")
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
    for (extension, text) in [("toml", declaration(code)), ("md", page(code))] {
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

fn declaration(code: &str) -> String {
    format!(
        r#"code = "{code}"
name = "name-of-the-defect"
severity = "warning"
message = "no route serves {{operation}}"

# The engine that looks. `[kind.<name>]` with message, help and severity words one of its kinds; the pages of the tool's
# own rules explain them.
[check.presence]
"#
    )
}

fn page(code: &str) -> String {
    format!(
        "# {code}: name-of-the-defect

One line that says what is reported.

## What it does

## Why it matters

## How to fix

## Cases

### it is reported

```python title=\"app.py\"
from fastapi import FastAPI

app = FastAPI()


@app.get(\"/users\")
def list_users(): ...
```

```yaml title=\"openapi.yaml\"
openapi: 3.1.0
info: {{title: Shop, version: \"1\"}}
paths:
  /users:
    get: {{responses: {{\"200\": {{description: fine}}}}}}
  /orders:
    get: {{responses: {{\"200\": {{description: fine}}}}}}
```

```findings
{code} missing openapi.yaml:7:5 warning no route serves `GET /orders`
```

### something close to it is not

```python title=\"app.py\"
from fastapi import FastAPI

app = FastAPI()


@app.get(\"/users\")
def list_users(): ...


@app.get(\"/orders/\")
def list_orders(): ...
```

```yaml title=\"openapi.yaml\"
openapi: 3.1.0
info: {{title: Shop, version: \"1\"}}
paths:
  /users:
    get: {{responses: {{\"200\": {{description: fine}}}}}}
  /orders:
    get: {{responses: {{\"200\": {{description: fine}}}}}}
```

```findings
```
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_rule_can_be_loaded_at_once() {
        let files = [
            ("house/HOUSE-001.toml".to_owned(), declaration("HOUSE-001")),
            ("house/HOUSE-001.md".to_owned(), page("HOUSE-001")),
        ];
        let rules = RuleSet::load(&files).expect("the scaffold is valid");
        assert_eq!(rules.rules().next().map(|rule| rule.summary.as_str()), Some("One line that says what is reported"));
    }
}
