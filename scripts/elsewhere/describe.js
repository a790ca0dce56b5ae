/** What limits a codec on a corpus: how often shapes and keys repeat, and what its values are. */

/**
 * @typedef {object} Description
 * @property {number} documents
 * @property {number} bytesPerDocument mean
 * @property {number} objects at every level, the documents among them
 * @property {number} shapes lists of keys, in their order, that differ
 * @property {number} knownKeys share of fields whose key occurred before, 0…1
 * @property {number} text share of the bytes that are those of strings, 0…1
 * @property {number} nonAscii share of strings with a character beyond ASCII, 0…1
 * @property {number} textLength mean characters of a string
 * @property {number} doubles share of values that are no documents or arrays, 0…1
 * @property {number} arrays number of them
 * @property {number} arrayLength mean
 * @property {number} longestArray
 */

/**
 * @param {Iterable<{ bytes: Uint8Array, document: import('bson').Document }>} documents with numbers as value classes
 * @returns {Description}
 */
export function describeDocuments(documents) {
  const tally = new Tally();
  let count = 0;
  let sizeBytes = 0;
  for (const { bytes, document } of documents) {
    count++;
    sizeBytes += bytes.length;
    tally.add(document);
  }
  return {
    documents: count,
    bytesPerDocument: sizeBytes / count,
    objects: tally.objects,
    shapes: tally.shapes.size,
    knownKeys: share(tally.fields - tally.keys.size, tally.fields),
    text: share(tally.textBytes, sizeBytes),
    nonAscii: share(tally.nonAscii, tally.strings),
    textLength: share(tally.characters, tally.strings),
    doubles: share(tally.doubles, tally.values),
    arrays: tally.arrays,
    arrayLength: share(tally.items, tally.arrays),
    longestArray: tally.longestArray,
  };
}

/** @type {(part: number, whole: number) => number} */
function share(part, whole) {
  return whole === 0 ? 0 : part / whole;
}

class Tally {
  objects = 0;
  /** @type {Set<string>} */
  shapes = new Set();
  fields = 0;
  /** @type {Set<string>} */
  keys = new Set();
  values = 0;
  strings = 0;
  characters = 0;
  textBytes = 0;
  nonAscii = 0;
  doubles = 0;
  arrays = 0;
  items = 0;
  longestArray = 0;

  /** @param {any} value */
  add(value) {
    if (Array.isArray(value)) this.#addArray(value);
    else if (isPlain(value)) this.#addObject(value);
    else this.#addValue(value);
  }

  /** @param {unknown[]} array */
  #addArray(array) {
    this.arrays++;
    this.items += array.length;
    this.longestArray = Math.max(this.longestArray, array.length);
    for (const item of array) this.add(item);
  }

  /** @param {object} object */
  #addObject(object) {
    const keys = Object.keys(object);
    this.objects++;
    this.shapes.add(JSON.stringify(keys));
    this.fields += keys.length;
    for (const key of keys) this.keys.add(key);
    for (const value of Object.values(object)) this.add(value);
  }

  /** @param {any} value */
  #addValue(value) {
    this.values++;
    if (value?._bsontype === 'Double') this.doubles++;
    if (typeof value !== 'string') return;
    this.strings++;
    this.characters += value.length;
    const bytes = Buffer.byteLength(value);
    this.textBytes += bytes;
    if (bytes > value.length) this.nonAscii++;
  }
}

/** @param {any} value */
function isPlain(value) {
  const isObject = Object.prototype.toString.call(value) === '[object Object]';
  return isObject && value._bsontype === undefined;
}

const HEAD = [
  'documents',
  'bytes each',
  'objects',
  'shapes ÷ objects',
  'known keys',
  'text',
  'not ASCII',
  'length of text',
  'doubles',
  'array length, longest',
];

/**
 * @param {[string, Description][]} rows by name of the corpus
 * @returns {string} a table in Markdown
 */
export function writeDescriptions(rows) {
  const percent = (/** @type {number} */ value) => `${Math.round(value * 100)} %`;
  const lines = rows.map(([name, of]) => [
    name,
    of.documents,
    Math.round(of.bytesPerDocument),
    of.objects,
    (of.shapes / of.objects).toPrecision(2),
    percent(of.knownKeys),
    percent(of.text),
    percent(of.nonAscii),
    Math.round(of.textLength),
    percent(of.doubles),
    of.arrays === 0 ? '–' : `${of.arrayLength.toFixed(1)}, ${of.longestArray}`,
  ]);
  const all = [['corpus', ...HEAD], ['---', ...HEAD.map(() => '---:')], ...lines];
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
