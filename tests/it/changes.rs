//! What is staged or changed is told of alone, with contents that git has; one file from standard input.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::folder::{Run, folder, run, scan, write};

const MODELS: &str = "from pydantic import BaseModel\n\n\nclass A(BaseModel):\n    id: int\n    name: str\n";
const APP: &str = "from fastapi import FastAPI\nfrom models import A\n\napp = FastAPI()\n\n\n@app.get(\"/a\")\ndef a() -> A: ...\n\n\n@app.get(\"/b\")\ndef b() -> A: ...\n";
const CONTRACT: &str = "openapi: 3.1.0
info: {title: Shop, version: '1'}
paths:
  /a:
    get:
      responses: {'200': {description: fine, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}
  /b:
    get:
      responses: {'200': {description: fine, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}
  /gone:
    get:
      responses: {'200': {description: fine}}
components:
  schemas:
    A:
      type: object
      required: [id, name]
      properties:
        id: {type: integer}
        name: {type: string}
";

fn git(directory: &Path, arguments: &[&str]) -> std::process::Output {
    Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(directory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .expect("git is installed where tests are run")
}

fn done(directory: &Path, arguments: &[&str]) {
    let done = git(directory, arguments);
    assert!(done.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// A repository with one commit, and a finding that was there from the beginning.
fn repository() -> tempfile::TempDir {
    let repository = folder([
        ("svc/models.py", MODELS.as_bytes()),
        ("svc/app.py", APP.as_bytes()),
        ("svc/openapi.yaml", CONTRACT.as_bytes()),
        ("svc/requirements.txt", b"fastapi\n"),
    ]);
    done(repository.path(), &["init", "-q"]);
    done(repository.path(), &["add", "."]);
    done(repository.path(), &["commit", "-qm", "one"]);
    repository
}

fn findings(folder: &Path, arguments: &[&str]) -> Vec<String> {
    scan(folder, arguments).findings()
}

const NOTHING: [&str; 0] = [];
const TYPE: [&str; 1] = ["CONTRACT-001 type svc/models.py:5"];

#[test]
fn the_index_is_read_and_never_the_work_tree() {
    let repository = repository();
    let root = repository.path();
    assert_eq!(findings(root, &["--staged"]), NOTHING);
    write(root, "svc/models.py", MODELS.replace("id: int", "id: str"));
    assert_eq!(findings(root, &["--staged"]), NOTHING, "it is not staged");
    done(root, &["add", "."]);
    write(root, "svc/models.py", MODELS);
    assert_eq!(findings(root, &["--staged"]), TYPE, "only the half of it is staged");
    assert_eq!(findings(&root.join("svc"), &["--staged"]), TYPE, "from a folder below");
    std::fs::remove_dir_all(root.join("svc")).expect("removed");
    assert_eq!(findings(root, &["--staged"]), TYPE, "nothing of it is on the disk");
}

#[test]
fn what_a_change_brings_about_elsewhere_is_told_and_what_was_there_is_not() {
    let repository = repository();
    let root = repository.path();
    write(root, "svc/app.py", &APP[..APP.find("@app.get(\"/b\")").expect("it is there")]);
    for arguments in [&["--changed=HEAD"][..], &["--changed=main"]] {
        assert_eq!(findings(root, arguments), ["CONTRACT-002 missing svc/openapi.yaml:8"], "{arguments:?}");
    }
    assert_eq!(findings(root, &["--staged"]), NOTHING);
    done(root, &["add", "."]);
    let report = scan(root, &["--staged"]);
    assert_eq!(report.findings(), ["CONTRACT-002 missing svc/openapi.yaml:8"]);
    let only = &report.0["summary"]["only"];
    assert_eq!((only["changed"].as_u64(), only["findings_elsewhere"].as_u64()), (Some(1), Some(1)), "{only}");
    // A contract that was changed is asked for itself.
    done(root, &["commit", "-qm", "two"]);
    write(root, "svc/openapi.yaml", format!("{CONTRACT}# changed\n"));
    assert_eq!(findings(root, &["--changed=HEAD"]).len(), 2);
    // Settings hold for everything.
    done(root, &["commit", "-qam", "three"]);
    write(root, "treaty.toml", "");
    assert_eq!(findings(root, &["--changed=HEAD"]).len(), 2);
}

#[test]
fn renames_removals_and_what_is_new_are_changes() {
    let repository = repository();
    let root = repository.path();
    done(root, &["mv", "svc/models.py", "svc/types_.py"]);
    write(root, "svc/types_.py", MODELS.replace("id: int", "id: str"));
    write(root, "svc/app.py", APP.replace("from models", "from types_"));
    assert_eq!(findings(root, &["--changed=HEAD"]), ["CONTRACT-001 type svc/types_.py:5"]);
    done(root, &["add", "."]);
    assert_eq!(findings(root, &["--staged"]), ["CONTRACT-001 type svc/types_.py:5"]);
    done(root, &["rm", "-rqf", "."]);
    let nothing = run(root, &["scan", "--staged"]);
    assert!(nothing.code == 0 && nothing.stdout.contains("no source file"), "{} {}", nothing.stdout, nothing.stderr);
}

#[test]
fn hooks_work_in_worktrees_and_for_a_part_of_what_is_staged() {
    let repository = repository();
    let root = repository.path();
    let hook = format!("#!/bin/sh\ncd svc && exec {} scan --staged --format concise\n", env!("CARGO_BIN_EXE_treaty"));
    write(root, ".git/hooks/pre-commit", hook);
    done(Path::new("/"), &["-C", &root.to_string_lossy(), "config", "core.fileMode", "true"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let permissions = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(root.join(".git/hooks/pre-commit"), permissions).expect("a mode");
        let trees = folder([]);
        let tree = trees.path().join("other");
        done(root, &["worktree", "add", "-q", "-b", "other", &tree.to_string_lossy()]);
        for folder in [root, tree.as_path()] {
            write(folder, "svc/models.py", MODELS.replace("id: int", "id: str"));
            let refused = git(folder, &["commit", "-qam", "wrong"]);
            let said = String::from_utf8_lossy(&[refused.stdout, refused.stderr].concat()).into_owned();
            assert!(!refused.status.success() && said.contains("svc/models.py:5:5: CONTRACT-001"), "{said}");
            // Of two files, one is committed.
            write(folder, "svc/notes.py", "x = 1\n");
            done(folder, &["add", "svc/notes.py"]);
            done(folder, &["commit", "-qm", "fine", "svc/notes.py"]);
        }
    }
}

#[test]
fn what_git_cannot_give_is_an_error() {
    let nowhere = folder([("app.py", APP.as_bytes())]);
    let says = |run: Run, words: &str| {
        let said = run.stderr.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        assert!(run.code == 2 && run.stdout.is_empty() && said.contains(words), "{words}: {said}");
    };
    says(run(nowhere.path(), &["scan", "--staged"]), "no git repository");
    says(run(nowhere.path(), &["scan", "--changed=main"]), "no git repository");
    let repository = repository();
    let root = repository.path();
    says(run(root, &["scan", "--changed=nowhere"]), "no such revision");
    says(run(root, &["scan", "--changed=--all"]), "no name of a revision");
    says(run(root, &["scan", "--staged", "--contract", "new.yaml"]), "git add");
    // Two histories that have nothing in common.
    done(root, &["checkout", "-q", "--orphan", "alone"]);
    done(root, &["commit", "-qm", "alone"]);
    says(run(root, &["scan", "--changed=main"]), "no commit in common");
    // Conflicts.
    done(root, &["checkout", "-q", "-f", "main"]);
    done(root, &["checkout", "-q", "-b", "left"]);
    write(root, "svc/models.py", MODELS.replace("id: int", "id: str"));
    done(root, &["commit", "-qam", "left"]);
    done(root, &["checkout", "-q", "main"]);
    write(root, "svc/models.py", MODELS.replace("id: int", "id: float"));
    done(root, &["commit", "-qam", "right"]);
    assert!(!git(root, &["merge", "-q", "left"]).status.success());
    says(run(root, &["scan", "--staged"]), "has conflicts");
}

#[test]
fn the_first_commit_is_new_as_a_whole() {
    let repository = folder([
        ("models.py", MODELS.replace("id: int", "id: str").as_bytes()),
        ("app.py", APP.as_bytes()),
        ("openapi.yaml", CONTRACT.as_bytes()),
        ("later.py", b""),
    ]);
    let root = repository.path();
    done(root, &["init", "-q"]);
    done(root, &["add", "models.py", "app.py", "openapi.yaml"]);
    done(root, &["add", "--intent-to-add", "later.py"]);
    assert_eq!(findings(root, &["--staged"]).len(), 2);
}

fn piped(folder: &Path, arguments: &[&str], text: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_treaty"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("it is piped").write_all(text.as_bytes()).expect("it is read");
    let done = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run { code: done.status.code().expect("it ends by itself"), stdout: text(done.stdout), stderr: text(done.stderr) }
}

#[test]
fn what_is_piped_in_takes_the_place_of_a_file() {
    let repository = repository();
    let root = repository.path();
    let arguments = ["scan", "--format", "concise", "--stdin-filename", "svc/models.py"];
    let changed = piped(root, &arguments, &MODELS.replace("id: int", "id: str"));
    assert_eq!(changed.code, 1, "{}", changed.stderr);
    assert!(changed.stdout.starts_with("svc/models.py:5:5: CONTRACT-001 "), "{}", changed.stdout);
    assert_eq!(changed.stdout.lines().count(), 2, "of that file alone: {}", changed.stdout);
    assert_eq!(piped(root, &arguments, MODELS).code, 0);
    // A file that is not there yet, and one that is none of those that are scanned.
    let new = ["scan", "--format", "concise", "--stdin-filename", "svc/new.py"];
    assert_eq!(piped(root, &new, "import models\n").code, 0);
    let elsewhere = piped(&root.join("svc"), &["scan", ".", "--stdin-filename", "../else.py"], "");
    assert!(elsewhere.code == 2 && elsewhere.stderr.contains("not below"), "{}", elsewhere.stderr);
}

#[test]
fn what_lies_beside_code_is_changed_too() {
    let repository = repository();
    let root = repository.path();
    write(root, "web/site.css", "body { background: url(missing.png); }\n");
    done(root, &["add", "."]);
    let found = findings(root, &["--staged", "--select", "ASSET"]);
    assert_eq!(found.len(), 1, "{found:?}");
    done(root, &["commit", "-qm", "two"]);
    assert_eq!(findings(root, &["--staged", "--select", "ASSET"]), NOTHING);
}

#[test]
fn a_commit_may_bring_the_contract_that_its_settings_name() {
    let repository = repository();
    let path = repository.path();
    write(path, "svc/more.yaml", CONTRACT.replace("/gone", "/lost").as_bytes());
    write(path, "treaty.toml", b"[[service]]\nname = \"svc\"\nroot = \"svc\"\ncontracts = [\"svc/more.yaml\"]\n");
    done(path, &["add", "."]);
    let staged = run(path, &["scan", "--staged", "--format", "concise"]);
    assert_eq!(staged.code, 1, "{}{}", staged.stdout, staged.stderr);
    assert!(staged.stdout.contains("`GET /lost`"), "{}", staged.stdout);
}

#[test]
fn submodules_are_passed_over_with_a_word() {
    let (repository, inner) = (repository(), repository());
    let path = repository.path();
    let from = inner.path().to_string_lossy();
    done(path, &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &from, "inner"]);
    write(path, "svc/app.py", APP.replace("\"/b\"", "\"/c\"").as_bytes());
    done(path, &["add", "svc"]);
    let staged = run(path, &["scan", "--staged", "--format", "concise"]);
    assert!(staged.stdout.contains("it is a submodule"), "{}{}", staged.stdout, staged.stderr);
}
