import { describe, expect, test } from '@jest/globals';
import { makeManifest } from '../../reports/fixtures/build.js';
import { PROJECT } from '../lib/project.js';
import { listFamilies } from '../variants/families.js';
import { checkCorrectness } from './gate.js';
import { makeQuestion } from './question.js';

/** @import { Job, ResolvedVariant } from '../formats/types.ts' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { WorkerOutcome } from './process.js' */

const FAMILY = /** @type {FoundFamily} */ ({
  name: 'soup',
  path: '/assay/experiments/soup',
  hasContract: true,
});
const { question, variants, corpora } = makeManifest();
const { baseline, candidate, reference } = variants;
const CELL = { id: 'boil leek', operation: 'boil', corpus: corpora[0].label };

/**
 * @param {object} [choice]
 * @param {[baseline: ResolvedVariant, candidate: ResolvedVariant]} [choice.compared]
 * @param {(string | undefined)[]} [choice.nodes] of the cells
 * @param {boolean} [choice.hasContract]
 * @param {string[]} [choice.acceptedRows]
 */
async function check({
  compared = [baseline, candidate],
  nodes = [undefined],
  hasContract = true,
  acceptedRows = [],
} = {}) {
  /** @type {Record<string, [spec: string, node: string | undefined][]>} */
  const jobs = { output: [], conformance: [] };
  const cells = nodes.map((node) => (node === undefined ? CELL : { ...CELL, node }));
  const found = await checkCorrectness(
    {
      question: { ...question, family: 'soup', cells, acceptedRows },
      family: { ...FAMILY, hasContract },
      variants: { baseline: compared[0], candidate: compared[1], reference },
      correctnessCorpora: corpora,
    },
    '/nowhere',
    async (job) => {
      jobs[job.kind].push([job.variant.spec, job.node]);
      return answer(job);
    },
  );
  return { jobs, contracts: found.contracts };
}

/**
 * @param {Job} job
 * @returns {WorkerOutcome}
 */
function answer({ kind, variant, node }) {
  const contract = ['deep-equality', 'json'].map((name) => ({
    theme: 'Equality',
    name,
    promise: `${variant.spec} ${node}`,
    outcome: 'fails',
    detail: null,
  }));
  const report = kind === 'conformance' ? { contract } : { outputDigest: 'same' };
  return /** @type {WorkerOutcome} */ (/** @type {unknown} */ ({ workerMs: 1, report }));
}

const PINNED = /** @type {[ResolvedVariant, ResolvedVariant]} */ ([
  { ...baseline, spec: 'a@node=20', node: '20.1.0' },
  { ...baseline, spec: 'a@node=24', node: '24.2.0' },
]);

describe('the check of outputs', () => {
  test('runs reference and variant under the Node of the cell', async () => {
    const { jobs } = await check({ compared: [baseline, baseline], nodes: ['22.11.0'] });
    expect(jobs.output).toEqual([
      [reference.spec, '22.11.0'],
      [baseline.spec, '22.11.0'],
    ]);
  });

  test('runs a pinned variant under its own Node, even if it is the same code', async () => {
    const { jobs } = await check({ compared: PINNED });
    expect(jobs.output).toEqual([
      [reference.spec, undefined],
      ['a@node=20', '20.1.0'],
      ['a@node=24', '24.2.0'],
    ]);
  });

  test('does not check the reference against itself, except under another Node', async () => {
    const pinned = { ...reference, spec: 'r@node=24', node: '24.2.0' };
    const { jobs } = await check({ compared: [reference, pinned] });
    expect(jobs.output).toEqual([
      [reference.spec, undefined],
      ['r@node=24', '24.2.0'],
    ]);
  });
});

describe('the behaviour contract', () => {
  test('runs once per variant, however many cells there are', async () => {
    const { jobs, contracts } = await check({ nodes: [undefined, undefined] });
    expect(jobs.conformance).toEqual([
      [baseline.spec, undefined],
      [candidate.spec, undefined],
    ]);
    expect(Object.keys(contracts)).toEqual([baseline.spec, candidate.spec]);
  });

  test('runs under every Node, which names its result from the second on', async () => {
    const again = { ...baseline, spec: 'the same' };
    const { jobs, contracts } = await check({
      compared: [baseline, again],
      nodes: ['20.1.0', '22.11.0', '20.1.0'],
    });
    // Not twice for the same code under the same Node.
    expect(jobs.conformance).toEqual([
      [baseline.spec, '20.1.0'],
      [baseline.spec, '22.11.0'],
    ]);
    const second = `${baseline.spec} node 22.11.0`;
    expect(Object.keys(contracts).slice(0, 2)).toEqual([baseline.spec, second]);
    expect(contracts[second][0].promise).toBe(`${baseline.spec} 22.11.0`);
    expect(contracts['the same']).toEqual(contracts[baseline.spec]);
  });

  test('runs twice for the same code that is pinned to two Nodes', async () => {
    const { jobs, contracts } = await check({ compared: PINNED });
    expect(Object.keys(contracts)).toEqual(['a@node=20', 'a@node=24']);
    // The family gets the spec without the pin.
    expect(jobs.conformance).toEqual([
      ['a', '20.1.0'],
      ['a', '24.2.0'],
    ]);
  });

  test('does not run for a family without one', async () => {
    const { jobs, contracts } = await check({ hasContract: false });
    expect({ jobs: jobs.conformance, contracts }).toEqual({ jobs: [], contracts: {} });
  });
});

describe('an accepted row', () => {
  test.each([[['json']], [['json', 'deep-equality']]])('of the contract: %j', async (rows) => {
    await expect(check({ acceptedRows: rows })).resolves.toBeDefined();
  });

  test('that the contract does not have is refused, with the nearest name and all names', async () => {
    await expect(check({ acceptedRows: ['json', 'deep-equalty'] })).rejects.toMatchObject({
      name: 'UsageError',
      message:
        "the behaviour contract of soup has no row 'deep-equalty'; did you mean 'deep-equality'?",
      remedy: 'it has deep-equality, json',
    });
  });

  test('of a family without a contract is refused at once', async () => {
    const families = await listFamilies(PROJECT.experimentsPath);
    const family = families.find(({ hasContract }) => !hasContract);
    if (family === undefined) throw new Error('every family has a contract');
    const [name] = family.variants;
    const explain = /** @type {const} */ ('none');
    const options = { mei: 0.03, processes: 96, placements: 4, explain, accept: ['json'] };
    await expect(makeQuestion([name, name], family, options)).rejects.toThrow(
      `the family ${family.name} has no behaviour contract`,
    );
  });
});
