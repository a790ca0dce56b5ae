/** Writes small heap snapshots in V8's format. */

const NODE_TYPES = ['hidden', 'array', 'string', 'object', 'native', 'synthetic', 'object shape'];
const EDGE_TYPES = ['context', 'element', 'property', 'internal', 'hidden', 'shortcut', 'weak'];

/**
 * @typedef {{ type: string, name: string, bytes: number }} SketchedNode
 * @typedef {[from: number, type: string, name: string | number, to: number]} SketchedEdge
 */

/**
 * @param {SketchedNode[]} nodes the root first
 * @param {SketchedEdge[]} edges
 * @returns {string} JSON; the id of a node is twice its index plus one
 */
export function writeSnapshot(nodes, edges) {
  /** @type {string[]} */
  const strings = [];
  const indexOf = (/** @type {string} */ text) => {
    const found = strings.indexOf(text);
    return found === -1 ? strings.push(text) - 1 : found;
  };
  const ordered = nodes.map((_, node) => edges.filter(([from]) => from === node));
  const nodeFields = nodes.map(({ type, name, bytes }, node) =>
    [
      NODE_TYPES.indexOf(type),
      indexOf(name),
      2 * node + 1,
      bytes,
      ordered[node].length,
      0,
      0,
    ].join(),
  );
  const edgeFields = ordered
    .flat()
    .map(([, type, name, to]) =>
      [EDGE_TYPES.indexOf(type), typeof name === 'number' ? name : indexOf(name), to * 7].join(),
    );
  const meta = {
    node_fields: ['type', 'name', 'id', 'self_size', 'edge_count', 'trace_node_id', 'detachedness'],
    node_types: [NODE_TYPES, 'string', 'number', 'number', 'number', 'number', 'number'],
    edge_fields: ['type', 'name_or_index', 'to_node'],
    edge_types: [EDGE_TYPES, 'string_or_number', 'node'],
  };
  const head = { meta, node_count: nodes.length, edge_count: edges.length };
  return `{"snapshot":${JSON.stringify(head)},
"nodes":[${nodeFields.join('\n,')}],
"edges":[${edgeFields.join('\n,')}],
"trace_function_infos":[],
"locations":[1,2,3],
"strings":${JSON.stringify(strings)}}`;
}

/**
 * @param {string} text
 * @param {number} size bytes per chunk
 * @returns {Uint8Array[]}
 */
export function cutIntoChunks(text, size) {
  const bytes = Buffer.from(text);
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}
