import { join } from 'node:path';
import { findProblem } from '../formats/schemas.js';
import { FormatError, messageOf } from '../lib/errors.js';
import { readJsonObject, readText } from '../lib/files.js';
import { PROJECT } from '../lib/project.js';
import { meanOf, sumOfSquares } from '../stats/means.js';
import { armsOf, jobCellId } from '../stats/plan.js';
import { forBothArms } from './explain/samples.js';
import { mergeRecorderStates } from './plan-profiles.js';
import { importSpeedscope } from './formats/speedscope.js';
import { importCpuProfile, importHeapProfile } from './formats/v8-profiles.js';
import { findRecordedAssay, matchLoopFrame } from './profiles/frames.js';
import {
  addWaiting,
  collapseNative,
  focusProfile,
  scaleCollector,
  scaleProfile,
} from './profiles/transforms.js';

/** @import { CellEvidence, ComparedArm } from './explain/types.ts' */
/** @import { Frame, Profile } from '../formats/profile-types.ts' */
/** @import { Cell, CellComparison, DeoptLog, ProfileObservation, ProfileObservationDone, RecordedFigures, StoredRun } from '../formats/types.ts' */

/**
 * Artefacts of one job.
 *
 * @typedef {object} Read
 * @property {ProfileObservationDone} observation
 * @property {{ whole: Profile, collapsed: Profile } | null} profile
 */

/**
 * Reads the artefacts of a cell. A missing or broken artefact counts as a failure of its recorder.
 *
 * @param {StoredRun} run
 * @param {CellComparison} comparison
 * @param {boolean} isExplained whether the cell was selected for explanation
 * @returns {{ evidence: CellEvidence, reads: Read[] }}
 */
export function readEvidence(run, comparison, isExplained) {
  const { manifest, path, hosts } = run;
  const variants = armsOf(manifest, comparison.cell);
  const ofCell = listLast(run.profileObservations).filter(
    ({ cellId, arm }) => cellId === jobCellId(comparison.cell, arm),
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
      const measured = { cell: comparison.cell, loop };
      const profile = isProfile
        ? addWaits(readProfile(path, observation, measured), comparison, arm)
        : null;
      reads.push({ observation, profile });
      if (recorder === 'deopts') deopts[arm] = readDeoptLog(path, observation);
    } catch (error) {
      failures.push({ recorder, arm, detail: messageOf(error) });
    }
  }
  const timedNs = { baseline: comparison.baselineNs, candidate: comparison.candidateNs };
  return {
    evidence: {
      cell: comparison,
      isProfiled: isExplained || reads.some(({ profile }) => profile !== null),
      loop: variants.baseline.program?.loop ?? null,
      packages: Object.keys(manifest.packages),
      timedNs,
      stacks: {
        perf: stacksOf(reads, 'perf', comparison),
        'v8-cpu-profile': stacksOf(reads, 'v8-cpu-profile', comparison),
      },
      allocations: collapsedOf(reads, 'v8-heap-profile'),
      collections: forBothArms((arm) => listWindows(reads, arm)),
      deopts,
      values: forBothArms((arm) => listFigures(reads, arm, 'values')[0]?.values ?? null),
      figures: {
        instructions: forBothArms((arm) => listFigures(reads, arm, 'instructions')[0] ?? null),
        wholeProcess: forBothArms((arm) => mergeTimes(listFigures(reads, arm, 'whole-process'))),
      },
      artefacts: ofCell.flatMap(listArtefacts),
      missing: (hosts === undefined ? manifest.recorders : mergeRecorderStates(hosts))
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

/** The rest is the work that was recorded. */
const MAX_WAITING_SHARE = 0.999;

/**
 * Profilers leave out the time in which the event loop waits, which is part of the figure: it has its share in the timed jobs.
 *
 * @param {NonNullable<Read['profile']>} profile
 * @param {Pick<CellComparison, 'resources'>} comparison
 * @param {ComparedArm} arm
 */
function addWaits({ whole, collapsed }, { resources = [] }, arm) {
  const [waitingNs, elapsedNs] = ['waiting', 'elapsed'].map(
    (wanted) => resources.find(({ name }) => name === wanted)?.values[arm] ?? null,
  );
  if (waitingNs === null || elapsedNs === null || whole.unit !== 'ns') return { whole, collapsed };
  const share = Math.min(MAX_WAITING_SHARE, waitingNs / elapsedNs);
  return { whole: addWaiting(whole, share), collapsed: addWaiting(collapsed, share) };
}

/**
 * @param {ProfileObservation[]} observations
 * @returns {ProfileObservation[]} the last of each job, since failed jobs may have been retried
 */
function listLast(observations) {
  return [...new Map(observations.map((observation) => [observation.id, observation])).values()];
}

/** @type {(reads: Read[], source: Profile['source']) => Record<ComparedArm, Profile[]>} */
function collapsedOf(reads, source) {
  return forBothArms((arm) =>
    reads.flatMap(({ observation, profile }) =>
      observation.arm === arm && profile?.collapsed.source === source ? [profile.collapsed] : [],
    ),
  );
}

/**
 * Time profiles in which collections have their share of the timed jobs.
 *
 * @param {Read[]} reads
 * @param {Profile['source']} source
 * @param {CellComparison} comparison
 * @returns {Record<ComparedArm, Profile[]>}
 */
function stacksOf(reads, source, { cell, gcShare }) {
  const collapsed = collapsedOf(reads, source);
  // The pauses of the timed jobs contain the time in which the other job had the core.
  if (cell.sharesCore === true) return collapsed;
  return forBothArms((arm) => scaleCollector(collapsed[arm], gcShare[arm]));
}

/**
 * Windows in which collections were counted: those of V8's CPU profiler, which allocates next to nothing.
 * @type {(reads: Read[], arm: ComparedArm) => CellEvidence['collections'][ComparedArm]}
 */
function listWindows(reads, arm) {
  return reads.flatMap(({ observation, profile }) =>
    observation.arm === arm &&
    observation.exercise !== null &&
    profile?.whole.source === 'v8-cpu-profile'
      ? [observation.exercise]
      : [],
  );
}

/**
 * @template {RecordedFigures['kind']} Kind
 * @param {Read[]} reads
 * @param {ComparedArm} arm
 * @param {Kind} kind
 * @returns {Extract<RecordedFigures, { kind: Kind }>[]} one per job
 */
function listFigures(reads, arm, kind) {
  const found = reads.flatMap(({ observation: { arm: recorded, figures } }) =>
    recorded === arm && figures?.kind === kind ? [figures] : [],
  );
  return /** @type {Extract<RecordedFigures, { kind: Kind }>[]} */ (found);
}

/**
 * @param {Extract<RecordedFigures, { kind: 'whole-process' }>[]} rounds
 * @returns {CellEvidence['figures']['wholeProcess'][ComparedArm]} all processes together
 */
function mergeTimes(rounds) {
  const timesMs = rounds.flatMap((round) => round.timesMs);
  if (timesMs.length === 0) return null;
  const variance = sumOfSquares(timesMs) / Math.max(1, timesMs.length - 1);
  const standardDeviationMs = Math.sqrt(variance);
  return { kind: 'whole-process', meanMs: meanOf(timesMs), standardDeviationMs, timesMs };
}

/** @type {(observation: ProfileObservation) => CellEvidence['artefacts']} */
function listArtefacts(observation) {
  if (observation.outcome === 'failed') return [];
  const { recorder, arm, artefacts } = observation;
  return artefacts.map((path) => ({ recorder, arm, path }));
}

/** In any version of the checkout. */
const EXERCISE_FILE = /^harness\/.*\/exercise-operation\.js$/;

const REMEDY = 'restore the file from a copy, or repeat the comparison';

/** Importers of profiles by the ending of the file name. */
const IMPORTERS = [
  { ending: '.cpuprofile', importProfile: importCpuProfile },
  { ending: '.heapprofile', importProfile: importHeapProfile },
  { ending: '.speedscope.json', importProfile: importSpeedscope },
];

/**
 * Importer of a profile.
 *
 * @param {string} path decides by its ending
 * @returns {((json: unknown, projectPath: string) => Profile) | undefined} takes text or parsed JSON;
 *   undefined for other files
 */
function findImporter(path) {
  return IMPORTERS.find(({ ending }) => path.endsWith(ending))?.importProfile;
}

/** Whether a file is a profile with stacks. @type {(path: string) => boolean} */
export function hasStacks(path) {
  return findImporter(path) !== undefined;
}

/**
 * Reads the profile of one process: the call tree below the measured loop, per document.
 *
 * @param {string} runPath
 * @param {ProfileObservationDone} observation whose first artefact has stacks
 * @param {object} measured
 * @param {Cell} measured.cell
 * @param {string[] | null} measured.loop names of the loop of a family's own program; null for the JavaScript worker
 * @returns {{ whole: Profile, collapsed: Profile }} `collapsed`: native frames merged into their callers
 * @throws {FormatError} when the file is missing or invalid
 */
export function readProfile(runPath, { artefacts, exercise }, { cell, loop }) {
  const [path = ''] = artefacts;
  const importProfile = findImporter(path);
  if (importProfile === undefined || exercise === null) {
    throw new FormatError(`'${path}' is not a profile that can be read`);
  }
  const text = readArtefact(runPath, path);
  const profile = importProfile(text, findRoot(text));
  const isLoop = loop === null ? matchScriptLoop(cell.operation) : matchLoopFrame(loop);
  // Callbacks of a client are not called by its loop, nor is what follows an await.
  const isRoot = cell.sharesCore === true || cell.concurrency !== undefined ? () => true : isLoop;
  const focused = focusProfile(profile, isRoot).profile;
  const whole = scaleProfile(focused, 1 / Math.max(1, exercise.documents));
  return { whole, collapsed: collapseNative(whole) };
}

/**
 * @param {string} text of a profile, possibly of another checkout or machine
 * @returns {string} the directory to which file names are relative
 */
function findRoot(text) {
  const recorded = findRecordedAssay(text);
  if (recorded === null || recorded === PROJECT.assayPath) return PROJECT.projectPath;
  // Installed in a project.
  return recorded.replace(/\/node_modules\/assay$/, '');
}

/**
 * The caller of the measured loop counts as the loop, since V8 inlines one into the other in some
 * processes.
 * @type {(operation: string) => (frame: Frame) => boolean}
 */
function matchScriptLoop(operation) {
  const ending = `/operations/${operation}.js`;
  return function isMeasuredLoop({ name, kind, file }) {
    if (kind !== 'js' || file === null) return false;
    if (file.endsWith(ending)) return name === 'run';
    return EXERCISE_FILE.test(file) && (name === 'runFor' || name === 'runPasses');
  };
}

/**
 * Reads the artefact of the recorder `deopts`.
 *
 * @param {string} runPath
 * @param {ProfileObservationDone} observation
 * @returns {DeoptLog}
 * @throws {FormatError} when the file is missing or invalid
 */
function readDeoptLog(runPath, { artefacts: [path = ''] }) {
  const log = readJsonObject(readArtefact(runPath, path), `'${path}' of the run`, REMEDY);
  const problem = findProblem('deopt-log', log);
  if (problem === null) return /** @type {any} */ (log);
  throw new FormatError(`'${path}' of the run is not a valid deoptimisation log: ${problem}`, {
    remedy: REMEDY,
  });
}

/**
 * @param {string} runPath
 * @param {string} path relative to it
 * @returns {string}
 * @throws {FormatError}
 */
function readArtefact(runPath, path) {
  return readText(join(runPath, path), `'${path}' of the run`, REMEDY);
}
