import { NATIVES_FLAGS } from '../../worker/v8-natives.js';
import { probeV8 } from './support/recording.js';

/** @import { Recorder, ValueForms } from '../../formats/types.ts' */

/** Enough work for the representations of strings and objects to become stable. */
const PASSES = 20;

/** @type {Recorder} */
export const recorder = {
  name: 'values',
  summary: 'how V8 represents the documents: hidden classes, dictionaries, numbers, strings',
  processes: 1,
  scope: 'node',
  needs: ['v8-natives'],
  probe: probeV8,
  async record({ exercise }) {
    const done = await exercise({
      work: { passes: PASSES },
      observer: 'values',
      flags: [...NATIVES_FLAGS],
    });
    const values = /** @type {ValueForms | null} */ (done.observed);
    const recorded = { exercise: done, artefacts: [] };
    return values === null ? recorded : { ...recorded, figures: { kind: 'values', values } };
  },
};
