//! What comes in on a line, and what is answered.

use rmcp::RoleServer;
use rmcp::model::JsonRpcMessage;
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};

use super::Lines;

/// What a client wrote, line by line, and what it gets back. `longest` as small as a test wants.
async fn exchange(longest: usize, lines: &[&[u8]]) -> (Vec<String>, Vec<Value>) {
    let (mut to, read) = duplex(1 << 20);
    let (write, from): (DuplexStream, DuplexStream) = duplex(1 << 20);
    let mut server = Lines::new(read, write);
    server.longest = longest;
    for line in lines {
        to.write_all(line).await.expect("the pipe is open");
        to.write_all(b"\n").await.expect("the pipe is open");
    }
    drop(to);
    let mut heard = Vec::new();
    while let Some(message) = Transport::<RoleServer>::receive(&mut server).await {
        heard.push(match message {
            JsonRpcMessage::Request(request) => format!("request {}", request.id),
            JsonRpcMessage::Notification(_) => "notification".to_owned(),
            _ => "other".to_owned(),
        });
    }
    // Complaints are sent in the background.
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    drop(server);
    let mut back = BufReader::new(from).lines();
    let mut said = Vec::new();
    while let Some(line) = back.next_line().await.expect("the pipe is open") {
        said.push(serde_json::from_str(&line).expect("lines are JSON"));
    }
    (heard, said)
}

const HELLO: &[u8] = br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;

#[tokio::test]
async fn what_is_no_message_is_passed_over() {
    let lines: &[&[u8]] = &[b"", b"nonsense", b"{\"jsonrpc\":", b"\xff\xfe\x00", b"[]", b"17", HELLO];
    assert_eq!(exchange(1000, lines).await, (vec!["request 1".to_owned()], vec![]));
}

#[tokio::test]
async fn a_request_that_cannot_be_read_is_answered() {
    let deep = [
        br#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"x":"#.to_vec(),
        vec![b'['; 500],
        vec![b']'; 500],
        b"}}".to_vec(),
    ]
    .concat();
    let (heard, said) = exchange(5000, &[HELLO, &deep]).await;
    assert_eq!(heard, ["request 1"]);
    assert_eq!(said.len(), 1);
    assert_eq!((&said[0]["id"], &said[0]["error"]["code"]), (&json!("a"), &json!(-32600)));
}

#[tokio::test]
async fn a_line_that_is_too_long_is_dropped_and_the_next_one_is_read() {
    let (heard, said) = exchange(300, &[&vec![b'x'; 100_000], HELLO]).await;
    assert_eq!(heard, ["request 1"]);
    assert_eq!(said[0]["error"]["code"], json!(-32600));
}

#[tokio::test]
async fn what_comes_before_the_handshake_does_not_end_the_session() {
    let early: &[u8] = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let answer: &[u8] = br#"{"jsonrpc":"2.0","id":7,"result":{}}"#;
    let (heard, _) = exchange(1000, &[early, answer, HELLO, early]).await;
    assert_eq!(heard, ["request 1", "notification"]);
}
