//! One request to the server of a model: watched while it lasts, and given up at once when somebody wants the end.

use std::fmt;
use std::io::Read;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;

use super::waiting::{time_in, waiting_time, whole};
use super::wire::{self, Answer, Fault, Reader, Tokens};
use crate::process::{Cancel, Limits};
use crate::settings::ApiFormat;

/// A secret. It is shown to the server alone.
#[derive(Clone)]
pub(super) struct Key(pub(super) String);

impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("[key]")
    }
}

impl Key {
    /// A text without the key.
    pub(super) fn hidden(&self, text: &str) -> String {
        if self.0.is_empty() { text.to_owned() } else { text.replace(&self.0, "[key]") }
    }
}

/// Where a model is asked.
#[derive(Clone, Debug)]
pub(super) struct Server {
    pub(super) address: String,
    pub(super) format: ApiFormat,
    pub(super) key: Option<Key>,
}

/// Why a request has no answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// No request of this kind is served: the run ends.
    Fatal(String),
    /// The server does not take this request.
    Refused(String),
    /// A limit of the provider; seconds until it ends, where that was said.
    Limited(Option<u64>, String),
    /// The server could not serve the request now; seconds to wait, where that was said.
    Unable(Option<u64>, String),
    Timeout(String),
    Cancelled,
}

/// A request without an answer.
#[derive(Debug)]
pub(super) struct Missed {
    pub(super) trouble: Trouble,
    /// The server had begun with an answer, or may have: it may cost something.
    pub(super) may_cost: bool,
    pub(super) tokens: Tokens,
}

/// How long a connection may take, with everything that belongs to it.
const CONNECT: Duration = Duration::from_secs(30);
/// The limits of the connection are later than those of the attempt, which say what happened.
const SLACK: Duration = Duration::from_secs(5);
/// How often somebody looks whether the work is to end.
const LOOK: Duration = Duration::from_millis(20);
/// Of what a server says in the place of an answer, as much is read.
const SAID: u64 = 64 << 10;
const VERSION: &str = "2023-06-01";

/// What the thread that talks to the server has heard.
enum Heard {
    Head { status: u16, stream: bool, retry_after: Option<u64>, location: Option<String> },
    Bytes(Vec<u8>),
    End,
    Broken { why: String, reached: bool },
}

impl Server {
    /// Sends a request and reads its answer. `until` is when the attempt is over.
    pub(super) fn ask(&self, body: String, limits: Limits, until: Instant, cancel: &Cancel) -> Result<Answer, Missed> {
        let left = until.saturating_duration_since(Instant::now());
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .timeout_connect(Some(CONNECT))
            .timeout_per_read(Some(limits.idle + SLACK))
            .timeout_global(Some(left + SLACK))
            .http_status_as_error(false)
            // A key is not carried to where somebody else points.
            .max_redirects(0)
            .build()
            .into();
        let mut request = agent
            .post(&self.address)
            .header("content-type", "application/json")
            .header("user-agent", concat!("treaty/", env!("CARGO_PKG_VERSION")));
        request = match (self.format, &self.key) {
            (ApiFormat::Messages, Some(key)) => request.header("x-api-key", &key.0),
            (ApiFormat::ChatCompletions, Some(key)) => request.header("authorization", format!("Bearer {}", key.0)),
            (_, None) => request,
        };
        if self.format == ApiFormat::Messages {
            request = request.header("anthropic-version", VERSION);
        }
        let (sender, receiver) = mpsc::channel();
        // The thread may outlive this call when nobody waits any more; its limits end it.
        thread::spawn(move || listen(request.send(body), &sender));
        let mut hearing = Hearing {
            format: self.format,
            reader: None,
            error: Vec::new(),
            status: 0,
            retry_after: None,
            heard: Instant::now(),
            may_cost: true,
        };
        hearing.follow(&receiver, limits, until, cancel).map_err(|trouble| Missed {
            trouble,
            may_cost: hearing.may_cost,
            tokens: hearing.reader.as_ref().map(Reader::tokens).unwrap_or_default(),
        })?;
        let tokens = hearing.reader.as_ref().map(Reader::tokens).unwrap_or_default();
        let answer = hearing.reader.take().map_or(Err(Fault::Cut), Reader::finish);
        answer.map_err(|fault| Missed { trouble: trouble_of(fault), may_cost: true, tokens })
    }
}

fn listen(sent: Result<ureq::http::Response<ureq::Body>, ureq::Error>, sender: &Sender<Heard>) {
    let mut response = match sent {
        Ok(response) => response,
        Err(error) => {
            let reached = !is_before_the_request(&error);
            let _ = sender.send(Heard::Broken { why: error.to_string(), reached });
            return;
        }
    };
    let header = |name: &str| Some(response.headers().get(name)?.to_str().ok()?.to_owned());
    let stream = header("content-type").is_some_and(|it| it.to_ascii_lowercase().contains("event-stream"));
    let milliseconds =
        header("retry-after-ms").and_then(|it| it.trim().parse::<f64>().ok()).and_then(|it| whole(it / 1e3));
    let retry_after = milliseconds.or_else(|| waiting_time(&header("retry-after")?, SystemTime::now()));
    let head = Heard::Head { status: response.status().as_u16(), stream, retry_after, location: header("location") };
    if sender.send(head).is_err() {
        return;
    }
    let mut reader = response.body_mut().as_reader();
    let mut bytes = vec![0; 16 << 10];
    loop {
        let heard = match reader.read(&mut bytes) {
            Ok(0) => Heard::End,
            Ok(count) => Heard::Bytes(bytes[..count].to_vec()),
            Err(error) => Heard::Broken { why: error.to_string(), reached: true },
        };
        let goes_on = matches!(heard, Heard::Bytes(_));
        // Nobody listens any more: what is left of the answer is not read.
        if sender.send(heard).is_err() || !goes_on {
            return;
        }
    }
}

fn is_before_the_request(error: &ureq::Error) -> bool {
    use ureq::{Error, Timeout};
    match error {
        Error::Io(error) => error.kind() == std::io::ErrorKind::ConnectionRefused,
        Error::Timeout(which) => matches!(which, Timeout::Resolve | Timeout::Connect),
        Error::ConnectionFailed | Error::HostNotFound | Error::BadUri(_) | Error::InvalidProxyUrl | Error::Tls(_) => {
            true
        }
        Error::Http(_) | Error::Rustls(_) => true,
        _ => false,
    }
}

/// An answer that comes.
struct Hearing {
    format: ApiFormat,
    reader: Option<Reader>,
    /// What the server says in the place of an answer.
    error: Vec<u8>,
    status: u16,
    retry_after: Option<u64>,
    heard: Instant,
    may_cost: bool,
}

impl Hearing {
    fn follow(
        &mut self,
        receiver: &Receiver<Heard>,
        limits: Limits,
        until: Instant,
        cancel: &Cancel,
    ) -> Result<(), Trouble> {
        loop {
            if cancel.is_wanted() {
                return Err(Trouble::Cancelled);
            }
            if let Some(trouble) = self.too_late(limits, until) {
                return Err(trouble);
            }
            match receiver.recv_timeout(LOOK) {
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Trouble::Unable(None, "nobody answers".to_owned())),
                Ok(heard) => {
                    if self.take(heard, limits, until)? {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn too_late(&self, limits: Limits, until: Instant) -> Option<Trouble> {
        let why = if Instant::now() >= until {
            format!("the attempt took longer than {} s", limits.time.as_secs())
        } else if self.heard.elapsed() >= limits.idle {
            format!("the model said nothing for {} s", limits.idle.as_secs())
        } else {
            return None;
        };
        Some(Trouble::Timeout(why))
    }

    /// Takes what was heard. Says whether the answer is there.
    fn take(&mut self, heard: Heard, limits: Limits, until: Instant) -> Result<bool, Trouble> {
        match heard {
            Heard::Head { status, stream, retry_after, location } => {
                self.heard = Instant::now();
                (self.status, self.retry_after) = (status, retry_after);
                match status {
                    200..=299 => self.reader = Some(Reader::new(self.format, stream)),
                    300..=399 => {
                        self.may_cost = false;
                        let to = location.unwrap_or_else(|| "elsewhere".to_owned());
                        return Err(Trouble::Fatal(format!(
                            "the server points to {to} ({status}): name that as `url` in [api]"
                        )));
                    }
                    _ => self.may_cost = false,
                }
            }
            Heard::Bytes(bytes) => {
                if let Some(reader) = &mut self.reader {
                    if reader.take(&bytes).map_err(trouble_of)? {
                        self.heard = Instant::now();
                    }
                    return Ok(reader.is_complete());
                }
                let room = (SAID as usize).saturating_sub(self.error.len());
                self.error.extend(bytes.iter().take(room));
                if room == 0 {
                    return Err(self.refusal());
                }
            }
            Heard::End if self.reader.is_some() => return Ok(true),
            Heard::End => return Err(self.refusal()),
            Heard::Broken { .. } if self.status >= 300 => return Err(self.refusal()),
            Heard::Broken { why, reached } => {
                self.may_cost = reached;
                if let Some(trouble) = self.too_late(limits, until) {
                    return Err(trouble);
                }
                let begun = if self.reader.is_some() { "the answer was cut: " } else { "" };
                return Err(Trouble::Unable(None, format!("{begun}{why}")));
            }
        }
        Ok(false)
    }

    /// What it means that the server answers with an error.
    fn refusal(&self) -> Trouble {
        refusal(self.status, self.retry_after, &String::from_utf8_lossy(&self.error))
    }
}

/// What a status means, with the text that came with it.
fn refusal(status: u16, retry_after: Option<u64>, text: &str) -> Trouble {
    let body: Value = serde_json::from_str(text).unwrap_or_default();
    let (kind, said) = match wire::said(&body) {
        Some(Fault::Said { kind, message }) => (kind, message),
        _ => (String::new(), text.trim().chars().take(300).collect()),
    };
    let code = body["error"]["code"].as_str().unwrap_or_default();
    let told = if said.is_empty() { format!("status {status}") } else { format!("{said} (status {status})") };
    match status {
        401 | 403 => Trouble::Fatal(format!(
            "the server refuses the key: {told}; `key-env` in [api] names the variable that holds it"
        )),
        402 => Trouble::Fatal(format!("the account at the server cannot pay: {told}")),
        404 | 405 => Trouble::Fatal(format!(
            "the server does not know the address or the model: {told}; see `url` and `model` in [api]"
        )),
        429 if [&kind, code].contains(&"insufficient_quota") => {
            Trouble::Fatal(format!("the account at the server cannot pay: {told}"))
        }
        429 => Trouble::Limited(retry_after.or_else(|| time_in(&body, &said)), told),
        408 | 409 | 425 | 500.. => Trouble::Unable(retry_after, told),
        _ => Trouble::Refused(told),
    }
}

fn trouble_of(fault: Fault) -> Trouble {
    match fault {
        Fault::Cut => Trouble::Unable(None, "the answer was cut".to_owned()),
        Fault::Nonsense(what) => Trouble::Unable(None, format!("the answer is none: {what}")),
        Fault::Said { kind, message } if kind == "rate_limit_error" => {
            Trouble::Limited(time_in(&Value::Null, &message), message)
        }
        Fault::Said { kind, message } if ["authentication_error", "permission_error"].contains(&kind.as_str()) => {
            Trouble::Fatal(message)
        }
        Fault::Said { kind, message } => {
            Trouble::Unable(None, if kind.is_empty() { message } else { format!("{message} ({kind})") })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_status_means() {
        let error = r#"{"error": {"type": "x", "message": "no"}}"#;
        assert!(
            matches!(refusal(401, None, error), Trouble::Fatal(it) if it.contains("no (status 401)") && it.contains("key-env"))
        );
        assert!(matches!(refusal(404, None, "<html>"), Trouble::Fatal(it) if it.contains("<html>")));
        assert_eq!(refusal(429, Some(5), error), Trouble::Limited(Some(5), "no (status 429)".to_owned()));
        let quota = r#"{"error": {"code": "insufficient_quota", "message": "pay"}}"#;
        assert!(matches!(refusal(429, None, quota), Trouble::Fatal(_)));
        assert!(matches!(refusal(529, None, ""), Trouble::Unable(None, it) if it == "status 529"));
        assert!(matches!(refusal(400, None, error), Trouble::Refused(_)));
    }

    #[test]
    fn a_key_is_not_shown() {
        let key = Key("sk-123".to_owned());
        assert_eq!(format!("{key:?}"), "[key]");
        assert_eq!(key.hidden("Incorrect key: sk-123."), "Incorrect key: [key].");
    }
}
