//! amqplib: `channel.sendToQueue(queue, Buffer.from(…))`, `channel.publish(exchange, key, …)`, `channel.consume(queue, …)`
//! (amqp-node.github.io/amqplib), with promises or callbacks.

use super::table::{At, Does, Got, Row, Table, table_library};
use crate::languages::Language;
use crate::wires::payload::Form;

static TABLE: Table = Table {
    name: "amqplib",
    languages: &[Language::TypeScript],
    prefixes: &["amqplib.", "amqplib/", "amqp-connection-manager."],
    rows: &[
        Row { method: "connect", of: "", does: Does::Give { to: At::Arg(1, "", &[]), position: 1 } },
        Row { method: "createChannel", of: "", does: Does::Give { to: At::Arg(0, "", &[]), position: 1 } },
        Row { method: "createConfirmChannel", of: "", does: Does::Give { to: At::Arg(0, "", &[]), position: 1 } },
        Row {
            method: "sendToQueue",
            of: "",
            does: Does::Send {
                channel: &[At::Arg(0, "", &[])],
                message: None,
                payload: At::Arg(1, "", &[]),
                form: Form::Bytes,
            },
        },
        Row {
            method: "publish",
            of: "",
            does: Does::Send {
                channel: &[At::Arg(1, "", &[]), At::Arg(0, "", &[])],
                message: None,
                payload: At::Arg(2, "", &[]),
                form: Form::Bytes,
            },
        },
        Row {
            method: "consume",
            of: "",
            does: Does::Receive {
                channel: &[At::Arg(0, "", &[])],
                got: &[Got::Handler(At::Arg(1, "", &[]), 0, &[&["content"]])],
            },
        },
    ],
};

table_library!(
    AMQPLIB, TABLE, packages: ["amqplib", "amqp-connection-manager"],
    words: ["sendToQueue", "publish", "consume", "connect", "createChannel"], methods: ["sendToQueue"]
);
