//! Offsets of the parts of BSON elements. All are checked against the length of the bytes.

use bson::spec::ElementType;

use super::error::BsonError;

/// Size of the length before a document, string or binary.
pub const LENGTH_BYTES: usize = 4;
/// Size of an empty document: length and NUL.
const LEAST_DOCUMENT_BYTES: usize = 5;

/// Returns `count` bytes from `start`.
///
/// # Errors
/// If there are fewer.
pub fn take(bytes: &[u8], start: usize, count: usize) -> Result<&[u8], BsonError> {
    start
        .checked_add(count)
        .and_then(|end| bytes.get(start..end))
        .ok_or_else(|| BsonError::new(format!("bytes end within what begins at {start}")))
}

/// Returns the bytes from `start` as an array.
///
/// # Errors
/// If there are fewer.
pub fn take_array<const COUNT: usize>(
    bytes: &[u8],
    start: usize,
) -> Result<[u8; COUNT], BsonError> {
    let mut array = [0; COUNT];
    array.copy_from_slice(take(bytes, start, COUNT)?);
    Ok(array)
}

/// Returns the int32 length at `start`.
///
/// # Errors
/// If it is negative or truncated.
pub fn read_length(bytes: &[u8], start: usize) -> Result<usize, BsonError> {
    let length = i32::from_le_bytes(take_array(bytes, start)?);
    usize::try_from(length)
        .map_err(|_| BsonError::new(format!("length {length} at {start} is negative")))
}

/// Returns the end of the document or array at `start`.
///
/// # Errors
/// If its length is too small, exceeds the bytes, or does not end at a NUL.
pub fn document_end(bytes: &[u8], start: usize) -> Result<usize, BsonError> {
    let length = read_length(bytes, start)?;
    if length < LEAST_DOCUMENT_BYTES {
        return Err(BsonError::new(format!(
            "document at {start} has a length of {length}"
        )));
    }
    let document = take(bytes, start, length)?;
    if document[length - 1] != 0 {
        return Err(BsonError::new(format!(
            "document at {start} ends in no NUL"
        )));
    }
    Ok(start + length)
}

/// Returns the type of the element at `start`, or none at the end of the document.
///
/// # Errors
/// If the type is unknown or the bytes end.
pub fn read_type(bytes: &[u8], start: usize) -> Result<Option<ElementType>, BsonError> {
    let [tag] = take_array(bytes, start)?;
    if tag == 0 {
        return Ok(None);
    }
    match ElementType::from(tag) {
        None => Err(BsonError::new(format!(
            "type {tag:#04x} at {start} is none of BSON"
        ))),
        known => Ok(known),
    }
}

/// Returns the NUL-terminated text at `start` and the offset after it.
///
/// # Errors
/// If there is no NUL or the text is not UTF-8.
pub fn read_cstring(bytes: &[u8], start: usize) -> Result<(&str, usize), BsonError> {
    let end = cstring_end(bytes, start)?;
    Ok((read_utf8(&bytes[start..end - 1], start)?, end))
}

/// Returns the offset after the NUL-terminated text at `start`.
///
/// # Errors
/// If there is no NUL.
pub fn cstring_end(bytes: &[u8], start: usize) -> Result<usize, BsonError> {
    let length = bytes
        .get(start..)
        .and_then(|rest| rest.iter().position(|&byte| byte == 0))
        .ok_or_else(|| BsonError::new(format!("text at {start} ends in no NUL")))?;
    Ok(start + length + 1)
}

/// Returns the string at `start`: length, text, NUL.
///
/// # Errors
/// If its length does not end at a NUL or the text is not UTF-8.
pub fn read_string(bytes: &[u8], start: usize) -> Result<&str, BsonError> {
    let text = take(bytes, start + LENGTH_BYTES, read_length(bytes, start)?)?;
    match text.split_last() {
        Some((0, text)) => read_utf8(text, start),
        _ => Err(BsonError::new(format!("string at {start} ends in no NUL"))),
    }
}

/// Returns the end of the value of this type at `start`.
///
/// # Errors
/// If it is truncated.
pub fn value_end(bytes: &[u8], kind: ElementType, start: usize) -> Result<usize, BsonError> {
    let count = match kind {
        ElementType::Null | ElementType::Undefined | ElementType::MinKey | ElementType::MaxKey => 0,
        ElementType::Boolean => 1,
        ElementType::Int32 => 4,
        ElementType::Double
        | ElementType::Int64
        | ElementType::DateTime
        | ElementType::Timestamp => 8,
        ElementType::ObjectId => 12,
        ElementType::Decimal128 => 16,
        ElementType::String | ElementType::JavaScriptCode | ElementType::Symbol => {
            LENGTH_BYTES + read_length(bytes, start)?
        }
        ElementType::DbPointer => LENGTH_BYTES + read_length(bytes, start)? + 12,
        ElementType::Binary => LENGTH_BYTES + 1 + read_length(bytes, start)?,
        ElementType::JavaScriptCodeWithScope => read_length(bytes, start)?,
        ElementType::EmbeddedDocument | ElementType::Array => document_end(bytes, start)? - start,
        ElementType::RegularExpression => {
            let options = cstring_end(bytes, start)?;
            cstring_end(bytes, options)? - start
        }
    };
    Ok(start + take(bytes, start, count)?.len())
}

fn read_utf8(text: &[u8], start: usize) -> Result<&str, BsonError> {
    simdutf8::basic::from_utf8(text)
        .map_err(|_| BsonError::new(format!("text at {start} is not UTF-8")))
}
