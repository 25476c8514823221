//! Tests of what is seen.
