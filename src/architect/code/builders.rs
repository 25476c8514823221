//! Schemas that programs build by calls: `orders: defineTable({ total: v.number() })`, `pgTable("orders", { … })`,
//! `new Schema({ total: Number })`, `z.object({ … })`.

use super::{Found, balanced, split};
use crate::architect::notes::FieldNote;
use crate::architect::{fields, words};

/// What the name of a function has in it that makes a schema.
const MAKERS: &[&str] = &["table", "schema", "object", "model", "define", "entity", "collection"];

/// What may stand behind the name of a thing in the name of its schema.
const ENDS: &[&str] = &["Schema", "schema", "Model", "Table"];

/// Calls whose argument is an object of types, each with the name of the model: the text in the first argument, else
/// the variable or member that holds it.
pub(super) fn read(text: &str, line: u32, found: &mut Vec<Found>) {
    migrations(text, line, found);
    let text = &without_remarks(text);
    for (open, _) in text.match_indices('(') {
        let callee: String =
            text[..open].chars().rev().take_while(|c| c.is_alphanumeric() || "_.".contains(*c)).collect();
        let callee: String = callee.chars().rev().collect();
        let function = callee.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
        if !MAKERS.iter().any(|it| function.contains(it)) {
            continue;
        }
        let inside = &text[open + 1..];
        let Some((given, brace)) = first_argument(inside) else { continue };
        let Some(length) = balanced(&inside[brace..], '{', '}') else { continue };
        let before = text[..open - callee.len()].trim_end();
        let before = before.strip_suffix("new").unwrap_or(before).trim_end();
        let Some(name) = given.map(str::to_owned).or_else(|| holder(before)) else { continue };
        let name = ENDS.iter().find_map(|end| name.strip_suffix(end)).filter(|it| !it.is_empty()).unwrap_or(&name);
        let body = &inside[brace + 1..brace + length - 1];
        let begin = open + 1 + brace + 1;
        let at = |offset: usize| line + 1 + text[..begin + offset].matches('\n').count() as u32;
        let parts = split(body, &[',']).into_iter();
        let members: Vec<FieldNote> =
            parts.filter_map(|(offset, it)| member(it, at(offset + it.len() - it.trim_start().len()))).collect();
        let typed = members.iter().filter(|it| !it.kind.is_empty()).count();
        // `CreateOrderInput` is what goes in.
        let said = words::split(name);
        let passes = said
            .first()
            .is_some_and(|it| words::verb(it).is_some_and(|(base, _)| base == it) && said.len() > 1)
            || said.last().is_some_and(|it| ["input", "request", "response", "dto", "params"].contains(&it.as_str()));
        if members.len() >= 2 && typed * 2 >= members.len() && fields::is_identifier(name) && !passes {
            found.push(Found::Entity { name: name.to_owned(), fields: members, line: at(0) });
        }
    }
}

/// Tables that migrations make: `create_table "orders" do |t|` with `t.string "label"` below, `Schema::create('orders', …)` with
/// `$table->string('label')`.
fn migrations(text: &str, line: u32, found: &mut Vec<Found>) {
    /// Calls that make no column of the name they are given.
    const OTHERS: &[&str] = &["index", "unique", "foreign", "primary", "check_constraint", "timestamps", "remove"];
    let mut table: Option<(String, u32, Vec<FieldNote>)> = None;
    let mut tables = Vec::new();
    for (at, content) in text.lines().enumerate() {
        let (here, content) = (line + 1 + at as u32, content.trim());
        let made = ["create_table", "Schema::create("].iter().find_map(|it| content.split_once(it));
        if let Some(name) = made.and_then(|it| given_name(it.1)) {
            tables.extend(table.replace((name.to_owned(), here, Vec::new())));
            continue;
        }
        let Some((.., columns)) = &mut table else { continue };
        let Some(call) = ["t.", "$table->"].iter().find_map(|it| content.strip_prefix(it)) else { continue };
        let end = fields::name_at(call).len();
        let (kind, rest) = call.split_at(end);
        if let Some(name) = given_name(rest).filter(|_| !OTHERS.contains(&kind)) {
            let required = ["null: false", "null => false"].iter().any(|it| rest.contains(it)).then_some(true);
            let (name, kind) = (name.to_owned(), kind.to_ascii_lowercase());
            columns.push(FieldNote { name, kind, required, line: here, ..FieldNote::default() });
        }
    }
    tables.extend(table);
    let full = tables.into_iter().filter(|it| !it.2.is_empty());
    found.extend(full.map(|(name, line, fields)| Found::Entity { name, fields, line }));
}

/// The name that a call is given first: `"orders"`, `:orders`, `'orders'`.
fn given_name(rest: &str) -> Option<&str> {
    let rest = rest.trim_start_matches(['(', ' ']).strip_prefix(['"', '\'', ':'])?;
    let name = fields::name_at(rest);
    fields::is_identifier(name).then_some(name)
}

/// The text that a call is given before an object, and where the object begins.
fn first_argument(inside: &str) -> Option<(Option<&str>, usize)> {
    let rest = inside.trim_start();
    let skipped = inside.len() - rest.len();
    if rest.starts_with('{') {
        return Some((None, skipped));
    }
    let quote = rest.chars().next().filter(|it| ['"', '\'', '`'].contains(it))?;
    let end = rest[1..].find(quote)? + 1;
    let behind = rest[end + 1..].trim_start().strip_prefix(',')?.trim_start();
    behind.starts_with('{').then(|| (Some(&rest[1..end]), inside.len() - behind.len()))
}

/// The variable or member that a value is assigned to, from the text before the value.
fn holder(before: &str) -> Option<String> {
    let before = before.strip_suffix(['=', ':'])?.trim_end();
    let name: String = before.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    Some(name.chars().rev().collect::<String>()).filter(|it| !it.is_empty())
}

/// The text with spaces for remarks, so that every place stays where it is.
fn without_remarks(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        // `https://` is no remark.
        let remark = line.match_indices("//").map(|(at, _)| at).find(|at| !line[..*at].ends_with(':'));
        let end = remark.unwrap_or(line.len());
        result.push_str(&line[..end]);
        result.extend(line[end..].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    }
    result
}

/// One member with the type that its value names.
fn member(part: &str, line: u32) -> Option<FieldNote> {
    let (name, value) = part.trim().split_once(':')?;
    let name = name.trim().trim_matches(['"', '\'']);
    if !fields::is_identifier(name) {
        return None;
    }
    let value = value.trim();
    let lower = value.to_ascii_lowercase();
    let optional = ["optional", "nullable", "nullish"].iter().any(|it| lower.contains(it));
    let required = ["notnull", "required: true"].iter().any(|it| lower.contains(it));
    let kind = value
        .split(|c: char| !c.is_alphanumeric())
        .find(|it| fields::is_type(it))
        .map(str::to_ascii_lowercase)
        .or_else(|| value.contains('(').then(|| "unknown".to_owned()));
    let listed = lower.contains("literal(") || lower.contains("enum");
    let literals: Vec<String> = value.split(['"', '\'']).skip(1).step_by(2).map(str::to_owned).collect();
    Some(FieldNote {
        name: name.to_owned(),
        kind: kind.unwrap_or_default(),
        required: if optional { Some(false) } else { required.then_some(true) },
        values: if listed && literals.len() >= 2 { literals } else { Vec::new() },
        line,
        ..FieldNote::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name, a type, a line.
    type Member = (String, String, u32);

    fn entities(text: &str) -> Vec<(String, Vec<Member>)> {
        let mut found = Vec::new();
        read(text, 0, &mut found);
        let only = found.into_iter().filter_map(|it| match it {
            Found::Entity { name, fields, .. } => {
                Some((name, fields.into_iter().map(|it| (it.name, it.kind, it.line)).collect()))
            }
            _ => None,
        });
        only.collect()
    }

    #[test]
    fn a_schema_built_by_calls_is_an_entity() {
        let found = entities(
            "export default defineSchema({\n  orders: defineTable({\n    total: v.number(), // in cents\n    \
             // Who\n    buyer: v.id(\"users\"),\n    status: v.union(v.literal(\"open\"), v.literal(\"paid\")),\n  })\n});",
        );
        let field = |name: &str, kind: &str, line| (name.to_owned(), kind.to_owned(), line);
        assert_eq!(
            found,
            [(
                "orders".to_owned(),
                vec![field("total", "number", 3), field("buyer", "unknown", 5), field("status", "unknown", 6)]
            )]
        );
    }

    #[test]
    fn the_name_is_the_first_argument_or_what_holds_the_schema() {
        let found = entities("const users = pgTable('accounts', { id: serial('id'), name: text('name') })");
        assert_eq!(found[0].0, "accounts");
        let found = entities("const userSchema = new mongoose.Schema({ name: String, age: { type: Number } });");
        assert_eq!(found[0].0, "user");
        assert_eq!(found[0].1.len(), 2);
    }

    #[test]
    fn a_call_with_values_is_no_schema() {
        assert!(entities("await schedule.runAfter(0, { id: newId, at: now })").is_empty());
        assert!(entities("render.object({ id: newId, at: now })").is_empty());
        assert!(entities("const createUserSchema = z.object({ name: z.string(), age: z.number() })").is_empty());
    }
}
