//! Expressions: names, members, literals, types.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::decisions::{ABSENT, Test, is_object};
use super::operators::{binary, compare, slice};
use super::value::{Args, Dict, Function, FunctionRef, Items, Made, Role, Scope, Str, TypeVar, UNKNOWN_PART, Value};
use super::{Evaluator, MAX_DEPTH, MAX_ITERATIONS};
use crate::model::program::{self, Arg, Comprehension, ComprehensionKind, DictItem, Expr, ExprKind, TypeParameter};
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
        self.projected(value)
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
                if matches!(object, Value::External(_))
                    && self.names_in_namespaces(scope)
                    && let Some(found) = self.namespace_member(expr, scope)
                {
                    return found;
                }
                self.member(&object, name, Some(expr.span))
            }
            ExprKind::Index { object, index } => self.index_expression(expr, object, index, scope),
            ExprKind::Call { callee, args, types } => self.call_expression(expr, callee, args, types, scope),
            ExprKind::List(items) | ExprKind::Set(items) => Value::list(self.sequence(items, scope)),
            ExprKind::Tuple(items) => Value::Tuple(self.sequence(items, scope).into()),
            ExprKind::Dict(items) => self.dict_expression(items, false, scope),
            ExprKind::Record(items) => self.dict_expression(items, true, scope),
            ExprKind::Cast { value, .. } => self.evaluate(value, scope),
            ExprKind::TypeOf(inner) if self.names_in_namespaces(scope) => self.type_expression(inner, scope),
            ExprKind::ObjectType(_) | ExprKind::TypeOf(_) | ExprKind::FunctionType(_) => {
                Value::Unknown("a type where a value stands", Some(expr.span))
            }
            ExprKind::Template(parts) => self.template(parts, scope),
            ExprKind::Binary { op, left, right } => {
                let left_value = self.evaluate(left, scope);
                let right_value = self.evaluate(right, scope);
                self.each_two(left_value, right_value, &mut |evaluator, left, right| {
                    if evaluator.afford_sum(&left, &right) { binary(*op, left, right, expr.span) } else { too_long() }
                })
            }
            ExprKind::And(left, right) => {
                let outer = std::mem::replace(&mut self.soft, false);
                let value = self.evaluate(left, scope);
                let soft = std::mem::replace(&mut self.soft, outer);
                self.each(value, &mut |evaluator, value| evaluator.and(value, (left, soft), right, scope))
            }
            ExprKind::Or(left, right) => {
                let value = self.evaluate(left, scope);
                self.each(value, &mut |evaluator, value| evaluator.or(value, left, right, scope))
            }
            ExprKind::Not(inner) => {
                let value = self.evaluate(inner, scope);
                self.each(value, &mut |_, value| match value {
                    unknown @ Value::Unknown(..) => unknown,
                    value => Value::Bool(!value.truth()),
                })
            }
            ExprKind::Negate(inner) => match self.evaluate(inner, scope) {
                Value::Int(value) => value.checked_neg().map_or(Value::Unknown("number too large", None), Value::Int),
                Value::Float(value) => Value::Float(-value),
                _ => Value::Unknown("negation of what is no number", Some(expr.span)),
            },
            ExprKind::Compare { op, left, right } => {
                let before = (self.soft, self.set_outside);
                let left = self.evaluate(left, scope);
                let right = self.evaluate(right, scope);
                // A setting with a default is never nothing; an object that is made of settings is one whatever they are.
                let is_data = |value: &Value<'p>| {
                    matches!(value, Value::Str(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_))
                };
                if matches!((&left, &right), (object, Value::None) | (Value::None, object) if is_object(object))
                    || is_data(&left) && matches!(right, Value::None)
                {
                    (self.soft, self.set_outside) = before;
                }
                self.each_two(left, right, &mut |evaluator, left, right| {
                    if !evaluator.afford_sum(&left, &right) {
                        return too_long();
                    }
                    // `object is Type`, of an object whose class is known.
                    if let (program::CompareOp::Is, Value::Instance(instance), Value::Class(_)) = (op, &left, &right)
                        && evaluator.names_in_namespaces(scope)
                    {
                        let class = instance.class.clone();
                        return Value::Bool(evaluator.ancestry(&class).iter().any(|ancestor| ancestor.same(&right)));
                    }
                    if let (program::CompareOp::In | program::CompareOp::NotIn, Value::External(_), Some(name)) =
                        (op, &right, left.as_str())
                        && evaluator.libraries.iter().any(|library| (library.setting)(&right, name).is_some())
                    {
                        return Value::made_of(&[&Value::nameless_setting(None)], "", expr.span);
                    }
                    let own = matches!(left, Value::External(_))
                        .then(|| evaluator.libraries.iter().find_map(|library| (library.compared)(*op, &left, &right)));
                    own.flatten().map_or_else(|| compare(*op, &left, &right, expr.span), Value::Bool)
                })
            }
            ExprKind::Conditional { test, then, otherwise } => match self.test(test, scope) {
                Test::Known(truth) => self.evaluate(if truth { then } else { otherwise }, scope),
                Test::Open(decision, sense) => {
                    let (yes, no) = if sense { (then, otherwise) } else { (otherwise, then) };
                    let yes = self.within(decision, true, |evaluator| evaluator.evaluate(yes, scope));
                    let no = self.within(decision, false, |evaluator| evaluator.evaluate(no, scope));
                    self.thrown = false;
                    match (yes, no) {
                        (Some(yes), Some(no)) => self.choice(decision, yes, no),
                        (Some(one), None) | (None, Some(one)) => one,
                        (None, None) => Value::Unknown("condition that is decided twice", Some(expr.span)),
                    }
                }
            },
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
            ExprKind::New { class: Some(class), args } => {
                let class = self.type_expression(class, scope);
                let args = self.arguments(args, scope);
                self.call(&class, args, expr.span)
            }
            // `Uri base = new("https://…")`: what it is of is known where it is looked at.
            ExprKind::New { class: None, args } if matches!(args.as_slice(), [Arg::Positional(_)]) => {
                let args = self.arguments(args, scope);
                match args.positional.first() {
                    Some(Value::Str(_) | Value::Pattern(_)) => {
                        Value::Made(Rc::new(Made { path: "new".into(), receiver: None, args, site: expr.span }))
                    }
                    _ => Value::Unknown("an object of a type that is not written", Some(expr.span)),
                }
            }
            ExprKind::New { class: None, .. } => {
                Value::Unknown("an object of a type that is not written", Some(expr.span))
            }
            ExprKind::With { value, with } => self.with_members(value, with, scope),
            ExprKind::Match { subject, arms } => self.match_expression(subject, arms, scope),
            ExprKind::Raise => Value::Unknown("an exception", Some(expr.span)),
            ExprKind::Without { value, names } => match self.evaluate(value, scope) {
                Value::Dict(dict) if self.afford(dict.borrow().entries.len()) => {
                    let mut rest = dict.borrow().clone();
                    let taken = |key: &Value| key.as_str().is_some_and(|key| names.iter().any(|name| name == key));
                    rest.entries.retain(|(key, _)| !taken(key));
                    Value::Dict(Rc::new(std::cell::RefCell::new(rest)))
                }
                _ => Value::Unknown("the rest of an object", Some(expr.span)),
            },
            ExprKind::Bytes => Value::Unknown("bytes", Some(expr.span)),
            ExprKind::Slice { .. } => Value::Unknown("a slice by itself", Some(expr.span)),
            ExprKind::Other(what) => Value::Unknown(what, Some(expr.span)),
        }
    }

    /// `left and right`, of one value on the left: what is on the right runs only where that is true.
    fn and(
        &mut self,
        value: Value<'p>,
        (left, soft): (&'p Expr, bool),
        right: &'p Expr,
        scope: &Scope<'p>,
    ) -> Value<'p> {
        let soft = soft && value.is_plain();
        if !value.is_unknown() && !soft {
            return if value.truth() { self.evaluate(right, scope) } else { value };
        }
        let Test::Open(decision, sense) = self.truth(value.clone(), soft, left, scope) else {
            return self.evaluate(right, scope);
        };
        let second = self.within(decision, sense, |evaluator| evaluator.evaluate(right, scope));
        self.thrown = false;
        let second = second.unwrap_or(Value::Bool(false));
        if second.is_unknown() {
            return second;
        }
        let (yes, no) = if sense { (second, Value::Bool(false)) } else { (Value::Bool(false), second) };
        self.choice(decision, yes, no)
    }

    /// `left or right`: where the left may say anything, the right is what is known.
    fn or(&mut self, value: Value<'p>, left: &'p Expr, right: &'p Expr, scope: &Scope<'p>) -> Value<'p> {
        if !value.is_unknown() {
            return if value.truth() { value } else { self.evaluate(right, scope) };
        }
        let Test::Open(decision, sense) = self.truth(value.clone(), false, left, scope) else {
            return self.evaluate(right, scope);
        };
        let second = self.within(decision, !sense, |evaluator| evaluator.evaluate(right, scope));
        self.thrown = false;
        // A setting may be nothing by default: `process.env.BASE_PATH || ""`.
        let is_default =
            |second: &Value<'p>| second.truth() || value.is_set_outside() && matches!(second, Value::Str(_));
        match second {
            Some(second) if !second.is_unknown() && is_default(&second) => {
                self.mark_soft();
                second
            }
            _ => value,
        }
    }

    /// Whether two values may be put together or compared, by their lengths.
    pub(super) fn afford_sum(&mut self, left: &Value<'p>, right: &Value<'p>) -> bool {
        let (texts, values) = (text_length(left) + text_length(right), length(left) + length(right));
        texts <= MAX_TEXT && (values < LONG || self.afford(values))
    }

    pub(super) fn make_function(&mut self, node: &'p program::Function, scope: &Scope<'p>) -> FunctionRef<'p> {
        let scope = self.with_type_parameters(&node.type_parameters, scope);
        let function = Function::new(node, scope, None, Role::Plain);
        self.keep_inner(&function);
        function
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
        if self.names_in_namespaces(scope) {
            return self.look_in_namespaces(name, scope, site);
        }
        let mut next = Some(scope.clone());
        let mut first = true;
        // What the body of a class binds further down: the name means what it means outside, if anything.
        let mut late = None;
        while let Some(here) = next {
            if here.0.is_module {
                if let Some(value) = self.module_name(here.0.module, name) {
                    return value;
                }
            } else if let Some(value) = here.0.names.borrow().get(name).cloned() {
                if here.0.soft.borrow().iter().any(|soft| &**soft == name) {
                    self.mark_soft();
                }
                return self.settle(value);
            } else if first
                && let Some(class) = &here.0.class
                && let Some(value) = self.own_member(class, name)
            {
                if self.binds_before(class, name, site) {
                    return value;
                }
                late = Some(value);
            }
            first = false;
            next = here.0.parent.clone();
        }
        if let Some(value) = late {
            return value;
        }
        for library in self.libraries {
            if library.globals.contains(&name) {
                return Value::external(format!("{}.{name}", library.name));
            }
        }
        self.starred_library(scope.module(), name)
            .unwrap_or(Value::Unknown("name is not defined in the program", Some(site)))
    }

    /// Elements of a display, with spreads of known sequences opened.
    fn sequence(&mut self, items: &'p [Expr], scope: &Scope<'p>) -> Items<'p> {
        let mut out = Vec::with_capacity(items.len());
        for item in items {
            if let ExprKind::Spread(inner) = &item.kind {
                let value = self.evaluate(inner, scope);
                if matches!(value, Value::Choice(_)) {
                    out.extend(self.added(&value));
                } else if let Some(values) = self.iterate(&value) {
                    out.extend(values);
                } else if self.names_types_apart(scope) && !matches!(value, Value::Bool(false) | Value::None) {
                    out.push(Value::Unknown("elements that are spread in are not known", Some(item.span)));
                }
            } else {
                out.push(self.taken_along(item, scope));
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
                    let place = key.span;
                    let key = self.evaluate(key, scope);
                    let value = match getter(value) {
                        Some(getter) if record => {
                            let getter = Value::Function(self.make_function(getter, scope));
                            Value::Partial(Rc::new(getter), Rc::default())
                        }
                        _ => self.taken_along(value, scope),
                    };
                    if let (true, Value::Str(text)) = (record, &key) {
                        dict.places.push((text.clone(), place));
                    }
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
                    Value::Bool(false) | Value::None if record => {}
                    Value::Choice(choice) => {
                        self.spread_choice(&choice, &mut dict);
                        texts = dict.texts();
                    }
                    _ => dict.open = true,
                },
            }
        }
        Value::Dict(Rc::new(std::cell::RefCell::new(dict)))
    }

    /// `...(flag && { a: 1 })`: members that are there on one side of a decision.
    fn spread_choice(&mut self, choice: &Rc<super::Choice<'p>>, dict: &mut Dict<'p>) {
        for (spread, taken) in [(&choice.yes, true), (&choice.no, false)] {
            self.within(choice.decision, taken, |evaluator| match evaluator.projected(spread.clone()) {
                Value::Dict(other) => {
                    let other = other.borrow();
                    for (key, value) in &other.entries {
                        let old = dict.get(key).cloned().unwrap_or(Value::Unknown(ABSENT, None));
                        let value = evaluator.put(&[(choice.decision, taken)], old, value.clone());
                        dict.set(key.clone(), value);
                    }
                    dict.open |= other.open;
                    dict.places.extend(other.places.iter().cloned());
                }
                Value::Bool(false) | Value::None => {}
                Value::Choice(inner) => evaluator.spread_choice(&inner, dict),
                _ => dict.open = true,
            });
        }
    }

    fn template(&mut self, parts: &'p [Expr], scope: &Scope<'p>) -> Value<'p> {
        let values = parts.iter().map(|part| self.evaluate(part, scope)).collect();
        self.each_of(values, &mut |_, values| template_of(values))
    }

    fn comprehension(&mut self, comprehension: &'p Comprehension, scope: &Scope<'p>, site: Span) -> Value<'p> {
        let inner = scope.inner(None, None);
        let mut out = Vec::new();
        if self.generate(comprehension, 0, &inner, &mut out).is_none() {
            self.run_element(comprehension, &inner, site);
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
        let mut whole = Some(());
        let items = self.iterate(&iterable)?;
        if items.len() > MAX_ITERATIONS {
            self.cut(super::PASSES, Some(current.iter.span));
        }
        for item in items.into_iter().take(MAX_ITERATIONS) {
            let known = self.guard().len();
            self.for_each(item, &mut |evaluator, item| {
                evaluator.assign(&current.target, item, scope);
                if out.len() < MAX_ITERATIONS * 4 {
                    let before = out.len();
                    whole = whole.and(evaluator.filtered(comprehension, (clause, 0), scope, out));
                    let guard = evaluator.guard()[known..].to_vec();
                    evaluator.only_under(&guard, &mut out[before..]);
                }
            });
        }
        whole
    }

    /// The element of one pass, where the conditions from one on hold.
    fn filtered(
        &mut self,
        comprehension: &'p Comprehension,
        (clause, condition): (usize, usize),
        scope: &Scope<'p>,
        out: &mut Vec<(Value<'p>, Value<'p>)>,
    ) -> Option<()> {
        let Some(test) = comprehension.clauses[clause].conditions.get(condition) else {
            return self.generate(comprehension, clause + 1, scope, out);
        };
        match self.test(test, scope) {
            Test::Known(false) => Some(()),
            Test::Known(true) => self.filtered(comprehension, (clause, condition + 1), scope, out),
            Test::Open(decision, sense) => {
                let before = out.len();
                let kept = self.within(decision, sense, |evaluator| {
                    evaluator.filtered(comprehension, (clause, condition + 1), scope, out)
                });
                self.only_under(&[(decision, sense)], &mut out[before..]);
                kept.unwrap_or(Some(()))
            }
        }
    }

    /// Elements that are only there where a guard holds.
    fn only_under(&self, guard: &[(super::DecisionId, bool)], elements: &mut [(Value<'p>, Value<'p>)]) {
        for (element, _) in elements {
            let value = std::mem::replace(element, Value::None);
            *element = self.put(guard, Value::Unknown(ABSENT, None), value);
        }
    }

    /// The elements that a loop goes over; `None` where they are not known.
    pub fn iterate(&mut self, value: &Value<'p>) -> Option<Items<'p>> {
        match value {
            Value::List(items) if !self.afford(items.borrow().len()) => None,
            Value::Tuple(items) if !self.afford(items.len()) => None,
            Value::List(_) | Value::Tuple(_) => value.elements(),
            Value::Dict(dict) if !self.afford(dict.borrow().entries.len()) => None,
            Value::Dict(dict) => Some(self.keys(&dict.borrow())),
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
                    let outer = std::mem::replace(&mut self.set_outside, false);
                    let value = self.taken_along(value, scope);
                    if self.set_outside && out.positional.len() < 64 {
                        out.soft |= 1 << out.positional.len();
                    }
                    self.set_outside |= outer;
                    out.positional.push(value);
                }
                Arg::Spread(value) => {
                    let value = self.evaluate(value, scope);
                    if let Some(values) = self.iterate(&value) {
                        out.positional.extend(values);
                    }
                }
                Arg::Keyword(name, value) => {
                    let value = self.taken_along(value, scope);
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
        if matches!(value, Value::Choice(_)) {
            return self.each(value, &mut |evaluator, value| evaluator.index_of(&value, whole, index, scope));
        }
        self.index_of(&value, whole, index, scope)
    }

    fn index_of(&mut self, value: &Value<'p>, whole: &'p Expr, index: &'p [Expr], scope: &Scope<'p>) -> Value<'p> {
        if matches!(value, Value::External(_) | Value::Made(_))
            && let [at] = index
            && let Value::Str(key) = self.evaluate(at, scope)
            && let Some(setting) = self.setting_in(value, &key, whole.span)
        {
            return setting;
        }
        if matches!(value, Value::External(_))
            && let Some(item) = self
                .libraries
                .iter()
                .find_map(|library| (library.value_method)(self, value, "__getitem__", &Args::default()))
        {
            return item;
        }
        match value {
            Value::List(_) | Value::Tuple(_) | Value::Str(_) => {
                let [at] = index else { return Value::Unknown("several indices", Some(whole.span)) };
                if let ExprKind::Slice { lower, upper, step: None } = &at.kind {
                    let lower = lower.as_ref().map(|lower| self.evaluate(lower, scope));
                    let upper = upper.as_ref().map(|upper| self.evaluate(upper, scope));
                    return slice(value, lower, upper, whole.span);
                }
                let item = |items: &[Value<'p>], at: i64| {
                    let at = if at < 0 { at.saturating_add(items.len() as i64) } else { at };
                    usize::try_from(at)
                        .ok()
                        .and_then(|at| items.get(at).cloned())
                        .unwrap_or(Value::Unknown("index outside of a list", Some(whole.span)))
                };
                self.by_key(value, at, scope, &mut |_, key| {
                    let at = match key {
                        Value::Int(at) => at,
                        Value::Bool(at) => i64::from(at),
                        _ => return Value::Unknown("index is not known", Some(whole.span)),
                    };
                    match value {
                        Value::List(items) => item(&items.borrow(), at),
                        Value::Tuple(items) => item(items, at),
                        _ => Value::Unknown("index is not known", Some(whole.span)),
                    }
                })
            }
            Value::Dict(dict) => {
                let [at] = index else { return Value::Unknown("several indices", Some(whole.span)) };
                self.by_key(value, at, scope, &mut |evaluator, key| {
                    if !evaluator.afford(dict.borrow().entries.len()) {
                        return Value::Unknown("evaluation budget of the file used up", Some(whole.span));
                    }
                    let dict = dict.borrow();
                    match dict.get(&key) {
                        Some(value) => value.clone(),
                        None if dict.record && dict.is_whole() && key.is_plain() => Value::None,
                        None => Value::Unknown("key is not in the dict", Some(whole.span)),
                    }
                })
            }
            Value::Class(class) if self.is_enum(class) => {
                let [at] = index else { return Value::Unknown("several indices", Some(whole.span)) };
                let key = self.evaluate(at, scope);
                self.enum_members(class)
                    .iter()
                    .find(|member| key.as_str() == Some(member.name))
                    .map_or(Value::Unknown("no such member", Some(whole.span)), |member| member.value.clone())
            }
            // `app[method](…)`
            Value::Node(_) | Value::Instance(_) | Value::Module(_) | Value::Made(_)
                if self.names_types_apart(scope) =>
            {
                let [at] = index else { return Value::Unknown("several indices", Some(whole.span)) };
                self.by_key(value, at, scope, &mut |evaluator, key| match key {
                    Value::Str(name) => evaluator.member(value, &name, Some(whole.span)),
                    _ => match value {
                        Value::Node(router) => evaluator.unknown_method(*router),
                        _ => Value::Unknown("index is not known", Some(whole.span)),
                    },
                })
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
}

/// A text of its parts.
fn template_of(parts: Vec<Value<'_>>) -> Value<'_> {
    let mut out = String::new();
    let mut whole = true;
    for part in parts {
        if out.len() > MAX_TEXT {
            return too_long();
        }
        match part {
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

/// Bytes of text that is still put together: far more than any path has.
pub(super) const MAX_TEXT: usize = 16_000;
/// Entries from which on work is counted.
const LONG: usize = 16;

/// The function of `get name() { … }` in an object literal: it runs when the member is read.
fn getter(value: &Expr) -> Option<&program::Function> {
    match &value.kind {
        ExprKind::Call { callee, .. } if callee.span == value.span => match &callee.kind {
            ExprKind::Lambda(function) => Some(function),
            _ => None,
        },
        _ => None,
    }
}

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
