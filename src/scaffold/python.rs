//! Types and values in Python, for pydantic.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::formats;
use super::names::{self, Scope};
use super::types::{Bounds, Extra, Field, Model, ModelKind, Text, Type, Types};
use crate::model::Literal;
use crate::registry::literal::{Syntax, literal};

/// Names that the generated code uses itself.
pub(super) const RESERVED_TYPES: &[&str] = &[
    "APIRouter",
    "Annotated",
    "Any",
    "AwareDatetime",
    "BaseModel",
    "Body",
    "Cookie",
    "Date",
    "DateTime",
    "Depends",
    "Email",
    "Enum",
    "Events",
    "Field",
    "Header",
    "Hostname",
    "InMemory",
    "Integer",
    "Ipv4",
    "JSONResponse",
    "Key",
    "Literal",
    "None",
    "Path",
    "Protocol",
    "Publisher",
    "Query",
    "Refused",
    "Repository",
    "Request",
    "Response",
    "Thing",
    "TypeAdapter",
    "UUID",
    "Uri",
    "ValidationError",
];

/// Names that mean something else in Python or in a class of pydantic.
const RESERVED: &[&str] = &[
    "False",
    "None",
    "True",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "match",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
    "bool",
    "bytes",
    "copy",
    "construct",
    "date",
    "datetime",
    "dict",
    "fields",
    "float",
    "int",
    "json",
    "list",
    "model_config",
    "model_copy",
    "model_dump",
    "model_fields",
    "model_validate",
    "object",
    "register",
    "schema",
    "set",
    "str",
    "tuple",
    "type",
    "validate",
];

pub(super) fn scope() -> Scope {
    Scope::without(RESERVED)
}

/// What is imported, by module.
#[derive(Clone, Debug, Default)]
pub(super) struct Imports(BTreeMap<&'static str, BTreeSet<String>>);

impl Imports {
    pub(super) fn add(&mut self, module: &'static str, name: &str) {
        self.0.entry(module).or_default().insert(name.to_owned());
    }

    /// One line a module: those of Python, of others, of the service itself.
    pub(super) fn lines(&self) -> Vec<String> {
        let group = |module: &str| match module.split('.').next().unwrap_or("") {
            "app" => 2,
            "fastapi" | "pydantic" => 1,
            _ => 0,
        };
        let mut modules: Vec<_> = self.0.iter().collect();
        modules.sort_by_key(|(module, _)| (group(module), **module));
        let mut lines = Vec::new();
        let mut last = None;
        for (module, names) in modules {
            if last.is_some_and(|last| last != group(module)) {
                lines.push(String::new());
            }
            last = Some(group(module));
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let plain = format!("from {module} import {}", names.join(", "));
            let is_short = plain.len() <= WIDTH;
            lines.push(if is_short {
                plain
            } else {
                format!("from {module} import (\n    {},\n)", names.join(",\n    "))
            });
        }
        lines
    }
}

/// Longer lines are broken where they can be.
const WIDTH: usize = 100;

pub(super) fn value(value: &Value) -> String {
    literal(value, Syntax::Python)
}

pub(super) fn text(text: &str) -> String {
    value(&Value::from(text))
}

fn of_literal(it: &Literal) -> String {
    match super::crud::value_of(it) {
        Some(found) => value(&found),
        None => "None".to_owned(),
    }
}

/// Names of the members of an enumeration, in the order of its values.
pub(super) fn members(values: &[String]) -> Vec<(String, String)> {
    let mut scope = Scope::without(&["MRO", "NAME", "VALUE"]);
    values.iter().map(|it| (scope.name(&names::snake(it).to_uppercase()), text(it))).collect()
}

/// Words a type, and remembers what it needs.
pub(super) struct Words<'w> {
    pub(super) types: &'w Types,
    pub(super) imports: &'w mut Imports,
    /// Where models are imported from; `None` where they are declared.
    pub(super) models: Option<&'static str>,
    /// What is read from a path, a query or a header is text: numbers are spelled.
    pub(super) spelled: bool,
}

impl Words<'_> {
    /// A type with its limits.
    pub(super) fn full(&mut self, ty: &Type) -> String {
        let limits = Self::limits(ty);
        let plain = self.plain(ty);
        if limits.is_empty() {
            return plain;
        }
        self.imports.add("typing", "Annotated");
        self.imports.add("pydantic", "Field");
        format!("Annotated[{plain}, Field({})]", limits.join(", "))
    }

    /// A type without limits of its own.
    pub(super) fn plain(&mut self, ty: &Type) -> String {
        let strict = |words: &mut Self, name: &str, spelled: &str| {
            if words.spelled {
                return spelled.to_owned();
            }
            words.imports.add("pydantic", name);
            name.to_owned()
        };
        match ty {
            Type::Any => self.import("typing", "Any"),
            Type::Null => "None".to_owned(),
            Type::Boolean => strict(self, "StrictBool", "bool"),
            Type::Integer(_) if self.spelled => "int".to_owned(),
            Type::Integer(_) => self.own("Integer"),
            Type::Number(_) => strict(self, "StrictFloat", "float"),
            Type::Text(text) => match text.format.as_deref() {
                Some("uuid") => self.import("uuid", "UUID"),
                Some("date-time") => self.own("DateTime"),
                Some("date") => self.own("Date"),
                _ => match formats::of(text) {
                    Some(format) => self.own(format.name),
                    None => "str".to_owned(),
                },
            },
            Type::Values(values) => {
                self.imports.add("typing", "Literal");
                let values: Vec<String> = values.iter().map(of_literal).collect();
                format!("Literal[{}]", values.join(", "))
            }
            Type::List(list) => {
                let item = self.full(&list.item);
                if !list.unique {
                    return format!("list[{item}]");
                }
                self.imports.add("typing", "Annotated");
                self.imports.add("pydantic", "AfterValidator");
                let check = self.own("all_different");
                format!("Annotated[list[{item}], AfterValidator({check})]")
            }
            Type::Map(inner) => format!("dict[str, {}]", self.full(inner)),
            Type::Model(at) => {
                let name = self.types.models[*at].name.clone();
                self.own(&name)
            }
            Type::Union(options) => options.iter().map(|it| self.full(it)).collect::<Vec<_>>().join(" | "),
            Type::Nullable(inner) => format!("{} | None", self.plain(inner)),
        }
    }

    fn import(&mut self, module: &'static str, name: &str) -> String {
        self.imports.add(module, name);
        name.to_owned()
    }

    /// What the module of the models declares.
    fn own(&mut self, name: &str) -> String {
        if let Some(module) = self.models {
            self.imports.add(module, name);
        }
        name.to_owned()
    }

    /// Arguments of `Field` for the limits of a type itself.
    pub(super) fn limits(ty: &Type) -> Vec<String> {
        let mut limits = Vec::new();
        let mut add = |name: &str, value: Option<String>| limits.extend(value.map(|value| format!("{name}={value}")));
        match ty.some() {
            Type::Integer(bounds) | Type::Number(bounds) => {
                let Bounds { least, most, above, below, step } = bounds.clone();
                add("ge", least);
                add("le", most);
                add("gt", above);
                add("lt", below);
                add("multiple_of", step.filter(|_| matches!(ty.some(), Type::Integer(_))));
            }
            Type::Text(Text { format, least, most, pattern }) if !is_parsed(format.as_deref()) => {
                add("min_length", least.filter(|it| *it > 0).map(|it| it.to_string()));
                add("max_length", most.map(|it| it.to_string()));
                add("pattern", pattern.as_deref().filter(|it| is_followed(it)).map(text));
            }
            Type::List(list) => {
                add("min_length", list.least.filter(|it| *it > 0).map(|it| it.to_string()));
                add("max_length", list.most.map(|it| it.to_string()));
            }
            _ => {}
        }
        limits
    }

    fn default_of(&mut self, field: &Field) -> Option<String> {
        let default = field.default.as_ref()?;
        match (field.ty.some(), default) {
            (Type::Boolean, Literal::Boolean(_)) | (Type::Integer(_) | Type::Number(_), Literal::Number(_)) => {
                Some(of_literal(default))
            }
            (Type::Text(it), Literal::String(_)) if !is_parsed(it.format.as_deref()) => Some(of_literal(default)),
            (Type::Values(values), it) if values.contains(it) => Some(of_literal(it)),
            (Type::Model(at), Literal::String(wanted)) => self.member(*at, wanted),
            _ => None,
        }
    }

    fn member(&mut self, at: usize, wanted: &str) -> Option<String> {
        let Model { name, kind: ModelKind::Values(values), .. } = &self.types.models[at] else { return None };
        let place = values.iter().position(|it| it == wanted)?;
        let member = format!("{name}.{}", members(values)[place].0);
        let name = name.clone();
        self.own(&name);
        Some(member)
    }

    /// The default of a parameter.
    pub(super) fn default_for(&mut self, ty: &Type, default: Option<&Literal>) -> Option<String> {
        let field = Field { name: String::new(), ty: ty.clone(), required: false, default: default.cloned() };
        self.default_of(&field)
    }

    /// One line of a class.
    pub(super) fn field(&mut self, field: &Field, scope: &mut Scope) -> String {
        let name = scope.name(&names::snake(&field.name));
        let mut arguments = Vec::new();
        let ty = self.plain(&field.ty);
        if !field.required {
            arguments.push(format!("default={}", self.default_of(field).unwrap_or_else(|| "None".to_owned())));
        }
        if name != field.name {
            arguments.push(format!("alias={}", text(&field.name)));
        }
        arguments.extend(Self::limits(&field.ty));
        if arguments.is_empty() {
            return format!("{name}: {ty}");
        }
        if let ([only], Type::Nullable(_)) = (arguments.as_slice(), &field.ty)
            && let Some(default) = only.strip_prefix("default=")
        {
            return format!("{name}: {ty} = {default}");
        }
        self.imports.add("pydantic", "Field");
        let line = format!("{name}: {ty} = Field({})", arguments.join(", "));
        if line.len() + 4 <= WIDTH {
            return line;
        }
        format!("{name}: {ty} = Field(\n        {},\n    )", arguments.join(",\n        "))
    }
}

fn is_parsed(format: Option<&str>) -> bool {
    matches!(format, Some("uuid" | "date-time" | "date"))
}

/// Whether the engine that pydantic asks (that of Rust) knows what stands in a pattern.
pub(super) fn is_followed(pattern: &str) -> bool {
    let has_back_reference =
        pattern.as_bytes().windows(2).any(|it| it[0] == b'\\' && it[1].is_ascii_digit() && it[1] != b'0');
    !["(?=", "(?!", "(?<", "\\c", "\\/"].iter().any(|it| pattern.contains(it)) && !has_back_reference
}

/// What a model takes beside its fields.
pub(super) fn extra(extra: &Extra) -> &'static str {
    match extra {
        Extra::Ignored => "",
        Extra::Refused => "forbid",
        Extra::Of(_) => "allow",
    }
}
