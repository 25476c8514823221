//! Fixes: contracts that are made to say what code sends.

use std::path::Path;

use crate::folder::{folder, run, write};

const APP: &str = "from enum import Enum
from typing import Literal, Optional
from fastapi import FastAPI
from pydantic import BaseModel


class State(str, Enum):
    on = \"on\"
    off = \"off\"
    archived = \"archived\"


class A(BaseModel):
    userName: str
    state: State
    kind: Literal[\"x\", \"z\"]
    nick: Optional[str] = None


app = FastAPI()


@app.get(\"/a\", response_model_exclude_none=True)
def a() -> A: ...
";
const CONTRACT: &str = "openapi: 3.1.0
info: {title: Shop, version: '1'}
paths:
  /a:
    get:
      responses:
        '200':
          description: fine
          content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}
components:
  schemas:
    State:
      type: string
      enum:
        - on # it runs
        - \"off\"
    A:
      type: object
      required: [user_name, state, nick, kind]
      properties:
        user_name: {type: string}
        state: {$ref: '#/components/schemas/State'}
        kind: {type: string, enum: [x]}
        nick: {type: string}
";

fn shop(contract: &[u8]) -> tempfile::TempDir {
    folder([("app.py", APP.as_bytes()), ("openapi.yaml", contract), ("requirements.txt", b"fastapi\n")])
}

fn contract(folder: &Path) -> Vec<u8> {
    std::fs::read(folder.join("openapi.yaml")).expect("it is there")
}

fn fixed(safe: bool) -> String {
    let text = CONTRACT
        .replace("        - \"off\"\n", "        - \"off\"\n        - \"archived\"\n")
        .replace("enum: [x]", "enum: [x, z]")
        .replace("state, nick, kind", "state, kind");
    if safe { text } else { text.replace("user_name", "userName") }
}

#[test]
fn nothing_is_changed_until_a_side_is_chosen() {
    let folder = shop(CONTRACT.as_bytes());
    let root = folder.path();
    let neither = run(root, &["scan", "--fix"]);
    assert_eq!((neither.code, contract(root)), (1, CONTRACT.as_bytes().to_vec()));
    assert!(neither.stderr.contains("0 fixes applied in 0 files"), "{}", neither.stderr);
    assert!(neither.stderr.contains("left that need `--fix --fix-side contract`"), "{}", neither.stderr);
    assert_eq!(run(root, &["scan", "--unsafe"]).code, 2, "it is about fixes");
}

#[test]
fn safe_ones_are_applied_and_the_rest_where_it_is_asked_for() {
    let folder = shop(CONTRACT.as_bytes());
    let root = folder.path();
    let safe = run(root, &["scan", "--fix", "--fix-side", "contract"]);
    assert_eq!(String::from_utf8(contract(root)).expect("UTF-8"), fixed(true), "{}", safe.stderr);
    assert_eq!(safe.code, 1, "one is left");
    let all = run(root, &["scan", "--fix", "--unsafe", "--fix-side", "contract"]);
    assert_eq!(String::from_utf8(contract(root)).expect("UTF-8"), fixed(false), "{}", all.stderr);
    assert_eq!(all.code, 0, "{}", all.stdout);
}

#[test]
fn code_gets_the_names_of_the_contract_where_it_is_the_side_that_is_wrong() {
    let folder = shop(CONTRACT.as_bytes());
    let root = folder.path();
    let code = || std::fs::read_to_string(root.join("app.py")).expect("it is there");
    let safe = run(root, &["scan", "--fix", "--fix-side", "code"]);
    assert_eq!((code().as_str(), contract(root)), (APP, CONTRACT.as_bytes().to_vec()), "{}", safe.stderr);
    assert!(safe.stderr.contains("1 fix left that need `--fix --unsafe`"), "{}", safe.stderr);
    let all = run(root, &["scan", "--fix", "--unsafe", "--fix-side", "code"]);
    let expected = APP
        .replace("import BaseModel", "import BaseModel, Field")
        .replace("userName: str", "userName: str = Field(serialization_alias=\"user_name\")");
    assert_eq!((code(), contract(root)), (expected, CONTRACT.as_bytes().to_vec()), "{}", all.stderr);
    assert!(!all.stdout.contains("sends `userName`"), "{}", all.stdout);
}

#[test]
fn a_diff_changes_nothing_and_can_be_applied() {
    let folder = shop(CONTRACT.as_bytes());
    let root = folder.path();
    let diff = run(root, &["scan", "--fix", "--unsafe", "--fix-side", "contract", "--diff"]);
    assert_eq!((diff.code, contract(root)), (1, CONTRACT.as_bytes().to_vec()), "{}", diff.stderr);
    assert!(diff.stdout.starts_with("--- a/openapi.yaml\n+++ b/openapi.yaml\n@@ "), "{}", diff.stdout);
    write(root, "fix.patch", &diff.stdout);
    let applied = std::process::Command::new("git").args(["apply", "fix.patch"]).current_dir(root).output();
    assert!(applied.expect("git is installed where tests are run").status.success(), "{}", diff.stdout);
    assert_eq!(String::from_utf8(contract(root)).expect("UTF-8"), fixed(false));
    let none = run(root, &["scan", "--fix", "--unsafe", "--fix-side", "contract", "--diff"]);
    assert_eq!((none.code, none.stdout.as_str()), (0, ""));
}

#[test]
fn line_ends_marks_and_encodings_stay() {
    let crlf = CONTRACT.replace('\n', "\r\n");
    let marked = [b"\xef\xbb\xbf", crlf.as_bytes()].concat();
    let folder = shop(&marked);
    let root = folder.path();
    let run = run(root, &["scan", "--fix", "--fix-side", "contract"]);
    let expected = [b"\xef\xbb\xbf", fixed(true).replace('\n', "\r\n").as_bytes()].concat();
    assert_eq!(String::from_utf8_lossy(&contract(root)), String::from_utf8_lossy(&expected), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let other = folder([("openapi.yaml", CONTRACT.as_bytes())]);
    let folder = shop(b"");
    let root = folder.path();
    std::fs::remove_file(root.join("openapi.yaml")).expect("removed");
    std::os::unix::fs::symlink(other.path().join("openapi.yaml"), root.join("openapi.yaml")).expect("a link");
    let _ = run(root, &["scan", "--contract", "openapi.yaml", "--fix", "--fix-side", "contract"]);
    assert_eq!(contract(other.path()), CONTRACT.as_bytes());
}

#[test]
fn a_ratchet_only_rises() {
    let folder = shop(fixed(false).as_bytes());
    let root = folder.path();
    let ratchet = |code: i32| {
        let run = run(root, &["scan", "--ratchet", "ratchet.json", "--fail-on", "never"]);
        assert_eq!(run.code, code, "{}", run.stderr);
        (run.stderr, std::fs::read_to_string(root.join("ratchet.json")).expect("it is written"))
    };
    let (said, held) = ratchet(0);
    assert!(said.contains("commit ratchet.json") && held.contains("\"openapi.yaml\": 100"), "{said} {held}");
    write(
        root,
        "app.py",
        APP.replace("-> A", "").replace("exclude_none=True", "exclude_none=True, response_model=None"),
    );
    let (said, after) = ratchet(1);
    assert!(said.contains("--ratchet: openapi.yaml: 0 %") && after == held, "{said} {after}");
    write(root, "app.py", APP);
    assert_eq!(ratchet(0).1, held);
    write(root, "ratchet.json", "{}");
    assert_eq!(run(root, &["scan", "--ratchet", "ratchet.json"]).code, 2);
}

#[test]
fn rules_about_code_mend_it_as_they_say() {
    let page = "export function Cart({ items }) {\n  console.log(items);\n  if (items)\n    console.log(items);\n  return <ul />;\n}\n";
    let folder = folder([("src/pages/cart.tsx", page.as_bytes()), ("package.json", b"{}")]);
    let root = folder.path();
    let arguments = ["scan", "--select", "FRONT-010", "--fix"];
    let safe = run(root, &arguments);
    assert!(safe.stderr.contains("1 fix left that need `--fix --unsafe`"), "{}", safe.stderr);
    run(root, &[&arguments[..], &["--unsafe"]].concat());
    let after = std::fs::read_to_string(root.join("src/pages/cart.tsx")).expect("it is there");
    assert_eq!(after, page.replacen("  console.log(items);\n", "", 1));
}
