//! What a view takes: the body that its serializer reads, and what is declared of it for the documentation.

use super::declared::{self, Declared};
use super::documented::lists;
use super::renderers::{self, Style};
use super::responses::View;
use super::{bodies, filters};
use crate::evaluate::{ClassRef, Evaluator, Value, last};
use crate::finding::Reason;
use crate::frameworks::{Route, reads, taken};
use crate::languages::python::django::{is_serializer, setting};
use crate::languages::python::schema::Schemas;
use crate::languages::python::schema::rest::serializer_class;
use crate::model::{Body, Kind, Method, Parameter, ParameterPlace, Request, Shape, ShapeId, ShapeTable};
use crate::text::Span;

pub(super) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut crate::frameworks::Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
) -> Request {
    let schemas = schemas.python();
    let options = &route.draft.options;
    let text = |name: &str| options.named(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let site = route.draft.site;
    if options.named("library").is_some() {
        return Request::unknown(Reason::new("what a view of a library takes is not known", Some(site)));
    }
    let class = match options.named("view") {
        Some(Value::Class(class)) => Some(class.clone()),
        _ => None,
    };
    let view = View { class, action: text("action"), method: text("method"), site };
    let declared = match (&view.class, route.handler) {
        (Some(class), _) => declared::of_method(evaluator, class, &view.action, &view.method),
        (None, Value::Function(function)) => declared::of_function(evaluator, function, &view.method),
        _ => Vec::new(),
    };
    let mut request = Request::default();
    read_by_hand(evaluator, &view, route, &mut request);
    for declared in &declared {
        parameters(evaluator, schemas, declared, &mut request);
    }
    if let Some(class) = &view.class
        && lists(evaluator, &view)
    {
        filters::of_list(evaluator, schemas, &view, class, &mut request);
    }
    let stated = declared.iter().find_map(|declared| Some((declared.request.clone()?, declared.site)));
    match stated {
        Some((stated, site)) => {
            request.other_bodies = None;
            stated_bodies(evaluator, schemas, &stated, site, &mut request);
        }
        None if matches!(method, Method::Post | Method::Put | Method::Patch) => {
            if let Some(class) = &view.class {
                of_serializer(evaluator, schemas, &view, class, &mut request);
            }
        }
        None => {}
    }
    for body in &mut request.bodies {
        if method == Method::Patch {
            body.shape = schemas.partial(body.shape);
        }
        body.required = has_required(&schemas.table, body.shape);
    }
    if let Some(class) = &view.class
        && renderers::of_view(evaluator, class) == Style::CamelCase
    {
        for body in &mut request.bodies {
            body.shape = schemas.camelized(body.shape);
        }
    }
    request
}

/// What functions of a view read of a request by themselves is not followed.
fn read_by_hand<'p>(evaluator: &mut Evaluator<'p>, view: &View<'p>, route: &Route<'_, 'p>, request: &mut Request) {
    let mut reads = reads::Reads::default();
    match (&view.class, route.handler) {
        (Some(class), _) => {
            for name in
                [view.action.as_str(), "dispatch", "initial", "get_queryset", "filter_queryset", "perform_create"]
            {
                if let Some(Value::Function(function)) = evaluator.class_member(class, name) {
                    reads.add(reads::of_method(function.node));
                }
            }
        }
        (None, Value::Function(function)) => {
            if let Some(first) = function.node.parameters.first() {
                reads = reads::of_request(function.node, &first.name);
            }
        }
        _ => reads = reads::Reads { parameters: true, body: true },
    }
    let reason = || Reason::new("the request itself is read", Some(view.site));
    if reads.parameters {
        request.other_parameters = Some(reason());
    }
    if reads.body {
        request.other_bodies = Some(reason());
    }
}

/// Parameters that are declared.
fn parameters<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    declared: &Declared<'p>,
    request: &mut Request,
) {
    let site = declared.site;
    let unclear = |request: &mut Request| {
        let reason = || Reason::new("parameters that are declared are not known", Some(site));
        request.other_parameters.get_or_insert_with(reason);
    };
    if let Some(query) = &declared.query {
        let shape = schemas.taken_declared(evaluator, query, site);
        taken::members(request, &schemas.table, shape, ParameterPlace::Query, site);
    }
    let Some(given) = &declared.parameters else { return };
    let Some(given) = given.elements() else { return unclear(request) };
    for given in given {
        if serializer_class(evaluator, &given).is_some() {
            let shape = schemas.taken_declared(evaluator, &given, site);
            taken::members(request, &schemas.table, shape, ParameterPlace::Query, site);
            continue;
        }
        let Value::Made(made) = &given else {
            unclear(request);
            continue;
        };
        let (kind, place) = match made.name() {
            "OpenApiParameter" => (made.args.get(1, "type"), made.args.get(2, "location")),
            "Parameter" => (made.args.named("type").or_else(|| made.args.named("schema")), made.args.get(1, "in_")),
            _ => {
                unclear(request);
                continue;
            }
        };
        let place = match place {
            None => Some(ParameterPlace::Query),
            Some(place) => place_of(place),
        };
        let (Some(Value::Str(name)), Some(place)) = (made.args.get(0, "name"), place) else {
            unclear(request);
            continue;
        };
        if matches!(made.args.named("exclude"), Some(Value::Bool(true))) {
            continue;
        }
        let is_required = matches!(made.args.get(3, "required"), Some(Value::Bool(true)));
        let required = is_required || place == ParameterPlace::Path;
        let mut shape = match kind {
            None => schemas.table.add(Shape::new(Kind::String)),
            Some(Value::Str(name)) => {
                let kind = match &**name {
                    "string" => Kind::String,
                    "integer" => Kind::Integer,
                    "number" => Kind::Number,
                    "boolean" => Kind::Boolean,
                    _ => Kind::Any,
                };
                schemas.table.add(Shape::new(kind))
            }
            Some(Value::External(path)) if last(path).starts_with("TYPE_") => {
                let kind = match last(path) {
                    "TYPE_STRING" => Kind::String,
                    "TYPE_INTEGER" => Kind::Integer,
                    "TYPE_NUMBER" => Kind::Number,
                    "TYPE_BOOLEAN" => Kind::Boolean,
                    _ => Kind::Any,
                };
                schemas.table.add(Shape::new(kind))
            }
            Some(kind) => schemas.taken_declared(evaluator, &kind.clone(), site),
        };
        if matches!(made.args.named("many"), Some(Value::Bool(true))) {
            shape = super::pages::array(schemas, shape);
        }
        taken::add(request, Parameter { name: name.to_string(), place, required, shape, span: made.site });
    }
}

/// `"query"`, `OpenApiParameter.QUERY`, `openapi.IN_QUERY`
fn place_of(place: &Value) -> Option<ParameterPlace> {
    let word = match place {
        Value::Str(word) => word.to_string(),
        Value::External(path) => last(path).trim_start_matches("IN_").to_lowercase(),
        _ => return None,
    };
    match word.as_str() {
        "query" => Some(ParameterPlace::Query),
        "path" => Some(ParameterPlace::Path),
        "header" => Some(ParameterPlace::Header),
        "cookie" => Some(ParameterPlace::Cookie),
        _ => None,
    }
}

/// The bodies that a declaration states: a serializer, a schema, or one of them a media type.
fn stated_bodies<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    stated: &Value<'p>,
    site: Span,
    request: &mut Request,
) {
    let mut add = |evaluator: &mut Evaluator<'p>, media: &str, given: &Value<'p>| {
        let given = match given {
            Value::Made(made) if made.name() == "OpenApiRequest" => {
                made.args.get(0, "request").cloned().unwrap_or(Value::None)
            }
            other => other.clone(),
        };
        if matches!(given, Value::None)
            || matches!(&given, Value::External(path) if path.ends_with("OpenApiTypes.NONE"))
        {
            return;
        }
        let shape = schemas.taken_declared(evaluator, &given, site);
        request.bodies.push(Body { media: media.to_owned(), shape, span: site, required: true });
    };
    match stated {
        Value::Dict(table) if table.borrow().entries.iter().any(|(key, _)| is_media(key)) => {
            for (media, given) in &table.borrow().entries {
                if let Some(media) = media.as_str() {
                    add(evaluator, media, given);
                }
            }
        }
        Value::Unknown(why, place) => {
            request.other_bodies = Some(Reason::new(*why, place.or(Some(site))));
        }
        given => add(evaluator, taken::JSON, given),
    }
}

fn is_media(key: &Value) -> bool {
    key.as_str().is_some_and(|key| key.contains('/'))
}

/// The body that the view's own serializer reads.
fn of_serializer<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    view: &View<'p>,
    class: &ClassRef<'p>,
    request: &mut Request,
) {
    let site = class.name_span();
    let standing = bodies::view_of(evaluator, class, &view.action, &view.method);
    let unclear = |request: &mut Request, why: &str| {
        request.other_bodies.get_or_insert_with(|| Reason::new(why, Some(site)));
    };
    match bodies::serializer_class(evaluator, &standing) {
        Value::Class(serializer) if is_serializer(evaluator, &serializer) => {
            let (serializer, many) =
                match bodies::made_serializers(evaluator, class, &standing, &view.action).as_deref() {
                    None => (serializer, Value::Bool(false)),
                    Some([made]) => made.clone(),
                    Some(_) => return unclear(request, "serializer of a view is made in a way that is not followed"),
                };
            let one = schemas.taken_serializer(evaluator, &serializer);
            let shape = schemas.one_or_many(one, Some(&many));
            for media in parsers(evaluator, class) {
                request.bodies.push(Body { media: media.to_owned(), shape, span: site, required: true });
            }
        }
        // A view that is no generic one, and reads nothing.
        _ if request.other_bodies.is_none() && evaluator.class_member(class, &view.action).is_some() => {}
        _ => unclear(request, "serializer of a view is not known"),
    }
}

/// The media types that a view reads; all that the library does where it does not say which.
fn parsers<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Vec<&'static str> {
    let every = vec![taken::JSON, taken::URLENCODED, taken::MULTIPART];
    let given = match evaluator.class_member(class, "parser_classes") {
        Some(given) => Some(given),
        None => match setting(evaluator, "REST_FRAMEWORK") {
            Some(Value::Dict(settings)) => settings.borrow().get_str("DEFAULT_PARSER_CLASSES").cloned(),
            _ => None,
        },
    };
    let Some(given) = given.and_then(|given| given.elements()) else { return every };
    let mut media = Vec::new();
    for parser in given {
        let path = match &parser {
            Value::Str(path) | Value::External(path) => path.to_string(),
            Value::Class(class) => {
                let external = evaluator.external_bases(class);
                external.first().map(ToString::to_string).unwrap_or_default()
            }
            _ => return every,
        };
        media.push(match last(&path) {
            name if name.contains("JSON") => taken::JSON,
            name if name.contains("MultiPart") => taken::MULTIPART,
            name if name.contains("Form") => taken::URLENCODED,
            _ => "*/*",
        });
    }
    media.dedup();
    if media.is_empty() { every } else { media }
}

fn has_required(table: &ShapeTable, shape: ShapeId) -> bool {
    match &table.view(shape).shape.kind {
        Kind::Object(object) => object.fields.iter().any(|field| field.required),
        _ => true,
    }
}
