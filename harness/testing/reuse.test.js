import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../lib/errors.js';
import { openComparisons, shareProject } from './support/comparisons.js';
import { expectStatus } from './support/expect-status.js';
import { scriptFakeFamily } from './support/scripted-jobs.js';

const comparisons = openComparisons();
const families = join(shareProject(), 'experiments');
afterAll(() => comparisons.remove());

const FAMILY = '--family fake-program --explain none --placements 0 --processes 16'.split(' ');
const runJob = scriptFakeFamily();
const REUSED =
  /^reused, nothing was measured now: (\S+)\nmeasured \d minutes? ago \([-\d]{10} [\d:]{5} UTC\) by: (just compare .*)\n\n/;

/** A directory for runs, and comparisons of scripted jobs. */
function openScripted() {
  const { out, call } = comparisons.open();
  return { out, call: (/** @type {string[]} */ args) => call(args, runJob) };
}

/** @param {string} path  @param {(value: any) => void} change */
function changeJson(path, change) {
  const value = JSON.parse(readFileSync(path, 'utf8'));
  change(value);
  writeFileSync(path, JSON.stringify(value));
}

describe('--reuse', () => {
  const { out, call } = openScripted();
  /** @param {string[]} [more]  @param {string} [op] */
  const compare = (more = ['--reuse'], op = 'apart') =>
    call(['compare', 'plain', 'slower', ...FAMILY, '--op', op, ...more, '--out', out]);
  const listRuns = () => readdirSync(out).sort();
  /** @type {string} */
  let first;

  beforeAll(async () => {
    const { status } = await compare(['--seed', '1']);
    expect(status).toBe(EXIT.done);
    [first] = listRuns();
  });

  test('prints an earlier run of the same question with any seed and budget, and says so first', async () => {
    const { status, stdout } = await compare(['--reuse', '--seed', '2', '--budget', '60']);
    expect(status).toBe(EXIT.done);
    expect(stdout).toContain('is slower than plain');
    expect(listRuns()).toEqual([first]);
    const [, place = '', command = ''] = REUSED.exec(stdout) ?? [];
    expect(command).toContain('--seed 1');
    expect(place).toContain(first);
  });

  test('has the exit status of that run under --check', async () => {
    expectStatus(await compare(['--reuse', '--check']), EXIT.regression);
    expect(listRuns()).toEqual([first]);
  });

  test('leaves standard output to the report in another format', async () => {
    const { stdout, stderr } = await compare(['--reuse', '--format', 'json']);
    expect(stderr).toContain('reused, nothing was measured now: ');
    expect(JSON.parse(stdout)).toMatchObject({ ended: 'complete' });
    expect(listRuns()).toEqual([first]);
  });

  test('measures another question, and names the difference', async () => {
    const { status, stderr } = await compare(['--reuse', '--mei', '4']);
    expect(status).toBe(EXIT.done);
    expect(stderr).toContain('nothing is reused: in the closest run, ');
    expect(stderr).toContain('minimum effect changed (0.03, now 0.04)');
    expect(listRuns()).toHaveLength(2);
  });

  test('measures if there is no such run, and without it even if there is', async () => {
    const { stderr } = await call([
      ...['compare', 'slower', 'plain', ...FAMILY, '--op', 'apart', '--reuse', '--out', out],
    ]);
    expect(stderr).toContain('nothing is reused: there is no run of slower');
    const count = listRuns().length;
    expect((await compare([])).stdout).not.toMatch(REUSED);
    expect(listRuns()).toHaveLength(count + 1);
  });

  test('needs all candidates to be the same', async () => {
    const more = (/** @type {string[]} */ specs) =>
      call(['compare', ...specs, ...FAMILY, '--op', 'apart', '--reuse', '--out', out]);
    const specs = ['plain', 'slower', 'plain+rounds=3'];
    expect((await more(specs)).stderr).toMatch(
      /nothing is reused: there is no run of plain against slower and plain\S+$/m,
    );
    expect((await more(specs)).stdout).toMatch(REUSED);
    const [baseline, ...candidates] = specs;
    const { stdout } = await more([baseline, ...candidates.reverse()]);
    expect(stdout).not.toMatch(REUSED);
  });

  test.each(
    /** @type {[string, (manifest: any) => void, RegExp][]} */ ([
      [
        'another version of Node',
        ({ environment }) => (environment.node = 'v0.0.1'),
        /, Node changed \(v0\.0\.1, now \d/,
      ],
      [
        'other sources of Assay',
        (manifest) => (manifest.instrument = `sha256:${'0'.repeat(64)}`),
        /, sources of Assay and the family changed \(sha256:/,
      ],
    ]),
  )('does not reuse a run with %s', async (_, change, reason) => {
    const own = openCopy();
    changeJson(join(own.out, first, 'manifest.json'), change);
    await expectMeasured(own, reason);
  });

  test('does not reuse a run that was interrupted', async () => {
    const own = openCopy();
    const path = join(own.out, first, 'sessions.ndjson');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"complete"', '"interrupted"'));
    await expectMeasured(own, /, measuring ended early \(interrupted\)/);
  });

  /** @returns {ReturnType<typeof openScripted>} with a copy of the first run */
  function openCopy() {
    const own = openScripted();
    cpSync(join(out, first), join(own.out, first), { recursive: true });
    return own;
  }

  /** @type {(own: ReturnType<typeof openScripted>, reason: RegExp) => Promise<void>} */
  async function expectMeasured(own, reason) {
    const { stdout, stderr } = await own.call([
      ...['compare', 'plain', 'slower', ...FAMILY, '--op', 'apart', '--reuse', '--out', own.out],
    ]);
    expect(stdout).not.toMatch(REUSED);
    expect(stderr).toMatch(reason);
    expect(readdirSync(own.out)).toHaveLength(2);
  }

  test('skips a run that cannot be read, with a note, and reuses the newest of the others', async () => {
    const own = openScripted();
    const names = ['broken', 'older', 'newer'];
    for (const name of names) cpSync(join(out, first), join(own.out, name), { recursive: true });
    writeFileSync(join(own.out, 'broken', 'manifest.json'), '{');
    changeJson(join(own.out, 'older', 'manifest.json'), (manifest) => {
      manifest.createdAt = '2020-01-01T00:00:00.000Z';
    });
    const { stdout, stderr } = await own.call([
      ...['compare', 'plain', 'slower', ...FAMILY, '--op', 'apart', '--reuse', '--out', own.out],
    ]);
    expect(stderr).toMatch(/^note: skipped, because it cannot be read: \S*broken: /m);
    expect(REUSED.exec(stdout)?.[1]).toMatch(/newer$/);
    expect(readdirSync(own.out).sort()).toEqual(names.sort());
  });

  test('reuses a path as long as its files are the same', async () => {
    const codec = join(comparisons.directory, 'codec.mjs');
    cpSync(join(families, 'fake-script/variants/plain.js'), codec);
    const own = openScripted();
    const compare = () =>
      own.call([
        ...['compare', 'plain', `path:${codec}`, '--family', 'fake-script', '--budget', '5'],
        ...['--explain', 'none', '--placements', '0', '--reuse', '--out', own.out],
      ]);
    await compare();
    expect((await compare()).stdout).toContain('reused, nothing was measured now');
    appendFileSync(codec, '// Changed.\n');
    expect((await compare()).stderr).toMatch(/code of 'path:.*' changed/);
    expect(readdirSync(own.out)).toHaveLength(2);
  });

  test('measures once the source of a variant has changed', async () => {
    const own = openCopy();
    const file = join(families, 'fake-program/variants/slower.js');
    const before = readFileSync(file);
    appendFileSync(file, '// Changed.\n');
    try {
      await expectMeasured(own, /code of 'slower' changed \(sha256:\w+, now sha256:\w+\)/);
    } finally {
      // Other tests have the same family.
      writeFileSync(file, before);
    }
  });
});
