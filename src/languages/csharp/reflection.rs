//! Looking through the types of a program, as far as it decides an API: `assembly.GetTypes().Where(…)`, what is asked of a
//! type, objects and calls that are made of types.

use std::rc::Rc;

use crate::evaluate::{Args, ClassRef, Evaluator, Library, Made, Role, Value, last};
use crate::model::program::{ClassKind, Modifiers};
use crate::text::Span;

/// Assemblies, types and sequences of them.
pub static REFLECTION: Library = Library { name: "System.Reflection", call, member, value_method, ..Library::CSHARP };

/// Types of one program that are looked through; the types of one that has more are unknown.
const MAX_TYPES: usize = 5_000;
/// What a property of a type is read by.
const PROPERTY: &str = "PropertyInfo";
const READ: &str = "PropertyInfo.GetValue";

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    match last(path) {
        "GetTypes" | "GetExportedTypes" if is_assembly(path) => types(evaluator),
        "CreateInstance" | "GetServiceOrCreateInstance" | "GetUninitializedObject" => {
            match args.positional.iter().find(|value| matches!(value, Value::Class(_)))? {
                class @ Value::Class(_) => Some(evaluator.call(class, Args::default(), site)),
                _ => None,
            }
        }
        "GetValue" if path == READ => {
            let [class @ Value::Class(_), Value::Str(name), target, ..] = args.positional.as_slice() else {
                return None;
            };
            let owner = if matches!(target, Value::Instance(_) | Value::Node(_)) { target } else { class };
            let read = evaluator.member(owner, name, Some(site));
            Some(read)
        }
        _ => None,
    }
}

/// What is asked for its types is no other thing that has some.
fn is_assembly(path: &str) -> bool {
    path.contains("Assembly") || path.contains("Assemblies")
}

/// All types that the program declares.
fn types<'p>(evaluator: &mut Evaluator<'p>) -> Option<Value<'p>> {
    let roots = evaluator.roots().to_vec();
    let classes = evaluator.declared_classes(&roots);
    if classes.len() > MAX_TYPES || !evaluator.afford(classes.len()) {
        return None;
    }
    Some(Value::list(classes.into_iter().map(Value::Class).collect()))
}

fn member<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    match value {
        Value::Made(made) if matches!(name, "DefinedTypes" | "ExportedTypes") && is_assembly(&made.path) => {
            types(evaluator)
        }
        Value::Made(made) if &*made.path == PROPERTY && name == "GetValue" => {
            let args = Args { positional: made.args.positional.clone(), ..Args::default() };
            Some(Value::Partial(Rc::new(Value::external(READ)), Rc::new(args)))
        }
        Value::Class(class) if evaluator.names_in_namespaces(&class.scope) => of_type(evaluator, class, name),
        _ => None,
    }
}

/// What a type says of itself.
fn of_type<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, name: &str) -> Option<Value<'p>> {
    let node = class.node;
    Some(match name {
        "Name" => Value::str(class.name()),
        "FullName" => Value::str(evaluator.full_name(class)),
        "IsInterface" => Value::Bool(node.kind == ClassKind::Interface),
        "IsEnum" => Value::Bool(node.kind == ClassKind::Enum),
        "IsClass" => Value::Bool(node.kind == ClassKind::Class && !node.modifiers.has(Modifiers::STRUCT)),
        "IsAbstract" => Value::Bool(
            node.kind == ClassKind::Interface
                || node.modifiers.has(Modifiers::ABSTRACT)
                || node.modifiers.has(Modifiers::STATIC),
        ),
        "IsPublic" => Value::Bool(node.modifiers.has(Modifiers::PUBLIC)),
        "IsGenericType" | "IsGenericTypeDefinition" | "ContainsGenericParameters" => {
            Value::Bool(!node.type_parameters.is_empty())
        }
        "Assembly" => {
            let site = class.name_span();
            Value::Made(Rc::new(Made { path: Rc::from("Assembly"), receiver: None, args: Args::default(), site }))
        }
        "IsSubclassOf" | "IsAssignableTo" | "IsAssignableFrom" | "GetInterfaces" | "GetMethod" | "GetProperty"
        | "GetTypeInfo" | "AsType" => Value::Native(Rc::new(Value::Class(class.clone())), Rc::from(name)),
        _ => return None,
    })
}

fn value_method<'p>(
    evaluator: &mut Evaluator<'p>,
    receiver: &Value<'p>,
    name: &str,
    args: &Args<'p>,
) -> Option<Value<'p>> {
    match receiver {
        Value::Class(class) => of_class(evaluator, class, name, args),
        Value::Function(_) | Value::Bound(..) if name == "Invoke" => invoke(evaluator, receiver, args),
        Value::List(items) if is_of_types(&items.borrow()) => sequence(evaluator, &items.borrow().clone(), name, args),
        _ => None,
    }
}

fn of_class<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, name: &str, args: &Args<'p>) -> Option<Value<'p>> {
    let other = args.positional.first();
    let below = |evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, other: &Value<'p>| {
        let wanted = match other {
            Value::Applied(base, _) => base,
            other => other,
        };
        evaluator.ancestry(class).iter().any(|ancestor| ancestor.same(wanted))
    };
    Some(match (name, other) {
        ("IsAssignableTo", Some(other)) => Value::Bool(below(evaluator, class, other)),
        ("IsSubclassOf", Some(other)) => {
            Value::Bool(!Value::Class(class.clone()).same(other) && below(evaluator, class, other))
        }
        ("IsAssignableFrom", Some(Value::Class(other))) => {
            Value::Bool(below(evaluator, other, &Value::Class(class.clone())))
        }
        ("GetTypeInfo" | "AsType", _) => Value::Class(class.clone()),
        ("GetInterfaces", _) => {
            let ancestry = evaluator.ancestry(class);
            let interfaces = ancestry.iter().filter(|ancestor| match ancestor {
                Value::Class(ancestor) => ancestor.node.kind == ClassKind::Interface,
                Value::External(_) => true,
                _ => false,
            });
            Value::list(interfaces.cloned().collect())
        }
        ("GetMethod", Some(Value::Str(method))) => match evaluator.class_member(class, method) {
            Some(Value::Function(function)) => Value::Bound(Rc::new(Value::Class(class.clone())), function),
            _ => return None,
        },
        ("GetProperty", Some(Value::Str(_))) => {
            let mut given = args.clone();
            given.positional.truncate(1);
            given.prepend(Value::Class(class.clone()));
            let made = Made { path: Rc::from(PROPERTY), receiver: None, args: given, site: class.name_span() };
            Value::Made(Rc::new(made))
        }
        _ => return None,
    })
}

/// `method.Invoke(target, [a, b])`
fn invoke<'p>(evaluator: &mut Evaluator<'p>, method: &Value<'p>, args: &Args<'p>) -> Option<Value<'p>> {
    let (Value::Function(function) | Value::Bound(_, function)) = method else { return None };
    let [target, given] = args.positional.as_slice() else { return None };
    let mut positional = given.elements()?;
    if function.role != Role::Static {
        positional.insert(0, target.clone());
    }
    Some(evaluator.call_always(
        &Value::Function(function.clone()),
        Args { positional, ..Args::default() },
        function.node.name_span,
    ))
}

/// Whether values are types of the program, or objects of them.
fn is_of_types(items: &[Value]) -> bool {
    items.iter().all(|item| matches!(item, Value::Class(_) | Value::Instance(_) | Value::External(_)))
}

/// What is asked of a sequence of types.
fn sequence<'p>(evaluator: &mut Evaluator<'p>, items: &[Value<'p>], name: &str, args: &Args<'p>) -> Option<Value<'p>> {
    if !evaluator.afford(items.len()) {
        return None;
    }
    let given = args.positional.first();
    let call = |evaluator: &mut Evaluator<'p>, item: &Value<'p>| {
        let code = given?;
        let site = match code {
            Value::Function(function) | Value::Bound(_, function) => function.node.name_span,
            _ => {
                return Some(evaluator.call(
                    code,
                    Args { positional: vec![item.clone()], ..Args::default() },
                    items_site(item)?,
                ));
            }
        };
        Some(evaluator.call_always(code, Args { positional: vec![item.clone()], ..Args::default() }, site))
    };
    match name {
        "Where" => {
            let mut kept = Vec::new();
            for item in items {
                if !matches!(call(evaluator, item)?, Value::Bool(false) | Value::None) {
                    kept.push(item.clone());
                }
            }
            // A test that decides nothing says nothing of what is left.
            (kept.len() < items.len() || items.is_empty()).then(|| Value::list(kept))
        }
        "Select" => {
            let mapped: Option<Vec<Value<'p>>> = items.iter().map(|item| call(evaluator, item)).collect();
            mapped.map(Value::list)
        }
        "Any" | "Contains" => {
            let mut unknown = false;
            for item in items {
                let found = match (name, given) {
                    ("Contains", Some(wanted)) => Value::Bool(item.same(wanted)),
                    (_, Some(_)) => call(evaluator, item)?,
                    _ => Value::Bool(true),
                };
                match found {
                    Value::Bool(true) => return Some(Value::Bool(true)),
                    Value::Bool(false) => {}
                    _ => unknown = true,
                }
            }
            (!unknown).then_some(Value::Bool(false))
        }
        "OfType" | "Cast" | "ToList" | "ToArray" | "ToHashSet" | "AsEnumerable" | "OrderBy" | "OrderByDescending"
        | "Distinct" | "ThenBy" => Some(Value::list(items.to_vec())),
        "ForEach" => {
            for item in items {
                call(evaluator, item)?;
            }
            Some(Value::None)
        }
        _ => None,
    }
}

fn items_site(item: &Value) -> Option<Span> {
    match item {
        Value::Class(class) => Some(class.name_span()),
        Value::Instance(instance) => Some(instance.class.name_span()),
        _ => None,
    }
}
