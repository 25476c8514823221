//! Files other than code and contracts: any text is read, whatever it is taken for, and every place lies in it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treaty::languages::sights::{read_markup, read_styles};
use treaty::text::FileId;
use treaty::workspace::{Kind, Workspace, variables};

fuzz_target!(|text: &str| {
    let kinds = [
        Kind::Compose { main: true },
        Kind::Dockerfile,
        Kind::Environment,
        Kind::Requirements,
        Kind::Tasks,
        Kind::Reconciliation,
        Kind::Ignore,
    ];
    let mut workspace = Workspace::default();
    for kind in kinds {
        workspace.add(kind, (FileId(0), "a/b", false), text);
    }
    workspace.ignored.leaves_out("a/c/d", true);
    for variable in variables::read(text) {
        assert!(text.get(variable.start..variable.end).is_some());
    }
    for sight in [read_markup(FileId(0), text), read_styles(FileId(0), text)].concat() {
        assert!(text.get(sight.span.start as usize..sight.span.end as usize).is_some(), "{sight:?}");
    }
});
