//! redis: `client.publish("channel", …)`, `pubsub.subscribe("channel")`, streams (`xadd`, `xread`); the same of the clients
//! for JavaScript (redis.io/docs/latest/develop/interact/pubsub).

use super::table::{At, Does, Got, NAMED, Row, Table, table_library};
use crate::languages::Language;
use crate::wires::payload::Form;

const SUBSCRIBE: Does = Does::Receive {
    channel: &[At::Arg(0, "", &[])],
    got: &[Got::Handler(At::Arg(1, "", &[]), 0, &[&[]]), Got::Kept(1, &[&[]])],
};
/// `subscriber.on("message", (channel, message) => …)`
const TOLD: Does = Does::When {
    names: &["message", "pmessage"],
    then: &Does::Handle { handler: &[At::Arg(1, "", &[])] },
    otherwise: &Does::Nothing,
};

static TABLE: Table = Table {
    name: "redis",
    languages: &[Language::Python, Language::TypeScript],
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
        // ioredis tells through an event; its `subscribe` calls back when it is done.
        Row {
            method: "subscribe",
            of: "ioredis",
            does: Does::Receive { channel: &[At::All], got: &[Got::Kept(1, &[&[]])] },
        },
        Row {
            method: "psubscribe",
            of: "ioredis",
            does: Does::Receive { channel: &[At::All], got: &[Got::Kept(2, &[&[]])] },
        },
        // The other client for JavaScript: `subscriber.subscribe("channel", (message) => …)`, and the event before that.
        Row { method: "subscribe", of: "", does: SUBSCRIBE },
        Row { method: "pSubscribe", of: "", does: SUBSCRIBE },
        Row { method: "on", of: "", does: TOLD },
        Row { method: "once", of: "", does: TOLD },
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
    words: ["publish", "subscribe", "psubscribe", "pSubscribe", "on", "once", "xadd", "xread", "xreadgroup"], methods: ["xadd"]
);
