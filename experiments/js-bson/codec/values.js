/**
 * Exports shared by all variants: the size calculation, and the value classes and errors of the npm
 * package `bson`. Its functions that encode or decode BSON are not exported, so they cannot be
 * measured under a variant's name; ObjectId and Extended JSON are the variant's own.
 */
export { calculateObjectSize } from './calculate-size.js';
export {
  BSONError,
  BSONOffsetError,
  BSONRegExp,
  BSONRuntimeError,
  BSONSymbol,
  BSONType,
  BSONValue,
  BSONVersionError,
  Binary,
  ByteUtils,
  Code,
  DBRef,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  NumberUtils,
  Timestamp,
  UUID,
  bsonType,
} from 'bson';
