/** What a run over several hosts sends by way of its broker. Messages contain no code: hosts resolve variants by spec. */

import type { Observation, PlannedJob } from './observations.ts';
import type { CorpusIdentity } from './protocol.ts';
import type { Manifest } from './run.ts';
import type { FormatVersion, NonNegative, Text } from './scalars.ts';

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
  node: Text;
}

/** Work for one host: all jobs of one block of a cell, and of those that share its baseline. */
export interface FleetBlock {
  formatVersion: FormatVersion;
  /** Identity of the run at the broker. */
  fleetId: Text;
  /** Identity of the block within a session of its run: `1f0c/serialize flat/3`. */
  blockId: Text;
  /** The jobs, in the order of the plan.
   * @minItems 1 */
  jobs: PlannedJob[];
}

interface FleetAnswer {
  formatVersion: FormatVersion;
  fleetId: Text;
  /** Name of the host. */
  host: Text;
}

/** The observations of a block. */
export interface FleetResult extends FleetAnswer {
  kind: 'result';
  blockId: Text;
  /** Of each attempt at each job; starts are relative to that of the block. */
  observations: Observation[];
  /** Time that the host took, in milliseconds. */
  wallMs: NonNegative;
}

/** A host that does not measure a run. */
export interface FleetRefusal extends FleetAnswer {
  kind: 'refusal';
  /** Why. */
  reason: Text;
}

/** What a host answers.
 * @discriminator kind */
export type FleetMessage = FleetResult | FleetRefusal;
