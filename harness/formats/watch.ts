/** What `watch` says of each edit. */

import type { RatioInterval } from './run.ts';
import type { AtLeastOne, Count, FormatVersion, Text, Timestamp } from './scalars.ts';
import type { VerdictWord } from './verdict.ts';

/** One line of watch.ndjson and of `watch --format ndjson`: what is known of an edit. A later line of the same edit
 * replaces it. */
export interface WatchLine {
  formatVersion: FormatVersion;
  /** Its number; 0 is the candidate as it was at first. */
  edit: Count;
  /** When its files were read: UTC, ISO 8601. */
  at: Timestamp;
  /** Files that differ from those of the edit before, none of edit 0. */
  changes: FileChange[];
  /** An earlier edit with the same files; null if there is none. */
  sameAs: Count | null;
  /** Spec of the copy of its files, which any command takes. */
  spec: Text;
  /** `checking`: nothing is known yet. `broken`: it cannot be built, loaded or measured. `wrong`: its output or its behaviour is not that of the reference.
   * `measuring`: it is correct, and figures become more exact. `left`: the next edit came first. `measured`: to the end. */
  state: 'checking' | 'broken' | 'wrong' | 'measuring' | 'left' | 'measured';
  /** Whether output and behaviour are those of the reference; null if that is not known. */
  isCorrect: boolean | null;
  /** Why it is broken or wrong, most important first. */
  problems: Text[];
  /** What was found on each cell, none before the first look. */
  cells: WatchCell[];
  /** What most of the largest change since the edit before comes from; null if that is not known. */
  cause: WatchCause | null;
  /** What to do next, in one sentence. */
  next: Text;
  /** Command that does it, if one does. */
  command: Text | null;
}

/** files.json of an edit: the files that its copy has, to restore them. */
export interface KeptFiles {
  formatVersion: FormatVersion;
  /** Absolute path of the package or the checkout that they are from. */
  root: Text;
  /** Their paths below it. */
  files: RelativePath[];
}

/** Without a way out.
 * @pattern ^(?!.*(^|/)\\.\\.(/|$))[^/] */
type RelativePath = string;

/** A file of which an edit has other lines than the edit before. */
export interface FileChange {
  /** Its path in the package or the checkout. */
  file: Text;
  /** Lines added. */
  added: Count;
  /** Lines removed. */
  removed: Count;
}

/** One cell of an edit. */
export interface WatchCell {
  /** Its identity. */
  cellId: Text;
  /** Of the edit and the baseline. */
  verdict: VerdictWord;
  /** Processes of each variant. */
  processes: AtLeastOne;
  /** The edit divided by the baseline; null with too few figures. */
  toBaseline: RatioInterval | null;
  /** The edit divided by the last edit before it that was measured on this cell: the ratio of their ratios to the baseline.
   * Null if there is none. */
  toEditBefore: RatioInterval | null;
}

/** A cause of a change, as a profile shows it. */
export interface WatchCause {
  /** Cell that was profiled: the one that has changed most. */
  cellId: Text;
  /** `Object.entries`, `garbage collection`, `writeDocument`. */
  name: Text;
  /** By how much more the edit takes there, in nanoseconds per document. */
  changeNs: number;
  /** Number of the edit that it is compared with; null for the baseline. */
  since: Count | null;
}
