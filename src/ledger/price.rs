//! Prices of models, from the configuration.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Usage, Usd};

/// Dollars for a million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Price {
    /// Dollars for a million tokens that are read.
    pub input: f64,
    /// Dollars for a million tokens that are written.
    pub output: f64,
    /// What costs the same as `input` where no price is named: nobody takes more for tokens that were kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<f64>,
    /// Tokens that a provider keeps cost more than `input` at some providers: without a price their cost is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
}

impl Price {
    /// The price of tokens that are kept; none where nobody knows. At a model that reads for nothing they cost nothing.
    fn of_kept(&self) -> Option<f64> {
        self.cache_write.or((self.input <= 0.0).then_some(0.0))
    }

    /// The most that an answer can cost that reads `context` tokens and writes `output`, wherever they are read from; as if
    /// nothing were kept where what is kept has no price.
    pub fn dearest(&self, context: u64, output: u64) -> Usd {
        let input = self.input.max(self.cache_write.unwrap_or(0.0)).max(self.cache_read.unwrap_or(0.0));
        millionths([(context, input), (output, self.output)])
    }
}

/// What tokens cost, each at dollars for a million of them: rounded up, never less than nothing.
fn millionths<const N: usize>(parts: [(u64, f64); N]) -> Usd {
    #[expect(clippy::cast_precision_loss, reason = "2^53 tokens are more than anybody pays for")]
    let all: f64 = parts.into_iter().map(|(tokens, price)| tokens as f64 * price).sum();
    Usd(all.max(0.0).ceil() as u64)
}

/// `[prices."model"]` of the configuration. A price that is not there is an error, never nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Prices(pub BTreeMap<String, Price>);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownPrice {
    #[error(
        "what the model `{0}` costs is not known: add [prices.\"{0}\"] with input and output, in dollars for a million tokens"
    )]
    Model(String),
    #[error(
        "add `cache-write` to [prices.\"{0}\"], in dollars for a million tokens: the provider keeps what this model reads, and what that costs is not known"
    )]
    CacheWrite(String),
}

impl Prices {
    /// What these tokens cost, rounded up.
    ///
    /// # Errors
    /// A model without a price, or tokens that were kept by a model without a price for them.
    pub fn cost(&self, usage: &Usage) -> Result<Usd, UnknownPrice> {
        let price = self.of(&usage.model)?;
        let kept = if usage.cache_write == 0 { Some(0.0) } else { price.of_kept() };
        let kept = kept.ok_or_else(|| UnknownPrice::CacheWrite(usage.model.clone()))?;
        Ok(millionths([
            (usage.input, price.input),
            (usage.output, price.output),
            (usage.cache_read, price.cache_read.unwrap_or(price.input)),
            (usage.cache_write, kept),
        ]))
    }

    /// What these tokens cost at least: nothing where the model has no price, and tokens that are kept without a price as
    /// much as those that are read.
    pub fn least(&self, usage: &Usage) -> Usd {
        let read = Usage { input: usage.input + usage.cache_write, cache_write: 0, ..usage.clone() };
        self.cost(usage).or_else(|_| self.cost(&read)).unwrap_or_default()
    }

    /// Whether everything has a price that a client pays for which keeps what a model reads.
    ///
    /// # Errors
    /// A model without a price, or without one for tokens that are kept.
    pub fn know_all_of(&self, model: &str) -> Result<(), UnknownPrice> {
        let kept = Usage { model: model.to_owned(), cache_write: 1, ..Usage::default() };
        self.cost(&kept).map(|_| ())
    }

    /// The price of a model, or of the model that it is a dated version of: `name` for `name-20260101`.
    ///
    /// # Errors
    /// A model without a price.
    pub fn of(&self, model: &str) -> Result<Price, UnknownPrice> {
        let undated = model.rsplit_once('-').filter(|it| it.1.len() == 8 && it.1.bytes().all(|b| b.is_ascii_digit()));
        let found = self.0.get(model).or_else(|| self.0.get(undated?.0));
        found.copied().ok_or_else(|| UnknownPrice::Model(model.to_owned()))
    }
}
