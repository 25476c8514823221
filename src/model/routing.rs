//! Routing that code leaves to a contract.

use super::operation::Response;
use crate::text::Span;

/// Code that leaves routing to a contract: the operations of a document say which function answers them.
#[derive(Clone, Debug)]
pub struct Routing {
    pub framework: &'static str,
    /// The end of the document's path, as the code has it; `None` where it is not known.
    pub document: Option<String>,
    /// What comes before every path; `None`: what the document says.
    pub base: Option<String>,
    pub naming: Naming,
    pub handlers: Vec<Handler>,
    /// There may be more handlers than are known.
    pub open: bool,
    pub span: Span,
}

/// A function that an operation may name.
#[derive(Clone, Debug)]
pub struct Handler {
    /// The name that leads to it. One that ends with `.*` answers to every name below.
    pub name: String,
    pub span: Span,
    /// None where nothing is known of them.
    pub responses: Vec<Response>,
}

/// How an operation names its handler: `root.place.name`.
#[derive(Clone, Debug, Default)]
pub struct Naming {
    pub root: String,
    /// Extensions that say where the handler is; the first that is there counts.
    pub places: &'static [&'static str],
    /// Whether an operation that says no place has no handler.
    pub needs_place: bool,
    /// Extensions that name the handler, before `operationId`.
    pub names: &'static [&'static str],
    /// For operations without a name, where path and method make one: the module of all, and the name of the function
    /// that lists a collection.
    pub by_path: Option<(String, String)>,
    /// Names are dotted from a directory that is not known.
    pub by_end: bool,
}
