//! Types that name their module where they stand, with arguments or an index: `import("m").Name<A>`. The grammar knows them
//! without alone, and takes the rest of the file for a broken one. The same with members of types that are called like modifiers.

use crate::model::program::{Arg, Expr, ExprKind};
use crate::text::Span;

const IMPORT: &str = "import(";
/// Words that the grammar takes for modifiers wherever a member may begin.
const MODIFIERS: [&str; 2] = ["abstract", "accessor"];

/// A text in which the `import("m")` of each such type, and each member of [`MODIFIERS`], is a name of the same length, so that every
/// place stays where it is; `None` where there are none.
pub(super) fn named(text: &str) -> Option<String> {
    let mut named: Option<String> = None;
    for (start, word) in MODIFIERS.iter().flat_map(|word| text.match_indices(word)) {
        let end = start + word.len();
        if !text[..start].ends_with(is_word) && is_member(&text[end..]) {
            named.get_or_insert_with(|| text.to_owned()).replace_range(end - 1..end, "_");
        }
    }
    for (start, _) in text.match_indices(IMPORT) {
        let before = text[..start].chars().next_back();
        if before.is_some_and(|before| is_word(before) || before == '.') {
            continue;
        }
        let Some((module, members)) = specifier(&text[start..]) else { continue };
        let end = start + IMPORT.len() + module.len() + "'')".len();
        if takes_arguments(members) {
            let name = text[start..end].bytes().map(|byte| if is_word(byte as char) { byte as char } else { '_' });
            let name: String = name.collect();
            named.get_or_insert_with(|| text.to_owned()).replace_range(start..end, &name);
        }
    }
    named
}

/// What a name stands for that hides `import("m")`.
pub(super) fn hidden(source: &str, span: Span) -> Option<ExprKind> {
    let (module, _) = specifier(source)?;
    let part = |kind| Expr { span, kind };
    let module = part(ExprKind::Str { text: module.to_owned(), as_type: None });
    let callee = Box::new(part(ExprKind::Name("import".to_owned())));
    Some(ExprKind::Call { callee, types: Vec::new(), args: vec![Arg::Positional(module)] })
}

/// `m` of `import("m")`, and what follows it.
fn specifier(text: &str) -> Option<(&str, &str)> {
    let quoted = text.strip_prefix(IMPORT)?;
    let quote = quoted.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let (module, after) = quoted[1..].split_once(quote)?;
    Some((module, after.strip_prefix(')').filter(|_| !module.contains(['\n', '\\']))?))
}

/// `: string` or `?: string` behind the name of a member.
fn is_member(after: &str) -> bool {
    let after = after.trim_start_matches([' ', '\t']);
    after.strip_prefix('?').unwrap_or(after).trim_start_matches([' ', '\t']).starts_with(':')
}

/// `.Name.Other<`, `.Name[`
fn takes_arguments(members: &str) -> bool {
    let mut rest = members;
    while let Some(member) = rest.strip_prefix('.') {
        rest = member.trim_start_matches(is_word);
    }
    rest.len() < members.len() && rest.starts_with(['<', '['])
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$')
}
