import { resolve } from 'node:path';
import { chooseRecorders } from '../../profiling/recorders-found.js';
import { UsageError } from '../../lib/errors.js';
import { formatCommand } from '../invocation.js';
import { openSession } from '../terminal.js';
import { prepareComparison } from '../../run/prepare.js';
import { PROJECT } from '../../lib/project.js';
import { publishRun } from '../publish.js';
import { quoteWords } from '../../lib/words.js';
import { hasProgram } from '../../variants/build-family.js';
import { chooseFamily, listFamilies, openContext } from '../../variants/families.js';
import { parseVariantSpec } from '../../variants/spec.js';
import { prepareResume, resumeRun } from '../../run/resume-run.js';
import { createRun } from '../../run/run.js';
import { parseShard, takeShard } from '../../studies/shards/plan.js';
import { prepareAndTakeTurn } from '../../host/lock.js';
import { findExitStatus, requireNothingElse, takeSides } from '../arguments.js';
import { makeQuestion } from '../../run/question/question.js';
import { parseBudget } from '../../run/question/parse-options.js';

/** @import { Command } from 'commander' */
/** @import { Io } from '../cli.js' */
/** @import { JudgedRun } from '../publish.js' */

/** What can be said of a run that is gone on with. */
const RESUME_OPTIONS = ['--resume', '--budget', '--check', '--wait'];

/**
 * @typedef {object} CompareOptions
 * @property {string} [op]
 * @property {string} [corpus]
 * @property {string} mei
 * @property {string} [budget]
 * @property {string} processes
 * @property {string} [layouts]
 * @property {boolean} [memory]
 * @property {boolean} [memoryOnly]
 * @property {string} [accept]
 * @property {string} [explain]
 * @property {string} [with]
 * @property {boolean} [wholeProcess]
 * @property {boolean} [instructions]
 * @property {boolean} [screen]
 * @property {string} [seed]
 * @property {string[]} [nodeFlag]
 * @property {string} [family]
 * @property {string[]} [set]
 * @property {string} [node]
 * @property {string} [build]
 * @property {string} [pr]
 * @property {string} [base]
 * @property {string} [shard]
 * @property {string} [out]
 * @property {boolean} [check]
 * @property {string} [resume]
 * @property {boolean} [wait]
 * @property {boolean} [sandbox]
 */

/**
 * `just compare BASELINE CANDIDATE`, and `just compare --resume RUN`.
 *
 * @param {(string | undefined)[]} args
 * @param {CompareOptions} options
 * @param {Io} io
 * @param {Command} command
 * @returns {Promise<number>} exit status
 */
export async function runCommand(args, options, io, command) {
  const session = openSession(io);
  if (options.resume !== undefined) {
    const { resume, budget, wait } = options;
    requireNothingElse(args, command, RESUME_OPTIONS);
    const budgetSeconds = budget === undefined ? null : parseBudget(budget);
    const where = resolve(io.workingPath, resume);
    const turn = {
      command: quoteWords(['just', 'compare', '--resume', resume]),
      where,
      waits: wait,
    };
    return prepareAndTakeTurn(
      turn,
      io,
      () => prepareResume(resume, io),
      async (prepared) =>
        conclude(await resumeRun(where, budgetSeconds, prepared, session), options, io),
    );
  }
  const families = await listFamilies(PROJECT.experimentsPath);
  const [baseline, candidate] = takeSides(args, options, io);
  if (baseline === undefined || candidate === undefined) {
    const missing = baseline === undefined ? 'two variants' : 'a second variant';
    throw new UsageError(`compare needs ${missing}`, {
      remedy:
        "see 'just variants' and 'just compare --help', or try: just compare generator linked-list",
    });
  }
  const specs = [parseVariantSpec(baseline), parseVariantSpec(candidate)];
  const family = chooseFamily(specs, families, options.family, io.workingPath);
  const plan = await makeQuestion(
    [baseline, candidate],
    family,
    options,
    openContext({ families, family }, io),
  );
  const question = options.shard === undefined ? plan : takeShard(plan, parseShard(options.shard));
  const runsPath =
    options.out === undefined ? PROJECT.runsPath : resolve(io.workingPath, options.out);
  const typed = formatCommand(question, options);
  const turn = { command: typed, where: runsPath, waits: options.wait };
  const prepare = async () => {
    const isProgram = await hasProgram(family);
    const { recorders, states } = await chooseRecorders(question, session.host, isProgram);
    const prepared = await prepareComparison(question, { families, family, io });
    return { recorders, states, prepared };
  };
  return prepareAndTakeTurn(turn, io, prepare, async ({ recorders, states, prepared }) => {
    const run = await createRun(
      { ...prepared, command: typed, runsPath, recorderStates: states },
      { ...session, recorders },
    );
    return conclude(run, options, io);
  });
}

/**
 * @param {JudgedRun} run
 * @param {CompareOptions} options
 * @param {Io} io
 * @returns {Promise<number>}
 */
async function conclude(run, options, io) {
  await publishRun(run, io);
  return findExitStatus(run.verdict, options.check === true);
}
