import { sumHeld } from './held.js';
import { readSnapshot } from './read-snapshot.js';
import { cutIntoChunks, writeSnapshot } from './test-support/write-snapshot.js';

/** @import { SketchedEdge, SketchedNode } from './test-support/write-snapshot.js' */

/**
 * Two documents, each with an id; the buffers of the ids are in one slab. The documents share a hidden class,
 * and a prototype is outside.
 * @type {() => { nodes: SketchedNode[], edges: SketchedEdge[] }}
 */
function sketchHeap() {
  const nodes = [
    { type: 'synthetic', name: '', bytes: 0 },
    { type: 'object', name: 'AssayHeldDocuments', bytes: 24 },
    { type: 'object', name: 'Array', bytes: 32 },
    { type: 'array', name: '(object elements)', bytes: 32 },
    ...[1, 2].flatMap(() => [
      { type: 'object', name: 'Object', bytes: 56 },
      { type: 'object', name: 'ObjectId', bytes: 32 },
      { type: 'object', name: 'Buffer', bytes: 96 },
      { type: 'string', name: 'a text', bytes: 40 },
    ]),
    { type: 'object', name: 'ArrayBuffer', bytes: 88 },
    { type: 'native', name: 'system / JSArrayBufferData', bytes: 8192 },
    { type: 'object shape', name: 'system / Map', bytes: 80 },
    { type: 'object', name: 'ObjectId', bytes: 1000 },
  ];
  /** @type {SketchedEdge[]} */
  const edges = [
    [0, 'element', 1, 1],
    [0, 'element', 2, 15],
    [1, 'property', 'documents', 2],
    [2, 'internal', 'elements', 3],
    ...[4, 8].flatMap((document, index) => {
      /** @type {SketchedEdge[]} */
      const own = [
        [2, 'element', index, document],
        [3, 'internal', String(index), document],
        [document, 'property', '_id', document + 1],
        [document, 'property', 'text', document + 3],
        [document, 'internal', 'map', 14],
        [document + 1, 'property', 'buffer', document + 2],
        [document + 1, 'property', '__proto__', 15],
        [document + 1, 'weak', 'other', 3],
        [document + 2, 'internal', 'buffer', 12],
      ];
      return own;
    }),
    [12, 'internal', 'backing_store', 13],
  ];
  return { nodes, edges };
}

/** @param {{ nodes: SketchedNode[], edges: SketchedEdge[] }} sketch */
function read({ nodes, edges }) {
  return readSnapshot(cutIntoChunks(writeSnapshot(nodes, edges), 1000));
}

describe('the memory of held documents', () => {
  test('excludes their list, their common hidden class and objects that others hold', async () => {
    const held = sumHeld(await read(sketchHeap()), 2);
    expect(held.documents).toBe(2);
    expect(held.heapBytes).toBe(56 + 32 + 96 + 40 + 88 / 2);
    expect(held.offHeapBytes).toBe(8192 / 2);
  });

  test('is listed by kind of object', async () => {
    const { composition } = sumHeld(await read(sketchHeap()), 2);
    expect(composition.map(({ name, perDocument }) => [name, perDocument])).toEqual([
      ['ArrayBuffer data', 0.5],
      ['Buffer', 1],
      ['Object', 1],
      ['ArrayBuffer', 0.5],
      ['string', 1],
      ['ObjectId', 1],
    ]);
  });

  test('is listed by field for documents and every constructor', async () => {
    const { groups } = sumHeld(await read(sketchHeap()), 2);
    const id = groups.find(({ name }) => name === 'ObjectId');
    expect(id).toEqual({
      name: 'ObjectId',
      perDocument: 1,
      shallowBytes: 32,
      heapBytes: 32 + 96 + 44,
      offHeapBytes: 4096,
      parts: [
        { field: '', holds: 'ArrayBuffer', shared: true, heapBytes: 44, offHeapBytes: 4096 },
        { field: 'buffer', holds: 'Buffer', shared: false, heapBytes: 96, offHeapBytes: 0 },
      ],
    });
    expect(groups.map(({ name }) => name)).toEqual(['(document)', 'ObjectId', 'Buffer']);
    const [documents] = groups;
    expect(documents.parts.map(({ field, heapBytes }) => [field, heapBytes])).toEqual([
      ['', 44],
      ['_id', 128],
      ['text', 40],
    ]);
  });

  test('includes a slab that only one document uses', async () => {
    const { nodes, edges } = sketchHeap();
    const alone = edges.filter(([from, , , to]) => from !== 10 || to !== 12);
    const { groups } = sumHeld(await read({ nodes, edges: alone }), 2);
    const id = groups.find(({ name }) => name === 'ObjectId');
    expect(id?.offHeapBytes).toBe(4096);
    expect(id?.parts.every(({ shared }) => !shared)).toBe(true);
  });

  test('excludes the part of the last slab that no buffer uses', async () => {
    const lastSlab = { slabBytes: 8192, usedBytes: 32 };
    const { groups, offHeapBytes } = sumHeld(await read(sketchHeap()), 2, lastSlab);
    expect(offHeapBytes).toBe(16);
    expect(groups.map((group) => group.offHeapBytes)).toEqual([16, 16, 16]);
    const full = { slabBytes: 8192, usedBytes: 0 };
    expect(sumHeld(await read(sketchHeap()), 2, full).offHeapBytes).toBe(4096);
    const other = { slabBytes: 65_536, usedBytes: 32 };
    expect(sumHeld(await read(sketchHeap()), 2, other).offHeapBytes).toBe(4096);
  });

  test('excludes a slab that something else holds too', async () => {
    const { nodes, edges } = sketchHeap();
    edges.push([0, 'element', 3, 12]);
    const { offHeapBytes, heapBytes } = sumHeld(await read({ nodes, edges }), 2);
    expect([heapBytes, offHeapBytes]).toEqual([56 + 32 + 96 + 40, 0]);
  });

  test('includes the value of a WeakMap entry with its key, not with the table', async () => {
    const { nodes, edges } = sketchHeap();
    const value = nodes.push({ type: 'string', name: 'private', bytes: 16 }) - 1;
    const table = nodes.push({ type: 'array', name: '(table)', bytes: 64 }) - 1;
    const name = `1 / part of key (ObjectId @11) -> value (private @${2 * value + 1}) pair in WeakMap (table @${2 * table + 1})`;
    edges.push(
      [0, 'element', 4, table],
      [table, 'internal', name, value],
      [5, 'internal', name, value],
    );
    const { heapBytes } = sumHeld(await read({ nodes, edges }), 2);
    expect(heapBytes).toBe(56 + 32 + 96 + 40 + 44 + 16 / 2);
  });

  test('is unknown if the variant keeps documents itself', async () => {
    const { nodes, edges } = sketchHeap();
    edges.push([0, 'element', 3, 8]);
    const graph = await read({ nodes, edges });
    expect(() => sumHeld(graph, 2)).toThrow(/hold the 2 documents, but the snapshot shows 1 such/);
  });

  test('is unknown without the list', async () => {
    const graph = await read({
      nodes: [{ type: 'synthetic', name: '', bytes: 0 }],
      edges: [],
    });
    expect(() => sumHeld(graph, 1)).toThrow(/has no AssayHeldDocuments/);
  });
});
