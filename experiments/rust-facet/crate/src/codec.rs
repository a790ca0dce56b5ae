//! The codecs under comparison: the serde path of the crate `bson`, and the reflection path with
//! every combination of its options. A codec is a type, so all choices are made at compile time and
//! none in the measured loop.

use std::fmt::Debug;
use std::marker::PhantomData;

use facet::Facet;
use facet_format::FormatDeserializer;
use facet_reflect::Peek;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::format::dispatch::Dispatch;
use crate::format::error::BsonError;
use crate::format::parser::BsonParser;
use crate::format::peek::PeekForm;
use crate::format::serializer::serialize;

/// A type that every codec writes and reads.
pub trait Subject: Facet<'static> + Serialize + DeserializeOwned + PartialEq + Debug {}

impl<T: Facet<'static> + Serialize + DeserializeOwned + PartialEq + Debug> Subject for T {}

/// Converts values to BSON documents and back. The functions are never inlined, so that a profile
/// shows them by name.
pub trait Codec: 'static {
    /// Encodes a value into a new buffer.
    ///
    /// # Errors
    /// If BSON cannot represent the value.
    fn encode<T: Subject>(value: &T) -> Result<Vec<u8>, BsonError>;

    /// Decodes a document to a value that owns its data.
    ///
    /// # Errors
    /// If the bytes are not the document of a `T`.
    fn decode<T: Subject>(bytes: &[u8]) -> Result<T, BsonError>;
}

/// The crate `bson`, for a type that derives the traits of serde.
pub struct Serde;

impl Codec for Serde {
    #[inline(never)]
    fn encode<T: Subject>(value: &T) -> Result<Vec<u8>, BsonError> {
        Ok(bson::serialize_to_vec(value)?)
    }

    #[inline(never)]
    fn decode<T: Subject>(bytes: &[u8]) -> Result<T, BsonError> {
        Ok(bson::deserialize_from_slice(bytes)?)
    }
}

/// Reflection: the form of peeking, the way to find types, and the initial capacity of the output
/// in bytes.
pub struct Reflection<P, D, const CAPACITY: usize>(PhantomData<(P, D)>);

impl<P, D, const CAPACITY: usize> Codec for Reflection<P, D, CAPACITY>
where
    P: PeekForm + 'static,
    D: Dispatch + 'static,
{
    fn encode<T: Subject>(value: &T) -> Result<Vec<u8>, BsonError> {
        serialize::<D>(Peek::new(value), CAPACITY)
    }

    fn decode<T: Subject>(bytes: &[u8]) -> Result<T, BsonError> {
        deserialize::<P, T>(bytes)
    }
}

#[inline(never)]
fn deserialize<P: PeekForm, T: Subject>(bytes: &[u8]) -> Result<T, BsonError> {
    FormatDeserializer::new_owned(&mut BsonParser::<P>::new(bytes))
        .deserialize()
        .map_err(|error| BsonError::new(error.to_string()))
}
