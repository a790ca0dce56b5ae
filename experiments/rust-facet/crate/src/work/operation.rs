//! The operations on the documents of a corpus.

use std::hint::black_box;
use std::marker::PhantomData;

use crate::codec::{Codec, Serde, Subject};
use crate::format::error::BsonError;

/// An operation with its codec and its documents, ready to be run.
pub trait Operation {
    /// Runs it `passes` times over all documents. Results are dropped immediately, which is part of
    /// the cost.
    ///
    /// # Errors
    /// If it fails for a document.
    fn run(&self, passes: u64) -> Result<(), BsonError>;

    /// Runs once more and returns the output of every document as bytes.
    ///
    /// # Errors
    /// If it fails for a document.
    fn output(&self) -> Result<Vec<Vec<u8>>, BsonError>;

    /// Compares every value with the result of writing and reading it.
    ///
    /// # Errors
    /// If they differ.
    fn check_round_trip(&self) -> Result<(), BsonError>;
}

/// Serializes values.
pub struct Serialize<C, T> {
    values: Vec<T>,
    codec: PhantomData<C>,
}

/// Deserializes documents.
pub struct Deserialize<C, T> {
    documents: Vec<Vec<u8>>,
    codec: PhantomData<(C, T)>,
}

impl<C: Codec, T: Subject> Serialize<C, T> {
    /// Creates the operation on the values of these documents, read by serde.
    ///
    /// # Errors
    /// If one is not the document of a `T`.
    pub fn new(documents: &[Vec<u8>]) -> Result<Self, BsonError> {
        let values: Result<_, _> = documents.iter().map(|bytes| Serde::decode(bytes)).collect();
        Ok(Self {
            values: values?,
            codec: PhantomData,
        })
    }
}

impl<C: Codec, T: Subject> Deserialize<C, T> {
    /// Creates the operation on these documents.
    pub fn new(documents: Vec<Vec<u8>>) -> Self {
        Self {
            documents,
            codec: PhantomData,
        }
    }
}

impl<C: Codec, T: Subject> Operation for Serialize<C, T> {
    fn run(&self, passes: u64) -> Result<(), BsonError> {
        serialize_documents::<C, T>(&self.values, passes)
    }

    fn output(&self) -> Result<Vec<Vec<u8>>, BsonError> {
        self.values.iter().map(C::encode).collect()
    }

    fn check_round_trip(&self) -> Result<(), BsonError> {
        self.values.iter().try_for_each(check_value::<C, T>)
    }
}

impl<C: Codec, T: Subject> Operation for Deserialize<C, T> {
    fn run(&self, passes: u64) -> Result<(), BsonError> {
        deserialize_documents::<C, T>(&self.documents, passes)
    }

    fn output(&self) -> Result<Vec<Vec<u8>>, BsonError> {
        let decoded = self.documents.iter().map(|bytes| C::decode::<T>(bytes));
        decoded.map(|value| Serde::encode(&value?)).collect()
    }

    fn check_round_trip(&self) -> Result<(), BsonError> {
        self.documents
            .iter()
            .try_for_each(|bytes| check_value::<C, T>(&C::decode(bytes)?))
    }
}

/// The measured loop, under this name in a profile.
#[inline(never)]
fn serialize_documents<C: Codec, T: Subject>(values: &[T], passes: u64) -> Result<(), BsonError> {
    for _ in 0..passes {
        for value in values {
            black_box(C::encode(black_box(value))?);
        }
    }
    Ok(())
}

/// The measured loop, under this name in a profile.
#[inline(never)]
fn deserialize_documents<C: Codec, T: Subject>(
    documents: &[Vec<u8>],
    passes: u64,
) -> Result<(), BsonError> {
    for _ in 0..passes {
        for bytes in documents {
            black_box(C::decode::<T>(black_box(bytes))?);
        }
    }
    Ok(())
}

fn check_value<C: Codec, T: Subject>(value: &T) -> Result<(), BsonError> {
    let again: T = C::decode(&C::encode(value)?)?;
    if again == *value {
        return Ok(());
    }
    Err(BsonError::new(format!(
        "{value:?} is written and read again as {again:?}"
    )))
}
