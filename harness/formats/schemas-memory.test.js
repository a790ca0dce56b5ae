import { describe, expect, test } from '@jest/globals';
import {
  makeFailedObservation,
  makeMemoryReport,
  makeMemoryRun,
} from '../../reports/support/memory-fixtures.js';
import { FORMAT_VERSION } from './format-version.js';
import { validate } from './schemas.js';

const { manifest, observations } = makeMemoryRun();
const jobCommon = {
  formatVersion: FORMAT_VERSION,
  id: 'a job',
  family: 'js-bson',
  familyPath: '/assay/experiments/js-bson',
  variant: { spec: 'packed', modulePath: '/assay/packed.js', settings: {} },
  corpus: manifest.corpora[0],
};
const kinds = [...new Map(observations.map((observation) => [observation.kind, observation]))];

describe('documents on memory as Assay writes them are accepted', () => {
  test.each(['allocation', 'collections'])('job: %s', async (kind) => {
    const job = { ...jobCommon, kind, operation: 'deserialize' };
    await expect(validate('job', job)).resolves.toBeUndefined();
  });

  test.each(['retained-slope', 'retained-snapshot'])('job: %s', async (kind) => {
    const job = { ...jobCommon, kind, documentCount: 64_000 };
    await expect(validate('job', job)).resolves.toBeUndefined();
  });

  test.each(kinds)('worker report and observation: %s', async (kind, observation) => {
    const report = {
      formatVersion: FORMAT_VERSION,
      jobId: 'a job',
      kind,
      runtime: { name: 'node', version: '20.20.2', flags: [] },
      result: observation.result,
    };
    await expect(validate('worker-report', report)).resolves.toBeUndefined();
    await expect(validate('memory-observation', observation)).resolves.toBeUndefined();
  });

  test('an observation that failed', async () => {
    const observation = makeFailedObservation('allocation/deserialize comments/0/baseline');
    await expect(validate('memory-observation', observation)).resolves.toBeUndefined();
  });

  test('a verdict', async () => {
    const { verdict } = JSON.parse(JSON.stringify(makeMemoryReport()));
    await expect(validate('verdict', verdict)).resolves.toBeUndefined();
  });
});

describe('broken documents on memory are refused in plain words', () => {
  test('a job that holds documents without saying how many', async () => {
    const job = { ...jobCommon, kind: 'retained-slope' };
    await expect(validate('job', job)).rejects.toThrow(/documentCount is missing/);
  });

  test('a result of another kind', async () => {
    const observation = { ...observations[0], result: { kind: 'guess' } };
    await expect(validate('memory-observation', observation)).rejects.toThrow(
      /result.kind is "guess", which is not known/,
    );
  });

  test('a verdict in a word of time', async () => {
    const { verdict } = JSON.parse(JSON.stringify(makeMemoryReport()));
    verdict.memory.corpora[0].metrics[0].verdict = 'faster';
    await expect(validate('verdict', verdict)).rejects.toThrow(/should be one of smaller, larger/);
  });
});
