/**
 * Runs in a separate process, with arguments such as `buffer.buffer`, the module of a class and the field of its
 * ids: prints how V8 represents the ids and the values in the field, as JSON, by class and by how the ids were
 * created.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeHeapSnapshot } from 'node:v8';

/**
 * @typedef {object} Weights
 * @property {number[]} idBytes shallow sizes that occur
 * @property {string[]} valueTypes what the field holds, as heap snapshots call it
 * @property {number[]} valueBytes shallow sizes that occur
 */

const COUNT = 300;
const HEX = '65a1b2c3d4e5f6071829';

/** @type {(module: any) => Record<string, (index: number) => any>} */
const listWays = ({ ObjectId, readObjectId }) => ({
  new: () => new ObjectId(),
  read: (index) => readObjectId(Buffer.alloc(20, index), 5),
  hex: (index) => new ObjectId(Buffer.from(hexOf(index)).toString()),
  rope: (index) => new ObjectId(HEX + hexOf(index).slice(20)),
  slice: (index) => new ObjectId(`${'x'.repeat(999)}${hexOf(index)}`.slice(999)),
  upperCase: (index) => new ObjectId(hexOf(index).toUpperCase()),
  bytes: (index) => new ObjectId(Buffer.alloc(12, index)),
  time: (index) => ObjectId.createFromTime(index),
  assigned: (index) => Object.assign(new ObjectId(), { id: Buffer.alloc(12, index) }),
});

/** A named class, to find it in the snapshot. */
class Scale {
  /** @type {Record<string, any[]>} */
  ids = {};
}
const scale = new Scale();
const classes = process.argv.slice(2).map((argument) => argument.split('.'));
for (const [name] of classes) {
  const module = await import(new URL(`../${name}.js`, import.meta.url).href);
  for (const [way, make] of Object.entries(listWays(module))) {
    scale.ids[`${name} ${way}`] = Array.from({ length: COUNT }, (_, index) => make(index));
  }
}
const graph = readGraph(takeSnapshot());
/** @type {Record<string, Record<string, Weights>>} */
const weights = {};
for (const [name = '', field = ''] of classes) {
  const keys = Object.keys(scale.ids).filter((key) => key.startsWith(`${name} `));
  weights[name] = Object.fromEntries(keys.map((key) => [key, weigh(key, field)]));
}
process.stdout.write(JSON.stringify(weights));

/** @type {(index: number) => string} */
function hexOf(index) {
  return `${HEX}${index.toString(16).padStart(4, '0')}`;
}

/** @returns {any} */
function takeSnapshot() {
  const directory = mkdtempSync(join(tmpdir(), 'assay-weigh-ids-'));
  try {
    return JSON.parse(readFileSync(writeHeapSnapshot(join(directory, 'ids.heapsnapshot')), 'utf8'));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** @type {(key: string, field: string) => Weights} */
function weigh(key, field) {
  const array = graph.follow(graph.follow(graph.find('Scale', 'ids'), 'ids'), key);
  const ids = graph.listElements(array);
  if (ids.length !== COUNT) throw new Error(`found ${ids.length} of ${COUNT} ids`);
  const values = ids.map((id) => graph.follow(id, field));
  return {
    idBytes: distinct(ids.map(graph.sizeOf)),
    valueTypes: distinct(values.map(graph.typeOf)),
    valueBytes: distinct(values.map(graph.sizeOf)),
  };
}

/**
 * @template T
 * @param {T[]} values
 * @returns {T[]}
 */
function distinct(values) {
  return [...new Set(values)];
}

/**
 * @typedef {object} Edge
 * @property {string} label of a property, `[]` for an element of an array
 * @property {number} to
 */

/** @param {any} snapshot as V8 writes it */
function readGraph({ snapshot, nodes, edges, strings }) {
  const { node_fields: nodeFields, node_types: nodeTypes } = snapshot.meta;
  const { edge_fields: edgeFields, edge_types: edgeTypes } = snapshot.meta;
  const [type, title, size, edgeCount] = ['type', 'name', 'self_size', 'edge_count'].map((part) =>
    nodeFields.indexOf(part),
  );
  /** @type {Map<number, Edge[]>} */
  const outgoing = new Map();
  for (let node = 0, edge = 0; node < nodes.length; node += nodeFields.length) {
    const links = [];
    for (let left = nodes[node + edgeCount]; left > 0; left--, edge += edgeFields.length) {
      const kind = edgeTypes[0][edges[edge]];
      const label = kind === 'property' ? strings[edges[edge + 1]] : kind === 'element' ? '[]' : '';
      links.push({ label, to: edges[edge + 2] });
    }
    outgoing.set(node, links);
  }

  /** @type {(node: number, label: string) => number[]} */
  function list(node, label) {
    return (outgoing.get(node) ?? []).filter((link) => link.label === label).map(({ to }) => to);
  }

  return {
    /** @param {number} node */
    sizeOf: (node) => nodes[node + size],
    /** @param {number} node */
    typeOf: (node) => nodeTypes[0][nodes[node + type]],
    /**
     * @param {string} name
     * @param {string} label of a property that it has
     */
    find: (name, label) =>
      [...outgoing.keys()].find(
        (node) => strings[nodes[node + title]] === name && list(node, label).length > 0,
      ) ?? NaN,
    /**
     * @param {number} node
     * @param {string} label
     */
    follow: (node, label) => list(node, label)[0] ?? NaN,
    /** @param {number} array */
    listElements: (array) => list(array, '[]'),
  };
}
