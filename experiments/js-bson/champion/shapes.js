/**
 * Shapes of the documents seen so far, as tries over their keys. Where a document follows a known shape,
 * reading compares the bytes of an expected key instead of making a string of them, writing copies these
 * bytes instead of encoding the key, and the node at which a document ends makes the whole object at once.
 *
 * A trie holds keys, never values. It is limited in nodes, in the bytes of a key, in fields of an object and in
 * branches of a node; what exceeds a limit is read and written without it.
 */

import { assignField, isDbRefKey } from '../codec/read-container.js';
import { readUtf8 } from '../codec/read-utf8.js';
import { bytes, view } from './scratch.js';

const MOST_NODES = 8192;
const MOST_KEY_BYTES = 64;
const MOST_FIELDS = 256;
const MOST_BRANCHES = 16;
/** Up to so many, each key is taken for one that comes again. */
const FEW_BRANCHES = 4;
/** Objects outside of a trie after which it starts anew: filling it takes a few per cent of their time. */
const UNKNOWN_BEFORE_RESET = 200_000;

/** Objects made by assignment before their shape is compiled. */
const VISITS_BEFORE_COMPILING = 24;
/** A compilation takes as long as some hundred objects, … */
const COMPILATION_COST = 5_000;
/** … and so many are free. */
const FREE_COMPILATIONS = 256;

/** All but the first byte of a word, which is the type of the element. */
const KEY_MASK = ~0xff;
/** Of a key, with its terminator. */
const SIZE_OF_TWO_WORDS = 7;

const NO_BYTES = new Uint8Array(0);

/** One key after others, or the root at which documents begin. */
export class Shape {
  size = 0;
  /** The first two words of the key, and which of their bits it decides: most keys are found without following `words`. */
  word0 = 0;
  mask0 = 0;
  word1 = 0;
  mask1 = 0;
  /** @type {Shape | null} the node that followed last time */
  next = null;
  /** @type {Shape | null} */
  firstChild = null;
  /** @type {Shape | null} */
  sibling = null;
  childCount = 0;
  /** @type {Shape | null} root of the documents in this field, or in the array in it */
  nested = null;
  /** @type {Shape | null} of a root: the field of unknown keys, see unknownFieldOf */
  unknownField = null;
  /** @type {Shape} at which the documents begin */
  root = this;
  /** Whether so many keys have come in its place that another one will. */
  isOneOfMany = false;
  visits = 0;
  /** @type {boolean | null} null until a `$` key, then whether all of them can be in a DBRef */
  maybeDbRef = null;
  /** Whether a literal makes the same object as assignments do, which find setters and frozen properties. */
  isPlain = true;
  /** Number of keys. */
  depth = 0;
  /** @type {Shape[] | null} see listPath */
  path = null;
  /** Of a root of objects to write: see `writePlain` there. */
  trust = 0;
  /** @type {((values: any[]) => object) | null} */
  make = null;

  /**
   * @param {Shape | null} parent null for a root
   * @param {string} key
   * @param {Uint8Array} bytes of the key, with its terminator
   */
  constructor(parent, key, bytes) {
    this.parent = parent;
    this.key = key;
    this.size = bytes.length;
    this.words = packWords(bytes);
    const count = this.words.length;
    const lastBytes = (this.size + 1) % 4;
    /** Of the last word, which may end before its last byte. */
    this.lastMask = lastBytes === 0 ? -1 : (1 << (8 * lastBytes)) - 1;
    this.word0 = this.words[0];
    this.mask0 = count > 1 ? KEY_MASK : KEY_MASK & this.lastMask;
    if (count > 1) {
      this.word1 = this.words[1];
      this.mask1 = count > 2 ? -1 : this.lastMask;
    }
    if (parent === null) return;
    this.root = parent.root;
    this.isOneOfMany = parent.childCount >= FEW_BRANCHES;
    this.depth = parent.depth + 1;
    this.maybeDbRef = noteKey(parent.maybeDbRef, key);
    this.isPlain = parent.isPlain && !(key in Object.prototype) && !holds(parent, key);
  }
}

/** @type {(maybeDbRef: boolean | null, key: string) => boolean | null} with one more key */
export function noteKey(maybeDbRef, key) {
  return maybeDbRef !== false && key[0] === '$' ? isDbRefKey(key) : maybeDbRef;
}

/** Stands for all keys that a trie does not hold. */
export const UNKNOWN = new Shape(null, '', NO_BYTES);
UNKNOWN.nested = UNKNOWN;

/** Shapes of documents and of the documents in their fields. */
export class ShapeTrie {
  root = new Shape(null, '', NO_BYTES);
  /** @type {Map<string, Shape>} see fieldOf */
  fields = new Map();
  nodeCount = 1;
  unknownCount = 0;

  /** @param {number} [first] documents that have no shape */
  constructor(first = 1) {
    this.left = first;
  }

  /**
   * The root for the next document. The first ones have none: making its shapes takes longer than reading or writing a
   * document, and it may be one of a few.
   * @returns {Shape}
   */
  begin() {
    if (this.left === 0) return this.root;
    this.left--;
    return UNKNOWN;
  }

  /** @type {(shape: Shape) => Shape} root of the documents in its field */
  nestedIn(shape) {
    if (shape.nested !== null) return shape.nested;
    const field = shape.isOneOfMany
      ? this.unknownFieldOf(shape.root, shape.key)
      : this.fieldOf(shape.key);
    const nested = /** @type {Shape} */ (field.nested);
    if (nested !== UNKNOWN) shape.nested = nested;
    return nested;
  }

  /**
   * All fields of one name have one root, wherever they are: their documents mostly have the same keys.
   * @type {(key: string) => Shape} that has the root of the documents in fields of this name; perhaps UNKNOWN
   */
  fieldOf(key) {
    const known = this.fields.get(key);
    if (known !== undefined) return known;
    if (key.length >= MOST_KEY_BYTES) return UNKNOWN;
    const field = this.makeField(key);
    if (field !== UNKNOWN) this.fields.set(key, field);
    return field;
  }

  /**
   * The fields of objects whose keys do not repeat have one root, unless their name is known from elsewhere.
   * @type {(root: Shape, key: string) => Shape} that has the root; perhaps UNKNOWN
   */
  unknownFieldOf(root, key) {
    const known = this.fields.get(key);
    if (known !== undefined) return known;
    if (root === UNKNOWN) return UNKNOWN;
    if (root.unknownField === null) {
      const field = this.makeField('');
      if (field === UNKNOWN) return field;
      root.unknownField = field;
    }
    return root.unknownField;
  }

  /** @type {(key: string) => Shape} that has a root of its own; perhaps UNKNOWN */
  makeField(key) {
    if (this.nodeCount >= MOST_NODES) return UNKNOWN;
    this.nodeCount++;
    const field = new Shape(null, key, NO_BYTES);
    field.nested = new Shape(null, '', NO_BYTES);
    return field;
  }

  /**
   * Finds or adds the shape of one more key, by its bytes.
   * @param {Shape} shape
   * @param {number} at where the key begins
   * @param {number} end of the document
   * @returns {Shape} perhaps UNKNOWN
   */
  followBytes(shape, at, end) {
    for (let child = shape.firstChild; child !== null; child = child.sibling) {
      if (matches(at - 1, child)) return takeNext(shape, child);
    }
    if (!this.hasRoom(shape)) return UNKNOWN;
    const last = Math.min(end, at + MOST_KEY_BYTES);
    let keyEnd = at;
    while (keyEnd < last && bytes[keyEnd] !== 0) keyEnd++;
    if (keyEnd >= last) return UNKNOWN;
    const key = readUtf8(bytes, at, keyEnd, false);
    return this.add(shape, key, bytes.subarray(at, keyEnd + 1));
  }

  /**
   * Finds or adds the shape of one more key.
   * @type {(shape: Shape, key: string) => Shape} perhaps UNKNOWN
   */
  followKey(shape, key) {
    for (let child = shape.firstChild; child !== null; child = child.sibling) {
      if (child.key === key) return takeNext(shape, child);
    }
    if (!this.hasRoom(shape) || key.length >= MOST_KEY_BYTES || key.includes('\0')) return UNKNOWN;
    return this.add(shape, key, Buffer.from(`${key}\0`));
  }

  /** @type {(shape: Shape) => boolean} */
  hasRoom(shape) {
    if (shape === UNKNOWN) return false;
    const { childCount, depth } = shape;
    if (this.nodeCount < MOST_NODES && childCount < MOST_BRANCHES && depth < MOST_FIELDS)
      return true;
    if (++this.unknownCount >= UNKNOWN_BEFORE_RESET) {
      this.root = new Shape(null, '', NO_BYTES);
      this.fields.clear();
      this.nodeCount = 1;
      this.unknownCount = 0;
    }
    return false;
  }

  /** @type {(shape: Shape, key: string, bytes: Uint8Array) => Shape} */
  add(shape, key, bytes) {
    const child = new Shape(shape, key, bytes);
    child.sibling = shape.firstChild;
    shape.firstChild = child;
    shape.childCount++;
    this.nodeCount++;
    return takeNext(shape, child);
  }
}

/** @type {(shape: Shape, child: Shape) => Shape} */
function takeNext(shape, child) {
  shape.next = child;
  return child;
}

/**
 * @param {number} at where an element begins
 * @param {Shape} shape
 * @returns {boolean} whether the key of the element is that of the shape
 */
export function matches(at, shape) {
  const first = (view.getInt32(at, true) ^ shape.word0) & shape.mask0;
  const second = (view.getInt32(at + 4, true) ^ shape.word1) & shape.mask1;
  if ((first | second) !== 0) return false;
  return shape.size <= SIZE_OF_TWO_WORDS || matchesRest(at, shape);
}

/** @type {(at: number, shape: Shape) => boolean} from the third word on */
function matchesRest(at, { words, lastMask }) {
  const last = words.length - 1;
  for (let word = 2; word < last; word++) {
    if (view.getInt32(at + 4 * word, true) !== words[word]) return false;
  }
  return ((view.getInt32(at + 4 * last, true) ^ words[last]) & lastMask) === 0;
}

/**
 * @param {Uint8Array} key with its terminator
 * @returns {number[]} the head of an element: a zero in place of the type, the key, zeros
 */
function packWords(key) {
  // Small integers in an array are read faster than words of a typed array.
  const words = [];
  let word = 0;
  for (let index = 0; index < key.length; index++) {
    const shift = 8 * ((index + 1) % 4);
    if (shift === 0) {
      words.push(word);
      word = 0;
    }
    word |= key[index] << shift;
  }
  words.push(word);
  return words;
}

/** @type {(shape: Shape, key: string) => boolean} whether the key is one of the shape's */
function holds(shape, key) {
  for (let node = shape; node.parent !== null; node = node.parent) {
    if (node.key === key) return true;
  }
  return false;
}

/** @type {(shape: Shape) => Shape[]} the shapes of its first key, first two keys and so on */
export function listPath(shape) {
  if (shape.path !== null) return shape.path;
  const path = new Array(shape.depth);
  for (let node = shape; node.parent !== null; node = node.parent) path[node.depth - 1] = node;
  shape.path = path;
  return path;
}

/**
 * Makes the object of a shape that has no function yet.
 * @type {(shape: Shape, values: unknown[]) => object}
 */
export function assemble(shape, values) {
  if (shape.isPlain && isWorthCompiling(shape)) shape.make = compileLiteral(shape);
  /** @type {Record<string, unknown>} */
  const object = {};
  const path = listPath(shape);
  for (let index = 0; index < path.length; index++) {
    assignField(object, path[index].key, values[index]);
  }
  return object;
}

let compilationCredit = FREE_COMPILATIONS * COMPILATION_COST;

/** @type {(shape: Shape) => boolean} called once for each object of a shape without a function */
function isWorthCompiling(shape) {
  compilationCredit++;
  if (++shape.visits < VISITS_BEFORE_COMPILING || compilationCredit < COMPILATION_COST) {
    return false;
  }
  compilationCredit -= COMPILATION_COST;
  return true;
}

/**
 * Compiles an object literal, which makes an object of the final shape at once, where one
 * assignment after another passes through all shapes between, and turns objects with many keys into
 * slow dictionaries.
 * @type {(shape: Shape) => Shape['make']} null where code may not be generated
 */
function compileLiteral(shape) {
  const fields = listPath(shape).map(({ key }, index) => `${quote(key)}: values[${index}]`);
  try {
    return new Function(`return (values) => ({ ${fields.join(', ')} });`)();
  } catch {
    return null;
  }
}

/** JSON is a subset of JavaScript, so that no key can leave its quotes. @type {(key: string) => string} */
function quote(key) {
  return JSON.stringify(key);
}
