//! Standard streams: one JSON-RPC message a line. Nothing but messages goes out.

use std::io;
use std::sync::Arc;

use rmcp::model::{ClientRequest, ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, ServerInitializeError, ServiceExt, TxJsonRpcMessage};
use rmcp::transport::{Transport, stdio_pipes};
use serde::Deserialize;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;

use super::ServeError;
use super::handler::Handler;

pub(super) async fn serve(handler: Handler) -> Result<(), ServeError> {
    let (read, write) = stdio_pipes();
    match handler.serve(Lines::new(read, write)).await {
        Ok(running) => {
            // However it ended: the client is gone.
            let _ = running.waiting().await;
            Ok(())
        }
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::TransportError { .. }) => Ok(()),
        Err(error) => Err(ServeError::Handshake(error.to_string())),
    }
}

/// Longer lines are dropped as they come in.
const LONGEST_LINE: usize = 256 * 1024 * 1024;

/// Messages as lines. In contrast to the transport of the protocol's library, requests that cannot be read are answered
/// where they have an id, so that no client waits for an answer that does not come, and what comes before the handshake
/// does not end the session.
pub(super) struct Lines<R, W> {
    read: BufReader<R>,
    line: Vec<u8>,
    /// The rest of the line is dropped.
    skipping: bool,
    /// A session has begun.
    begun: bool,
    write: Arc<Mutex<W>>,
    longest: usize,
}

impl<R: AsyncRead + Unpin, W> Lines<R, W> {
    pub(super) fn new(read: R, write: W) -> Lines<R, W> {
        Lines {
            read: BufReader::new(read),
            line: Vec::new(),
            skipping: false,
            begun: false,
            write: Arc::new(Mutex::new(write)),
            longest: LONGEST_LINE,
        }
    }

    /// One line, into `self.line`; whether there was one, or it was too long. May be dropped and called again at any
    /// time: what was read stays.
    async fn next_line(&mut self) -> io::Result<Option<Line>> {
        loop {
            let available = self.read.fill_buf().await?;
            if available.is_empty() {
                return Ok(None);
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |at| at + 1);
            if !self.skipping {
                self.line.extend_from_slice(&available[..taken]);
            }
            self.read.consume(taken);
            if self.line.len() > self.longest {
                self.line = Vec::new();
                self.skipping = true;
            }
            if end.is_some() {
                return Ok(Some(if std::mem::take(&mut self.skipping) { Line::TooLong } else { Line::Whole }));
            }
        }
    }
}

enum Line {
    Whole,
    TooLong,
}

/// As much of a message as tells whom to answer; read to any depth.
#[derive(Deserialize)]
struct Envelope {
    id: Option<Value>,
    method: Option<String>,
}

/// What is said about a line that is no message, and to which request; nothing where nobody waits for an answer.
fn complaint(line: &[u8], why: &serde_json::Error) -> Option<(RequestId, ErrorData)> {
    let envelope: Envelope = serde_json::from_slice(line).ok()?;
    let id: RequestId = serde_json::from_value(envelope.id?).ok()?;
    envelope.method?;
    Some((id, ErrorData::invalid_request(format!("the request cannot be read: {why}"), None)))
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// In the background, since reading may be interrupted at any time.
    fn complain(&mut self, id: Option<RequestId>, error: ErrorData) {
        let sent = self.send(TxJsonRpcMessage::<RoleServer>::error(error, id));
        tokio::spawn(sent);
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let write = self.write.clone();
        async move {
            let mut bytes = serde_json::to_vec(&item)?;
            bytes.push(b'\n');
            let mut write = write.lock().await;
            write.write_all(&bytes).await?;
            write.flush().await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            match self.next_line().await.ok()?? {
                Line::Whole => {}
                Line::TooLong => {
                    let said = format!("a message may have {} MB", self.longest / 1_000_000);
                    self.complain(None, ErrorData::invalid_request(said, None));
                    continue;
                }
            }
            let line = std::mem::take(&mut self.line);
            let text = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&line).trim_ascii();
            if text.is_empty() {
                continue;
            }
            match serde_json::from_slice::<RxJsonRpcMessage<RoleServer>>(text) {
                Ok(message) => {
                    if let JsonRpcMessage::Request(request) = &message {
                        self.begun |= !matches!(
                            request.request,
                            ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_)
                        );
                    } else if !self.begun {
                        continue;
                    }
                    return Some(message);
                }
                Err(why) => {
                    if let Some((id, error)) = complaint(text, &why) {
                        self.complain(Some(id), error);
                    }
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.write.lock().await.shutdown().await
    }
}

#[cfg(test)]
mod tests;
