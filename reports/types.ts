/** What the report of a comparison is made from. Interfaces only. */

import type { DifferentialProfile, Profile } from '../harness/formats/profile-types.ts';
import type { FleetHost, Manifest, Observation, Verdict } from '../harness/formats/types.ts';

export interface RenderInput {
  manifest: Manifest;
  verdict: Verdict;
  /** The timed jobs, for plots of them. */
  observations?: Observation[];
  /** The hosts of a fleet. */
  hosts?: FleetHost[];
  /** Cells that were profiled. */
  profiles?: CellProfiles[];
  /** Where the run directory is, as a user of this machine would type it. */
  runPath?: string;
}

/** Profiles of both arms of one cell. */
export interface CellProfiles {
  cellId: string;
  /** One a source: V8's own, native stacks, allocation. */
  views: ProfileView[];
}

/** Both arms as one source sees them, the mean of their processes, per document. */
export interface ProfileView {
  source: Profile['source'];
  /** The flamegraph of either arm is the tree with that arm's weights. */
  differential: DifferentialProfile;
  /** Source lines with weights, the heaviest first; of built-in variants with their text. */
  lines: SourceLine[];
  samples: Record<'baseline' | 'candidate', number>;
  processes: Record<'baseline' | 'candidate', number>;
}

/** One line of source with the weight that it has itself, per document. */
export interface SourceLine {
  file: string;
  line: number;
  /** Function that it is in. */
  name: string;
  text: string | null;
  baseline: number;
  candidate: number;
}
