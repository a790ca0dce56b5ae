import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EXIT, MachineError, UsageError } from '../../lib/errors.js';
import { countOf } from '../../lib/numbers.js';
import { PROGRAM } from '../../lib/program.js';
import { formatInvocation } from '../invocation.js';
import {
  duration,
  FORMAT,
  HOST_OPTIONS,
  option,
  REFERENCE,
  SEED,
  VARIANT_OPTIONS,
  wholeNumber,
  word,
} from '../options.js';
import { showPath } from '../terminal.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, Invocation, OptionValues } from '../types.ts' */
/** @import { FuzzSummary } from '../../../reports/content/fuzz.js' */
/** @import { FuzzResult, ResolvedVariant, Runtime, Sandbox } from '../../formats/types.ts' */
/** @import { SessionResult } from '../../studies/fuzz/session.js' */
/** @import { FoundFamily } from '../../variants/families.js' */

/** @typedef {OptionValues<typeof OPTIONS>} FuzzOptions */

const MAX_DOCUMENTS = 2 ** 31 - 1;

const OPTIONS = {
  format: FORMAT,
  for: option('--for <time>', 'time for each variant: 60s, 5m (default: 60s)', duration),
  documents: option(
    '--documents <number>',
    'number of documents for each variant, however long that takes',
    wholeNumber({ from: 1, to: MAX_DOCUMENTS }),
  ),
  seed: SEED,
  corpusDir: option(
    '--corpus-dir <directory>',
    "where cases are read and written (default: the family's fuzz/cases, which tests replay)",
    word,
  ),
  reference: REFERENCE,
  ...VARIANT_OPTIONS,
  wait: HOST_OPTIONS.wait,
  quiet: HOST_OPTIONS.quiet,
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'compare variants with the reference on mutated documents',
  arguments: [['<variants...>', 'variant specs']],
  options: OPTIONS,
  notes: `
Examples:
  ${PROGRAM} fuzz linked-list --for 60s
  ${PROGRAM} fuzz linked-list recursive --documents 2000000 --seed 7
  ${PROGRAM} fuzz path:../js-bson --corpus-dir fuzz-cases

Exit status: 0 no difference, 2 usage, 3 a document on which they differ, 4 the
worker failed, 130 interrupted.`,
  run,
};

const DEFAULT_SECONDS = 60;
const MAX_SECONDS = 86_400;
/** The journal of a job is checked within milliseconds; a host under load may take seconds. */
const HANG_MS = 10_000;
/** A variant that hangs or dies this often will do so again. */
const MAX_STOPS = 3;

/**
 * @param {[string[]]} args
 * @param {FuzzOptions} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<number>} exit status
 */
async function run([texts], options, io, invocation) {
  const { prepareThenLock } = await import('../../host/lock.js');
  const { findRuntimes } = await import('../../variants/runtimes.js');
  const { resolveVariant } = await import('../../variants/resolve.js');
  const { parseVariantSpec } = await import('../../variants/spec.js');
  const { openVariants } = await import('../comparison.js');

  const { specs, family, sandbox, context } = await openVariants(texts, options, io);
  if (!existsSync(join(family.path, 'fuzz.js'))) {
    throw new UsageError(`the family ${family.name} has no documents to mutate`);
  }
  const settings = readSettings(options, family, io.workingPath);
  const command = formatInvocation(invocation, { changes: { seed: String(settings.seed) } });
  // Nothing is timed, but it would disturb a run that is timed meanwhile.
  const request = { command, where: settings.directory, timed: false, waits: options.wait };
  const prepare = async () => {
    const variants = [];
    for (const spec of specs) {
      const variant = await resolveVariant(spec, context);
      variants.push({ variant, runtimes: await findRuntimes([], [variant], context) });
    }
    const named = options.reference;
    const reference =
      named === undefined ? undefined : await resolveVariant(parseVariantSpec(named), context);
    return { variants, reference };
  };
  return prepareThenLock(request, io, prepare, (prepared) =>
    fuzzEach({ ...prepared, settings, family, sandbox }, options, io),
  );
}

/**
 * @param {object} asked
 * @param {{ variant: ResolvedVariant, runtimes: Runtime[] }[]} asked.variants
 * @param {ResolvedVariant | undefined} asked.reference in place of that of the family
 * @param {ReturnType<typeof readSettings>} asked.settings
 * @param {FoundFamily} asked.family
 * @param {Sandbox | null} asked.sandbox
 * @param {Pick<FuzzOptions, 'format' | 'quiet'>} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function fuzzEach(asked, { format, quiet }, io) {
  const { variants, reference, settings, family, sandbox } = asked;
  const { describeFuzzing } = await import('../../../reports/content/fuzz.js');
  const { runFuzzSession } = await import('../../studies/fuzz/session.js');
  const { makeProgressPrinter } = await import('../progress.js');
  const { formatFinding } = await import('../publish.js');
  /** @type {FuzzSummary[]} */
  const summaries = [];
  const showProgress = makeProgressPrinter(io, quiet);
  try {
    for (const { variant, runtimes } of variants) {
      const { spec } = variant;
      const startMs = performance.now();
      const session = await runFuzzSession(
        { ...settings, variant, reference, family, maxStops: MAX_STOPS },
        {
          environment: io.environment,
          signal: io.signal,
          runtimes,
          sandbox,
          hangMs: HANG_MS,
          nowMs: () => performance.now(),
          onProgress: (result) => {
            const seconds = (performance.now() - startMs) / 1000;
            showProgress(() => ({ step: `${spec} · ${describeResult(result, seconds)}` }));
          },
        },
      );
      summaries.push(
        await summarize(
          session,
          { spec, settings, reference: reference?.spec ?? String(family.reference), startMs },
          io,
        ),
      );
      requireWorker(spec, session);
      if (io.signal.aborted) break;
    }
  } finally {
    const finding = { document: describeFuzzing(summaries), data: summaries };
    if (summaries.length > 0) io.stdout.write(await formatFinding(finding, format, io));
  }
  if (summaries.some(({ result }) => result.differences > 0)) return EXIT.wrongBytes;
  return io.signal.aborted ? EXIT.interrupted : EXIT.done;
}

/**
 * @param {FuzzResult} result
 * @param {number} seconds that it took
 * @returns {string} `12 480 documents · 1200 a second · 0 differences`
 */
function describeResult({ documents, differences }, seconds) {
  const rate = Math.round(documents / seconds);
  return `${countOf(documents, 'document')} · ${rate} a second · ${countOf(differences, 'difference')}`;
}

/** @param {FuzzOptions} options @param {FoundFamily} family @param {string} workingPath */
function readSettings(options, family, workingPath) {
  const { for: seconds, documents, seed, corpusDir } = options;
  const usualSeconds = documents === undefined ? DEFAULT_SECONDS : MAX_SECONDS;
  const own = join(family.path, 'fuzz', 'cases');
  const directory = corpusDir === undefined ? own : resolve(workingPath, corpusDir);
  return {
    seed: seed ?? randomInt(2 ** 32),
    maxMs: (seconds ?? usualSeconds) * 1_000,
    maxDocuments: documents ?? MAX_DOCUMENTS,
    directory,
    casesPaths: directory === own ? [] : [directory],
  };
}

/**
 * Writes the cases that were found.
 *
 * @param {SessionResult} session
 * @param {{ spec: string, settings: ReturnType<typeof readSettings>, reference: string, startMs: number }} asked
 * @param {Io} io
 * @returns {Promise<FuzzSummary>}
 */
async function summarize({ result, ended }, { spec, settings, reference, startMs }, io) {
  const { writeCase } = await import('../../studies/fuzz/session.js');
  const { seed, directory } = settings;
  const origin = { directory, spec, reference, seed };
  const files = result.failures.map((found) => showPath(writeCase(found, origin), io.workingPath));
  const elapsedMs = performance.now() - startMs;
  return { spec, reference, seed, ended, elapsedMs, result, files };
}

/**
 * @param {string} spec
 * @param {SessionResult} session
 * @throws {MachineError} when the worker ended by itself
 */
function requireWorker(spec, { ended, failure }) {
  if (ended === 'failed' && failure !== null) {
    throw new MachineError(`the worker of ${spec} ${failure.detail}`, {
      quoted: failure.lastLines,
      remedy: 'no single document reproduces it; try another --seed',
    });
  }
}
