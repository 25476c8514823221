//! The chat completions format: <https://platform.openai.com/docs/api-reference/chat>, with what other servers make of it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Answer, Call, Fault, Message, Question, Stop, Tokens, arguments, name_calls, said};

pub(super) fn body(it: &Question<'_>) -> Value {
    let mut messages = vec![json!({"role": "system", "content": it.system})];
    for message in it.messages {
        match message {
            Message::User(text) => messages.push(json!({"role": "user", "content": text})),
            Message::Answer(answer) => messages.extend(answer.blocks.iter().cloned()),
            Message::Results(given, note) => {
                // The format has no mark for errors.
                let text =
                    |it: &super::Given| if it.is_error { format!("error: {}", it.text) } else { it.text.clone() };
                messages
                    .extend(given.iter().map(|it| json!({"role": "tool", "tool_call_id": it.id, "content": text(it)})));
                messages.extend(note.iter().map(|text| json!({"role": "user", "content": text})));
            }
        }
    }
    let tools = it.tools.iter().map(|it| {
        let function = json!({"name": it.name, "description": it.description, "parameters": it.schema()});
        json!({"type": "function", "function": function})
    });
    let longest = if it.names_completion { "max_completion_tokens" } else { "max_tokens" };
    json!({
        "model": it.model,
        longest: it.max_tokens,
        "stream": true,
        "stream_options": {"include_usage": true},
        "tools": tools.collect::<Vec<_>>(),
        "messages": messages,
    })
}

/// An answer of which something is still to come.
#[derive(Debug, Default)]
pub(super) struct Partial {
    text: String,
    refusal: String,
    calls: BTreeMap<u64, Parts>,
    stop: Option<String>,
    pub(super) tokens: Tokens,
    done: bool,
}

#[derive(Debug, Default)]
struct Parts {
    id: String,
    name: String,
    arguments: String,
}

/// Calls of an answer; one with more is different from all that a model says.
const MAX_CALLS: usize = 1000;

impl Partial {
    pub(super) fn take(&mut self, chunk: &Value) -> Result<bool, Fault> {
        if let Some(fault) = said(chunk) {
            return Err(fault);
        }
        self.tokens = counted(&chunk["usage"]).unwrap_or(self.tokens);
        let choice = &chunk["choices"][0];
        let delta = choice.get("delta").or_else(|| choice.get("message"));
        if let Some(delta) = delta {
            self.text.push_str(&written(&delta["content"]));
            self.refusal.push_str(delta["refusal"].as_str().unwrap_or_default());
            for call in delta["tool_calls"].as_array().into_iter().flatten() {
                self.call(call);
            }
        }
        if let Some(stop) = choice["finish_reason"].as_str() {
            self.stop = Some(stop.to_owned());
        }
        if self.calls.len() > MAX_CALLS {
            return Err(Fault::Nonsense(format!("it has more than {MAX_CALLS} calls")));
        }
        Ok(delta.is_some() || self.stop.is_some())
    }

    fn call(&mut self, call: &Value) {
        let id = call["id"].as_str().unwrap_or_default();
        let last = self.calls.keys().next_back().copied();
        // Some servers do not number the calls: a new one has a name of its own.
        let index = call["index"].as_u64().unwrap_or_else(|| match last {
            Some(last) if id.is_empty() || self.calls.get(&last).is_some_and(|it| it.id == id) => last,
            Some(last) => last.saturating_add(1),
            None => 0,
        });
        let parts = self.calls.entry(index).or_default();
        if parts.id.is_empty() {
            parts.id = id.to_owned();
        }
        let function = &call["function"];
        if let Some(name) = function["name"].as_str().filter(|it| *it != parts.name) {
            parts.name.push_str(name);
        }
        match &function["arguments"] {
            Value::String(more) => parts.arguments.push_str(more),
            Value::Null => {}
            whole => parts.arguments = whole.to_string(),
        }
    }

    pub(super) fn done(&mut self) {
        self.done = true;
    }

    pub(super) fn is_complete(&self) -> bool {
        self.done
    }

    pub(super) fn finish(self) -> Result<Answer, Fault> {
        if self.stop.is_none() && !self.done {
            return Err(Fault::Cut);
        }
        let calls = self.calls.into_values().map(|it| (it.id, it.name, arguments(&it.arguments))).collect();
        Ok(answer(self.text, &self.refusal, calls, self.stop.as_deref(), self.tokens))
    }
}

/// A text, or the texts of its parts.
fn written(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|it| it["text"].as_str()).collect(),
        _ => String::new(),
    }
}

/// What is told of tokens: input that was kept is a part of all input.
fn counted(usage: &Value) -> Option<Tokens> {
    let all = usage["prompt_tokens"].as_u64();
    let output = usage["completion_tokens"].as_u64();
    if all.is_none() && output.is_none() {
        return None;
    }
    let kept = usage["prompt_tokens_details"]["cached_tokens"].as_u64().unwrap_or(0).min(all.unwrap_or(0));
    Some(Tokens { input: all.map(|it| it - kept), output, cache_read: kept, cache_write: 0 })
}

/// An answer that came at once.
pub(super) fn whole(body: &Value) -> Result<Answer, Fault> {
    if let Some(fault) = said(body) {
        return Err(fault);
    }
    let choice = &body["choices"][0];
    let Some(message) = choice["message"].as_object() else {
        return Err(Fault::Nonsense("it has no `choices` with a `message`".to_owned()));
    };
    let calls = message.get("tool_calls").and_then(Value::as_array).into_iter().flatten().map(|it| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let function = &it["function"];
        let arguments = match &function["arguments"] {
            Value::String(written) => arguments(written),
            Value::Null => Ok(Map::new()),
            Value::Object(object) => Ok(object.clone()),
            other => Err(other.to_string()),
        };
        (text(&it["id"]), text(&function["name"]), arguments)
    });
    let text = written(message.get("content").unwrap_or(&Value::Null));
    let refusal = message.get("refusal").and_then(Value::as_str).unwrap_or_default();
    let tokens = counted(&body["usage"]).unwrap_or_default();
    Ok(answer(text, refusal, calls.collect(), choice["finish_reason"].as_str(), tokens))
}

type Called = (String, String, Result<Map<String, Value>, String>);

fn answer(mut text: String, refusal: &str, calls: Vec<Called>, stop: Option<&str>, tokens: Tokens) -> Answer {
    let mut calls: Vec<Call> = calls.into_iter().map(|(id, name, arguments)| Call { id, name, arguments }).collect();
    name_calls(&mut calls);
    let mut message = json!({"role": "assistant", "content": if text.is_empty() { Value::Null } else { json!(text) }});
    if calls.is_empty() {
        message["content"] = json!(text);
    } else {
        // Arguments that are none come back as none: some servers read them again.
        let written = |it: &Call| it.arguments.as_ref().map_or_else(|_| "{}".to_owned(), |it| json!(it).to_string());
        let shown = calls.iter().map(
            |it| json!({"id": it.id, "type": "function", "function": {"name": it.name, "arguments": written(it)}}),
        );
        message["tool_calls"] = shown.collect();
    }
    let stop = match stop {
        Some("length") => Stop::Length,
        Some("content_filter") => Stop::Refused,
        _ if !refusal.is_empty() => Stop::Refused,
        _ => Stop::End,
    };
    if stop == Stop::Refused {
        text.push_str(refusal);
    }
    Answer { text, calls, stop, tokens, blocks: vec![message] }
}
