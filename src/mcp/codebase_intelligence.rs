//! The index of the code base as tools.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::tool::{Call, Effect, Given, Output, Refusal, Told, Tool, given};

pub(super) const INSTRUCTIONS: &str = "\
Symbols, callers, dependencies and endpoints of this project's code, as it is now: files that changed are read again. \
`find_definition` and `find_callers` before you change something, `search_semantic` where you do not know its name. The \
first question about a project takes longer, while its files are read.";

/// In the order that clients are told.
pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new(
            "find_definition",
            "Where a symbol is declared",
            "File, line, kind and signature of a symbol; null where nothing is called so. Where several are, the exported one \
             nearest to the root is given, and the others under `alternatives`.",
            (Effect::Reads, Output::Wrapped(definition_or_null())),
            find_definition,
        ),
        Tool::new(
            "find_callers",
            "Who uses a symbol",
            "Places that use a symbol, resolved through imports, with the line itself.",
            (Effect::Reads, Output::Wrapped(callers())),
            find_callers,
        ),
        Tool::new(
            "find_dependencies",
            "What a file depends on",
            "Files that a file imports, that import it, that it needs indirectly, and circles that it is part of.",
            (Effect::Reads, Output::Object(dependencies())),
            find_dependencies,
        ),
        Tool::new(
            "search_semantic",
            "Search the code by words",
            "Functions, methods and classes whose names, signatures, comments and bodies say most of what is asked.",
            (Effect::Reads, Output::Wrapped(hits())),
            search_semantic,
        ),
        Tool::new(
            "get_service_interface",
            "What a service offers",
            "Endpoints that a service serves, events that it publishes and consumes, with the places in the code.",
            (Effect::Reads, Output::Object(interface())),
            get_service_interface,
        ),
        Tool::new(
            "check_dead_code",
            "Code that nobody uses",
            "Functions, classes, methods and types that nothing in the project names, with how certain that is.",
            (Effect::Reads, Output::Wrapped(dead())),
            check_dead_code,
        ),
        Tool::new(
            "register_artifact",
            "Register a file",
            "Notes that a file belongs to a service, and reads it. A file that cannot be read is told under `errors`.",
            (Effect::Adds, Output::Object(registered())),
            register_artifact,
        ),
    ]
}

/// Languages that may be asked for. One that is not read has no symbols.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Language {
    Python,
    Typescript,
    Csharp,
    Go,
}

impl Language {
    fn name(self) -> &'static str {
        match self {
            Language::Python => "python",
            Language::Typescript => "typescript",
            Language::Csharp => "csharp",
            Language::Go => "go",
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FindDefinition {
    /// `name`, `Class.member` or `path/to/file.py::name`.
    symbol: String,
    /// Symbols of this language only.
    language: Option<Language>,
}

fn find_definition(call: &Call<'_>, asked: &FindDefinition) -> Result<Given, Refusal> {
    let language = asked.language.map(Language::name);
    given(call.place.index(|it| it.find_definition(&asked.symbol, language, &Told(call)))?)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FindCallers {
    /// `name`, `Class.member` or `path/to/file.py::name`.
    symbol: String,
    /// Places to give at most. Default: 50.
    max_results: Option<u32>,
}

/// Places in one answer, unless asked otherwise.
const CALLERS: u32 = 50;

fn find_callers(call: &Call<'_>, asked: &FindCallers) -> Result<Given, Refusal> {
    let most = asked.max_results.unwrap_or(CALLERS) as usize;
    let found = call.place.index(|it| it.find_callers(&asked.symbol, most, &Told(call)))?;
    let more = match found.callers.len() {
        _ if found.definition.is_none() => Some(call.place.index(|it| it.nothing_called(&asked.symbol))?),
        given if given < found.total => {
            let total = found.total;
            Some(format!("{given} of {total} places; ask with `max_results` {total} for all"))
        }
        _ => None,
    };
    Ok(Given { more, ..given(found.callers)? })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FindDependencies {
    /// File below the project's folder.
    file_path: String,
}

fn find_dependencies(call: &Call<'_>, asked: &FindDependencies) -> Result<Given, Refusal> {
    given(call.place.index(|it| it.find_dependencies(&asked.file_path, &Told(call)))?)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SearchSemantic {
    /// What the code does, in words or identifiers.
    query: String,
    /// Code of this language only.
    language: Option<Language>,
    /// Code of this service only.
    service_name: Option<String>,
    /// Results to give at most. Default: 10.
    n_results: Option<u32>,
}

/// Search results, unless asked otherwise.
const RESULTS: u32 = 10;

fn search_semantic(call: &Call<'_>, asked: &SearchSemantic) -> Result<Given, Refusal> {
    let SearchSemantic { query, service_name, .. } = asked;
    let language = asked.language.map(Language::name);
    let most = asked.n_results.unwrap_or(RESULTS) as usize;
    given(call.place.index(|it| it.search(query, language, service_name.as_deref(), most, &Told(call)))?)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GetServiceInterface {
    /// Name of the service.
    service_name: String,
}

fn get_service_interface(call: &Call<'_>, asked: &GetServiceInterface) -> Result<Given, Refusal> {
    given(call.place.index(|it| it.service_interface(&asked.service_name, &Told(call)))?)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CheckDeadCode {
    /// Code of this service only.
    service_name: Option<String>,
}

/// Symbols in one answer: a model reads them all.
const DEAD: usize = 500;

fn check_dead_code(call: &Call<'_>, asked: &CheckDeadCode) -> Result<Given, Refusal> {
    let mut found = call.place.index(|it| it.dead_code(asked.service_name.as_deref(), &Told(call)))?;
    let total = found.len();
    let more = format!("{DEAD} of {total} symbols; ask for one `service_name` at a time");
    found.truncate(DEAD);
    Ok(Given { more: (total > DEAD).then_some(more), ..given(found)? })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RegisterArtifact {
    /// File below the project's folder.
    file_path: String,
    /// Service that it belongs to.
    service_name: String,
}

fn register_artifact(call: &Call<'_>, asked: &RegisterArtifact) -> Result<Given, Refusal> {
    let RegisterArtifact { file_path, service_name } = asked;
    given(call.place.index(|it| it.register_artifact(file_path, service_name, &Told(call)))?)
}

fn texts() -> Value {
    json!({ "type": "array", "items": { "type": "string" } })
}

fn definition_or_null() -> Value {
    let definition = json!({
        "type": "object",
        "properties": {
            "file": { "type": "string" },
            "line": { "type": "integer" },
            "kind": {
                "type": "string",
                "enum": ["class", "function", "interface", "type", "enum", "variable", "method"],
            },
            "signature": { "type": "string" },
            "alternatives": { "type": "array", "items": { "type": "object" } },
        },
        "required": ["file", "line", "kind", "signature"],
    });
    json!({ "anyOf": [definition, { "type": "null" }] })
}

fn callers() -> Value {
    json!({ "type": "array", "items": {
        "type": "object",
        "properties": {
            "file": { "type": "string" },
            "line": { "type": "integer" },
            "context": { "type": "string", "description": "The line itself." },
            "caller_symbol": { "type": "string", "description": "The function or class around it." },
        },
        "required": ["file", "line", "context"],
    } })
}

fn dependencies() -> Value {
    json!({
        "type": "object",
        "properties": {
            "imports": texts(),
            "imported_by": texts(),
            "transitive_deps": texts(),
            "circular_deps": { "type": "array", "items": texts() },
        },
        "required": ["imports", "imported_by", "transitive_deps", "circular_deps"],
    })
}

fn hits() -> Value {
    json!({ "type": "array", "items": {
        "type": "object",
        "properties": {
            "file": { "type": "string" },
            "lines": { "type": "array", "items": { "type": "integer" }, "minItems": 2, "maxItems": 2 },
            "content": { "type": "string" },
            "score": { "type": "number", "minimum": 0, "maximum": 1 },
            "symbol": { "type": "string" },
            "left_out": { "type": "integer", "description": "Lines that `content` leaves out." },
        },
        "required": ["file", "lines", "content", "score"],
    } })
}

fn interface() -> Value {
    let event = json!({
        "type": "object",
        "properties": {
            "event": { "type": "string" },
            "file": { "type": "string" },
            "line": { "type": "integer" },
        },
        "required": ["event", "file", "line"],
    });
    let endpoint = json!({
        "type": "object",
        "properties": {
            "method": { "type": "string" },
            "path": { "type": "string" },
            "handler": { "type": "string" },
            "file": { "type": "string" },
            "line": { "type": "integer" },
        },
        "required": ["method", "path", "handler", "file", "line"],
    });
    json!({
        "type": "object",
        "properties": {
            "service_name": { "type": "string" },
            "endpoints": { "type": "array", "items": endpoint },
            "events_published": { "type": "array", "items": event },
            "events_consumed": { "type": "array", "items": event },
            "exported_symbols": { "type": "array", "items": { "type": "object" } },
            "not_read": { "type": "array", "items": { "type": "string" }, "description": "There may be more endpoints." },
        },
        "required": ["endpoints", "events_published", "events_consumed"],
    })
}

fn dead() -> Value {
    json!({ "type": "array", "items": {
        "type": "object",
        "properties": {
            "symbol": { "type": "string" },
            "file": { "type": "string" },
            "line": { "type": "integer" },
            "kind": { "type": "string" },
            "confidence": { "type": "string", "enum": ["high", "medium", "low"] },
        },
        "required": ["symbol", "file", "line", "kind", "confidence"],
    } })
}

fn registered() -> Value {
    json!({
        "type": "object",
        "properties": {
            "indexed": { "type": "boolean" },
            "symbols_found": { "type": "integer" },
            "dependencies_found": { "type": "integer" },
            "errors": texts(),
        },
        "required": ["indexed", "symbols_found", "dependencies_found", "errors"],
    })
}
