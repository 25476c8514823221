//! What goes to a model and comes back, in the two formats that servers understand. Answers are foreign input: whatever comes
//! is an answer or a [`Fault`], never a panic.

mod completions;
mod lines;
mod messages;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use self::lines::Events;
use crate::settings::ApiFormat;

/// A tool that the model asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    pub id: String,
    pub name: String,
    /// What came in the place of an object where it is none.
    pub arguments: Result<Map<String, Value>, String>,
}

/// Why an answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The model has said what it wanted to, or waits for what its tools give.
    End,
    /// It was as long as it may be.
    Length,
    /// The model or its provider does not want to answer.
    Refused,
}

/// Tokens of an answer, as far as the server told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tokens {
    pub input: Option<u64>,
    pub output: Option<u64>,
    pub cache_read: u64,
    pub cache_write: u64,
}

impl Tokens {
    pub(super) fn is_told(&self) -> bool {
        self.input.is_some() && self.output.is_some()
    }
}

/// A whole answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    pub text: String,
    pub calls: Vec<Call>,
    pub stop: Stop,
    pub tokens: Tokens,
    /// The answer as the format has it, to be sent back: what a model thought must come back as it was.
    blocks: Vec<Value>,
}

impl Answer {
    /// Leaves the calls out that cannot be answered, as if they were never asked for.
    pub(super) fn without_calls(&mut self) {
        self.calls.clear();
        self.blocks.retain(|it| it["type"].as_str() != Some("tool_use"));
        self.blocks.iter_mut().filter_map(Value::as_object_mut).for_each(|it| {
            it.remove("tool_calls");
        });
        let says = self.blocks.iter().any(|it| it["type"].as_str() == Some("text") || it["content"].is_string());
        if !says {
            let cut = "(my answer was cut)";
            match self.blocks.iter_mut().find(|it| it["role"].is_string()) {
                Some(message) => message["content"] = Value::from(cut),
                None => self.blocks.push(serde_json::json!({"type": "text", "text": cut})),
            }
        }
    }
}

/// Why something is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It ended before it was whole.
    Cut,
    /// It is not in the format.
    Nonsense(String),
    /// The server said in the middle of it that it cannot go on.
    Said { kind: String, message: String },
}

/// A part of the conversation.
#[derive(Clone, Debug)]
pub(super) enum Message {
    User(String),
    Answer(Answer),
    /// What the tools of an answer gave, and what else is to be said.
    Results(Vec<Given>, Option<String>),
}

/// What a tool gave.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub id: String,
    pub text: String,
    pub is_error: bool,
}

/// A tool, as the model is told of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Described {
    pub name: &'static str,
    pub description: &'static str,
    /// JSON Schema of its arguments.
    pub schema: &'static str,
}

impl Described {
    fn schema(&self) -> Value {
        serde_json::from_str(self.schema).unwrap_or_default()
    }
}

/// What is asked.
#[derive(Debug)]
pub(super) struct Question<'q> {
    pub model: &'q str,
    pub max_tokens: u64,
    pub system: &'q str,
    pub messages: &'q [Message],
    pub tools: &'q [Described],
    /// The provider is asked to keep what it read.
    pub cached: bool,
    /// Servers disagree about the name of the longest answer.
    pub names_completion: bool,
}

impl Question<'_> {
    /// The body of the request.
    pub(super) fn body(&self, format: ApiFormat) -> Value {
        match format {
            ApiFormat::Messages => messages::body(self),
            ApiFormat::ChatCompletions => completions::body(self),
        }
    }
}

/// Where questions go: `/v1/messages` or `/chat/completions` below the server that is named.
pub(super) fn address(url: &str, format: ApiFormat) -> String {
    let url = url.trim_end_matches('/');
    match format {
        ApiFormat::Messages if url.ends_with("/messages") => url.to_owned(),
        ApiFormat::Messages if url.ends_with("/v1") => format!("{url}/messages"),
        ApiFormat::Messages => format!("{url}/v1/messages"),
        ApiFormat::ChatCompletions if url.ends_with("/chat/completions") => url.to_owned(),
        ApiFormat::ChatCompletions => format!("{url}/chat/completions"),
    }
}

/// Bytes of an answer; a longer one is no answer.
const MAX_ANSWER: usize = 8 << 20;

/// Reads an answer as it comes: events of a stream, or one JSON document where the server does not stream.
#[derive(Debug)]
pub(super) struct Reader {
    whole: Option<Vec<u8>>,
    events: Events,
    partial: Partial,
    size: usize,
}

#[derive(Debug)]
enum Partial {
    Messages(messages::Partial),
    Completions(completions::Partial),
}

impl Reader {
    pub(super) fn new(format: ApiFormat, is_stream: bool) -> Reader {
        let partial = match format {
            ApiFormat::Messages => Partial::Messages(messages::Partial::default()),
            ApiFormat::ChatCompletions => Partial::Completions(completions::Partial::default()),
        };
        Reader { whole: (!is_stream).then(Vec::new), events: Events::default(), partial, size: 0 }
    }

    /// Takes what came. Says whether that was a part of the answer, and no sign of life.
    ///
    /// # Errors
    /// What came is no part of an answer.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<bool, Fault> {
        // What comes behind the end is no part of the answer, in whichever packet it comes.
        if self.is_complete() {
            return Ok(false);
        }
        self.size += bytes.len();
        if self.size > MAX_ANSWER {
            return Err(Fault::Nonsense(format!("it is longer than {MAX_ANSWER} bytes")));
        }
        if let Some(whole) = &mut self.whole {
            whole.extend_from_slice(bytes);
            return Ok(!bytes.is_empty());
        }
        let mut heard = false;
        for data in self.events.take(bytes) {
            heard |= self.event(&data)?;
            if self.is_complete() {
                break;
            }
        }
        Ok(heard)
    }

    fn event(&mut self, data: &str) -> Result<bool, Fault> {
        if data.trim() == "[DONE]" {
            if let Partial::Completions(it) = &mut self.partial {
                it.done();
            }
            return Ok(true);
        }
        let event: Value = serde_json::from_str(data).map_err(|_| nonsense(data))?;
        match &mut self.partial {
            Partial::Messages(it) => it.take(event),
            Partial::Completions(it) => it.take(&event),
        }
    }

    /// Nothing of the answer is to come any more.
    pub(super) fn is_complete(&self) -> bool {
        match &self.partial {
            Partial::Messages(it) => it.is_complete(),
            Partial::Completions(it) => it.is_complete(),
        }
    }

    /// The tokens that were told so far.
    pub(super) fn tokens(&self) -> Tokens {
        match &self.partial {
            Partial::Messages(it) => it.tokens,
            Partial::Completions(it) => it.tokens,
        }
    }

    /// The answer, when no more comes.
    ///
    /// # Errors
    /// What came is no whole answer.
    pub(super) fn finish(mut self) -> Result<Answer, Fault> {
        if let Some(whole) = self.whole.take() {
            let body: Value = serde_json::from_slice(&whole).map_err(|_| nonsense(&String::from_utf8_lossy(&whole)))?;
            return match self.partial {
                Partial::Messages(_) => messages::whole(body),
                Partial::Completions(_) => completions::whole(&body),
            };
        }
        // The last event may have no empty line behind it.
        if let Some(data) = self.events.rest().filter(|_| !self.is_complete()) {
            // A line that was cut is no nonsense.
            if serde_json::from_str::<Value>(&data).is_ok() || data.trim() == "[DONE]" {
                self.event(&data)?;
            }
        }
        match self.partial {
            Partial::Messages(it) => it.finish(),
            Partial::Completions(it) => it.finish(),
        }
    }
}

/// What an answer of a server says, and the tools that it asks for with their arguments. `pieces`: the bytes, as they came; `is_stream`: they
/// are events of a stream.
///
/// # Errors
/// Why they are no whole answer.
pub fn answer_of(format: ApiFormat, is_stream: bool, pieces: &[&[u8]]) -> Result<(String, Vec<String>), String> {
    let read = || {
        let mut reader = Reader::new(format, is_stream);
        for piece in pieces {
            reader.take(piece)?;
        }
        reader.finish()
    };
    let answer = read().map_err(|fault: Fault| format!("{fault:?}"))?;
    Ok((answer.text, answer.calls.into_iter().map(|it| format!("{} {:?}", it.name, it.arguments)).collect()))
}

fn nonsense(data: &str) -> Fault {
    let begin: String = data.trim().chars().take(120).collect();
    Fault::Nonsense(if begin.is_empty() { "it is empty".to_owned() } else { format!("it begins with `{begin}`") })
}

/// What a server says in the place of an answer: `{"error": {"type", "message"}}`, or a text.
pub(super) fn said(body: &Value) -> Option<Fault> {
    let error = body.get("error").filter(|it| !it.is_null())?;
    let text = |name: &str| error.get(name).and_then(Value::as_str).map(str::to_owned);
    let kind = text("type").or_else(|| text("code")).unwrap_or_default();
    let message = text("message").or_else(|| error.as_str().map(str::to_owned)).unwrap_or_else(|| error.to_string());
    Some(Fault::Said { kind, message })
}

/// Arguments as they were written.
fn arguments(text: &str) -> Result<Map<String, Value>, String> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        _ => Err(text.to_owned()),
    }
}

/// Names for calls that have none, or that of another: each is answered by its own.
fn name_calls(calls: &mut [Call]) {
    for at in 0..calls.len() {
        let (before, rest) = calls.split_at_mut(at);
        let it = &mut rest[0];
        if it.id.is_empty() || before.iter().any(|other| other.id == it.id) {
            it.id = format!("call-{}-{}", at + 1, it.id);
        }
    }
}
