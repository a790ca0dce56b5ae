import { types } from 'node:util';
import { openNatives } from './v8-natives.js';

/** @import { ValueForms } from '../formats/types.ts' */
/** @import { V8Natives } from './v8-natives.js' */

/** Enough for every corpus, and a limit on what a large one may cost. */
const MAX_VALUES = 200_000;

/**
 * Says what V8 made of objects and all that they hold: own enumerable properties with a string for
 * a key, and elements. Instances of classes, such as ids, count like other objects; bytes are
 * counted not at all, and accessors are not called. Hidden classes are those of fast objects, as a
 * slow one shares its own with others of other keys. A string is either one-byte or two-byte, and
 * may be internalized as well. Beyond 200 000 values the rest is left out.
 *
 * @param {object[]} roots
 * @returns {ValueForms}
 * @throws {SyntaxError} in a process without `NATIVES_FLAGS`
 */
export function describeValues(roots) {
  const tally = new Tally(openNatives());
  /** @type {unknown[]} */
  const pending = [...roots].reverse();
  let visited = 0;
  while (pending.length > 0 && visited < MAX_VALUES) {
    visited++;
    const value = pending.pop();
    if (tally.count(value)) pushInside(/** @type {object} */ (value), pending);
  }
  return tally.finish();
}

/** Counts values by their form. */
class Tally {
  #natives;
  /** @type {Set<object>} */
  #seen = new Set();
  /** One fast object of each hidden class, by prototype and keys: objects that differ in these
   * differ in their class, so that few remain to be held against each other.
   * @type {Map<object | null, Map<string, object[]>>} */
  #classes = new Map();
  /** @type {ValueForms} */
  #forms = {
    objects: 0,
    dictionaries: 0,
    hiddenClasses: 0,
    arrays: 0,
    elements: {},
    smis: 0,
    doubles: 0,
    strings: {},
    mostKeys: 0,
  };

  /** @param {V8Natives} natives */
  constructor(natives) {
    this.#natives = natives;
  }

  /** @returns {ValueForms} */
  finish() {
    return this.#forms;
  }

  /**
   * @param {unknown} value
   * @returns {boolean} whether what it holds is still to be counted
   */
  count(value) {
    if (typeof value === 'object' && value !== null) return this.#countObject(value);
    if (typeof value === 'number') this.#forms[this.#natives.isSmi(value) ? 'smis' : 'doubles']++;
    else if (typeof value === 'string') this.#countString(value);
    return false;
  }

  /** @param {string} text */
  #countString(text) {
    const { isOneByte, isInternalized } = this.#natives;
    const { strings } = this.#forms;
    increase(strings, isOneByte(text) ? 'one-byte' : 'two-byte');
    if (isInternalized(text)) increase(strings, 'internalized');
  }

  /**
   * @param {object} object
   * @returns {boolean} as `count`
   */
  #countObject(object) {
    const isOpaque = ArrayBuffer.isView(object) || types.isAnyArrayBuffer(object);
    if (isOpaque || types.isProxy(object) || this.#seen.has(object)) return false;
    this.#seen.add(object);
    if (Array.isArray(object)) return this.#countArray(object);
    const isFast = this.#natives.isFast(object);
    const keys = Object.keys(object);
    this.#forms.objects++;
    if (isFast) this.#countClass(object, keys);
    else this.#forms.dictionaries++;
    this.#forms.mostKeys = Math.max(this.#forms.mostKeys, keys.length);
    return true;
  }

  /**
   * @param {unknown[]} array
   * @returns {boolean} as `count`
   */
  #countArray(array) {
    const elements = this.#natives.nameElements(array);
    this.#forms.arrays++;
    increase(this.#forms.elements, elements);
    if (!elements.endsWith('double')) return true;
    // Taken out, a whole number might come as a small integer, which it is not in there.
    this.#forms.doubles += Object.keys(array).length;
    return false;
  }

  /**
   * @param {object} object
   * @param {string[]} keys
   */
  #countClass(object, keys) {
    const prototype = Object.getPrototypeOf(object);
    const byKeys = this.#classes.get(prototype) ?? new Map();
    this.#classes.set(prototype, byKeys);
    const signature = JSON.stringify(keys);
    const known = byKeys.get(signature) ?? [];
    if (known.some((/** @type {object} */ other) => this.#natives.haveSameMap(object, other)))
      return;
    byKeys.set(signature, [...known, object]);
    this.#forms.hiddenClasses++;
  }
}

/**
 * Puts what an object holds on a stack, its first property on top. `Reflect.get` leaves a number as
 * the property holds it, and an array that has held objects does too; a descriptor, and an array of
 * numbers alone, would make doubles of small integers.
 *
 * @param {object} object
 * @param {unknown[]} pending
 */
function pushInside(object, pending) {
  for (const key of Object.keys(object).reverse()) {
    const isAccessor = Object.getOwnPropertyDescriptor(object, key)?.get !== undefined;
    if (!isAccessor) pending.push(Reflect.get(object, key));
  }
}

/**
 * @param {Record<string, number>} counts
 * @param {string} name
 */
function increase(counts, name) {
  counts[name] = (counts[name] ?? 0) + 1;
}
