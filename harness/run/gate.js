import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { group } from 'd3-array';
import { MachineError, UsageError } from '../lib/errors.js';
import { countOf } from '../lib/numbers.js';
import { omitUndefined } from '../lib/records.js';
import { explainTypeScript } from '../lib/typescript.js';
import { nameRuntime, splitPin } from '../lib/words.js';
import { loadOperation } from '../variants/families.js';
import { OWN_RUNTIME } from '../variants/runtimes.js';
import { listShared } from '../stats/plan.js';
import { contractViolations } from '../stats/verdicts.js';
import { decodeFrames } from '../worker/frames.js';
import { addCodeSizes } from './code-size.js';
import { countBusyMs, execute, openClock } from './execute.js';
import { openLocalExecutor } from './executors/local.js';
import {
  chooseRuntime,
  describeEquipment,
  describeJob,
  findCorpus,
  loadsSameCode,
} from './jobs.js';
import { requireKnownRows } from './question.js';

/** @import { Cell, ConformanceJob, ConformanceReport, ContractRow, Difference, Failure, Job, MessageSizes, OutputJob, OutputReport, PreparedCorpus, ResolvedVariant, WorkerReport } from '../formats/types.ts' */
/** @import { AssayError, ErrorOptions } from '../lib/errors.js' */
/** @import { Frame } from '../worker/frames.js' */
/** @import { Pass } from './execute.js' */
/** @import { RunJob } from './jobs.js' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { Prepared } from './run.js' */

/** Jobs at the same time at most: each may hold all documents of a corpus. */
const MAX_WIDTH = 4;
/** Differences reported per variant and cell; the first is the most useful. */
const MAX_DIFFERENCES_PER_CELL = 3;
/** Characters of a value of the wrong type that a report shows. */
const MAX_SHOWN = 80;
const LAST_LINES = 'nothing was timed; the lines above are the last lines of the worker';

/**
 * Runs jobs that check something, each in its own process.
 *
 * @typedef {object} Checks
 * @property {(jobs: Job[]) => Promise<WorkerReport[]>} run resolves with the reports in the order of the jobs; throws a
 *   MachineError when a worker ends without one, which begins no other job
 * @property {() => number} busyMs time in which at least one job ran
 */

/**
 * @param {RunJob} runJob
 * @param {AbortSignal} signal aborted when the user interrupts
 * @returns {Checks} that run several jobs at the same time, since nothing is timed
 */
export function openChecks(runJob, signal) {
  const executor = openLocalExecutor(runJob);
  const clock = openClock(new Date().toISOString());
  /** @type {CheckObservation[]} */
  const all = [];
  return {
    async run(jobs) {
      /** @type {CheckObservation[]} */
      const observations = [];
      const append = (/** @type {CheckObservation} */ observation) => void all.push(observation);
      const planned = jobs.map((job) => ({ id: job.id, job }));
      const loop = { executor, observations, append, clock, signal };
      await execute(openCheckPass(planned, observations), loop);
      for (const observation of observations) {
        if (observation.outcome === 'failed') throw explainFailure(observation);
      }
      if (observations.length < jobs.length) throw new MachineError('interrupted');
      const reports = new Map(observations.map(({ id, report }) => [id, report]));
      return jobs.map(({ id }) => /** @type {WorkerReport} */ (reports.get(id)));
    },
    busyMs: () => countBusyMs(all),
  };
}

/**
 * @typedef {{ id: string, job: Job }} PlannedCheck
 * @typedef {PlannedCheck & {
 *   attempt: number,
 *   outcome: 'done' | 'failed',
 *   startedAtMs: number,
 *   workerMs: number,
 *   report?: WorkerReport,
 *   failure?: Failure,
 * }} CheckObservation
 */

/**
 * @param {PlannedCheck[]} planned
 * @param {CheckObservation[]} observations which grow
 * @returns {Pass<PlannedCheck, CheckObservation>}
 */
function openCheckPass(planned, observations) {
  return {
    name: 'gate',
    stages: [planned],
    width: Math.max(2, Math.min(MAX_WIDTH, availableParallelism())),
    skips: () => observations.some(({ outcome }) => outcome === 'failed'),
    async perform({ job }, runJob) {
      const outcome = await runJob(job);
      return { outcome: 'failure' in outcome ? 'failed' : 'done', ...outcome };
    },
    describe: ({ id }) => ({ step: id }),
  };
}

/** A variant ended its worker while it was checked. */
export class CheckError extends MachineError {
  /** @param {string} message @param {string} spec @param {ErrorOptions} options */
  constructor(message, spec, options) {
    super(message, options);
    /** @readonly of the variant */
    this.spec = spec;
  }
}

const NAMES = { contract: 'the behaviour contract of', all: 'the check of' };

/**
 * @param {CheckObservation} observation that failed
 * @returns {AssayError}
 */
function explainFailure({ job, failure }) {
  const { detail, lastLines } = /** @type {Failure} */ (failure);
  const { spec } = job.variant;
  const checked =
    job.kind === 'conformance'
      ? `${NAMES[job.parts]} ${spec}`
      : `the check of ${spec} on ${job.id.split('/')[1]}`;
  const typeScript = explainTypeScript(lastLines.join('\n'));
  if (typeScript !== null) {
    return new UsageError(`${spec}: ${typeScript.problem}`, { remedy: typeScript.remedy });
  }
  return new CheckError(`${checked} ${detail}`, spec, { quoted: lastLines, remedy: LAST_LINES });
}

/**
 * Checks what must hold before anything is timed: correct output and the behaviour contract.
 *
 * @param {Pick<Prepared, 'question' | 'family' | 'variants' | 'correctnessCorpora' | 'packages' | 'server' | 'codeSizes'>} prepared
 * @param {string} outputPath directory for outputs
 * @param {Checks} checks
 * @returns {Promise<CheckedOutputs & { contracts: Record<string, ContractRow[]> }>}
 * @throws {UsageError} when a row is accepted that the contract does not have
 * @throws {MachineError} when a worker ends without a report, or the reference fails
 */
export async function checkCorrectness(prepared, outputPath, checks) {
  const { question, family, variants, correctnessCorpora, packages, server } = prepared;
  const compared = [variants.baseline, ...variants.candidates];
  const cells = listShared(question.cells);
  const found = await checkOutputs({
    family,
    reference: variants.reference,
    variants: compared,
    cells,
    corpora: correctnessCorpora,
    packages,
    server,
    outputPath,
    checks,
  });
  const outputs = { ...found, sizes: addCodeSizes(found.sizes, cells, prepared.codeSizes) };
  const contracts = await checkContract({ family, variants: compared, cells, checks });
  const rows = Object.values(contracts).flatMap((each) => each.map(({ name }) => name));
  requireKnownRows(question, [...new Set(rows)]);
  const broken = contractViolations(contracts, question.acceptedRows);
  if (broken.length === 0) return { ...outputs, contracts };
  // If the reference breaks the same promises there, the runtime is at fault rather than the variants.
  const own = await checkContract({ family, variants: [variants.reference], cells, checks });
  const isSame = (/** @type {ContractRow} */ { name, outcome }) =>
    outcome === 'fails' && broken.some(({ row }) => row.name === name);
  const ofReference = Object.entries(own).filter(([, rows]) => rows.some(isSame));
  return { ...outputs, contracts: { ...contracts, ...Object.fromEntries(ofReference) } };
}

/**
 * @typedef {object} CheckedOutputs
 * @property {Record<string, string>} expectedDigests of the reference's output, by cell
 * @property {Difference[]} differences
 * @property {Record<string, Record<string, MessageSizes>>} sizes of messages, or of code, by cell and spec, where there are any
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
 * @property {Checks} checks
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
  /** @type {Set<string>} */
  const runtimes = new Set();
  const checks = [...groupByOutput(question.cells)].map((cells) => {
    const others = chooseOthers(question, cells[0]);
    const checked = [question.reference, ...others];
    return { cells, others, checked, jobs: planOutputs(question, checked, cells[0], runtimes) };
  });
  const produced = await produceOutputs(
    question,
    checks.flatMap(({ jobs }) => jobs),
  );
  for (const { cells, others, checked, jobs } of checks) {
    const [cell] = cells;
    const [expected, ...outputs] = produced.splice(0, jobs.length);
    if (expected.report.outputDigest === null) {
      const { thrown, remedy } = expected.report;
      if (remedy !== undefined) throw new UsageError(`${cell.id}: ${thrown}`, { remedy });
      throw new MachineError(
        `the reference ${question.reference.spec} fails on ${cell.id}: ${thrown}`,
        { remedy: 'choose another corpus, or another reference with --reference VARIANT' },
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
      const sameAs = listSame(question, variant, checked, [expected, ...outputs], cell);
      const explained = (await explain(question.family, variant, cell, expected, found)).map(
        (each) => ({
          ...each,
          ...omitUndefined({ sameAs: sameAs.length === 0 ? undefined : sameAs }),
        }),
      );
      differences.push(
        ...cells.flatMap(({ id }) => explained.map((each) => ({ ...each, cellId: id }))),
      );
    }
  }
  return { expectedDigests, differences, sizes };
}

/** @type {(question: CheckQuestion, variant: ResolvedVariant, checked: ResolvedVariant[], outputs: Output[], cell: Cell) => string[]} specs of other variants with the same output */
function listSame({ variants }, variant, checked, outputs, cell) {
  const digestOf = (/** @type {ResolvedVariant} */ one) =>
    outputs[checked.findIndex((known) => isSameUnder(cell, known, one))].report.outputDigest;
  const digest = digestOf(variant);
  if (digest === null) return [];
  const others = variants.filter(
    (other) => other.spec !== variant.spec && digestOf(other) === digest,
  );
  return [...new Set(others.map(({ spec }) => spec))];
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
 * @param {CheckQuestion} question
 * @param {ResolvedVariant[]} checked
 * @param {Cell} cell
 * @param {Set<string>} runtimes that are looked at, which grow
 * @returns {OutputJob[]}
 */
function planOutputs(question, checked, cell, runtimes) {
  const { family, corpora } = question;
  return checked.map((variant) => {
    const role = variant === question.reference ? 'reference' : variant.spec;
    const name = `${cell.id} ${role}`.replace(/[^\w@.-]+/g, '_');
    const runtime = chooseRuntime(variant, cell) ?? OWN_RUNTIME;
    const checksRuntime = variant.program === undefined && !runtimes.has(runtime);
    if (checksRuntime) runtimes.add(runtime);
    return {
      ...describeJob(`output/${cell.id}/${role}`, { variant, family }, cell),
      kind: /** @type {const} */ ('output'),
      operation: cell.operation,
      corpus: findCorpus(corpora, cell),
      ...describeEquipment(question),
      outputPath: join(question.outputPath, `${name}.frames`),
      ...(checksRuntime ? { checksRuntime } : {}),
    };
  });
}

/**
 * @param {CheckQuestion} question
 * @param {OutputJob[]} jobs
 * @returns {Promise<Output[]>}
 * @throws {MachineError} when the runtime of a job is at fault
 */
async function produceOutputs(question, jobs) {
  const reports = /** @type {OutputReport[]} */ (await question.checks.run(jobs));
  for (const [index, { runtimeFault }] of reports.entries()) {
    if (runtimeFault === undefined) continue;
    const runtime = nameRuntime(jobs[index].runtime ?? OWN_RUNTIME);
    throw new MachineError(`${runtime} is at fault, not a variant: its ${runtimeFault}`, {
      remedy: `measure under another version of it (--runtime ${runtime.toLowerCase().split(' ')[0]}@VERSION); nothing was timed`,
    });
  }
  return reports.map((report, index) => ({ report, path: jobs[index].outputPath }));
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
    const other = foundFrames[document];
    const [one, two] = [frame, other].map(describeFrame);
    if (one.type !== two.type) {
      const path = 'type of the result';
      differences.push({ ...where, document, path, expected: one.text, found: two.text });
    } else if (Buffer.compare(frame.bytes, other.bytes) !== 0) {
      const difference = await operation.explainDifference(bytesOf(frame), bytesOf(other));
      differences.push({ ...where, document, ...difference });
    }
  }
  return differences;
}

/** @type {(frame: Frame) => { type: string, text: string }} `text`: its type, and the beginning of a value */
function describeFrame({ kind, bytes }) {
  if (kind === 'bytes') return { type: kind, text: kind };
  const [, type, value] = Buffer.from(bytes).toString().split(/\t|\n/, 3);
  return { type, text: `${type} ${value.slice(0, MAX_SHOWN)}`.trim() };
}

/** @type {(frame: Frame) => Uint8Array} of text in UTF-8, of another value its description */
function bytesOf({ kind, bytes }) {
  const [, type, quoted] = kind === 'value' ? Buffer.from(bytes).toString().split('\t') : [];
  return type === 'string' ? Buffer.from(JSON.parse(quoted)) : bytes;
}

/**
 * Chooses the variants to check: each code once under each Node, and not the reference against
 * itself.
 * @param {CheckQuestion} question @param {Cell} cell
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
 * @param {Checks} question.checks
 * @returns {Promise<Record<string, ContractRow[]>>} by spec, for further runtimes than the first by
 *   `SPEC node@22.11.0`; empty for a family without a contract
 * @throws {MachineError} when a worker ends without a report
 */
async function checkContract({ family, variants, cells, checks }) {
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
  const jobs = distinct.map(({ variant, runtime }) =>
    makeConformanceJob(variant, { family, parts: 'contract', runtime }),
  );
  const reports = /** @type {ConformanceReport[]} */ (await checks.run(jobs));
  return Object.fromEntries(
    named.map((one) => [
      one.name,
      reports[distinct.findIndex((other) => isSame(other, one))].contract,
    ]),
  );
}

/**
 * The job that runs the contract, or all conformance cases, of a family against a variant.
 *
 * @param {ResolvedVariant} variant
 * @param {object} wanted
 * @param {FoundFamily} wanted.family
 * @param {ConformanceJob['parts']} wanted.parts
 * @param {string | undefined} [wanted.runtime] name and exact version, for a variant that is not pinned to one
 * @returns {ConformanceJob}
 */
export function makeConformanceJob(variant, { family, parts, runtime }) {
  // By the spec a family knows in what a published version deviates, under any runtime.
  const unpinned = { ...variant, spec: splitPin(variant.spec).spec };
  const id = `${parts === 'contract' ? 'contract' : 'conformance'}/${variant.spec}/${runtime ?? ''}`;
  const job = describeJob(id, { variant: unpinned, family }, { runtime });
  return { ...job, kind: 'conformance', parts };
}
