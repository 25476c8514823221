//! What a cell says of a body: the first balanced block in braces, perhaps behind the name of a type, with fields
//! `name: type`, `name?: type` or `name`.

use crate::model::{Additional, Field, Kind, Literal, Object, Shape, ShapeId, ShapeTable};
use crate::text::Span;

/// Objects within objects; a deeper one is unknown.
const MAX_DEPTH: usize = 24;
/// Fields of one cell; an object that has more is unknown.
const MAX_FIELDS: usize = 2_000;

/// A cell that says something of a body.
pub(super) struct Cell {
    /// The type that it names.
    pub(super) name: Option<String>,
    /// The object itself, and the body, which may be a list of it; none where the cell only names a type.
    pub(super) shape: Option<(ShapeId, ShapeId)>,
    /// Words that are no types.
    pub(super) unknown: Vec<String>,
    pub(super) problem: Option<String>,
}

/// Reads a cell; `None` where it says nothing of members.
pub(super) fn read(text: &str, span: Span, shapes: &mut ShapeTable) -> Option<Cell> {
    let open = text.find('{')?;
    let text = text.replace("\\|", "|").replace('`', "");
    let open = text.find('{').unwrap_or(open);
    let (before, rest) = text.split_at(open);
    let name: String = {
        let word = before.trim().trim_end_matches([':', '=', '(', '<']).trim();
        let word = word.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
        word.to_owned()
    };
    let is_list_word = matches!(name.as_str(), "Array" | "List" | "IEnumerable" | "list");
    let name = Some(name).filter(|name| name.starts_with(char::is_uppercase) && !is_list_word);
    let Some(length) = balanced(rest) else {
        let problem = Some("the braces of the schema are not balanced".to_owned());
        return Some(Cell { name: None, shape: None, unknown: Vec::new(), problem });
    };
    let mut reader = Reader { shapes, span, unknown: Vec::new(), fields: 0 };
    let object = reader.object(&rest[1..length - 1], 0);
    if let Some(name) = &name {
        let named = reader.shapes.get(object).clone().named(name.clone());
        reader.shapes.set(object, named);
    }
    let after = rest[length..].trim_start();
    let is_list = is_list_word || after.starts_with("[]") || before.trim_end().ends_with('[');
    let shape = if is_list { reader.list(object) } else { object };
    let unknown = reader.unknown;
    Some(Cell { name, shape: Some((object, shape)), unknown, problem: None })
}

/// The length of the block in braces that a text begins with.
fn balanced(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote: Option<char> = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The parts of a text at the level of its separators, those within brackets and quotes left alone.
fn split<'t>(text: &'t str, separators: &[char]) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0_usize, 0);
    let mut quote: Option<char> = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{' | '<' | '(' | '[') => depth += 1,
            (None, '}' | '>' | ')' | ']') => depth = depth.saturating_sub(1),
            (None, c) if depth == 0 && separators.contains(&c) => {
                parts.push(&text[from..at]);
                from = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

struct Reader<'s> {
    shapes: &'s mut ShapeTable,
    span: Span,
    unknown: Vec<String>,
    fields: usize,
}

impl Reader<'_> {
    fn add(&mut self, kind: Kind) -> ShapeId {
        self.shapes.add(Shape::new(kind).at(Some(self.span)))
    }

    fn list(&mut self, items: ShapeId) -> ShapeId {
        self.add(Kind::Array { prefix: Vec::new(), items: Some(items) })
    }

    fn object(&mut self, text: &str, depth: usize) -> ShapeId {
        let mut fields: Vec<Field> = Vec::new();
        for part in split(text, &[',', ';', '\n']) {
            let mut halves = split(part, &[':']).into_iter();
            let name = halves.next().unwrap_or("").trim().trim_matches(['"', '\'']);
            let optional = name.ends_with('?');
            let name = name.trim_end_matches('?').trim();
            let is_word = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '@'));
            if name.is_empty() || !is_word || fields.iter().any(|f| f.name == name) {
                continue;
            }
            if self.fields >= MAX_FIELDS {
                return self.shapes.add(Shape::unknown("object of too many fields", Some(self.span)));
            }
            self.fields += 1;
            let rest = part.split_once(':').map_or("", |(_, rest)| rest).trim();
            let shape = if rest.is_empty() { self.add(Kind::Any) } else { self.value(rest, depth + 1) };
            fields.push(Field {
                name: name.to_owned(),
                shape,
                required: !optional,
                always: !optional,
                span: Some(self.span),
                declared: None,
            });
        }
        self.add(Kind::Object(Object { fields, additional: Additional::Open }))
    }

    /// A type as it is written.
    fn value(&mut self, text: &str, depth: usize) -> ShapeId {
        let text = text.trim();
        if depth > MAX_DEPTH {
            return self.shapes.add(Shape::unknown("schema nested too deep", Some(self.span)));
        }
        let options: Vec<&str> = split(text, &['|']).into_iter().map(str::trim).collect();
        if options.len() > 1 {
            return self.alternatives(&options, depth);
        }
        if let Some(inner) = text.strip_suffix('?').filter(|inner| !inner.is_empty()) {
            let id = self.value(inner, depth + 1);
            return self.or_null(id);
        }
        if let Some(inner) = text.strip_suffix("[]") {
            let items = self.value(inner, depth + 1);
            return self.list(items);
        }
        if text.starts_with('{') {
            return match balanced(text) {
                Some(length) => self.object(&text[1..length - 1], depth + 1),
                None => self.add(Kind::Any),
            };
        }
        if let Some(inner) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
            let items = self.value(inner, depth + 1);
            return self.list(items);
        }
        if let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
            return self.value(inner, depth + 1);
        }
        if let Some((name, inner)) = text.split_once('<').and_then(|(name, rest)| Some((name, rest.strip_suffix('>')?)))
        {
            return self.generic(name.trim(), inner, depth);
        }
        self.word(text)
    }

    /// `Array<T>`, `Record<string, T>`, `T | null` by other names.
    fn generic(&mut self, name: &str, inner: &str, depth: usize) -> ShapeId {
        let last = split(inner, &[',']).pop().unwrap_or(inner);
        match name.to_ascii_lowercase().as_str() {
            "array" | "list" | "ienumerable" | "icollection" | "set" | "sequence" | "ilist" | "readonlyarray" => {
                let items = self.value(inner, depth + 1);
                self.list(items)
            }
            "record" | "dictionary" | "map" | "dict" | "idictionary" => {
                let values = self.value(last, depth + 1);
                self.add(Kind::Object(Object { fields: Vec::new(), additional: Additional::Of(values) }))
            }
            "optional" | "nullable" => {
                let id = self.value(inner, depth + 1);
                self.or_null(id)
            }
            "partial" | "readonly" | "promise" | "task" => self.value(inner, depth + 1),
            _ => self.shapes.add(Shape::unknown(format!("`{name}<…>` is not described"), Some(self.span))),
        }
    }

    fn or_null(&mut self, id: ShapeId) -> ShapeId {
        let shape = Shape::new(Kind::Ref(id)).at(Some(self.span)).nullable(true);
        self.shapes.add(shape)
    }

    /// `"a" | "b"`, `string | null`, or any two types.
    fn alternatives(&mut self, options: &[&str], depth: usize) -> ShapeId {
        let is_null = |option: &&str| matches!(*option, "null" | "undefined" | "None");
        let others: Vec<&str> =
            options.iter().copied().filter(|option| !is_null(option) && !option.is_empty()).collect();
        let quoted = |option: &str| -> Option<String> {
            let inner = option.strip_prefix(['"', '\''])?.strip_suffix(['"', '\''])?;
            Some(inner.to_owned())
        };
        let texts: Option<Vec<Literal>> = others.iter().map(|option| quoted(option).map(Literal::String)).collect();
        let id = match (texts, others.as_slice()) {
            (Some(values), [_, ..]) => {
                let shape = Shape::new(Kind::String).at(Some(self.span)).with_values(values);
                self.shapes.add(shape)
            }
            (_, [only]) => self.value(only, depth + 1),
            (_, []) => self.add(Kind::Null),
            _ => {
                let shapes: Vec<ShapeId> = others.iter().map(|option| self.value(option, depth + 1)).collect();
                let union = crate::model::Union { options: shapes, discriminator: None, exclusive: false };
                self.add(Kind::Union(union))
            }
        };
        if others.len() < options.len() { self.or_null(id) } else { id }
    }

    fn word(&mut self, text: &str) -> ShapeId {
        if let Some(inner) = text.strip_prefix(['"', '\'']).and_then(|text| text.strip_suffix(['"', '\''])) {
            let shape =
                Shape::new(Kind::String).at(Some(self.span)).with_values(vec![Literal::String(inner.to_owned())]);
            return self.shapes.add(shape);
        }
        let kind = match text.to_ascii_lowercase().as_str() {
            "string" | "str" | "text" | "guid" | "uuid" | "email" | "url" | "uri" | "date" | "datetime" | "time"
            | "timestamp" | "datetimeoffset" | "dateonly" | "timeonly" | "isodate" | "iso8601" | "objectid"
            | "char" => Kind::String,
            // Tables do not tell whole numbers from others.
            "number" | "int" | "integer" | "long" | "short" | "byte" | "int32" | "int64" | "bigint" | "float"
            | "double" | "decimal" | "numeric" | "money" => Kind::Number,
            "boolean" | "bool" => Kind::Boolean,
            "null" | "none" | "void" => Kind::Null,
            "any" | "object" | "unknown" | "json" | "dynamic" | "dict" | "record" | "array" | "list" | "enum" => {
                Kind::Any
            }
            _ if text.starts_with(char::is_uppercase) && text.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                return self.shapes.add(Shape::unknown(format!("`{text}` is not described"), Some(self.span)));
            }
            _ => {
                self.unknown.push(text.to_owned());
                return self.shapes.add(Shape::unknown(format!("`{text}` is no type"), Some(self.span)));
            }
        };
        self.add(kind)
    }
}
