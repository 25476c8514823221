//! Facts by example and by law.

use proptest::prelude::*;

use super::*;
use crate::finding::Reason;
use crate::model::{
    Action, Additional, Body, Field, HttpCall, Implementation, Kind, Limits, Literal, MessageUse, Method, Model,
    Object, Operation, Parameter, ParameterPlace, PathTemplate, Reach, Request, Response, Shape, ShapeId, ShapeTable,
    Status, Union, Unread, Url,
};
use crate::project::{Project, Service};
use crate::text::{FileId, SourceFile, Sources, Span};

fn span(at: usize) -> Span {
    Span::new(FileId(at as u32 % 2), at, at + 1)
}

fn project(services: Vec<Service>) -> Project {
    let mut sources = Sources::default();
    sources.add(SourceFile::new("app/a.py", "one\ntwo\nthree\nfour\n"));
    sources.add(SourceFile::new("app/b.py", "\n\n\n\n\n\n"));
    Project { sources, services, ..Project::default() }
}

/// What is written of what is read of what is written.
fn again(text: &str) -> String {
    let mut sources = Sources::default();
    let (services, problems) = read("app.facts.json", text, &mut sources);
    assert_eq!(problems, []);
    let nothing = project(Vec::new());
    write(&Project { sources, services, ..nothing }, "here")
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![Just("id".to_owned()), Just("ü: \"?".to_owned()), Just(String::new()), "[a-z/{}]{0,6}"]
}

fn reason() -> impl Strategy<Value = Reason> {
    (words(), proptest::option::of(0_usize..20)).prop_map(|(text, at)| Reason::new(text, at.map(span)))
}

/// A shape among this many.
fn shape(count: u32) -> impl Strategy<Value = Shape> {
    let id = move || (0..count).prop_map(ShapeId);
    let several = move || proptest::collection::vec(id(), 0..3);
    let field = (words(), id(), any::<bool>(), any::<bool>(), proptest::option::of(0_usize..20)).prop_map(
        |(name, shape, required, always, at)| Field {
            declared: required.then(|| name.clone()),
            name,
            shape,
            required,
            always,
            span: at.map(span),
        },
    );
    let additional = prop_oneof![Just(Additional::Open), Just(Additional::Closed), id().prop_map(Additional::Of)];
    let object = (proptest::collection::vec(field, 0..3), additional)
        .prop_map(|(fields, additional)| Kind::Object(Object { fields, additional }));
    let leaf = prop_oneof![
        Just(Kind::Any),
        Just(Kind::Never),
        Just(Kind::Null),
        Just(Kind::Boolean),
        Just(Kind::Integer),
        Just(Kind::Number),
        Just(Kind::Numeric),
        Just(Kind::String),
        reason().prop_map(Kind::Unknown),
    ];
    let kind = prop_oneof![
        3 => leaf,
        2 => object,
        1 => (several(), proptest::option::of(id())).prop_map(|(prefix, items)| Kind::Array { prefix, items }),
        1 => (several(), proptest::option::of(words()), any::<bool>()).prop_map(|(options, discriminator, exclusive)| {
            Kind::Union(Union { options, discriminator, exclusive })
        }),
        1 => several().prop_map(Kind::Either),
        1 => several().prop_map(Kind::All),
        1 => id().prop_map(Kind::Ref),
    ];
    let values = prop_oneof![
        Just(None),
        Just(Some(vec![
            Literal::Null,
            Literal::Boolean(true),
            Literal::Number("1.50".into()),
            Literal::String("a".into()),
            Literal::Other("[1]".into()),
        ])),
    ];
    let limits = || Limits { min_length: Some(3), default: Some(Literal::Number("7".into())), ..Limits::default() };
    (kind, values, proptest::collection::vec(any::<bool>(), 7), proptest::option::of(words())).prop_map(
        move |(kind, values, flags, format)| Shape {
            nullable: flags[0],
            null_open: flags[1] && flags[2],
            name: flags[2].then(|| "Name".to_owned()),
            read_only: flags[1] && flags[3],
            write_only: flags[4] && flags[5],
            deprecated: flags[3] && flags[4],
            limits: flags[6].then(|| Box::new(limits())),
            span: flags[5].then(|| span(usize::from(flags[0]) + 3)),
            values,
            format,
            ..Shape::new(kind)
        },
    )
}

fn service() -> impl Strategy<Value = Service> {
    (1_u32..12)
        .prop_flat_map(|count| {
            let shapes = proptest::collection::vec(shape(count), count as usize);
            let known = (words(), reason(), any::<bool>(), 0..count);
            (shapes, proptest::collection::vec(known, 1..4))
        })
        .prop_map(|(shapes, seeds)| {
            let mut table = ShapeTable::default();
            shapes.into_iter().for_each(|shape| {
                table.add(shape);
            });
            let mut service = Service {
                name: "app".into(),
                root: "app".into(),
                scanned: true,
                operations: Vec::new(),
                messages: Vec::new(),
                calls: Vec::new(),
                models: Vec::new(),
                shapes: table,
                unknown: Vec::new(),
                unread: Vec::new(),
                routings: Vec::new(),
                frameworks: Vec::new(),
                unsupported: vec!["Zope".into()],
                files: 2,
            };
            for (at, (word, why, flag, shape)) in seeds.into_iter().enumerate() {
                let shape = ShapeId(shape);
                let body = Body { media: "application/json".into(), shape, span: span(at), required: flag };
                let parameter = Parameter {
                    name: word.clone(),
                    place: if flag { ParameterPlace::Query } else { ParameterPlace::Cookie },
                    required: flag,
                    shape,
                    span: span(at + 1),
                };
                let path = PathTemplate::new(&format!("/{}/{{id}}", word.replace(['{', '}'], "")));
                let status = if flag { Status::Range(2) } else { Status::Unknown(why.clone()) };
                service.operations.push(Operation {
                    method: Method::ALL[at],
                    path: path.clone(),
                    span: span(at),
                    pointer: String::new(),
                    responses: vec![Response { status, bodies: vec![body.clone()], span: span(at) }],
                    request: Request {
                        parameters: vec![parameter.clone()],
                        bodies: vec![body.clone()],
                        other_parameters: flag.then(|| why.clone()),
                        other_bodies: (!flag).then(|| why.clone()),
                        unchecked: flag,
                        parsed: flag,
                    },
                    deprecated: flag,
                    id: None,
                    extensions: Vec::new(),
                    planned: false,
                    implementation: Some(Implementation {
                        framework: "any",
                        handler: word.clone(),
                        handler_span: flag.then(|| span(at)),
                        mounts: Vec::new(),
                        hidden: flag,
                        conditional: !flag,
                        when: Vec::new(),
                        mounted: flag,
                        any_case: flag,
                        versions: Vec::new(),
                        unknown: vec![why.clone()],
                    }),
                });
                service.calls.push(HttpCall {
                    origin: None,
                    library: "any",
                    method: if flag { Ok(Method::Post) } else { Err(why.clone()) },
                    url: if flag { Err(why.clone()) } else { Ok(Url { host: Some(word.clone()), whole: flag, path }) },
                    parameters: vec![parameter],
                    other_parameters: flag.then(|| why.clone()),
                    body: flag.then_some(body),
                    other_members: flag.then(|| why.clone()),
                    answer: Some(shape),
                    doubt: flag.then(|| why.clone()),
                    span: span(at),
                    function: word.clone(),
                });
                service.messages.push(MessageUse {
                    setting: None,
                    library: "any",
                    action: if flag { Action::Send } else { Action::Receive },
                    channel: if flag { Ok(word.clone()) } else { Err(why.clone()) },
                    message: flag.then(|| word.clone()),
                    payload: flag.then_some(shape),
                    span: span(at),
                    function: word.clone(),
                });
                service.models.push(Model {
                    name: word.clone(),
                    shape,
                    span: span(at),
                    message: flag.then(|| word.clone()),
                });
                service.unread.push(Unread {
                    path: "/\u{fffc}".into(),
                    method: flag.then_some(Method::Get),
                    reach: if flag { Reach::Route } else { Reach::Unseen },
                    reason: why.clone(),
                });
                service.unknown.push(why);
            }
            service
        })
}

fn valid() -> jsonschema::Validator {
    let schema = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is one")
}

proptest! {
    #[test]
    fn what_is_read_is_written_again(service in service()) {
        let text = write(&project(vec![service]), "here");
        prop_assert_eq!(&again(&text), &text);
        let value = serde_json::from_str(&text).expect("JSON");
        let errors: Vec<String> = valid().iter_errors(&value).map(|error| error.to_string()).collect();
        prop_assert!(errors.is_empty(), "{errors:?}\n{text}");
    }

    #[test]
    fn whatever_is_changed_in_a_file_is_no_panic(service in service(), cut in 0_usize..4000, with in "[0-9a-z\\[\\]{}\":,]{0,4}") {
        let mut text = write(&project(vec![service]), "here");
        let at = text.floor_char_boundary(cut);
        text.insert_str(at, &with);
        let mut sources = Sources::default();
        let (services, _) = read("facts.json", &text, &mut sources);
        write(&Project { sources, services, ..project(Vec::new()) }, "here");
    }
}

#[test]
fn a_place_is_a_file_and_a_line_with_the_service_in_front() {
    let text = r#"{"treaty-facts":1,"services":[{"name":"web","root":"web","files":["src/api.ts"],"serves":[],"calls":[{"method":"GET","url":{"path":"/users/{id}"},"answer":0,"at":[0,12]}],"shapes":[{"is":"object","name":"User","fields":[{"name":"id","shape":"string:uuid?","required":true,"at":[0,4]}]}],"later":7}]}"#;
    let mut sources = Sources::default();
    let (services, problems) = read("web.json", text, &mut sources);
    assert_eq!(problems, []);
    let call = &services[0].calls[0];
    assert_eq!(sources.place(call.span), "web:src/api.ts:12");
    assert!(sources.get(call.span.file).is_elsewhere());
    let Kind::Object(user) = &services[0].shapes.get(call.answer.expect("one")).kind else { panic!("an object") };
    assert_eq!(sources.place(user.fields[0].span.expect("a place")), "web:src/api.ts:4");
    let id = services[0].shapes.get(user.fields[0].shape);
    assert_eq!((&id.kind, id.nullable, id.format.as_deref()), (&Kind::String, true, Some("uuid")));
}

#[test]
fn what_is_wrong_is_said() {
    let said = |text: &str| {
        let (services, problems) = read("x.json", text, &mut Sources::default());
        (services.len(), problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>().join("; "))
    };
    assert!(said("").1.starts_with("it holds no facts: "));
    assert!(said(r#"{"openapi":"3.0.0"}"#).1.contains("missing field `treaty-facts`"));
    assert_eq!(said(r#"{"treaty-facts":2}"#).1, "its format is 2, and 1 is what this version reads");
    assert!(said(r#"{"treaty-facts":1}"#).1.starts_with("its facts cannot be read: "));
    let broken = r#"{"treaty-facts":1,"services":[{"name":"a","root":"a","serves":[{"method":"GET","path":"/a","at":[7,1],"answers":[{"status":"200","bodies":[{"media":"x","shape":9,"at":[0,0]}],"at":[0,4294967295]}]}]}]}"#;
    let expected = "a place in a file that is not listed, a shape that is not listed of `a` cannot be read";
    assert_eq!(said(broken), (1, expected.to_owned()));
}
