//! Route templates of ASP.NET: `/items/{id:int}/{slug?}`, and which paths they are.
//!
//! Documents state a parameter by its name alone, and one that may be left out like any other. What is served without it
//! is a path of its own, which documents leave out.

use std::rc::Rc;

use crate::evaluate::Value;

/// Parts of a template that may be left out, of which paths are made; what a template of more serves is not known.
const MAX_SHORTER: usize = 64;

/// The paths that a template serves: first the one that documents state, then without the parts at its end that may be
/// left out. What is no text stays.
pub(super) fn served<'p>(template: &Value<'p>) -> Vec<Value<'p>> {
    let paths = |text: &str, make: fn(String) -> Value<'p>| {
        let Normal { path, shorter } = normalise(text);
        if shorter.len() > MAX_SHORTER {
            return vec![Value::Unknown("template has too many parts that may be left out", None)];
        }
        std::iter::once(path).chain(shorter).map(make).collect()
    };
    match template {
        Value::Str(text) => paths(text, Value::str),
        Value::Pattern(text) => paths(text, |path| Value::Pattern(Rc::from(path))),
        other => vec![other.clone()],
    }
}

/// A template of which only names of parameters are left.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Normal {
    /// With a slash in front, unless it is empty; that at the end is kept.
    pub(super) path: String,
    /// What it serves besides, without its last parts.
    pub(super) shorter: Vec<String>,
}

/// Takes a template apart. `~/`, which says that no prefix counts, is left out.
pub(super) fn normalise(template: &str) -> Normal {
    let template = template.strip_prefix('~').unwrap_or(template);
    let template = template.trim_start_matches('/');
    let mut path = String::with_capacity(template.len() + 1);
    // Where a part begins that may be left out, with the slash or dot before it; emptied by whatever may not.
    let mut optional: Vec<usize> = Vec::new();
    let mut chars = template.chars().peekable();
    if !template.is_empty() {
        path.push('/');
    }
    while let Some(c) = chars.next() {
        match c {
            // Doubled braces are braces.
            '{' if chars.next_if_eq(&'{').is_some() => {
                optional.clear();
                path.push_str("%7B");
            }
            '}' => {
                optional.clear();
                chars.next_if_eq(&'}');
                path.push_str("%7D");
            }
            '{' => {
                let parameter = parameter(&mut chars);
                let before = path.trim_end_matches(['/', '.']).len();
                if !parameter.optional {
                    optional.clear();
                } else if before < path.len() {
                    optional.push(before);
                }
                path.push('{');
                path.push_str(&parameter.name);
                path.push('}');
            }
            '/' | '.' => path.push(c),
            other => {
                optional.clear();
                path.push(other);
            }
        }
    }
    let shorter = optional.iter().rev().take(MAX_SHORTER + 1).map(|end| match &path[..*end] {
        "" => "/".to_owned(),
        before => before.to_owned(),
    });
    let shorter = shorter.collect();
    Normal { path, shorter }
}

struct Parameter {
    name: String,
    optional: bool,
    /// What its constraints say of its type.
    kind: Option<&'static str>,
}

/// The parameters of a template by name, each with the type of C# that its constraints stand for.
pub(super) fn parameters(template: &str) -> Vec<(String, Option<&'static str>)> {
    let mut found = Vec::new();
    let mut chars = template.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '{' && chars.next_if_eq(&'{').is_none() {
            let Parameter { name, kind, .. } = parameter(&mut chars);
            found.push((name, kind));
        }
    }
    found
}

/// `int`, `min(1)`: what a constraint lets pass.
fn kind_of(constraint: &str) -> Option<&'static str> {
    let name = constraint.split(['(', '=']).next().unwrap_or("").trim();
    let kinds = [
        ("int", "int"),
        ("long", "long"),
        ("min", "long"),
        ("max", "long"),
        ("range", "long"),
        ("bool", "bool"),
        ("guid", "Guid"),
        ("datetime", "DateTime"),
        ("decimal", "decimal"),
        ("double", "double"),
        ("float", "float"),
    ];
    kinds.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, kind)| *kind)
}

/// What stands between braces: `**name:constraint(…):other=default?`, where doubled braces are part of a constraint.
fn parameter(chars: &mut std::iter::Peekable<std::str::Chars>) -> Parameter {
    let mut inner = String::new();
    while let Some(c) = chars.next() {
        match c {
            '}' if chars.next_if_eq(&'}').is_none() => break,
            '{' => drop(chars.next_if_eq(&'{')),
            _ => {}
        }
        inner.push(c);
    }
    let bare = inner.trim_start_matches('*');
    let (name, rest) = bare.split_at(bare.find([':', '=', '?']).unwrap_or(bare.len()));
    let optional = bare.len() < inner.len() || rest.ends_with('?') || has_default(rest);
    let kind = rest.split(':').skip(1).find_map(|part| kind_of(part.trim_end_matches('?')));
    Parameter { name: name.trim().to_owned(), optional, kind }
}

/// Whether `=` stands outside of the arguments of constraints.
fn has_default(rest: &str) -> bool {
    let mut depth = 0_u32;
    rest.chars().any(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '=' && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::{normalise, parameters};

    #[test]
    fn constraints_say_what_a_parameter_is() {
        let kinds = |template: &str| parameters(template).into_iter().map(|(name, kind)| format!("{name} {kind:?}"));
        let found: Vec<String> =
            kinds(r"/a/{id:int}/{**rest}/{n:min(1)?}/{g:guid}/{r:regex(^\d{{3}}$)}/{{b}}/{d:alpha:long=1}").collect();
        let expected =
            ["id Some(\"int\")", "rest None", "n Some(\"long\")", "g Some(\"Guid\")", "r None", "d Some(\"long\")"];
        assert_eq!(found, expected);
    }

    #[test]
    fn parameters_are_stated_by_name_and_parts_that_may_be_left_out_are() {
        for (written, path, shorter) in [
            ("items/{id:int}", "/items/{id}", &[][..]),
            ("/items/{id:int:min(1)}/pic", "/items/{id}/pic", &[]),
            ("/a/{b}/{c?}", "/a/{b}/{c}", &["/a/{b}"]),
            ("{a=Home}/{b:alpha=Index}/{c:int?}", "/{a}/{b}/{c}", &["/{a}/{b}", "/{a}", "/"]),
            ("files/{**path}", "/files/{path}", &["/files"]),
            ("files/{*path:nonfile}", "/files/{path}", &["/files"]),
            ("files/{name}.{ext?}", "/files/{name}.{ext}", &["/files/{name}"]),
            (r"/s/{ssn:regex(^\d{{3}}-\d{{2}}=?$)}", "/s/{ssn}", &[]),
            ("v{version:apiVersion}/{id?}/x", "/v{version}/{id}/x", &[]),
            ("~/x/{id}", "/x/{id}", &[]),
            ("", "", &[]),
            ("/", "", &[]),
            ("x/", "/x/", &[]),
            ("/a{{b}}", "/a%7Bb%7D", &[]),
            ("/open{", "/open{}", &[]),
        ] {
            let normal = normalise(written);
            assert_eq!(
                (normal.path.as_str(), normal.shorter.as_slice()),
                (path, &shorter.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>()[..]),
                "{written}"
            );
        }
    }
}
