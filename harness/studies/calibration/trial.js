import { FORMAT_VERSION } from '../../formats/format-version.js';
import { findCores } from '../../host/cores.js';
import { compareHostCounters, readHostCounters } from '../../host/counters.js';
import { MachineError, UsageError } from '../../lib/errors.js';
import { describeFailure } from '../../lib/failures.js';
import { makeDirectory } from '../../lib/files.js';
import { PROGRAM } from '../../lib/program.js';
import { loadsSameCode, openJobRunner } from '../../run/jobs.js';
import { prepareComparison } from '../../run/prepare.js';
import { checkCorrectness, openChecks } from '../../run/gate.js';
import { chooseSettings } from '../../run/run.js';
import { execute } from '../../run/execute.js';
import { openLocalExecutor } from '../../run/executors/local.js';
import { openTimingPass } from '../../run/passes/timing.js';
import { judgeTrial } from '../../stats/calibration/trials.js';
import { armsOf } from '../../stats/plan.js';
import { scheduleOf } from '../../stats/schedule.js';
import { openContext } from '../../variants/families.js';
import { resolveVariant } from '../../variants/resolve.js';
import { parseVariantSpec, setAxes } from '../../variants/spec.js';
import { nameRuntime } from '../../lib/words.js';
import { OWN_RUNTIME } from '../../variants/runtimes.js';

/** @import { Arm, CostKind, Experiment, Manifest, Observation, Question, ResolvedVariant, Trial } from '../../formats/types.ts' */
/** @import { PlannedTrial } from '../../stats/calibration/calibration.js' */
/** @import { Io } from '../../lib/io.ts' */
/** @import { Measured } from '../../run/passes/timing.js' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { Session } from '../../run/run.js' */

/** @typedef {{ trial: Trial, observations: Observation[] }} MeasuredTrial */

/**
 * @typedef {object} TrialSettings
 * @property {TrialContext} trialContext
 * @property {number} budgetSeconds of a trial
 * @property {number} rounds of extra work that make up the injected cost
 * @property {() => number} elapsedMs since the calibration started
 * @property {Pick<Session, 'environment' | 'signal'>} session
 */

/**
 * Runs one trial: a comparison with a known true effect, with the plan and the rule of `compare`.
 *
 * @param {PlannedTrial} planned
 * @param {TrialSettings} context
 * @returns {Promise<MeasuredTrial | null>} null when it was
 *   interrupted: a partial comparison says nothing about the rule
 * @throws {MachineError} when its jobs keep failing
 */
export async function runTrial(
  planned,
  { trialContext, budgetSeconds, rounds, elapsedMs, session },
) {
  const { mode, schedule, cellId, injected, cost, isFull, seed } = planned;
  const { cells, ...common } = trialContext.questions[mode];
  /** @type {Question} */
  const question = {
    ...common,
    cells: cells.filter(({ id }) => id === cellId),
    ...(schedule === undefined ? {} : { schedule }),
    seed,
    budgetSeconds,
  };
  const baseRounds = BASE_ROUNDS[cost ?? 'arithmetic'];
  const variants = {
    ...trialContext.manifest.variants,
    baseline: await trialContext.withCost(baseRounds, cost, 'baseline'),
    candidates: [await trialContext.withCost(injected === 0 ? baseRounds : rounds, cost)],
  };
  /** @type {Observation[]} */
  const observations = [];
  const startedAtMs = elapsedMs();
  const countersBefore = readHostCounters();
  const setting = {
    manifest: {
      ...trialContext.manifest,
      variants,
      question: isFull ? withoutInterimLooks(question) : question,
    },
    familyPath: trialContext.family.path,
    observations,
    cores: findCores(scheduleOf(question), session.environment),
  };
  const ended = await execute(openTimingPass(setting), {
    executor: openLocalExecutor(trialContext.runJob[mode]),
    observations,
    clock: { elapsedMs, sessionMs: () => elapsedMs() - startedAtMs },
    untilMs: () => budgetSeconds * 1000,
    signal: session.signal,
  });
  if (ended === 'interrupted') return null;
  if (ended === 'failed') throw explainShortfall(`jobs of '${cellId}' keep failing`, observations);
  const trial = {
    formatVersion: FORMAT_VERSION,
    ...planned,
    startedAtMs,
    wallMs: elapsedMs() - startedAtMs,
    hostNoise: compareHostCounters(countersBefore, readHostCounters()),
    ...judgeTrial(question, observations, trialContext.manifest.expectedDigests),
  };
  return { trial, observations };
}

/**
 * So that only the budget stops it.
 * @type {(question: Question) => Question}
 */
function withoutInterimLooks({ earlyLook: _, ...question }) {
  return { ...question, looks: question.looks.slice(-1) };
}

/** @type {(what: string, observations: Measured[]) => MachineError} */
export function explainShortfall(what, observations) {
  const failed = observations.findLast(({ outcome }) => outcome === 'failed');
  const detail = failed?.outcome === 'failed' ? describeFailure(failed.failure) : 'a worker failed';
  return new MachineError(`${what}: ${detail}`, {
    remedy: 'completed trials are kept; fix the cause and continue with --resume',
  });
}

/**
 * Rounds of the loop without an injected cost, which take 1 to 2 % of a document. V8 compiles a loop that runs
 * once differently: under `--predictable` an arm with slightly more work was measured 1 to 2 % faster.
 *
 * @type {Record<CostKind, number>}
 */
export const BASE_ROUNDS = { arithmetic: 200, allocation: 20 };
const SCREEN_FLAG = '--predictable';

/**
 * What all trials of a calibration share.
 *
 * @typedef {object} TrialContext
 * @property {FoundFamily} family
 * @property {Record<Question['mode'], Question>} questions with all cells, one job at a time
 * @property {Omit<Experiment, 'question'>} manifest
 *   of both arms without an injected cost
 * @property {Record<Question['mode'], ReturnType<typeof openJobRunner>>} runJob
 * @property {Record<CostKind, string> | undefined} costAxes axes that inject costs, if the family has any
 * @property {WithCost} withCost
 *
 * @typedef {(rounds: number, cost?: CostKind, arm?: Exclude<Arm, 'control'>) => Promise<ResolvedVariant>} WithCost
 *   an arm, by default the candidate, with so many rounds; without an axis of costs, as it is
 */

/**
 * Resolves the variant and checks its correctness. In a family with axes of costs both arms do the
 * `BASE_ROUNDS`, so that A/A trials differ from others in the number of rounds alone.
 *
 * @param {object} wanted
 * @param {Question} wanted.question both arms are the variant, under one or two specs, in default mode
 * @param {FoundFamily} wanted.family
 * @param {FoundFamily[]} wanted.families
 * @param {string} wanted.outputPath directory for the outputs of the correctness gate
 * @param {Pick<Session, 'environment' | 'signal'>} session
 * @param {Io} io
 * @returns {Promise<TrialContext>}
 * @throws {UsageError} when the arms differ in their code or their Node, or the output is wrong
 */
export async function prepareTrials({ question, family, families, outputPath }, session, io) {
  const costAxes = family.calibration?.costAxes;
  const context = openContext({ families, family }, io);
  const prepared = await prepareComparison(question, { families, family, io });
  /** @type {WithCost} */
  const withCost = async (rounds, cost = 'arithmetic', arm = 'candidate') => {
    const specs = { baseline: question.baseline, candidate: question.candidates[0] };
    if (costAxes === undefined) return armsOf(prepared, {})[arm];
    const spec = setAxes(specs[arm], [`${costAxes[cost]}=${rounds}`]);
    return resolveVariant(parseVariantSpec(spec), context);
  };
  const variants = {
    ...prepared.variants,
    baseline: await withCost(BASE_ROUNDS.arithmetic, undefined, 'baseline'),
    candidates: [await withCost(BASE_ROUNDS.arithmetic)],
  };
  requireSameCode(question, variants);
  requireOwnNode(question.baseline, variants.baseline.runtime);
  requireOwnNode(question.candidates[0], variants.candidates[0].runtime);
  const { code } = prepared;
  const runJob = {
    default: code.watch(openJobRunner(question.nodeFlags, session)),
    screen: code.watch(openJobRunner([...question.nodeFlags, SCREEN_FLAG], session)),
  };
  makeDirectory(outputPath, 'free some space or fix the permissions, then calibrate again');
  const checks = openChecks(runJob.default, session.signal);
  const gate = await checkCorrectness({ ...prepared, variants }, outputPath, checks);
  if (gate.differences.length > 0) {
    const { baseline } = question;
    throw new UsageError(`the output of ${baseline} differs from that of ${family.reference}`, {
      remedy: `find the difference with: ${PROGRAM} check ${baseline}`,
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
      runtimes: prepared.runtimes,
      expectedDigests: gate.expectedDigests,
    },
    runJob,
    costAxes,
    withCost,
  };
}

/**
 * @param {Pick<Question, 'baseline' | 'candidates'>} specs as typed
 * @param {Pick<Manifest['variants'], 'baseline' | 'candidates'>} variants
 * @throws {UsageError} when they are not the same code, so that their comparison is not A/A
 */
function requireSameCode({ baseline, candidates: [candidate] }, variants) {
  if (loadsSameCode(variants.baseline, variants.candidates[0])) return;
  throw new UsageError(`'${baseline}' and '${candidate}' do not load the same code`, {
    remedy: '--against takes the same variant under another spec, such as another @node=',
  });
}

/**
 * Costs are measured in processes of the Node that runs Assay, and both arms must run under the same Node.
 *
 * @param {string} spec as typed
 * @param {string} [runtime] that it is pinned to
 * @throws {UsageError} when it is another runtime
 */
function requireOwnNode(spec, runtime = OWN_RUNTIME) {
  if (runtime === OWN_RUNTIME) return;
  throw new UsageError(
    `'${spec}' is pinned to ${nameRuntime(runtime)}, and a calibration measures the Node that runs Assay`,
    {
      remedy: `remove the pin${runtime.startsWith('node@') ? `, and run Assay under ${nameRuntime(runtime)}` : ''}`,
    },
  );
}
