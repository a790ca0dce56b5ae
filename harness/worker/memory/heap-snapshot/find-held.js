/** @import { HeapGraph } from './read-snapshot.js' */

/** Name of the class whose only instance holds the list of documents in a worker. */
const HOLDER_CLASS = 'AssayHeldDocuments';
/** Its property with the list. */
const HOLDER_PROPERTY = 'documents';

/**
 * Finds the list of held documents.
 *
 * @param {HeapGraph} graph
 * @returns {number} node
 * @throws {RangeError} when the snapshot does not have it
 */
export function findHeldList(graph) {
  const { strings, nodeTypes, nodeNames, edgeTypes, edgeNames, edgeTargets, firstEdge } = graph;
  const object = graph.nodeTypeNames.indexOf('object');
  const property = graph.edgeTypeNames.indexOf('property');
  const className = strings.indexOf(HOLDER_CLASS);
  const propertyName = strings.indexOf(HOLDER_PROPERTY);
  for (let node = 0; node < graph.nodeCount; node++) {
    if (nodeNames[node] !== className || nodeTypes[node] !== object) continue;
    for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge++) {
      if (edgeTypes[edge] === property && edgeNames[edge] === propertyName)
        return edgeTargets[edge];
    }
  }
  throw new RangeError(`the heap snapshot has no ${HOLDER_CLASS} with ${HOLDER_PROPERTY}`);
}

/**
 * Documents in the list that nothing else keeps alive.
 *
 * @param {HeapGraph} graph
 * @param {Uint32Array} dominators by node
 * @param {number} list node
 * @returns {number[]} nodes
 */
export function listHeldDocuments(graph, dominators, list) {
  const element = graph.edgeTypeNames.indexOf('element');
  const documents = new Set();
  for (let edge = graph.firstEdge[list]; edge < graph.firstEdge[list + 1]; edge++) {
    const target = graph.edgeTargets[edge];
    if (graph.edgeTypes[edge] === element && dominators[target] === list) documents.add(target);
  }
  return [...documents];
}
