import { UsageError } from '../../lib/errors.js';
import { EXIT } from '../../lib/exit-status.js';
import { formatCommand } from '../invocation.js';
import { PROJECT, describeAssay } from '../../lib/project.js';
import { terminalOf } from '../publish.js';
import { chooseFamily, listFamilies } from '../../variants/families.js';
import { parseVariantSpec } from '../../variants/spec.js';
import { takeShard } from '../../studies/shards/plan.js';
import { formatPlan } from '../../../reports/support/terminal-plan.js';
import { makeQuestion } from '../../run/question/question.js';
import { takeSides } from '../arguments.js';

/** @import { Io } from '../cli.js' */
/** @import { PlannedShard } from '../../../reports/support/terminal-plan.js' */
/** @import { Question } from '../../formats/types.ts' */
/** @import { CompareOptions } from './compare.js' */

/** @typedef {CompareOptions & { shards: string, json?: boolean }} PlanOptions */

const PROGRAM = 'just compare ';

/**
 * `just plan BASELINE CANDIDATE --shards 3`: says what each of several hosts has to measure.
 *
 * @param {(string | undefined)[]} args
 * @param {PlanOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
export async function runCommand(args, options, io) {
  const [baseline, candidate] = takeSides(args, options, io);
  if (baseline === undefined || candidate === undefined) {
    throw new UsageError('plan needs two variants, as compare does', {
      remedy: 'try: just plan generator linked-list --shards 3',
    });
  }
  const families = await listFamilies(PROJECT.experimentsPath);
  const specs = [parseVariantSpec(baseline), parseVariantSpec(candidate)];
  const family = chooseFamily(specs, families, options.family, io.workingPath);
  const question = await makeQuestion([baseline, candidate], family, options);
  const shards = planShards(question, options);
  const { revision } = describeAssay();
  const text = options.json
    ? formatMatrix(question, shards)
    : formatPlan({ question, shards, revision }, terminalOf(io));
  io.stdout.write(text);
  return EXIT.done;
}

/**
 * @param {Question} question of the whole
 * @param {PlanOptions} options
 * @returns {PlannedShard[]}
 * @throws {UsageError} when the number of shards makes no sense
 */
function planShards(question, options) {
  const count = Number(options.shards);
  if (!/^\d{1,6}$/.test(options.shards) || count < 1) {
    throw new UsageError(`--shards '${options.shards}' is not a whole number from 1`);
  }
  return Array.from({ length: count }, (_, position) => {
    const index = position + 1;
    const shard = `${index}/${count}`;
    const part = takeShard(question, { index, count });
    return { shard, cells: part.cells, command: formatCommand(part, { ...options, shard }) };
  });
}

/**
 * The matrix of a workflow, on one line. Arguments are quoted for a shell.
 *
 * @param {Question} question
 * @param {PlannedShard[]} shards
 * @returns {string} ends with a line end
 */
function formatMatrix({ seed }, shards) {
  const include = shards.map(({ shard, cells, command }) => ({
    shard,
    cells: cells.map(({ id }) => id),
    arguments: command.slice(PROGRAM.length),
    seed,
  }));
  return `${JSON.stringify({ include })}\n`;
}
