import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { makeTestDirectory } from '../testing/support/directories.js';
import { readReport, runWorker, sumResidentBytes } from './process.js';

/** @import { Job } from '../formats/types.ts' */
/** @import { WorkerCommand } from './process.js' */

const directory = makeTestDirectory('worker');

const JOB = /** @type {Job} */ (
  /** @type {unknown} */ ({
    formatVersion: FORMAT_VERSION,
    id: 'cell/000/0/baseline',
    kind: 'measure',
    settings: { batchCount: 2 },
  })
);

const GOOD_REPORT = {
  formatVersion: FORMAT_VERSION,
  jobId: JOB.id,
  kind: 'measure',
  runtime: { name: 'node', version: process.versions.node, flags: [] },
  outputDigest: `sha256:${'0'.repeat(64)}`,
  measurement: {
    batchNsPerDocument: [10, 11],
    documentsPerBatch: 1,
    warmUp: { ms: 1, calls: 1, settled: true },
    ...{ cpuUserMs: 1, cpuSystemMs: 0, wallMs: 1, gcCount: 0, gcMs: 0 },
    ...{ voluntaryContextSwitches: 0, involuntaryContextSwitches: 0, autogroupRaised: false },
  },
};

/**
 * Runs a worker made of a few lines of code.
 * @param {string} code @param {Partial<WorkerCommand>} [options] @param {Job} [job]
 */
function runCode(code, { environment, ...options } = {}, job = JOB) {
  return runWorker(job, {
    executable: process.execPath,
    args: ['-e', code],
    environment: { PATH: process.env.PATH, ...environment },
    timeoutMs: 100_000,
    ...options,
  });
}

/** @param {Awaited<ReturnType<typeof runCode>>} outcome */
function failureOf(outcome) {
  if ('failure' in outcome) return outcome.failure;
  throw new Error('the worker did not fail');
}

/** @param {unknown} report */
const codeThatReports = (report) =>
  `process.stdout.write(${JSON.stringify(JSON.stringify(report))})`;

describe('a worker', () => {
  test('returns its report and lifetime', async () => {
    const outcome = await runCode(codeThatReports(GOOD_REPORT));
    expect(outcome).toEqual({ workerMs: expect.any(Number), report: GOOD_REPORT });
  });

  test('gets the job, and no variable that is secret or would change the measurement', async () => {
    const file = join(directory, 'seen.json');
    const seen = "{ job: JSON.parse(require('fs').readFileSync(0)), variables: process.env }";
    const code = `require('fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(${seen}));`;
    const environment = { NODE_OPTIONS: '--no-warnings', NPM_TOKEN: 'secret', LANG: 'C' };
    await runCode(code + codeThatReports(GOOD_REPORT), { environment });
    const { job, variables } = JSON.parse(readFileSync(file, 'utf8'));
    expect(job).toEqual(JOB);
    expect(variables).toMatchObject({ LANG: 'C' });
    expect(variables).not.toHaveProperty('NODE_OPTIONS');
    expect(variables).not.toHaveProperty('NPM_TOKEN');
  });
});

/** More faults, for both kinds of worker, are in `testing/faults/faults.js`. */
describe('a worker that fails', () => {
  test.each([
    ['throws', "throw new RangeError('too deep')", 'exit-status', /RangeError: too deep/],
    [
      'floods its log, of which only the end is kept',
      `for (let i = 0; i < 20000; i++) require('fs').writeSync(2, \`line \${i}\\n\`); process.exit(7)`,
      'exit-status',
      /^line 19980\n(?:line \d+\n){18}line 19999$/,
    ],
    ['reports nothing', '', 'not-json', /^$/],
    [
      'reports rubbish',
      "process.stdout.write('Segmentation fault')",
      'not-json',
      /Segmentation fault/,
    ],
  ])('because it %s', async (_, code, reason, lastLines) => {
    const failure = failureOf(await runCode(code));
    expect(failure.reason).toBe(reason);
    expect(failure.lastLines.join('\n')).toMatch(lastLines);
  });

  test('because it does not exist', async () => {
    const command = { args: [], environment: {}, timeoutMs: 1000 };
    const outcome = await runWorker(JOB, { executable: join(directory, 'missing'), ...command });
    expect(failureOf(outcome).reason).toBe('spawn-error');
  });
});

describe('a report', () => {
  const { measurement } = GOOD_REPORT;
  const lines = { lastLines: ['a line of its log'], workerMs: 100 };

  /** @param {unknown} report  @param {Job} [job] */
  const read = (report, job = JOB) => readReport(job, { text: JSON.stringify(report), ...lines });

  /** @param {object} changed  properties of the measurement */
  const withMeasured = (changed) => ({
    ...GOOD_REPORT,
    measurement: { ...measurement, ...changed },
  });

  test('counts, also with the readings around its batches or one sum of them', () => {
    for (const report of [
      GOOD_REPORT,
      withMeasured({ referenceLoopNs: [1, 1, 1] }),
      withMeasured({ batchNsPerDocument: [10] }),
    ]) {
      expect(read(report)).toEqual({ report });
    }
  });

  const noTime = /batchNsPerDocument\[\d\] is \S+ but should be/;
  test.each([
    ['null', null, /not an object/],
    ['on another job', { ...GOOD_REPORT, jobId: 'output/another' }, /for job .output\/another./],
    ['in another format', { ...GOOD_REPORT, formatVersion: 99 }, /has format 99, expected \d+/],
    ['of another kind', { ...GOOD_REPORT, kind: 'allocation' }, /of kind .allocation./],
    [
      'without a measurement',
      { ...GOOD_REPORT, measurement: undefined },
      /: measurement is missing/,
    ],
    [
      'of an error instead of times',
      { ...GOOD_REPORT, measurement: undefined, outputDigest: null, thrown: 'out of bounds' },
      /not of format \d+: measurement is missing/,
    ],
    [
      'of batches and nothing else',
      { ...GOOD_REPORT, measurement: { batchNsPerDocument: [10, 11] } },
      /not of format \d+: measurement\.documentsPerBatch is missing/,
    ],
    [
      'of text instead of a number',
      withMeasured({ wallMs: 'short' }),
      /measurement\.wallMs is .short. but should be number/,
    ],
    ['of no batches', withMeasured({ batchNsPerDocument: [] }), /has 0 items, fewer than 1/],
    ['of a batch too many', withMeasured({ batchNsPerDocument: [1, 2, 3] }), /has 3 batches of 2/],
    [
      'of one reading too few',
      withMeasured({ referenceLoopNs: [1, 1] }),
      /has 2 readings of the reference loop for 2 batches/,
    ],
    [
      'of one garbage collection time too few',
      withMeasured({ batchGcMs: [0] }),
      /has 1 garbage collection time for 2 batches/,
    ],
    ['of no number', withMeasured({ batchNsPerDocument: [NaN, 1] }), noTime],
    ['of no time', withMeasured({ batchNsPerDocument: [0, 1] }), noTime],
    ['of a time below zero', withMeasured({ batchNsPerDocument: [-5, 1] }), noTime],
    ['of a time in words', withMeasured({ batchNsPerDocument: ['fast', 1] }), noTime],
    ['of a time below that of light', withMeasured({ batchNsPerDocument: [1e-300, 1] }), noTime],
    [
      'of batches that take longer than the process',
      withMeasured({ batchNsPerDocument: [1e9, 1] }),
      'its times add up to 1000 ms, and the process lived for 100 ms',
    ],
    [
      'of a warm-up that takes longer than the process',
      withMeasured({ warmUp: { ms: 1e6, calls: 1, settled: true } }),
      'its warm-up took 1000000 ms',
    ],
  ])('%s is refused', (_, report, detail) => {
    expect(read(report)).toEqual({
      failure: {
        ...{ reason: 'bad-report', detail: expect.stringMatching(detail) },
        lastLines: lines.lastLines,
      },
    });
  });

  test('of CPU time may add up to that of several processors', () => {
    const job = /** @type {Job} */ (/** @type {object} */ ({ ...JOB, figure: 'CPU time' }));
    const report = withMeasured({ batchNsPerDocument: [1e9, 1] });
    expect(read(report, job)).toEqual({ report });
  });

  test('of a batch too few is refused', () => {
    const job = /** @type {Job} */ ({ ...JOB, settings: { batchCount: 3 } });
    expect(read(GOOD_REPORT, job)).toMatchObject({
      failure: { reason: 'bad-report', detail: 'the report has 2 batches of 3' },
    });
  });

  test('of a time that JSON permits and a number cannot hold is refused', () => {
    const text = JSON.stringify(GOOD_REPORT).replace('[10,', '[1e400,');
    expect(readReport(JOB, { text, ...lines })).toMatchObject({
      failure: { detail: expect.stringMatching(noTime) },
    });
  });

  test('with several figures of first calls is refused', () => {
    const job = /** @type {Job} */ ({ ...JOB, cold: { calls: 1, withLoad: false } });
    expect(read(withMeasured({ batchNsPerDocument: [10, 11] }), job)).toMatchObject({
      failure: { reason: 'bad-report', detail: 'the report has 2 batches of 1' },
    });
  });
});

test('an interrupted worker is killed at once', async () => {
  const interrupts = new AbortController();
  const running = runCode('setInterval(() => {}, 1000)', { signal: interrupts.signal });
  await sleep(100);
  interrupts.abort();
  expect(failureOf(await running).detail).toContain('interrupted');
});

const MIB = 2 ** 20;
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('resident memory includes children of threads, and is 0 for no process', async () => {
  const fill = `const held = Buffer.alloc(${64 * MIB}, 1); console.log(held.length);`;
  const inner = `${fill} setInterval(() => held, 1000)`;
  const thread = `const { spawn } = require('node:child_process');
    spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: ['ignore', 1, 2] });`;
  const outer = `const { Worker } = require('node:worker_threads');
    new Worker(${JSON.stringify(thread)}, { eval: true });`;
  const child = spawn(process.execPath, ['-e', outer], { detached: true });
  try {
    await once(child.stdout, 'data');
    const pid = child.pid ?? 0;
    // Two idle processes of node have some 80 MiB.
    expect(sumResidentBytes(pid)).toBeGreaterThan(64 * MIB + 40 * MIB);
    expect(sumResidentBytes(pid)).toBeLessThan(400 * MIB);
    expect(sumResidentBytes(2 ** 30)).toBe(0);
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  }
});

onLinux('a worker that allocates without end is killed, and the failure says why', async () => {
  const code = `const held = []; setInterval(() => held.push(Buffer.alloc(${8 * MIB}, 1)), 1)`;
  expect(failureOf(await runCode(code, { limitBytes: 150 * MIB }))).toMatchObject({
    reason: 'memory-limit',
    detail: 'kept more than 150 MiB of memory and was killed',
  });
});
