//! Values by name in such places: members of the class around, extensions, attributes; and which of several functions of
//! one name a call means.

use std::rc::Rc;

use super::names::dotted;
use crate::evaluate::Evaluator;
use crate::evaluate::value::{Args, ClassRef, Function, FunctionRef, Made, Role, Scope, Value};
use crate::model::program::{self, Expr, ExprKind, ImportWhat, Modifiers, ParamKind, StmtKind};
use crate::text::Span;

/// Under this name an instance keeps what its class gives the constructor of a library's class that it extends.
const BASE: &str = "base()";

impl<'p> Evaluator<'p> {
    /// What a name means where a value stands: a variable, a member of a class around the place, a type, what a class gives
    /// that is imported statically; else an external name as it is written.
    pub(in crate::evaluate) fn look_in_namespaces(&mut self, name: &str, scope: &Scope<'p>, site: Span) -> Value<'p> {
        let mut next = Some(scope.clone());
        while let Some(here) = next {
            if here.0.is_module {
                if let Some(value) = self.module_name(here.0.module, name) {
                    return value;
                }
            } else if let Some(value) = here.0.names.borrow().get(name).cloned() {
                if here.0.soft.borrow().iter().any(|soft| &**soft == name) {
                    self.mark_soft();
                }
                return value;
            }
            if let Some(frame) = &here.0.frame
                && let Some(class) = frame.class.clone()
                && let Some(value) = self.member_around(&class, &frame.receiver.clone(), name, site)
            {
                return value;
            }
            if let Some(class) = here.0.class.clone() {
                let receiver = here.0.names.borrow().get("this").cloned().unwrap_or(Value::Class(class.clone()));
                if let Some(value) = self.member_around(&class, &receiver, name, site) {
                    return value;
                }
            }
            next = here.0.parent.clone();
        }
        if let Some(found) = self.named_type(name, 0, scope) {
            return found;
        }
        self.statically_imported(name, scope, site).unwrap_or_else(|| Value::external(name))
    }

    /// A member of the class that a place stands in: of the instance where there is one.
    fn member_around(
        &mut self,
        class: &ClassRef<'p>,
        receiver: &Value<'p>,
        name: &str,
        site: Span,
    ) -> Option<Value<'p>> {
        let is_instance = match receiver {
            Value::Instance(instance) => {
                instance.attributes.borrow().contains_key(name) || self.declares(&instance.class.clone(), name)
            }
            Value::Node(id) => {
                let (known, class) = (self.node(*id).attributes.contains_key(name), self.node(*id).class.clone());
                known || class.is_some_and(|class| self.declares(&class, name))
            }
            _ => false,
        };
        if is_instance {
            return Some(self.member(receiver, name, Some(site)));
        }
        self.declares(class, name).then(|| self.member(&Value::Class(class.clone()), name, Some(site)))
    }

    /// Whether a class or one that it extends has a member of a name.
    pub(in crate::evaluate) fn declares(&mut self, class: &ClassRef<'p>, name: &str) -> bool {
        let named = |statement: &&'p program::Stmt| match &statement.kind {
            StmtKind::Property(property) => property.name == name,
            StmtKind::Function(function) => function.name == name,
            _ => false,
        };
        let ancestry = self.ancestry(class);
        ancestry.iter().any(|ancestor| match ancestor {
            Value::Class(ancestor) => self.class_statements(ancestor).iter().any(named),
            _ => false,
        })
    }

    fn statically_imported(&mut self, name: &str, scope: &Scope<'p>, site: Span) -> Option<Value<'p>> {
        let space = self.space_of(scope);
        let index = self.index;
        let mut blocks: Vec<(String, &'p [program::Stmt])> =
            space.faces.iter().flat_map(|face| face.blocks.iter().cloned()).collect();
        for module in &index.namespaces.globals {
            if index.project_of(*module) == space.project {
                blocks.push((String::new(), &self.program[module.0 as usize].global));
            }
        }
        for (inside, block) in blocks {
            for statement in block {
                let StmtKind::Import(import) = &statement.kind else { continue };
                if matches!(import.what, ImportWhat::Static)
                    && let Some(class) = self.static_import(import, &inside, &space)
                    && self.declares(&class, name)
                {
                    return Some(self.member(&Value::Class(class), name, Some(site)));
                }
            }
        }
        None
    }

    /// The object whose member a bare name is that is assigned to; `None` where it is a variable.
    pub(in crate::evaluate) fn assigned_member(&mut self, name: &str, scope: &Scope<'p>) -> Option<Value<'p>> {
        if !self.names_in_namespaces(scope) {
            return None;
        }
        let mut next = Some(scope.clone());
        while let Some(here) = next {
            if here.0.is_module || here.0.names.borrow().contains_key(name) {
                return None;
            }
            if let Some(frame) = &here.0.frame
                && let Some(class) = frame.class.clone()
            {
                let receiver = frame.receiver.clone();
                let declared = self.declares(&class, name);
                let known = matches!(receiver, Value::Instance(_) | Value::Node(_));
                return (declared && known).then_some(receiver);
            }
            next = here.0.parent.clone();
        }
        None
    }

    /// What `External(path).name` is, where `path` names a namespace of the program.
    pub(in crate::evaluate) fn namespace_member(&mut self, expr: &'p Expr, scope: &Scope<'p>) -> Option<Value<'p>> {
        self.type_of_dotted(&dotted(expr)?, 0, scope)
    }

    /// The attributes of a declaration, in order: an instance where the program declares the attribute's class, else what
    /// calling its name makes ([`Value::Made`], its path as written, without `Attribute`).
    pub fn attributes(&mut self, written: &'p [Expr], scope: &Scope<'p>) -> Vec<Value<'p>> {
        written.iter().map(|attribute| self.attribute(attribute, scope)).collect()
    }

    /// The attributes of a class as they are written, part by part.
    pub fn class_attributes(&self, class: &ClassRef<'p>) -> Vec<&'p [Expr]> {
        let more = class.more.borrow().clone();
        std::iter::once(class.node).chain(more).map(|node| node.decorators.as_slice()).collect()
    }

    fn attribute(&mut self, attribute: &'p Expr, scope: &Scope<'p>) -> Value<'p> {
        let ExprKind::Call { callee, args, types } = &attribute.kind else {
            return Value::Unknown("an attribute of a kind that is not read", Some(attribute.span));
        };
        let Some(name) = dotted(callee) else {
            return Value::Unknown("an attribute of a kind that is not read", Some(attribute.span));
        };
        let class = [format!("{name}Attribute"), name.clone()].into_iter().find_map(|name| {
            let found = if name.contains('.') {
                self.type_of_dotted(&name, types.len(), scope)
            } else {
                self.named_type(&name, types.len(), scope)
            };
            found.filter(|found| matches!(found, Value::Class(class) if self.is_attribute(class)))
        });
        let mut args = self.arguments(args, scope);
        if !types.is_empty() {
            args.types = Some((types, scope.clone()));
        }
        match class {
            Some(class) => self.call(&class, args, attribute.span),
            None => Value::Made(Rc::new(Made { path: Rc::from(name), receiver: None, args, site: attribute.span })),
        }
    }

    /// Whether a class derives from `Attribute`: one of that name that does not is none (C# specification, section 23.3).
    fn is_attribute(&mut self, class: &ClassRef<'p>) -> bool {
        class.name().ends_with("Attribute")
            || self.external_bases(class).iter().any(|path| crate::evaluate::last(path).ends_with("Attribute"))
    }

    /// What the class of an instance gave the constructor of the library's class that it extends: the path is the name of
    /// that class as it is written.
    pub fn base_call(&self, value: &Value<'p>) -> Option<Rc<Made<'p>>> {
        let Value::Instance(instance) = value else { return None };
        match instance.attributes.borrow().get(BASE) {
            Some(Value::Made(made)) => Some(made.clone()),
            _ => None,
        }
    }

    /// `base(…)` of a class that extends one of a library.
    pub(in crate::evaluate) fn keep_base_call(
        &mut self,
        value: &Value<'p>,
        class: &ClassRef<'p>,
        args: &Args<'p>,
        site: Span,
    ) {
        let Value::Instance(instance) = value else { return };
        if let Some(path) = self.external_bases(class).into_iter().next() {
            let made = Made { path, receiver: None, args: args.clone(), site };
            instance.attributes.borrow_mut().insert(Rc::from(BASE), Value::Made(Rc::new(made)));
        }
    }

    /// The functions of a name that a class declares itself.
    pub fn overloads(&mut self, class: &ClassRef<'p>, name: &str) -> Vec<FunctionRef<'p>> {
        let nodes = self.class_statements(class).into_iter().filter_map(|statement| match &statement.kind {
            StmtKind::Function(function) if function.name == name => Some(&**function),
            _ => None,
        });
        nodes.collect::<Vec<_>>().into_iter().map(|node| self.function_of(class, node)).collect()
    }

    /// A function that a class declares.
    pub fn function_of(&mut self, class: &ClassRef<'p>, node: &'p program::Function) -> FunctionRef<'p> {
        let scope = self.body_scope(class);
        let scope = self.with_type_parameters(&node.type_parameters, &scope);
        let role = if node.modifiers.has(Modifiers::STATIC) { Role::Static } else { Role::Plain };
        Function::new(node, scope, Some(class.clone()), role)
    }

    /// Of the functions that share the name of this one, in its class or one that it extends, the one that arguments fit
    /// best. `args` come with the receiver where there is one.
    pub(in crate::evaluate) fn overload(&mut self, function: &FunctionRef<'p>, args: &Args<'p>) -> FunctionRef<'p> {
        let Some(class) = function.class.clone() else { return function.clone() };
        if !self.names_in_namespaces(&function.scope) {
            return function.clone();
        }
        let name = function.node.name.as_str();
        let mut best: Option<(u32, FunctionRef<'p>)> = None;
        for ancestor in self.ancestry(&class).iter() {
            let Value::Class(ancestor) = ancestor else { continue };
            // A constructor is not inherited by a class that has one.
            if name == "__init__" && best.is_some() {
                break;
            }
            for candidate in self.overloads(ancestor, name) {
                if let Some(score) = fits(candidate.node, args)
                    && best.as_ref().is_none_or(|(known, _)| score > *known)
                {
                    best = Some((score, candidate));
                }
            }
        }
        best.map_or_else(|| function.clone(), |(_, function)| function)
    }

    /// Whether any class has functions of a name that are called like methods.
    pub(in crate::evaluate) fn has_extensions(&self, name: &str) -> bool {
        !self.index.namespaces.extending(name).is_empty()
    }

    /// The functions of a name that can be called like methods in a place, the receiver their first parameter.
    pub fn extensions(&mut self, name: &str, scope: &Scope<'p>) -> Vec<FunctionRef<'p>> {
        let index = self.index;
        let classes = index.namespaces.extending(name);
        if classes.is_empty() {
            return Vec::new();
        }
        let space = self.space_of(scope);
        let visible = self.visible_namespaces(&space);
        let mut found = Vec::new();
        // Those of the same project first: others may have one of the same name.
        for same in [true, false] {
            for at in classes {
                let declared = &index.namespaces.types[*at as usize];
                let around = declared.name.rsplit_once('.').map_or("", |(around, _)| around);
                let here = declared.parts.first().is_some_and(|part| index.project_of(part.module) == space.project);
                if here != same || !visible.iter().any(|name| name == around || *name == declared.name) {
                    continue;
                }
                if let Some(Value::Class(class)) = self.declared(*at) {
                    let of_class = self.overloads(&class, name);
                    found.extend(of_class.into_iter().filter(|f| f.node.modifiers.has(Modifiers::EXTENSION)));
                }
            }
        }
        found
    }

    /// `value.name(…)` as a call of an extension, which gets the receiver among its arguments.
    pub(in crate::evaluate) fn extension(
        &mut self,
        receiver: &Value<'p>,
        name: &str,
        args: &Args<'p>,
        scope: &Scope<'p>,
    ) -> Option<(FunctionRef<'p>, Args<'p>)> {
        let candidates = self.extensions(name, scope);
        if candidates.is_empty() {
            return None;
        }
        let mut args = args.clone();
        args.prepend(receiver.clone());
        let mut best: Option<(u32, FunctionRef<'p>)> = None;
        for candidate in candidates {
            let Some(score) = fits(candidate.node, &args) else { continue };
            if self.extends(receiver, &candidate)
                && self.overload_fits(&candidate, &args)
                && best.as_ref().is_none_or(|(known, _)| score > *known)
            {
                best = Some((score, candidate));
            }
        }
        best.map(|(_, function)| (function, args))
    }

    /// Whether arguments may be given to a function, the receiver among them: plain data is no object of a class.
    pub(super) fn overload_fits(&mut self, function: &FunctionRef<'p>, args: &Args<'p>) -> bool {
        if fits(function.node, args).is_none() {
            return false;
        }
        let node: &'p program::Function = function.node;
        for (parameter, value) in node.parameters.iter().zip(&args.positional) {
            if let Some(annotation) = &parameter.annotation
                && parameter.kind != ParamKind::Rest
                && matches!(value, Value::Str(_) | Value::Pattern(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_))
                && let Value::Class(class) = self.type_expression(annotation, &function.scope)
                && !self.is_enum(&class)
            {
                return false;
            }
        }
        true
    }

    /// Whether a value may be the first argument of an extension.
    fn extends(&mut self, receiver: &Value<'p>, function: &FunctionRef<'p>) -> bool {
        let Some(annotation) = function.node.parameters.first().and_then(|first| first.annotation.as_ref()) else {
            return false;
        };
        let mut wanted = self.type_expression(annotation, &function.scope);
        if let Value::Applied(base, _) = wanted {
            wanted = (*base).clone();
        }
        match (receiver, &wanted) {
            (_, Value::TypeVar(_)) | (Value::Node(_) | Value::Made(_), Value::External(_)) => true,
            (Value::Instance(instance), Value::Class(_)) => {
                let class = instance.class.clone();
                self.ancestry(&class).iter().any(|ancestor| ancestor.same(&wanted))
            }
            (Value::Str(_) | Value::Pattern(_), Value::External(path)) => matches!(&**path, "string" | "String"),
            _ => false,
        }
    }
}

/// How well arguments fit the parameters of a function; `None` where they do not.
fn fits(function: &program::Function, args: &Args<'_>) -> Option<u32> {
    let mut score = 100;
    let mut given = args.positional.iter();
    for parameter in &function.parameters {
        if parameter.kind == ParamKind::Rest {
            for value in given.by_ref() {
                score += 1 + agrees(value, parameter.annotation.as_ref())?;
            }
            score = score.saturating_sub(1);
            continue;
        }
        let value = given.next().or_else(|| args.named(&parameter.name));
        match value {
            // The receiver, whatever it is.
            Some(_) if parameter.annotation.is_none() => {}
            Some(value) => score += agrees(value, parameter.annotation.as_ref())?,
            None if parameter.default.is_some() || parameter.optional => score = score.saturating_sub(1),
            None => return None,
        }
    }
    given.next().is_none().then_some(score)
}

/// Whether a value may be of a written type: 2 where it is told by its form, 0 where nothing is known, `None` where not.
fn agrees(value: &Value<'_>, annotation: Option<&Expr>) -> Option<u32> {
    let mut written = annotation?;
    if let ExprKind::Binary { left, .. } = &written.kind {
        written = left;
    }
    let name = match &written.kind {
        ExprKind::Name(name) | ExprKind::Member { name, .. } => name.as_str(),
        ExprKind::Index { object, .. } => match &object.kind {
            ExprKind::Name(name) | ExprKind::Member { name, .. } => name.as_str(),
            _ => return Some(0),
        },
        _ => return Some(0),
    };
    let text = matches!(name, "string" | "String" | "StringSyntax");
    let number = matches!(name, "int" | "long" | "short" | "byte" | "uint" | "ulong" | "double" | "float" | "decimal");
    let flag = name == "bool";
    let code = matches!(name, "Delegate" | "RequestDelegate" | "Func" | "Action" | "Predicate" | "Expression");
    match value {
        Value::Str(_) | Value::Pattern(_) if text => Some(2),
        Value::Str(_) | Value::Pattern(_) if number || flag || code || name == "[]" => None,
        Value::Int(_) if number => Some(2),
        Value::Int(_) | Value::Float(_) if text || flag || code => None,
        Value::Bool(_) if flag => Some(2),
        Value::Bool(_) if text || number || code => None,
        Value::Function(_) | Value::Bound(..) if code => Some(2),
        Value::Function(_) | Value::Bound(..) if text || number || flag => None,
        Value::Node(_) if text || number || flag || code => None,
        _ => Some(0),
    }
}
