/** Results of studies: claims and their reproduction, replays, bisections. */

import type { StudyCommon } from './calibration.ts';
import type {
  AssayVersion,
  Cell,
  CellFinding,
  Environment,
  Question,
  RatioInterval,
  ReplayRecord,
} from './run.ts';
import type {
  AtLeastOne,
  Count,
  FormatVersion,
  NonNegative,
  OpenShare,
  Positive,
  Seed,
  Text,
  Timestamp,
} from './scalars.ts';
import type { Breaches } from './history.ts';
import type { RunEnd, VerdictWord } from './verdict.ts';

// ── Claims ──────────────────────────────────────────────────────────────────────────────────────

/** Where claims come from: a ticket, its pull requests, a paper. */
export interface ClaimSource {
  /** As in `just reproduce NODE-7606`. */
  id: Text;
  /** What it is about. */
  title: string;
  /** Ticket, pull requests, paper. */
  reference: string;
  /** Runtime, iterations and machine, as far as the source says. */
  conditions: string;
}

/** Change of throughput or time; `symmetric-percent` is relative to the mean of both throughputs. */
interface PercentFigure {
  formula: 'throughput-percent' | 'symmetric-percent' | 'time-percent';
  /** Signed change from baseline to candidate. */
  percent: number;
}

interface ThroughputPair {
  formula: 'throughput-pair';
  baseline: Positive;
  candidate: Positive;
  /** Unit of both. */
  unit: string;
}

/** Bytes that an instance or a document retains. */
interface RetainedBytes {
  formula: 'retained-bytes';
  /** Constructor, or document. */
  of: string;
  /** In bytes. */
  baseline: Positive;
  /** In bytes. */
  candidate: Positive;
}

export type ClaimDirection = 'slower' | 'faster' | 'not-slower' | 'same' | 'smaller';

interface DirectionFigure {
  formula: 'direction';
  /** What the candidate is. */
  direction: ClaimDirection;
}

/** The outputs are the same, or the candidate keeps the whole behaviour contract. */
interface PlainFigure {
  formula: 'same-output' | 'contract';
}

/** Rows of the behaviour contract that the candidate breaks. */
interface BrokenRows {
  formula: 'contract-breaks';
  /** Their names. */
  rows: string[];
}

/** A figure as the source gives it.
 * @discriminator formula */
export type ReportedFigure =
  PercentFigure | ThroughputPair | RetainedBytes | DirectionFigure | PlainFigure | BrokenRows;

/** One reported figure of one cell. */
export interface Claim {
  /** SOURCE/name: `NODE-7606/flat-serialize`.
   * @pattern ^[A-Za-z0-9-]+/[a-z0-9-]+$ */
  id: string;
  /** Identity of the source. */
  source: Text;
  /** What is claimed, in one sentence. */
  statement: string;
  /** Spec of the baseline. */
  baseline: Text;
  /** Spec of the candidate. */
  candidate: Text;
  operation: Text;
  /** Label of the corpus. */
  corpus: Text;
  figure: ReportedFigure;
  /** Factor by which a ratio may be off and still count as reproduced. The whole interval has to lie within.
   * @minimum 1 */
  tolerance: number;
  /** Where the source's own figures disagree: which, and how. */
  contradiction?: string;
  /** Why no host can settle it. */
  cannotRun?: string;
}

/** `experiments/FAMILY/claims.json`: what others reported. */
export interface ClaimsFile {
  formatVersion: FormatVersion;
  family: Text;
  sources: ClaimSource[];
  claims: Claim[];
}

/** Whether a reported figure was measured again. `size-open`: same direction, and the interval does not settle
 * whether the size is the reported one. `direction-only`: same direction, another size. */
export type CellAnswer =
  'reproduced' | 'size-open' | 'direction-only' | 'not-reproduced' | 'inconclusive';

/** Result of a claim on this host. */
export interface ClaimResult {
  /** Identity of the claim. */
  id: Text;
  verdict: ClaimVerdict;
  /** Ratio that the reported figure amounts to; null without one. */
  claimed: Positive | null;
  /** Ratio that was measured here; null without one. */
  measured: RatioInterval | null;
  /** Remark on the verdict, or why there is none. */
  reason: string | null;
}

/** Whether a claim holds here. */
export type ClaimVerdict = CellAnswer | 'cannot-run';

/** A claim and its result. */
export interface JudgedClaim {
  claim: Claim;
  result: ClaimResult;
  /** Directory of the run that settled it, within that of the reproduction; null for what the gate settled
   * and what cannot be run.
   * @pattern ^[\w@.-]+$ */
  run: string | null;
}

/** reproduction.json: what `just reproduce` found. */
export interface Reproduction extends StudyCommon {
  /** What was asked, needed to resume. */
  question: {
    /** Identities of the claims. */
    claims: Text[];
    /** Seed of all comparisons. */
    seed: Seed;
    /** Whether workers run in a sandbox. */
    sandbox: boolean;
  };
  /** Sources of the claims in `judged`. */
  sources: ClaimSource[];
  /** The claims that had their turn, in the order of claims.json. */
  judged: JudgedClaim[];
}

/** The last result of a claim on this host, in `claims.json` of the cache. */
export interface RememberedResult {
  /** Identity of the claim. */
  id: string;
  verdict: ClaimVerdict;
  /** UTC, ISO 8601. */
  measuredAt: string;
  /** Version of Node. */
  node: string;
  /** Directory of the reproduction. */
  run: string;
}

// ── Replays ─────────────────────────────────────────────────────────────────────────────────────

/** What a report may ask of another host: bounded, so that a stranger's report cannot occupy it for days. */
interface ReplayableQuestion extends Question {
  /** @minItems 1
   * @maxItems 200 */
  cells: Cell[];
  /** @minimum 0.0001
   * @maximum 1 */
  minimumEffect: number;
  /** @minimum 0.0001
   * @maximum 0.5 */
  alpha: number;
  /** @minItems 1
   * @maxItems 16 */
  looks: Look[];
  /** @maximum 86400 */
  budgetSeconds: NonNegative | null;
  seed: Seed;
  /** @maximum 40 */
  placements?: Count;
  /** @maxItems 32 */
  nodeFlags: string[];
  /** @maxItems 200 */
  acceptedRows: RowName[];
  /** @minimum 0.01
   * @maximum 100 */
  boundary?: number;
}

/** A multiple of the processes that a block has of each variant.
 * @asType integer
 * @minimum 4
 * @maximum 10000
 * @multipleOf 4 */
type Look = number;

/** Kebab-case name of a row of a behaviour contract.
 * @pattern ^[a-z0-9]+(-[a-z0-9]+)*$ */
type RowName = string;

/** The replay record of a report that is replayed. */
export interface ReplayableRecord extends ReplayRecord {
  question: ReplayableQuestion;
}

/** A difference between the host of a report and this one. */
export interface EnvironmentDifference {
  /** Which part: `processor`, `Node`, `load`. */
  part: Text;
  /** In the report. */
  recorded: string;
  /** Here. */
  here: string;
}

/** A cell of a report beside the same cell measured here. */
export interface CellReplay {
  /** Identity of the cell. */
  cellId: Text;
  /** In the report. */
  recorded: CellFinding;
  /** On this host. */
  here: CellFinding;
  answer: CellAnswer;
  /** Remark on the answer. */
  reason: string | null;
}

/** Whether a report holds here. `environment-differs`: something is not reproduced, and the hosts differ. */
export type ReplayAnswer = 'reproduced' | 'not-reproduced' | 'environment-differs' | 'inconclusive';

/** replay.json: the result of a report on this host. */
export interface ReplayResult {
  formatVersion: FormatVersion;
  /** Identity of the run made here, in whose directory the file is. */
  runId: Text;
  /** When that run was created: UTC, ISO 8601. */
  createdAt: Timestamp;
  /** The command as typed. */
  command: string;
  /** The report that was replayed. */
  report: {
    /** Identity of its run. */
    runId: Text;
    /** When that run was created: UTC, ISO 8601. */
    createdAt: Timestamp;
    /** The Assay that measured it. */
    assay: AssayVersion;
    /** Spec of its baseline. */
    baseline: Text;
    /** Specs of its candidates. */
    candidates: Text[];
    /** Whether it ranks them. */
    rank?: boolean;
    /** Error rate of both comparisons; absent in old replays. */
    alpha?: OpenShare;
    /** Host it was measured on. */
    environment: Environment;
  };
  /** The Assay that measured here. */
  assay: AssayVersion;
  /** Host of the replay. */
  environment: Environment;
  /** How measuring here ended. */
  ended: RunEnd;
  answer: ReplayAnswer;
  /** In the order of the cells. */
  cells: CellReplay[];
  /** Between the hosts. */
  differences: EnvironmentDifference[];
  /** What was done differently from the report. */
  notes: string[];
}

// ── Bisections ──────────────────────────────────────────────────────────────────────────────────

/** A version or commit that may be measured. */
export interface Candidate {
  /** Variant spec. */
  spec: Text;
  /** Name in the log: `7.2.0`, or the first twelve digits of a commit. */
  name: Text;
  /** Subject line of a commit. */
  subject?: string;
}

/** What one comparison says of its candidate. In the search `good` and `bad` are the two sides of the
 * boundary; elsewhere `bad` is slower by the usual rule. */
export type StepAnswer = 'good' | 'bad' | 'unsettled' | 'unusable';

/** Purpose of a step: whether there is a regression at all, where it began, how large it is. */
export type StepPurpose = 'ends' | 'search' | 'neighbours';

/** What the comparison of a step found. */
export interface StepOutcome {
  answer: StepAnswer;
  /** By the usual rule; null if nothing was measured. */
  verdict: VerdictWord | null;
  /** Candidate divided by baseline, with the interval that gave the answer; null without figures. */
  ratio: RatioInterval | null;
  /** Measured processes of the arm that has fewer. */
  processes: Count;
  /** Why there is no answer. */
  reason: string | null;
  /** Directory of the run beside bisection.json; null if there is none. */
  runId: string | null;
}

/** How a step is measured, apart from its arms. */
export interface StepSettings {
  purpose: StepPurpose;
  /** From 1; a repetition is judged alone.
   * @maximum 3 */
  attempt: AtLeastOne;
  /** Seed of the order of its jobs. */
  seed: Seed;
  /** Error rate that the step allows itself. */
  alpha: OpenShare;
  /** Ratio that separates good from bad; null for the usual rule. */
  boundary: Positive | null;
}

/** One line of the log. */
export interface BisectionStep extends StepSettings, StepOutcome {
  /** Spec of the baseline. */
  baseline: Text;
  /** Spec of the candidate. */
  candidate: Text;
  /** Duration, in seconds. */
  seconds: NonNegative;
}

/** How a bisection ended. */
export type BisectionEnd =
  'running' | 'found' | 'not-settled' | 'no-regression' | 'interrupted' | 'failed';

/** bisection.json: the search for the first slower version or commit. Rewritten after every step. */
export interface Bisection {
  formatVersion: FormatVersion;
  /** Name of its directory. */
  bisectionId: Text;
  /** When it began: UTC, ISO 8601. */
  createdAt: Timestamp;
  /** Command that asks the same again. */
  command: Text;
  assay: AssayVersion;
  /** Family of the variants. */
  family: Text;
  /** What is measured. */
  cell: Cell;
  /** Seed of the first step; each further one has the next number. */
  seed: Seed;
  /** What all steps have in common, needed to resume. */
  question: Question;
  /** All that might be measured, the good end first, the bad end last.
   * @minItems 2 */
  candidates: Candidate[];
  /** Ratio to the good end that separates good from bad; null until the ends have been compared. */
  boundary: Positive | null;
  /** What was measured, in this order. */
  steps: BisectionStep[];
  ended: BisectionEnd;
  /** Spec of the last candidate known to be good. */
  lastGood: Text;
  /** Spec of the first candidate known to be bad. */
  firstBad: Text;
  /** Candidates between these two that have no answer. */
  skipped: {
    /** Variant spec. */
    spec: Text;
    /** Why there is none. */
    reason: Text;
  }[];
  /** `firstBad` compared with `lastGood`; null until that was measured. */
  change: {
    /** By the usual rule; null if nothing was measured. */
    verdict: VerdictWord | null;
    /** First bad divided by last good; null without figures. */
    ratio: RatioInterval | null;
  } | null;
}

// ── Trends ──────────────────────────────────────────────────────────────────────────────────────

/** What a step of a trend is for: the first points, those between two that differ, points that are needed more
 * precisely, two neighbours side by side. */
export type TrendPurpose = 'first' | 'between' | 'again' | 'neighbours';

/** A ratio and its error. */
export interface TrendEstimate {
  /** Logarithm of the ratio. */
  log: number;
  /** Standard error of the logarithm, of a normal distribution that reaches as far as Student's. */
  standardError: Positive;
  /** Degrees of freedom of Student's, for the interval; absent in old trends. */
  degreesOfFreedom?: Positive;
}

/** An estimate of one cell: a candidate divided by the baseline of its step. */
export interface TrendResult extends TrendEstimate {
  /** Spec of the candidate. */
  candidate: Text;
  /** Identity of the cell, without its candidate. */
  cellId: Text;
  verdict: VerdictWord;
  /** Processes of each variant. */
  processes: AtLeastOne;
  /** The same over placements of the code of both variants, where it was measured. */
  placement?: TrendEstimate;
}

/** One comparison of a trend. */
export interface TrendStep {
  purpose: TrendPurpose;
  /** Spec of the baseline. */
  baseline: Text;
  /** Specs of the candidates. */
  candidates: Text[];
  /** Identities of the cells, without their candidates. */
  cellIds: Text[];
  /** Duration, in seconds; of a comparison from the result store, what it took then. */
  seconds: NonNegative;
  /** Identity of its run; null if nothing could be measured. */
  runId: Text | null;
  /** Whether it comes from the result store. */
  isStored: boolean;
  /** Whether it was measured to its end; otherwise it is resumed. */
  isComplete: boolean;
  /** Variants that break rows of the behaviour contract. */
  breaches?: Breaches[];
  results: TrendResult[];
}

/** A version or commit on one cell. */
export interface SeriesPoint {
  /** Variant spec. */
  spec: Text;
  /** Candidate divided by reference, with its 95 % interval. */
  ratio: RatioInterval;
  /** Level of its segment of the series: the points between two changes. */
  level: Positive;
  /** Processes of the variant. */
  processes: AtLeastOne;
}

/** A place in a series where the level changes. */
export interface SeriesChange {
  /** Spec of the last measured point before it. */
  before: Text;
  /** Spec of the first measured point after it. */
  after: Text;
  /** Level after it divided by the level before, with a 95 % interval; of neighbours that were measured side by side,
   * that ratio. */
  step: RatioInterval;
  /** Whether the two were measured side by side. */
  isDirect: boolean;
  /** Set where the step is over placements of the code of both; otherwise it is of these builds. */
  overPlacements?: true;
  /** Points between the two that were not measured. */
  unmeasured: Count;
  /** Specs of the first and the last point that may be the first one after it. */
  range: [Text, Text];
}

/** What is known of one cell over the points of a trend. */
export interface TrendSeries {
  /** Identity of the cell. */
  cellId: Text;
  /** The measured ones, in the order of the points. */
  points: SeriesPoint[];
  changes: SeriesChange[];
}

/** How a trend ended. */
export type TrendEnd = 'running' | 'complete' | 'budget' | 'interrupted';

/** trend.json: performance over versions, commits or another axis. Rewritten after every step. */
export interface Trend {
  formatVersion: FormatVersion;
  /** Name of its directory. */
  trendId: Text;
  /** When it began: UTC, ISO 8601. */
  createdAt: Timestamp;
  /** Command that asks the same again. */
  command: Text;
  assay: AssayVersion;
  environment: Environment;
  /** Family of the variants. */
  family: Text;
  /** What the points are of: `npm:bson`. */
  source: Text;
  /** What all steps have in common; the baseline is the reference. */
  question: Question;
  /** All that might be measured, in order.
   * @minItems 2 */
  points: Candidate[];
  /** How many of them are measured first, evenly spaced. */
  firstPoints: AtLeastOne;
  /** Processes of each variant for a point, a multiple of four. */
  processes: AtLeastOne;
  /** Standard deviation between builds of the same code as a share, by cell id, as the calibration of the host found it;
   * of other cells that of the worst known one is used. Absent without a calibration. */
  placementSpread?: Record<Text, NonNegative>;
  /** What was measured, in this order. */
  steps: TrendStep[];
  /** Points that could not be measured. */
  skipped: {
    /** Variant spec. */
    spec: Text;
    /** Why. */
    reason: Text;
    /** Identities of the cells on which it could not; absent where none could be measured. */
    cellIds?: Text[];
  }[];
  series: TrendSeries[];
  ended: TrendEnd;
}
