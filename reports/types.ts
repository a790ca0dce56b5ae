/** What the report of a comparison is made from. Interfaces only. */

import type { CellProfiles } from '../harness/formats/profile-types.ts';
import type { HostRecord, Manifest, Observation, Verdict } from '../harness/formats/types.ts';

export interface RenderInput {
  manifest: Manifest;
  verdict: Verdict;
  /** The timed jobs, for plots of them. */
  observations?: Observation[];
  /** The hosts of a fleet. */
  hosts?: HostRecord[];
  /** Cells that were profiled. */
  profiles?: CellProfiles[];
  /** Where the run directory is, as a user of this machine would type it. */
  runPath?: string;
}
