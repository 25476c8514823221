//! `next.config.js`: the prefix of all paths, and paths that lead to others.

use super::files;
use crate::evaluate::{Args, Evaluator, Value};
use crate::text::Span;

#[derive(Default)]
pub(super) struct Settings<'p> {
    /// `basePath`
    pub(super) base_path: Option<Value<'p>>,
    pub(super) rewrites: Rewrites,
}

/// Pairs of the path that is asked for and the one that answers, without `:` parameters unless both end with the same.
#[derive(Default)]
pub(super) struct Rewrites(Vec<(String, String)>);

/// Values within values that are searched for the settings; that there are deeper ones is told.
const MAX_DEPTH: u32 = 6;

pub(super) fn read<'p>(evaluator: &mut Evaluator<'p>, root: &str) -> Settings<'p> {
    let Some(module) = files::config(evaluator.index, root) else { return Settings::default() };
    let file = evaluator.file_of(module);
    evaluator.start(file);
    let Some(exported) = evaluator.module_name(module, "default") else { return Settings::default() };
    let site = Span { start: 0, end: 0, file };
    let mut settings = Settings::default();
    let Some(Value::Dict(options)) = dict(evaluator, &exported, site, 0) else { return settings };
    settings.base_path = options.borrow().get_str("basePath").filter(|path| !matches!(path, Value::None)).cloned();
    let rewrites = options.borrow().get_str("rewrites").cloned();
    if let Some(function) = rewrites {
        let made = evaluator.call_always(&function, Args::default(), site);
        collect(&made, &mut settings.rewrites.0);
    }
    settings
}

/// The options in whatever a configuration exports: an object, a function, what plugins make of one.
fn dict<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>, site: Span, depth: u32) -> Option<Value<'p>> {
    if depth > MAX_DEPTH {
        evaluator.cut("what the settings of an application are made of, more than 6 values deep", Some(site));
        return None;
    }
    match value {
        Value::Dict(_) => Some(value.clone()),
        Value::Function(_) | Value::Bound(..) => {
            let made = evaluator.call_always(value, Args::default(), site);
            dict(evaluator, &made, site, depth + 1)
        }
        Value::Made(made) => {
            let args: Vec<Value<'p>> = made.args.positional.clone();
            let found: Vec<Value<'p>> =
                args.iter().filter_map(|value| dict(evaluator, value, site, depth + 1)).collect();
            let tells = |value: &Value| match value {
                Value::Dict(dict) => {
                    dict.borrow().get_str("basePath").is_some() || dict.borrow().get_str("rewrites").is_some()
                }
                _ => false,
            };
            found.iter().find(|value| tells(value)).or(found.first()).cloned()
        }
        _ => None,
    }
}

/// `[{ source, destination }]`, or such lists by when they are tried.
fn collect(value: &Value, out: &mut Vec<(String, String)>) {
    if let Value::Dict(dict) = value {
        for (_, list) in &dict.borrow().entries {
            if list.elements().is_some() {
                collect(list, out);
            }
        }
    }
    for entry in value.elements().unwrap_or_default() {
        let Value::Dict(entry) = entry else { continue };
        let entry = entry.borrow();
        let text = |key: &str| entry.get_str(key).and_then(Value::as_str);
        if let (Some(source), Some(destination)) = (text("source"), text("destination"))
            && destination.starts_with('/')
        {
            out.push((source.to_owned(), destination.to_owned()));
        }
    }
}

impl Rewrites {
    /// All paths that lead to what is at `path`, itself first.
    pub(super) fn paths(&self, path: &str) -> Vec<String> {
        let mut paths = vec![path.to_owned()];
        for (source, destination) in &self.0 {
            if let Some(source) = asked_for(path, source, destination)
                && !paths.contains(&source)
            {
                paths.push(source);
            }
        }
        paths
    }
}

/// What has to be asked for to be answered by `path`: `/v1/:path*` for `/api/:path*`.
fn asked_for(path: &str, source: &str, destination: &str) -> Option<String> {
    if let (Some((before, rest)), Some((target, same))) = (source.rsplit_once('/'), destination.rsplit_once('/'))
        && rest == same
        && rest.starts_with(':')
        && rest.ends_with(['*', '+'])
    {
        let below = path.strip_prefix(target)?.strip_prefix('/')?;
        return (!before.contains([':', '('])).then(|| format!("{before}/{below}"));
    }
    let template = super::super::colon::template_text;
    let plain = |text: &str| !text.contains(['(', '*', '+', '?']);
    let fits = plain(source) && plain(destination) && template(destination) == path;
    fits.then(|| template(source))
}

#[cfg(test)]
mod tests {
    use super::asked_for;

    #[test]
    fn rewrites_are_followed_backwards() {
        for (path, source, destination, expected) in [
            ("/api/users/{id}", "/v1/:path*", "/api/:path*", Some("/v1/users/{id}")),
            ("/api/users/{id}", "/users/:id", "/api/users/:id", Some("/users/{id}")),
            ("/api/health", "/health", "/api/health", Some("/health")),
            ("/api/health", "/ready", "/api/ready", None),
            ("/apis/x", "/v1/:path*", "/api/:path*", None),
        ] {
            assert_eq!(asked_for(path, source, destination).as_deref(), expected);
        }
    }
}
