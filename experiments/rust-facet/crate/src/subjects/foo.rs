//! The structs of the benchmarks of bson-rust #674.

use facet::Facet;
use serde::{Deserialize, Serialize};

use crate::format::value::DocumentValue;

/// Two fields, one of them a struct: mostly the overhead of a call.
#[derive(Debug, PartialEq, Facet, Serialize, Deserialize)]
pub struct Foo {
    pub bar: Bar,
    pub value: String,
}

/// One number.
#[derive(Debug, PartialEq, Facet, Serialize, Deserialize)]
pub struct Bar {
    pub inner: i32,
}

/// The same with a field of arbitrary content, which the crate `bson` reads and writes.
#[derive(Debug, PartialEq, Facet, Serialize, Deserialize)]
pub struct FooWithDocument {
    pub bar: Bar,
    pub value: String,
    pub document: DocumentValue,
}
