//! The language's own objects, as far as they decide an API: methods of arrays and strings, `Object`, `Array`, `process`.

use std::rc::Rc;

use crate::evaluate::{Args, Evaluator, Library, UNKNOWN_PART, Value, last};
use crate::text::Span;

/// Names known without an import, and methods of plain data.
pub static STANDARD: Library =
    Library { name: "javascript", globals: GLOBALS, call, setting, member, value_method, ..Library::TYPESCRIPT };

/// `users.length`
fn member<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    match value {
        Value::List(_) | Value::Tuple(_) if name == "length" => evaluator.count(value),
        Value::Str(text) if name == "length" => i64::try_from(text.encode_utf16().count()).ok().map(Value::Int),
        _ => None,
    }
}

/// `process.env.TOPIC`, `process.env["TOPIC"]`
fn setting(object: &Value, key: &str) -> Option<String> {
    object.as_external().is_some_and(|path| path.ends_with("process.env")).then(|| key.to_owned())
}

/// What every name of the language's own begins with.
pub const GLOBAL: &str = "javascript.";

const GLOBALS: &[&str] = &[
    "Object",
    "Array",
    "String",
    "Number",
    "Boolean",
    "Symbol",
    "Promise",
    "JSON",
    "Math",
    "Date",
    "Map",
    "Set",
    "WeakMap",
    "WeakSet",
    "RegExp",
    "Error",
    "TypeError",
    "URL",
    "URLSearchParams",
    "Buffer",
    "process",
    "console",
    "globalThis",
    "window",
    "document",
    "setTimeout",
    "setInterval",
    "setImmediate",
    "clearTimeout",
    "parseInt",
    "parseFloat",
    "BigInt",
    "structuredClone",
    "encodeURIComponent",
    "decodeURIComponent",
    "fetch",
    "Response",
    "Request",
    "Headers",
    "FormData",
    "crypto",
    "require",
    "__dirname",
    "__filename",
    "Reflect",
    "Intl",
    "Uint8Array",
    "ArrayBuffer",
    "AbortController",
    "isNaN",
    "queueMicrotask",
    "undefined",
    "NaN",
    "Infinity",
];

/// Elements that a method goes over; that there are more is told.
const MAX_ELEMENTS: usize = 500;
/// What of longer lists is left out.
const LONG_LISTS: &str = "what is done with each of more than 500 elements";

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let path = path.strip_prefix(GLOBAL)?;
    let first = args.positional.first();
    let entries = |dict: &Value<'p>| match dict {
        Value::Dict(dict) if !dict.borrow().open => Some(dict.borrow().entries.clone()),
        _ => None,
    };
    let unknown = || Value::Unknown("a method of what is not known", Some(site));
    Some(match path {
        "Object.keys" | "Object.values" | "Object.entries" => {
            let pairs = match first? {
                Value::Class(class) if evaluator.is_enum(class) => {
                    let members = evaluator.enum_members(class);
                    members.iter().map(|member| (Value::str(member.name), member.value.clone())).collect()
                }
                other => match entries(other) {
                    Some(entries) => entries,
                    None => return Some(unknown()),
                },
            };
            if !evaluator.afford(pairs.len()) {
                return Some(unknown());
            }
            let pairs = pairs.into_iter();
            Value::list(match path {
                "Object.keys" => pairs.map(|(key, _)| key).collect(),
                "Object.values" => pairs.map(|(_, value)| value).collect(),
                _ => pairs.map(|(key, value)| Value::list(vec![key, value])).collect(),
            })
        }
        "Promise" => {
            if let Some(executor @ Value::Function(_)) = args.positional.first() {
                evaluator.call(executor, Args::default(), site);
            }
            Value::Unknown("what a promise gives is known at run time", Some(site))
        }
        "Object.fromEntries" => {
            let items = evaluator.iterate(first?)?;
            let pairs = items.iter().map(|item| match item.elements()?.as_slice() {
                [key, value] => Some((key.clone(), value.clone())),
                _ => None,
            });
            record(pairs.collect::<Option<Vec<_>>>()?)
        }
        "Object.assign" => {
            let target = first?.clone();
            let Value::Dict(into) = &target else { return Some(target) };
            for source in &args.positional[1..] {
                match source {
                    Value::Dict(source) if !Rc::ptr_eq(into, source) => {
                        let source = source.borrow().clone();
                        if evaluator.afford(source.entries.len()) {
                            into.borrow_mut().merge(&source);
                        }
                    }
                    _ => into.borrow_mut().open = true,
                }
            }
            target
        }
        "Object.freeze" | "Object.seal" | "structuredClone" | "Promise.resolve" | "Promise.all" => first?.clone(),
        "Set" if first.is_none() => Value::list(Vec::new()),
        "Array.from" | "Set" | "Array.of" => {
            let items = if path == "Array.of" { Some(args.positional.clone()) } else { evaluator.iterate(first?) };
            let Some(items) = items else { return Some(unknown()) };
            match args.positional.get(1) {
                Some(each) if path == "Array.from" => {
                    let each = each.clone();
                    Value::list(items.into_iter().map(|item| apply(evaluator, &each, item, site)).collect())
                }
                _ => Value::list(items),
            }
        }
        "Map" => {
            let mut pairs = Vec::new();
            for item in first.and_then(|first| evaluator.iterate(first)).unwrap_or_default() {
                if let Some([key, value]) = item.elements().as_deref() {
                    pairs.push((key.clone(), value.clone()));
                }
            }
            Value::dict(pairs)
        }
        "Boolean" | "Number" | "parseInt" | "parseFloat" => match first? {
            Value::Str(text) if path != "Boolean" => text.parse().map_or_else(|_| unknown(), Value::Int),
            Value::Bool(_) | Value::Int(_) | Value::Str(_) | Value::None if path == "Boolean" => {
                Value::Bool(first?.truth())
            }
            value if value.is_set_outside() => Value::made_of(&[value], "", site),
            _ => return None,
        },
        "String" => match first {
            Some(text @ Value::Str(_)) => text.clone(),
            Some(Value::Int(number)) => Value::str(number.to_string()),
            _ => return None,
        },
        _ => return None,
    })
}

fn record<'p>(entries: Vec<(Value<'p>, Value<'p>)>) -> Value<'p> {
    let dict = Value::dict(entries);
    if let Value::Dict(dict) = &dict {
        dict.borrow_mut().record = true;
    }
    dict
}

fn apply<'p>(evaluator: &mut Evaluator<'p>, function: &Value<'p>, item: Value<'p>, site: Span) -> Value<'p> {
    evaluator.call_always(function, Args { positional: vec![item], ..Args::default() }, site)
}

fn value_method<'p>(
    evaluator: &mut Evaluator<'p>,
    receiver: &Value<'p>,
    name: &str,
    args: &Args<'p>,
) -> Option<Value<'p>> {
    match receiver {
        Value::List(_) | Value::Tuple(_) => list_method(evaluator, receiver, name, args),
        Value::Str(text) => string_method(text, name, args),
        Value::Pattern(text) if matches!(name, "toString" | "trim" | "valueOf") => Some(Value::Pattern(text.clone())),
        Value::Pattern(text) => pattern_method(text, name, args),
        Value::Dict(dict) if !dict.borrow().record => map_method(evaluator, receiver, name, args),
        Value::Function(_) | Value::Bound(..) => match name {
            "bind" => Some(receiver.clone()),
            "call" => {
                let positional = args.positional.get(1..).unwrap_or_default().to_vec();
                Some(evaluator.call(receiver, Args { positional, ..Args::default() }, site_of(receiver)?))
            }
            _ => None,
        },
        _ => None,
    }
}

fn site_of(function: &Value) -> Option<Span> {
    match function {
        Value::Function(function) | Value::Bound(_, function) => Some(function.node.name_span),
        _ => None,
    }
}

fn list_method<'p>(
    evaluator: &mut Evaluator<'p>,
    receiver: &Value<'p>,
    name: &str,
    args: &Args<'p>,
) -> Option<Value<'p>> {
    let items = receiver.elements()?;
    if items.len() > MAX_ELEMENTS {
        evaluator.cut(LONG_LISTS, args.positional.first().and_then(site_of));
        return None;
    }
    if !evaluator.afford(items.len()) {
        return None;
    }
    let first = args.positional.first();
    let site = first.and_then(site_of);
    Some(match name {
        "map" | "forEach" | "flatMap" => {
            let (each, site) = (first?.clone(), site?);
            let mut out = Vec::with_capacity(items.len());
            for (at, item) in items.into_iter().enumerate() {
                let value = evaluator.each(item, &mut |evaluator, item| {
                    if item.is_absent() {
                        return item;
                    }
                    let positional = vec![item, Value::Int(at as i64)];
                    evaluator.call_always(&each, Args { positional, ..Args::default() }, site)
                });
                match value.elements() {
                    Some(inner) if name == "flatMap" => out.extend(inner),
                    _ => out.push(value),
                }
            }
            if name == "forEach" { Value::None } else { Value::list(out) }
        }
        "filter" => {
            let (test, site) = (first?.clone(), site);
            let mut out = Vec::new();
            for item in items {
                let kept = match site {
                    Some(site) => apply(evaluator, &test, item.clone(), site),
                    None => item.clone(),
                };
                out.extend(evaluator.kept_where(&item, kept, site));
            }
            Value::list(out)
        }
        "reduce" => {
            let (step, site) = (first?.clone(), site?);
            let mut items = items.into_iter();
            let mut sum = match args.positional.get(1) {
                Some(start) => start.clone(),
                None => items.next()?,
            };
            for item in items {
                sum = evaluator.call_always(&step, Args { positional: vec![sum, item], ..Args::default() }, site);
            }
            sum
        }
        "push" | "unshift" => {
            if let Value::List(list) = receiver {
                list.borrow_mut().extend(args.positional.iter().cloned());
            }
            Value::Unknown("length of an array", None)
        }
        // Of a `Set`.
        "add" => {
            if let (Value::List(list), Some(first)) = (receiver, first) {
                list.borrow_mut().push(first.clone());
            }
            receiver.clone()
        }
        "pop" => match receiver {
            Value::List(list) => list.borrow_mut().pop()?,
            _ => return None,
        },
        "concat" => {
            let mut all = items;
            for more in &args.positional {
                match more.elements() {
                    Some(more) => all.extend(more),
                    None => all.push(more.clone()),
                }
            }
            Value::list(all)
        }
        "join" => {
            let separator = first.map_or(Some(","), Value::as_str)?;
            let mut out = String::new();
            let mut whole = true;
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push_str(separator);
                }
                match item {
                    Value::Str(text) => out.push_str(text),
                    Value::Int(number) => out.push_str(&number.to_string()),
                    Value::Pattern(text) => {
                        whole = false;
                        out.push_str(text);
                    }
                    _ => {
                        whole = false;
                        out.push(UNKNOWN_PART);
                    }
                }
            }
            if whole { Value::str(out) } else { Value::Pattern(Rc::from(out)) }
        }
        "includes" if items.iter().all(Value::is_plain) => {
            let wanted = first?;
            if !wanted.is_plain() {
                return None;
            }
            Value::Bool(items.iter().any(|item| item.same(wanted)))
        }
        "flat" => {
            let flat = items.into_iter().flat_map(|item| item.elements().unwrap_or_else(|| vec![item])).collect();
            Value::list(flat)
        }
        "slice" | "sort" | "values" | "toSorted" if args.positional.is_empty() || name.contains("ort") => {
            receiver.clone()
        }
        "keys" => Value::list((0..items.len() as i64).map(Value::Int).collect()),
        "entries" => Value::list(
            items.into_iter().enumerate().map(|(at, item)| Value::list(vec![Value::Int(at as i64), item])).collect(),
        ),
        _ => return None,
    })
}

/// A method of a text that is known up to some place, where that suffices.
fn pattern_method<'p>(text: &Rc<str>, name: &str, args: &Args<'p>) -> Option<Value<'p>> {
    let known = text.split(UNKNOWN_PART).next().unwrap_or_default();
    let word = || args.positional.first().and_then(Value::as_str);
    match name {
        "startsWith" if known.starts_with(word()?) => Some(Value::Bool(true)),
        "startsWith" if !word()?.starts_with(known) => Some(Value::Bool(false)),
        "replace" | "replaceAll" => Some(replaced(text, name, word()?, args.positional.get(1)?)),
        "indexOf" => known.find(word()?).map(|at| Value::Int(known[..at].chars().count() as i64)),
        "substring" | "slice" | "substr" => match args.positional.as_slice() {
            [Value::Int(from)] if *from >= 0 && known.chars().count() as i64 >= *from => {
                Some(Value::Pattern(text.chars().skip(*from as usize).collect::<String>().into()))
            }
            _ => None,
        },
        _ => None,
    }
}

/// A text in which something is replaced, by what may not be known.
fn replaced<'p>(text: &str, name: &str, word: &str, by: &Value<'p>) -> Value<'p> {
    let unknown = UNKNOWN_PART.to_string();
    let by = match by {
        Value::Str(by) | Value::Pattern(by) => by,
        _ => unknown.as_str(),
    };
    let times = if name == "replace" { 1 } else { usize::MAX };
    let replaced = text.replacen(word, by, times);
    if replaced.contains(UNKNOWN_PART) { Value::Pattern(Rc::from(replaced)) } else { Value::str(replaced) }
}

fn string_method<'p>(text: &Rc<str>, name: &str, args: &Args<'p>) -> Option<Value<'p>> {
    let first = args.positional.first();
    let word = || first.and_then(Value::as_str);
    Some(match name {
        "toLowerCase" | "toLocaleLowerCase" => Value::str(text.to_lowercase()),
        "toUpperCase" | "toLocaleUpperCase" => Value::str(text.to_uppercase()),
        "trim" => Value::str(text.trim()),
        "toString" | "valueOf" => Value::Str(text.clone()),
        "concat" => {
            let more: Option<Vec<&str>> = args.positional.iter().map(Value::as_str).collect();
            Value::str(format!("{text}{}", more?.concat()))
        }
        "indexOf" => Value::Int(text.find(word()?).map_or(-1, |at| text[..at].chars().count() as i64)),
        "startsWith" => Value::Bool(text.starts_with(word()?)),
        "endsWith" => Value::Bool(text.ends_with(word()?)),
        "includes" => Value::Bool(text.contains(word()?)),
        "replace" | "replaceAll" => replaced(text, name, word()?, args.positional.get(1)?),
        "split" => Value::list(text.split(word()?).map(Value::str).collect()),
        "substring" | "slice" | "substr" => Value::str(part_of(text, name, first?, args.positional.get(1))?),
        _ => return None,
    })
}

/// `text.slice(-3)`, `text.substring(1, 4)`, `text.substr(1, 2)`
fn part_of(text: &str, name: &str, from: &Value, to: Option<&Value>) -> Option<String> {
    let whole = i64::try_from(text.chars().count()).ok()?;
    let number = |value: &Value| match value {
        Value::Int(number) => Some(*number),
        _ => None,
    };
    // What is counted from the end, where the method counts so.
    let place = |at: i64| if at < 0 && name != "substring" { (whole + at).max(0) } else { at.clamp(0, whole) };
    let mut from = place(number(from)?);
    let mut to = match to.map(number) {
        Some(Some(length)) if name == "substr" => from.saturating_add(length).clamp(from, whole),
        Some(to) => place(to?),
        None => whole,
    };
    if name == "substring" && to < from {
        std::mem::swap(&mut from, &mut to);
    }
    let taken = usize::try_from(to - from).unwrap_or(0);
    Some(text.chars().skip(usize::try_from(from).ok()?).take(taken).collect())
}

/// Methods of `Map` and `Set`.
fn map_method<'p>(
    evaluator: &mut Evaluator<'p>,
    receiver: &Value<'p>,
    name: &str,
    args: &Args<'p>,
) -> Option<Value<'p>> {
    let Value::Dict(dict) = receiver else { return None };
    let first = args.positional.first();
    Some(match name {
        "set" => {
            let (key, value) = (first?.clone(), args.positional.get(1)?.clone());
            if evaluator.afford(dict.borrow().entries.len()) {
                dict.borrow_mut().set(key, value);
            }
            receiver.clone()
        }
        "get" | "has" => {
            let (dict, key) = (dict.borrow(), first?);
            let found = dict.get(key).cloned();
            // One that is not there may be one that is not known.
            if found.is_none() && !(dict.is_whole() && key.is_plain()) {
                return None;
            }
            if name == "has" { Value::Bool(found.is_some()) } else { found.unwrap_or(Value::None) }
        }
        "keys" => Value::list(evaluator.keys(&dict.borrow())),
        "values" => Value::list(dict.borrow().entries.iter().map(|(_, value)| value.clone()).collect()),
        "entries" => Value::list(evaluator.pairs(&dict.borrow(), |key, value| Value::list(vec![key, value]))),
        "forEach" => {
            let (each, site) = (first?.clone(), first.and_then(site_of)?);
            let entries = dict.borrow().entries.clone();
            if entries.len() > MAX_ELEMENTS {
                evaluator.cut(LONG_LISTS, Some(site));
            }
            for (key, value) in entries.into_iter().take(MAX_ELEMENTS) {
                evaluator.call_always(&each, Args { positional: vec![value, key], ..Args::default() }, site);
            }
            Value::None
        }
        _ => return None,
    })
}

/// The last part of the path of one of the language's own names: `Promise` of `javascript.Promise`.
pub fn global_name(path: &str) -> Option<&str> {
    path.starts_with(GLOBAL).then(|| last(path))
}
