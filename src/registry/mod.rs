//! The registry of contracts.

pub mod answer;
