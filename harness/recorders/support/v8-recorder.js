/** @import { Probe } from '../../types.ts' */

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
