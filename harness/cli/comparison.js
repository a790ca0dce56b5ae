import { EXIT, UsageError } from '../lib/errors.js';
import { PROGRAM } from '../lib/program.js';
import { preferredSchedule, readCalibrationRecord } from '../host/calibration-record.js';
import { hasTwoCores } from '../host/cores.js';
import { identifyHost } from '../host/environment.js';
import { PROJECT } from '../lib/project.js';
import { omitUndefined } from '../lib/records.js';
import { addPin } from '../lib/words.js';
import { makeQuestion, requireRevision } from '../run/question.js';
import { openSandbox } from '../run/sandbox.js';
import { chooseFamily, findFamily, listFamilies, openContext } from '../variants/families.js';
import { isSlower } from '../stats/verdicts.js';
import { findPullRequestArms } from '../variants/git.js';
import { pinPackage } from '../variants/pin.js';
import { isPinned, parseVariantSpec, setAxes } from '../variants/spec.js';
import { writeNote } from '../lib/messages.js';

/** @import { Io } from './cli.js' */
/** @import { COMPARISON_OPTIONS, PAIR_OPTIONS, VARIANT_OPTIONS } from './options.js' */
/** @import { OptionValues } from './types.ts' */
/** @import { Question, Verdict } from '../formats/types.ts' */
/** @import { FoundFamily } from '../variants/families.js' */

/** @typedef {OptionValues<typeof COMPARISON_OPTIONS>} ComparisonOptions */
/** @typedef {OptionValues<typeof PAIR_OPTIONS>} PairOptions */

/** Budget of a ranking of a whole family, which could take an hour: with the check it ends within ten minutes. */
const WHOLE_FAMILY_SECONDS = 480;

/**
 * Turns the arguments and options of a comparison into its question.
 *
 * @param {string[]} args baseline and candidates, as typed; none for a ranking of all variants of a family
 * @param {ComparisonOptions} options
 * @param {Io} io
 * @param {{ command: string, example: string }} usage for the error
 * @returns {Promise<{ families: FoundFamily[], family: FoundFamily, question: Question }>}
 * @throws {UsageError} when a variant is missing, or an option does not apply to these
 */
export async function askComparison(args, options, io, { command, example }) {
  const families = await listFamilies(PROJECT.experimentsPath);
  const { family: wanted, rank } = options;
  const isWhole = args.length === 0 && rank === true && wanted !== undefined;
  const named = isWhole ? findFamily(families, wanted).variants : args;
  const { asOf, reference } = options;
  const { texts, typed } = await pinVariants(chooseVariants(named, options, io), io, asOf);
  const [baseline, ...candidates] = texts;
  if (baseline === undefined || candidates.length === 0) {
    const missing = baseline === undefined ? 'two variants' : 'a second variant';
    throw new UsageError(`${command} needs ${missing}`, {
      remedy: `see '${PROGRAM} variants' and '${PROGRAM} ${command} --help', or try: ${example}`,
    });
  }
  if (options.bench === undefined && options.benchArgs !== undefined) {
    throw new UsageError('--bench-args are arguments of benchmark files, and none is named', {
      remedy: 'add --bench FILE',
    });
  }
  const specs = [baseline, ...candidates].map(parseVariantSpec);
  const asked =
    options.bench === undefined ? null : await askBenchmarks(texts, options, families, io);
  const family = asked?.family ?? chooseFamily(specs, families, options.family, io.workingPath);
  const places = openContext({ families, family }, io);
  const question = await makeQuestion(
    [baseline, ...candidates],
    family,
    {
      hasTwoCores: prefersPairs(io),
      ...options,
      ...(asked === null ? {} : { benchmarks: asked.bench, reference: baseline }),
      ...omitUndefined({ typed, reference: reference && (await pinVariant(reference, io)) }),
      ...(isWhole && options.budget === undefined ? { budget: WHOLE_FAMILY_SECONDS } : {}),
    },
    places,
  );
  return { families, family, question };
}

/** @type {(texts: string[], options: ComparisonOptions, families: FoundFamily[], io: Io) => ReturnType<typeof import('./bench.js').askBenchmarks>} */
async function askBenchmarks(texts, { bench, ...options }, families, io) {
  // Commander gives an option whose value is left out as true.
  if (!Array.isArray(bench)) {
    throw new UsageError('--bench names no file', { remedy: 'write --bench FILE' });
  }
  // Loaded on demand, since most comparisons have a family.
  const { askBenchmarks: ask } = await import('./bench.js');
  return ask(texts, { bench, ...options }, { families, io });
}

/**
 * Replaces what stands for one version of a package today, such as a range, by that version.
 *
 * @param {string[]} texts variant specs
 * @param {Io} io
 * @param {string} [asOf] a day
 * @returns {Promise<{ texts: string[], typed?: Record<string, string> }>} `typed`: what was typed, by what it stands for
 * @throws {import('../lib/errors.js').AssayError} when there is no such version
 */
export async function pinVariants(texts, io, asOf) {
  const pinned = [];
  for (const text of texts) pinned.push(await pinVariant(text, io, asOf));
  const typed = pinned.flatMap((text, index) =>
    text === texts[index] ? [] : [[text, texts[index]]],
  );
  return typed.length === 0 ? { texts } : { texts: pinned, typed: Object.fromEntries(typed) };
}

/** @type {(text: string, io: Io, asOf?: string) => Promise<string>} */
async function pinVariant(text, { workingPath, signal, stderr }, asOf) {
  const spec = parseVariantSpec(text);
  if (spec.kind !== 'npm' || isPinned(spec)) return text;
  const places = { projectPath: PROJECT.projectPath, workingPath, signal, asOf };
  const pinned = addPin((await pinPackage(spec, places)).text, spec.runtime);
  writeNote(stderr, `${text} is ${pinned}`);
  return pinned;
}

/**
 * @param {Pick<Io, 'environment'>} io
 * @returns {boolean} whether two jobs at a time are the default here: where there are two cores, and no calibration of
 *   the host says otherwise
 */
export function prefersPairs({ environment }) {
  const preferred = preferredSchedule(readCalibrationRecord(), identifyHost());
  return hasTwoCores(environment) && preferred !== 'sequential';
}

/**
 * The variants that are named, or the two ends of a pull request, with the axes that are set for all.
 *
 * @param {string[]} args
 * @param {PairOptions} options
 * @param {Io} io
 * @returns {string[]} variant specs
 * @throws {UsageError} when they are named in two ways, or a variant has no such axis
 */
function chooseVariants(args, { set = [], ...options }, io) {
  const specs = findSpecs(args, options, io);
  return set.length === 0 ? specs : specs.map((spec) => setAxes(spec, set));
}

/** @type {(args: string[], options: Pick<PairOptions, 'pr' | 'base'>, io: Io) => string[]} */
function findSpecs(args, { pr, base }, io) {
  if (pr === undefined) {
    if (base === undefined) return args;
    throw new UsageError(
      '--base needs --pr: it names what HEAD of the checkout branched off from',
      {
        remedy: 'add --pr DIRECTORY instead of the variants, or leave --base out',
      },
    );
  }
  if (args[0] !== undefined) {
    throw new UsageError(`--pr names the variants, and '${args[0]}' is another one`, {
      remedy: 'leave out --pr, or the variants',
    });
  }
  const { baseline, candidate, notes } = findPullRequestArms(pr, base, io.workingPath);
  for (const note of notes) writeNote(io.stderr, note);
  return [baseline, candidate];
}

/**
 * Finds the family of variants that are not compared with each other, and what resolving them needs.
 *
 * @param {string[]} texts variant specs
 * @param {OptionValues<typeof VARIANT_OPTIONS>} options
 * @param {Io} io
 * @throws {import('../lib/errors.js').AssayError} when they have no family in common, there is nothing to build, or
 *   no sandbox works here
 */
export async function openVariants(texts, { build, family: name, sandbox: isWanted }, io) {
  if (build !== undefined) requireRevision(texts);
  const families = await listFamilies(PROJECT.experimentsPath);
  const specs = (await pinVariants(texts, io)).texts.map(parseVariantSpec);
  const family = chooseFamily(specs, families, name, io.workingPath);
  const sandbox = await openSandbox(isWanted, io.environment);
  return { specs, family, sandbox, context: openContext({ families, family, build }, io) };
}

/**
 * @param {Pick<Verdict, 'ended' | 'cells'>} verdict
 * @param {boolean} check whether a slower candidate counts as a failure
 * @returns {number} exit status
 */
export function findExitStatus({ ended, cells }, check) {
  const isRefused = ended === 'refused' || cells.some(({ verdict }) => verdict === 'refused');
  if (isRefused) return EXIT.wrongBytes;
  if (ended === 'interrupted') return EXIT.interrupted;
  if (ended === 'failed') return EXIT.failed;
  const slower = cells.some(({ verdict, standing }) => standing === undefined && isSlower(verdict));
  return check && slower ? EXIT.regression : EXIT.done;
}
