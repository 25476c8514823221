//! NATS for Python and JavaScript: `nc.publish("subject", …)`, `nc.subscribe("subject", cb=…)`, the same of JetStream
//! (docs.nats.io/using-nats/developer).

use super::table::{At, Does, Got, NAMED, Row, Table, table_library};
use crate::languages::Language;
use crate::wires::payload::Form;

const DATA: &[&[&str]] = &[&["data"], &["json()"], &["string()"]];

static TABLE: Table = Table {
    name: "nats",
    languages: &[Language::Python, Language::TypeScript],
    prefixes: &["nats.", "@nats-io/", "@nats-io."],
    rows: &[
        Row {
            method: "publish",
            of: "",
            does: Does::Send {
                channel: &[At::Arg(0, "subject", &[])],
                message: None,
                payload: At::Arg(1, "payload", &[]),
                form: Form::Bytes,
            },
        },
        Row {
            method: "request",
            of: "",
            does: Does::Send {
                channel: &[At::Arg(0, "subject", &[])],
                message: None,
                payload: At::Arg(1, "payload", &[]),
                form: Form::Bytes,
            },
        },
        Row {
            method: "subscribe",
            of: "",
            does: Does::Receive {
                channel: &[At::Arg(0, "subject", &[])],
                got: &[
                    Got::Handler(At::Arg(NAMED, "cb", &[]), 0, DATA),
                    Got::Handler(At::Arg(2, "cb", &[]), 0, DATA),
                    Got::Handler(At::Arg(1, "", &["callback"]), 1, DATA),
                    Got::Result(&[
                        &["[]", "data"],
                        &["messages()", "[]", "data"],
                        &["next_msg()", "data"],
                        &["[]", "json()"],
                    ]),
                ],
            },
        },
        Row {
            method: "pull_subscribe",
            of: "",
            does: Does::Receive {
                channel: &[At::Arg(0, "subject", &[])],
                got: &[Got::Result(&[&["fetch()", "[]", "data"]])],
            },
        },
    ],
};

table_library!(
    NATS, TABLE, packages: ["nats", "@nats-io/nats-core", "@nats-io/transport-node"],
    words: ["publish", "request", "subscribe", "pull_subscribe"], methods: ["pull_subscribe"]
);
