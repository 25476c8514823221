//! Tests that are made of contracts.
