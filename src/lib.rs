#![doc = include_str!("ARCHITECTURE.md")]

pub mod cases;
pub mod checks;
pub mod cli;
pub mod config;
pub mod contracts;
pub mod evaluate;
pub mod export;
pub mod finding;
pub mod frameworks;
pub mod languages;
pub mod model;
pub mod project;
pub mod report;
pub mod rules;
pub mod scan;
pub mod text;
