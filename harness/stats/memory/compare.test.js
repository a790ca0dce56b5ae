import { makeFailedObservation, makeMemoryRun } from '../../../reports/fixtures/memory.js';
import { MEMORY_KINDS } from '../../formats/memory-kinds.js';
import { withCandidates } from '../plan.js';
import { compareMemory } from './compare.js';
import { fitHeldSlope } from './results.js';

/** @import { MemoryMetric, MemoryObservation, MemoryResult } from '../../formats/types.ts' */

/** @type {(metrics: MemoryMetric[]) => Record<string, string>} verdict by name */
function verdictsOf(metrics) {
  return Object.fromEntries(metrics.map(({ name, verdict }) => [name, verdict]));
}

describe('a comparison of memory', () => {
  const { manifest, observations } = makeMemoryRun();
  const memory = compareMemory({ manifest, observations });

  test('judges allocation and collections of every cell', () => {
    const [cell] = memory.cells;
    expect(cell.cell.id).toBe('deserialize comments');
    expect(verdictsOf(cell.metrics)).toEqual({
      'allocated-heap': 'smaller',
      'allocated-off-heap': 'smaller',
      collections: 'smaller',
      'collection-time': 'smaller',
    });
    expect(cell.collections.baseline?.perThousand.scavenge).toBeCloseTo(1.1125, 9);
  });

  test('judges the number of allocations where workers count them', () => {
    const counted = makeMemoryRun(({ arm }, result) =>
      result.kind === 'allocation'
        ? { ...result, allocations: arm === 'candidate' ? 3 : 12 }
        : result,
    );
    const [metric] = compareMemory(counted).cells[0].metrics.filter(
      ({ name }) => name === 'allocations',
    );
    expect(metric?.ratio?.estimate).toBeCloseTo(0.25, 12);
    expect(metric).toMatchObject({
      unit: 'allocations',
      verdict: 'smaller',
      strong: true,
      exact: true,
      values: { baseline: 12, candidate: 3, control: 12 },
    });
  });

  test('judges retained bytes exactly, and by the slope', () => {
    const [corpus] = memory.corpora;
    expect(corpus.documents).toEqual({ snapshot: 2_000, slope: 48_000 });
    expect(verdictsOf(corpus.metrics)).toEqual({
      retained: 'smaller',
      'retained-slope': 'smaller',
    });
    const [retained, slope] = corpus.metrics;
    expect(retained).toMatchObject({
      exact: true,
      values: { baseline: 745, candidate: 569, control: 745 },
    });
    expect(slope.exact).toBe(false);
    expect(slope.values.baseline).toBeCloseTo(745.1, 0);
    expect(memory.warnings).toEqual([]);
  });

  test('judges every constructor that both variants retain, with its parts', () => {
    const [documents, ids] = memory.corpora[0].groups;
    expect([documents.name, ids.name]).toEqual(['(document)', 'ObjectId']);
    expect(ids.metric).toMatchObject({
      verdict: 'smaller',
      exact: true,
      values: { baseline: 144, candidate: 56 },
    });
    expect(ids.baseline.parts.map(({ holds }) => holds)).toEqual(['Buffer', 'ArrayBuffer']);
    expect(ids.candidate.parts).toEqual([]);
  });

  test('reports resident memory as a range', () => {
    const rss = memory.corpora[0].rssBytes.baseline;
    expect(rss).toEqual({ low: 109_344_000, median: 111_344_000, high: 113_344_000 });
  });

  test('does not depend on the order of the observations or on repetitions', () => {
    const shuffled = [...observations.toReversed(), ...observations.slice(0, 7)];
    expect(compareMemory({ manifest, observations: shuffled })).toEqual(memory);
  });

  test('without observations is empty', () => {
    expect(compareMemory({ manifest, observations: [] })).toEqual({
      cells: [],
      corpora: [],
      warnings: [],
    });
  });
});

describe('a warning', () => {
  /** @param {Parameters<typeof makeMemoryRun>[0]} change @param {MemoryObservation[]} [more] */
  function warn(change, more = []) {
    const { manifest, observations } = makeMemoryRun(change);
    const all = [...observations, ...more];
    return compareMemory({ manifest, observations: all, firstNumber: 4 }).warnings;
  }

  /**
   * @param {MemoryResult['kind']} kind
   * @param {(result: any, job: { arm: string, process: number }) => object} change
   * @returns {Parameters<typeof makeMemoryRun>[0]} changes the results of one kind
   */
  const inResultsOf = (kind, change) => (job, result) =>
    result.kind === kind ? { ...result, ...change(result, job) } : result;

  test('continues the numbers of the others', () => {
    expect(warn(inResultsOf('allocation', () => ({ bridged: true })))).toEqual([
      { number: 4, kind: 'memory-windows-collected', text: expect.stringContaining('comments') },
    ]);
  });

  /** @type {[string, string, MemoryResult['kind'], Parameters<typeof inResultsOf>[1]][]} */
  const cases = [
    [
      'snapshot and slope differ',
      'memory-slope-disagrees',
      'retained-snapshot',
      ({ heapBytes }, { arm }) => ({ heapBytes: heapBytes * (arm === 'candidate' ? 0.97 : 1) }),
    ],
    [
      'the heap does not grow on a line',
      'memory-slope-bends',
      'retained-slope',
      ({ points: [first, second, ...rest] }) => ({
        points: [first, { ...second, heapUsedBytes: second.heapUsedBytes + 4e6 }, ...rest],
      }),
    ],
    [
      'a snapshot does not repeat',
      'memory-not-repeated',
      'retained-snapshot',
      ({ heapBytes }, { process }) => ({ heapBytes: heapBytes + process }),
    ],
    [
      'a snapshot of the control differs',
      'memory-not-repeated',
      'retained-snapshot',
      ({ heapBytes }, { arm }) => ({ heapBytes: heapBytes + (arm === 'control' ? 1 : 0) }),
    ],
    [
      'the control differs from the baseline',
      'memory-control-differs',
      'allocation',
      ({ windowHeapBytes: [bytes] }, { arm }) => ({
        windowHeapBytes: [bytes * (arm === 'control' ? 0.96 : 1)],
      }),
    ],
    [
      'processes allocate differently',
      'memory-process-modes',
      'allocation',
      (_, { process }) => ({ windowHeapBytes: [process === 0 ? 2300 : 2100] }),
    ],
    [
      'two accounts of allocation differ',
      'memory-allocation-disagrees',
      'collections',
      () => ({ allocatedBytes: 1500 }),
    ],
  ];
  test.each(cases)('is given when %s', (_, warning, kind, change) => {
    expect(warn(inResultsOf(kind, change)).map((each) => each.kind)).toContain(warning);
  });

  test('names the baseline once although several candidates share it', () => {
    const { manifest, observations } = makeMemoryRun(
      inResultsOf('allocation', (_, { arm, process }) =>
        arm === 'candidate' ? {} : { windowHeapBytes: [process === 0 ? 2300 : 2100] },
      ),
    );
    const candidates = ['packed', 'other'];
    const cells = withCandidates(manifest.question.cells, candidates);
    const question = { ...manifest.question, candidates, cells };
    const shared = observations.flatMap((job) =>
      job.arm === 'candidate'
        ? candidates.map((spec) => ({
            ...job,
            id: `${job.id} ${spec}`,
            subject: `${job.subject} ${spec}`,
          }))
        : [job],
    );
    const { warnings } = compareMemory({
      manifest: { ...manifest, question },
      observations: shared,
    });
    expect(warnings.find(({ kind }) => kind === 'memory-process-modes')?.text).toContain(
      ': deserialize comments baseline: 2100 to 2300 bytes; deserialize comments control: 2100 to 2300 bytes.',
    );
  });

  test('names what a run that ended early did not measure completely', () => {
    const { manifest, observations } = makeMemoryRun();
    const question = { ...manifest.question, memoryKinds: [...MEMORY_KINDS] };
    const early = {
      manifest: { ...manifest, question },
      observations: observations.filter(
        ({ kind, process }) => kind === 'allocation' || (kind === 'collections' && process === 0),
      ),
    };
    expect(compareMemory({ ...early, ended: 'budget' }).warnings).toContainEqual({
      number: 1,
      kind: 'memory-incomplete',
      text: 'Memory was not measured, or not in all processes: collections deserialize comments (3 of 18 processes); retained-snapshot comments; retained-slope comments.',
    });
    const whole = { ...early, observations };
    expect(compareMemory({ ...whole, ended: 'budget' }).warnings).toEqual([]);
  });

  test('explains an interval that excludes 1 without a verdict', () => {
    const { manifest, observations } = makeMemoryRun();
    const few = observations.filter(({ process }) => process < 3);
    const memory = compareMemory({ manifest, observations: few });
    const [metric] = memory.cells[0].metrics.filter(({ name }) => name === 'collections');
    expect(metric?.verdict).toBe('inconclusive');
    expect(metric?.ratio?.high).toBeLessThan(1);
    const note = memory.warnings.find(({ kind }) => kind === 'memory-undecided');
    expect(note?.text).toContain('comments (collections)');
  });

  test('names jobs without a result', () => {
    const id = 'allocation/deserialize comments/9/baseline';
    expect(warn(undefined, [makeFailedObservation(id)])).toEqual([
      {
        number: 4,
        kind: 'memory-job-failed',
        text: 'Memory jobs produced no result: allocation/deserialize comments/9/baseline ended by SIGKILL: out of memory.',
      },
    ]);
  });
});

/** @param {number} documents @param {number} heapUsedBytes @param {number} externalBytes */
function point(documents, heapUsedBytes, externalBytes) {
  return { documents, heapUsedBytes, externalBytes, arrayBufferBytes: externalBytes, rssBytes: 0 };
}

test('the slope is what each further document holds, array buffers counted once', () => {
  const points = [1, 2, 3, 4].map((n) => point(n * 1000, 5e6 + n * 700_000, 2e6 + n * 32_000));
  const { bytesPerDocument, residualShare } = fitHeldSlope(points);
  expect(bytesPerDocument).toBeCloseTo(732, 9);
  expect(residualShare).toBeCloseTo(0, 9);
});

test('a bent line shows in its residual', () => {
  const points = [point(1000, 100_000, 0), point(2000, 200_000, 0), point(3000, 500_000, 0)];
  expect(fitHeldSlope(points).residualShare).toBeGreaterThan(0.1);
});
