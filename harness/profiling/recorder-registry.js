import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MachineError, UsageError } from '../lib/errors.js';
import { PROGRAM } from '../lib/program.js';
import { PROJECT } from '../lib/project.js';
import { didYouMean } from '../lib/words.js';

/** @import { Io } from '../lib/io.ts' */
/** @import { Probe, Question, Recorder, RecorderHost, RecorderState } from '../formats/types.ts' */

/** @type {(io: Pick<Io, 'environment'>) => RecorderHost} */
export function openRecorderHost({ environment }) {
  return { environment, toolsPath: PROJECT.toolsPath };
}

/**
 * Selects the recorders of a run: those of `listWantedRecorders` that work here.
 *
 * @param {WantingQuestion} question
 * @param {RecorderHost} host
 * @param {boolean} hasProgram
 * @returns {Promise<{ recorders: Recorder[], states: RecorderState[] }>} the available recorders, and
 *   the state of every selected one
 * @throws {UsageError} as `listWantedRecorders`
 * @throws {MachineError} when a recorder requested by name is not available
 */
export async function chooseRecorders(question, host, hasProgram) {
  const found = await findRecorders(question, host, hasProgram);
  const missing = found.states.find(
    ({ name, available }) => !available && question.recorders.includes(name),
  );
  if (missing !== undefined) refuseMissing(missing);
  return found;
}

/**
 * Finds out which of the wanted recorders work here.
 *
 * @type {(...args: Parameters<typeof chooseRecorders>) => ReturnType<typeof chooseRecorders>}
 * @throws {UsageError} as `listWantedRecorders`
 */
export async function findRecorders(question, host, hasProgram) {
  const wanted = await listWantedRecorders(question, hasProgram);
  const { sandbox = false } = question;
  const states = await Promise.all(
    wanted.map(async (recorder) =>
      makeState(
        recorder,
        (sandbox ? probeInSandbox(recorder) : null) ?? (await recorder.probe(host)),
      ),
    ),
  );
  return { recorders: selectRecorders(wanted, states), states };
}

/** @typedef {Pick<Question, 'explain' | 'family' | 'recorders' | 'sandbox'>} WantingQuestion */

/**
 * Lists the default recorders, if the run is explained, and those requested by name, whether they work here or not.
 *
 * @param {WantingQuestion} question
 * @param {boolean} hasProgram whether the family is measured by its own program, which recorders of
 *   scope `node` cannot observe
 * @returns {Promise<Recorder[]>}
 * @throws {UsageError} for an unknown name, or a recorder whose scope does not fit the family
 */
export async function listWantedRecorders({ explain, family, recorders: asked }, hasProgram) {
  if (explain === 'none' && asked.length === 0) return [];
  const all = await listRecorders();
  const fitting = all.filter(({ scope }) => scope === 'process' || !hasProgram);
  for (const name of asked) {
    const recorder = requireName(name, all);
    if (!fitting.includes(recorder)) refuseScope(recorder, family, fitting);
  }
  return fitting.filter(
    ({ name, processes }) => asked.includes(name) || (explain !== 'none' && processes > 0),
  );
}

/** @type {(wanted: Recorder[], states: RecorderState[]) => Recorder[]} those that are available */
export function selectRecorders(wanted, states) {
  const works = new Set(states.filter(({ available }) => available).map(({ name }) => name));
  return wanted.filter(({ name }) => works.has(name));
}

/**
 * @param {Recorder} recorder
 * @returns {Probe | null} null if the recorder can observe a sandboxed worker
 */
function probeInSandbox({ unfitForSandbox: why }) {
  if (why === undefined) return null;
  const reason = `it cannot observe a sandboxed worker, since ${why}`;
  return { available: false, reason, install: null };
}

/** @type {(state: RecorderState) => never} */
function refuseMissing({ name, detail, install }) {
  throw new MachineError(`recorder '${name}' is not available: ${detail}`, {
    ...(install === null ? {} : { remedy: `install it with: ${install}` }),
  });
}

/**
 * @param {string} name
 * @param {Recorder[]} all
 * @returns {Recorder}
 * @throws {UsageError} for an unknown name
 */
function requireName(name, all) {
  const found = all.find((recorder) => recorder.name === name);
  if (found !== undefined) return found;
  const names = all.map((recorder) => recorder.name);
  throw new UsageError(`no recorder '${name}'${didYouMean(name, names)}`, {
    remedy: `'${PROGRAM} doctor' lists them`,
  });
}

/** @type {(recorder: Recorder, family: string, fitting: Recorder[]) => never} */
function refuseScope({ name }, family, fitting) {
  throw new UsageError(
    `recorder '${name}' only supports the JavaScript worker, but ${family} is measured by its own program`,
    { remedy: `available for ${family}: ${fitting.map((recorder) => recorder.name).join(', ')}` },
  );
}

/** @type {(recorder: Recorder, probe: Probe) => RecorderState} */
function makeState({ name }, probe) {
  const { available } = probe;
  return probe.available
    ? { name, available, detail: probe.detail, install: null }
    : { name, available, detail: probe.reason, install: probe.install };
}

const folder = new URL('recorders/', import.meta.url);

/**
 * Loads every recorder in `recorders/`, available on this host or not.
 *
 * @returns {Promise<Recorder[]>} sorted by name
 */
export async function listRecorders() {
  const files = readdirSync(fileURLToPath(folder)).filter(
    (file) => file.endsWith('.js') && !file.endsWith('.test.js'),
  );
  /** @type {Recorder[]} */
  const recorders = [];
  // Sequential: concurrent imports confuse the module loader of jest.
  for (const file of files) {
    const { recorder } = await import(new URL(file, folder).href);
    recorders.push(recorder);
  }
  return recorders.sort((a, b) => (a.name < b.name ? -1 : 1));
}
