//! Refit and RestEase: methods of an interface that attributes make into requests: `[Get("/users/{id}")]
//! Task<User> GetUser(string id, [Query] int page, [Body] User user)`. A request is noted once, where its method is
//! declared: address, query and body are written there, and that is what has to change if they are wrong.

use crate::languages::Language;
use std::rc::Rc;

use super::super::super::{Use, Wire};
use super::super::asked::json;
use super::super::{Asked, Query, request};
use super::{below, method_of_name, set_up};
use crate::evaluate::{Args, ClassRef, Evaluator, FunctionRef, Library, Noted, Value, last};
use crate::finding::Reason;
use crate::frameworks::Schemas;
use crate::languages::csharp::schema::Serialiser;
use crate::model::program::{ClassKind, Param, StmtKind};
use crate::model::{Body, Kind, Method, Parameter, ParameterPlace, ShapeId};
use crate::text::Span;
use crate::wires::payload;

pub(in crate::wires) static REFIT: Wire =
    Wire { name: "Refit, RestEase", languages: &[Language::CSharp], library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "Refit",
    wire_packages: &["Refit", "RestEase"],
    wire_words: &["AddRefitClient", "For"],
    wire_methods: &["AddRefitClient"],
    call,
    class_defined,
    ..Library::CSHARP
};

/// Types that are no part of a request.
const PASSED: &[&str] = &["CancellationToken", "ApizrRequestOptions"];
/// Attributes of parameters that are neither query nor body.
const ELSEWHERE: &[&str] = &["Header", "HeaderCollection", "Authorize", "Property", "Path", "RawQueryString"];
/// What answers are wrapped in.
const WRAPPERS: &[&str] = &["Task", "ValueTask", "IObservable", "ApiResponse", "IApiResponse", "Response"];
/// Answers that are no JSON.
const RAW: &[&str] = &["HttpResponseMessage", "HttpContent", "Stream", "String", "IApiResponse", "ApiResponse", "Task"];

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    if path.ends_with("AddRefitClient") {
        return set_up(evaluator, path, args, site);
    }
    // `RestService.For<IUsers>("https://api.example.com")`
    if (path.ends_with("RestService.For") || path.ends_with("RestClient.For"))
        && let Some((types, scope)) = &args.types
        && let [only] = *types
        && let Value::Class(class) = evaluator.type_expression(only, scope)
        && let Some(given) = args.positional.first()
    {
        let base = match given {
            Value::Made(client) => client.args.named("BaseAddress").cloned(),
            given => Some(given.clone()),
        };
        if let Some(base @ (Value::Str(_) | Value::Pattern(_) | Value::Made(_))) = base {
            let name = evaluator.full_name(&class);
            evaluator.keep(&name, base);
        }
        return Some(evaluator.standing(&class));
    }
    None
}

fn class_defined<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, _: &[Value<'p>]) {
    if class.node.kind != ClassKind::Interface {
        return;
    }
    let scope = evaluator.body_scope(class);
    for statement in evaluator.class_statements(class) {
        let StmtKind::Function(node) = &statement.kind else { continue };
        for attribute in evaluator.attributes(&node.decorators, &scope) {
            let Value::Made(made) = &attribute else { continue };
            let Some(method) = method_of_attribute(&made.path) else { continue };
            let path = made.args.positional.first().cloned().unwrap_or(Value::str(""));
            let function = evaluator.function_of(class, node);
            let class_name = Value::str(evaluator.full_name(class));
            let args =
                Args { positional: vec![path.clone(), Value::Function(function), class_name], ..Args::default() };
            evaluator.note(&LIBRARY, method.name(), below(None, &path, false), args, node.name_span);
        }
    }
}

/// `Refit.Get`, `Refit.GetAttribute`
fn method_of_attribute(path: &str) -> Option<Method> {
    let name = last(path);
    let name = name.strip_suffix("Attribute").unwrap_or(name);
    method_of_name(name).filter(|method| method.name().eq_ignore_ascii_case(name))
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let [path, Value::Function(function), Value::Str(class)] = noted.args.positional.as_slice() else {
        return Vec::new();
    };
    let (function, site) = (function.clone(), noted.site);
    let based =
        Noted { target: below(evaluator.kept(class), path, false), function: Some(function.clone()), ..noted.clone() };
    let template = path.as_str().unwrap_or_default().to_ascii_lowercase();
    let method = Method::parse(noted.what).ok_or_else(|| Reason::new("no method", Some(site)));
    let sends = matches!(method, Ok(Method::Post | Method::Put | Method::Patch));
    let mut query = Query { more: base_query(evaluator, &function), ..Query::default() };
    let mut body: Option<Body> = None;
    for parameter in &function.node.parameters {
        if parameter.name == "this" {
            continue;
        }
        let given = Given::of(evaluator, &function, parameter);
        let name = given.name.to_ascii_lowercase();
        let in_path = [format!("{{{name}}}"), format!("{{**{name}}}")].iter().any(|place| template.contains(place));
        if given.is("ELSEWHERE") || in_path || template.contains(&format!("{{{name}.")) {
            continue;
        }
        let Some(ty) = given.ty.clone() else {
            query.more.get_or_insert_with(|| Reason::new("a parameter has no type", Some(parameter.span)));
            continue;
        };
        let shape = schemas.csharp().shape_by(Serialiser::Client, evaluator, &ty, site);
        let is_query = given.is("Query");
        if given.is("Body") || (!is_query && sends && body.is_none() && !is_simple(schemas, shape)) {
            body = Some(Body { media: media_of(evaluator, &function, &given), ..json(shape, parameter.span) });
        } else if !is_simple(schemas, shape) {
            // Its members are in the query, under names that settings decide.
            query
                .more
                .get_or_insert_with(|| Reason::new("members of an object are in the query", Some(parameter.span)));
        } else if query.typed.iter().all(|known| known.name != given.name) {
            let required = parameter.default.is_none();
            let (name, place) = (given.name, ParameterPlace::Query);
            query.typed.push(Parameter { name, place, required, shape, span: parameter.span });
        }
    }
    if evaluator_has(evaluator, &function, "Multipart") {
        let shape = payload::unknown(evaluator, schemas, "what a form holds", site);
        body = Some(Body { media: "multipart/form-data".to_owned(), ..json(shape, site) });
    }
    let answer = answer_of(evaluator, schemas, &function, site);
    // A type says all that is sent.
    request(evaluator, schemas, "Refit", &based, Asked { method, query, body, is_whole: true, answer })
}

/// One parameter of a method.
struct Given<'p> {
    /// As it is named in the request.
    name: String,
    ty: Option<Value<'p>>,
    attributes: Vec<Value<'p>>,
}

impl<'p> Given<'p> {
    fn of(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>, parameter: &'p Param) -> Self {
        let attributes = evaluator.attributes(&parameter.decorators, &function.scope);
        let ty = parameter.annotation.as_ref().map(|written| evaluator.type_expression(written, &function.scope));
        let mut given = Given { name: parameter.name.clone(), ty, attributes };
        // RestEase names a parameter in the attribute itself.
        let renamed = ["AliasAs", "Query", "Path"].iter().find_map(|kind| {
            let made = given.attribute(kind)?;
            made.args.positional.first().filter(|_| *kind != "Query" || made.path.starts_with("RestEase")).cloned()
        });
        if let Some(Value::Str(name)) = renamed {
            given.name = name.to_string();
        }
        given
    }

    fn attribute(&self, kind: &str) -> Option<Rc<crate::evaluate::Made<'p>>> {
        self.attributes.iter().find_map(|value| match value {
            Value::Made(made) if is_attribute(&made.path, kind) => Some(made.clone()),
            _ => None,
        })
    }

    /// Whether it is marked so; what is part of no query and no body is `ELSEWHERE`.
    fn is(&self, kind: &str) -> bool {
        if kind != "ELSEWHERE" {
            return self.attribute(kind).is_some();
        }
        let passed = |ty: &Value| ty.as_external().is_some_and(|path| PASSED.contains(&last(path)));
        let is_passed = match &self.ty {
            Some(Value::Union(options)) => options.iter().any(passed),
            Some(ty) => passed(ty),
            None => false,
        };
        is_passed || ELSEWHERE.iter().any(|kind| self.attribute(kind).is_some())
    }
}

fn is_attribute(path: &str, kind: &str) -> bool {
    let name = last(path);
    name.strip_suffix("Attribute").unwrap_or(name) == kind
}

/// Whether a method is marked so.
fn evaluator_has<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>, kind: &str) -> bool {
    let attributes = evaluator.attributes(&function.node.decorators, &function.scope);
    attributes.iter().any(|value| matches!(value, Value::Made(made) if is_attribute(&made.path, kind)))
}

/// Why there may be more in the query, whatever the method says: properties of the interface may be in it.
fn base_query<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>) -> Option<Reason> {
    let class = function.class.as_ref()?;
    let scope = evaluator.body_scope(class);
    let statements = evaluator.class_statements(class);
    let marked = statements.into_iter().find_map(|statement| match &statement.kind {
        StmtKind::Property(property) if !property.decorators.is_empty() => {
            let attributes = evaluator.attributes(&property.decorators, &scope);
            let is_query = |it: &Value| matches!(it, Value::Made(made) if is_attribute(&made.path, "Query"));
            attributes.iter().any(is_query).then_some(statement.span)
        }
        _ => None,
    });
    marked.map(|span| Reason::new("a property of the interface is in the query", Some(span)))
}

fn media_of<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>, given: &Given<'p>) -> String {
    let serialised = given.attribute("Body").and_then(|made| made.args.positional.first().cloned());
    let is_form = serialised.is_some_and(|it| it.as_external().is_some_and(|path| last(path) == "UrlEncoded"));
    let is_other = is_form || evaluator_has(evaluator, function, "Multipart");
    if is_other { "application/x-www-form-urlencoded" } else { "application/json" }.to_owned()
}

/// Whether a value is one name in a query: no object.
fn is_simple(schemas: &mut Schemas<'_>, shape: ShapeId) -> bool {
    let table = &schemas.python().table;
    let mut shape = shape;
    for _ in 0..4 {
        match &table.view(shape).shape.kind {
            Kind::Array { items: Some(items), .. } => shape = *items,
            Kind::Object(_) | Kind::Unknown(_) | Kind::Any | Kind::Union(_) => return false,
            _ => return true,
        }
    }
    false
}

/// The type of the answer: what a method promises, without what it is wrapped in.
fn answer_of<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    function: &FunctionRef<'p>,
    site: Span,
) -> Option<ShapeId> {
    let returns = function.node.returns.as_ref()?;
    let mut ty = evaluator.type_expression(returns, &function.scope);
    loop {
        let inner = match &ty {
            Value::Applied(base, args) if base.as_external().is_some_and(|path| WRAPPERS.contains(&last(path))) => {
                args.first()?.clone()
            }
            _ => break,
        };
        ty = inner;
    }
    if ty.as_external().is_some_and(|path| RAW.contains(&last(path))) || matches!(ty, Value::None) {
        return None;
    }
    Some(schemas.csharp().shape_by(Serialiser::Client, evaluator, &ty, site))
}
