//! What the code really serves, as documents.

mod openapi;

pub use openapi::openapi;
