/** The shapes between a run and what draws it. Interfaces only. */

import type { DifferentialProfile, Profile } from '../harness/formats/profile-types.ts';
import type { Manifest, Observation, Verdict } from '../harness/formats/types.ts';

/** What a renderer is given. */
export interface RenderInput {
  manifest: Manifest;
  verdict: Verdict;
  /** The timed jobs, for plots of them. */
  observations?: Observation[];
  /** Cells that were profiled. */
  profiles?: CellProfiles[];
  /** Texts that the renderer asked for, by the names in its `assets`. */
  assets?: Record<string, string>;
  /** Where the run directory is, as a user of this machine would type it. */
  runPath?: string;
  /** Columns that a line may take; 80 where not given. Renderers to files pay no heed to it. */
  width?: number;
  /** Whether ANSI colours may be written; false where not given. */
  color?: boolean;
}

/** Profiles of both sides of one cell. */
export interface CellProfiles {
  cellId: string;
  /** One a source: V8's own, native stacks, allocation. */
  views: ProfileView[];
}

/** Both sides as one source sees them, the mean of their processes, per document. */
export interface ProfileView {
  source: Profile['source'];
  /** The flamegraph of either side is the tree with that side's weights. */
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

/** `reports/NAME.js` exports one as `renderer`. */
export interface Renderer {
  name: string;
  /** Files whose text `render` needs: module specifiers as `import` takes them, or paths that begin
   * with `./`, relative to `reports/`. */
  assets?: string[];
  /** Name of the file in the run directory; `null` for what is only printed. */
  fileName: string | null;
  /** Pure: the same input gives the same text. */
  render(input: RenderInput): string;
}

/** What a piece of text means, so that colour can follow the meaning. */
export type Tone = 'plain' | 'title' | 'quiet' | 'good' | 'bad' | 'doubtful';

/** Text of one place in a table, with its meaning. */
export interface TableEntry {
  text: string;
  tone: Tone;
}

/** One column of a text table. */
export interface TableColumn {
  title: string;
  align: 'left' | 'right';
  /** Where given, the column may be narrowed to this by shortening its texts in the middle. */
  minWidth?: number;
  /** Where given, the column may be left out when space is short; the highest goes first. */
  dropRank?: number;
}

/** One line of a text table: an entry a column, or a heading across all of them. */
export type TableRow = TableEntry[] | { heading: string };

/** A log axis that all range plots of a report share. Ratios; `width` in columns. */
export interface PlotAxis {
  low: number;
  high: number;
  width: number;
  /** Share: 0.03 is 3 %. */
  minimumEffect: number;
}
