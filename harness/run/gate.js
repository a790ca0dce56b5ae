import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { group } from 'd3-array';
import { MachineError, UsageError } from '../lib/errors.js';
import { countOf } from '../lib/numbers.js';
import { didYouMean, splitPin } from '../lib/words.js';
import { loadOperation } from '../variants/families.js';
import { listShared } from '../stats/plan.js';
import { ALL_ROWS } from '../stats/verdicts.js';
import { decodeFrames } from '../worker/frames.js';
import {
  chooseRuntime,
  describeEquipment,
  describeJob,
  findCorpus,
  loadsSameCode,
} from './jobs.js';

/** @import { Cell, ConformanceJob, ConformanceReport, ContractRow, Difference, Job, MessageSizes, OutputReport, PreparedCorpus, Question, ResolvedVariant } from '../formats/types.ts' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { WorkerOutcome } from './process.js' */
/** @import { Prepared } from './run.js' */

/** Differences reported per variant and cell; the first is the most useful. */
const MAX_DIFFERENCES_PER_CELL = 3;
const LAST_LINES = 'nothing was timed; the lines above are the last lines of the worker';

/**
 * Checks what must hold before anything is timed: correct output and the behaviour contract.
 *
 * @param {Pick<Prepared, 'question' | 'family' | 'variants' | 'correctnessCorpora' | 'packages' | 'server'>} prepared
 * @param {string} outputPath directory for outputs
 * @param {(job: Job) => Promise<WorkerOutcome>} runJob
 * @returns {Promise<CheckedOutputs & { contracts: Record<string, ContractRow[]> }>}
 * @throws {UsageError} when a row is accepted that the contract does not have
 * @throws {MachineError} when a worker ends without a report, or the reference fails
 */
export async function checkCorrectness(prepared, outputPath, runJob) {
  const { question, family, variants, correctnessCorpora, packages, server } = prepared;
  const compared = [variants.baseline, ...variants.candidates];
  const cells = listShared(question.cells);
  const outputs = await checkOutputs({
    family,
    reference: variants.reference,
    variants: compared,
    cells,
    corpora: correctnessCorpora,
    packages,
    server,
    outputPath,
    runJob,
  });
  const contracts = await checkContract({ family, variants: compared, cells, runJob });
  requireKnownRows(question, contracts);
  return { ...outputs, contracts };
}

/**
 * @typedef {object} CheckedOutputs
 * @property {Record<string, string>} expectedDigests of the reference's output, by cell
 * @property {Difference[]} differences
 * @property {Record<string, Record<string, MessageSizes>>} sizes of messages, by cell and spec, where there are any
 *
 * @typedef {object} CheckQuestion
 * @property {FoundFamily} family
 * @property {ResolvedVariant} reference
 * @property {ResolvedVariant[]} variants
 * @property {Cell[]} cells
 * @property {PreparedCorpus[]} corpora
 * @property {Prepared['packages']} [packages]
 * @property {Prepared['server']} [server]
 * @property {string} outputPath directory for the outputs
 * @property {(job: Job) => Promise<WorkerOutcome>} runJob
 */

/**
 * Runs every operation once over every document, with the reference under the Node of the cell and with
 * each variant under its own, each in its own process, and compares the outputs byte by byte.
 *
 * @param {CheckQuestion} question
 * @returns {Promise<CheckedOutputs>}
 * @throws {MachineError} when a worker ends without a report, or the reference fails
 */
export async function checkOutputs(question) {
  /** @type {Record<string, string>} */
  const expectedDigests = {};
  /** @type {Difference[]} */
  const differences = [];
  /** @type {CheckedOutputs['sizes']} */
  const sizes = {};
  for (const cells of groupByOutput(question.cells)) {
    const [cell] = cells;
    const others = chooseOthers(question, cell);
    const checked = [question.reference, ...others];
    const [expected, ...outputs] = await mapTwoAtOnce(checked, (variant) =>
      produceOutput(question, variant, cell),
    );
    if (expected.report.outputDigest === null) {
      throw new MachineError(
        `the reference ${question.reference.spec} fails on ${cell.id}: ${expected.report.thrown}`,
        { remedy: 'the documents cannot be compared; choose another corpus' },
      );
    }
    const sizesBySpec = listSizes(question.variants, checked, [expected, ...outputs], cell);
    for (const { id } of cells) {
      expectedDigests[id] = expected.report.outputDigest;
      if (sizesBySpec.length > 0) sizes[id] = Object.fromEntries(sizesBySpec);
    }
    for (const [index, variant] of others.entries()) {
      const found = outputs[index];
      if (found.report.outputDigest === expected.report.outputDigest) continue;
      const explained = await explain(question.family, variant, cell, expected, found);
      differences.push(
        ...cells.flatMap(({ id }) => explained.map((each) => ({ ...each, cellId: id }))),
      );
    }
  }
  return { expectedDigests, differences, sizes };
}

/**
 * @param {ResolvedVariant[]} variants
 * @param {ResolvedVariant[]} checked each code of theirs once
 * @param {Output[]} outputs of those that were checked
 * @param {Cell} cell
 * @returns {[spec: string, sizes: MessageSizes][]}
 */
function listSizes(variants, checked, outputs, cell) {
  return variants.flatMap((variant) => {
    const found = outputs[checked.findIndex((known) => isSameUnder(cell, known, variant))];
    const { sizes } = found.report;
    return sizes === undefined ? [] : [[variant.spec, sizes]];
  });
}

/**
 * @param {Cell[]} cells
 * @returns {Iterable<Cell[]>} those with the same output: the cold figures of an operation on a corpus
 */
function groupByOutput(cells) {
  return group(cells, ({ operation, corpus, runtime }) =>
    JSON.stringify([operation, corpus, runtime]),
  ).values();
}

/**
 * @typedef {{ report: OutputReport, path: string }} Output
 */

/**
 * Nothing is timed by the gate, so its jobs share the machine.
 *
 * @template T, R
 * @param {T[]} items
 * @param {(item: T) => Promise<R>} work
 * @returns {Promise<R[]>} in the order of the items
 * @throws what the first of them throws, when no other is running
 */
async function mapTwoAtOnce(items, work) {
  const results = [];
  for (let index = 0; index < items.length; index += 2) {
    const ended = await Promise.allSettled(items.slice(index, index + 2).map(work));
    for (const each of ended) {
      if (each.status === 'rejected') throw each.reason;
      results.push(each.value);
    }
  }
  return results;
}

/** @type {(question: CheckQuestion, variant: ResolvedVariant, cell: Cell) => Promise<Output>} */
async function produceOutput(question, variant, cell) {
  const { family, corpora } = question;
  const role = variant === question.reference ? 'reference' : variant.spec;
  const name = `${cell.id} ${role}`.replace(/[^\w@.-]+/g, '_');
  const path = join(question.outputPath, `${name}.frames`);
  const outcome = await question.runJob({
    ...describeJob(`output/${cell.id}/${role}`, { variant, family }, cell),
    kind: 'output',
    operation: cell.operation,
    corpus: findCorpus(corpora, cell),
    ...describeEquipment(question),
    outputPath: path,
  });
  if ('report' in outcome) return { report: /** @type {OutputReport} */ (outcome.report), path };
  const { detail, lastLines } = outcome.failure;
  throw new MachineError(
    [`the check of ${variant.spec} on ${cell.id} ${detail}`, ...lastLines].join('\n  '),
    { remedy: LAST_LINES },
  );
}

/**
 * @param {FoundFamily} family
 * @param {ResolvedVariant} variant
 * @param {Cell} cell
 * @param {Output} expected
 * @param {Output} found
 * @returns {Promise<Difference[]>}
 */
async function explain(family, variant, cell, expected, found) {
  const where = { variant: variant.spec, cellId: cell.id };
  const wholeCorpus = { ...where, document: 0, path: '(whole corpus)' };
  if (found.report.outputDigest === null) {
    const thrown = found.report.thrown ?? 'an error';
    return [{ ...wholeCorpus, expected: 'output', found: `threw ${thrown}` }];
  }
  const expectedFrames = decodeFrames(readFileSync(expected.path));
  const foundFrames = decodeFrames(readFileSync(found.path));
  if (expectedFrames.length !== foundFrames.length) {
    const [expectedText, foundText] = [expectedFrames, foundFrames].map(({ length }) =>
      countOf(length, 'document'),
    );
    return [{ ...wholeCorpus, expected: expectedText, found: foundText }];
  }
  const operation = await loadOperation(family, cell.operation);
  const differences = [];
  for (const [document, frame] of expectedFrames.entries()) {
    if (differences.length === MAX_DIFFERENCES_PER_CELL) break;
    if (Buffer.compare(frame, foundFrames[document]) === 0) continue;
    const difference = await operation.explainDifference(frame, foundFrames[document]);
    differences.push({ ...where, document, ...difference });
  }
  return differences;
}

/**
 * Chooses the variants to check: each code once under each Node, and not the reference against itself.
 *
 * @param {CheckQuestion} question
 * @param {Cell} cell
 */
function chooseOthers({ variants, reference }, cell) {
  /** @type {ResolvedVariant[]} */
  const distinct = [];
  for (const variant of variants) {
    const isKnown = [reference, ...distinct].some((known) => isSameUnder(cell, known, variant));
    if (!isKnown) distinct.push(variant);
  }
  return distinct;
}

/** @type {(cell: Cell, a: ResolvedVariant, b: ResolvedVariant) => boolean} the same code under the same runtime */
function isSameUnder(cell, a, b) {
  return loadsSameCode(a, b) && chooseRuntime(a, cell) === chooseRuntime(b, cell);
}

/**
 * Checks the variants of a comparison against the behaviour contract of their family, under every
 * runtime that they are measured under, each in its own process.
 *
 * @param {object} question
 * @param {FoundFamily} question.family
 * @param {ResolvedVariant[]} question.variants
 * @param {Cell[]} question.cells
 * @param {(job: Job) => Promise<WorkerOutcome>} question.runJob
 * @returns {Promise<Record<string, ContractRow[]>>} by spec, for further runtimes than the first by
 *   `SPEC node@22.11.0`; empty for a family without a contract
 * @throws {import('../lib/errors.js').MachineError} when a worker ends without a report
 */
async function checkContract({ family, variants, cells, runJob }) {
  if (!family.hasContract) return {};
  const named = variants.flatMap((variant) => {
    const runtimes = [...new Set(cells.map((cell) => chooseRuntime(variant, cell)))];
    return runtimes.map((runtime, index) => ({
      variant,
      runtime,
      name: index === 0 ? variant.spec : `${variant.spec} ${runtime}`,
    }));
  });
  /** @type {(one: typeof named[number], other: typeof named[number]) => boolean} */
  const isSame = (one, other) =>
    one.runtime === other.runtime && loadsSameCode(one.variant, other.variant);
  const distinct = named.filter(
    (one, index) => named.findIndex((other) => isSame(other, one)) === index,
  );
  const rows = await mapTwoAtOnce(distinct, ({ variant, runtime }) =>
    findRows(variant, { family, runtime, runJob }),
  );
  return Object.fromEntries(
    named.map((one) => [one.name, rows[distinct.findIndex((other) => isSame(other, one))]]),
  );
}

/**
 * @param {ResolvedVariant} variant
 * @param {Pick<Parameters<typeof checkContract>[0], 'family' | 'runJob'> & { runtime: string | undefined }} context
 */
async function findRows(variant, { runtime, ...context }) {
  const under = runtime === undefined ? {} : { runtime };
  const report = await runConformance(variant, { ...context, ...under, parts: 'contract' });
  return report.contract;
}

const NAMES = Object.freeze({ contract: 'behaviour contract', all: 'check' });

/**
 * Runs the contract, or all conformance cases, of a family against a variant, in its own process.
 *
 * @param {ResolvedVariant} variant
 * @param {object} context
 * @param {FoundFamily} context.family
 * @param {ConformanceJob['parts']} context.parts
 * @param {string} [context.runtime] name and exact version, for a variant that is not pinned to one
 * @param {(job: Job) => Promise<WorkerOutcome>} context.runJob
 * @returns {Promise<ConformanceReport>}
 * @throws {MachineError} when the worker ends without a report
 */
export async function runConformance(variant, { family, parts, runtime, runJob }) {
  // By the spec a family knows in what a published version deviates, under any runtime.
  const unpinned = { ...variant, spec: splitPin(variant.spec).spec };
  const id = `${parts === 'contract' ? 'contract' : 'conformance'}/${variant.spec}`;
  const outcome = await runJob({
    ...describeJob(id, { variant: unpinned, family }, { runtime }),
    kind: 'conformance',
    parts,
  });
  if ('report' in outcome) return /** @type {ConformanceReport} */ (outcome.report);
  const { detail, lastLines } = outcome.failure;
  throw new MachineError(
    [`the ${NAMES[parts]} of ${variant.spec} ${detail}`, ...lastLines].join('\n  '),
    { remedy: LAST_LINES },
  );
}

/**
 * @param {Pick<Question, 'family' | 'acceptedRows'>} question
 * @param {Record<string, ContractRow[]>} contracts results of the contract
 * @throws {UsageError} when `--accept` names a row that the contract does not have
 */
function requireKnownRows({ family, acceptedRows }, contracts) {
  const names = [
    ...new Set(Object.values(contracts).flatMap((rows) => rows.map(({ name }) => name))),
  ];
  const unknown = acceptedRows.find((name) => name !== ALL_ROWS && !names.includes(name));
  if (unknown === undefined) return;
  throw new UsageError(
    `the behaviour contract of ${family} has no row '${unknown}'${didYouMean(unknown, names)}`,
    { remedy: `it has ${names.join(', ')}` },
  );
}
