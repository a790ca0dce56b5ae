import { resolve } from 'node:path';
import { prepareCorpus } from '../../corpora/support/prepare.js';
import { chooseRecorders } from '../profiling/recorders-found.js';
import { UsageError } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { recallSession } from './verdict.js';
import { hasProgram, listVersions } from '../variants/build-family.js';
import { findFamily, listFamilies, openContext } from '../variants/families.js';
import { findNodeRuntime } from '../variants/node-runtime.js';
import { parseVariantSpec } from '../variants/spec.js';
import { resolveVariant } from '../variants/resolve.js';
import { enterSandbox, openSandbox } from './sandbox/sandbox.js';
import { continueRun } from './run.js';
import { requireSame, requireSameHost } from './identity.js';
import { readRun } from './run-store.js';

/** @import { Io } from '../cli/cli.js' */
/** @import { Judged } from './verdict.js' */
/** @import { ResolvedVariant, Sandbox } from '../formats/types.ts' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { Session } from './run.js' */
/** @import { StoredRun } from './run-store.js' */

const OWN_NODE = 'the one that runs Assay';

/**
 * @typedef {object} PreparedResume
 * @property {FoundFamily} family
 * @property {Sandbox | null} sandbox
 */

/**
 * Makes ready what a run needs to be resumed, and checks that everything is still what it was when the
 * run began.
 *
 * @param {string} path of the run, as typed
 * @param {Io} io
 * @returns {Promise<PreparedResume>}
 * @throws {UsageError} when a variant, a Node, a corpus or the host is another now
 */
export async function prepareResume(path, io) {
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
  requireSameHost(manifest.environment);
  for (const before of [manifest.variants.baseline, manifest.variants.candidate]) {
    const now = await resolveVariant(parseVariantSpec(before.spec), context);
    requireSame(`'${before.spec}'`, before.digest, now.digest);
    // What it says may be the same where what it loads is not: a branch goes on.
    if (before.kind === 'git') requireSameCommit(before, now);
    requireSame(`the place of '${before.spec}'`, before.modulePath, now.modulePath);
    requireSame(`the toolchain of '${before.spec}'`, tellToolchain(before), tellToolchain(now));
  }
  for (const before of manifest.runtimes) {
    const { runtime } = await findNodeRuntime(before.node, context);
    requireSame(`Node ${before.node}`, before.integrity, runtime?.integrity ?? OWN_NODE);
    requireSame(`the place of Node ${before.node}`, before.executable, runtime?.executable ?? '');
  }
  for (const before of manifest.corpora) {
    const now = await prepareCorpus(before.label, { directory: PROJECT.corporaPath });
    requireSame(`corpus '${before.label}'`, before.digest, now.digest);
  }
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
 * @returns {Promise<StoredRun & Judged>}
 */
export async function resumeRun(path, budgetSeconds, { family, sandbox }, session) {
  const run = await readRun(path);
  const { differences, checkMs, wallMs: earlierWallMs, interimLooks } = recallSession(run);
  const { recorders } = await chooseRecorders(
    run.manifest.question,
    session.host,
    await hasProgram(family),
  );
  return continueRun(run, family, enterSandbox({ ...session, recorders }, sandbox), {
    differences,
    checkMs,
    earlierWallMs,
    interimLooks,
    budgetSeconds,
  });
}

/**
 * @param {ResolvedVariant} before
 * @param {ResolvedVariant} now
 */
function requireSameCommit(before, now) {
  const [then, today] = [before, now].map(({ revision }) => revision?.commit ?? 'none');
  requireSame(`the commit of '${before.spec}'`, then, today);
}

/** @param {ResolvedVariant} variant */
function tellToolchain({ toolchain }) {
  return toolchain === undefined ? 'none' : listVersions(toolchain);
}
