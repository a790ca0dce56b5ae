import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { validate } from '../../formats/schemas.js';
import { EXIT } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { makeTestDirectory } from '../../testing/support/directories.js';
import { callAssay } from '../../testing/support/project.js';
import { scriptJobs } from '../../testing/support/scripted-jobs.js';
import { findFamily, listFamilies, openContext } from '../../variants/families.js';
import { parseVariantSpec } from '../../variants/spec.js';
import { makeRepository } from '../../variants/test-support/make-repository.js';
import { takeSnapshot } from './snapshots.js';

/** @import { Job, WatchLine } from '../../formats/types.ts' */
/** @import { WorkerOutcome } from '../../run/process.js' */

const workingPath = makeTestDirectory('watch');
const CELL = ['--family', 'js-bson', '--op', 'serialize', '--corpus', 'deep'];

/** What the module of a variant says of itself. @type {(job: Job) => Record<string, string>} */
function readMarks({ variant: { modulePath } }) {
  const text = readFileSync(modulePath, 'utf8');
  return Object.fromEntries(
    [...text.matchAll(/^\/\/ (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
}

/** Jobs whose time and output are what the module of their variant says. */
const runJob = scriptJobs({
  factor: (job) => Number(readMarks(job).time ?? 1),
  outcome(job) {
    const { output } = readMarks(job);
    const failure = { reason: /** @type {const} */ ('exit-status'), lastLines: ['SyntaxError: x'] };
    if (output === 'none') return { failure: { ...failure, detail: 'ended with status 1' } };
    if (job.kind === 'exercise') return { failure: { ...failure, detail: 'is not scripted' } };
    if (output !== 'wrong' || job.kind !== 'output') return undefined;
    const report = {
      ...{ formatVersion: FORMAT_VERSION, jobId: job.id, kind: 'output' },
      ...{ outputDigest: null, thrown: 'RangeError: x' },
    };
    return /** @type {Partial<WorkerOutcome>} */ (/** @type {unknown} */ ({ report }));
  },
});

/**
 * Watches, and calls a function with each line, which may change files, until it returns true.
 *
 * @param {string[]} args
 * @param {(line: WatchLine) => boolean | void} onLine
 * @returns {Promise<{ status: number, lines: WatchLine[] }>}
 */
async function watch(args, onLine) {
  const interrupt = new AbortController();
  /** @type {WatchLine[]} */
  const lines = [];
  const write = (/** @type {string} */ text) => {
    if (!text.startsWith('{')) return;
    const line = JSON.parse(text);
    lines.push(line);
    if (onLine(line) === true) interrupt.abort();
  };
  const { status } = await callAssay(['watch', ...args, '--format', 'ndjson', ...CELL], {
    ...{ workingPath, runJob, screen: { write } },
    signal: interrupt.signal,
  });
  return { status, lines };
}

/** @type {(lines: WatchLine[]) => WatchLine[]} the last line of each edit */
const lastOf = (lines) => [...new Map(lines.map((line) => [line.edit, line])).values()];

test('each change is an edit that is checked before it is measured, compared with two others, and kept', async () => {
  const file = join(workingPath, 'codec.js');
  const SLOW = '// time=1\nexport const one = 1;\n';
  const FAST = '// time=0.5\nexport const one = 1;\n';
  const edits = [SLOW, '// output=wrong\n', '// output=none\n', FAST, SLOW];
  writeFileSync(file, SLOW);
  const { status, lines } = await watch(
    ['path:codec.js', 'path:codec.js', '--out', 'runs', '--processes', '16'],
    ({ edit, state }) => {
      if (['checking', 'measuring', 'left'].includes(state)) return false;
      if (edit === edits.length - 1) return true;
      writeFileSync(file, edits[edit + 1]);
      return false;
    },
  );
  expect(status).toBe(EXIT.done);
  for (const line of lines) validate('watch-line', line);

  const [first, wrong, broken, fast, again] = lastOf(lines);
  expect(first).toMatchObject({ state: 'measured', isCorrect: true, changes: [] });
  expect(first.cells).toMatchObject([{ verdict: 'equivalent', processes: 16, toEditBefore: null }]);
  expect(wrong).toMatchObject({ state: 'wrong', isCorrect: false, cells: [], command: null });
  expect(wrong.problems[0]).toMatch(/^serialize deep, .*RangeError: x instead of output$/);
  expect(broken).toMatchObject({ state: 'broken', isCorrect: null, cells: [] });
  expect(broken.problems).toEqual(expect.arrayContaining(['SyntaxError: x']));
  expect(broken.changes).toEqual([{ file: 'codec.js', added: 1, removed: 1 }]);
  // Settled long before the last look, and measured on.
  expect(fast.cells).toMatchObject([{ verdict: 'faster', processes: 16 }]);
  const [{ toBaseline, toEditBefore }] = fast.cells;
  expect(toBaseline?.estimate).toBeCloseTo(0.5, 1);
  expect(toEditBefore?.estimate).toBeCloseTo(0.5, 1);
  expect(toEditBefore?.high).toBeGreaterThan(toBaseline?.high ?? 1);
  expect(again).toMatchObject({ state: 'measured', sameAs: 0 });
  expect(again.cells[0].toEditBefore?.estimate).toBeCloseTo(2, 0);
  expect(again.command).toMatch(
    /^just compare path:runs\/.*\/baseline\/codec.js path:runs\/.*\/4\/codec.js /,
  );

  // As soon as it is known that the output is right, and at each look.
  const states = lines
    .filter(({ edit }) => edit === 3)
    .map(({ state, cells }) => [state, cells.length]);
  expect(states.slice(0, 3)).toEqual([
    ['checking', 0],
    ['measuring', 0],
    ['measuring', 1],
  ]);

  const [home] = readdirSync(join(workingPath, 'runs'));
  const kept = readFileSync(join(workingPath, 'runs', home, 'watch.ndjson'), 'utf8');
  expect(
    kept
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text)),
  ).toEqual(lines);

  const report = await callAssay(['report', join('runs', home)], { workingPath });
  expect(report.stderr).toContain('has the edits of watch, each with a run of its own');
  const restore = () => callAssay(['watch', '--restore', join('runs', home, '3')], { workingPath });
  expect(await restore()).toMatchObject({ status: EXIT.done, stdout: 'restored: codec.js\n' });
  expect(readFileSync(file, 'utf8')).toBe(FAST);
  writeFileSync(file, 'export const other = 2;\n');
  const refused = await restore();
  expect(refused.status).toBe(EXIT.usage);
  expect(refused.stderr).toContain("codec.js' has changed since the last edit that was kept");
});

test('an edit that comes while another one is measured ends it, with what is known by then', async () => {
  const file = join(workingPath, 'hurried.js');
  writeFileSync(file, '// time=1\n');
  const { lines } = await watch(
    ['path:hurried.js', 'path:hurried.js', '--out', 'hurried'],
    ({ edit, state, cells }) => {
      if (edit === 0 && cells.length > 0) writeFileSync(file, '// time=2\n');
      return edit === 1 && state === 'measured';
    },
  );
  const [first, second] = lastOf(lines);
  // The scripted jobs may all be over before the change is noticed.
  expect(['left', 'measured']).toContain(first.state);
  expect(first.cells).toHaveLength(1);
  expect(second.cells[0].toEditBefore?.estimate).toBeCloseTo(2, 0);
});

test('what has to be built is built again when its sources change', async () => {
  const repository = makeRepository(join(workingPath, 'built'));
  repository.commit({
    'package.json': JSON.stringify({ name: 'built', type: 'module', exports: './out.js' }),
    '.gitignore': 'out.js\n',
    'source.js': '// time=1\n',
  });
  const source = join(workingPath, 'built', 'source.js');
  writeFileSync(join(workingPath, 'built', 'out.js'), '');
  const contents = ['', 'exit 1', '// time=3\n'];
  const build = "grep -q 'exit 1' source.js && exit 1; cp source.js out.js";
  const { lines } = await watch(
    ['path:built', 'path:built', '--build', build, '--processes', '16', '--out', 'builds'],
    ({ edit, state }) => {
      if (state === 'checking' || state === 'measuring') return false;
      if (edit === 2) return true;
      writeFileSync(source, contents[edit + 1]);
      return false;
    },
  );
  const [, broken, fast] = lastOf(lines);
  expect(broken).toMatchObject({ state: 'broken', problems: [`the build failed: ${build}`] });
  expect(fast.changes).toEqual([{ file: 'source.js', added: 1, removed: 1 }]);
  expect(fast.cells[0].toBaseline?.estimate).toBeCloseTo(3, 0);
});

test('lines for a reader, and in the end a table with commands', async () => {
  writeFileSync(join(workingPath, 'plain.js'), '// time=1\n');
  const interrupt = new AbortController();
  let sent = '';
  const write = (/** @type {string} */ text) => {
    sent += text;
    if (/^ {2}0 /.test(text)) interrupt.abort();
  };
  const args = ['path:plain.js', 'path:plain.js', '--out', 'plain', '--processes', '16', ...CELL];
  await callAssay(['watch', ...args], {
    ...{ workingPath, runJob, screen: { write } },
    signal: interrupt.signal,
  });
  expect(sent).toMatch(/^edit {6}to the baseline/);
  expect(sent).toMatch(/\n {2}0 \d\d:\d\d [?=] [\d.]+ [\d.]+–[\d.]+ +serialize deep\n/);
  expect(sent).toMatch(/just watch --restore \\?\s*plain\/[\w-]+-edits\/0\n/);
});

test.each([
  [['generator', 'linked-list', 'recursive'], "'recursive' is another one"],
  [['generator', 'linked-list+object-id=packed'], 'is more than the files of a module'],
  [['generator', 'linked-list', '--build', 'make'], "'linked-list' is no directory"],
])('%j is refused', async (args, problem) => {
  const all = ['watch', ...args, '--out', 'refused', ...CELL];
  const { status, stderr } = await callAssay(all, { workingPath, runJob });
  expect(status).toBe(EXIT.usage);
  expect(stderr).toContain(problem);
});

test('a copy has the files that a variant loads, runs by itself, and stays as it is', async () => {
  const families = await listFamilies();
  const family = findFamily(families, 'js-bson');
  const io = {
    workingPath,
    environment: {},
    signal: new AbortController().signal,
    stderr: { write: () => true },
  };
  const files = ['variants/generator.js', 'codec/make-codec.js', 'codec/values.js'];
  const loaded = files.map((file) => join(family.path, file));
  const snapshot = await takeSnapshot(parseVariantSpec('generator'), join(workingPath, 'copy'), {
    context: openContext({ families, family }, io),
    runJob: async () =>
      /** @type {WorkerOutcome} */ (/** @type {unknown} */ ({ report: { loaded } })),
    show: (path) => path,
  });
  expect(snapshot?.followed).toEqual(
    expect.arrayContaining(files.map((file) => `experiments/js-bson/${file}`)),
  );
  expect(snapshot?.root).toBe(PROJECT.assayPath);
  const link = join(workingPath, 'copy', 'generator.js');
  expect(snapshot?.spec).toBe(`path:${link}`);
  const { serialize } = await import(pathToFileURL(link).href);
  expect(Buffer.from(serialize({ a: 1 })).toString('hex')).toBe('0c0000001061000100000000');
});
