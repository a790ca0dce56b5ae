const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CONTINUES = 0b100000;

/**
 * What a piece of a generated line comes from; lines and columns from 1.
 *
 * @typedef {object} Piece
 * @property {number} column in the generated line
 * @property {[source: number, line: number, column: number, name?: number]} [from] absent for code that comes from nowhere
 */

/**
 * Writes a source map.
 *
 * @param {{ sources: string[], names?: string[], sourceRoot?: string, sourcesContent?: (string | null)[] }} head
 * @param {Piece[][]} lines of the generated file
 * @returns {Record<string, unknown>}
 */
export function encodeMap({ names = [], ...head }, lines) {
  const before = [0, 0, 0, 0];
  const mappings = lines.map((pieces) => {
    let generated = 0;
    return pieces
      .map(({ column, from = [] }) => {
        const fields = [encode(column - 1 - generated)];
        generated = column - 1;
        from.forEach((value = 0, index) => {
          // Lines and columns count from 0, and each number is relative to the one before.
          const absolute = index === 1 || index === 2 ? value - 1 : value;
          fields.push(encode(absolute - before[index]));
          before[index] = absolute;
        });
        return fields.join('');
      })
      .join(',');
  });
  return { version: 3, ...head, names, mappings: mappings.join(';') };
}

/** @type {(value: number) => string} variable-length quantity, whose first bit is the sign */
function encode(value) {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = rest & (CONTINUES - 1);
    rest >>>= 5;
    text += DIGITS[rest > 0 ? digit | CONTINUES : digit];
  } while (rest > 0);
  return text;
}
