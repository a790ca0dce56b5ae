import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { formatFuzzSummary } from '../../../reports/support/terminal-fuzz.js';
import { MachineError, UsageError } from '../../lib/errors.js';
import { EXIT } from '../../lib/exit-status.js';
import { makeFuzzPrinter, runFuzzSession, writeCase } from '../../studies/fuzz/session.js';
import { clearProgress } from '../../run/print-progress.js';
import { PROJECT } from '../../lib/project.js';
import { showPath, terminalOf } from '../publish.js';
import { quoteWords } from '../../lib/words.js';
import { chooseFamily, listFamilies, openContext } from '../../variants/families.js';
import { findRuntimes } from '../../variants/node-runtime.js';
import { parseVariantSpec } from '../../variants/spec.js';
import { resolveVariant } from '../../variants/resolve.js';
import { openSandbox } from '../../run/sandbox/sandbox.js';
import { prepareAndTakeTurn } from '../../host/lock.js';
import { parseDuration, parseNumber, parseSeed } from '../../run/question/parse-options.js';
import { requireRevision } from '../../run/question/question.js';

/** @import { Io } from '../cli.js' */
/** @import { SessionResult } from '../../studies/fuzz/session.js' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { ResolvedVariant, Runtime, Sandbox } from '../../formats/types.ts' */

const DEFAULT_MS = 60_000;
const MAX_MS = 86_400_000;
const MAX_DOCUMENTS = 2 ** 31 - 1;
/** A look at the journal of a job takes milliseconds; a machine under load may take seconds. */
const HANG_MS = 10_000;
/** A variant that hangs or dies this often will go on to. */
const MAX_STOPS = 3;

/**
 * @typedef {object} FuzzOptions as typed
 * @property {string} [for]
 * @property {string} [documents]
 * @property {string} [seed]
 * @property {string} [corpusDir]
 * @property {string} [build]
 * @property {string} [family]
 * @property {boolean} [wait]
 * @property {boolean} [sandbox]
 */

/**
 * `just fuzz VARIANT…`: mutated documents, held against the reference.
 *
 * @param {[string[]]} args
 * @param {FuzzOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
export async function runCommand([texts], options, io) {
  if (options.build !== undefined) requireRevision(texts);
  const families = await listFamilies(PROJECT.experimentsPath);
  const specs = texts.map(parseVariantSpec);
  const family = chooseFamily(specs, families, options.family, io.workingPath);
  if (!existsSync(join(family.path, 'fuzz.js'))) {
    throw new UsageError(`the family ${family.name} has no documents to mutate`);
  }
  const settings = readSettings(options, family, io.workingPath);
  const sandbox = await openSandbox(options.sandbox, io.environment);
  const context = openContext({ families, family, build: options.build }, io);
  const command = quoteWords(['just', 'fuzz', ...texts]);
  // It times nothing, but no run could be timed beside it.
  const turn = { command, where: settings.directory, timed: false, waits: options.wait };
  const prepare = async () => {
    const variants = [];
    for (const spec of specs) {
      const variant = await resolveVariant(spec, context);
      variants.push({ variant, runtimes: await findRuntimes([], [variant], context) });
    }
    return variants;
  };
  return prepareAndTakeTurn(turn, io, prepare, (variants) =>
    fuzzEach({ variants, settings, family, sandbox }, io),
  );
}

/**
 * @param {object} asked
 * @param {{ variant: ResolvedVariant, runtimes: Runtime[] }[]} asked.variants
 * @param {ReturnType<typeof readSettings>} asked.settings
 * @param {FoundFamily} asked.family
 * @param {Sandbox | null} asked.sandbox
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function fuzzEach({ variants, settings, family, sandbox }, io) {
  /** @type {number} */
  let status = EXIT.done;
  for (const { variant, runtimes } of variants) {
    const { spec } = variant;
    const startMs = performance.now();
    const session = await runFuzzSession(
      { ...settings, variant, family, maxStops: MAX_STOPS },
      {
        environment: io.environment,
        signal: io.signal,
        runtimes,
        sandbox,
        hangMs: HANG_MS,
        nowMs: () => performance.now(),
        onProgress: makeFuzzPrinter(io.stderr, spec, () => performance.now()),
      },
    );
    clearProgress(io.stderr);
    status = Math.max(status, publish(session, { spec, settings, family, startMs }, io));
    if (io.signal.aborted) break;
  }
  return io.signal.aborted && status === EXIT.done ? EXIT.interrupted : status;
}

/**
 * @param {FuzzOptions} options
 * @param {FoundFamily} family
 * @param {string} workingPath
 */
function readSettings(options, family, workingPath) {
  const { documents, seed, corpusDir } = options;
  const endless = documents === undefined ? DEFAULT_MS : MAX_MS;
  const own = join(family.path, 'fuzz', 'cases');
  const directory = corpusDir === undefined ? own : resolve(workingPath, corpusDir);
  return {
    seed: seed === undefined ? randomInt(2 ** 32) : parseSeed(seed),
    maxMs: options.for === undefined ? endless : parseDuration('--for', options.for),
    maxDocuments:
      documents === undefined
        ? MAX_DOCUMENTS
        : Math.ceil(parseNumber('--documents', documents, { above: 0, upTo: MAX_DOCUMENTS })),
    directory,
    casesPaths: directory === own ? [] : [directory],
  };
}

/**
 * Keeps what was found and says it.
 *
 * @param {SessionResult} session
 * @param {{ spec: string, settings: ReturnType<typeof readSettings>, family: FoundFamily, startMs: number }} asked
 * @param {Io} io
 * @returns {number} exit status
 * @throws {MachineError} when the worker ended before anything was tried
 */
function publish({ result, ended, failure }, { spec, settings, family, startMs }, io) {
  const { seed, directory } = settings;
  const origin = { directory, spec, reference: family.reference, seed };
  const files = result.failures.map((found) => showPath(writeCase(found, origin), io.workingPath));
  const elapsedMs = performance.now() - startMs;
  const summary = { spec, reference: family.reference, seed, ended, elapsedMs, result, files };
  io.stdout.write(formatFuzzSummary(summary, terminalOf(io)));
  if (ended === 'failed' && failure !== null) {
    const lines = [`the worker of ${spec} ${failure.detail}`, ...failure.lastLines];
    throw new MachineError(lines.join('\n  '), {
      remedy: 'it ended without a document that makes it end again',
    });
  }
  return result.differences > 0 ? EXIT.wrongBytes : EXIT.done;
}
