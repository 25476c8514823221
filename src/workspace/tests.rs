//! Tests of the readers: what each reads, and that any text is read.

use proptest::prelude::*;

use super::{Kind, Listing, Workspace, compose, dockerfile, environment, resolve, variables};
use crate::text::FileId;

#[test]
fn names_tell_kinds() {
    for (path, kind) in [
        ("docker-compose.yml", Some(Kind::Compose { main: true })),
        ("a/compose.yaml", Some(Kind::Compose { main: true })),
        ("docker-compose.prod.yml", Some(Kind::Compose { main: false })),
        ("compose.override.yaml", Some(Kind::Compose { main: false })),
        ("composer.json", None),
        ("api/Dockerfile", Some(Kind::Dockerfile)),
        ("Dockerfile.dev", Some(Kind::Dockerfile)),
        (".env", Some(Kind::Environment)),
        (".env.example", Some(Kind::Environment)),
        ("prod.env", Some(Kind::Environment)),
        ("env.ts", None),
        ("a.min.css", None),
        ("a.scss", Some(Kind::Styles)),
        ("Index.HTML", Some(Kind::Markup)),
        ("requirements.txt", Some(Kind::Manifest)),
        ("requirements.md", Some(Kind::Requirements)),
    ] {
        assert_eq!(Kind::of(path), kind, "{path}");
    }
}

#[test]
fn compose_files_are_read_in_both_syntaxes() {
    let text = "x-base: &base\n  restart: always\n  environment: { A: 1 }\nservices:\n  a:\n    <<: *base\n    build: ./api\n    \
                ports: [\"127.0.0.1:8080:80/tcp\", 9000, { target: 1, published: \"2-3\", protocol: udp }, \"${P}:1\"]\n    \
                env_file:\n      - path: .env\n        required: false\n    depends_on: { b: { condition: service_started } }\n  \
                b:\n    image: b\n    environment: [\"X=${Y:-1}\", Z]\n";
    let (read, problems) = compose::read(FileId(0), "deploy/compose.yaml", text, true);
    assert!(problems.is_empty());
    let [a, b] = read.services.as_slice() else { panic!("two services") };
    assert!(a.has_restart && a.has_unknown_port && !b.has_restart);
    assert_eq!(a.context.as_deref(), Some("deploy/api"));
    assert_eq!(a.dockerfile.as_deref(), Some("deploy/api/Dockerfile"));
    assert_eq!(a.env_files, [("deploy/.env".to_owned(), false)]);
    assert_eq!(a.depends_on[0].0, "b");
    let ports: Vec<_> = a.published.iter().map(|it| (it.container.from, it.host.map(|it| (it.from, it.to)))).collect();
    assert_eq!(ports, [(80, Some((8080, 8080))), (9000, None), (1, Some((2, 3)))]);
    assert_eq!(a.environment[0].0, "A");
    assert_eq!(b.environment.iter().map(|it| it.0.as_str()).collect::<Vec<_>>(), ["X", "Z"]);
    let names: Vec<_> = read.variables.iter().map(|it| (it.name.as_str(), it.is_settled)).collect();
    assert_eq!(names, [("P", false), ("Y", true)]);
}

#[test]
fn variables_are_read_as_compose_does() {
    let text = "$A ${B} ${C:-${D}x} ${E:?why} $$F ${G:+x} $1 ${";
    let names: Vec<&str> = variables::read(text).iter().map(|it| it.name).collect();
    assert_eq!(names, ["A", "B", "C", "D", "E", "G"]);
    assert_eq!(variables::with_defaults("${A:-1}:${B-2}$$").as_deref(), Some("1:2$"));
    assert_eq!(variables::with_defaults("${A}"), None);
}

#[test]
fn images_say_ports_and_variables() {
    let text = "# escape=`\nFROM a AS b\nENV A=1 `\n    # between\n    B=\"2 C=3\"\nENV D 4\nARG E\nRUN <<EOF\nEXPOSE 1\nEOF\n\
                expose 80/tcp 90-92 $P\nHEALTHCHECK CMD true\nCMD [\"node\", \"server.js\"]\n";
    let read = dockerfile::read(text);
    assert_eq!(read.ports, [80, 90, 91, 92]);
    assert!(read.has_unknown_port && read.has_healthcheck);
    assert_eq!(read.variables, ["A", "B", "D", "E"]);
    assert!(read.runs.contains("server.js"));
}

#[test]
fn files_of_variables_give_names() {
    let text = "A=1\nexport B='x\nC=no\n'\n# D=2\n# words = more\n E = \"x\"\n1F=2\n";
    assert_eq!(environment::read(text), ["A", "B", "D", "words", "E"]);
}

#[test]
fn paths_are_resolved_and_found() {
    assert_eq!(resolve("a/b", "../c.png").as_deref(), Some("a/c.png"));
    assert_eq!(resolve(".", "./c").as_deref(), Some("c"));
    assert_eq!(resolve("a", "../../c"), None);
    assert_eq!(resolve("/x/a", "b").as_deref(), Some("/x/a/b"));
    let mut listing = Listing::default();
    ["a/Logo.png", "b/c/d.png"].iter().for_each(|path| listing.add(path));
    assert!(listing.has("b/c") && listing.has("a/Logo.png") && !listing.has("a/logo.png"));
    assert_eq!(listing.but_for_case("a/logo.png"), Some("a/Logo.png"));
    assert_eq!(listing.ending("c/d.png"), (Some("b/c/d.png"), Some("b/c/d.png")));
    assert_eq!(listing.ending("C/D.png"), (None, Some("b/c/d.png")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text_of_any_kind_is_read(text in "([A-Za-z0-9 \n:=#$\"'|{}<>*&!/.-]|services:\n|  a:\n|ports:|\\$\\{|- \\[x\\] REQ-1|ENV |EXPOSE |\\| item \\| verdict \\||ü){0,80}") {
        let kinds = [
            Kind::Compose { main: true }, Kind::Dockerfile, Kind::Environment, Kind::Requirements, Kind::Tasks,
            Kind::Reconciliation, Kind::Ignore,
        ];
        let mut workspace = Workspace::default();
        for kind in kinds {
            workspace.add(kind, (FileId(0), "a/b", false), &text);
        }
        let inside = |span: crate::text::Span| text.get(span.start as usize..span.end as usize).is_some();
        for variable in workspace.composes.iter().flat_map(|it| &it.it.variables) {
            prop_assert!(inside(variable.span), "{variable:?}");
        }
        for item in workspace.requirements.iter().flat_map(|it| &it.it.items) {
            prop_assert!(inside(item.span), "{item:?}");
        }
        for variable in variables::read(&text) {
            prop_assert!(text.get(variable.start..variable.end).is_some(), "{variable:?}");
        }
        workspace.ignored.leaves_out("a/c/d", true);
    }
}
