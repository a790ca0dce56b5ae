/** The shapes between a run and what draws it. Interfaces only. */

import type { Manifest, Verdict } from '../harness/types.ts';

/** What a renderer is given. */
export interface RenderInput {
  manifest: Manifest;
  verdict: Verdict;
  /** Where the run directory is, as a user of this machine would type it. */
  runPath?: string;
  /** Columns that a line may take; 80 where not given. Renderers to files pay no heed to it. */
  width?: number;
  /** Whether ANSI colours may be written; false where not given. */
  color?: boolean;
}

/** `reports/NAME.js` exports one as `renderer`. */
export interface Renderer {
  name: string;
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
