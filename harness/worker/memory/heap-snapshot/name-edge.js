/** @import { HeapGraph } from './read-snapshot.js' */

const MAX_NAME_LENGTH = 60;

/**
 * Label of an edge.
 *
 * @param {HeapGraph} graph
 * @param {number} edge
 * @returns {string} a property's name; `[…]` for elements; internal edges in parentheses
 */
export function nameEdge({ edgeTypes, edgeTypeNames, edgeNames, strings }, edge) {
  const type = edgeTypeNames[edgeTypes[edge]];
  if (type === 'element') return '[…]';
  if (type === 'hidden') return '(internal)';
  const name = strings[edgeNames[edge]].slice(0, MAX_NAME_LENGTH);
  return type === 'internal' ? `(${name})` : name;
}
