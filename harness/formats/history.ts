/** The result store: one file per comparison. */

import type { FollowedStep } from './following.ts';
import type { MeasureSettings } from './protocol.ts';
import type { Arm, RatioInterval, ReplayRecord } from './run.ts';
import type {
  Count,
  Digest,
  FormatVersion,
  NonNegative,
  Positive,
  RuntimeVersion,
  Text,
} from './scalars.ts';
import type { RunEnd, VerdictWord } from './verdict.ts';

/** A cell of a recorded comparison. */
export interface RecordedCell {
  /** Identity of the cell, without its candidate. */
  cellId: Text;
  operation: Text;
  /** Label of the corpus. */
  corpus: Text;
  /** What ran it, if a runtime was asked for. */
  runtime?: RuntimeVersion;
  /** Spec of the baseline. */
  baseline: Text;
  /** Spec of the candidate. */
  candidate: Text;
  verdict: VerdictWord;
  /** Candidate divided by baseline; null without figures. */
  ratio: RatioInterval | null;
  /** Logarithm of that ratio; null without figures. */
  logRatio: number | null;
  /** Standard error of the logarithm; null without figures. */
  standardError: NonNegative | null;
  /** Degrees of freedom of the standard error; null without figures. */
  degreesOfFreedom: Positive | null;
  /** Control divided by baseline; null without figures. */
  controlRatio: RatioInterval | null;
  /** The logarithm of the ratio over placements of the code of both variants, where it was measured. */
  placement?: { logRatio: number; standardError: NonNegative; degreesOfFreedom: Positive };
  /** Processes of baseline and control together, or of the candidate, whichever are fewer. */
  processes: Count;
  /** Time per document of the baseline in nanoseconds; null without figures. */
  baselineNs: NonNegative | null;
  /** Time per document of the candidate in nanoseconds; null without figures. */
  candidateNs: NonNegative | null;
}

/** What the processes of one arm measured on one cell. */
export interface RecordedProcesses {
  /** Identity of the cell, without its candidate. */
  cellId: Text;
  arm: Arm;
  /** Spec of the variant. */
  variant: Text;
  /** Time per document of each process, in nanoseconds, to five digits. */
  figuresNs: NonNegative[];
}

/** What a variant does not keep of the behaviour contract, without having declared it. */
export interface Breaches {
  /** Spec of the variant. */
  variant: Text;
  /** Names of the rows. */
  rows: Text[];
}

/** One comparison in the result store: a file whose name is the SHA-256 of its content. */
export interface ComparisonRecord {
  formatVersion: FormatVersion;
  /** The command as typed. */
  command: string;
  ended: RunEnd;
  /** Wall time, in seconds. */
  seconds: NonNegative;
  /** Set where several hosts measured; the environment is then that of the submitter or of the first part. */
  severalHosts?: true;
  /** Digest of the sources that measured. */
  instrument?: Digest;
  settings: MeasureSettings;
  /** What was measured, with what and where. */
  identity: ReplayRecord;
  /** Variants that break rows of the behaviour contract. */
  breaches?: Breaches[];
  /** Set where it measured commits of a followed branch. */
  followed?: FollowedStep;
  cells: RecordedCell[];
  processes: RecordedProcesses[];
}
