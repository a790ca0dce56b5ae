import { chooseSettings } from '../../run/measure-settings.js';
import { openJobRunner } from '../../run/open-job-runner.js';
import { prepareComparison } from '../../run/prepare-comparison.js';
import { passGate } from '../../run/run-comparison.js';
import { UsageError } from '../../lib/errors.js';
import { openContext } from '../../variants/open-context.js';
import { parseVariantSpec } from '../../variants/parse-variant-spec.js';
import { resolveVariant } from '../../variants/resolve-variant.js';
import { setAxes } from '../../variants/set-axes.js';
import { makeDirectory } from '../../lib/make-directory.js';

/** @import { Io } from '../../cli/cli.js' */
/** @import { Manifest, Question, ResolvedVariant } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { Session } from '../../run/continue-run.js' */

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
  const gate = await passGate({ ...prepared, variants }, outputPath, runJob.default);
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
