//! Azure Service Bus: `client.createSender("queue").sendMessages({ body })`, `receiver.subscribe({ processMessage })`, and
//! the same for Python (learn.microsoft.com/javascript/api/@azure/service-bus, …/python/api/azure-servicebus).

use super::table::{At, Does, Got, Row, Table, table_library};
use crate::languages::Language;
use crate::wires::payload::Form;

const SENDER: &[At] = &[At::Of("createSender", 0, "", &[])];
const RECEIVER: &[At] = &[
    At::Of("createReceiver", 0, "", &[]),
    At::Of("acceptSession", 0, "", &[]),
    At::Of("acceptNextSession", 0, "", &[]),
];

static TABLE: Table = Table {
    name: "@azure/service-bus",
    languages: &[Language::TypeScript],
    prefixes: &["@azure/service-bus."],
    rows: &[
        Row {
            method: "sendMessages",
            of: "",
            does: Does::Send { channel: SENDER, message: None, payload: At::Arg(0, "", &["body"]), form: Form::Json },
        },
        Row {
            method: "scheduleMessages",
            of: "",
            does: Does::Send { channel: SENDER, message: None, payload: At::Arg(0, "", &["body"]), form: Form::Json },
        },
        Row {
            method: "subscribe",
            of: "",
            does: Does::Receive {
                channel: RECEIVER,
                got: &[Got::Handler(At::Arg(0, "", &["processMessage"]), 0, &[&["body"]])],
            },
        },
        Row {
            method: "receiveMessages",
            of: "",
            does: Does::Receive { channel: RECEIVER, got: &[Got::Result(&[&["[]", "body"]])] },
        },
    ],
};

table_library!(
    SERVICE_BUS, TABLE, packages: ["@azure/service-bus"],
    words: ["sendMessages", "scheduleMessages", "subscribe", "receiveMessages"], methods: []
);

const PYTHON_RECEIVER: &[At] = &[At::Arg(0, "queue_name", &[]), At::Arg(0, "topic_name", &[])];
const PYTHON_READ: &[Got] = &[Got::Result(&[&["[]"], &["receive_messages()", "[]"], &["[]", "body"]])];

static PYTHON_TABLE: Table = Table {
    name: "azure-servicebus",
    languages: &[Language::Python],
    prefixes: &["azure.servicebus"],
    rows: &[
        Row {
            method: "send_messages",
            of: "",
            does: Does::Send {
                channel: &[
                    At::Of("get_queue_sender", 0, "queue_name", &[]),
                    At::Of("get_topic_sender", 0, "topic_name", &[]),
                ],
                message: None,
                payload: At::Arg(0, "message", &["body"]),
                form: Form::Bytes,
            },
        },
        Row {
            method: "get_queue_receiver",
            of: "",
            does: Does::Receive { channel: PYTHON_RECEIVER, got: PYTHON_READ },
        },
        Row {
            method: "get_subscription_receiver",
            of: "",
            does: Does::Receive { channel: PYTHON_RECEIVER, got: PYTHON_READ },
        },
    ],
};

table_library!(
    PYTHON_SERVICE_BUS, PYTHON_TABLE, packages: ["azure"],
    words: ["send_messages", "get_queue_receiver", "get_subscription_receiver"], methods: []
);
