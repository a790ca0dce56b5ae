import { FORMAT_VERSION } from '../../formats/format-version.js';
import { compareHostCounters, readHostCounters } from '../../host/counters.js';
import { MachineError, UsageError } from '../../lib/errors.js';
import { makeDirectory } from '../../lib/files.js';
import { openJobRunner } from '../../run/jobs.js';
import { prepareComparison } from '../../run/prepare.js';
import { checkCorrectness } from '../../run/gate.js';
import { chooseSettings } from '../../run/run.js';
import { measureTimes } from '../../run/passes/timing.js';
import { judgeTrial } from '../../stats/calibration/trials.js';
import { openContext } from '../../variants/families.js';
import { resolveVariant } from '../../variants/resolve.js';
import { parseVariantSpec, setAxes } from '../../variants/spec.js';

/** @import { Cell, Manifest, Observation, Question, ResolvedVariant, Trial } from '../../formats/types.ts' */
/** @import { PlannedTrial } from '../../stats/calibration/calibration.js' */
/** @import { Io } from '../../cli/cli.js' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { Session } from '../../run/run.js' */

/**
 * @typedef {object} TrialContext
 * @property {Bench} bench
 * @property {number} budgetSeconds of a trial
 * @property {number} rounds that cost what is injected
 * @property {() => number} elapsedMs since the calibration began
 * @property {AbortSignal} signal
 */

/**
 * One comparison whose truth is known, by the plan and the rule of `compare`.
 *
 * @param {PlannedTrial} planned
 * @param {TrialContext} context
 * @returns {Promise<{ trial: Trial, observations: Observation[] } | null>} null when it was
 *   interrupted: half a comparison says nothing of the rule
 * @throws {MachineError} when its jobs keep failing
 */
export async function runTrial(planned, { bench, budgetSeconds, rounds, elapsedMs, signal }) {
  const { mode, cellId, injected, isFull, seed } = planned;
  const question = {
    ...bench.questions[mode],
    cells: bench.questions[mode].cells.filter(({ id }) => id === cellId),
    seed,
    budgetSeconds,
  };
  const { looks } = question;
  const variants = {
    ...bench.manifest.variants,
    candidate: await bench.withCost(injected === 0 ? NO_COST_ROUNDS : rounds),
  };
  /** @type {Observation[]} */
  const observations = [];
  const startedAtMs = elapsedMs();
  const countersBefore = readHostCounters();
  const ended = await measureTimes({
    manifest: {
      ...bench.manifest,
      variants,
      // Without looks in between nothing stops it before its budget does.
      question: isFull ? { ...question, looks: looks.slice(-1) } : question,
    },
    familyPath: bench.family.path,
    observations,
    runJob: bench.runJob[mode],
    append: () => {},
    onProgress: () => {},
    clock: { elapsedMs, sessionMs: () => elapsedMs() - startedAtMs },
    untilMs: budgetSeconds * 1000,
    signal,
  });
  if (ended === 'interrupted') return null;
  if (ended === 'failed') throw describeFailure(question.cells[0], observations);
  const trial = {
    formatVersion: FORMAT_VERSION,
    ...planned,
    startedAtMs,
    wallMs: elapsedMs() - startedAtMs,
    hostNoise: compareHostCounters(countersBefore, readHostCounters()),
    ...judgeTrial(question, observations, bench.manifest.expectedDigests),
  };
  return { trial, observations };
}

/**
 * @param {Cell} cell
 * @param {Observation[]} observations
 */
function describeFailure({ id }, observations) {
  const failed = observations.findLast(({ outcome }) => outcome === 'failed');
  const detail = failed?.outcome === 'failed' ? failed.failure.detail : 'a worker failed';
  return new MachineError(`jobs of '${id}' keep failing: ${detail}`, {
    remedy: 'what was measured is kept; mend it and go on with --resume',
  });
}

/**
 * Without any cost the loop runs too, for 1 to 2 % of a document. Of one that runs a single time V8
 * makes other code: under `--predictable` a side with some more work then came out 1 to 2 % faster.
 */
export const NO_COST_ROUNDS = 200;
const SCREEN_FLAG = '--predictable';

/**
 * What every trial of a calibration needs, made ready once.
 *
 * @typedef {object} Bench
 * @property {FoundFamily} family
 * @property {Record<Question['mode'], Question>} questions with all cells
 * @property {Pick<Manifest, 'variants' | 'corpora' | 'settings' | 'packages' | 'expectedDigests'>} manifest
 *   of both sides without any cost
 * @property {Record<Question['mode'], ReturnType<typeof openJobRunner>>} runJob
 * @property {string} costAxis by which costs are injected
 * @property {(rounds: number) => Promise<ResolvedVariant>} withCost
 */

/**
 * Resolves the variant, and passes the gate that any comparison passes.
 *
 * @param {object} wanted
 * @param {Question} wanted.question both of its sides are the variant, in the default mode
 * @param {FoundFamily} wanted.family
 * @param {FoundFamily[]} wanted.families
 * @param {string} wanted.outputPath directory for outputs of the gate
 * @param {Pick<Session, 'environment' | 'signal'>} session
 * @param {Io} io
 * @returns {Promise<Bench>}
 * @throws {UsageError} when costs cannot be injected into the variant, or it does not pass the gate
 */
export async function openBench({ question, family, families, outputPath }, session, io) {
  const { costAxis } = requireCalibration(family, families);
  const context = openContext({ families, family }, io);
  const spec = question.baseline;
  const withCost = (/** @type {number} */ rounds) =>
    resolveVariant(parseVariantSpec(setAxes(spec, [`${costAxis}=${rounds}`])), context);
  const prepared = await prepareComparison(question, { families, family, io });
  const variant = await withCost(NO_COST_ROUNDS);
  requireOwnNode(spec, variant.node);
  const variants = { ...prepared.variants, baseline: variant, candidate: variant };
  const runJob = {
    default: openJobRunner(question.nodeFlags, session),
    screen: openJobRunner([...question.nodeFlags, SCREEN_FLAG], session),
  };
  makeDirectory(outputPath, 'free some space or mend the permissions, and calibrate again');
  const gate = await checkCorrectness({ ...prepared, variants }, outputPath, runJob.default);
  if (gate.differences.length > 0) {
    throw new UsageError(`${spec} does not write what ${family.reference} writes`, {
      remedy: `see where with: just check ${spec}`,
    });
  }
  return {
    family,
    questions: {
      default: question,
      screen: {
        ...question,
        mode: 'screen',
        nodeFlags: [...question.nodeFlags, SCREEN_FLAG],
      },
    },
    manifest: {
      variants,
      corpora: prepared.corpora,
      settings: chooseSettings(family, null),
      packages: prepared.packages,
      expectedDigests: gate.expectedDigests,
    },
    runJob,
    costAxis,
    withCost,
  };
}

/**
 * @param {FoundFamily} family
 * @param {FoundFamily[]} families
 * @returns {import('../../formats/types.ts').FamilyCalibration}
 * @throws {UsageError} when the family has no axis of costs
 */
export function requireCalibration({ name, calibration }, families) {
  if (calibration !== undefined) return calibration;
  const able = families.flatMap((family) => (family.calibration ? [family.name] : []));
  throw new UsageError(`costs cannot be injected into variants of ${name}`, {
    remedy: `calibrate with a variant of ${able.join(' or ')}`,
  });
}

/**
 * Costs are priced in turns, in processes of the Node that runs Assay.
 *
 * @param {string} spec as typed
 * @param {string} [node] that it is pinned to
 * @throws {UsageError} when that is another
 */
function requireOwnNode(spec, node = process.versions.node) {
  if (node === process.versions.node) return;
  throw new UsageError(
    `'${spec}' is pinned to Node ${node}, and a calibration is of one Node alone`,
    {
      remedy: `leave '@node=' out, and run Assay itself under Node ${node}`,
    },
  );
}
