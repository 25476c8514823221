//! What a handler and its dependencies declare that they take: path, query, header and cookie parameters, bodies, forms
//! and files. Follows `fastapi.dependencies.utils` (`get_dependant`, `analyze_param`).

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::responses::{handler_function, response_family};
use crate::evaluate::{Evaluator, FunctionRef, Made, Role, Str, Value, last};
use crate::finding::Reason;
use crate::frameworks::{Route, reads};
use crate::languages::python::schema::{Taken, taken_as};
use crate::languages::python::signature::{Parameter, signature};
use crate::model::program::{ExprKind, StmtKind};
use crate::model::{ParameterPlace, PathTemplate};
use crate::text::Span;

/// Dependencies of one route that are followed, each once; there may be other parameters then.
const MAX_DEPENDENCIES: usize = 300;
/// Dependencies within dependencies that are followed; there may be other parameters then.
const MAX_DEPTH: u32 = 30;

/// Where a value is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Parameter(ParameterPlace),
    Body,
    Form,
    File,
}

/// Something that is taken, as it is declared.
pub(super) struct Declared<'p> {
    pub(super) place: Place,
    /// The name on the wire.
    pub(super) name: String,
    pub(super) kind: Value<'p>,
    pub(super) required: bool,
    /// The call that describes it: `Query(alias="x")`.
    pub(super) info: Option<Rc<Made<'p>>>,
    pub(super) span: Span,
}

impl<'p> Declared<'p> {
    pub(super) fn argument(&self, name: &str) -> Option<&Value<'p>> {
        self.info.as_ref()?.args.named(name)
    }
}

/// All that a route takes.
#[derive(Default)]
pub(super) struct Dependant<'p> {
    pub(super) declared: Vec<Declared<'p>>,
    pub(super) other_parameters: Option<Reason>,
    pub(super) other_bodies: Option<Reason>,
}

/// What a route's handler takes, and what the dependencies of it and of the routers around it do.
pub(super) fn dependant<'p>(evaluator: &mut Evaluator<'p>, route: &Route<'_, 'p>) -> Dependant<'p> {
    let in_path = PathTemplate::new(route.path).parameters().map(str::to_owned).collect();
    let mut walk = Walk { evaluator, in_path, seen: Vec::new(), depth: 0, found: Dependant::default() };
    let site = route.draft.site;
    walk.callable(route.handler, site);
    for options in [&route.draft.options].into_iter().chain(route.chain) {
        match options.named("dependencies") {
            None | Some(Value::None) if options.open => walk.unknown("options of the route are not known", site),
            None | Some(Value::None) => {}
            Some(given) => match given.elements() {
                Some(dependencies) => {
                    for dependency in dependencies {
                        walk.listed(&dependency, site);
                    }
                }
                None => walk.unknown("dependencies of the route are not known", site),
            },
        }
    }
    walk.found
}

/// What the library's own functions say of a parameter.
enum Mark<'p> {
    Depends(Rc<Made<'p>>),
    Taken(Place, Rc<Made<'p>>),
}

struct Walk<'w, 'p> {
    evaluator: &'w mut Evaluator<'p>,
    /// Names of the path's parameters.
    in_path: FxHashSet<String>,
    /// What was followed already.
    seen: Vec<Value<'p>>,
    depth: u32,
    found: Dependant<'p>,
}

impl<'p> Walk<'_, 'p> {
    fn other_parameters(&mut self, why: &str, span: Span) {
        self.found.other_parameters.get_or_insert_with(|| Reason::new(why, Some(span)));
    }

    fn other_bodies(&mut self, why: &str, span: Span) {
        self.found.other_bodies.get_or_insert_with(|| Reason::new(why, Some(span)));
    }

    fn unknown(&mut self, why: &str, span: Span) {
        self.other_parameters(why, span);
        self.other_bodies(why, span);
    }

    /// One of `dependencies=[Depends(…)]`.
    fn listed(&mut self, dependency: &Value<'p>, site: Span) {
        match mark(dependency) {
            Some(Mark::Depends(made)) => match made.args.get(0, "dependency") {
                None | Some(Value::None) => {}
                Some(callable) => self.callable(&callable.clone(), made.site),
            },
            _ => self.unknown("dependencies of the route are not known", site),
        }
    }

    /// What a handler or dependency takes.
    fn callable(&mut self, callable: &Value<'p>, site: Span) {
        if self.seen.iter().any(|known| is_same(known, callable)) {
            return;
        }
        if self.seen.len() >= MAX_DEPENDENCIES || self.depth >= MAX_DEPTH {
            return self.unknown("too many dependencies", site);
        }
        self.seen.push(callable.clone());
        let is_external = match callable {
            Value::External(path) => Some(path.clone()),
            Value::Made(made) => Some(made.path.clone()),
            _ => None,
        };
        if let Some(path) = is_external {
            if path.starts_with("fastapi.security.") {
                self.security(last(&path), site);
            } else {
                self.other_parameters(&format!("what the dependency `{path}` takes is not known"), site);
            }
            return;
        }
        let function = handler_function(self.evaluator, callable);
        self.depth += 1;
        match signature(self.evaluator, callable) {
            Ok(mut parameters) => {
                let method = function.as_ref().filter(|function| {
                    matches!(callable, Value::Function(_)) && function.class.is_some() && function.role == Role::Plain
                });
                if let Some(method) = method {
                    parameters.drain(..parameters.len().min(1));
                    self.of_class(&method.clone());
                }
                for parameter in parameters {
                    if parameter.rest {
                        self.unknown("the handler or a dependency takes any arguments", parameter.span);
                    } else {
                        self.parameter(parameter, function.as_ref());
                    }
                }
            }
            Err(why) => self.unknown(&format!("what a handler or dependency takes is not known: {why}"), site),
        }
        self.depth -= 1;
    }

    /// Routes in the body of a class (`fastapi_utils.cbv`) take what its attributes declare.
    fn of_class(&mut self, method: &FunctionRef<'p>) {
        let Some(class) = method.class.clone() else { return };
        let mut names = FxHashSet::default();
        for class in self.evaluator.ancestry(&class).iter() {
            let Value::Class(class) = class else { continue };
            let scope = self.evaluator.body_scope(class);
            for statement in self.evaluator.class_statements(class) {
                let StmtKind::Annotated { target, annotation, value } = &statement.kind else { continue };
                let ExprKind::Name(name) = &target.kind else { continue };
                if !names.insert(name.as_str()) {
                    continue;
                }
                let annotation = self.evaluator.type_expression(annotation, &scope);
                let default = value.as_ref().map(|value| self.evaluator.evaluate(value, &scope));
                let (_, marks) = opened(&annotation);
                if default.as_ref().and_then(mark).is_some() || marks.iter().any(|item| mark(item).is_some()) {
                    let (name, annotation) = (Rc::from(name.as_str()), Some(annotation));
                    self.parameter(Parameter { name, annotation, default, rest: false, span: target.span }, None);
                }
            }
        }
    }

    /// Forms that the library's own classes of security take; their headers and cookies are part of no list.
    fn security(&mut self, name: &str, span: Span) {
        if !name.starts_with("OAuth2PasswordRequestForm") {
            return;
        }
        let strict = name.ends_with("Strict");
        let fields =
            [("grant_type", strict), ("username", true), ("password", true), ("scope", false), ("client_id", false)];
        for (name, required) in fields.into_iter().chain([("client_secret", false)]) {
            let kind = Value::external("builtins.str");
            let place = Place::Form;
            self.found.declared.push(Declared { place, name: name.to_owned(), kind, required, info: None, span });
        }
    }

    fn parameter(&mut self, parameter: Parameter<'p>, function: Option<&FunctionRef<'p>>) {
        let Parameter { name, annotation, default, span, .. } = parameter;
        let annotation = annotation.unwrap_or_else(|| Value::external("typing.Any"));
        let (kind, metadata) = opened(&annotation);
        let in_default = default.as_ref().and_then(mark);
        let in_type = metadata.iter().rev().find_map(mark);
        let (info, required) = match (in_default, in_type) {
            (Some(Mark::Depends(made)), _) | (None, Some(Mark::Depends(made))) => {
                return self.depends(&made, &kind);
            }
            (Some(Mark::Taken(place, made)), _) => (Some((place, made.clone())), !has_default(&made)),
            (None, Some(Mark::Taken(place, made))) => {
                let required = default.is_none() && made.args.named("default_factory").is_none();
                (Some((place, made)), required)
            }
            (None, None) => (None, default.is_none()),
        };
        if info.is_none() && self.is_given(&kind, &name, function, span) {
            return;
        }
        let by_path = self.in_path.contains(&*name);
        let place = match (&info, by_path) {
            (_, true) => Place::Parameter(ParameterPlace::Path),
            (Some((place, _)), _) => *place,
            (None, _) => match taken_as(self.evaluator, &kind) {
                Some(Taken::Scalar) => Place::Parameter(ParameterPlace::Query),
                Some(Taken::Body) => Place::Body,
                Some(Taken::File) => Place::File,
                None => {
                    let why = format!("whether `{name}` is a query parameter or a body is not known");
                    return self.unknown(&why, span);
                }
            },
        };
        let info = info.map(|(_, made)| made);
        let Some(wire) = wire_name(info.as_deref(), place, &name) else {
            return self.unknown(&format!("name of the parameter `{name}` is not known"), span);
        };
        let hidden = info.as_ref().is_some_and(|made| says_not(made.args.named("include_in_schema")));
        if hidden && matches!(place, Place::Parameter(_)) {
            return self.other_parameters(&format!("`{wire}` is left out of the documentation"), span);
        }
        let kind = annotation_of_taken(&annotation, kind);
        self.found.declared.push(Declared { place, name: wire, kind, required, info, span });
    }

    fn depends(&mut self, made: &Rc<Made<'p>>, kind: &Value<'p>) {
        let dependency = match made.args.get(0, "dependency") {
            None | Some(Value::None) => kind.clone(),
            Some(given) => given.clone(),
        };
        self.callable(&dependency, made.site);
    }

    /// Whether a parameter is given by the framework itself, by its type.
    fn is_given(&mut self, kind: &Value<'p>, name: &str, function: Option<&FunctionRef<'p>>, span: Span) -> bool {
        const REQUESTS: &[&str] = &["Request", "HTTPConnection", "WebSocket"];
        const OTHERS: &[&str] = &["Response", "BackgroundTasks", "SecurityScopes"];
        let ours = |path: &str| matches!(path.split('.').next(), Some("fastapi" | "starlette"));
        let is_one_of = |names: &[&str], path: &str| ours(path) && names.contains(&last(path));
        let paths: Vec<Str> = match kind {
            Value::External(path) => vec![path.clone()],
            Value::Class(class) => self.evaluator.external_bases(class),
            _ => Vec::new(),
        };
        if paths.iter().any(|path| is_one_of(REQUESTS, path)) {
            let reads = function.map(|function| reads::of_request(function.node, name));
            if reads.is_none_or(|reads| reads.parameters) {
                self.other_parameters("the request itself is read", span);
            }
            if reads.is_none_or(|reads| reads.body) {
                self.other_bodies("the request itself is read", span);
            }
            return true;
        }
        paths.iter().any(|path| is_one_of(OTHERS, path)) || response_family(self.evaluator, kind).is_some()
    }
}

/// The same dependency: two functions of one place in the code may close over different values.
fn is_same<'p>(one: &Value<'p>, other: &Value<'p>) -> bool {
    match (one, other) {
        (Value::Function(a), Value::Function(b)) => Rc::ptr_eq(a, b),
        (Value::Bound(x, a), Value::Bound(y, b)) => std::ptr::eq(a.node, b.node) && x.same(y),
        _ => one.same(other),
    }
}

/// A type without what `Annotated` says of it, and that.
fn opened<'p>(annotation: &Value<'p>) -> (Value<'p>, Vec<Value<'p>>) {
    let mut kind = annotation.clone();
    let mut metadata = Vec::new();
    while let Value::Applied(base, args) = &kind {
        if base.as_external().is_none_or(|path| last(path) != "Annotated") {
            break;
        }
        let Some((inner, rest)) = args.split_first() else { break };
        metadata.splice(0..0, rest.iter().cloned());
        kind = inner.clone();
    }
    (kind, metadata)
}

/// The type as it is declared, where what `Annotated` adds may count for its shape.
fn annotation_of_taken<'p>(annotation: &Value<'p>, kind: Value<'p>) -> Value<'p> {
    let (_, metadata) = opened(annotation);
    if metadata.iter().all(|item| mark(item).is_some()) { kind } else { annotation.clone() }
}

fn mark<'p>(value: &Value<'p>) -> Option<Mark<'p>> {
    let Value::Made(made) = value else { return None };
    if !made.path.starts_with("fastapi.") {
        return None;
    }
    let place = match made.name() {
        "Depends" | "Security" => return Some(Mark::Depends(made.clone())),
        "Path" => Place::Parameter(ParameterPlace::Path),
        "Query" => Place::Parameter(ParameterPlace::Query),
        "Header" => Place::Parameter(ParameterPlace::Header),
        "Cookie" => Place::Parameter(ParameterPlace::Cookie),
        "Body" => Place::Body,
        "Form" => Place::Form,
        "File" => Place::File,
        _ => return None,
    };
    Some(Mark::Taken(place, made.clone()))
}

fn has_default(made: &Made) -> bool {
    made.args.get(0, "default").is_some_and(|default| !matches!(default, Value::Ellipsis))
        || made.args.named("default_factory").is_some()
}

fn says_not(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Bool(false)))
}

/// The name on the wire; `None` where the alias is not known.
fn wire_name(info: Option<&Made>, place: Place, name: &str) -> Option<String> {
    let argument = |key: &str| info.and_then(|info| info.args.named(key));
    match argument("validation_alias").or_else(|| argument("alias")) {
        Some(Value::Str(alias)) => return Some(alias.to_string()),
        None | Some(Value::None) => {}
        Some(_) => return None,
    }
    let underscores = place != Place::Parameter(ParameterPlace::Header) || says_not(argument("convert_underscores"));
    Some(if underscores { name.to_owned() } else { name.replace('_', "-") })
}
