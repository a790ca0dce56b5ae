//! The types whose values are written and read, one module for each kind of corpus.

pub mod foo;
pub mod movie;
pub mod tree;
