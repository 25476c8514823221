//! What a call gave, as the protocol wants it.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use super::tool::{Given, Output, Refusal};

/// The result of a call of a tool with this form of answers.
pub(super) fn result(output: &Output, given: Result<Given, Refusal>) -> CallToolResult {
    let Given { value, more } = match given {
        Ok(given) => given,
        Err(refusal) => return CallToolResult::error(vec![ContentBlock::text(refusal.to_string())]),
    };
    let text = match (output, &value) {
        (Output::Text, Value::String(text)) => text.clone(),
        (Output::Told, _) if value["text"].is_string() => value["text"].as_str().unwrap_or_default().to_owned(),
        _ => value.to_string(),
    };
    let mut blocks = vec![ContentBlock::text(text)];
    blocks.extend(more.iter().map(ContentBlock::text));
    let mut result = CallToolResult::success(blocks);
    result.structured_content = match output {
        Output::Text => None,
        Output::Object(_) | Output::Told => Some(value),
        Output::Wrapped(_) => Some(match more {
            Some(more) => json!({ "result": value, "more": more }),
            None => json!({ "result": value }),
        }),
    };
    result
}
