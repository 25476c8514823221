//! The lowering of every OpenAPI version on one API, and of each defect by itself.
