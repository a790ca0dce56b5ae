import { basename, join } from 'node:path';
import { AssayError } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { forEachSide } from './explain/samples.js';
import { shortenFile } from './profiles/frames.js';
import { scaleCollector } from './profiles/transforms.js';
import { hasStacks, readDeoptLog, readProfile } from './read-profiles.js';

/** @import { CellEvidence, Side } from './explain/types.ts' */
/** @import { Profile } from '../formats/profile-types.ts' */
/** @import { CellComparison, DeoptLog, ProfileObservation, ProfileObservationDone, RecordedFigures, ResolvedVariant } from '../formats/types.ts' */
/** @import { StoredRun } from '../run/store.js' */

/**
 * What was read of one job.
 *
 * @typedef {object} Read
 * @property {ProfileObservationDone} observation
 * @property {{ whole: Profile, collapsed: Profile } | null} profile
 */

/**
 * Reads what recorders left of a cell. What is missing or broken counts as a failure of its recorder.
 *
 * @param {Pick<StoredRun, 'manifest' | 'path' | 'profileObservations'>} run
 * @param {CellComparison} comparison
 * @param {boolean} isExplained whether the recorders that explain a cell were to record it
 * @returns {{ evidence: CellEvidence, reads: Read[] }}
 */
export function readEvidence(run, comparison, isExplained) {
  const { manifest, path } = run;
  const { question, variants } = manifest;
  const renameFile = makeFileMatcher(variants, PROJECT.projectPath);
  const familyPath = join(PROJECT.experimentsPath, question.family);
  const ofCell = listLast(run.profileObservations).filter(
    ({ cellId }) => cellId === comparison.cell.id,
  );
  /** @type {Read[]} */
  const reads = [];
  /** @type {CellEvidence['failures']} */
  const failures = [];
  /** @type {CellEvidence['deopts']} */
  const deopts = { baseline: null, candidate: null };
  for (const observation of ofCell) {
    const { recorder, arm } = observation;
    if (observation.outcome === 'failed') {
      failures.push({ recorder, arm, detail: observation.detail });
      continue;
    }
    try {
      const isProfile = hasStacks(observation.artefacts[0] ?? '');
      const loop = variants[arm].program?.loop ?? null;
      const measured = { familyPath, cell: comparison.cell, loop };
      const profile = isProfile ? readProfile(path, observation, measured) : null;
      const isRenamed = arm === 'candidate' && profile !== null;
      reads.push({ observation, profile: isRenamed ? renameBoth(profile, renameFile) : profile });
      if (recorder !== 'deopts') continue;
      const log = readDeoptLog(path, observation);
      deopts[arm] = arm === 'candidate' ? renameLog(log, renameFile) : log;
    } catch (error) {
      if (!(error instanceof AssayError)) throw error;
      failures.push({ recorder, arm, detail: error.message });
    }
  }
  const timedNs = { baseline: comparison.baselineNs, candidate: comparison.candidateNs };
  return {
    evidence: {
      cell: comparison,
      isProfiled: isExplained || reads.some(({ profile }) => profile !== null),
      loop: variants.baseline.program?.loop ?? null,
      timedNs,
      stacks: {
        perf: stacksOf(reads, 'perf', comparison),
        'v8-cpu-profile': stacksOf(reads, 'v8-cpu-profile', comparison),
      },
      allocations: collapsedOf(reads, 'v8-heap-profile'),
      collections: forEachSide((side) => listWindows(reads, side)),
      deopts,
      values: forEachSide((side) => listFigures(reads, side, 'values')[0]?.values ?? null),
      figures: {
        instructions: forEachSide((side) => listFigures(reads, side, 'instructions')[0] ?? null),
        wholeProcess: forEachSide((side) => mergeTimes(listFigures(reads, side, 'whole-process'))),
      },
      artefacts: ofCell.flatMap(listArtefacts),
      missing: manifest.recorders
        .filter(({ available }) => !available)
        .map(({ name, detail, install }) => ({
          recorder: name,
          reason: install === null ? detail : `${detail}; install it with ${install}`,
        })),
      failures,
    },
    reads,
  };
}

/**
 * @param {NonNullable<Read['profile']>} profile
 * @param {RenameFile} renameFile
 */
function renameBoth({ whole, collapsed }, renameFile) {
  return {
    whole: renameProfile(whole, renameFile),
    collapsed: renameProfile(collapsed, renameFile),
  };
}

/**
 * @param {ProfileObservation[]} observations
 * @returns {ProfileObservation[]} the last of each job: what failed may have been tried again
 */
function listLast(observations) {
  return [...new Map(observations.map((observation) => [observation.id, observation])).values()];
}

/**
 * @param {Read[]} reads
 * @param {Profile['source']} source
 * @returns {Record<Side, Profile[]>}
 */
function collapsedOf(reads, source) {
  return forEachSide((side) =>
    reads.flatMap(({ observation, profile }) =>
      observation.arm === side && profile?.collapsed.source === source ? [profile.collapsed] : [],
    ),
  );
}

/**
 * Stacks in time, in which collections take the share that they took of the timed jobs.
 *
 * @param {Read[]} reads
 * @param {Profile['source']} source
 * @param {CellComparison} comparison
 * @returns {Record<Side, Profile[]>}
 */
function stacksOf(reads, source, { gcShare }) {
  const collapsed = collapsedOf(reads, source);
  return forEachSide((side) => scaleCollector(collapsed[side], gcShare[side]));
}

/**
 * Where collections were counted: beside V8's sampling profile, which allocates next to nothing.
 *
 * @param {Read[]} reads
 * @param {Side} side
 * @returns {CellEvidence['collections'][Side]}
 */
function listWindows(reads, side) {
  return reads.flatMap(({ observation: { arm, exercise }, profile }) =>
    arm === side && exercise !== null && profile?.whole.source === 'v8-cpu-profile'
      ? [exercise]
      : [],
  );
}

/**
 * @template {RecordedFigures['kind']} Kind
 * @param {Read[]} reads
 * @param {Side} side
 * @param {Kind} kind
 * @returns {Extract<RecordedFigures, { kind: Kind }>[]} one a job
 */
function listFigures(reads, side, kind) {
  const found = reads.flatMap(({ observation: { arm, figures } }) =>
    arm === side && figures?.kind === kind ? [figures] : [],
  );
  return /** @type {Extract<RecordedFigures, { kind: Kind }>[]} */ (found);
}

/**
 * @param {Extract<RecordedFigures, { kind: 'whole-process' }>[]} rounds
 * @returns {CellEvidence['figures']['wholeProcess'][Side]} all processes together
 */
function mergeTimes(rounds) {
  const timesMs = rounds.flatMap((round) => round.timesMs);
  if (timesMs.length === 0) return null;
  const meanMs = timesMs.reduce((sum, ms) => sum + ms, 0) / timesMs.length;
  const squares = timesMs.reduce((sum, ms) => sum + (ms - meanMs) ** 2, 0);
  const standardDeviationMs = Math.sqrt(squares / Math.max(1, timesMs.length - 1));
  return { kind: 'whole-process', meanMs, standardDeviationMs, timesMs };
}

/**
 * @param {ProfileObservation} observation
 * @returns {CellEvidence['artefacts']}
 */
function listArtefacts(observation) {
  if (observation.outcome === 'failed') return [];
  const { recorder, arm, artefacts } = observation;
  return artefacts.map((path) => ({ recorder, arm, path }));
}

/** @typedef {Pick<ResolvedVariant, 'kind' | 'spec' | 'source' | 'modulePath'>} Located */
/** @typedef {(file: string | null) => string | null} RenameFile */

/**
 * Two checkouts of one package, or a checkout and a published version, lie in directories of
 * different names, and yet their files are the same: they are to be called as the baseline's are.
 *
 * @param {Record<'baseline' | 'candidate', Located>} variants
 * @param {string} projectPath absolute
 * @returns {RenameFile} for files of the candidate, as shortened in frames
 */
export function makeFileMatcher({ baseline, candidate }, projectPath) {
  const wanted = findPrefix(baseline, projectPath);
  const found = findPrefix(candidate, projectPath);
  const isCheckout = baseline.kind === 'path' || candidate.kind === 'path';
  if (wanted === null || found === null || !isCheckout) return (file) => file;
  return function renameFile(file) {
    return file?.startsWith(found) === true ? `${wanted}${file.slice(found.length)}` : file;
  };
}

/**
 * @param {Located} variant
 * @param {string} projectPath
 * @returns {string | null} what the short names of a package's files begin with; null for what is no
 *   package
 */
function findPrefix({ kind, spec, source, modulePath }, projectPath) {
  if (kind === 'npm') return `${spec.slice('npm:'.length, spec.lastIndexOf('@'))}/`;
  if (kind !== 'path' || source === modulePath) return null;
  const shortened = shortenFile(join(source, 'x'), projectPath) ?? '';
  return shortened.startsWith('…') ? `…/${basename(source)}/` : shortened.slice(0, -'x'.length);
}

/**
 * @param {Profile} profile
 * @param {RenameFile} renameFile
 * @returns {Profile}
 */
function renameProfile(profile, renameFile) {
  const frames = profile.frames.map((frame) => ({ ...frame, file: renameFile(frame.file) }));
  return { ...profile, frames };
}

/**
 * @param {DeoptLog} log
 * @param {RenameFile} renameFile
 * @returns {DeoptLog}
 */
export function renameLog({ functions }, renameFile) {
  return {
    functions: functions.map((entry) => ({
      ...entry,
      file: renameFile(entry.file) ?? entry.file,
      deopts: entry.deopts.map((deopt) => ({ ...deopt, file: renameFile(deopt.file) })),
    })),
  };
}
