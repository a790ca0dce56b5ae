/**
 * What a variant offers beside its own functions: value classes, errors and Extended JSON of the
 * npm package `bson`. Functions of the package that encode or decode BSON are left out, so that
 * nobody measures them under a variant's name.
 */
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
  EJSON,
  Int32,
  Long,
  MaxKey,
  MinKey,
  NumberUtils,
  Timestamp,
  UUID,
  bsonType,
} from 'bson';
