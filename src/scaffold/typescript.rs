//! Types and values in TypeScript, for zod.

pub(super) mod files;
pub(super) mod handlers;

use std::fmt::Write as _;

use serde_json::Value;

use super::formats;
use super::names::{self, Scope};
use super::types::{Bounds, Extra, Field, List, ModelKind, Text, Type, Types};
use crate::model::Literal;
use crate::registry::literal::{Syntax, literal};

/// Names that the generated code uses itself, or that mean something else to who reads it.
pub(super) const RESERVED_TYPES: &[&str] = &[
    "Array",
    "Boolean",
    "Body",
    "Controller",
    "Date",
    "Delete",
    "Error",
    "ErrorRequestHandler",
    "Function",
    "Get",
    "Head",
    "HttpCode",
    "HttpException",
    "InMemory",
    "Inject",
    "Injectable",
    "JSON",
    "Kafka",
    "Map",
    "Module",
    "Number",
    "Object",
    "Omit",
    "Options",
    "Param",
    "Partial",
    "Patch",
    "Post",
    "Promise",
    "Publisher",
    "Put",
    "Query",
    "Record",
    "Refusal",
    "RegExp",
    "Repository",
    "Request",
    "RequestHandler",
    "Res",
    "Response",
    "Router",
    "Set",
    "String",
    "Symbol",
    "UseGuards",
    "ZodError",
    "ZodPipe",
];

/// Words of the language, and names that handlers use.
const RESERVED: &[&str] = &[
    "answer",
    "arguments",
    "await",
    "body",
    "break",
    "case",
    "catch",
    "class",
    "cookies",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "events",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "found",
    "function",
    "headers",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "kept",
    "let",
    "message",
    "new",
    "next",
    "null",
    "package",
    "params",
    "private",
    "protected",
    "public",
    "publisher",
    "query",
    "req",
    "res",
    "return",
    "router",
    "samples",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "without",
    "yield",
    "z",
];

pub(super) fn scope() -> Scope {
    Scope::without(RESERVED)
}

pub(super) fn value(value: &Value) -> String {
    let line = on_a_line(value);
    if line.len() <= 90 { line } else { literal(value, Syntax::JavaScript) }
}

/// `{ code: "not_found" }`
fn on_a_line(value: &Value) -> String {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let members: Vec<String> =
                members.iter().map(|(name, it)| format!("{}: {}", key(name), on_a_line(it))).collect();
            format!("{{ {} }}", members.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(on_a_line).collect::<Vec<_>>().join(", ")),
        other => literal(other, Syntax::JavaScript),
    }
}

pub(super) fn text(text: &str) -> String {
    value(&Value::from(text))
}

fn of_literal(it: &Literal) -> String {
    super::crud::value_of(it).map_or_else(|| "null".to_owned(), |it| value(&it))
}

fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    text.chars().all(is_part) && text.starts_with(|c: char| !c.is_ascii_digit())
}

/// As a key of an object.
pub(super) fn key(name: &str) -> String {
    match name {
        "__proto__" => "[\"__proto__\"]".to_owned(),
        name if is_name(name) => name.to_owned(),
        name => text(name),
    }
}

/// `task.title`, `task["x-y"]`
pub(super) fn member(of: &str, name: &str) -> String {
    if is_name(name) { format!("{of}.{name}") } else { format!("{of}[{}]", text(name)) }
}

/// Words a type as a schema.
pub(super) struct Words<'w> {
    pub(super) types: &'w Types,
    /// Models that are not declared yet.
    pub(super) later: Vec<usize>,
}

impl Words<'_> {
    pub(super) fn schema(&self, ty: &Type) -> String {
        match ty {
            Type::Any => "z.unknown()".to_owned(),
            Type::Null => "z.null()".to_owned(),
            Type::Boolean => "z.boolean()".to_owned(),
            Type::Integer(bounds) => format!("z.int(){}", limits(bounds)),
            Type::Number(bounds) => format!("z.number(){}", limits(bounds)),
            Type::Text(it) => of_text(it),
            Type::Values(values) => of_values(values),
            Type::List(list) => self.list(list),
            Type::Map(inner) => format!("z.record(z.string(), {})", self.schema(inner)),
            Type::Model(at) => self.types.models[*at].name.clone(),
            Type::Union(options) => {
                format!("z.union([{}])", options.iter().map(|it| self.schema(it)).collect::<Vec<_>>().join(", "))
            }
            Type::Nullable(inner) => format!("{}.nullable()", self.schema(inner)),
        }
    }

    fn list(&self, List { item, least, most, unique }: &List) -> String {
        let mut schema = format!("z.array({})", self.schema(item));
        schema.extend(least.filter(|it| *it > 0).map(|it| format!(".min({it})")));
        schema.extend(most.map(|it| format!(".max({it})")));
        if *unique {
            schema += ".refine(allDifferent)";
        }
        schema
    }

    /// What is read from a path, a query, a header or a cookie is text: numbers are spelled.
    pub(super) fn spelled(&self, ty: &Type) -> String {
        match ty {
            Type::Integer(_) => format!("spelledInteger.pipe({})", self.schema(ty)),
            Type::Number(_) => format!("spelledNumber.pipe({})", self.schema(ty)),
            Type::Boolean => "z.enum([\"true\", \"false\"]).transform((it) => it === \"true\")".to_owned(),
            Type::List(list) => {
                let item = self.spelled(&list.item);
                let limits = self.list(&List { item: Type::Null, ..(**list).clone() });
                let schema = limits.replacen("z.null()", &item, 1);
                format!("z.preprocess(listed, {schema})")
            }
            other => self.schema(other),
        }
    }

    /// One member of an object; what is declared later is looked up when it is asked for.
    pub(super) fn field(&self, field: &Field) -> String {
        let optional = if field.required { "" } else { ".optional()" };
        let schema = format!("{}{optional}", self.schema(&field.ty));
        let mut named = Vec::new();
        super::types::models_of(&field.ty, &mut named);
        let name = key(&field.name);
        if named.iter().any(|it| self.later.contains(it)) {
            return format!("get {name}() {{\n    return {schema};\n  }},");
        }
        format!("{name}: {schema},")
    }
}

fn of_text(text @ Text { format, least, most, pattern }: &Text) -> String {
    let plain = match format.as_deref() {
        // Any version, and those that have none.
        Some("uuid") => return "z.guid()".to_owned(),
        Some("date-time") => return "z.iso.datetime({ offset: true })".to_owned(),
        Some("date") => return "z.iso.date()".to_owned(),
        Some("email") => "z.email({ pattern: z.regexes.html5Email })",
        _ => "z.string()",
    };
    let mut schema = plain.to_owned();
    schema.extend(least.filter(|it| *it > 0).map(|it| format!(".min({it})")));
    schema.extend(most.map(|it| format!(".max({it})")));
    let checked = formats::of(text).filter(|it| it.name != "Email").map(|it| it.pattern);
    if let Some(pattern) = pattern.as_deref().or(checked) {
        let flags = if pattern.contains("\\p{") || pattern.contains("\\u{") { ", \"u\"" } else { "" };
        let _ = write!(schema, ".regex(new RegExp({}{flags}))", self::text(pattern));
    }
    schema
}

fn of_values(values: &[Literal]) -> String {
    let written: Vec<String> = values.iter().map(of_literal).collect();
    match written.as_slice() {
        [only] => format!("z.literal({only})"),
        _ if values.iter().all(|it| matches!(it, Literal::String(_))) => format!("z.enum([{}])", written.join(", ")),
        _ => format!("z.literal([{}])", written.join(", ")),
    }
}

fn limits(Bounds { least, most, above, below, step }: &Bounds) -> String {
    let mut limits = String::new();
    // What the language cannot tell apart is no limit.
    let is_known = |it: &&String| it.parse::<f64>().is_ok_and(|it| it.abs() <= 9_007_199_254_740_991.0);
    for (name, value) in [("min", least), ("max", most), ("gt", above), ("lt", below), ("multipleOf", step)] {
        limits.extend(value.as_ref().filter(is_known).map(|it| format!(".{name}({it})")));
    }
    limits
}

/// Models in an order in which each is declared after those that it names, as far as that can be, with those that it names
/// and that come later.
pub(super) fn ordered(types: &Types) -> Vec<(usize, Vec<usize>)> {
    let mut order: Vec<usize> = Vec::new();
    let mut entered = vec![false; types.models.len()];
    for start in 0..types.models.len() {
        // Each entry is a model and how many of those that it names were looked at.
        let mut stack = if entered[start] { Vec::new() } else { vec![(start, 0)] };
        entered[start] = true;
        while let Some((at, seen)) = stack.pop() {
            match named(types, at).get(seen) {
                Some(next) => {
                    stack.push((at, seen + 1));
                    if !entered[*next] {
                        entered[*next] = true;
                        stack.push((*next, 0));
                    }
                }
                None => order.push(at),
            }
        }
    }
    let place = |at: usize| order.iter().position(|it| *it == at);
    let later = |at: usize| named(types, at).into_iter().filter(|it| place(*it) >= place(at)).collect();
    order.iter().map(|at| (*at, later(*at))).collect()
}

fn named(types: &Types, at: usize) -> Vec<usize> {
    let mut found = Vec::new();
    if let ModelKind::Object { fields, extra, .. } = &types.models[at].kind {
        fields.iter().for_each(|it| super::types::models_of(&it.ty, &mut found));
        if let Extra::Of(ty) = extra {
            super::types::models_of(ty, &mut found);
        }
    }
    found
}

/// `taskId`
pub(super) fn identifier(name: &str) -> String {
    let name = names::camel(name);
    if RESERVED.contains(&name.as_str()) { format!("{name}_") } else { name }
}
