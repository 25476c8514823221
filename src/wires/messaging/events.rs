//! Emitters of events within one process: Node's `EventEmitter` and libraries with its methods
//! (nodejs.org/api/events.html), and sockets that work alike: socket.io for servers and clients (socket.io/docs/v4).

use super::table::{At, Does, Got, Row, Table, table_library};
use crate::wires::payload::Form;

const EMIT: Does =
    Does::Send { channel: &[At::Arg(0, "", &[])], message: None, payload: At::Arg(1, "", &[]), form: Form::Json };
const ON: Does =
    Does::Receive { channel: &[At::Arg(0, "", &[])], got: &[Got::Handler(At::Arg(1, "", &[]), 0, &[&[]])] };

static EVENTS_TABLE: Table = Table {
    name: "events",
    prefixes: &["events.", "node:events.", "eventemitter2.", "eventemitter3.", "@nestjs/event-emitter."],
    rows: &[
        Row { method: "emit", of: "", does: EMIT },
        Row { method: "emitAsync", of: "", does: EMIT },
        Row { method: "on", of: "", does: ON },
        Row { method: "once", of: "", does: ON },
        Row { method: "addListener", of: "", does: ON },
    ],
};

table_library!(
    EVENTS, EVENTS_TABLE,
    packages: ["events", "node:events", "eventemitter2", "eventemitter3", "@nestjs/event-emitter"],
    words: ["emit", "emitAsync", "on", "once", "addListener"], methods: []
);

static SOCKETS_TABLE: Table = Table {
    name: "socket.io",
    prefixes: &["socket.io.", "socket.io-client."],
    rows: &[
        Row { method: "emit", of: "", does: EMIT },
        Row { method: "emitWithAck", of: "", does: EMIT },
        Row { method: "on", of: "", does: ON },
        Row { method: "once", of: "", does: ON },
    ],
};

table_library!(
    SOCKETS, SOCKETS_TABLE, packages: ["socket.io", "socket.io-client"], words: ["emit", "emitWithAck", "on", "once"],
    methods: []
);
