/** A branch of which every merge is measured: what its records say of it, and what they keep of the branch. */

import type { RatioInterval } from './run.ts';
import type {
  CommitHash,
  Count,
  FormatVersion,
  NonNegative,
  OpenShare,
  Positive,
  RuntimeVersion,
  Text,
  Timestamp,
} from './scalars.ts';
import type { VerdictWord } from './verdict.ts';

/** A commit of the branch, along first parents. */
export interface FollowedCommit {
  revision: CommitHash;
  /** First line of its message; may be empty. */
  subject: string;
  /** When it was committed: UTC, ISO 8601. */
  date: Timestamp;
}

/** A tag of a commit of the branch. */
export interface FollowedRelease {
  name: Text;
  revision: CommitHash;
}

/**
 * What a comparison is for: `point` compares the commit `after` with the pinned reference, with as many processes for every
 * commit. The others compare the commit `before` with `after`: `merge` decides whether a change is suspected,
 * `confirmation` measures the suspected cells again with other placements, `search` looks for the commit of a change that
 * covers several, `more` spends another budget on what a merge left inconclusive.
 */
export type FollowedPurpose = 'point' | 'merge' | 'confirmation' | 'search' | 'more';

/** What a record keeps of the followed branch. */
export interface FollowedStep {
  /** Name of the branch. */
  branch: Text;
  purpose: FollowedPurpose;
  /** Spec of the pinned reference, which every commit is compared with. */
  reference: Text;
  /** The commit of the baseline; null for a `point`. */
  before: CommitHash | null;
  /** The commit of the candidate. */
  after: CommitHash;
  /** The commits after `before`, the last of them `after`, the oldest first; of a `point` only `after`. */
  commits: FollowedCommit[];
  /** Whole hashes of those of `commits` whose built code is that of the commit before them: they cannot have changed anything. */
  unchanged?: CommitHash[];
  /** Tags of commits of the branch when it was measured, the oldest first. */
  releases: FollowedRelease[];
  /** Of a confirmation: two-sided level of its test, which was fixed before it was measured. */
  level?: OpenShare;
  /** Of a confirmation: why each cell differs, from the explanation of its run. */
  causes?: { cellId: Text; text: Text }[];
}

/** One measured commit on one cell. */
export interface FollowedPoint {
  revision: Text;
  /** The commit divided by the reference, with its 95 % interval. */
  ratio: RatioInterval;
  /** Level of the stretch without a change to which it belongs: a ratio to the reference. */
  level: Positive;
  /** Time per document in nanoseconds; null without a figure. */
  ns: NonNegative | null;
}

/** One cell over the measured commits. */
export interface FollowedCell {
  cellId: Text;
  operation: Text;
  corpus: Text;
  runtime?: RuntimeVersion;
  /** In the order of the commits. */
  points: FollowedPoint[];
}

/** A cell of a change. */
export interface ChangedCell {
  cellId: Text;
  /** After divided by before, of the confirmation if there is one, with the interval of its level. */
  ratio: RatioInterval;
  /** The same of the comparison that raised the suspicion. */
  suspected: RatioInterval;
  verdict: VerdictWord;
  /** Why it differs, from the explanation of the confirmation. */
  cause?: Text;
}

/**
 * `suspected`: to be confirmed; `refuted`: the confirmation did not show it; `open`: confirmed, and nobody has answered;
 * `acknowledged`: a line of the project's file answers it; `restored`: a later change brought the level back. A confirmed
 * improvement is `open`, too, and never an alert.
 */
export type ChangeState = 'suspected' | 'refuted' | 'open' | 'acknowledged' | 'restored';

/** One change of the branch: of one commit, or of several as long as these are not told apart. */
export interface FollowedChange {
  /** Both commits, `1fc57e4c0123..9d03b2c4e567`; no other change has the same. */
  id: Text;
  /** `slower` if any cell is. */
  direction: 'slower' | 'faster';
  before: Text;
  after: Text;
  /** Commits it may be, without unchanged ones: 1 once the commit is known. */
  commits: Count;
  state: ChangeState;
  cells: ChangedCell[];
  /** Answer of the project. */
  acknowledged?: { answer: 'expected' | 'wontfix'; reason: string; line: Count };
  /** Whole hash of the commit that restored the level. */
  restoredBy?: Text;
  /** Command that measures it again. */
  reproduce: Text;
  /** Identities of the runs that suspected and confirmed it, the oldest first. */
  runIds: Text[];
}

/** A commit with what was measured of it. */
export interface MeasuredCommit extends FollowedCommit {
  /** Names of its tags. */
  releases: Text[];
  /** Whether its built code is that of the commit before. */
  isUnchanged: boolean;
  /** What was compared with the commit before, whatever the purpose; the oldest first. */
  comparisons: {
    runId: Text;
    purpose: FollowedPurpose;
    createdAt: Timestamp;
    /** Whole hash; null of a comparison with the reference. */
    before: Text | null;
    cells: { cellId: Text; verdict: VerdictWord; ratio: RatioInterval | null }[];
  }[];
}

/**
 * What the records of a branch say. It follows from the records and from the project's file of acknowledgements alone, so
 * whoever asks gets the same answer. `changes --format json` prints it, the site shows it.
 */
export interface Following {
  formatVersion: FormatVersion;
  branch: Text;
  /** Family of the variants. */
  family: Text;
  /** Spec of the pinned reference. */
  reference: Text;
  /** Commits of the branch from the first measured one to the last, the oldest first, whether measured or not. */
  commits: MeasuredCommit[];
  cells: FollowedCell[];
  /** The oldest first. */
  changes: FollowedChange[];
  /** What a reader should know: records of other references, lines of the file that match nothing. */
  notes: Text[];
}
