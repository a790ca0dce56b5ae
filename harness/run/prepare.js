import { resolve } from 'node:path';
import { formatLabel, parseLabel } from '../../corpora/support/label.js';
import { prepareCorpus } from '../../corpora/support/prepare.js';
import { findCores, hasTwoCores } from '../host/cores.js';
import { identifyEnvironment } from '../host/environment.js';
import { MachineError, UsageError } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { isLargeCorpus } from '../stats/memory/plan.js';
import { commonFigure } from '../stats/figure.js';
import { noteCode } from '../stats/code-notes.js';
import { scheduleOf } from '../stats/schedule.js';
import { findFamily, listFamilies, openContext } from '../variants/families.js';
import { findPackages } from '../variants/npm.js';
import { findRuntime, findRuntimes } from '../variants/runtimes.js';
import { findServer } from '../variants/servers.js';
import { resolveReference, resolveVariant } from '../variants/resolve.js';
import { parseVariantSpec } from '../variants/spec.js';
import { measureCodeSizes } from './code-size.js';
import { digestInstrument, identifyCode, openCodeWatch, rereadCode } from './code.js';
import { RESUMED_RUN, assertSameExperiment } from './identity.js';
import { openJobRunner } from './jobs.js';
import { openSandbox } from './sandbox.js';
import { readRun } from './store.js';

/** @import { Io } from '../lib/io.ts' */
/** @import { PreparedCorpus, Question, ReplayRecord, ResolvedVariant, Sandbox, VariantIdentity } from '../formats/types.ts' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { Resumed } from './identity.js' */
/** @import { Prepared } from './run.js' */

/** @typedef {ReplayRecord['variants']} Recorded */

const OWN_NODE = 'the one that runs Assay';

/**
 * Finds, fetches and builds what a question names: variants, corpora, packages, runtimes.
 *
 * @param {Question} question
 * @param {{ families: FoundFamily[], family: FoundFamily, io: Pick<Io, 'environment' | 'workingPath' | 'signal' | 'stderr' | 'runJob'>, recorded?: Recorded, expectsSameCode?: boolean }} context `recorded`:
 *   variants of an earlier result, whose dependencies are installed; `expectsSameCode`: whether it is no news that both run the same
 * @returns {Promise<Pick<Prepared, 'question' | 'family' | 'variants' | 'corpora' | 'correctnessCorpora' | 'packages' | 'server' | 'runtimes' | 'sandbox' | 'codeSizes' | 'code'>>}
 * @throws {UsageError} when something does not exist
 * @throws {MachineError} when a sandbox or a paired schedule is wanted, and does not work here
 */
export async function prepareComparison(
  question,
  { families, family, io, recorded, expectsSameCode = false },
) {
  findCores(scheduleOf(question), io.environment);
  // First, because nothing is built outside of the sandbox that was asked for.
  const sandbox = await openSandbox(question.sandbox, io.environment);
  const { build, asOf } = question;
  const context = openContext({ families, family, build, asOf }, io);
  const { corpora, correctnessCorpora } = await prepareCorpora(question);
  /** @param {string} spec @param {VariantIdentity} [before] */
  const resolveSpec = (spec, before) =>
    resolveVariant(parseVariantSpec(spec), { ...context, recorded: before });
  const baseline = await resolveSpec(question.baseline, recorded?.baseline);
  const candidates = [];
  for (const [index, spec] of question.candidates.entries()) {
    candidates.push(await resolveSpec(spec, recorded?.candidates[index]));
  }
  const reference = await resolveReference(question, context);
  const packages = await findPackages(question.cells, family, context);
  const server = await findServer(question, family, context);
  const resolved = [baseline, ...candidates, reference];
  const runtimes = await findRuntimes(question.cells, resolved, context);
  const runJob = openJobRunner(question.nodeFlags, { ...io, sandbox }, runtimes);
  const code = openCodeWatch();
  const variants = await identifyCode(
    { baseline, candidates, reference },
    { family, cells: question.cells, runJob, code },
  );
  for (const { kind, text } of noteCode(variants)) {
    if (kind !== 'same-code' || !expectsSameCode) context.onNote?.(text);
  }
  const codeSizes = await measureCodeSizes(question.cells, [baseline, ...candidates], context);
  return {
    question,
    family,
    variants,
    corpora,
    correctnessCorpora,
    packages,
    server,
    runtimes,
    sandbox,
    codeSizes,
    code,
  };
}

/**
 * Prepares the corpora of a comparison. A corpus that is too large for a job to hold in memory allows
 * only retained memory to be measured; its outputs are checked on its default number of documents.
 *
 * @param {Pick<Question, 'cells' | 'memory'>} question
 * @returns {Promise<{ corpora: PreparedCorpus[], correctnessCorpora: PreparedCorpus[] }>}
 *   `correctnessCorpora`: the same labels, with the documents to check outputs on
 * @throws {UsageError} when a corpus does not exist, or has too many documents for the question
 */
export async function prepareCorpora({ cells, memory }) {
  const corpora = [];
  const correctnessCorpora = [];
  const { kind } = commonFigure({ cells });
  for (const label of new Set(cells.map(({ corpus }) => corpus))) {
    const corpus = await prepare(label);
    if (kind === 'cold') requireOneDocument(corpus);
    const isLarge = isLargeCorpus(corpus);
    if (isLarge && memory !== 'only') {
      refuseLarge(corpus, 'only compare --memory-only accepts more');
    }
    corpora.push(corpus);
    correctnessCorpora.push(isLarge ? await prepareSmaller(corpus) : corpus);
  }
  return { corpora, correctnessCorpora };
}

/** @param {string} label */
function prepare(label) {
  return prepareCorpus(label, { directory: PROJECT.corporaPath });
}

/**
 * @param {PreparedCorpus} corpus
 * @returns {Promise<PreparedCorpus>} the same label with the default number of documents
 */
async function prepareSmaller(corpus) {
  const { label } = corpus;
  const smaller = await prepare(formatLabel({ ...parseLabel(label), count: null }));
  if (smaller.sizeBytes >= corpus.sizeBytes) {
    refuseLarge(corpus, 'of your own file, import a part');
  }
  return { ...smaller, label };
}

/**
 * @param {PreparedCorpus} corpus of cold cells
 * @throws {UsageError} when an operation makes more than one call on it in a pass
 */
function requireOneDocument({ label, documentCount }) {
  if (documentCount === 1) return;
  throw new UsageError(
    `corpus '${label}' has ${documentCount} documents, and --cold times calls on one`,
    { remedy: 'use NAME:1, or import the document alone' },
  );
}

/** @type {(corpus: PreparedCorpus, alternative: string) => never} */
function refuseLarge({ label, sizeBytes }, alternative) {
  throw new UsageError(
    `corpus '${label}' has ${Math.round(sizeBytes / 2 ** 20)} MiB, more than a process holds in memory`,
    { remedy: `use fewer documents (NAME:COUNT); ${alternative}` },
  );
}

/**
 * @typedef {object} PreparedResume
 * @property {FoundFamily} family
 * @property {Sandbox | null} sandbox
 */

/**
 * Prepares what a run needs to be resumed, and checks that its results will be comparable.
 *
 * @param {string} path of the run, as typed
 * @param {Io} io
 * @param {Resumed} [resumed] what the run is part of, for messages
 * @returns {Promise<PreparedResume>}
 * @throws {UsageError} when a variant, a toolchain, a runtime, a corpus or the host changed
 * @throws {MachineError} when it measures in pairs, which this host cannot
 */
export async function prepareResume(path, io, resumed = RESUMED_RUN) {
  const { manifest, loadedFiles } = await readRun(resolve(io.workingPath, path));
  if (manifest.merged === true) {
    throw new UsageError(`'${path}' was merged from several runs`, {
      remedy: 'resume its parts where they were measured, and merge again',
    });
  }
  const families = await listFamilies(
    PROJECT.experimentsPath,
    manifest.question.bench && PROJECT.cachePath,
  );
  const family = findFamily(families, manifest.question.family);
  const { build, asOf } = manifest.question;
  const context = openContext({ families, family, build, asOf }, io);
  // Before anything is fetched or built.
  assertSameExperiment(manifest, { environment: identifyEnvironment() }, resumed);
  if (scheduleOf(manifest.question).width > 1 && !hasTwoCores(io.environment)) {
    throw new MachineError(
      `cannot resume ${resumed.name}: it measures in pairs, and this process may not use two physical cores`,
      { remedy: `resume it where it may, or start ${resumed.again} with --schedule sequential` },
    );
  }
  /** @param {ResolvedVariant} before */
  const resolveAgain = (before) =>
    resolveVariant(parseVariantSpec(before.spec), { ...context, recorded: before });
  const baseline = await resolveAgain(manifest.variants.baseline);
  const candidates = [];
  for (const before of manifest.variants.candidates) candidates.push(await resolveAgain(before));
  const runtimes = [];
  for (const before of manifest.runtimes) {
    const { runtime } = await findRuntime(before.runtime, context);
    runtimes.push(runtime ?? { ...before, integrity: OWN_NODE });
  }
  const corpora = [];
  for (const { label } of manifest.corpora) corpora.push(await prepare(label));
  const { question } = manifest;
  const sandbox = await openSandbox(question.sandbox, io.environment);
  const runJob = openJobRunner(question.nodeFlags, { ...io, sandbox }, runtimes);
  const variants = await identifyCode(
    { baseline, candidates },
    { family, cells: question.cells, runJob, code: openCodeWatch() },
  );
  const instrument = digestInstrument(family.path);
  assertSameExperiment(
    { ...manifest, loaded: loadedFiles },
    { instrument, variants, runtimes, corpora, loaded: rereadCode(loadedFiles) },
    resumed,
  );
  return { family, sandbox };
}
