//! Object literals that are filled after they are made: `const out = { a }; out.b = 1; Object.assign(out, more)`.

use std::rc::Rc;

use super::Schemas;
use super::classes::put;
use super::members::widened;
use super::settled::Decided;
use super::types::{ObjectType, Prop, Type};
use super::typing::Place;
use crate::evaluate::Evaluator;
use crate::languages::walk;
use crate::model::program::{Arg, DictItem, Expr, ExprKind, Stmt, StmtKind};
use crate::text::Span;

/// What happens to an object that a name stands for.
enum Change<'p> {
    /// `name.member = value`, and whether a condition decides that it runs.
    Sets(&'p str, &'p Expr, bool),
    /// `name[key] = value`
    SetsAny(&'p Expr),
    /// `Object.assign(name, value)`
    TakesIn(&'p Expr, bool),
    /// `delete name.member`
    Removes(&'p str, bool),
    /// `name = { ...name, more }`
    Becomes(&'p Expr, bool),
}

impl<'p> Schemas<'p> {
    /// The object that a name stands for at a place, after what the function that declares the name does to it before.
    pub(super) fn filled(
        &mut self,
        ev: &mut Evaluator<'p>,
        made: ObjectType<'p>,
        (name, declared): (&str, &'p Expr),
        at: Span,
        place: &Place<'p>,
    ) -> Type<'p> {
        let Some(body) = place.locals.as_ref().and_then(|locals| locals.body) else {
            return Type::Object(Rc::new(made));
        };
        let mut changes = Vec::new();
        let decided = Self::decided_in(ev, body, place);
        let mut look =
            Look { decided: &decided, name, from: declared.span.end, until: at.start, changes: &mut changes };
        look.block(body, false);
        if changes.is_empty() {
            return Type::Object(Rc::new(made));
        }
        let mut object = made;
        for change in changes {
            match change {
                Change::Sets(member, value, conditional) => {
                    let ty = widened(self.type_of(ev, value, place));
                    let before = object.props.iter().find(|prop| &*prop.name == member);
                    let prop = match before {
                        Some(before) if conditional => {
                            Prop { ty: Type::union(vec![before.ty.clone(), ty]), ..before.clone() }
                        }
                        _ => Prop { optional: conditional, span: Some(value.span), ..Prop::of(member, ty) },
                    };
                    put(&mut object.props, prop);
                }
                Change::SetsAny(value) => {
                    let ty = widened(self.type_of(ev, value, place));
                    let known = object.index.take();
                    object.index = Some(Type::union(known.into_iter().chain([ty]).collect()));
                }
                Change::TakesIn(value, false) => {
                    let ty = self.type_of(ev, value, place);
                    self.spread(ev, &ty, value.span, &mut object);
                }
                Change::TakesIn(value, true) | Change::Becomes(value, true) => {
                    object.open = Some((Rc::from("object that is filled step by step"), Some(value.span)));
                }
                Change::Removes(member, false) => object.props.retain(|prop| &*prop.name != member),
                Change::Removes(member, true) => {
                    object.props.iter_mut().filter(|prop| &*prop.name == member).for_each(|prop| prop.optional = true);
                }
                Change::Becomes(value, false) => {
                    if let ExprKind::Record(items) = &value.kind {
                        object = self.remade(ev, &object, name, items, place);
                        continue;
                    }
                    let ty = self.type_of(ev, value, place);
                    match self.properties(ev, &ty) {
                        Some(other) => object = (*other).clone(),
                        None => return ty,
                    }
                }
            }
        }
        Type::Object(Rc::new(object))
    }

    /// `{ ...name, member: value }` of what the name stood for before.
    fn remade(
        &mut self,
        ev: &mut Evaluator<'p>,
        before: &ObjectType<'p>,
        name: &str,
        items: &'p [DictItem],
        place: &Place<'p>,
    ) -> ObjectType<'p> {
        let mut object = ObjectType { props: Vec::new(), index: None, open: None, name: None, span: before.span };
        for item in items {
            match item {
                DictItem::Spread(inner) if is_name(inner, name) => {
                    self.spread(ev, &Type::Object(Rc::new(before.clone())), inner.span, &mut object);
                }
                DictItem::Spread(inner) => {
                    let ty = self.type_of(ev, inner, place);
                    self.spread(ev, &ty, inner.span, &mut object);
                }
                DictItem::Pair(Expr { kind: ExprKind::Str { text, .. }, span }, value) => {
                    let ty = self.type_of(ev, value, place);
                    put(&mut object.props, Prop { span: Some(*span), ..Prop::of(text.as_str(), ty) });
                }
                DictItem::Pair(key, _) => {
                    object.open = Some((Rc::from("name of a member is computed"), Some(key.span)));
                }
            }
        }
        object
    }
}

struct Look<'c, 'p> {
    decided: &'c Decided,
    name: &'c str,
    from: u32,
    until: u32,
    changes: &'c mut Vec<Change<'p>>,
}

impl<'p> Look<'_, 'p> {
    fn block(&mut self, block: &'p [Stmt], conditional: bool) {
        let until = self.until;
        for statement in block.iter().take_while(|statement| statement.span.start < until) {
            if statement.span.end <= self.from {
                continue;
            }
            // The blocks around the declaration run when that does.
            let around = statement.span.start <= self.from && self.from < statement.span.end;
            if let StmtKind::Assign { targets, value } = &statement.kind
                && statement.span.start >= self.from
            {
                targets.iter().for_each(|target| self.target(target, value, conditional));
            }
            let mut found = Vec::new();
            walk::expressions(statement, &mut |expr| found.push(expr));
            for expr in found {
                self.expression(expr, conditional);
            }
            if let StmtKind::If { test, then, otherwise } = &statement.kind
                && let Some(holds) = self.decided.get(&std::ptr::from_ref(test))
            {
                self.block(if *holds { then } else { otherwise }, conditional);
                continue;
            }
            let conditional = conditional || !(around || matches!(statement.kind, StmtKind::Try { .. }));
            let mut blocks = Vec::new();
            walk::blocks(statement, &mut |inner| blocks.push(inner));
            for inner in blocks {
                self.block(inner, conditional);
            }
        }
    }

    fn target(&mut self, target: &'p Expr, value: &'p Expr, conditional: bool) {
        match &target.kind {
            ExprKind::Member { object, name } if is_name(object, self.name) => {
                self.changes.push(Change::Sets(name, value, conditional));
            }
            ExprKind::Index { object, index } if is_name(object, self.name) => match index.first().map(|at| &at.kind) {
                Some(ExprKind::Str { text, .. }) => self.changes.push(Change::Sets(text, value, conditional)),
                _ => self.changes.push(Change::SetsAny(value)),
            },
            ExprKind::Name(name) if name == self.name => self.changes.push(Change::Becomes(value, conditional)),
            _ => {}
        }
    }

    fn expression(&mut self, expr: &'p Expr, conditional: bool) {
        let mut left = vec![(expr, conditional)];
        while let Some((expr, conditional)) = left.pop() {
            match &expr.kind {
                ExprKind::Lambda(function) => self.block(&function.body, true),
                ExprKind::Call { callee, args, .. } => self.call(callee, args, conditional),
                _ => {}
            }
            let decides = matches!(expr.kind, ExprKind::Conditional { .. } | ExprKind::Or(..) | ExprKind::And(..));
            walk::inner(expr, &mut |inner| left.push((inner, conditional || decides)));
        }
    }

    fn call(&mut self, callee: &'p Expr, args: &'p [Arg], conditional: bool) {
        let Some(Arg::Positional(first)) = args.first() else { return };
        match (&callee.kind, &first.kind) {
            (ExprKind::Member { name, .. }, _) if name == "assign" && is_name(first, self.name) => {
                let taken = args.iter().skip(1).map(|arg| Change::TakesIn(arg.value(), conditional));
                self.changes.extend(taken);
            }
            (ExprKind::Name(callee), ExprKind::Member { object, name })
                if callee == "delete" && is_name(object, self.name) =>
            {
                self.changes.push(Change::Removes(name, conditional));
            }
            _ => {}
        }
    }
}

fn is_name(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Name(known) if known == name)
}
