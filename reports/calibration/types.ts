/** The shapes between a calibration, or a comparison of peers, and what draws it. Interfaces only. */

import type { Calibration, PeersComparison } from '../../harness/formats/types.ts';

/** What the renderer of a calibration is given. */
export interface CalibrationInput extends ReportPlace {
  calibration: Calibration;
}

/** What the renderer of a comparison of peers is given. */
export interface PeersInput extends ReportPlace {
  peers: PeersComparison;
}

interface ReportPlace {
  /** Texts that the renderer asked for, by the names in its `assets`. */
  assets?: Record<string, string>;
  /** Where its directory is, as a user of this machine would type it. */
  path?: string;
  /** Columns that a line may take; 80 where not given. Renderers to files pay no heed to it. */
  width?: number;
  /** Whether ANSI colours may be written; false where not given. */
  color?: boolean;
}

/** `reports/calibration/NAME.js` and `reports/peers/NAME.js` export one as `renderer`. */
interface ReportRenderer<Input> {
  name: string;
  /** As those of the renderers of a run. */
  assets?: string[];
  /** Name of the file in the directory; `null` for what is only printed. */
  fileName: string | null;
  /** Pure: the same input gives the same text. */
  render(input: Input): string;
}

export type CalibrationRenderer = ReportRenderer<CalibrationInput>;
export type PeersRenderer = ReportRenderer<PeersInput>;

/** A section as every report has it. Texts are plain; what draws them escapes them. */
export interface ReportPart {
  /** Kebab-case, unique in a report. */
  id: string;
  title: string;
  sentences: string[];
  tables: PartTable[];
  /** Whether it is what only a few want: left out of a terminal, folded elsewhere. */
  isDetail?: boolean;
}

export interface PartTable {
  /** Sentence above it. */
  caption: string;
  columns: PartColumn[];
  /** A text a column. */
  rows: string[][];
}

export interface PartColumn {
  title: string;
  align: 'left' | 'right';
  /** `name`: set as code where there is code. `prose`: broken into lines where it is long, and left
   * out of a terminal. */
  kind?: 'name' | 'prose';
  /** Where given, a terminal may leave the column out; the highest goes first. */
  dropRank?: number;
}
