/** verdict.json: a comparison as data. Ratios are candidate divided by baseline, in a ranking variant divided by the
 * fastest of the others, so that above 1 is slower. */

import type { CalibrationCitation } from './calibration.ts';
import type { Explanation } from './explanation.ts';
import type { MemoryVerdict } from './memory.ts';
import type { Failure } from './observations.ts';
import type { ColdFigure } from './protocol.ts';
import type {
  Arm,
  Cell,
  Environment,
  HostIdentity,
  HostNoise,
  PassName,
  RatioInterval,
  ReplayRecord,
} from './run.ts';
import type {
  AtLeastOne,
  Count,
  FormatVersion,
  NonNegative,
  Positive,
  RuntimeVersion,
  Share,
  Text,
} from './scalars.ts';

/** A verdict on a cell. */
export type VerdictWord =
  'faster' | 'slower' | 'equivalent' | 'inconclusive' | 'refused' | 'untrusted';

/** Two arms of one cell compared. */
export interface ArmComparison {
  /** Repeated confidence interval: valid at all looks together. */
  ratio: RatioInterval;
  /** Standard error of the logarithm of the ratio; absent in older reports. */
  standardError?: NonNegative;
  /** Degrees of freedom of the standard error. */
  degreesOfFreedom?: Positive;
  /** Two-sided p-value at the look that was taken, before any correction. */
  pNominal: NonNegative;
  /** Corrected for the sequential looks. */
  pSequential: NonNegative;
  /** Corrected for the looks and, by Holm, for all cells of the question. Where a cell was measured in other
   * placements, the larger of `pSequential` and the p-value of the placements is what is corrected. For the
   * control it is `pSequential`. */
  pAdjusted: NonNegative;
}

/** Both arms in several placements. The placement is the unit of the interval, which therefore covers that
 * another build, file name or neighbouring function would have placed the same code elsewhere. */
export interface PlacementComparison {
  /** Copies of each arm that have figures; the builds that were timed are none of them.
   * @asType integer
   * @minimum 2 */
  placements: number;
  /** Figures of each placement, of the one that has fewest. */
  figures: AtLeastOne;
  /** Candidate divided by baseline, the placement as the unit. */
  ratio: RatioInterval;
  /** Confidence of that interval as a share; absent in old runs. */
  confidence?: Share;
  /** One-sided p-value of the side on which the times have the difference, corrected for all looks at the placements. */
  p?: NonNegative;
  /** Standard error of the logarithm of the ratio, and its degrees of freedom; absent in old runs. */
  standardError?: NonNegative;
  degreesOfFreedom?: Positive;
  /** Time of each placement divided by the mean of its arm. */
  deviations: Record<'baseline' | 'candidate', Positive[]>;
  /** Standard deviation between placements of the same code, as a share, without the noise of processes: 0 where they
   * differ by no more than it, null where too few have the two figures from which it is known. */
  spread: NonNegative | null;
}

/** Where a variant stands among those that are ranked. */
export interface Standing {
  /** `best`: faster than every other. `among-the-best`: not shown to be slower than any other, as others are not.
   * `not-the-best`: slower than another. */
  class: StandingClass;
  /** Its time divided by that of the fastest other. The intervals of all variants of a workload, of all workloads
   * and of all looks hold together. */
  ratio: RatioInterval;
}

export type StandingClass = 'best' | 'among-the-best' | 'not-the-best';

/** How an effect differs between hosts. */
export interface HostComparison {
  /** Standard deviation of the true effects between hosts, as a share; 0 if what is seen is no more than noise. */
  spread: NonNegative;
  /** Each host.
   * @minItems 2 */
  effects: HostRatio[];
}

/** The effect on one host. */
interface HostRatio {
  /** Its name. */
  host: Text;
  /** Figures of the candidate there; absent where pairs are compared. */
  figures?: AtLeastOne;
  /** Pairs there. */
  pairs?: AtLeastOne;
  /** Candidate divided by baseline and control. */
  ratio: RatioInterval;
  /** Whether it differs from the median of the others, beyond chance among all hosts of the cell. */
  disagrees: boolean;
}

/** What a host has done for a run over several. */
export interface HostShare extends HostIdentity {
  /** Its name. */
  host: Text;
  /** Observations that it has made: attempts at timed jobs, and profiles. */
  observations: Count;
  /** Those of them that failed. */
  failed: Count;
}

/** What a call takes besides the figure: context, not a verdict. */
export interface ResourceComparison {
  /** `process-cpu`: CPU time of all threads. `elapsed`: time, on a core that is shared. `waiting`: time in which the event
   * loop had nothing to do. `collections`: pauses of the
   * garbage collector. `resident`: the most memory of the process. */
  name: 'process-cpu' | 'elapsed' | 'waiting' | 'collections' | 'resident';
  /** Nanoseconds per call, or bytes of the process. */
  unit: 'ns' | 'bytes';
  /** Typical figures; null without one. */
  values: Record<'baseline' | 'candidate', NonNegative | null>;
  /** Candidate divided by baseline and control together; null with too few figures. Each interval has the level of
   * the effect's, uncorrected for their number. */
  ratio: RatioInterval | null;
}

/** How much one arm does in a second: its time in another unit. */
export interface Throughput {
  documentsPerSecond: Positive;
  /** Of encoded bytes; absent where they are not known. */
  bytesPerSecond?: Positive;
}

/** A percentile of each process, over all processes of an arm. */
export interface TypicalPercentile {
  /** Median over processes, in nanoseconds. */
  ns: NonNegative;
  /** Interval of the median at 95 % or more, from order statistics; null with too few processes for one. */
  interval: { low: NonNegative; high: NonNegative } | null;
}

/** Percentiles of one arm. */
export interface ArmPercentiles {
  /** Processes that have figures. */
  processes: AtLeastOne;
  /** Calls, or pauses, of all of them together. */
  count: AtLeastOne;
  /** Documents in each timing of calls, in most processes. */
  documents?: AtLeastOne;
  p50: TypicalPercentile;
  /** Null where fewer than half of the processes have it. */
  p99: TypicalPercentile | null;
  max: TypicalPercentile;
}

/** Percentiles of the times of single calls, or of the pauses of the garbage collector: context, not a verdict. Null for
 * an arm without any; the baseline is absent in a ranking. */
export interface PercentileComparison {
  of: 'calls' | 'pauses';
  baseline?: ArmPercentiles | null;
  candidate: ArmPercentiles | null;
}

/** How messages are compressed, each on its own; `raw`: not at all. */
export type Compression = 'raw' | 'gzip' | 'brotli' | 'zstd';

/** The size of the messages of one cell, both arms compared. It has no noise: the same documents have the same size. */
export interface SizeComparison {
  compression: Compression;
  /** A direction where the ratio lies beyond the minimum effect. */
  verdict: 'smaller' | 'larger' | 'equivalent';
  /** Mean size of a message in bytes; in a ranking, `baseline` is the smallest of the other variants. */
  bytes: Record<'baseline' | 'candidate', Positive>;
  /** Candidate divided by baseline. */
  ratio: Positive;
}

/** Everything known of one cell. One that is null rests on too few figures. In a ranking a cell is a
 * variant, the candidate: `verdict` compares it with the fastest of the others, and baseline and control are the
 * two halves of its own processes. */
export interface CellComparison {
  cell: Cell;
  verdict: VerdictWord;
  /** Whether the verdict is a direction and its whole interval lies beyond the minimum effect. */
  strong: boolean;
  /** Processes that were started. */
  processes: Record<Arm, Count>;
  /** Those that gave a usable figure: the times and, without pairs, the ratio rest on them. */
  figures: Record<Arm, Count>;
  /** Complete pairs, both of whose processes ran at the same time and gave a figure: the ratio rests on them. Absent
   * where figures are compared. */
  pairs?: Count;
  /** Jobs without a measurement in any attempt. */
  failedJobs: Count;
  /** Time per document of the baseline in nanoseconds: trimmed mean of the figures of its processes and of those of
   * the control, on the log scale. */
  baselineNs: NonNegative | null;
  /** Time per document of the candidate in nanoseconds, by the same estimate. */
  candidateNs: NonNegative | null;
  /** Candidate divided by baseline and control together; null with fewer than four figures per variant, or four pairs. */
  effect: ArmComparison | null;
  /** Control divided by baseline; null with fewer than two figures, or pairs, per arm. */
  control: ArmComparison | null;
  /** In a ranking, the variant against the fastest of the others; absent with too few figures. */
  standing?: Standing;
  /** Smallest effect, as a share, that this many processes find with 80 % power. */
  detectableEffect: NonNegative | null;
  /** For `inconclusive`: processes per variant that would settle it, given the noise so far. */
  processesNeeded: NonNegative | null;
  /** Two-sided p-value of the Mann–Whitney test: a second opinion, not used for the verdict. */
  mannWhitneyP: NonNegative | null;
  /** Robust standard deviation of the figures of processes on the log scale, from the winsorized variance. */
  processSpread: Record<Arm, NonNegative | null>;
  /** Share of measured jobs whose warm-up had not settled. */
  unsettledShare: Share | null;
  /** Share of batches during which the processor was slower than its own calm pace; null if workers have
   * no reference loop. */
  disturbedShare: Share | null;
  /** Slope of the time over the run, as a share per minute, of baseline and control together. */
  driftPerMinute: number | null;
  /** Share of the batches' wall time spent collecting garbage. */
  gcShare: Record<Arm, NonNegative | null>;
  /** The effect on each host, in a run over several. */
  hosts?: HostComparison;
  /** What a call takes besides a figure that is not its time. */
  resources?: ResourceComparison[];
  /** Documents and bytes per second, where the figure is the time per document. The baseline is absent in a ranking. */
  throughput?: { baseline?: Throughput; candidate: Throughput };
  /** Percentiles of calls and pauses, if processes have them. */
  percentiles?: PercentileComparison[];
  /** The sizes of the messages, of an operation that makes messages; in a cell that times loading those of the code. */
  sizes?: SizeComparison[];
  /** The comparison over other placements of both arms, if they were measured. */
  placement?: PlacementComparison;
  /** Numbers of the warnings about this cell. */
  warnings: AtLeastOne[];
}

/** Something a careful reader should know, printed as a numbered note. */
export interface Warning {
  /** Its number, from 1. */
  number: AtLeastOne;
  /** Kebab-case kind, for programs. */
  kind: string;
  /** One or two sentences, for people. */
  text: string;
  /** The first of them, naming fewer cells; absent where it names few, and in older reports. */
  short?: string;
}

/** Geometric mean of the ratios of one operation over its corpora, of each cold figure on its own. */
export interface OperationSummary {
  /** Name of the operation. */
  operation: Text;
  /** What ran it, if a runtime was asked for. */
  runtime?: RuntimeVersion;
  /** Which first calls its cells time, if processes do not warm up. */
  cold?: ColdFigure;
  /** Number of the candidate in the question, from 0, if there are several. */
  candidate?: Count;
  /** Cells in the mean. */
  cellCount: AtLeastOne;
  /** The mean with its interval. */
  ratio: RatioInterval;
}

/** The exponent of time ~ size^exponent, with a 95 % interval over processes and sizes. */
export interface Exponent {
  estimate: number;
  low: number;
  high: number;
}

/** How time grows with the size of documents: cells that differ in it alone. */
export interface Sweep {
  /** Name of the operation. */
  operation: Text;
  /** Label of the corpus as it is. */
  corpus: Text;
  /** What ran it, if a runtime was asked for. */
  runtime?: RuntimeVersion;
  /** Number of the candidate in the question, from 0, if there are several. */
  candidate?: Count;
  /** Mean size of a document in canonical BSON, in bytes, ascending. */
  sizesBytes: Positive[];
  /** Null where too few sizes have figures. */
  exponents: Record<'baseline' | 'candidate', Exponent | null>;
}

/** A timed job of which at least one attempt failed. */
export interface FailedJob {
  /** Identity of the job within its run. */
  jobId: Text;
  /** Failed attempts. */
  failedAttempts: AtLeastOne;
  /** Whether another attempt succeeded. */
  measured: boolean;
  /** The last failure. */
  failure: Failure;
}

/** A place where a variant's output differs from the reference's. */
export interface Difference {
  /** Spec of the variant. */
  variant: string;
  /** Identity of the cell. */
  cellId: string;
  /** Index of the document in its corpus, from 0. */
  document: Count;
  /** Dotted path of the element, or `(whole document)`. */
  path: string;
  /** What the reference has there. */
  expected: string;
  /** What the variant has there. */
  found: string;
  /** Other variants with the same output as this one on that cell. */
  sameAs?: string[];
}

/** How measuring ended: `complete`, or why it ended early. */
export type RunEnd = 'complete' | 'budget' | 'interrupted' | 'failed' | 'refused';

/** A part of a merged run. */
export interface RunPart {
  /** Identity of the run that measured it. */
  runId: Text;
  /** Its number in the plan. */
  shard: AtLeastOne;
  /** Cells it measured. */
  cellIds: string[];
  /** Host it was measured on. */
  environment: Environment;
  /** What disturbed it. */
  hostNoise: HostNoise;
}

/** verdict.json: a comparison as data. */
export interface Verdict {
  formatVersion: FormatVersion;
  /** Identity of the run. */
  runId: Text;
  ended: RunEnd;
  /** Passes that the budget ended before they were complete. */
  left?: PassName[];
  /** Everything known of each cell. */
  cells: CellComparison[];
  /** Geometric means by operation. */
  summaries: OperationSummary[];
  /** How time grows with size, if sizes were swept. */
  sweeps?: Sweep[];
  /** What a careful reader should know. */
  warnings: Warning[];
  /** Where outputs differ from the reference's. */
  differences: Difference[];
  /** Timed jobs of which at least one attempt failed. */
  failedJobs: FailedJob[];
  hostNoise: HostNoise;
  /** The hosts of a run over several. */
  hosts?: HostShare[];
  /** The parts of a merged run, in their order. */
  parts?: RunPart[];
  /** What a calibration of this host found about such comparisons, if there is one. */
  calibration?: CalibrationCitation;
  /** Processes per variant at which a verdict was given between the planned looks because a session was
   * interrupted there, ascending, by cell id. A look cannot be undone. Absent if there are none. */
  interimLooks?: Record<string, AtLeastOne[]>;
  /** What the run took. */
  timing: {
    /** Wall time of all sessions, in milliseconds. */
    wallMs: NonNegative;
    /** Life of all workers together, in milliseconds. */
    workerMs: NonNegative;
    /** Processes that were started, in all passes. */
    observations: Count;
  };
  /** What was found about memory, if it was asked for. */
  memory?: MemoryVerdict;
  /** Why cells differ, if anything was profiled. */
  explanation?: Explanation;
  replay: ReplayRecord;
}
