import { ShapeTrie, listPath } from '../champion/shapes.js';

/** @import { Shape } from '../champion/shapes.js' */

/**
 * What the text of a field begins with, including its quotes and colon.
 * @template Text
 * @typedef {object} KeyTexts
 * @property {Text} first `{"key":`
 * @property {Text} other `,"key":`
 */

/**
 * A shape of which `JSON.stringify` writes the fields in their order, or null in `texts`.
 * @template Text
 * @typedef {Shape & { texts?: KeyTexts<Text> | null }} JsonShape
 */

/** Keys that objects have first, and in numerical order, where they are small enough. */
const INTEGER = /^\d+$/;

/**
 * Shapes with the JSON text of each key. Where an object would have its fields in another order or number than the bytes,
 * because a key repeats or is an integer, a shape has no texts.
 * @template Text
 */
export class JsonShapes extends ShapeTrie {
  /** @param {(text: string) => Text} prepare how a writer keeps the text of a key */
  constructor(prepare) {
    super();
    this.prepare = prepare;
  }

  /** @override @type {ShapeTrie['add']} */
  add(parent, key, bytes) {
    /** @type {JsonShape<Text>} */
    const shape = super.add(parent, key, bytes);
    shape.texts = isInOrder(parent, key)
      ? { first: this.prepare(`{${quoteKey(key)}`), other: this.prepare(`,${quoteKey(key)}`) }
      : null;
    return shape;
  }
}

/** @type {(parent: JsonShape<unknown>, key: string) => boolean} */
function isInOrder(parent, key) {
  const isAfterOthers = parent.texts !== null && !INTEGER.test(key);
  return isAfterOthers && listPath(parent).every((shape) => shape.key !== key);
}

/** @type {(key: string) => string} */
function quoteKey(key) {
  return `${JSON.stringify(key)}:`;
}
