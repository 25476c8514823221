//! What a run costs: tokens and money by task, attempt and model, and a cap that holds.
//!
//! Money is granted before it is spent: each attempt gets an allowance below the cap, and its executor stops within it. The
//! sum of what was spent and what is granted never passes the cap.

mod price;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

use serde::{Deserialize, Serialize};

pub use price::{Price, Prices, UnknownPrice};

/// Millionths of a dollar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Usd(pub u64);

impl Usd {
    /// Of an amount in dollars; none of what is no amount.
    pub fn from_dollars(dollars: f64) -> Option<Usd> {
        let micros = (dollars * 1e6).ceil();
        #[expect(clippy::cast_precision_loss, reason = "far below the limit a float is exact")]
        let fits = micros >= 0.0 && micros < u64::MAX as f64;
        fits.then_some(Usd(micros as u64))
    }

    #[expect(clippy::cast_precision_loss, reason = "for people and reports: 2^53 millionths are nine billion dollars")]
    pub fn dollars(self) -> f64 {
        self.0 as f64 / 1e6
    }

    pub fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for Usd {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = if self.0 > 0 && self.0 < 10_000 { 4 } else { 2 };
        write!(out, "${:.digits$}", self.dollars())
    }
}

impl Add for Usd {
    type Output = Usd;

    fn add(self, other: Usd) -> Usd {
        Usd(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Usd {
    fn add_assign(&mut self, other: Usd) {
        *self = *self + other;
    }
}

impl Sub for Usd {
    type Output = Usd;

    /// Never below nothing.
    fn sub(self, other: Usd) -> Usd {
        Usd(self.0.saturating_sub(other.0))
    }
}

impl Sum for Usd {
    fn sum<I: Iterator<Item = Usd>>(amounts: I) -> Usd {
        amounts.fold(Usd::default(), Add::add)
    }
}

/// Tokens of one model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub model: String,
    pub input: u64,
    pub output: u64,
    #[serde(default)]
    pub cache_read: u64,
    #[serde(default)]
    pub cache_write: u64,
}

/// What one attempt used of one model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub task: String,
    pub attempt: u32,
    pub usage: Usage,
    pub cost: Usd,
}

/// The book of a run. The same calls in the same order give the same book.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    pub cap: Option<Usd>,
    pub entries: Vec<Entry>,
    granted: BTreeMap<String, Usd>,
    /// The dearest attempt so far.
    dearest: Usd,
    spent: Usd,
    /// The largest allowance that did not suffice.
    short: Usd,
    /// Four fifths of the cap were passed, and that was said.
    pub warned: bool,
}

/// Of the cap: a warning is given once when it is passed.
const WARNING_PERCENT: u64 = 80;

impl Ledger {
    pub fn new(cap: Option<Usd>) -> Ledger {
        Ledger { cap, ..Ledger::default() }
    }

    pub fn spent(&self) -> Usd {
        self.spent
    }

    /// What may still be granted; none where there is no cap.
    pub fn available(&self) -> Option<Usd> {
        Some(self.cap? - self.spent - self.granted.values().copied().sum())
    }

    /// What an attempt may spend when `slots` of them may start: an equal share of what is there, and at least what an answer
    /// costs (`least`, or the dearest attempt so far). None where that is not there.
    pub fn allowance(&self, slots: usize, least: Usd) -> Option<Option<Usd>> {
        let Some(available) = self.available() else { return Some(None) };
        // What did not suffice would not suffice once more: twice as much, or all that is there.
        let more = if self.short.is_zero() { Usd::default() } else { Usd(self.short.0.saturating_add(1)) };
        let least = least.max(self.dearest).max(more);
        let doubled = Usd(self.short.0.saturating_mul(2)).min(available);
        let share = Usd(available.0 / (slots.max(1) as u64)).max(least).max(doubled);
        (available >= share && !available.is_zero()).then_some(Some(share))
    }

    /// Sets money aside for an attempt.
    pub fn grant(&mut self, task: &str, amount: Usd) {
        self.granted.insert(task.to_owned(), amount);
    }

    /// What is set aside for a task.
    pub fn granted(&self, task: &str) -> Option<Usd> {
        self.granted.get(task).copied()
    }

    /// The attempt of a task ran out of its allowance. Said before the attempt is settled.
    pub fn ran_out(&mut self, task: &str) {
        self.short = self.short.max(self.granted(task).unwrap_or_default());
    }

    /// An attempt has ended: what it used is booked, and what was set aside is free again.
    pub fn settle(&mut self, task: &str, attempt: u32, used: &[(Usage, Usd)]) {
        self.book(task, attempt, used);
        self.granted.remove(task);
    }

    /// Something was used of what is set aside for a task, and there is more to come.
    pub fn book(&mut self, task: &str, attempt: u32, used: &[(Usage, Usd)]) {
        let cost: Usd = used.iter().map(|it| it.1).sum();
        self.spent += cost;
        if let Some(granted) = self.granted.get_mut(task) {
            *granted = *granted - cost;
        }
        self.dearest = self.dearest.max(cost);
        let entry =
            |(usage, cost): &(Usage, Usd)| Entry { task: task.to_owned(), attempt, usage: usage.clone(), cost: *cost };
        self.entries.extend(used.iter().map(entry));
    }

    /// Whether the warning is due: four fifths are spent, and nobody was told.
    pub fn warning_is_due(&self) -> bool {
        !self.warned
            && self.cap.is_some_and(|cap| {
                self.spent.0.saturating_mul(100) >= cap.0.saturating_mul(WARNING_PERCENT) && cap.0 > 0
            })
    }

    /// Tokens and money by model.
    pub fn by_model(&self) -> BTreeMap<&str, (Usage, Usd)> {
        let mut models: BTreeMap<&str, (Usage, Usd)> = BTreeMap::new();
        for it in &self.entries {
            let (usage, cost) = models.entry(&it.usage.model).or_default();
            usage.input += it.usage.input;
            usage.output += it.usage.output;
            usage.cache_read += it.usage.cache_read;
            usage.cache_write += it.usage.cache_write;
            *cost += it.cost;
        }
        models
    }

    /// Money by task.
    pub fn of_task(&self, task: &str) -> Usd {
        self.entries.iter().filter(|it| it.task == task).map(|it| it.cost).sum()
    }
}
