/** What a run over several hosts sends by way of its broker. Messages contain no code: hosts resolve variants by spec. */

import type { CalibrationCitation } from './calibration.ts';
import type {
  ArtefactPath,
  Observation,
  PlannedJob,
  PlannedProfileJob,
  ProfileObservation,
} from './observations.ts';
import type { CorpusIdentity } from './protocol.ts';
import type { Environment, Manifest, RecorderState } from './run.ts';
import type { Digest, FormatVersion, NonNegative } from './scalars.ts';

/** Identity of a run at the broker. It is a part of subjects, where dots and stars have a meaning.
 * @pattern ^[0-9a-f-]{36}$ */
type FleetId = string;

/** @minLength 1
 * @maxLength 300 */
type Name = string;

/** What a host needs to know of a run: what is measured, and what must be the same there. */
export interface FleetRun extends Pick<
  Manifest,
  | 'formatVersion'
  | 'assay'
  | 'instrument'
  | 'question'
  | 'settings'
  | 'variants'
  | 'runtimes'
  | 'expectedDigests'
> {
  /** The documents. */
  corpora: CorpusIdentity[];
  /** Version of Node that runs Assay. */
  node: Name;
}

interface FleetBlockCommon {
  formatVersion: FormatVersion;
  fleetId: FleetId;
  /** Identity of the block within a session of its run: `1f0c/serialize flat/3`. */
  blockId: Name;
}

/** All jobs of one block of a cell, and of those that share its baseline. */
export interface FleetTimingBlock extends FleetBlockCommon {
  pass: 'timing';
  /** The jobs, in the order of the plan.
   * @minItems 1 */
  jobs: PlannedJob[];
}

/** What one recorder records of one process of each arm of a cell, and of those that share its baseline. */
export interface FleetProfileBlock extends FleetBlockCommon {
  pass: 'profiles';
  /** The jobs, in the order of the plan.
   * @minItems 1 */
  jobs: PlannedProfileJob[];
}

/** Work for one host.
 * @discriminator pass */
export type FleetBlock = FleetTimingBlock | FleetProfileBlock;

interface FleetAnswer {
  formatVersion: FormatVersion;
  fleetId: FleetId;
  /** Name of the host. */
  host: Name;
}

/** A host that measures a run, as it is before its first block. */
export interface FleetHost extends FleetAnswer {
  kind: 'host';
  environment: Environment;
  /** What the calibration of the host found. */
  calibration?: CalibrationCitation;
  /** The recorders that the run asks for, and whether they can work there. */
  recorders?: RecorderState[];
}

interface FleetResultCommon extends FleetAnswer {
  blockId: Name;
  /** Time that the host took, in milliseconds. */
  wallMs: NonNegative;
}

/** The observations of a block of timed jobs. */
export interface FleetTimes extends FleetResultCommon {
  kind: 'result';
  /** Of each attempt at each job; starts are relative to that of the block. */
  observations: Observation[];
}

/** The observations of a block of profile jobs. */
export interface FleetProfiles extends FleetResultCommon {
  kind: 'profiles';
  /** Of each job; starts are relative to that of the block. */
  observations: ProfileObservation[];
  /** The artefacts that the observations name. */
  files: FleetFile[];
}

/** An artefact in the object store of the run. */
export interface FleetFile {
  /** As in the observation. */
  path: ArtefactPath;
  /** Name of the object. */
  object: Name;
  digest: Digest;
}

/** The observations of a block. */
export type FleetResult = FleetTimes | FleetProfiles;

/** A host that does not measure a run. */
export interface FleetRefusal extends FleetAnswer {
  kind: 'refusal';
  /** Why.
   * @minLength 1
   * @maxLength 10000 */
  reason: string;
}

/** What a host answers.
 * @discriminator kind */
export type FleetMessage = FleetHost | FleetTimes | FleetProfiles | FleetRefusal;
