//! pika and aio-pika: `channel.basic_publish(exchange, routing_key, body)`, `channel.basic_consume(queue, callback)`
//! (pika.readthedocs.io); `exchange.publish(Message(body), routing_key)`, `queue.consume(callback)`
//! (docs.aio-pika.com). What is sent goes by its routing key, which is a queue's name on the default exchange, else by
//! the exchange.

use super::table::{At, Does, Got, NAMED, Row, Table, table_library};
use crate::languages::Language;
use crate::wires::payload::Form;

static PIKA_TABLE: Table = Table {
    name: "pika",
    languages: &[Language::Python],
    prefixes: &["pika."],
    rows: &[
        Row {
            method: "basic_publish",
            of: "",
            does: Does::Send {
                channel: &[At::Arg(1, "routing_key", &[]), At::Arg(0, "exchange", &[])],
                message: None,
                payload: At::Arg(2, "body", &[]),
                form: Form::Bytes,
            },
        },
        Row {
            method: "basic_consume",
            of: "",
            does: Does::Receive {
                channel: &[At::Arg(0, "queue", &[])],
                got: &[Got::Handler(At::Arg(1, "on_message_callback", &[]), 3, &[&[]])],
            },
        },
    ],
};

table_library!(
    PIKA, PIKA_TABLE, packages: ["pika"], words: ["basic_publish", "basic_consume"],
    methods: ["basic_publish", "basic_consume"]
);

const MESSAGE: &[&[&str]] = &[&["body"]];

static AIO_PIKA_TABLE: Table = Table {
    name: "aio-pika",
    languages: &[Language::Python],
    prefixes: &["aio_pika."],
    rows: &[
        Row {
            method: "publish",
            of: "",
            does: Does::Send {
                channel: &[
                    At::Arg(1, "routing_key", &[]),
                    At::Of("declare_exchange", 0, "name", &[]),
                    At::Of("get_exchange", 0, "name", &[]),
                ],
                message: None,
                payload: At::Arg(0, "message", &["body"]),
                form: Form::Bytes,
            },
        },
        Row {
            method: "consume",
            of: "",
            does: Does::Receive {
                channel: &[At::Of("declare_queue", 0, "name", &[]), At::Of("get_queue", 0, "name", &[])],
                got: &[Got::Handler(At::Arg(0, "callback", &[]), 0, MESSAGE)],
            },
        },
        Row {
            method: "iterator",
            of: "",
            does: Does::Receive {
                channel: &[At::Of("declare_queue", 0, "name", &[]), At::Of("get_queue", 0, "name", &[])],
                got: &[Got::Result(&[&["[]", "body"]])],
            },
        },
        Row {
            method: "get",
            of: "queue",
            does: Does::Receive {
                channel: &[At::Of("declare_queue", 0, "name", &[]), At::Of("get_queue", NAMED, "name", &[])],
                got: &[Got::Result(MESSAGE)],
            },
        },
    ],
};

table_library!(
    AIO_PIKA, AIO_PIKA_TABLE, packages: ["aio_pika"], words: ["publish", "consume", "iterator"], methods: []
);
