//! Topics and queues of AWS: boto3 (`sns.publish(TopicArn=…, Message=…)`), version 2 of the SDK for JavaScript
//! (`sqs.sendMessage({ QueueUrl, MessageBody })`) and its version 3 (`new SendMessageCommand({ … })`)
//! (boto3.amazonaws.com/v1/documentation, docs.aws.amazon.com/AWSJavaScriptSDK). A topic goes by the last part of its ARN,
//! a queue by that of its address, a bus by the type of the detail.

use super::table::{At, Does, Got, NAMED, Row, Table, table_library};
use crate::languages::Language;
use crate::wires::payload::Form;

/// What one operation of the API does, where all is in one object of options.
macro_rules! sends {
    ($method:literal, [$($channel:expr),*], $payload:expr) => {
        Row {
            method: $method,
            of: "",
            does: Does::Send {
                channel: &[$(At::Arg(0, "", $channel)),*],
                message: None,
                payload: At::Arg(0, "", $payload),
                form: Form::Bytes,
            },
        }
    };
}

const READ: &[&[&str]] = &[&["Messages", "[]", "Body"]];

static SDK_TABLE: Table = Table {
    name: "aws-sdk",
    languages: &[Language::TypeScript],
    prefixes: &["aws-sdk.", "aws-sdk/", "@aws-sdk/"],
    rows: &[
        sends!("publish", [&["TopicArn"], &["TargetArn"]], &["Message"]),
        sends!("PublishCommand", [&["TopicArn"], &["TargetArn"]], &["Message"]),
        sends!("publishBatch", [&["TopicArn"]], &["PublishBatchRequestEntries", "[]", "Message"]),
        sends!("PublishBatchCommand", [&["TopicArn"]], &["PublishBatchRequestEntries", "[]", "Message"]),
        sends!("sendMessage", [&["QueueUrl"]], &["MessageBody"]),
        sends!("SendMessageCommand", [&["QueueUrl"]], &["MessageBody"]),
        sends!("sendMessageBatch", [&["QueueUrl"]], &["Entries", "[]", "MessageBody"]),
        sends!("SendMessageBatchCommand", [&["QueueUrl"]], &["Entries", "[]", "MessageBody"]),
        sends!("putEvents", [&["Entries", "[]", "DetailType"]], &["Entries", "[]", "Detail"]),
        sends!("PutEventsCommand", [&["Entries", "[]", "DetailType"]], &["Entries", "[]", "Detail"]),
        sends!("putRecord", [&["StreamName"]], &["Data"]),
        sends!("PutRecordCommand", [&["StreamName"]], &["Data"]),
        Row {
            method: "receiveMessage",
            of: "",
            does: Does::Receive {
                channel: &[At::Arg(0, "", &["QueueUrl"])],
                got: &[Got::Result(&[&["promise()", "Messages", "[]", "Body"], &["Messages", "[]", "Body"]])],
            },
        },
        Row {
            method: "ReceiveMessageCommand",
            of: "",
            does: Does::Receive { channel: &[At::Arg(0, "", &["QueueUrl"])], got: &[Got::Result(READ)] },
        },
    ],
};

table_library!(
    SDK, SDK_TABLE,
    packages: [
        "aws-sdk", "@aws-sdk/client-sns", "@aws-sdk/client-sqs", "@aws-sdk/client-eventbridge", "@aws-sdk/client-kinesis",
    ],
    words: [
        "publish", "PublishCommand", "publishBatch", "PublishBatchCommand", "sendMessage", "SendMessageCommand",
        "sendMessageBatch", "SendMessageBatchCommand", "putEvents", "PutEventsCommand", "putRecord", "PutRecordCommand",
        "receiveMessage", "ReceiveMessageCommand",
    ],
    methods: []
);

const QUEUE: &[At] = &[
    At::Arg(NAMED, "QueueUrl", &[]),
    At::Of("get_queue_by_name", NAMED, "QueueName", &[]),
    At::Of("create_queue", NAMED, "QueueName", &[]),
    At::Of("Queue", 0, "url", &[]),
];

static BOTO3_TABLE: Table = Table {
    name: "boto3",
    languages: &[Language::Python],
    prefixes: &["boto3.", "aioboto3.", "aiobotocore."],
    rows: &[
        Row {
            method: "publish",
            of: "",
            does: Does::Send {
                channel: &[
                    At::Arg(NAMED, "TopicArn", &[]),
                    At::Arg(NAMED, "TargetArn", &[]),
                    At::Of("Topic", 0, "arn", &[]),
                    At::Of("create_topic", NAMED, "Name", &[]),
                ],
                message: None,
                payload: At::Arg(NAMED, "Message", &[]),
                form: Form::Bytes,
            },
        },
        Row {
            method: "send_message",
            of: "",
            does: Does::Send {
                channel: QUEUE,
                message: None,
                payload: At::Arg(NAMED, "MessageBody", &[]),
                form: Form::Bytes,
            },
        },
        Row {
            method: "send_message_batch",
            of: "",
            does: Does::Send {
                channel: QUEUE,
                message: None,
                payload: At::Arg(NAMED, "Entries", &["[]", "MessageBody"]),
                form: Form::Bytes,
            },
        },
        Row {
            method: "put_events",
            of: "",
            does: Does::Send {
                channel: &[At::Arg(NAMED, "Entries", &["[]", "DetailType"])],
                message: None,
                payload: At::Arg(NAMED, "Entries", &["[]", "Detail"]),
                form: Form::Bytes,
            },
        },
        Row {
            method: "put_record",
            of: "",
            does: Does::Send {
                channel: &[At::Arg(NAMED, "StreamName", &[]), At::Arg(NAMED, "DeliveryStreamName", &[])],
                message: None,
                payload: At::Arg(NAMED, "Data", &[]),
                form: Form::Bytes,
            },
        },
        Row { method: "receive_message", of: "", does: Does::Receive { channel: QUEUE, got: &[Got::Result(READ)] } },
        Row {
            method: "receive_messages",
            of: "",
            does: Does::Receive { channel: QUEUE, got: &[Got::Result(&[&["[]", "body"]])] },
        },
    ],
};

table_library!(
    BOTO3, BOTO3_TABLE, packages: ["boto3", "aioboto3", "aiobotocore"],
    words: [
        "publish", "send_message", "send_message_batch", "put_events", "put_record", "receive_message",
        "receive_messages",
    ],
    methods: []
);
