import { readSnapshot } from './read-snapshot.js';
import { cutIntoChunks, writeSnapshot } from './test-support/write-snapshot.js';

const TEXT = writeSnapshot(
  [
    { type: 'synthetic', name: '', bytes: 0 },
    { type: 'object', name: 'Größe "x"', bytes: 4_294_967_296 },
    { type: 'string', name: 'tail', bytes: 24 },
  ],
  [
    [0, 'element', 7, 1],
    [1, 'property', 'field', 2],
    [1, 'weak', 'self', 1],
  ],
);

describe('a heap snapshot', () => {
  test.each([1, 7, 64, 100_000])('is read in chunks of %i bytes', async (size) => {
    const graph = await readSnapshot(cutIntoChunks(TEXT, size));
    expect(graph.nodeCount).toBe(3);
    expect([...graph.selfBytes]).toEqual([0, 4_294_967_296, 24]);
    expect([...graph.nodeIds]).toEqual([1, 3, 5]);
    expect([...graph.nodeNames].map((name) => graph.strings[name])).toEqual([
      '',
      'Größe "x"',
      'tail',
    ]);
    expect([...graph.nodeTypes].map((type) => graph.nodeTypeNames[type])).toEqual([
      'synthetic',
      'object',
      'string',
    ]);
    expect([...graph.firstEdge]).toEqual([0, 1, 3, 3]);
    expect([...graph.edgeTargets]).toEqual([1, 2, 1]);
    expect([...graph.edgeTypes].map((type) => graph.edgeTypeNames[type])).toEqual([
      'element',
      'property',
      'weak',
    ]);
    expect(graph.edgeNames[0]).toBe(7);
    expect(graph.strings[graph.edgeNames[1]]).toBe('field');
  });

  test('that is truncated is refused', async () => {
    const cut = TEXT.slice(0, TEXT.indexOf('"edges"') - 5);
    await expect(readSnapshot(cutIntoChunks(cut, 50))).rejects.toThrow(/ends within its numbers/);
    const noStrings = TEXT.slice(0, TEXT.indexOf('"strings"'));
    await expect(readSnapshot(cutIntoChunks(noStrings, 50))).rejects.toThrow(/has no "strings"/);
  });
});
