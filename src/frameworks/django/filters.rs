//! Query parameters that the library's own lists take: pages, filters, search, order. Follows `rest_framework.pagination`,
//! `rest_framework.filters` and `django_filters.rest_framework`.

use super::pages;
use super::responses::View;
use crate::evaluate::{ClassRef, Evaluator, ModuleId, Value, last};
use crate::finding::Reason;
use crate::frameworks::taken;
use crate::languages::python::django::{NOT_NAMED, imported_string, setting};
use crate::languages::python::schema::Schemas;
use crate::model::program::{ExprKind, StmtKind};
use crate::model::{Kind, Parameter, ParameterPlace, Request, Shape};
use crate::text::Span;

/// Adds what a list of a view takes.
pub(super) fn of_list<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    view: &View<'p>,
    class: &ClassRef<'p>,
    request: &mut Request,
) {
    let mut found = Found { schemas, request, site: view.site };
    if let Some(paginator) = pages::paginator(evaluator, class) {
        of_pages(evaluator, &paginator, &mut found);
    }
    let backends = match evaluator.class_member(class, "filter_backends") {
        Some(given) => Some((given, class.scope.module())),
        None => match setting(evaluator, "REST_FRAMEWORK") {
            Some(Value::Dict(settings)) => {
                let given = settings.borrow().get_str("DEFAULT_FILTER_BACKENDS").cloned();
                if given.is_none() && settings.borrow().open {
                    found.unclear("filters of a view are not known");
                }
                given.map(|given| (given, class.scope.module()))
            }
            Some(Value::Unknown(why, _)) if why != NOT_NAMED => {
                return found.unclear("filters of a view are not known");
            }
            _ => None,
        },
    };
    let Some((backends, from)) = backends else { return };
    let Some(backends) = backends.elements() else { return found.unclear("filters of a view are not known") };
    for backend in backends {
        of_backend(evaluator, class, &backend, from, &mut found);
    }
}

struct Found<'f> {
    schemas: &'f mut Schemas,
    request: &'f mut Request,
    site: Span,
}

impl Found<'_> {
    fn unclear(&mut self, why: &str) {
        self.request.other_parameters.get_or_insert_with(|| Reason::new(why, Some(self.site)));
    }

    fn query(&mut self, name: &str, shape: Shape, required: bool) {
        let shape = self.schemas.table.add(shape);
        let (name, place, span) = (name.to_owned(), ParameterPlace::Query, self.site);
        taken::add(self.request, Parameter { name, place, required, shape, span });
    }
}

fn of_pages<'p>(evaluator: &mut Evaluator<'p>, paginator: &Value<'p>, found: &mut Found<'_>) {
    let external = match paginator {
        Value::External(path) => vec![path.clone()],
        Value::Class(class) => evaluator.external_bases(class),
        _ => return found.unclear("pagination of a view is not known"),
    };
    let mut named = |attribute: &str, default: Option<&str>| -> Option<Option<String>> {
        let own = match paginator {
            Value::Class(class) => evaluator.class_member(class, attribute),
            _ => None,
        };
        match own {
            None => Some(default.map(str::to_owned)),
            Some(Value::None) => Some(None),
            Some(Value::Str(name)) => Some(Some(name.to_string())),
            Some(_) => None,
        }
    };
    let is = |name: &str| external.iter().any(|path| last(path) == name);
    let names = if is("PageNumberPagination") {
        vec![
            (named("page_query_param", Some("page")), Kind::Integer),
            (named("page_size_query_param", None), Kind::Integer),
        ]
    } else if is("LimitOffsetPagination") {
        vec![
            (named("limit_query_param", Some("limit")), Kind::Integer),
            (named("offset_query_param", Some("offset")), Kind::Integer),
        ]
    } else if is("CursorPagination") {
        vec![
            (named("cursor_query_param", Some("cursor")), Kind::String),
            (named("page_size_query_param", None), Kind::Integer),
        ]
    } else {
        return found.unclear("pagination of a view is not known");
    };
    for (name, kind) in names {
        match name {
            Some(Some(name)) => found.query(&name, Shape::new(kind), false),
            Some(None) => {}
            None => found.unclear("pagination of a view is not known"),
        }
    }
}

fn of_backend<'p>(
    evaluator: &mut Evaluator<'p>,
    class: &ClassRef<'p>,
    backend: &Value<'p>,
    from: ModuleId,
    found: &mut Found<'_>,
) {
    let backend = match backend {
        Value::Str(dotted) => imported_string(evaluator, from, dotted),
        other => other.clone(),
    };
    let external = match &backend {
        Value::External(path) => vec![path.clone()],
        Value::Class(own) => evaluator.external_bases(own),
        _ => return found.unclear("filters of a view are not known"),
    };
    let name =
        external.iter().map(|path| last(path)).find(|name| name.ends_with("Filter") || name.ends_with("Backend"));
    match name {
        Some("SearchFilter") => {
            if matches!(evaluator.class_member(class, "search_fields"), Some(fields) if !matches!(fields, Value::None))
            {
                found.query("search", Shape::new(Kind::String), false);
            }
        }
        Some("OrderingFilter") => found.query("ordering", Shape::new(Kind::String), false),
        Some("DjangoFilterBackend") => of_filter_set(evaluator, class, found),
        _ => found.unclear("filters of a view are not known"),
    }
}

/// `filterset_fields = [...]`, `filterset_class = …`
fn of_filter_set<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, found: &mut Found<'_>) {
    for name in ["filterset_class", "filter_class"] {
        match evaluator.class_member(class, name) {
            None | Some(Value::None) => {}
            Some(Value::Class(set)) => return of_set_class(evaluator, &set, found),
            Some(_) => return found.unclear("filters of a view are not known"),
        }
    }
    for name in ["filterset_fields", "filter_fields"] {
        match evaluator.class_member(class, name) {
            None | Some(Value::None) => {}
            Some(fields) => return of_fields(&fields, found),
        }
    }
    if matches!(evaluator.class_member(class, "get_filterset_class"), Some(Value::Function(_))) {
        found.unclear("filters of a view are not known");
    }
}

/// `["a", "b"]` or `{"a": ["exact", "lt"]}`
fn of_fields(fields: &Value, found: &mut Found<'_>) {
    if let Value::Dict(table) = fields {
        for (name, lookups) in &table.borrow().entries {
            let (Some(name), Some(lookups)) = (name.as_str(), lookups.elements()) else {
                found.unclear("filters of a view are not known");
                continue;
            };
            for lookup in lookups {
                match lookup.as_str() {
                    Some("exact") => found.query(name, Shape::new(Kind::Any), false),
                    Some(lookup) => found.query(&format!("{name}__{lookup}"), Shape::new(Kind::Any), false),
                    None => found.unclear("filters of a view are not known"),
                }
            }
        }
        return;
    }
    let Some(names) = fields.elements() else { return found.unclear("filters of a view are not known") };
    for name in names {
        match name.as_str() {
            Some(name) => found.query(name, Shape::new(Kind::Any), false),
            None => found.unclear("filters of a view are not known"),
        }
    }
}

/// A filter set: what its body declares, and the fields that its `Meta` names.
fn of_set_class<'p>(evaluator: &mut Evaluator<'p>, set: &ClassRef<'p>, found: &mut Found<'_>) {
    if evaluator.unknown_base(set) {
        found.unclear("a base class of a filter set is not known");
    }
    for ancestor in evaluator.ancestry(set).iter().rev() {
        let Value::Class(ancestor) = ancestor else { continue };
        for statement in evaluator.class_statements(ancestor) {
            let target = match &statement.kind {
                StmtKind::Assign { targets, .. } => targets.first(),
                StmtKind::Annotated { target, value: Some(_), .. } => Some(target),
                _ => None,
            };
            let Some(ExprKind::Name(name)) = target.map(|target| &target.kind) else { continue };
            let kind = match evaluator.own_member(ancestor, name) {
                Some(Value::Made(made)) => Some((made.name().to_owned(), made.args.clone())),
                Some(Value::Instance(instance)) => {
                    let external = evaluator.external_bases(&instance.class);
                    let base = external.iter().map(|path| last(path)).find(|name| name.ends_with("Filter"));
                    base.map(|base| (base.to_owned(), crate::evaluate::Args::default()))
                }
                _ => None,
            };
            let Some((kind, args)) = kind.filter(|(kind, _)| kind.ends_with("Filter")) else { continue };
            let required = matches!(args.named("required"), Some(Value::Bool(true)));
            let shape = match kind.as_str() {
                "NumberFilter" => Kind::Number,
                "BooleanFilter" => Kind::Boolean,
                "CharFilter" | "UUIDFilter" | "DateFilter" | "DateTimeFilter" | "IsoDateTimeFilter"
                | "ChoiceFilter" => Kind::String,
                _ => Kind::Any,
            };
            found.query(name, Shape::new(shape), required);
        }
    }
    if let Some(Value::Class(meta)) = evaluator.class_member(set, "Meta") {
        match evaluator.class_member(&meta, "fields") {
            None | Some(Value::None) => {}
            Some(Value::Str(_)) => found.unclear("a filter set takes all fields of its model"),
            Some(fields) => of_fields(&fields, found),
        }
    }
}
