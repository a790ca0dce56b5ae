import { parse } from 'acorn';
import { FormatError } from '../../lib/errors.js';
import { drawIndex, shuffle } from '../../stats/random.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { Comment, Node, Program } from 'acorn' */

/** Number of filler functions per source, more if it has many functions. */
const MIN_FILLERS = 1;
const MAX_MORE_FILLERS = 10;
/** Words of a padding comment, and empty lines after it. */
const MAX_WORDS = 60;
const MAX_LINES = 6;
/** Kinds of statements added at the end of a source that calls fillers. */
const TAIL_SHAPE = ['FunctionDeclaration', 'ExpressionStatement'];

/**
 * Changes the code placement of a program, not its meaning: top-level function declarations are shuffled
 * (they are hoisted), padded with comments and empty lines, and mixed with unrelated functions. No
 * statement is changed, so each function has the same bytecode; its machine code is in another place.
 *
 * @param {string} source
 * @param {SourceKind} kind
 * @param {RandomGenerator} random advanced by the call; the same state gives the same text
 * @returns {string}
 * @throws {FormatError} when the source cannot be parsed or edited
 */
export function editSource(source, kind, random) {
  const outline = readOutline(source, kind);
  const movable = listMovable(outline);
  const more = Math.min(MAX_MORE_FILLERS, 2 + Math.floor(movable.length / 4));
  const count = MIN_FILLERS + drawIndex(random, more);
  const { fillers, tail } = makeFillers(count, choosePrefix(source, random), random);
  const order = shuffle(movable, random);
  // Without movable functions, all fillers go to the end.
  const places = movable.map(() => '');
  let atEnd = '\n';
  for (const filler of fillers) {
    const place = drawIndex(random, movable.length + 1);
    if (place < movable.length) places[place] += filler;
    else atEnd += filler;
  }
  let edited = '';
  let done = 0;
  for (const [index, slot] of movable.entries()) {
    edited += source.slice(done, slot.start);
    edited += places[index] + pad(random) + padBody(source, order[index], random);
    done = slot.end;
  }
  edited += source.slice(done) + atEnd + tail;
  requireSameShape(outline, readOutline(edited, kind), fillers.length, tail !== '');
  return edited;
}

/**
 * Functions that can be reordered. Those of the same name stay, since the last one counts.
 * @type {(outline: Outline) => OutlinedFunction[]}
 */
function listMovable({ functions }) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { name } of functions) counts.set(name, (counts.get(name) ?? 0) + 1);
  return functions.filter(({ name }) => counts.get(name) === 1);
}

/** @type {(source: string, random: RandomGenerator) => string} that does not occur in the source */
function choosePrefix(source, random) {
  for (;;) {
    const prefix = `placement_${(random.next() >>> 0).toString(36)}`;
    if (!source.includes(prefix)) return prefix;
  }
}

/** @param {string} source @param {OutlinedFunction} moved @param {RandomGenerator} random */
function padBody(source, { start, bodyStart, end }, random) {
  return `${source.slice(start, bodyStart)}\n${pad(random)}${source.slice(bodyStart, end)}`;
}

/** @param {RandomGenerator} random */
function pad(random) {
  const words = ' padding'.repeat(drawIndex(random, MAX_WORDS));
  return `/*${words} */${'\n'.repeat(1 + drawIndex(random, MAX_LINES))}`;
}

/**
 * @param {Outline} before
 * @param {Outline} after
 * @param {number} fillerCount
 * @param {boolean} hasTail
 * @throws {FormatError} when the edit changed the program
 */
function requireSameShape(before, after, fillerCount, hasTail) {
  const added = [...Array(fillerCount).fill('FunctionDeclaration'), ...(hasTail ? TAIL_SHAPE : [])];
  const expected = [...before.shape, ...added].toSorted().join(' ');
  const own = new Set(before.functions.map(({ name }) => name));
  const kept = after.functions.filter(({ name }) => own.has(name)).length;
  if (after.shape.toSorted().join(' ') === expected && kept === before.functions.length) return;
  throw new FormatError('its functions cannot be moved without changing the program');
}

/** @typedef {'module' | 'commonjs'} SourceKind */

/**
 * A function declaration at the top level, with the comments on separate lines before it.
 *
 * @typedef {object} OutlinedFunction
 * @property {string} name
 * @property {number} start of its comments
 * @property {number} bodyStart after the opening brace
 * @property {number} end
 */

/**
 * @typedef {object} Outline
 * @property {OutlinedFunction[]} functions in the order of the source
 * @property {string[]} shape kind of each top-level statement, in order
 * @property {string[]} imports relative specifiers of imports that are literals
 */

/**
 * Parses the top level of a source.
 *
 * @param {string} source
 * @param {SourceKind} kind
 * @returns {Outline}
 * @throws {FormatError} when it cannot be parsed
 */
export function readOutline(source, kind) {
  /** @type {Comment[]} */
  const comments = [];
  const { body } = parseSource(source, kind, comments);
  const ends = new Map(comments.map((comment) => [comment.end, comment]));
  const functions = body.flatMap((statement) => {
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'FunctionDeclaration') return [];
    return {
      name: declaration.id.name,
      start: findStart(source, statement.start, ends),
      bodyStart: declaration.body.start + 1,
      end: statement.end,
    };
  });
  /** @type {Set<string>} */
  const imports = new Set();
  for (const statement of body) collectImports(statement, imports);
  return { functions, shape: body.map(({ type }) => type), imports: [...imports] };
}

/**
 * @param {string} source
 * @param {SourceKind} kind
 * @param {Comment[]} comments filled
 * @returns {Program}
 */
function parseSource(source, kind, comments) {
  try {
    return parse(source, {
      ecmaVersion: 'latest',
      sourceType: kind,
      allowHashBang: true,
      onComment: comments,
    });
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new FormatError(`it cannot be parsed as JavaScript: ${message}`, { cause });
  }
}

/**
 * Start of a statement with the comments before it. A comment after other code on its line belongs to
 * that code.
 *
 * @param {string} source
 * @param {number} start of the statement
 * @param {Map<number, Comment>} ends comments by where they end
 * @returns {number}
 */
function findStart(source, start, ends) {
  let begin = start;
  for (;;) {
    const comment = ends.get(source.slice(0, begin).trimEnd().length);
    // To acorn, a shebang is a comment; it must stay the first line.
    if (comment === undefined || source.startsWith('#!', comment.start)) return begin;
    const lineStart = source.lastIndexOf('\n', comment.start - 1) + 1;
    if (source.slice(lineStart, comment.start).trim() !== '') return begin;
    begin = comment.start;
  }
}

/**
 * @param {unknown} value a node, a list of nodes, or another value in a node
 * @param {Set<string>} imports filled
 */
function collectImports(value, imports) {
  if (value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (const item of value) collectImports(item, imports);
    return;
  }
  const specifier = readSpecifier(/** @type {Node} */ (value));
  if (specifier !== null && /^\.{1,2}\//.test(specifier)) imports.add(specifier);
  for (const child of Object.values(value)) collectImports(child, imports);
}

/** @param {any} node @returns {string | null} the imported specifier, if it is a literal */
function readSpecifier(node) {
  const isRequire = node.type === 'CallExpression' && node.callee.name === 'require';
  const loaded = isRequire ? node.arguments[0] : isImport(node) ? node.source : null;
  return loaded?.type === 'Literal' && typeof loaded.value === 'string' ? loaded.value : null;
}

/** @param {Node} node */
function isImport({ type }) {
  return /^(ImportDeclaration|ImportExpression|ExportNamedDeclaration|ExportAllDeclaration)$/.test(
    type,
  );
}

/** Statements of one function: from a few bytes of machine code to some kilobytes. */
const MAX_STATEMENTS = 40;
/** Calls at load: enough for V8 to compile the function, within some milliseconds. */
const MIN_CALLS = 1_000;
const MAX_MORE_CALLS = 5_000;

/**
 * Functions unrelated to the source. About half of them are called at load, often enough to be compiled,
 * which moves the code compiled later. They only compute with numbers.
 *
 * @param {number} count
 * @param {string} prefix of their names, unused in the source
 * @param {RandomGenerator} random advanced by the call
 * @returns {{ fillers: string[], tail: string }} declarations, and the end of the source
 */
function makeFillers(count, prefix, random) {
  const names = Array.from({ length: count }, (_, index) => `${prefix}_${index}`);
  const fillers = names.map((name) => declareFiller(name, random));
  const runs = names
    .filter(() => drawIndex(random, 2) === 0)
    .map((name) => {
      const calls = MIN_CALLS + drawIndex(random, MAX_MORE_CALLS);
      return `  for (let call = 0; call < ${calls}; call++) sum = (sum + ${name}(call, sum)) | 0;`;
    });
  if (runs.length === 0) return { fillers, tail: '' };
  const run = `${prefix}_run`;
  const body = ['  let sum = 1;', ...runs, '  return sum;'].join('\n');
  return { fillers, tail: `\nfunction ${run}() {\n${body}\n}\n${run}();\n` };
}

/** @param {string} name @param {RandomGenerator} random */
function declareFiller(name, random) {
  const count = 2 + drawIndex(random, MAX_STATEMENTS);
  const statements = Array.from({ length: count }, () => `  ${writeStatement(random)}`);
  return `function ${name}(a, b) {\n${statements.join('\n')}\n  return a ^ b;\n}\n`;
}

/** @param {RandomGenerator} random */
function writeStatement(random) {
  const number = 3 + drawIndex(random, 1_000_000);
  const shift = 1 + drawIndex(random, 15);
  const forms = [
    `a = (Math.imul(a, ${number}) + b) | 0;`,
    `b ^= (a >>> ${shift}) + ${number};`,
    `if ((a & ${shift}) === 0) b = (b + ${number}) | 0;`,
    `for (let i = 0; i < ${1 + (shift % 3)}; i++) a = (a + (b >> i)) | 0;`,
  ];
  return forms[drawIndex(random, forms.length)];
}
