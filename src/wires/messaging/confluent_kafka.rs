//! confluent-kafka for Python: `Producer(…).produce("topic", value=…)`, `Consumer(…).subscribe(["topic"])`
//! (docs.confluent.io/platform/current/clients/confluent-kafka-python).

use super::table::{At, Does, Got, Row, Table, table_library};
use crate::languages::Language;
use crate::wires::payload::Form;

static TABLE: Table = Table {
    name: "confluent-kafka",
    languages: &[Language::Python],
    prefixes: &["confluent_kafka."],
    rows: &[
        Row {
            method: "produce",
            of: "",
            does: Does::Send {
                channel: &[At::Arg(0, "topic", &[])],
                message: None,
                payload: At::Arg(1, "value", &[]),
                form: Form::Bytes,
            },
        },
        Row {
            method: "subscribe",
            of: "Consumer",
            does: Does::Receive {
                channel: &[At::Arg(0, "topics", &[])],
                got: &[Got::Object(&[&["poll()", "value()"], &["consume()", "[]", "value()"]])],
            },
        },
    ],
};

table_library!(CONFLUENT_KAFKA, TABLE, packages: ["confluent_kafka"], words: ["produce", "subscribe"], methods: []);
