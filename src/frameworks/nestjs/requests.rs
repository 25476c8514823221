//! What a NestJS route takes: what the decorators of its handler's parameters bind (docs.nestjs.com/controllers), and what
//! those of @nestjs/swagger declare besides (docs.nestjs.com/openapi/operations).

use std::rc::Rc;

use super::{COMMON, SWAGGER};
use crate::evaluate::{Evaluator, FunctionRef, Made, Value};
use crate::finding::Reason;
use crate::frameworks::decorated::{Decorators, find, is_of, made, of_parameter, option};
use crate::frameworks::taken::{self, JSON, MULTIPART, Reading};
use crate::frameworks::{Route, Schemas};
use crate::languages::typescript::schema::{Part, Side, Type};
use crate::model::program::{ClassKind, Param};
use crate::model::{Field, Kind, Method, Parameter, ParameterPlace, Request, Shape, ShapeId};
use crate::text::Span;

type Types<'p> = crate::languages::typescript::schema::Schemas<'p>;

/// Decorators of parameters that bind one place.
const PLACES: &[(&str, ParameterPlace)] =
    &[("Query", ParameterPlace::Query), ("Param", ParameterPlace::Path), ("Headers", ParameterPlace::Header)];

pub(super) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
) -> Request {
    let site = route.draft.site;
    let (Value::Bound(receiver, function), Some(options)) = (route.handler, route.chain.first()) else {
        return Request::unknown(Reason::new("handler of the route is not known", Some(site)));
    };
    let Value::Class(class) = &**receiver else { return Request::default() };
    let types = schemas.typescript();
    types.start();
    let mut decorators = made(&route.draft.options.positional);
    decorators.extend(made(&options.positional));
    // As the class has it that is served, which may extend a generic one.
    let served = types.member(evaluator, &Type::class(class.clone()), &function.node.name, Some(site));
    let callable = match &served {
        Type::Function(callable) if callable.parameters().len() == parameters(function).count() => callable.clone(),
        _ => Rc::new(types.callable_of(function)),
    };
    let mut request = Request { parsed: true, ..Request::default() };
    let mut bound = Bound { request: Vec::new(), body: None, fields: Vec::new(), files: Vec::new(), other_files: None };
    for (parameter, typed) in parameters(function).zip(callable.parameters()) {
        let ty = typed.annotation.as_ref().map_or(Type::Any, |annotation| Types::lazy(annotation, callable.env()));
        for made in of_parameter(evaluator, function, parameter) {
            bind(evaluator, types, &made, parameter, &ty, &mut request, &mut bound);
        }
    }
    documented(evaluator, types, &decorators, &mut request);
    let given = std::mem::take(&mut bound.request);
    bodies(evaluator, types, &decorators, bound, site, &mut request);
    for (at, _) in
        parameters(function).enumerate().filter(|(_, it)| given.iter().any(|given| std::ptr::eq(*given, *it)))
    {
        let reads = types.reads(evaluator, function, at, Part::Request, Some(method.name()));
        taken::read(evaluator, types, &mut request, &reads, &Reading { method, in_path: &[], declares: true });
    }
    request
}

fn parameters<'p>(function: &FunctionRef<'p>) -> impl Iterator<Item = &'p Param> {
    let node: &'p crate::model::program::Function = function.node;
    node.parameters.iter().filter(|parameter| parameter.name != "this")
}

/// What of a body was bound so far.
struct Bound<'p> {
    /// Parameters that are given the request itself.
    request: Vec<&'p Param>,
    /// All of it.
    body: Option<(ShapeId, Span)>,
    /// Members that are asked for by name.
    fields: Vec<Field>,
    files: Vec<Field>,
    /// Files whose names are not known.
    other_files: Option<Span>,
}

/// What one decorator of a parameter binds.
fn bind<'p>(
    evaluator: &mut Evaluator<'p>,
    types: &mut Types<'p>,
    made: &Rc<Made<'p>>,
    parameter: &'p Param,
    ty: &Type<'p>,
    request: &mut Request,
    bound: &mut Bound<'p>,
) {
    let site = parameter.span;
    let name = made.args.positional.first().and_then(Value::as_str);
    let pipes = if name.is_some() { made.args.positional.get(1..) } else { made.args.positional.get(..) };
    let pipes = pipes.unwrap_or_default();
    if let Some((_, place)) = PLACES.iter().find(|(name, _)| is_of(made, COMMON, &[name])) {
        let shape = validated(evaluator, types, pipes, site);
        request.unchecked |= name.is_none() && shape.is_none() && pipes.is_empty() && !is_class(evaluator, types, ty);
        let shape = shape.unwrap_or_else(|| types.taken_shape(evaluator, ty, Some(site)));
        match name {
            Some(name) => {
                let required = *place == ParameterPlace::Path || is_demanded(pipes);
                let shape = if pipes.is_empty() { any_of_kind(types, shape) } else { piped(types, pipes, shape) };
                let name = name.to_owned();
                taken::add(request, Parameter { name, place: *place, required, shape, span: site });
            }
            None => taken::members(request, &types.table, shape, *place, site),
        }
    } else if is_of(made, COMMON, &["Body"]) {
        let shape = validated(evaluator, types, pipes, site);
        request.unchecked |= name.is_none() && shape.is_none() && pipes.is_empty() && !is_class(evaluator, types, ty);
        let shape = shape.unwrap_or_else(|| types.taken_shape(evaluator, ty, Some(site)));
        match name {
            Some(name) => {
                let required = is_demanded(pipes) || !(parameter.optional || parameter.default.is_some());
                let shape = piped(types, pipes, shape);
                bound.fields.push(taken::field(name, shape, required, site));
            }
            None => bound.body = Some((shape, site)),
        }
    } else if is_of(made, COMMON, &["UploadedFile", "UploadedFiles"]) {
        bound.other_files = Some(site);
    } else if is_of(made, COMMON, &["Req", "Request"]) {
        bound.request.push(parameter);
    } else if is_of(made, COMMON, &["RawBody"]) {
        request.other_bodies = Some(Reason::new("the handler reads the body as it comes", Some(site)));
    }
}

/// The type of a parameter that no pipe checks: of an enumeration or of literals, any value of their kind arrives.
fn any_of_kind(types: &mut Types, shape: ShapeId) -> ShapeId {
    let view = types.table.view(shape).shape;
    if view.values.is_none() {
        return shape;
    }
    let open = Shape { values: None, name: None, ..view.into_owned() };
    types.table.add(open)
}

/// Whether values of a type are of a class, which a pipe can check.
fn is_class<'p>(evaluator: &mut Evaluator<'p>, types: &mut Types<'p>, ty: &Type<'p>) -> bool {
    let forced = types.force(evaluator, ty);
    match types.non_null(evaluator, &forced) {
        Type::Class(class, _) => class.node.kind == ClassKind::Class,
        Type::Array(items) => is_class(evaluator, types, &items),
        _ => false,
    }
}

/// The schema that a pipe is given: `@Body(new ZodValidationPipe(schema))`.
fn validated<'p>(
    evaluator: &mut Evaluator<'p>,
    types: &mut Types<'p>,
    pipes: &[Value<'p>],
    site: Span,
) -> Option<ShapeId> {
    for pipe in pipes {
        let given: Vec<Value<'p>> = match pipe {
            Value::Made(made) => made.args.positional.clone(),
            Value::Instance(instance) => {
                let attributes = instance.attributes.borrow();
                let mut named: Vec<_> = attributes.iter().collect();
                named.sort_by(|one, other| one.0.cmp(other.0));
                named.into_iter().map(|(_, value)| value.clone()).collect()
            }
            _ => continue,
        };
        for value in given.iter().filter(|value| matches!(value, Value::Made(_))) {
            if let Some(shape) = types.shape_of_side(evaluator, value, Side::Input, Some(site)) {
                return Some(shape);
            }
        }
    }
    None
}

/// The name of a pipe, given as a class or made.
fn pipe_name<'v>(pipe: &'v Value) -> &'v str {
    match pipe {
        Value::Made(made) => made.name(),
        Value::External(path) => crate::evaluate::last(path),
        _ => "",
    }
}

/// Whether the pipes refuse a value that is left out.
fn is_demanded(pipes: &[Value]) -> bool {
    let optional = |pipe: &Value| match pipe {
        Value::Made(made) => made.args.positional.iter().any(|options| {
            matches!(option(options, "optional"), Some(Value::Bool(true)))
                || matches!(options, Value::Dict(dict) if dict.borrow().open)
        }),
        _ => false,
    };
    for pipe in pipes {
        let name = pipe_name(pipe);
        if name == "DefaultValuePipe" {
            return false;
        }
        if name.starts_with("Parse") && name.ends_with("Pipe") {
            return !optional(pipe);
        }
    }
    false
}

/// What pipes say of a parameter whose type says nothing.
fn piped(types: &mut Types, pipes: &[Value], shape: ShapeId) -> ShapeId {
    if !matches!(types.table.get(shape).kind, Kind::Any) {
        return shape;
    }
    for pipe in pipes {
        let mut said = match pipe_name(pipe) {
            "ParseIntPipe" => Shape::new(Kind::Integer),
            "ParseFloatPipe" => Shape::new(Kind::Number),
            "ParseBoolPipe" => Shape::new(Kind::Boolean),
            "ParseUUIDPipe" | "ParseDatePipe" => Shape::new(Kind::String),
            _ => continue,
        };
        if pipe_name(pipe) == "ParseUUIDPipe" {
            said.format = Some("uuid".to_owned());
        }
        return types.table.add(said);
    }
    shape
}

/// `@ApiQuery({ name, type, required })`, `@ApiHeader`, `@ApiParam`: what is declared of a parameter, or that there is one.
fn documented<'p>(
    evaluator: &mut Evaluator<'p>,
    types: &mut Types<'p>,
    decorators: &Decorators<'p>,
    request: &mut Request,
) {
    // The topmost decorator has the last word, and those of the method.
    for decorator in decorators.iter().rev() {
        let place = if is_of(decorator, SWAGGER, &["ApiQuery"]) {
            ParameterPlace::Query
        } else if is_of(decorator, SWAGGER, &["ApiHeader", "ApiHeaders"]) {
            ParameterPlace::Header
        } else if is_of(decorator, SWAGGER, &["ApiParam"]) {
            ParameterPlace::Path
        } else {
            continue;
        };
        let Some(first) = decorator.args.positional.first() else { continue };
        for options in first.elements().unwrap_or_else(|| vec![first.clone()]) {
            document(evaluator, types, &options, place, decorator.site, request);
        }
    }
}

fn document<'p>(
    evaluator: &mut Evaluator<'p>,
    types: &mut Types<'p>,
    options: &Value<'p>,
    place: ParameterPlace,
    site: Span,
    request: &mut Request,
) {
    let declared = declared(evaluator, types, options, site);
    let required = match option(options, "required") {
        Some(Value::Bool(required)) => Some(required),
        _ => None,
    };
    match option(options, "name") {
        Some(Value::Str(name)) => {
            let known = request.parameters.iter().find(|known| known.place == place && *known.name == *name);
            let required = required.unwrap_or_else(|| match known {
                Some(known) => known.required,
                None => place != ParameterPlace::Header,
            });
            let shape = declared.or_else(|| known.map(|known| known.shape));
            let shape = shape.unwrap_or_else(|| types.table.add(Shape::new(Kind::String)));
            let span = known.map_or(site, |known| known.span);
            taken::declare(request, Parameter { name: name.to_string(), place, required, shape, span });
        }
        // `@ApiQuery({ type: FindUsersDto })`
        None if option(options, "type").is_some() => {
            if let Some(shape) = declared {
                taken::members(request, &types.table, shape, place, site);
            }
        }
        _ => {
            request.other_parameters = Some(Reason::new("name of a declared parameter is not known", Some(site)));
        }
    }
}

/// What the options of such a decorator say of the type.
fn declared<'p>(
    evaluator: &mut Evaluator<'p>,
    types: &mut Types<'p>,
    options: &Value<'p>,
    site: Span,
) -> Option<ShapeId> {
    let schema = option(options, "schema").filter(|schema| option(options, "type").is_none() && !schema.is_unknown());
    let ty = types.taken_declared(evaluator, schema.as_ref().unwrap_or(options), site)?;
    Some(types.taken_shape(evaluator, &ty, Some(site)))
}

/// The bodies of a route: what `@ApiBody()` declares, else what is bound, in the media that `@ApiConsumes()` names.
fn bodies<'p>(
    evaluator: &mut Evaluator<'p>,
    types: &mut Types<'p>,
    decorators: &Decorators<'p>,
    mut bound: Bound<'p>,
    site: Span,
    request: &mut Request,
) {
    let mut intercepted = uploaded(types, decorators);
    if let Some(site) = bound.other_files.filter(|_| intercepted.files.is_empty()) {
        intercepted.open.get_or_insert(site);
    }
    bound.files.append(&mut intercepted.files);
    let consumed: Vec<String> = find(decorators, SWAGGER, &["ApiConsumes"])
        .map(|made| made.args.positional.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        .unwrap_or_default();
    let with_files = !bound.files.is_empty() || intercepted.open.is_some();
    let media = match consumed.first() {
        Some(_) => consumed,
        None if with_files => vec![MULTIPART.to_owned()],
        None => vec![JSON.to_owned()],
    };
    let said = find(decorators, SWAGGER, &["ApiBody"]);
    let stated =
        said.and_then(|made| Some((declared(evaluator, types, made.args.positional.first()?, made.site)?, made.site)));
    let is_stated = stated.is_some();
    let mut whole = stated.or(bound.body);
    if !bound.fields.is_empty() && !is_stated {
        let span = whole.map_or(site, |(_, span)| span);
        let shape = match whole {
            Some((shape, _)) => taken::with_fields(&mut types.table, shape, bound.fields, span),
            None => taken::object(&mut types.table, bound.fields, None, span),
        };
        whole = Some((shape, span));
    }
    if with_files && !is_stated {
        let span = whole.map_or(site, |(_, span)| span);
        let open = intercepted.open.map(|site| Reason::new("names of uploaded files are not known", Some(site)));
        let shape = match (whole, open) {
            (Some((shape, _)), None) => taken::with_fields(&mut types.table, shape, bound.files, span),
            (Some((shape, _)), Some(why)) => {
                let open = taken::object(&mut types.table, bound.files, Some(why), span);
                types.table.add(Shape::new(Kind::All(vec![shape, open])))
            }
            (None, why) => taken::object(&mut types.table, bound.files, why, span),
        };
        whole = Some((shape, span));
    }
    let Some((shape, span)) = whole else { return };
    for media in media {
        taken::body(request, &types.table, &media, shape, span);
    }
}

/// What interceptors take out of a form.
struct Uploaded {
    files: Vec<Field>,
    /// There are files whose names are not known.
    open: Option<Span>,
}

/// `@UseInterceptors(FileInterceptor('file'))` and its like (docs.nestjs.com/techniques/file-upload).
fn uploaded(types: &mut Types, decorators: &Decorators) -> Uploaded {
    let mut found = Uploaded { files: Vec::new(), open: None };
    let interceptors = decorators
        .iter()
        .filter(|made| is_of(made, COMMON, &["UseInterceptors"]))
        .flat_map(|made| made.args.positional.iter());
    for interceptor in interceptors {
        let Value::Made(made) = interceptor else { continue };
        let name = made.args.positional.first().and_then(Value::as_str);
        match (made.name(), name) {
            ("FileInterceptor", Some(name)) => {
                let file = taken::file(&mut types.table, false, made.site);
                found.files.push(taken::field(name, file, false, made.site));
            }
            ("FilesInterceptor", Some(name)) => {
                let file = taken::file(&mut types.table, true, made.site);
                found.files.push(taken::field(name, file, false, made.site));
            }
            ("FileFieldsInterceptor", _) => {
                for field in made.args.positional.first().and_then(Value::elements).unwrap_or_default() {
                    match option(&field, "name") {
                        Some(Value::Str(name)) => {
                            let file = taken::file(&mut types.table, true, made.site);
                            found.files.push(taken::field(&name, file, false, made.site));
                        }
                        _ => found.open = Some(made.site),
                    }
                }
            }
            ("FileInterceptor" | "FilesInterceptor" | "AnyFilesInterceptor", _) => found.open = Some(made.site),
            _ => {}
        }
    }
    found
}
