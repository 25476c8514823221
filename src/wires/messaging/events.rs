//! Emitters of events within one process: Node's `EventEmitter` and libraries with its methods
//! (nodejs.org/api/events.html), and sockets that work alike: socket.io for servers and clients (socket.io/docs/v4).

use super::table::{At, Does, Got, Row, Table, table_library};
use crate::languages::Language;
use crate::wires::payload::Form;

const EMIT: Does =
    Does::Send { channel: &[At::Arg(0, "", &[])], message: None, payload: At::Arg(1, "", &[]), form: Form::Json };
const ON: Does =
    Does::Receive { channel: &[At::Arg(0, "", &[])], got: &[Got::Handler(At::Arg(1, "", &[]), 0, &[&[]])] };

static EVENTS_TABLE: Table = Table {
    name: "events",
    languages: &[Language::TypeScript],
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

/// What the library itself says to a socket (socket.io/docs/v4/emit-cheatsheet/#reserved-events).
const RESERVED: &[&str] = &["connect", "connect_error", "disconnect", "disconnecting", "newListener", "removeListener"];
/// A server meets a socket: whoever waits for that is given it.
const MEET: Does = Does::When {
    names: &["connection", "connect"],
    then: &Does::Give { to: At::Arg(1, "", &[]), position: 0 },
    otherwise: &HEAR,
};
const HEAR: Does = Does::When { names: RESERVED, then: &Does::Nothing, otherwise: &ON };

static SOCKETS_TABLE: Table = Table {
    name: "socket.io",
    languages: &[Language::TypeScript],
    prefixes: &["socket.io.", "socket.io-client."],
    rows: &[
        Row { method: "emit", of: "", does: EMIT },
        Row { method: "emitWithAck", of: "", does: EMIT },
        Row { method: "on", of: "socket.io.", does: MEET },
        Row { method: "on", of: "", does: HEAR },
        Row { method: "once", of: "", does: HEAR },
    ],
};

table_library!(
    SOCKETS, SOCKETS_TABLE, packages: ["socket.io", "socket.io-client"], words: ["emit", "emitWithAck", "on", "once"],
    methods: []
);
