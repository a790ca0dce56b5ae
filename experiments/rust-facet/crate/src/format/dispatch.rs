//! Two ways to find which of the types that this format writes itself a value has. Both check the
//! same types in the same order, for every field of every struct.

use std::any::TypeId;

use facet::Facet;
use facet_reflect::Peek;

use super::error::BsonError;
use super::serializer::Output;
use super::value::{
    BinaryValue, BsonValue, CodeWithScopeValue, DateTimeValue, Decimal128Value, DocumentValue,
    ObjectIdValue, RawArrayValue, RawDocumentValue, RegexValue, TimestampValue,
};

/// A way to find the type of a value.
pub trait Dispatch {
    /// Writes the value if it has one of the types. Returns whether it has.
    ///
    /// # Errors
    /// If BSON cannot represent the value.
    fn write(value: Peek<'_, '_>, output: &mut Output) -> Result<bool, BsonError>;
}

/// Tries one type after the other. Each attempt compares two shapes, whose identities are behind
/// function pointers, and creates an error if they differ.
pub struct Chain;

impl Dispatch for Chain {
    fn write(value: Peek<'_, '_>, output: &mut Output) -> Result<bool, BsonError> {
        if let Ok(number) = value.get::<i32>() {
            output.write_value(number)?;
        } else if let Ok(RegexValue(regex)) = value.get::<RegexValue>() {
            output.write_value(regex)?;
        } else if let Ok(BinaryValue(binary)) = value.get::<BinaryValue>() {
            output.write_value(binary)?;
        } else if let Ok(TimestampValue(timestamp)) = value.get::<TimestampValue>() {
            output.write_value(timestamp)?;
        } else if let Ok(ObjectIdValue(id)) = value.get::<ObjectIdValue>() {
            output.write_value(id)?;
        } else if let Ok(DateTimeValue(date)) = value.get::<DateTimeValue>() {
            output.write_value(date)?;
        } else if let Ok(Decimal128Value(decimal)) = value.get::<Decimal128Value>() {
            output.write_value(decimal)?;
        } else if let Ok(RawDocumentValue(document)) = value.get::<RawDocumentValue>() {
            output.write_value(document)?;
        } else if let Ok(RawArrayValue(array)) = value.get::<RawArrayValue>() {
            output.write_value(array)?;
        } else if let Ok(CodeWithScopeValue(code)) = value.get::<CodeWithScopeValue>() {
            output.write_value(code)?;
        } else if let Ok(DocumentValue(document)) = value.get::<DocumentValue>() {
            output.write_value(document)?;
        } else if let Ok(BsonValue(any)) = value.get::<BsonValue>() {
            output.write_value(any)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}

/// Reads the identity of the type once and compares it with constants.
pub struct ByTypeId;

impl Dispatch for ByTypeId {
    fn write(value: Peek<'_, '_>, output: &mut Output) -> Result<bool, BsonError> {
        let id = value.shape().id.get();
        if id == TypeId::of::<i32>() {
            output.write_value(get::<i32>(value)?)?;
        } else if id == TypeId::of::<RegexValue>() {
            output.write_value(&get::<RegexValue>(value)?.0)?;
        } else if id == TypeId::of::<BinaryValue>() {
            output.write_value(&get::<BinaryValue>(value)?.0)?;
        } else if id == TypeId::of::<TimestampValue>() {
            output.write_value(&get::<TimestampValue>(value)?.0)?;
        } else if id == TypeId::of::<ObjectIdValue>() {
            output.write_value(&get::<ObjectIdValue>(value)?.0)?;
        } else if id == TypeId::of::<DateTimeValue>() {
            output.write_value(&get::<DateTimeValue>(value)?.0)?;
        } else if id == TypeId::of::<Decimal128Value>() {
            output.write_value(&get::<Decimal128Value>(value)?.0)?;
        } else if id == TypeId::of::<RawDocumentValue>() {
            output.write_value(&get::<RawDocumentValue>(value)?.0)?;
        } else if id == TypeId::of::<RawArrayValue>() {
            output.write_value(&get::<RawArrayValue>(value)?.0)?;
        } else if id == TypeId::of::<CodeWithScopeValue>() {
            output.write_value(&get::<CodeWithScopeValue>(value)?.0)?;
        } else if id == TypeId::of::<DocumentValue>() {
            output.write_value(&get::<DocumentValue>(value)?.0)?;
        } else if id == TypeId::of::<BsonValue>() {
            output.write_value(&get::<BsonValue>(value)?.0)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}

/// Returns the value as the type that was found.
fn get<'mem, 'facet, T: Facet<'facet>>(value: Peek<'mem, 'facet>) -> Result<&'mem T, BsonError> {
    value
        .get::<T>()
        .map_err(|error| BsonError::new(error.to_string()))
}
