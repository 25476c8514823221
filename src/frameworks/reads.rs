//! What functions of Python read from the request that they are given.

use crate::model::program::Function;
