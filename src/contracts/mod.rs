//! Contract documents: text in, declarations out. No IO: referenced documents are asked for and handed in.

mod asyncapi;
mod declare;
mod dialect;
mod document;
mod openapi;
mod reader;
mod reference;
mod schema;
pub mod tree;

pub use declare::declare;
pub use document::{Document, MAX_BYTES, Parsed, parse, referenced_files, sniff};
pub use reference::join;

use crate::finding::Problem;
use crate::model::{Events, Operation, ShapeId, ShapeTable};
use crate::text::{FileId, Span};

/// What one contract document promises.
#[derive(Clone, Debug)]
pub struct Declarations {
    pub file: FileId,
    pub title: String,
    /// `info.version`
    pub version: String,
    /// Paths of `servers` or `basePath`, without a trailing slash, no duplicates; `""` where there is none.
    pub base_paths: Vec<String>,
    /// The addresses of its servers have variables: who serves it decides about its base path.
    pub servers_vary: bool,
    pub operations: Vec<Operation>,
    /// Channels and messages: what an AsyncAPI document declares, `None` for any other.
    pub events: Option<Events>,
    pub shapes: ShapeTable,
    /// Named schemas: `components.schemas`, `definitions`.
    pub components: Vec<(String, ShapeId)>,
    /// Whether it states `null` anywhere. One that never does was written by someone who does not record null.
    pub states_null: bool,
    /// Whether it states of any reference that null may stand instead.
    pub states_null_of_references: bool,
    /// What is wrong in a document that can be read.
    pub issues: Vec<Issue>,
    /// What could not be read or followed.
    pub problems: Vec<Problem>,
}

impl Declarations {
    /// A contract that promises nothing.
    pub(crate) fn nothing(file: FileId) -> Self {
        Declarations {
            file,
            title: String::new(),
            version: String::new(),
            base_paths: vec![String::new()],
            servers_vary: false,
            operations: Vec::new(),
            events: None,
            shapes: ShapeTable::default(),
            components: Vec::new(),
            states_null: false,
            states_null_of_references: false,
            issues: Vec::new(),
            problems: Vec::new(),
        }
    }
}

/// One defect of a contract document (CONTRACT-007).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    pub kind: IssueKind,
    pub span: Span,
    /// JSON pointer of the guilty node, `""` for the document.
    pub pointer: String,
    pub message: String,
    pub help: Option<String>,
    /// The other place, for duplicates.
    pub related: Option<(Span, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IssueKind {
    Syntax,
    NotAContract,
    UnresolvedReference,
    DuplicateKey,
    DuplicateOperation,
    InvalidValue,
    MissingField,
}

impl IssueKind {
    pub fn name(self) -> &'static str {
        match self {
            IssueKind::Syntax => "syntax",
            IssueKind::NotAContract => "not-a-contract",
            IssueKind::UnresolvedReference => "unresolved-reference",
            IssueKind::DuplicateKey => "duplicate-key",
            IssueKind::DuplicateOperation => "duplicate-operation",
            IssueKind::InvalidValue => "invalid-value",
            IssueKind::MissingField => "missing-field",
        }
    }
}
