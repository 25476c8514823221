//! A stand-in for the server of a chat model: it speaks both wire formats as they stream, and answers as a script wants.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Messages,
    ChatCompletions,
}

impl Format {
    pub(crate) const BOTH: [Format; 2] = [Format::Messages, Format::ChatCompletions];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::Messages => "messages",
            Format::ChatCompletions => "chat-completions",
        }
    }
}

/// What a model sees when it is asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// The task that the prompt begins with: `TASK-001`.
    pub(crate) task: String,
    pub(crate) prompt: String,
    /// Whether the prompt tells of attempts before.
    pub(crate) is_repeated: bool,
    /// Answers that it gave in this conversation.
    pub(crate) turn: usize,
    /// What the tools of its last answer gave.
    pub(crate) given: Vec<String>,
    /// What its head has for the key.
    pub(crate) key: String,
    pub(crate) tools: Vec<String>,
    /// The model that is asked for, which is the one that answers.
    pub(crate) model: String,
    /// How many requests there were before, of all conversations.
    pub(crate) before: usize,
    /// Bytes of the request.
    pub(crate) size: usize,
}

/// What it answers.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    Say(&'static str),
    Use(Vec<(&'static str, Value)>),
    /// An error: its status, a head more, the kind of the error.
    Refuse(u16, &'static str, &'static str),
    /// The stream ends in the middle.
    Cut,
    /// Nothing comes any more after the head.
    Hang,
    /// A whole body that is no answer.
    Raw(&'static str),
    /// A whole answer at once, as servers give it that do not stream: see [`whole`].
    Whole(Value),
}

/// Tokens of every answer.
pub(crate) const TOKENS: (u32, u32) = (1_000, 100);

type Script = dyn Fn(&Asked) -> Reply + Send + Sync;

/// A server that runs as long as the test does.
pub(crate) struct Model {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    charged: Arc<Mutex<u32>>,
}

fn locked<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Model {
    pub(crate) fn new(format: Format, script: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Model {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let (asked, charged) = (Arc::<Mutex<Vec<Asked>>>::default(), Arc::<Mutex<u32>>::default());
        let (all, paid, script): (_, _, Arc<Script>) = (asked.clone(), charged.clone(), Arc::new(script));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (all, paid, script) = (all.clone(), paid.clone(), script.clone());
                thread::spawn(move || serve(stream, format, &all, &paid, script.as_ref()));
            }
        });
        Model { url, asked, charged }
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        locked(&self.asked).clone()
    }

    /// Answers that were given whole or begun: what a provider charges for.
    pub(crate) fn charged(&self) -> u32 {
        *locked(&self.charged)
    }
}

fn serve(mut stream: TcpStream, format: Format, all: &Mutex<Vec<Asked>>, paid: &Mutex<u32>, script: &Script) {
    let Some((head, body)) = request(&stream) else { return };
    let first = head.first().map_or("", String::as_str);
    // Clients look around before they ask: what a model has, how long a text is.
    if !first.starts_with("POST") || first.contains("/count_tokens") {
        let _ = at_once(&mut stream, "200 OK", "", &json!({"input_tokens": 100, "data": []}).to_string());
        return;
    }
    let asked = {
        let mut all = locked(all);
        let asked = read(format, &head, &body, all.len());
        all.push(asked.clone());
        asked
    };
    if let Some(why) = wrong(format, &body) {
        let _ = at_once(&mut stream, "400 No", "", &why);
        return;
    }
    let reply = script(&asked);
    if matches!(reply, Reply::Say(_) | Reply::Use(_) | Reply::Cut | Reply::Whole(_)) {
        *locked(paid) += 1;
    }
    let _ = answer(&mut stream, format, &asked.model, &reply);
}

fn request(stream: &TcpStream) -> Option<(Vec<String>, Value)> {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (Vec::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim().to_owned();
        if line.is_empty() {
            break;
        }
        if let Some(count) = line.to_lowercase().strip_prefix("content-length:") {
            length = count.trim().parse().ok()?;
        }
        head.push(line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((head, serde_json::from_slice(&body).unwrap_or_default()))
}

fn text(content: &Value) -> String {
    let parts = content.as_array().into_iter().flatten().filter_map(|it| it["text"].as_str());
    content.as_str().map_or_else(|| parts.collect(), str::to_owned)
}

fn read(format: Format, head: &[String], body: &Value, before: usize) -> Asked {
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let prompt = messages.iter().find(|it| it["role"] == "user").map(|it| text(&it["content"])).unwrap_or_default();
    let last = messages.iter().rposition(|it| it["role"] == "assistant").map_or(messages.len(), |it| it + 1);
    let rest = &messages[last..];
    let given = match format {
        Format::Messages => {
            let results = rest.iter().flat_map(|it| it["content"].as_array().cloned().unwrap_or_default());
            results.filter(|it| it["type"] == "tool_result").map(|it| text(&it["content"])).collect()
        }
        Format::ChatCompletions => {
            rest.iter().filter(|it| it["role"] == "tool").map(|it| text(&it["content"])).collect()
        }
    };
    let name = |it: &Value| it["name"].as_str().or(it["function"]["name"].as_str()).unwrap_or_default().to_owned();
    let key = head.iter().find(|it| {
        let line = it.to_lowercase();
        line.starts_with("x-api-key:") || line.starts_with("authorization:")
    });
    Asked {
        task: prompt
            .split("# TASK-")
            .nth(1)
            .and_then(|it| it.split(':').next())
            .map(|it| format!("TASK-{it}"))
            .unwrap_or_default(),
        is_repeated: prompt.contains("What the attempts before taught"),
        prompt,
        turn: messages.iter().filter(|it| it["role"] == "assistant").count(),
        given,
        key: key.cloned().unwrap_or_default(),
        tools: body["tools"].as_array().into_iter().flatten().map(name).collect(),
        model: body["model"].as_str().unwrap_or_default().to_owned(),
        before,
        size: body.to_string().len(),
    }
}

/// Why a provider would not take a request: an answer or a message without anything in it, or calls without their results.
fn wrong(format: Format, body: &Value) -> Option<String> {
    let list = |it: &Value| it.as_array().cloned().unwrap_or_default();
    let messages = list(&body["messages"]);
    for (at, message) in messages.iter().enumerate() {
        let rest = if message["role"] == "assistant" { &messages[at + 1..] } else { &[] };
        let (says, calls, results) = match format {
            Format::Messages => {
                let results = rest.first().map(|it| list(&it["content"])).unwrap_or_default();
                let results = results.iter().map(|it| it["tool_use_id"].clone()).filter(|it| !it.is_null()).collect();
                let parts = list(&message["content"]);
                let empty =
                    |it: &Value| it["type"] == "text" && it["text"].as_str().is_none_or(|it| it.trim().is_empty());
                let is_text = message["content"].as_str().is_some_and(|it| !it.trim().is_empty());
                (is_text || (!parts.is_empty() && !parts.iter().any(empty)), parts, results)
            }
            Format::ChatCompletions => {
                let results = rest.iter().map_while(|it| Some(it["tool_call_id"].clone()).filter(|it| !it.is_null()));
                let has_calls = message["tool_calls"].as_array().map(|it| !it.is_empty());
                let says = has_calls.unwrap_or_else(|| message["content"].is_string());
                (says, list(&message["tool_calls"]), results.collect::<Vec<Value>>())
            }
        };
        let is_call = |it: &&Value| it["type"] == "tool_use" || it["type"] == "function";
        let asked: Vec<Value> = calls.iter().filter(is_call).map(|it| it["id"].clone()).collect();
        if !says || asked != results {
            return Some(format!("message {at} has nothing, or calls {asked:?} with results {results:?}"));
        }
    }
    None
}

/// An answer at once, in the words of a format, that tells these tokens.
pub(crate) fn whole(format: Format, said: &str, calls: &[(&str, Value)], usage: &Value) -> Value {
    match format {
        Format::Messages => {
            let mut content = vec![json!({"type": "text", "text": said})];
            content.extend(
                calls.iter().enumerate().map(
                    |(at, it)| json!({"type": "tool_use", "id": format!("call-{at}"), "name": it.0, "input": it.1}),
                ),
            );
            json!({"content": content, "stop_reason": "end_turn", "usage": usage})
        }
        Format::ChatCompletions => {
            let mut message = json!({"role": "assistant", "content": said});
            if !calls.is_empty() {
                let call = |(at, it): (usize, &(&str, Value))| {
                    let function = json!({"name": it.0, "arguments": it.1.to_string()});
                    json!({"id": format!("call-{at}"), "type": "function", "function": function})
                };
                message["tool_calls"] = calls.iter().enumerate().map(call).collect();
            }
            json!({"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage})
        }
    }
}

fn answer(stream: &mut TcpStream, format: Format, model: &str, reply: &Reply) -> std::io::Result<()> {
    const STREAM: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    match reply {
        Reply::Refuse(status, more, kind) => {
            let body = json!({"error": {"type": kind, "message": format!("it is {kind}")}}).to_string();
            at_once(stream, &format!("{status} No"), more, &body)
        }
        Reply::Raw(body) => at_once(stream, "200 OK", "", body),
        Reply::Whole(body) => at_once(stream, "200 OK", "", &body.to_string()),
        Reply::Hang => {
            stream.write_all(STREAM.as_bytes())?;
            stream.flush()?;
            thread::sleep(Duration::from_secs(20));
            Ok(())
        }
        Reply::Say(_) | Reply::Use(_) | Reply::Cut => {
            stream.write_all(STREAM.as_bytes())?;
            let (said, calls): (&str, &[(&str, Value)]) = match reply {
                Reply::Use(calls) => ("I go on.", calls),
                Reply::Say(said) => (said, &[]),
                _ => ("I was about to", &[]),
            };
            let pieces = match format {
                Format::Messages => messages(model, said, calls),
                Format::ChatCompletions => completions(said, calls),
            };
            let most = if matches!(reply, Reply::Cut) { 2 } else { pieces.len() };
            for piece in pieces.iter().take(most) {
                // Names of events stand before their data in one of the formats.
                if let (Format::Messages, Some(kind)) = (format, piece["type"].as_str()) {
                    writeln!(stream, "event: {kind}")?;
                }
                write!(stream, "data: {piece}\n\n")?;
            }
            if most == pieces.len() && format == Format::ChatCompletions {
                stream.write_all(b"data: [DONE]\n\n")?;
            }
            stream.flush()
        }
    }
}

/// An answer that is no stream. `more`: another line of its head, or none.
fn at_once(stream: &mut TcpStream, status: &str, more: &str, body: &str) -> std::io::Result<()> {
    let more = if more.is_empty() { String::new() } else { format!("{more}\r\n") };
    let head = format!("content-type: application/json\r\n{more}content-length: {}\r\nconnection: close", body.len());
    write!(stream, "HTTP/1.1 {status}\r\n{head}\r\n\r\n{body}")
}

/// A number that no other answer or call has: clients tell them apart by it.
fn number() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed)
}

/// The arguments of a call, in two pieces as a model writes them.
fn halves(arguments: &Value) -> [String; 2] {
    let text: Vec<char> = arguments.to_string().chars().collect();
    let (a, b) = text.split_at(text.len() / 2);
    [a.iter().collect(), b.iter().collect()]
}

fn messages(model: &str, said: &str, calls: &[(&str, Value)]) -> Vec<Value> {
    let usage = json!({"input_tokens": TOKENS.0, "output_tokens": 1});
    let message = json!({"id": format!("msg_{}", number()), "type": "message", "role": "assistant", "model": model, "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": usage});
    let mut all = vec![
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": said}}),
        json!({"type": "content_block_stop", "index": 0}),
    ];
    for (at, (name, arguments)) in calls.iter().enumerate() {
        let index = at + 1;
        let block = json!({"type": "tool_use", "id": format!("call-{}", number()), "name": name, "input": {}});
        all.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
        for half in halves(arguments) {
            let delta = json!({"type": "input_json_delta", "partial_json": half});
            all.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
        all.push(json!({"type": "content_block_stop", "index": index}));
    }
    let stop = if calls.is_empty() { "end_turn" } else { "tool_use" };
    all.push(json!({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": TOKENS.1}}));
    all.push(json!({"type": "message_stop"}));
    all
}

fn completions(said: &str, calls: &[(&str, Value)]) -> Vec<Value> {
    let delta = |delta: Value| json!({"id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]});
    let mut all = vec![delta(json!({"role": "assistant", "content": ""})), delta(json!({"content": said}))];
    for (at, (name, arguments)) in calls.iter().enumerate() {
        let [first, second] = halves(arguments);
        let begin = json!({"index": at, "id": format!("call-{}", number()), "type": "function", "function": {"name": name, "arguments": first}});
        all.push(delta(json!({ "tool_calls": [begin] })));
        all.push(delta(json!({ "tool_calls": [{"index": at, "function": {"arguments": second}}] })));
    }
    let stop = if calls.is_empty() { "stop" } else { "tool_calls" };
    all.push(json!({"id": "c", "choices": [{"index": 0, "delta": {}, "finish_reason": stop}]}));
    all.push(json!({"id": "c", "choices": [], "usage": {"prompt_tokens": TOKENS.0, "completion_tokens": TOKENS.1}}));
    all
}
