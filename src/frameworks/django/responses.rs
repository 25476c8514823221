//! What a view answers: what is declared of it, else what it returns, else what the library's own views return.

use super::declared::{self, Declared};
use super::renderers::{self, Style};
use super::{bodies, pages};
use crate::evaluate::{Args, ClassRef, Evaluator, FunctionRef, Value, last};
use crate::finding::Reason;
use crate::frameworks::Route;
use crate::languages::python::django::{DATA, is_serializer};
use crate::languages::python::schema::Schemas;
use crate::languages::python::schema::rest::{has_underscores, serializer_class};
use crate::model::program::{ExprKind, StmtKind};
use crate::model::{Additional, Body, Field, Kind, Object, Response, Shape, ShapeId, Status, Union};
use crate::text::Span;

const JSON: &str = "application/json";
/// Values within values of a literal.
const MAX_DEPTH: u32 = 20;
/// Methods that lead to others: `self.list(…)` of `get`.
const MAX_CALLS: u32 = 6;

/// One answer: a status with what is sent; `None` for nothing.
struct Answer {
    status: Status,
    body: Option<ShapeId>,
    span: Span,
    media: String,
}

/// The view that answers, as far as it is a class.
struct View<'p> {
    class: Option<ClassRef<'p>>,
    action: String,
    method: String,
    site: Span,
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
        let responses = of_library(evaluator, schemas, &text("library"), options, route.draft.site);
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
        Some(declared) => of_declaration(evaluator, schemas, &view, &declared),
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
            Style::Either | Style::Unknown => body.shape = schemas.unknown("answers are written in a way of their own", Some(body.span)),
        }
    }
    responses
}

/// Whether a route is plain Django's, which no renderer of the framework writes.
fn is_page(route: &Route) -> bool {
    matches!(route.draft.options.named("include_in_schema"), Some(Value::Bool(false)))
}

/// Answers of one status become one.
fn merged(schemas: &mut Schemas, answers: Vec<Answer>) -> Vec<Response> {
    let doubtful = answers.iter().any(|answer| matches!(answer.status, Status::Unknown(_)));
    // By status and media type.
    let mut grouped: Vec<Group> = Vec::new();
    for answer in answers {
        if !answer.status.is_success() && !matches!(answer.status, Status::Unknown(_)) {
            continue;
        }
        match grouped.iter_mut().find(|group| group.status == answer.status && group.media == answer.media) {
            Some(group) => group.bodies.push(answer.body),
            None => {
                let Answer { status, body, span, media } = answer;
                grouped.push(Group { status, media, span, bodies: vec![body] });
            }
        }
    }
    let mut out: Vec<Response> = Vec::new();
    for group in grouped {
        let span = group.span;
        let body = one_of(schemas, &group, doubtful).map(|shape| Body { media: group.media, shape, span, required: true });
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
        if !known.iter().any(|id| id == body || schemas.table.get(*id) == schemas.table.get(*body)) {
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

fn answer(status: Status, body: Option<ShapeId>, span: Span) -> Answer {
    let body = if matches!(status, Status::Code(204 | 205)) { None } else { body };
    Answer { status, body, span, media: JSON.to_owned() }
}

fn unclear(schemas: &mut Schemas, why: &str, span: Span) -> Answer {
    let body = schemas.unknown(why, Some(span));
    answer(Status::Unknown(Reason::new(why, Some(span))), Some(body), span)
}

/// What `responses=` of a declaration says.
fn of_declaration<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    view: &View<'p>,
    declared: &Declared<'p>,
) -> Vec<Answer> {
    let site = declared.site;
    let given = declared.responses.clone().unwrap_or(Value::None);
    match &given {
        Value::Unknown(why, place) => vec![unclear(schemas, why, place.unwrap_or(site))],
        Value::Dict(table) => {
            let table = table.borrow().clone();
            let mut answers = Vec::new();
            for (code, response) in &table.entries {
                let (code, media) = match code {
                    Value::Tuple(parts) => (parts.first().cloned(), parts.get(1).and_then(Value::as_str).map(str::to_owned)),
                    other => (Some(other.clone()), None),
                };
                let Some(status) = code.as_ref().and_then(crate::frameworks::declared::status) else { continue };
                if !status.is_success() {
                    continue;
                }
                let body = declared_body(evaluator, schemas, view, response, declared, site);
                let mut one = answer(status, body, site);
                one.media = media.unwrap_or(one.media);
                answers.push(one);
            }
            if table.open {
                answers.push(unclear(schemas, "what is declared is known only in part", site));
            }
            // Only errors are declared: what succeeds is what the view does.
            if answers.is_empty() {
                return match &view.class {
                    Some(class) => of_method(evaluator, schemas, class, &view.action, view, MAX_CALLS),
                    None => vec![unclear(schemas, "only errors are declared", site)],
                };
            }
            answers
        }
        response => {
            let status = match view.method.as_str() {
                "delete" => 204,
                "post" if creates(evaluator, view) => 201,
                _ => 200,
            };
            let body = declared_body(evaluator, schemas, view, response, declared, site);
            vec![answer(Status::Code(status), body, site)]
        }
    }
}

/// Whether the generator takes a view to create something.
fn creates<'p>(evaluator: &mut Evaluator<'p>, view: &View<'p>) -> bool {
    let Some(class) = &view.class else { return false };
    let external = evaluator.external_bases(class);
    view.action == "create"
        || (view.action == "post"
            && external.iter().any(|path| {
                let name = last(path);
                name == "CreateModelMixin" || (name.ends_with("APIView") && name.contains("Create"))
            }))
}

/// Whether a view answers with a list of what it is about.
fn lists<'p>(evaluator: &mut Evaluator<'p>, view: &View<'p>) -> bool {
    let Some(class) = &view.class else { return false };
    let external = evaluator.external_bases(class);
    view.action == "list"
        || (view.action == "get"
            && external.iter().any(|path| {
                let name = last(path);
                name == "ListModelMixin" || (name.ends_with("APIView") && name.contains("List"))
            }))
}

fn declared_body<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    view: &View<'p>,
    given: &Value<'p>,
    declared: &Declared<'p>,
    site: Span,
) -> Option<ShapeId> {
    let given = match given {
        Value::Made(made) if made.name() == "OpenApiResponse" => made.args.get(0, "response").cloned().unwrap_or(Value::None),
        Value::Made(made) if made.name() == "Response" => match made.args.get(1, "schema") {
            Some(schema) => schema.clone(),
            None => Value::Unknown("response that is described by words", Some(site)),
        },
        other => other.clone(),
    };
    match &given {
        Value::None => return None,
        Value::External(path) if path.ends_with("OpenApiTypes.NONE") => return None,
        // A description.
        Value::Str(_) => return Some(schemas.unknown("response that is described by words", Some(site))),
        Value::Dict(dict) if dict.borrow().entries.is_empty() && !dict.borrow().open => return None,
        _ => {}
    }
    // `extend_schema_serializer(many=False)(Serializer)`, and the same as a decorator.
    let (given, said) = match &given {
        Value::Made(made) if made.name() == "extend_schema_serializer()" => {
            let said = match &made.receiver {
                Some(Value::Made(decorator)) => decorator.args.named("many").cloned(),
                _ => None,
            };
            (made.args.positional.first().cloned().unwrap_or(Value::None), said)
        }
        _ => {
            let class = serializer_class(evaluator, &given);
            let decorators = class.map(|class| super::actions::of_class(evaluator, &class)).unwrap_or_default();
            let said = decorators.iter().find(|made| made.name() == "extend_schema_serializer");
            (given.clone(), said.and_then(|made| made.args.named("many").cloned()))
        }
    };
    let (items, many) = match &given {
        // Without its `many=True`.
        Value::Made(made) if matches!(made.name(), "inline_serializer" | "inline_serializer()" | "PolymorphicProxySerializer") => {
            let mut one = (**made).clone();
            let many = one.args.remove("many");
            (schemas.declared_shape(evaluator, &Value::Made(std::rc::Rc::new(one)), site), many)
        }
        _ => {
            let Some(class) = serializer_class(evaluator, &given) else {
                return Some(schemas.declared_shape(evaluator, &given, site));
            };
            let many = match &given {
                Value::Instance(instance) => instance.attributes.borrow().get("many").cloned(),
                _ => None,
            };
            (schemas.serializer(evaluator, &class), many)
        }
    };
    let is_many = matches!(many, Some(Value::Bool(true)));
    let many = said.or(many);
    let is_list = lists(evaluator, view);
    if !declared.wraps_lists || matches!(many, Some(Value::Bool(false))) {
        return Some(if is_many { pages::array(schemas, items) } else { items });
    }
    match &view.class {
        Some(view) if is_list => Some(pages::list(evaluator, schemas, view, items, site)),
        Some(class) if is_many && pages::paginator(evaluator, class).is_some() => {
            if let Some(Value::Function(function)) = evaluator.class_member(class, &view.action)
                && paginates(&function.node.body)
            {
                return Some(pages::list(evaluator, schemas, class, items, site));
            }
            Some(schemas.unknown("whether a list is divided into pages is not known", Some(site)))
        }
        _ if is_many => Some(pages::array(schemas, items)),
        _ => Some(items),
    }
}

/// Whether a function speaks of pages.
fn paginates(block: &[crate::model::program::Stmt]) -> bool {
    let mut stack: Vec<&[crate::model::program::Stmt]> = vec![block];
    let speaks = |value: &crate::model::program::Expr| match &value.kind {
        ExprKind::Call { callee, .. } => match &callee.kind {
            ExprKind::Member { name, .. } | ExprKind::Name(name) => name.contains("paginate"),
            _ => false,
        },
        _ => false,
    };
    while let Some(block) = stack.pop() {
        for statement in block {
            let found = match &statement.kind {
                StmtKind::Return(Some(value)) | StmtKind::Expr(value) | StmtKind::Assign { value, .. } => speaks(value),
                StmtKind::If { then, otherwise, .. } => {
                    stack.extend([then.as_slice(), otherwise]);
                    false
                }
                StmtKind::With { body, .. } | StmtKind::Try { body, .. } => {
                    stack.push(body);
                    false
                }
                _ => false,
            };
            if found {
                return true;
            }
        }
    }
    false
}

/// What a method of a view answers, whether the program or a library defines it.
fn of_method<'p>(
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
    let items = match evaluator.class_member(class, "get_serializer") {
        Some(Value::Function(function)) => {
            let arguments = Args { positional: vec![standing], open: true, ..Default::default() };
            let returned = evaluator.returned(&function, arguments);
            let is_many = |value: &Value<'p>| match value {
                Value::Instance(instance) => instance.attributes.borrow().contains_key("many"),
                _ => false,
            };
            let many = returned.iter().any(is_many);
            let classes: Vec<Option<ClassRef<'p>>> =
                returned.iter().map(|value| serializer_class(evaluator, value)).collect();
            match classes.as_slice() {
                _ if many => schemas.unknown("serializer of a view is made for several objects", Some(site)),
                [Some(first), rest @ ..] if rest.iter().all(|other| matches!(other, Some(other) if std::rc::Rc::ptr_eq(first, other))) => {
                    schemas.serializer(evaluator, first)
                }
                _ => schemas.unknown("serializer of a view is made in a way that is not followed", Some(site)),
            }
        }
        _ => match bodies::serializer_class(evaluator, &standing) {
            Value::Class(serializer) if is_serializer(evaluator, &serializer) => schemas.serializer(evaluator, &serializer),
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
    let edits = edits_values(&function.node.body);
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
                Some(class) => answers.extend(of_default(evaluator, schemas, class, &name.to_owned(), view, left.saturating_sub(1))),
                None => answers.push(unclear(schemas, "method of what is no view", site)),
            }
            continue;
        }
        if &*made.path == bodies::PAGE {
            let data = made.args.get(0, "data").cloned().unwrap_or(Value::None);
            let list = data_shape(evaluator, schemas, &data, edits, made.site);
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
        let (data, status) = match made.name() {
            "Response" | "JsonResponse" => (made.args.get(0, "data").cloned(), made.args.named("status").or(made.args.positional.get(1)).cloned()),
            "HttpResponse" | "HttpResponseNoContent" => (Some(Value::Unknown("text that a view sends", Some(made.site))), made.args.named("status").cloned()),
            "HttpResponseRedirect" | "HttpResponsePermanentRedirect" | "redirect" | "HttpResponseBadRequest"
            | "HttpResponseForbidden" | "HttpResponseNotFound" | "HttpResponseNotAllowed" | "HttpResponseServerError" => continue,
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
        let body = match data {
            None | Some(Value::None) => None,
            Some(data) => data_shape(evaluator, schemas, &data, edits, made.site),
        };
        answers.push(answer(status, body, made.site));
    }
    answers
}

/// The shape of what is handed to a response.
fn data_shape<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    data: &Value<'p>,
    edits: bool,
    site: Span,
) -> Option<ShapeId> {
    match data {
        Value::None => None,
        Value::Made(made) if &*made.path == DATA => {
            if edits {
                return Some(schemas.unknown("what a serializer gave is changed before it is sent", Some(site)));
            }
            made.receiver.as_ref().map(|serializer| schemas.declared_shape(evaluator, serializer, site))
        }
        other => Some(literal(evaluator, schemas, other, site, &mut |_| None)),
    }
}

/// Whether a function writes into values that it has: `data["x"] = …`.
fn edits_values(block: &[crate::model::program::Stmt]) -> bool {
    let mut stack: Vec<&[crate::model::program::Stmt]> = vec![block];
    while let Some(block) = stack.pop() {
        for statement in block {
            match &statement.kind {
                StmtKind::Assign { targets, .. } => {
                    if targets.iter().any(|target| matches!(target.kind, ExprKind::Index { .. })) {
                        return true;
                    }
                }
                StmtKind::Expr(value) => {
                    if let ExprKind::Call { callee, .. } = &value.kind
                        && let ExprKind::Member { object, name } = &callee.kind
                        && matches!(object.kind, ExprKind::Name(_))
                        && matches!(name.as_str(), "update" | "pop" | "setdefault" | "append" | "extend" | "insert")
                    {
                        return true;
                    }
                }
                StmtKind::If { then, otherwise, .. } => stack.extend([then.as_slice(), otherwise]),
                StmtKind::For { body, otherwise, .. } => stack.extend([body.as_slice(), otherwise]),
                StmtKind::While { body, .. } | StmtKind::With { body, .. } => stack.push(body),
                StmtKind::Try { body, handlers, otherwise, finally } => {
                    stack.extend([body.as_slice(), otherwise, finally]);
                    stack.extend(handlers.iter().map(Vec::as_slice));
                }
                _ => {}
            }
        }
    }
    false
}

/// The shape of plain data that is sent; `known` says what certain values stand for.
pub(super) fn literal<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    value: &Value<'p>,
    site: Span,
    known: &mut dyn FnMut(&Value<'p>) -> Option<ShapeId>,
) -> ShapeId {
    literal_within(evaluator, schemas, value, site, known, MAX_DEPTH)
}

fn literal_within<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    value: &Value<'p>,
    site: Span,
    known: &mut dyn FnMut(&Value<'p>) -> Option<ShapeId>,
    left: u32,
) -> ShapeId {
    if let Some(shape) = known(value) {
        return shape;
    }
    let Some(left) = left.checked_sub(1) else { return schemas.unknown("data nested too deep", Some(site)) };
    let kind = match value {
        Value::Str(_) | Value::Pattern(_) => Kind::String,
        Value::Bool(_) => Kind::Boolean,
        Value::Int(_) => Kind::Integer,
        Value::Float(_) => Kind::Number,
        Value::Dict(dict) => {
            let dict = dict.borrow().clone();
            let mut fields = Vec::new();
            for (name, value) in &dict.entries {
                let Some(name) = name.as_str() else { continue };
                let shape = literal_within(evaluator, schemas, value, site, known, left);
                fields.push(Field { name: name.to_owned(), shape, required: true, always: true, span: Some(site), declared: None });
            }
            let additional = if dict.is_whole() {
                Additional::Open
            } else {
                Additional::Of(schemas.unknown("members that are not known", Some(site)))
            };
            if fields.is_empty() && dict.is_whole() {
                // What is filled in later is not seen.
                return schemas.unknown("members that are not known", Some(site));
            }
            Kind::Object(Object { fields, additional })
        }
        Value::Made(made) if &*made.path == DATA => {
            return match &made.receiver {
                Some(serializer) => schemas.declared_shape(evaluator, serializer, site),
                None => schemas.unknown("data of what is not known", Some(site)),
            };
        }
        // `OrderedDict([("count", …), …])`
        Value::Made(made) if made.name() == "OrderedDict" => {
            let pairs = made.args.get(0, "items").and_then(Value::elements).unwrap_or_default();
            let mut entries = Vec::new();
            for pair in pairs {
                if let Some([name, value]) = pair.elements().as_deref() {
                    entries.push((name.clone(), value.clone()));
                }
            }
            entries.extend(made.args.named.iter().map(|(name, value)| (Value::Str(name.clone()), value.clone())));
            let dict = Value::dict(entries);
            return literal_within(evaluator, schemas, &dict, site, known, left);
        }
        Value::Unknown(why, place) => return schemas.unknown(*why, place.or(Some(site))),
        _ => return schemas.unknown("a value that is not followed", Some(site)),
    };
    schemas.table.add(Shape::new(kind).at(Some(site)))
}

fn route_module(evaluator: &Evaluator, site: Span) -> Option<crate::evaluate::ModuleId> {
    evaluator.module_of_file(site.file)
}

/// What views of well-known libraries answer.
fn of_library<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    path: &str,
    options: &Args<'p>,
    site: Span,
) -> Vec<Response> {
    // `ListAPIView.as_view(queryset=…, serializer_class=…)`
    if let Some(serializer) = options.named("serializer_class") {
        let method = options.named("method").and_then(Value::as_str).unwrap_or_default();
        let items = schemas.declared_shape(evaluator, &serializer.clone(), site);
        let (status, body) = match method {
            "delete" => (204, None),
            "post" => (201, Some(items)),
            "get" if last(path).contains("List") => {
                let paginator = match options.named("pagination_class") {
                    Some(Value::None) => None,
                    Some(class) => Some(class.clone()),
                    None => pages::of_settings(evaluator, route_module(evaluator, site)),
                };
                (200, Some(pages::list_with(evaluator, schemas, paginator, items, site)))
            }
            _ => (200, Some(items)),
        };
        return merged(schemas, vec![answer(Status::Code(status), body, site)]);
    }
    let names: &[&str] = match last(path) {
        "TokenObtainPairView" => &["access", "refresh"],
        "ObtainAuthToken" => &["token"],
        _ => {
            let unclear = unclear(schemas, "a view of a library", site);
            return merged(schemas, vec![unclear]);
        }
    };
    let text = schemas.table.add(Shape::new(Kind::String));
    let field = |name: &&str| Field {
        name: (*name).to_owned(),
        shape: text,
        required: true,
        always: true,
        span: Some(site),
        declared: None,
    };
    let fields = names.iter().map(field).collect();
    let shape = Shape::new(Kind::Object(Object { fields, additional: Additional::Open })).at(Some(site));
    let shape = schemas.table.add(shape);
    merged(schemas, vec![answer(Status::Code(200), Some(shape), site)])
}
