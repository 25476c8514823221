//! The messages format: <https://docs.anthropic.com/en/api/messages> and its streaming.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Answer, Call, Fault, Message, Question, Stop, Tokens, arguments, name_calls, said};

pub(super) fn body(it: &Question<'_>) -> Value {
    let mut messages: Vec<Value> = it.messages.iter().map(message).collect();
    let mut system = json!([{"type": "text", "text": it.system}]);
    if it.cached {
        // What stands before a mark is kept: the tools with the system's text, and the conversation so far.
        let last = messages.last_mut().and_then(|it| it.get_mut("content")?.as_array_mut()?.last_mut());
        [system.get_mut(0), last]
            .into_iter()
            .flatten()
            .for_each(|it| it["cache_control"] = json!({"type": "ephemeral"}));
    }
    let tools =
        it.tools.iter().map(|it| json!({"name": it.name, "description": it.description, "input_schema": it.schema()}));
    json!({
        "model": it.model,
        "max_tokens": it.max_tokens,
        "stream": true,
        "system": system,
        "tools": tools.collect::<Vec<_>>(),
        "messages": messages,
    })
}

fn message(it: &Message) -> Value {
    match it {
        Message::User(text) => json!({"role": "user", "content": [{"type": "text", "text": text}]}),
        Message::Answer(answer) => json!({"role": "assistant", "content": answer.blocks}),
        Message::Results(given, note) => {
            let results = given.iter().map(
                |it| json!({"type": "tool_result", "tool_use_id": it.id, "content": it.text, "is_error": it.is_error}),
            );
            let note = note.iter().map(|text| json!({"type": "text", "text": text}));
            json!({"role": "user", "content": results.chain(note).collect::<Vec<_>>()})
        }
    }
}

/// An answer of which something is still to come.
#[derive(Debug, Default)]
pub(super) struct Partial {
    blocks: BTreeMap<u64, Block>,
    stop: Option<String>,
    pub(super) tokens: Tokens,
    ended: bool,
}

#[derive(Debug, Default)]
struct Block {
    value: Map<String, Value>,
    /// The arguments of a call, as they came.
    arguments: String,
}

/// Parts that an answer has; one with more is different from all that a model says.
const MAX_BLOCKS: usize = 1000;

impl Partial {
    pub(super) fn take(&mut self, mut event: Value) -> Result<bool, Fault> {
        let kind = event["type"].as_str().unwrap_or_default().to_owned();
        match kind.as_str() {
            "message_start" => self.count(&event["message"]["usage"]),
            "content_block_start" => {
                let Some(index) = event["index"].as_u64() else { return Ok(false) };
                if let Value::Object(value) = event["content_block"].take() {
                    self.blocks.insert(index, Block { value, arguments: String::new() });
                }
                if self.blocks.len() > MAX_BLOCKS {
                    return Err(Fault::Nonsense(format!("it has more than {MAX_BLOCKS} parts")));
                }
            }
            "content_block_delta" => {
                let Some(block) = event["index"].as_u64().and_then(|it| self.blocks.get_mut(&it)) else {
                    return Ok(false);
                };
                block.grow(&event["delta"]);
            }
            "message_delta" => {
                self.count(&event["usage"]);
                if let Some(stop) = event["delta"]["stop_reason"].as_str() {
                    self.stop = Some(stop.to_owned());
                }
            }
            "message_stop" => self.ended = true,
            "error" => {
                return Err(said(&event).unwrap_or_else(|| Fault::Nonsense("an error without a text".to_owned())));
            }
            // A sign of life, and events of later versions.
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Counts are those of the whole answer so far.
    fn count(&mut self, usage: &Value) {
        count(&mut self.tokens, usage);
    }

    pub(super) fn is_complete(&self) -> bool {
        self.ended
    }

    pub(super) fn finish(self) -> Result<Answer, Fault> {
        if !self.ended {
            return Err(Fault::Cut);
        }
        let blocks = self.blocks.into_values().map(|it| {
            let called = (it.value.get("type").and_then(Value::as_str) == Some("tool_use") && !it.arguments.is_empty())
                .then(|| arguments(&it.arguments));
            (it.value, called)
        });
        Ok(answer(blocks, self.stop.as_deref(), self.tokens))
    }
}

impl Block {
    fn grow(&mut self, delta: &Value) {
        let (name, more) = match delta["type"].as_str() {
            Some("input_json_delta") => {
                self.arguments.push_str(delta["partial_json"].as_str().unwrap_or_default());
                return;
            }
            Some("text_delta") => ("text", &delta["text"]),
            Some("thinking_delta") => ("thinking", &delta["thinking"]),
            Some("signature_delta") => ("signature", &delta["signature"]),
            _ => return,
        };
        let Some(more) = more.as_str() else { return };
        match self.value.get_mut(name) {
            Some(Value::String(text)) => text.push_str(more),
            _ => {
                self.value.insert(name.to_owned(), Value::String(more.to_owned()));
            }
        }
    }
}

fn count(tokens: &mut Tokens, usage: &Value) {
    let of = |name: &str| usage[name].as_u64();
    tokens.input = of("input_tokens").or(tokens.input);
    tokens.output = of("output_tokens").or(tokens.output);
    tokens.cache_read = of("cache_read_input_tokens").unwrap_or(tokens.cache_read);
    tokens.cache_write = of("cache_creation_input_tokens").unwrap_or(tokens.cache_write);
}

/// An answer that came at once.
pub(super) fn whole(mut body: Value) -> Result<Answer, Fault> {
    if let Some(fault) = said(&body) {
        return Err(fault);
    }
    let mut tokens = Tokens::default();
    count(&mut tokens, &body["usage"]);
    let stop = body["stop_reason"].as_str().map(str::to_owned);
    let Some(Value::Array(content)) = body.get_mut("content").map(Value::take) else {
        return Err(Fault::Nonsense("it has no `content`".to_owned()));
    };
    let blocks = content.into_iter().filter_map(|it| match it {
        Value::Object(block) => Some((block, None)),
        _ => None,
    });
    Ok(answer(blocks, stop.as_deref(), tokens))
}

type Called = Option<Result<Map<String, Value>, String>>;

fn answer(parts: impl Iterator<Item = (Map<String, Value>, Called)>, stop: Option<&str>, tokens: Tokens) -> Answer {
    let (mut text, mut calls, mut blocks) = (String::new(), Vec::new(), Vec::new());
    let mut places = Vec::new();
    for (mut block, called) in parts {
        let member = |name: &str| block.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        match block.get("type").and_then(Value::as_str) {
            Some("text") => {
                let said = member("text");
                // An empty text is refused when it comes back.
                if said.trim().is_empty() {
                    continue;
                }
                text.push_str(&said);
            }
            Some("tool_use") => {
                let arguments = called.unwrap_or_else(|| match block.get("input") {
                    Some(Value::Object(input)) => Ok(input.clone()),
                    None | Some(Value::Null) => Ok(Map::new()),
                    Some(other) => Err(other.to_string()),
                });
                calls.push(Call { id: member("id"), name: member("name"), arguments: arguments.clone() });
                places.push(blocks.len());
                block.insert("input".to_owned(), Value::Object(arguments.unwrap_or_default()));
            }
            _ => {}
        }
        blocks.push(Value::Object(block));
    }
    name_calls(&mut calls);
    for (place, call) in places.into_iter().zip(&calls) {
        blocks[place]["id"] = json!(call.id);
        blocks[place]["name"] = json!(call.name);
    }
    let stop = match stop {
        Some("max_tokens" | "model_context_window_exceeded") => Stop::Length,
        Some("refusal") => Stop::Refused,
        _ => Stop::End,
    };
    Answer { text, calls, stop, tokens, blocks }
}
