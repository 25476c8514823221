//! The driver, without a process.
