import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../lib/errors.js';
import { callAssay, makeProject } from '../../testing/support/project.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

const directory = makeTestDirectory('setup');
const projectPath = join(directory, 'project');
beforeAll(() => {
  makeProject(projectPath, [
    makeFamily('plain'),
    makeFamily('river-bank', { leastVersion: '18' }),
    makeFamily('river-bed', { leastVersion: '999' }),
    makeFamily('broken', { leastVersion: '18', build: "await run('node', ['-e', 'throw 1']);" }),
  ]);
});

/**
 * @param {string} name
 * @param {{ leastVersion: string, build?: string }} [worker]
 * @returns {string} its folder
 */
function makeFamily(name, worker) {
  const path = join(directory, name);
  for (const folder of ['variants', 'operations'])
    mkdirSync(join(path, folder), { recursive: true });
  const family = { name, summary: '', reference: 'x', packages: [] };
  const defaults = { defaultOperations: ['x'], defaultCorpora: ['flat'] };
  const text = `export const family = ${JSON.stringify({ ...family, ...defaults })};\n`;
  writeFileSync(join(path, 'family.js'), text);
  if (worker === undefined) return path;
  const { leastVersion, build = '' } = worker;
  const tool = { name: 'node', leastVersion, versionArgs: ['--version'], install: 'get Node' };
  const code = `export const worker = {
    toolchain: [${JSON.stringify(tool)}], sources: [], async build({ run }) { ${build} },
  };`;
  writeFileSync(join(path, 'worker.js'), code);
  return path;
}

/** @param {string[]} args */
const setUp = (...args) => callAssay(['setup', ...args], { projectPath });

test('without a name it lists what each family needs, and builds nothing', async () => {
  const { status, stdout, stderr } = await setUp();
  expect(stdout).toMatch(/^broken .*\nplain +needs nothing\nriver-bank +needs node ≥ 18\n/);
  expect({ status, stderr }).toEqual({ status: EXIT.done, stderr: '' });
});

test('a family is named by the beginning of its name, and is built once', async () => {
  const first = await setUp('river-ba');
  expect(first.stdout).toMatch(/^river-bank +ready: node [\d.]+; built in [\d.]+ m?s\n1 ready\n$/);
  const { status, stdout, stderr } = await setUp('river-ba', 'river-bank');
  expect(stdout).toMatch(/^river-bank +ready: node [\d.]+; built before\n1 ready\n$/);
  expect({ status, stderr }).toEqual({ status: EXIT.done, stderr: '' });
});

test.each([
  ['is a failure, but the others are built', ['river-bed', 'plain'], EXIT.failed],
  ['is no failure with --if-possible', ['river-bed', 'plain', '--if-possible'], EXIT.done],
])('what cannot run here %s', async (_, args, expected) => {
  const { status, stdout } = await setUp(...args);
  expect(stdout).toMatch(/^river-bed +cannot run here: needs node ≥ 999 \(found /m);
  expect(stdout).toMatch(/^1 ready, 1 cannot run here\n$/m);
  expect(stdout).toMatch(/^plain +ready: needs nothing$/m);
  expect(status).toBe(expected);
});

test('of all, a build that fails is a failure even with --if-possible', async () => {
  const { status, stdout } = await setUp('--all', '--if-possible');
  expect(stdout).toMatch(/^broken +failed: node ended with exit status 1\n/);
  expect(stdout).toMatch(/^1 ready, 1 cannot run here, 1 failed\n$/m);
  expect(stdout).not.toContain('plain');
  expect(status).toBe(EXIT.failed);
});

test.each([
  [
    'a mistyped name',
    ['river-bunk'],
    "no family or server 'river-bunk'; did you mean 'river-bank'?",
  ],
  [
    'the beginning of several names',
    ['river'],
    "'river' is ambiguous: 'river-bank' or 'river-bed'",
  ],
  ['a name beside --all', ['--all', 'plain'], "--all cannot be combined with 'plain'"],
  ['no name beside --if-possible', ['--if-possible'], '--if-possible needs families'],
])('%s: one message, status 2', async (_what, args, message) => {
  const { status, stdout, stderr } = await setUp(...args);
  expect(stderr).toContain(message);
  expect({ status, stdout }).toEqual({ status: EXIT.usage, stdout: '' });
});
