/**
 * The type byte of an element.
 * Source: BSON specification 1.1, grammar of `element` (bsonspec.org).
 */

/** Ends a document; not an element. */
export const END_OF_DOCUMENT = 0x00;
/** float64. */
export const DOUBLE = 0x01;
/** UTF-8 text. */
export const STRING = 0x02;
/** Embedded document. */
export const OBJECT = 0x03;
/** Embedded document whose keys are `0`, `1`, `2`, … */
export const ARRAY = 0x04;
/** Bytes with a subtype. */
export const BINARY = 0x05;
/** Deprecated; has no value. */
export const UNDEFINED = 0x06;
/** Twelve bytes. */
export const OBJECT_ID = 0x07;
/** One byte, 0 or 1. */
export const BOOLEAN = 0x08;
/** Milliseconds since 1970 as an int64. */
export const DATE = 0x09;
/** Has no value. */
export const NULL = 0x0a;
/** Pattern and options, both NUL-terminated. */
export const REGULAR_EXPRESSION = 0x0b;
/** Deprecated; namespace and ObjectId. */
export const DB_POINTER = 0x0c;
/** JavaScript source. */
export const CODE = 0x0d;
/** Deprecated; text. */
export const SYMBOL = 0x0e;
/** JavaScript source and a document. */
export const CODE_WITH_SCOPE = 0x0f;
/** int32. */
export const INT32 = 0x10;
/** Two uint32. */
export const TIMESTAMP = 0x11;
/** int64. */
export const INT64 = 0x12;
/** IEEE 754 decimal128, sixteen bytes. */
export const DECIMAL128 = 0x13;
/** Sorts above everything; has no value. */
export const MAX_KEY = 0x7f;
/** Sorts below everything; has no value. */
export const MIN_KEY = 0xff;
