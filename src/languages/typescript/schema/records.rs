//! Object literals: what is written, what is spread in, and what a declared type says beside it.

use std::rc::Rc;

use super::Schemas;
use super::types::{ObjectType, Prop, Type};
use super::typing::Place;
use crate::evaluate::Evaluator;
use crate::model::Literal;
use crate::model::program::{DictItem, Expr, ExprKind};
use crate::text::Span;

/// Objects that one literal may make; more are joined into one whose members may be missing.
const MAX_VARIANTS: usize = 16;

impl<'p> Schemas<'p> {
    /// A declared type where an object literal is written for it: members that the literal has are not left out.
    pub(super) fn assigned(
        &mut self,
        ev: &mut Evaluator<'p>,
        declared: Type<'p>,
        value: &'p Expr,
        place: &Place<'p>,
    ) -> Type<'p> {
        let ExprKind::Record(items) = &value.kind else { return declared };
        let Some(object) = self.properties(ev, &declared) else { return declared };
        if !object.props.iter().any(|prop| prop.optional) {
            return declared;
        }
        let written = self.of_record(ev, items, value, place);
        let Type::Object(written) = &written else { return declared };
        let mut props = object.props.clone();
        let mut changed = false;
        for prop in props.iter_mut().filter(|prop| prop.optional) {
            let Some(given) = written.props.iter().find(|given| given.name == prop.name && !given.optional) else {
                continue;
            };
            if !self.may_be_undefined(ev, &given.ty) {
                prop.loose = true;
                changed = true;
            }
        }
        if !changed {
            return declared;
        }
        Type::Object(Rc::new(ObjectType {
            props,
            index: object.index.clone(),
            open: object.open.clone(),
            name: object.name.clone(),
            span: object.span,
        }))
    }

    pub(super) fn may_be_undefined(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>) -> bool {
        if !self.enter() {
            return true;
        }
        let may = match self.force(ev, ty) {
            Type::Undefined => true,
            Type::Union(options) => options.iter().any(|option| self.may_be_undefined(ev, option)),
            _ => false,
        };
        self.leave();
        may
    }

    /// An object literal.
    pub(super) fn of_record(
        &mut self,
        ev: &mut Evaluator<'p>,
        items: &'p [DictItem],
        expr: &'p Expr,
        place: &Place<'p>,
    ) -> Type<'p> {
        // One for each alternative of what is spread in.
        let mut variants =
            vec![ObjectType { props: Vec::new(), index: None, open: None, name: None, span: Some(expr.span) }];
        for item in items {
            match item {
                DictItem::Pair(key, value) => {
                    let name = match &key.kind {
                        ExprKind::Str { text, .. } => Some(text.clone()),
                        ExprKind::Int(number) => Some(number.to_string()),
                        _ => {
                            let key = self.type_of(ev, key, place);
                            match self.force(ev, &key) {
                                Type::Literal(Literal::String(text)) => Some(text),
                                _ => None,
                            }
                        }
                    };
                    let ty = self.type_of(ev, value, place);
                    if let Some(name) = name {
                        let prop = Prop {
                            name: Rc::from(name),
                            optional: false,
                            loose: false,
                            ty,
                            span: Some(key.span),
                            decorators: None,
                        };
                        variants.iter_mut().for_each(|object| add(&mut object.props, prop.clone()));
                    } else {
                        let open = (Rc::from("name of a member is computed"), Some(key.span));
                        variants.iter_mut().for_each(|object| object.open = Some(open.clone()));
                    }
                }
                DictItem::Spread(inner) => {
                    let ty = self.type_of(ev, inner, place);
                    let options = self.spread_options(ev, &ty, MAX_VARIANTS / variants.len());
                    let spread =
                        |schemas: &mut Self, ev: &mut Evaluator<'p>, object: &ObjectType<'p>, ty: &Type<'p>| {
                            let mut object = object.clone();
                            schemas.spread(ev, ty, inner.span, &mut object);
                            object
                        };
                    let mut next = Vec::with_capacity(variants.len() * options.len());
                    for object in &variants {
                        next.extend(options.iter().map(|option| spread(self, ev, object, option)));
                    }
                    variants = next;
                }
            }
        }
        Type::union(variants.into_iter().map(|object| Type::Object(Rc::new(object))).collect())
    }

    /// The alternatives of a type where all of them are objects, and no more than so many; else the type itself.
    pub(super) fn spread_options(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>, most: usize) -> Vec<Type<'p>> {
        if let Type::Union(options) = self.force(ev, ty)
            && options.len() <= most
            && options.iter().all(|option| self.properties(ev, option).is_some())
        {
            return options.to_vec();
        }
        vec![ty.clone()]
    }

    /// `...value` in an object literal.
    pub(super) fn spread(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>, site: Span, into: &mut ObjectType<'p>) {
        let forced = self.force(ev, ty);
        match &forced {
            Type::Union(options) => {
                // Each option may be what is spread: a member that not all of them have may be missing.
                let mut found: Vec<Prop<'p>> = Vec::new();
                let mut seen: Vec<usize> = Vec::new();
                for option in options.iter() {
                    let mut one = ObjectType { props: Vec::new(), index: None, open: None, name: None, span: None };
                    self.spread(ev, option, site, &mut one);
                    into.open = into.open.take().or(one.open);
                    into.index = into.index.take().or(one.index);
                    for prop in one.props {
                        if let Some(at) = found.iter().position(|known| known.name == prop.name) {
                            seen[at] += 1;
                            found[at].optional |= prop.optional;
                            found[at].ty = Type::union(vec![found[at].ty.clone(), prop.ty]);
                        } else {
                            found.push(prop);
                            seen.push(1);
                        }
                    }
                }
                for (mut prop, seen) in found.into_iter().zip(seen) {
                    prop.optional |= seen < options.len();
                    add(&mut into.props, prop);
                }
            }
            Type::Undefined
            | Type::Null
            | Type::Boolean
            | Type::Literal(_)
            | Type::Never
            | Type::Text
            | Type::Number => {}
            _ => match self.properties(ev, &forced) {
                Some(object) => {
                    object.props.iter().for_each(|prop| add(&mut into.props, prop.clone()));
                    into.index = into.index.take().or_else(|| object.index.clone());
                    into.open = into.open.take().or_else(|| object.open.clone());
                }
                None => {
                    into.open = Some(match forced {
                        Type::Unknown(why, place) => (why, place.or(Some(site))),
                        Type::External(path, _) => {
                            (Rc::from(format!("`{path}` is not part of the scanned sources")), Some(site))
                        }
                        _ => (Rc::from("what is spread in is not known"), Some(site)),
                    });
                }
            },
        }
    }
}

fn add<'p>(props: &mut Vec<Prop<'p>>, prop: Prop<'p>) {
    match props.iter_mut().find(|known| known.name == prop.name) {
        // `{ ...all, name }`: the later one counts, unless it may not be there.
        Some(known) if prop.optional => known.ty = Type::union(vec![known.ty.clone(), prop.ty]),
        Some(known) => *known = prop,
        None => props.push(prop),
    }
}
