//! What a view answers: what is declared of it, else what it returns, else what the library's own views return.

use std::rc::Rc;

use super::declared;
use super::renderers::{self, Style};
use super::{bodies, documented, library, pages};
use crate::evaluate::{ClassRef, Evaluator, FunctionRef, Made, Value, last};
use crate::finding::Reason;
use crate::frameworks::Route;
use crate::languages::python::django::is_serializer;
use crate::languages::python::schema::Schemas;
use crate::languages::python::schema::rest::has_underscores;
use crate::model::{Body, Kind, Response, Shape, ShapeId, Status, Union};
use crate::text::Span;

const JSON: &str = "application/json";
/// Methods that lead to others: `self.list(…)` of `get`.
pub(super) const MAX_CALLS: u32 = 6;

/// One answer: a status with what is sent; `None` for nothing.
pub(super) struct Answer {
    status: Status,
    body: Option<ShapeId>,
    span: Span,
    pub(super) media: String,
}

/// The view that answers, as far as it is a class.
pub(super) struct View<'p> {
    pub(super) class: Option<ClassRef<'p>>,
    pub(super) action: String,
    pub(super) method: String,
    pub(super) site: Span,
}

pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut crate::frameworks::Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let schemas = schemas.python();
    let options = &route.draft.options;
    let text = |name: &str| options.named(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    if options.named("library").is_some() {
        let responses = library::of_library(evaluator, schemas, &text("library"), options, route.draft.site);
        let style = renderers::of_settings(evaluator);
        return written(schemas, responses, style);
    }
    let class = match options.named("view") {
        Some(Value::Class(class)) => Some(class.clone()),
        _ => None,
    };
    let view = View { class, action: text("action"), method: text("method"), site: route.draft.site };
    let declared = match (&view.class, route.handler) {
        (Some(class), _) => declared::of_method(evaluator, class, &view.action, &view.method),
        (None, Value::Function(function)) => declared::of_function(evaluator, function, &view.method),
        _ => Vec::new(),
    };
    let answers = match declared.into_iter().find(|declared| declared.responses.is_some()) {
        Some(declared) => documented::of_declaration(evaluator, schemas, &view, &declared),
        None => match (&view.class, route.handler) {
            (Some(class), _) => of_method(evaluator, schemas, class, &view.action, &view, MAX_CALLS),
            (None, Value::Function(function)) => of_function(evaluator, schemas, function, None, &view, MAX_CALLS),
            _ => Vec::new(),
        },
    };
    let style = match (&view.class, route.handler) {
        (Some(class), _) => renderers::of_view(evaluator, class),
        (None, Value::Function(function)) if !is_page(route) => renderers::of_function(evaluator, function),
        _ => Style::Plain,
    };
    let responses = merged(schemas, answers);
    written(schemas, responses, style)
}

/// Answers as renderers write them.
fn written(schemas: &mut Schemas, mut responses: Vec<Response>, style: Style) -> Vec<Response> {
    for body in responses.iter_mut().flat_map(|response| &mut response.bodies).filter(|body| body.is_json()) {
        match style {
            Style::Plain => {}
            Style::Either if !has_underscores(&schemas.table, body.shape) => {}
            Style::CamelCase => body.shape = schemas.camelized(body.shape),
            Style::Either | Style::Unknown => {
                body.shape = schemas.unknown("answers are written in a way of their own", Some(body.span));
            }
        }
    }
    responses
}

/// Whether a route is plain Django's, which no renderer of the framework writes.
fn is_page(route: &Route) -> bool {
    matches!(route.draft.options.named("include_in_schema"), Some(Value::Bool(false)))
}

/// Answers of one status become one.
pub(super) fn merged(schemas: &mut Schemas, answers: Vec<Answer>) -> Vec<Response> {
    let doubtful = answers.iter().any(|answer| matches!(answer.status, Status::Unknown(_)));
    // By status and media type.
    let mut grouped: Vec<Group> = Vec::new();
    for answer in answers {
        if !answer.status.is_success() && !matches!(answer.status, Status::Unknown(_)) {
            continue;
        }
        let is_same = |group: &&mut Group| group.status == answer.status && group.media == answer.media;
        if let Some(group) = grouped.iter_mut().find(is_same) {
            group.bodies.push(answer.body);
        } else {
            let Answer { status, body, span, media } = answer;
            grouped.push(Group { status, media, span, bodies: vec![body] });
        }
    }
    let mut out: Vec<Response> = Vec::new();
    for group in grouped {
        let span = group.span;
        let body =
            one_of(schemas, &group, doubtful).map(|shape| Body { media: group.media, shape, span, required: true });
        match out.iter_mut().find(|known| known.status == group.status) {
            Some(known) => known.bodies.extend(body),
            None => out.push(Response { status: group.status, bodies: body.into_iter().collect(), span }),
        }
    }
    out
}

/// What is answered with one status in one media type.
struct Group {
    status: Status,
    media: String,
    span: Span,
    bodies: Vec<Option<ShapeId>>,
}

fn one_of(schemas: &mut Schemas, group: &Group, doubtful: bool) -> Option<ShapeId> {
    let mut known: Vec<ShapeId> = Vec::new();
    for body in group.bodies.iter().flatten() {
        if !known.iter().any(|id| schemas.table.same(*id, *body)) {
            known.push(*body);
        }
    }
    let nothing = group.bodies.iter().any(Option::is_none);
    let reason = known.iter().find_map(|id| match &schemas.table.get(*id).kind {
        Kind::Unknown(reason) => Some(reason.clone()),
        _ => None,
    });
    match known.as_slice() {
        [] => None,
        _ if nothing || reason.is_some() || doubtful => {
            let why = reason.unwrap_or_else(|| Reason::new("a view answers in several ways", Some(group.span)));
            Some(schemas.table.add(Shape::new(Kind::Unknown(why))))
        }
        [only] => Some(*only),
        _ => {
            let union = Union { options: known, discriminator: None, exclusive: false };
            Some(schemas.table.add(Shape::new(Kind::Union(union)).at(Some(group.span))))
        }
    }
}

pub(super) fn answer(status: Status, body: Option<ShapeId>, span: Span) -> Answer {
    let body = if matches!(status, Status::Code(204 | 205)) { None } else { body };
    Answer { status, body, span, media: JSON.to_owned() }
}

pub(super) fn unclear(schemas: &mut Schemas, why: &str, span: Span) -> Answer {
    let body = schemas.unknown(why, Some(span));
    answer(Status::Unknown(Reason::new(why, Some(span))), Some(body), span)
}

/// What a method of a view answers, whether the program or a library defines it.
pub(super) fn of_method<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    class: &ClassRef<'p>,
    name: &str,
    view: &View<'p>,
    left: u32,
) -> Vec<Answer> {
    let Some(left) = left.checked_sub(1) else { return vec![unclear(schemas, "methods call each other", view.site)] };
    match evaluator.class_member(class, name) {
        Some(Value::Function(function)) => {
            let standing = bodies::view_of(evaluator, class, &view.action, &view.method);
            of_function(evaluator, schemas, &function, Some(&standing), view, left)
        }
        Some(_) => vec![unclear(schemas, "a method of a view is no function", view.site)],
        None => of_default(evaluator, schemas, class, name, view, left),
    }
}

/// What the library's own method answers.
fn of_default<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    class: &ClassRef<'p>,
    name: &str,
    view: &View<'p>,
    left: u32,
) -> Vec<Answer> {
    let site = class.name_span();
    let external = evaluator.external_bases(class);
    let kinds: Vec<&str> = external.iter().filter_map(|path| last(path).strip_suffix("APIView")).collect();
    let any = |word: &str| kinds.iter().any(|kind| kind.contains(word));
    let through = match name {
        "get" if any("List") => "list",
        "get" if any("Retrieve") => "retrieve",
        "post" if any("Create") => "create",
        "put" if any("Update") => "update",
        "patch" if any("Update") => "partial_update",
        "delete" if any("Destroy") => "destroy",
        _ => name,
    };
    if through != name && matches!(evaluator.class_member(class, through), Some(Value::Function(_))) {
        return of_method(evaluator, schemas, class, through, view, left);
    }
    // `partial_update` calls `update`, wherever that is defined.
    if through == "partial_update" && matches!(evaluator.class_member(class, "update"), Some(Value::Function(_))) {
        return of_method(evaluator, schemas, class, "update", view, left);
    }
    let status = match through {
        "create" => 201,
        "destroy" => return vec![answer(Status::Code(204), None, site)],
        "list" | "retrieve" | "update" | "partial_update" => 200,
        _ => return vec![unclear(schemas, "a method of a library is not known", view.site)],
    };
    let standing = bodies::view_of(evaluator, class, &view.action, &view.method);
    let items = match bodies::made_serializers(evaluator, class, &standing, through) {
        Some(made) => match made.as_slice() {
            [(_, Value::Bool(true)), ..] if through != "list" => {
                schemas.unknown("serializer of a view is made for several objects", Some(site))
            }
            // A list is made of many; what else the library makes is one, unless the view says otherwise.
            [(first, many), rest @ ..]
                if rest.iter().all(|(other, said)| Rc::ptr_eq(first, other) && said.same(many))
                    && (through != "list" || matches!(many, Value::Bool(true))) =>
            {
                let one = schemas.serializer(evaluator, first);
                if through == "list" { one } else { schemas.one_or_many(one, Some(many)) }
            }
            _ => schemas.unknown("serializer of a view is made in a way that is not followed", Some(site)),
        },
        None => match bodies::serializer_class(evaluator, &standing) {
            Value::Class(serializer) if is_serializer(evaluator, &serializer) => {
                schemas.serializer(evaluator, &serializer)
            }
            Value::Unknown(why, place) => schemas.unknown(why, place.or(Some(site))),
            other => schemas.declared_shape(evaluator, &other, site),
        },
    };
    let body = if through == "list" { pages::list(evaluator, schemas, class, items, site) } else { items };
    vec![answer(Status::Code(status), Some(body), site)]
}

/// What a function of the program answers.
fn of_function<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    function: &FunctionRef<'p>,
    standing: Option<&Value<'p>>,
    view: &View<'p>,
    left: u32,
) -> Vec<Answer> {
    let site = function.node.name_span;
    let returned = bodies::returned(evaluator, function, standing, &view.method);
    let mut answers = Vec::new();
    for value in returned {
        let Value::Made(made) = &value else {
            let why = if let Value::Unknown(why, _) = &value { *why } else { "what a view returns is not followed" };
            answers.push(unclear(schemas, why, site));
            continue;
        };
        if let Some(name) = made.path.strip_prefix(bodies::DEFAULT) {
            match &view.class {
                // `super().list()` is the library's, whatever the class says.
                Some(class) => {
                    answers.extend(of_default(evaluator, schemas, class, name, view, left.saturating_sub(1)));
                }
                None => answers.push(unclear(schemas, "method of what is no view", site)),
            }
            continue;
        }
        if &*made.path == bodies::PAGE {
            let list = sent(evaluator, schemas, made);
            let body = match (&view.class, list) {
                (Some(class), Some(list)) => {
                    let standing = standing.unwrap_or(&Value::None);
                    pages::page_of(evaluator, schemas, (standing, class), list, made.site)
                }
                _ => schemas.unknown("page of what is not known", Some(made.site)),
            };
            answers.push(answer(Status::Code(200), Some(body), made.site));
            continue;
        }
        let status = match made.name() {
            "Response" | "JsonResponse" => made.args.named("status").or(made.args.positional.get(1)).cloned(),
            "HttpResponse" | "HttpResponseNoContent" => made.args.named("status").cloned(),
            "HttpResponseRedirect"
            | "HttpResponsePermanentRedirect"
            | "redirect"
            | "HttpResponseBadRequest"
            | "HttpResponseForbidden"
            | "HttpResponseNotFound"
            | "HttpResponseNotAllowed"
            | "HttpResponseServerError" => continue,
            _ => {
                answers.push(unclear(schemas, "what a view returns is not followed", made.site));
                continue;
            }
        };
        let status = match status {
            Some(Value::Int(code)) => u16::try_from(code).map_or(Status::Code(200), Status::Code),
            None | Some(Value::None) => Status::Code(200),
            Some(_) => Status::Unknown(Reason::new("status code of a view is not known", Some(made.site))),
        };
        if !status.is_success() && !matches!(status, Status::Unknown(_)) {
            continue;
        }
        let body = match made.name() {
            "Response" | "JsonResponse" => sent(evaluator, schemas, made),
            _ => Some(schemas.unknown("text that a view sends", Some(made.site))),
        };
        answers.push(answer(status, body, made.site));
    }
    answers
}

/// What a response is made of; `None` where that is nothing.
pub(super) fn sent<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas, response: &Made<'p>) -> Option<ShapeId> {
    let data = response.args.get(0, "data")?;
    if matches!(data, Value::None) {
        return None;
    }
    let written = response.args.written_at(0, "data");
    Some(schemas.shape_of_sent(evaluator, data, written, response.site))
}
