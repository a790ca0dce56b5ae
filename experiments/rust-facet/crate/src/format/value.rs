//! Wrappers of types of the crate `bson`, which `facet` does not know. This format reads and writes
//! them itself; serde treats them as the wrapped types.

use std::marker::PhantomData;

use bson::oid::ObjectId;
use bson::raw::{RawArrayBuf, RawDocumentBuf};
use bson::spec::ElementType;
use bson::{
    Binary, Bson, DateTime, Decimal128, Document, JavaScriptCodeWithScope, Regex, Timestamp,
};
use facet::{Facet, FacetOpaqueAdapter, OpaqueDeserialize, OpaqueSerialize, PtrConst};
use serde::{Deserialize, Serialize};

use super::error::BsonError;
use super::read::ReadValue;

/// Declares the wrapper of a type of the crate `bson`. `facet` requires a local type, and its macro
/// one without parameters.
macro_rules! declare_values {
    ($($name:ident($held:ty)),* $(,)?) => {$(
        #[doc = concat!("A field of the type `", stringify!($held), "`.")]
        #[derive(Debug, Clone, PartialEq, Facet, Serialize, Deserialize)]
        #[facet(opaque = ValueAdapter<$name>)]
        #[serde(transparent)]
        pub struct $name(pub $held);

        impl Holder for $name {
            type Held = $held;

            fn hold(held: $held) -> Self {
                Self(held)
            }
        }
    )*};
}

declare_values!(
    RegexValue(Regex),
    BinaryValue(Binary),
    TimestampValue(Timestamp),
    ObjectIdValue(ObjectId),
    DateTimeValue(DateTime),
    Decimal128Value(Decimal128),
    RawDocumentValue(RawDocumentBuf),
    RawArrayValue(RawArrayBuf),
    CodeWithScopeValue(JavaScriptCodeWithScope),
    DocumentValue(Document),
    BsonValue(Bson),
);

/// A wrapper of a type of the crate `bson`.
pub trait Holder {
    /// The wrapped value.
    type Held: ReadValue;

    /// Wraps a value.
    fn hold(held: Self::Held) -> Self;
}

/// Reads a value from what the parser returns: its bytes, then its type.
pub struct ValueAdapter<H>(PhantomData<H>);

impl<H: Holder> FacetOpaqueAdapter for ValueAdapter<H> {
    type Error = BsonError;
    type SendValue<'a> = H;
    type RecvValue<'de> = H;

    /// A unit, because the serializer of this format writes such values itself.
    fn serialize_map(_value: &H) -> OpaqueSerialize {
        static UNIT: () = ();
        OpaqueSerialize::mapped(PtrConst::new_sized(&raw const UNIT), <()>::SHAPE)
    }

    fn deserialize_build(input: OpaqueDeserialize<'_>) -> Result<H, BsonError> {
        let tagged = match &input {
            OpaqueDeserialize::Borrowed(bytes) => bytes,
            OpaqueDeserialize::Owned(bytes) => bytes.as_slice(),
        };
        let (tag, value) = tagged
            .split_last()
            .ok_or_else(|| BsonError::new("value has no type"))?;
        let kind = ElementType::from(*tag)
            .ok_or_else(|| BsonError::new(format!("type {tag:#04x} is none of BSON")))?;
        H::Held::read(kind, value).map(H::hold)
    }
}
