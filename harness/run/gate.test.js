import { writeFileSync } from 'node:fs';
import { makeManifest } from '../../reports/fixtures/build.js';
import { PROJECT } from '../lib/project.js';
import { listFamilies } from '../variants/families.js';
import { makeTestDirectory } from '../testing/support/directories.js';
import { encodeFrames } from '../worker/frames.js';
import { checkCorrectness, openChecks } from './gate.js';
import { makeQuestion } from './question.js';

/** @import { Cell, Job, ResolvedVariant } from '../formats/types.ts' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { WorkerOutcome } from './process.js' */

const outputPath = makeTestDirectory('gate');
const FAMILY = /** @type {FoundFamily} */ ({
  name: 'soup',
  path: '/assay/experiments/soup',
  hasContract: true,
});
const { question, variants, corpora } = makeManifest();
const { baseline, reference } = variants;
const [candidate] = variants.candidates;
const CELL = { id: 'boil leek', operation: 'boil', corpus: corpora[0].label };

/**
 * @param {object} [choice]
 * @param {[baseline: ResolvedVariant, candidate: ResolvedVariant]} [choice.compared]
 * @param {(string | undefined)[]} [choice.runtimes] of the cells
 * @param {boolean} [choice.hasContract]
 * @param {string[]} [choice.acceptedRows]
 * @param {(outcome: any, job: Job) => WorkerOutcome} [choice.changed]
 * @param {Cell[]} [choice.cells] instead of one for each runtime
 */
async function check({
  compared = [baseline, candidate],
  runtimes = [undefined],
  hasContract = true,
  acceptedRows = [],
  changed = (outcome) => outcome,
  cells = runtimes.map((runtime) =>
    runtime === undefined ? CELL : { ...CELL, id: `${CELL.id} ${runtime}`, runtime },
  ),
} = {}) {
  /** @type {Record<string, string[]>} */
  const jobs = { output: [], conformance: [] };
  const found = await checkCorrectness(
    {
      question: { ...question, family: 'soup', cells, acceptedRows },
      family: { ...FAMILY, hasContract },
      variants: { baseline: compared[0], candidates: [compared[1]], reference },
      packages: {},
      correctnessCorpora: [...corpora, { ...corpora[0], label: 'messages' }],
    },
    outputPath,
    openChecks(async (job) => {
      jobs[job.kind].push([job.variant.spec, job.runtime ?? 'own'].join(' under '));
      return changed(answer(job), job);
    }, new AbortController().signal),
  );
  const { contracts, expectedDigests: digests, sizes, differences } = found;
  return { jobs, contracts, digests, sizes, differences };
}

/** @type {(job: Job) => WorkerOutcome} */
function answer({ kind, variant, runtime, ...rest }) {
  const corpus = 'corpus' in rest ? rest.corpus : undefined;
  const contract = ['deep-equality', 'json'].map((name) => ({
    theme: 'Equality',
    name,
    promise: `${variant.spec} ${runtime}`,
    outcome: 'fails',
    detail: null,
  }));
  const sizes = { messages: 1, raw: variant.spec.length, gzip: 1, brotli: 1 };
  const output = { outputDigest: 'same', ...(corpus?.label === 'messages' ? { sizes } : {}) };
  const report = kind === 'conformance' ? { contract } : output;
  return /** @type {WorkerOutcome} */ (/** @type {unknown} */ ({ workerMs: 1, report }));
}

const PINNED = /** @type {[ResolvedVariant, ResolvedVariant]} */ ([
  { ...baseline, spec: 'a@node=20', runtime: 'node@20.1.0' },
  { ...baseline, spec: 'a@node=24', runtime: 'node@24.2.0' },
]);

const PINNED_REFERENCE = { ...reference, spec: 'r@node=24', runtime: 'node@24.2.0' };

test.each(
  /** @type {[string, Parameters<typeof check>[0], string[]][]} */ ([
    [
      'reference and variant under the runtime of the cell',
      { compared: [baseline, baseline], runtimes: ['node@22.11.0'] },
      [`${reference.spec} under node@22.11.0`, `${baseline.spec} under node@22.11.0`],
    ],
    [
      'a pinned variant under its own runtime, even if it is the same code',
      { compared: PINNED },
      [`${reference.spec} under own`, 'a@node=20 under node@20.1.0', 'a@node=24 under node@24.2.0'],
    ],
    [
      'the reference as a variant only under another runtime',
      { compared: [reference, PINNED_REFERENCE] },
      [`${reference.spec} under own`, 'r@node=24 under node@24.2.0'],
    ],
  ]),
)('the check of outputs runs %s', async (_, choice, jobs) => {
  expect((await check(choice)).jobs.output).toEqual(jobs);
});

test('sizes of messages are kept by cell and variant, the same for the same code', async () => {
  expect((await check()).sizes).toEqual({});
  const cells = [CELL, { ...CELL, id: 'boil messages', corpus: 'messages' }];
  const again = { ...baseline, spec: 'the same' };
  const { sizes } = await check({ compared: [baseline, again], cells });
  const own = { messages: 1, raw: baseline.spec.length, gzip: 1, brotli: 1 };
  expect(sizes).toEqual({ 'boil messages': { [baseline.spec]: own, 'the same': own } });
});

test('the check of outputs runs once for the cold figures of an operation', async () => {
  const cells = [1, 10].map((calls) => ({
    ...CELL,
    id: `${CELL.id} cold ${calls}`,
    cold: { calls, withLoad: false },
  }));
  const { jobs, digests } = await check({ compared: [baseline, baseline], cells });
  expect(jobs.output).toEqual([`${reference.spec} under own`, `${baseline.spec} under own`]);
  expect(digests).toEqual({ 'boil leek cold 1': 'same', 'boil leek cold 10': 'same' });
});

test('a module in TypeScript is named instead of the last lines of the worker', async () => {
  const line = 'TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /src/a.ts';
  const failure = { kind: 'crash', detail: 'ended with exit status 1', lastLines: [line] };
  const changed = () => /** @type {any} */ ({ workerMs: 1, failure });
  await expect(check({ changed })).rejects.toMatchObject({
    message: `${reference.spec}: '/src/a.ts' is TypeScript, which this Node does not run`,
    remedy: expect.stringContaining('build it first'),
  });
});

test('jobs get their own reports, in whatever order they end', async () => {
  /** @type {(() => void)[]} */
  const ended = [];
  const { run } = openChecks(({ id }) => {
    return new Promise((resolve) => {
      const report = /** @type {WorkerOutcome} */ (/** @type {unknown} */ ({ report: { of: id } }));
      ended.push(() => resolve(report));
      // The job that began last ends first.
      if (ended.length === 2) for (const end of ended.splice(0).reverse()) setImmediate(end);
    });
  }, new AbortController().signal);
  const jobs = ['a', 'b'].map((id) => /** @type {Job} */ ({ id }));
  expect(await run(jobs)).toEqual([{ of: 'a' }, { of: 'b' }]);
});

describe('the behaviour contract', () => {
  const again = { ...baseline, spec: 'the same' };
  const second = `${baseline.spec} node@22.11.0`;

  test.each(
    /** @type {[string, Parameters<typeof check>[0], string[], string[]][]} */ ([
      [
        'once per variant, however many cells there are',
        { runtimes: [undefined, undefined] },
        [`${baseline.spec} under own`, `${candidate.spec} under own`],
        [baseline.spec, candidate.spec],
      ],
      [
        'under every runtime, which names its result from the second on, once for the same code',
        { compared: [baseline, again], runtimes: ['node@20.1.0', 'node@22.11.0', 'node@20.1.0'] },
        [`${baseline.spec} under node@20.1.0`, `${baseline.spec} under node@22.11.0`],
        [baseline.spec, second, 'the same', 'the same node@22.11.0'],
      ],
      [
        'for each runtime that the same code is pinned to, under its spec without the pin',
        { compared: PINNED },
        ['a under node@20.1.0', 'a under node@24.2.0'],
        ['a@node=20', 'a@node=24'],
      ],
      ['not for a family without one', { hasContract: false }, [], []],
    ]),
  )('runs %s', async (_, choice, jobs, names) => {
    const found = await check({ acceptedRows: ['all'], ...choice });
    expect(found.jobs.conformance).toEqual(jobs);
    expect(Object.keys(found.contracts)).toEqual(names);
  });

  test('has the results of the runtime, also for other variants with the same code', async () => {
    const { contracts } = await check({
      compared: [baseline, again],
      runtimes: ['node@20.1.0', 'node@22.11.0'],
    });
    expect(contracts[second][0].promise).toBe(`${baseline.spec} node@22.11.0`);
    expect(contracts['the same']).toEqual(contracts[baseline.spec]);
  });
});

test('a fault of a runtime is looked for once, and refuses the comparison in its name', async () => {
  /** @type {(string | undefined)[]} */
  const looked = [];
  const runtimes = [undefined, 'node@22.7.0', 'node@22.7.0'];
  const cells = runtimes.map((runtime, index) => ({
    ...CELL,
    ...{ id: `boil ${index}`, corpus: index === 2 ? 'messages' : CELL.corpus },
    ...(runtime === undefined ? {} : { runtime }),
  }));
  await check({
    cells,
    changed(outcome, job) {
      if ('checksRuntime' in job) looked.push(job.runtime);
      return outcome;
    },
  });
  expect(looked).toEqual([undefined, 'node@22.7.0']);
  const fault = "TextDecoder('latin1') decodes text as a value that is no string";
  const report = { outputDigest: null, runtimeFault: fault };
  const changed = (/** @type {any} */ outcome, /** @type {Job} */ job) =>
    job.runtime === undefined ? outcome : { ...outcome, report };
  await expect(check({ cells, changed })).rejects.toMatchObject({
    name: 'MachineError',
    message: `Node 22.7.0 is at fault, not a variant: its ${fault}`,
  });
});

describe('where the reference may be at fault', () => {
  test('a broken promise that the reference breaks, too, is in the results with its name', async () => {
    const { jobs, contracts } = await check({ runtimes: ['node@22.7.0'] });
    expect(jobs.conformance.at(-1)).toBe(`${reference.spec} under node@22.7.0`);
    expect(Object.keys(contracts)).toEqual([baseline.spec, candidate.spec, reference.spec]);
    const ofReference = (/** @type {any} */ outcome, /** @type {Job} */ { kind, variant }) =>
      kind === 'conformance' && variant.spec === reference.spec
        ? { workerMs: 1, report: { contract: [] } }
        : outcome;
    const found = await check({ changed: ofReference });
    expect(Object.keys(found.contracts)).toEqual([baseline.spec, candidate.spec]);
  });

  test.each([
    ['both variants, which agree', ['other', 'other'], [[candidate.spec], [baseline.spec]]],
    ['both variants, each in its own way', ['one', 'two'], [undefined, undefined]],
    ['one variant', ['same', 'other'], [undefined]],
  ])('a difference says which variants agree: %s', async (_, digests, expected) => {
    const specs = [baseline.spec, candidate.spec];
    const outputs = (/** @type {any} */ outcome, /** @type {Job} */ job) => {
      const { kind, variant } = job;
      const path = 'outputPath' in job ? job.outputPath : '';
      const digest = digests[specs.indexOf(variant.spec)] ?? 'same';
      if (kind !== 'output') return outcome;
      // Of another number of documents, so that nothing is looked up to explain it.
      writeFileSync(path, encodeFrames(digest === 'same' ? [Buffer.from('a')] : []));
      if (digest === 'same') return outcome;
      return { ...outcome, report: { ...outcome.report, outputDigest: digest } };
    };
    const { differences } = await check({ changed: outputs });
    expect(differences.map(({ sameAs }) => sameAs)).toEqual(expected);
  });
});

describe('an accepted row', () => {
  test('may be any of the contract', async () => {
    await expect(check({ acceptedRows: ['json', 'deep-equality'] })).resolves.toBeDefined();
  });

  test('that the contract does not have is refused, with the nearest name and all names', async () => {
    await expect(check({ acceptedRows: ['json', 'deep-equalty'] })).rejects.toMatchObject({
      name: 'UsageError',
      message:
        "the behaviour contract of soup has no row 'deep-equalty'; did you mean 'deep-equality'?",
      remedy: 'it has deep-equality, json',
    });
  });

  test('of a family without a contract is refused with the question', async () => {
    const families = await listFamilies(PROJECT.experimentsPath);
    const family = families.find(
      ({ hasContract, variants }) => !hasContract && variants.length > 0,
    );
    if (family === undefined) throw new Error('every family with variants has a contract');
    const [name] = family.variants;
    const explain = /** @type {const} */ ('none');
    const options = { mei: 0.03, processes: 96, placements: 4, explain, accept: ['json'] };
    await expect(makeQuestion([name, name], family, options)).rejects.toThrow(
      `the family ${family.name} has no behaviour contract`,
    );
  });
});
