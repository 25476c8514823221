//! A session with a server that runs as a process: messages as lines over its standard streams.
//!
//! The protocol's library has a client, too, which drops an answer that is no message as if none had come: only a time limit
//! would tell. Here such an answer is an error of its own, since asking again does not help.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The revision of the protocol that servers of every age speak.
const REVISION: &str = "2025-11-25";
/// A longer message ends the session.
const LONGEST_LINE: u64 = 64 * 1024 * 1024;
/// Messages that wait to be read; a server that writes more waits as well.
const WAITING: usize = 64;
/// Of what a server writes to its standard error, the end that is kept.
const KEPT_COMPLAINT: usize = 2_000;
/// Pages of a list of tools; what is on later ones is not there.
const PAGES: usize = 50;
/// Within which a server ends by itself once its input has.
const POLITE: Duration = Duration::from_secs(3);
/// How long the last words of a server that ended are waited for.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// How often somebody who waits looks whether the wait is to end.
const LOOK: Duration = Duration::from_millis(50);

/// Why a server gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("does not start: {0}")]
    Start(std::io::Error),
    #[error("{method}: the server ended{said}")]
    Ended { method: String, said: String },
    #[error("{method}: no answer within {limit:?}")]
    TimedOut { method: String, limit: Duration },
    #[error("{method}: {reason}")]
    Stream { method: String, reason: String },
    /// An error of the protocol: the server is well, and refuses.
    #[error("{method}: {message}")]
    Refused { method: String, message: String },
    #[error("{method}: the answer cannot be read: {reason}")]
    Unreadable { method: String, reason: String },
    #[error("{method}: the wait was ended")]
    Stopped { method: String },
}

impl SessionError {
    /// Whether a new session may do better: the process or the streams failed, not what was asked.
    pub fn is_transient(&self) -> bool {
        match self {
            SessionError::Start(_)
            | SessionError::Ended { .. }
            | SessionError::TimedOut { .. }
            | SessionError::Stream { .. } => true,
            SessionError::Refused { .. } | SessionError::Unreadable { .. } | SessionError::Stopped { .. } => false,
        }
    }
}

/// What a server sends.
enum Heard {
    Line(Vec<u8>),
    End,
    Broken(String),
}

/// A server that was started, and the streams to it. Dropped, its input ends, and then the process.
pub struct Session {
    child: Child,
    to: Option<Sender<Vec<u8>>>,
    from: Receiver<Heard>,
    complaint: Arc<Mutex<Vec<u8>>>,
    /// Reads the standard error to its end.
    reader: Option<JoinHandle<()>>,
    /// A line that was no message.
    noise: Option<String>,
    asked: u64,
    stop: Arc<AtomicBool>,
    end: fn(&mut Child),
    /// It does not answer: there is no use in waiting for its end.
    is_lost: bool,
}

impl Session {
    /// Starts a server; nothing is said yet. `end` ends the process with all that it started; `stop` ends every wait.
    ///
    /// # Errors
    /// [`SessionError::Start`]
    pub fn start(mut command: Command, end: fn(&mut Child), stop: Arc<AtomicBool>) -> Result<Session, SessionError> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(SessionError::Start)?;
        let (heard, from) = sync_channel(WAITING);
        let (to, said) = channel();
        let complaint = Arc::default();
        let mut reader = None;
        if let Some(out) = child.stdout.take() {
            let heard = heard.clone();
            thread::spawn(move || listen(out, &heard));
        }
        if let Some(errors) = child.stderr.take() {
            let complaint = Arc::clone(&complaint);
            reader = Some(thread::spawn(move || keep_end(errors, &complaint)));
        }
        if let Some(input) = child.stdin.take() {
            // A server that does not read would hold up whoever writes.
            thread::spawn(move || write(input, &said, &heard));
        }
        Ok(Session { child, to: Some(to), from, complaint, reader, noise: None, asked: 0, stop, end, is_lost: false })
    }

    /// The handshake.
    ///
    /// # Errors
    /// Those of [`Session::request`].
    pub fn initialize(&mut self, name: &str, limit: Duration) -> Result<Value, SessionError> {
        let about = json!({ "name": name, "version": env!("CARGO_PKG_VERSION") });
        let hello = json!({ "protocolVersion": REVISION, "capabilities": {}, "clientInfo": about });
        let answered = self.request("initialize", &hello, limit)?;
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        Ok(answered)
    }

    /// All tools of the server, as it describes them.
    ///
    /// # Errors
    /// Those of [`Session::request`].
    pub fn tools(&mut self, limit: Duration) -> Result<Vec<Value>, SessionError> {
        let mut tools = Vec::new();
        let mut params = json!({});
        for _ in 0..PAGES {
            let page = self.request("tools/list", &params, limit)?;
            tools.extend(page["tools"].as_array().cloned().unwrap_or_default());
            match &page["nextCursor"] {
                Value::String(cursor) => params = json!({ "cursor": cursor }),
                _ => break,
            }
        }
        Ok(tools)
    }

    /// Calls a tool: the result as the protocol has it, `content` and perhaps `isError`.
    ///
    /// # Errors
    /// Those of [`Session::request`].
    pub fn call(&mut self, tool: &str, arguments: &Value, limit: Duration) -> Result<Value, SessionError> {
        self.request("tools/call", &json!({ "name": tool, "arguments": arguments }), limit)
    }

    /// Asks for something and waits for the answer: its `result`. What the server asks meanwhile is answered.
    ///
    /// # Errors
    /// No answer, an error of the protocol, or an answer that is none.
    pub fn request(&mut self, method: &str, params: &Value, limit: Duration) -> Result<Value, SessionError> {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let end = Instant::now() + limit;
        let result = loop {
            let message = match self.hear(method, end, limit) {
                Ok(message) => message,
                Err(error) => break Err(error),
            };
            if message.get("method").is_some() {
                self.answer(&message);
                continue;
            }
            if message["id"] != id {
                continue;
            }
            break outcome(method, &message);
        };
        self.is_lost |=
            result.as_ref().is_err_and(|it| it.is_transient() || matches!(it, SessionError::Stopped { .. }));
        result
    }

    /// What the server wrote to its output that was no message, if anything.
    pub fn noise(&self) -> Option<&str> {
        self.noise.as_deref()
    }

    /// A failure to write is heard where an answer is waited for.
    fn send(&mut self, message: &Value) {
        if let Some(to) = &self.to {
            let _ = to.send(format!("{message}\n").into_bytes());
        }
    }

    /// The next message.
    fn hear(&mut self, method: &str, end: Instant, limit: Duration) -> Result<Value, SessionError> {
        let method = || method.to_owned();
        loop {
            if self.stop.load(Ordering::SeqCst) {
                return Err(SessionError::Stopped { method: method() });
            }
            let left = end.saturating_duration_since(Instant::now());
            let line = match self.from.recv_timeout(left.min(LOOK)) {
                Ok(Heard::Line(line)) => line,
                Ok(Heard::Broken(reason)) => {
                    return Err(SessionError::Stream { method: method(), reason });
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(SessionError::TimedOut { method: method(), limit });
                }
                Err(RecvTimeoutError::Timeout) => continue,
                Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(SessionError::Ended { method: method(), said: self.last_words() });
                }
            };
            match serde_json::from_slice::<Value>(&line) {
                Ok(message) if message.is_object() => return Ok(message),
                _ if line.trim_ascii().is_empty() => {}
                // Programs print what they should not; the answer may still come.
                _ => {
                    self.noise.get_or_insert_with(|| String::from_utf8_lossy(line.trim_ascii()).into_owned());
                }
            }
        }
    }

    /// Servers may ask whether the client is there, and for what this one does not have.
    fn answer(&mut self, message: &Value) {
        let Some(id) = message.get("id") else { return };
        let answer = if message["method"] == "ping" {
            json!({ "jsonrpc": "2.0", "id": id, "result": {} })
        } else {
            let error = json!({ "code": -32601, "message": "this client has no such method" });
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        };
        self.send(&answer);
    }

    /// The last line that the server wrote to its standard error.
    fn last_words(&self) -> String {
        let end = Instant::now() + LAST_WORDS;
        while Instant::now() < end && self.reader.as_ref().is_some_and(|it| !it.is_finished()) {
            thread::sleep(Duration::from_millis(5));
        }
        let kept = self.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept).into_owned();
        text.lines().rev().map(str::trim).find(|it| !it.is_empty()).map(|it| format!(": {it}")).unwrap_or_default()
    }
}

impl Drop for Session {
    /// A server ends when its input does; one that does not, and whatever it started, is ended.
    fn drop(&mut self) {
        self.to = None;
        let end = Instant::now() + if self.is_lost { Duration::ZERO } else { POLITE };
        while Instant::now() < end && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(10));
        }
        (self.end)(&mut self.child);
    }
}

/// What an answer says.
fn outcome(method: &str, message: &Value) -> Result<Value, SessionError> {
    let method = method.to_owned();
    match (message.get("error"), message.get("result")) {
        (Some(error), _) => {
            let message = error["message"].as_str().unwrap_or("an error").to_owned();
            Err(SessionError::Refused { method, message })
        }
        (None, Some(result)) if result.is_object() => Ok(result.clone()),
        (None, _) => Err(SessionError::Unreadable { method, reason: "it has no result".to_owned() }),
    }
}

fn listen(out: ChildStdout, heard: &SyncSender<Heard>) {
    let mut out = BufReader::new(out);
    loop {
        let mut line = Vec::new();
        let said = match out.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) => Heard::End,
            Ok(_) if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") => {
                Heard::Broken(format!("a message has more than {} MB", LONGEST_LINE / 1_000_000))
            }
            Ok(_) => Heard::Line(line),
            Err(error) => Heard::Broken(error.to_string()),
        };
        let is_last = !matches!(said, Heard::Line(_));
        if heard.send(said).is_err() || is_last {
            return;
        }
    }
}

/// Ends with the session, and takes the server's input with it.
fn write(mut input: ChildStdin, said: &Receiver<Vec<u8>>, heard: &SyncSender<Heard>) {
    for message in said {
        if let Err(error) = input.write_all(&message).and_then(|()| input.flush()) {
            // Of a server that has ended, the end is told, with what it said.
            if error.kind() != std::io::ErrorKind::BrokenPipe {
                let _ = heard.send(Heard::Broken(format!("the server takes no input: {error}")));
            }
            return;
        }
    }
}

fn keep_end(mut errors: ChildStderr, kept: &Mutex<Vec<u8>>) {
    let mut piece = [0; 1024];
    while let Ok(size @ 1..) = errors.read(&mut piece) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&piece[..size]);
        let beyond = kept.len().saturating_sub(KEPT_COMPLAINT);
        kept.drain(..beyond);
    }
}
