//! Shapes of records in a line of code: `name, active (bool), tags[]`, `{ start, mode: "bottle", amount? }`.

use crate::architect::code::balanced;
use crate::architect::notes::FieldNote;

use super::{apart, is_identifier, is_type, name_at, type_end, values};

/// The fields of a shape in this line; none where a part is no name.
pub(in crate::architect) fn of_shape(code: &str, line: u32) -> Vec<FieldNote> {
    let code = code.trim().trim_end_matches('.');
    let inner = code.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
    let mut found = Vec::new();
    for part in apart(inner.unwrap_or(code)) {
        let part = part.trim();
        if part.is_empty() || part.chars().all(|c| c == '.' || c == '…') {
            continue;
        }
        let (name, behind) = part.split_at(name_at(part).len());
        if !is_identifier(name) || !name.starts_with(|c: char| c.is_ascii_lowercase()) {
            return Vec::new();
        }
        let optional = behind.starts_with('?');
        let behind = behind.trim_start_matches(['?', '[', ']', ' ']);
        let said = match behind.chars().next() {
            None => "",
            Some('(') if balanced(behind, '(', ')') == Some(behind.len()) => &behind[1..behind.len() - 1],
            Some(':') => behind[1..].trim_start(),
            _ => return Vec::new(),
        };
        let kind = if is_type(said) { said[..type_end(said)].to_owned() } else { String::new() };
        let required = optional.then_some(false);
        found.push(FieldNote {
            name: name.to_owned(),
            kind,
            required,
            values: values(said),
            line,
            ..FieldNote::default()
        });
    }
    if found.len() >= 2 { found } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::of_shape;

    fn names(code: &str) -> Vec<String> {
        of_shape(code, 1).into_iter().map(|it| it.name).collect()
    }

    #[test]
    fn a_shape_lists_names_and_nothing_else() {
        assert_eq!(names("name, nameAr, tags[], active (bool)"), ["name", "nameAr", "tags", "active"]);
        assert_eq!(names("{ mode:\"a\"|…, amount?, rows: [{ id, n }], … }"), ["mode", "amount", "rows"]);
        assert!(names("get(a, b)").is_empty() && names("name").is_empty() && names("a = 1, b = 2").is_empty());
        assert!(names("SELECT a, b").is_empty() && names("{ }").is_empty());
    }
}
