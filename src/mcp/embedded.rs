//! The tools of a server without a server: calls in this process.

use std::thread;

use rmcp::model::{CallToolResult, JsonObject};
use serde_json::{Value, json};

use super::tool::{Call, Refusal, Tool};
use super::workplace::Workplace;
use super::{Options, STACK, answer};

/// A server's tools and what they work with.
pub struct Embedded {
    tools: Vec<Tool>,
    place: Workplace,
}

impl Embedded {
    pub fn new(options: Options) -> Embedded {
        Embedded { tools: options.server.tools(), place: Workplace::new(options) }
    }

    /// Calls a tool: the result as a server would send it, `content` and perhaps `isError`.
    pub fn call(&self, tool: &str, arguments: &Value) -> Value {
        let result = match arguments {
            Value::Object(arguments) => self.run(tool, arguments),
            _ => Err(Refusal::new("invalid_arguments", "arguments are an object")),
        };
        match result.map(serde_json::to_value) {
            Ok(Ok(result)) => result,
            Ok(Err(error)) => refused(&error.to_string()),
            Err(refusal) => refused(&refusal.to_string()),
        }
    }

    fn run(&self, name: &str, arguments: &JsonObject) -> Result<CallToolResult, Refusal> {
        let Some(tool) = self.tools.iter().find(|it| it.name == name) else {
            return Err(Refusal::new("unknown", format!("there is no tool `{name}`")));
        };
        let work = || {
            let call = Call { place: &self.place, progress: &|_| {} };
            answer::result(&tool.output, tool.call(&call, arguments.clone()))
        };
        // A thread of its own: syntax trees are walked by recursion, and what panics there ends there.
        let done = thread::scope(|scope| {
            let running = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            running.map(thread::ScopedJoinHandle::join)
        });
        let done = done.map_err(|error| Refusal::new("internal", format!("no thread to call with: {error}")))?;
        done.map_err(|_| Refusal::new("internal", format!("`{name}` stopped on this input")))
    }
}

fn refused(said: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": said }], "isError": true })
}
