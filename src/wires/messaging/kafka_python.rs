//! kafka-python: `KafkaProducer().send("topic", value)`, `KafkaConsumer("topic")` (kafka-python.readthedocs.io).

use super::table::{At, Does, Got, Row, Table, table_library};
use crate::languages::Language;
use crate::wires::payload::Form;

const VALUE: &[&[&str]] = &[&["[]", "value"], &["poll()", "[]", "[]", "value"]];

static TABLE: Table = Table {
    name: "kafka-python",
    languages: &[Language::Python],
    prefixes: &["kafka."],
    rows: &[
        Row {
            method: "send",
            of: "Producer",
            does: Does::Send {
                channel: &[At::Arg(0, "topic", &[])],
                message: None,
                payload: At::Arg(1, "value", &[]),
                form: Form::Bytes,
            },
        },
        Row {
            method: "KafkaConsumer",
            of: "",
            does: Does::Receive { channel: &[At::All], got: &[Got::Result(VALUE)] },
        },
        Row {
            method: "subscribe",
            of: "Consumer",
            does: Does::Receive { channel: &[At::Arg(0, "topics", &[])], got: &[Got::Object(VALUE)] },
        },
    ],
};

table_library!(KAFKA_PYTHON, TABLE, packages: ["kafka"], words: ["send", "subscribe", "KafkaConsumer"], methods: []);
