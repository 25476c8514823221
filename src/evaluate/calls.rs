//! Calls: of functions and classes of the program, of libraries, of routes that wait for a handler.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::expressions::{MAX_TEXT, length, text_length};
use super::namespaces::is_only_declared;
use super::value::{
    Args, ClassRef, FunctionRef, Instance, Made, ModuleId, NodeId, RouteDraft, Scope, UNKNOWN_PART, Value,
};
use super::{Evaluator, Role, STEPS_PER_HANDLER, filled};
use crate::model::program::{Arg, Expr, ExprKind};
use crate::text::Span;

/// Called after a constructor that is made of fields: dataclasses, attrs, pydantic.
const POST_INIT: &[&str] = &["__post_init__", "__attrs_post_init__", "model_post_init"];
/// Bytes of the path of a chain of methods that is still kept; what a longer one gives is unknown.
const MAX_CHAIN: usize = 2_000;
impl<'p> Evaluator<'p> {
    pub(super) fn call_expression(
        &mut self,
        whole: &'p Expr,
        callee: &'p Expr,
        args: &'p [Arg],
        types: &'p [Expr],
        scope: &Scope<'p>,
    ) -> Value<'p> {
        if matches!(&callee.kind, ExprKind::Name(name) if name == "super") {
            return super_value(scope, whole.span);
        }
        if let (ExprKind::Name(name), [Arg::Positional(specifier)]) = (&callee.kind, args)
            && matches!(name.as_str(), "require" | "import")
            && self.names_types_apart(scope)
        {
            let value = self.evaluate(specifier, scope);
            let (from, is_require) = (scope.module(), name == "require");
            return self.each(value, &mut |evaluator, value| match (value, &specifier.kind) {
                (Value::Str(text), ExprKind::Str { .. }) => evaluator.import_expression(from, &text, is_require),
                (Value::Str(text), _) => evaluator.import_by_path(from, &text, is_require),
                _ => Value::Unknown("which module is imported is not known", Some(whole.span)),
            });
        }
        let method = callee;
        let mut callee = self.evaluate(callee, scope);
        if let ExprKind::Name(name) = &method.kind
            && (matches!(&callee, Value::Class(_)) || callee.as_external() == Some(name))
            && let Some(inherited) = self.inherited_native(name, scope)
        {
            callee = inherited;
        }
        let written = self.keeps_written().then(|| (args, scope.clone()));
        let soft = std::mem::replace(&mut self.soft, false);
        let given = args;
        let mut args = self.arguments(args, scope);
        let given_soft = std::mem::replace(&mut self.soft, soft);
        self.soft |= given_soft;
        if let Some(picked) = self.picked_by_get(&callee, given, (&args, given_soft), scope) {
            return picked;
        }
        args.written = written;
        if !types.is_empty() {
            args.types = Some((types, scope.clone()));
        }
        let mut site = whole.span;
        // `app.get(…).post(…)`: of a chain of registrations, where this one is written.
        if let (ExprKind::Member { object, name }, Value::Native(receiver, _)) = (&method.kind, &callee)
            && matches!((&object.kind, &**receiver), (ExprKind::Call { .. }, Value::Node(_)))
        {
            site.start = method.span.end.saturating_sub(name.len() as u32).max(site.start);
        }
        if let ExprKind::Member { object, name } = &method.kind
            && self.names_in_namespaces(scope)
            && matches!(callee, Value::Native(..) | Value::Unknown(..))
            && self.has_extensions(name)
        {
            let receiver = match &callee {
                Value::Native(receiver, _) => (**receiver).clone(),
                _ => self.evaluate(object, scope),
            };
            if let Some((function, args)) = self.extension(&receiver, name, &args, scope) {
                return self.call_function(&function, args);
            }
        }
        let on_unknown = match &callee {
            Value::Unknown(..) => true,
            Value::Native(receiver, _) => matches!(**receiver, Value::Made(_)),
            _ => false,
        };
        if let (ExprKind::Member { name, .. }, true) = (&method.kind, on_unknown)
            && self.names_in_namespaces(scope)
            && args.values().any(|value| matches!(value, Value::Node(_)))
            && self.call_wherever_declared(name, &args, None, site)
        {
            return Value::Unknown("what one of several classes returns", Some(site));
        }
        if matches!(callee, Value::Unknown(..)) {
            self.note_unknown_callee(method, &args, site);
        }
        if on_unknown {
            self.run_for_each(method, &args, site);
        }
        let spoken = self.spoken;
        if let (Value::Unknown(..), ExprKind::Member { object, name }) = (&callee, &method.kind)
            && (spoken.wire_words.contains(name.as_str()) || spoken.wire_methods.contains(name.as_str()))
            && let Some(value) = self.call_at_wire(object, name, &args, scope, site)
        {
            return value;
        }
        // `"https://…".GetJsonAsync()`
        if let Value::Native(receiver, name) = &callee
            && matches!(**receiver, Value::Str(_) | Value::Pattern(_))
            && spoken.wire_methods.contains(&**name)
            && self.names_in_namespaces(scope)
        {
            let path = format!("?().{name}");
            let given = Args { receiver: Some(receiver.clone()), ..args.clone() };
            if let Some(value) = self.libraries.iter().find_map(|library| (library.call)(self, &path, &given, site)) {
                return value;
            }
        }
        // `({ fetch }) => fetch("/users")`: what is handed in under the name of a function of the language stands for it.
        if let (Value::Unknown(..), ExprKind::Name(name), true) = (&callee, &method.kind, self.wires.running)
            && let Some(library) = self
                .libraries
                .iter()
                .find(|library| !library.wire_words.is_empty() && library.globals.contains(&name.as_str()))
        {
            let path = format!("{}.{name}", library.name);
            if let Some(value) = (library.call)(self, &path, &args, site) {
                return value;
            }
        }
        if self.wires.running
            && matches!(
                callee,
                Value::Function(_) | Value::Bound(..) | Value::Unknown(..) | Value::Native(..) | Value::External(_)
            )
            && let ExprKind::Name(name) | ExprKind::Member { name, .. } = &method.kind
            && args.written.as_ref().is_some_and(|(written, _)| super::wires::describes_request(written))
        {
            return self.call_described(&callee, name, &args, site);
        }
        self.call(&callee, args, site)
    }

    /// Whether what calls are given is kept as it is written: where something is read of it afterwards.
    fn keeps_written(&self) -> bool {
        !self.serving.is_empty() || self.wires.running || self.gathering > 0
    }

    /// A bare name that no function has, called in a method of what extends a library's class: the library's own.
    fn inherited_native(&self, name: &str, scope: &Scope<'p>) -> Option<Value<'p>> {
        if !self.names_in_namespaces(scope) {
            return None;
        }
        let mut next = Some(scope);
        while let Some(here) = next {
            if let Some(frame) = &here.0.frame
                && frame.class.is_some()
                && let receiver @ Value::Node(id) = &frame.receiver
            {
                let receiver = self.node(*id).class.is_some().then(|| Rc::new(receiver.clone()))?;
                return Some(Value::Native(receiver, Rc::from(name)));
            }
            next = here.parent();
        }
        None
    }

    /// The classes after `class` in the receiver's order.
    pub(super) fn super_ancestry(&mut self, class: &ClassRef<'p>, receiver: &Value<'p>) -> Vec<Value<'p>> {
        let start = match receiver {
            Value::Instance(instance) => instance.class.clone(),
            Value::Class(class) => class.clone(),
            Value::Node(id) => self.node(*id).class.clone().unwrap_or_else(|| class.clone()),
            _ => class.clone(),
        };
        let order = self.ancestry(&start);
        let own = Value::Class(class.clone());
        match order.iter().position(|value| value.same(&own)) {
            Some(at) => order[at + 1..].to_vec(),
            None => self.ancestry(class).get(1..).unwrap_or_default().to_vec(),
        }
    }

    /// Calls any value.
    pub fn call(&mut self, callee: &Value<'p>, args: Args<'p>, site: Span) -> Value<'p> {
        if let Some(value) = self.call_each(callee, &args, site) {
            return value;
        }
        if self.wires.running && matches!(callee, Value::Function(_) | Value::Bound(..)) {
            self.wires.calls.push(site);
            let value = self.call_value(callee, args, site);
            self.wires.calls.pop();
            return self.standing_result(callee, value);
        }
        self.call_value(callee, args, site)
    }

    fn call_value(&mut self, callee: &Value<'p>, args: Args<'p>, site: Span) -> Value<'p> {
        match callee {
            Value::Partial(inner, first) => {
                let mut all = (**first).clone();
                all.positional.extend(args.positional);
                for (name, value) in args.named {
                    all.set(&name, value);
                }
                all.open |= args.open;
                self.call(inner, all, site)
            }
            Value::External(path) => self.call_external(path, args, site),
            Value::Function(function) => self.call_function(function, args),
            Value::Bound(receiver, function) => self.call_bound(receiver, function, args, site),
            Value::Native(receiver, name) => self.call_native(receiver, name, args, site),
            Value::Route(draft) => match args.positional.first() {
                Some(handler) => {
                    self.register(draft, handler.clone());
                    handler.clone()
                }
                None => Value::Unknown("route without a handler", Some(site)),
            },
            Value::Class(class) => self.making(|evaluator| evaluator.instantiate(class, args, site)),
            Value::Applied(base, _) => match &**base {
                Value::Class(class) => self.making(|evaluator| evaluator.instantiate(class, args, site)),
                Value::External(path) => self.call_external(path, args, site),
                _ => Value::Unknown("call of a generic that is not known", Some(site)),
            },
            Value::Instance(instance) => match self.class_member(&instance.class, "__call__") {
                Some(Value::Function(function)) => {
                    let mut args = args;
                    args.prepend(callee.clone());
                    self.call_function(&function, args)
                }
                _ => Value::Unknown("call of an instance", Some(site)),
            },
            Value::Unknown(why, place) => {
                self.hand_over(&args, site);
                Value::Unknown(why, place.or(Some(site)))
            }
            Value::Made(made) if made.path.len() < MAX_CHAIN && self.is_chained(&made.path) => {
                let path = Rc::from(format!("{}()", made.path));
                Value::Made(Rc::new(Made { path, receiver: Some(callee.clone()), args, site }))
            }
            // What a library makes of its arguments may take more: `plugin({ … })(config)`.
            Value::Made(made) => {
                let args = Args { receiver: Some(Rc::new(callee.clone())), ..args };
                self.call_external(&format!("{}()", made.path), args, site)
            }
            _ => Value::Unknown("call of what is no function", Some(site)),
        }
    }

    /// Runs a handler as a request would, with what stands for the request: functions that it hands to others run too,
    /// and an exception ends what called for it. `None` where an exception ends the handler.
    pub fn serve(&mut self, handler: &Value<'p>, args: Args<'p>, response: NodeId, site: Span) -> Option<Value<'p>> {
        self.serving.push(response);
        self.serving_until = self.all_steps + STEPS_PER_HANDLER;
        let value = self.call_always(handler, args, site);
        self.serving.pop();
        (!std::mem::take(&mut self.thrown)).then_some(value)
    }

    /// Arguments leave the program, or go where it is not followed.
    pub(super) fn hand_over(&mut self, args: &Args<'p>, site: Span) {
        for value in args.values() {
            match value {
                Value::Node(_) if self.wires.running => {}
                Value::Function(function) | Value::Bound(_, function) if self.is_of_wires(function.node) => {
                    self.call(value, Args::default(), site);
                }
                Value::Dict(dict) if self.wires.running => {
                    let given: Vec<Value<'p>> = dict.borrow().entries.iter().map(|(_, value)| value.clone()).collect();
                    for value in given {
                        if let Value::Function(function) | Value::Bound(_, function) = &value
                            && self.is_of_wires(function.node)
                        {
                            self.call(&value, Args::default(), site);
                        }
                    }
                }
                Value::Node(id) => (self.node(*id).library.handed)(self, *id, site),
                Value::Function(function) if !self.serving.is_empty() => {
                    self.call_function_always(function, Args::default());
                    self.thrown = false;
                }
                // `connect().then(() => { app.use(…) })`: what builds an API is run, whoever calls it.
                Value::Function(function)
                    if self.is_relevant(function.node)
                        && self.names_types_apart(&function.scope)
                        && self.handed.insert(std::ptr::from_ref(function.node)) =>
                {
                    self.call_function_always(function, Args::default());
                }
                _ => {}
            }
        }
    }

    /// Calls a value; a function of the program is followed whatever its size.
    pub fn call_always(&mut self, callee: &Value<'p>, args: Args<'p>, site: Span) -> Value<'p> {
        match callee {
            Value::Function(function) => self.call_function_always(function, args),
            Value::Bound(receiver, function)
                if self.wires.running
                    && function.role == Role::Plain
                    && !matches!(**receiver, Value::Class(_))
                    && !super::implementers::only_declares(function.node) =>
            {
                let mut args = args;
                args.prepend((**receiver).clone());
                self.call_function_always(function, args)
            }
            other => self.call(other, args, site),
        }
    }

    fn call_bound(
        &mut self,
        receiver: &Value<'p>,
        function: &FunctionRef<'p>,
        args: Args<'p>,
        site: Span,
    ) -> Value<'p> {
        let through_class = matches!(receiver, Value::Class(_));
        if let Some(class) = &function.class
            && is_only_declared(function.node)
            && self.names_in_namespaces(&function.scope)
            && args.values().any(|value| matches!(value, Value::Node(_)))
            && self.call_wherever_declared(&function.node.name, &args, Some(class), site)
        {
            return Value::Unknown("what one of several classes returns", Some(site));
        }
        if self.wires.running && function.class.is_some() && super::implementers::only_declares(function.node) {
            if let Some(value) = self.call_implementers(function, &args, site) {
                return value;
            }
            // What stands for a library's object by an interface of the program: `get(url: string)`.
            let path = format!("declared().{}", function.node.name);
            let given = Args { receiver: Some(Rc::new(receiver.clone())), ..args.clone() };
            if let Some(value) = self.libraries.iter().find_map(|library| (library.call)(self, &path, &given, site)) {
                return value;
            }
        }
        let mut full = args.clone();
        match function.role {
            Role::Static => {}
            Role::ClassMethod => {
                let class = match receiver {
                    Value::Instance(instance) => Value::Class(instance.class.clone()),
                    other => other.clone(),
                };
                full.prepend(class);
            }
            _ if through_class => {}
            _ => full.prepend(receiver.clone()),
        }
        let value = self.call_function(function, full);
        // A subclass of a router that overrides a method in a way that is not followed: what the library's own does.
        if let Value::Node(id) = receiver
            && matches!(value, Value::Unknown(..))
            && let Some(native) = (self.node(*id).library.node_method)(self, *id, &function.node.name, args, site)
        {
            return native;
        }
        value
    }

    fn call_native(&mut self, receiver: &Value<'p>, name: &str, args: Args<'p>, site: Span) -> Value<'p> {
        match receiver {
            Value::Node(_) if self.wires.running => {
                self.hand_over(&args, site);
                Value::Unknown("what a router does is known already", Some(site))
            }
            Value::Node(id) if name.contains(UNKNOWN_PART) => self.call_unknown_method(*id, &args, site),
            Value::Node(id) => (self.node(*id).library.node_method)(self, *id, name, args, site)
                .unwrap_or(Value::Unknown("method of a router that has no meaning here", Some(site))),
            Value::Super(class, inner) => {
                if name == "__init__" && matches!(**inner, Value::Instance(_)) && self.names_in_namespaces(&class.scope)
                {
                    self.keep_base_call(inner, class, &args, site);
                    return Value::None;
                }
                let Value::Node(id) = **inner else {
                    let known =
                        self.libraries.iter().find_map(|library| (library.value_method)(self, receiver, name, &args));
                    return known.unwrap_or(Value::Unknown("method of a library's class", Some(site)));
                };
                if name == "__init__" {
                    let library = self.node(id).library;
                    for (name, value) in &args.named {
                        self.node_mut(id).options.set(name, value.clone());
                    }
                    if !args.positional.is_empty() {
                        self.node_mut(id).options.positional = args.positional;
                    }
                    (library.created)(self, id);
                    return Value::None;
                }
                (self.node(id).library.node_method)(self, id, name, args, site)
                    .unwrap_or(Value::Unknown("method of a router that has no meaning here", Some(site)))
            }
            // `app.get.call(app, "/x", handler)`
            Value::Native(..) if name == "bind" => receiver.clone(),
            Value::Native(..) if matches!(name, "call" | "apply") => {
                let mut given = args.positional.into_iter().skip(1);
                let positional = match name {
                    "call" => given.collect(),
                    _ => given.next().and_then(|list| list.elements()).unwrap_or_default(),
                };
                self.call(receiver, Args { positional, ..Args::default() }, site)
            }
            Value::EntryPoint(point) if name == "load" => {
                self.load_target(ModuleId(0), &point.target).unwrap_or(Value::Unknown("entry point", Some(site)))
            }
            Value::Made(made) => {
                if let Some(value) = self.call_on_wrapped(made, name, &args, site) {
                    return value;
                }
                let path = format!("{}().{name}", made.path);
                let args = Args { receiver: Some(Rc::new(receiver.clone())), ..args };
                if let Some(value) = self.libraries.iter().find_map(|library| (library.call)(self, &path, &args, site))
                {
                    return value;
                }
                self.hand_over(&args, site);
                self.note_unfollowed(&path, &args, site);
                if path.len() > MAX_CHAIN || !self.is_chained(&made.path) {
                    return Value::Unknown("method of a library's object", Some(site));
                }
                let receiver = Some(receiver.clone());
                Value::Made(Rc::new(Made { path: Rc::from(path), receiver, args, site }))
            }
            other if !self.afford_method(other, name, &args) => Value::Unknown("value that grows too long", Some(site)),
            other => {
                let held = filled::held(other);
                let before = self.before_filling(other, name);
                let value = self.libraries.iter().find_map(|library| (library.value_method)(self, other, name, &args));
                self.wires.idle.changed += u64::from(held != filled::held(other));
                if let Some(before) = before {
                    self.after_filling(other, name, &before, value.as_ref());
                }
                value.unwrap_or_else(|| {
                    self.hand_over(&args, site);
                    let given: Vec<&Value<'p>> = args.values().chain([other]).collect();
                    Value::made_of(&given, "method that is not followed", site)
                })
            }
        }
    }

    /// Whether what is done with what calling a name made is kept.
    fn is_chained(&self, path: &str) -> bool {
        self.libraries.iter().any(|library| (library.chained)(path))
    }

    /// Whether a method of plain data may run, by the lengths of what it works on.
    fn afford_method(&mut self, receiver: &Value<'p>, name: &str, args: &Args<'p>) -> bool {
        let own = text_length(receiver);
        let written = match (name, args.positional.first()) {
            ("join", Some(Value::List(items))) => joined(own, &items.borrow()),
            ("join", Some(Value::Tuple(items))) => joined(own, items),
            ("replace" | "format", _) => own.saturating_mul(1 + args.values().map(text_length).sum::<usize>()),
            _ => own,
        };
        let given: usize = args.values().map(length).sum();
        let entries = match name {
            // Adding one at the end costs nothing.
            "append" | "add" | "pop" if matches!(receiver, Value::List(_)) => 0,
            "update" => match (receiver, args.positional.first()) {
                (Value::Dict(dict), Some(Value::Dict(other))) => dict.borrow().merge_cost(&other.borrow()),
                _ => length(receiver) + given,
            },
            _ => length(receiver) + given,
        };
        written <= MAX_TEXT * 64 && self.afford(entries)
    }

    fn call_external(&mut self, path: &str, args: Args<'p>, site: Span) -> Value<'p> {
        if !self.wires.running
            && self.node_maker(path).is_some()
            && let Some(id) = self.make_node(path, args.clone(), None, site)
        {
            return Value::Node(id);
        }
        if let Some(value) = self.libraries.iter().find_map(|library| (library.call)(self, path, &args, site)) {
            return value;
        }
        // A decorator of another library: the function is taken as it is.
        if let ([only @ (Value::Function(_) | Value::Class(_))], []) =
            (args.positional.as_slice(), args.named.as_slice())
            && !path.ends_with("Serializer")
            && !path.ends_with("Validator")
        {
            self.hand_over(&args, site);
            return only.clone();
        }
        self.hand_over(&args, site);
        self.note_unfollowed(path, &args, site);
        Value::Made(Rc::new(Made { path: Rc::from(path), receiver: None, args, site }))
    }

    /// Gives a route its handler, through the registration that the router's class overrides, if it does.
    pub(super) fn register(&mut self, draft: &Rc<RouteDraft<'p>>, handler: Value<'p>) {
        let (class, method) = {
            let node = self.node(draft.node);
            (node.class.clone(), node.library.register_method)
        };
        if let (Some(class), Some(method)) = (class, method)
            && let Some(Value::Function(function)) = self.class_member(&class, method)
        {
            let before = self.registered;
            let mut args = draft.options.clone();
            args.positional = vec![Value::Node(draft.node), draft.path.clone(), handler.clone()];
            args.remove("path");
            args.set("methods", draft.methods.clone());
            let outer = self.registering.replace(draft.site);
            self.call_function_always(&function, args);
            self.registering = outer;
            if self.registered > before {
                return;
            }
            self.note_opaque(
                draft.node,
                None,
                "registration of a router's own class that cannot be followed",
                draft.site,
            );
        }
        self.add_route(draft, handler);
    }

    fn instantiate(&mut self, class: &ClassRef<'p>, args: Args<'p>, site: Span) -> Value<'p> {
        if self.wires.running && self.node_base(class).is_some() {
            return Value::Unknown("a router is known already", Some(site));
        }
        if let Some(path) = self.node_base(class) {
            let Some(id) = self.make_node(&path, args.clone(), Some(class.clone()), site) else {
                return Value::Unknown("router that no library makes", Some(site));
            };
            self.initialise_properties(class, &Value::Node(id));
            if let Some(Value::Function(init)) = self.class_member(class, "__init__") {
                let mut args = args;
                args.prepend(Value::Node(id));
                self.call_function_always(&init, args);
            }
            return Value::Node(id);
        }
        if let Some(path) = self.libraries.iter().find_map(|library| (library.class_node)(self, class)) {
            if self.wires.running {
                return Value::Unknown("a router is known already", Some(site));
            }
            let id = self.make_node(path, args, None, site);
            return id.map_or(Value::Unknown("router that no library makes", Some(site)), Value::Node);
        }
        if self.is_enum(class) {
            return args.positional.into_iter().next().unwrap_or(Value::Unknown("enumeration called", Some(site)));
        }
        let init = self.class_member(class, "__init__");
        let mut attributes: FxHashMap<super::Str, Value<'p>> = args.named.iter().cloned().collect();
        if init.is_none() && !args.positional.is_empty() {
            // The constructor that a dataclass or named tuple is given.
            let names = self.annotated_names(class);
            attributes.extend(names.into_iter().map(Rc::from).zip(args.positional.iter().cloned()));
        }
        let instance =
            Value::Instance(Rc::new(Instance { class: class.clone(), attributes: RefCell::new(attributes) }));
        self.initialise_properties(class, &instance);
        if let Some(Value::Function(init)) = init {
            let mut args = args;
            args.prepend(instance.clone());
            if self.follows(init.node, &args) {
                self.call_function(&init, args);
            }
            return instance;
        }
        // A class whose constructor is made of its fields (dataclasses, attrs, models).
        for hook in POST_INIT {
            if let Some(Value::Function(hook)) = self.class_member(class, hook) {
                let args = Args { positional: vec![instance.clone()], ..Args::default() };
                if self.follows(hook.node, &args) {
                    self.call_function(&hook, args);
                }
            }
        }
        instance
    }

    /// The external router class that a class of the program comes from.
    pub(super) fn node_base(&mut self, class: &ClassRef<'p>) -> Option<super::Str> {
        self.external_bases(class).into_iter().find(|path| self.node_maker(path).is_some())
    }
}

fn joined(separator: usize, items: &[Value]) -> usize {
    items.iter().map(|item| text_length(item) + separator).sum()
}

/// `super()` inside a method: the class that the method stands in, and its receiver.
fn super_value<'p>(scope: &Scope<'p>, site: Span) -> Value<'p> {
    super::expressions::frame_of(scope)
        .and_then(|frame| {
            let frame = frame.0.frame.as_ref()?;
            Some(Value::Super(frame.class.clone()?, Rc::new(frame.receiver.clone())))
        })
        .unwrap_or(Value::Unknown("super() outside of a method", Some(site)))
}
