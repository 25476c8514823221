//! Contract documents: text in, declarations out. No IO: referenced documents are asked for and handed in.

mod asyncapi;
mod declare;
mod dialect;
mod document;
mod form;
mod ignore;
mod json_schema;
mod openapi;
mod reader;
mod reference;
mod resources;
mod schema;
mod table;
pub mod tree;
mod wiring;

pub use declare::{declare, declare_schema};
pub use document::{Document, MAX_BYTES, Parsed, parse, parse_file, referenced_files, sniff};
pub use ignore::{EXTENSION as IGNORE_EXTENSION, Ignore, ignores};
pub use reference::{join, percent_decode};
pub use table::{Registered, RowIssue, RowIssueKind, Table};
pub use wiring::{Mark, WiredImport, WiredMiddlewares, WiredModule, WiredName, Wiring, is_about_wiring, marks, unfold};

use crate::finding::Problem;
use crate::model::{Events, Operation, Parameter, ParameterPlace, ShapeId, ShapeTable};
use crate::text::{FileId, Span};

/// Every format that is read, with its versions.
pub const FORMATS: &[(&str, &[&str])] = &[
    ("OpenAPI", &["2.0", "3.0", "3.1", "3.2"]),
    ("AsyncAPI", &["2.0", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "3.0", "3.1"]),
    ("JSON Schema", &["draft-04", "draft-06", "draft-07", "2019-09", "2020-12"]),
    ("`CONTRACTS.json`", &[]),
    ("`REQUIREMENTS.md`", &[]),
];

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
    /// What it says of each of `operations` beside what goes in and out, in the same order.
    pub terms: Vec<Terms>,
    /// Requests that the service itself makes: webhooks and callbacks.
    pub webhooks: Vec<Webhook>,
    /// Its security schemes.
    pub schemes: Vec<Scheme>,
    /// Parameters that its security schemes say hold a key.
    pub keys: Vec<(ParameterPlace, String)>,
    /// Addresses of its servers, as written.
    pub servers: Vec<(String, Span)>,
    /// Where its operations are listed, else its beginning.
    pub paths: Span,
    /// Channels and messages: what an AsyncAPI document declares, `None` for any other.
    pub events: Option<Events>,
    /// Shared models: what a JSON Schema document declares, `None` for any other.
    pub models: Option<Vec<SharedModel>>,
    /// What a `CONTRACTS.json` says of the modules of a program, `None` for any other.
    pub wiring: Option<Wiring>,
    /// What else a requirements document says whose rows are `operations`, `None` for any other.
    pub table: Option<Table>,
    pub shapes: ShapeTable,
    /// Named schemas: `components.schemas`, `definitions`.
    pub components: Vec<(String, ShapeId)>,
    /// Whether it states `null` anywhere. One that never does was written by someone who does not record null: code is
    /// held against what it says of null only where it does, or where the settings say so ([`Self::check_null`]).
    pub states_null: bool,
    /// Whether it states of any reference that null may stand instead.
    pub states_null_of_references: bool,
    /// What is wrong in a document that can be read.
    pub issues: Vec<Issue>,
    /// What could not be read or followed.
    pub problems: Vec<Problem>,
}

/// What a contract says of an operation beside what goes in and out: what two versions of it may differ in.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    pub tags: Vec<String>,
    /// Ways to be let in, any of which will do: schemes with their scopes, by name. Empty where everybody is.
    pub security: Vec<Vec<(String, Vec<String>)>>,
    /// `x-sunset`: from when on it may be gone.
    pub sunset: Option<String>,
    /// `x-stability-level`: `draft`, `alpha`, `beta` or `stable`.
    pub stability: Option<String>,
    /// Whether a request body is required; `None` where there is none.
    pub body: Option<bool>,
    /// Headers of each response.
    pub headers: Vec<Vec<Parameter>>,
    /// Of each parameter.
    pub parameters: Vec<ParameterTerms>,
}

/// What a contract says of a parameter beside its values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParameterTerms {
    pub deprecated: bool,
    pub sunset: Option<String>,
    /// How it is written out: `style`, `explode`, or `collectionFormat` of 2.0, the default where nothing is stated.
    pub style: String,
}

impl Declarations {
    /// Whether it is about operations, which a service could lack, rather than events, models or modules.
    pub fn promises_operations(&self) -> bool {
        self.events.is_none() && self.models.is_none() && self.wiring.is_none()
    }

    /// Says whether null is held against it, whatever it states.
    pub fn check_null(&mut self, check: bool) {
        self.states_null = check;
        self.states_null_of_references = check;
    }

    /// A contract that promises nothing.
    pub(crate) fn nothing(file: FileId) -> Self {
        Declarations {
            file,
            title: String::new(),
            version: String::new(),
            base_paths: vec![String::new()],
            servers_vary: false,
            operations: Vec::new(),
            terms: Vec::new(),
            webhooks: Vec::new(),
            schemes: Vec::new(),
            keys: Vec::new(),
            servers: Vec::new(),
            paths: Span::new(file, 0, 0),
            events: None,
            models: None,
            wiring: None,
            table: None,
            shapes: ShapeTable::default(),
            components: Vec::new(),
            states_null: false,
            states_null_of_references: false,
            issues: Vec::new(),
            problems: Vec::new(),
        }
    }
}

/// A request that a service makes to whoever asked for it (OpenAPI 3.1 `webhooks`, 3.0 `callbacks`).
#[derive(Clone, Debug)]
pub struct Webhook {
    /// ``webhook `newPet` ``, ``callback `onEvent` of `POST /streams` ``.
    pub name: String,
    /// Of a callback, the expression that tells where it goes.
    pub address: String,
    pub operation: Operation,
}

/// A way to be let in, in words: what clients must do, and where they get what they need for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheme {
    pub name: String,
    /// ``a key in the header `X-Key` ``, `HTTP bearer`, `OAuth 2 (implicit)`.
    pub words: String,
    /// Addresses of its flows, each with what it is.
    pub addresses: Vec<String>,
    pub span: Span,
}

/// A schema that services share by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedModel {
    /// Its `title`, its `$id` without directories and extension, its key or file name likewise; what there is, in this
    /// order.
    pub names: Vec<String>,
    pub shape: ShapeId,
    pub span: Span,
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
    /// It can be read as it was meant, and some tools will not.
    Doubtful,
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
            IssueKind::Doubtful => "doubtful-value",
        }
    }
}
