import { setFlagsFromString } from 'node:v8';

/**
 * V8 keeps a plain object either as a shape shared with its likes and a row of slots ("fast"), or,
 * with too many keys for the way it was built, as a hash table of its own ("dictionary").
 *
 * @typedef {object} ObjectCounts
 * @property {number} total plain objects: documents, nested documents and scopes; no arrays and no
 *   value classes
 * @property {number} dictionary those that V8 keeps as a hash table
 */

/**
 * Switches on V8's natives syntax for the moment it takes to compile one function, so only for
 * processes that measure nothing.
 *
 * @param {Iterable<unknown>} documents live, as the program made them
 * @returns {ObjectCounts}
 */
export function countDictionaryObjects(documents) {
  const hasFastProperties = compileHasFastProperties();
  const counts = { total: 0, dictionary: 0 };
  const pending = [];
  for (const document of documents) {
    pending.push(document);
    while (pending.length > 0) {
      const value = pending.pop();
      if (typeof value !== 'object' || value === null) continue;
      if (isPlainObject(value)) {
        counts.total++;
        if (!hasFastProperties(value)) counts.dictionary++;
      }
      pending.push(...listNested(value));
    }
  }
  return counts;
}

/** @returns {(value: object) => boolean} */
function compileHasFastProperties() {
  setFlagsFromString('--allow-natives-syntax');
  try {
    const compiled = new Function('value', 'return %HasFastProperties(value)');
    // V8 compiles lazily: the first call is what needs the flag.
    compiled({});
    return /** @type {(value: object) => boolean} */ (compiled);
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

/** @param {object} value */
function isPlainObject(value) {
  if (Array.isArray(value) || '_bsontype' in value) return false;
  return Object.prototype.toString.call(value) === '[object Object]';
}

/**
 * Of the value classes only code and references hold documents.
 *
 * @param {object} value
 * @returns {unknown[]}
 */
function listNested(value) {
  if (Array.isArray(value)) return value;
  if (isPlainObject(value)) return Object.values(value);
  const { scope, fields } = /** @type {{ scope?: unknown, fields?: unknown }} */ (value);
  return [scope, fields];
}
