//! Members: what `value.name` means for each kind of value.

use std::rc::Rc;

use super::Evaluator;
use super::value::{Args, Role, Value};
use crate::model::program::Modifiers;
use crate::text::Span;

/// Methods of every object literal.
const OF_EVERY_OBJECT: &[&str] = &[
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
    "constructor",
];

impl<'p> Evaluator<'p> {
    /// `value.name`
    pub fn member(&mut self, value: &Value<'p>, name: &str, site: Option<Span>) -> Value<'p> {
        if matches!(value, Value::Choice(_)) {
            return self.each(value.clone(), &mut |evaluator, value| evaluator.member(&value, name, site));
        }
        let member = self.member_of(value, name, site);
        self.projected(member)
    }

    fn member_of(&mut self, value: &Value<'p>, name: &str, site: Option<Span>) -> Value<'p> {
        let unknown = || Value::Unknown("member of an unknown value", site);
        match value {
            Value::Module(module) => match self.module_member(*module, name) {
                Some(value) => value,
                // `import flask`, beside a folder of that name that is only marked as a package.
                None => match self.index.marked_package(*module, self.program) {
                    Some(package) if self.index.submodule(*module, name).is_none() => {
                        Value::external(format!("{package}.{name}"))
                    }
                    _ => unknown(),
                },
            },
            Value::Package(directory) => {
                let path = format!("{directory}/{name}");
                match self.index.at_path(&path) {
                    Some(found) => Value::from(found),
                    // A folder without a file of its own gives way to a package of its name.
                    None => Value::external(format!("{}.{name}", directory.rsplit('/').next().unwrap_or(directory))),
                }
            }
            Value::External(path) => {
                let path = path.clone();
                if let Some(site) = site
                    && let Some(setting) = self.setting_in(value, name, site)
                {
                    return setting;
                }
                self.library_member(value, name).unwrap_or_else(|| self.external_member(&path, name))
            }
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
                    None => self.library_member(value, name).unwrap_or_else(unknown),
                }
            }
            Value::Instance(instance) => {
                // What is given for the purpose of gathering is no default.
                self.soft |= self.gathering == 0 || !instance.attributes.borrow().contains_key(name);
                let attribute = instance.attributes.borrow().get(name).cloned();
                // Nothing, until a method makes it, or what is not known: its declared type says more.
                if self.wires.running
                    && matches!(attribute, Some(Value::None | Value::Unknown(..)))
                    && let Some(made) = self.standing_member(value, name, site)
                {
                    return made;
                }
                if let Some(attribute) = attribute {
                    // What a library's constructor is given is no attribute of that name where the library has its own.
                    return self.library_member(value, name).unwrap_or(attribute);
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
                    None if name == "GetType" && self.names_in_namespaces(&instance.class.scope) => {
                        Value::Native(Rc::new(value.clone()), Rc::from(name))
                    }
                    None => match self.class_member(&instance.class, "__getattr__") {
                        Some(Value::Function(lazy)) if !name.starts_with("__") => {
                            let positional = vec![value.clone(), Value::str(name)];
                            self.call_function(&lazy, Args { positional, ..Args::default() })
                        }
                        _ => match self.library_member(value, name) {
                            Some(known) => known,
                            None if self.wires.running => {
                                self.standing_member(value, name, site).unwrap_or_else(unknown)
                            }
                            None => unknown(),
                        },
                    },
                }
            }
            Value::Node(id) => {
                let node = self.node(*id);
                if let Some(value) = node.attributes.get(name) {
                    return value.clone();
                }
                if name == "prefix" && !node.library.prefix_is_method {
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
                if let Some(known) = self.library_member(value, name) {
                    return known;
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
                let (member, whole) = (dict.borrow().get_str(name).cloned(), dict.borrow().is_whole());
                match (member, site) {
                    (Some(getter @ Value::Partial(..)), Some(site)) => self.call(&getter, Args::default(), site),
                    (Some(Value::Function(method)), _) if method.node.modifiers.has(Modifiers::OWN_THIS) => {
                        let scope = method.scope.inner(None, None);
                        scope.bind("this", value.clone());
                        Value::Function(method.within(scope))
                    }
                    (Some(member), _) => member,
                    (None, _) if whole && !OF_EVERY_OBJECT.contains(&name) => {
                        // What is not followed may still set it.
                        self.soft |= self.decorating == 0;
                        Value::None
                    }
                    (None, _) => Value::Native(Rc::new(value.clone()), Rc::from(name)),
                }
            }
            Value::Tuple(_) | Value::List(_) | Value::Str(_) => match self.library_member(value, name) {
                Some(known) => known,
                None => Value::Native(Rc::new(value.clone()), Rc::from(name)),
            },
            Value::Pattern(_) | Value::Dict(_) => Value::Native(Rc::new(value.clone()), Rc::from(name)),
            Value::EntryPoint(point) => match name {
                "name" => Value::str(point.name.as_str()),
                "value" => Value::str(point.target.as_str()),
                "group" => Value::str(point.group.as_str()),
                _ => Value::Native(Rc::new(value.clone()), Rc::from(name)),
            },
            Value::Native(..) if matches!(name, "bind" | "call" | "apply") => {
                Value::Native(Rc::new(value.clone()), Rc::from(name))
            }
            Value::Function(_) | Value::Bound(..) if matches!(name, "bind" | "call" | "Invoke") => {
                Value::Native(Rc::new(value.clone()), Rc::from(name))
            }
            Value::Function(function) if function.attributes.borrow().contains_key(name) => {
                function.attributes.borrow().get(name).cloned().unwrap_or_else(unknown)
            }
            Value::Function(function) if name == "__name__" => Value::str(function.node.name.as_str()),
            Value::Applied(base, _) => self.member(base, name, site),
            Value::Unknown(why, place) => Value::Unknown(why, place.or(site)),
            Value::Made(made) => {
                if let Some(known) = self.library_member(value, name) {
                    return known;
                }
                // Enumerations of libraries: `HTTPStatus.OK.value`.
                if name == "value" && made.args.positional.len() == 1 {
                    return made.args.positional[0].clone();
                }
                Value::Native(Rc::new(value.clone()), Rc::from(name))
            }
            // A handler that goes on asked before, with `?.`.
            Value::None if self.served().is_some() || self.decorating > 0 => Value::None,
            _ => unknown(),
        }
    }

    fn library_member(&mut self, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
        self.libraries.iter().find_map(|library| (library.member)(self, value, name))
    }
}
