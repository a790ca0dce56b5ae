/** @import { Contrast } from '../contrast.js' */

/** @type {Contrast['half']} */
const HALF = ['candidate', 'candidate'];

/**
 * Each variant is compared with the fastest of the others. A cell is one variant; two halves of its own processes
 * stand for baseline and control.
 *
 * @type {Readonly<Contrast>}
 */
export const RANKING = {
  name: 'ranking',
  hasBaseline: false,
  role: 'variant',
  ratio: 'variant ÷ the fastest of the others',
  half: HALF,
  variantArms: ['candidate'],
  takesPlacements: false,
  takesResources: false,
  allowsForHosts: false,
  sharesSpeed: true,
  controlDiffers: 'Two halves of the processes of a variant differ',
  listVariants: ({ candidates }) => candidates,
  armsOf({ candidates }, { candidate = 0 }) {
    const own = candidates[candidate];
    return { baseline: own, candidate: own, control: own };
  },
  // The outer and the inner two jobs of a block have the same mean position in it.
  take({ candidate }, count) {
    const taken = candidate.slice(0, count);
    const isOuter = (/** @type {number} */ index) => (index + 1) % (2 * HALF.length) < HALF.length;
    return {
      baseline: taken.filter((_, index) => isOuter(index)),
      candidate: taken,
      control: taken.filter((_, index) => !isOuter(index)),
    };
  },
  nameArm: () => '',
};
