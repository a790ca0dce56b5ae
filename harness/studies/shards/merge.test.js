import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../../lib/errors.js';
import { copyArtefact } from '../../run/executors/files.js';
import { expectStatus } from '../../testing/support/expect-status.js';
import { callAssay } from '../../testing/support/project.js';
import { scriptJobs } from '../../testing/support/scripted-jobs.js';
import { mergeRuns } from './merge.js';
import { makeWhole, splitIntoParts, verdictOf } from './test-support/make-shards.js';
import { makeTestDirectory } from '../../testing/support/directories.js';
import { testLong } from '../../testing/support/gates.js';

/** @import { Manifest, Question, SessionEnd } from '../../formats/types.ts' */
/** @import { Part } from './merge.js' */

const runsPath = makeTestDirectory('merge');

const WHOLE = makeWhole();
const PARTS = splitIntoParts(WHOLE, 3);
const [FIRST, SECOND, THIRD] = PARTS;
const OTHER_DIGEST = `sha256:${'9'.repeat(64)}`;

/** @param {Part[]} parts */
function merge(parts) {
  const { signal } = new AbortController();
  const host = { environment: process.env, toolsPath: runsPath };
  const session = { environment: process.env, signal, onProgress() {}, publish: async () => {} };
  return mergeRuns(parts, {
    runsPath,
    createdAt: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)),
    formatCommand: ({ seed }) => `just compare --seed ${seed}`,
    session: { ...session, host },
  });
}

/** @type {(part: Part, changes: Partial<Manifest>) => Part} */
function changePart({ name, run }, changes) {
  return { name, run: { ...run, manifest: { ...run.manifest, ...changes } } };
}

/** @type {(part: Part, changes: Partial<SessionEnd>) => Part} */
function changeEnd({ name, run }, changes) {
  const [start, end] = run.sessions;
  return {
    name,
    run: { ...run, sessions: [start, /** @type {SessionEnd} */ ({ ...end, ...changes })] },
  };
}

const { assay, question, variants, environment, settings } = SECOND.run.manifest;
const ask = (/** @type {Partial<Question>} */ changes) => ({
  question: { ...question, ...changes },
});
/** @type {(changes: Partial<typeof variants.baseline>) => Pick<Manifest, 'variants'>} */
const changeArms = (changes) => ({
  variants: {
    ...variants,
    baseline: { ...variants.baseline, ...changes },
    candidates: variants.candidates.map((candidate) => ({ ...candidate, ...changes })),
  },
});
const otherNode = { environment: { ...environment, node: 'v22.1.0' } };

test.each(
  /** @type {[string, Part[]][]} */ ([
    ['in order', PARTS],
    ['in reverse order', PARTS.toReversed()],
    [
      'under several Nodes, if both arms are pinned to one',
      PARTS.map((part, index) =>
        changePart(part, {
          ...changeArms({ runtime: 'node@22.11.0' }),
          ...(index === 1 ? otherNode : {}),
        }),
      ),
    ],
    [
      'under several Nodes, if a program of the family measures',
      PARTS.map((part, index) =>
        changePart(part, {
          ...changeArms({ program: { executable: 'worker', args: [], loop: [] } }),
          ...(index === 1 ? otherNode : {}),
        }),
      ),
    ],
  ]),
)('parts are merged %s', async (_, parts) => {
  const { manifest, verdict } = await merge(parts);
  expect(verdict.cells).toHaveLength(6);
  expect(manifest).not.toHaveProperty('part');
  expect(manifest.runId).toMatch(/^20260102-030405-generator-vs-linked-list/);
});

test.each(
  /** @type {[string, Part[], RegExp][]} */ ([
    ...[
      /** @type {const} */ (['another seed', ask({ seed: 7 }), /cannot merge 'B' with 'A': seed/]),
      /** @type {const} */ (['other looks', ask({ looks: [4, 8] }), /looks differs/]),
      /** @type {const} */ (['a minimum effect', ask({ minimumEffect: 0.02 }), /minimum effect/]),
      /** @type {const} */ (['a build', ask({ build: 'npm run build' }), /build differs/]),
      /** @type {const} */ ([
        'a smaller plan',
        ask({ cells: question.cells.slice(1) }),
        /cells of the plan differs/,
      ]),
      /** @type {const} */ ([
        'another Assay',
        { assay: { ...assay, revision: 'abc' } },
        /revision of Assay differs/,
      ]),
      /** @type {const} */ ([
        'other settings of jobs',
        { settings: { ...settings, batchCount: 3 } },
        /batch count differs/,
      ]),
      /** @type {const} */ ([
        'other code',
        changeArms({ digest: OTHER_DIGEST }),
        /code of 'generator' differs \(sha256:999/,
      ]),
      /** @type {const} */ ([
        'a toolchain',
        changeArms({ toolchain: { cc: '13.1.0' } }),
        /cc differs/,
      ]),
      /** @type {const} */ (['another Node', otherNode, /Node differs/]),
      /** @type {const} */ ([
        'a merged run',
        { merged: /** @type {const} */ (true) },
        /'B' is a merged run/,
      ]),
    ].map(([name, changes, message]) => [
      `one has ${name}`,
      [FIRST, changePart(SECOND, changes), THIRD],
      message,
    ]),
    ['one measured the whole plan', [{ name: 'all', run: WHOLE }], /'all' is not a part/],
    [
      'one is of more parts',
      [FIRST, splitIntoParts(WHOLE, 2)[1]],
      /number of parts differs \(2, not 3\)/,
    ],
    ['several are missing', [SECOND], /parts 1\/3, 3\/3 are missing/],
    ['one is missing', [FIRST, SECOND], /part 3\/3 is missing/],
    [
      'one is given twice',
      [...PARTS, { ...FIRST, name: 'again' }],
      /part 1\/3 is given twice: 'A' and 'again'/,
    ],
  ]),
)('parts are refused if %s, and leave no files', async (_, parts, message) => {
  const before = readdirSync(runsPath);
  await expect(merge(parts)).rejects.toThrow(message);
  expect(readdirSync(runsPath)).toEqual(before);
});

test('a part that was killed is refused with the command that resumes it', async () => {
  const killed = {
    name: 'my runs/B',
    run: { ...SECOND.run, sessions: SECOND.run.sessions.slice(0, 1) },
  };
  await expect(merge([FIRST, killed, THIRD])).rejects.toMatchObject({
    message: "'my runs/B' was interrupted before its verdict",
    remedy: "resume it first: just compare --resume 'my runs/B'",
  });
});

test('parts of several hosts have a note, and the worst end and noise of all', async () => {
  const [first, second] = splitIntoParts(WHOLE, 2);
  const changed = changePart(second, {
    environment: { ...environment, cpuModel: 'Other CPU', loadAverage: 3 },
  });
  const hostNoise = { stealShare: 0.2, othersShare: null, throttledMs: null };
  const other = changeEnd(changed, { ended: 'budget', hostNoise });
  const { verdict } = await merge([first, other]);
  const kinds = verdict.warnings.map(({ kind }) => kind);
  expect(kinds.slice(0, 3)).toEqual(['several-hosts', 'busy-host', 'steal']);
  expect(verdict.warnings[0].text).toMatch(
    /Part 1: AMD EPYC.*; Part 2: Other CPU, 2 CPUs, 8\.0 GiB/,
  );
  expect(verdict.warnings[1].text).toMatch(/^Part 2: the machine was busy/);
  expect(verdict.ended).toBe('budget');
  expect(verdict.hostNoise).toEqual({ stealShare: 0.2, othersShare: 0.01, throttledMs: 0 });
  expect(verdict.timing.wallMs).toBe(60_000);
  expect(verdict.parts).toEqual(
    [first, other].map(({ run }, index) => ({
      runId: run.manifest.runId,
      shard: index + 1,
      cellIds: verdictOf(run).cells.map(({ cell }) => cell.id),
      environment: run.manifest.environment,
      hostNoise: verdictOf(run).hostNoise,
    })),
  );
});

const PROFILE = 'artefacts/profiles/serialize-flat-baseline-0.cpuprofile';

describe('artefacts', () => {
  let root = '';

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'assay-artefacts-'));
    for (const run of ['part', 'merged']) {
      mkdirSync(join(root, run, 'artefacts', 'profiles'), { recursive: true });
    }
    writeFileSync(join(root, 'part', PROFILE), 'profile');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** @param {string} artefact */
  const copy = (artefact) => copyArtefact(artefact, join(root, 'part'), join(root, 'merged'));

  test('keep their names, and missing ones are ignored', () => {
    copy(PROFILE);
    copy('artefacts/profiles/gone.folded');
    expect(readFileSync(join(root, 'merged', PROFILE), 'utf8')).toBe('profile');
  });

  /** @type {[string, string, () => void][]} */
  const escapes = [
    ['by its name', 'artefacts/../../outside/secret', () => {}],
    [
      'by a link',
      'artefacts/link',
      () => symlinkSync(join(root, 'outside', 'secret'), join(root, 'part', 'artefacts', 'link')),
    ],
    [
      'by a link of the folder',
      'artefacts/secret',
      () => {
        rmSync(join(root, 'part', 'artefacts'), { recursive: true });
        symlinkSync(join(root, 'outside'), join(root, 'part', 'artefacts'));
      },
    ],
  ];

  test.each(escapes)('outside the run are refused: %s', (_, artefact, prepare) => {
    mkdirSync(join(root, 'outside'));
    writeFileSync(join(root, 'outside', 'secret'), 'secret');
    prepare();
    expect(() => copy(artefact)).toThrow(/is not a file of that run/);
  });

  test('of the same name in two parts are refused', () => {
    copy(PROFILE);
    expect(() => copy(PROFILE)).toThrow(/two parts have a file 'artefacts/);
  });
});

/** @param {string} path of a run */
function readLines(path) {
  const text = readFileSync(join(path, 'observations.ndjson'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id);
}

testLong('the parts that just plan prints are measured and merged into one run', async () => {
  const workingPath = mkdtempSync(join(runsPath, 'hosts-'));
  const runJob = scriptJobs();
  const run = (/** @type {string[]} */ ...args) => callAssay(args, { workingPath, runJob });
  const asked = ['generator', 'linked-list', '--op', 'serialize', '--corpus', 'flat,deep'];
  const limits = ['--processes', '16', '--placements', '0', '--explain', 'none'];
  const planned = await run('plan', ...asked, ...limits, '--shards', '2', '--format', 'matrix');
  /** @type {{ include: { shard: string, cells: string[], arguments: string }[] }} */
  const { include } = JSON.parse(planned.stdout);
  expect(include.map(({ shard, cells }) => ({ shard, cells }))).toEqual([
    { shard: '1/2', cells: ['serialize flat'] },
    { shard: '2/2', cells: ['serialize deep'] },
  ]);
  const paths = [];
  for (const [index, part] of include.entries()) {
    const out = `host-${index + 1}`;
    const measured = await run('compare', ...part.arguments.split(' '), '--out', out);
    expectStatus(measured, EXIT.done);
    expect(measured.stdout).toMatch(/^Part \d of 2 \(1 of 2 cells\)/);
    paths.push(join(out, readdirSync(join(workingPath, out))[0]));
  }

  const alone = await run('merge', paths[0], '--out', 'merged');
  expect(alone).toMatchObject({ status: EXIT.usage, stdout: '' });
  expect(alone.stderr).toMatch(/^error: part 2\/2 is missing\n {2}\S/);

  const merged = await run('merge', ...paths, '--out', 'merged');
  expect(merged).toMatchObject({ status: EXIT.done, stderr: '' });
  const path = join(workingPath, 'merged', readdirSync(join(workingPath, 'merged'))[0]);
  const { command } = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'));
  expect(command).toMatch(/^just compare generator linked-list --op serialize --corpus flat,deep /);
  expect(command).not.toContain('--shard');
  const measured = paths.flatMap((part) => readLines(join(workingPath, part)));
  expect(readLines(path).toSorted()).toEqual(measured.toSorted());
  expect(await run('report', path)).toMatchObject({ stdout: merged.stdout });
});
