import { types } from 'node:util';
import { openNatives } from './v8-natives.js';

/** @import { ValueForms } from '../formats/types.ts' */
/** @import { V8Natives } from './v8-natives.js' */

/** Sufficient for every corpus; limits the cost of a large one. */
const MAX_VALUES = 200_000;

/**
 * Counts how V8 represents objects and everything in them: own enumerable string-keyed properties, and
 * elements. Instances of classes, such as ids, count like other objects; byte arrays are skipped, and
 * accessors are not called. Hidden classes are those of fast objects, since objects in dictionary mode
 * share theirs. A string is one-byte or two-byte, and may also be internalized. Stops at 200 000 values.
 *
 * @param {object[]} roots
 * @returns {ValueForms}
 * @throws {SyntaxError} in a process without `NATIVES_FLAGS`
 */
export function countForms(roots) {
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

/** Counts values by representation. */
class Tally {
  #natives;
  /** @type {Set<object>} */
  #seen = new Set();
  /** One fast object per hidden class, by prototype and keys: objects that differ in these have
   * different classes, so few comparisons remain.
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

  /** @param {unknown} value @returns {boolean} whether its contents are still to be counted */
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

  /** @param {object} object @returns {boolean} as `count` */
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

  /** @param {unknown[]} array @returns {boolean} as `count` */
  #countArray(array) {
    const elements = this.#natives.nameElements(array);
    this.#forms.arrays++;
    increase(this.#forms.elements, elements);
    if (!elements.endsWith('double')) return true;
    // When read, a whole number could become a small integer, which it is not in the array.
    this.#forms.doubles += Object.keys(array).length;
    return false;
  }

  /** @param {object} object @param {string[]} keys */
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
 * Pushes the contents of an object on a stack, its first property on top. `Reflect.get` and an array that
 * has held objects preserve the representation of a number; a property descriptor or an array of numbers
 * would turn small integers into doubles.
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

/** @param {Record<string, number>} counts @param {string} name */
function increase(counts, name) {
  counts[name] = (counts[name] ?? 0) + 1;
}
