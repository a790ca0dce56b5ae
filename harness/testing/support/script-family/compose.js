import { endReport, isMeant, startJob } from '../program-family/program/misbehave.js';

/** A check calls once for each document; what is called this often is timed. */
const TIMED_CALLS = 300;

/**
 * A variant that misbehaves. Nothing in a variant's hands tells it which job it is in, so one that is
 * to fail when it is timed counts its calls, as optimised code that goes wrong would seem to.
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
  // The report is made when the work is done, and is the first that is written as text.
  const stringify = JSON.stringify;
  JSON.stringify = (report) => endReport(report, behaviour, stringify);
}
