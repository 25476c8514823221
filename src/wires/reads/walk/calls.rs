//! Calls on the way of a value: methods of it, functions that give it back in another form, and functions of the program
//! that it is handed to.

use super::{Walk, own_member, parameters};
use crate::evaluate::{FunctionRef, Value};
use crate::model::program::{Arg, Expr, ExprKind, Function, ImportStyle};
use crate::text::Span;
use crate::wires::reads::{Subject, Taken};

/// Functions within functions that the value is handed to; that there are deeper ones is told.
const MAX_CALLS: u32 = 4;

/// Methods that give the same value in another form, or the same promise.
const SAME: &[&str] =
    &["toString", "decode", "strip", "trim", "copy", "valueOf", "catch", "finally", "unwrap", "asReadonly"];
/// Functions that give what they are given in another form.
const TRANSPARENT: &[&str] =
    &["loads", "from", "str", "bytes", "String", "b64decode", "unpackb", "decode", "resolve", "structuredClone"];
/// Methods of a sequence that call a function with each of its elements, and what they give.
const EACH: &[&str] = &["forEach", "map", "filter", "find", "some", "every", "flatMap", "sort", "findLast"];
/// Methods of a class that make an instance of what they are given.
const VALIDATE: &[&str] = &[
    "model_validate",
    "model_validate_json",
    "parse_obj",
    "parse_raw",
    "from_dict",
    "from_json",
    "validate_python",
    "validate_json",
    "model_construct",
];
/// Functions that make an instance of the class that they are given first.
const MAKERS: &[&str] = &["plainToInstance", "plainToClass", "structure", "from_dict", "convert"];

/// A function that a value may be handed to.
enum Callee<'p> {
    Program(FunctionRef<'p>),
    /// Declared within the function that is walked.
    Local(&'p Function),
}

impl<'p> Walk<'_, 'p, '_> {
    /// The nodes of the arguments; functions among them are left to who knows what they are called with.
    pub(super) fn given(&mut self, args: &'p [Arg]) -> Vec<Option<usize>> {
        args.iter()
            .map(|arg| match &arg.value().kind {
                ExprKind::Lambda(_) => None,
                _ => self.value(arg.value()),
            })
            .collect()
    }

    pub(super) fn call(
        &mut self,
        whole: &'p Expr,
        callee: &'p Expr,
        args: &'p [Arg],
        types: &'p [Expr],
    ) -> Option<usize> {
        if let (Subject::Object(calls), ExprKind::Member { object, .. }) = (&self.subject, &callee.kind)
            && calls.last() == Some(&whole.span)
        {
            self.bind(object, Some(0));
        }
        let is_subject = self.is_subject(whole.span);
        if let ExprKind::Member { object, name } = &callee.kind
            && !is_subject
            && own_member(object, name).is_none()
            && let Some(node) = self.value(object)
        {
            return self.method(node, name, callee.span, args, types);
        }
        let nodes = self.given(args);
        let functions = args.iter().map(Arg::value);
        for function in functions {
            if let ExprKind::Lambda(function) = &function.kind {
                self.inner(function, &[]);
            }
        }
        if is_subject {
            self.generic(0, types);
            return Some(0);
        }
        let leads_there =
            matches!(self.subject, Subject::Calls(calls) | Subject::Object(calls) if calls.contains(&whole.span));
        let given = nodes.iter().flatten().next().copied();
        if leads_there {
            return self.hand_over(callee, args, &nodes);
        }
        given?;
        let name = match &callee.kind {
            ExprKind::Name(name) | ExprKind::Member { name, .. } => name.as_str(),
            _ => "",
        };
        let of_json = matches!(&callee.kind, ExprKind::Member { object, name }
            if name == "parse" && matches!(&object.kind, ExprKind::Name(json) if json == "JSON"));
        if of_json || TRANSPARENT.contains(&name) {
            let node = nodes.first().copied().flatten()?;
            self.generic(node, types);
            return Some(node);
        }
        if MAKERS.contains(&name)
            && let (Some(class), Some(Some(node))) = (args.first(), nodes.get(1).copied())
        {
            self.take_for_value(node, class.value());
            return Some(node);
        }
        if let ExprKind::Member { object, .. } = &callee.kind
            && (VALIDATE.contains(&name) || matches!(name, "parse" | "safeParse" | "parseAsync" | "validate"))
            && let Some(node) = given
            && self.take_for_value(node, object)
        {
            return Some(node);
        }
        self.hand_over(callee, args, &nodes)
    }

    /// A value is made an instance of what an expression stands for; false where that is nothing of the kind.
    fn take_for_value(&mut self, node: usize, kind: &'p Expr) -> bool {
        let value = self.resolved(kind);
        match value {
            Value::Class(_) | Value::Made(_) => {
                self.reads.take(node, Taken::Value(value));
                true
            }
            _ => false,
        }
    }

    /// `call<T>(…)` says what it gives.
    fn generic(&mut self, node: usize, types: &'p [Expr]) {
        if let ([only], Some(scope)) = (types, self.scope.clone()) {
            self.take_for(node, only, &scope);
        }
    }

    fn method(&mut self, node: usize, name: &'p str, span: Span, args: &'p [Arg], types: &'p [Expr]) -> Option<usize> {
        let callback = args.iter().find_map(|arg| self.callback(arg.value()));
        if callback.is_none() {
            self.given(args);
        }
        if SAME.contains(&name) {
            return Some(node);
        }
        if name == "then" {
            let function = callback?;
            return self.called(&function, &[Some(node)]);
        }
        if self.lenient && EACH.contains(&name) && callback.is_some() {
            let items = self.reads.items(node);
            if let Some(function) = callback {
                self.called(&function, &[Some(items)]);
            }
            return match name {
                "filter" | "sort" => Some(node),
                "find" | "findLast" => Some(items),
                _ => None,
            };
        }
        if !self.lenient
            && let ("get" | "pop", Some(Expr { kind: ExprKind::Str { text, .. }, span })) =
                (name, args.first().map(Arg::value))
        {
            let optional = name == "get" || args.len() > 1;
            return Some(self.reads.member(node, text, *span, optional));
        }
        let given = self.reads.method(node, name, span);
        self.generic(given, types);
        if let Some(function) = callback {
            self.called(&function, &[]);
        }
        Some(given)
    }

    /// The function that an argument is.
    fn callback(&mut self, expr: &'p Expr) -> Option<Callee<'p>> {
        match &expr.kind {
            ExprKind::Lambda(function) => Some(Callee::Local(function)),
            ExprKind::Name(name) => {
                let local = self.local.iter().rev().find(|it| it.name == *name).copied();
                local.map(Callee::Local).or_else(|| self.function_of(expr))
            }
            ExprKind::Member { .. } => self.function_of(expr),
            _ => None,
        }
    }

    fn function_of(&mut self, expr: &'p Expr) -> Option<Callee<'p>> {
        match self.resolved(expr) {
            Value::Function(function) | Value::Bound(_, function) => Some(Callee::Program(function)),
            _ => None,
        }
    }

    fn resolved(&mut self, expr: &'p Expr) -> Value<'p> {
        match self.scope.clone() {
            Some(scope) => self.ev.at_wire(expr, self.within.last(), &scope),
            None => Value::Unknown("not within a module", None),
        }
    }

    fn called(&mut self, callee: &Callee<'p>, given: &[Option<usize>]) -> Option<usize> {
        let key = given.iter().flatten().next().copied().unwrap_or(usize::MAX);
        let node = match callee {
            Callee::Program(function) => function.node,
            Callee::Local(function) => function,
        };
        if self.calls >= MAX_CALLS {
            let what = "functions that a value which is received is handed on to, more than 4 deep";
            self.ev.cut_reading(what, Some(node.name_span));
            return None;
        }
        if !self.visited.insert((std::ptr::from_ref(node), key)) {
            return None;
        }
        self.calls += 1;
        let returned = match callee {
            Callee::Local(function) => self.inner(function, given),
            Callee::Program(function) => {
                let names = std::mem::take(&mut self.names);
                let local = std::mem::take(&mut self.local);
                let before = self.scope.replace(function.scope.clone());
                let lenient = self.lenient;
                self.lenient = self.ev.index.style(function.scope.module()) == ImportStyle::Path;
                self.within.push(function.clone());
                let returned = self.inner(function.node, given);
                self.within.pop();
                self.lenient = lenient;
                self.scope = before;
                self.local = local;
                self.names = names;
                returned
            }
        };
        self.calls -= 1;
        returned
    }

    /// A function that is called with the value.
    pub(super) fn hand_over(&mut self, callee: &'p Expr, args: &'p [Arg], nodes: &[Option<usize>]) -> Option<usize> {
        if let ExprKind::Name(name) = &callee.kind
            && let Some(local) = self.local.iter().rev().find(|it| it.name == *name).copied()
        {
            let given = placed(local, args, nodes);
            return self.called(&Callee::Local(local), &given);
        }
        match self.resolved(callee) {
            Value::Class(class) => {
                let spread = args.iter().zip(nodes).find_map(|(arg, node)| match arg {
                    Arg::KeywordSpread(_) => *node,
                    _ => None,
                });
                if let Some(node) = spread {
                    self.reads.take(node, Taken::Value(Value::Class(class)));
                    return Some(node);
                }
                if let Some(Value::Function(init)) = self.ev.class_member(&class, "__init__") {
                    let given = placed(init.node, args, nodes);
                    self.called(&Callee::Program(init), &given);
                }
                None
            }
            Value::Function(function) => {
                let given = placed(function.node, args, nodes);
                self.called(&Callee::Program(function), &given)
            }
            Value::Bound(_, function) => {
                let given = placed(function.node, args, nodes);
                self.called(&Callee::Program(function), &given)
            }
            _ => None,
        }
    }
}

/// What each of the parameters that a caller gives is given.
fn placed<'p>(function: &'p Function, args: &'p [Arg], nodes: &[Option<usize>]) -> Vec<Option<usize>> {
    let names: Vec<&str> = parameters(function).map(|parameter| parameter.name.as_str()).collect();
    let mut given = vec![None; names.len()];
    let mut at = 0;
    for (arg, node) in args.iter().zip(nodes) {
        match arg {
            Arg::Positional(_) => {
                if let Some(slot) = given.get_mut(at) {
                    *slot = *node;
                }
                at += 1;
            }
            Arg::Keyword(name, _) => {
                if let Some(at) = names.iter().position(|known| known == name) {
                    given[at] = *node;
                }
            }
            Arg::Spread(_) | Arg::KeywordSpread(_) => break,
        }
    }
    given
}
