//! Changes of a contract document that make it say what code sends, and of code where that has another name for it. The document
//! is read again for them: shapes have no place for the lists of names and values that are changed.

mod code;

use std::collections::BTreeMap;

use crate::contracts::tree::{self, Node, Value};
use crate::finding::{Edit, Finding, Fix, Safety, Side};
use crate::text::{FileId, SourceFile, Sources, Span};

/// Schemas that one leads to, one after the other; what leads further has no fix.
const MAX_REFERENCES: usize = 20;

/// Adds the fixes of findings about what code sends: the name of a member, a value of a closed set, what is required.
pub fn mend(findings: &mut [Finding], sources: &Sources) {
    let mut trees: BTreeMap<FileId, Node> = BTreeMap::new();
    for finding in findings {
        let Some(place) = &finding.contract else { continue };
        let is_mended = ["casing", "enum-value", "optional", "left-out"].contains(&finding.kind);
        let file = place.span.file;
        if !is_mended || sources.get(file).is_elsewhere() {
            continue;
        }
        let source = sources.get(file);
        let root = trees.entry(file).or_insert_with(|| tree::read(file, &source.text).root);
        finding.fixes.extend(fix(finding, &place.pointer, root, source));
        if finding.kind == "casing" && tells_of_sending(finding) && !sources.get(finding.span.file).is_elsewhere() {
            let name = finding.value("expected").and_then(quoted);
            if let Some([name]) = name.as_deref() {
                finding.fixes.extend(code::alias(finding, name, sources.get(finding.span.file)));
            }
        }
    }
}

/// Whether a finding holds a member that code sends against a schema.
fn tells_of_sending(finding: &Finding) -> bool {
    finding.value("schema").is_some() && finding.value("subject").is_none()
}

fn fix(finding: &Finding, pointer: &str, root: &Node, source: &SourceFile) -> Option<Fix> {
    let member = Member::at(pointer, root)?;
    let (title, safety, edits) = match finding.kind {
        "casing" => {
            let new = quoted(finding.value("actual")?)?;
            let [new] = new.as_slice() else { return None };
            let title = format!("rename `{}` to `{new}` in the contract", member.name);
            // Examples of it keep the old name.
            (title, Safety::Unsafe, member.rename(new, source)?)
        }
        "enum-value" => {
            let values = quoted(finding.value("actual")?)?;
            let schema = member.schema(root)?;
            let list = schema.get("enum").filter(|list| is_within(list, schema))?;
            let shown: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
            let title = format!("add {} to the values in the contract", shown.join(", "));
            (title, Safety::Safe, vec![add_values(list, &values, source)?])
        }
        _ => {
            let title = format!("do not require `{}` in the contract", member.name);
            (title, Safety::Safe, vec![member.release(source)?])
        }
    };
    Some(Fix { title, side: Side::Contract, safety, edits })
}

/// A member of a schema that states it.
struct Member<'n> {
    name: String,
    /// The schema that has it.
    owner: &'n Node,
    node: &'n Node,
}

impl<'n> Member<'n> {
    fn at(pointer: &str, root: &'n Node) -> Option<Self> {
        let segments = segments(pointer)?;
        let (name, rest) = segments.split_last()?;
        let (properties, owner) = rest.split_last()?;
        let owner = root.at(owner)?;
        let node = owner.get("properties").filter(|_| properties == "properties")?.get(name)?;
        Some(Member { name: name.clone(), owner, node })
    }

    /// The schema that it leads to, in the same document.
    fn schema(&self, root: &'n Node) -> Option<&'n Node> {
        let mut node = self.node;
        for _ in 0..MAX_REFERENCES {
            let Some(reference) = node.get("$ref") else { return Some(node) };
            node = root.at(segments(reference.text()?.strip_prefix('#')?)?)?;
        }
        None
    }

    /// Where it is required.
    fn required(&self) -> Option<(&'n Node, usize)> {
        let list = self.owner.get("required").filter(|list| is_within(list, self.owner))?;
        let at = list.items().iter().position(|item| item.text() == Some(&self.name))?;
        Some((list, at))
    }

    fn rename(&self, new: &str, source: &SourceFile) -> Option<Vec<Edit>> {
        let properties = self.owner.get("properties")?;
        if !is_plain(new) || properties.get(new).is_some() {
            return None;
        }
        let key = &properties.entry(&self.name)?.0;
        let told = self.owner.get("discriminator").and_then(|it| it.get("propertyName"));
        let told = told.filter(|it| it.text() == Some(&self.name)).map(|it| it.span);
        let required = self.required().map(|(list, at)| list.items()[at].span);
        let spans = [Some(key.span), required, told];
        spans.into_iter().flatten().map(|span| replace(span, &self.name, new, source)).collect()
    }

    /// Takes it out of what is required.
    fn release(&self, source: &SourceFile) -> Option<Edit> {
        let (list, at) = self.required()?;
        let items = list.items();
        let (file, text) = (list.span.file, &source.text);
        let span = |start: u32, end: u32| Span::new(file, start as usize, end as usize);
        let own = items[at].span;
        if items.len() == 1 {
            return whole_lines(self.owner.entry("required")?.0.span, list.span, source);
        }
        let removed = if is_flow(list, source) {
            match at.checked_sub(1) {
                Some(before) => span(items[before].span.end, own.end),
                None => span(own.start, items[1].span.start),
            }
        } else {
            let start = text[..own.start as usize].rfind('\n')? + 1;
            let indent = &text[start..own.start as usize];
            if indent.trim() != "-" {
                return None;
            }
            let end = text[own.end as usize..].find('\n').map(|at| own.end as usize + at + 1);
            match end {
                Some(end) => Span::new(file, start, end),
                // The last line of the text, with the break before it.
                None => Span::new(file, start - 1, text.len()),
            }
        };
        // What was said about it in between would go, too.
        let said = text.get(removed.start as usize..removed.end as usize)?;
        (!said.contains('#')).then(|| Edit { span: removed, text: String::new() })
    }
}

/// Whether a value is written within another one, not at an anchor elsewhere.
fn is_within(inner: &Node, outer: &Node) -> bool {
    outer.span.start <= inner.span.start && inner.span.end <= outer.span.end
}

/// The lines from a key to its value, where nothing else stands on them.
fn whole_lines(key: Span, value: Span, source: &SourceFile) -> Option<Edit> {
    let text = &source.text;
    let start = text[..key.start as usize].rfind('\n').map_or(0, |at| at + 1);
    let end = text[value.end as usize..].find('\n').map_or(text.len(), |at| value.end as usize + at + 1);
    let is_alone = text[start..key.start as usize].trim().is_empty() && text[value.end as usize..end].trim().is_empty();
    // In JSON, commas around it would be left.
    let is_yaml = !text[key.start as usize..].starts_with('"');
    let has_comment = text[key.start as usize..value.end as usize].contains('#');
    (is_alone && is_yaml && !has_comment).then(|| Edit { span: Span::new(key.file, start, end), text: String::new() })
}

/// Adds values at the end of a list of texts.
fn add_values(list: &Node, values: &[String], source: &SourceFile) -> Option<Edit> {
    let items = list.items();
    let last = items.last()?;
    if !items.iter().all(|item| matches!(item.value, Value::String(_))) {
        return None;
    }
    let text = &source.text;
    let written = text.get(last.span.start as usize..last.span.end as usize)?;
    let values = values.iter().map(|value| as_written(value, written));
    let start = text[..last.span.start as usize].rfind('\n').map_or(0, |at| at + 1);
    let before = &text[start..last.span.start as usize];
    if is_flow(list, source) {
        let gap = if before.trim().is_empty() && start > 0 { format!(",\n{before}") } else { ", ".to_owned() };
        let added = values.fold(String::new(), |added, value| added + &gap + &value);
        let at = last.span.end as usize;
        return Some(Edit { span: Span::new(list.span.file, at, at), text: added });
    }
    if before.trim() != "-" {
        return None;
    }
    let at = last.span.end as usize;
    let at = at + text[at..].find(['\r', '\n']).unwrap_or(text.len() - at);
    let added = values.fold(String::new(), |added, value| added + "\n" + before + &value);
    Some(Edit { span: Span::new(list.span.file, at, at), text: added })
}

/// Whether a list stands in brackets.
fn is_flow(list: &Node, source: &SourceFile) -> bool {
    source.text[list.span.start as usize..].starts_with('[')
}

/// A text in the quotes that another one has; in others where it needs them.
fn as_written(value: &str, like: &str) -> String {
    if like.starts_with('\'') && !value.contains('\'') {
        return format!("'{value}'");
    }
    let reserved = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    if !like.starts_with('"') && is_plain(value) && !reserved.contains(&value.to_ascii_lowercase().as_str()) {
        return value.to_owned();
    }
    serde_json::Value::from(value).to_string()
}

/// Whether a text needs no quotes, and no escapes within some.
fn is_plain(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// A name within a place that has it, with or without quotes.
fn replace(span: Span, old: &str, new: &str, source: &SourceFile) -> Option<Edit> {
    let text = source.text.get(span.start as usize..span.end as usize)?;
    let at = text.find(old)?;
    let start = span.start as usize + at;
    Some(Edit { span: Span::new(span.file, start, start + old.len()), text: new.to_owned() })
}

/// The names or values that words show in quotes; nothing where they say anything else.
fn quoted(words: &str) -> Option<Vec<String>> {
    let (mut found, mut rest) = (Vec::new(), String::new());
    for (at, part) in words.split('`').enumerate() {
        if at % 2 == 1 {
            found.push(part.to_owned());
        } else {
            rest.push_str(part);
        }
    }
    let says_more = rest.split([',', ' ']).any(|word| !["", "or", "and", "one", "of"].contains(&word));
    (!says_more && !found.is_empty() && words.matches('`').count() == found.len() * 2).then_some(found)
}

/// The segments of a JSON pointer (RFC 6901).
fn segments(pointer: &str) -> Option<Vec<String>> {
    let rest = pointer.strip_prefix('/')?;
    Some(rest.split('/').map(|segment| segment.replace("~1", "/").replace("~0", "~")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A document after the fix of a member's finding.
    fn fixed(text: &str, kind: &'static str, actual: &str) -> Option<String> {
        let mut sources = Sources::default();
        let file = sources.add(SourceFile::new("api.yaml", text));
        let root = tree::read(file, text).root;
        let finding = Finding {
            rule: String::new(),
            name: String::new(),
            kind,
            severity: crate::finding::Severity::Error,
            message: String::new(),
            help: None,
            span: Span::new(file, 0, 0),
            label: String::new(),
            related: Vec::new(),
            operation: None,
            operations: Vec::new(),
            field: None,
            contract: None,
            fixes: Vec::new(),
            values: vec![("actual", actual.to_owned())],
            fingerprint: String::new(),
            key: String::new(),
        };
        let fix = fix(&finding, "/A/properties/b", &root, sources.get(file))?;
        let mut edits = fix.edits;
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
        let mut text = text.to_owned();
        for Edit { span, text: new } in edits {
            text.replace_range(span.start as usize..span.end as usize, &new);
        }
        Some(text)
    }

    #[test]
    fn values_are_added_as_the_others_are_written() {
        for (list, added, after) in [
            ("[x]", "`z`", "[x, z]"),
            ("['x']", "`y`, `on`", "['x', 'y', 'on']"),
            ("[x]", "`on`", "[x, \"on\"]"),
            ("[x]", "`a b`", "[x, \"a b\"]"),
            ("\n      - x # why\n      - z", "`w`", "\n      - x # why\n      - z\n      - w"),
        ] {
            let text = |list: &str| format!("A:\n  properties:\n    b:\n      enum: {list}\n");
            assert_eq!(fixed(&text(list), "enum-value", added), Some(text(after)));
        }
        let json = "{\"A\": {\"properties\": {\"b\": {\"enum\": [\n  \"x\"\n]}}}}";
        let after = "{\"A\": {\"properties\": {\"b\": {\"enum\": [\n  \"x\",\n  \"y\"\n]}}}}";
        assert_eq!(fixed(json, "enum-value", "`y`").as_deref(), Some(after));
        let other = "A:\n  properties:\n    b: {$ref: '#/S'}\nS: {enum: [x]}\n";
        assert_eq!(fixed(other, "enum-value", "`z`"), Some(other.replace("[x]", "[x, z]")));
        for (list, added) in [("[1]", "`2`"), ("[x]", "a string"), ("[x]", "`y` and 3 more")] {
            assert_eq!(fixed(&format!("A: {{properties: {{b: {{enum: {list}}}}}}}"), "enum-value", added), None);
        }
        let loop_ = "A: {properties: {b: {$ref: '#/A/properties/b'}}}";
        assert_eq!(fixed(loop_, "enum-value", "`y`"), None);
    }

    #[test]
    fn what_is_required_is_taken_out_wherever_it_stands() {
        for (list, after) in [
            (" [b, c]\n", " [c]\n"),
            (" [a, b, c]\n", " [a, c]\n"),
            (" [a, \"b\"]\n", " [a]\n"),
            ("\n    - a\n    - b\n    - c\n", "\n    - a\n    - c\n"),
        ] {
            let text = |list: &str| format!("A:\n  required:{list}  properties:\n    b: {{}}\n");
            assert_eq!(fixed(&text(list), "optional", ""), Some(text(after)), "{list}");
        }
        let only = "A:\n  required: [b]\n  properties:\n    b: {}\n";
        assert_eq!(fixed(only, "left-out", "").as_deref(), Some("A:\n  properties:\n    b: {}\n"));
        assert_eq!(fixed("A: {required: [b], properties: {b: {}}}", "optional", ""), None);
        // A list at an anchor is of several schemas, and a comment is somebody's.
        let shared = "S: &r [b, c]\nA:\n  required: *r\n  properties:\n    b: {}\n";
        assert_eq!(fixed(shared, "optional", ""), None);
        let told = "A:\n  required: # since 2\n    - b\n  properties:\n    b: {}\n";
        assert_eq!(fixed(told, "optional", ""), None);
        assert_eq!(fixed("A:\n  properties:\n    b: {}\n", "optional", ""), None);
    }

    #[test]
    fn a_member_is_renamed_where_it_is_named() {
        let text = "A:\n  required: ['b']\n  properties:\n    b: {}\n";
        let after = "A:\n  required: ['bB']\n  properties:\n    bB: {}\n";
        assert_eq!(fixed(text, "casing", "`bB`").as_deref(), Some(after));
        assert_eq!(fixed("A: {properties: {b: {}, bB: {}}}", "casing", "`bB`"), None);
        assert_eq!(fixed(text, "casing", "`b: c`"), None);
    }
}
