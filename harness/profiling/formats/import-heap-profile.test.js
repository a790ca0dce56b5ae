import { expect, test } from '@jest/globals';
import { FormatError } from '../../lib/errors.js';
import { listStacks, readFixture, sumWeights } from '../profiles/fixtures/read-fixture.js';
import { importHeapProfile } from './import-heap-profile.js';

/**
 * @param {string} functionName
 * @param {number} selfSize
 * @param {object[]} [children]
 */
function node(functionName, selfSize, children) {
  const callFrame = { functionName, url: '', lineNumber: -1, columnNumber: -1 };
  return { callFrame, selfSize, ...(children === undefined ? {} : { children }) };
}

test('bytes by stack; those of the root belong to the program', () => {
  const head = node('(root)', 3, [node('(V8 API)', 5), node('Map', 7, [node('', 11)])]);
  const profile = importHeapProfile({ head, samples: [{}, {}] }, '/project');
  expect(listStacks(profile)).toEqual({
    '(program)': 3,
    '(V8 API)': 5,
    Map: 7,
    'Map > (anonymous)': 11,
  });
  expect(profile).toMatchObject({ unit: 'bytes', source: 'v8-heap-profile', samples: 2 });
});

test('a recorded profile keeps its bytes and names our functions', () => {
  const text = readFixture('generator-flat.heapprofile');
  const profile = importHeapProfile(text, '/project');
  let bytes = 0;
  const waiting = [JSON.parse(text).head];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    bytes += next.selfSize;
    waiting.push(...next.children);
  }
  expect(sumWeights(profile)).toBe(bytes);
  expect(profile.frames).toContainEqual(
    expect.objectContaining({
      name: 'generateFields',
      kind: 'js',
      file: 'experiments/js-bson/traversals/write-generator.js',
      line: 87,
    }),
  );
});

test.each([
  ['text that is not JSON', ''],
  ['no head', {}],
  ['a child without a size', { head: node('(root)', 0, [{}]) }],
])('%s is refused with a remedy', (_, broken) => {
  expect(() => importHeapProfile(broken, '/project')).toThrow(FormatError);
  expect(() => importHeapProfile(broken, '/project')).toThrow(
    expect.objectContaining({ remedy: expect.stringContaining('--heap-prof') }),
  );
});
