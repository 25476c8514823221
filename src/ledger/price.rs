//! Prices of models, from the configuration.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Usage, Usd};

/// Dollars for a million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Price {
    pub input: f64,
    pub output: f64,
    #[serde(default)]
    pub cache_read: f64,
    #[serde(default)]
    pub cache_write: f64,
}

/// `[prices."model"]` of the configuration. A price that is not there is an error, never nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Prices(pub BTreeMap<String, Price>);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "what the model `{model}` costs is not known: add [prices.\"{model}\"] with input and output, in dollars for a million tokens"
)]
pub struct UnknownPrice {
    pub model: String,
}

impl Prices {
    /// What these tokens cost, rounded up.
    ///
    /// # Errors
    /// A model without a price.
    pub fn cost(&self, usage: &Usage) -> Result<Usd, UnknownPrice> {
        let price = self.of(&usage.model)?;
        #[expect(clippy::cast_precision_loss, reason = "2^53 tokens are more than anybody pays for")]
        let part = |tokens: u64, price: f64| tokens as f64 * price;
        let millionths = part(usage.input, price.input)
            + part(usage.output, price.output)
            + part(usage.cache_read, price.cache_read)
            + part(usage.cache_write, price.cache_write);
        Ok(Usd(millionths.max(0.0).ceil() as u64))
    }

    /// The price of a model, or of the model that it is a dated version of: `name` for `name-20260101`.
    ///
    /// # Errors
    /// A model without a price.
    pub fn of(&self, model: &str) -> Result<Price, UnknownPrice> {
        let undated = model.rsplit_once('-').filter(|it| it.1.len() == 8 && it.1.bytes().all(|b| b.is_ascii_digit()));
        let found = self.0.get(model).or_else(|| self.0.get(undated?.0));
        found.copied().ok_or_else(|| UnknownPrice { model: model.to_owned() })
    }
}
