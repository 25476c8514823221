//! Paths written as regular expressions: `^/users/(?P<id>\d+)/?$` is `/users/{id}`. An expression that stands for several
//! paths (`restart|interrupt`, an optional part) gives each of them.

use std::iter::Peekable;
use std::str::Chars;

use crate::evaluate::Evaluator;
use crate::text::Span;

/// Paths that one expression may stand for. Whoever asks is told that there are more ([`Paths::cut`]).
const MAX_PATHS: usize = 32;
/// Alternatives of a group that are told apart; a group of more is a parameter.
const MAX_ALTERNATIVES: usize = 8;
/// Groups within groups; a deeper one is a part that varies.
const MAX_DEPTH: u32 = 40;
/// Stands for a character that varies.
const VARIES: char = '\u{1}';
/// Opens and closes the name of a parameter while a path is put together.
const OPEN: char = '\u{2}';
const CLOSE: char = '\u{3}';
/// Around the name of a group before the text that was chosen for it, and after that text.
const CHOOSE: char = '\u{4}';
const CHOSEN: char = '\u{5}';

/// A path that an expression stands for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Path {
    /// Its parameters stand as `{name}`.
    pub(super) template: String,
    /// Groups of which this path has one of the alternatives.
    pub(super) chosen: Vec<(String, String)>,
}

/// The paths that an expression stands for.
#[derive(Debug, Default)]
pub(super) struct Paths {
    pub(super) list: Vec<Path>,
    /// There are more of them.
    cut: bool,
}

impl Paths {
    /// All of them; that there are more is told.
    pub(super) fn noted(self, evaluator: &mut Evaluator, site: Span) -> Vec<Path> {
        if self.cut {
            evaluator.cut("paths that one regular expression stands for, beyond the 32nd", Some(site));
        }
        self.list
    }
}

/// What frameworks make of the same expression.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    /// A group of which all alternatives are plain text is a path each, rather than a parameter.
    pub(super) choices: bool,
    /// A closing slash that may be left out is written.
    pub(super) closing_slash: bool,
}

/// The paths that an expression stands for.
pub(super) fn paths(pattern: &str, reading: Reading) -> Paths {
    let mut reader = Reader { chars: pattern.chars().peekable(), reading, groups: 0, depth: 0, cut: false };
    let mut list: Vec<Path> = reader.alternatives().into_iter().map(|path| finished(&path)).collect();
    let mut seen = rustc_hash::FxHashSet::default();
    list.retain(|path| seen.insert(path.template.clone()));
    Paths { list, cut: reader.cut }
}

struct Reader<'t> {
    chars: Peekable<Chars<'t>>,
    reading: Reading,
    /// Groups without a name so far.
    groups: u32,
    depth: u32,
    /// There are more paths than are told apart.
    cut: bool,
}

/// What a part of an expression may be, each as text.
type Options = Vec<String>;

impl Reader<'_> {
    /// `a|b`, up to the end of the group.
    fn alternatives(&mut self) -> Options {
        let mut all = self.sequence();
        while self.chars.next_if_eq(&'|').is_some() {
            all.extend(self.sequence());
            self.cut |= all.len() > MAX_PATHS;
            all.truncate(MAX_PATHS);
        }
        all
    }

    fn sequence(&mut self) -> Options {
        let mut whole = vec![String::new()];
        while let Some(next) = self.chars.peek() {
            if matches!(next, '|' | ')') {
                break;
            }
            let part = self.part();
            let part = self.quantified(part);
            self.cut |= whole.len() * part.len() > MAX_PATHS;
            whole = joined(&whole, &part);
        }
        whole
    }

    fn part(&mut self) -> Options {
        let one = |text: &str| vec![text.to_owned()];
        match self.chars.next() {
            None | Some('^' | '$') => one(""),
            Some('(') => self.group(),
            Some('[') => {
                self.class();
                one(&VARIES.to_string())
            }
            // A dot that stands alone is one: authors forget to escape it.
            Some('.') if !matches!(self.chars.peek(), Some('*' | '+' | '?' | '{')) => one("."),
            Some('.') => one(&VARIES.to_string()),
            Some('\\') => match self.chars.next() {
                Some('d' | 'D' | 'w' | 'W' | 's' | 'S') => one(&VARIES.to_string()),
                Some('b' | 'B' | 'A' | 'Z' | 'z') | None => one(""),
                Some(escaped) => one(&escaped.to_string()),
            },
            Some(plain) => one(&plain.to_string()),
        }
    }

    /// The rest of `[…]`.
    fn class(&mut self) {
        self.chars.next_if_eq(&'^');
        self.chars.next_if_eq(&']');
        while let Some(next) = self.chars.next() {
            match next {
                '\\' => drop(self.chars.next()),
                ']' => return,
                _ => {}
            }
        }
    }

    /// `?`, `*`, `+`, `{2,3}` after a part.
    fn quantified(&mut self, mut part: Options) -> Options {
        match self.chars.peek() {
            Some('?') => {
                // A closing slash does not tell paths apart.
                if part == ["/"] {
                    part = if matches!(self.after_next(), None | Some('$' | ')' | '|')) {
                        vec![if self.reading.closing_slash { "/" } else { "" }.to_owned()]
                    } else {
                        part
                    };
                } else if !part.iter().any(String::is_empty) {
                    part.push(String::new());
                }
            }
            // As often as it likes: what varies in itself may be left out without another path.
            Some('*' | '+') => {
                let varies = |text: &String| text.contains([VARIES, OPEN]);
                if !part.iter().any(varies) && part != ["/"] {
                    part = vec![VARIES.to_string()];
                }
            }
            Some('{') => {
                while self.chars.next().is_some_and(|next| next != '}') {}
                self.chars.next_if_eq(&'?');
                return part;
            }
            _ => return part,
        }
        self.chars.next();
        // Lazy and possessive ones mean the same here.
        while self.chars.next_if(|next| matches!(next, '?' | '+')).is_some() {}
        part
    }

    fn after_next(&self) -> Option<char> {
        let mut ahead = self.chars.clone();
        ahead.next();
        ahead.next()
    }

    fn group(&mut self) -> Options {
        if self.depth > MAX_DEPTH {
            self.skip_group();
            return vec![VARIES.to_string()];
        }
        let mut name = None;
        let mut captures = true;
        if self.chars.next_if_eq(&'?').is_some() {
            captures = false;
            match self.chars.next() {
                Some('P') => {
                    // `(?P=name)`
                    if self.chars.next() != Some('<') {
                        self.skip_group();
                        return vec![VARIES.to_string()];
                    }
                    name = Some(self.name('>'));
                    captures = true;
                }
                Some('<') if !matches!(self.chars.peek(), Some('=' | '!')) => {
                    name = Some(self.name('>'));
                    captures = true;
                }
                Some('=' | '!' | '<' | '#') => {
                    self.skip_group();
                    return vec![String::new()];
                }
                Some(':') => {}
                // `(?i)`, `(?i:…)`
                _ => loop {
                    match self.chars.next() {
                        Some(':') => break,
                        Some(')') | None => return vec![String::new()],
                        Some(_) => {}
                    }
                },
            }
        }
        if captures && name.is_none() {
            self.groups += 1;
        }
        let number = self.groups;
        self.depth += 1;
        let inner = self.alternatives();
        self.depth -= 1;
        self.chars.next_if_eq(&')');
        if !captures {
            return inner;
        }
        let is_plain = |text: &String| !text.contains([VARIES, OPEN, CHOOSE]) && !text.is_empty();
        let name = name.unwrap_or_else(|| format!("arg{number}"));
        if self.reading.choices && inner.len() <= MAX_ALTERNATIVES && inner.iter().all(is_plain) {
            return inner.iter().map(|text| format!("{CHOOSE}{name}{CHOOSE}{text}{CHOSEN}")).collect();
        }
        let begins = inner.iter().any(|text| text.starts_with('/'));
        let parameter = format!("{}{OPEN}{name}{CLOSE}", if begins { "/" } else { "" });
        let may_lack = begins && inner.iter().any(String::is_empty);
        if may_lack { vec![parameter, String::new()] } else { vec![parameter] }
    }

    fn name(&mut self, close: char) -> String {
        let mut name = String::new();
        for next in self.chars.by_ref() {
            if next == close {
                break;
            }
            name.push(next);
        }
        name
    }

    /// The rest of a group whose content does not matter.
    fn skip_group(&mut self) {
        let mut open = 1_u32;
        while let Some(next) = self.chars.next() {
            match next {
                '\\' => drop(self.chars.next()),
                '[' => self.class(),
                '(' => open += 1,
                ')' => {
                    open -= 1;
                    if open == 0 {
                        return;
                    }
                }
                _ => {}
            }
        }
    }
}

/// Every option of one part followed by every option of the next.
fn joined(before: &[String], after: &[String]) -> Options {
    let mut all = Vec::with_capacity(before.len() * after.len());
    for one in before {
        for two in after {
            if all.len() >= MAX_PATHS {
                return all;
            }
            all.push(format!("{one}{two}"));
        }
    }
    all
}

/// Runs of what varies become parameters of their own.
fn finished(path: &str) -> Path {
    let mut out = Path::default();
    let mut unnamed = 0_u32;
    let mut in_run = false;
    let mut chars = path.chars();
    // The group that is chosen for, and where its text begins.
    let mut choosing: Option<(String, usize)> = None;
    while let Some(c) = chars.next() {
        let text = &mut out.template;
        match c {
            VARIES if in_run || text.ends_with('}') => {}
            VARIES => {
                unnamed += 1;
                text.push_str("{wildcard");
                if unnamed > 1 {
                    text.push_str(&unnamed.to_string());
                }
                text.push('}');
            }
            OPEN => text.push('{'),
            CLOSE => text.push('}'),
            CHOOSE => {
                let name = chars.by_ref().take_while(|c| *c != CHOOSE).collect();
                choosing = Some((name, text.len()));
            }
            CHOSEN => {
                if let Some((name, from)) = choosing.take() {
                    out.chosen.push((name, out.template[from..].to_owned()));
                }
            }
            c => text.push(c),
        }
        in_run = c == VARIES;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Reading, paths};

    const READING: Reading = Reading { choices: true, closing_slash: false };

    fn templates(pattern: &str) -> Vec<String> {
        paths(pattern, READING).list.into_iter().map(|path| path.template).collect()
    }

    #[test]
    fn groups_become_parameters_and_choices_paths() {
        for (pattern, paths) in [
            (r"^/users/(?P<id>\d+)/?$", &["/users/{id}"][..]),
            (r"/a/([^/]+)/b/(\w+)", &["/a/{arg1}/b/{arg2}"]),
            (r"/k/(?P<id>\w+-\w+)/(?P<action>restart|interrupt)", &["/k/{id}/restart", "/k/{id}/interrupt"]),
            (r"/c(?P<path>(?:(?:/[^/]+)+|/?))/x", &["/c/{path}/x", "/c/x"]),
            (r"/users(?:/(\d+))?", &["/users/{arg1}", "/users"]),
            (r"/files/.*", &["/files/{wildcard}"]),
            (r"/v\d+/spec\.yaml", &["/v{wildcard}/spec.yaml"]),
            (r"/api/?", &["/api"]),
            (r"/api/?(.*)", &["/api/{arg1}"]),
            (r"/(?!static)(?P<slug>[-a-z0-9]+)", &["/{slug}"]),
            (r"(?i)/plain.json", &["/plain.json"]),
            (r"/[a-z][a-z0-9]*/x", &["/{wildcard}/x"]),
            (r"/broken/([a-z", &["/broken/{arg1}"]),
        ] {
            assert_eq!(templates(pattern), paths, "{pattern}");
        }
    }

    #[test]
    fn what_was_chosen_is_told() {
        let found = paths("/(?P<id>[0-9]+)/(?P<action>start|stop)", READING).list;
        assert_eq!(found[1].template, "/{id}/stop");
        assert_eq!(found[1].chosen, [("action".to_owned(), "stop".to_owned())]);
    }

    #[test]
    fn nothing_that_is_nested_or_repeated_makes_it_stop() {
        let deep = format!("{}a{}", "(".repeat(2_000), ")".repeat(2_000));
        assert_eq!(templates(&deep).len(), 1);
        assert!(templates(&"(a|b|c)".repeat(200)).len() <= 32);
        assert!(templates(&"(?:a|b)?".repeat(200)).len() <= 32);
        assert!(paths(&"(?:a|b)?".repeat(200), READING).cut && !paths("(?:a|b)?", READING).cut);
    }
}
