/** Memory jobs in a worker process, on objects of known size. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { limitMemoryJob } from '../../run/jobs.js';
import { PROJECT } from '../../lib/project.js';
import { runWorker } from '../../run/process.js';
import { validate } from '../../formats/schemas.js';
import { testLong } from '../../testing/support/gates.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

/** @import { MemoryJob, MemoryReport, MemoryResult } from '../../formats/types.ts' */

const LEAF_BYTES = 56;
const ROOT_BYTES = 40;
const DOCUMENT_BYTES = ROOT_BYTES + 2 * LEAF_BYTES;
const DOCUMENT_COUNT = 200;

const folder = makeTestDirectory('memory');
const bytesPath = join(folder, 'documents.bson');
writeFileSync(bytesPath, Buffer.from('0500000000'.repeat(DOCUMENT_COUNT), 'hex'));

const familyPath = fileURLToPath(new URL('../../testing/fake-family', import.meta.url));
const common = {
  formatVersion: FORMAT_VERSION,
  id: 'a job',
  family: 'fake-family',
  familyPath,
  variant: { spec: 'plain', modulePath: join(familyPath, 'variants', 'plain.js'), settings: {} },
  corpus: {
    label: 'empty',
    name: 'empty',
    provenance: /** @type {const} */ ('deserialized'),
    digest: `sha256:${'0'.repeat(64)}`,
    documentCount: DOCUMENT_COUNT,
    sizeBytes: 5 * DOCUMENT_COUNT,
    files: { text: bytesPath, canonical: bytesPath, bytes: bytesPath },
  },
};

/**
 * @template {MemoryResult['kind']} Kind
 * @param {MemoryJob & { kind: Kind }} job
 * @returns {Promise<Extract<MemoryResult, { kind: Kind }>>}
 */
async function runMemoryJob(job) {
  validate('job', job);
  const { flags, timeoutMs } = limitMemoryJob(job.kind);
  const outcome = await runWorker(job, {
    executable: process.execPath,
    args: [...flags, PROJECT.workerPath],
    environment: process.env,
    timeoutMs,
  });
  if ('failure' in outcome) throw new Error(JSON.stringify(outcome.failure));
  validate('worker-report', outcome.report);
  const { result } = /** @type {MemoryReport} */ (outcome.report);
  return /** @type {Extract<MemoryResult, { kind: Kind }>} */ (result);
}

describe('a memory job', () => {
  test('determines the retained size of documents from a heap snapshot, to the byte', async () => {
    const result = await runMemoryJob({
      ...common,
      kind: 'retained-snapshot',
      documentCount: 3 * DOCUMENT_COUNT,
    });
    expect(result.documents).toBe(3 * DOCUMENT_COUNT);
    expect([result.heapBytes, result.offHeapBytes]).toEqual([DOCUMENT_BYTES, 0]);
    expect(result.composition).toEqual([
      { name: 'Leaf', perDocument: 2, heapBytes: 2 * LEAF_BYTES, offHeapBytes: 0 },
      { name: 'Root', perDocument: 1, heapBytes: ROOT_BYTES, offHeapBytes: 0 },
    ]);
    const [documents, leaves] = result.groups;
    expect([documents.name, documents.shallowBytes]).toEqual(['(document)', ROOT_BYTES]);
    expect(documents.parts.map(({ field, holds, heapBytes }) => [field, holds, heapBytes])).toEqual(
      [
        ['first', 'Leaf', LEAF_BYTES],
        ['second', 'Leaf', LEAF_BYTES],
      ],
    );
    expect([leaves.name, leaves.perDocument, leaves.heapBytes]).toEqual(['Leaf', 2, LEAF_BYTES]);
  }, 60_000);

  testLong(
    'determines the retained size of documents from the growth of the heap',
    async () => {
      const documentCount = 100_000;
      const { points } = await runMemoryJob({ ...common, kind: 'retained-slope', documentCount });
      expect(points.map(({ documents }) => documents)).toEqual([25_000, 50_000, 75_000, 100_000]);
      const grown = points[3].heapUsedBytes - points[0].heapUsedBytes;
      expect(grown / 75_000 / DOCUMENT_BYTES).toBeCloseTo(1, 1);
    },
    60_000,
  );

  test('measures the allocation of an operation per document', async () => {
    const result = await runMemoryJob({ ...common, kind: 'allocation', operation: 'make-roots' });
    expect(result.windowHeapBytes.length).toBeGreaterThan(0);
    const middle = result.windowHeapBytes.toSorted((a, b) => a - b)[
      result.windowHeapBytes.length >> 1
    ];
    expect(middle / DOCUMENT_BYTES).toBeCloseTo(1, 1);
    expect(result.offHeapBytes).toBeLessThan(1);
  }, 60_000);

  testLong(
    'counts garbage collections by kind',
    async () => {
      const result = await runMemoryJob({
        ...common,
        kind: 'collections',
        operation: 'make-roots',
      });
      expect(result.collections.scavenge.count).toBeGreaterThan(0);
      expect(result.documents % DOCUMENT_COUNT).toBe(0);
      expect(result.allocatedBytes / DOCUMENT_BYTES).toBeCloseTo(1, 1);
    },
    60_000,
  );
});
