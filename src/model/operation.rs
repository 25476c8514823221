//! Operations: what a contract promises and what code serves, in one type.

use super::path::PathTemplate;
use super::shape::ShapeId;
use crate::finding::Reason;
use crate::text::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    Get,
    Put,
    Post,
    Delete,
    Patch,
    Options,
    Head,
    Trace,
    Query,
}

impl Method {
    pub const ALL: [Method; 9] = [
        Method::Get,
        Method::Put,
        Method::Post,
        Method::Delete,
        Method::Patch,
        Method::Options,
        Method::Head,
        Method::Trace,
        Method::Query,
    ];

    /// `GET`
    pub fn name(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Put => "PUT",
            Method::Post => "POST",
            Method::Delete => "DELETE",
            Method::Patch => "PATCH",
            Method::Options => "OPTIONS",
            Method::Head => "HEAD",
            Method::Trace => "TRACE",
            Method::Query => "QUERY",
        }
    }

    /// Reads a method name in any casing.
    pub fn parse(text: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name().eq_ignore_ascii_case(text))
    }
}

/// An HTTP operation, declared by a contract or served by code. Shapes live in the table of the declaring contract
/// or of the serving service.
#[derive(Clone, Debug)]
pub struct Operation {
    pub method: Method,
    /// Contract: the spelling under `paths`, without the base path. Code: the full path that is served.
    pub path: PathTemplate,
    /// Contract: the method's key. Code: the route's decorator or registration.
    pub span: Span,
    /// Contract only: JSON pointer of the operation.
    pub pointer: String,
    pub responses: Vec<Response>,
    pub request: Request,
    pub deprecated: bool,
    /// Contract: `operationId`.
    pub id: Option<String>,
    /// Contract: extensions that are text, `x-openapi-router-controller: api.users`; those of the path after its own.
    pub extensions: Vec<(String, String)>,
    /// Contract: `x-status: planned`.
    pub planned: bool,
    /// Code: how the operation came to be; `None` in a contract.
    pub implementation: Option<Implementation>,
}

impl Operation {
    /// `GET /users/{id}`
    pub fn title(&self) -> String {
        format!("{} {}", self.method.name(), self.path.text())
    }
}

/// What an operation takes.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// By place and name; of the path only those of which more than their name is known.
    pub parameters: Vec<Parameter>,
    /// Empty: no body. One entry a media type.
    pub bodies: Vec<Body>,
    /// Why it may take query parameters, headers or cookies that are not listed.
    pub other_parameters: Option<Reason>,
    /// Why it may take another body than is listed.
    pub other_bodies: Option<Reason>,
    /// Code: nothing checks while it runs that what is sent is of the types that it declares.
    pub unchecked: bool,
    /// Code: what parses bodies is set up apart from the handler, and mostly takes forms as well as JSON.
    pub parsed: bool,
}

impl Request {
    /// Of which nothing is known.
    pub fn unknown(reason: Reason) -> Self {
        Request { other_parameters: Some(reason.clone()), other_bodies: Some(reason), ..Request::default() }
    }
}

/// The code behind an operation.
#[derive(Clone, Debug)]
pub struct Implementation {
    pub framework: &'static str,
    /// `read_user`, or a description where the handler has no name.
    pub handler: String,
    pub handler_span: Option<Span>,
    /// Outermost first: the application, each mount or include, the router.
    pub mounts: Vec<MountStep>,
    /// Left out of the generated documentation (`include_in_schema=False`).
    pub hidden: bool,
    /// Registered under a condition that need not hold: perhaps it is not served.
    pub conditional: bool,
    /// What is decided when the program starts and makes the operation what it is, outermost first. Two operations of which
    /// one asks for the opposite of the other are alternatives: no run serves both.
    pub when: Vec<Condition>,
    /// False where the router was never seen to be mounted in an application: the path may lack a prefix.
    pub mounted: bool,
    /// Served whatever the case of the letters in its path and in the names of what it takes.
    pub any_case: bool,
    /// The versions of the API in which it is served, `1` and `2.1`; empty where none are told apart.
    pub versions: Vec<String>,
    /// What could not be known on the way.
    pub unknown: Vec<Reason>,
}

/// A condition on which something is served as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Condition {
    /// Where it is decided.
    pub test: Span,
    pub holds: bool,
}

impl Implementation {
    /// Whether no run serves both.
    pub fn excludes(&self, other: &Implementation) -> bool {
        let opposite =
            |mine: &Condition| other.when.iter().any(|theirs| theirs.test == mine.test && theirs.holds != mine.holds);
        self.when.iter().any(opposite)
    }
}

#[derive(Clone, Debug)]
pub struct MountStep {
    pub span: Span,
    /// `FastAPI()`, `include_router`, …
    pub what: String,
    pub prefix: String,
}

#[derive(Clone, Debug)]
pub struct Response {
    pub status: Status,
    /// Empty: no body. One entry a media type.
    pub bodies: Vec<Body>,
    /// Contract: the status key. Code: where the type or status is declared.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    Code(u16),
    /// `2XX` is `Range(2)`.
    Range(u8),
    Default,
    Unknown(Reason),
}

impl Status {
    pub fn is_success(&self) -> bool {
        matches!(self, Status::Code(200..=299) | Status::Range(2))
    }

    /// `200`, `2XX`, `default`, `?`
    pub fn name(&self) -> String {
        match self {
            Status::Code(code) => code.to_string(),
            Status::Range(class) => format!("{class}XX"),
            Status::Default => "default".to_owned(),
            Status::Unknown(_) => "?".to_owned(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Body {
    /// `application/json`
    pub media: String,
    pub shape: ShapeId,
    pub span: Span,
    /// Whether a request body is required.
    pub required: bool,
}

impl Body {
    /// JSON by media type: `application/json`, `application/problem+json`, `*/*`.
    pub fn is_json(&self) -> bool {
        let essence = self.media.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
        essence == "*/*"
            || essence.strip_prefix("application/").is_some_and(|sub| sub == "json" || sub.ends_with("+json"))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ParameterPlace {
    Path,
    Query,
    Header,
    Cookie,
}

impl ParameterPlace {
    const ALL: [ParameterPlace; 4] =
        [ParameterPlace::Path, ParameterPlace::Query, ParameterPlace::Header, ParameterPlace::Cookie];

    /// As OpenAPI's `in` has it: `query`.
    pub fn name(self) -> &'static str {
        match self {
            ParameterPlace::Path => "path",
            ParameterPlace::Query => "query",
            ParameterPlace::Header => "header",
            ParameterPlace::Cookie => "cookie",
        }
    }

    /// Reads such a name.
    pub fn parse(name: &str) -> Option<ParameterPlace> {
        ParameterPlace::ALL.into_iter().find(|place| place.name() == name)
    }
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: String,
    pub place: ParameterPlace,
    pub required: bool,
    pub shape: ShapeId,
    pub span: Span,
}

/// Headers that say how a message travels, or who sends it: no parameters of an operation.
const OF_EVERY_MESSAGE: &[&str] = &[
    "accept",
    "accept-charset",
    "accept-encoding",
    "accept-language",
    "authorization",
    "cache-control",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "cookie",
    "date",
    "expect",
    "forwarded",
    "host",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "keep-alive",
    "origin",
    "pragma",
    "range",
    "referer",
    "referrer",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-port",
    "x-forwarded-prefix",
    "x-forwarded-proto",
    "x-real-ip",
];

/// Headers that proxies add and traces are told by. An operation that declares one means it.
const OF_THE_WAY: &[&str] = &[
    "baggage",
    "client-ip",
    "fastly-client-ip",
    "traceparent",
    "tracestate",
    "true-client-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-correlation-id",
    "x-request-id",
    "x-trace-id",
];
/// Beginnings of the names of more of them.
const OF_THE_WAY_BEGIN: &[&str] =
    &["cf-", "cloudfront-", "sec-fetch-", "x-amzn-", "x-b3-", "x-datadog-", "x-envoy-", "x-forwarded-", "x-vercel-"];

/// Whether a header says how a message travels or who sends it, whatever the operation.
pub fn is_of_every_message(header: &str) -> bool {
    OF_EVERY_MESSAGE.iter().any(|name| name.eq_ignore_ascii_case(header))
}

/// Whether a header is put there on the way, so that who only reads it does not ask for it.
pub fn is_of_the_way(header: &str) -> bool {
    let header = header.to_ascii_lowercase();
    is_of_every_message(&header)
        || OF_THE_WAY.contains(&header.as_str())
        || OF_THE_WAY_BEGIN.iter().any(|begin| header.starts_with(begin))
}
