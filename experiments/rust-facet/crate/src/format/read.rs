//! Decodes values from their bytes.

use std::borrow::Cow;

use bson::oid::ObjectId;
use bson::raw::{RawArrayBuf, RawBson, RawDocument, RawDocumentBuf};
use bson::spec::ElementType;
use bson::{
    Binary, Bson, DateTime, Decimal128, Document, JavaScriptCodeWithScope, Regex, Timestamp,
};
use facet_format::ScalarValue;

use super::element::{read_string, take_array};
use super::error::BsonError;

/// Returns a value for which `facet` has a scalar. Of other values returns the bytes, which fit no
/// field.
///
/// # Errors
/// If the bytes are not a value of that type.
pub fn read_scalar(kind: ElementType, value: &[u8]) -> Result<ScalarValue<'_>, BsonError> {
    Ok(match kind {
        ElementType::Null => ScalarValue::Null,
        ElementType::Boolean => ScalarValue::Bool(read_bool(value)?),
        ElementType::Int32 => ScalarValue::I64(i32::from_le_bytes(take_array(value, 0)?).into()),
        ElementType::Int64 => ScalarValue::I64(i64::from_le_bytes(take_array(value, 0)?)),
        ElementType::Double => ScalarValue::F64(f64::from_le_bytes(take_array(value, 0)?)),
        ElementType::String => ScalarValue::Str(Cow::Borrowed(read_string(value, 0)?)),
        _ => ScalarValue::Bytes(Cow::Borrowed(value)),
    })
}

fn read_bool(value: &[u8]) -> Result<bool, BsonError> {
    match value {
        [0] => Ok(false),
        [1] => Ok(true),
        _ => Err(BsonError::new(format!("boolean is {value:?}"))),
    }
}

/// A type of the crate `bson` that can be read from the bytes of one value.
pub trait ReadValue: Sized {
    /// Reads a value of its BSON type.
    ///
    /// # Errors
    /// If the type differs or the bytes are invalid.
    fn read(kind: ElementType, value: &[u8]) -> Result<Self, BsonError>;
}

fn require(kind: ElementType, wanted: ElementType) -> Result<(), BsonError> {
    if kind == wanted {
        return Ok(());
    }
    Err(BsonError::new(format!(
        "value is a {kind:?}, not a {wanted:?}"
    )))
}

impl ReadValue for ObjectId {
    fn read(kind: ElementType, value: &[u8]) -> Result<Self, BsonError> {
        require(kind, ElementType::ObjectId)?;
        Ok(ObjectId::from_bytes(take_array(value, 0)?))
    }
}

impl ReadValue for DateTime {
    fn read(kind: ElementType, value: &[u8]) -> Result<Self, BsonError> {
        require(kind, ElementType::DateTime)?;
        Ok(DateTime::from_millis(i64::from_le_bytes(take_array(
            value, 0,
        )?)))
    }
}

impl ReadValue for Decimal128 {
    fn read(kind: ElementType, value: &[u8]) -> Result<Self, BsonError> {
        require(kind, ElementType::Decimal128)?;
        Ok(Decimal128::from_bytes(take_array(value, 0)?))
    }
}

impl ReadValue for Timestamp {
    fn read(kind: ElementType, value: &[u8]) -> Result<Self, BsonError> {
        require(kind, ElementType::Timestamp)?;
        let increment = u32::from_le_bytes(take_array(value, 0)?);
        let time = u32::from_le_bytes(take_array(value, 4)?);
        Ok(Timestamp { time, increment })
    }
}

impl ReadValue for Document {
    fn read(kind: ElementType, value: &[u8]) -> Result<Self, BsonError> {
        require(kind, ElementType::EmbeddedDocument)?;
        Ok(RawDocument::from_bytes(value)?.try_into()?)
    }
}

impl ReadValue for RawDocumentBuf {
    fn read(kind: ElementType, value: &[u8]) -> Result<Self, BsonError> {
        require(kind, ElementType::EmbeddedDocument)?;
        Ok(RawDocumentBuf::from_bytes(value.to_vec())?)
    }
}

impl ReadValue for RawArrayBuf {
    fn read(kind: ElementType, value: &[u8]) -> Result<Self, BsonError> {
        require(kind, ElementType::Array)?;
        let items = RawDocument::from_bytes(value)?.iter();
        items.map(|item| Ok(RawBson::from(item?.1))).collect()
    }
}

impl ReadValue for Bson {
    fn read(kind: ElementType, value: &[u8]) -> Result<Self, BsonError> {
        // The crate reads only elements of documents, so the value becomes one with an empty key.
        let length = i32::try_from(value.len() + 7)
            .map_err(|_| BsonError::new("value is larger than a document may be"))?;
        let mut document = Vec::with_capacity(value.len() + 7);
        document.extend_from_slice(&length.to_le_bytes());
        document.extend_from_slice(&[kind as u8, 0]);
        document.extend_from_slice(value);
        document.push(0);
        let element = RawDocument::from_bytes(&document)?.iter().next();
        let (_, found) = element.ok_or_else(|| BsonError::new("there is no value"))??;
        Ok(found.try_into()?)
    }
}

/// Reads rare types through [`Bson`].
macro_rules! read_as_bson {
    ($($type:ty, $variant:ident);*) => {$(
        impl ReadValue for $type {
            fn read(kind: ElementType, value: &[u8]) -> Result<Self, BsonError> {
                match Bson::read(kind, value)? {
                    Bson::$variant(found) => Ok(found),
                    _ => Err(require(kind, ElementType::$variant).expect_err("it is another type")),
                }
            }
        }
    )*};
}

read_as_bson!(
    Binary, Binary;
    Regex, RegularExpression;
    JavaScriptCodeWithScope, JavaScriptCodeWithScope
);
