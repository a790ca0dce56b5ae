import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MachineError, UsageError } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { didYouMean } from '../lib/words.js';

/** @import { Io } from '../cli/cli.js' */
/** @import { Probe, Question, Recorder, RecorderHost, RecorderState } from '../formats/types.ts' */

/**
 * @param {Pick<Io, 'environment'>} io
 * @returns {RecorderHost}
 */
export function openRecorderHost({ environment }) {
  return { environment, toolsPath: PROJECT.toolsPath };
}

/**
 * The recorders that a run wants: those of every second pass, and those asked for by name.
 *
 * @param {Pick<Question, 'explain' | 'family' | 'recorders' | 'sandbox'>} question
 * @param {RecorderHost} host
 * @param {boolean} hasProgram whether a program of the family's own measures, which recorders of the
 *   JavaScript worker see nothing of
 * @returns {Promise<{ recorders: Recorder[], states: RecorderState[] }>} those that can work here, and
 *   what all of them said
 * @throws {UsageError} when there is no recorder of a name, or it looks into the JavaScript worker alone
 * @throws {MachineError} when one that was asked for by name cannot work here
 */
export async function chooseRecorders(question, host, hasProgram) {
  const { explain, family, recorders: asked, sandbox = false } = question;
  if (explain === 'none' && asked.length === 0) return { recorders: [], states: [] };
  const all = await listRecorders();
  const fitting = all.filter(({ scope }) => scope === 'process' || !hasProgram);
  for (const name of asked) {
    const recorder = requireName(name, all);
    if (!fitting.includes(recorder)) refuseScope(recorder, family, fitting);
  }
  const wanted = fitting.filter(
    ({ name, processes }) => asked.includes(name) || (explain !== 'none' && processes > 0),
  );
  const probed = await Promise.all(
    wanted.map(async (recorder) => ({
      recorder,
      probe: (sandbox ? refuseUnfit(recorder) : null) ?? (await recorder.probe(host)),
    })),
  );
  for (const { recorder, probe } of probed) {
    if (asked.includes(recorder.name)) requireAvailable(recorder, probe);
  }
  return {
    recorders: probed.filter(({ probe }) => probe.available).map(({ recorder }) => recorder),
    states: probed.map(({ recorder, probe }) => describeState(recorder, probe)),
  };
}

/**
 * @param {Recorder} recorder
 * @returns {Probe | null} null for one that can record a worker in a sandbox
 */
function refuseUnfit({ unfitForSandbox: why }) {
  if (why === undefined) return null;
  return { available: false, reason: `not in a sandbox: ${why}`, install: null };
}

/**
 * @param {Recorder} recorder
 * @param {Probe} probe
 * @throws {MachineError} when the recorder cannot work here
 */
function requireAvailable({ name }, probe) {
  if (probe.available) return;
  throw new MachineError(`recorder '${name}' cannot work here: ${probe.reason}`, {
    ...(probe.install === null ? {} : { remedy: `install it with: ${probe.install}` }),
  });
}

/**
 * @param {string} name
 * @param {Recorder[]} all
 * @returns {Recorder}
 * @throws {UsageError} when there is none
 */
function requireName(name, all) {
  const found = all.find((recorder) => recorder.name === name);
  if (found !== undefined) return found;
  const names = all.map((recorder) => recorder.name);
  throw new UsageError(`no recorder '${name}'${didYouMean(name, names)}`, {
    remedy: "'just doctor' lists them",
  });
}

/**
 * @param {Recorder} recorder
 * @param {string} family
 * @param {Recorder[]} fitting
 * @returns {never}
 */
function refuseScope({ name }, family, fitting) {
  throw new UsageError(
    `recorder '${name}' looks into the JavaScript worker, and ${family} is measured by a program of its own`,
    { remedy: `there ${fitting.map((recorder) => recorder.name).join(', ')} can look on` },
  );
}

/**
 * @param {Recorder} recorder
 * @param {Probe} probe
 * @returns {RecorderState}
 */
function describeState({ name }, probe) {
  const { available } = probe;
  return probe.available
    ? { name, available, detail: probe.detail, install: null }
    : { name, available, detail: probe.reason, install: probe.install };
}

const folder = new URL('recorders/', import.meta.url);

/**
 * Every recorder that lies in `recorders/`, whether it can work here or not.
 *
 * @returns {Promise<Recorder[]>} by name
 */
export async function listRecorders() {
  const files = readdirSync(fileURLToPath(folder)).filter(
    (file) => file.endsWith('.js') && !file.endsWith('.test.js'),
  );
  /** @type {Recorder[]} */
  const recorders = [];
  // One after the other: several at once confuse the loader of the test runner.
  for (const file of files) {
    const { recorder } = await import(new URL(file, folder).href);
    recorders.push(recorder);
  }
  return recorders.sort((a, b) => (a.name < b.name ? -1 : 1));
}
