//! BSON as a format of `facet-format`: a parser that hands out events and a serializer that is
//! handed values, both driven by that crate along the shape of a type.
//!
//! Fields may be what `facet` knows of (structs, options, lists, maps, strings, numbers) or a
//! type of [`value`], which holds one of the crate `bson`. Byte vectors are not among them: BSON's binary is
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
