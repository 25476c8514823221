//! What a serializer does to its fields and to what it writes: `self.fields["x"] = …`, `del data["x"]`, `data["x"] = …`.

use crate::evaluate::{ClassRef, Evaluator, FunctionRef, Role, Value};
use crate::languages::Side;
use crate::languages::python::django::is_serializer;
use crate::model::program::{Arg, DictItem, Expr, ExprKind, Stmt, StmtKind};
use crate::text::Span;

/// Functions that what is written is handed to, one from another; one that is further away may write anything.
const MAX_CALLS: u32 = 3;
/// Attributes of a field that say whether it is asked for.
const LOOSENING: &[&str] = &["required", "read_only", "default", "allow_null", "allow_blank"];

/// One change to the members of a serializer.
pub(super) enum Edit<'p> {
    /// A field that is added.
    Add(String, Value<'p>),
    /// A member that is written by hand.
    Write(String, Span),
    Remove(String),
    /// A field, or any, may be required or not.
    Loosen(Option<String>),
    /// Whatever is written may be something else afterwards.
    Rewrite(Span),
    /// Something is changed that is not followed.
    Unclear(&'static str),
}

/// The changes that a class makes, in order; `None` where it writes or reads its objects in a way of its own.
pub(super) fn of_class<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, side: Side) -> Option<Vec<Edit<'p>>> {
    let mut edits = Vec::new();
    for ancestor in evaluator.ancestry(class).iter().rev() {
        let Value::Class(ancestor) = ancestor else { continue };
        if !is_serializer(evaluator, ancestor) && !has_writer(ancestor) {
            continue;
        }
        let converts = match side {
            Side::Output => "to_representation",
            Side::Input => "to_internal_value",
        };
        for name in ["__init__", "get_fields", converts] {
            let Some(Value::Function(function)) = evaluator.own_member(ancestor, name) else { continue };
            let mut reader = Reader::new(evaluator, &function, name);
            reader.block(&function.node.body, true);
            let (own, calls_super, replaces) = (reader.edits, reader.calls_super, reader.replaces);
            if name != "__init__" && (!calls_super || replaces) {
                // What a class further down writes may go on from here, and from nothing that is known.
                return None;
            }
            // What is changed before it is read is still what the fields take.
            if name != "to_internal_value" {
                edits.extend(own);
            }
        }
        if side == Side::Input {
            continue;
        }
        for name in ["data", "to_dict"] {
            if let Some(Value::Function(_)) = evaluator.own_member(ancestor, name)
                && name == "data"
            {
                edits.push(Edit::Unclear("what the serializer gives is a property of its own"));
            }
        }
    }
    Some(edits)
}

fn has_writer(class: &ClassRef) -> bool {
    class.node.body.iter().any(|statement| match &statement.kind {
        StmtKind::Function(function) => matches!(function.name.as_str(), "to_representation" | "get_fields"),
        _ => false,
    })
}

struct Reader<'e, 'p> {
    evaluator: &'e mut Evaluator<'p>,
    function: &'e FunctionRef<'p>,
    edits: Vec<Edit<'p>>,
    /// The method of the class that it comes from is called.
    calls_super: bool,
    name: &'static str,
    /// The names of what the method of the class that it comes from gave.
    held: Vec<&'p str>,
    /// Something else is given.
    replaces: bool,
    /// What was given is kept in a member of something.
    keeps: bool,
    depth: u32,
    conditions: u32,
}

impl<'e, 'p> Reader<'e, 'p> {
    fn new(evaluator: &'e mut Evaluator<'p>, function: &'e FunctionRef<'p>, name: &'static str) -> Self {
        let (edits, held) = (Vec::new(), Vec::new());
        Reader {
            evaluator,
            function,
            edits,
            calls_super: false,
            name,
            held,
            replaces: false,
            keeps: false,
            depth: 0,
            conditions: 0,
        }
    }

    fn is_held(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Name(name) if self.held.contains(&name.as_str()))
    }

    /// `super().to_representation(…)`, `dict(data)`, `data.copy()`: what goes on from what was given.
    fn goes_on(&self, expr: &Expr) -> bool {
        if self.is_held(expr) {
            return true;
        }
        let ExprKind::Call { callee, args, .. } = &expr.kind else { return false };
        if is_super_call(callee) {
            return true;
        }
        match &callee.kind {
            ExprKind::Name(name) | ExprKind::Member { name, .. }
                if matches!(name.as_str(), "dict" | "OrderedDict" | "ReturnDict" | "deepcopy")
                    || (name == "copy" && !args.is_empty()) =>
            {
                args.first().is_some_and(|first| self.goes_on(first.value()))
            }
            ExprKind::Member { object, name } => name == "copy" && self.goes_on(object),
            _ => false,
        }
    }

    /// What is returned: what was given, with more members in it, or something else.
    fn returned(&mut self, value: &'p Expr) {
        if self.goes_on(value) || matches!(value.kind, ExprKind::None) {
            return;
        }
        match &value.kind {
            // `{**data, "x": …}`
            ExprKind::Dict(items)
                if items.iter().any(|item| matches!(item, DictItem::Spread(given) if self.goes_on(given))) =>
            {
                self.calls_super |=
                    !items.iter().any(|item| matches!(item, DictItem::Spread(given) if self.is_held(given)));
                for item in items {
                    match item {
                        DictItem::Pair(Expr { kind: ExprKind::Str { text, .. }, span, .. }, _) => {
                            self.edits.push(Edit::Write(text.clone(), *span));
                        }
                        DictItem::Spread(given) if self.goes_on(given) => {}
                        _ => self.edits.push(Edit::Unclear("what is written is changed in a way that is not followed")),
                    }
                }
            }
            ExprKind::Binary { left, .. } if self.goes_on(left) => {
                self.edits.push(Edit::Unclear("what is written is changed in a way that is not followed"));
            }
            ExprKind::Index { .. } if self.keeps => {
                self.edits.push(Edit::Unclear("what is written is changed in a way that is not followed"));
            }
            _ => self.replaces = true,
        }
    }

    /// What was given is handed to a function, which may change it.
    fn handed_on(&mut self, callee: &'p Expr, args: &'p [Arg], always: bool) {
        const HARMLESS: &[&str] = &[
            "isinstance",
            "len",
            "bool",
            "print",
            "list",
            "set",
            "sorted",
            "tuple",
            "iter",
            "enumerate",
            "dict",
            "OrderedDict",
            "ReturnDict",
            "deepcopy",
            "copy",
            "str",
            "repr",
            "dumps",
            "debug",
            "info",
            "warning",
        ];
        let Some(at) = args.iter().position(|arg| self.is_held(arg.value())) else { return };
        let name = match &callee.kind {
            ExprKind::Name(name) | ExprKind::Member { name, .. } => name.as_str(),
            _ => "",
        };
        if HARMLESS.contains(&name) || is_super_call(callee) {
            return;
        }
        let of_self = matches!(&callee.kind, ExprKind::Member { object, .. }
            if matches!(&object.kind, ExprKind::Name(name) if name == "self"));
        let called = match &self.function.class {
            Some(class) if of_self => self.evaluator.class_member(&class.clone(), name),
            _ if matches!(callee.kind, ExprKind::Name(_)) => {
                Some(self.evaluator.evaluate(callee, &self.function.scope.clone()))
            }
            _ => None,
        };
        let Some(Value::Function(function)) = called.filter(|_| self.depth < MAX_CALLS) else {
            self.replaces = true;
            return;
        };
        let node: &'p crate::model::program::Function = function.node;
        let shift = usize::from(of_self && function.role != Role::Static);
        let parameter = match &args[at] {
            Arg::Keyword(name, _) => node.parameters.iter().find(|parameter| parameter.name == *name),
            Arg::Positional(_) => node.parameters.get(at + shift),
            _ => None,
        };
        let Some(parameter) = parameter else {
            self.replaces = true;
            return;
        };
        let mut inner = Reader::new(self.evaluator, &function, self.name);
        (inner.depth, inner.held) = (self.depth + 1, vec![parameter.name.as_str()]);
        inner.block(&node.body, always);
        let (edits, replaces) = (inner.edits, inner.replaces);
        self.edits.extend(edits);
        self.replaces |= replaces;
    }
    /// `always`: whether the block runs whatever happens.
    fn block(&mut self, block: &'p [Stmt], always: bool) {
        for statement in block {
            self.statement(statement, always);
        }
    }

    fn statement(&mut self, statement: &'p Stmt, always: bool) {
        match &statement.kind {
            StmtKind::Assign { targets, value } => {
                self.expr(value, always);
                let held = self.goes_on(value) || self.is_changed(value);
                for target in targets {
                    match &target.kind {
                        ExprKind::Name(name) if held => self.held.push(name),
                        ExprKind::Index { .. } if held => self.keeps = true,
                        ExprKind::Name(name) => self.held.retain(|known| known != name),
                        ExprKind::Member { object, name } if LOOSENING.contains(&name.as_str()) => {
                            let field = match &object.kind {
                                ExprKind::Index { object, index } if is_fields(object) => match index.as_slice() {
                                    [Expr { kind: ExprKind::Str { text, .. }, .. }] => Some(text.clone()),
                                    _ => None,
                                },
                                _ => None,
                            };
                            self.edits.push(Edit::Loosen(field));
                        }
                        _ => {}
                    }
                    if let ExprKind::Index { object, index } = &target.kind {
                        self.put(object, index, value, target.span);
                    }
                }
            }
            StmtKind::Annotated { value: Some(value), .. } | StmtKind::Augmented { value, .. } => {
                self.expr(value, always);
            }
            StmtKind::Expr(value) => self.expr(value, always),
            StmtKind::Return(Some(value)) => {
                self.expr(value, always);
                if self.name != "__init__" && !self.is_changed(value) {
                    self.returned(value);
                }
            }
            StmtKind::If { test, then, otherwise } => {
                self.expr(test, false);
                self.conditions += 1;
                self.block(then, false);
                self.block(otherwise, false);
                self.conditions -= 1;
            }
            StmtKind::For { body, otherwise, .. } => {
                self.block(body, false);
                self.block(otherwise, always);
            }
            StmtKind::While { body, .. } => self.block(body, false),
            StmtKind::With { body, .. } => self.block(body, always),
            StmtKind::Try { body, handlers, otherwise, finally } => {
                self.block(body, false);
                handlers.iter().for_each(|handler| self.block(handler, false));
                self.block(otherwise, false);
                self.block(finally, always);
            }
            _ => {}
        }
    }

    /// `self.with_more(data)`, where the function gives back what it was handed: its changes are noted where it is called.
    fn is_changed(&self, value: &Expr) -> bool {
        let ExprKind::Call { callee, args, .. } = &value.kind else { return false };
        !matches!(&callee.kind, ExprKind::Name(name) if name.starts_with(char::is_uppercase))
            && args.iter().any(|arg| self.is_held(arg.value()))
            && !self.replaces
    }

    /// `object[index] = value`
    fn put(&mut self, object: &'p Expr, index: &'p [Expr], value: &'p Expr, site: Span) {
        let fields = is_fields(object) || (self.name == "get_fields" && matches!(object.kind, ExprKind::Name(_)));
        let written = self.name == "to_representation" && self.is_held(object);
        if !fields && !written {
            return;
        }
        let [Expr { kind: ExprKind::Str { text: name, .. }, .. }] = index else {
            self.edits.push(Edit::Unclear("members of a name that is not known are written"));
            if written {
                self.edits.push(Edit::Rewrite(site));
            }
            return;
        };
        let name = name.clone();
        if fields {
            let value = self.evaluator.evaluate(value, &self.function.scope);
            self.edits.push(Edit::Add(name, value));
        } else {
            self.edits.push(Edit::Write(name, site));
        }
    }

    fn expr(&mut self, expr: &'p Expr, always: bool) {
        let ExprKind::Call { callee, args, .. } = &expr.kind else { return };
        if is_super_call(callee) {
            self.calls_super = true;
        }
        if self.name != "__init__" {
            self.handed_on(callee, args, always);
        }
        let ExprKind::Member { object, name } = &callee.kind else {
            for arg in args {
                self.expr(arg.value(), always);
            }
            return;
        };
        let ours = is_fields(object)
            || (self.name != "__init__" && matches!(&object.kind, ExprKind::Name(name) if name != "self"));
        match (name.as_str(), args.as_slice()) {
            ("pop", [Arg::Positional(Expr { kind: ExprKind::Str { text, .. }, .. }), ..]) if ours && always => {
                self.edits.push(Edit::Remove(text.clone()));
            }
            // What is left out for its value has other values than before.
            ("pop", _)
                if ours
                    && self.conditions > 0
                    && self.name == "to_representation"
                    && self.is_held(object)
                    && !is_literal(args) =>
            {
                self.edits.push(Edit::Rewrite(expr.span));
            }
            ("clear", _) if ours => self.replaces = true,
            ("update", _) if ours => {
                self.edits.push(Edit::Unclear("members are added that are not followed"));
            }
            _ => {}
        }
        for arg in args {
            self.expr(arg.value(), always);
        }
        self.expr(object, always);
    }
}

fn is_literal(args: &[Arg]) -> bool {
    matches!(args.first(), Some(Arg::Positional(Expr { kind: ExprKind::Str { .. }, .. })))
}

/// `self.fields`
fn is_fields(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Member { object, name }
        if name == "fields" && matches!(&object.kind, ExprKind::Name(name) if name == "self"))
}

/// `super().name` as what is called.
fn is_super_call(callee: &Expr) -> bool {
    let ExprKind::Member { object, .. } = &callee.kind else { return false };
    match &object.kind {
        ExprKind::Call { callee, .. } => matches!(&callee.kind, ExprKind::Name(name) if name == "super"),
        // `Base.to_representation(self, instance)`
        ExprKind::Name(name) => name.ends_with("Serializer"),
        ExprKind::Member { name, .. } => name.ends_with("Serializer"),
        _ => false,
    }
}
