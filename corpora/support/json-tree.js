/**
 * A value of a JSON text, with what `JSON.parse` loses: the digits of numbers, keys that occur twice, and the order
 * of keys that look like integers. `start` and `end` are offsets in the text.
 * @typedef {{ start: number, end: number } & (
 *   | { kind: 'object', entries: [key: string, value: JsonNode][] }
 *   | { kind: 'array', items: JsonNode[] }
 *   | { kind: 'number', digits: string }
 *   | { kind: 'constant', value: string | boolean | null }
 * )} JsonNode
 */

/** Space, and what separates tokens. */
const SEPARATORS = /[\s,:]*/y;
/** A number, `true`, `false` or `null`. */
const WORD = /[^\s,\]}]+/y;

/**
 * Reads a text that `JSON.parse` accepts, which is not checked again.
 * @type {(text: string) => JsonNode}
 */
export function readJsonTree(text) {
  return new TreeReader(text).read();
}

class TreeReader {
  #text;
  #offset = 0;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /** @returns {JsonNode} */
  read() {
    const first = this.#peek();
    const start = this.#offset;
    switch (first) {
      case '{': {
        /** @type {[string, JsonNode][]} */
        const entries = [];
        this.#offset++;
        while (this.#peek() !== '}') entries.push([this.#readString(), this.read()]);
        return { kind: 'object', entries, start, end: ++this.#offset };
      }
      case '[': {
        const items = [];
        this.#offset++;
        while (this.#peek() !== ']') items.push(this.read());
        return { kind: 'array', items, start, end: ++this.#offset };
      }
      case '"':
        return { kind: 'constant', value: this.#readString(), start, end: this.#offset };
      default: {
        const word = this.#take(WORD);
        const place = { start, end: this.#offset };
        if (/^[tfn]/.test(word)) return { kind: 'constant', value: JSON.parse(word), ...place };
        return { kind: 'number', digits: word, ...place };
      }
    }
  }

  /** Skips separators. */
  #peek() {
    this.#take(SEPARATORS);
    return this.#text[this.#offset];
  }

  /** @param {RegExp} pattern sticky */
  #take(pattern) {
    pattern.lastIndex = this.#offset;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#offset += found.length;
    return found;
  }

  /** @returns {string} */
  #readString() {
    const start = this.#offset;
    let end = start;
    do end = this.#text.indexOf('"', end + 1);
    while (this.#isEscaped(end));
    this.#offset = end + 1;
    return JSON.parse(this.#text.slice(start, this.#offset));
  }

  /** @param {number} offset of a quote */
  #isEscaped(offset) {
    let first = offset;
    while (this.#text[first - 1] === '\\') first--;
    return (offset - first) % 2 === 1;
  }
}
