//! BullMQ and Bull: `new Queue("mail").add("welcome", data)`, `new Worker("mail", async (job) => …)`, `queue.process(…)`
//! (docs.bullmq.io). The channel is the queue, the message the name of the job.

use super::table::{At, Does, Got, Row, Table, table_library};
use crate::languages::Language;
use crate::wires::payload::Form;

const QUEUE: &[At] = &[At::Of("Queue", 0, "", &[]), At::Of("bull", 0, "", &[]), At::Of("default", 0, "", &[])];
const DATA: &[&[&str]] = &[&["data"]];

static TABLE: Table = Table {
    name: "bullmq",
    languages: &[Language::TypeScript],
    prefixes: &["bullmq.", "bull."],
    rows: &[
        Row {
            method: "add",
            of: "",
            does: Does::Send {
                channel: QUEUE,
                message: Some(At::Arg(0, "", &[])),
                payload: At::Arg(1, "", &[]),
                form: Form::Json,
            },
        },
        Row {
            method: "addBulk",
            of: "",
            does: Does::Send {
                channel: QUEUE,
                message: Some(At::Arg(0, "", &["[]", "name"])),
                payload: At::Arg(0, "", &["[]", "data"]),
                form: Form::Json,
            },
        },
        Row {
            method: "Worker",
            of: "",
            does: Does::Receive { channel: &[At::Arg(0, "", &[])], got: &[Got::Handler(At::Arg(1, "", &[]), 0, DATA)] },
        },
        Row {
            method: "process",
            of: "",
            does: Does::Receive {
                channel: QUEUE,
                got: &[
                    Got::Handler(At::Arg(0, "", &[]), 0, DATA),
                    Got::Handler(At::Arg(1, "", &[]), 0, DATA),
                    Got::Handler(At::Arg(2, "", &[]), 0, DATA),
                ],
            },
        },
    ],
};

table_library!(
    BULLMQ, TABLE, packages: ["bullmq", "bull"], words: ["add", "addBulk", "Worker", "process"], methods: []
);
