import { writePerfData } from './test-support/perf-data.js';
import { readPerfData } from './perf-data.js';

const WINDOW = { startMs: 1000, endMs: 2000 };
const NODE = { start: 0x40_0000, length: 0x1000, offset: 0x2000, object: '/usr/bin/node' };
const PROCESS = 7;

test('samples in the window have places in the mapped files', () => {
  const file = writePerfData([
    { process: PROCESS, mapping: NODE },
    { process: PROCESS, thread: 8, timeMs: 999, stack: [0x40_0000] },
    { process: PROCESS, thread: 8, timeMs: 1000, stack: [0x40_0010, 0x7f00_0000_0000] },
    { process: 9, thread: 9, timeMs: 2000, stack: [0x40_0010] },
    { process: PROCESS, thread: 8, timeMs: 2001, stack: [0x40_0000] },
  ]);
  expect(readPerfData(file, WINDOW)).toEqual([
    {
      thread: '8',
      stack: [
        { address: 0x40_0010, object: '/usr/bin/node', offset: 0x2010 },
        { address: 0x7f00_0000_0000, object: '[unknown]', offset: 0 },
      ],
    },
    { thread: '9', stack: [{ address: 0x40_0010, object: '[unknown]', offset: 0 }] },
  ]);
});

test('a later mapping covers an earlier one', () => {
  const shell = { ...NODE, object: '/bin/sh' };
  const sample = { process: PROCESS, thread: 8, timeMs: 1500, stack: [0x40_0010] };
  const mapped = [shell, NODE].flatMap((mapping) => [{ process: PROCESS, mapping }, sample]);
  const objects = readPerfData(writePerfData(mapped), WINDOW).map(({ stack }) => stack[0].object);
  expect(objects).toEqual(['/bin/sh', '/usr/bin/node']);
});

test('marks and addresses of the kernel are left out of a stack', () => {
  const stack = [-512, -4096, 0x40_0010];
  const file = writePerfData([{ process: PROCESS, thread: 8, timeMs: 1500, stack }]);
  expect(readPerfData(file, WINDOW)[0].stack).toHaveLength(1);
});

test.each([
  ['another file', Buffer.from('#'.repeat(200)), 'does not begin with PERFILE2'],
  ['a recording without stacks', writePerfData([], { fields: 7 }), 'no call stacks'],
  [
    'a file that ends in a record',
    writePerfData([{ process: PROCESS, mapping: NODE }]).subarray(0, -8),
    'truncated',
  ],
])('%s is refused', (_, file, problem) => {
  expect(() => readPerfData(file, WINDOW)).toThrow(
    expect.objectContaining({ name: 'FormatError', message: expect.stringContaining(problem) }),
  );
});
