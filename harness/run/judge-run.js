import { concludeRun } from './conclude-run.js';

/** @import { CellProfiles } from '../../reports/types.ts' */
/** @import { Verdict } from '../formats/types.ts' */
/** @import { SessionFacts } from './conclude-run.js' */
/** @import { StoredRun } from './run-store.js' */

/**
 * @typedef {object} Judged
 * @property {Verdict} verdict
 * @property {CellProfiles[]} profiles of the cells that were profiled, for renderers
 */

/**
 * Judges a run by what lies in its directory: times, memory, profiles.
 *
 * @param {StoredRun} run
 * @param {SessionFacts} session
 * @returns {Promise<Judged>}
 */
export async function judgeRun(run, session) {
  const { manifest, profileObservations } = run;
  const common = { ...run, ...session };
  if (profileObservations.length === 0) return { verdict: concludeRun(common), profiles: [] };
  // Reading and comparing profiles is code that a run without any need not load.
  const { explainRun, hasSameSources } = await import('../profiling/explain-run.js');
  const isSourceSame = await hasSameSources(manifest);
  /** @type {CellProfiles[]} */
  let profiles = [];
  const verdict = concludeRun({
    ...common,
    explain(comparison) {
      const explained = explainRun(run, comparison, isSourceSame);
      profiles = explained.profiles;
      return explained.explanation;
    },
  });
  return { verdict, profiles };
}
