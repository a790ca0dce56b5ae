import { basename, join, resolve } from 'node:path';
import { formatProfile } from '../../../reports/support/terminal-profile.js';
import { chooseRecorders, openRecorderHost } from '../../profiling/recorders-found.js';
import { MachineError } from '../../lib/errors.js';
import { EXIT } from '../../lib/exit-status.js';
import { makeDirectory } from '../../lib/files.js';
import { nameMoment } from '../../run/run.js';
import { planProfileJobs } from '../../profiling/plan-profiles.js';
import { clearProgress, makeProgressPrinter } from '../../run/print-progress.js';
import { writeProfileText } from '../../run/store.js';
import { PROJECT } from '../../lib/project.js';
import { showPath, terminalOf } from '../publish.js';
import { quoteWords } from '../../lib/words.js';
import { hasStacks, readProfile } from '../../profiling/read-profiles.js';
import { sumByFunction } from '../../profiling/profiles/sum-by-function.js';
import { recordProfiles } from '../../run/record-profiles.js';
import { hasProgram } from '../../variants/build-family.js';
import { chooseFamily, listFamilies, openContext } from '../../variants/families.js';
import { findRuntimes } from '../../variants/node-runtime.js';
import { parseVariantSpec } from '../../variants/spec.js';
import { resolveVariant } from '../../variants/resolve.js';
import { openSandbox } from '../../run/sandbox/sandbox.js';
import { prepareAndTakeTurn } from '../../host/lock.js';
import { chooseOperations, makeCells, requireRevision } from '../../run/question/question.js';
import { parseList } from '../../run/question/parse-options.js';
import { prepareCorpora } from '../../run/prepare.js';

/** @import { Io } from '../cli.js' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { Cell, PreparedCorpus, ProfileObservation, ProfileObservationDone, Recorder, ResolvedVariant, Runtime, VariantSpec } from '../../formats/types.ts' */

/** Of the text that `just report` prints again. */
const KEPT_FORM = { width: 80, color: false };
/** Recorders of `just profile VARIANT` that names none; those that are missing are left out. */
const DEFAULT_RECORDERS = ['cpu-profile', 'perf'];
const NO_DEFAULT = "name another recorder with --with; 'just doctor' lists them";

/**
 * @typedef {object} ProfileOptions
 * @property {string} [op]
 * @property {string} [corpus]
 * @property {string} [with]
 * @property {string[]} [nodeFlag]
 * @property {string} [build]
 * @property {string} [family]
 * @property {string} [out]
 * @property {boolean} [wait]
 * @property {boolean} [sandbox]
 */

/**
 * `just profile VARIANT`: records one variant, compares nothing.
 *
 * @param {[string]} args
 * @param {ProfileOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 * @throws {MachineError} when a recorder that was asked for cannot work here, or nothing came of it
 */
export async function runCommand([text], options, io) {
  if (options.build !== undefined) requireRevision([text]);
  const families = await listFamilies(PROJECT.experimentsPath);
  const spec = parseVariantSpec(text);
  const family = chooseFamily([spec], families, options.family, io.workingPath);
  const sandbox = await openSandbox(options.sandbox, io.environment);
  const host = { ...openRecorderHost(io), sandbox };
  const recorders = await chooseProfileRecorders(family, options, host);
  const context = openContext({ families, family, build: options.build }, io);
  const cells = await chooseCells(spec, family, options, context);
  const runsPath =
    options.out === undefined ? PROJECT.runsPath : resolve(io.workingPath, options.out);
  const command = quoteWords(['just', 'profile', text]);
  const prepare = async () => {
    const { corpora } = await prepareCorpora({ cells, memory: 'none' });
    const variant = await resolveVariant(spec, context);
    return { corpora, variant, runtimes: await findRuntimes(cells, [variant], context) };
  };
  const asked = { family, recorders, host, cells, runsPath };
  const turn = { command, where: runsPath, waits: options.wait };
  return prepareAndTakeTurn(turn, io, prepare, (prepared) =>
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
 * @param {ResolvedVariant} asked.variant
 * @param {Runtime[]} asked.runtimes
 * @param {ProfileOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function recordCells(
  { family, recorders, host, cells, runsPath, corpora, variant, runtimes },
  options,
  io,
) {
  const path = makeOwnDirectory(variant.spec, runsPath);
  /** @type {ProfileObservation[]} */
  const observations = [];
  const question = { family: family.name, cells, nodeFlags: options.nodeFlag ?? [] };
  const names = recorders.map(({ name }) => name);
  const planned = planProfileJobs({ cells: [], allCells: cells, recorders, asked: names }).filter(
    ({ arm, process: number }) => arm === 'baseline' && number === 0,
  );
  const startMs = performance.now();
  await recordProfiles(planned, {
    path,
    manifest: {
      question,
      settings: { warmUpMs: family.settings?.warmUpMs ?? 0 },
      variants: { baseline: variant, candidate: variant },
      corpora,
      runtimes,
    },
    familyPath: family.path,
    recorders,
    host,
    observations,
    keep: () => {},
    onProgress: makeProgressPrinter(io.stderr, () => performance.now()),
    elapsedMs: () => performance.now() - startMs,
    signal: io.signal,
  });
  clearProgress(io.stderr);
  const recorded = observations.map((observation) => {
    const cell = cells.find(({ id }) => id === observation.cellId);
    if (cell === undefined) throw new Error(`no cell '${observation.cellId}'`);
    const loop = variant.program?.loop ?? null;
    const measured = { familyPath: family.path, cell, loop };
    return { observation, ...summarize(path, observation, measured) };
  });
  const profiled = { spec: variant.spec, recorded };
  writeProfileText(path, formatProfile({ ...profiled, path: basename(path) }, KEPT_FORM));
  const shownPath = showPath(path, io.workingPath);
  io.stdout.write(formatProfile({ ...profiled, path: shownPath }, terminalOf(io)));
  if (io.signal.aborted) return EXIT.interrupted;
  return observations.some(({ outcome }) => outcome === 'failed') ? EXIT.failed : EXIT.done;
}

/**
 * @param {VariantSpec} spec
 * @param {FoundFamily} family
 * @param {ProfileOptions} options
 * @param {ReturnType<typeof openContext>} context
 * @returns {Promise<Cell[]>} where no operation is named the first that the variant has, where no corpus
 *   is named the first of the operation
 */
async function chooseCells(spec, family, options, context) {
  const operations = await chooseOperations([spec], family, options.op);
  const chosen = options.op === undefined ? operations.slice(0, 1) : operations;
  const cells = await makeCells(family, { ...options, op: chosen.join(',') }, context);
  if (options.corpus !== undefined) return cells;
  const firsts = new Map([...cells].reverse().map((cell) => [cell.operation, cell]));
  return cells.filter((cell) => firsts.get(cell.operation) === cell);
}

/**
 * @param {FoundFamily} family
 * @param {ProfileOptions} options
 * @param {import('../../formats/types.ts').RecorderHost} host
 * @returns {Promise<Recorder[]>}
 * @throws {import('../../lib/errors.js').UsageError} when one that was named sees nothing of the family
 * @throws {MachineError} when one that was named, or each of those that would do, cannot work here
 */
async function chooseProfileRecorders(family, options, host) {
  const isProgram = await hasProgram(family);
  const named = parseList(options.with);
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
 * @param {string} spec
 * @param {string} runsPath
 * @returns {string} absolute path of a new directory
 */
function makeOwnDirectory(spec, runsPath) {
  const path = join(
    runsPath,
    `${nameMoment(new Date())}-profile-${spec.replaceAll(/[^\w@.-]+/g, '-')}`,
  );
  return makeDirectory(path, 'free some space or name another directory with --out');
}

/**
 * @param {string} path
 * @param {ProfileObservation} observation
 * @param {Parameters<typeof readProfile>[2]} measured
 */
function summarize(path, observation, measured) {
  const isReadable = observation.outcome === 'done' && hasStacks(observation.artefacts[0] ?? '');
  if (!isReadable) return { profile: null, functions: [] };
  const { collapsed } = readProfile(
    path,
    /** @type {ProfileObservationDone} */ (observation),
    measured,
  );
  return { profile: collapsed, functions: [...sumByFunction(collapsed).values()] };
}
