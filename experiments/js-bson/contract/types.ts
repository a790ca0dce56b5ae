/** The shapes of the behaviour contract. Interfaces only. */

import type { VariantDescription } from '../../../harness/formats/types.ts';

/** A variant as its rows see it: its own exports, and bson's classes where it has none. They are
 * JavaScript of anybody, so what their members are is for the rows to find out. */
export type Codec = Record<string, any> & { variant?: VariantDescription };

/** One promise. */
export interface Row {
  /** Kebab-case: `deep-equality`. */
  name: string;
  /** One line: what is promised. */
  promise: string;
  /** Throws where the promise is broken; a `Breach` says it in words. */
  check(codec: Codec, reference: Codec): void | Promise<void>;
}

/** Rows that belong together, under a heading. */
export interface Theme {
  title: string;
  rows: Row[];
}
