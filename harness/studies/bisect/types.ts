/** The shapes of a bisection. Interfaces only. */

import type { Cell, Manifest, RatioInterval, Verdict, VerdictWord } from '../../formats/types.ts';

/** A version or commit that may be measured. */
export interface Candidate {
  /** Variant spec. */
  spec: string;
  /** How the log calls it: `7.2.0`, or the first twelve digits of a commit. */
  name: string;
  /** Subject line of a commit. */
  subject?: string;
}

/** What one comparison says of its candidate. Within the search `good` and `bad` are the two sides of
 * the boundary; in the other comparisons `bad` is slower by the usual rule. */
export type StepAnswer = 'good' | 'bad' | 'unsettled' | 'unusable';

/** What a step is for: whether there is a regression at all, where it came in, how much it is. */
export type StepPurpose = 'ends' | 'search' | 'neighbours';

/** What a step measures. */
export interface StepTask {
  purpose: StepPurpose;
  /** Indices of candidates. */
  baseline: number;
  candidate: number;
  /** Counted from 1; a repetition is judged alone. */
  attempt: number;
  seed: number;
  /** Chance of a wrong answer that the step allows itself. */
  alpha: number;
  /** Ratio on one side of which the candidate must be known to lie; null for the usual rule. */
  boundary: number | null;
}

/** What came of it. */
export interface StepOutcome {
  answer: StepAnswer;
  verdict: VerdictWord | null;
  /** Candidate over baseline, with the interval that the answer was read from. */
  ratio: RatioInterval | null;
  /** Of the side that has fewer. */
  processes: number;
  /** Why there is no answer. */
  reason: string | null;
  /** Directory of the run, beside bisection.json. */
  runId: string | null;
}

/** One line of the log; baseline and candidate by spec. */
export interface BisectionStep extends Omit<StepTask, 'baseline' | 'candidate'>, StepOutcome {
  baseline: string;
  candidate: string;
  seconds: number;
}

/** How a bisection ended. */
export type BisectionEnd =
  'running' | 'found' | 'not-settled' | 'no-regression' | 'interrupted' | 'failed';

/** bisection.json: written anew after every step. */
export interface Bisection {
  formatVersion: number;
  bisectionId: string;
  createdAt: string;
  /** As typed by the user, to be pasted again. */
  command: string;
  assay: Manifest['assay'];
  family: string;
  cell: Cell;
  seed: number;
  /** The good end first, the bad end last. */
  candidates: Candidate[];
  /** Ratio that tells good from bad; null until the ends have been compared. */
  boundary: number | null;
  steps: BisectionStep[];
  ended: BisectionEnd;
  /** Specs of the last candidate known to be good and the first one known to be bad. */
  lastGood: string;
  firstBad: string;
  /** What lies between these two and could not be told, by spec. */
  passedOver: { spec: string; reason: string }[];
  /** `firstBad` against `lastGood` by the usual rule. */
  change: { verdict: VerdictWord | null; ratio: RatioInterval | null } | null;
}

/** What judging a step looks at. */
export interface MeasuredStep {
  verdict: Pick<Verdict, 'ended' | 'cells' | 'differences' | 'failedJobs'>;
  manifest: Pick<Manifest, 'contracts' | 'question'>;
}
