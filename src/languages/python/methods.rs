//! Methods of plain data: text, lists, dicts.

use std::rc::Rc;

use crate::evaluate::{Args, Evaluator, Value};

/// What a method of plain data gives.
pub(super) fn value_method<'p>(
    evaluator: &mut Evaluator<'p>,
    receiver: &Value<'p>,
    name: &str,
    args: &Args<'p>,
) -> Option<Value<'p>> {
    match receiver {
        Value::External(path) => {
            (&**path == "os.environ" && name == "__getitem__").then(|| Value::nameless_setting(None))
        }
        Value::Str(text) => string_method(text, name, args),
        Value::List(list) => {
            let first = args.positional.first();
            match name {
                "append" | "add" => list.borrow_mut().push(first?.clone()),
                "extend" | "update" => {
                    let more = first?.elements()?;
                    list.borrow_mut().extend(more);
                }
                "insert" => {
                    let value = args.positional.get(1)?.clone();
                    list.borrow_mut().insert(0, value);
                }
                "copy" => return Some(Value::list(list.borrow().clone())),
                "pop" => return list.borrow_mut().pop(),
                // `entry_points().select(…)`
                "select" => {
                    let wanted = args.named("name").and_then(Value::as_str);
                    let mut kept = list.borrow().clone();
                    kept.retain(|value| match value {
                        Value::EntryPoint(point) => wanted.is_none_or(|wanted| point.name == wanted),
                        _ => false,
                    });
                    return Some(Value::list(kept));
                }
                _ => return None,
            }
            Some(Value::None)
        }
        Value::Dict(dict) => {
            let first = args.positional.first();
            match name {
                "items" => {
                    let pair = |key, value| Value::Tuple(Rc::from([key, value]));
                    Some(Value::list(evaluator.pairs(&dict.borrow(), pair)))
                }
                "values" => Some(Value::list(dict.borrow().entries.iter().map(|(_, value)| value.clone()).collect())),
                "keys" => Some(Value::list(evaluator.keys(&dict.borrow()))),
                "get" | "pop" | "setdefault" => {
                    let key = first?;
                    let default = args.get(1, "default").cloned();
                    let found = dict.borrow().get(key).cloned();
                    match (found, name) {
                        (Some(value), "pop") => {
                            dict.borrow_mut().entries.retain(|(known, _)| !known.same(key));
                            Some(value)
                        }
                        (Some(value), _) => Some(value),
                        (None, "setdefault") => {
                            let value = default.unwrap_or(Value::None);
                            dict.borrow_mut().set(key.clone(), value.clone());
                            Some(value)
                        }
                        (None, _) if dict.borrow().open => None,
                        (None, _) => Some(default.unwrap_or(Value::None)),
                    }
                }
                "update" => {
                    if let Some(Value::Dict(other)) = first
                        && !Rc::ptr_eq(dict, other)
                    {
                        dict.borrow_mut().merge(&other.borrow());
                    } else if first.is_some_and(|first| !matches!(first, Value::Dict(_))) {
                        dict.borrow_mut().open = true;
                    }
                    for (key, value) in &args.named {
                        dict.borrow_mut().set(Value::Str(key.clone()), value.clone());
                    }
                    Some(Value::None)
                }
                "copy" => Some(Value::Dict(Rc::new(std::cell::RefCell::new(dict.borrow().clone())))),
                "select" => dict.borrow().get(args.named("group")?).cloned(),
                _ => None,
            }
        }
        _ => None,
    }
}

fn string_method<'p>(text: &str, name: &str, args: &Args<'p>) -> Option<Value<'p>> {
    let argument = |at: usize| args.positional.get(at).map(|value| value.as_str().ok_or(()));
    let strip = |default: fn(char) -> bool| -> Option<Box<dyn Fn(char) -> bool>> {
        match argument(0) {
            None => Some(Box::new(default)),
            Some(Ok(set)) => {
                let set: Vec<char> = set.chars().collect();
                Some(Box::new(move |c| set.contains(&c)))
            }
            Some(Err(())) => None,
        }
    };
    let result = match name {
        "lower" | "casefold" => text.to_lowercase(),
        "upper" => text.to_uppercase(),
        "title" => title(text),
        "capitalize" => {
            let mut chars = text.chars();
            chars.next().map_or(String::new(), |first| {
                first.to_uppercase().chain(chars.as_str().to_lowercase().chars()).collect()
            })
        }
        "strip" => text.trim_matches(strip(char::is_whitespace)?.as_ref()).to_owned(),
        "lstrip" => text.trim_start_matches(strip(char::is_whitespace)?.as_ref()).to_owned(),
        "rstrip" => text.trim_end_matches(strip(char::is_whitespace)?.as_ref()).to_owned(),
        "replace" => text.replace(argument(0)?.ok()?, argument(1)?.ok()?),
        "removeprefix" => text.strip_prefix(argument(0)?.ok()?).unwrap_or(text).to_owned(),
        "removesuffix" => text.strip_suffix(argument(0)?.ok()?).unwrap_or(text).to_owned(),
        "startswith" => return Some(Value::Bool(text.starts_with(argument(0)?.ok()?))),
        "endswith" => return Some(Value::Bool(text.ends_with(argument(0)?.ok()?))),
        "split" => {
            let parts: Vec<Value> = match argument(0) {
                None => text.split_whitespace().map(Value::str).collect(),
                Some(separator) => text.split(separator.ok().filter(|s| !s.is_empty())?).map(Value::str).collect(),
            };
            return Some(Value::list(parts));
        }
        "join" => {
            let items = args.positional.first()?.elements()?;
            let parts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            parts?.join(text)
        }
        "format" => format_string(text, args)?,
        _ => return None,
    };
    Some(Value::str(result))
}

/// Python's `str.title`: a letter after a non-letter is upper case, the rest lower.
pub(super) fn title(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in text.chars() {
        if c.is_alphabetic() {
            if inside {
                out.extend(c.to_lowercase());
            } else {
                out.extend(c.to_uppercase());
            }
            inside = true;
        } else {
            out.push(c);
            inside = false;
        }
    }
    out
}

/// `"…{}…{name}…".format(…)` without format specifications.
fn format_string(text: &str, args: &Args) -> Option<String> {
    let mut out = String::new();
    let mut next = 0;
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        let tail = &rest[at..];
        if tail.starts_with("{{") || tail.starts_with("}}") {
            out.push_str(&tail[..1]);
            rest = &tail[2..];
            continue;
        }
        let end = tail.find('}')?;
        let name = tail.get(1..end)?;
        let value = if name.is_empty() {
            next += 1;
            args.positional.get(next - 1)?
        } else if let Ok(at) = name.parse::<usize>() {
            args.positional.get(at)?
        } else {
            args.named(name)?
        };
        match value {
            Value::Str(text) => out.push_str(text),
            Value::Int(value) => out.push_str(&value.to_string()),
            _ => return None,
        }
        rest = &tail[end + 1..];
    }
    out.push_str(rest);
    Some(out)
}
