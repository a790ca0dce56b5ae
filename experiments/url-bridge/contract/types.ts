/** The shapes of the behaviour contract. Interfaces only. */

import type { BoundVariant, UrlClass } from '../bridge/types.ts';

/** One promise. */
export interface Row {
  /** Kebab-case: `upper-case-z`. */
  name: string;
  /** One line: what is promised. */
  promise: string;
  /** Throws where the promise is broken, and says how. */
  check(URL: UrlClass): void;
}

/** Rows that belong together, under a heading. */
export interface Theme {
  title: string;
  rows: Row[];
}

/** A variant, as `compose.js` gives it, of which the parser is known or not. */
export type Subject = Pick<BoundVariant, 'URL'> & { adaVersion?: string };
