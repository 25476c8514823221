//! Folders that tests make, and runs of the program in them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Longer than any run may take on the slowest machine; a test that gets there has found a hang.
const GUARD: Duration = Duration::from_mins(4);

pub(crate) const APP: &str = "from fastapi import FastAPI\n\napp = FastAPI()\n\n\n@app.get(\"/ping\")\ndef ping() -> str:\n    return \"pong\"\n";
/// A service whose `id` is a text.
pub(crate) const ITEMS: &str = "from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()


class A(BaseModel):
    id: str
    name: str


@app.get(\"/a\")
def a() -> A: ...
";
pub(crate) const PING: &str = "openapi: 3.1.0\ninfo: {title: Ping, version: '1'}\npaths:\n  /ping:\n    get:\n      responses:\n        '200':\n          description: pong\n          content:\n            application/json:\n              schema: {type: string}\n";

/// A folder with these files.
pub(crate) fn folder<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, bytes) in files {
        write(folder.path(), path, bytes);
    }
    folder
}

pub(crate) fn write(folder: &Path, path: &str, bytes: impl AsRef<[u8]>) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
    fs::write(path, bytes).expect("a file");
}

/// A service in agreement with its contract.
pub(crate) fn service() -> tempfile::TempDir {
    folder([("app.py", APP.as_bytes()), ("openapi.yaml", PING.as_bytes()), ("requirements.txt", b"fastapi\n")])
}

pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the program; one that does not end, or dies, fails the test.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Run {
    run_with(folder, arguments, &[])
}

pub(crate) fn run_with(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
    let captured = tempfile::tempdir().expect("a temporary folder");
    let (out, err) = (captured.path().join("out"), captured.path().join("err"));
    let file = |path: &Path| fs::File::create(path).expect("a file for the output");
    let mut child = Command::new(env!("CARGO_BIN_EXE_treaty"))
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .stdout(file(&out))
        .stderr(file(&err))
        .spawn()
        .expect("the program starts");
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("the program can be waited for") {
            break status;
        }
        if started.elapsed() > GUARD {
            child.kill().expect("the program can be ended");
            panic!("{arguments:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let text = |path: &Path| String::from_utf8(fs::read(path).expect("the output")).expect("output is UTF-8");
    let (stdout, stderr) = (text(&out), text(&err));
    let code = status.code().unwrap_or_else(|| panic!("{arguments:?} died: {status}\n{stderr}"));
    assert!(!stderr.contains("panicked"), "{arguments:?}: {stderr}");
    Run { code, stdout, stderr }
}

/// What a scan reports as JSON.
pub(crate) struct Scan(pub(crate) Value);

pub(crate) fn scan(folder: &Path, arguments: &[&str]) -> Scan {
    let mut all = vec!["scan", "--format", "json"];
    all.extend(arguments);
    let run = run(folder, &all);
    assert!(matches!(run.code, 0 | 1), "{arguments:?} ends with {}: {}", run.code, run.stderr);
    Scan(serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("no JSON: {error}: {}", run.stdout)))
}

impl Scan {
    fn list(&self, key: &str) -> &[Value] {
        self.0[key].as_array().unwrap_or_else(|| panic!("`{key}` is a list"))
    }

    /// `kind path` of each problem.
    pub(crate) fn problems(&self) -> Vec<String> {
        let plain = |value: &Value| value.as_str().unwrap_or("").to_owned();
        self.list("problems").iter().map(|it| format!("{} {}", plain(&it["kind"]), plain(&it["file_path"]))).collect()
    }

    /// `check kind path:line` of each finding.
    pub(crate) fn findings(&self) -> Vec<String> {
        let plain = |value: &Value| value.as_str().unwrap_or("").to_owned();
        self.list("findings")
            .iter()
            .map(|it| {
                let [check, kind, path] = ["check", "kind", "file_path"].map(|key| plain(&it[key]));
                format!("{check} {kind} {path}:{}", it["line"])
            })
            .collect()
    }

    /// `contract -> service contracted/found/verified` of each contract.
    pub(crate) fn contracts(&self) -> Vec<String> {
        self.0["summary"]["contracts"]
            .as_array()
            .expect("contracts")
            .iter()
            .map(|it| {
                let count = &it["operations"];
                let path = it["file_path"].as_str().unwrap_or("");
                let service = it["service"].as_str().unwrap_or("");
                format!("{path} -> {service} {}/{}/{}", count["contracted"], count["found"], count["verified"])
            })
            .collect()
    }
}
