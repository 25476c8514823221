use treaty::{cases, config, rules, scan};
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let r = scan::scan(
        &scan::Options { paths: vec![path.into()], ..Default::default() },
        &rules::RuleSet::default(),
        &scan::Silent,
    )
    .unwrap();
    let _ = config::FILE_NAME;
    for s in &r.project.services {
        println!(
            "# {} {} ops {} calls {} messages {}",
            s.name,
            s.root,
            s.operations.len(),
            s.calls.len(),
            s.messages.len()
        );
    }
    print!("{}", cases::render_wires(&r.project));
    if std::env::args().nth(2).is_some() {
        print!("{}", cases::render_facts(&r.project));
    }
}
