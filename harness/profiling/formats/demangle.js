/** What a name may begin with before its parts: `L` marks one that only its file sees, the others what a method is. */
const MARKS = /[LKVrRO]/y;
const STANDARD = /St|S[absiod]/y;
/** Abbreviations of the standard library. */
const ABBREVIATED = new Map([
  ['Sa', 'std::allocator'],
  ['Sb', 'std::basic_string'],
  ['Ss', 'std::string'],
  ['Si', 'std::istream'],
  ['So', 'std::ostream'],
  ['Sd', 'std::iostream'],
  ['St', 'std'],
]);
const SUBSTITUTED = /[ST][0-9A-Z]*_/y;
const CONSTRUCTOR = /C[I1-5]/y;
const DESTRUCTOR = /D[0-5]/y;
const LAMBDA = /Ul/y;
const LENGTH = /\d+/y;
const OPERATOR = /cv|[a-z][a-zA-Z]/y;
const OPERATORS = new Map([
  ['nw', ' new'],
  ['na', ' new[]'],
  ['dl', ' delete'],
  ['da', ' delete[]'],
  ['cl', '()'],
  ['ix', '[]'],
  ['eq', '=='],
  ['ne', '!='],
  ['lt', '<'],
  ['ls', '<<'],
  ['rs', '>>'],
  ['aS', '='],
  ['pL', '+='],
  ['pp', '++'],
  ['pt', '->'],
  ['de', '*'],
]);
const UNNAMED = /^_GLOBAL__N/;
/** What opens a list in a type that `E` closes. */
const OPENING = /[NIXJFZ]/;
const LITERAL_VALUE = /n?[0-9a-f_]*E/y;
/** Pointers to and references of a type, and arrays of it. */
const TYPE_MARKS = /(?:[PRKOV]|A\d*_)+/y;
/** Distinguishes lambdas of a function. */
const NUMBER = /\d*_/y;

/**
 * Names a function of C++ as its source does, without parameters and the arguments of templates, which make the names in a
 * flame graph long.
 *
 * @param {string} symbol as the compiler wrote it: `_ZN2v88internal4Heap14CollectGarbageEv`
 * @returns {string} `v8::internal::Heap::CollectGarbage`; the symbol itself if it is of another kind
 */
export function demangle(symbol) {
  if (!symbol.startsWith('_Z')) return symbol;
  const text = openText(symbol, 2);
  const isNested = text.skip('N');
  /** @type {string[]} */
  const parts = [];
  do {
    const part = takePart(text, parts.at(-1) ?? '');
    if (part === null) return symbol;
    if (part !== '') parts.push(part);
    // `St` is only the beginning of a name.
  } while (isNested ? !text.skip('E') : parts.at(-1) === 'std');
  return parts.length === 0 ? symbol : parts.join('::');
}

/** @typedef {ReturnType<typeof openText>} Text */

/** @param {string} all @param {number} at place of the first character that is read */
function openText(all, at) {
  return {
    /** @param {RegExp} pattern sticky  @returns {string | null} what is read */
    take(pattern) {
      pattern.lastIndex = at;
      const [found] = pattern.exec(all) ?? [null];
      at += found?.length ?? 0;
      return found;
    },
    /** @param {string} character  @returns {boolean} whether it was there */
    skip(character) {
      const isThere = all.startsWith(character, at);
      if (isThere) at += character.length;
      return isThere;
    },
    /** @param {number} length  @returns {string} shorter at the end of the text */
    read(length) {
      at += length;
      return all.slice(at - length, at);
    },
  };
}

/** @type {(text: Text, last: string) => string | null} '' for what has no name; null if it is not understood */
function takePart(text, last) {
  while (text.take(MARKS) !== null);
  const standard = text.take(STANDARD);
  if (standard !== null) return /** @type {string} */ (ABBREVIATED.get(standard));
  if (text.skip('I')) return skipList(text) ? '' : null;
  if (text.take(CONSTRUCTOR) !== null) return last;
  if (text.take(DESTRUCTOR) !== null) return `~${last}`;
  if (text.take(LAMBDA) !== null) {
    return skipLambda(text) ? '{lambda}' : null;
  }
  if (text.skip('B')) return text.read(Number(text.take(LENGTH))) === '' ? null : '';
  const length = text.take(LENGTH);
  if (length !== null) {
    const name = text.read(Number(length));
    return UNNAMED.test(name) ? '(anonymous namespace)' : name;
  }
  const operator = text.take(OPERATOR);
  return operator === null ? null : `operator${OPERATORS.get(operator) ?? ''}`;
}

/** @type {(text: Text) => boolean} after `Ul` */
function skipLambda(text) {
  return skipList(text) && text.take(NUMBER) !== null;
}

/** Skips what is left of a list, and the `E` that closes it. @type {(text: Text) => boolean} */
function skipList(text) {
  while (!text.skip('E')) {
    if (!skipItem(text)) return false;
  }
  return true;
}

/** @type {(text: Text) => boolean} whether there was a type, a literal or a part of them */
function skipItem(text) {
  text.take(TYPE_MARKS);
  if (text.take(SUBSTITUTED) !== null || text.take(STANDARD) !== null) return true;
  if (text.take(LAMBDA) !== null) return skipLambda(text);
  if (text.skip('L')) {
    if (text.skip('_Z')) return skipList(text);
    return skipItem(text) && text.take(LITERAL_VALUE) !== null;
  }
  const length = text.take(LENGTH);
  if (length !== null) return text.read(Number(length)) !== '';
  const character = text.read(1);
  return OPENING.test(character) ? skipList(text) : character !== '';
}
