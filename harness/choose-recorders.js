import { didYouMean } from './did-you-mean.js';
import { MachineError, UsageError } from './errors.js';
import { listRecorders } from './list-recorders.js';
import { PROJECT } from './project.js';

/** @import { Io } from './cli.js' */
/** @import { Probe, Question, Recorder, RecorderHost, RecorderState } from './types.ts' */

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
 * @param {Pick<Question, 'explain' | 'recorders'>} question
 * @param {RecorderHost} host
 * @returns {Promise<{ recorders: Recorder[], states: RecorderState[] }>} those that can work here, and
 *   what all of them said
 * @throws {UsageError} when there is no recorder of a name
 * @throws {MachineError} when one that was asked for by name cannot work here
 */
export async function chooseRecorders({ explain, recorders: asked }, host) {
  if (explain === 'none' && asked.length === 0) return { recorders: [], states: [] };
  const all = await listRecorders();
  for (const name of asked) requireName(name, all);
  const wanted = all.filter(
    ({ name, processes }) => asked.includes(name) || (explain !== 'none' && processes > 0),
  );
  const probed = await Promise.all(
    wanted.map(async (recorder) => ({ recorder, probe: await recorder.probe(host) })),
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
 * @param {Probe} probe
 * @returns {RecorderState}
 */
function describeState({ name }, probe) {
  const { available } = probe;
  return probe.available
    ? { name, available, detail: probe.detail, install: null }
    : { name, available, detail: probe.reason, install: probe.install };
}
