import { makeManifest } from '../../../../reports/support/fixtures.js';
import { FORMAT_VERSION } from '../../../formats/format-version.js';
import { parseJson, readText } from '../../../lib/files.js';
import { runWorker } from '../../../run/run-worker.js';
import { validate } from '../../../formats/schemas.js';

/** @import { FileFormat } from './types.ts' */
/** @import { Job } from '../../../formats/types.ts' */

const REMEDY = 'write the job again';
const { settings, corpora } = makeManifest();

/** @type {Job} */
const JOB = {
  formatVersion: FORMAT_VERSION,
  id: 'serialize flat/000/1/candidate',
  kind: 'measure',
  family: 'js-bson',
  familyPath: '/assay/experiments/js-bson',
  variant: { spec: 'generator', modulePath: '/assay/generator.js', settings: {} },
  operation: 'serialize',
  corpus: corpora[0],
  settings,
};
const REPORT = {
  formatVersion: FORMAT_VERSION,
  jobId: JOB.id,
  kind: 'measure',
  runtime: { name: 'node', version: '20.20.2', flags: [] },
  outputDigest: `sha256:${'0a'.repeat(32)}`,
  measurement: {
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
  },
};

/** @type {FileFormat[]} what passes between the harness and a worker of any language */
export const formats = [
  {
    name: 'a job',
    fileName: 'job.json',
    samples: [Buffer.from(JSON.stringify(JOB))],
    async read(_folder, path) {
      const value = parseJson(readText(path, `'${path}'`, REMEDY), `'${path}'`, REMEDY);
      return validate('job', value, `'${path}'`);
    },
  },
  {
    name: 'the report of a worker',
    fileName: 'report.json',
    samples: [Buffer.from(JSON.stringify(REPORT))],
    isSlow: true,
    neverRefuses: true,
    read(_folder, path) {
      const command = { executable: 'cat', args: [path], environment: process.env };
      return runWorker(JOB, { ...command, timeoutMs: 10_000 });
    },
  },
];
