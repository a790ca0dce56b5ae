import { isMeant, startJob } from './program/misbehave.js';

/** A check calls a variant once for each document; what is called this often is timed. */
const TIMED_CALLS = 300;

/**
 * Makes a variant misbehave in the JavaScript worker. A variant does not know which job it is in, so
 * one that fails only when it is timed counts its calls.
 *
 * @param {{ openReverser: () => (document: Uint8Array) => Uint8Array }} module
 * @param {Record<string, string>} settings
 */
export function composeVariant(module, settings) {
  const { behaviour = 'none', when = 'always' } = settings;
  return {
    ...module,
    /** @param {string} corpus */
    openReverser(corpus) {
      const reverse = module.openReverser();
      const lastGood = when === 'timed' || when === 'once' ? TIMED_CALLS : 0;
      let calls = 0;
      return (/** @type {Uint8Array} */ document) => {
        calls += 1;
        if (calls === lastGood + 1) misbehave(behaviour, { ...settings, when }, corpus);
        const reversed = reverse(document);
        if (behaviour === 'wrong-bytes' && calls > lastGood) reversed[0] ^= 1;
        return reversed;
      };
    },
  };
}

/**
 * @param {string} behaviour
 * @param {Record<string, string>} settings
 * @param {string} corpus
 */
function misbehave(behaviour, settings, corpus) {
  const isTimed = settings.when !== 'checked' && settings.when !== 'always';
  if (!isMeant(settings, { isTimed, corpus })) return;
  startJob(behaviour);
}
