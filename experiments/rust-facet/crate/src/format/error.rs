//! The error of reading and writing.

use std::borrow::Cow;
use std::fmt;

/// Why a value cannot be written or bytes cannot be read, in one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BsonError(Cow<'static, str>);

impl BsonError {
    /// Creates an error with this message.
    pub fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for BsonError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for BsonError {}

impl From<bson::error::Error> for BsonError {
    fn from(error: bson::error::Error) -> Self {
        Self::new(error.to_string())
    }
}
