/** @import { TextSink } from '../../cli/cli.js' */

// eslint-disable-next-line no-control-regex
const TOKEN = /\u001b\[(\d*)([A-Za-z])|[\s\S]/gu;
const ESCAPE = '\u001b';

/**
 * A terminal that understands the sequences that Assay sends.
 *
 * @param {{ columns?: number, rows?: number }} [size] which may be changed later
 * @returns {TextSink & { columns: number, rows: number, writes: string[], read: () => string }} `read` gives
 *   all lines, those that have scrolled out included, without colours
 * @throws {Error} when it is sent any other sequence
 */
export function openScreen({ columns = 80, rows = 24 } = {}) {
  let lines = [''];
  let row = 0;
  let column = 0;
  const moveDown = () => {
    row++;
    if (row === lines.length) lines.push('');
  };
  const screen = {
    isTTY: true,
    columns,
    rows,
    /** @type {string[]} */
    writes: [],
    read: () => lines.map((line) => line.trimEnd()).join('\n'),
    /** @param {string} text */
    write(text) {
      screen.writes.push(text);
      for (const [token, count, letter] of text.matchAll(TOKEN)) {
        if (letter === 'A') {
          // The cursor cannot leave the screen.
          row = Math.max(0, lines.length - screen.rows, row - Number(count || 1));
        } else if (letter === 'J') {
          lines = [...lines.slice(0, row), (lines[row] ?? '').slice(0, column)];
        } else if (token === ESCAPE || (letter !== undefined && letter !== 'm')) {
          throw new Error(`the terminal was sent ${JSON.stringify(token)}`);
        } else if (token === '\r') column = 0;
        else if (token === '\n') {
          moveDown();
          column = 0;
        } else if (letter === undefined) {
          if (column === screen.columns) {
            moveDown();
            column = 0;
          }
          const line = (lines[row] ?? '').padEnd(column);
          lines[row] = line.slice(0, column) + token + line.slice(column + token.length);
          column += token.length;
        }
      }
    },
  };
  return screen;
}
