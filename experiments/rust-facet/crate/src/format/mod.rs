//! BSON as a format of `facet-format`: a parser that returns events and a serializer that receives
//! values, both driven by that crate according to the shape of a type.
//!
//! A field has a type that `facet` knows (struct, option, list, map, string, number) or one of
//! [`value`], which wraps a type of the crate `bson`. Byte vectors are not supported; use
//! `BinaryValue`.

pub mod append;
pub mod dispatch;
pub mod element;
pub mod error;
pub mod parser;
pub mod peek;
pub mod read;
pub mod serializer;
pub mod value;
