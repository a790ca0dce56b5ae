/** What a run over several hosts sends by way of its broker. Messages contain no code: hosts resolve variants by spec. */

import type {
  ArtefactPath,
  MemoryObservation,
  Observation,
  PlacementObservation,
  PlannedJob,
  PlannedMemoryJob,
  PlannedPlacementJob,
  PlannedProfileJob,
  ProfileObservation,
} from './observations.ts';
import type { CorpusIdentity } from './protocol.ts';
import type { HostRecord, Manifest } from './run.ts';
import type { AtLeastOne, Digest, FormatVersion, NonNegative } from './scalars.ts';

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
  /** Identity of the block within a session of its run: `1f0c-3/serialize flat/3`. */
  blockId: Name;
}

/** All jobs of one block of a cell, and of those that share its baseline. */
export interface FleetTimingBlock extends FleetBlockCommon {
  pass: 'timing';
  /** The jobs, in the order of the plan.
   * @minItems 1 */
  jobs: PlannedJob[];
}

/** All jobs that measure one kind of memory of a cell or a corpus. */
export interface FleetMemoryBlock extends FleetBlockCommon {
  pass: 'memory';
  /** The jobs, in the order of the plan.
   * @minItems 1 */
  jobs: PlannedMemoryJob[];
}

/** All placements of a cell up to a look. */
export interface FleetPlacementBlock extends FleetBlockCommon {
  pass: 'placement';
  /** The jobs, in the order of the plan.
   * @minItems 1 */
  jobs: PlannedPlacementJob[];
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
export type FleetBlock =
  FleetTimingBlock | FleetMemoryBlock | FleetPlacementBlock | FleetProfileBlock;

interface FleetAnswer {
  formatVersion: FormatVersion;
  fleetId: FleetId;
  /** Name of the host. */
  host: Name;
}

/** A host that measures a run, as it is before its first block. */
export interface FleetHost extends FleetAnswer, Omit<HostRecord, 'host'> {
  kind: 'host';
}

interface FleetResultCommon extends FleetAnswer {
  blockId: Name;
  /** Time that the host took, in milliseconds. */
  wallMs: NonNegative;
  /** The artefacts that the observations name. */
  files: FleetFile[];
}

/** The observations of a block of timed jobs. */
export interface FleetTimes extends FleetResultCommon {
  kind: 'timing';
  /** Of each attempt at each job; starts are relative to that of the block. */
  observations: Observation[];
}

/** The observations of a block of memory jobs. */
export interface FleetMemory extends FleetResultCommon {
  kind: 'memory';
  /** Of each attempt at each job; starts are relative to that of the block. */
  observations: MemoryObservation[];
}

/** The observations of a block of placement jobs. */
export interface FleetPlacements extends FleetResultCommon {
  kind: 'placement';
  /** Of each job; starts are relative to that of the block. */
  observations: PlacementObservation[];
}

/** The observations of a block of profile jobs. */
export interface FleetProfiles extends FleetResultCommon {
  kind: 'profiles';
  /** Of each job; starts are relative to that of the block. */
  observations: ProfileObservation[];
}

/** An artefact in the object store of the run. */
export interface FleetFile {
  /** As in the observation. */
  path: ArtefactPath;
  /** Name of the object. */
  object: Name;
  digest: Digest;
}

/** A sign of life: a host works on a block, or prepares its run. */
export interface FleetSign {
  /** Name of the host. */
  host: Name;
  blockId: Name;
  /** How often the broker has given the block to a host so far. */
  delivery: AtLeastOne;
}

/** The observations of a block; its kind is the pass of the block. */
export type FleetResult = FleetTimes | FleetMemory | FleetPlacements | FleetProfiles;

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
export type FleetMessage =
  FleetHost | FleetTimes | FleetMemory | FleetPlacements | FleetProfiles | FleetRefusal;
