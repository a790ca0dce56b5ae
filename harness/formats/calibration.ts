/** What is known of a host's noise: a calibration, its trials, its record, and other tools on the same task. */

import type { Interval } from './explanation.ts';
import type { MeasureSettings } from './protocol.ts';
import type {
  Arm,
  AssayVersion,
  Cell,
  Environment,
  HostIdentity,
  HostNoise,
  Mode,
  RatioInterval,
} from './run.ts';
import type {
  AtLeastOne,
  Count,
  FormatVersion,
  Integer,
  NonNegative,
  OpenShare,
  Positive,
  Seed,
  Share,
  Text,
  Timestamp,
} from './scalars.ts';
import type { Warning, VerdictWord } from './verdict.ts';

/** How comparisons measure. */
export interface Conditions {
  mode: Mode;
  /** `paired`: two jobs at the same time, each on its own core. Absent: one job at a time. */
  schedule?: 'paired';
}

/** What an injected cost consists of. */
export type CostKind = 'arithmetic' | 'allocation';

/** A share of comparisons with its 95 % Clopper–Pearson interval. */
export interface Proportion {
  /** Number of them. */
  count: Count;
  /** Number of comparisons. */
  of: Count;
  /** Lower end of the interval. */
  low: Share;
  /** Upper end of the interval. */
  high: Share;
}

/** Smallest effect that comparisons with a budget find. */
export interface DetectableEffect {
  /** Budget of one comparison, in seconds. */
  budgetSeconds: Positive;
  /** Smallest effect found with 80 % power, as a share; null if none was. */
  effect: NonNegative | null;
}

/** What a report says of the instrument that made it. */
export interface CalibrationCitation {
  /** Name of the directory of the calibration. */
  id: Text;
  /** When the calibration began: UTC, ISO 8601. */
  createdAt: Timestamp;
  /** A/A comparisons called different. */
  falsePositives: Proportion;
  /** By budget. */
  detectable: DetectableEffect[];
}

/** Limits above which a note is given, from what undisturbed comparisons had on this host. */
export interface Thresholds {
  /** Share of CPU time that other processes use. */
  othersShare: NonNegative;
  /** Share of CPU time that the hypervisor takes. */
  stealShare: NonNegative;
  /** Standard deviation between processes, log scale. */
  processSpread: NonNegative;
}

/** `.assay/calibration.json`: the calibration record, which comparisons on this host use and cite. */
export interface CalibrationRecord {
  formatVersion: FormatVersion;
  /** Name of the directory of the calibration. */
  id: Text;
  /** When the calibration began: UTC, ISO 8601. */
  createdAt: Timestamp;
  /** To recognize the host. */
  environment: HostIdentity;
  /** Best number of batches per process here.
   * @maximum 1000 */
  batchCount: AtLeastOne;
  /** The better schedule for comparisons here; absent unless both were calibrated. */
  schedule?: 'sequential' | 'paired';
  /** What was found, by mode and schedule. */
  modes: CalibratedConditions[];
  /** Standard deviation between placements as a share, by cell id. */
  placementSpread: Record<string, NonNegative>;
  thresholds: CalibratedThresholds;
}

/** What a calibration record says of comparisons in one mode with one schedule. */
export interface CalibratedConditions extends Conditions {
  /** A/A comparisons called faster or slower. */
  falsePositives: Proportion;
  /** By budget. */
  detectable: DetectableEffect[];
}

/** Thresholds of a calibration record: never 0 or 1, at which a note would always or never be given. */
interface CalibratedThresholds extends Thresholds {
  othersShare: OpenShare;
  stealShare: OpenShare;
  processSpread: OpenShare;
}

/** One process of a trial. */
export interface TrialProcess {
  arm: Arm;
  /** Start, in milliseconds since the trial began. */
  startedAtMs: NonNegative;
  /** Life from spawn to exit, in milliseconds. */
  workerMs: NonNegative;
  /** The figure it contributes, in nanoseconds per document. */
  ns: Positive;
  /** In a paired schedule its place, as in an observation: which process ran at the same time. */
  place?: { block: Count; position: Count };
}

/** One line of trials.ndjson: a comparison whose truth is known. */
export interface Trial extends Conditions {
  formatVersion: FormatVersion;
  /** Number from 0, in the order in which trials ran. */
  number: Count;
  /** Identity of the cell. */
  cellId: Text;
  /** Extra cost of the candidate as a share: 0.01 is 1 %; 0 is the baseline under another name. */
  injected: NonNegative;
  /** Kind of the cost; absent: arithmetic. */
  cost?: 'allocation';
  /** Whether it continued to the end of its budget although it was decided. */
  isFull: boolean;
  /** Seed of the order of its jobs. */
  seed: Integer;
  /** Start, in milliseconds since the calibration began. */
  startedAtMs: NonNegative;
  /** Duration, in milliseconds. */
  wallMs: NonNegative;
  /** What `compare` says at the look at which it would have stopped. */
  verdict: VerdictWord;
  /** Candidate divided by baseline at that look; null without figures. */
  ratio: RatioInterval | null;
  /** Processes of the candidate at that look. */
  processes: Count;
  /** Every process that measured, in order of time. */
  processed: TrialProcess[];
  /** Counters of the host over the trial. */
  hostNoise?: HostNoise;
}

/** An injected cost, compared with the baseline in processes that run both in turns. */
export interface InjectedCost {
  mode: Mode;
  /** Identity of the cell. */
  cellId: Text;
  /** As a share: 0.01 is 1 %. */
  injected: Positive;
  /** Kind of the cost; absent: arithmetic. */
  cost?: 'allocation';
  /** Rounds of the loop that causes the cost. */
  rounds: NonNegative;
  /** With the cost divided by without, by a straight line through all costs of the cell. */
  ratio: RatioInterval;
  /** The same from this cost alone, which shows whether the line fits. */
  alone: RatioInterval;
  /** Processes it was measured in. */
  processes: Count;
}

/** Comparisons with one injected cost. */
export interface PowerPoint {
  /** Extra cost of the candidate as a share: 0.01 is 1 %; 0 is the baseline under another name. */
  injected: NonNegative;
  /** Kind of the cost; absent: arithmetic. */
  cost?: 'allocation';
  /** Called slower. */
  found: Proportion;
  /** Called faster. */
  wrongSign: Proportion;
  /** Estimate divided by verified truth, minus one: mean over comparisons; null with fewer than two. */
  bias: Interval | null;
  /** Intervals that contain the verified truth. */
  covered: Proportion;
  /** Mean number of processes per variant. */
  processes: NonNegative;
}

/** How often an effect is found within a budget, at a false-positive rate of 5 %: one test at the end of the
 * budget, candidates of A/A comparisons made slower by arithmetic. */
export interface PowerCurve {
  /** Budget of one comparison, in seconds. */
  budgetSeconds: Positive;
  /** Comparisons that ran that long. */
  comparisons: Count;
  /** Mean number of processes per variant. */
  processes: NonNegative;
  /** Of the comparisons as they are. */
  falsePositives: Proportion;
  /** Power by effect, ascending. */
  points: {
    /** Effect as a share: 0.01 is 1 %. */
    effect: NonNegative;
    /** Share of comparisons that find it. */
    power: Share;
  }[];
  /** Smallest effect found with 80 % power, as a share; null beyond the last point. */
  detectable: NonNegative | null;
}

/** Standard deviations on the log scale, over all cells. */
export interface NoiseParts {
  /** Between fresh processes. */
  process: NonNegative;
  /** Between batches of one process; null if unknown. */
  batch: NonNegative | null;
  /** Between means of stretches of a minute and more, beyond what processes explain. */
  drift: NonNegative;
}

/** A part of a calibration that can be requested alone. */
export type CalibrationPart = 'false-positives' | 'power' | 'placements';

/** What was found in one mode with one schedule. */
export interface ModeCalibration extends Conditions {
  /** A/A comparisons called faster or slower by the rule of `compare`. */
  falsePositives: Proportion;
  /** The same by cell id. */
  byCell: Record<string, Proportion>;
  /** Verdicts of all A/A comparisons; 0 for a word that is missing. */
  verdicts: Partial<Record<VerdictWord, Count>>;
  /** A/A comparisons whose interval contains 1. */
  covered: Proportion;
  /** By kind of cost, arithmetic first, and injected cost, ascending, 0 first. */
  points: PowerPoint[];
  /** By budget, ascending. */
  curves: PowerCurve[];
  /** Where the noise comes from. */
  noise: NoiseParts;
}

/** What measuring longer in each process would gain. */
export interface SplitCalibration {
  mode: Mode;
  /** Identity of the cell. */
  cellId: Text;
  /** Processes that were measured longer. */
  processes: Count;
  /** By number of batches, ascending. */
  options: {
    /** Batches of a process. */
    batchCount: AtLeastOne;
    /** Standard deviation between processes, log scale. */
    spread: NonNegative;
    /** Life of a process, in milliseconds. */
    processMs: NonNegative;
    /** Smallest effect found with 80 % power in the budget of a trial, as a share. */
    detectable: NonNegative;
  }[];
  /** The best of them. */
  batchCount: AtLeastOne;
}

/** How far code placement moves a cell. */
export interface PlacementCalibration {
  /** Identity of the cell. */
  cellId: Text;
  /** Placements that were measured. */
  placements: AtLeastOne;
  /** Processes of each placement. */
  processes: AtLeastOne;
  /** Standard deviation between placements as a share, without the noise of processes. */
  spread: Interval;
  /** Largest mean of a placement divided by the smallest. */
  range: NonNegative;
  /** Standard deviation between processes of one placement, log scale. */
  processSpread: NonNegative;
}

/** What the results of all studies have in common. */
export interface StudyCommon {
  formatVersion: FormatVersion;
  /** Name of its directory. */
  id: Text;
  /** When it began: UTC, ISO 8601. */
  createdAt: Timestamp;
  /** The command as typed, with the seed. */
  command: string;
  /** Whether all that was planned was done. */
  ended: 'complete' | 'interrupted';
  /** Duration, in milliseconds. */
  wallMs: NonNegative;
  assay: AssayVersion;
  environment: Environment;
}

/** calibration.json: the errors of the instrument on this host. */
export interface Calibration extends StudyCommon {
  /** Seed of its plan. */
  seed: Seed;
  /** Time in which a worker ran, in milliseconds. */
  workerMs: NonNegative;
  hostNoise: HostNoise;
  settings: MeasureSettings;
  /** Spec of what was compared with itself and with its slower self. */
  variant: Text;
  /** Spec of the candidate, where it is the same code under another spec: pinned to the same Node in other words. */
  against?: Text;
  /** What was measured. */
  cells: Cell[];
  /** Minimum effect of interest as a share: 0.03 is 3 %. */
  minimumEffect: Positive;
  /** Error rate of a comparison. */
  alpha: OpenShare;
  /** Processes per variant at which a comparison looks at its data after the early look, ascending.
   * @minItems 1 */
  looks: AtLeastOne[];
  /** Processes per variant at the early look; absent where there is none, and in older calibrations. */
  earlyLook?: AtLeastOne;
  /** Budget of a trial, in seconds. */
  budgetSeconds: Positive;
  /** Injected costs as they were verified. */
  costs: InjectedCost[];
  /** What was found, by mode and schedule. */
  modes: ModeCalibration[];
  /** Where processes were measured longer than usual. */
  splits: SplitCalibration[];
  /** How far code placement moves cells. */
  placements: PlacementCalibration[];
  /** What a careful reader should know. */
  warnings: Warning[];
}

/** A benchmark tool. */
export interface PeerTool {
  /** Its name: `tinybench`. */
  name: Text;
  /** Its exact version. */
  version: string;
  /** Rule by which its user says that two arms differ, in words. */
  rule: string;
  /** Command that runs its part alone. */
  command: string;
  /** Why it took no part, if it took none. */
  cannotRun?: Text;
}

/** One comparison by one tool, whose truth is known. */
export interface PeerTrial {
  /** Name of the tool. */
  tool: Text;
  /** Number from 0, over all tools. */
  number: Count;
  /** Extra cost of the candidate as a share; 0 is the baseline under another name. */
  injected: NonNegative;
  /** Arm that ran first, or was added first if the tool decides. */
  first: 'baseline' | 'candidate';
  /** What the user of the tool would say of the candidate, by the rule of the tool. */
  conclusion: 'slower' | 'faster' | 'no difference';
  /** Candidate divided by baseline by the tool's own figures; null if it failed. */
  ratio: Positive | null;
  /** Duration, in milliseconds. */
  wallMs: NonNegative;
  /** Why it yielded no figures, if it yielded none. */
  failure?: Text;
  /** Start, in milliseconds since the first trial began. */
  startedAtMs: NonNegative;
}

/** peers.json: benchmark tools on the same task, document, budget and injected costs. */
export interface PeersComparison extends StudyCommon {
  /** Spec of what was compared with itself and with its slower self. */
  variant: Text;
  /** The task of every tool. */
  cell: Cell;
  /** Budget of one trial of one tool, both arms together, in seconds. */
  budgetSeconds: Positive;
  /** Seed of the order of trials and arms. */
  seed: Integer;
  /** Costs as calibration verified them; for those that are missing the nominal share is the truth. */
  costs: InjectedCost[];
  /** The tools that were asked for. */
  tools: PeerTool[];
  /** All trials in the order in which they ran. */
  trials: PeerTrial[];
}

/** Trials of one tool with one injected cost. Not stored. */
export interface PeerPoint {
  injected: number;
  /** Verified ratio if there is one, otherwise the nominal. */
  truth: number;
  /** Called slower. */
  found: Proportion;
  /** Called faster. */
  wrongSign: Proportion;
  /** Ratio divided by the truth, minus one. */
  bias: Interval | null;
}

/** All trials of one tool. Not stored. */
export interface PeerSummary {
  tool: string;
  trials: number;
  /** Trials that failed; they count nowhere else. */
  failures: number;
  /** A/A trials called slower or faster. */
  falsePositives: Proportion;
  /** By injected cost, ascending, without 0. */
  points: PeerPoint[];
  /** Effect of the order of the arms: A/A ratios with the baseline first divided by those with the candidate
   * first, minus one. */
  orderEffect: Interval | null;
  /** Standard deviation of the logarithms of the A/A ratios. */
  spread: number | null;
  /** Mean of a trial. */
  wallMs: number | null;
}

/** One property of a host that affects measurements, for people. Not stored. */
export interface Diagnosis {
  /** `clock source`. */
  name: string;
  /** As found: `tsc`; `not known` if the host does not say. */
  value: string;
  state: 'fine' | 'note' | 'unknown';
  /** What it means for a measurement. */
  sentence: string;
  /** What to do about it, if anything; commands are lines of their own. */
  advice: string | null;
}

/** A host as it is now: what `just doctor` reports. Not stored. */
export interface HostExamination {
  environment: Environment;
  /** Over the half second in which the processor was watched. */
  hostNoise: HostNoise;
  diagnoses: Diagnosis[];
  /** By mode and schedule, if the host was calibrated: what is cited, or why it is not. */
  calibrations: (Conditions & { citation: CalibrationCitation | null; note: string | null })[];
  /** The schedule that its calibration prefers; null without a preference. */
  schedule: NonNullable<CalibrationRecord['schedule']> | null;
}
