/**
 * A heap snapshot as columns. Nodes and edges are identified by index; the edges of node n are those from
 * `firstEdge[n]` up to `firstEdge[n + 1]`. Node 0 is the root.
 *
 * @typedef {object} HeapGraph
 * @property {number} nodeCount
 * @property {string[]} strings
 * @property {string[]} nodeTypeNames `object`, `string`, `native`, …
 * @property {Uint8Array} nodeTypes index of `nodeTypeNames`
 * @property {Uint32Array} nodeNames index of `strings`
 * @property {Uint32Array} nodeIds
 * @property {Float64Array} selfBytes
 * @property {Uint32Array} firstEdge
 * @property {string[]} edgeTypeNames `property`, `element`, `weak`, …
 * @property {Uint8Array} edgeTypes index of `edgeTypeNames`
 * @property {Uint32Array} edgeNames index of `strings`, or a number for elements and hidden edges
 * @property {Uint32Array} edgeTargets node
 */

/**
 * Reads the output of `v8.writeHeapSnapshot` (V8's `heap-snapshot-generator.cc`; the names of the
 * fields are in the header of the snapshot).
 *
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} chunks
 * @returns {Promise<HeapGraph>}
 * @throws {SyntaxError} when it is truncated or not a snapshot
 */
export async function readSnapshot(chunks) {
  const reader = openChunkReader(chunks);
  const head = await reader.readUntil('"nodes":[');
  const { snapshot } = JSON.parse(`${head.slice(0, head.lastIndexOf(','))}}`);
  const graph = makeColumns(snapshot);
  await reader.readNumbers(makeNodeFiller(graph, snapshot.meta.node_fields));
  for (let node = 0; node < graph.nodeCount; node++)
    graph.firstEdge[node + 1] += graph.firstEdge[node];
  await reader.readUntil('"edges":[');
  const { node_fields: nodeFields, edge_fields: edgeFields } = snapshot.meta;
  await reader.readNumbers(makeEdgeFiller(graph, edgeFields, nodeFields.length));
  await reader.readUntil('"strings":[');
  const rest = await reader.readRest();
  graph.strings = JSON.parse(`[${rest.slice(0, rest.lastIndexOf(']'))}]`);
  return graph;
}

/**
 * @param {{ node_count: number, edge_count: number,
 *   meta: { node_types: string[][], edge_types: string[][] } }} snapshot
 * @returns {HeapGraph}
 */
function makeColumns({ node_count: nodeCount, edge_count: edgeCount, meta }) {
  return {
    nodeCount,
    strings: [],
    nodeTypeNames: meta.node_types[0],
    nodeTypes: new Uint8Array(nodeCount),
    nodeNames: new Uint32Array(nodeCount),
    nodeIds: new Uint32Array(nodeCount),
    selfBytes: new Float64Array(nodeCount),
    firstEdge: new Uint32Array(nodeCount + 1),
    edgeTypeNames: meta.edge_types[0],
    edgeTypes: new Uint8Array(edgeCount),
    edgeNames: new Uint32Array(edgeCount),
    edgeTargets: new Uint32Array(edgeCount),
  };
}

/** @param {HeapGraph} graph @param {string[]} fields in the order of the snapshot */
function makeNodeFiller(graph, fields) {
  const [type, name, id, size, edges] = ['type', 'name', 'id', 'self_size', 'edge_count'].map(
    (field) => fields.indexOf(field),
  );
  const width = fields.length;
  /** @param {number} value @param {number} index */
  return function fillNode(value, index) {
    const node = Math.floor(index / width);
    const field = index - node * width;
    if (field === type) graph.nodeTypes[node] = value;
    else if (field === name) graph.nodeNames[node] = value;
    else if (field === id) graph.nodeIds[node] = value;
    else if (field === size) graph.selfBytes[node] = value;
    else if (field === edges) graph.firstEdge[node + 1] = value;
  };
}

/**
 * @param {HeapGraph} graph
 * @param {string[]} fields in the order of the snapshot
 * @param {number} nodeWidth fields of a node: edges refer to a node by the index of its first field
 */
function makeEdgeFiller(graph, fields, nodeWidth) {
  const [type, name, target] = ['type', 'name_or_index', 'to_node'].map((field) =>
    fields.indexOf(field),
  );
  const width = fields.length;
  /** @param {number} value @param {number} index */
  return function fillEdge(value, index) {
    const edge = Math.floor(index / width);
    const field = index - edge * width;
    if (field === type) graph.edgeTypes[edge] = value;
    else if (field === name) graph.edgeNames[edge] = value;
    else if (field === target) graph.edgeTargets[edge] = value / nodeWidth;
  };
}

const COMMA = 0x2c;
const CLOSING_BRACKET = 0x5d;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * Reads JSON of known structure incrementally, since snapshots can exceed V8's longest string.
 *
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} chunks
 */
function openChunkReader(chunks) {
  const iterator =
    Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  /** @type {Buffer} */
  let chunk = Buffer.alloc(0);
  let position = 0;

  /** @returns {Promise<boolean>} whether there is more */
  async function advance() {
    const { done, value } = await iterator.next();
    if (done) return false;
    chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    position = 0;
    return true;
  }

  return {
    /**
     * @param {string} marker ASCII
     * @returns {Promise<string>} text before the marker, which is skipped
     * @throws {SyntaxError} when it is missing
     */
    async readUntil(marker) {
      let text = '';
      do {
        const searchFrom = Math.max(0, text.length - marker.length);
        text += chunk.toString('latin1', position);
        const found = text.indexOf(marker, searchFrom);
        if (found !== -1) {
          position = chunk.length - (text.length - found - marker.length);
          return text.slice(0, found);
        }
      } while (await advance());
      throw new SyntaxError(`the heap snapshot has no ${marker}`);
    },

    /**
     * Reads whole numbers up to the end of their array.
     *
     * @param {(value: number, index: number) => void} deliver
     * @returns {Promise<number>} number of values
     * @throws {SyntaxError} when the array does not end
     */
    async readNumbers(deliver) {
      let value = 0;
      let digits = 0;
      let count = 0;
      do {
        while (position < chunk.length) {
          const byte = chunk[position++];
          if (byte >= ZERO && byte <= NINE) {
            value = value * 10 + byte - ZERO;
            digits++;
          } else if (digits > 0 && (byte === COMMA || byte === CLOSING_BRACKET)) {
            deliver(value, count++);
            value = 0;
            digits = 0;
          }
          if (byte === CLOSING_BRACKET) return count;
        }
      } while (await advance());
      throw new SyntaxError('the heap snapshot ends within its numbers');
    },

    /** @returns {Promise<string>} the rest as UTF-8 */
    async readRest() {
      const rest = [chunk.subarray(position)];
      while (await advance()) rest.push(chunk);
      return Buffer.concat(rest).toString('utf8');
    },
  };
}
