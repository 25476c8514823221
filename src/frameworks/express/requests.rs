//! What a route of Express takes: schemas that its middleware validates by, and what its handlers read.

use std::rc::Rc;

use crate::evaluate::{Evaluator, Made, Value};
use crate::frameworks::taken::{self, MULTIPART, Reading};
use crate::frameworks::{Route, Schemas};
use crate::languages::typescript::schema::{Env, Part, Reads, Side, Source, Type, Typed};
use crate::model::program::{Expr, ExprKind, Function};
use crate::model::{Body, Kind, Method, Parameter, ParameterPlace, Request, Shape};

type Types<'p> = crate::languages::typescript::schema::Schemas<'p>;

pub(in crate::frameworks) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
) -> Request {
    let site = route.draft.site;
    let mut request = Request { parsed: true, ..Request::default() };
    let types = schemas.typescript();
    types.start();
    let handlers = &route.draft.options.positional;
    for handler in handlers {
        if let Value::Made(made) = handler {
            middleware(evaluator, types, made, &mut request);
        }
    }
    let mut reads = taken::reads_of(evaluator, types, handlers, Part::Request, method, site);
    declared(evaluator, types, route, &mut reads);
    let reading = Reading { method, in_path: &[], declares: false };
    let uploaded = match request.bodies.as_slice() {
        [only] if only.media == MULTIPART => request.bodies.pop(),
        _ => None,
    };
    taken::read(evaluator, types, &mut request, &reads, &reading);
    if let Some(files) = uploaded {
        beside(types, &mut request, files);
    }
    request
}

/// Files of a form, and what else of it the handlers read: fields are in the body as those of JSON are.
fn beside(types: &mut Types, request: &mut Request, files: Body) {
    let own = match &types.table.view(files.shape).shape.kind {
        Kind::Object(object) => object.clone(),
        _ => return request.bodies.push(files),
    };
    let read = std::mem::take(&mut request.bodies);
    let shape = match (read.first(), request.other_bodies.take()) {
        (Some(read), _) => taken::with_fields(&mut types.table, read.shape, own.fields, files.span),
        (None, Some(why)) => taken::object(&mut types.table, own.fields, Some(why), files.span),
        (None, None) => files.shape,
    };
    taken::body(request, &types.table, MULTIPART, shape, files.span);
}

/// `router.post<Params, Answer, Body, Query>(…)`, `(req: Request<Params, Answer, Body, Query>)`
fn declared<'p>(evaluator: &mut Evaluator<'p>, types: &mut Types<'p>, route: &Route<'_, 'p>, reads: &mut Reads<'p>) {
    let of_parameter = match route.handler {
        Value::Function(handler) | Value::Bound(_, handler) => {
            arguments_of(handler.node).map(|given| (given, handler.scope.clone()))
        }
        _ => None,
    };
    let Some((given, scope)) = route.draft.options.types.clone().or(of_parameter) else { return };
    let env = Env::of(&scope);
    for (at, source) in [(2, Source::Body), (3, Source::Query)] {
        let Some(written) = given.get(at) else { continue };
        let ty = Types::lazy(written, &env);
        if !matches!(types.force(evaluator, &ty), Type::Never) {
            reads.typed.push(Typed { source, ty, partial: false, without: Vec::new(), span: written.span });
        }
    }
}

/// The arguments of the type of a first parameter that is declared to be a `Request<…>`.
fn arguments_of(handler: &Function) -> Option<&[Expr]> {
    let mut parameters = handler.parameters.iter().filter(|parameter| parameter.name != "this");
    match &parameters.next()?.annotation.as_ref()?.kind {
        ExprKind::Index { object, index } => {
            let (ExprKind::Name(name) | ExprKind::Member { name, .. }) = &object.kind else { return None };
            (name == "Request").then_some(index.as_slice())
        }
        _ => None,
    }
}

/// What a library's middleware takes: `validateRequest({ body, query })`, `upload.single("file")`, `body("name")`.
fn middleware<'p>(evaluator: &mut Evaluator<'p>, types: &mut Types<'p>, made: &Rc<Made<'p>>, request: &mut Request) {
    let site = made.site;
    if made.path.starts_with("multer") {
        uploaded(types, made, request);
    } else if made.path.starts_with("express-validator") {
        checked(types, made, request);
    } else {
        for given in &made.args.positional {
            let Value::Dict(dict) = given else { continue };
            let dict = dict.borrow().clone();
            for (key, place) in [
                ("params", Some(ParameterPlace::Path)),
                ("query", Some(ParameterPlace::Query)),
                ("headers", Some(ParameterPlace::Header)),
                ("cookies", Some(ParameterPlace::Cookie)),
                ("body", None),
            ] {
                let Some(schema @ Value::Made(_)) = dict.get_str(key) else { continue };
                let Some(shape) = types.shape_of_side(evaluator, schema, Side::Input, Some(site)) else { continue };
                match place {
                    Some(place) => taken::members(request, &types.table, shape, place, site),
                    None => taken::body(request, &types.table, taken::JSON, shape, site),
                }
            }
        }
    }
}

/// `multer().single("file")` (github.com/expressjs/multer)
fn uploaded(types: &mut Types, made: &Made, request: &mut Request) {
    let site = made.site;
    let first = made.args.positional.first();
    let mut fields = Vec::new();
    let mut open = None;
    let names: Vec<Value> = match (made.name(), first) {
        ("single" | "array", Some(name)) => vec![name.clone()],
        ("fields", Some(fields)) => {
            let fields = fields.elements().unwrap_or_default();
            fields
                .iter()
                .map(|field| crate::frameworks::decorated::option(field, "name").unwrap_or(Value::None))
                .collect()
        }
        ("any", _) => vec![Value::None],
        _ => return,
    };
    for name in names {
        match name.as_str() {
            Some(name) => {
                let shape = taken::file(&mut types.table, made.name() != "single", site);
                fields.push(taken::field(name, shape, false, site));
            }
            None => open = Some(crate::finding::Reason::new("names of uploaded files are not known", Some(site))),
        }
    }
    let shape = taken::object(&mut types.table, fields, open, site);
    taken::body(request, &types.table, MULTIPART, shape, site);
}

/// `body("email").isEmail().optional()`, `query("page")` (express-validator.github.io)
fn checked(types: &mut Types, made: &Rc<Made>, request: &mut Request) {
    let mut first = made.clone();
    let mut optional = made.name() == "optional";
    while let Some(Value::Made(inner)) = first.receiver.clone() {
        optional |= inner.name() == "optional";
        first = inner;
    }
    let Some(names) = first.args.positional.first() else { return };
    let names = names.elements().unwrap_or_else(|| vec![names.clone()]);
    let place = match first.name() {
        "query" => ParameterPlace::Query,
        "header" => ParameterPlace::Header,
        "cookie" => ParameterPlace::Cookie,
        "body" => {
            let fields = names.iter().filter_map(Value::as_str).filter(|name| !name.contains(['.', '*', '[']));
            let mut fields: Vec<_> = fields
                .map(|name| {
                    let shape = types.table.add(Shape::new(Kind::Any).at(Some(made.site)));
                    taken::field(name, shape, !optional, made.site)
                })
                .collect();
            if fields.is_empty() {
                return;
            }
            if let Some(known) = request.bodies.pop() {
                let shape = taken::with_fields(&mut types.table, known.shape, std::mem::take(&mut fields), known.span);
                taken::body(request, &types.table, &known.media, shape, known.span);
                return;
            }
            let shape = taken::object(&mut types.table, fields, None, made.site);
            taken::body(request, &types.table, taken::JSON, shape, made.site);
            return;
        }
        _ => return,
    };
    for name in names.iter().filter_map(Value::as_str) {
        let shape = types.table.add(Shape::new(Kind::Any).at(Some(made.site)));
        let (name, span) = (name.to_owned(), made.site);
        taken::add(request, Parameter { name, place, required: !optional, shape, span });
    }
}
