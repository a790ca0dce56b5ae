/**
 * What a variant offers beside its own functions: the size calculation that all share, and value
 * classes and errors of the npm package `bson`. Functions of the package that encode or decode BSON
 * are left out, so that nobody measures them under a variant's name; ObjectId and Extended JSON a
 * variant makes for itself.
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
