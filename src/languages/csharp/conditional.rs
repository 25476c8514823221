//! Conditional compilation where the grammar has no place for it, such as in the middle of an expression: the text with
//! one way taken and every other blanked, in which each byte stays where it is.

/// A condition that is open.
struct Open {
    /// What is around it is compiled.
    outside: bool,
    /// One of its branches was compiled already.
    taken: bool,
    active: bool,
}

/// The text that one compilation sees; none where there is nothing to decide.
pub(super) fn one_way(text: &str) -> Option<String> {
    let mut open: Vec<Open> = Vec::new();
    let mut out = String::with_capacity(text.len());
    let mut decided = false;
    for line in text.split_inclusive('\n') {
        let directive = line.trim_start().strip_prefix('#').map_or("", str::trim_start);
        let word = directive.split(|char: char| !char.is_ascii_alphabetic()).next().unwrap_or("");
        let condition = directive.get(word.len()..).unwrap_or("");
        match word {
            "if" => {
                let outside = open.last().is_none_or(|open| open.active);
                let active = outside && holds(condition);
                open.push(Open { outside, taken: active, active });
            }
            "elif" | "else" => {
                if let Some(last) = open.last_mut() {
                    last.active = last.outside && !last.taken && (word == "else" || holds(condition));
                    last.taken |= last.active;
                }
            }
            "endif" => {
                open.pop();
            }
            _ => {
                match open.last() {
                    Some(open) if !open.active => blank(line, &mut out),
                    _ => out.push_str(line),
                }
                continue;
            }
        }
        decided = true;
        blank(line, &mut out);
    }
    decided.then_some(out)
}

fn blank(line: &str, out: &mut String) {
    out.extend(line.bytes().map(|byte| if matches!(byte, b'\r' | b'\n') { byte as char } else { ' ' }));
}

/// Whether a release for a current platform defines what is asked for. Parentheses are not looked at.
fn holds(condition: &str) -> bool {
    let condition = condition.split("//").next().unwrap_or("");
    let one = |term: &str| {
        let word = term.trim_matches(|char: char| !char.is_ascii_alphanumeric() && char != '_');
        let negated = term.bytes().filter(|byte| *byte == b'!').count() % 2 == 1;
        is_defined(word) != negated
    };
    condition.split("||").any(|terms| terms.split("&&").all(one))
}

fn is_defined(symbol: &str) -> bool {
    let version = symbol.strip_prefix("NET").and_then(|rest| rest.strip_prefix("COREAPP").or(Some(rest)));
    matches!(symbol, "true" | "RELEASE" | "NET" | "NETCOREAPP")
        || version
            .is_some_and(|rest| rest.starts_with(|char: char| char.is_ascii_digit()) && rest.ends_with("_OR_GREATER"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_branch_stays_in_its_place() {
        assert_eq!(one_way("class A { }"), None);
        for (condition, first) in [
            ("true", true),
            ("DEBUG", false),
            ("!DEBUG && !WINDOWS", true),
            ("NET7_0_OR_GREATER", true),
            ("NETSTANDARD2_0", false),
            ("NETFRAMEWORK || NETCOREAPP", true),
        ] {
            let text = format!("f(\n#if {condition}\n  é\n#else\n  2\n#endif\n)");
            let way = one_way(&text).expect("there is a condition");
            assert_eq!(way.len(), text.len());
            assert_eq!(way.split_whitespace().collect::<String>(), if first { "f(é)" } else { "f(2)" }, "{condition}");
            assert_eq!(way.find(')'), text.find(')'));
        }
        let nested =
            one_way("#if A\n#if true\n1\n#endif\n#elif true\n2\n#else\n3\n#endif\n#endif").expect("conditions");
        assert_eq!(nested.trim(), "2");
    }
}
