//! What a NestJS route answers: what its decorators declare, else what its method returns and the interceptors around it
//! make of that.

use std::rc::Rc;

use super::interceptors::{self, Intercepted};
use super::{COMMON, INTERCEPTORS, SWAGGER, TRANSFORMS};
use crate::evaluate::{Evaluator, FunctionRef, Made, Value, last};
use crate::frameworks::decorated::{find, is_of, made, of_parameter, option, returned, status_of};
use crate::frameworks::{Route, Schemas, replies};
use crate::languages::typescript::schema::Type;
use crate::languages::typescript::schema::answers::chains;
use crate::model::{Body, Kind, Response, Shape, ShapeId, Status};
use crate::text::Span;

const JSON: &str = "application/json";

/// Decorators that declare a successful answer of one status.
const DECLARED: &[(&str, u16)] = &[
    ("ApiOkResponse", 200),
    ("ApiCreatedResponse", 201),
    ("ApiAcceptedResponse", 202),
    ("ApiNoContentResponse", 204),
    ("ApiPartialContentResponse", 206),
];

pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let site = route.draft.site;
    let decorators = made(&route.draft.options.positional);
    let options = route.chain.first();
    schemas.typescript().start();
    schemas.typescript().transforms |= options.is_some_and(|options| options.named(TRANSFORMS).is_some());
    let (Value::Bound(receiver, function), Some(options)) = (route.handler, options) else { return Vec::new() };
    let Value::Class(class) = &**receiver else { return Vec::new() };
    if let Some(redirect) = find(&decorators, COMMON, &["Redirect"]) {
        let status = redirect.args.positional.get(1).map_or(Status::Code(302), |code| status_of(code, site));
        return vec![Response { status, bodies: Vec::new(), span: redirect.site }];
    }
    let http_code = find(&decorators, COMMON, &["HttpCode"]);
    let status = match http_code.and_then(|made| made.args.positional.first()) {
        Some(code) => status_of(code, site),
        None if posts(route) => Status::Code(201),
        None => Status::Code(200),
    };
    let status_site = http_code.map_or(site, |made| made.site);
    let declared = declared(evaluator, schemas, &decorators, &made(&options.positional));
    let given = response_parameter(evaluator, function);
    if let Given::Whole(at) = given {
        if declared.iter().any(|answer| answer.ty.is_some()) {
            return declared.into_iter().map(|answer| as_declared(evaluator, schemas, answer, JSON)).collect();
        }
        let default = if let Status::Code(code) = status { code } else { 200 };
        let answers = at.map(|at| schemas.typescript().replies(evaluator, function, at)).unwrap_or_default();
        if answers.is_empty() {
            return vec![replies::unknown(schemas, "the handler writes the response itself", site)];
        }
        return replies::responses(evaluator, schemas, answers, default, site);
    }
    let serialised = serialised(evaluator, schemas, &decorators, &made(&options.positional));
    let stated = own_answer(&declared, &status);
    let own = stated.and_then(|own| Some((own.ty.clone()?, own.site))).or(serialised);
    let own = if let Some(own) = own {
        own
    } else {
        let (ty, place) = returned(evaluator, schemas, class, function);
        let interceptors = interceptors_of(options, &decorators);
        match interceptors::sent(evaluator, schemas, &interceptors, ty) {
            Intercepted::Value(ty) => (ty, place),
            Intercepted::Unknown(why, site) => (Type::unknown(why, Some(site)), place),
        }
    };
    let stated = stated.and_then(|own| own.media.clone());
    let media = stated.unwrap_or_else(|| media(&decorators, &made(&options.positional)));
    let mut responses = vec![answer(evaluator, schemas, status, Some(own), &media, status_site)];
    for other in declared {
        if responses.iter().all(|known| known.status != other.status) && given != Given::Nothing {
            responses.push(as_declared(evaluator, schemas, other, &media));
        }
    }
    if let Given::Passed(at) = given {
        further_statuses(evaluator, schemas, function, at, &mut responses);
    }
    responses
}

fn posts(route: &Route) -> bool {
    let methods = route.draft.methods.elements().unwrap_or_default();
    methods.len() == 1 && methods[0].as_str() == Some("POST")
}

/// A successful answer that a decorator of @nestjs/swagger declares.
struct Declared<'p> {
    status: Status,
    /// `None` where it says no more than the status.
    ty: Option<Type<'p>>,
    /// Another medium than JSON.
    media: Option<String>,
    site: Span,
}

fn declared<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    method: &[Rc<Made<'p>>],
    class: &[Rc<Made<'p>>],
) -> Vec<Declared<'p>> {
    let mut found: Vec<Declared<'p>> = Vec::new();
    for decorator in method.iter().chain(class) {
        let options = decorator.args.positional.first().cloned().unwrap_or(Value::None);
        let status = if is_of(decorator, SWAGGER, &["ApiResponse"]) || is_of(decorator, "nestjs-zod", &["ZodResponse"])
        {
            match option(&options, "status") {
                Some(code) => status_of(&code, decorator.site),
                None => continue,
            }
        } else if let Some((_, code)) = DECLARED.iter().find(|(name, _)| is_of(decorator, SWAGGER, &[name])) {
            Status::Code(*code)
        } else {
            continue;
        };
        if !status.is_success() {
            continue;
        }
        let content = option(&options, "content");
        let json = content.as_ref().and_then(|content| option(content, JSON));
        let schema = option(&options, "schema").or_else(|| option(json.as_ref()?, "schema"));
        let media = content.as_ref().filter(|_| json.is_none()).and_then(first_key);
        let types = schemas.typescript();
        let mut ty = types.declared_by(evaluator, &options, decorator.site);
        if ty.is_none()
            && let Some(schema) = schema
        {
            ty = types.declared_by(evaluator, &schema, decorator.site);
        }
        if !found.iter().any(|known| known.status == status) {
            let ty = if media.is_some() { Some(Type::Text) } else { ty };
            found.push(Declared { status, ty, media, site: decorator.site });
        }
    }
    found
}

/// The class that values are turned into before they are sent: `@SerializeOptions({ type: User })`,
/// `@ZodSerializerDto(User)`.
fn serialised<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    method: &[Rc<Made<'p>>],
    class: &[Rc<Made<'p>>],
) -> Option<(Type<'p>, Span)> {
    method.iter().chain(class).find_map(|decorator| {
        let given = decorator.args.positional.first()?;
        let given = if is_of(decorator, COMMON, &["SerializeOptions"]) {
            option(given, "type")?
        } else if is_of(decorator, "nestjs-zod", &["ZodSerializerDto"]) {
            given.clone()
        } else {
            return None;
        };
        let ty = schemas.typescript().instance_of(evaluator, &given, decorator.site);
        (!ty.is_unknown()).then_some((ty, decorator.site))
    })
}

fn first_key(content: &Value) -> Option<String> {
    let Value::Dict(content) = content else { return None };
    content.borrow().entries.iter().find_map(|(key, _)| key.as_str().map(str::to_owned))
}

/// What is declared of the status that the route answers with, or of its only success.
fn own_answer<'d, 'p>(declared: &'d [Declared<'p>], status: &Status) -> Option<&'d Declared<'p>> {
    let same = declared.iter().find(|answer| answer.status == *status);
    let sole = if let [only] = declared { Some(only) } else { None };
    same.or(sole).filter(|answer| answer.ty.is_some())
}

fn interceptors_of<'p>(class: &crate::evaluate::Args<'p>, method: &[Rc<Made<'p>>]) -> Vec<Value<'p>> {
    let mut all = class.named(INTERCEPTORS).and_then(Value::elements).unwrap_or_default();
    for decorator in made(&class.positional).iter().chain(method) {
        if is_of(decorator, COMMON, &["UseInterceptors"]) {
            all.extend(decorator.args.positional.iter().cloned());
        }
    }
    all
}

/// The media type that a route states.
fn media<'p>(method: &[Rc<Made<'p>>], class: &[Rc<Made<'p>>]) -> String {
    for decorator in method.iter().chain(class) {
        let text = |at: usize| decorator.args.positional.get(at).and_then(Value::as_str);
        if is_of(decorator, COMMON, &["Header"])
            && text(0).is_some_and(|name| name.eq_ignore_ascii_case("content-type"))
            && let Some(value) = text(1)
        {
            return value.split(';').next().unwrap_or(value).trim().to_owned();
        }
        if is_of(decorator, COMMON, &["Sse"]) {
            return "text/event-stream".to_owned();
        }
        if is_of(decorator, COMMON, &["Render"]) {
            return "text/html".to_owned();
        }
        if is_of(decorator, SWAGGER, &["ApiProduces"])
            && let Some(value) = text(0)
        {
            return value.to_owned();
        }
    }
    JSON.to_owned()
}

fn as_declared<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    declared: Declared<'p>,
    media: &str,
) -> Response {
    let sent = declared.ty.map(|ty| (ty, declared.site));
    let media = declared.media.as_deref().unwrap_or(media);
    answer(evaluator, schemas, declared.status, sent, media, declared.site)
}

fn answer<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    status: Status,
    sent: Option<(Type<'p>, Span)>,
    media: &str,
    site: Span,
) -> Response {
    let mut bodies = Vec::new();
    let bodiless = matches!(status, Status::Code(204 | 205 | 304));
    if let (Some((ty, place)), false) = (sent, bodiless)
        && let Some((media, shape)) = body(evaluator, schemas, &ty, media, place)
    {
        bodies.push(Body { media, shape, span: place, required: true });
    }
    Response { status, bodies, span: site }
}

/// What is sent of a value: nothing of null and undefined, streams as they are.
fn body<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    ty: &Type<'p>,
    media: &str,
    site: Span,
) -> Option<(String, ShapeId)> {
    let types = schemas.typescript();
    let forced = types.force(evaluator, ty);
    let kept = types.non_null(evaluator, &forced);
    if forced.is_nothing() || matches!(kept, Type::Never) {
        return None;
    }
    if !media.starts_with(JSON) {
        let shape = types.table.add(Shape::new(if media == "text/event-stream" { Kind::Any } else { Kind::String }));
        return Some((media.to_owned(), shape));
    }
    if let Type::External(path, _) = &kept
        && matches!(last(path), "StreamableFile" | "ReadStream" | "Readable")
    {
        let shape = types.table.add(Shape::new(Kind::String));
        return Some(("application/octet-stream".to_owned(), shape));
    }
    // As it is written it has a name.
    let named = if matches!(forced, Type::Union(_)) { &kept } else { ty };
    let shape = types.shape_of(evaluator, named, Some(site));
    Some((media.to_owned(), shape))
}

/// Whether a handler is given the response (`@Res()`, `@Next()`).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    Nothing,
    /// It may set a status; the framework sends what is returned.
    Passed(usize),
    /// It sends by itself, through the parameter at this position.
    Whole(Option<usize>),
}

fn response_parameter<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>) -> Given {
    let node: &'p crate::model::program::Function = function.node;
    let mut given = Given::Nothing;
    let parameters = node.parameters.iter().filter(|parameter| parameter.name != "this");
    for (at, parameter) in parameters.enumerate() {
        let decorators = of_parameter(evaluator, function, parameter);
        if let Some(made) = find(&decorators, COMMON, &["Res", "Response"]) {
            let options = made.args.positional.first();
            let passed = matches!(options.and_then(|options| option(options, "passthrough")), Some(Value::Bool(true)));
            given = if passed { Given::Passed(at) } else { Given::Whole(Some(at)) };
        } else if find(&decorators, COMMON, &["Next"]).is_some() && given == Given::Nothing {
            given = Given::Whole(None);
        }
    }
    given
}

/// Statuses that the handler sets itself before it returns: `res.status(HttpStatus.OK)`.
fn further_statuses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    function: &FunctionRef<'p>,
    position: usize,
    responses: &mut Vec<Response>,
) {
    let types = schemas.typescript();
    let place = types.place_of(function);
    let parameter = function.node.parameters.iter().filter(|parameter| parameter.name != "this").nth(position);
    let Some(parameter) = parameter else { return };
    for chain in chains(function.node, &parameter.name) {
        let Some(arg) = chain.link("status").or_else(|| chain.link("code")).and_then(|link| link.args.first()) else {
            continue;
        };
        let status = status_of(&types.constant(evaluator, arg.value(), &place), chain.span);
        let known = responses.iter().any(|response| response.status == status);
        let success = status.is_success() || matches!(status, Status::Unknown(_));
        if let (true, false, Some(first)) = (success, known, responses.first().cloned()) {
            responses.push(Response { status, ..first });
        }
    }
}
