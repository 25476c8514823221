//! The integration tests: one binary.

mod cli;
//! The integration tests, one binary so that it links once.

mod cases;
mod files;
mod tidy;
