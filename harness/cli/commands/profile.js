import { basename } from 'node:path';
import { EXIT, MachineError } from '../../lib/errors.js';
import { PROGRAM } from '../../lib/program.js';
import { omitUndefined } from '../../lib/records.js';
import { listWords } from '../../lib/words.js';
import { formatInvocation } from '../invocation.js';
import {
  COMPARISON_OPTIONS,
  FORMAT,
  HOST_OPTIONS,
  list,
  option,
  repeatable,
  VARIANT_OPTIONS,
} from '../options.js';
import { writeNote } from '../../lib/messages.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, Invocation, OptionValues } from '../types.ts' */
/** @import { Cell, PreparedCorpus, ProfileObservation, ProfileObservationDone, Question, Recorder, ResolvedVariant, Runtime, VariantSpec } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */

/** @typedef {OptionValues<typeof OPTIONS>} ProfileOptions */

const OPTIONS = {
  op: {
    ...COMPARISON_OPTIONS.op,
    summary: "operations, separated by commas (default: the family's first)",
  },
  corpus: {
    ...COMPARISON_OPTIONS.corpus,
    summary: "corpora, separated by commas (default: the operation's first)",
  },
  with: option('--with <recorders>', `recorders, by name (see ${PROGRAM} doctor)`, list),
  nodeFlag: repeatable('--node-flag <flag>', 'flag for the Node that is recorded; repeatable'),
  ...VARIANT_OPTIONS,
  format: FORMAT,
  ...HOST_OPTIONS,
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'record where a variant spends its time, without comparing',
  arguments: [['<variant>', 'variant spec']],
  options: OPTIONS,
  run,
};

/** How long the processor is watched before and after the recording. */
const WATCH_MS = 250;
/** Of the text that is kept for `just report`. */
const KEPT_FORM = { width: 80, color: false };
/** Default recorders; those that do not work here are left out. */
const DEFAULT_RECORDERS = ['cpu-profile', 'perf'];
const NO_DEFAULT = `name another recorder with --with; '${PROGRAM} doctor' lists them`;

/**
 * @param {[string]} args
 * @param {ProfileOptions} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<number>} exit status
 * @throws {MachineError} when a recorder that was asked for does not work here
 */
async function run([text], options, io, invocation) {
  const { prepareThenLock } = await import('../../host/lock.js');
  const { openRecorderHost } = await import('../../profiling/recorder-registry.js');
  const { prepareCorpora } = await import('../../run/prepare.js');
  const { requireFlags } = await import('../../run/question.js');
  const { findRuntimes } = await import('../../variants/runtimes.js');
  const { findPackages } = await import('../../variants/npm.js');
  const { resolveVariant } = await import('../../variants/resolve.js');
  const { openVariants } = await import('../comparison.js');
  const { findRunsPath } = await import('../session.js');

  const { specs, family, sandbox, context } = await openVariants([text], options, io);
  const [spec] = specs;
  const host = { ...openRecorderHost(io), sandbox };
  const recorders = await chooseProfileRecorders(family, options, host);
  const cells = await chooseCells(spec, family, options, context);
  const pins = [...cells, spec].map(({ runtime }) => runtime ?? undefined);
  await requireFlags(options.nodeFlag, pins, context);
  const runsPath = findRunsPath(options.out, io);
  const prepare = async () => {
    const { corpora } = await prepareCorpora({ cells, memory: 'none' });
    const variant = await resolveVariant(spec, context);
    const packages = await findPackages(cells, family, context);
    const runtimes = await findRuntimes(cells, [variant], context);
    return { corpora, packages, variant, runtimes };
  };
  const asked = { family, recorders, host, cells, runsPath };
  const command = formatInvocation(invocation);
  const request = { command, where: runsPath, waits: options.wait };
  return prepareThenLock(request, io, prepare, (prepared) =>
    recordCells({ ...asked, ...prepared }, options, io),
  );
}

/**
 * @param {object} asked
 * @param {FoundFamily} asked.family
 * @param {Recorder[]} asked.recorders
 * @param {import('../../formats/types.ts').RecorderHost} asked.host
 * @param {Cell[]} asked.cells
 * @param {string} asked.runsPath
 * @param {PreparedCorpus[]} asked.corpora
 * @param {Record<string, string>} asked.packages
 * @param {ResolvedVariant} asked.variant
 * @param {Runtime[]} asked.runtimes
 * @param {ProfileOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function recordCells(
  { family, recorders, host, cells, runsPath, corpora, packages, variant, runtimes },
  options,
  io,
) {
  const { describeProfile } = await import('../../../reports/content/profile.js');
  const { renderTerminal } = await import('../../../reports/document/terminal.js');
  const { compareHostCounters, readHostCounters, watchProcessor } =
    await import('../../host/counters.js');
  const { identifyEnvironment } = await import('../../host/environment.js');
  const { planProfileJobs } = await import('../../profiling/plan-profiles.js');
  const { makeProgressPrinter } = await import('../progress.js');
  const { writeProfileText } = await import('../../run/store.js');
  const { execute } = await import('../../run/execute.js');
  const { openLocalExecutor } = await import('../../run/executors/local.js');
  const { openJobRunner } = await import('../../run/jobs.js');
  const { openProfilePass } = await import('../../run/passes/profiles.js');
  const { chooseSettings } = await import('../../run/run.js');
  const { noteDisturbances } = await import('../../stats/host/host.js');
  const { meanOf } = await import('../../stats/means.js');
  const { lackedBy } = await import('../../stats/plan.js');
  const { createStudyDirectory } = await import('../../studies/study.js');
  const { formatFinding, profileFinding } = await import('../publish.js');

  const path = createStudyDirectory(runsPath, `profile-${variant.spec}`);
  /** @type {ProfileObservation[]} */
  const observations = [];
  const asked = { family: family.name, cells, nodeFlags: options.nodeFlag ?? [] };
  // Recording asks for no more of a question.
  const question = /** @type {Question} */ (asked);
  const names = recorders.map(({ name }) => name);
  const variants = { baseline: variant, candidates: [variant], reference: variant };
  const planned = planProfileJobs({
    cells: [],
    allCells: cells,
    recorders,
    asked: names,
    lacks: (cell) => lackedBy({ variants, runtimes }, cell),
  }).filter(({ arm, process: number }) => arm === 'baseline' && number === 0);
  const unfit = names.filter((name) => planned.every(({ recorder }) => recorder !== name));
  if (unfit.length > 0) {
    writeNote(io.stderr, `${variant.runtime} cannot be recorded by ${listWords(unfit)}`);
  }
  const { signal } = io;
  const settings = { ...chooseSettings(family, null), warmUpMs: family.settings?.warmUpMs ?? 0 };
  const measured = { question, settings, variants, corpora, packages, runtimes };
  const { sandbox = null } = host;
  const { environment, runJob } = io;
  const session = { environment, signal, sandbox, ...omitUndefined({ runJob }) };
  const setting = {
    manifest: { ...measured, expectedDigests: {} },
    familyPath: family.path,
    ...{ path, recorders, host, signal },
  };
  const found = identifyEnvironment({ variables: environment });
  const sharesDisturbed = [watchProcessor(WATCH_MS).disturbedShare];
  const countersBefore = readHostCounters();
  await execute(openProfilePass(planned, setting), {
    executor: openLocalExecutor(openJobRunner(question.nodeFlags, session, runtimes)),
    onProgress: makeProgressPrinter(io, options.quiet),
    observations,
    signal,
  });
  const noise = compareHostCounters(countersBefore, readHostCounters());
  sharesDisturbed.push(watchProcessor(WATCH_MS).disturbedShare);
  const disturbances = noteDisturbances(found, noise, meanOf(sharesDisturbed));
  /** @type {import("../../../reports/content/profile.js").RecordedJob[]} */
  const recorded = [];
  for (const observation of observations) {
    const cell = cells.find(({ id }) => id === observation.cellId);
    if (cell === undefined) throw new Error(`no cell '${observation.cellId}'`);
    const loop = variant.program?.loop ?? null;
    const of = { cell, loop };
    recorded.push({ observation, ...(await summarize(path, observation, of)) });
  }
  const profiled = { spec: variant.spec, recorded, disturbances };
  const kept = describeProfile({ ...profiled, path: basename(path) });
  writeProfileText(path, renderTerminal(kept, KEPT_FORM));
  const finding = await profileFinding(path, profiled, io);
  io.stdout.write(await formatFinding(finding, options.format, io));
  if (io.signal.aborted) return EXIT.interrupted;
  return observations.some(({ outcome }) => outcome === 'failed') ? EXIT.failed : EXIT.done;
}

/**
 * @param {VariantSpec} spec
 * @param {FoundFamily} family
 * @param {ProfileOptions} options
 * @param {ReturnType<typeof import('../../variants/families.js').openContext>} context
 * @returns {Promise<Cell[]>} by default of the first operation of the variant, and its first corpus
 */
async function chooseCells(spec, family, options, context) {
  const { chooseOperations, makeCells } = await import('../../run/question.js');
  const operations = await chooseOperations([spec], family, options.op);
  const chosen = options.op === undefined ? operations.slice(0, 1) : operations;
  const cells = await makeCells(family, { ...options, op: chosen }, context);
  if (options.corpus !== undefined) return cells;
  const firsts = new Map([...cells].reverse().map((cell) => [cell.operation, cell]));
  return cells.filter((cell) => firsts.get(cell.operation) === cell);
}

/**
 * @param {FoundFamily} family
 * @param {ProfileOptions} options
 * @param {import('../../formats/types.ts').RecorderHost} host
 * @returns {Promise<Recorder[]>}
 * @throws {import('../../lib/errors.js').UsageError} when one that is named cannot record the family
 * @throws {MachineError} when one that is named, or each of the default ones, does not work here
 */
async function chooseProfileRecorders(family, options, host) {
  const { chooseRecorders } = await import('../../profiling/recorder-registry.js');
  const { hasProgram } = await import('../../variants/build-family.js');
  const isProgram = await hasProgram(family);
  const named = options.with;
  const common = { family: family.name, sandbox: options.sandbox === true };
  if (named !== undefined && named.length > 0) {
    const question = { ...common, explain: /** @type {const} */ ('none'), recorders: named };
    return (await chooseRecorders(question, host, isProgram)).recorders;
  }
  const question = { ...common, explain: /** @type {const} */ ('all'), recorders: [] };
  const { recorders, states } = await chooseRecorders(question, host, isProgram);
  const found = recorders.filter(({ name }) => DEFAULT_RECORDERS.includes(name));
  if (found.length > 0) return found;
  const state = states.find(({ name }) => DEFAULT_RECORDERS.includes(name));
  throw new MachineError(`nothing can record ${family.name} here: ${state?.detail}`, {
    remedy: state?.install == null ? NO_DEFAULT : `install it with: ${state.install}`,
  });
}

/**
 * @param {string} path
 * @param {ProfileObservation} observation
 * @param {Parameters<typeof import('../../profiling/evidence.js').readProfile>[2]} measured
 */
async function summarize(path, observation, measured) {
  const { sumByFunction } = await import('../../profiling/profiles/transforms.js');
  const { hasStacks, readProfile } = await import('../../profiling/evidence.js');
  const isReadable = observation.outcome === 'done' && hasStacks(observation.artefacts[0] ?? '');
  if (!isReadable) return { profile: null, functions: [] };
  const done = /** @type {ProfileObservationDone} */ (observation);
  const { collapsed } = readProfile(path, done, measured);
  return { profile: collapsed, functions: [...sumByFunction(collapsed).values()] };
}
