//! Path templates: `/users/{id}` compared with parameter names ignored.

/// A path template, split into segments. Every parameter syntax of a framework is turned into `{name}` before.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathTemplate {
    text: String,
}

impl PathTemplate {
    /// Takes a template with `{name}` parameters; a converter (`{id:int}`, `{path:path}`) is dropped, doubled slashes
    /// are joined, a leading slash is added.
    pub fn new(text: &str) -> Self {
        let mut out = String::with_capacity(text.len() + 1);
        out.push('/');
        let mut depth = 0_u32;
        let mut in_converter = false;
        for c in text.chars() {
            match c {
                '{' => {
                    depth += 1;
                    in_converter = false;
                    out.push(c);
                }
                '}' => {
                    depth = depth.saturating_sub(1);
                    in_converter = false;
                    out.push(c);
                }
                ':' if depth > 0 => in_converter = true,
                _ if in_converter => {}
                '/' if depth == 0 && out.ends_with('/') => {}
                _ => out.push(c),
            }
        }
        PathTemplate { text: out }
    }

    /// The template with its parameter names, `/users/{id}`; a trailing slash is kept.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What two templates have in common when they are the same route: names replaced by `{}`, no trailing slash.
    pub fn key(&self) -> String {
        let mut out = String::with_capacity(self.text.len());
        let mut depth = 0_u32;
        for c in self.text.chars() {
            match c {
                '{' => {
                    depth += 1;
                    out.push('{');
                }
                '}' => {
                    depth = depth.saturating_sub(1);
                    out.push('}');
                }
                _ if depth > 0 => {}
                _ => out.push(c),
            }
        }
        while out.len() > 1 && out.ends_with('/') {
            out.pop();
        }
        out
    }

    /// Names of the parameters in order.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.text.split('{').skip(1).filter_map(|rest| rest.split('}').next())
    }

    /// `prefix` + this template.
    #[must_use]
    pub fn under(&self, prefix: &str) -> Self {
        PathTemplate::new(&format!("{}{}", prefix.trim_end_matches('/'), self.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_converters_and_trailing_slashes_do_not_count() {
        assert_eq!(PathTemplate::new("users/{user_id:int}/").key(), "/users/{}");
        assert_eq!(PathTemplate::new("/users/{id}").key(), PathTemplate::new("/users/{userId}").key());
        assert_eq!(PathTemplate::new("/").key(), "/");
        assert_eq!(PathTemplate::new("").key(), "/");
        assert_eq!(PathTemplate::new("//a//b").key(), "/a/b");
        assert_eq!(PathTemplate::new("/f/{p:path}/x{n}").parameters().collect::<Vec<_>>(), ["p", "n"]);
        assert_eq!(PathTemplate::new("/b").under("/a/").text(), "/a/b");
    }

    proptest::proptest! {
        /// Any text is a template, whose key is its own key's.
        #[test]
        fn any_text_is_a_template(text in "[a-zü/{}:<>*?.$%~\\[\\]()| -]{0,24}") {
            let template = PathTemplate::new(&text);
            let key = template.key();
            proptest::prop_assert_eq!(PathTemplate::new(&key).key(), key);
            proptest::prop_assert!(template.parameters().count() <= text.len());
        }
    }
}
