//! Clients of HTTP services. Each library says which address, method, body and answer a call of it has; how an address is
//! read is the same for all of them.

mod address;
pub(super) mod angular;
mod asked;
pub(super) mod axios;
pub(super) mod csharp;
pub(super) mod described;
pub(super) mod fetch;
pub(super) mod jquery;
mod options;
mod origin;
pub(super) mod python;
pub(super) mod verbs;

use address::{Query, joined, url_of};
use asked::{Asked, request};
