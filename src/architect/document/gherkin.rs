//! Features and scenarios of Gherkin, fenced or not, as headings and items: what somebody does when a scenario begins is what
//! they can do.

use std::borrow::Cow;

/// What begins a step; what follows `And` goes on with the step before.
const STEPS: [&str; 6] = ["Given ", "When ", "Then ", "And ", "But ", "* "];

/// A text with features of Gherkin as Markdown. Lines stay where they are.
pub(super) fn without(text: &str) -> Cow<'_, str> {
    let begins = |of: &str| text.lines().any(|it| it.trim_start().starts_with(of));
    if !["Scenario:", "Scenario Outline:"].iter().any(|it| begins(it)) || !begins("When ") {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut result = String::with_capacity(text.len() + 64);
    let (mut state, mut at) = (State::default(), 0);
    while let Some(line) = lines.get(at) {
        let behind = lines.get(at + 1..).unwrap_or_default();
        // Counted behind a step alone: a long table is looked at once.
        let table = behind.iter().take_while(|it| is_step(line) && it.trim_start().starts_with('|')).count();
        let fields = behind.get(..table).and_then(fields);
        result.push_str(&state.line(line, fields.as_deref()));
        result.push('\n');
        let skipped = fields.map_or(0, |_| table);
        result.push_str(&"\n".repeat(skipped));
        at += 1 + skipped;
    }
    Cow::Owned(result)
}

fn is_step(line: &str) -> bool {
    STEPS.iter().any(|it| line.trim_start().starts_with(it))
}

/// What is known of the lines above.
#[derive(Default)]
struct State {
    /// In a feature, from its heading to the next heading of Markdown or the end of its fence.
    inside: bool,
    fenced: bool,
    /// In a step that says what somebody does.
    acting: bool,
}

impl State {
    fn line<'t>(&mut self, line: &'t str, fields: Option<&str>) -> Cow<'t, str> {
        let said = line.trim_start();
        if let Some(language) = said.strip_prefix("```") {
            let opens = ["gherkin", "feature", "cucumber"].contains(&language.trim());
            let closes = self.fenced && language.trim().is_empty();
            self.fenced = opens;
            self.inside &= !closes;
            return Cow::Borrowed(if opens || closes { "" } else { line });
        }
        if said.starts_with('#') {
            // A heading, or a remark within a feature.
            self.inside &= self.fenced;
            return Cow::Borrowed(if self.fenced { "" } else { line });
        }
        if let Some((kind, title)) = said.split_once(':').filter(|_| !is_step(line)) {
            let level = match kind.trim() {
                "Feature" => "####",
                "Scenario" | "Scenario Outline" => "#####",
                "Rule" | "Background" | "Example" | "Examples" if self.inside => "#####",
                _ => return self.other(line),
            };
            (self.inside, self.acting) = (true, false);
            let title = if title.trim().is_empty() { kind } else { title };
            return Cow::Owned(format!("{level} {}", title.trim()));
        }
        match STEPS.iter().find(|it| said.starts_with(**it)).filter(|_| self.inside) {
            Some(keyword) => {
                let rest = said[keyword.len()..].trim();
                self.acting = *keyword == "When " || self.acting && ["And ", "But ", "* "].contains(keyword);
                let rest = match rest.strip_prefix("I ").filter(|_| self.acting) {
                    Some(deed) => format!("I can {deed}"),
                    None if self.acting => format!("When {rest}"),
                    None => rest.to_owned(),
                };
                let fields = fields.map(|it| format!(" {it}")).unwrap_or_default();
                Cow::Owned(format!("- {rest}{fields}"))
            }
            None => self.other(line),
        }
    }

    /// A line that is no line of Gherkin: within a fence what stands to the right there is no code.
    fn other<'t>(&self, line: &'t str) -> Cow<'t, str> {
        Cow::Borrowed(if self.inside { line.trim_start() } else { line })
    }
}

/// The fields that the table of a step gives, as words of the step: those of its head, or of its first column where it has
/// one of names and one of values.
fn fields(table: &[&str]) -> Option<String> {
    let cells =
        |row: &str| -> Vec<String> { row.trim().trim_matches('|').split('|').map(|it| it.trim().to_owned()).collect() };
    let rows: Vec<Vec<String>> = table.iter().map(|it| cells(it)).collect();
    let (head, below) = rows.split_first()?;
    let is_pair = head.len() == 2 && below.len() >= 2;
    let lower = |it: &String| it.to_ascii_lowercase();
    let named = is_pair && ["field", "name", "attribute", "property", "key"].contains(&lower(&head[0]).as_str());
    let names: Vec<&str> = if named && ["value", "values"].contains(&lower(&head[1]).as_str()) {
        below.iter().filter_map(|it| it.first().map(String::as_str)).collect()
    } else {
        head.iter().map(String::as_str).collect()
    };
    Some(names.join(", ")).filter(|it| !it.is_empty())
}
