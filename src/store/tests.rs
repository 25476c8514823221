//! Opening, migrating and sharing a database.

use std::fs;
use std::thread;

use super::{Part, Store, StoreError, default_path};

const FIRST: Part = Part { name: "notes", migrations: &["CREATE TABLE notes_line (text TEXT NOT NULL)"] };
const SECOND: Part = Part {
    name: "notes",
    migrations: &[FIRST.migrations[0], "ALTER TABLE notes_line ADD COLUMN author TEXT NOT NULL DEFAULT 'nobody'"],
};
const OTHER: Part = Part { name: "other", migrations: &["CREATE TABLE other_thing (id INTEGER)"] };

fn add(store: &mut Store, text: &str) -> Result<(), StoreError> {
    store.write(|it| Ok(it.execute("INSERT INTO notes_line (text) VALUES (?1)", [text]).map(|_| ())?))
}

fn count(store: &Store) -> u32 {
    store.connection().query_row("SELECT count(*) FROM notes_line", [], |row| row.get(0)).expect("it can be done")
}

#[test]
fn an_older_file_is_brought_forward_and_keeps_its_rows() {
    let folder = tempfile::tempdir().expect("it can be done");
    let path = default_path(folder.path());
    add(&mut Store::open(&path, &[&FIRST]).expect("it can be done"), "kept").expect("it can be done");
    let store = Store::open(&path, &[&SECOND, &OTHER]).expect("it can be done");
    let author: String =
        store.connection().query_row("SELECT author FROM notes_line", [], |row| row.get(0)).expect("it can be done");
    assert_eq!(author, "nobody");
    assert_eq!(fs::read_to_string(folder.path().join(".treaty/.gitignore")).expect("it can be done"), "*\n");
}

#[test]
fn a_newer_file_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().expect("it can be done");
    let path = folder.path().join("notes.db");
    drop(Store::open(&path, &[&SECOND]).expect("it can be done"));
    let refused = Store::open(&path, &[&FIRST]).expect_err("it is refused");
    assert!(matches!(refused, StoreError::Newer { found: 2, known: 1, .. }), "{refused}");
    assert!(matches!(Store::open_read_only(&path, &[&FIRST]).expect_err("it is refused"), StoreError::Newer { .. }));
    assert!(Store::open(&path, &[&SECOND]).is_ok());
}

#[test]
fn a_file_that_is_no_database_is_refused() {
    let folder = tempfile::tempdir().expect("it can be done");
    let path = folder.path().join("notes.db");
    fs::write(&path, "not a database, but long enough that nobody takes it for an empty one").expect("it can be done");
    assert!(matches!(Store::open(&path, &[&FIRST]).expect_err("it is refused"), StoreError::Unusable { .. }));
    assert!(fs::read_to_string(&path).expect("it can be done").starts_with("not a database"));
}

#[test]
fn each_part_makes_its_own_tables_only() {
    let folder = tempfile::tempdir().expect("it can be done");
    let path = folder.path().join("notes.db");
    let store = Store::open(&path, &[&FIRST]).expect("it can be done");
    assert_eq!(count(&store), 0);
    assert!(store.connection().prepare("SELECT * FROM other_thing").is_err());
    assert!(matches!(Store::open_read_only(&path, &[&OTHER]).expect_err("it is refused"), StoreError::Older { .. }));
}

#[test]
fn a_change_that_fails_leaves_nothing() {
    let mut store = Store::in_memory(&[&FIRST]).expect("it can be done");
    let failed: Result<(), StoreError> = store.write(|it| {
        it.execute("INSERT INTO notes_line (text) VALUES ('half')", [])?;
        it.execute("INSERT INTO no_table VALUES (1)", [])?;
        Ok(())
    });
    assert!(failed.is_err());
    assert_eq!(count(&store), 0);
}

#[test]
fn writers_that_open_the_file_at_once_lose_nothing() {
    let folder = tempfile::tempdir().expect("it can be done");
    let path = folder.path().join("notes.db");
    thread::scope(|scope| {
        for writer in 0..8 {
            let path = &path;
            scope.spawn(move || {
                let mut store = Store::open(path, &[&SECOND]).expect("it can be done");
                (0..25).for_each(|line| add(&mut store, &format!("{writer}.{line}")).expect("it can be done"));
            });
        }
    });
    assert_eq!(count(&Store::open_read_only(&path, &[&SECOND]).expect("it can be done")), 200);
}
