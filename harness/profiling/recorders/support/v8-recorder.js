/** @import { Probe, Recorder } from '../../../formats/types.ts' */

/** Warm-up until the optimising compiler has been at work, then a third of a second on record. */
export const DEFAULT_WORK = Object.freeze({ warmUpMs: 250, recordMs: 300 });

/**
 * The probe of what every node can do.
 *
 * @returns {Promise<Probe>}
 */
export async function probeV8() {
  return { available: true, detail: `part of V8 ${process.versions.v8}` };
}

/**
 * A recorder whose work an observer does inside the worker, which leaves one file.
 *
 * @param {Pick<Recorder, 'name' | 'summary' | 'processes'> & { ending: string }} description the
 *   observer has the recorder's name; `ending` of its file
 * @returns {Recorder}
 */
export function makeObservingRecorder({ name, summary, processes, ending }) {
  return {
    name,
    summary,
    processes,
    scope: 'node',
    probe: probeV8,
    async record({ exercise, artefactBase }) {
      const path = `${artefactBase}${ending}`;
      const done = await exercise({ work: DEFAULT_WORK, observer: name, observedPath: path });
      return { exercise: done, artefacts: [path] };
    },
  };
}
