//! What a run says: findings (the user's code or contract is wrong) and problems (an input was not understood).

mod fix;
mod sink;

pub use fix::{Edit, Fix, Safety, Side};
pub use sink::{Evidence, Sink, Template, TemplateError, Wording, in_order};

use crate::text::{Sources, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Info,
    Warning,
    Error,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// How thoroughly is looked: what a depth looks at, every greater one does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    Quick,
    #[default]
    Standard,
    Thorough,
    Exhaustive,
}

impl Depth {
    pub const ALL: [Depth; 4] = [Depth::Quick, Depth::Standard, Depth::Thorough, Depth::Exhaustive];

    pub fn name(self) -> &'static str {
        match self {
            Depth::Quick => "quick",
            Depth::Standard => "standard",
            Depth::Thorough => "thorough",
            Depth::Exhaustive => "exhaustive",
        }
    }
}

/// A second place that a finding is about, with what stands there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// The contract's side of a finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContractPlace {
    pub span: Span,
    /// JSON pointer (RFC 6901) into the contract document, without `#`.
    pub pointer: String,
}

/// One disagreement. `message` and `help` are finished text: lower case, no final dot.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Rule code, such as `CONTRACT-001`.
    pub rule: String,
    /// The rule's name, such as `response-schema-mismatch`.
    pub name: String,
    /// Which of the rule's defects it is, such as `missing-field`; a closed list per engine.
    pub kind: &'static str,
    pub severity: Severity,
    pub message: String,
    pub help: Option<String>,
    /// Where the finding is reported.
    pub span: Span,
    /// What the primary place shows, for the terminal.
    pub label: String,
    pub related: Vec<Label>,
    /// The first affected operation in the contract's own spelling, `GET /users/{id}`.
    pub operation: Option<String>,
    /// Every affected operation, the first one included.
    pub operations: Vec<String>,
    /// `items[].name`: the member that disagrees, seen from the declared type that has it, else from the response.
    pub field: Option<String>,
    pub contract: Option<ContractPlace>,
    /// Changes of text that mend it: as a rule none, at most one for each side.
    pub fixes: Vec<Fix>,
    /// What filled the gaps of the wording, by name.
    pub values: Vec<(&'static str, String)>,
    /// Stable under line moves: hash of rule, kind, file, operation or type, and field. Set by the sink.
    pub fingerprint: String,
    /// The same without any path, so that it is stable where files are renamed; not unique. Set by the sink.
    pub key: String,
}

impl Finding {
    /// What filled a gap of the wording.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    Unreadable,
    InvalidEncoding,
    TooLarge,
    TooDeep,
    ReferenceOutsideRoot,
    ReferenceNotFollowed,
    UnresolvedReference,
    UnusedContract,
    NoContract,
    NoSources,
    ExtractionIncomplete,
    BudgetExhausted,
    SyntaxError,
    InvalidFacts,
    InvalidSuppression,
    UnusedSuppression,
    OutdatedBaseline,
    Crashed,
}

impl ProblemKind {
    pub const ALL: [ProblemKind; 18] = [
        ProblemKind::Unreadable,
        ProblemKind::InvalidEncoding,
        ProblemKind::TooLarge,
        ProblemKind::TooDeep,
        ProblemKind::ReferenceOutsideRoot,
        ProblemKind::ReferenceNotFollowed,
        ProblemKind::UnresolvedReference,
        ProblemKind::UnusedContract,
        ProblemKind::NoContract,
        ProblemKind::NoSources,
        ProblemKind::ExtractionIncomplete,
        ProblemKind::BudgetExhausted,
        ProblemKind::SyntaxError,
        ProblemKind::InvalidFacts,
        ProblemKind::InvalidSuppression,
        ProblemKind::UnusedSuppression,
        ProblemKind::OutdatedBaseline,
        ProblemKind::Crashed,
    ];

    pub fn name(self) -> &'static str {
        match self {
            ProblemKind::Unreadable => "unreadable",
            ProblemKind::InvalidEncoding => "invalid-encoding",
            ProblemKind::TooLarge => "too-large",
            ProblemKind::TooDeep => "too-deep",
            ProblemKind::ReferenceOutsideRoot => "reference-outside-root",
            ProblemKind::ReferenceNotFollowed => "reference-not-followed",
            ProblemKind::UnresolvedReference => "unresolved-reference",
            ProblemKind::UnusedContract => "unused-contract",
            ProblemKind::NoContract => "no-contract",
            ProblemKind::NoSources => "no-sources",
            ProblemKind::ExtractionIncomplete => "extraction-incomplete",
            ProblemKind::BudgetExhausted => "budget-exhausted",
            ProblemKind::SyntaxError => "syntax-error",
            ProblemKind::InvalidFacts => "invalid-facts",
            ProblemKind::InvalidSuppression => "invalid-suppression",
            ProblemKind::UnusedSuppression => "unused-suppression",
            ProblemKind::OutdatedBaseline => "outdated-baseline",
            ProblemKind::Crashed => "crashed",
        }
    }
}

/// An input that could not be read or understood. Never a violation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Path as shown to the user; empty for the run as a whole.
    pub path: String,
    pub span: Option<Span>,
    pub kind: ProblemKind,
    pub message: String,
    pub help: Option<String>,
}

impl Problem {
    pub fn new(kind: ProblemKind, path: impl Into<String>, message: impl Into<String>) -> Self {
        Problem { path: path.into(), span: None, kind, message: message.into(), help: None }
    }

    pub fn at(kind: ProblemKind, sources: &Sources, span: Span, message: impl Into<String>) -> Self {
        Problem { path: sources.path(span).to_owned(), span: Some(span), kind, message: message.into(), help: None }
    }

    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Something that cannot be known statically, with the place where knowledge ended. Counted, never reported as wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reason {
    pub text: String,
    pub span: Option<Span>,
}

impl Reason {
    pub fn new(text: impl Into<String>, span: Option<Span>) -> Self {
        Reason { text: text.into(), span }
    }
}
