import { WARM } from './warm.js';

/** @import { Figure } from '../figure.js' */

/**
 * A figure that the operation measures itself, such as the CPU time of a server. A program with several threads
 * gives another figure on a single core, unless the operation says that its jobs may share a core.
 * @type {(quantity: string, sharesCore: boolean) => Figure}
 */
export function ofOperation(quantity, sharesCore) {
  return {
    ...WARM,
    kind: 'own',
    quantity,
    canPair: sharesCore,
    hasUsualSpread: !sharesCore,
    isElapsedTime: !sharesCore,
    hasResources: true,
  };
}
