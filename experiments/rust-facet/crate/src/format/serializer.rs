//! Serializes the values that `facet-format` passes.

use std::marker::PhantomData;

use bson::spec::ElementType;
use facet::Shape;
use facet_format::{FormatSerializer, ScalarValue, SerializeError, serialize_root};
use facet_reflect::Peek;

use super::append::{AppendValue, append_cstring, append_string, begin_length, end_length};
use super::dispatch::Dispatch;
use super::error::BsonError;

/// The output so far.
#[derive(Debug)]
pub struct Output {
    bytes: Vec<u8>,
    open: Vec<OpenContainer>,
    /// Offset of the type of the element whose key has been written; known only with the value.
    type_offset: Option<usize>,
}

/// An open document or array.
#[derive(Debug)]
struct OpenContainer {
    start: usize,
    /// Index of the next item of an array; none in a document.
    next_index: Option<usize>,
}

impl Output {
    fn with_capacity(capacity: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(capacity),
            open: Vec::new(),
            type_offset: None,
        }
    }

    /// Writes the next value: after its key, or with a key as an item of an array.
    ///
    /// # Errors
    /// If no value is allowed here or BSON cannot represent it.
    pub fn write_value(&mut self, value: &impl AppendValue) -> Result<(), BsonError> {
        self.write_type(value.element_type())?;
        value.append(&mut self.bytes)
    }

    fn write_type(&mut self, kind: ElementType) -> Result<(), BsonError> {
        if let Some(offset) = self.type_offset.take() {
            self.bytes[offset] = kind as u8;
            return Ok(());
        }
        match self
            .open
            .last_mut()
            .and_then(|container| container.next_index.as_mut())
        {
            Some(index) => {
                let key = index.to_string();
                *index += 1;
                self.bytes.push(kind as u8);
                append_cstring(&key, &mut self.bytes)
            }
            None => Err(BsonError::new(format!(
                "a {kind:?} stands where no value may"
            ))),
        }
    }

    fn write_key(&mut self, key: &str) -> Result<(), BsonError> {
        self.type_offset = Some(self.bytes.len());
        self.bytes.push(0);
        append_cstring(key, &mut self.bytes)
    }

    fn begin(&mut self, kind: ElementType) -> Result<(), BsonError> {
        let is_array = kind == ElementType::Array;
        if is_array || !self.open.is_empty() {
            self.write_type(kind)?;
        }
        self.open.push(OpenContainer {
            start: begin_length(&mut self.bytes),
            next_index: is_array.then_some(0),
        });
        Ok(())
    }

    fn end(&mut self) -> Result<(), BsonError> {
        let container = self
            .open
            .pop()
            .ok_or_else(|| BsonError::new("nothing is open"))?;
        self.bytes.push(0);
        end_length(container.start, &mut self.bytes)
    }

    fn write_scalar(&mut self, scalar: &ScalarValue<'_>) -> Result<(), BsonError> {
        match scalar {
            ScalarValue::Unit | ScalarValue::Null => self.write_type(ElementType::Null),
            ScalarValue::Bool(value) => self.write_bytes(ElementType::Boolean, &[u8::from(*value)]),
            ScalarValue::I64(value) => self.write_bytes(ElementType::Int64, &value.to_le_bytes()),
            ScalarValue::U64(value) => self.write_wide(*value),
            ScalarValue::I128(value) => self.write_wide(*value),
            ScalarValue::U128(value) => self.write_wide(*value),
            ScalarValue::F64(value) => self.write_bytes(ElementType::Double, &value.to_le_bytes()),
            ScalarValue::Str(text) => self.write_string(text),
            ScalarValue::Char(letter) => self.write_string(letter.encode_utf8(&mut [0; 4])),
            ScalarValue::Bytes(_) => Err(BsonError::new("bytes are no binary: use BinaryValue")),
        }
    }

    fn write_wide(&mut self, value: impl TryInto<i64> + ToString + Copy) -> Result<(), BsonError> {
        match value.try_into() {
            Ok(value) => self.write_bytes(ElementType::Int64, &i64::to_le_bytes(value)),
            Err(_) => Err(BsonError::new(format!(
                "{} fits no int64",
                value.to_string()
            ))),
        }
    }

    fn write_string(&mut self, text: &str) -> Result<(), BsonError> {
        self.write_type(ElementType::String)?;
        append_string(text, &mut self.bytes)
    }

    fn write_bytes(&mut self, kind: ElementType, bytes: &[u8]) -> Result<(), BsonError> {
        self.write_type(kind)?;
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }
}

/// The serializer of one value. `D` finds the types that it writes itself.
struct BsonSerializer<D> {
    output: Output,
    form: PhantomData<D>,
}

/// Serializes a struct or map to a BSON document.
///
/// # Errors
/// If BSON cannot represent it.
#[inline(never)]
pub fn serialize<D: Dispatch>(value: Peek<'_, '_>, capacity: usize) -> Result<Vec<u8>, BsonError> {
    let mut serializer = BsonSerializer::<D> {
        output: Output::with_capacity(capacity),
        form: PhantomData,
    };
    serialize_root(&mut serializer, value).map_err(|error| match error {
        SerializeError::Backend(error) => error,
        other => BsonError::new(other.to_string()),
    })?;
    Ok(serializer.output.bytes)
}

impl<D: Dispatch> FormatSerializer for BsonSerializer<D> {
    type Error = BsonError;

    fn begin_struct(&mut self) -> Result<(), BsonError> {
        self.output.begin(ElementType::EmbeddedDocument)
    }

    fn end_struct(&mut self) -> Result<(), BsonError> {
        self.output.end()
    }

    fn begin_seq(&mut self) -> Result<(), BsonError> {
        self.output.begin(ElementType::Array)
    }

    fn end_seq(&mut self) -> Result<(), BsonError> {
        self.output.end()
    }

    fn field_key(&mut self, key: &str) -> Result<(), BsonError> {
        self.output.write_key(key)
    }

    fn scalar(&mut self, scalar: ScalarValue<'_>) -> Result<(), BsonError> {
        self.output.write_scalar(&scalar)
    }

    fn serialize_none(&mut self) -> Result<(), BsonError> {
        self.output.write_scalar(&ScalarValue::Null)
    }

    fn serialize_opaque_scalar(
        &mut self,
        _shape: &'static Shape,
        value: Peek<'_, '_>,
    ) -> Result<bool, BsonError> {
        D::write(value, &mut self.output)
    }

    fn serialize_byte_sequence(&mut self, bytes: &[u8]) -> Result<bool, BsonError> {
        self.scalar(ScalarValue::Bytes(bytes.into())).map(|()| true)
    }
}
