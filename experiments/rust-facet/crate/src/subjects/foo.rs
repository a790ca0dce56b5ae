//! The structs of the benchmarks of bson-rust #674.

use facet::Facet;
use serde::{Deserialize, Serialize};

use crate::format::value::DocumentValue;

/// Two fields, one of them a struct: next to nothing but the cost of a call.
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

/// The same with a field of no fixed shape, which the crate `bson` reads and writes itself.
#[derive(Debug, PartialEq, Facet, Serialize, Deserialize)]
pub struct FooWithDocument {
    pub bar: Bar,
    pub value: String,
    pub document: DocumentValue,
}
