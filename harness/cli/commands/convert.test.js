import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../lib/errors.js';
import { callAssay } from '../../testing/support/project.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

const workingPath = makeTestDirectory('convert');

const frames = [{ name: 'main' }, { name: 'parse', file: '/srv/a b.js', line: 3, col: 4 }];
const range = { type: 'sampled', startValue: 0, endValue: 3 };
const SEVERAL = {
  shared: { frames },
  profiles: [
    { ...range, name: 'worker', unit: 'none', samples: [[0, 1]], weights: [3] },
    { ...range, name: 'main thread', unit: 'bytes', samples: [[0], []], weights: [2, 1] },
    { ...range, name: 'idle', unit: 'none', samples: [], weights: [] },
  ],
  activeProfileIndex: 1,
};
const CPU = {
  nodes: [
    node(1, '(root)', { children: [2, 3, 4] }),
    node(2, 'main', { positionTicks: [{ line: 2, ticks: 1 }], hitCount: 1 }),
    node(3, '(idle)'),
    node(4, 'never'),
  ],
  startTime: 0,
  endTime: 3,
  samples: [2, 3, 3],
  timeDeltas: [0, 1, 1],
};

/** @param {number} id @param {string} functionName @param {object} [more] */
function node(id, functionName, more) {
  const url = functionName === 'main' ? '/srv/a.js' : '';
  return { id, callFrame: { functionName, url, lineNumber: 0, columnNumber: 0 }, ...more };
}

/** @param {unknown} json @param {string[]} options */
async function convert(json, options) {
  writeFileSync(join(workingPath, 'profile'), JSON.stringify(json));
  return callAssay(['convert', 'profile', ...options], { workingPath });
}

test.each([
  {
    name: 'the active one is written',
    json: SEVERAL,
    options: [],
    stdout: 'main 2\n',
    notes: [
      "'main thread' is written, profile 2 of 3; --profile NUMBER chooses another, --to speedscope writes all",
      'left out: 2 other profiles and 1 period without a frame',
    ],
  },
  {
    name: 'one is chosen by its name',
    json: SEVERAL,
    options: ['--profile', 'worker'],
    stdout: 'main;parse (/srv/a b.js:3:4) 3\n',
    notes: [],
  },
  {
    name: 'one is chosen by its number',
    json: SEVERAL,
    options: ['--profile', '1'],
    stdout: 'main;parse (/srv/a b.js:3:4) 3\n',
    notes: [],
  },
  {
    name: 'what is left out is counted once',
    json: CPU,
    options: ['--to', 'folded'],
    stdout: 'main (…/srv/a.js:1:1) 1000\n',
    notes: ['left out: 2 idle samples, 1 weight of a source line and 1 stack without weight'],
  },
])('$name', async ({ json, options, stdout, notes }) => {
  expect(await convert(json, options)).toEqual({
    status: EXIT.done,
    stdout,
    stderr: notes.map((note) => `note: ${note}\n`).join(''),
  });
});

test('all profiles are written for speedscope, each with its unit', async () => {
  const { stdout, stderr } = await convert(SEVERAL, ['--to', 'speedscope']);
  const { profiles } = JSON.parse(stdout);
  expect(profiles).toMatchObject([
    { name: 'worker', unit: 'none', endValue: 3 },
    { name: 'main thread', unit: 'bytes', endValue: 2 },
  ]);
  expect(stderr).toBe('note: left out: 1 period without a frame and 1 profile without weight\n');
});

test.each([
  ['a profile that does not exist', SEVERAL, ['--profile', 'wrker'], "did you mean 'worker'?"],
  ['a profile without weight', SEVERAL, ['--profile', 'idle'], 'no stack has a weight'],
  [
    'a broken profile',
    { ...SEVERAL, profiles: [...SEVERAL.profiles, { ...range, name: 'far', unit: 'parsecs' }] },
    ['--to', 'speedscope'],
    "profile 'far': ",
  ],
])('%s is refused', async (_, json, options, message) => {
  const { status, stdout, stderr } = await convert(json, options);
  expect({ status, stdout }).toEqual({ status: EXIT.usage, stdout: '' });
  expect(stderr).toContain(message);
});

test('standard input is read', async () => {
  const argv = ['convert', '-', '--to', 'speedscope'];
  const { stdout } = await callAssay(argv, { workingPath, input: Buffer.from('main;parse 3\n') });
  expect(JSON.parse(stdout)).toMatchObject({ name: 'standard input', profiles: [{ endValue: 3 }] });
  const missing = await callAssay(argv, { workingPath });
  expect(missing.status).toBe(EXIT.usage);
});
