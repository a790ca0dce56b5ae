/** The journals of a run: what one attempt at one job yielded, one line each. */

import type { Arm } from './run.ts';
import type { Exercise, Measurement, MemoryJobKind } from './protocol.ts';
import type { MemoryResult } from './memory.ts';
import type { RecordedFigures } from './explanation.ts';
import type {
  AtLeastOne,
  Count,
  Digest,
  FormatVersion,
  Integer,
  NonNegative,
  Text,
} from './scalars.ts';

/** What the lines of all journals have in common, besides the planned job. */
interface LineCommon {
  formatVersion: FormatVersion;
  /** Number of the attempt, from 1. */
  attempt: AtLeastOne;
  /** Name of the host that ran it, in a run over several hosts. */
  host?: Text;
  /** Start of the job, in milliseconds since the first session of the run began. */
  startedAtMs: number;
  /** Life of the worker process from spawn to exit, in milliseconds; with a recorder, the whole job. */
  workerMs: NonNegative;
}

/** A timed job that yielded a measurement. */
interface Measured {
  outcome: 'done';
  /** Digest of the operation's output after the last batch, and of the faults. */
  outputDigest: Digest;
  /** What spot checks found wrong with the measured function. */
  faults?: Text[];
  measurement: Measurement;
}

/** A job that failed. */
interface Failed {
  outcome: 'failed';
  failure: Failure;
}

/** How a worker failed and the last it wrote. */
export interface Failure {
  /** Kind of failure; `no-copy`: a placement could not be made. */
  reason:
    | 'exit-status'
    | 'signal'
    | 'timeout'
    | 'output-limit'
    | 'memory-limit'
    | 'not-json'
    | 'bad-report'
    | 'left-behind'
    | 'spawn-error'
    | 'no-copy';
  /** The status, the signal, the limit. */
  detail: string;
  /** The last lines it wrote to standard error. */
  lastLines: string[];
}

interface TimedPlace {
  /** Identity of the cell within its run; of jobs that several candidates share, its `sharedId`. */
  cellId: Text;
  /** Mirrored block of the job, from 0. */
  block: Count;
  /** Place of the job in its block, from 0. */
  position: Count;
}

/** Identity of a timed job within a run. */
export interface PlannedJob extends TimedPlace {
  /** `serialize flat/003/2/baseline`: cell, block, position, arm. */
  id: Text;
  arm: Arm;
}

interface ObservationCommon extends LineCommon, PlannedJob {}

export interface ObservationDone extends ObservationCommon, Measured {}

export interface ObservationFailed extends ObservationCommon, Failed {}

/** One line of observations.ndjson: an attempt at a timed job.
 * @discriminator outcome */
export type Observation = ObservationDone | ObservationFailed;

/** Identity of a timed job of one placement within a run. */
export interface PlannedPlacementJob extends TimedPlace {
  /** `placement/deserialize deep/003/2/candidate-1`. */
  id: Text;
  arm: 'baseline' | 'candidate';
  /** Number of the placement: 0 is the arm as it is, the others are edited copies. */
  placement: Count;
}

interface PlacementObservationCommon extends LineCommon, PlannedPlacementJob {}

export interface PlacementObservationDone extends PlacementObservationCommon, Measured {}

export interface PlacementObservationFailed extends PlacementObservationCommon, Failed {}

/** One line of placements.ndjson: a timed job of one placement of an arm.
 * @discriminator outcome */
export type PlacementObservation = PlacementObservationDone | PlacementObservationFailed;

/** Identity of a memory job within a run. */
export interface PlannedMemoryJob {
  /** `allocation/serialize flat/0/baseline`: kind, cell or corpus, process, arm. */
  id: Text;
  kind: MemoryJobKind;
  /** Identity of a cell, or label of a corpus, if there are several candidates with the spec of one; of jobs
   * that they share, without it. */
  subject: Text;
  arm: Arm;
  /** Number of the process within its arm, from 0. */
  process: Count;
  /** Documents to hold; null for a job that holds none. */
  documentCount: Integer | null;
}

interface MemoryObservationCommon extends LineCommon, PlannedMemoryJob {}

export interface MemoryObservationDone extends MemoryObservationCommon {
  outcome: 'done';
  result: MemoryResult;
}

export interface MemoryObservationFailed extends MemoryObservationCommon, Failed {}

/** One line of memory.ndjson: an attempt at a memory job.
 * @discriminator outcome */
export type MemoryObservation = MemoryObservationDone | MemoryObservationFailed;

/** Identity of a profile job within a run. */
export interface PlannedProfileJob {
  /** `cpu-profile/serialize flat/0/baseline`. */
  id: Text;
  /** Name of the recorder. */
  recorder: Text;
  /** Identity of the cell; of jobs that several candidates share, its `sharedId`. */
  cellId: Text;
  arm: 'baseline' | 'candidate';
  /** Number of the process within its arm, from 0. */
  process: Count;
}

interface ProfileObservationCommon extends LineCommon, PlannedProfileJob {}

export interface ProfileObservationDone extends ProfileObservationCommon {
  outcome: 'done';
  /** What was done meanwhile; null if the recorder does not know. */
  exercise: Exercise | null;
  /** Files left behind, relative to the directory of the run; the one that is read again comes first. */
  artefacts: ArtefactPath[];
  /** Figures of a recorder that sees no stacks. */
  figures?: RecordedFigures;
}

/** @pattern ^artefacts/(?!.*(^|/)\.\.(/|$))[^\\]+$ */
export type ArtefactPath = string;

export interface ProfileObservationFailed extends ProfileObservationCommon {
  outcome: 'failed';
  /** Why. */
  detail: string;
}

/** One line of profiles.ndjson: a job of a recorder.
 * @discriminator outcome */
export type ProfileObservation = ProfileObservationDone | ProfileObservationFailed;
