//! Reading of valid and invalid bytes.

mod support;

use bson::oid::ObjectId;
use bson::{Bson, DateTime, doc};
use facet::Facet;
use facet_format::{FormatParser, ParseEventKind};
use rust_facet::codec::{Codec, Subject};
use rust_facet::format::error::BsonError;
use rust_facet::format::parser::BsonParser;
use rust_facet::format::peek::{CloneState, PeekForm, ReturnDelta};
use serde::{Deserialize, Serialize};
use support::{After, Before, Every, Inner, encode_by_serde, make_every};

#[derive(Debug, PartialEq, Facet, Serialize, Deserialize)]
struct Rated {
    rating: f64,
    votes: Option<i32>,
}

/// The outcome of both forms of reading, which must be the same.
fn decode<T: Subject>(bytes: &[u8]) -> Result<T, BsonError> {
    let before: Result<T, BsonError> = Before::decode(bytes);
    let after = After::decode(bytes);
    // As text: a NaN is not equal to itself.
    assert_eq!(
        format!("{before:?}"),
        format!("{after:?}"),
        "of {bytes:02x?}"
    );
    after
}

fn assert_refused(bytes: &[u8], reason: &str) {
    let message = decode::<Inner>(bytes).unwrap_err().to_string();
    assert!(message.contains(reason), "{message}");
}

#[test]
fn reads_every_type_as_serde_writes_it() {
    let every = make_every();
    assert_eq!(decode(&encode_by_serde(&every)), Ok(every));
}

#[test]
fn skips_fields_that_the_struct_has_not() {
    let document = doc! {
        "id": ObjectId::from_bytes([0; 12]),
        "date": DateTime::from_millis(0),
        "number": 3,
        "tree": { "a": [{ "number": 4 }, [5]], "b": {} },
        "nothing": Bson::Undefined,
    };
    let read = decode(&document.to_vec().unwrap());
    assert_eq!(read, Ok(Inner { number: 3 }));
}

#[test]
fn takes_integers_for_a_double_and_null_for_an_option() {
    for rating in [Bson::Int32(8), Bson::Int64(8), Bson::Double(8.0)] {
        let bytes = doc! { "rating": rating, "votes": null }.to_vec().unwrap();
        let wanted = Rated {
            rating: 8.0,
            votes: None,
        };
        assert_eq!(decode(&bytes), Ok(wanted));
    }
}

#[test]
fn refuses_a_value_of_another_type() {
    for value in [
        Bson::String("three".into()),
        Bson::ObjectId(ObjectId::from_bytes([0; 12])),
        Bson::Array(vec![]),
    ] {
        let bytes = doc! { "number": value.clone() }.to_vec().unwrap();
        assert!(decode::<Inner>(&bytes).is_err(), "{value:?}");
    }
    let bytes = doc! { "id": 1 }.to_vec().unwrap();
    let message = decode::<Every>(&bytes).unwrap_err().to_string();
    assert!(message.contains("Int32, not a ObjectId"), "{message}");
}

#[test]
fn refuses_all_that_is_cut_off() {
    let bytes = encode_by_serde(&make_every());
    for length in 0..bytes.len() {
        let mut cut = bytes[..length].to_vec();
        assert!(decode::<Every>(&cut).is_err(), "{length} bytes");
        // The same with a length that is right.
        if length >= 4 {
            cut[..4].copy_from_slice(&(length as i32).to_le_bytes());
            assert!(
                decode::<Every>(&cut).is_err(),
                "{length} bytes, and says so"
            );
        }
    }
}

#[test]
fn survives_any_byte_that_is_another() {
    let bytes = encode_by_serde(&make_every());
    for place in 0..bytes.len() {
        for value in [0, 1, 2, 3, 4, 0x7f, 0x80, 0xff, bytes[place] ^ 1] {
            let mut broken = bytes.clone();
            broken[place] = value;
            // Some are still documents; `read` asserts that both forms agree.
            let _ = decode::<Every>(&broken);
        }
    }
}

#[test]
fn names_what_is_wrong_with_the_bytes() {
    assert_refused(b"\x04\0\0\0", "has a length of 4");
    assert_refused(b"\x05\0\0\0\x01", "document at 0 ends in no NUL");
    assert_refused(b"\x0b\0\0\0\x10n\0\x01\0\0\0", "goes beyond its document");
    assert_refused(b"\xff\xff\xff\xff\0", "is negative");
    assert_refused(b"\x05\0\0\0\0\0", "document ends at 5, its bytes do not");
    assert_refused(b"\x08\0\0\0\x20n\0\0", "type 0x20 at 4 is none of BSON");
    assert_refused(b"\x09\0\0\0\x0a\xff\xfe\0\0", "is not UTF-8");
    assert_refused(
        b"\x0c\0\0\0\x0an\0\0\0\0\0\0",
        "document ends at 8, not at 12",
    );
    assert_refused(b"\x0a\0\0\0\x10n\0\x01\0\0", "bytes end within");
    assert_refused(
        b"\x0d\0\0\0\x03n\0\x06\0\0\0\0\0",
        "goes beyond its document",
    );
    assert_refused(b"\x09\0\0\0\x08n\0\x02\0", "boolean is [2]");
}

fn assert_restores<P: PeekForm>() {
    let bytes = doc! { "a": { "b": 1 } }.to_vec().unwrap();
    let mut parser = BsonParser::<P>::new(&bytes);
    parser.next_event().unwrap();
    parser.next_event().unwrap();
    let point = parser.save();
    let first: Vec<_> = (0..5).map(|_| parser.next_event().unwrap()).collect();
    assert_eq!(first[3].as_ref().unwrap().kind, ParseEventKind::StructEnd);
    parser.restore(point);
    assert_eq!(parser.peek_event().unwrap(), first[0]);
    let second: Vec<_> = (0..5).map(|_| parser.next_event().unwrap()).collect();
    assert_eq!(second, first);
    assert_eq!(parser.next_event().unwrap(), None);
}

#[test]
fn goes_back_to_where_it_was() {
    assert_restores::<CloneState>();
    assert_restores::<ReturnDelta>();
}
