import { countOf } from '../lib/numbers.js';
import { readEvidence } from './evidence.js';
import { explainCells } from './explain/explain-cell.js';
import { sumWeights } from './explain/functions.js';
import { chooseCellsToExplain, countUnexplained } from './plan-profiles.js';
import { differentiate } from './profiles/call-tree.js';
import { meanProfile, scaleCollector, scaleProfile } from './profiles/transforms.js';
import { compareLines } from './source-lines.js';

/** @import { CellProfiles, Profile, ProfileView } from '../formats/profile-types.ts' */
/** @import { CellComparison, Explanation, StoredRun } from '../formats/types.ts' */
/** @import { ComparedArm } from './explain/types.ts' */
/** @import { Read } from './evidence.js' */

/**
 * Explains why the cells of a run differ, from the artefacts in its directory.
 *
 * @param {StoredRun} run
 * @param {{ cells: CellComparison[], firstNumber: number }} comparison
 * @returns {{ explanation: Explanation, profiles: CellProfiles[] }}
 */
export function explainRun(run, { cells, firstNumber }) {
  const { manifest, profileObservations } = run;
  const recorded = new Set(profileObservations.map(({ cellId }) => cellId));
  const order = chooseCellsToExplain(manifest.question, cells).map(({ id }) => id);
  const comparisons = cells
    .filter(({ cell }) => recorded.has(cell.id))
    .sort((a, b) => placeOf(a, order) - placeOf(b, order));
  const read = comparisons.map((comparison) => {
    const { evidence, reads } = readEvidence(run, comparison, order.includes(comparison.cell.id));
    const views = viewProfiles(reads, comparison);
    return { evidence, profiles: { cellId: comparison.cell.id, views } };
  });
  const explanation = explainCells(
    read.map(({ evidence }) => evidence),
    firstNumber,
  );
  const leftOut = countUnexplained(manifest.question, cells, recorded);
  if (leftOut > 0) {
    explanation.warnings.push({
      number: firstNumber + explanation.warnings.length,
      kind: 'not-explained',
      text: `${countOf(leftOut, 'more cell differs', 'more cells differ')}, by less, and ${leftOut === 1 ? 'was' : 'were'} not profiled. Profile all cells with --explain all.`,
    });
  }
  return {
    explanation,
    profiles: read.map(({ profiles }) => profiles).filter(({ views }) => views.length > 0),
  };
}

/** @param {CellComparison} comparison @param {string[]} order */
function placeOf({ cell }, order) {
  const place = order.indexOf(cell.id);
  return place === -1 ? order.length : place;
}

/** @type {readonly Profile['source'][]} */
const SOURCES = ['perf', 'v8-cpu-profile', 'v8-heap-profile'];

/**
 * Data of the figures in a report: both arms of each source on one call tree, scaled to the timed means.
 *
 * @param {Read[]} reads of one cell
 * @param {CellComparison} comparison
 * @returns {ProfileView[]}
 */
function viewProfiles(reads, comparison) {
  return SOURCES.flatMap((source) => {
    const baseline = meanOf(reads, source, 'baseline', comparison);
    const candidate = meanOf(reads, source, 'candidate', comparison);
    if (baseline === null || candidate === null) return [];
    return [
      {
        source,
        differential: differentiate(baseline.profile, candidate.profile),
        lines: compareLines(baseline.profile, candidate.profile),
        samples: { baseline: baseline.profile.samples, candidate: candidate.profile.samples },
        processes: { baseline: baseline.processes, candidate: candidate.processes },
      },
    ];
  });
}

/**
 * Mean of the processes of an arm, each scaled to the timed mean as in the explanation.
 *
 * @param {Read[]} reads
 * @param {Profile['source']} source
 * @param {ComparedArm} arm
 * @param {CellComparison} comparison
 * @returns {{ profile: Profile, processes: number } | null}
 */
function meanOf(reads, source, arm, { baselineNs, candidateNs, gcShare }) {
  const profiles = reads.flatMap(({ observation, profile }) =>
    observation.arm === arm && profile?.whole.source === source && sumWeights(profile.whole) > 0
      ? [profile.whole]
      : [],
  );
  if (profiles.length === 0) return null;
  const processes = profiles.length;
  if (source === 'v8-heap-profile') return { profile: meanProfile(profiles), processes };
  const levelNs = arm === 'baseline' ? baselineNs : candidateNs;
  const scaled = scaleCollector(profiles, gcShare[arm]).map((profile) =>
    levelNs === null ? profile : scaleProfile(profile, levelNs / sumWeights(profile)),
  );
  return { profile: meanProfile(scaled), processes };
}
