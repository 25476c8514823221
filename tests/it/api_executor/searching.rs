//! A role that looks things up: with a command that searches, and only where the network is allowed.

use std::fs;
use std::process::Command;

use serde_json::json;

use super::model::{Format, Model, Reply};
use super::{KEY, project};
use crate::orchestrate::{ends, said};

#[test]
fn a_researcher_searches_where_that_is_allowed() {
    for format in Format::BOTH {
        let model = Model::new(format, |asked| {
            if asked.turn > 0 || !asked.tools.iter().any(|it| it == "web_search") {
                return Reply::Say("Lists are paged by a cursor, as everybody says, see https://example.org/paging.");
            }
            Reply::Use(vec![
                ("web_search", json!({"query": "paging $(touch stolen); of lists"})),
                ("web_search", json!({"query": "--output=stolen"})),
            ])
        });
        let project = project(&model, format, "", "search = \"sh ../../../../../../find.sh {query}\"");
        fs::write(project.path("find.sh"), "echo \"found for <$1>\"\n").expect("a program");
        fs::write(project.root().join("missions.yaml"), "[{id: paging, goal: How lists are paged, type: research}]")
            .expect("missions");
        let team = |network: bool| {
            fs::create_dir_all(project.root().join(".devteam")).expect("a folder");
            fs::write(project.root().join(".devteam/config.yaml"), format!("network: {network}\n")).expect("settings");
            let arguments = ["team", "run", "Paging", "--missions", "missions.yaml", "--backend", "api"];
            let mut command = Command::new(env!("CARGO_BIN_EXE_treaty"));
            command.args(arguments).args(["--budget", "5", "--yes"]).current_dir(project.root());
            command.env("MODEL_KEY", KEY).output().expect("the program starts")
        };
        let refused = team(false);
        ends(&refused, 2);
        assert!(said(&refused).contains("`web_search` is off") && model.asked().is_empty(), "{}", said(&refused));
        ends(&team(true), 0);
        let asked = model.asked();
        let given = asked.iter().find(|it| it.turn == 1).map(|it| it.given.clone()).unwrap_or_default();
        assert!(given[0].contains("found for <paging $(touch stolen); of lists>"), "{given:?}");
        assert!(given[1].contains("of which the first has no dash"), "{given:?}");
    }
}
