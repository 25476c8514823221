//! A rule's page for people at a terminal: the prose of its Markdown, wrapped, without the cases.

use std::io::{self, Write};

use super::terminal::{Paint, paint};
use super::visible::visible;
use super::{RuleCard, Style};
use crate::finding::Severity;

/// Columns of prose; longer lines are hard to read.
const WIDTH: usize = 88;
/// What follows the heading of this name is for tests.
const CASES: &str = "Cases";

/// Writes what the rule reports, why it matters, how to fix it, and how to suppress what it finds.
///
/// # Errors
/// What `out` returns.
pub fn write(rule: &RuleCard, style: Style, out: &mut impl Write) -> io::Result<()> {
    let colour = match rule.severity {
        Severity::Error => Paint::Red,
        Severity::Warning => Paint::Yellow,
        Severity::Info => Paint::Cyan,
    };
    let title = paint(Paint::Bold, &format!("{} {}", visible(&rule.code), visible(&rule.name)), style);
    let tier = if rule.tier == "default" { String::new() } else { format!(", tier {}", rule.tier) };
    writeln!(out, "{title} ({}{tier})", paint(colour, rule.severity.name(), style))?;
    let mut in_list = false;
    for block in blocks(&rule.markdown) {
        let begins = !in_list;
        in_list = matches!(block, Block::Item(_));
        match block {
            Block::Heading(level, text) if level > 1 => {
                if text == CASES {
                    break;
                }
                writeln!(out, "\n{}", paint(Paint::Bold, &visible(text), style))?;
            }
            Block::Heading(..) => {}
            Block::Prose(text) => {
                writeln!(out)?;
                write_wrapped(&text, (0, 0), style, out)?;
            }
            Block::Item(text) => {
                if begins {
                    writeln!(out)?;
                }
                write_wrapped(&format!("- {text}"), (0, 2), style, out)?;
            }
            Block::Code(lines) => {
                writeln!(out)?;
                for line in lines {
                    let indent = line.len() - line.trim_start_matches('\t').len();
                    writeln!(out, "    {}{}", &line[..indent], visible(&line[indent..]))?;
                }
            }
            Block::Table(rows) => {
                writeln!(out)?;
                write_table(&rows, style, out)?;
            }
        }
    }
    let code = visible(&rule.code);
    writeln!(out, "\nWhere it is meant: # treaty: ignore[{code}] reason; in a contract x-treaty-ignore: [{code}]")?;
    writeln!(out, "Cases of it: treaty rules show {code}")
}

enum Block<'m> {
    Heading(usize, &'m str),
    Prose(String),
    Item(String),
    Code(Vec<&'m str>),
    Table(Vec<Vec<&'m str>>),
}

fn blocks(markdown: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut lines = markdown.lines();
    // Whether the next line goes on with the last block.
    let mut goes_on = false;
    while let Some(line) = lines.next() {
        let text = line.trim();
        if text.is_empty() {
            goes_on = false;
            continue;
        }
        if let Some(fence) = ["```", "~~~"].into_iter().find(|fence| text.starts_with(fence)) {
            let ends = |line: &&str| line.trim_start().starts_with(fence);
            blocks.push(Block::Code(lines.by_ref().take_while(|line| !ends(line)).collect()));
            goes_on = false;
            continue;
        }
        let level = text.len() - text.trim_start_matches('#').len();
        if level > 0 && text[level..].starts_with(' ') {
            blocks.push(Block::Heading(level, text[level..].trim()));
            goes_on = false;
            continue;
        }
        match (blocks.last_mut(), text.strip_prefix("- ")) {
            (_, Some(item)) => blocks.push(Block::Item(item.to_owned())),
            (Some(Block::Table(rows)), None) if goes_on && text.starts_with('|') => rows.push(cells(text)),
            (_, None) if text.starts_with('|') => blocks.push(Block::Table(vec![cells(text)])),
            (Some(Block::Prose(prose) | Block::Item(prose)), None) if goes_on => {
                prose.push(' ');
                prose.push_str(text);
            }
            (_, None) => blocks.push(Block::Prose(text.to_owned())),
        }
        goes_on = true;
    }
    blocks
}

fn cells(line: &str) -> Vec<&str> {
    line.trim_matches('|').split('|').map(str::trim).collect()
}

/// The last column is wrapped, the others are as wide as they must be. The head and the line below it are left out.
fn write_table(rows: &[Vec<&str>], style: Style, out: &mut impl Write) -> io::Result<()> {
    let rows = rows.get(2..).unwrap_or_default();
    let Some(columns) = rows.iter().map(Vec::len).max() else { return Ok(()) };
    let width =
        |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| length(cell, style)).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns.saturating_sub(1)).map(width).collect();
    for row in rows {
        let mut text = String::from("  ");
        let mut column = 2;
        for (cell, width) in row.iter().zip(&widths) {
            let gap = " ".repeat(width - length(cell, style) + 2);
            text = format!("{text}{}{gap}", inline(cell, style));
            column += width + 2;
        }
        write!(out, "{text}")?;
        write_wrapped(row.get(widths.len()).unwrap_or(&""), (column, column), style, out)?;
    }
    Ok(())
}

/// Writes text word by word. The first line stands at one column already, others begin at the other.
fn write_wrapped(text: &str, (first, others): (usize, usize), style: Style, out: &mut impl Write) -> io::Result<()> {
    let most = style.width.unwrap_or(WIDTH).min(WIDTH);
    let mut column = first;
    let mut is_empty = true;
    for word in words(text) {
        let long = length(&word, style);
        if !is_empty && column + 1 + long > most {
            write!(out, "\n{}", " ".repeat(others))?;
            (column, is_empty) = (others, true);
        }
        let gap = usize::from(!is_empty);
        write!(out, "{}{}", " ".repeat(gap), inline(&word, style))?;
        column += gap + long;
        is_empty = false;
    }
    writeln!(out)
}

/// What is not broken: words, and what stands between backticks. Of a link, its text.
fn words(text: &str) -> Vec<String> {
    let text = without_links(text);
    let mut words: Vec<String> = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        quoted ^= c == '`';
        match words.last_mut() {
            Some(word) if !c.is_whitespace() || quoted => word.push(c),
            _ => words.push(String::new()),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// `[text](address)` → `text`
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let link = rest[open + 1..].split_once("](").and_then(|(label, rest)| {
            let (_, after) = rest.split_once(')')?;
            (!label.contains(['[', ']', '`'])).then_some((label, after))
        });
        if let Some((label, after)) = link {
            out.push_str(&rest[..open]);
            out.push_str(label);
            rest = after;
        } else {
            out.push_str(&rest[..=open]);
            rest = &rest[open + 1..];
        }
    }
    out + rest
}

/// A word as it is shown: code has a colour, else its backticks.
fn inline(text: &str, style: Style) -> String {
    let text = visible(text);
    if !style.colour {
        return text.into_owned();
    }
    let parts = text.split('`').enumerate();
    parts.map(|(at, part)| if at % 2 == 1 { paint(Paint::Cyan, part, style) } else { part.to_owned() }).collect()
}

/// Columns of a word as it is shown.
fn length(text: &str, style: Style) -> usize {
    let shown = visible(text);
    let hidden = if style.colour { shown.matches('`').count() } else { 0 };
    shown.chars().count() - hidden
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(markdown: &str, colour: bool) -> String {
        let rule = RuleCard {
            code: "A-1".into(),
            name: "odd".into(),
            severity: Severity::Warning,
            tier: "default",
            summary: String::new(),
            markdown: markdown.into(),
        };
        let mut out = Vec::new();
        write(&rule, Style { colour, width: Some(40), quiet: false, full: true }, &mut out).expect("memory takes all");
        String::from_utf8(out).expect("UTF-8")
    }

    const PAGE: &str = "# A-1: odd\n\nWhat it is about.\n\n## What it does\n\nA long line of prose with `code that stays whole` in it, and\na [link](https://example.com).\n\n- one\n- two that is so long that it has to be wrapped\n\n| kind | what |\n|---|---|\n| `a` | first |\n| `longer` | second, which is wrapped as well |\n\n```py\n\tx = 1\n```\n\n## Cases\n\n### never shown\n";

    #[test]
    fn prose_is_wrapped_and_cases_are_left_out() {
        insta::assert_snapshot!(page(PAGE, false));
        let coloured = page(PAGE, true);
        assert!(coloured.contains("\u{1b}[36mcode that stays whole\u{1b}[0m") && !coloured.contains('`'), "{coloured}");
        assert!(page(PAGE, false).lines().filter(|line| !line.contains(": ")).all(|line| line.chars().count() <= 40));
    }

    #[test]
    fn nothing_in_a_page_is_acted_on() {
        let page = page(
            "# x\n\n\u{1b}[31mred `\u{202e}` ##[error]x\n\n## \u{7}\n\n```\n::error::x\u{1b}\n```\n\n| a |\n|---|\n| \u{1b} |\n",
            false,
        );
        assert!(!page.contains(['\u{1b}', '\u{202e}', '\u{7}']) && !page.contains("##["), "{page}");
        assert!(page.lines().all(|line| !line.trim_start().starts_with("::")), "{page}");
    }

    #[test]
    fn every_page_of_ours_can_be_shown() {
        for rule in crate::rules::RuleSet::embedded().rules() {
            let text = page(&rule.markdown, false);
            for heading in ["What it does", "Why it matters", "How to fix"] {
                assert!(text.contains(&format!("\n{heading}\n")), "{}: {text}", rule.code);
            }
            assert!(!text.contains("](") && !text.contains("\n### "), "{}: {text}", rule.code);
        }
    }
}
