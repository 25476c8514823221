//! What a declaration for the documentation says that a view answers, as the generators read it.

use super::declared::Declared;
use super::pages;
use super::responses::{Answer, MAX_CALLS, View, answer, of_method, unclear};
use crate::evaluate::{Evaluator, Value, last};
use crate::languages::python::schema::Schemas;
use crate::languages::python::schema::rest::serializer_class;
use crate::model::program::{Expr, ExprKind, Stmt, StmtKind};
use crate::model::{ShapeId, Status};
use crate::text::Span;

/// What `responses=` of a declaration says.
pub(super) fn of_declaration<'p>(
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
                    Value::Tuple(parts) => {
                        (parts.first().cloned(), parts.get(1).and_then(Value::as_str).map(str::to_owned))
                    }
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
pub(super) fn lists<'p>(evaluator: &mut Evaluator<'p>, view: &View<'p>) -> bool {
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
        Value::Made(made) if made.name() == "OpenApiResponse" => {
            made.args.get(0, "response").cloned().unwrap_or(Value::None)
        }
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
        Value::Made(made)
            if matches!(made.name(), "inline_serializer" | "inline_serializer()" | "PolymorphicProxySerializer") =>
        {
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
fn paginates(block: &[Stmt]) -> bool {
    let mut stack: Vec<&[Stmt]> = vec![block];
    let speaks = |value: &Expr| match &value.kind {
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
