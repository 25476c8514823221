//! What an operation answers: what `response=` declares, by status where it is a table; pages of it where the operation is
//! decorated with `@paginate`. Follows `ninja.operation.Operation` and `ninja.pagination`.

use crate::evaluate::{Evaluator, FunctionRef, Value, last};
use crate::frameworks::{Route, Schemas, returned};
use crate::languages::python::schema;
use crate::model::{Additional, Field, Kind, Object, Response, Shape, ShapeId, Status};
use crate::text::Span;

pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let site = route.draft.site;
    let options = &route.draft.options;
    let Some(given) = options.named("response").cloned() else {
        return vec![returned::unknown(schemas, "no declared response type", site)];
    };
    let page = match returned::function_of(evaluator, route.handler) {
        Some((function, _)) => page_of(evaluator, &function),
        None => None,
    };
    let mut out: Vec<Response> = Vec::new();
    for (status, declared) in by_status(&given) {
        if !status.is_success() || out.iter().any(|known| known.status == status) {
            continue;
        }
        if matches!(declared, Value::None) {
            out.push(Response { status, bodies: Vec::new(), span: site });
            continue;
        }
        let python = schemas.python();
        let shape = match &declared {
            Value::Unknown(why, place) => python.unknown(*why, place.or(Some(site))),
            declared => python.shape_of(evaluator, declared, Some(site)),
        };
        let shape = match page {
            Some(page) => paged(python, page, shape, site),
            None => shape,
        };
        out.push(returned::declared(status, shape, site));
    }
    if out.is_empty() {
        return vec![returned::unknown(schemas, "no success is declared", site)];
    }
    out
}

/// `{200: User, codes_4xx: Message}`, or what is answered with 200.
fn by_status<'p>(given: &Value<'p>) -> Vec<(Status, Value<'p>)> {
    let Value::Dict(table) = given else { return vec![(Status::Code(200), given.clone())] };
    let mut out = Vec::new();
    for (code, declared) in &table.borrow().entries {
        match code {
            Value::Int(_) | Value::Str(_) => {
                out.extend(crate::frameworks::declared::status(code).map(|status| (status, declared.clone())));
            }
            Value::External(path) if last(path) == "codes_2xx" => out.push((Status::Range(2), declared.clone())),
            // Sets of codes, and `...` for all others.
            other => {
                let codes = other.elements().unwrap_or_default();
                let codes = codes.iter().filter_map(crate::frameworks::declared::status);
                out.extend(codes.map(|status| (status, declared.clone())));
            }
        }
    }
    out
}

/// How a list is divided into pages.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Page {
    Offset,
    Number,
    Unknown,
}

/// `@paginate`, `@paginate(PageNumberPagination, …)`
pub(super) fn page_of<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>) -> Option<Page> {
    for decorator in returned::decorators(evaluator, function) {
        match &decorator {
            Value::External(path) if path.starts_with("ninja.") && last(path) == "paginate" => {
                return Some(Page::Offset);
            }
            // Of `ninja_extra`: settings say which pages those are.
            Value::External(path) if path.starts_with("ninja_extra.") && last(path) == "paginate" => {
                return Some(Page::Unknown);
            }
            Value::Made(made) if made.path.starts_with("ninja_extra.") && made.name() == "paginate" => {
                return Some(Page::Unknown);
            }
            Value::Made(made) if made.path.starts_with("ninja.") && made.name() == "paginate" => {
                return Some(match made.args.positional.first() {
                    None if made.args.named.is_empty() => Page::Offset,
                    Some(Value::External(path)) if last(path) == "LimitOffsetPagination" => Page::Offset,
                    Some(Value::External(path)) if last(path) == "PageNumberPagination" => Page::Number,
                    _ => Page::Unknown,
                });
            }
            _ => {}
        }
    }
    None
}

/// `{"items": […], "count": 1}`
fn paged(schemas: &mut schema::Schemas, page: Page, items: ShapeId, site: Span) -> ShapeId {
    if page == Page::Unknown {
        return schemas.unknown("how a list is divided into pages is not known", Some(site));
    }
    let count = schemas.table.add(Shape::new(Kind::Integer));
    let field = |name: &str, shape: ShapeId| Field {
        name: name.to_owned(),
        shape,
        required: true,
        always: true,
        span: Some(site),
        declared: None,
    };
    let fields = vec![field("items", items), field("count", count)];
    schemas.table.add(Shape::new(Kind::Object(Object { fields, additional: Additional::Open })).at(Some(site)))
}
