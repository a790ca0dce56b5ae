import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { countOf } from '../lib/numbers.js';
import { findFamilyFolders } from '../lib/places.js';
import { armsOf } from '../stats/plan.js';
import { digestFamily, digestProgram } from '../variants/build-family.js';
import { digestFile } from '../variants/cache.js';
import { readEvidence } from './evidence.js';
import { explainCells } from './explain/explain-cell.js';
import { sumWeights } from './explain/functions.js';
import { forBothArms } from './explain/samples.js';
import { chooseCellsToExplain, countUnexplained } from './plan-profiles.js';
import { differentiate } from './profiles/call-tree.js';
import { meanProfile, scaleCollector, scaleProfile } from './profiles/transforms.js';
import { compareLines, findSources } from './source-lines.js';

/** @import { CellProfiles, Profile, ProfileView } from '../formats/profile-types.ts' */
/** @import { CellComparison, Explanation, LoadedFile, Manifest, StoredRun } from '../formats/types.ts' */
/** @import { ComparedArm } from './explain/types.ts' */
/** @import { Read } from './evidence.js' */
/** @import { SourceRoots } from './source-lines.js' */

/**
 * Explains why the cells of a run differ, from the artefacts in its directory.
 *
 * @param {StoredRun} run
 * @param {{ cells: CellComparison[], firstNumber: number }} comparison
 * @param {FamilySources} sources
 * @returns {{ explanation: Explanation, profiles: CellProfiles[] }}
 */
export function explainRun(run, { cells, firstNumber }, { familyPath, isSourceSame }) {
  const { manifest, profileObservations } = run;
  const recorded = new Set(profileObservations.map(({ cellId }) => cellId));
  const order = chooseCellsToExplain(manifest.question, cells).map(({ id }) => id);
  const comparisons = cells
    .filter(({ cell }) => recorded.has(cell.id))
    .sort((a, b) => placeOf(a, order) - placeOf(b, order));
  const read = comparisons.map((comparison) => {
    const { evidence, reads } = readEvidence(run, comparison, order.includes(comparison.cell.id));
    const variants = armsOf(manifest, comparison.cell);
    const roots = forBothArms((arm) =>
      isSourceSame ? findSources(variants[arm], familyPath) : null,
    );
    const views = viewProfiles(reads, comparison, roots);
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

/**
 * @typedef {object} FamilySources
 * @property {string | null} familyPath absolute; null if there is no such family here
 * @property {boolean} isSourceSame whether its sources here are those that were measured
 */

/** @param {{ manifest: Pick<Manifest, 'question' | 'variants'>, loadedFiles: LoadedFile[] }} run @returns {Promise<FamilySources>} */
export async function findFamilySources({ manifest: { question, variants }, loadedFiles }) {
  const measured = [variants.baseline, ...variants.candidates];
  const builtIn = measured.filter(({ kind }) => kind === 'built-in');
  // The manifest is untrusted: the family must be known before it becomes part of a path.
  const found = (await findFamilyFolders()).find(({ name }) => name === question.family);
  if (found === undefined) {
    return { familyPath: null, isSourceSame: builtIn.length === 0 };
  }
  const { path } = found;
  if (builtIn.length === 0) return { familyPath: path, isSourceSame: true };
  const digest = await digestFamily(path);
  const isSourceSame = builtIn.every(({ spec, program, ...variant }) =>
    program === undefined
      ? isUnchanged(loadedFiles, spec, path)
      : variant.digest === digestProgram(digest, variant.settings),
  );
  return { familyPath: path, isSourceSame };
}

/** @type {(files: LoadedFile[], spec: string, familyPath: string) => boolean} whether all files of the family that a variant loaded are here as they were */
function isUnchanged(files, spec, familyPath) {
  const own = files.filter(
    (file) => file.spec === spec && file.name.startsWith(`${basename(familyPath)}/`),
  );
  return (
    own.length > 0 &&
    own.every(({ name, digest }) => {
      const file = join(dirname(familyPath), name);
      return existsSync(file) && digestFile(file) === digest;
    })
  );
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
 * @param {SourceRoots} roots
 * @returns {ProfileView[]}
 */
function viewProfiles(reads, comparison, roots) {
  return SOURCES.flatMap((source) => {
    const baseline = meanOf(reads, source, 'baseline', comparison);
    const candidate = meanOf(reads, source, 'candidate', comparison);
    if (baseline === null || candidate === null) return [];
    return [
      {
        source,
        differential: differentiate(baseline.profile, candidate.profile),
        lines: compareLines(baseline.profile, candidate.profile, roots),
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
