//! What is wrong with a document before it is registered. What a valid one is, the readers of contracts know: this gives
//! their issues the form that clients of the registry expect.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::SpecKind;
use crate::contracts::tree::{Node, push_segment};
use crate::contracts::{self, Document, Issue, IssueKind};
use crate::finding::{Problem, ProblemKind};
use crate::text::{FileId, SourceFile, Span};

/// Whether a document is a valid contract, with what is wrong and what is doubtful.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SpecReport {
    pub valid: bool,
    /// Each with its pointer and line.
    pub errors: Vec<String>,
    pub warnings: Vec<String>,
    /// The same, errors first, for programs.
    pub details: Vec<SpecDetail>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SpecDetail {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// What it is: `unresolved-reference`, `missing-field`.
    pub kind: &'static str,
    pub message: String,
    /// What to do about it; empty where the message says it.
    pub help: String,
    /// JSON pointer of what is wrong, `""` for the document.
    pub pointer: String,
    /// Of the document as it is printed with two spaces a level.
    pub line: u32,
}

const NAME: &str = "spec.json";

/// Checks a document of a kind. Never fails: what is no document at all has an error, too. Lines are those of the text that
/// the document is when it is printed with indentation. It stands alone: a reference to another document is unresolved.
pub fn validate_spec(spec: &Value, kind: SpecKind) -> SpecReport {
    let text = serde_json::to_string_pretty(spec).unwrap_or_default();
    let source = SourceFile::new(NAME, text);
    let documents = BTreeMap::from([(NAME.to_owned(), contracts::parse(FileId(0), &source.text))]);
    let mut details = Vec::new();
    let mut add = |severity, kind, message: String, help: String, pointer: String, span: Option<Span>| {
        let line = span.map_or(1, |span| source.position(span.start).line);
        details.push(SpecDetail { severity, kind, message, help, pointer, line });
    };
    let found = SpecKind::of(spec);
    if !spec.is_object() {
        let message = "a contract is an object".to_owned();
        add("error", "not-a-contract", message, "give the document itself".to_owned(), String::new(), None);
    } else if kind != found && found != SpecKind::JsonSchema {
        let message = format!("the document says that it is {}, and it is checked as {}", found.name(), kind.name());
        let help = format!("give the type `{}`", found.name());
        add("error", "not-a-contract", message, help, String::new(), None);
    } else {
        let declarations = match kind {
            SpecKind::JsonSchema => contracts::declare_schema(&documents, NAME),
            SpecKind::Openapi | SpecKind::Asyncapi => contracts::declare(&documents, NAME),
        };
        for Issue { kind, span, pointer, message, help, .. } in declarations.issues {
            let severity = if kind == IssueKind::Doubtful { "warning" } else { "error" };
            add(severity, kind.name(), message, help.unwrap_or_default(), pointer, Some(span));
        }
        for Problem { kind, span, message, help, .. } in declarations.problems {
            // JSON Schema's own dialects are known to whoever reads schemas.
            if kind == ProblemKind::ReferenceNotFollowed && message.contains("://json-schema.org/draft") {
                continue;
            }
            // What is only not read is no fault of the document.
            let is_unread = matches!(kind, ProblemKind::Unreadable | ProblemKind::BudgetExhausted);
            let severity = if is_unread { "warning" } else { "error" };
            let pointer = span.and_then(|span| pointer_at(documents.get(NAME)?, span)).unwrap_or_default();
            add(severity, kind.name(), message, help.unwrap_or_default(), pointer, span);
        }
        if let Some(stated) = documents.get(NAME).and_then(root).and_then(|root| root.get("swagger"))
            && kind == SpecKind::Openapi
        {
            let message = "OpenAPI 2.0 is read, and the registry is made for 3.0 and later".to_owned();
            let help = "convert it to `openapi: 3.1.0` when there is time".to_owned();
            add("warning", IssueKind::Doubtful.name(), message, help, "/swagger".to_owned(), Some(stated.span));
        }
    }
    details.sort_by(|a, b| {
        (a.severity, a.line, &a.pointer, &a.message).cmp(&(b.severity, b.line, &b.pointer, &b.message))
    });
    let of = |severity: &str| details.iter().filter(|it| it.severity == severity).map(SpecDetail::sentence).collect();
    let (errors, warnings): (Vec<String>, Vec<String>) = (of("error"), of("warning"));
    SpecReport { valid: errors.is_empty(), errors, warnings, details }
}

impl SpecDetail {
    fn sentence(&self) -> String {
        let SpecDetail { message, help, pointer, line, .. } = self;
        let place = if pointer.is_empty() { "the document".to_owned() } else { format!("`{pointer}`") };
        let help = if help.is_empty() { String::new() } else { format!(": {help}") };
        format!("{message} ({place}, line {line}){help}")
    }
}

fn root(document: &Document) -> Option<&Node> {
    match document {
        Document::Read(parsed) => Some(&parsed.tree.root),
        Document::Declared(_) | Document::Absent { .. } => None,
    }
}

/// The pointer of the innermost value that holds a place.
fn pointer_at(document: &Document, span: Span) -> Option<String> {
    let mut node = root(document)?;
    let mut pointer = String::new();
    let holds = |node: &Node| node.span.start <= span.start && span.end <= node.span.end;
    loop {
        let member = node.entries().iter().find(|(_, value)| holds(value));
        let item = node.items().iter().enumerate().find(|(_, item)| holds(item));
        node = match (member, item) {
            (Some((key, value)), _) => {
                push_segment(&mut pointer, &key.text);
                value
            }
            (None, Some((at, item))) => {
                push_segment(&mut pointer, &at.to_string());
                item
            }
            (None, None) => return Some(pointer),
        };
    }
}

#[cfg(test)]
mod tests;
