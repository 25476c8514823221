//! Tests of the reader beside this file.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::contracts::{Document, declare, parse};
use crate::finding::{Problem, ProblemKind};
use crate::model::{Additional, Kind, Limits, Literal, ParameterPlace, Shape, ShapeTable, Status};
use crate::text::{FileId, Span};

fn declare_files(files: &[(&str, &str)]) -> Declarations {
    let documents = files
        .iter()
        .enumerate()
        .map(|(at, (path, text))| ((*path).to_owned(), parse(FileId(at as u32), text)))
        .collect();
    declare(&documents, files[0].0)
}

fn declare_text(text: &str) -> Declarations {
    declare_files(&[("api.yaml", text)])
}

/// A 3.1 document with these component schemas, given as YAML flow or block text indented by four.
fn with_schemas(version: &str, schemas: &str) -> Declarations {
    declare_text(&format!(
        "openapi: {version}\ninfo: {{title: t, version: '1'}}\npaths: {{}}\ncomponents:\n  schemas:\n{schemas}"
    ))
}

fn component(declarations: &Declarations, name: &str) -> ShapeId {
    declarations.components.iter().find(|(known, _)| known == name).expect("the component is declared").1
}

/// What a shape means, with references followed: for comparing spellings.
fn meaning(table: &ShapeTable, id: ShapeId) -> String {
    let mut out = String::new();
    describe(table, id, 0, &mut out);
    out
}

fn describe(table: &ShapeTable, id: ShapeId, depth: usize, out: &mut String) {
    if depth > 6 {
        out.push('…');
        return;
    }
    let view = table.view(id);
    let Shape { format, values, limits, read_only, .. } = &*view.shape;
    match &view.shape.kind {
        Kind::Object(object) => {
            out.push('{');
            for field in &object.fields {
                let _ = write!(out, "{}{}: ", field.name, if field.required { "" } else { "?" });
                describe(table, field.shape, depth + 1, out);
                out.push_str(", ");
            }
            match object.additional {
                Additional::Open => {}
                Additional::Closed => out.push('!'),
                Additional::Of(id) => {
                    out.push_str("*: ");
                    describe(table, id, depth + 1, out);
                }
            }
            out.push('}');
        }
        Kind::Array { prefix, items } => {
            out.push('[');
            for id in prefix {
                describe(table, *id, depth + 1, out);
                out.push_str(", ");
            }
            if let Some(id) = items {
                describe(table, *id, depth + 1, out);
            }
            out.push(']');
        }
        Kind::Union(union) => {
            for (at, id) in union.options.iter().enumerate() {
                out.push_str(if at > 0 { " | " } else { "" });
                describe(table, *id, depth + 1, out);
            }
            if let Some(name) = &union.discriminator {
                let _ = write!(out, " by {name}");
            }
        }
        Kind::Unknown(reason) => {
            let _ = write!(out, "unknown ({})", reason.text);
        }
        kind => {
            let _ = write!(out, "{kind:?}");
        }
    }
    if let Some(format) = format {
        let _ = write!(out, " {format}");
    }
    if let Some(values) = values {
        let _ = write!(out, " of {values:?}");
    }
    // What is kept as it is written says nothing that the rest does not.
    let limits = limits.as_ref().map(|limits| Limits { keywords: Vec::new(), ..(**limits).clone() });
    if let Some(limits) = limits.filter(|limits| *limits != Limits::default()) {
        let _ = write!(out, " {limits:?}");
    }
    out.push_str(if *read_only { " read-only" } else { "" });
    out.push_str(if view.nullable { " or null" } else { "" });
}

fn outline(declarations: &Declarations) -> String {
    let mut out = format!("{:?} null: {}\n", declarations.base_paths, declarations.states_null);
    let table = &declarations.shapes;
    for operation in &declarations.operations {
        let _ = writeln!(out, "{} deprecated: {}", operation.title(), operation.deprecated);
        for parameter in &operation.request.parameters {
            let shape = meaning(table, parameter.shape);
            let _ = writeln!(out, "  {:?} {} {} {shape}", parameter.place, parameter.name, parameter.required);
        }
        for body in &operation.request.bodies {
            let _ = writeln!(out, "  in {} {} {}", body.media, body.required, meaning(table, body.shape));
        }
        for response in &operation.responses {
            let _ = writeln!(out, "  {}", response.status.name());
            for body in &response.bodies {
                let _ = writeln!(out, "    {} {}", body.media, meaning(table, body.shape));
            }
        }
    }
    for (name, id) in &declarations.components {
        let shape = table.get(*id);
        let _ = writeln!(out, "{name} ({:?}): {}", shape.name, meaning(table, *id));
    }
    out
}

const SWAGGER_2: &str = include_str!("testdata/users-2.0.yaml");
const OPENAPI_30: &str = include_str!("testdata/users-3.0.yaml");
const OPENAPI_31: &str = include_str!("testdata/users-3.1.json");

#[test]
fn three_spellings_of_one_api_mean_the_same() {
    let [two, three, three_one] = [SWAGGER_2, OPENAPI_30, OPENAPI_31].map(declare_text);
    for declarations in [&two, &three, &three_one] {
        assert!(declarations.issues.is_empty(), "{:?}", declarations.issues);
        assert!(declarations.problems.is_empty(), "{:?}", declarations.problems);
    }
    assert_eq!(outline(&two), outline(&three));
    assert_eq!(outline(&three), outline(&three_one));
    let text = outline(&two);
    assert!(text.contains("User (Some(\"User\")): {id: Integer int64 read-only, name: String"), "{text}");
    assert!(text.contains("manager?: {id: Integer"), "{text}");
}

#[test]
fn null_is_read_in_every_spelling() {
    let declarations = with_schemas(
        "3.1.0",
        "    A: {type: [string, 'null']}\n    B: {anyOf: [{type: string}, {type: 'null'}]}\n    \
         C: {oneOf: [{$ref: '#/components/schemas/D'}, {type: 'null'}]}\n    D: {type: string}\n    \
         E: {enum: [a, null]}\n    F: {const: null}\n    G: {anyOf: [{type: 'null'}]}\n    \
         H: {anyOf: [{type: string}, {type: integer}, {type: 'null'}]}\n    I: {type: [string, integer, 'null']}\n",
    );
    let meaning = |name| meaning(&declarations.shapes, component(&declarations, name));
    assert_eq!(["A", "B", "C", "D"].map(meaning), ["String or null", "String or null", "String or null", "String"]);
    assert_eq!(meaning("E"), "String of [String(\"a\")] or null");
    assert_eq!(["F", "G"].map(meaning), ["Null or null", "Null or null"]);
    assert_eq!(["H", "I"].map(meaning), ["String | Integer or null", "String | Integer or null"]);
    assert!(declarations.states_null);
    assert!(!with_schemas("3.0.0", "    A: {type: string}\n").states_null);
}

#[test]
fn siblings_of_a_reference_count_from_3_1_on() {
    let schemas = "    A: {type: object, properties: {x: {type: string}}}\n    \
                   B: {$ref: '#/components/schemas/A', required: [x], title: b, nullable: true}\n    \
                   C: {$ref: '#/components/schemas/A', readOnly: true}\n";
    let old = with_schemas("3.0.3", schemas);
    assert_eq!(meaning(&old.shapes, component(&old, "B")), "{x?: String, }");
    let new = with_schemas("3.1.0", schemas);
    assert_eq!(meaning(&new.shapes, component(&new, "B")), "{x: String, } or null");
    assert_eq!(meaning(&new.shapes, component(&new, "C")), "{x?: String, } read-only");
}

#[test]
fn all_of_merges_with_own_members_and_late_requirements() {
    let declarations = with_schemas(
        "3.0.3",
        "    Base: {type: object, required: [id], properties: {id: {type: integer}}}\n    \
         A:\n      allOf:\n        - required: [name]\n        - $ref: '#/components/schemas/Base'\n        \
         - properties: {name: {type: string}}\n      properties: {own: {type: boolean}}\n      additionalProperties: false\n    \
         Wrapped: {nullable: true, allOf: [{$ref: '#/components/schemas/Base'}]}\n",
    );
    let meaning = |name| meaning(&declarations.shapes, component(&declarations, name));
    assert_eq!(meaning("A"), "{id: Integer, name: String, own?: Boolean, !}");
    assert_eq!(meaning("Wrapped"), "{id: Integer, } or null");
}

#[test]
fn own_members_beside_a_union_belong_to_every_option() {
    let declarations = with_schemas(
        "3.1.0",
        "    Cat: {type: object, properties: {kind: {const: cat}}}\n    Dog: {type: object, properties: {kind: {const: dog}}}\n    \
         Pet:\n      type: object\n      properties: {name: {type: string}}\n      \
         oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]\n      \
         discriminator: {propertyName: kind}\n    \
         Key:\n      type: object\n      properties: {a: {type: string}, b: {type: string}}\n      \
         anyOf: [{required: [a]}, {required: [b]}]\n",
    );
    let meaning = |name| meaning(&declarations.shapes, component(&declarations, name));
    let cat = "{kind?: String of [String(\"cat\")], name?: String, }";
    assert_eq!(meaning("Pet"), format!("{cat} | {} by kind", cat.replace("cat", "dog")));
    assert_eq!(meaning("Key"), "{a: String, b?: String, } | {a?: String, b: String, }");
    let Kind::Union(pet) = &declarations.shapes.view(component(&declarations, "Pet")).shape.kind.clone() else {
        panic!("a union")
    };
    assert_eq!(declarations.shapes.get(pet.options[0]).name.as_deref(), Some("Cat"));
}

#[test]
fn kinds_are_inferred_where_type_is_left_out() {
    let declarations = with_schemas(
        "3.1.0",
        "    A: {properties: {x: {}}}\n    B: {items: {type: string}}\n    C: {enum: [1, 2.0]}\n    D: true\n    E: false\n    \
         F: {prefixItems: [{type: string}], items: false}\n    G: {type: array, items: [{type: string}, {type: integer}]}\n    \
         H: {additionalProperties: {type: integer}}\n    I: {type: object, unevaluatedProperties: false}\n    \
         J: {type: string, enum: [1, true, x]}\n    K: {type: integer, minimum: 1, exclusiveMinimum: true}\n    \
         L: {type: integer, exclusiveMinimum: 1.50}\n    M: {type: string, default: a}\n    N: {required: [x]}\n",
    );
    let meaning = |name| meaning(&declarations.shapes, component(&declarations, name));
    let expected = [
        ("A", "{x?: Any, }"),
        ("B", "[String]"),
        ("C", "Integer of [Number(\"1\"), Number(\"2\")]"),
        ("D", "Any"),
        ("E", "Never"),
        ("F", "[String, Never]"),
        ("G", "[String, Integer, ]"),
        ("H", "{*: Integer}"),
        ("I", "{!}"),
        ("J", "String of [String(\"1\"), String(\"true\"), String(\"x\")]"),
        ("N", "{x: Any, }"),
    ];
    for (name, text) in expected {
        assert_eq!(meaning(name), text, "{name}");
    }
    let limits = |name| declarations.shapes.get(component(&declarations, name)).limits.clone().expect("it has limits");
    assert_eq!((limits("K").minimum, limits("K").exclusive_minimum), (None, Some("1".to_owned())));
    assert_eq!(limits("I").keywords, [("unevaluatedProperties", "false".to_owned())]);
    assert_eq!(limits("L").exclusive_minimum.as_deref(), Some("1.5"));
    assert_eq!(limits("M").default, Some(Literal::String("a".to_owned())));
}

#[test]
fn recursion_through_members_is_kept_and_through_all_of_is_an_issue() {
    let good = with_schemas(
        "3.1.0",
        "    Node: {type: object, properties: {next: {$ref: '#/components/schemas/Node'}, \
         all: {type: array, items: {$ref: '#/components/schemas/Node'}}}}\n",
    );
    assert!(good.issues.is_empty(), "{:?}", good.issues);
    let node = component(&good, "Node");
    let Kind::Object(object) = &good.shapes.get(node).kind else { panic!("an object") };
    assert_eq!(good.shapes.view(object.fields[0].shape).id, node);
    let bad = with_schemas(
        "3.1.0",
        "    A: {allOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/A'}]}\n    \
         B: {$ref: '#/components/schemas/C'}\n    C: {$ref: '#/components/schemas/B'}\n",
    );
    assert_eq!(bad.issues.len(), 3, "{:?}", bad.issues);
    for name in ["A", "B", "C"] {
        assert!(meaning(&bad.shapes, component(&bad, name)).starts_with("unknown"), "{name}");
    }
}

#[test]
fn all_ofs_that_multiply_are_refused() {
    let mut schemas = "    A0: {type: object}\n".to_owned();
    for level in 1..40 {
        let part = format!("{{$ref: '#/components/schemas/A{}'}}", level - 1);
        let _ = writeln!(schemas, "    A{level}: {{allOf: [{part}, {part}]}}");
    }
    let declarations = with_schemas("3.1.0", &schemas);
    assert!(declarations.problems.iter().any(|problem| problem.kind == ProblemKind::TooLarge));
    let _ = declarations.shapes.view(component(&declarations, "A39"));
}

#[test]
fn a_long_chain_of_references_does_not_use_the_stack() {
    let mut schemas = String::new();
    for level in 0..20_000 {
        let next = level + 1;
        let _ = writeln!(schemas, "    A{level}: {{properties: {{x: {{$ref: '#/components/schemas/A{next}'}}}}}}");
    }
    schemas.push_str("    A20000: {type: string}\n");
    let declarations = with_schemas("3.1.0", &schemas);
    assert_eq!(declarations.components.len(), 20_001);
    assert!(declarations.issues.is_empty());
}

#[test]
fn references_lead_into_other_files_and_dead_ends_are_reported_once() {
    let api = "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:\n  /a:\n    $ref: 'sub/paths.yaml#/~1a'\n  /b:\n    get:\n      \
               responses:\n        '200': {$ref: '#/components/responses/None'}\n        '404': {$ref: '#/components/responses/None'}\n        \
               '500': {$ref: 'https://example.com/x.yaml#/X'}\n        '501': {$ref: 'https://example.com/x.yaml#/X'}\n        \
               '502': {$ref: 'gone.yaml#/X'}\n        '503': {$ref: '/etc/passwd'}\n        '504': {$ref: 'refused.yaml'}\n";
    let paths = "/a:\n  get: {$ref: '#/get'}\nget:\n    responses:\n      200:\n        description: ok\n        content:\n          application/json:\n            \
                 schema: {$ref: '../models.yaml#/User%20X'}\n";
    let models = "User X:\n  type: object\n  properties:\n    pet: {$ref: 'sub/Pet.yaml'}\n";
    let pet = "type: object\nproperties: {name: {type: string}, owner: {$ref: '../models.yaml#/User X'}}\n";
    let files = [("api.yaml", api), ("sub/paths.yaml", paths), ("models.yaml", models), ("sub/Pet.yaml", pet)];
    let mut documents: BTreeMap<String, Document> = files
        .iter()
        .enumerate()
        .map(|(at, (path, text))| ((*path).to_owned(), parse(FileId(at as u32), text)))
        .collect();
    let reason = Problem::new(ProblemKind::ReferenceOutsideRoot, "", "refused");
    documents.insert("refused.yaml".to_owned(), Document::Absent { reason });
    let declarations = declare(&documents, "api.yaml");
    let operation = &declarations.operations[0];
    assert_eq!(operation.title(), "GET /a");
    assert_eq!((operation.span.file, operation.pointer.as_str()), (FileId(1), "/~1a/get"));
    let body = declarations.shapes.view(operation.responses[0].bodies[0].shape);
    assert_eq!(body.shape.name.as_deref(), Some("User X"));
    let text = meaning(&declarations.shapes, operation.responses[0].bodies[0].shape);
    assert!(text.starts_with("{pet?: {name?: String, owner?: {pet?: "), "{text}");
    let issues: Vec<_> = declarations.issues.iter().map(|issue| (issue.kind, issue.message.as_str())).collect();
    let unresolved = IssueKind::UnresolvedReference;
    assert_eq!(
        issues,
        [
            (unresolved, "`$ref` to `#/components/responses/None` leads nowhere"),
            (unresolved, "`$ref` to `gone.yaml`: there is no such file"),
        ]
    );
    let mut problems: Vec<_> =
        declarations.problems.iter().map(|problem| (problem.kind, problem.path.as_str())).collect();
    problems.sort_unstable();
    assert_eq!(
        problems,
        [
            (ProblemKind::ReferenceOutsideRoot, "api.yaml"),
            (ProblemKind::ReferenceOutsideRoot, "api.yaml"),
            (ProblemKind::ReferenceNotFollowed, "api.yaml"),
        ]
    );
    assert_eq!(declarations.operations[1].responses.len(), 7);
}

#[test]
fn parameters_of_the_operation_override_those_of_the_path() {
    let declarations = declare_text(
        "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:\n  /a/{id}:\n    x-status: planned\n    parameters:\n      \
         - {name: id, in: path, required: true, schema: {type: string}}\n      - {name: q, in: query, schema: {type: string}}\n    \
         get:\n      parameters:\n        - {name: id, in: path, required: true, schema: {type: integer}}\n        \
         - {name: f, in: query, content: {application/json: {schema: {type: boolean}}}}\n      responses: {2XX: {description: x}, default: {description: y}}\n",
    );
    assert!(declarations.issues.is_empty(), "{:?}", declarations.issues);
    let operation = &declarations.operations[0];
    let parameters: Vec<_> = operation
        .request
        .parameters
        .iter()
        .map(|p| (p.place, p.name.as_str(), p.required, meaning(&declarations.shapes, p.shape)))
        .collect();
    assert_eq!(
        parameters,
        [
            (ParameterPlace::Path, "id", true, "Integer".to_owned()),
            (ParameterPlace::Query, "q", false, "String".to_owned()),
            (ParameterPlace::Query, "f", false, "Boolean".to_owned()),
        ]
    );
    assert!(operation.planned);
    let statuses: Vec<_> = operation.responses.iter().map(|response| response.status.clone()).collect();
    assert_eq!(statuses, [Status::Range(2), Status::Default]);
}

fn issues_of(text: &str) -> Vec<(IssueKind, u32, String)> {
    let line = |span: Span| text[..span.start as usize].matches('\n').count() as u32 + 1;
    declare_text(text).issues.into_iter().map(|issue| (issue.kind, line(issue.span), issue.message)).collect()
}

#[test]
fn defects_stand_at_their_lines() {
    let text = "openapi: 3.1.0\npaths:\n  /a/{x}:\n    get: {operationId: one, responses: {20O: {description: x}}}\n    \
                delete: {responses: {200: {description: x}}, parameters: [{name: x, in: path, required: true, schema: {type: strng}}]}\n  \
                /a/{y}:\n    get:\n      operationId: one\n      parameters: [{name: y, in: path, required: true, schema: {}}, {name: z, in: path, required: true, schema: {}}]\n  b: {}\n  \
                /a/{y}/: {get: {parameters: [{name: y, in: path, required: true, schema: {}}]}}\n";
    let expected = [
        (IssueKind::MissingField, 1, "the document has no `info`"),
        (IssueKind::InvalidValue, 3, "`{x}` of `/a/{x}` is not declared as a path parameter for GET"),
        (IssueKind::InvalidValue, 4, "`20O` is no status of a response"),
        (IssueKind::InvalidValue, 5, "`strng` is no type"),
        (IssueKind::DuplicateOperation, 7, "operation `GET /a/{y}` repeats `GET /a/{x}`"),
        (IssueKind::DuplicateOperation, 8, "`operationId: one` of `GET /a/{y}` is used by `GET /a/{x}`"),
        (IssueKind::InvalidValue, 9, "path parameter `z` does not occur in `/a/{y}`"),
        (IssueKind::InvalidValue, 10, "path `b` does not start with `/`"),
    ];
    let found = issues_of(text);
    assert_eq!(found, expected.map(|(kind, line, message)| (kind, line, message.to_owned())));
}

#[test]
fn what_is_no_contract_is_said_and_nothing_else() {
    assert_eq!(issues_of("a: 1\n").len(), 1);
    assert_eq!(issues_of("openapi: 4.0.0\npaths: {}\n")[0].0, IssueKind::NotAContract);
    assert_eq!(issues_of("swagger: '1.2'\n").len(), 1);
    assert_eq!(issues_of("").len(), 1);
    assert_eq!(issues_of("[1, 2]").len(), 1);
    // A later 3.x is read as far as it is known.
    let later = "openapi: 3.9.0\ninfo: {title: t, version: '1'}\npaths: {/a: {get: {}}}\n";
    assert_eq!(declare_text(later).operations.len(), 1);
    assert_eq!(issues_of(later).len(), 1);
    let deep = "[".repeat(10_000);
    let declarations = declare_text(&deep);
    assert!(declarations.issues.is_empty() && declarations.problems[0].path == "api.yaml");
}

#[test]
fn a_broken_end_leaves_the_beginning_usable_and_causes_no_false_issue() {
    let text = "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:\n  /a:\n    get:\n      responses:\n        200:\n          \
                description: x\n          content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}\n  /b:\n    get:\n      \
                responses: {200: {description: [}}\ncomponents: {}\n";
    let declarations = declare_text(text);
    let kinds: Vec<_> = declarations.issues.iter().map(|issue| issue.kind).collect();
    assert_eq!(kinds, [IssueKind::Syntax]);
    let titles: Vec<_> = declarations.operations.iter().map(crate::model::Operation::title).collect();
    assert_eq!(titles, ["GET /a"]);
    let shape = declarations.operations[0].responses[0].bodies[0].shape;
    assert!(meaning(&declarations.shapes, shape).starts_with("unknown"));
}

#[test]
fn servers_give_base_paths_at_every_level() {
    let declarations = declare_text(
        "openapi: 3.1.0\ninfo: {title: t, version: 1.10}\nservers:\n  - url: https://{host}/api/{v}/\n    variables: {host: {default: h}, v: {default: v1}}\n  \
         - url: /api/v1\npaths:\n  /a:\n    servers: [{url: /other}]\n    get: {servers: [{url: 'https://x'}]}\n",
    );
    assert_eq!(declarations.base_paths, ["/api/v1", "/other", ""]);
    assert_eq!(declarations.version, "1.10");
}

#[test]
fn a_query_that_is_written_behind_a_path_is_no_part_of_it() {
    let declarations = declare_text(
        "openapi: 3.1.0\ninfo: {title: t, version: 1.10}\npaths:\n  '/pets/find?name={name}&age={age}':\n    get: {}\n",
    );
    let titles: Vec<String> = declarations.operations.iter().map(crate::model::Operation::title).collect();
    assert_eq!(titles, ["GET /pets/find"]);
}

#[test]
fn json_must_be_json_where_the_file_says_so() {
    let text = "{\"openapi\": \"3.1.0\", \"info\": {\"title\": \"t\", \"version\": \"1\"}, \"paths\": {},}";
    assert_eq!(declare_files(&[("api.json", text)]).issues[0].kind, IssueKind::Syntax);
    assert!(declare_files(&[("api.yaml", text)]).issues.is_empty());
}

proptest! {
    /// Words of the format in any order, and real documents with a piece cut out or put elsewhere.
    #[test]
    fn no_damage_makes_reading_panic(
        document in prop::sample::select(vec![SWAGGER_2, OPENAPI_30, OPENAPI_31]),
        cut in any::<(prop::sample::Index, u8)>(),
        paste in any::<prop::sample::Index>(),
        swap in prop::sample::select(vec![
            ("type: object", "type: [object, null]"),
            ("#/components/schemas/User", "#/components/schemas/User/properties/manager"),
            ("properties", "allOf"),
            ("required", "oneOf"),
            ("schema", "$ref"),
            ("responses", "parameters"),
            ("integer", "7"),
        ]),
    ) {
        let document = document.replace(swap.0, swap.1);
        let from = document.floor_char_boundary(cut.0.index(document.len()));
        let to = document.floor_char_boundary((from + cut.1 as usize).min(document.len()));
        let mut rest = format!("{}{}", &document[..from], &document[to..]);
        rest.insert_str(rest.floor_char_boundary(paste.index(rest.len())), &document[from..to]);
        let declarations = declare_text(&rest);
        for issue in &declarations.issues {
            prop_assert!(rest.get(issue.span.start as usize..issue.span.end as usize).is_some());
        }
        for id in 0..declarations.shapes.len() {
            let _ = declarations.shapes.view(ShapeId(id as u32));
        }
    }
}
