//! Addresses as Django writes them, as templates: `<int:pk>`, and regular expressions with named groups.

/// Templates that one pattern may stand for.
const MAX_VARIANTS: usize = 16;

/// `users/<int:pk>/` is `users/{pk}/`.
pub(super) fn of_path(route: &str) -> String {
    let mut out = String::with_capacity(route.len());
    let mut rest = route;
    while let Some(at) = rest.find('<') {
        let Some(end) = rest[at..].find('>') else { break };
        let inside = &rest[at + 1..at + end];
        let name = inside.rsplit_once(':').map_or(inside, |(_, name)| name).trim();
        out.push_str(&rest[..at]);
        out.push('{');
        out.push_str(name);
        out.push('}');
        rest = &rest[at + end + 1..];
    }
    out.push_str(rest);
    out
}

/// The templates of a regular expression: named groups are parameters, what may be left out is there and is not.
pub(super) fn of_regex(regex: &str) -> Vec<String> {
    let chars: Vec<char> = regex.chars().collect();
    let mut reader = Reader { chars: &chars, at: 0, unnamed: 0 };
    let mut found = reader.alternatives();
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|text| seen.insert(text.clone()));
    found
}

struct Reader<'c> {
    chars: &'c [char],
    at: usize,
    unnamed: u32,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    /// Up to the end of the group that is open.
    fn alternatives(&mut self) -> Vec<String> {
        let mut all = Vec::new();
        loop {
            all.extend(self.sequence());
            if self.peek() != Some('|') {
                break;
            }
            self.at += 1;
        }
        all.truncate(MAX_VARIANTS);
        all
    }

    fn sequence(&mut self) -> Vec<String> {
        let mut so_far = vec![String::new()];
        while let Some(c) = self.peek() {
            if matches!(c, '|' | ')') {
                break;
            }
            self.at += 1;
            let parts: Vec<String> = match c {
                '^' | '$' => continue,
                '\\' => {
                    let Some(next) = self.peek() else { break };
                    self.at += 1;
                    match next {
                        'A' | 'Z' | 'z' | 'b' | 'B' => continue,
                        'd' | 'w' | 'W' | 'D' | 's' | 'S' => vec![self.nameless()],
                        literal => vec![literal.to_string()],
                    }
                }
                '(' => self.group(),
                '[' => {
                    self.class();
                    vec![self.nameless()]
                }
                '.' => match self.peek() {
                    Some('*' | '+') => vec![self.nameless()],
                    _ => vec![".".to_owned()],
                },
                literal => vec![literal.to_string()],
            };
            let optional = self.repetition();
            let mut next = Vec::new();
            for before in &so_far {
                // A slash that may be left out is one.
                if optional && parts != ["/"] {
                    next.push(before.clone());
                }
                next.extend(parts.iter().map(|part| format!("{before}{part}")));
            }
            next.truncate(MAX_VARIANTS);
            so_far = next;
        }
        so_far
    }

    /// After `(`.
    fn group(&mut self) -> Vec<String> {
        let start = self.at;
        let rest: String = self.chars[start..].iter().take(3).collect();
        if rest.starts_with("?P<") {
            self.at += 3;
            let name: String = self.chars[self.at..].iter().take_while(|c| **c != '>').collect();
            self.at += name.chars().count() + 1;
            self.skip();
            return vec![format!("{{{name}}}")];
        }
        let found = if rest.starts_with("?:") {
            self.at += 2;
            self.alternatives()
        } else if rest.starts_with('?') {
            // What is looked ahead at is no part of the address.
            self.skip();
            return vec![String::new()];
        } else {
            self.skip();
            return vec![self.nameless()];
        };
        if self.peek() == Some(')') {
            self.at += 1;
        }
        found
    }

    /// To behind the end of the group that is open.
    fn skip(&mut self) {
        let mut depth = 1_u32;
        while let Some(c) = self.peek() {
            self.at += 1;
            match c {
                '\\' => self.at += 1,
                '[' => self.class(),
                '(' => depth += 1,
                ')' => {
                    depth -= 1;
                    if depth == 0 {
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    /// After `[`.
    fn class(&mut self) {
        let mut first = true;
        while let Some(c) = self.peek() {
            self.at += 1;
            match c {
                '\\' => self.at += 1,
                '^' if first => continue,
                ']' if !first => return,
                _ => {}
            }
            first = false;
        }
    }

    /// What follows a part; whether the part may be left out.
    fn repetition(&mut self) -> bool {
        let mut optional = false;
        while let Some(c) = self.peek() {
            match c {
                '?' | '*' => optional = true,
                '+' => {}
                '{' => {
                    let length = self.chars[self.at..].iter().take_while(|c| **c != '}').count();
                    self.at += length;
                }
                _ => break,
            }
            self.at += 1;
        }
        optional
    }

    fn nameless(&mut self) -> String {
        self.unnamed += 1;
        if self.unnamed == 1 { "{var}".to_owned() } else { format!("{{var{}}}", self.unnamed) }
    }
}

#[cfg(test)]
mod tests {
    use super::{of_path, of_regex};

    #[test]
    fn converters_become_parameters() {
        for (written, template) in [
            ("users/<int:pk>/", "users/{pk}/"),
            ("<slug>/x", "{slug}/x"),
            ("a/<path:rest>", "a/{rest}"),
            ("plain", "plain"),
            ("a<b", "a<b"),
        ] {
            assert_eq!(of_path(written), template);
        }
    }

    #[test]
    fn groups_become_parameters_and_what_may_be_left_out_is_both() {
        for (written, templates) in [
            (r"^users/(?P<pk>\d+)/$", vec!["users/{pk}/"]),
            (r"^sw\.js$", vec!["sw.js"]),
            (r"^logout/?$", vec!["logout/"]),
            (r"^(?P<a>[^/.]+)/(?P<b>(x|y))$", vec!["{a}/{b}"]),
            (r"^x(?:/(?P<id>[0-9]{4}))?$", vec!["x", "x/{id}"]),
            (r"^(?:a|b)/c", vec!["a/c", "b/c"]),
            (r"^f/(.*)$", vec!["f/{var}"]),
            (r"^", vec![""]),
            (r"^v\d+/(", vec!["v{var}/{var2}"]),
        ] {
            assert_eq!(of_regex(written), templates, "{written}");
        }
    }
}
