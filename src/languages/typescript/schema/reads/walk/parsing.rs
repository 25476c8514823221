//! Schemas that parts of the request are parsed by: what they take is what is read.

use super::Walk;
use super::stands::Stands;
use crate::evaluate::Value;
use crate::languages::typescript::schema::Side;
use crate::languages::typescript::schema::reads::bare;
use crate::languages::typescript::schema::reads::parts::{self, Part};
use crate::model::program::{Arg, DictItem, Expr, ExprKind};
use crate::model::{Kind, ShapeId};
use crate::text::Span;

impl<'p> Walk<'_, 'p> {
    /// `schema.parse(given)`, `parse(schema, given)`: the schema, where it is one.
    pub(super) fn parse(&mut self, callee: &'p Expr, args: &'p [Arg]) -> Option<(Value<'p>, &'p Expr)> {
        let first = args.first()?.value();
        if let ExprKind::Member { object, name } = &callee.kind
            && parts::is_parsing(name)
            && let Some(schema) = self.schema(object)
        {
            return Some((schema, first));
        }
        let (ExprKind::Name(name) | ExprKind::Member { name, .. }) = &callee.kind else { return None };
        let second = args.get(1)?.value();
        if parts::is_parsing(name)
            && let Some(schema) = self.schema(first)
        {
            return Some((schema, second));
        }
        None
    }

    fn schema(&mut self, expr: &'p Expr) -> Option<Value<'p>> {
        let place = self.place()?;
        if !matches!(
            expr.kind,
            ExprKind::Name(_) | ExprKind::Member { .. } | ExprKind::Call { .. } | ExprKind::Index { .. }
        ) {
            return None;
        }
        let mut value = self.ev.evaluate(expr, &place.env.scope);
        if !matches!(value, Value::Made(_)) {
            value = self.schemas.constant(self.ev, expr, &place);
        }
        matches!(value, Value::Made(_)).then_some(value)
    }

    /// Notes what a schema takes of what it is given; false where that is no part of the request.
    pub(super) fn parsed(&mut self, schema: &Value<'p>, given: &'p Expr, span: Span) -> bool {
        match self.stands(given, 0) {
            Some(Stands::Part(part)) => {
                let Some(shape) = self.schemas.shape_of_side(self.ev, schema, Side::Input, Some(span)) else {
                    return false;
                };
                match part {
                    Part::Of(source) => self.found.parsed.push((source, shape, span)),
                    Part::Request => self.parsed_request(shape, span),
                    _ => return false,
                }
                true
            }
            Some(Stands::Member(source, name)) => {
                let shape = self.schemas.shape_of_side(self.ev, schema, Side::Input, Some(span));
                self.read(source, name, shape.map(|shape| (shape, false)), given.span);
                true
            }
            Some(Stands::Some(_)) => false,
            None => {
                let ExprKind::Record(items) = &bare(given).kind else { return false };
                let Some(shape) = self.schemas.shape_of_side(self.ev, schema, Side::Input, Some(span)) else {
                    return false;
                };
                for item in items {
                    match item {
                        DictItem::Pair(Expr { kind: ExprKind::Str { text, .. }, .. }, value) => {
                            self.parsed_member(shape, text, value);
                        }
                        DictItem::Pair(_, value) => self.used(value),
                        // `schema.parse({ ...req.body, id })`
                        DictItem::Spread(value) => match self.stands(value, 0) {
                            Some(Stands::Part(Part::Of(source))) => {
                                let without = self.without(shape, items);
                                self.found.parsed.push((source, without, span));
                            }
                            _ => self.used(value),
                        },
                    }
                }
                true
            }
        }
    }

    /// The members of an object that a record does not give by name.
    fn without(&mut self, shape: ShapeId, items: &'p [DictItem]) -> ShapeId {
        let view = self.schemas.table.view(shape);
        let mut rest = view.shape.into_owned();
        if let Kind::Object(object) = &mut rest.kind {
            object.fields.retain(|field| {
                !items.iter().any(|item| {
                    matches!(item, DictItem::Pair(Expr { kind: ExprKind::Str { text, .. }, .. }, _) if *text == field.name)
                })
            });
        }
        self.schemas.table.add(rest)
    }

    /// `schema.parse({ body: req.body, page: req.query.page })`
    fn parsed_member(&mut self, shape: ShapeId, name: &str, value: &'p Expr) {
        let view = self.schemas.table.view(shape);
        let field = match &view.shape.kind {
            Kind::Object(object) => object.fields.iter().find(|field| field.name == name).cloned(),
            _ => None,
        };
        match (self.stands(value, 0), field) {
            (Some(Stands::Part(Part::Of(source))), Some(field)) => {
                self.found.parsed.push((source, field.shape, value.span));
            }
            (Some(Stands::Member(source, name)), Some(field)) => {
                self.read(source, name, Some((field.shape, field.required)), value.span);
            }
            _ => self.used(value),
        }
    }

    /// A schema of the whole request: `z.object({ body, query, params })`.
    fn parsed_request(&mut self, shape: ShapeId, span: Span) {
        let view = self.schemas.table.view(shape);
        let Kind::Object(object) = &view.shape.kind else { return };
        let fields: Vec<(String, ShapeId)> = object.fields.iter().map(|it| (it.name.clone(), it.shape)).collect();
        for (name, shape) in fields {
            if let Some(Part::Of(source)) = parts::member(Part::Request, &name) {
                self.found.parsed.push((source, shape, span));
            }
        }
    }
}
