//! A value of every type, and all codecs by name.

use std::collections::BTreeMap;

use bson::oid::ObjectId;
use bson::raw::CString;
use bson::spec::BinarySubtype;
use bson::{
    Binary, Bson, DateTime, Decimal128, JavaScriptCodeWithScope, RawArrayBuf, Regex, Timestamp,
    doc, rawdoc,
};
use facet::Facet;
use rust_facet::codec::{Codec, Reflection, Serde, Subject};
use rust_facet::format::dispatch::{ByTypeId, Chain};
use rust_facet::format::peek::{CloneState, ReturnDelta};
use rust_facet::format::value::*;
use serde::{Deserialize, Serialize};

/// Reflection before and after the change.
pub type Before = Reflection<CloneState, Chain, 0>;
pub type After = Reflection<ReturnDelta, ByTypeId, 1024>;

#[derive(Debug, PartialEq, Facet, Serialize, Deserialize)]
pub struct Every {
    pub double: f64,
    pub string: String,
    pub struct_field: Inner,
    pub list: Vec<i32>,
    pub structs: Vec<Inner>,
    pub lists: Vec<Vec<String>>,
    pub map: BTreeMap<String, i64>,
    pub some: Option<bool>,
    pub none: Option<bool>,
    pub int32: i32,
    pub int64: i64,
    pub regex: RegexValue,
    pub binary: BinaryValue,
    pub old_binary: BinaryValue,
    pub timestamp: TimestampValue,
    pub id: ObjectIdValue,
    pub date: DateTimeValue,
    pub decimal: Decimal128Value,
    pub raw_document: RawDocumentValue,
    pub raw_array: RawArrayValue,
    pub code: CodeWithScopeValue,
    pub document: DocumentValue,
    pub anything: Vec<BsonValue>,
}

#[derive(Debug, PartialEq, Facet, Serialize, Deserialize)]
pub struct Inner {
    pub number: i32,
}

/// Creates a value.
pub fn make_every() -> Every {
    let id = ObjectId::from_bytes(*b"twelve bytes");
    let make_binary = |subtype| {
        let bytes = vec![0, 1, 255];
        BinaryValue(Binary { subtype, bytes })
    };
    let scope = doc! { "x": 1 };
    Every {
        double: -0.5,
        string: "grüße\0 mit NUL".into(),
        struct_field: Inner { number: -1 },
        list: (0..12).collect(),
        structs: vec![Inner { number: 1 }, Inner { number: 2 }],
        lists: vec![vec![], vec!["a".into()]],
        map: BTreeMap::from([("".into(), 1), ("two".into(), i64::MIN)]),
        some: Some(true),
        none: None,
        int32: i32::MAX,
        int64: 1,
        regex: RegexValue(Regex {
            pattern: CString::try_from("^a.*b$").unwrap(),
            options: CString::try_from("im").unwrap(),
        }),
        binary: make_binary(BinarySubtype::Generic),
        old_binary: make_binary(BinarySubtype::UserDefined(0x80)),
        timestamp: TimestampValue(Timestamp {
            time: 1,
            increment: u32::MAX,
        }),
        id: ObjectIdValue(id),
        date: DateTimeValue(DateTime::from_millis(-1)),
        decimal: Decimal128Value("1.50".parse::<Decimal128>().unwrap()),
        raw_document: RawDocumentValue(rawdoc! { "a": { "b": [true] } }),
        raw_array: RawArrayValue(RawArrayBuf::from_iter(["a", "b"])),
        code: CodeWithScopeValue(JavaScriptCodeWithScope {
            code: "x + 1".into(),
            scope: scope.clone(),
        }),
        document: DocumentValue(doc! { "one": true, "two": [1.5, "thing", { "a": null }] }),
        anything: vec![
            BsonValue(Bson::Null),
            BsonValue(Bson::Undefined),
            BsonValue(Bson::MinKey),
            BsonValue(Bson::MaxKey),
            BsonValue(Bson::Symbol("symbol".into())),
            BsonValue(Bson::JavaScriptCode("code".into())),
            BsonValue(Bson::Document(scope)),
            BsonValue(Bson::Int64(7)),
            BsonValue(Bson::Boolean(false)),
        ],
    }
}

/// The bytes that serde writes.
pub fn encode_by_serde<T: Subject>(value: &T) -> Vec<u8> {
    Serde::encode(value).unwrap()
}
