//! `[api]`: a chat model over HTTP.

use serde::Deserialize;

/// A model that is asked over HTTP, and what it may do.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Api {
    /// Where the server is: `https://api.anthropic.com`, `http://127.0.0.1:11434/v1`.
    pub url: String,
    /// How it is asked.
    pub format: ApiFormat,
    /// The model that is asked; `model` of `[orchestrate]` where none is named.
    pub model: Option<String>,
    /// The environment variable that holds the key; none for servers that want no key.
    pub key_env: Option<String>,
    /// Tokens that an answer may have.
    #[serde(default = "max_tokens")]
    pub max_tokens: u64,
    /// Answers of an attempt.
    #[serde(default = "turns")]
    pub turns: u32,
    /// Commands that the model may run, each by the words that it begins with: `npm test`.
    #[serde(default)]
    pub commands: Vec<String>,
    /// A command that searches the web, for roles that may: its words, of which one has `{query}`.
    #[serde(default)]
    pub search: Option<String>,
    /// How often a request is sent again that the server could not serve.
    #[serde(default = "retries")]
    pub retries: u32,
}

/// The two ways of asking that servers understand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ApiFormat {
    /// `POST /v1/messages`, as Anthropic has it.
    Messages,
    /// `POST /v1/chat/completions`, as OpenAI has it, and most other servers.
    ChatCompletions,
}

fn max_tokens() -> u64 {
    8192
}

fn turns() -> u32 {
    30
}

fn retries() -> u32 {
    5
}
