/** @import { Contrast } from '../contrast.js' */

/** Each candidate is compared with the baseline, and so is the control, which is the baseline again. @type {Readonly<Contrast>} */
export const BASELINE = {
  name: 'baseline',
  hasBaseline: true,
  role: 'candidate',
  ratio: 'candidate ÷ baseline',
  half: ['baseline', 'candidate', 'candidate', 'control'],
  variantArms: ['baseline', 'candidate'],
  takesPlacements: true,
  takesResources: true,
  allowsForHosts: true,
  sharesSpeed: false,
  controlDiffers: 'The control differs from the baseline although it is the same code',
  listVariants: ({ baseline, candidates }) => [baseline, ...candidates],
  armsOf: ({ baseline, candidates }, { candidate = 0 }) => ({
    baseline,
    candidate: candidates[candidate],
    control: baseline,
  }),
  // Half of the baseline's processes are the control.
  take: ({ baseline, candidate, control }, count) => ({
    baseline: baseline.slice(0, Math.ceil(count / 2)),
    candidate: candidate.slice(0, count),
    control: control.slice(0, Math.ceil(count / 2)),
  }),
  nameArm: (arm) => arm,
};
