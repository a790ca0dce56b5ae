import { countOf } from '../lib/numbers.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MachineError } from '../lib/errors.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { decodeFrames } from '../worker/frames.js';
import { chooseNode, describeJobNode, describeJobVariant, loadsSameCode } from './job-variant.js';
import { loadOperation } from '../variants/families.js';

/** @import { Cell, Difference, Job, OutputReport, PreparedCorpus, ResolvedVariant } from '../formats/types.ts' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { WorkerOutcome } from './run-worker.js' */

/** Differences shown of one variant on one cell; the first tells the most. */
const MAX_DIFFERENCES_PER_CELL = 3;

/**
 * @typedef {object} CheckQuestion
 * @property {FoundFamily} family
 * @property {ResolvedVariant} reference
 * @property {ResolvedVariant[]} variants
 * @property {Cell[]} cells
 * @property {PreparedCorpus[]} corpora
 * @property {string} outputPath directory for the outputs
 * @property {(job: Job) => Promise<WorkerOutcome>} runJob
 */

/**
 * The gate: runs every operation once over every document, with the reference under the Node of the
 * cell and with each variant under its own, each in a process of its own, and holds the outputs
 * against each other byte by byte.
 *
 * @param {CheckQuestion} question
 * @returns {Promise<{ expectedDigests: Record<string, string>, differences: Difference[] }>}
 *   the reference's digests by cell id
 * @throws {MachineError} when a worker ends without a report, or the reference fails
 */
export async function checkOutputs(question) {
  /** @type {Record<string, string>} */
  const expectedDigests = {};
  /** @type {Difference[]} */
  const differences = [];
  for (const cell of question.cells) {
    const expected = await produceOutput(question, question.reference, cell);
    if (expected.report.outputDigest === null) {
      throw new MachineError(
        `the reference ${question.reference.spec} fails on ${cell.id}: ${expected.report.thrown}`,
        { remedy: 'the documents cannot be compared; choose another corpus' },
      );
    }
    expectedDigests[cell.id] = expected.report.outputDigest;
    for (const variant of chooseOthers(question, cell)) {
      const found = await produceOutput(question, variant, cell);
      if (found.report.outputDigest === expected.report.outputDigest) continue;
      differences.push(...(await explain(question.family, variant, cell, expected, found)));
    }
  }
  return { expectedDigests, differences };
}

/**
 * @typedef {{ report: OutputReport, path: string }} Output
 */

/**
 * @param {CheckQuestion} question
 * @param {ResolvedVariant} variant
 * @param {Cell} cell
 * @returns {Promise<Output>}
 */
async function produceOutput(question, variant, cell) {
  const corpus = question.corpora.find(({ label }) => label === cell.corpus);
  const role = variant === question.reference ? 'reference' : variant.spec;
  const name = `${cell.id} ${role}`.replace(/[^\w@.-]+/g, '_');
  const path = join(question.outputPath, `${name}.frames`);
  const outcome = await question.runJob({
    formatVersion: FORMAT_VERSION,
    id: `output/${cell.id}/${role}`,
    kind: 'output',
    family: question.family.name,
    familyPath: question.family.path,
    variant: describeJobVariant(variant),
    ...describeJobNode(variant, cell),
    operation: cell.operation,
    corpus: /** @type {PreparedCorpus} */ (corpus),
    outputPath: path,
  });
  if ('report' in outcome) return { report: /** @type {OutputReport} */ (outcome.report), path };
  const { detail, lastLines } = outcome.failure;
  throw new MachineError(
    [`the check of ${variant.spec} on ${cell.id} ${detail}`, ...lastLines].join('\n  '),
    { remedy: 'nothing was timed; the lines above are the last that the worker said' },
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
 * The variants that must be checked: each code once under each Node, and not the reference against
 * itself.
 *
 * @param {CheckQuestion} question
 * @param {Cell} cell
 */
function chooseOthers({ variants, reference }, cell) {
  /** @type {ResolvedVariant[]} */
  const distinct = [];
  for (const variant of variants) {
    const isKnown = [reference, ...distinct].some(
      (known) =>
        loadsSameCode(known, variant) && chooseNode(known, cell) === chooseNode(variant, cell),
    );
    if (!isKnown) distinct.push(variant);
  }
  return distinct;
}
