//! redis: `client.publish("channel", …)`, `pubsub.subscribe("channel")`, streams (`xadd`, `xread`); the same of the clients
//! for JavaScript (redis.io/docs/latest/develop/interact/pubsub).

use super::table::{At, Does, Got, NAMED, Row, Table, table_library};
use crate::wires::payload::Form;

static TABLE: Table = Table {
    name: "redis",
    prefixes: &["redis.", "aioredis.", "ioredis."],
    rows: &[
        Row {
            method: "publish",
            of: "",
            does: Does::Send {
                channel: &[At::Arg(0, "channel", &[])],
                message: None,
                payload: At::Arg(1, "message", &[]),
                form: Form::Bytes,
            },
        },
        Row {
            method: "xadd",
            of: "",
            does: Does::Send {
                channel: &[At::Arg(0, "name", &[])],
                message: None,
                payload: At::Arg(1, "fields", &[]),
                form: Form::Json,
            },
        },
        Row {
            method: "subscribe",
            of: "pubsub",
            does: Does::Receive {
                channel: &[At::All],
                got: &[Got::Object(&[&["listen()", "[]", "data"], &["get_message()", "data"]])],
            },
        },
        Row {
            method: "psubscribe",
            of: "pubsub",
            does: Does::Receive {
                channel: &[At::All],
                got: &[Got::Object(&[&["listen()", "[]", "data"], &["get_message()", "data"]])],
            },
        },
        // JavaScript: `subscriber.subscribe("channel", (message) => …)`; ioredis tells through an event.
        Row {
            method: "subscribe",
            of: "",
            does: Does::Receive {
                channel: &[At::Arg(0, "", &[])],
                got: &[Got::Handler(At::Arg(1, "", &[]), 0, &[&[]])],
            },
        },
        Row { method: "xread", of: "", does: Does::Receive { channel: &[At::Keys(0, "streams")], got: &[] } },
        Row {
            method: "xreadgroup",
            of: "",
            does: Does::Receive { channel: &[At::Keys(NAMED, "streams"), At::Keys(2, "")], got: &[] },
        },
    ],
};

table_library!(
    REDIS, TABLE, packages: ["redis", "aioredis", "ioredis"],
    words: ["publish", "subscribe", "psubscribe", "xadd", "xread", "xreadgroup"], methods: ["xadd"]
);
