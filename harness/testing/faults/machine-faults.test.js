import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT } from '../../lib/errors.js';
import { validate } from '../../formats/schemas.js';
import { expectStatus } from '../support/expect-status.js';
import { testLong } from '../support/gates.js';
import { scriptFakeFamily } from '../support/scripted-jobs.js';
import { compareArgs, openComparisons, readObservations, waitFor } from '../support/comparisons.js';
import { expectNoProcesses } from '../support/project.js';

/** @import { RunJob } from '../../run/jobs.js' */
/** @import { Comparison } from '../support/comparisons.js' */

/** Far longer than any machine takes to disturb a run while it measures. */
const LONG = compareArgs('program', 'plain', ['--mei', '0.1', '--processes', '512']);
const SHORT = compareArgs('program', 'plain', ['--mei', '100']);
/** A few jobs. */
const LEAST = ['--budget', '4'];
/** Every write to it fails for lack of space. */
const FULL = '/dev/full';
/** Sets the clock of the process back by a second at each reading. */
const CLOCK_GOES_BACK =
  '--import=data:text/javascript,let%20seconds=0;const%20now=Date.now;Date.now=()=>now()-1000*seconds++';

/** @type {ReturnType<typeof openComparisons>} */
let comparisons;
/** @type {Comparison} */
let comparison;
beforeAll(() => {
  comparisons = openComparisons();
});
afterAll(() => comparisons.remove());

/** @param {Comparison} started  @returns {Promise<string>} path of its run, once it exists */
async function waitForRun({ out, findRun }) {
  while (readdirSync(out).length === 0) await sleep(2);
  return findRun();
}

/** @param {string} path of a run  @param {number} count */
async function waitForObservations(path, count) {
  const file = join(path, 'observations.ndjson');
  while (!existsSync(file) || readObservations(path).length < count) await sleep(5);
}

/** @param {{ status: number | null, stderr: string }} ended  @param {RegExp} message */
function expectOneMessage({ status, stderr }, message) {
  const lines = stderr.split('\n').filter((line) => /^error|^ /.test(line));
  expect(lines).toHaveLength(2);
  expect(lines.join('\n')).toMatch(message);
  expect(status).toBe(EXIT.failed);
}

/** @param {string} path of a run  @param {RunJob} [runJob] in place of processes */
async function expectResumes(path, runJob) {
  expect(await comparison.call(['compare', '--resume', path, ...LEAST], runJob)).toMatchObject({
    status: EXIT.done,
  });
  const observations = readObservations(path);
  for (const observation of observations) validate('observation', observation);
  expect(new Set(observations.map(({ id }) => id)).size).toBe(observations.length);
  expect(existsSync(join(path, 'report.html'))).toBe(true);
}

/**
 * Compares by scripted jobs, and disturbs the run once.
 *
 * @param {'output' | 'measure'} kind of the job before which it is disturbed: the first of the check, or the second timed
 * @param {(path: string) => void} disturb
 */
async function compareDisturbed(kind, disturb) {
  comparison = comparisons.open();
  let count = 0;
  const runJob = scriptFakeFamily({
    onJob(job) {
      if (job.kind === kind && count++ === (kind === 'output' ? 0 : 1))
        disturb(comparison.findRun());
    },
  });
  const ended = await comparison.call([...SHORT, '--out', comparison.out], runJob);
  return { ...ended, path: comparison.findRun() };
}

describe('a disk that is full', () => {
  test.each([
    ['verdict', 'verdict.json'],
    ['a report', 'report.md'],
    ['the page', 'report.html'],
  ])('when %s is written: one message, and the run can be resumed', async (_, name) => {
    const { path, ...ended } = await compareDisturbed('measure', (run) =>
      symlinkSync(FULL, join(run, `${name}.${process.pid}.tmp`)),
    );
    expectOneMessage(
      ended,
      new RegExp(
        `cannot write '${name}' of the run: ENOSPC.*\\n {2}free some space, then resume it`,
      ),
    );
    expect(readdirSync(path).filter((entry) => entry.endsWith('.tmp'))).toEqual([]);
    await expectResumes(path, scriptFakeFamily());
  });

  testLong('when an interrupted run is analysed: the message names the disk', async () => {
    comparison = comparisons.open();
    const child = comparison.start(LONG);
    const ending = waitFor(child);
    const path = await waitForRun(comparison);
    await waitForObservations(path, 1);
    symlinkSync(FULL, join(path, `verdict.json.${child.pid}.tmp`));
    child.kill('SIGINT');
    expectOneMessage(await ending, /cannot write 'verdict.json' of the run: ENOSPC/);
    await expectResumes(path);
  });

  test('when the manifest is written: nothing was timed, and no partial manifest is left', async () => {
    const { path, ...ended } = await compareDisturbed('output', (run) =>
      symlinkSync(FULL, join(run, `manifest.json.${process.pid}.tmp`)),
    );
    expectOneMessage(
      ended,
      /'manifest.json' of the run: ENOSPC.*\n {2}free.*, then start it again/,
    );
    expect(existsSync(path) ? readdirSync(path) : []).not.toContain('manifest.json');
  });

  testLong('in the middle of a line: the job is measured again, and no other is lost', async () => {
    comparison = comparisons.open();
    expectOneMessage(
      await comparison.run(LONG, { shell: 'ulimit -f 20' }),
      /cannot write 'observations.ndjson' of the run: EFBIG.*\n {2}raise the limit/,
    );
    const path = comparison.findRun();
    expect(readFileSync(join(path, 'observations.ndjson'), 'utf8')).not.toMatch(/\n$/);
    await expectResumes(path);
  });
});

describe('a directory of a run', () => {
  test('that is removed while it is measured: one message', async () => {
    const ended = await compareDisturbed('measure', (run) => rmSync(run, { recursive: true }));
    expectOneMessage(ended, /of the run: ENOENT.*\n {2}the directory of the run was removed/);
  });

  test('that is replaced by a file: one message, and the file is left alone', async () => {
    const { path, ...ended } = await compareDisturbed('measure', (run) => {
      rmSync(run, { recursive: true });
      writeFileSync(run, 'mine');
    });
    expectOneMessage(ended, /of the run: ENOTDIR.*\n {2}a file has replaced the directory/);
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  test('that another process writes to: its files are left alone, and its results are no more', async () => {
    const { path, ...ended } = await compareDisturbed('measure', (run) => {
      writeFileSync(join(run, 'observations.ndjson'), 'not mine\n', { flag: 'a' });
      writeFileSync(join(run, 'notes.txt'), 'mine');
    });
    expect(ended.status).toBe(EXIT.failed);
    expectOneMessage(
      ended,
      /'observations\.ndjson' of .* was changed by something else than Assay/,
    );
    expect(readFileSync(join(path, 'notes.txt'), 'utf8')).toBe('mine');
    const { status, stderr } = await comparison.call(['report', path]);
    expect(status).toBe(EXIT.usage);
    expect(stderr).toMatch(/lines of 'observations\.ndjson' of .* were changed .*\n {2}restore/);
  });
});

describe('an output without a reader', () => {
  /** @param {'stdout' | 'stderr'} name */
  async function expectWhole(name) {
    comparison = comparisons.open();
    const child = comparison.start(compareArgs('program', 'plain', LEAST));
    const ending = waitFor(child);
    child[name]?.destroy();
    const { status, stderr } = await ending;
    expect(status).toBe(EXIT.done);
    expect(stderr).not.toMatch(/^\s+at |EPIPE/m);
    expect(readdirSync(comparison.findRun())).toContain('report.html');
  }

  testLong('for notes is closed: the run is complete', () => expectWhole('stderr'));
  testLong('for results is closed: the same', () => expectWhole('stdout'));

  testLong('because the terminal was closed: the run ends with what was measured', async () => {
    comparison = comparisons.open();
    const child = comparison.start(LONG);
    const ending = waitFor(child);
    await waitForObservations(await waitForRun(comparison), 1);
    child.stdout?.destroy();
    child.stderr?.destroy();
    child.kill('SIGHUP');
    expect((await ending).status).toBe(EXIT.interrupted);
    await expectNoProcesses(comparison.listProcesses);
    await expectResumes(comparison.findRun());
  });

  testLong('on a full disk: one message, and the run is complete', async () => {
    comparison = comparisons.open();
    const ended = await comparison.run([...SHORT, '--budget', '0.3'], { shell: `exec >${FULL}` });
    expectOneMessage(ended, /cannot write to standard output: ENOSPC.*\n {2}.*just report RUN/);
    expect(readdirSync(comparison.findRun())).toContain('report.html');
  });
});

describe('a run that is cut off', () => {
  /** @param {NodeJS.Signals} signal  sent once a few jobs are measured */
  async function startAndEnd(signal) {
    comparison = comparisons.open();
    const child = comparison.start(LONG);
    const ending = waitFor(child);
    const path = await waitForRun(comparison);
    await waitForObservations(path, 4);
    child.kill(signal);
    return { ...(await ending), path };
  }

  testLong('by Ctrl-C ends with a report of what was measured', async () => {
    const { status, stdout, path } = await startAndEnd('SIGINT');
    expect(status).toBe(EXIT.interrupted);
    expect(stdout).toContain('--resume');
    const verdict = JSON.parse(readFileSync(join(path, 'verdict.json'), 'utf8'));
    expect(verdict.ended).toBe('interrupted');
  });

  testLong('by kill -9 is resumed where it was, and counts nothing twice', async () => {
    const { path } = await startAndEnd('SIGKILL');
    const before = readObservations(path);
    expect(existsSync(join(path, 'verdict.json'))).toBe(false);
    const torn = '{"formatVersion":1,"jobI';
    writeFileSync(join(path, 'observations.ndjson'), torn, { flag: 'a' });

    expect((await comparison.call(['report', path])).status).toBe(EXIT.done);
    await expectResumes(path);
    const after = readObservations(path);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.length).toBeGreaterThan(before.length);
  });
});

describe('an environment', () => {
  testLong('without a temporary directory: one message', async () => {
    comparison = comparisons.open();
    const variables = { TMPDIR: '/nowhere' };
    const check = ['check', 'plain', '--family', 'fake-script'];
    expectOneMessage(
      await comparison.run(check, { variables }),
      /cannot create a temporary directory: ENOENT.*\n {2}set TMPDIR to/,
    );
  });

  testLong(
    'without a home directory and with a clock that goes back: the run is valid',
    async () => {
      comparison = comparisons.open();
      const variables = { HOME: undefined, NODE_OPTIONS: CLOCK_GOES_BACK };
      const args = compareArgs('program', 'plain', LEAST);
      const { status, stderr } = await comparison.run(args, { variables, as: 'scripted' });
      expectStatus({ status, stderr }, EXIT.done);
      await expectResumes(comparison.findRun(), scriptFakeFamily());
    },
  );

  testLong(
    'with a removed working directory: one message where it matters, and none elsewhere',
    async () => {
      comparison = comparisons.open();
      const shell = 'mkdir gone; cd gone; rmdir ../gone';
      const variables = { ASSAY_INVOCATION_DIRECTORY: undefined };
      const removed = await comparison.run(['variants'], { variables, shell });
      expect(removed).toMatchObject({ status: EXIT.usage, stdout: '' });
      expect(removed.stderr).toMatch(/^error: the current directory does not exist any more\n {2}/);
      expect((await comparison.run(['variants'], { shell })).status).toBe(EXIT.done);
    },
  );
});
