//! kafkajs: `producer.send({ topic, messages: [{ value: JSON.stringify(…) }] })`, `consumer.subscribe({ topic })` with
//! `consumer.run({ eachMessage })` (kafka.js.org/docs).

use super::table::{At, Does, Got, Row, Table, table_library};
use crate::languages::Language;
use crate::wires::payload::Form;

static TABLE: Table = Table {
    name: "kafkajs",
    languages: &[Language::TypeScript],
    prefixes: &["kafkajs."],
    rows: &[
        Row {
            method: "send",
            of: "roducer",
            does: Does::Send {
                channel: &[At::Arg(0, "", &["topic"])],
                message: None,
                payload: At::Arg(0, "", &["messages", "[]", "value"]),
                form: Form::Bytes,
            },
        },
        Row {
            method: "sendBatch",
            of: "roducer",
            does: Does::Send {
                channel: &[At::Arg(0, "", &["topicMessages", "[]", "topic"])],
                message: None,
                payload: At::Arg(0, "", &["topicMessages", "[]", "messages", "[]", "value"]),
                form: Form::Bytes,
            },
        },
        Row {
            method: "subscribe",
            of: "onsumer",
            does: Does::Receive {
                channel: &[At::Arg(0, "", &["topic"]), At::Arg(0, "", &["topics"])],
                got: &[Got::Kept(
                    0,
                    &[&["message", "value"], &["batch", "messages", "[]", "value"], &["messages", "[]", "value"]],
                )],
            },
        },
        Row {
            method: "run",
            of: "onsumer",
            does: Does::Handle { handler: &[At::Arg(0, "", &["eachMessage"]), At::Arg(0, "", &["eachBatch"])] },
        },
    ],
};

table_library!(
    KAFKAJS, TABLE, packages: ["kafkajs"], words: ["send", "sendBatch", "subscribe", "run"], methods: []
);
