//! Facts of services for runs elsewhere: what each one serves, calls, sends, receives and declares, without a line of
//! its source. `treaty extract --as facts` writes them, `treaty scan --facts` takes them as the other end.
//!
//! The format is what `format.rs` says, as JSON in one line; `facts.schema.json` beside it describes it for others. Its
//! number is raised when older programs would misread a file: keys that are only added raise nothing, because readers
//! pass over what they do not know. What stands for a default is left out, shapes are numbered in the order in which
//! they are met, and nothing depends on the machine: the same services give the same bytes, and reading what was
//! written and writing it again gives them once more.
//!
//! Places are file and line. Read back, a file is called `service:path` and has no text; a check may name it as the
//! other end, and what it would report there goes nowhere: findings are about what was scanned.

mod format;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use read::read;
pub use write::write;

/// Version of the format.
pub const FORMAT: u32 = 1;

/// JSON Schema (2020-12) of the format.
pub const SCHEMA: &str = include_str!("facts.schema.json");

/// Larger files are not read.
pub const MAX_BYTES: u64 = 64 << 20;

/// What stands in front of a file of this service where its facts are read.
fn prefix(service: &str) -> String {
    format!("{service}:")
}
