//! The standard library, as far as it decides an API: built-in functions, methods of plain data, `functools`,
//! `importlib`, `typing`, HTTP status constants.

use std::rc::Rc;

use super::methods::value_method;
use crate::evaluate::{Args, DynamicClass, Evaluator, Library, TypeVar, Value, last};
use crate::languages::python::signature;
use crate::model::program::CompareOp;
use crate::text::Span;

/// Built-in names and standard modules.
pub static STANDARD: Library = Library {
    name: "builtins",
    globals: BUILTINS,
    call,
    constant,
    member,
    setting,
    compared,
    value_method,
    ..Library::PYTHON
};

/// Python 3 that somebody still runs is at least this.
const OLDEST_MINOR: i64 = 8;

/// `sys.version_info >= (3, 0)`
fn compared(op: CompareOp, left: &Value, right: &Value) -> Option<bool> {
    let (Some("sys.version_info"), Value::Tuple(version)) = (left.as_external(), right) else { return None };
    let is_newer = match &**version {
        [Value::Int(major), ..] if *major != 3 => *major < 3,
        [Value::Int(_)] => true,
        [Value::Int(_), Value::Int(minor), ..] if *minor < OLDEST_MINOR => true,
        _ => return None,
    };
    match op {
        CompareOp::Greater | CompareOp::GreaterEqual => Some(is_newer),
        CompareOp::Less | CompareOp::LessEqual => Some(!is_newer),
        _ => None,
    }
}

/// `os.environ["TOPIC"]`
fn setting(object: &Value, key: &str) -> Option<String> {
    (object.as_external() == Some("os.environ") && key != "get").then(|| key.to_owned())
}

const BUILTINS: &[&str] = &[
    "str",
    "int",
    "float",
    "bool",
    "bytes",
    "bytearray",
    "complex",
    "list",
    "dict",
    "set",
    "tuple",
    "frozenset",
    "object",
    "type",
    "len",
    "sorted",
    "enumerate",
    "zip",
    "range",
    "getattr",
    "setattr",
    "hasattr",
    "isinstance",
    "issubclass",
    "super",
    "print",
    "min",
    "max",
    "sum",
    "map",
    "filter",
    "any",
    "all",
    "property",
    "callable",
    "reversed",
    "iter",
    "next",
    "id",
    "vars",
    "staticmethod",
    "classmethod",
    "repr",
    "abs",
    "round",
    "NotImplemented",
    "Exception",
    "BaseException",
    "ValueError",
    "TypeError",
    "KeyError",
    "RuntimeError",
];

/// Entry of a range or of repeated calls that is still worth listing; a longer one is unknown.
const MAX_RANGE: i64 = 200;

fn constant(path: &str, name: &str) -> Option<i64> {
    // `status.HTTP_201_CREATED`
    if let Some(code) = name.strip_prefix("HTTP_").and_then(|rest| rest.get(..3)) {
        return code.parse().ok();
    }
    if last(path) == "HTTPStatus" {
        return HTTP_STATUS.iter().find(|(known, _)| *known == name).map(|(_, code)| *code);
    }
    None
}

/// `http.HTTPStatus` (RFC 9110, section 15, and the registry it names).
const HTTP_STATUS: &[(&str, i64)] = &[
    ("CONTINUE", 100),
    ("SWITCHING_PROTOCOLS", 101),
    ("PROCESSING", 102),
    ("EARLY_HINTS", 103),
    ("OK", 200),
    ("CREATED", 201),
    ("ACCEPTED", 202),
    ("NON_AUTHORITATIVE_INFORMATION", 203),
    ("NO_CONTENT", 204),
    ("RESET_CONTENT", 205),
    ("PARTIAL_CONTENT", 206),
    ("MULTI_STATUS", 207),
    ("ALREADY_REPORTED", 208),
    ("IM_USED", 226),
    ("MULTIPLE_CHOICES", 300),
    ("MOVED_PERMANENTLY", 301),
    ("FOUND", 302),
    ("SEE_OTHER", 303),
    ("NOT_MODIFIED", 304),
    ("USE_PROXY", 305),
    ("TEMPORARY_REDIRECT", 307),
    ("PERMANENT_REDIRECT", 308),
    ("BAD_REQUEST", 400),
    ("UNAUTHORIZED", 401),
    ("PAYMENT_REQUIRED", 402),
    ("FORBIDDEN", 403),
    ("NOT_FOUND", 404),
    ("METHOD_NOT_ALLOWED", 405),
    ("NOT_ACCEPTABLE", 406),
    ("REQUEST_TIMEOUT", 408),
    ("CONFLICT", 409),
    ("GONE", 410),
    ("UNPROCESSABLE_ENTITY", 422),
    ("TOO_MANY_REQUESTS", 429),
    ("INTERNAL_SERVER_ERROR", 500),
    ("NOT_IMPLEMENTED", 501),
    ("BAD_GATEWAY", 502),
    ("SERVICE_UNAVAILABLE", 503),
    ("GATEWAY_TIMEOUT", 504),
];

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    if let Some(name) = path.strip_prefix("builtins.") {
        return Some(builtin(evaluator, name, args, site).unwrap_or_else(|| {
            let given: Vec<&Value> = args.values().collect();
            Value::made_of(&given, "result of a built-in function", site)
        }));
    }
    let first = args.positional.first();
    match last(path) {
        "partial" if path == "functools.partial" => {
            let callee = first?.clone();
            let rest = Args { positional: args.positional[1..].to_vec(), ..args.clone() };
            Some(Value::Partial(Rc::new(callee), Rc::new(rest)))
        }
        "getenv" => {
            evaluator.mark_soft();
            Some(args.get(1, "default").cloned().unwrap_or(Value::None))
        }
        "get" if path == "os.environ.get" => {
            evaluator.mark_soft();
            Some(args.get(1, "default").cloned().unwrap_or(Value::None))
        }
        "join" if matches!(path, "os.path.join" | "posixpath.join") => joined_path(args).map(Value::str),
        "urljoin" => {
            let (base, relative) = (first?.as_str()?, args.get(1, "url")?.as_str()?);
            let directory = base.rfind('/').map_or("", |at| &base[..=at]);
            let plain = !base.contains("://") && !relative.contains("..") && !relative.starts_with("./");
            plain.then(|| {
                Value::str(if relative.starts_with('/') {
                    relative.to_owned()
                } else {
                    format!("{directory}{relative}")
                })
            })
        }
        "cast" if path.starts_with("typing") => args.positional.get(1).cloned(),
        "TypeVar" => {
            let name = first.and_then(Value::as_str).unwrap_or("T");
            Some(Value::TypeVar(Rc::new(TypeVar {
                name: Rc::from(name),
                bound: args.named("bound").cloned(),
                default: args.named("default").cloned(),
            })))
        }
        "NewType" | "TypeAliasType" => args.get(1, "value").or_else(|| args.get(1, "tp")).cloned(),
        "TypedDict" if path.starts_with("typing") => {
            let name = first.and_then(Value::as_str)?;
            let partial = matches!(args.named("total"), Some(Value::Bool(false)));
            let fields = dict_fields(args.positional.get(1)?, |kind| {
                let kind = if partial { not_required(kind) } else { kind };
                Value::Tuple(Rc::from([kind, Value::Ellipsis]))
            });
            Some(Value::Dynamic(Rc::new(DynamicClass {
                name: Rc::from(name),
                bases: vec![Value::external("typing.TypedDict")],
                fields,
                site,
            })))
        }
        "deepcopy" | "copy" if path.starts_with("copy.") => first.cloned(),
        "wraps" if path == "functools.wraps" => Some(Value::external("functools.wraps()")),
        "wraps()" => first.cloned(),
        "signature" if path == "inspect.signature" => signature::inspected(evaluator, first?, site),
        "get_type_hints" => type_hints(evaluator, first?),
        "import_module" => {
            let from = evaluator_module(evaluator, site)?;
            let name = first.and_then(Value::as_str)?.to_owned();
            let package = args.get(1, "package").and_then(Value::as_str).map(str::to_owned);
            Some(evaluator.import_module(from, &name, package.as_deref()))
        }
        "entry_points" => Some(entry_points(evaluator, args.named("group"))),
        "namedtuple" => Some(Value::external("collections.namedtuple()")),
        "Enum" | "StrEnum" if args.positional.len() > 1 => Some(Value::external("builtins.str")),
        _ => None,
    }
}

fn member<'p>(_: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    let Value::Made(made) = value else { return None };
    signature::member(made, name)
}

/// `os.path.join`: a part that is absolute starts anew.
fn joined_path(args: &Args) -> Option<String> {
    let mut joined = String::new();
    for part in &args.positional {
        let part = part.as_str()?;
        if part.starts_with('/') {
            joined.clear();
        } else if !joined.is_empty() && !joined.ends_with('/') {
            joined.push('/');
        }
        joined.push_str(part);
    }
    Some(joined)
}

/// The entries of a dict as fields.
fn dict_fields<'p>(value: &Value<'p>, field: impl Fn(Value<'p>) -> Value<'p>) -> Vec<(Rc<str>, Value<'p>)> {
    let Value::Dict(dict) = value else { return Vec::new() };
    dict.borrow()
        .entries
        .iter()
        .filter_map(|(key, value)| Some((Rc::from(key.as_str()?), field(value.clone()))))
        .collect()
}

/// The type of a key of `total=False`, which may be absent unless it says otherwise.
fn not_required(kind: Value<'_>) -> Value<'_> {
    let says = match &kind {
        Value::Applied(base, _) => base.as_external().is_some_and(|path| last(path) == "Required"),
        _ => false,
    };
    if says { kind } else { Value::Applied(Rc::new(Value::external("typing.NotRequired")), Rc::from([kind])) }
}

fn evaluator_module(evaluator: &Evaluator<'_>, site: Span) -> Option<crate::evaluate::ModuleId> {
    evaluator.module_of_file(site.file)
}

/// `typing.get_type_hints(function)`: its annotations by name, with the type of null for `None`.
fn type_hints<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>) -> Option<Value<'p>> {
    let (Value::Function(function) | Value::Bound(_, function)) = value else { return None };
    let annotated = function.node.parameters.iter().map(|parameter| (parameter.name.as_str(), &parameter.annotation));
    let mut entries = Vec::new();
    for (name, annotation) in annotated.chain([("return", &function.node.returns)]) {
        let Some(annotation) = annotation else { continue };
        let hint = match evaluator.type_expression(annotation, &function.scope) {
            Value::None => Value::external("types.NoneType"),
            hint => hint,
        };
        entries.push((Value::str(name), hint));
    }
    Some(Value::dict(entries))
}

/// `importlib.metadata.entry_points(group=…)`: the ones that the scanned packages publish.
fn entry_points<'p>(evaluator: &Evaluator<'p>, group: Option<&Value<'p>>) -> Value<'p> {
    let points = evaluator.entry_points();
    let Some(group) = group else {
        let mut groups: Vec<(Value, Value)> = Vec::new();
        for point in points {
            let key = Value::str(point.group.as_str());
            let value = Value::EntryPoint(point.clone());
            match groups.iter().find(|(known, _)| known.same(&key)) {
                Some((_, Value::List(list))) => list.borrow_mut().push(value),
                _ => groups.push((key, Value::list(vec![value]))),
            }
        }
        return Value::dict(groups);
    };
    let Some(group) = group.as_str() else { return Value::Unknown("group of entry points is not known", None) };
    Value::list(points.iter().filter(|point| point.group == group).cloned().map(Value::EntryPoint).collect())
}

fn count<'p>(number: usize) -> Value<'p> {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

fn builtin<'p>(evaluator: &mut Evaluator<'p>, name: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let first = args.positional.first();
    match name {
        "str" => match first? {
            Value::Str(text) => Some(Value::Str(text.clone())),
            Value::Int(value) => Some(Value::str(value.to_string())),
            _ => None,
        },
        "int" => match first? {
            Value::Int(value) => Some(Value::Int(*value)),
            Value::Str(text) => text.trim().parse().ok().map(Value::Int),
            _ => None,
        },
        "bool" => first.filter(|value| !value.is_unknown()).map(|value| Value::Bool(value.truth())),
        "list" | "tuple" | "set" | "frozenset" | "sorted" | "reversed" | "iter" => match first {
            None => Some(Value::list(Vec::new())),
            Some(value) => {
                let mut items = evaluator.iterate(value)?;
                if name == "reversed" {
                    items.reverse();
                }
                Some(if name == "tuple" { Value::Tuple(items.into()) } else { Value::list(items) })
            }
        },
        // What is iterated over was made for it, by `iter` or the like: the value is taken out.
        "next" => match first? {
            Value::List(items) if items.borrow().is_empty() => args.positional.get(1).cloned(),
            Value::List(items) => Some(items.borrow_mut().remove(0)),
            other => evaluator.iterate(other)?.into_iter().next(),
        },
        "dict" => {
            let mut dict = crate::evaluate::Dict::default();
            match first {
                Some(Value::Dict(known)) => dict.merge(&known.borrow()),
                Some(value) => {
                    for pair in evaluator.iterate(value)? {
                        let [key, value] = <[Value; 2]>::try_from(pair.elements()?).ok()?;
                        dict.set(key, value);
                    }
                }
                None => {}
            }
            for (key, value) in &args.named {
                dict.set(Value::Str(key.clone()), value.clone());
            }
            Some(Value::Dict(Rc::new(std::cell::RefCell::new(dict))))
        }
        "enumerate" => {
            let items = evaluator.iterate(first?)?;
            let numbered = items.into_iter().enumerate();
            Some(Value::list(numbered.map(|(at, item)| Value::Tuple(Rc::from([count(at), item]))).collect()))
        }
        "zip" => {
            let mut columns = Vec::new();
            for value in &args.positional {
                columns.push(evaluator.iterate(value)?.into_iter());
            }
            let mut rows = Vec::new();
            'rows: loop {
                let mut row = Vec::new();
                for column in &mut columns {
                    match column.next() {
                        Some(value) => row.push(value),
                        None => break 'rows,
                    }
                }
                if row.is_empty() {
                    break;
                }
                rows.push(Value::Tuple(row.into()));
            }
            Some(Value::list(rows))
        }
        "range" => {
            let (from, to) = match args.positional.as_slice() {
                [Value::Int(to)] => (0, *to),
                [Value::Int(from), Value::Int(to)] => (*from, *to),
                _ => return None,
            };
            (to.saturating_sub(from) <= MAX_RANGE).then(|| Value::list((from..to).map(Value::Int).collect()))
        }
        "map" => {
            let [callee, items] = args.positional.as_slice() else { return None };
            let items = evaluator.iterate(items)?;
            let call = |item| Args { positional: vec![item], ..Args::default() };
            Some(Value::list(items.into_iter().map(|item| evaluator.call(callee, call(item), site)).collect()))
        }
        "len" => match first? {
            Value::Str(text) => Some(count(text.chars().count())),
            Value::Dict(dict) if !dict.borrow().open => Some(count(dict.borrow().entries.len())),
            other => evaluator.count(other),
        },
        "getattr" => {
            let name = args.positional.get(1)?;
            let Some(name) = name.as_str().map(str::to_owned) else {
                let Value::Node(router) = first? else { return None };
                return Some(evaluator.unknown_method(*router));
            };
            let value = evaluator.member(first?, &name, Some(site));
            match args.positional.get(2) {
                Some(default) if value.is_unknown() || matches!(value, Value::Native(..)) => Some(default.clone()),
                _ => Some(value),
            }
        }
        "setattr" => {
            let [target, name, value] = args.positional.as_slice() else { return None };
            evaluator.set_member(target, name.as_str()?, value.clone());
            Some(Value::None)
        }
        "type" => match args.positional.as_slice() {
            [Value::Str(name), bases, _] => Some(Value::Dynamic(Rc::new(DynamicClass {
                name: name.clone(),
                bases: bases.elements()?,
                fields: Vec::new(),
                site,
            }))),
            [Value::Instance(instance)] => Some(Value::Class(instance.class.clone())),
            // What a library made stands for its class, too.
            [made @ Value::Made(_)] => Some(made.clone()),
            _ => None,
        },
        // Whatever a setting is, what is read of it is of the type of its default.
        "isinstance" => {
            evaluator.unmark_soft();
            is_instance(first?, args.positional.get(1)?).map(Value::Bool)
        }
        // As a decorator: the function stays what it is.
        "property" | "staticmethod" | "classmethod" => first.cloned(),
        _ => None,
    }
}

/// Whether plain data is of a built-in type, or of one of several.
fn is_instance(value: &Value, types: &Value) -> Option<bool> {
    let own: &[&str] = match value {
        Value::Str(_) => &["str"],
        Value::Bool(_) => &["bool", "int"],
        Value::Int(_) => &["int"],
        Value::Float(_) => &["float"],
        Value::Dict(_) => &["dict", "Mapping", "MutableMapping"],
        Value::List(_) => &["list"],
        Value::Tuple(_) => &["tuple"],
        Value::None => &["NoneType"],
        _ => return None,
    };
    if let Some(types) = types.elements() {
        let each: Option<Vec<bool>> = types.iter().map(|one| is_instance(value, one)).collect();
        return each.map(|each| each.contains(&true));
    }
    let name = types.as_external()?.strip_prefix("builtins.")?;
    Some(own.contains(&name))
}
