import { parse } from 'acorn';
import { FormatError } from '../../lib/errors.js';

/** @import { Comment, Node, Program } from 'acorn' */

/** @typedef {'module' | 'commonjs'} SourceKind */

/**
 * A function declaration at the top level, with the comments on lines of their own before it.
 *
 * @typedef {object} OutlinedFunction
 * @property {string} name
 * @property {number} start of its comments
 * @property {number} bodyStart behind the opening brace
 * @property {number} end
 */

/**
 * @typedef {object} Outline
 * @property {OutlinedFunction[]} functions in the order of the source
 * @property {string[]} shape kind of each top-level statement, in order
 * @property {string[]} imports relative specifiers of modules that it loads, where they are literals
 */

/**
 * What the top level of a source consists of.
 *
 * @param {string} source
 * @param {SourceKind} kind
 * @returns {Outline}
 * @throws {FormatError} when it is no JavaScript of that kind
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
 * Where what belongs to a statement begins: at the first of the comments before it that stand on
 * lines of their own. A comment behind other code belongs to that.
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
    // The line that names an interpreter is a comment to acorn, and has to stay the first.
    if (comment === undefined || source.startsWith('#!', comment.start)) return begin;
    const lineStart = source.lastIndexOf('\n', comment.start - 1) + 1;
    if (source.slice(lineStart, comment.start).trim() !== '') return begin;
    begin = comment.start;
  }
}

/**
 * @param {unknown} value a node, a list of nodes, or what else a node holds
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

/**
 * @param {any} node
 * @returns {string | null} what it loads, where that is a literal
 */
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
