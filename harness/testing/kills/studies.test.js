import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { EXIT } from '../../lib/errors.js';
import { makeRepository } from '../../variants/test-support/make-repository.js';
import { expectStatus } from '../support/expect-status.js';
import { describeLong } from '../support/gates.js';
import { waitFor } from '../support/comparisons.js';
import { callAssay, makeProject } from '../support/project.js';
import { scriptSlow } from '../support/scripted-jobs.js';
import { makeTestDirectory } from '../support/directories.js';

/** @import { Death } from './kill-and-resume.js' */

const HOOK = new URL('die-at-write.js', import.meta.url).href;
const root = makeTestDirectory('study-kills');
const projectPath = join(root, 'project');
const familyPath = join(projectPath, 'experiments', 'fake-program');

/** Commits of the codec that are slower, and the variant of the family. @type {string[]} */
let slow;

beforeAll(() => {
  makeProject(projectPath, [], ['script', 'program']);
  slow = ['slower', ...makeCheckout(join(root, 'codec'))];
  writeFileSync(join(familyPath, 'claims.json'), JSON.stringify(makeClaims()));
});

/** Makes a checkout, and returns its last two commits, which are slower. @param {string} path */
function makeCheckout(path) {
  const repository = makeRepository(path);
  const description = { name: 'codec', type: 'module', exports: './index.js' };
  const files = { 'package.json': JSON.stringify(description), 'index.js': '// Fast.\n' };
  repository.commit(files, 'begin');
  repository.commit({ 'README.md': 'A codec.\n' }, 'describe it');
  return [
    repository.commit({ 'index.js': '// Slow.\n' }, 'do more'),
    repository.commit({ 'README.md': 'A good codec.\n' }, 'praise it'),
  ];
}

function makeClaims() {
  const claims = [
    ['apart', 'plain', 'slower', 'apart', 'slower'],
    ['back', 'slower', 'plain', 'apart', 'faster'],
  ].map(([name, baseline, candidate, operation, direction]) => ({
    id: `T-1/${name}`,
    source: 'T-1',
    statement: 'So it is.',
    baseline,
    candidate,
    operation,
    corpus: 'deep',
    figure: { formula: 'direction', direction },
    tolerance: 1.2,
  }));
  const sources = [{ id: 'T-1', title: 't', reference: 'r', conditions: 'c' }];
  return { formatVersion: FORMAT_VERSION, family: 'fake-program', sources, claims };
}

const environment = { ...process.env, ASSAY_LOCK_DIRECTORY: join(root, 'locks') };

/** @param {string[]} args */
function run(args) {
  const runJob = scriptSlow(slow);
  return callAssay(args, { projectPath, workingPath: root, environment, runJob });
}

/**
 * Runs Assay in a process that is killed.
 *
 * @param {string[]} args
 * @param {Death} death
 */
function runUntil(args, death) {
  const bin = join(projectPath, 'harness', 'testing', 'support', 'run-scripted.js');
  const child = spawn(process.execPath, ['--import', HOOK, bin, ...args], {
    env: {
      ...environment,
      ASSAY_INVOCATION_DIRECTORY: root,
      ASSAY_DEATH: JSON.stringify(death),
      SCRIPTED_JOB_MS: '0',
      SCRIPTED_SLOW: slow.join(),
    },
  });
  return waitFor(child);
}

/**
 * A study that is killed: at the first of these moments, in long tests at all.
 *
 * @typedef {object} Subject
 * @property {string} name of the command
 * @property {string[]} args
 * @property {string} file that holds its state
 * @property {Omit<Death, 'signal'>[]} deaths one after the other
 * @property {(state: any) => { result: unknown, runs: string[] }} pick what does not depend on the moment, and the
 *   runs that are finished
 */

/** @type {Subject[]} */
const SUBJECTS = [
  {
    name: 'bisect',
    args: 'git:codec@HEAD~3 git:codec@HEAD reverse deep --family fake-script --processes 16'.split(
      ' ',
    ),
    file: 'bisection.json',
    deaths: [
      // In the first run, between two runs, and while the state is written.
      { file: 'observations.ndjson', nth: 5, how: 'torn' },
      { file: 'bisection.json', nth: 4, how: 'after' },
      { file: 'bisection.json', nth: 2, how: 'torn' },
    ],
    pick({ bisectionId: _id, createdAt: _at, command: _command, steps, ...rest }) {
      const settled = steps.map((/** @type {any} */ { seconds: _s, runId: _r, ...step }) => step);
      return {
        result: { ...rest, steps: settled },
        runs: steps.map((/** @type {{ runId: string }} */ { runId }) => runId),
      };
    },
  },
  {
    name: 'reproduce',
    args: ['T-1'],
    file: 'reproduction.json',
    deaths: [
      { file: 'observations.ndjson', nth: 20, how: 'torn' },
      { file: 'reproduction.json', nth: 2, how: 'after' },
      { file: 'manifest.json', nth: 1, how: 'before' },
      { file: 'reproduction.json', nth: 2, how: 'torn' },
    ],
    pick({ ended, sources, question, judged }) {
      return {
        result: {
          ...{ ended, sources, question },
          judged: judged.map((/** @type {any} */ { run: _run, ...one }) => one),
        },
        runs: judged.map((/** @type {{ run: string }} */ one) => one.run),
      };
    },
  },
];

describeLong.each(SUBJECTS)('$name', ({ name, args, file, deaths, pick }) => {
  const start = [name, ...args, '--seed', '1', '--out'];
  /** @param {string} out directory in which one study was made */
  const findStudy = (out) => join(out, readdirSync(out)[0]);
  /** @param {string} path of the study */
  const readState = (path) => pick(JSON.parse(readFileSync(join(path, file), 'utf8')));
  /** @param {string} path of a run */
  const readJournal = (path) => readFileSync(join(path, 'observations.ndjson'), 'utf8');
  /** @param {string} text of a journal */
  const listJobs = (text) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);

  /** @type {string} */
  let whole;
  beforeAll(async () => {
    const out = join(root, `${name}-whole`);
    expectStatus(await run([...start, out]), EXIT.done);
    whole = findStudy(out);
  });

  /** With another host, with code of a variant that changed, or with further options. @param {string} path */
  async function expectNotResumed(path) {
    const resume = [name, '--resume', path];
    if (name === 'reproduce') {
      const source = join(familyPath, 'program', 'scripted.sh');
      const text = readFileSync(source, 'utf8');
      writeFileSync(source, `${text}# Changed.\n`);
      const { status, stderr } = await run(resume);
      writeFileSync(source, text);
      expect(status).toBe(EXIT.usage);
      expect(stderr).toMatch(
        /error: cannot resume the reproduction: code of '\S+' changed \(sha256:/,
      );
    }
    const manifest = join(path, readState(path).runs[0], 'manifest.json');
    const content = JSON.parse(readFileSync(manifest, 'utf8'));
    content.environment.kernel = 'another';
    writeFileSync(manifest, JSON.stringify(content));
    const { status, stderr } = await run(resume);
    expect(status).toBe(EXIT.usage);
    expect(stderr).toMatch(/^error: cannot resume the \w+: kernel changed \(another, now /);

    const other = await run([...resume, '--seed', '2']);
    expect(other.status).toBe(EXIT.usage);
    expect(other.stderr).toContain('--resume cannot be combined with --seed');
  }

  test('killed and resumed where nothing changed: the same result, and nothing is measured twice', async () => {
    const out = join(root, `${name}-killed`);
    /** @type {Map<string, string>} journals of runs that are finished */
    const finished = new Map();
    for (const [index, death] of deaths.entries()) {
      const again = index === 0 ? [...start, out] : [name, '--resume', findStudy(out)];
      const { signal, stderr } = await runUntil(again, { ...death, signal: 'SIGKILL' });
      expect({ signal, stderr }).toMatchObject({ signal: 'SIGKILL' });
      const path = findStudy(out);
      for (const runId of readState(path).runs) {
        finished.set(runId, readJournal(join(path, runId)));
      }
    }
    expect(finished.size).toBeGreaterThan(0);
    const elsewhere = join(root, `${name}-elsewhere`);
    cpSync(findStudy(out), elsewhere, { recursive: true });
    await expectNotResumed(elsewhere);

    const path = findStudy(out);
    const { status, stderr } = await run([name, '--resume', path]);
    expectStatus({ status, stderr }, EXIT.done);

    const [found, expected] = [path, whole].map(readState);
    expect(found.result).toEqual(expected.result);
    for (const [runId, journal] of finished) expect(readJournal(join(path, runId))).toBe(journal);
    expect(found.runs.map((runId) => listJobs(readJournal(join(path, runId))))).toEqual(
      expected.runs.map((runId) => listJobs(readJournal(join(whole, runId)))),
    );
    // No half runs and no temporary files.
    expect(readdirSync(path)).toHaveLength(readdirSync(whole).length);
  });

  test('interrupted: prints how to resume it, and resumes there', async () => {
    const out = join(root, `${name}-interrupted`);
    const death = { file, nth: 2, how: /** @type {const} */ ('after') };
    const { status, stderr } = await runUntil([...start, out], { ...death, signal: 'SIGINT' });
    expect(status).toBe(EXIT.interrupted);
    const path = findStudy(out);
    expect(stderr).toContain(`interrupted; resume with: just ${name} --resume `);
    expectStatus(await run([name, '--resume', path]), EXIT.done);
    expect(readState(path).result).toEqual(readState(whole).result);
  });

  test('finished: is printed again, and nothing is measured', async () => {
    const before = readdirSync(whole)
      .filter((one) => one !== file)
      .sort();
    const { status, stdout } = await run([name, '--resume', whole]);
    expect(status).toBe(EXIT.done);
    expect(stdout).toContain('--seed 1');
    expect(
      readdirSync(whole)
        .filter((one) => one !== file)
        .sort(),
    ).toEqual(before);
  });
});

test.each([
  ['bisect', 'not a bisection'],
  ['reproduce', 'not a reproduction'],
])('%s --resume of another directory is refused', async (name, message) => {
  mkdirSync(join(root, 'empty'), { recursive: true });
  const { status, stderr } = await run([name, '--resume', 'empty']);
  expect(status).toBe(EXIT.usage);
  expect(stderr).toContain(message);
});
