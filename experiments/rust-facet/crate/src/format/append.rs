//! Encodes values of the crate `bson`.

use bson::oid::ObjectId;
use bson::raw::{RawArrayBuf, RawDocumentBuf};
use bson::spec::{BinarySubtype, ElementType};
use bson::{
    Binary, Bson, DateTime, Decimal128, Document, JavaScriptCodeWithScope, Regex, Timestamp,
};

use super::error::BsonError;

/// A type that is written as one BSON value.
pub trait AppendValue {
    /// Its type in BSON.
    fn element_type(&self) -> ElementType;

    /// Appends its bytes.
    ///
    /// # Errors
    /// If BSON cannot represent it.
    fn append(&self, bytes: &mut Vec<u8>) -> Result<(), BsonError>;
}

/// Appends text and a NUL.
///
/// # Errors
/// If the text contains a NUL.
pub fn append_cstring(text: &str, bytes: &mut Vec<u8>) -> Result<(), BsonError> {
    if text.as_bytes().contains(&0) {
        return Err(BsonError::new(format!("{text:?} has a NUL within")));
    }
    bytes.extend_from_slice(text.as_bytes());
    bytes.push(0);
    Ok(())
}

/// Appends a string: its length, its text, a NUL.
///
/// # Errors
/// If the length exceeds an int32.
pub fn append_string(text: &str, bytes: &mut Vec<u8>) -> Result<(), BsonError> {
    append_length(text.len() + 1, bytes)?;
    bytes.extend_from_slice(text.as_bytes());
    bytes.push(0);
    Ok(())
}

/// Reserves space for a length and returns its offset.
pub fn begin_length(bytes: &mut Vec<u8>) -> usize {
    let start = bytes.len();
    bytes.extend_from_slice(&[0; 4]);
    start
}

/// Writes the length of everything from `start` on into the space reserved there.
///
/// # Errors
/// If the length exceeds an int32.
pub fn end_length(start: usize, bytes: &mut [u8]) -> Result<(), BsonError> {
    let length = to_length(bytes.len() - start)?;
    bytes[start..start + 4].copy_from_slice(&length.to_le_bytes());
    Ok(())
}

fn append_length(length: usize, bytes: &mut Vec<u8>) -> Result<(), BsonError> {
    bytes.extend_from_slice(&to_length(length)?.to_le_bytes());
    Ok(())
}

fn to_length(length: usize) -> Result<i32, BsonError> {
    i32::try_from(length).map_err(|_| BsonError::new(format!("{length} bytes are too many")))
}

fn append_elements<'a>(
    elements: impl Iterator<Item = (impl AsRef<str>, &'a Bson)>,
    bytes: &mut Vec<u8>,
) -> Result<(), BsonError> {
    let start = begin_length(bytes);
    for (key, value) in elements {
        bytes.push(value.element_type() as u8);
        append_cstring(key.as_ref(), bytes)?;
        value.append(bytes)?;
    }
    bytes.push(0);
    end_length(start, bytes)
}

/// Types that store their encoded bytes.
macro_rules! append_plain {
    ($($type:ty, $kind:ident, |$value:ident| $bytes:expr);* $(;)?) => {$(
        impl AppendValue for $type {
            fn element_type(&self) -> ElementType {
                ElementType::$kind
            }

            fn append(&self, bytes: &mut Vec<u8>) -> Result<(), BsonError> {
                let $value = self;
                bytes.extend_from_slice($bytes.as_ref());
                Ok(())
            }
        }
    )*};
}

append_plain!(
    i32, Int32, |value| value.to_le_bytes();
    ObjectId, ObjectId, |value| value.bytes();
    DateTime, DateTime, |value| value.timestamp_millis().to_le_bytes();
    Decimal128, Decimal128, |value| value.bytes();
    Timestamp, Timestamp,
        |value| (u64::from(value.time) << 32 | u64::from(value.increment)).to_le_bytes();
    RawDocumentBuf, EmbeddedDocument, |value| value.as_bytes();
    RawArrayBuf, Array, |value| value.as_bytes();
);

impl AppendValue for Document {
    fn element_type(&self) -> ElementType {
        ElementType::EmbeddedDocument
    }

    fn append(&self, bytes: &mut Vec<u8>) -> Result<(), BsonError> {
        append_elements(self.iter(), bytes)
    }
}

impl AppendValue for Binary {
    fn element_type(&self) -> ElementType {
        ElementType::Binary
    }

    fn append(&self, bytes: &mut Vec<u8>) -> Result<(), BsonError> {
        // The deprecated subtype repeats the length.
        let is_old = self.subtype == BinarySubtype::BinaryOld;
        append_length(self.bytes.len() + if is_old { 4 } else { 0 }, bytes)?;
        bytes.push(self.subtype.into());
        if is_old {
            append_length(self.bytes.len(), bytes)?;
        }
        bytes.extend_from_slice(&self.bytes);
        Ok(())
    }
}

impl AppendValue for Regex {
    fn element_type(&self) -> ElementType {
        ElementType::RegularExpression
    }

    fn append(&self, bytes: &mut Vec<u8>) -> Result<(), BsonError> {
        append_cstring(self.pattern.as_str(), bytes)?;
        append_cstring(self.options.as_str(), bytes)
    }
}

impl AppendValue for JavaScriptCodeWithScope {
    fn element_type(&self) -> ElementType {
        ElementType::JavaScriptCodeWithScope
    }

    fn append(&self, bytes: &mut Vec<u8>) -> Result<(), BsonError> {
        let start = begin_length(bytes);
        append_string(&self.code, bytes)?;
        self.scope.append(bytes)?;
        end_length(start, bytes)
    }
}

impl AppendValue for Bson {
    fn element_type(&self) -> ElementType {
        Bson::element_type(self)
    }

    fn append(&self, bytes: &mut Vec<u8>) -> Result<(), BsonError> {
        match self {
            Bson::Double(value) => bytes.extend_from_slice(&value.to_le_bytes()),
            Bson::String(text) | Bson::JavaScriptCode(text) | Bson::Symbol(text) => {
                append_string(text, bytes)?;
            }
            Bson::Array(items) => {
                let keys = (0..items.len()).map(|index| index.to_string());
                append_elements(keys.zip(items), bytes)?;
            }
            Bson::Document(value) => value.append(bytes)?,
            Bson::Boolean(value) => bytes.push(u8::from(*value)),
            Bson::Null | Bson::Undefined | Bson::MinKey | Bson::MaxKey => {}
            Bson::RegularExpression(value) => value.append(bytes)?,
            Bson::JavaScriptCodeWithScope(value) => value.append(bytes)?,
            Bson::Int32(value) => value.append(bytes)?,
            Bson::Int64(value) => bytes.extend_from_slice(&value.to_le_bytes()),
            Bson::Timestamp(value) => value.append(bytes)?,
            Bson::Binary(value) => value.append(bytes)?,
            Bson::ObjectId(value) => value.append(bytes)?,
            Bson::DateTime(value) => value.append(bytes)?,
            Bson::Decimal128(value) => value.append(bytes)?,
            Bson::DbPointer(_) => {
                return Err(BsonError::new(
                    "the crate bson shows nothing of a DBPointer",
                ));
            }
        }
        Ok(())
    }
}
