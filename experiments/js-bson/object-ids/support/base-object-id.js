import { BSONValue } from '../../codec/values.js';
import { ID_BYTES, nowSeconds, writeNewId } from './generate.js';
import { isIdInput } from './read-input.js';

const COUNT_LIMIT = 0x1000000;

/**
 * The base class of ObjectIds: everything that needs only the hex text and `id`. A subclass adds
 * the fields, the constructor and the methods that read fields. Its factories name the class, so
 * that they work without `this`, as in bson. Private fields would break cloneDeep of lodash.
 *
 * Intentional differences from bson 7.3.1: no id shares memory with its input; setting `id` to
 * anything but 12 bytes throws; a cached hex text is in lower case; an ObjectId of another class is
 * compared by its hex text where bson 7.3.1 throws a TypeError.
 * @abstract
 */
export class BaseObjectId extends BSONValue {
  /**
   * The end of every new id: starts at random and wraps around. A static property, as in bson; with
   * a variable of the module, new ids took about a tenth longer.
   * @type {number}
   */
  static count = Math.floor(Math.random() * COUNT_LIMIT);

  /** @returns {'ObjectId'} */
  get _bsontype() {
    return 'ObjectId';
  }

  /** @returns {string} 24 digits in lower case */
  toHexString() {
    throw new TypeError('a class of ObjectIds must define toHexString');
  }

  /** @returns {Buffer} the 12 bytes */
  get id() {
    throw new TypeError('a class of ObjectIds must define id');
  }

  /**
   * @param {'hex' | 'base64'} [encoding] hex for anything else
   * @returns {string}
   */
  toString(encoding) {
    return encoding === 'base64' ? this.id.toString('base64') : this.toHexString();
  }

  /** @returns {string} */
  toJSON() {
    return this.toHexString();
  }

  /** @returns {{ $oid: string }} */
  toExtendedJSON() {
    return { $oid: this.toHexString() };
  }

  /**
   * The expression that makes this id; util.inspect calls it.
   * @param {number} [_depth]
   * @param {unknown} [options] passed to `inspect`
   * @param {(value: unknown, options?: unknown) => string} [inspect]
   * @returns {string}
   */
  inspect(_depth, options, inspect) {
    const hex = this.toHexString();
    return `new ObjectId(${inspect == null ? JSON.stringify(hex) : inspect(hex, options)})`;
  }

  /**
   * The bytes of a new id.
   * @param {number} [seconds] current time if not a number
   * @returns {Buffer}
   */
  static generate(seconds) {
    const bytes = Buffer.allocUnsafe(ID_BYTES);
    const time = typeof seconds === 'number' ? seconds : nowSeconds();
    writeNewId(bytes, 0, time, BaseObjectId.getInc());
    return bytes;
  }

  /** Increments the counter. @returns {number} of 24 bits */
  static getInc() {
    BaseObjectId.count = (BaseObjectId.count + 1) % COUNT_LIMIT;
    return BaseObjectId.count;
  }

  /**
   * Whether the constructor accepts a value as an id. Null and undefined, which give a new id, are
   * not valid.
   * @type {(value: any) => boolean}
   */
  static isValid(value) {
    return isIdInput(value);
  }
}

/**
 * Compares an id with a value that is not an ObjectId of its class.
 * @param {BaseObjectId} id
 * @param {any} other
 * @returns {boolean} whether `other` is the same hex text, in either case, or has it
 */
export function equalsByHex(id, other) {
  if (typeof other === 'string') return other.toLowerCase() === id.toHexString();
  if (typeof other !== 'object' || typeof other?.toHexString !== 'function') return false;
  const hex = other.toHexString();
  return typeof hex === 'string' && hex.toLowerCase() === id.toHexString();
}
