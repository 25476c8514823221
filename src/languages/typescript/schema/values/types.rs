//! Between schemas and types: what a transformation returns, and what a schema lets out as a type.

use super::super::types::Type;
use super::{MAX_DEPTH, Schemas, Side};
use crate::evaluate::{Evaluator, Value};
use crate::model::{Kind, ShapeId};
use crate::text::Span;

impl<'p> Schemas<'p> {
    /// What a transformation makes of what comes in, and whether it may be nothing; `None` where it always is.
    pub(super) fn returned(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        function: &Value<'p>,
        given: Option<&Value<'p>>,
        side: Side,
        site: Span,
    ) -> Option<(ShapeId, bool)> {
        let argument = match given {
            Some(given) => {
                let read = self.read(evaluator, given, side, Some(site), None);
                let ty = self.loosely(read.shape);
                if read.optional { Type::union(vec![ty, Type::Undefined]) } else { ty }
            }
            None => Type::unknown("what is transformed is not known", Some(site)),
        };
        let function = self.of_value(evaluator, function);
        let result = self.apply(evaluator, &function, &[argument], site);
        let result = self.awaited(evaluator, &result);
        let (ty, may_miss) = self.sent(evaluator, &result)?;
        Some((self.shape_of(evaluator, &ty, Some(site)), may_miss))
    }

    /// What a schema lets out as a type: alternatives and null apart, plain values as what they are.
    pub(in super::super) fn opened(&mut self, id: ShapeId) -> Type<'p> {
        let mut id = id;
        let mut shape = self.table.get(id);
        for _ in 0..MAX_DEPTH {
            match shape.kind {
                Kind::Ref(target) if !shape.nullable => {
                    id = target;
                    shape = self.table.get(id);
                }
                _ => break,
            }
        }
        if shape.nullable {
            let inner = match (&shape.kind, self.values.bare.get(&id)) {
                (Kind::Ref(target), _) => *target,
                (_, Some(known)) => *known,
                _ => {
                    let bare = shape.clone().nullable(false);
                    let bare = self.table.add(bare);
                    self.values.bare.insert(id, bare);
                    bare
                }
            };
            return Type::union(vec![Type::Schema(inner), Type::Null]);
        }
        let bare = shape.values.is_none() && shape.format.is_none() && shape.name.is_none();
        match &shape.kind {
            Kind::Union(union) => Type::union(union.options.iter().map(|option| Type::Schema(*option)).collect()),
            Kind::Unknown(reason) => Type::unknown(reason.text.as_str(), reason.span),
            Kind::Any if bare => Type::Any,
            Kind::Null => Type::Null,
            Kind::Never => Type::Undefined,
            Kind::String if bare => Type::Text,
            Kind::Boolean if bare => Type::Boolean,
            Kind::Numeric if bare => Type::Number,
            _ => Type::Schema(id),
        }
    }

    /// The same for a computation, in which formats and sets of values do not count.
    pub(in super::super) fn loosely(&mut self, id: ShapeId) -> Type<'p> {
        match self.opened(id) {
            Type::Schema(id) => match self.table.get(id).kind {
                Kind::String => Type::Text,
                Kind::Boolean => Type::Boolean,
                Kind::Integer | Kind::Number | Kind::Numeric => Type::Number,
                _ => Type::Schema(id),
            },
            other => other,
        }
    }
}
