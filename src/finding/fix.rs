//! Changes of text that mend what a finding tells of.

use crate::text::Span;

/// One way of mending one finding: all of its edits, or none of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fix {
    /// What it does, as an order: `` add `archived` to the enum ``.
    pub title: String,
    pub side: Side,
    pub safety: Safety,
    /// At least one; no two of them share a byte.
    pub edits: Vec<Edit>,
}

/// A piece of a file and what takes its place; an empty span inserts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

/// Whether a fix may be applied unseen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Safety {
    /// What a program does stays as it is, but for the defect.
    Safe,
    /// Somebody has to read what it changes.
    Unsafe,
}

/// Which of two that disagree is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    Code,
    Contract,
}

impl Fix {
    /// A fix of code with one edit.
    pub fn of_code(title: impl Into<String>, safety: Safety, span: Span, text: impl Into<String>) -> Fix {
        Fix { title: title.into(), side: Side::Code, safety, edits: vec![Edit { span, text: text.into() }] }
    }
}

impl Safety {
    /// Whether the fix is safe, in the words of a rule file's `fix-safety`: `safe`.
    pub fn name(self) -> &'static str {
        match self {
            Safety::Safe => "safe",
            Safety::Unsafe => "unsafe",
        }
    }
}

impl Side {
    /// `code`
    pub fn name(self) -> &'static str {
        match self {
            Side::Code => "code",
            Side::Contract => "contract",
        }
    }
}
