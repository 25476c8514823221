//! Changes of code that give a member the name that the contract has: an alias on the wire, as pydantic and the serialisers of
//! .NET write it. Lines that are written in another way than most have no fix.

use crate::finding::{Edit, Finding, Fix, Safety, Side};
use crate::text::{SourceFile, Span};

/// Gives the member of a finding another name on the wire. It changes what a class takes, too, so somebody has to look at it.
pub(super) fn alias(finding: &Finding, new: &str, source: &SourceFile) -> Option<Fix> {
    let (text, span) = (&*source.text, finding.span);
    let name = text.get(span.start as usize..span.end as usize)?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let field = Field { text, start: span.start as usize, end: span.end as usize };
    let edits = match source.path.rsplit('.').next()? {
        "py" if is_name => field.of_pydantic(new)?,
        "cs" if is_name => field.of_dotnet(new)?,
        _ => return None,
    };
    let edit = |(start, end, text): Change| Edit { span: Span::new(span.file, start, end), text };
    let title = format!("send `{name}` as `{new}`");
    Some(Fix { title, side: Side::Code, safety: Safety::Unsafe, edits: edits.into_iter().map(edit).collect() })
}

/// Brings in the namespace of `JsonPropertyName`.
const USING: &str = "using System.Text.Json.Serialization;\n";

/// From, to, and what takes its place.
type Change = (usize, usize, String);

/// The name of a member where it is declared.
struct Field<'t> {
    text: &'t str,
    start: usize,
    end: usize,
}

impl Field<'_> {
    /// `total: int = 0` becomes `total: int = Field(default=0, serialization_alias="sum")`.
    fn of_pydantic(&self, new: &str) -> Option<Vec<Change>> {
        let line = self.line_start();
        let indent = &self.text[line..self.start];
        if indent.is_empty() || !indent.trim().is_empty() || !is_model(&self.text[..line], indent.len()) {
            return None;
        }
        let rest = self.text[self.end..].lines().next()?.strip_prefix(':')?;
        let code = rest.split_once('#').map_or(rest, |(code, _)| code).trim_end();
        let (annotation, default) = parts(code)?;
        let at = self.end + 1;
        let mut changes = vec![match default {
            None => (at + code.len(), at + code.len(), format!(" = Field(serialization_alias=\"{new}\")")),
            Some(default) => {
                let start = at + annotation + code[annotation..].find(default)?;
                match default.strip_prefix("Field(").and_then(|rest| rest.strip_suffix(')')) {
                    Some(given) if given.contains("alias") => return None,
                    Some(given) => {
                        let end = start + default.len() - 1;
                        let comma = if given.trim().is_empty() || given.trim_end().ends_with(',') { "" } else { ", " };
                        (end, end, format!("{comma}serialization_alias=\"{new}\""))
                    }
                    None => {
                        let field = format!("Field(default={default}, serialization_alias=\"{new}\")");
                        (start, start + default.len(), field)
                    }
                }
            }
        }];
        changes.extend(self.import_of_field()?);
        Some(changes)
    }

    /// What has `Field` imported beside other names of pydantic; nothing where it is.
    fn import_of_field(&self) -> Option<Vec<Change>> {
        const FROM: &str = "from pydantic import ";
        let at = if self.text.starts_with(FROM) { 0 } else { self.text.find(&format!("\n{FROM}"))? + 1 };
        let names = &self.text[at + FROM.len()..];
        let is_open = names.trim_start().starts_with('(');
        let names = if is_open { names.split_once(')')?.0 } else { names.lines().next()? };
        let names = names.split_once('#').map_or(names, |(names, _)| names).trim_end();
        if names.split([',', '(', ' ', '\n']).any(|name| name.trim() == "Field") {
            return Some(Vec::new());
        }
        let end = at + FROM.len() + names.trim_end_matches(',').len();
        Some(vec![(end, end, ", Field".to_owned())])
    }

    /// `public int Total { get; set; }` is declared with `[JsonPropertyName("sum")]`, a parameter of a record with
    /// `[property: JsonPropertyName("sum")]`.
    fn of_dotnet(&self, new: &str) -> Option<Vec<Change>> {
        let line = self.line_start();
        let (before, after) = (&self.text[line..self.start], self.text[self.end..].trim_start());
        let attribute = if self.text.contains("using Newtonsoft.Json") { "JsonProperty" } else { "JsonPropertyName" };
        let above = self.text[..line].lines().next_back().unwrap_or_default().trim();
        let said = if above.starts_with('[') { above } else { "" };
        if [before, said].iter().any(|it| it.contains("JsonProperty") || it.contains("DataMember")) {
            return None;
        }
        let indent = before.len() - before.trim_start().len();
        let change = if after.starts_with([',', ')', '=']) && !after.starts_with("=>") {
            let from = before.rfind(['(', ',']).map_or(indent, |at| at + 1);
            // A comma within `Dictionary<string, int>` separates no parameters.
            if before[from..].contains('>') && !before[from..].contains('<') {
                return None;
            }
            let gap = before[from..].len() - before[from..].trim_start().len();
            let at = line + from + gap;
            (at, at, format!("[property: {attribute}(\"{new}\")] "))
        } else if after.starts_with('{') || after.starts_with("=>") {
            let at = line + indent;
            (at, at, format!("[{attribute}(\"{new}\")]\n{}", &before[..indent]))
        } else {
            return None;
        };
        let mut changes = vec![change];
        if attribute == "JsonPropertyName" && !self.text.contains(USING.trim_end()) {
            changes.push((0, 0, USING.to_owned()));
        }
        Some(changes)
    }

    fn line_start(&self) -> usize {
        self.text[..self.start].rfind('\n').map_or(0, |at| at + 1)
    }
}

/// Whether what stands around a line is a class that other classes make a model of: no dictionary, tuple or data class.
fn is_model(above: &str, indent: usize) -> bool {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut lines = above.lines().rev().filter(|line| !line.trim().is_empty()).skip_while(|line| depth(line) >= indent);
    let Some(class) = lines.next().map(str::trim) else { return false };
    let is_decorated = lines.next().is_some_and(|line| line.trim_start().starts_with('@'));
    let bases = class.strip_prefix("class ").and_then(|rest| Some(rest.split_once('(')?.1));
    bases.is_some_and(|bases| !["TypedDict", "NamedTuple", "Enum"].iter().any(|it| bases.contains(it))) && !is_decorated
}

/// Where an annotation ends, and the default behind it; `None` where the line does not end with them.
fn parts(code: &str) -> Option<(usize, Option<&str>)> {
    let (mut depth, mut quote, mut equals) = (0_i32, None, None);
    for (at, c) in code.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '(' | '{') => depth += 1,
            (None, ']' | ')' | '}') => depth -= 1,
            (None, '=') if depth == 0 && equals.is_none() => equals = Some(at),
            (None, '\\' | ';') => return None,
            _ => {}
        }
    }
    if depth != 0 || quote.is_some() {
        return None;
    }
    let Some(at) = equals else { return Some((code.len(), None)) };
    let default = code[at + 1..].trim();
    (!default.is_empty()).then_some((at, Some(default)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text once the first member of this name is called `user_id` on the wire.
    fn renamed(text: &str, name: &str, dotnet: bool) -> Option<String> {
        let start = text.find(name)?;
        let field = Field { text, start, end: start + name.len() };
        let mut changes = if dotnet { field.of_dotnet("user_id") } else { field.of_pydantic("user_id") }?;
        changes.sort_by_key(|(start, ..)| std::cmp::Reverse(*start));
        let mut text = text.to_owned();
        for (start, end, new) in changes {
            text.replace_range(start..end, &new);
        }
        Some(text)
    }

    #[test]
    fn a_field_of_a_model_gets_an_alias() {
        let text =
            |import: &str, line: &str| format!("{import}\n\nclass User(BaseModel):\n    name: str\n\n    {line}\n");
        let with = "from pydantic import BaseModel, Field";
        for (line, after) in [
            ("userId: int", "userId: int = Field(serialization_alias=\"user_id\")"),
            ("userId: int  # of it", "userId: int = Field(serialization_alias=\"user_id\")  # of it"),
            ("userId: int | None = None", "userId: int | None = Field(default=None, serialization_alias=\"user_id\")"),
            (
                "userId: dict[str, int] = {}",
                "userId: dict[str, int] = Field(default={}, serialization_alias=\"user_id\")",
            ),
            ("userId: int = Field(gt=0)", "userId: int = Field(gt=0, serialization_alias=\"user_id\")"),
            ("userId: int = Field()", "userId: int = Field(serialization_alias=\"user_id\")"),
        ] {
            assert_eq!(renamed(&text(with, line), "userId", false), Some(text(with, after)), "{line}");
        }
        for (import, after) in [
            ("from pydantic import BaseModel", with),
            ("from pydantic import (BaseModel)", "from pydantic import (BaseModel, Field)"),
            ("from pydantic import (\n    BaseModel,\n)", "from pydantic import (\n    BaseModel, Field,\n)"),
        ] {
            let expected = text(after, "userId: int = Field(serialization_alias=\"user_id\")");
            assert_eq!(renamed(&text(import, "userId: int"), "userId", false), Some(expected), "{import}");
        }
        for line in ["userId: int = Field(alias=\"id\")", "userId: int = Field(", "userId = 1", "userId: int; b: int"] {
            assert_eq!(renamed(&text(with, line), "userId", false), None, "{line}");
        }
        let other = text(with, "userId: int");
        for (old, new) in
            [("BaseModel)", "TypedDict)"), ("class ", "@dataclass\nclass "), ("from pydantic", "from other")]
        {
            let from = if old == "BaseModel)" { "User(BaseModel)" } else { old };
            let to = if old == "BaseModel)" { format!("User({new}") } else { new.to_owned() };
            assert_eq!(renamed(&other.replace(from, &to), "userId", false), None, "{new}");
        }
    }

    #[test]
    fn a_property_gets_an_attribute() {
        let using = "using System.Text.Json.Serialization;\n";
        let class = |line: &str| format!("{using}public class User\n{{\n    {line}\n}}\n");
        let after = class("[JsonPropertyName(\"user_id\")]\n    public int UserId { get; set; }");
        assert_eq!(renamed(&class("public int UserId { get; set; }"), "UserId", true), Some(after));
        let record = format!("{using}public record User(int Id, string UserId);\n");
        let after =
            format!("{using}public record User(int Id, [property: JsonPropertyName(\"user_id\")] string UserId);\n");
        assert_eq!(renamed(&record, "UserId", true), Some(after));
        let plain = "public record User(string UserId);\n";
        let after = format!("{using}public record User([property: JsonPropertyName(\"user_id\")] string UserId);\n");
        assert_eq!(renamed(plain, "UserId", true), Some(after));
        let newtonsoft = "using Newtonsoft.Json;\nclass User\n{\n    public int UserId => 1;\n}\n";
        let after = newtonsoft.replace("public", "[JsonProperty(\"user_id\")]\n    public");
        assert_eq!(renamed(newtonsoft, "UserId", true), Some(after));
        for line in [
            "[JsonPropertyName(\"id\")] public int UserId { get; set; }",
            "[JsonPropertyName(\"id\")]\n    public int UserId { get; set; }",
            "public int UserId;",
        ] {
            assert_eq!(renamed(&class(line), "UserId", true), None, "{line}");
        }
        assert_eq!(renamed("record User(Dictionary<string, int> UserId);\n", "UserId", true), None);
    }
}
