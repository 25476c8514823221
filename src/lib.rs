#![doc = include_str!("ARCHITECTURE.md")]

pub mod cases;
pub mod checks;
pub mod config;
pub mod contracts;
pub mod finding;
pub mod model;
pub mod project;
pub mod rules;
pub mod scan;
pub mod text;
