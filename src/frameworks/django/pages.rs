//! Pagination: what stands around the items of a list.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::responses::sent;
use crate::evaluate::{Args, ClassRef, Dict, Evaluator, FunctionRef, Instance, Made, ModuleId, Str, Value, last};
use crate::languages::python::django::{NOT_NAMED, imported_string, setting};
use crate::languages::python::schema::Schemas;
use crate::model::program::{Expr, ExprKind, StmtKind};
use crate::model::{Additional, Field, Kind, Object, Shape, ShapeId};
use crate::text::Span;

/// Stands for the items, where a program's own pagination writes them.
const ITEMS: &str = "rest_framework.pagination.items";
/// Stands for a number that a page has.
const NUMBER: &str = "rest_framework.pagination.number";
/// Stands for what gives the address of another page.
const LINK: &str = "rest_framework.pagination.link";
/// The methods that give one.
const LINKS: [&str; 2] = ["get_next_link", "get_previous_link"];

/// The class that divides the lists of a view into pages; `None` where they are whole.
pub(super) fn paginator<'p>(evaluator: &mut Evaluator<'p>, view: &ClassRef<'p>) -> Option<Value<'p>> {
    let external = evaluator.external_bases(view);
    let generic = |path: &crate::evaluate::Str| {
        let name = last(path);
        name.ends_with("GenericAPIView")
            || name.ends_with("GenericViewSet")
            || name.ends_with("ModelViewSet")
            || (name.ends_with("APIView") && name != "APIView")
    };
    match evaluator.class_member(view, "pagination_class") {
        Some(Value::None) => None,
        Some(class) => Some(class),
        None if !external.iter().any(generic) => None,
        None => of_settings(evaluator, Some(view.scope.module())),
    }
}

/// The class that the settings name for all views.
pub(super) fn of_settings<'p>(evaluator: &mut Evaluator<'p>, from: Option<ModuleId>) -> Option<Value<'p>> {
    match setting(evaluator, "REST_FRAMEWORK") {
        Some(Value::Dict(settings)) => {
            let named = settings.borrow().get_str("DEFAULT_PAGINATION_CLASS").cloned();
            match (named, from) {
                (Some(Value::Str(dotted)), Some(from)) => Some(imported_string(evaluator, from, &dotted)),
                (Some(Value::None) | None, _) => {
                    let open = settings.borrow().open;
                    open.then_some(Value::Unknown("settings of the framework are not known", None))
                }
                (Some(other), _) => Some(other),
            }
        }
        Some(Value::Unknown(why, place)) if why != NOT_NAMED => Some(Value::Unknown(why, place)),
        _ => None,
    }
}

/// The same of a view while it runs, to which an action may give a class of its own.
pub(super) fn paginator_of<'p>(
    evaluator: &mut Evaluator<'p>,
    standing: &Value<'p>,
    view: &ClassRef<'p>,
) -> Option<Value<'p>> {
    let given = match standing {
        Value::Instance(instance) => instance.attributes.borrow().get("pagination_class").cloned(),
        _ => None,
    };
    match given {
        Some(Value::None) => None,
        Some(class) => Some(class),
        None => paginator(evaluator, view),
    }
}

/// `self.get_next_link()` of a program's own pagination.
pub(super) fn made<'p>(path: &str, site: Span) -> Option<Value<'p>> {
    path.starts_with(LINK)
        .then(|| Value::Made(Rc::new(Made { path: Rc::from(path), receiver: None, args: Args::default(), site })))
}

/// A list of items as the view writes it.
pub(super) fn list<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    view: &ClassRef<'p>,
    items: ShapeId,
    site: Span,
) -> ShapeId {
    let paginator = paginator(evaluator, view);
    list_with(evaluator, schemas, paginator, items, site)
}

/// The same with what divides it into pages.
pub(super) fn list_with<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    paginator: Option<Value<'p>>,
    items: ShapeId,
    site: Span,
) -> ShapeId {
    let array = array(schemas, items);
    match paginator {
        None => array,
        Some(class) => page(evaluator, schemas, &class, array, site),
    }
}

/// A page as the view writes it, of items that are a list already.
pub(super) fn page_of<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    (standing, view): (&Value<'p>, &ClassRef<'p>),
    list: ShapeId,
    site: Span,
) -> ShapeId {
    match paginator_of(evaluator, standing, view) {
        None => schemas.unknown("a page of a view without pagination", Some(site)),
        Some(class) => page(evaluator, schemas, &class, list, site),
    }
}

pub(super) fn array(schemas: &mut Schemas, items: ShapeId) -> ShapeId {
    schemas.table.add(Shape::new(Kind::Array { prefix: Vec::new(), items: Some(items) }))
}

fn page<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    class: &Value<'p>,
    list: ShapeId,
    site: Span,
) -> ShapeId {
    let external = match class {
        Value::External(path) => vec![path.clone()],
        Value::Class(own) => {
            if let Some(Value::Function(function)) = evaluator.class_member(own, "get_paginated_response") {
                if let Some(page) = own_page(evaluator, schemas, own, &function, list, site) {
                    return page;
                }
                if !matches!(evaluator.class_member(own, "get_paginated_response_schema"), Some(Value::Function(_))) {
                    return schemas.unknown("a page is written in a way that is not followed", Some(site));
                }
            }
            if let Some(Value::Function(function)) = evaluator.class_member(own, "get_paginated_response_schema") {
                return own_schema(evaluator, schemas, own, &function, list, site);
            }
            evaluator.external_bases(own)
        }
        Value::Unknown(why, place) => return schemas.unknown(*why, place.or(Some(site))),
        _ => return schemas.unknown("pagination of a view is not known", Some(site)),
    };
    let named = |name: &str| external.iter().any(|path| last(path) == name);
    let counted = if named("CursorPagination") {
        false
    } else if named("PageNumberPagination") || named("LimitOffsetPagination") {
        true
    } else {
        return schemas.unknown("pagination of a view is not known", Some(site));
    };
    let link = link(schemas);
    let count = schemas.table.add(Shape::new(Kind::Integer));
    let field = |name: &str, shape: ShapeId, required: bool| Field {
        name: name.to_owned(),
        shape,
        required,
        always: true,
        span: Some(site),
        declared: None,
    };
    let mut fields = Vec::new();
    if counted {
        fields.push(field("count", count, true));
    }
    fields.extend([field("next", link, false), field("previous", link, false), field("results", list, true)]);
    schemas.table.add(Shape::new(Kind::Object(Object { fields, additional: Additional::Open })).at(Some(site)))
}

/// The address of another page.
fn link(schemas: &mut Schemas) -> ShapeId {
    let mut link = Shape::new(Kind::String).nullable(true);
    link.format = Some("uri".to_owned());
    schemas.table.add(link)
}

/// What a program's own pagination writes.
fn own_page<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    class: &ClassRef<'p>,
    function: &FunctionRef<'p>,
    list: ShapeId,
    site: Span,
) -> Option<ShapeId> {
    let items = Value::Made(Rc::new(Made { path: Rc::from(ITEMS), receiver: None, args: Args::default(), site }));
    let made =
        |path: &str| Value::Made(Rc::new(Made { path: Rc::from(path), receiver: None, args: Args::default(), site }));
    let record = |entries: Vec<(&str, Value<'p>)>| {
        let entries = entries.into_iter().map(|(name, value)| (Value::str(name), value)).collect();
        Value::Dict(Rc::new(RefCell::new(Dict { entries, open: true, record: true, ..Dict::default() })))
    };
    let number = made(NUMBER);
    let counts = record(vec![("count", number.clone()), ("num_pages", number.clone()), ("per_page", number.clone())]);
    let page = record(vec![("paginator", counts), ("number", number.clone())]);
    let attributes: FxHashMap<Str, Value<'p>> = [("page", page), ("count", number)]
        .into_iter()
        .chain(LINKS.iter().map(|name| (*name, Value::Native(Rc::new(made(LINK)), Rc::from(*name)))))
        .map(|(name, value)| (Rc::from(name), value))
        .collect();
    let paginator = Value::Instance(Rc::new(Instance { class: class.clone(), attributes: RefCell::new(attributes) }));
    let args = Args { positional: vec![paginator, items], ..Args::default() };
    let returned = evaluator.returned(function, args);
    let number = schemas.table.add(Shape::new(Kind::Integer));
    let link = link(schemas);
    let [Value::Made(response)] = returned.as_slice() else { return None };
    if response.name() != "Response" {
        return None;
    }
    schemas.standing = vec![(ITEMS, list), (NUMBER, number), (LINK, link)];
    let page = sent(evaluator, schemas, response);
    schemas.standing.clear();
    page.filter(|page| matches!(schemas.table.view(*page).shape.kind, Kind::Object(_)))
}

/// What a program's own pagination says of its pages.
fn own_schema<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    class: &ClassRef<'p>,
    function: &FunctionRef<'p>,
    list: ShapeId,
    site: Span,
) -> ShapeId {
    // What is changed after it was made is not followed.
    let is_literal = matches!(
        function.node.body.last().map(|last| &last.kind),
        Some(StmtKind::Return(Some(Expr { kind: ExprKind::Dict(_), .. })))
    );
    if !is_literal {
        return schemas.unknown("pages are described in a way that is not followed", Some(site));
    }
    // The items stand as a schema that says nothing, and are put in afterwards.
    let items = Value::dict(vec![(Value::str("$items"), Value::Bool(true))]);
    let paginator = Value::Instance(Rc::new(Instance { class: class.clone(), attributes: RefCell::default() }));
    let args = Args { positional: vec![paginator, items.clone()], ..Args::default() };
    let returned = evaluator.returned(function, args);
    let [Value::Dict(schema)] = returned.as_slice() else {
        return schemas.unknown("pages are described in a way that is not followed", Some(site));
    };
    let properties = match schema.borrow().get_str("properties") {
        Some(Value::Dict(properties)) => properties.borrow().clone(),
        _ => return schemas.unknown("pages are described in a way that is not followed", Some(site)),
    };
    let mut fields = Vec::new();
    for (name, value) in &properties.entries {
        let Some(name) = name.as_str() else { continue };
        let shape = if value.same(&items) { list } else { schemas.schema_shape(evaluator, value, site) };
        let required = true;
        fields.push(Field { name: name.to_owned(), shape, required, always: true, span: Some(site), declared: None });
    }
    schemas.table.add(Shape::new(Kind::Object(Object { fields, additional: Additional::Open })).at(Some(site)))
}
