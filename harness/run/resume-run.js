import { resolve } from 'node:path';
import { prepareCorpus } from '../../corpora/support/prepare.js';
import { describeEnvironment } from '../host/environment.js';
import { chooseRecorders } from '../profiling/recorders-found.js';
import { UsageError } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { restoreSessionTotals } from './verdict.js';
import { hasProgram } from '../variants/build-family.js';
import { findFamily, listFamilies, openContext } from '../variants/families.js';
import { findNodeRuntime } from '../variants/node-runtime.js';
import { parseVariantSpec } from '../variants/spec.js';
import { resolveVariant } from '../variants/resolve.js';
import { enterSandbox, openSandbox } from './sandbox/sandbox.js';
import { executeRun } from './run.js';
import { assertSameExperiment, RESUMED_RUN } from './identity.js';
import { readRun } from './store.js';

/** @import { Io } from '../cli/cli.js' */
/** @import { Resumed } from './identity.js' */
/** @import { AnalyzedRun } from './verdict.js' */
/** @import { ResolvedVariant, Sandbox } from '../formats/types.ts' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { Session } from './run.js' */
/** @import { StoredRun } from './store.js' */

const OWN_NODE = 'the one that runs Assay';

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
 * @throws {UsageError} when a variant, a toolchain, a Node, a corpus or the host changed
 */
export async function prepareResume(path, io, resumed = RESUMED_RUN) {
  const { manifest } = await readRun(resolve(io.workingPath, path));
  if (manifest.parts !== undefined) {
    throw new UsageError(`'${path}' was merged from several runs`, {
      remedy: 'resume its parts where they were measured, and merge again',
    });
  }
  const families = await listFamilies(PROJECT.experimentsPath);
  const family = findFamily(families, manifest.question.family);
  const { build } = manifest.question;
  const context = openContext({ families, family, build }, io);
  // Before anything is fetched or built.
  assertSameExperiment(manifest, { environment: describeEnvironment() }, resumed);
  /** @param {ResolvedVariant} variant */
  const resolveAgain = ({ spec }) => resolveVariant(parseVariantSpec(spec), context);
  const variants = {
    baseline: await resolveAgain(manifest.variants.baseline),
    candidate: await resolveAgain(manifest.variants.candidate),
  };
  const runtimes = [];
  for (const before of manifest.runtimes) {
    const { runtime } = await findNodeRuntime(before.node, context);
    runtimes.push(runtime ?? { ...before, integrity: OWN_NODE });
  }
  const corpora = [];
  for (const { label } of manifest.corpora) {
    corpora.push(await prepareCorpus(label, { directory: PROJECT.corporaPath }));
  }
  assertSameExperiment(manifest, { variants, runtimes, corpora }, resumed);
  return { family, sandbox: await openSandbox(manifest.question.sandbox, io.environment) };
}

/**
 * Resumes a run that was cut off. It is read here, in its turn: another process may have resumed it
 * since it was prepared.
 *
 * @param {string} path absolute path of the run
 * @param {number | null} budgetSeconds of this session
 * @param {PreparedResume} prepared
 * @param {Omit<Session, 'recorders'>} session
 * @returns {Promise<StoredRun & AnalyzedRun>}
 */
export async function resumeRun(path, budgetSeconds, { family, sandbox }, session) {
  const run = await readRun(path);
  const { differences, checkMs, wallMs: earlierWallMs, interimLooks } = restoreSessionTotals(run);
  const { recorders } = await chooseRecorders(
    run.manifest.question,
    session.host,
    await hasProgram(family),
  );
  return executeRun(run, family, enterSandbox({ ...session, recorders }, sandbox), {
    differences,
    checkMs,
    earlierWallMs,
    interimLooks,
    budgetSeconds,
  });
}
