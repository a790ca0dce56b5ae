/** @import { HeapGraph } from './read-snapshot.js' */

/** Labels of node types whose name is the text of a string or meaningless. */
const NAMES_BY_TYPE = new Map([
  ['string', 'string'],
  ['concatenated string', 'string (rope)'],
  ['sliced string', 'string (slice)'],
  ['number', 'number'],
  ['bigint', 'bigint'],
  ['symbol', 'symbol'],
  ['closure', 'Function'],
  ['regexp', 'RegExp'],
  ['code', '(code)'],
  ['object shape', '(hidden classes)'],
]);

/** Longer names of constructors are truncated. */
const MAX_NAME_LENGTH = 60;

/**
 * Label of each node: its constructor, or the kind of V8's internal object.
 * @type {(graph: HeapGraph) => (node: number) => string}
 */
export function makeNodeLabeller({ nodeTypes, nodeTypeNames, nodeNames, strings }) {
  const fixed = nodeTypeNames.map((typeName) => NAMES_BY_TYPE.get(typeName));
  /** @type {Map<number, string>} */
  const labels = new Map();
  return function labelNode(node) {
    const ofType = fixed[nodeTypes[node]];
    if (ofType !== undefined) return ofType;
    const name = nodeNames[node];
    let label = labels.get(name);
    if (label === undefined) labels.set(name, (label = tidyName(strings[name])));
    return label;
  };
}

/** @param {string} name as in the snapshot @returns {string} */
function tidyName(name) {
  // Newer V8 names plain objects by their keys.
  if (name.startsWith('{')) return 'Object';
  const plain = name.replace(/^system \/ /, '');
  if (plain === 'JSArrayBufferData') return 'ArrayBuffer data';
  if (plain === '') return '(internal)';
  return plain.slice(0, MAX_NAME_LENGTH);
}
