//! Expressions: names, members, literals, types.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::value::{Args, Dict, Function, FunctionRef, Items, Role, Scope, Str, TypeVar, UNKNOWN_PART, Value, last};
use super::{Evaluator, MAX_DEPTH, MAX_ITERATIONS};
use crate::model::program::{
    self, Arg, BinaryOp, CompareOp, Comprehension, ComprehensionKind, DictItem, Expr, ExprKind, TypeParameter,
};
use crate::text::Span;

impl<'p> Evaluator<'p> {
    /// The value of an expression in a scope.
    pub fn evaluate(&mut self, expr: &'p Expr, scope: &Scope<'p>) -> Value<'p> {
        if !self.tick(expr.span.file) {
            return Value::Unknown("evaluation budget of the file used up", Some(expr.span));
        }
        if self.depth > MAX_DEPTH {
            return Value::Unknown("nested too deep", Some(expr.span));
        }
        self.depth += 1;
        let value = self.evaluate_kind(expr, scope);
        self.depth -= 1;
        value
    }

    fn evaluate_kind(&mut self, expr: &'p Expr, scope: &Scope<'p>) -> Value<'p> {
        match &expr.kind {
            ExprKind::Str { text, .. } => Value::str(text.as_str()),
            ExprKind::Int(value) => Value::Int(*value),
            ExprKind::Float(value) => Value::Float(*value),
            ExprKind::Bool(value) => Value::Bool(*value),
            ExprKind::None => Value::None,
            ExprKind::Ellipsis => Value::Ellipsis,
            ExprKind::Name(name) => self.look(name, scope, expr.span),
            ExprKind::Member { object, name } => {
                let object = self.evaluate(object, scope);
                self.member(&object, name, Some(expr.span))
            }
            ExprKind::Index { object, index } => self.index_expression(expr, object, index, scope),
            ExprKind::Call { callee, args, .. } => self.call_expression(expr, callee, args, scope),
            ExprKind::List(items) | ExprKind::Set(items) => Value::list(self.sequence(items, scope)),
            ExprKind::Tuple(items) => Value::Tuple(self.sequence(items, scope).into()),
            ExprKind::Dict(items) => self.dict_expression(items, false, scope),
            ExprKind::Record(items) => self.dict_expression(items, true, scope),
            ExprKind::Cast { value, .. } => self.evaluate(value, scope),
            ExprKind::ObjectType(_) | ExprKind::TypeOf(_) | ExprKind::FunctionType(_) => {
                Value::Unknown("a type where a value stands", Some(expr.span))
            }
            ExprKind::Template(parts) => self.template(parts, scope),
            ExprKind::Binary { op, left, right } => {
                let left_value = self.evaluate(left, scope);
                let right_value = self.evaluate(right, scope);
                if !self.afford_sum(&left_value, &right_value) {
                    return too_long();
                }
                binary(*op, left_value, right_value, expr.span)
            }
            ExprKind::And(left, right) => {
                let left = self.evaluate(left, scope);
                if !left.is_unknown() && !left.truth() {
                    return left;
                }
                let right = self.evaluate(right, scope);
                if left.is_unknown() && right.truth() { left } else { right }
            }
            ExprKind::Or(left, right) => {
                let left = self.evaluate(left, scope);
                if !left.is_unknown() && left.truth() {
                    return left;
                }
                let right = self.evaluate(right, scope);
                if left.is_unknown() && (right.is_unknown() || !right.truth()) { left } else { right }
            }
            ExprKind::Not(inner) => match self.evaluate(inner, scope) {
                unknown @ Value::Unknown(..) => unknown,
                value => Value::Bool(!value.truth()),
            },
            ExprKind::Negate(inner) => match self.evaluate(inner, scope) {
                Value::Int(value) => value.checked_neg().map_or(Value::Unknown("number too large", None), Value::Int),
                Value::Float(value) => Value::Float(-value),
                _ => Value::Unknown("negation of what is no number", Some(expr.span)),
            },
            ExprKind::Compare { op, left, right } => {
                let left = self.evaluate(left, scope);
                let right = self.evaluate(right, scope);
                if !self.afford_sum(&left, &right) {
                    return too_long();
                }
                compare(*op, &left, &right, expr.span)
            }
            ExprKind::Conditional { test, then, otherwise } => {
                let outer = std::mem::replace(&mut self.soft, false);
                let decided = self.evaluate(test, scope);
                let soft = std::mem::replace(&mut self.soft, outer);
                if decided.is_plain() && !soft {
                    return self.evaluate(if decided.truth() { then } else { otherwise }, scope);
                }
                let first = self.evaluate(then, scope);
                let second = self.evaluate(otherwise, scope);
                if first.is_unknown() || matches!(first, Value::None) { second } else { first }
            }
            ExprKind::Lambda(function) => Value::Function(self.make_function(function, scope)),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension, scope, expr.span),
            ExprKind::Spread(inner) | ExprKind::Await(inner) => self.evaluate(inner, scope),
            ExprKind::Named { name, value } => {
                let value = self.evaluate(value, scope);
                self.assign_name(name, value.clone(), scope);
                value
            }
            ExprKind::Yield(value) => {
                let value = value.as_ref().map_or(Value::None, |value| self.evaluate(value, scope));
                if let Some(frame) = frame_of(scope) {
                    frame.0.frame.iter().for_each(|frame| frame.yields.borrow_mut().push(value.clone()));
                }
                Value::Unknown("value sent into a generator", Some(expr.span))
            }
            ExprKind::Without { .. } => Value::Unknown("the rest of an object", Some(expr.span)),
            ExprKind::Bytes => Value::Unknown("bytes", Some(expr.span)),
            ExprKind::Slice { .. } => Value::Unknown("a slice by itself", Some(expr.span)),
            ExprKind::Other(what) => Value::Unknown(what, Some(expr.span)),
        }
    }

    /// Whether two values may be put together or compared, by their lengths.
    pub(super) fn afford_sum(&mut self, left: &Value<'p>, right: &Value<'p>) -> bool {
        let (texts, values) = (text_length(left) + text_length(right), length(left) + length(right));
        texts <= MAX_TEXT && (values < LONG || self.afford(values))
    }

    pub(super) fn make_function(&mut self, node: &'p program::Function, scope: &Scope<'p>) -> FunctionRef<'p> {
        let scope = self.with_type_parameters(&node.type_parameters, scope);
        Rc::new(Function { node, scope, class: None, role: Role::Plain })
    }

    /// PEP 695: the parameters of a generic definition are names inside it.
    pub(super) fn with_type_parameters(&mut self, parameters: &'p [TypeParameter], scope: &Scope<'p>) -> Scope<'p> {
        if parameters.is_empty() {
            return scope.clone();
        }
        let inner = scope.inner(None, None);
        for parameter in parameters {
            let bound = parameter.bound.as_ref().map(|bound| self.type_expression(bound, scope));
            let default = parameter.default.as_ref().map(|default| self.type_expression(default, scope));
            let name = Rc::from(parameter.name.as_str());
            inner.bind(&parameter.name, Value::TypeVar(Rc::new(TypeVar { name, bound, default })));
        }
        inner
    }

    /// What a name means, from the innermost scope out.
    fn look(&mut self, name: &str, scope: &Scope<'p>, site: Span) -> Value<'p> {
        let mut next = Some(scope.clone());
        let mut first = true;
        while let Some(here) = next {
            if here.0.is_module {
                if let Some(value) = self.module_name(here.0.module, name) {
                    return value;
                }
            } else if let Some(value) = here.0.names.borrow().get(name).cloned() {
                if here.0.soft.borrow().iter().any(|soft| &**soft == name) {
                    self.soft = true;
                }
                return self.settle(value);
            } else if first
                && let Some(class) = &here.0.class
                && let Some(value) = self.own_member(class, name)
            {
                return value;
            }
            first = false;
            next = here.0.parent.clone();
        }
        for library in self.libraries {
            if library.globals.contains(&name) {
                return Value::external(format!("{}.{name}", library.name));
            }
        }
        self.starred_library(scope.module(), name)
            .unwrap_or(Value::Unknown("name is not defined in the program", Some(site)))
    }

    /// `value.name`
    pub fn member(&mut self, value: &Value<'p>, name: &str, site: Option<Span>) -> Value<'p> {
        let unknown = || Value::Unknown("member of an unknown value", site);
        match value {
            Value::Module(module) => self.module_member(*module, name).unwrap_or_else(unknown),
            Value::Package(directory) => {
                let path = format!("{directory}/{name}");
                match self.index.at_path(&path) {
                    Some(found) => Value::from(found),
                    None => Value::external(format!("{}.{name}", directory.replace('/', "."))),
                }
            }
            Value::External(path) => self.external_member(path, name),
            Value::Class(class) => {
                if self.is_enum(class)
                    && let Some(member) = self.enum_members(class).iter().find(|member| member.name == name)
                {
                    return member.value.clone();
                }
                if name == "__name__" {
                    return Value::str(class.name());
                }
                match self.class_member(class, name) {
                    Some(Value::Function(function)) => Value::Bound(Rc::new(value.clone()), function),
                    Some(value) => value,
                    None => unknown(),
                }
            }
            Value::Instance(instance) => {
                self.soft = true;
                if let Some(value) = instance.attributes.borrow().get(name) {
                    return value.clone();
                }
                if name == "__class__" {
                    return Value::Class(instance.class.clone());
                }
                match self.class_member(&instance.class, name) {
                    Some(Value::Function(function)) if function.role == Role::Property => {
                        let args = Args { positional: vec![value.clone()], ..Args::default() };
                        self.call_function(&function, args)
                    }
                    Some(Value::Function(function)) => Value::Bound(Rc::new(value.clone()), function),
                    // A field descriptor: the value is its default.
                    Some(Value::Made(made)) => {
                        let factory = made.args.named("default_factory").or_else(|| made.args.named("factory"));
                        match (made.args.get(0, "default"), factory) {
                            (Some(Value::Ellipsis) | None, Some(factory)) => {
                                let made = self.call(&factory.clone(), Args::default(), made.site);
                                self.set_member(value, name, made.clone());
                                made
                            }
                            (Some(Value::Ellipsis) | None, None) => unknown(),
                            (Some(default), _) => default.clone(),
                        }
                    }
                    Some(value) => value,
                    None => match self.class_member(&instance.class, "__getattr__") {
                        Some(Value::Function(lazy)) if !name.starts_with("__") => {
                            let positional = vec![value.clone(), Value::str(name)];
                            self.call_function(&lazy, Args { positional, ..Args::default() })
                        }
                        _ => unknown(),
                    },
                }
            }
            Value::Node(id) => {
                let node = self.node(*id);
                if let Some(value) = node.attributes.get(name) {
                    return value.clone();
                }
                if name == "prefix" {
                    return node.prefix.clone();
                }
                if name == "router" {
                    return value.clone();
                }
                if let Some(class) = node.class.clone() {
                    match self.class_member(&class, name) {
                        Some(Value::Function(function)) if function.role == Role::Property => {
                            let args = Args { positional: vec![value.clone()], ..Args::default() };
                            return self.call_function(&function, args);
                        }
                        Some(Value::Function(function)) => return Value::Bound(Rc::new(value.clone()), function),
                        Some(value) => return value,
                        None => {}
                    }
                }
                Value::Native(Rc::new(value.clone()), Rc::from(name))
            }
            Value::Super(class, receiver) => {
                let ancestry = self.super_ancestry(class, receiver);
                for ancestor in ancestry {
                    if let Value::Class(ancestor) = ancestor
                        && let Some(Value::Function(function)) = self.own_member(&ancestor, name)
                    {
                        return Value::Bound(receiver.clone(), function);
                    }
                }
                Value::Native(Rc::new(value.clone()), Rc::from(name))
            }
            // Members of enumerations are evaluated to their values.
            Value::Str(_) | Value::Int(_) if name == "value" => value.clone(),
            Value::Str(_) if name == "name" => value.clone(),
            Value::Dict(dict) if name == "parent" => dict.borrow().get_str("parent").cloned().unwrap_or_else(unknown),
            Value::Dict(dict) if dict.borrow().record => {
                let dict = dict.borrow();
                dict.get_str(name).cloned().unwrap_or(Value::Native(Rc::new(value.clone()), Rc::from(name)))
            }
            Value::Str(_) | Value::List(_) | Value::Dict(_) | Value::Tuple(_) => {
                Value::Native(Rc::new(value.clone()), Rc::from(name))
            }
            Value::EntryPoint(point) => match name {
                "name" => Value::str(point.name.as_str()),
                "value" => Value::str(point.target.as_str()),
                "group" => Value::str(point.group.as_str()),
                _ => Value::Native(Rc::new(value.clone()), Rc::from(name)),
            },
            Value::Function(function) if name == "__name__" => Value::str(function.node.name.as_str()),
            Value::Applied(base, _) => self.member(base, name, site),
            Value::Unknown(why, place) => Value::Unknown(why, place.or(site)),
            Value::Made(made) => {
                // Enumerations of libraries: `HTTPStatus.OK.value`.
                if name == "value" && made.args.positional.len() == 1 {
                    return made.args.positional[0].clone();
                }
                Value::Native(Rc::new(value.clone()), Rc::from(name))
            }
            _ => unknown(),
        }
    }

    /// Elements of a display, with spreads of known sequences opened.
    fn sequence(&mut self, items: &'p [Expr], scope: &Scope<'p>) -> Items<'p> {
        let mut out = Vec::with_capacity(items.len());
        for item in items {
            if let ExprKind::Spread(inner) = &item.kind {
                let value = self.evaluate(inner, scope);
                if let Some(values) = self.iterate(&value) {
                    out.extend(values);
                }
            } else {
                out.push(self.evaluate(item, scope));
            }
        }
        out
    }

    fn dict_expression(&mut self, items: &'p [DictItem], record: bool, scope: &Scope<'p>) -> Value<'p> {
        let mut dict = Dict { record, ..Dict::default() };
        // Long tables are made of text keys: those need not be searched for.
        let mut texts: FxHashMap<Str, usize> = FxHashMap::default();
        for item in items {
            match item {
                DictItem::Pair(key, value) => {
                    let key = self.evaluate(key, scope);
                    let value = self.evaluate(value, scope);
                    if let Value::Str(text) = &key
                        && items.len() > LONG
                    {
                        if let Some(at) = texts.get(text) {
                            dict.entries[*at].1 = value;
                        } else {
                            texts.insert(text.clone(), dict.entries.len());
                            dict.entries.push((key, value));
                        }
                    } else if self.afford(dict.entries.len()) {
                        dict.set(key, value);
                    }
                }
                DictItem::Spread(inner) => match self.evaluate(inner, scope) {
                    Value::Dict(other) if self.afford(dict.merge_cost(&other.borrow())) => {
                        dict.merge(&other.borrow());
                        texts = dict.texts();
                    }
                    _ => dict.open = true,
                },
            }
        }
        Value::Dict(Rc::new(std::cell::RefCell::new(dict)))
    }

    fn template(&mut self, parts: &'p [Expr], scope: &Scope<'p>) -> Value<'p> {
        let mut out = String::new();
        let mut whole = true;
        for part in parts {
            if out.len() > MAX_TEXT {
                return too_long();
            }
            match self.evaluate(part, scope) {
                Value::Str(text) => out.push_str(&text),
                Value::Int(value) => out.push_str(&value.to_string()),
                Value::Pattern(text) => {
                    whole = false;
                    out.push_str(&text);
                }
                _ => {
                    whole = false;
                    out.push(UNKNOWN_PART);
                }
            }
        }
        if whole { Value::str(out) } else { Value::Pattern(Rc::from(out)) }
    }

    fn comprehension(&mut self, comprehension: &'p Comprehension, scope: &Scope<'p>, site: Span) -> Value<'p> {
        let inner = scope.inner(None, None);
        let mut out = Vec::new();
        if self.generate(comprehension, 0, &inner, &mut out).is_none() {
            return Value::Unknown("comprehension over what is not known", Some(site));
        }
        if comprehension.kind == ComprehensionKind::Dict {
            let mut dict = Dict::default();
            for (key, value) in out {
                dict.set(key, value);
            }
            return Value::Dict(Rc::new(std::cell::RefCell::new(dict)));
        }
        Value::list(out.into_iter().map(|(element, _)| element).collect())
    }

    fn generate(
        &mut self,
        comprehension: &'p Comprehension,
        clause: usize,
        scope: &Scope<'p>,
        out: &mut Vec<(Value<'p>, Value<'p>)>,
    ) -> Option<()> {
        let Some(current) = comprehension.clauses.get(clause) else {
            let element = self.evaluate(&comprehension.element, scope);
            let value = comprehension.value.as_ref().map_or(Value::None, |value| self.evaluate(value, scope));
            out.push((element, value));
            return Some(());
        };
        let iterable = self.evaluate(&current.iter, scope);
        for item in self.iterate(&iterable)?.into_iter().take(MAX_ITERATIONS) {
            self.assign(&current.target, item, scope);
            let kept = current.conditions.iter().all(|condition| {
                let value = self.evaluate(condition, scope);
                value.is_unknown() || value.truth()
            });
            if kept && out.len() < MAX_ITERATIONS * 4 {
                self.generate(comprehension, clause + 1, scope, out)?;
            }
        }
        Some(())
    }

    /// The elements that a loop goes over; `None` where they are not known.
    pub fn iterate(&mut self, value: &Value<'p>) -> Option<Items<'p>> {
        match value {
            Value::List(items) if !self.afford(items.borrow().len()) => None,
            Value::Tuple(items) if !self.afford(items.len()) => None,
            Value::List(_) | Value::Tuple(_) => value.elements(),
            Value::Dict(dict) if !self.afford(dict.borrow().entries.len()) => None,
            Value::Dict(dict) => Some(dict.borrow().entries.iter().map(|(key, _)| key.clone()).collect()),
            Value::Str(text) if text.len() > MAX_ITERATIONS * 4 => None,
            Value::Str(text) => Some(text.chars().map(|c| Value::str(c.to_string())).collect()),
            Value::Class(class) if self.is_enum(class) => {
                Some(self.enum_members(class).iter().map(|member| member.value.clone()).collect())
            }
            _ => None,
        }
    }

    /// Arguments of a call, spreads of known sequences and dicts opened.
    pub(super) fn arguments(&mut self, args: &'p [Arg], scope: &Scope<'p>) -> Args<'p> {
        let mut out = Args::default();
        for arg in args {
            match arg {
                Arg::Positional(value) => {
                    let value = self.evaluate(value, scope);
                    out.positional.push(value);
                }
                Arg::Spread(value) => {
                    let value = self.evaluate(value, scope);
                    if let Some(values) = self.iterate(&value) {
                        out.positional.extend(values);
                    }
                }
                Arg::Keyword(name, value) => {
                    let value = self.evaluate(value, scope);
                    out.set(name, value);
                }
                Arg::KeywordSpread(value) => match self.evaluate(value, scope) {
                    Value::Dict(dict) => {
                        for (key, value) in &dict.borrow().entries {
                            if let Some(key) = key.as_str() {
                                out.set(key, value.clone());
                            }
                        }
                        out.open |= dict.borrow().open;
                    }
                    _ => out.open = true,
                },
            }
        }
        out
    }

    fn index_expression(
        &mut self,
        whole: &'p Expr,
        object: &'p Expr,
        index: &'p [Expr],
        scope: &Scope<'p>,
    ) -> Value<'p> {
        let value = self.evaluate(object, scope);
        if matches!(value, Value::External(_))
            && let Some(item) = self
                .libraries
                .iter()
                .find_map(|library| (library.value_method)(self, &value, "__getitem__", &Args::default()))
        {
            return item;
        }
        match &value {
            Value::List(_) | Value::Tuple(_) | Value::Str(_) => {
                let [at] = index else { return Value::Unknown("several indices", Some(whole.span)) };
                if let ExprKind::Slice { lower, upper, step: None } = &at.kind {
                    let lower = lower.as_ref().map(|lower| self.evaluate(lower, scope));
                    let upper = upper.as_ref().map(|upper| self.evaluate(upper, scope));
                    return slice(&value, lower, upper, whole.span);
                }
                let item = |items: &[Value<'p>], at: i64| {
                    let at = if at < 0 { at.saturating_add(items.len() as i64) } else { at };
                    usize::try_from(at)
                        .ok()
                        .and_then(|at| items.get(at).cloned())
                        .unwrap_or(Value::Unknown("index outside of a list", Some(whole.span)))
                };
                match (self.evaluate(at, scope), &value) {
                    (Value::Int(at), Value::List(items)) => item(&items.borrow(), at),
                    (Value::Int(at), Value::Tuple(items)) => item(items, at),
                    _ => Value::Unknown("index is not known", Some(whole.span)),
                }
            }
            Value::Dict(dict) => {
                let [at] = index else { return Value::Unknown("several indices", Some(whole.span)) };
                let key = self.evaluate(at, scope);
                if !self.afford(dict.borrow().entries.len()) {
                    return Value::Unknown("evaluation budget of the file used up", Some(whole.span));
                }
                dict.borrow().get(&key).cloned().unwrap_or(Value::Unknown("key is not in the dict", Some(whole.span)))
            }
            Value::Class(class) if self.is_enum(class) => {
                let [at] = index else { return Value::Unknown("several indices", Some(whole.span)) };
                let key = self.evaluate(at, scope);
                self.enum_members(class)
                    .iter()
                    .find(|member| key.as_str() == Some(member.name))
                    .map_or(Value::Unknown("no such member", Some(whole.span)), |member| member.value.clone())
            }
            Value::Class(_)
            | Value::External(_)
            | Value::Union(_)
            | Value::Applied(..)
            | Value::Dynamic(_)
            | Value::TypeVar(_)
            | Value::Unknown(..) => self.type_expression(whole, scope),
            _ => Value::Unknown("index into an unknown value", Some(whole.span)),
        }
    }

    /// An expression where a type stands: strings are forward references, `|` makes unions.
    pub fn type_expression(&mut self, expr: &'p Expr, scope: &Scope<'p>) -> Value<'p> {
        if self.depth > MAX_DEPTH {
            return Value::Unknown("nested too deep", Some(expr.span));
        }
        self.depth += 1;
        let value = self.type_expression_kind(expr, scope);
        self.depth -= 1;
        value
    }

    fn type_expression_kind(&mut self, expr: &'p Expr, scope: &Scope<'p>) -> Value<'p> {
        match &expr.kind {
            ExprKind::Str { as_type: Some(inner), .. } => self.type_expression(inner, scope),
            ExprKind::Binary { op: BinaryOp::BitOr, left, right } => {
                let left = self.type_expression(left, scope);
                let right = self.type_expression(right, scope);
                union(left, right)
            }
            ExprKind::Index { object, index } => {
                let base = self.type_expression(object, scope);
                let literal = base.as_external().is_some_and(|path| last(path) == "Literal");
                let annotated = base.as_external().is_some_and(|path| last(path) == "Annotated");
                if matches!(base, Value::List(_) | Value::Dict(_) | Value::Tuple(_) | Value::Str(_)) {
                    return self.evaluate(expr, scope);
                }
                let items: &'p [Expr] = match index.as_slice() {
                    [Expr { kind: ExprKind::Tuple(items), .. }] => items,
                    items => items,
                };
                let args: Vec<Value<'p>> = items
                    .iter()
                    .enumerate()
                    .map(|(at, item)| {
                        if literal || (annotated && at > 0) {
                            self.evaluate(item, scope)
                        } else {
                            self.type_expression(item, scope)
                        }
                    })
                    .collect();
                Value::applied(base, args)
            }
            ExprKind::List(items) => {
                let items = items.iter().map(|item| self.type_expression(item, scope)).collect();
                Value::list(items)
            }
            _ => self.evaluate(expr, scope),
        }
    }
}

/// Bytes of text that is still put together: far more than any path has.
pub(super) const MAX_TEXT: usize = 16_000;
/// Entries from which on work is counted.
const LONG: usize = 16;

fn too_long<'p>() -> Value<'p> {
    Value::Unknown("value that grows too long", None)
}

pub(super) fn text_length(value: &Value) -> usize {
    value.as_str().map_or(0, str::len)
}

/// Entries of a list, tuple or dict.
pub(super) fn length(value: &Value) -> usize {
    match value {
        Value::List(items) => items.borrow().len(),
        Value::Tuple(items) => items.len(),
        Value::Dict(dict) => dict.borrow().entries.len(),
        _ => 0,
    }
}

/// The innermost scope that belongs to a call.
pub(super) fn frame_of<'p>(scope: &Scope<'p>) -> Option<Scope<'p>> {
    let mut next = Some(scope.clone());
    while let Some(here) = next {
        if here.0.frame.is_some() {
            return Some(here);
        }
        next = here.0.parent.clone();
    }
    None
}

fn union<'p>(left: Value<'p>, right: Value<'p>) -> Value<'p> {
    let mut options: Vec<Value<'p>> = Vec::new();
    for side in [left, right] {
        match side {
            Value::Union(inner) => options.extend(inner.iter().cloned()),
            other => options.push(other),
        }
    }
    Value::union(options)
}

fn slice<'p>(value: &Value<'p>, lower: Option<Value<'p>>, upper: Option<Value<'p>>, site: Span) -> Value<'p> {
    let bound = |bound: Option<Value<'p>>, length: usize, otherwise: usize| match bound {
        None | Some(Value::None) => Some(otherwise),
        Some(Value::Int(at)) if at < 0 => Some(length.saturating_sub(at.unsigned_abs() as usize)),
        Some(Value::Int(at)) => Some((at as usize).min(length)),
        _ => None,
    };
    let unknown = Value::Unknown("bounds of a slice are not known", Some(site));
    if let Value::Str(text) = value {
        let chars: Vec<char> = text.chars().collect();
        let (Some(from), Some(to)) = (bound(lower, chars.len(), 0), bound(upper, chars.len(), chars.len())) else {
            return unknown;
        };
        return Value::str(chars.get(from..to.max(from)).unwrap_or_default().iter().collect::<String>());
    }
    let Some(items) = value.elements() else { return unknown };
    let (Some(from), Some(to)) = (bound(lower, items.len(), 0), bound(upper, items.len(), items.len())) else {
        return unknown;
    };
    Value::list(items.get(from..to.max(from)).unwrap_or_default().to_vec())
}

fn binary<'p>(op: BinaryOp, left: Value<'p>, right: Value<'p>, site: Span) -> Value<'p> {
    match (op, &left, &right) {
        (BinaryOp::Add, Value::Str(a), Value::Str(b)) => Value::str(format!("{a}{b}")),
        (BinaryOp::Add, Value::Str(a) | Value::Pattern(a), Value::Str(b) | Value::Pattern(b)) => {
            Value::Pattern(Rc::from(format!("{a}{b}")))
        }
        (BinaryOp::Add, Value::Str(a) | Value::Pattern(a), _) => Value::Pattern(Rc::from(format!("{a}{UNKNOWN_PART}"))),
        (BinaryOp::Add, _, Value::Str(b) | Value::Pattern(b)) => Value::Pattern(Rc::from(format!("{UNKNOWN_PART}{b}"))),
        (BinaryOp::Add, Value::Tuple(a), Value::Tuple(b)) => {
            Value::Tuple(a.iter().chain(b.iter()).cloned().collect::<Vec<_>>().into())
        }
        (BinaryOp::Add, Value::List(_) | Value::Tuple(_), Value::List(_) | Value::Tuple(_)) => {
            let mut all = left.elements().unwrap_or_default();
            all.extend(right.elements().unwrap_or_default());
            Value::list(all)
        }
        // What is known of a sum of lists is kept.
        (BinaryOp::Add, Value::List(_), _) => left,
        (BinaryOp::Add, _, Value::List(_)) => right,
        (BinaryOp::BitOr, Value::Dict(a), Value::Dict(b)) => {
            let mut dict = a.borrow().clone();
            dict.merge(&b.borrow());
            Value::Dict(Rc::new(std::cell::RefCell::new(dict)))
        }
        (BinaryOp::BitOr, Value::Dict(_), Value::Unknown(..)) => left,
        (BinaryOp::BitOr, Value::Unknown(..), Value::Dict(_)) => right,
        (BinaryOp::BitOr, ..) => union(left, right),
        (BinaryOp::Modulo, Value::Str(format), _) => percent_format(format, &right, site),
        (_, Value::Int(a), Value::Int(b)) => {
            let result = match op {
                BinaryOp::Add => a.checked_add(*b),
                BinaryOp::Subtract => a.checked_sub(*b),
                BinaryOp::Multiply => a.checked_mul(*b),
                BinaryOp::Modulo => a.checked_rem_euclid(*b),
                BinaryOp::FloorDivide => a.checked_div_euclid(*b),
                BinaryOp::Power => u32::try_from(*b).ok().and_then(|b| a.checked_pow(b)),
                _ => None,
            };
            result.map_or(Value::Unknown("arithmetic", Some(site)), Value::Int)
        }
        (_, Value::Unknown(why, place), _) | (_, _, Value::Unknown(why, place)) => {
            Value::Unknown(why, place.or(Some(site)))
        }
        _ => Value::Unknown("operator on values that are not followed", Some(site)),
    }
}

/// `"…%s…" % values`, for `%s` and `%d` only.
fn percent_format<'p>(format: &str, values: &Value<'p>, site: Span) -> Value<'p> {
    let mut values = match values {
        Value::Tuple(items) => items.to_vec(),
        other => vec![other.clone()],
    }
    .into_iter();
    let mut out = String::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let directive = rest[at + 1..].chars().next();
        match directive {
            Some('%') => out.push('%'),
            Some('s' | 'd') => match values.next() {
                Some(Value::Str(text)) => out.push_str(&text),
                Some(Value::Int(value)) => out.push_str(&value.to_string()),
                _ => return Value::Unknown("part of a string is not known", Some(site)),
            },
            _ => return Value::Unknown("format directive", Some(site)),
        }
        rest = &rest[at + 2..];
    }
    out.push_str(rest);
    Value::str(out)
}

fn compare<'p>(op: CompareOp, left: &Value<'p>, right: &Value<'p>, site: Span) -> Value<'p> {
    let unknown = Value::Unknown("comparison of what is not known", Some(site));
    if left.is_unknown() || right.is_unknown() {
        return unknown;
    }
    let plain = left.is_plain() && right.is_plain();
    let contains = || match (left, right) {
        (Value::Str(part), Value::Str(text)) => Some(text.contains(&**part)),
        (_, Value::Dict(dict)) if !dict.borrow().open => Some(dict.borrow().get(left).is_some()),
        _ => right.elements().map(|items| items.iter().any(|item| item.same(left))),
    };
    let answer = match op {
        CompareOp::Is | CompareOp::IsNot => {
            if matches!(left, Value::None) || matches!(right, Value::None) {
                Some(left.same(right) == (op == CompareOp::Is))
            } else {
                None
            }
        }
        CompareOp::Equal if plain => Some(left.same(right)),
        CompareOp::NotEqual if plain => Some(!left.same(right)),
        CompareOp::Less | CompareOp::LessEqual | CompareOp::Greater | CompareOp::GreaterEqual => match (left, right) {
            (Value::Int(left), Value::Int(right)) => Some(match op {
                CompareOp::Less => left < right,
                CompareOp::LessEqual => left <= right,
                CompareOp::Greater => left > right,
                _ => left >= right,
            }),
            _ => None,
        },
        CompareOp::In if plain => contains(),
        CompareOp::NotIn if plain => contains().map(|found| !found),
        _ => None,
    };
    answer.map_or(unknown, Value::Bool)
}
