import { EXIT } from '../../lib/errors.js';
import { PROGRAM } from '../../lib/program.js';
import { asCommand, formatInvocation } from '../invocation.js';
import { COMPARISON_OPTIONS, choice, option, wholeNumber } from '../options.js';
import { command as compare, COMPARE } from './compare.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, Invocation, OptionValues } from '../types.ts' */
/** @import { PlannedShard } from '../../../reports/content/plan.js' */
/** @import { Question } from '../../formats/types.ts' */

const OPTIONS = {
  ...COMPARISON_OPTIONS,
  shards: option('--shards <number>', 'number of parts', wholeNumber({ from: 1, to: 999_999 }), {
    default: '2',
  }),
  format: choice(
    '--format <name>',
    'format of the output; matrix: that of a workflow, on one line',
    ['terminal', 'markdown', 'html', 'json', 'matrix'],
    { default: 'terminal', transient: true },
  ),
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'divide a comparison among several hosts',
  arguments: compare.arguments ?? [],
  options: OPTIONS,
  notes: `
Each part is a command to run on another host, for instance over ssh. Copy the
directories of the runs back and combine them with ${PROGRAM} merge.
All variants of a cell are measured on the same host.

Example:
  ${PROGRAM} plan generator linked-list --shards 3`,
  run,
};

/**
 * @param {[string[]]} args
 * @param {OptionValues<typeof OPTIONS>} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<number>} exit status
 */
async function run([variants], options, io, invocation) {
  const { describePlan } = await import('../../../reports/content/plan.js');
  const { identifyAssay } = await import('../../lib/project.js');
  const { partitionCells } = await import('../../stats/parts.js');
  const { listVariants } = await import('../../stats/plan.js');
  const { askComparison } = await import('../comparison.js');
  const { formatFinding } = await import('../publish.js');

  const usage = { command: 'plan', example: `${PROGRAM} plan generator linked-list --shards 3` };
  const { question } = await askComparison(variants, options, io, usage);
  const measure = asCommand(invocation, COMPARE);
  const count = options.shards;
  const shards = partitionCells(question, count).map((cells, position) => {
    const shard = `${position + 1}/${count}`;
    const settled = { args: listVariants(question), question, changes: { shard } };
    return { shard, cells, command: formatInvocation(measure, settled) };
  });
  const { revision } = identifyAssay();
  if (options.format === 'matrix') {
    io.stdout.write(formatMatrix(question, shards));
    return EXIT.done;
  }
  const data = { question, shards, revision };
  io.stdout.write(await formatFinding({ document: describePlan(data), data }, options.format, io));
  return EXIT.done;
}

const START = `${PROGRAM} compare `;

/**
 * The matrix of a workflow, on one line. Arguments are quoted for a shell.
 * @type {(question: Question, shards: PlannedShard[]) => string}
 */
function formatMatrix({ seed }, shards) {
  const include = shards.map(({ shard, cells, command: text }) => ({
    shard,
    cells: cells.map(({ id }) => id),
    arguments: text.slice(START.length),
    seed,
  }));
  return `${JSON.stringify({ include })}\n`;
}
