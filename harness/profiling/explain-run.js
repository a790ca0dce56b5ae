import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, normalize, sep } from 'node:path';
import { countOf } from '../lib/numbers.js';
import { PROJECT } from '../lib/project.js';
import { loadFamilyWorker } from '../variants/build-family.js';
import { digestSources } from '../variants/cache.js';
import { readEvidence } from './evidence.js';
import { explainRun as explainCells } from './explain/explain-cell.js';
import { sumWeights } from './explain/functions.js';
import { chooseCellsToExplain, countUnexplained } from './plan-profiles.js';
import { differentiate } from './profiles/call-tree.js';
import { meanProfile, scaleCollector, scaleProfile } from './profiles/transforms.js';

/** @import { CellProfiles, ProfileView, SourceLine } from '../../reports/types.ts' */
/** @import { CellComparison, Explanation, Manifest } from '../formats/types.ts' */
/** @import { StoredRun } from '../run/store.js' */
/** @import { ComparedArm } from './explain/types.ts' */
/** @import { Profile } from '../formats/profile-types.ts' */
/** @import { Read } from './evidence.js' */

/**
 * Says why the cells of a run differ, by what recorders left in its directory.
 *
 * @param {StoredRun} run
 * @param {{ cells: CellComparison[], firstNumber: number }} comparison
 * @param {boolean} isSourceSame whether this checkout has the sources that were measured
 * @returns {{ explanation: Explanation, profiles: CellProfiles[] }}
 */
export function explainRun(run, { cells, firstNumber }, isSourceSame) {
  const { manifest, profileObservations } = run;
  const recorded = new Set(profileObservations.map(({ cellId }) => cellId));
  const order = chooseCellsToExplain(manifest.question, cells).map(({ id }) => id);
  const comparisons = cells
    .filter(({ cell }) => recorded.has(cell.id))
    .sort((a, b) => rankOf(a, order) - rankOf(b, order));
  const read = comparisons.map((comparison) => {
    const { evidence, reads } = readEvidence(run, comparison, order.includes(comparison.cell.id));
    const views = viewProfiles(reads, comparison, isSourceSame);
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
 * @param {Pick<Manifest, 'question' | 'variants'>} manifest
 * @returns {Promise<boolean>} whether the family in this checkout is the one that was measured
 */
export async function hasSameSources({ question, variants }) {
  const arms = [variants.baseline, variants.candidate];
  const builtIn = arms.filter(({ kind }) => kind === 'built-in');
  if (builtIn.length === 0) return true;
  const { experimentsPath } = PROJECT;
  // The run may be a stranger's: its family never makes a path but that of a folder that is listed.
  const families = existsSync(experimentsPath) ? readdirSync(experimentsPath) : [];
  if (!families.includes(question.family)) return false;
  const path = join(experimentsPath, question.family);
  const digest = digestSources(path, (await loadFamilyWorker({ path }))?.sources);
  return builtIn.every((variant) => variant.digest === digest);
}

/**
 * @param {CellComparison} comparison
 * @param {string[]} order
 */
function rankOf({ cell }, order) {
  const rank = order.indexOf(cell.id);
  return rank === -1 ? order.length : rank;
}

/** @type {readonly Profile['source'][]} */
const SOURCES = ['perf', 'v8-cpu-profile', 'v8-heap-profile'];
/** A report shows so many; the artefacts have all. */
const MOST_LINES = 40;
const NO_FRAME = Object.freeze({ file: null, name: '', line: null });

/** @type {Map<string, string[] | null>} what was read of this checkout, by path */
const sources = new Map();

/**
 * What reports draw: both arms of each source on one tree, times scaled to what was timed.
 *
 * @param {Read[]} reads of one cell
 * @param {CellComparison} comparison
 * @param {boolean} isSourceSame whether the sources of the family are those that were measured; else
 *   no lines are shown, as the text beside them would be that of others
 * @returns {ProfileView[]}
 */
function viewProfiles(reads, comparison, isSourceSame) {
  return SOURCES.flatMap((source) => {
    const baseline = meanOf(reads, source, 'baseline', comparison);
    const candidate = meanOf(reads, source, 'candidate', comparison);
    if (baseline === null || candidate === null) return [];
    return [
      {
        source,
        differential: differentiate(baseline.profile, candidate.profile),
        lines: isSourceSame ? compareLines(baseline.profile, candidate.profile) : [],
        samples: { baseline: baseline.profile.samples, candidate: candidate.profile.samples },
        processes: { baseline: baseline.processes, candidate: candidate.processes },
      },
    ];
  });
}

/**
 * The mean of an arm's processes, each scaled by itself to what was timed, as the explanation does.
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

/**
 * @param {Profile} baseline
 * @param {Profile} candidate
 * @returns {SourceLine[]} the heaviest first
 */
function compareLines(baseline, candidate) {
  /** @type {Map<string, SourceLine>} */
  const lines = new Map();
  for (const [arm, profile] of /** @type {const} */ ([
    ['baseline', baseline],
    ['candidate', candidate],
  ])) {
    for (const { frame, line, self } of profile.lines) {
      const { file, name, line: first } = profile.frames[frame] ?? NO_FRAME;
      if (file === null || first === null) continue;
      const source = readSource(file);
      // Of a package the arms may have two versions, whose lines are not the same.
      if (source === null) continue;
      // V8 books ticks of what it inlined on the function that it was inlined into, with line
      // numbers of the other file; those cannot be shown beside any text.
      if (!isInFunction(source, first, line)) continue;
      const key = `${file}:${line}`;
      let entry = lines.get(key);
      if (entry === undefined) {
        entry = { file, line, name, text: null, baseline: 0, candidate: 0 };
        lines.set(key, entry);
      }
      entry[arm] += self;
    }
  }
  const heaviest = [...lines.values()]
    .sort((a, b) => Math.max(b.baseline, b.candidate) - Math.max(a.baseline, a.candidate))
    .slice(0, MOST_LINES);
  return heaviest.map((entry) => ({
    ...entry,
    text: readSource(entry.file)?.[entry.line - 1] ?? null,
  }));
}

/**
 * @param {string[]} source lines
 * @param {number} first line of the function, from 1
 * @param {number} line from 1
 * @returns {boolean} whether the line is one of the function's, which ends, as sources are formatted,
 *   with the first closing brace that is indented as its first line is
 */
function isInFunction(source, first, line) {
  if (line < first) return false;
  const indent = /^\s*/.exec(source[first - 1] ?? '')?.[0] ?? '';
  for (let index = first; index < Math.min(line - 1, source.length); index++) {
    if (source[index].startsWith(`${indent}}`)) return false;
  }
  return true;
}

/**
 * @param {string} file as shortened in frames
 * @returns {string[] | null} its lines, where the file is one of this checkout's own
 */
function readSource(file) {
  const path = normalize(join(PROJECT.projectPath, file));
  if (!path.startsWith(PROJECT.projectPath + sep)) return null;
  const known = sources.get(path);
  if (known !== undefined) return known;
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const lines = isFile ? readFileSync(path, 'utf8').split('\n') : null;
  sources.set(path, lines);
  return lines;
}
