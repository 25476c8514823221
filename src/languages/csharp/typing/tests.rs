//! Types of expressions and answers of handlers.
