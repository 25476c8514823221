//! Paths of files as programs put them together: `path.join(__dirname, "routes")`.

use crate::evaluate::{Args, Evaluator, Library, Value, normal_path};
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
    use super::{directory, normal};

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
        assert_eq!((directory("/a/b.ts"), directory("/a"), directory("a.ts")), ("/a", "/", "."));
    }
}
