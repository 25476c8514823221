//! The index of small projects.

use std::fs;
use std::path::Path;

use super::Index;
use crate::scan::Silent;

fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("it can be done");
    files.iter().for_each(|(path, text)| write(folder.path(), path, text));
    folder
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("it has one")).expect("it can be done");
    fs::write(path, text).expect("it can be done");
}

fn definition(index: &mut Index, symbol: &str) -> String {
    let found = index.find_definition(symbol, None, &Silent).expect("it can be asked");
    found.map_or("none".into(), |it| format!("{}:{} {} {}", it.file, it.line, it.kind.name(), it.signature))
}

fn callers(index: &mut Index, symbol: &str) -> Vec<String> {
    let found = index.find_callers(symbol, 50, &Silent).expect("it can be asked");
    found.callers.iter().map(|it| format!("{}:{}:{} {}", it.file, it.line, it.column, it.how)).collect()
}

const PYTHON: &[(&str, &str)] = &[
    ("app/__init__.py", ""),
    (
        "app/store.py",
        "class Base:\n    def save(self):\n        pass\n\n\nclass Store(Base):\n    \"\"\"Keeps users.\"\"\"\n\n    def get(self, key: str) -> 'User':\n        return User(key)\n\n\nclass User:\n    def __init__(self, name):\n        self.name = name\n\n    def greet(self):\n        return self.name\n",
    ),
    (
        "app/main.py",
        "from .store import Store as Keeper\nfrom app import store\n\ndef run(users: list[store.User]):\n    keeper = Keeper()\n    keeper.save()\n    keeper.get('a').greet()\n    for user in users:\n        user.greet()\n    return [u.greet() for u in users]\n",
    ),
    ("other/store.py", "def get(key):\n    raise missing(key)\n\ndef missing(key):\n    return KeyError(key)\n"),
];

#[test]
fn python_is_resolved_through_imports_and_declared_types() {
    let folder = project(PYTHON);
    let mut index = Index::in_memory(folder.path()).expect("it opens");
    assert_eq!(definition(&mut index, "Store.get"), "app/store.py:9 method def get(self, key: str) -> 'User'");
    assert_eq!(definition(&mut index, "other/store.py::get"), "other/store.py:1 function def get(key)");
    assert_eq!(callers(&mut index, "Store"), ["app/main.py:5:14 call"]);
    assert_eq!(callers(&mut index, "Base.save"), ["app/main.py:6:12 call"]);
    assert_eq!(
        callers(&mut index, "User.greet"),
        ["app/main.py:7:21 call", "app/main.py:9:14 call", "app/main.py:10:15 call"]
    );
    assert_eq!(callers(&mut index, "missing"), ["other/store.py:2:11 call"]);
    assert_eq!(callers(&mut index, "other/store.py::get"), [""; 0]);
    assert_eq!(definition(&mut index, "nothing"), "none");
    let go = index.find_definition("Store", Some("go"), &Silent).expect("it can be asked");
    assert_eq!(go, None);
}

#[test]
fn what_was_edited_since_is_known() {
    let folder = project(PYTHON);
    let mut index = Index::in_memory(folder.path()).expect("it opens");
    assert_eq!(callers(&mut index, "missing"), ["other/store.py:2:11 call"]);
    write(folder.path(), "other/store.py", "\n\ndef missing(key):\n    return KeyError(key)\n");
    assert_eq!(callers(&mut index, "missing"), [""; 0]);
    assert_eq!(definition(&mut index, "missing"), "other/store.py:3 function def missing(key)");
    write(folder.path(), "new/one.py", "from other.store import missing\nmissing(1)\n");
    assert_eq!(callers(&mut index, "missing"), ["new/one.py:2:1 call"]);
    fs::remove_file(folder.path().join("new/one.py")).expect("it can be done");
    assert_eq!(callers(&mut index, "missing"), [""; 0]);
}

#[test]
fn typescript_is_resolved_through_specifiers_and_default_exports() {
    let folder = project(&[
        ("tsconfig.json", r#"{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"]}}}"#),
        (
            "src/users.ts",
            "/** Finds users. */\nexport class Users {\n  constructor(private readonly db: Db) {}\n  find(id: string): User { return this.db.load(id) }\n}\nexport interface Db { load(id: string): User }\nexport type User = { name: string }\nexport default function make(): Users { return new Users(null as any) }\n",
        ),
        ("src/index.ts", "export * from './users'\nexport { default as build } from './users'\n"),
        (
            "src/app.tsx",
            "import create, { Users as U } from '@/users'\nimport { build } from '.'\nconst users = create()\nconst App = () => <div>{users.find('a').name}</div>\nbuild().find('b')\nthrow new U(null)\n",
        ),
    ]);
    let mut index = Index::in_memory(folder.path()).expect("it opens");
    assert_eq!(definition(&mut index, "Users.find"), "src/users.ts:4 method find(id: string): User");
    let callers_of_make = callers(&mut index, "make");
    assert_eq!(callers_of_make, ["src/app.tsx:3:15 call", "src/app.tsx:5:1 call"]);
    assert_eq!(callers(&mut index, "Users.find"), ["src/app.tsx:4:31 call", "src/app.tsx:5:9 call"]);
    assert_eq!(callers(&mut index, "Db.load"), ["src/users.ts:4:43 call"]);
    assert_eq!(
        callers(&mut index, "Users"),
        ["src/app.tsx:6:11 call", "src/users.ts:8:33 use", "src/users.ts:8:52 call"]
    );
}
