import { resolve } from 'node:path';
import { chooseRecorders, openRecorderHost } from '../choose-recorders.js';
import { EXIT } from '../exit-status.js';
import { formatCommand } from '../format-command.js';
import { makeProgressPrinter } from '../print-progress.js';
import { PROJECT } from '../project.js';
import { publishRun } from '../publish-run.js';
import { listFamilies } from '../resolve/families.js';
import { findPackages } from '../resolve/find-packages.js';
import { parseVariantSpec } from '../resolve/parse-variant-spec.js';
import { chooseFamily, resolveVariant } from '../resolve/resolve-variant.js';
import { resumeRun } from '../resume-run.js';
import { startRun } from '../run-comparison.js';
import { makeQuestion } from './make-question.js';
import { prepareCorpora } from './prepare-corpora.js';
import { parseBudget } from './parse-options.js';

/** @import { Command } from 'commander' */
/** @import { Io } from '../cli.js' */
/** @import { Verdict } from '../types.ts' */
/** @import { JudgedRun } from '../publish-run.js' */
/** @import { FoundFamily } from '../resolve/families.js' */
/** @import { Session } from '../continue-run.js' */

/**
 * @typedef {object} CompareOptions
 * @property {string} [op]
 * @property {string} [corpus]
 * @property {string} mei
 * @property {string} [budget]
 * @property {string} processes
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
 * @property {string} [out]
 * @property {boolean} [check]
 * @property {string} [resume]
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
export async function runCommand([baseline, candidate], options, io, command) {
  const host = openRecorderHost(io);
  const session = { ...openSession(io), host };
  if (options.resume !== undefined) {
    const { resume, budget } = options;
    const budgetSeconds = budget === undefined ? null : parseBudget(budget);
    return conclude(await resumeRun(resume, budgetSeconds, io.workingPath, session), options, io);
  }
  const families = await listFamilies(PROJECT.experimentsPath);
  if (baseline === undefined || candidate === undefined) {
    return teach(baseline, families, io, command);
  }
  const specs = [parseVariantSpec(baseline), parseVariantSpec(candidate)];
  const family = chooseFamily(specs, families, options.family);
  const question = await makeQuestion([baseline, candidate], family, options);
  const { recorders, states } = await chooseRecorders(question, host);
  const { corpora, gateCorpora } = await prepareCorpora(question);
  const context = { families, family, ...PROJECT, workingPath: io.workingPath };
  const variants = {
    baseline: await resolveVariant(specs[0], context),
    candidate: await resolveVariant(specs[1], context),
    reference: await resolveVariant(parseVariantSpec(family.reference), context),
  };
  const asTyped = formatCommand(question, options);
  const run = await startRun(
    {
      command: asTyped,
      runsPath: options.out === undefined ? PROJECT.runsPath : resolve(io.workingPath, options.out),
      question,
      family,
      variants,
      corpora,
      gateCorpora,
      packages: await findPackages(question.cells, family, PROJECT),
      recorderStates: states,
    },
    { ...session, recorders },
  );
  return conclude(run, options, io);
}

/**
 * Says how it is done to somebody who gave too little.
 *
 * @param {string | undefined} baseline
 * @param {FoundFamily[]} families
 * @param {Io} io
 * @param {Command} command
 * @returns {number}
 */
function teach(baseline, families, io, command) {
  const missing = baseline === undefined ? 'two variants' : 'a second variant';
  io.stderr.write(`error: compare needs ${missing}\n\n${command.helpInformation()}\n`);
  for (const { name, variants } of families) {
    io.stderr.write(`Variants of ${name}: ${variants.join(', ')}\n`);
  }
  io.stderr.write('Try: just compare generator linked-list\n');
  return EXIT.usage;
}

/**
 * @param {Io} io
 * @returns {Omit<Session, 'host' | 'recorders'>}
 */
function openSession(io) {
  return {
    environment: io.environment,
    signal: io.signal,
    onProgress: makeProgressPrinter(io.stderr, () => performance.now()),
  };
}

/**
 * @param {JudgedRun} run
 * @param {CompareOptions} options
 * @param {Io} io
 * @returns {Promise<number>}
 */
async function conclude(run, options, io) {
  await publishRun(run, io);
  return exitStatusOf(run.verdict, options.check === true);
}

/**
 * @param {Verdict} verdict
 * @param {boolean} check
 * @returns {number}
 */
function exitStatusOf({ ended, cells }, check) {
  if (cells.some(({ verdict }) => verdict === 'refused')) return EXIT.wrongBytes;
  if (ended === 'interrupted') return EXIT.interrupted;
  if (ended === 'failed') return EXIT.failed;
  const slower = cells.some(({ verdict }) => verdict === 'slower');
  return check && slower ? EXIT.regression : EXIT.done;
}
