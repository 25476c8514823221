//! What is written at a declaration: its signature, and what its author says about it.

use super::Reader;
use crate::index::record::SymbolKind;
use crate::model::program::{Expr, ExprKind, ImportStyle, Stmt, StmtKind};
use crate::text::Span;

/// Longer signatures and texts are cut.
const MAX_SIGNATURE: usize = 400;
/// Longer ones are cut.
const MAX_DOC: usize = 2_000;

impl Reader<'_> {
    /// The declaration up to its body, on one line.
    pub(super) fn signature(&self, kind: SymbolKind, place: Span, span: Span) -> String {
        let text = self.source.text.get(span.start as usize..span.end as usize).unwrap_or("");
        let from = (place.start.max(span.start) - span.start) as usize;
        let end = if kind == SymbolKind::Variable || kind == SymbolKind::Type {
            text.get(from..).and_then(|rest| rest.find('\n')).map_or(text.len(), |at| from + at)
        } else {
            self.head_end(text, from)
        };
        // Decorators stand on lines of their own.
        let line = text.get(..from).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let before = text.get(line..from).unwrap_or("");
        let start = if before.trim_start().starts_with(['@', '[']) { from } else { line };
        let head = text.get(start..end.max(start)).unwrap_or("");
        cut(&head.split_whitespace().collect::<Vec<_>>().join(" "), MAX_SIGNATURE)
    }

    /// Where the head of a declaration ends: before the first bracket or sign that opens a body.
    fn head_end(&self, text: &str, from: usize) -> usize {
        let mut depth = 0_u32;
        let is_python = self.style == ImportStyle::Dotted;
        let bytes = text.as_bytes();
        for at in from..bytes.len() {
            match bytes[at] {
                b':' | b'\n' if is_python && depth == 0 => return at,
                b'{' | b';' if !is_python && depth == 0 => return at,
                b'=' if !is_python && depth == 0 && bytes.get(at + 1) == Some(&b'>') => return at,
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        text.len()
    }

    /// The comments right before a declaration.
    pub(super) fn doc_before(&self, start: u32) -> String {
        if self.style == ImportStyle::Dotted {
            return String::new();
        }
        let text = &self.source.text;
        let mut at = self.words.comments.partition_point(|comment| comment.0 < start);
        let (mut start, mut parts) = (start, Vec::new());
        while at > 0 {
            let (from, to) = self.words.comments[at - 1];
            let between = text.get(to as usize..start as usize).unwrap_or("x");
            if !between.trim().is_empty() || between.matches('\n').count() > 1 {
                break;
            }
            parts.push(plain(text.get(from as usize..to as usize).unwrap_or("")));
            start = from;
            at -= 1;
        }
        parts.reverse();
        cut(parts.join("\n").trim(), MAX_DOC)
    }

    /// The text that a body of Python begins with.
    pub(super) fn doc_in(&self, body: &[Stmt]) -> Option<String> {
        if self.style != ImportStyle::Dotted {
            return None;
        }
        let StmtKind::Expr(Expr { kind: ExprKind::Str { text, .. }, .. }) = &body.first()?.kind else { return None };
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        Some(cut(lines.join("\n").trim(), MAX_DOC))
    }
}

/// A comment without its marks.
fn plain(comment: &str) -> String {
    let inner = comment.trim_start_matches('/').trim_start_matches('*').trim_end_matches('/').trim_end_matches('*');
    let lines = inner.lines().map(|line| line.trim().trim_start_matches('*').trim());
    // The documents of C# are written in XML.
    let lines =
        lines.map(|line| if line.starts_with('<') && line.ends_with('>') { untagged(line) } else { line.into() });
    lines.collect::<Vec<String>>().join("\n").trim().to_owned()
}

fn untagged(line: &str) -> String {
    let mut depth = 0_u32;
    let kept = line.chars().filter(|c| match c {
        '<' => {
            depth += 1;
            false
        }
        '>' => {
            depth = depth.saturating_sub(1);
            false
        }
        _ => depth == 0,
    });
    kept.collect::<String>().trim().to_owned()
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
