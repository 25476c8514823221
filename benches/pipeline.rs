//! Bytes per second of the stages behind reading, and of a whole run, on copies of the book shop, by thread count.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use divan::Bencher;
use divan::counter::BytesCount;
use treaty::config::Config;
use treaty::contracts::{self, Document};
use treaty::evaluate::{Evaluator, ModuleId, ProgramIndex, Specifiers};
use treaty::languages::{Language, lower};
use treaty::model::program::Module;
use treaty::rules::RuleSet;
use treaty::scan::{Input, scan_texts};
use treaty::text::FileId;
use treaty::{frameworks, wires};

fn main() {
    divan::main();
}

const THREADS: &[usize] = &[1, 2, 4];
const COPIES: usize = 40;

/// The fixture's files, by their paths below it.
fn bookshop() -> Vec<Input> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/bookshop");
    let mut inputs = Vec::new();
    collect(&root, "", &mut inputs);
    inputs
}

fn collect(directory: &Path, below: &str, inputs: &mut Vec<Input>) {
    let mut entries: Vec<_> = fs::read_dir(directory).expect("the fixture is there").flatten().collect();
    entries.sort_by_key(fs::DirEntry::path);
    for entry in entries {
        let name = entry.file_name().into_string().expect("a plain name");
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if entry.path().is_dir() {
            collect(&entry.path(), &path, inputs);
        } else {
            inputs.push(Input { path, text: fs::read_to_string(entry.path()).expect("text") });
        }
    }
}

/// Several services of the same kind side by side.
fn copies(count: usize) -> Vec<Input> {
    let one = bookshop();
    let copy =
        |at: usize| one.iter().map(move |it| Input { path: format!("s{at}/{}", it.path), text: it.text.clone() });
    (0..count).flat_map(copy).collect()
}

fn bytes<'i>(inputs: impl IntoIterator<Item = &'i Input>) -> BytesCount {
    BytesCount::new(inputs.into_iter().map(|input| input.text.len()).sum::<usize>())
}

fn is_source(input: &Input) -> bool {
    Language::by_path(&input.path).is_some()
}

#[divan::bench]
fn declare_contract(bencher: Bencher) {
    let contract = bookshop().into_iter().find(|input| input.path == "openapi.yaml").expect("its contract");
    bencher.counter(bytes([&contract])).bench(|| {
        let document: Document = contracts::parse(FileId(0), &contract.text);
        let documents = BTreeMap::from([(contract.path.clone(), document)]);
        contracts::declare(&documents, &contract.path)
    });
}

#[divan::bench]
fn evaluate_service(bencher: Bencher) {
    let inputs = bookshop();
    let modules: Vec<Module> = inputs
        .iter()
        .filter(|input| is_source(input))
        .enumerate()
        .map(|(at, input)| lower(Language::Python, FileId(at as u32), &input.path, &input.text).0)
        .collect();
    let ids: Vec<ModuleId> = (0..modules.len() as u32).map(ModuleId).collect();
    bencher.counter(bytes(inputs.iter().filter(|input| is_source(input)))).bench_local(|| {
        let index = ProgramIndex::new(&modules, &[], Specifiers::default(), wires::libraries(), &[]);
        let mut evaluator = Evaluator::new(&modules, &index, Vec::new());
        evaluator.run(&ids);
        frameworks::served(&mut evaluator, &mut frameworks::Schemas::new(false, &frameworks::Shared::default()))
            .operations
            .len()
    });
}

#[divan::bench]
fn judge(bencher: Bencher) {
    let inputs = copies(COPIES);
    let size = bytes(&inputs);
    let rules = RuleSet::embedded();
    let report = scan_texts(inputs, &Config::default(), &rules);
    assert!(!report.findings.is_empty(), "there is something to judge");
    bencher.counter(size).bench_local(|| rules.judge(&report.project, &mut Vec::new()));
}

#[divan::bench(args = [1, 10, COPIES])]
fn whole_run(bencher: Bencher, services: usize) {
    let inputs = copies(services);
    let rules = RuleSet::embedded();
    bencher
        .counter(bytes(&inputs))
        .with_inputs(|| inputs.clone())
        .bench_values(|inputs| scan_texts(inputs, &Config::default(), &rules));
}

#[divan::bench(args = THREADS)]
fn whole_run_by_threads(bencher: Bencher, threads: usize) {
    let inputs = copies(COPIES);
    let rules = RuleSet::embedded();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads");
    bencher
        .counter(bytes(&inputs))
        .with_inputs(|| inputs.clone())
        .bench_local_values(|inputs| pool.install(|| scan_texts(inputs, &Config::default(), &rules)));
}
