/** What a run over several hosts sends by way of its broker. Messages contain no code: hosts resolve variants by spec. */

import type { CalibratedGroups, CalibrationCitation, CpuGroup } from './calibration.ts';
import type { Observation, PlannedJob } from './observations.ts';
import type { CorpusIdentity } from './protocol.ts';
import type { Environment, Manifest } from './run.ts';
import type { FormatVersion, NonNegative } from './scalars.ts';

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

/** Work for one host: all jobs of one block of a cell, and of those that share its baseline. */
export interface FleetBlock {
  formatVersion: FormatVersion;
  fleetId: FleetId;
  /** Identity of the block within a session of its run: `1f0c/serialize flat/3`. */
  blockId: Name;
  /** The jobs, in the order of the plan.
   * @minItems 1 */
  jobs: PlannedJob[];
}

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
  /** The processors that this agent is pinned to, and the calibration that permits it. Agents of one machine have
   * the name of the machine, and are one host. */
  pinned?: CpuGroup & Pick<CalibratedGroups, 'id' | 'createdAt'>;
}

/** The observations of a block. */
export interface FleetResult extends FleetAnswer {
  kind: 'result';
  blockId: Name;
  /** Of each attempt at each job; starts are relative to that of the block. */
  observations: Observation[];
  /** Time that the host took, in milliseconds. */
  wallMs: NonNegative;
}

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
export type FleetMessage = FleetHost | FleetResult | FleetRefusal;
