//! Paths of files as programs put them together: `path.join(__dirname, "routes")`.

use std::cell::RefCell;
use std::rc::Rc;

use crate::evaluate::{Args, Dict, Evaluator, Library, Value, normal_path};
use crate::text::Span;

/// `path` and `url` of the standard library.
pub static PATHS: Library = Library { name: "path", call, ..Library::TYPESCRIPT };

const FILE: &str = "file://";

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let texts = || {
        let texts = args.positional.iter().map(Value::as_str).collect::<Option<Vec<_>>>()?;
        Some(texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>())
    };
    match path {
        "path.join" | "path.posix.join" => Some(Value::str(normal(&texts()?.join("/")))),
        "path.resolve" | "path.posix.resolve" => {
            let texts = texts()?;
            // Each absolute part begins anew.
            let start = texts.iter().rposition(|text| text.starts_with('/')).unwrap_or(0);
            Some(Value::str(normal(&texts[start..].join("/"))))
        }
        "path.dirname" | "path.posix.dirname" => Some(Value::str(directory(args.positional.first()?.as_str()?))),
        "path.basename" | "path.posix.basename" => {
            let name = base(args.positional.first()?.as_str()?);
            let end = args.positional.get(1).map_or(Some(""), Value::as_str)?;
            Some(Value::str(name.strip_suffix(end).filter(|left| !left.is_empty()).unwrap_or(name)))
        }
        "path.extname" | "path.posix.extname" => Some(Value::str(extension(args.positional.first()?.as_str()?))),
        "path.parse" | "path.posix.parse" => {
            let whole = args.positional.first()?.as_str()?;
            let (name, ext) = (base(whole), extension(whole));
            let stem = name.strip_suffix(ext).unwrap_or(name);
            let parts = [("dir", directory(whole)), ("base", name), ("ext", ext), ("name", stem)];
            Some(record(&parts))
        }
        "url.pathToFileURL" => {
            let path = args.positional.first()?.as_str()?;
            Some(record(&[("href", &format!("{FILE}{path}")), ("pathname", path)]))
        }
        "url.fileURLToPath" => {
            let url = args.positional.first()?.as_str()?;
            Some(Value::str(url.strip_prefix(FILE)?))
        }
        // `new URL("./routes", import.meta.url)`
        "javascript.URL" => {
            let texts = texts()?;
            let [relative, base] = texts.as_slice() else { return None };
            let base = base.strip_prefix(FILE)?;
            Some(Value::str(format!("{FILE}{}", normal(&format!("{}/{relative}", directory(base))))))
        }
        // A service is started in the directory of its package.
        "javascript.process.cwd" => {
            let module = evaluator.module_of_file(site.file)?;
            Some(Value::str(evaluator.index.package_of(module)?.directory.as_str()))
        }
        _ => None,
    }
}

fn record<'p>(texts: &[(&str, &str)]) -> Value<'p> {
    let entries = texts.iter().map(|(name, text)| (Value::str(*name), Value::str(*text))).collect();
    Value::Dict(Rc::new(RefCell::new(Dict { entries, record: true, ..Dict::default() })))
}

/// The last part of a path.
fn base(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

/// With its dot; empty where a name has none or begins with it.
fn extension(path: &str) -> &str {
    let name = base(path);
    name.rfind('.').filter(|at| *at > 0).map_or("", |at| &name[at..])
}

fn directory(path: &str) -> &str {
    match path.trim_end_matches('/').rsplit_once('/') {
        Some(("", _)) => "/",
        Some((directory, _)) => directory,
        None => ".",
    }
}

/// As `path.normalize` says it, without a slash at the end.
fn normal(path: &str) -> String {
    let path = normal_path(path);
    if path.is_empty() { ".".to_owned() } else { path }
}

#[cfg(test)]
mod tests {
    use super::{base, directory, extension, normal};

    #[test]
    fn paths_are_put_together_as_the_standard_library_does() {
        for (written, meant) in [
            ("/a/./b/../c", "/a/c"),
            ("src/routes/", "src/routes"),
            ("./x", "x"),
            ("a/..", "."),
            ("../a", "../a"),
            ("/", "/"),
        ] {
            assert_eq!(normal(written), meant);
        }
        let parts = ["a/b.test.ts", "a/.env", "b/", "c"].map(|path| (base(path), extension(path)));
        assert_eq!(parts, [("b.test.ts", ".ts"), (".env", ""), ("b", ""), ("c", "")]);
        assert_eq!((directory("/a/b.ts"), directory("/a"), directory("a.ts")), ("/a", "/", "."));
    }
}
