//! Where wires are looked for: what stands for objects that something else makes, by their declared types.

use std::cell::RefCell;
use std::rc::Rc;

use super::relevance::locate_all;
use super::value::{Args, ClassRef, FunctionRef, Instance, Made, Scope, Str, Value};
use super::{Evaluator, ModuleId};
use crate::model::program::{BinaryOp, ClassKind, Expr, ExprKind, Module, Param, Stmt, StmtKind};
use crate::text::Span;

/// Members of members that are followed by themselves; a deeper one is unknown.
const MAX_MEMBERS: u32 = 20;
/// Objects that one method is run for because it sets a member that was asked for; of further ones the member is
/// unknown.
const MAX_SET: usize = 8;
/// Modules of types that are no library's objects.
const PLAIN: &[&str] = &["builtins.", "typing.", "typing_extensions.", "collections.", "javascript.", "System."];

/// The same without a module.
const PLAIN_NAMES: &[&str] = &[
    "string",
    "object",
    "dynamic",
    "bool",
    "char",
    "byte",
    "sbyte",
    "short",
    "ushort",
    "int",
    "uint",
    "long",
    "ulong",
    "float",
    "double",
    "decimal",
    "[]",
    "String",
    "Object",
    "Guid",
    "DateTime",
    "DateTimeOffset",
    "DateOnly",
    "TimeSpan",
    "TimeOnly",
    "Int32",
    "Int64",
    "Boolean",
    "Decimal",
    "Double",
    "Type",
    "Uri",
    "CancellationToken",
];

impl<'p> Evaluator<'p> {
    /// What stands for an instance of a class that something else makes: made once, with what stands for the parameters of
    /// its constructor.
    pub fn standing(&mut self, class: &ClassRef<'p>) -> Value<'p> {
        let key = std::ptr::from_ref(class.node);
        if let Some(known) = self.wires.standing.get(&key) {
            return known.clone();
        }
        let instance = Value::Instance(Rc::new(Instance { class: class.clone(), attributes: RefCell::default() }));
        self.wires.standing.insert(key, instance.clone());
        self.initialise_properties(class, &instance);
        if let Some(Value::Function(init)) = self.class_member(class, "__init__") {
            let args = Args { positional: vec![instance.clone()], ..Args::default() };
            self.call_function_always(&init, args);
        }
        instance
    }

    /// Whether a value stands for an instance of its class or of one that extends it: what made it is not known.
    pub fn may_be_of_subclass(&mut self, value: &Value<'p>) -> bool {
        let Value::Instance(instance) = value else { return false };
        let standing = self.wires.standing.get(&std::ptr::from_ref(instance.class.node));
        let stands = matches!(standing, Some(Value::Instance(known)) if Rc::ptr_eq(known, instance));
        stands && (instance.class.node.kind == ClassKind::Interface || self.has_implementers(&instance.class))
    }

    /// What stands for a value of a declared type: an instance of a class of the program, or what a library would have
    /// made. `None` where the type says nothing of that kind.
    pub(super) fn stand_in(&mut self, annotation: &'p Expr, scope: &Scope<'p>, site: Span) -> Option<Value<'p>> {
        let declared = if self.names_types_apart(scope) {
            self.look_type_path(bare_name(annotation)?, scope)?
        } else {
            self.type_expression(annotation, scope)
        };
        self.stand_in_of(&declared, site)
    }

    /// What stands for a value of a type.
    pub fn stand_in_of(&mut self, declared: &Value<'p>, site: Span) -> Option<Value<'p>> {
        match declared {
            Value::Class(class) if self.is_enum(class) => None,
            Value::Class(class) => Some(self.standing(class)),
            // Plain data: its type says nothing of its value.
            Value::External(path) if is_plain(path) => None,
            Value::External(path) => {
                Some(Value::Made(Rc::new(Made { path: path.clone(), receiver: None, args: Args::default(), site })))
            }
            Value::Applied(base, args) => match base.as_external().map(super::last) {
                Some("Annotated" | "Optional" | "Task" | "ValueTask") => self.stand_in_of(args.first()?, site),
                _ => self.stand_in_of(base, site),
            },
            Value::Union(options) => {
                let mut rest = options.iter().filter(|option| !matches!(option, Value::None));
                let only = rest.next()?;
                if rest.next().is_some() { None } else { self.stand_in_of(only, site) }
            }
            _ => None,
        }
    }

    /// What an expression in a function stands for, with what stands for the object whose method that is and for its
    /// parameters: how `this.orders.place` is found, which nothing calls.
    pub fn at_wire(&mut self, expr: &'p Expr, function: Option<&FunctionRef<'p>>, scope: &Scope<'p>) -> Value<'p> {
        let before = std::mem::replace(&mut self.wires.running, true);
        let value = self.at_wire_within(expr, function, scope, 0);
        self.wires.running = before;
        value
    }

    fn at_wire_within(
        &mut self,
        expr: &'p Expr,
        function: Option<&FunctionRef<'p>>,
        scope: &Scope<'p>,
        depth: u32,
    ) -> Value<'p> {
        let unknown = Value::Unknown("only running tells what it is", Some(expr.span));
        match &expr.kind {
            ExprKind::Name(name) => {
                let parameter = function.and_then(|it| it.node.parameters.iter().find(|known| known.name == *name));
                match (function.and_then(|function| function.class.clone()), parameter) {
                    (Some(class), _) if name == "self" || name == "this" => self.standing(&class),
                    (_, Some(parameter)) => match &parameter.annotation {
                        Some(annotation) => self.stand_in(annotation, scope, expr.span).unwrap_or(unknown),
                        None => unknown,
                    },
                    _ => self.evaluate(expr, scope),
                }
            }
            ExprKind::Member { object, name } if depth < MAX_MEMBERS => {
                match self.at_wire_within(object, function, scope, depth + 1) {
                    Value::Unknown(..) => unknown,
                    object => self.member(&object, name, Some(expr.span)),
                }
            }
            _ => unknown,
        }
    }

    /// What a function gives that is not known otherwise: by the type that it says it gives.
    pub(super) fn standing_result(&mut self, callee: &Value<'p>, value: Value<'p>) -> Value<'p> {
        let (Value::Function(function) | Value::Bound(_, function), Value::None | Value::Unknown(..)) =
            (callee, &value)
        else {
            return value;
        };
        let Some(returns) = &function.node.returns else { return value };
        self.stand_in(returns, &function.scope, returns.span).unwrap_or(value)
    }

    /// What a decorator says of the object that it injects, as if that were made with it: `@InjectQueue("mail")`.
    pub(super) fn injected(&mut self, stand_in: Value<'p>, parameter: &'p Param, scope: &Scope<'p>) -> Value<'p> {
        let (Value::Made(made), [decorator]) = (&stand_in, parameter.decorators.as_slice()) else { return stand_in };
        match self.evaluate(decorator, scope) {
            Value::Made(says) => Value::Made(Rc::new(Made { args: says.args.clone(), ..(**made).clone() })),
            _ => stand_in,
        }
    }

    /// A member that nothing has set so far: by its declared type, else as the method leaves it that sets it.
    pub(super) fn standing_member(&mut self, value: &Value<'p>, name: &str, site: Option<Span>) -> Option<Value<'p>> {
        let Value::Instance(instance) = value else { return None };
        let mut setters = Vec::new();
        for ancestor in self.ancestry(&instance.class).iter() {
            let Value::Class(ancestor) = ancestor else { continue };
            let scope = self.body_scope(ancestor);
            for statement in self.class_statements(ancestor) {
                let annotation = match &statement.kind {
                    StmtKind::Property(property) if property.name == name => property.annotation.as_ref(),
                    StmtKind::Annotated { target, annotation, .. } if matches!(&target.kind, ExprKind::Name(known) if known == name) => {
                        Some(annotation)
                    }
                    StmtKind::Function(function) if function.name != "__init__" && sets(&function.body, name) => {
                        setters.push((ancestor.clone(), function.as_ref()));
                        None
                    }
                    _ => None,
                };
                if let Some(annotation) = annotation
                    && let Some(stand_in) = self.stand_in(annotation, &scope, site.unwrap_or(annotation.span))
                {
                    self.set_member(value, name, stand_in.clone());
                    return Some(stand_in);
                }
            }
        }
        // Settings may come from one of several places: the one whose defaults are known.
        let mut found = None;
        for (class, node) in setters {
            let of = self.wires.setting.entry(std::ptr::from_ref(node)).or_default();
            if of.len() >= MAX_SET || of.iter().any(|known| Rc::ptr_eq(known, instance)) {
                continue;
            }
            of.push(instance.clone());
            let function = if self.names_in_namespaces(&class.scope) {
                self.function_of(&class, node)
            } else {
                match self.own_member(&class, &node.name) {
                    Some(Value::Function(function)) => function,
                    _ => continue,
                }
            };
            self.call_function_always(&function, Args { positional: vec![value.clone()], ..Args::default() });
            let set = instance.attributes.borrow().get(name).cloned();
            match set {
                Some(Value::None | Value::Unknown(..) | Value::External(_)) | None => found = found.or(set),
                Some(known) => return Some(known),
            }
        }
        found.filter(|value| !matches!(value, Value::None))
    }

    /// A name of a module that is nothing until a function makes it: by its declared type, else as the function leaves it
    /// that assigns it.
    pub(super) fn standing_name(&mut self, module: ModuleId, name: &str) -> Option<Value<'p>> {
        if !self.wires.naming.insert((module, Str::from(name))) {
            return None;
        }
        let is_named = |target: &Expr| matches!(&target.kind, ExprKind::Name(known) if known == name);
        let scope = self.module_scope(module);
        let program = self.program;
        let module_node: &'p Module = &program[module.0 as usize];
        for statement in &module_node.body {
            if let StmtKind::Annotated { target, annotation, .. } = &statement.kind
                && is_named(target)
                && let Some(stand_in) = self.stand_in(annotation, &scope, annotation.span)
            {
                self.bind_in_module(module, name, stand_in.clone());
                return Some(stand_in);
            }
        }
        let makers = locate_all(module_node).into_iter().filter(|it| it.class.is_none());
        for found in makers.filter(|it| assigns(&it.function.body, &is_named)) {
            let function = self.make_function(found.function, &scope);
            self.call_function_always(&function, Args::default());
            let made = self.bound_in_module(module, name);
            if let Some(made @ (Value::Made(_) | Value::Instance(_))) = made {
                return Some(made);
            }
        }
        None
    }

    /// Whether what a function assigns to a name of its module, which is nothing so far, stands for it from here on.
    pub(super) fn is_made_late(&self, module: ModuleId, name: &str, value: &Value<'p>) -> bool {
        self.wires.running
            && matches!(value, Value::Made(_) | Value::Instance(_))
            && self.is_bound_in(module, name)
            && matches!(self.bound_in_module(module, name), None | Some(Value::None | Value::Unknown(..)))
    }
}

/// The one name in a written type of TypeScript: `Client` of `Promise<Client<Options> | null>`.
fn bare_name(annotation: &Expr) -> Option<&Expr> {
    let is_nothing = |expr: &Expr| match &expr.kind {
        ExprKind::None => true,
        ExprKind::Name(name) => name == "undefined",
        _ => false,
    };
    let mut named = annotation;
    loop {
        named = match &named.kind {
            ExprKind::Index { object, index } => match (&object.kind, index.as_slice()) {
                (ExprKind::Name(name), [inner]) if name == "Promise" => inner,
                _ => object,
            },
            ExprKind::Binary { op: BinaryOp::BitOr, left, right } if is_nothing(right) => left,
            ExprKind::Binary { op: BinaryOp::BitOr, left, right } if is_nothing(left) => right,
            ExprKind::Name(_) | ExprKind::Member { .. } => return Some(named),
            _ => return None,
        };
    }
}

/// Whether an external type is plain data. What C# calls its own types has no module: `string`, `[]`.
fn is_plain(path: &str) -> bool {
    PLAIN.iter().any(|module| path.starts_with(module)) || PLAIN_NAMES.contains(&path)
}

/// Whether a body assigns `self.name` or `this.name`.
fn sets(block: &[Stmt], name: &str) -> bool {
    assigns(block, &|target: &Expr| match &target.kind {
        ExprKind::Member { object, name: member } => {
            member == name && matches!(&object.kind, ExprKind::Name(own) if own == "self" || own == "this")
        }
        _ => false,
    })
}

/// Whether a body, without the functions in it, assigns what is looked for.
fn assigns(block: &[Stmt], is_target: &dyn Fn(&Expr) -> bool) -> bool {
    let mut stack = vec![block];
    while let Some(block) = stack.pop() {
        for statement in block {
            match &statement.kind {
                StmtKind::Assign { targets, .. } if targets.iter().any(is_target) => return true,
                StmtKind::Annotated { target, .. } if is_target(target) => return true,
                StmtKind::If { then, otherwise, .. } => stack.extend([then.as_slice(), otherwise]),
                StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::With { body, .. } => {
                    stack.push(body);
                }
                StmtKind::Try { body, otherwise, .. } => stack.extend([body.as_slice(), otherwise]),
                _ => {}
            }
        }
    }
    false
}
