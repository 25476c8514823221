//! Tests of the reader beside this file.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;

use crate::contracts::{Declarations, Document, IssueKind, declare, parse};
use crate::model::{Action, Additional, Events, Kind, Message, ShapeId, ShapeTable};
use crate::text::FileId;

fn declare_files(files: &[(&str, &str)]) -> Declarations {
    let documents: BTreeMap<String, Document> = files
        .iter()
        .enumerate()
        .map(|(at, (path, text))| ((*path).to_owned(), parse(FileId(at as u32), text)))
        .collect();
    declare(&documents, files[0].0)
}

fn declare_text(text: &str) -> Declarations {
    declare_files(&[("events.yaml", text)])
}

fn events(declarations: &Declarations) -> &Events {
    declarations.events.as_ref().expect("the document is about events")
}

fn messages_of(text: &str) -> Vec<String> {
    declare_text(text).issues.into_iter().map(|issue| issue.message).collect()
}

/// A shape with references followed, as text.
fn meaning(table: &ShapeTable, id: ShapeId, depth: usize, out: &mut String) {
    let view = table.view(id);
    if depth > 5 {
        out.push('…');
        return;
    }
    match &view.shape.kind {
        Kind::Object(object) => {
            out.push('{');
            for field in &object.fields {
                let _ = write!(out, "{}{}: ", field.name, if field.required { "" } else { "?" });
                meaning(table, field.shape, depth + 1, out);
                out.push_str(", ");
            }
            if let Additional::Closed = object.additional {
                out.push('!');
            }
            out.push('}');
        }
        Kind::Array { items: Some(items), .. } => {
            out.push('[');
            meaning(table, *items, depth + 1, out);
            out.push(']');
        }
        Kind::Unknown(reason) => {
            let _ = write!(out, "unknown: {}", reason.text);
        }
        kind => {
            let _ = write!(out, "{kind:?}{:?}", view.shape.values);
        }
    }
    if view.nullable {
        out.push('?');
    }
}

fn shape(declarations: &Declarations, id: Option<ShapeId>) -> String {
    let mut out = String::new();
    match id {
        Some(id) => meaning(&declarations.shapes, id, 0, &mut out),
        None => out.push('-'),
    }
    out
}

/// What a document says, without its places: for comparing spellings.
fn said(declarations: &Declarations) -> String {
    let events = events(declarations);
    let mut out = String::new();
    for server in &events.servers {
        let _ = writeln!(out, "server {} {:?} {}{}", server.name, server.protocol, server.host, server.path);
    }
    for channel in &events.channels {
        let parameters: Vec<_> = channel.parameters.iter().map(|it| (&it.name, &it.values)).collect();
        let _ = writeln!(out, "channel {:?} {parameters:?} on {:?}", channel.address, channel.servers);
    }
    for operation in &events.operations {
        let channel = &events.channels[operation.channel];
        let _ = writeln!(out, "{:?} {:?} {:?}", operation.id, operation.action, channel.address);
        for at in &operation.messages {
            let Message { id, name, title, content_type, correlation, payload, headers, .. } = &channel.messages[*at];
            let _ = writeln!(out, "  {id:?} {name:?} {title:?} {content_type:?} {correlation:?}");
            let _ = writeln!(out, "    {} / {}", shape(declarations, *payload), shape(declarations, *headers));
        }
    }
    out
}

const HEAD_2: &str = "asyncapi: 2.6.0\ninfo: {title: Shop, version: '1'}\n";
const HEAD_3: &str = "asyncapi: 3.0.0\ninfo: {title: Shop, version: '1'}\n";

#[test]
fn version_2_is_told_from_the_other_side() {
    let two = declare_text(&format!(
        "{HEAD_2}channels:\n  orders:\n    publish: {{operationId: take, message: {{payload: {{type: string}}}}}}\n    \
         subscribe: {{operationId: tell, message: {{payload: {{type: integer}}}}}}\n"
    ));
    let three = declare_text(&format!(
        "{HEAD_3}channels:\n  orders: {{address: orders, messages: {{a: {{payload: {{type: string}}}}, b: {{payload: {{type: integer}}}}}}}}\n\
         operations:\n  take: {{action: receive, channel: {{$ref: '#/channels/orders'}}, messages: [{{$ref: '#/channels/orders/messages/a'}}]}}\n  \
         tell: {{action: send, channel: {{$ref: '#/channels/orders'}}, messages: [{{$ref: '#/channels/orders/messages/b'}}]}}\n"
    ));
    for declarations in [&two, &three] {
        assert_eq!(declarations.issues, []);
        let events = events(declarations);
        let told: Vec<_> = events
            .operations
            .iter()
            .map(|it| {
                let message = &events.channels[it.channel].messages[it.messages[0]];
                (it.id.as_deref(), it.action, shape(declarations, message.payload))
            })
            .collect();
        let expected = [
            (Some("take"), Action::Receive, "StringNone".to_owned()),
            (Some("tell"), Action::Send, "IntegerNone".to_owned()),
        ];
        assert_eq!(told, expected);
    }
}

#[test]
fn the_last_trait_wins_in_version_2_and_the_message_itself_in_version_3() {
    let traits = "traits: [{contentType: one/x, title: One, headers: {type: object, properties: {a: {type: string}}}}, \
                  {$ref: '#/components/messageTraits/Two'}]";
    let components = "components: {messageTraits: {Two: {contentType: two/x, headers: {properties: {b: {type: integer}}, required: [b]}}}}\n";
    let own = "contentType: own/x, headers: {properties: {c: {type: boolean}}}";
    let two =
        declare_text(&format!("{HEAD_2}channels: {{t: {{publish: {{message: {{{own}, {traits}}}}}}}}}\n{components}"));
    let three = declare_text(&format!(
        "{HEAD_3}channels: {{t: {{address: t, messages: {{m: {{{own}, {traits}}}}}}}}}\n{components}"
    ));
    assert_eq!((&two.issues, &three.issues), (&vec![], &vec![]));
    let message = |declarations: &Declarations| {
        let message = events(declarations).channels[0].messages[0].clone();
        (message.content_type.unwrap_or_default(), message.title, shape(declarations, message.headers))
    };
    let (two, three) = (message(&two), message(&three));
    assert_eq!((two.0.as_str(), two.1.as_deref()), ("two/x", Some("One")));
    assert_eq!(two.2, "{b: IntegerNone, a?: StringNone, c?: BooleanNone, }");
    assert_eq!((three.0.as_str(), three.1.as_deref()), ("own/x", Some("One")));
    assert_eq!(three.2, "{c?: BooleanNone, b: IntegerNone, a?: StringNone, }");
}

#[test]
fn one_of_several_messages_and_a_message_that_both_sides_share() {
    let declarations = declare_text(&format!(
        "{HEAD_2}defaultContentType: application/json\nchannels:\n  t:\n    \
         publish: {{message: {{oneOf: [{{$ref: '#/components/messages/A'}}, {{$ref: '#/components/messages/B'}}]}}}}\n    \
         subscribe: {{message: {{$ref: '#/components/messages/B'}}}}\n\
         components: {{messages: {{A: {{}}, B: {{messageId: b, contentType: text/plain, correlationId: {{location: '$message.header#/id'}}}}}}}}\n"
    ));
    assert_eq!(declarations.issues, []);
    let events = events(&declarations);
    let ids: Vec<_> = events.channels[0].messages.iter().map(|it| it.id.as_deref()).collect();
    assert_eq!(ids, [Some("A"), Some("b")]);
    assert_eq!(events.operations.iter().map(|it| it.messages.clone()).collect::<Vec<_>>(), [vec![0, 1], vec![1]]);
    let types: Vec<_> = events.channels[0].messages.iter().map(|it| it.content_type.as_deref()).collect();
    assert_eq!(types, [Some("application/json"), Some("text/plain")]);
    assert_eq!(events.channels[0].messages[1].correlation.as_deref(), Some("$message.header#/id"));
}

#[test]
fn references_lead_within_the_document_into_files_and_round_in_circles() {
    let entry = format!(
        "{HEAD_3}channels: {{t: {{$ref: 'parts/channels.yaml#/t'}}}}\noperations:\n  o: {{action: send, channel: {{$ref: '#/channels/t'}}, \
         messages: [{{$ref: '#/channels/t/messages/m'}}]}}\n"
    );
    let channels = "t: {address: t, messages: {m: {payload: {$ref: '../schemas.yaml#/Node'}}}}\n";
    let schemas = "Node: {type: object, required: [next], properties: {next: {$ref: '#/Node'}}}\n";
    let declarations =
        declare_files(&[("events.yaml", &entry), ("parts/channels.yaml", channels), ("schemas.yaml", schemas)]);
    assert_eq!(declarations.issues, []);
    let events = events(&declarations);
    assert_eq!(events.operations[0].messages, [0]);
    assert!(shape(&declarations, events.channels[0].messages[0].payload).starts_with("{next: {next: {next: "));
    assert_eq!(events.channels[0].messages[0].span.file, FileId(1));

    let circle = format!("{HEAD_2}channels: {{t: {{$ref: '#/channels/u'}}, u: {{$ref: '#/channels/t'}}}}\n");
    let found = declare_text(&circle);
    assert!(!found.issues.is_empty() && found.issues.iter().all(|issue| issue.kind == IssueKind::UnresolvedReference));
    let absent = format!("{HEAD_2}channels: {{t: {{publish: {{message: {{$ref: 'gone.yaml#/M'}}}}}}}}\n");
    assert_eq!(messages_of(&absent), ["`$ref` to `gone.yaml`: there is no such file"]);
    let remote =
        declare_text(&format!("{HEAD_2}channels: {{t: {{publish: {{message: {{$ref: 'https://e.com/M'}}}}}}}}\n"));
    assert_eq!((remote.issues.len(), remote.problems.len()), (0, 1));
}

#[test]
fn a_schema_in_another_language_is_unknown_and_never_wrong() {
    let avro =
        "schemaFormat: 'application/vnd.apache.avro;version=1.9.0', payload: {type: record, name: 7, fields: no}";
    let two = declare_text(&format!("{HEAD_2}channels: {{t: {{publish: {{message: {{{avro}}}}}}}}}\n"));
    let proto = "payload: {schemaFormat: application/vnd.google.protobuf;version=3, schema: {$ref: './shop.proto'}}";
    let three = declare_text(&format!("{HEAD_3}channels: {{t: {{address: t, messages: {{m: {{{proto}}}}}}}}}\n"));
    for (declarations, format) in
        [(&two, "application/vnd.apache.avro;version=1.9.0"), (&three, "application/vnd.google.protobuf;version=3")]
    {
        assert_eq!((&declarations.issues, declarations.problems.len()), (&vec![], 0));
        let message = &events(declarations).channels[0].messages[0];
        assert_eq!(message.schema_format.as_deref(), Some(format));
        let expected = format!("unknown: schemas of the format `{format}` are not read");
        assert_eq!(shape(declarations, message.payload), expected);
    }
    // What stands beside a `$ref` counts from 2019-09 on, not before.
    let both = |format: &str| {
        let text = format!(
            "{HEAD_3}channels: {{t: {{address: t, messages: {{m: {{payload: {{schemaFormat: '{format}', \
             schema: {{$ref: '#/components/schemas/A', required: [a]}}}}}}}}}}}}\n\
             components: {{schemas: {{A: {{type: object, properties: {{a: {{type: string}}}}}}}}}}\n"
        );
        let declarations = declare_text(&text);
        assert_eq!(declarations.issues, []);
        shape(&declarations, events(&declarations).channels[0].messages[0].payload)
    };
    assert_eq!(both("application/schema+json;version=2020-12"), "{a: StringNone, }");
    assert_eq!(both("application/schema+json;version=draft-07"), "{a?: StringNone, }");
}

#[test]
fn replies_servers_and_parameters_are_read() {
    let declarations = declare_text(&format!(
        "{HEAD_3}servers: {{main: {{host: 'broker:5672', pathname: /v1, protocol: amqp}}}}\nchannels:\n  \
         ask: {{address: 'ask/{{room}}', servers: [{{$ref: '#/servers/main'}}], parameters: {{room: {{enum: [a, b]}}}}, messages: {{q: {{}}}}}}\n  \
         answer: {{address: null, messages: {{r: {{}}, s: {{}}}}}}\noperations:\n  \
         o:\n    action: send\n    channel: {{$ref: '#/channels/ask'}}\n    reply:\n      address: {{location: '$message.header#/replyTo'}}\n      \
         channel: {{$ref: '#/channels/answer'}}\n      messages: [{{$ref: '#/channels/answer/messages/s'}}]\n"
    ));
    assert_eq!(declarations.issues, []);
    let events = events(&declarations);
    let reply = events.operations[0].reply.as_ref().expect("it has a reply");
    assert_eq!((reply.channel, reply.messages.as_slice()), (Some(1), &[1][..]));
    assert_eq!(reply.address.as_deref(), Some("$message.header#/replyTo"));
    assert_eq!(events.channels[1].address, None);
    assert_eq!(events.channels[0].parameters[0].values, ["a", "b"]);
    assert_eq!(events.channels[0].servers, ["main"]);
    assert_eq!((events.servers[0].host.as_str(), events.servers[0].path.as_str()), ("broker:5672", "/v1"));
}

#[test]
fn defects_are_said_where_they_are() {
    for (text, expected) in [
        ("asyncapi: 2.1.37\n", "version `2.1.37` of AsyncAPI is not known"),
        ("asyncapi: 4.0.0\n", "version `4.0.0` of AsyncAPI is not known"),
        ("asyncapi: 3.0.0\n", "an AsyncAPI document must have `info`"),
        (&format!("{HEAD_2}channels: []\n"), "`channels` must be an object, found array"),
        (&format!("{HEAD_2}channels: {{a: {{publsh: {{}}}}}}\n"), "`publsh` is no field of a channel"),
        (&format!("{HEAD_3}operations: {{o: {{action: publish, channel: {{}}}}}}\n"), "`action` must not be `publish`"),
        (
            &format!("{HEAD_2}channels: {{'a/{{id}}': {{parameters: {{}}}}}}\n"),
            "`{id}` of `a/{id}` is not described in `parameters`",
        ),
        (&format!("{HEAD_2}channels: {{a: {{parameters: {{id: {{}}}}}}}}\n"), "parameter `id` does not occur in `a`"),
        (
            &format!("{HEAD_2}channels: {{a: {{publish: {{security: [{{no: []}}]}}}}}}\n"),
            "security scheme `no` is not defined",
        ),
        (
            &format!("{HEAD_2}channels: {{a: {{publish: {{operationId: x}}, subscribe: {{operationId: x}}}}}}\n"),
            "`operationId: x` is used by another one",
        ),
        (
            &format!("{HEAD_2}channels: {{a: {{publish: {{message: {{payload: {{oneOf: 7}}}}}}}}}}\n"),
            "`oneOf` must be a list, found number",
        ),
        (
            &format!("{HEAD_2}channels: {{a: {{publish: {{message: {{payload: {{type: strin}}}}}}}}}}\n"),
            "`strin` is no type",
        ),
        (
            &format!(
                "{HEAD_2}channels: {{a: {{publish: {{message: {{payload: {{type: string}}, examples: [{{payload: 7}}]}}}}}}}}\n"
            ),
            "this example is not what its schema says: its type must be string, found number",
        ),
        (
            &format!("{HEAD_2}channels: {{}}\ncomponents: {{schemas: {{A: {{enum: [1, 2], default: 3}}}}}}\n"),
            "this default is not what its schema says: it is none of the values of `enum`",
        ),
    ] {
        let found = messages_of(text);
        assert!(found.iter().any(|message| message == expected), "{text}: {found:?}");
    }
}

#[test]
fn what_only_looks_wrong_is_not_reported() {
    let text = format!(
        "{HEAD_2}x-more: {{$ref: no}}\nchannels:\n  'a/{{id}}?': {{}}\n  't':\n    parameters: {{x-note: 1}}\n    publish:\n      message:\n        \
         payload: {{type: object, properties: {{at: {{type: string, format: date-time}}, n: {{type: [number, 'null'], minimum: 0, default: null}}}}, \
         patternProperties: {{'^x': {{}}}}, additionalProperties: false}}\n        \
         examples: [{{payload: {{n: 1.5, xy: 2}}}}, {{summary: none}}]\n"
    );
    let found: Vec<_> = declare_text(&text).issues.into_iter().map(|issue| issue.kind).collect();
    // Only the address with a query, and its parameter that nothing describes.
    assert_eq!(found, [IssueKind::InvalidValue, IssueKind::MissingField]);
}

#[test]
fn the_same_message_may_be_written_out_by_a_tool_but_not_be_another_one() {
    let with = |message: &str| {
        format!(
            "{HEAD_3}channels: {{t: {{address: t, messages: {{m: {{payload: {{type: string}}}}}}}}}}\noperations: \
             {{o: {{action: send, channel: {{address: t, messages: {{m: {{payload: {{type: string}}}}}}}}, messages: [{message}]}}}}\n"
        )
    };
    assert_eq!(messages_of(&with("{payload: {type: string}}")), [""; 0]);
    assert_eq!(messages_of(&with("{payload: {type: integer}}")), ["this message is none of its channel's"]);
}

/// One channel for the conversion below.
#[derive(Clone, Debug)]
struct Sketch {
    parameter: bool,
    receives: Vec<usize>,
    sends: Vec<usize>,
    server: bool,
}

const SCHEMAS: [&str; 4] = [
    "{type: string, enum: [a, b]}",
    "{type: object, required: [id], properties: {id: {type: integer}, tags: {type: array, items: {type: string}}}}",
    "{$ref: '#/components/schemas/Order'}",
    "{oneOf: [{type: string}, {type: 'null'}]}",
];

fn sketch() -> impl Strategy<Value = Sketch> {
    let messages = || prop::collection::vec(0..SCHEMAS.len(), 1..3);
    (any::<bool>(), messages(), messages(), any::<bool>()).prop_map(|(parameter, receives, sends, server)| Sketch {
        parameter,
        receives,
        sends,
        server,
    })
}

const ORDER: &str =
    "components: {schemas: {Order: {type: object, additionalProperties: false, properties: {sum: {type: number}}}}}\n";

fn message(at: usize, schema: usize) -> String {
    let correlation = "correlationId: {location: '$message.header#/c'}";
    format!("name: n{at}, title: t, {correlation}, headers: {{type: object}}, payload: {}", SCHEMAS[schema])
}

fn address(at: usize, sketch: &Sketch) -> String {
    if sketch.parameter { format!("c{at}/{{p}}") } else { format!("c{at}") }
}

/// The document as version 2 writes it.
fn as_2(sketches: &[Sketch]) -> String {
    let mut out = format!("{HEAD_2}servers: {{s: {{url: 'kafka://h:1/v', protocol: kafka}}}}\nchannels:\n");
    for (at, sketch) in sketches.iter().enumerate() {
        let _ = writeln!(out, "  '{}':", address(at, sketch));
        if sketch.parameter {
            out.push_str("    parameters: {p: {schema: {type: string, enum: [x, y]}}}\n");
        }
        if sketch.server {
            out.push_str("    servers: [s]\n");
        }
        for (word, messages) in [("publish", &sketch.receives), ("subscribe", &sketch.sends)] {
            let all: Vec<String> = messages
                .iter()
                .enumerate()
                .map(|(n, schema)| format!("{{messageId: {word}{at}m{n}, {}}}", message(n, *schema)))
                .collect();
            let message = if all.len() == 1 { all[0].clone() } else { format!("{{oneOf: [{}]}}", all.join(", ")) };
            let _ = writeln!(out, "    {word}: {{operationId: {word}{at}, message: {message}}}");
        }
    }
    out + ORDER
}

/// The same as version 3 writes it.
fn as_3(sketches: &[Sketch]) -> String {
    let mut out = format!("{HEAD_3}servers: {{s: {{host: 'h:1', pathname: /v, protocol: kafka}}}}\nchannels:\n");
    let mut operations = String::from("operations:\n");
    for (at, sketch) in sketches.iter().enumerate() {
        let _ = writeln!(out, "  key{at}:\n    address: '{}'", address(at, sketch));
        if sketch.parameter {
            out.push_str("    parameters: {p: {enum: [x, y]}}\n");
        }
        if sketch.server {
            out.push_str("    servers: [{$ref: '#/servers/s'}]\n");
        }
        out.push_str("    messages:\n");
        for (word, action, messages) in [("publish", "receive", &sketch.receives), ("subscribe", "send", &sketch.sends)]
        {
            let mut references = Vec::new();
            for (n, schema) in messages.iter().enumerate() {
                let _ = writeln!(out, "      {word}{at}m{n}: {{{}}}", message(n, *schema));
                references.push(format!("{{$ref: '#/channels/key{at}/messages/{word}{at}m{n}'}}"));
            }
            let references = references.join(", ");
            let _ = writeln!(
                operations,
                "  {word}{at}: {{action: {action}, channel: {{$ref: '#/channels/key{at}'}}, messages: [{references}]}}"
            );
        }
    }
    out + &operations + ORDER
}

proptest! {
    #[test]
    fn both_versions_of_a_document_say_the_same(sketches in prop::collection::vec(sketch(), 1..4)) {
        let (two, three) = (declare_text(&as_2(&sketches)), declare_text(&as_3(&sketches)));
        prop_assert_eq!((&two.issues, &three.issues), (&vec![], &vec![]));
        prop_assert_eq!(events(&two).operations.len(), sketches.len() * 2);
        prop_assert_eq!(said(&two), said(&three));
    }

    /// Words of the format at any place of a tree.
    #[test]
    fn no_tree_makes_reading_panic(version in prop::sample::select(vec!["2.0.0", "2.6.0", "3.0.0"]), tree in tree()) {
        let Some(rest) = tree.strip_prefix('{') else { return Ok(()) };
        let text = format!("{{asyncapi: {version}, {rest}");
        let declarations = declare_text(&text);
        for issue in &declarations.issues {
            prop_assert!(text.get(issue.span.start as usize..issue.span.end as usize).is_some());
        }
        for id in 0..declarations.shapes.len() {
            let _ = declarations.shapes.view(ShapeId(id as u32));
        }
    }

    /// Real documents with a piece cut out and put elsewhere.
    #[test]
    fn no_damage_makes_reading_panic(
        sketches in prop::collection::vec(sketch(), 1..3),
        is_third in any::<bool>(),
        cut in any::<(prop::sample::Index, u8)>(),
        paste in any::<prop::sample::Index>(),
    ) {
        let document = if is_third { as_3(&sketches) } else { as_2(&sketches) };
        let from = cut.0.index(document.len());
        let to = (from + cut.1 as usize).min(document.len());
        let mut rest = format!("{}{}", &document[..from], &document[to..]);
        rest.insert_str(paste.index(rest.len().max(1)).min(rest.len()), &document[from..to]);
        let declarations = declare_text(&rest);
        for id in 0..declarations.shapes.len() {
            let _ = declarations.shapes.view(ShapeId(id as u32));
        }
    }
}

fn tree() -> impl Strategy<Value = String> {
    let words = [
        "info",
        "channels",
        "operations",
        "components",
        "messages",
        "message",
        "payload",
        "headers",
        "schemas",
        "traits",
        "oneOf",
        "allOf",
        "$ref",
        "schemaFormat",
        "schema",
        "parameters",
        "servers",
        "security",
        "publish",
        "subscribe",
        "channel",
        "action",
        "reply",
        "examples",
        "default",
        "properties",
        "items",
        "type",
        "tags",
        "url",
        "address",
        "a",
    ];
    let scalars = [
        "'#/channels/a'",
        "'#/components/messages/a'",
        "'#'",
        "'#/components/schemas/a'",
        "7",
        "null",
        "true",
        "send",
        "'a/{b}#'",
        "object",
        "'application/schema+json;version=2020-12'",
        "x.yaml",
        "[]",
        "{}",
    ];
    let leaf = prop::sample::select(scalars.to_vec()).prop_map(str::to_owned);
    leaf.prop_recursive(7, 96, 6, move |inner| {
        prop_oneof![
            prop::collection::vec((prop::sample::select(words.to_vec()), inner.clone()), 0..6).prop_map(|entries| {
                let all: Vec<String> = entries.iter().map(|(key, value)| format!("{key}: {value}")).collect();
                format!("{{{}}}", all.join(", "))
            }),
            prop::collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(", "))),
        ]
    })
}
