//! The codecs that are compared: serde's path of the crate `bson`, and the path by reflection with
//! every combination of what it does in one of two ways. A codec is a type, so that its choices are
//! made where it is compiled and none is left to the loop that is measured.

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

/// A type whose values every codec writes and reads.
pub trait Subject: Facet<'static> + Serialize + DeserializeOwned + PartialEq + Debug {}

impl<T: Facet<'static> + Serialize + DeserializeOwned + PartialEq + Debug> Subject for T {}

/// Values to BSON documents and back. What each of them does is never put inline: it is compiled
/// once, and a profile shows it by its name.
pub trait Codec: 'static {
    /// The document of a value, in a buffer of its own.
    ///
    /// # Errors
    /// Where BSON cannot hold the value.
    fn encode<T: Subject>(value: &T) -> Result<Vec<u8>, BsonError>;

    /// The value of a document; it keeps nothing of the bytes.
    ///
    /// # Errors
    /// Where the bytes are no document, or another than of a `T`.
    fn decode<T: Subject>(bytes: &[u8]) -> Result<T, BsonError>;
}

/// What the crate `bson` does for a type that derives serde's traits.
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

/// Reflection: what a look ahead costs, how types are told apart, and the room that the output has
/// from the start, in bytes.
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
