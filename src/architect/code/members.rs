//! The members of classes, interfaces and diagrams, one line each.

use crate::architect::fields;
use crate::architect::notes::FieldNote;

/// What sketches write for the fields of a mapper: `site = FK(Site)`.
#[rustfmt::skip]
const SHORT: &[&str] = &[
    "FK", "M2M", "O2O", "OneToOne", "ManyToMany", "Char", "Text", "Int", "Integer", "Decimal", "Date", "DateTime", "Bool", "Boolean",
    "JSON", "UUID", "Enum", "Float", "Email", "URL", "File", "Image", "Slug", "Str", "String",
];

/// A field as mappers of databases declare it: `name = models.CharField(max_length=100)`, `id = Column(Integer)`.
pub(super) fn mapped(text: &str, line: u32) -> Option<FieldNote> {
    let (name, value) = text.split_once('=')?;
    let name = name.split(':').next().unwrap_or(name).trim();
    let (callee, given) = value.trim().split_once('(')?;
    let kind = callee.rsplit('.').next().unwrap_or(callee).trim();
    let ends = ["Field", "Key", "Column", "column"].iter().any(|end| kind.ends_with(end));
    let ends = ends || SHORT.contains(&kind);
    if !ends || !fields::is_identifier(name) || !fields::is_identifier(kind) {
        return None;
    }
    let first: String = given.chars().take_while(|c| c.is_alphanumeric() || "_.".contains(*c)).collect();
    let optional = ["null=True", "blank=True", "nullable=True"].iter().any(|it| given.contains(it));
    // `CharField` says the type itself, `Column` names it first.
    let bare = kind.trim_end_matches("Field");
    let kind = if bare == kind { first } else { bare.to_owned() };
    let required = if optional { Some(false) } else { given.contains("nullable=False").then_some(true) };
    Some(FieldNote {
        name: name.to_owned(),
        kind: if kind.is_empty() { "unknown".to_owned() } else { kind.to_ascii_lowercase() },
        required,
        line,
        ..FieldNote::default()
    })
}

/// The members of a block in braces that has no name: `{ title: string; notes?: string }`; none where it is something else.
pub(in crate::architect) fn unnamed(text: &str, line: u32) -> Option<Vec<FieldNote>> {
    let text = text.trim_end();
    let inner = text.trim_start().strip_prefix('{')?.strip_suffix('}')?;
    let mut found = Vec::new();
    let mut depth = 0_i32;
    for (at, said) in inner.lines().enumerate() {
        let said = said.split("//").next().unwrap_or(said).trim().trim_end_matches([',', ';']);
        let inside = depth > 0;
        depth += said.chars().map(|c| i32::from("{[".contains(c)) - i32::from("}]".contains(c))).sum::<i32>();
        // What is within an object belongs to it.
        if said.is_empty() || inside || said == "..." {
            continue;
        }
        let (name, kind) = said.split_once(':')?;
        let (bare, kind) = (name.trim().trim_end_matches('?'), kind.trim());
        let starts = kind.starts_with(|c: char| c.is_alphabetic() || "{[\"'".contains(c));
        if !fields::is_identifier(bare) || !starts || kind.contains(['=', ';']) || kind.contains("()") {
            return None;
        }
        let nested = kind.starts_with('{') || kind.starts_with('[') && !kind.contains(']');
        found.push(FieldNote {
            name: bare.to_owned(),
            kind: if nested { "object".to_owned() } else { kind.to_owned() },
            required: Some(!name.trim().ends_with('?')),
            values: fields::values(kind),
            line: line + 1 + at as u32,
            ..FieldNote::default()
        });
    }
    let is_type = |kind: &str| {
        let said = kind.split(" (").next().unwrap_or(kind);
        let named = fields::is_identifier(said) && said.starts_with(char::is_uppercase);
        fields::is_type(said)
            || named
            || kind == "object"
            || said.starts_with('[') && said.ends_with(']')
            || said.contains(" | ")
    };
    let typed = found.iter().filter(|it| is_type(&it.kind)).count();
    (found.len() >= 2 && typed * 2 >= found.len()).then_some(found)
}

/// One member: `name?: string;`, `public string Name { get; set; }`, `id Int @id`, `+String name`, `* id : int`.
pub(super) fn member(text: &str, line: u32) -> Option<FieldNote> {
    // `+str email` of a diagram: what is seen from outside has its type first.
    let signed = text.trim_start().starts_with(['+', '#', '~']);
    let text = text.trim_start_matches(['+', '-', '#', '~', '*']).trim();
    let text = text.split("//").next().unwrap_or(text).split("<<").next().unwrap_or(text);
    // The tag behind a member of Go says how programs write the member: `ID string `json:"id"``.
    let text = text.split_once(" `").map_or(text, |it| it.0);
    let text = without_settings(text).trim().trim_end_matches([';', ',']);
    if text.is_empty()
        || text.starts_with(['@', '/', '}', '[', '"'])
        || text.contains("()")
        || text.starts_with("return")
        || text.starts_with("def ")
    {
        return None;
    }
    let mut field = FieldNote { line, ..FieldNote::default() };
    if let Some((name, kind)) = text.split_once(':') {
        let name = name.trim();
        field.required = Some(
            !name.ends_with('?') && !kind.contains("null") && !kind.contains("Optional[") && !kind.contains("None"),
        );
        let words: Vec<&str> = name.trim_end_matches('?').split_whitespace().collect();
        field.name = (*words.last()?).to_owned();
        field.kind = kind.split(" = ").next().unwrap_or(kind).split('#').next().unwrap_or(kind).trim().to_owned();
    } else {
        let text = text.split('{').next().unwrap_or(text);
        let words: Vec<&str> = text
            .split_whitespace()
            .filter(|it| {
                !["public", "private", "protected", "readonly", "required", "virtual", "static", "final", "repeated"]
                    .contains(it)
            })
            .collect();
        let (first, second) = (words.first()?, words.get(1)?);
        // `final String id` of Dart has the type before the name.
        let typed_before = text.starts_with("final ") && fields::is_type(first);
        if text.contains('(') && !fields::is_type(second) {
            return None;
        }
        // `id Int` of Prisma, `String name` of classes.
        let name_first = fields::is_type(second)
            && !((signed || typed_before || text.contains('=')) && fields::is_type(first))
            || (!fields::is_type(first) && text.contains('@'))
            || second.starts_with(char::is_uppercase)
                && first.starts_with(char::is_lowercase)
                && !fields::is_type(first);
        let (name, kind) = if name_first { (first, second) } else { (second, first) };
        field.name = (*name).to_owned();
        field.kind = (*kind).to_owned();
        let lower = text.to_ascii_lowercase();
        field.required = (lower.contains("not null") || lower.contains("@id") || lower.contains("pk")).then_some(true);
    }
    field.values = fields::values(&field.kind);
    // What begins with a stroke is nobody else's.
    (fields::is_identifier(&field.name) && !(field.name.starts_with('_') && field.name != "_id")).then_some(field)
}

/// A member without what stands in brackets before or behind: `[Key] public int Id`, `kind varchar [note: 'a, b']`.
fn without_settings(text: &str) -> &str {
    let text = text.trim();
    let text = match text.strip_prefix('[').and_then(|it| it.split_once("] ")) {
        Some((_, rest)) => rest,
        None => text,
    };
    match text.split_once(" [") {
        Some((member, _)) if !member.contains(':') && member.split_whitespace().count() >= 2 => member,
        _ => text,
    }
}

/// `string name PK "comment"`
pub(super) fn er_member(text: &str, line: u32) -> Option<FieldNote> {
    let mut words = text.split_whitespace();
    let (kind, name) = (words.next()?, words.next()?);
    let rest: Vec<&str> = words.collect();
    let key = rest.iter().any(|it| it.trim_end_matches(',') == "PK");
    let values = fields::values(rest.join(" ").trim_matches('"'));
    let field = FieldNote {
        name: name.to_owned(),
        kind: kind.to_owned(),
        required: key.then_some(true),
        line,
        values,
        ..FieldNote::default()
    };
    fields::is_identifier(name).then_some(field)
}
