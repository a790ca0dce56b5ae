import { parse } from 'acorn';

/**
 * A function in a text; lines and columns from 1, the end inclusive.
 *
 * @typedef {object} FunctionRange
 * @property {number} start offset of the function
 * @property {number} body offset of its body; an engine places the function between the two
 * @property {{ line: number, column: number }} end of its last character
 */

/**
 * The functions of a file of JavaScript.
 *
 * @param {string} text
 * @returns {FunctionRange[] | null} outer ones first; null if it cannot be parsed
 */
export function listFunctionRanges(text) {
  const root = parseScript(text, 'module') ?? parseScript(text, 'script');
  if (root === null) return null;
  /** @type {FunctionRange[]} */
  const found = [];
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { body, start, loc } = node;
    if (/Function/.test(node.type) && isNode(body) && loc) {
      const end = { line: loc.end.line, column: Math.max(1, loc.end.column) };
      found.push({ start, body: body.start, end });
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (isNode(child)) waiting.push(child);
      }
    }
  }
  return found.sort((one, two) => one.start - two.start);
}

/** @typedef {import('acorn').Node & Record<string, unknown>} Node */

/** @type {(text: string, sourceType: 'module' | 'script') => Node | null} */
function parseScript(text, sourceType) {
  try {
    const root = parse(text, {
      ecmaVersion: 'latest',
      sourceType,
      locations: true,
      allowHashBang: true,
      allowReturnOutsideFunction: true,
    });
    return /** @type {Node} */ (/** @type {unknown} */ (root));
  } catch {
    return null;
  }
}

/** @type {(value: unknown) => value is Node} */
function isNode(value) {
  return typeof (/** @type {{ type?: unknown } | null} */ (value)?.type) === 'string';
}

/** What a line begins with that continues the head of a function. */
const CONTINUES = /^[)\]{]/;

/**
 * The last line of a function in formatted code: that of the closing brace that is indented like its first line, or the
 * last one before the next line that is indented so.
 *
 * @param {string[]} lines
 * @param {number} first line of the function, from 1
 * @returns {number} from 1
 */
export function findEndByIndent(lines, first) {
  const [indent] = /^\s*/.exec(lines[first - 1] ?? '') ?? [''];
  for (let index = first; index < lines.length; index++) {
    const rest = lines[index].slice(indent.length);
    if (lines[index].trim() === '' || (lines[index].startsWith(indent) && /^\s/.test(rest)))
      continue;
    if (rest.startsWith('}')) return index + 1;
    if (!CONTINUES.test(rest)) return index;
  }
  return lines.length;
}
