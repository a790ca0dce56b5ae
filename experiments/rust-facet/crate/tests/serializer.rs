//! Writing, compared with serde, and values that BSON cannot represent.

mod support;

use std::collections::BTreeMap;

use facet::Facet;
use rust_facet::codec::{Codec, Subject};
use rust_facet::format::dispatch::{ByTypeId, Chain};
use rust_facet::format::error::BsonError;
use rust_facet::format::serializer::serialize;
use serde::{Deserialize, Serialize};
use support::{After, Before, encode_by_serde, make_every};

/// The outcome of both forms of writing, which must be the same.
fn encode<T: Subject>(value: &T) -> Result<Vec<u8>, BsonError> {
    let (before, after) = (Before::encode(value), After::encode(value));
    assert_eq!(before, after);
    after
}

fn refuse<T: Facet<'static>>(value: &T) -> String {
    let value = facet_reflect::Peek::new(value);
    let chain = serialize::<Chain>(value, 0).unwrap_err();
    assert_eq!(serialize::<ByTypeId>(value, 0), Err(chain.clone()));
    chain.to_string()
}

#[test]
fn writes_every_type_as_serde_does() {
    let every = make_every();
    assert_eq!(encode(&every), Ok(encode_by_serde(&every)));
}

#[test]
fn leaves_out_what_is_not_there_where_it_is_told_to() {
    #[derive(Debug, PartialEq, Facet, Serialize, Deserialize)]
    struct Sparse {
        #[facet(skip_serializing_if = Option::is_none)]
        #[serde(skip_serializing_if = "Option::is_none")]
        some: Option<i32>,
        none: Option<i32>,
    }
    let value = Sparse {
        some: None,
        none: None,
    };
    assert_eq!(encode(&value), Ok(b"\x0b\0\0\0\x0anone\0\0".to_vec()));
}

#[test]
fn writes_integers_of_every_width() {
    #[derive(Debug, PartialEq, Facet, Serialize, Deserialize)]
    struct Wide {
        small: u8,
        wide: u64,
        letter: char,
    }
    let value = Wide {
        small: 255,
        wide: i64::MAX as u64,
        letter: 'ß',
    };
    let found = bson::Document::from_reader(encode(&value).unwrap().as_slice()).unwrap();
    assert_eq!(
        found,
        bson::doc! { "small": 255_i64, "wide": i64::MAX, "letter": "ß" }
    );
}

#[test]
fn refuses_what_bson_cannot_hold() {
    assert!(refuse(&BTreeMap::from([("a\0b".to_string(), 1)])).contains("has a NUL within"));
    assert!(refuse(&BTreeMap::from([("a", u64::MAX)])).contains("fits no int64"));
    assert!(refuse(&BTreeMap::from([("a", vec![1_u8])])).contains("use BinaryValue"));
}

#[test]
fn refuses_a_root_that_is_no_document() {
    assert!(refuse(&5_i32).contains("stands where no value may"));
    assert!(refuse(&vec![5_i32]).contains("stands where no value may"));
    assert!(refuse(&"text").contains("stands where no value may"));
}
