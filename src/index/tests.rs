//! The index of small projects.

use std::fs;
use std::path::Path;

use super::{Index, rows};
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

fn json<T: serde::Serialize>(value: &T) -> serde_json::Value {
    serde_json::to_value(value).expect("it can be written")
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
fn modules_that_a_call_imports_are_followed() {
    let folder = project(&[
        ("src/cache.ts", "export class Cache {\n  purge(): void {}\n}\n"),
        (
            "src/cache.test.ts",
            "async function load() {\n  return import('./cache')\n}\nit('works', async () => {\n  const { Cache } = await load()\n  new Cache().purge()\n  const whole = await import('./cache')\n  new whole.Cache().purge()\n})\n",
        ),
    ]);
    let mut index = Index::in_memory(folder.path()).expect("it opens");
    assert_eq!(callers(&mut index, "Cache.purge"), ["src/cache.test.ts:6:15 call", "src/cache.test.ts:8:21 call"]);
    let used = index.find_dependencies("src/cache.test.ts", &Silent).expect("it is known");
    assert_eq!(used.imports, ["src/cache.ts"]);
}

#[test]
fn what_is_called_nearly_so_is_named() {
    let folder = project(PYTHON);
    let mut index = Index::in_memory(folder.path()).expect("it opens");
    assert_eq!(definition(&mut index, "mising"), "none");
    assert_eq!(
        index.nothing_called("mising").expect("it can be asked"),
        "nothing is called `mising`; did you mean `missing`?"
    );
    assert_eq!(
        index.nearest_symbol("other/store.py::mising()").expect("it can be asked").as_deref(),
        Some("other/store.py::missing")
    );
    assert_eq!(index.nothing_called("zzz").expect("it can be asked"), "nothing is called `zzz`");
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_outside_is_outside() {
    let folder = project(PYTHON);
    let elsewhere = project(&[("secret.py", "def secret(): ...\n")]);
    std::os::unix::fs::symlink(elsewhere.path(), folder.path().join("linked")).expect("it can be linked");
    let mut index = Index::in_memory(folder.path()).expect("it opens");
    for path in ["linked/secret.py", "linked/new.py", "linked"] {
        let refused = index.find_dependencies(path, &Silent).expect_err("it is refused");
        assert_eq!(refused.code(), "outside_root", "{path}");
    }
    let missing = index.find_dependencies("other/new.py", &Silent).expect_err("it is not there");
    assert_eq!(missing.code(), "not_found");
}

#[test]
fn an_index_of_another_format_is_read_again() {
    let folder = project(PYTHON);
    let database = folder.path().join("index.db");
    let mut index = Index::open(&database, folder.path()).expect("it opens");
    let all = index.refresh(&Silent).expect("it can be read").refreshed;
    drop(index);
    let mut index = Index::open(&database, folder.path()).expect("it opens");
    index.store.write(|write| rows::set_meta(write, "format", "0")).expect("it can be written");
    drop(index);
    let mut index = Index::open(&database, folder.path()).expect("it opens");
    assert_eq!(index.refresh(&Silent).expect("it can be read").refreshed, all);
    assert_eq!(callers(&mut index, "missing"), ["other/store.py:2:11 call"]);
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

#[test]
fn dependencies_are_files_and_circles_are_told() {
    let folder = project(&[
        ("a.py", "import b\nimport os\n"),
        ("b.py", "from c import x\n"),
        ("c.py", "import a\nx = 1\n"),
        ("d.py", "from b import x\n"),
    ]);
    let mut index = Index::in_memory(folder.path()).expect("it opens");
    let found = index.find_dependencies("a.py", &Silent).expect("it is there");
    assert_eq!(
        json(&found),
        serde_json::json!({
            "imports": ["b.py"], "imported_by": ["c.py"], "transitive_deps": ["c.py"],
            "circular_deps": [["a.py", "b.py", "c.py"]], "external": ["os"],
        })
    );
    let outside = index.find_dependencies("../x.py", &Silent).expect_err("it is refused");
    assert_eq!(outside.code(), "outside_root");
    let missing = index.find_dependencies("e.py", &Silent).expect_err("it is not there");
    assert_eq!(missing.code(), "not_found");
}

#[test]
fn search_finds_by_words_and_follows_edits() {
    let folder = project(PYTHON);
    write(folder.path(), "web/cart.ts", "export function refundPayment(order: string) {\n  return order\n}\n");
    let mut index = Index::in_memory(folder.path()).expect("it opens");
    let mut ask = |query: &str, language| {
        let hits = index.search(query, language, None, 10, &Silent).expect("it can be asked");
        hits.iter().map(|it| format!("{}:{:?} {}", it.file, it.lines, it.symbol)).collect::<Vec<_>>()
    };
    assert_eq!(ask("refunds of payments", None), ["web/cart.ts:[1, 3] refundPayment"]);
    assert_eq!(ask("refunds of payments", Some("python")), [""; 0]);
    assert_eq!(ask("refunds of payments", Some("go")), [""; 0]);
    assert_eq!(ask("greeting", None)[0], "app/store.py:[17, 18] User.greet");
    assert_eq!(ask("", None), [""; 0]);
    assert_eq!(ask("\"'; -- NEAR(", None), [""; 0]);
    write(folder.path(), "web/cart.ts", "export function other() {}\n");
    assert_eq!(ask("refunds of payments", None), [""; 0]);
}

#[test]
fn what_nobody_names_is_dead_and_what_a_framework_calls_is_not() {
    let folder = project(&[
        (
            "app.py",
            "import flask\napp = flask.Flask('a')\n\n@app.route('/')\ndef index():\n    return used()\n\ndef used(): pass\ndef unused(): pass\ndef on_event(): pass\ndef main(): pass\n\nclass Kept(flask.View):\n    def get(self): pass\n\nclass Base:\n    def run_it(self): pass\n    def gone(self): pass\n\nclass Child(Base):\n    def run_it(self): pass\n\nChild().run_it()\nKept()\n",
        ),
        ("tests/test_app.py", "from app import index\ndef test_it(): index()\ndef helper(): pass\n"),
    ]);
    let mut index = Index::in_memory(folder.path()).expect("it opens");
    let found = index.dead_code(None, &Silent).expect("it can be asked");
    let found: Vec<String> = found.iter().map(|it| format!("{} {:?}", it.symbol, it.confidence)).collect();
    assert_eq!(found, ["unused High", "on_event Low", "Kept.get Low", "Base.run_it Medium", "Base.gone Medium"]);
}

#[test]
fn an_index_after_edits_is_the_one_that_would_be_made_anew() {
    let folder = project(PYTHON);
    let database = folder.path().join(".treaty/treaty.db");
    let questions = ["Store", "User.greet", "missing", "get", "Base.save", "nothing"];
    let ask = |index: &mut Index| {
        let mut answers = Vec::new();
        for question in questions {
            answers.push(json(&index.find_definition(question, None, &Silent).expect("it can be asked")));
            answers.push(json(&index.find_callers(question, 50, &Silent).expect("it can be asked")));
            answers.push(json(&index.search(question, None, None, 10, &Silent).expect("it can be asked")));
        }
        answers.push(json(&index.find_dependencies("app/main.py", &Silent).expect("it can be asked")));
        answers.push(json(&index.dead_code(None, &Silent).expect("it can be asked")));
        answers
    };
    let edits: &[(&str, &str)] = &[
        ("app/store.py", "class Store:\n    def get(self, key): return key\n"),
        ("other/more.py", "from app.store import Store\nStore().get(1)\n"),
        ("app/main.py", "from .store import Store\ns = Store()\ns.get(2)\n"),
        ("other/store.py", ""),
        ("app/store.py", PYTHON[1].1),
    ];
    let mut index = Index::open(&database, folder.path()).expect("it opens");
    ask(&mut index);
    let mut beside = Index::open(&database, folder.path()).expect("it opens");
    ask(&mut beside);
    let mut reader = Index::open_read_only(&database, folder.path()).expect("it opens");
    let search = |index: &mut Index| json(&index.search("a store", None, None, 10, &Silent).expect("it can be asked"));
    search(&mut reader);
    for (path, text) in edits {
        write(folder.path(), path, text);
        let fresh = ask(&mut Index::in_memory(folder.path()).expect("it opens"));
        assert_eq!(ask(&mut index), fresh, "{path}");
        assert_eq!(ask(&mut beside), fresh, "{path}");
        assert_eq!(search(&mut reader), search(&mut index), "{path}");
        // Another process finds the same in the file.
        assert_eq!(ask(&mut Index::open(&database, folder.path()).expect("it opens")), fresh, "{path}");
    }
    let read_only = ask(&mut Index::open_read_only(&database, folder.path()).expect("it opens"));
    assert_eq!(read_only, ask(&mut index));
}

/// Imports that follow from other files: modules of a package, names that modules pass on, types of namespaces.
const LINKED: &[(&str, &str)] = &[
    ("app/__init__.py", ""),
    ("app/models/__init__.py", "from .user import User\n"),
    ("app/models/user.py", "class User: pass\n"),
    ("app/models/role.py", "class Role: pass\n"),
    ("app/views.py", "from app.models import User, role\nfrom app import models\n"),
    ("app/tasks.py", "from app.views import *\nfrom app.api import part\n"),
    ("app/api/__init__.py", "from app.extra import *\n"),
    ("app/api/part/one.py", "from app import tasks\n"),
    ("app/extra.py", "from app.models import role as part\n"),
    ("web/index.ts", "export { load } from './load'\nexport * from './cart'\n"),
    ("web/load.ts", "import { add } from './index'\nexport function load() { return add() }\n"),
    ("web/cart.ts", "export function add() { return 1 }\n"),
    ("net/Orders.cs", "namespace Shop.Orders;\npublic class Order { public Money Total; }\n"),
    ("net/Money.cs", "namespace Shop;\npublic class Money { }\n"),
    ("net/Bill.cs", "using Shop.Orders;\nnamespace Shop.Billing;\npublic class Bill { public Order Of; }\n"),
];

#[test]
fn dependencies_after_edits_are_those_that_would_be_found_anew() {
    let folder = project(LINKED);
    let edits: &[(&str, &str)] = &[
        // A name of the package hides the module of that name; then again not.
        ("app/models/__init__.py", "from .user import User\nrole = 1\n"),
        ("app/models/__init__.py", "from .role import Role as User\n"),
        ("app/extra.py", "part = 2\n"),
        ("app/extra.py", "from app.models.user import User as part\n"),
        ("app/views.py", "import app.tasks\n"),
        ("web/index.ts", "export * from './cart'\n"),
        ("web/cart.ts", "import { load } from './load'\nexport const add = load\n"),
        // The bill no longer means a type of this namespace.
        ("net/Money.cs", "namespace Shop.Other;\npublic class Coin { }\n"),
        ("net/Bill.cs", "using Shop.Other;\nnamespace Shop.Billing;\npublic class Bill { public Coin Of; }\n"),
        ("app/models/role/__init__.py", "class Role: pass\n"),
    ];
    let ask = |index: &mut Index| {
        let mut answers: Vec<(String, serde_json::Value)> = Vec::new();
        for path in LINKED.iter().map(|it| it.0) {
            let found = index.find_dependencies(path, &Silent).expect("it can be asked");
            answers.push((path.to_owned(), json(&found)));
        }
        answers.push(("map".to_owned(), index.map(&Silent).expect("it can be written").into()));
        answers
            .push(("search".to_owned(), json(&index.search("user role", None, None, 9, &Silent).expect("it works"))));
        answers
    };
    let mut index = Index::open(&folder.path().join(".treaty/treaty.db"), folder.path()).expect("it opens");
    // Folders that are younger than a tick of the clock are walked again.
    std::thread::sleep(std::time::Duration::from_millis(150));
    let before = ask(&mut index);
    let imports = |path: &str| before.iter().find(|it| it.0 == path).map(|it| it.1["imports"].clone());
    assert_eq!(imports("app/tasks.py"), Some(serde_json::json!(["app/models/role.py", "app/views.py"])));
    assert_eq!(imports("net/Bill.cs"), Some(serde_json::json!(["net/Orders.cs"])));
    for (path, text) in edits {
        write(folder.path(), path, text);
        let fresh = ask(&mut Index::in_memory(folder.path()).expect("it opens"));
        index.refresh(&Silent).expect("it can be looked at");
        assert_eq!(index.graph.is_some(), LINKED.iter().any(|it| it.0 == *path), "{path}");
        assert_ne!(ask(&mut index), before, "{path} {text}");
        assert_eq!(ask(&mut index), fresh, "{path} {text}");
    }
}

#[test]
fn a_file_that_is_saved_by_renaming_leaves_the_graph_and_is_read() {
    let folder = project(LINKED);
    let mut index = Index::in_memory(folder.path()).expect("it opens");
    index.refresh(&Silent).expect("it can be looked at");
    std::thread::sleep(std::time::Duration::from_millis(150));
    index.find_dependencies("app/views.py", &Silent).expect("it can be asked");
    // A file that no question can read: the bytes are no text.
    fs::write(folder.path().join("app/broken.py"), [0xff, 0xfe, 0xfd]).expect("it can be written");
    std::thread::sleep(std::time::Duration::from_millis(150));
    index.find_dependencies("app/views.py", &Silent).expect("it can be asked");
    write(folder.path(), "app/views.tmp", "from app.models import role\n");
    fs::rename(folder.path().join("app/views.tmp"), folder.path().join("app/views.py")).expect("it can be renamed");
    index.refresh(&Silent).expect("it can be looked at");
    assert!(index.graph.is_some());
    let found = index.find_dependencies("app/views.py", &Silent).expect("it can be asked");
    assert_eq!(found.imports, ["app/models/role.py"]);
}

#[test]
fn search_reads_a_database_of_an_older_version() {
    let folder = project(PYTHON);
    let database = folder.path().join(".treaty/treaty.db");
    let search = |index: &mut Index| json(&index.search("a store", None, None, 10, &Silent).expect("it can be asked"));
    let fresh = search(&mut Index::open(&database, folder.path()).expect("it opens"));
    assert_ne!(fresh, serde_json::json!([]));
    let mut store = crate::store::Store::open(&database, &[&rows::PART]).expect("it opens");
    store
        .write(|write| -> Result<(), crate::store::StoreError> {
            write.execute_batch(
                "ALTER TABLE index_file DROP COLUMN units; DELETE FROM index_meta WHERE name = 'units';
                 UPDATE treaty_part SET version = 2 WHERE name = 'index';",
            )?;
            Ok(())
        })
        .expect("it can be written");
    drop(store);
    assert_eq!(search(&mut Index::open(&database, folder.path()).expect("it opens")), fresh);
}

#[test]
fn what_a_service_serves_is_told_and_a_map_is_written() {
    let folder = project(&[(
        "main.py",
        "from fastapi import FastAPI\napp = FastAPI()\n\n@app.get('/users/{id}')\ndef read_user(id: int):\n    return {}\n",
    )]);
    let mut index = Index::in_memory(folder.path()).expect("it opens");
    let name = folder.path().file_name().expect("it has one").to_string_lossy().into_owned();
    let found = index.service_interface(&name, &Silent).expect("it is there");
    let endpoint = &found.endpoints[0];
    assert_eq!(
        (
            endpoint.method.as_str(),
            endpoint.path.as_str(),
            endpoint.handler.as_str(),
            endpoint.file.as_str(),
            endpoint.line
        ),
        ("GET", "/users/{id}", "read_user", "main.py", 5)
    );
    let unknown = index.service_interface("other", &Silent).expect_err("it is not there");
    assert_eq!(unknown.code(), "not_found");
    let map = index.map(&Silent).expect("it can be written");
    assert!(map.contains("- `GET /users/{id}` read_user (main.py:5)"), "{map}");
    assert!(map.contains("- `main.py` (5 lines): read_user"), "{map}");
}

#[test]
fn artifacts_belong_to_the_service_that_was_named() {
    let folder = project(PYTHON);
    let mut index = Index::in_memory(folder.path()).expect("it opens");
    let found = index.register_artifact("app/main.py", "orders", &Silent).expect("it can be asked");
    assert_eq!(
        json(&found),
        serde_json::json!({ "indexed": true, "symbols_found": 1, "dependencies_found": 1, "errors": [] })
    );
    assert_eq!(index.dead_code(Some("orders"), &Silent).expect("it is known").len(), 1);
    let missing = index.register_artifact("app/none.py", "orders", &Silent).expect("it can be asked");
    assert!(!missing.indexed && missing.errors.len() == 1);
    assert!(index.register_artifact("../../etc/passwd", "orders", &Silent).is_err());
    assert!(index.dead_code(Some("unknown"), &Silent).is_err());
}

/// A file that was changed within the tick of the clock is read each time, and written down when that is over.
#[test]
fn a_text_that_is_only_read_again_is_not_written() {
    let folder = project(PYTHON);
    let mut index = Index::in_memory(folder.path()).expect("it opens");
    let is_written = |index: &mut Index| {
        let count = |index: &Index| -> i64 {
            let count = index.store.connection().query_row("SELECT total_changes()", [], |row| row.get(0));
            count.expect("it can be asked")
        };
        let before = count(index);
        index.register_artifact("app/main.py", "orders", &Silent).expect("it can be asked");
        count(index) > before
    };
    let change = |hours: i64| {
        let now = std::time::SystemTime::now();
        let hour = std::time::Duration::from_hours(hours.unsigned_abs());
        let time = if hours < 0 { now - hour } else { now + hour };
        let paths = PYTHON.iter().map(|it| folder.path().join(it.0));
        paths.for_each(|it| {
            fs::File::options().write(true).open(it).and_then(|it| it.set_modified(time)).expect("it can be done");
        });
    };
    change(1);
    assert!(is_written(&mut index));
    assert!(!is_written(&mut index) && !is_written(&mut index));
    change(-1);
    assert!(is_written(&mut index));
    assert!(!is_written(&mut index));
    let found =
        |index: &mut Index| index.search("run users", None, Some("orders"), 5, &Silent).expect("it can be asked").len();
    let before = found(&mut index);
    assert!(before > 0);
    index.register_artifact("app/main.py", "billing", &Silent).expect("it can be asked");
    assert_eq!(found(&mut index), before - 1);
}

/// Two processes, each with what it read last: a text that was another one meanwhile, or gone, is read again.
#[test]
fn what_another_process_saw_meanwhile_is_no_news() {
    let folder = project(PYTHON);
    let place = folder.path().join(".treaty/treaty.db");
    let open = || Index::open(&place, folder.path()).expect("it opens");
    let found = |index: &mut Index, query: &str| -> Vec<String> {
        let hits = index.search(query, None, None, 5, &Silent).expect("it can be asked");
        hits.into_iter().map(|it| format!("{} {}", it.file, it.symbol)).collect()
    };
    let (path, text) = PYTHON[3];
    let (mut first, mut second) = (open(), open());
    assert_eq!(found(&mut first, "missing"), ["other/store.py missing", "other/store.py get"]);
    write(folder.path(), path, "def elsewhere():\n    return 1\n");
    assert_eq!(found(&mut second, "elsewhere"), ["other/store.py elsewhere"]);
    write(folder.path(), path, text);
    assert_eq!(found(&mut first, "missing"), ["other/store.py missing", "other/store.py get"]);
    assert_eq!(found(&mut first, "elsewhere"), [""; 0]);
    fs::remove_file(folder.path().join(path)).expect("it can be done");
    assert_eq!(found(&mut second, "missing"), [""; 0]);
    write(folder.path(), path, text);
    assert_eq!(found(&mut first, "missing"), ["other/store.py missing", "other/store.py get"]);
}

#[test]
fn csharp_is_resolved_through_namespaces_and_interfaces() {
    let folder = project(&[
        (
            "Shop/IStore.cs",
            "namespace Shop;\npublic interface IStore { Task<Item> FindAsync(int id); }\npublic class Item { public string Name { get; set; } public void Rename(string name) { Name = name; } }\n",
        ),
        (
            "Shop/Store.cs",
            "namespace Shop;\n/// <summary>Keeps items.</summary>\npublic class Store : IStore\n{\n    public async Task<Item> FindAsync(int id) => Load(id);\n    private Item Load(int id) => new Item();\n}\n",
        ),
        (
            "Web/Page.cs",
            "using Shop;\nnamespace Web;\npublic class Page\n{\n    private readonly IStore _store;\n    public Page(IStore store) { _store = store; }\n    public async Task Show(int id)\n    {\n        var item = await _store.FindAsync(id);\n        item.Rename(\"a\");\n    }\n}\n",
        ),
    ]);
    let mut index = Index::in_memory(folder.path()).expect("it opens");
    assert_eq!(definition(&mut index, "Store"), "Shop/Store.cs:3 class public class Store : IStore");
    assert_eq!(callers(&mut index, "Item.Rename"), ["Web/Page.cs:10:14 call"]);
    assert_eq!(callers(&mut index, "Store.Load"), ["Shop/Store.cs:5:50 call"]);
    let of_interface = callers(&mut index, "IStore.FindAsync");
    assert_eq!(of_interface, ["Web/Page.cs:9:33 call"]);
    assert_eq!(callers(&mut index, "Store.FindAsync"), of_interface, "who calls the interface calls it");
    assert_eq!(
        callers(&mut index, "IStore"),
        ["Shop/Store.cs:3:22 use", "Web/Page.cs:5:22 use", "Web/Page.cs:6:17 use"]
    );
}

#[test]
fn functions_that_are_handed_on_know_what_they_get() {
    let folder = project(&[
        (
            "db.ts",
            "export interface Store { save(): void; within<T>(fn: (tx: Store) => T): T }\nexport class Disk implements Store {\n  save() {}\n  within<T>(fn: (tx: Disk) => T): T { return fn(this) }\n}\nexport function make() { const store = new Disk(); return { store, other: 1 } }\n",
        ),
        (
            "app.ts",
            "import { Store, make } from './db'\nclass App {\n  constructor(private db: Store) {}\n  go = () => this.db.within((tx) => tx.save())\n}\nconst { store } = make()\nstore.save()\n",
        ),
    ]);
    let mut index = Index::in_memory(folder.path()).expect("it opens");
    assert_eq!(callers(&mut index, "Disk.save"), ["app.ts:4:40 call", "app.ts:7:7 call"]);
    assert_eq!(callers(&mut index, "Store.within"), ["app.ts:4:22 call"]);
}
