//! The parts of a request, by the names that Express, Fastify, Koa, Hono, Next.js and the Fetch standard have for them.

/// Where a member comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Path,
    Query,
    Header,
    Cookie,
    /// The body, whichever medium it has.
    Body,
    /// The body as a form.
    Form,
}

/// What an expression stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Request,
    /// The context of Hono: its request is a member.
    Context,
    /// The context of Koa: request and response in one.
    Both,
    /// The address, as text.
    Address,
    /// The same, taken apart.
    Url,
    /// The name of the method.
    Method,
    Of(Source),
}

/// `part.name`
pub(super) fn member(part: Part, name: &str) -> Option<Part> {
    let of = |source| Some(Part::Of(source));
    match (part, name) {
        (Part::Context, "req") | (Part::Both | Part::Request, "request" | "req" | "raw") => Some(Part::Request),
        (Part::Request, "body" | "rawBody") => of(Source::Body),
        (Part::Request | Part::Both, "query") => of(Source::Query),
        (Part::Request | Part::Both, "headers") | (Part::Both, "header") => of(Source::Header),
        (Part::Request | Part::Both, "cookies") => of(Source::Cookie),
        (Part::Request | Part::Both, "params") => of(Source::Path),
        (Part::Request | Part::Both, "method") => Some(Part::Method),
        (Part::Request | Part::Both, "url" | "originalUrl" | "href") => Some(Part::Address),
        (Part::Request, "nextUrl") => Some(Part::Url),
        (Part::Url, "searchParams" | "search") => of(Source::Query),
        _ => None,
    }
}

/// What a method of a part gives.
pub(super) enum Given {
    Part(Part),
    /// The member of the name that it is given.
    Named(Source),
}

/// `part.name(…)`, with an argument or without.
pub(super) fn called(part: Part, name: &str, argued: bool) -> Option<Given> {
    let part = match (part, name, argued) {
        (Part::Request, "query" | "queries", true) => return Some(Given::Named(Source::Query)),
        (Part::Request, "query" | "queries", false) => Part::Of(Source::Query),
        (Part::Request | Part::Both, "header" | "get", true) => return Some(Given::Named(Source::Header)),
        (Part::Request, "header", false) => Part::Of(Source::Header),
        (Part::Request, "param", true) => return Some(Given::Named(Source::Path)),
        (Part::Request, "param", false) => Part::Of(Source::Path),
        (Part::Request, "json" | "text", _) => Part::Of(Source::Body),
        (Part::Request, "parseBody" | "formData" | "form" | "file" | "files" | "parts" | "saveRequestFiles", _) => {
            Part::Of(Source::Form)
        }
        (Part::Request, "clone", _) => Part::Request,
        (Part::Of(source @ (Source::Query | Source::Header | Source::Cookie | Source::Form)), _, true)
            if matches!(name, "get" | "getAll" | "has") =>
        {
            return Some(Given::Named(source));
        }
        (part @ Part::Of(_), "entries" | "toString" | "toObject" | "toJSON", _) => part,
        _ => return None,
    };
    Some(Given::Part(part))
}

/// Functions that give the same as they are given, by the name that they are a member of and their own.
pub(super) fn passes(of: Option<&str>, name: &str) -> bool {
    match of {
        None => matches!(name, "URLSearchParams" | "String" | "decodeURIComponent" | "structuredClone"),
        Some("JSON" | "superjson") => matches!(name, "parse" | "stringify"),
        Some("Object") => matches!(name, "fromEntries" | "entries"),
        Some("qs" | "querystring" | "queryString") => name == "parse",
        _ => false,
    }
}

/// Methods that call what they are given with each element.
pub(super) fn iterates(name: &str) -> bool {
    matches!(name, "forEach" | "map" | "filter" | "flatMap" | "some" | "every" | "find" | "findIndex" | "reduce")
}

/// Functions that write the members of what comes after into what comes first.
pub(super) fn merges(name: &str) -> bool {
    matches!(name, "assign" | "merge" | "extend" | "defaultsDeep" | "mergeWith" | "deepmerge")
}

/// Methods of schemas that read what they are given.
pub(super) fn is_parsing(name: &str) -> bool {
    matches!(name, "parse" | "parseAsync" | "safeParse" | "safeParseAsync" | "spa" | "decode" | "parser")
}
