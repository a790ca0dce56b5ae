import { WARM } from './warm.js';

/** @import { Figure } from '../figure.js' */

/**
 * What an operation measures itself, such as CPU time of a server. With threads of its own it is
 * another figure on one core, unless the operation says that its jobs may share one.
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
