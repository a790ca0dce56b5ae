import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../lib/errors.js';
import { validate } from '../formats/schemas.js';
import { shareProject } from './support/comparisons.js';
import { expectStatus } from './support/expect-status.js';
import { testLong } from './support/gates.js';
import { callAssay } from './support/project.js';
import { makeTestDirectory } from './support/directories.js';

/** @import { Manifest, Observation, Verdict } from '../formats/types.ts' */

/** A few blocks, in which no two jobs run at once. */
const SHORT = '--processes 16 --mei 100 --placements 0 --schedule sequential'.split(' ');

const directory = makeTestDirectory('programs');
const projectPath = shareProject();
// Without the builds of other tests.
beforeAll(() => rmSync(join(projectPath, '.assay', 'cache'), { recursive: true, force: true }));

/**
 * Compares the reference with another variant, in a new directory for runs.
 *
 * @param {string} candidate
 * @param {string[]} [more] options
 * @returns {Promise<{ status: number, stdout: string, stderr: string, path: string }>} `path` of the run
 */
async function compareWith(candidate, more = []) {
  const out = mkdtempSync(join(directory, 'runs-'));
  const options = ['--family', 'fake-program', '--seed', '6', '--explain', 'none', '--out', out];
  const args = ['compare', 'plain', candidate, ...options, ...more];
  const result = await callAssay(args, { projectPath });
  return { ...result, path: join(out, readdirSync(out)[0] ?? '') };
}

/** @param {string} path  @param {string} name  @returns {any} */
function readJson(path, name) {
  return JSON.parse(readFileSync(join(path, name), 'utf8'));
}

/** @param {string} path  @param {string} [name]  @returns {any[]} */
function readLines(path, name = 'observations.ndjson') {
  const lines = readFileSync(join(path, name), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

describe('a family with its own program', () => {
  test('is built once, measured like any other, and the manifest describes the program', async () => {
    const { status, stderr, path } = await compareWith('slower', SHORT);
    expectStatus({ status, stderr }, EXIT.done);
    expect(stderr).toMatch(/building fake-program with node [\d.]+, once/);

    /** @type {Manifest} */
    const manifest = readJson(path, 'manifest.json');
    validate('manifest', manifest);
    const { baseline, candidates } = manifest.variants;
    const [candidate] = candidates;
    expect(baseline.buildPath).toBe(candidate.buildPath);
    expect(candidate).toMatchObject({
      settings: { rounds: '2' },
      program: { executable: 'node', loop: ['runFor', 'runPasses'] },
      toolchain: { node: expect.any(String) },
    });
    expect(manifest.settings).toMatchObject({ warmUpMs: 4, batchMs: 2, batchCount: 3 });

    /** @type {Observation[]} */
    const observations = readLines(path);
    for (const observation of observations) validate('observation', observation);
    expect(new Set(observations.map(({ outcome }) => outcome))).toEqual(new Set(['done']));

    const { timing } = /** @type {Verdict} */ (readJson(path, 'verdict.json'));
    expect(timing.observations).toBe(observations.length);
    expect(timing.workerMs).toBeGreaterThan(0);
    expect(timing.workerMs).toBeLessThan(timing.wallMs);

    const again = await compareWith('plain', SHORT);
    expect(again.status).toBe(EXIT.done);
    expect(again.stderr).not.toContain('building');
  });

  testLong('has the memory measured that its program can measure', async () => {
    const { status, path } = await compareWith('slower', ['--memory-only', '--budget', '10']);
    expect(status).toBe(EXIT.done);
    const kinds = readLines(path, 'memory.ndjson').map(({ kind, outcome }) => `${kind} ${outcome}`);
    expect(new Set(kinds)).toEqual(new Set(['allocation done']));
  });
});

describe('a program', () => {
  testLong.each([
    ['with a reference loop loses the batches beside a neighbour', 'scripted-with-loop', 2 / 3],
    ['without one has the median of its batches', 'scripted', null],
  ])('%s', async (_, figures, disturbedShare) => {
    const options = ['--op', 'apart', '--processes', '16', '--figures', figures];
    const { path } = await compareWith('slower', options);
    const [cell] = readJson(path, 'verdict.json').cells;
    expect(cell).toMatchObject({ verdict: 'slower', disturbedShare });
    expect(cell.effect.ratio.estimate).toBeCloseTo(1.2, 1);
    // Twice as long beside the neighbour.
    expect(cell.baselineNs / 100_000).toBeCloseTo(1, 1);
  });

  test('that makes other bytes in the check is refused, and nothing is timed', async () => {
    const candidate = 'plain+behaviour=wrong-bytes';
    const { status, path } = await compareWith(candidate);
    expect(status).toBe(EXIT.wrongBytes);
    expect(existsSync(join(path, 'observations.ndjson'))).toBe(false);
    /** @type {Verdict} */
    const verdict = readJson(path, 'verdict.json');
    validate('verdict', verdict);
    expect(verdict).toMatchObject({ ended: 'refused', cells: [{ verdict: 'refused' }] });
    expect(verdict.differences).toMatchObject([
      {
        variant: candidate,
        cellId: 'reverse deep',
        document: 0,
        path: expect.stringMatching(/^byte/),
      },
    ]);
  });

  test('that dies in the check: one message with its last lines', async () => {
    const { status, stdout, stderr } = await compareWith('plain+behaviour=exits-7');
    expect(status).toBe(EXIT.failed);
    expect(stdout).toBe('');
    expect(stderr.replaceAll(/^(?:note: .*|.* · .*)\n/gm, '')).toBe(
      [
        'error: the check of plain+behaviour=exits-7 on reverse deep ended with exit status 7',
        '  memory allocation of 96 bytes failed',
        '  nothing was timed; the lines above are the last lines of the worker',
        '',
      ].join('\n'),
    );
  });
});
