//! Names where values stand: variables, members of the class around, types.

use std::rc::Rc;

use super::generics::{class_of, generic, without_null};
use super::locals::{Local, Locals};
use super::{Place, Typer, library};
use crate::evaluate::{ClassRef, Value};
use crate::model::program::{Expr, ExprKind, Modifiers, Param, ParamKind};
use crate::text::Span;

/// What stands in front of a dot.
pub(super) enum Subject<'p> {
    /// A value, by its type.
    Value(Value<'p>),
    /// A type itself, or a namespace: a name that the program does not declare.
    Type(Value<'p>),
}

impl<'p> Typer<'_, 'p> {
    /// The type of `a` and of `a.b`.
    pub(super) fn of_path(&mut self, expr: &'p Expr, place: &Place<'p>) -> Value<'p> {
        match self.subject(expr, place) {
            Subject::Value(ty) => ty,
            Subject::Type(Value::External(_)) => Value::Unknown("name that is not declared", Some(expr.span)),
            Subject::Type(_) => Value::Unknown("a type as a value", Some(expr.span)),
        }
    }

    pub(super) fn subject(&mut self, expr: &'p Expr, place: &Place<'p>) -> Subject<'p> {
        match &expr.kind {
            ExprKind::Name(name) => self.name(name, expr, place),
            ExprKind::Member { object, name } => self.path(object, name, expr, place),
            // `A<B>.C`, where `A` is a type.
            ExprKind::Index { object, .. } if self.is_type(object, place) => Subject::Type(self.written(expr, place)),
            _ => Subject::Value(self.type_of(expr, place)),
        }
    }

    fn is_type(&mut self, expr: &'p Expr, place: &Place<'p>) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => {
                name.starts_with(char::is_uppercase)
                    && self.local(name, expr.span, place).is_none()
                    && place.this.clone().is_none_or(|this| self.find_member(&this, name).is_none())
            }
            ExprKind::Member { object, .. } => self.is_type(object, place),
            _ => false,
        }
    }

    fn name(&mut self, name: &'p str, expr: &'p Expr, place: &Place<'p>) -> Subject<'p> {
        if name == "this"
            && let Some(this) = &place.this
        {
            return Subject::Value(this.clone());
        }
        let local = self.local(name, expr.span, place);
        if let Some(ty) = &local
            && !ty.is_unknown()
        {
            return Subject::Value(ty.clone());
        }
        if let Some(ty) = self.member_around(name, expr.span, place) {
            return Subject::Value(ty);
        }
        if let Some(ty) = local {
            return Subject::Value(ty);
        }
        if let Some(ty) = self.ev.named_type(name, 0, &place.scope) {
            return Subject::Type(super::substitute(&ty, &place.given));
        }
        if let Some((class, _)) = self.statically_imported(expr, place) {
            let ty = self.member(&Value::Class(class), name, expr.span);
            return Subject::Value(ty);
        }
        Subject::Type(Value::external(name))
    }

    /// A member of the class around a place, or of the classes around that.
    fn member_around(&mut self, name: &str, site: Span, place: &Place<'p>) -> Option<Value<'p>> {
        let mut around = place.this.clone();
        let mut class = place.class.clone();
        while let Some(ty) = around {
            if self.find_member(&ty, name).is_some() || self.has_library_member(&ty, name) {
                return Some(self.member(&ty, name, site));
            }
            class = class.and_then(|class| class_around(&class));
            around = class.as_ref().map(super::self_type);
        }
        None
    }

    /// `a.b`
    fn path(&mut self, object: &'p Expr, name: &'p str, expr: &'p Expr, place: &Place<'p>) -> Subject<'p> {
        match self.subject(object, place) {
            Subject::Value(ty) => {
                let member = self.member(&ty, name, expr.span);
                // A property may have the name of its type.
                if let ExprKind::Name(outer) = &object.kind
                    && (member.is_unknown() || matches!(&ty, Value::Class(class) if self.ev.is_enum(&class.clone())))
                    && let Some(named) = self.ev.named_type(outer, 0, &place.scope)
                    && let Some(found) = self.static_member(&named, name, expr.span)
                {
                    return found;
                }
                Subject::Value(member)
            }
            Subject::Type(ty) => {
                if let Some(found) = self.static_member(&ty, name, expr.span) {
                    return found;
                }
                match &ty {
                    Value::External(path) => match self.ev.type_expression(expr, &place.scope) {
                        Value::External(_) => match library::constant(path, name) {
                            Some(ty) => Subject::Value(ty),
                            None => Subject::Type(Value::external(format!("{path}.{name}"))),
                        },
                        found => Subject::Type(found),
                    },
                    _ => Subject::Value(Value::Unknown("member that its type does not declare", Some(expr.span))),
                }
            }
        }
    }

    /// `A.b` of a type of the program: a value, or a type inside of it.
    fn static_member(&mut self, ty: &Value<'p>, name: &str, site: Span) -> Option<Subject<'p>> {
        let (class, _) = class_of(ty)?;
        if self.ev.is_enum(&class) {
            let members = self.ev.enum_members(&class);
            return members.iter().any(|member| member.name == name).then(|| Subject::Value(ty.clone()));
        }
        if self.find_member(ty, name).is_some() {
            return Some(Subject::Value(self.member(ty, name, site)));
        }
        for above in self.supertypes(ty) {
            if let Some((above, _)) = class_of(&above)
                && let Some(inner @ Value::Class(_)) = self.ev.own_member(&above, name)
            {
                return Some(Subject::Type(inner));
            }
        }
        None
    }

    /// The class whose member a bare name is by `using static`.
    pub(super) fn statically_imported(
        &mut self,
        expr: &'p Expr,
        place: &Place<'p>,
    ) -> Option<(ClassRef<'p>, crate::evaluate::FunctionRef<'p>)> {
        match self.ev.evaluate(expr, &place.scope) {
            Value::Bound(receiver, function) => match &*receiver {
                Value::Class(class) => Some((class.clone(), function)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The type of a variable.
    pub(super) fn local(&mut self, name: &'p str, site: Span, place: &Place<'p>) -> Option<Value<'p>> {
        let (locals, local) = self.find_local(name, site, place)?;
        let given = locals.given.iter().find(|(known, _)| *known == name);
        let tested = locals.table.is_tested(name);
        let ty = if let Some((_, ty)) = given {
            ty.clone()
        } else {
            let inside = Place { locals: Some(locals.clone()), ..place.clone() };
            self.of_local(&local, site, &inside)
        };
        Some(if tested { without_null(&ty) } else { ty })
    }

    pub(super) fn find_local(
        &mut self,
        name: &str,
        site: Span,
        place: &Place<'p>,
    ) -> Option<(Rc<Locals<'p>>, Local<'p>)> {
        let mut next = place.locals.clone();
        while let Some(locals) = next {
            if let Some(local) = locals.table.find(name, site) {
                return Some((locals.clone(), local.clone()));
            }
            next = locals.parent.clone();
        }
        self.find_around(name, site, &place.scope)
    }

    fn of_local(&mut self, local: &Local<'p>, site: Span, place: &Place<'p>) -> Value<'p> {
        match local {
            Local::Param(param) => self.of_param(param, place),
            Local::Annotated(annotation, _) => self.written(annotation, place),
            Local::Value(value) => self.once(value, |typer| typer.type_of(value, place)),
            Local::Element(iter) => {
                let sequence = self.once(iter, |typer| typer.type_of(iter, place));
                self.of_elements(&sequence, iter.span)
            }
            Local::Part(value, element, path) => {
                let mut ty = self.once(value, |typer| typer.type_of(value, place));
                if *element {
                    ty = self.of_elements(&ty, value.span);
                }
                for at in path.iter() {
                    ty = self.part(&ty, *at, site);
                }
                ty
            }
            Local::Out(_, _, Some(written)) => self.written(written, place),
            Local::Out(call, at, None) => self.once(call, |typer| typer.of_out(call, *at, place)),
            Local::Function(_) => Value::Unknown("a function as a value", Some(site)),
        }
    }

    /// Types what a name stands for, unless that is being done already.
    fn once(&mut self, expr: &'p Expr, ask: impl FnOnce(&mut Self) -> Value<'p>) -> Value<'p> {
        let key = std::ptr::from_ref(expr);
        if self.active.contains(&key) {
            return Value::Unknown("defined in terms of itself", Some(expr.span));
        }
        self.active.push(key);
        let ty = ask(self);
        self.active.pop();
        ty
    }

    pub(super) fn of_elements(&mut self, sequence: &Value<'p>, site: Span) -> Value<'p> {
        if let Value::Unknown(why, at) = sequence {
            return Value::Unknown(why, *at);
        }
        self.element(sequence).unwrap_or(Value::Unknown("items of what is no known sequence", Some(site)))
    }

    fn of_param(&mut self, param: &'p Param, place: &Place<'p>) -> Value<'p> {
        let Some(annotation) = &param.annotation else {
            return Value::Unknown("parameter without a type", Some(param.span));
        };
        let ty = self.written(annotation, place);
        match (param.kind, &annotation.kind) {
            // The type of `params T[] rest` is written as a whole.
            (ParamKind::Rest, ExprKind::Index { .. }) => ty,
            (ParamKind::Rest, _) => generic("[]", vec![ty]),
            _ => ty,
        }
    }

    /// One of the values that a value is taken apart into.
    fn part(&mut self, ty: &Value<'p>, at: usize, site: Span) -> Value<'p> {
        if let Value::Unknown(why, place) = ty {
            return Value::Unknown(why, *place);
        }
        let ty = without_null(ty);
        if let Value::Applied(base, args) = &ty
            && base
                .as_external()
                .is_some_and(|name| matches!(crate::evaluate::last(name), "ValueTuple" | "Tuple" | "KeyValuePair"))
            && let Some(part) = args.get(at)
        {
            return part.clone();
        }
        // The parameters of a record.
        if let Some((class, given)) = class_of(&ty) {
            for function in self.ev.overloads(&class, "__init__") {
                let primary = function.node.modifiers.has(Modifiers::PRIMARY);
                if let (true, Some(param)) = (primary, function.node.parameters.get(at + 1))
                    && let Some(annotation) = &param.annotation
                {
                    let written = self.ev.type_expression(annotation, &function.scope);
                    return super::substitute(&written, &given);
                }
            }
        }
        Value::Unknown("part of a value that is taken apart", Some(site))
    }

    /// `a[b]`
    pub(super) fn of_index(
        &mut self,
        object: &'p Expr,
        index: &'p [Expr],
        expr: &'p Expr,
        place: &Place<'p>,
    ) -> Value<'p> {
        let ty = self.type_of(object, place);
        let ty = without_null(&ty);
        if let Value::Unknown(why, at) = &ty {
            return Value::Unknown(why, *at);
        }
        if let [Expr { kind: ExprKind::Slice { .. }, .. }] = index {
            return ty;
        }
        // Patterns look at parts by their position.
        if let (Value::Applied(base, _), [Expr { kind: ExprKind::Int(at), .. }]) = (&ty, index)
            && super::kinds::is(base, "ValueTuple")
        {
            return self.part(&ty, usize::try_from(*at).unwrap_or(usize::MAX), expr.span);
        }
        if let Some(result) = self.indexer(&ty, index, place) {
            return result;
        }
        if let Some((_, value)) = self.entry(&ty) {
            return value;
        }
        match self.element(&ty) {
            Some(element) => element,
            None => library::indexed(&ty).unwrap_or(Value::Unknown("indexer of a library's type", Some(expr.span))),
        }
    }
}

/// The class that a class is declared in.
pub(super) fn class_around<'p>(class: &ClassRef<'p>) -> Option<ClassRef<'p>> {
    let mut next = Some(class.scope.clone());
    while let Some(here) = next {
        if let Some(class) = here.class().cloned() {
            return Some(class);
        }
        next = here.parent().cloned();
    }
    None
}
