//! Text that could not be parsed, and whether it may register routes: whoever leaves a line of a chain behind that only
//! describes an operation has hidden no other.

use super::harmless::{SERVING, registers_nothing, words_of};

/// First words of calls that say something of a route which another call registers.
const DESCRIBING: &[&str] =
    &["accepts", "allow", "disable", "exclude", "has", "produces", "require", "requires", "with"];
/// What stands before a bracket and calls nothing.
const NO_CALLS: &[&str] = &[
    "and", "await", "catch", "for", "foreach", "if", "in", "nameof", "not", "or", "return", "sizeof", "switch",
    "throw", "typeof", "while",
];
/// Longer chains are not looked through.
const MAX_CHAIN: usize = 20_000;

/// Whether the part of a text that could not be parsed may register a route: holds a call that is not known to register
/// none, a decorator or attribute, a path, half of a pair of brackets, or an item of a list.
pub fn may_register(text: &str, start: usize, end: usize) -> bool {
    let (Some(before), Some(place), Some(after)) = (text.get(..start), text.get(start..end), text.get(end..)) else {
        return true;
    };
    let is_item = before.trim_end().ends_with([',', '[']) || after.trim_start().starts_with([',', ']']);
    let says_nothing = place.trim().is_empty();
    if says_nothing || (is_item && place.contains(char::is_alphabetic)) {
        return true;
    }
    let chain = if place.trim_end().ends_with('.') { chain(after) } else { Some("") };
    chain.is_none_or(|chain| holds_route(place) || holds_route(chain))
}

/// The rest of a chain of calls that begins behind its dot; `None` where it does not end.
fn chain(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let mut quote = None;
    for (at, char) in text.char_indices().take(MAX_CHAIN) {
        match (quote, char) {
            (Some(open), _) if char == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(char),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') if depth == 0 => return Some(&text[..at]),
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ';') if depth == 0 => return Some(&text[..at]),
            (None, '\n') if depth == 0 && !text[at..].trim_start().starts_with(['.', '?']) => return Some(&text[..at]),
            _ => {}
        }
    }
    (depth == 0 && quote.is_none() && text.chars().nth(MAX_CHAIN).is_none()).then_some(text)
}

fn holds_route(text: &str) -> bool {
    let mut open: Vec<char> = Vec::new();
    let mut letters = text.char_indices().peekable();
    while let Some((at, char)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        match char {
            '@' if next.is_some_and(char::is_alphabetic) => return true,
            '"' | '\'' | '`' if matches!(next, Some('/' | '^')) => return true,
            '"' | '\'' | '`' if letters.by_ref().any(|(_, other)| other == char) => {}
            '"' | '\'' | '`' => return true,
            '[' if next.is_some_and(char::is_uppercase) => return true,
            '(' | '[' | '{' => {
                if char == '(' && calls(&text[..at]) {
                    return true;
                }
                open.push(char);
            }
            ')' | ']' | '}' => {
                let wanted = match char {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                if open.pop() != Some(wanted) {
                    return true;
                }
            }
            _ => {}
        }
    }
    !open.is_empty()
}

/// Whether what stands before a bracket is a call that may register something.
fn calls(before: &str) -> bool {
    let before = before.trim_end();
    let before = match before.strip_suffix('>').and_then(|generic| generic.rfind('<')) {
        Some(at) => before[..at].trim_end(),
        None => before,
    };
    let start = before.rfind(|char: char| !char.is_alphanumeric() && char != '_').map_or(0, |at| at + 1);
    // A name may end in a letter of several bytes.
    let name = before.get(start..).unwrap_or(before);
    if name.is_empty() {
        return before.ends_with([')', ']', '>']);
    }
    let words = words_of(name);
    let describes = words.iter().find(|word| **word != name.to_lowercase()).or(words.first());
    let describes = describes.is_some_and(|word| DESCRIBING.contains(&word.as_str()));
    let serves = words.iter().any(|word| SERVING.contains(&word.as_str()));
    !NO_CALLS.contains(&name) && !registers_nothing(name) && (serves || !describes)
}

#[cfg(test)]
mod tests {
    use super::may_register;

    #[test]
    fn what_could_not_be_parsed_registers_routes_only_if_it_may_hold_some() {
        for (text, expected) in [
            // What describes a route whose registration is gone.
            ("api;\n «.»WithName(\"X\")\n .WithSummary(\"y (z\").Produces<Pet[]>(200);\nF();", false),
            ("«.»RequireAuthorization().AllowAnonymous()\napp.get('/x')", false),
            ("«.»WithName(nameof(X));", false),
            ("«.»listen(3000);", false),
            ("f() { «y = = 5;» }", false),
            ("f() { «x if (y)» }", false),
            // What may be one.
            ("«.»get('/x', handler)", true),
            ("«.»WithName(\"X\")\n .MapGet(\"/y\", F);", true),
            ("«.»WithRouter(r);", true),
            ("«.»WithName(\"X\"", true),
            ("«app.get(\"x\")»", true),
            ("«@app.get» x", true),
            ("«[HttpGet]»", true),
            ("«(r'/x', Handler)»", true),
            ("[a, «b» c]", true),
            ("f()«}»", true),
            ("f(«»", true),
            ("«f()()»", true),
            ("«'x»", true),
        ] {
            let start = text.find('«').expect("a place begins");
            let end = text.find('»').expect("a place ends") - '«'.len_utf8();
            assert_eq!(may_register(&text.replace(['«', '»'], ""), start, end), expected, "{text}");
        }
    }
}
