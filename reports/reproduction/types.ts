/** The shapes between a reproduction and what draws it. Interfaces only. */

import type { Reproduction } from '../../harness/formats/types.ts';

/** What a renderer is given. */
export interface ReproductionInput {
  reproduction: Reproduction;
  /** Texts that the renderer asked for, by the names in its `assets`. */
  assets?: Record<string, string>;
  /** Where its directory is, as a user of this machine would type it. */
  path?: string;
  /** Columns that a line may take; 80 where not given. Renderers to files pay no heed to it. */
  width?: number;
  /** Whether ANSI colours may be written; false where not given. */
  color?: boolean;
}

/** `reports/reproduction/NAME.js` exports one as `renderer`. */
export interface ReproductionRenderer {
  name: string;
  /** As those of the renderers of a run. */
  assets?: string[];
  /** Name of the file in the directory; `null` for what is only printed. */
  fileName: string | null;
  /** Pure: the same input gives the same text. */
  render(input: ReproductionInput): string;
}

/** A row about a claim as every report tells it. */
export interface Remark {
  /** Name of the claim within its source. */
  name: string;
  kind: 'reason' | 'contradiction';
  /** A sentence without its full stop. */
  text: string;
}
