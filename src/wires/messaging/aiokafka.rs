//! aiokafka: `producer.send_and_wait("topic", value)`, `AIOKafkaConsumer("topic")` (aiokafka.readthedocs.io).

use super::table::{At, Does, Got, Row, Table, table_library};
use crate::languages::Language;
use crate::wires::payload::Form;

const VALUE: &[&[&str]] = &[&["[]", "value"], &["getone()", "value"], &["getmany()", "[]", "[]", "value"]];
const SEND: Does = Does::Send {
    channel: &[At::Arg(0, "topic", &[])],
    message: None,
    payload: At::Arg(1, "value", &[]),
    form: Form::Bytes,
};

static TABLE: Table = Table {
    name: "aiokafka",
    languages: &[Language::Python],
    prefixes: &["aiokafka."],
    rows: &[
        Row { method: "send", of: "AIOKafkaProducer", does: SEND },
        Row { method: "send_and_wait", of: "", does: SEND },
        Row {
            method: "AIOKafkaConsumer",
            of: "",
            does: Does::Receive { channel: &[At::All], got: &[Got::Result(VALUE)] },
        },
        Row {
            method: "subscribe",
            of: "AIOKafkaConsumer",
            does: Does::Receive { channel: &[At::Arg(0, "topics", &[])], got: &[Got::Object(VALUE)] },
        },
    ],
};

table_library!(
    AIOKAFKA, TABLE, packages: ["aiokafka"], words: ["send", "send_and_wait", "AIOKafkaConsumer", "subscribe"],
    methods: ["send_and_wait"]
);
