//! Addresses as far as they are known: host, path and query apart, put together from a base and what is asked below it.

use std::rc::Rc;

use crate::evaluate::{Evaluator, Noted, UNKNOWN_PART, Value};
use crate::finding::Reason;
use crate::model::{Parameter, PathTemplate, Url};
use crate::text::Span;

/// Names that are given in a query.
#[derive(Clone, Default)]
pub(super) struct Query<'p> {
    pub(super) given: Vec<(String, Value<'p>)>,
    /// Those that the type of an object says.
    pub(super) typed: Vec<Parameter>,
    /// Why there may be others.
    pub(super) more: Option<Reason>,
}

impl<'p> Query<'p> {
    /// What a client is given as parameters: an object, or what a library makes of one and of further pairs.
    pub(super) fn add(&mut self, evaluator: &mut Evaluator<'p>, given: &Value<'p>, site: Span) {
        match given {
            Value::None => {}
            Value::Dict(dict) => {
                let dict = dict.borrow().clone();
                for (key, value) in &dict.entries {
                    match key {
                        Value::Str(name) => self.given.push((name.to_string(), value.clone())),
                        _ => self.leave_open("the name of a query parameter is not known", site),
                    }
                }
                if dict.open {
                    self.leave_open("more may be in the object of query parameters", site);
                }
            }
            // `new URLSearchParams({ a, b })`, `new HttpParams({ fromObject }).set("a", b)`
            Value::Made(made) => {
                if let Some(receiver) = &made.receiver {
                    self.add(evaluator, receiver, site);
                }
                let first = made.args.positional.first();
                match (made.path.ends_with("().set") || made.path.ends_with("().append"), first) {
                    (true, Some(Value::Str(name))) => {
                        let value = made.args.positional.get(1).cloned().unwrap_or(Value::None);
                        self.given.push((name.to_string(), value));
                    }
                    (true, _) => self.leave_open("the name of a query parameter is not known", site),
                    (false, Some(options)) => {
                        let named = evaluator.member(options, "fromObject", Some(site));
                        let given = if matches!(named, Value::Dict(_)) { named } else { options.clone() };
                        self.add(evaluator, &given, site);
                    }
                    (false, None) => {}
                }
                // It may be added to afterwards.
                self.leave_open("more may be added to the query parameters", site);
            }
            _ => self.leave_open("the query parameters are not known", site),
        }
    }

    fn leave_open(&mut self, why: &str, site: Span) {
        self.more.get_or_insert_with(|| Reason::new(why, Some(site)));
    }

    /// `a=1&b=…`
    fn read(&mut self, text: &str, site: Span) {
        for part in text.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            if name.contains(UNKNOWN_PART) {
                self.leave_open("a part of the query is not known", site);
            } else {
                let known = !value.contains(UNKNOWN_PART);
                let value = if known { Value::str(value) } else { Value::Unknown("a part of an address", Some(site)) };
                self.given.push((name.to_owned(), value));
            }
        }
    }
}

/// The text of an address; parts that are not known stand as [`UNKNOWN_PART`].
pub(super) fn text_of(value: &Value) -> Option<Rc<str>> {
    match value {
        Value::Str(text) | Value::Pattern(text) => Some(text.clone()),
        // `new URL("/users", base)`, `new Uri(…)`: its query may be set afterwards.
        Value::Made(made) if matches!(made.name(), "URL" | "Uri" | "Url" | "new") => {
            let first = text_of(made.args.positional.first()?)?;
            let whole = match made.args.positional.get(1) {
                Some(base) => text_of(&joined(Some(base), &Value::Str(first), true))?,
                None => first,
            };
            let open = made.name() == "URL" && !whole.contains('?');
            Some(if open { Rc::from(format!("{whole}?{UNKNOWN_PART}")) } else { whole })
        }
        _ => None,
    }
}

/// An address below a base. With `at_root`, a path that begins with a slash begins at the host.
pub(super) fn joined<'p>(base: Option<&Value<'p>>, url: &Value<'p>, at_root: bool) -> Value<'p> {
    let Some(base) = base.filter(|base| !matches!(base, Value::None)) else { return url.clone() };
    let Some(text) = text_of(url) else { return url.clone() };
    if text.contains("://") || text.starts_with("//") || text.starts_with(UNKNOWN_PART) {
        return url.clone();
    }
    let unknown = UNKNOWN_PART.to_string();
    let known = text_of(base);
    let base: &str = known.as_deref().unwrap_or(&unknown);
    let base = base.split(['?', '#']).next().unwrap_or_default();
    let host_ends = base.find("://").and_then(|at| base[at + 3..].find('/').map(|end| at + 3 + end));
    let base = match host_ends {
        Some(end) if at_root && text.starts_with('/') => &base[..end],
        _ => base.trim_end_matches('/'),
    };
    let whole = if text.is_empty() || text.starts_with('?') {
        format!("{base}{text}")
    } else {
        format!("{base}/{}", text.trim_start_matches('/'))
    };
    if whole.contains(UNKNOWN_PART) { Value::Pattern(Rc::from(whole)) } else { Value::str(whole) }
}

/// An address as far as it is known, and what is in its query.
pub(super) fn url_of<'p>(target: &Value<'p>, noted: &Noted<'p>) -> (Result<Url, Reason>, Query<'p>) {
    let mut query = Query::default();
    let Some(text) = text_of(target) else {
        let reason = match target {
            Value::Unknown(why, place) => Reason::new(*why, place.or(Some(noted.site))),
            other => Reason::new(format!("the address is {}", other.describe()), Some(noted.site)),
        };
        return (Err(reason), query);
    };
    let text = text.split('#').next().unwrap_or_default();
    let (mut text, asked) = text.split_once('?').unwrap_or((text, ""));
    query.read(asked, noted.site);
    // `/users${query}`: what follows a name is a query, if it is anything.
    if let Some(rest) = text.strip_suffix(UNKNOWN_PART)
        && rest.ends_with(|c: char| c.is_alphanumeric())
        && rest.contains('/')
    {
        text = rest;
        query.leave_open("the end of the address is not known", noted.site);
    }
    let (host, path, whole) = match text.split_once("://") {
        Some((scheme, rest)) => {
            let end = rest.find('/').unwrap_or(rest.len());
            if rest[..end].contains(UNKNOWN_PART) {
                (None, &rest[end..], false)
            } else {
                (Some(format!("{scheme}://{}", &rest[..end])), &rest[end..], true)
            }
        }
        None => match text.strip_prefix(UNKNOWN_PART) {
            // A base that ends in a slash may stand right before a name.
            Some(rest) => (None, rest, false),
            None => (None, text, true),
        },
    };
    let mut number = 0;
    let segments = path.split('/').map(|segment| {
        // `/users/{id}`: a template that the client fills in.
        if segment.contains(UNKNOWN_PART) || segment.contains(['{', '}']) {
            number += 1;
            format!("{{p{number}}}")
        } else {
            segment.to_owned()
        }
    });
    let path = segments.collect::<Vec<_>>().join("/");
    (Ok(Url { host, whole, path: PathTemplate::new(&path) }), query)
}
