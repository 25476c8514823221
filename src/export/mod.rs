//! What the code really serves, sends and declares, as documents.

mod asyncapi;
mod json_schema;
mod openapi;
mod schema;

pub use asyncapi::asyncapi;
pub use json_schema::json_schema;
pub use openapi::openapi;
