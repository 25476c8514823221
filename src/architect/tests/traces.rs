//! What was judged of documents, to learn from and to measure by.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Map, Value, json};

use crate::architect::notes::Notes;
use crate::architect::{decompose, decomposed};

/// One line for a document: its decomposition, and what was judged by which features.
fn traced(stem: &str, text: &str) -> Value {
    let mut notes = Notes { traced: Some(Vec::new()), ..Notes::default() };
    let out = decomposed(text, &mut notes);
    let traced = notes.traced.unwrap_or_default().into_iter().map(|it| {
        let features: Map<String, Value> =
            it.features.into_iter().map(|(name, value)| (name.into_owned(), value.into())).collect();
        json!({"model": it.model, "about": it.about, "chance": it.chance, "features": features})
    });
    json!({"doc": stem, "out": out, "traced": traced.collect::<Vec<_>>()})
}

#[test]
fn what_is_judged_is_traced_where_somebody_asks() {
    let text = "# Shop\n\n## Requirements\n\n- Customers can create orders with a note and a date.\n";
    let found = traced("shop", text);
    assert_eq!(found["out"], json!(decompose(text)));
    for (model, about) in [("thing", "key"), ("member", "name"), ("deed", "path")] {
        let of_model = |it: &&Value| it["model"] == model && it["about"][about].is_string();
        let some = found["traced"].as_array().expect("it is a list").iter().find(of_model);
        let some = some.unwrap_or_else(|| panic!("no {model} in {found}"));
        assert!(some["chance"].as_f64().is_some_and(|it| (0.0..=1.0).contains(&it)), "{some}");
        assert!(!some["features"].as_object().expect("they are by name").is_empty());
    }
}

/// `ARCHITECT_TEXTS=DIR ARCHITECT_TRACES=FILE cargo test --release --lib -- --ignored traces_of_documents`: a line for each `*.md` of
/// a folder, for `benches/architect/score.py` and `train.py`.
#[test]
#[ignore = "a measurement"]
fn traces_of_documents() {
    let folder = |name: &str| std::env::var_os(name).map_or_else(|| panic!("{name} is not set"), PathBuf::from);
    let texts = folder("ARCHITECT_TEXTS");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&texts)
        .expect("the folder can be read")
        .filter_map(|it| Some(it.ok()?.path()))
        .filter(|it| it.extension().is_some_and(|it| it == "md"))
        .collect();
    paths.sort();
    let mut lines = String::new();
    for path in paths {
        let text = std::fs::read(&path).expect("the document can be read");
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        writeln!(lines, "{}", traced(&stem, &String::from_utf8_lossy(&text))).expect("a string takes everything");
    }
    std::fs::write(folder("ARCHITECT_TRACES"), lines).expect("the traces can be written");
}
