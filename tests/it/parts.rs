//! A scan of a part of a repository judges that part, and says the same wherever it was started.

use std::fs;
use std::path::Path;

use crate::folder::{folder, run, scan, write};

fn app(path: &str) -> String {
    format!("from fastapi import FastAPI\n\napp = FastAPI()\n\n\n@app.get('/{path}')\ndef read() -> str: ...\n")
}

fn contract(path: &str) -> String {
    let body = "{'200': {description: x, content: {application/json: {schema: {type: integer}}}}}";
    format!(
        "openapi: 3.1.0\ninfo: {{title: {path}, version: '1'}}\npaths:\n  /{path}:\n    get: {{responses: {body}}}\n  /{path}/gone:\n    get: {{responses: {{'200': {{description: x}}}}}}\n"
    )
}

const SETTINGS: &str = "[[service]]\nname = 'pets'\nroot = 'services/pets'\ncontracts = ['contracts/pets.yaml']\n\n[[service]]\nname = 'shop'\nroot = 'services/shop'\ncontracts = ['contracts/shop.yaml']\n";

/// Two services with a contract each in a folder apart. Each answers something else than it promises, and lacks an
/// operation.
fn repository() -> tempfile::TempDir {
    let folder = folder([("treaty.toml", SETTINGS.as_bytes())]);
    fs::create_dir(folder.path().join(".git")).expect("a repository");
    for name in ["pets", "shop"] {
        write(folder.path(), &format!("services/{name}/main.py"), app(name));
        write(folder.path(), &format!("services/{name}/more/other.py"), "X = 1\n");
        write(folder.path(), &format!("contracts/{name}.yaml"), contract(name));
    }
    folder
}

const PETS: [&str; 2] = ["CONTRACT-002 missing contracts/pets.yaml:7", "CONTRACT-001 type services/pets/main.py:6"];

/// Findings with their fingerprints, of a scan that was started in `from`.
fn told(folder: &Path, from: &str, arguments: &[&str]) -> (Vec<String>, Vec<String>, Vec<String>) {
    let scan = scan(&folder.join(from), arguments);
    let rows = scan.0["findings"].as_array().expect("findings");
    let prints = rows.iter().map(|it| it["fingerprint"].as_str().unwrap_or("").to_owned()).collect();
    (scan.findings(), prints, scan.contracts())
}

#[test]
fn a_part_is_judged_by_the_settings_above_it() {
    let folder = repository();
    let whole = told(folder.path(), ".", &[]);
    assert_eq!((whole.0.len(), whole.2.len()), (4, 2), "{whole:?}");
    let part = told(folder.path(), "services/pets", &[]);
    assert_eq!(part.0, PETS);
    assert_eq!(part.2, ["contracts/pets.yaml -> pets 2/1/1"]);
    assert!(part.1.iter().all(|print| whole.1.contains(print)), "a finding of the part is the same in the whole");
    let contracts = told(folder.path(), "contracts", &["pets.yaml"]);
    assert_eq!(contracts, part, "a contract is held against its service");
}

#[test]
fn names_and_fingerprints_do_not_depend_on_the_working_directory() {
    let folder = repository();
    let pets = folder.path().join("services/pets");
    let absolute = pets.to_str().expect("a UTF-8 path");
    let part = told(folder.path(), ".", &["services/pets"]);
    for (from, argument) in
        [("services", "pets"), ("services/pets", "."), ("services/shop", "../pets"), ("contracts", absolute)]
    {
        assert_eq!(told(folder.path(), from, &[argument]), part, "{argument} from {from}");
    }
    for arguments in [&["extract", "--as", "facts"][..], &["extract"], &["why", "GET /pets"], &["scan", "-q"]] {
        let from = |from: &str, path: &str| {
            let run = run(&folder.path().join(from), &[arguments, &[path]].concat());
            (run.code, run.stdout)
        };
        assert_eq!(from(".", "services/pets"), from("services/pets", "."), "{arguments:?}");
        assert_eq!(from(".", "services/pets"), from("services/shop", "../pets"), "{arguments:?}");
    }
}

#[test]
fn without_repository_and_settings_names_begin_at_what_is_scanned() {
    let folder = repository();
    fs::remove_dir(folder.path().join(".git")).expect("no repository");
    fs::remove_file(folder.path().join("treaty.toml")).expect("no settings");
    let named = ["--contract", "contracts/pets.yaml"];
    let part = told(folder.path(), ".", &[&["services/pets"], &named[..]].concat());
    assert_eq!(part.0, PETS);
    assert_eq!(told(folder.path(), "services/pets", &["--contract", "../../contracts/pets.yaml"]), part);
}

#[test]
fn the_rest_of_a_service_is_read_and_its_findings_are_told_elsewhere() {
    let folder = repository();
    let rest = told(folder.path(), "services/pets", &["more"]);
    assert_eq!(rest.0, [PETS[0]], "what the service lacks is no matter of its files");
    assert_eq!(rest.2, ["contracts/pets.yaml -> pets 2/1/1"]);
    assert_eq!(told(folder.path(), ".", &["services/pets/main.py"]).0, PETS);
    let run = run(folder.path(), &["extract", "services/pets/more"]);
    assert!(!run.stdout.contains("/pets"), "{}", run.stdout);
}

#[test]
fn a_service_around_others_does_not_answer_for_them() {
    let folder = repository();
    write(folder.path(), "treaty.toml", format!("{SETTINGS}\n[[service]]\nname = 'all'\ncontracts = ['all.yaml']\n"));
    write(folder.path(), "all.yaml", contract("all"));
    write(folder.path(), "src/main.py", app("all"));
    write(folder.path(), "src/more/other.py", "X = 1\n");
    let all = told(folder.path(), "src", &[]);
    assert_eq!(all.0, ["CONTRACT-002 missing all.yaml:7", "CONTRACT-001 type src/main.py:6"]);
    assert_eq!(all.2, ["all.yaml -> all 2/1/1"]);
    assert_eq!(told(folder.path(), "services/shop", &[]).2, ["contracts/shop.yaml -> shop 2/1/1"]);
}

#[test]
fn patterns_of_the_settings_hold_from_everywhere() {
    let folder = repository();
    write(folder.path(), "treaty.toml", format!("exclude = ['services/pets/main.py']\n{SETTINGS}"));
    let part = told(folder.path(), "services/pets", &[]);
    assert_eq!(part, told(folder.path(), ".", &["services/pets"]));
    assert_eq!(part.2, ["contracts/pets.yaml -> pets 2/0/0"]);
}
