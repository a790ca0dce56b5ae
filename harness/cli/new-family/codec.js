// What the variants have in common. Functions have names, because the flamegraphs of a report show them.

/**
 * @param {object} idea in what the variants differ
 * @param {(text: string) => string} idea.quote writes a string with its quotes
 * @param {(text: string, start: number) => { value: string, end: number }} idea.unquote reads a string; `start` and
 *   `end` are after the quotes
 * @returns {{ encode: (value: object) => string, decode: (text: string) => object }}
 */
export function makeCodec({ quote, unquote }) {
  /** @param {string} text */
  function decode(text) {
    const { value, end } = readValue(text, 0);
    if (end !== text.length) throw new SyntaxError(`unexpected text at ${end}`);
    return value;
  }

  /** @param {any} value */
  function encode(value) {
    if (typeof value === 'string') return quote(value);
    if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
    if (typeof value === 'boolean' || value === null) return String(value);
    return Array.isArray(value) ? encodeArray(value) : encodeObject(value);
  }

  /** @param {any[]} values */
  function encodeArray(values) {
    let text = '[';
    for (let index = 0; index < values.length; index++) {
      if (index > 0) text += ',';
      text += encode(values[index]);
    }
    return `${text}]`;
  }

  /** @param {Record<string, any>} object */
  function encodeObject(object) {
    let text = '{';
    for (const key of Object.keys(object)) {
      if (text.length > 1) text += ',';
      text += `${quote(key)}:${encode(object[key])}`;
    }
    return `${text}}`;
  }

  /** @returns {{ value: any, end: number }} */
  function readValue(/** @type {string} */ text, /** @type {number} */ start) {
    switch (text[start]) {
      case '"':
        return unquote(text, start + 1);
      case '{':
        return readObject(text, start + 1);
      case '[':
        return readArray(text, start + 1);
      default:
        return readWord(text, start);
    }
  }

  /** @returns {{ value: any[], end: number }} */
  function readArray(/** @type {string} */ text, /** @type {number} */ start) {
    const value = [];
    if (text[start] === ']') return { value, end: start + 1 };
    for (let from = start; ; from++) {
      const item = readValue(text, from);
      value.push(item.value);
      from = item.end;
      if (text[from] === ']') return { value, end: from + 1 };
      expect(text, from, ',');
    }
  }

  /** @returns {{ value: Record<string, any>, end: number }} */
  function readObject(/** @type {string} */ text, /** @type {number} */ start) {
    /** @type {Record<string, any>} */
    const value = {};
    if (text[start] === '}') return { value, end: start + 1 };
    for (let from = start; ; from++) {
      expect(text, from, '"');
      const key = unquote(text, from + 1);
      expect(text, key.end, ':');
      const field = readValue(text, key.end + 1);
      value[key.value] = field.value;
      from = field.end;
      if (text[from] === '}') return { value, end: from + 1 };
      expect(text, from, ',');
    }
  }

  return { encode, decode };
}

const WORD = /true|false|null|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy;

/** Reads what has no quotes: a number, true, false or null. */
function readWord(/** @type {string} */ text, /** @type {number} */ start) {
  WORD.lastIndex = start;
  const word = WORD.exec(text)?.[0];
  if (word === undefined) throw new SyntaxError(`unexpected text at ${start}`);
  return { value: JSON.parse(word), end: start + word.length };
}

/** @type {(text: string, index: number, wanted: string) => void} */
function expect(text, index, wanted) {
  if (text[index] !== wanted) throw new SyntaxError(`no ${wanted} at ${index}`);
}
