//! Hono: applications that mount one another, methods chained on one expression, routes declared for `zod-openapi`.

mod context;
mod requests;
mod responses;

use std::rc::Rc;

use super::Framework;
use super::colon;
use super::handlers::methods;
use crate::evaluate::{
    Args, Dict, Evaluator, Library, Made, MountKind, NodeId, Opaque, RouteDraft, UNKNOWN_PART, Value, last,
};
use crate::finding::Reason;
use crate::text::Span;

pub(super) static HONO: Framework = Framework {
    name: "Hono",
    packages: &["hono", "@hono/zod-openapi"],
    library: &LIBRARY,
    methods,
    responses: responses::responses,
    requests: requests::requests,
    application_kinds: &["application"],
};

static LIBRARY: Library = Library {
    name: "hono",
    words: &["Hono", "OpenAPIHono", "openapi", "createApp", "createRoute", "basePath", "route", "post", "put", "patch"],
    application_words: &["Hono"],
    node_kind,
    node_method,
    call,
    ..Library::TYPESCRIPT
};

const VERBS: &[&str] = &["get", "post", "put", "delete", "patch", "options", "all"];
/// Methods that give back the application, and say nothing about routes.
const CHAINED: &[&str] = &["use", "notFound", "onError", "doc", "doc31", "fire"];
/// `basePath` gives another view of one application: the routes are the same, with more in front.
const VIEW: &str = "hono.basePath";
/// Attributes of a node that are not the program's: of a view the application and what is in front; the path that was
/// registered last, which handlers without one continue.
const ORIGIN: &str = "@origin";
const BASE: &str = "@base";
const LAST: &str = "@path";
/// Attribute of a node: the middleware that a library made for it.
const USED: &str = "@used";

fn node_kind(path: &str) -> Option<&'static str> {
    match path {
        "hono.Hono" | "hono/tiny.Hono" | "hono/quick.Hono" | "@hono/zod-openapi.OpenAPIHono" | FACTORY => {
            Some("application")
        }
        VIEW => Some("view"),
        _ => None,
    }
}

const FACTORY: &str = "hono/factory.createFactory().createApp";

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    match path {
        "hono/factory.createFactory().createApp" => {
            evaluator.make_node(FACTORY, args.clone(), None, site).map(Value::Node)
        }
        "hono/factory.createFactory().createHandlers" => Some(Value::list(args.positional.clone())),
        // The types say what it adds to the context.
        "hono/factory.createMiddleware" if args.types.is_some() => {
            Some(Value::Made(Rc::new(Made { path: Rc::from(path), receiver: None, args: args.clone(), site })))
        }
        "hono/factory.createFactory().createMiddleware" => args.positional.first().cloned(),
        "@hono/zod-openapi.createRoute" | "@hono/zod-openapi.defineOpenAPIRoute" | "@hono/zod-openapi.$" => {
            args.positional.first().cloned()
        }
        // `resolver(schema)`
        path if path.starts_with("hono-openapi") && last(path) == "resolver" => args.positional.first().cloned(),
        _ => None,
    }
}

fn node_method<'p>(
    evaluator: &mut Evaluator<'p>,
    called: NodeId,
    name: &str,
    args: Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    let Args { positional, .. } = args;
    let (id, base) = origin(evaluator, called);
    match name {
        verb if VERBS.contains(&verb) => {
            let (paths, handlers) = path_and_handlers(evaluator, called, &positional);
            let methods = Value::list(vec![Value::str(verb.to_uppercase())]);
            add(evaluator, id, &base, &methods, &paths, handlers, site);
        }
        "on" => {
            let [methods, paths, handlers @ ..] = positional.as_slice() else { return Some(Value::Node(called)) };
            let methods = Value::list(methods.elements().unwrap_or_else(|| vec![methods.clone()]));
            let paths = paths.elements().unwrap_or_else(|| vec![paths.clone()]);
            if let Some(last) = paths.last() {
                evaluator.node_mut(called).attributes.insert(Rc::from(LAST), last.clone());
            }
            add(evaluator, id, &base, &methods, &paths, handlers, site);
        }
        "use" => {
            let path = positional.first().filter(|path| is_text(path)).cloned().unwrap_or(Value::str("*"));
            evaluator.node_mut(called).attributes.insert(Rc::from(LAST), path);
            let mut used = used(evaluator, id);
            used.extend(positional.iter().filter(|given| matches!(given, Value::Made(_))).cloned());
            evaluator.node_mut(id).attributes.insert(Rc::from(USED), Value::list(used));
        }
        "basePath" => {
            let base = merged(&base, positional.first()?);
            let view = evaluator.make_node(VIEW, Args::default(), None, site)?;
            let attributes = &mut evaluator.node_mut(view).attributes;
            attributes.insert(Rc::from(ORIGIN), Value::Node(id));
            attributes.insert(Rc::from(BASE), base);
            return Some(Value::Node(view));
        }
        "route" | "mount" => {
            let [path, mounted, ..] = positional.as_slice() else { return Some(Value::Node(called)) };
            let prefix = merged(&base, path);
            mount(evaluator, id, prefix, mounted, site);
        }
        "openapi" => {
            let [declared, handlers @ ..] = positional.as_slice() else { return Some(Value::Node(called)) };
            if let Value::Dict(declared) = declared {
                let declared = declared.borrow().clone();
                // A hook for what does not validate may follow the handler.
                add_declared(evaluator, id, &base, &declared, handlers.first(), site);
            } else {
                let reason = Reason::new("declaration of a route is not known", Some(site));
                evaluator.node_mut(id).opaque.push(Opaque::below(Value::str(""), reason));
            }
        }
        // `openapiRoutes([{ route, handler }, …])`
        "openapiRoutes" => {
            for entry in positional.first().and_then(Value::elements).unwrap_or_default() {
                let Value::Dict(entry) = entry else { continue };
                let (declared, handler) =
                    (entry.borrow().get_str("route").cloned(), entry.borrow().get_str("handler").cloned());
                if let Some(Value::Dict(declared)) = declared {
                    let declared = declared.borrow().clone();
                    add_declared(evaluator, id, &base, &declared, handler.as_ref(), site);
                }
            }
        }
        other if CHAINED.contains(&other) => {}
        _ => return None,
    }
    Some(Value::Node(called))
}

/// The application behind a view, and what stands in front of its paths.
fn origin<'p>(evaluator: &Evaluator<'p>, id: NodeId) -> (NodeId, Value<'p>) {
    let attributes = &evaluator.node(id).attributes;
    match attributes.get(ORIGIN) {
        Some(Value::Node(origin)) => (*origin, attributes.get(BASE).cloned().unwrap_or(Value::str(""))),
        _ => (id, Value::str("")),
    }
}

/// The middleware that a library made for an application.
fn used<'p>(evaluator: &Evaluator<'p>, id: NodeId) -> Vec<Value<'p>> {
    evaluator.node(id).attributes.get(USED).and_then(Value::elements).unwrap_or_default()
}

fn is_text(value: &Value) -> bool {
    matches!(value, Value::Str(_) | Value::Pattern(_))
}

/// A path, if there is one, then handlers; those without a path continue the path before.
fn path_and_handlers<'v, 'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    given: &'v [Value<'p>],
) -> (Vec<Value<'p>>, &'v [Value<'p>]) {
    let Some((first, rest)) = given.split_first() else { return (Vec::new(), given) };
    let is_handler = matches!(first, Value::Function(_) | Value::Bound(..) | Value::Made(_) | Value::External(_));
    if !is_handler {
        evaluator.node_mut(id).attributes.insert(Rc::from(LAST), first.clone());
        return (vec![first.clone()], rest);
    }
    let before = evaluator.node(id).attributes.get(LAST).cloned().unwrap_or(Value::str("/"));
    (vec![before], given)
}

fn add<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    base: &Value<'p>,
    methods: &Value<'p>,
    paths: &[Value<'p>],
    handlers: &[Value<'p>],
    site: Span,
) {
    // `createHandlers` makes an array of them.
    let opened: Vec<Value<'p>> =
        handlers.iter().flat_map(|handler| handler.elements().unwrap_or_else(|| vec![handler.clone()])).collect();
    // A path alone only says what follows.
    let Some(handler) = opened.last() else { return };
    for path in paths {
        for path in merged_alternatives(base, path) {
            let mut options = Args { positional: opened.clone(), ..Args::default() };
            describe(&opened, &mut options);
            let draft = RouteDraft { node: id, methods: methods.clone(), path, options, site };
            evaluator.add_route(&Rc::new(draft), handler.clone());
        }
    }
}

/// `describeRoute({ responses: {…} })` among the handlers: what the author says of the route.
fn describe<'p>(handlers: &[Value<'p>], options: &mut Args<'p>) {
    let described = handlers.iter().find_map(|handler| match handler {
        Value::Made(made) if made.path.starts_with("hono-openapi") && made.name() == "describeRoute" => {
            made.args.positional.first()
        }
        _ => None,
    });
    if let Some(Value::Dict(described)) = described {
        say(&described.borrow(), options);
    }
}

/// What a declaration says of a route, as options.
fn say<'p>(declared: &Dict<'p>, options: &mut Args<'p>) {
    if let Some(responses) = declared.get_str("responses") {
        options.set("responses", responses.clone());
    }
    if let Some(request) = declared.get_str("request") {
        options.set("request", request.clone());
    }
    if matches!(declared.get_str("hide"), Some(Value::Bool(true))) {
        options.set("include_in_schema", Value::Bool(false));
    }
    if let Some(deprecated) = declared.get_str("deprecated") {
        options.set("deprecated", deprecated.clone());
    }
}

/// `openapi(createRoute({…}), handler)`
fn add_declared<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    base: &Value<'p>,
    declared: &Dict<'p>,
    handler: Option<&Value<'p>>,
    site: Span,
) {
    let unknown = |what| Value::Unknown(what, Some(site));
    let path = declared.get_str("path").cloned().unwrap_or(unknown("route without a path"));
    let method = declared.get_str("method").cloned().unwrap_or(unknown("route without a method"));
    let handler = handler.cloned().unwrap_or(unknown("route without a handler"));
    let mut options = Args { open: declared.open, ..Args::default() };
    say(declared, &mut options);
    let draft = RouteDraft { node: id, methods: Value::list(vec![method]), path: merged(base, &path), options, site };
    evaluator.add_route(&Rc::new(draft), handler);
}

fn mount<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, prefix: Value<'p>, mounted: &Value<'p>, site: Span) {
    // `app.mount("/x", other.fetch)`
    let mounted = match mounted {
        Value::Native(inner, name) if &**name == "fetch" => inner,
        other => other,
    };
    match mounted {
        Value::Node(child) => {
            let (child, _) = origin(evaluator, *child);
            evaluator.add_mount(id, child, prefix, Args::default(), site, MountKind::Include);
        }
        Value::Module(module) => {
            if let Some(exported @ Value::Node(_)) = evaluator.module_name(*module, "default") {
                mount(evaluator, id, prefix, &exported, site);
            }
        }
        other => {
            let why = match other {
                Value::Unknown(why, _) => (*why).to_owned(),
                other => other.describe(),
            };
            let reason = Reason::new(format!("what is mounted is not known: {why}"), Some(site));
            let prefix = if prefix.as_str() == Some("") { Value::str(format!("/{UNKNOWN_PART}")) } else { prefix };
            evaluator.node_mut(id).opaque.push(Opaque::below(prefix, reason));
        }
    }
}

/// A path as a template: what begins with a colon is a parameter where a segment begins, and text elsewhere, as in
/// `/orders/{id}:cancel`.
fn template_text(path: &str) -> String {
    let mut literal = String::with_capacity(path.len() + 1);
    let mut depth = 0_u32;
    let mut before = '/';
    for c in path.chars() {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth = depth.saturating_sub(1),
            ':' if depth == 0 && before != '/' => literal.push('\\'),
            _ => {}
        }
        literal.push(c);
        before = c;
    }
    colon::template_text(&literal)
}

/// A path below a base, as a template: slashes between them are put where they lack.
fn merged<'p>(base: &Value<'p>, path: &Value<'p>) -> Value<'p> {
    let (text, whole) = match path {
        Value::Str(text) => (template_text(text), true),
        Value::Pattern(text) => (template_text(text), false),
        other => return other.clone(),
    };
    let (before, known) = match base {
        Value::Str(before) => (before.to_string(), true),
        Value::Pattern(before) => (before.to_string(), false),
        other => return other.clone(),
    };
    let text = text.strip_prefix('/').unwrap_or(&text);
    let mut out = before.trim_end_matches('/').to_owned();
    if !text.is_empty() && !text.starts_with(UNKNOWN_PART) {
        out.push('/');
    }
    out.push_str(text);
    if whole && known { Value::str(out) } else { Value::Pattern(Rc::from(out)) }
}

/// The same; `/a/:b?` is `/a` and `/a/:b`.
fn merged_alternatives<'p>(base: &Value<'p>, path: &Value<'p>) -> Vec<Value<'p>> {
    let mut all = vec![merged(base, path)];
    if let Value::Str(text) = path
        && let Some((short, _)) = text.strip_suffix('?').and_then(|text| text.rsplit_once("/:"))
    {
        all.push(merged(base, &Value::str(short)));
    }
    all
}
