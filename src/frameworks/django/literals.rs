//! What a handler hands to its response: data of serializers, and plain data as it is written.

use crate::evaluate::{Evaluator, Value};
use crate::languages::python::django::DATA;
use crate::languages::python::schema::Schemas;
use crate::model::program::{ExprKind, Stmt, StmtKind};
use crate::model::{Additional, Field, Kind, Object, Shape, ShapeId};
use crate::text::Span;

/// Values within values of a literal.
const MAX_DEPTH: u32 = 20;

/// The shape of what is handed to a response.
pub(super) fn data_shape<'p>(
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
pub(super) fn edits_values(block: &[Stmt]) -> bool {
    let mut stack: Vec<&[Stmt]> = vec![block];
    while let Some(block) = stack.pop() {
        for statement in block {
            match &statement.kind {
                StmtKind::Assign { targets, .. }
                    if targets.iter().any(|target| matches!(target.kind, ExprKind::Index { .. })) =>
                {
                    return true;
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
                fields.push(Field {
                    name: name.to_owned(),
                    shape,
                    required: true,
                    always: true,
                    span: Some(site),
                    declared: None,
                });
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
