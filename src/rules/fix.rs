//! The fix of a rule about code: a template, filled with what its pattern matched.

use std::collections::BTreeMap;

use super::Fix;
use crate::finding::{self, Finding};
use crate::project::Project;
use crate::text::{SourceFile, Span};

impl Fix {
    /// Adds the fix to the findings of its rule.
    pub(super) fn offer(&self, code: &str, findings: &mut [Finding], project: &Project) {
        let of_rule = project.sightings.iter().filter(|sighting| sighting.rule == code);
        let names: BTreeMap<Span, &[(String, String)]> = of_rule.map(|it| (it.span, it.names.as_slice())).collect();
        for finding in findings {
            let Some(names) = names.get(&finding.span) else { continue };
            let text = filled(&self.template, names);
            let source = project.sources.get(finding.span.file);
            let (span, title) = if text.is_empty() {
                let Some(lines) = statement(finding.span, source) else { continue };
                (lines, "remove it".to_owned())
            } else {
                (finding.span, format!("write `{text}`"))
            };
            finding.fixes.push(finding::Fix::of_code(title, self.safety, span, text));
        }
    }
}

/// A template with every `$NAME` and `$$$NAME` replaced that the pattern gave a name to.
fn filled(template: &str, names: &[(String, String)]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let marks = rest[at..].len() - rest[at..].trim_start_matches('$').len();
        let after = &rest[at + marks..];
        let end = after.find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'));
        let name = &after[..end.unwrap_or(after.len())];
        let known = names.iter().find(|(known, _)| known == name);
        match known.filter(|_| !name.is_empty()) {
            Some((_, value)) => out.push_str(value),
            None => out.push_str(&rest[at..at + marks + name.len()]),
        }
        rest = &after[name.len()..];
    }
    out + rest
}

/// The lines of a statement that has its lines for itself and can go without changing what the next one belongs to: behind
/// another statement, or at the beginning of a block.
fn statement(span: Span, source: &SourceFile) -> Option<Span> {
    let text = &source.text;
    let start = text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
    let end = text[span.end as usize..].find('\n').map_or(text.len(), |at| span.end as usize + at + 1);
    let after = text[span.end as usize..end].trim();
    let before = text[..start].trim_end();
    let is_first = before.is_empty() || before.ends_with(['{', '}', ';']);
    let is_alone = text[start..span.start as usize].trim().is_empty() && (after.is_empty() || after == ";");
    (is_alone && is_first).then(|| Span::new(span.file, start, end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::FileId;

    #[test]
    fn a_template_is_filled_with_what_was_matched() {
        let names = [("A".to_owned(), "$B".to_owned()), ("REST".to_owned(), "x, y".to_owned())];
        assert_eq!(filled("log($A, $$$REST) // $5 $", &names), "log($B, x, y) // $5 $");
        assert_eq!(filled("", &names), "");
    }

    #[test]
    fn only_a_whole_statement_goes() {
        for (text, left) in [
            ("{\n  call();\n}\n", Some("{\n}\n")),
            ("a();\r\ncall()\r\nb()", Some("a();\r\nb()")),
            ("if (a)\n  call();\nb();", None),
            ("const f = () => call();", None),
            ("{ call(); }", None),
        ] {
            let source = SourceFile::new("a.ts", text);
            let at = text.find("call()").expect("it is there");
            let lines = statement(Span::new(FileId(0), at, at + "call()".len()), &source);
            let gone = lines.map(|it| format!("{}{}", &text[..it.start as usize], &text[it.end as usize..]));
            assert_eq!(gone.as_deref(), left, "{text}");
        }
    }
}
