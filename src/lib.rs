#![doc = include_str!("ARCHITECTURE.md")]

pub mod cli;
pub mod config;
pub mod contracts;
pub mod finding;
pub mod model;
pub mod project;
pub mod report;
pub mod rules;
pub mod scan;
pub mod text;
