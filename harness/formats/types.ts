/**
 * Every shape that crosses a border: between the harness and a worker, between a run directory and
 * the pure core, between the core and the renderers. Interfaces only; durations carry their unit in
 * their name, sizes are bytes, ratios are candidate divided by baseline (above 1 means slower).
 */

// ── What is compared ────────────────────────────────────────────────────────────────────────────

/** How a document came to be, which decides what V8 makes of it. */
export type Provenance = 'parsed' | 'deserialized' | 'literal';

/** A variant spec after parsing: what the user asked for, nothing looked up yet. */
export type VariantSpec = {
  /** The whole of it, as typed. */
  text: string;
  /** Node version that it is pinned to, as typed: `20`, `22.11.0`; null for none. */
  node: string | null;
} & (
  | {
      kind: 'built-in';
      family: string | null;
      name: string;
      /** By axis: `linked-list+object-id=packed` has `{ 'object-id': 'packed' }`. */
      settings: Record<string, string>;
    }
  | { kind: 'npm'; packageName: string; version: string }
  /** A version of a package of a registry that a family names: `maven:org.mongodb:bson@5.4.0`. */
  | {
      kind: 'package';
      registry: string;
      packageName: string;
      version: string;
      settings: Record<string, string>;
    }
  | { kind: 'git'; directory: string; /** Branch, tag, commit, or `merge-base`. */ ref: string }
  | { kind: 'path'; path: string }
);

/** A variant that a worker can load. */
export interface ResolvedVariant {
  /** The spec as typed: `generator`, `npm:bson@7.2.0`, `path:../js-bson`. */
  spec: string;
  family: string;
  kind: VariantSpec['kind'];
  /** Absolute path of the module that a worker imports. */
  modulePath: string;
  /** What the family's `compose.js` changes of that module, by axis, or what a program of the
   * family's own is told of the variant; empty for most. */
  settings: Record<string, string>;
  /** Of a family that builds something: absolute path of what it built, null for a variant that needs
   * none of it. */
  buildPath?: string | null;
  /** What measures it, where that is not the JavaScript worker. */
  program?: WorkerProgram;
  /** Versions of the programs that built it and run it, by name. */
  toolchain?: Record<string, string>;
  /** One line: the idea behind it, or what the package says of itself. */
  idea: string;
  /** Where the idea comes from (pull request, paper, package). */
  source: string;
  /** Version of the package it came from, where it came from one. */
  version?: string;
  /** Subresource integrity of the package, where npm gave one. */
  integrity?: string;
  /** `sha256:…` over what is loaded: the family's sources, or the entry file of a package. */
  digest: string;
  /** Where it comes from a git checkout: the commit, and `sha256:…` over uncommitted changes, which
   * is null where there are none. */
  revision?: { commit: string; changes: string | null };
  /** Command that built it, where Assay did. */
  build?: string;
  /** Exact version of Node that it is pinned to; else it runs under that of the cell. */
  node?: string;
}

/** A Node other than the one that runs Assay. */
export interface Runtime {
  /** Exact version: `22.11.0`. */
  node: string;
  /** Absolute path. */
  executable: string;
  /** npm package that it came in, and the subresource integrity that npm gave for it. */
  packageName: string;
  integrity: string;
}

/** A corpus made ready on disk: what a job needs to know to read it. */
export interface PreparedCorpus {
  /** As typed and as printed: `flat`, `flat@deserialized`. */
  label: string;
  name: string;
  provenance: Provenance;
  /** `sha256:…` of the canonical BSON of all documents, one after the other. */
  digest: string;
  documentCount: number;
  /** Size of the canonical BSON. */
  sizeBytes: number;
  /** Absolute paths. `text`: one Extended JSON document a line; `canonical`: BSON with the exact
   * types; `bytes`: BSON as the reference writes the documents of this provenance. */
  files: { text: string; canonical: string; bytes: string };
}

/** One (operation, corpus) pair under one runtime. */
export interface Cell {
  /** `serialize flat`, unique in a run. */
  id: string;
  operation: string;
  corpus: string;
  /** Exact version of Node, where one was asked for. */
  node?: string;
  /** What its nanoseconds are, where they are not wall time per document. */
  figure?: string;
  /** Where its operation is one of several that differ in a number. */
  series?: Series;
  /** Whether its operation reads documents, so that memory includes what they retain. */
  readsDocuments?: boolean;
}

/** Place of an operation among others that differ from it in one number. */
export interface Series {
  /** Kebab-case, the same for all of them: `getters`. */
  name: string;
  /** What the number counts: `getters read`. */
  label: string;
  at: number;
}

/** The sides of a comparison. `control` is the baseline under another name. */
export type Arm = 'baseline' | 'candidate' | 'control';

/** What a run was asked to find out; together with the seed it decides every job. */
export interface Question {
  family: string;
  baseline: string;
  candidate: string;
  cells: Cell[];
  /** Minimum effect of interest as a share: 0.03 is 3 %. */
  minimumEffect: number;
  /** Family-wise error rate of a run, 0.05. */
  alpha: number;
  /** Processes a side at which the data are looked at, ascending. */
  looks: number[];
  /** Stop measuring after this long; `null` for no limit. */
  budgetSeconds: number | null;
  seed: number;
  /** `default` makes the claim; `screen` adds `--predictable` and is labelled so. */
  mode: 'default' | 'screen';
  /** Layouts a side that are measured where a verdict is small enough for code placement to matter:
   * copies of a side with meaning-preserving edits. 0 for none. */
  layouts?: number;
  /** Whether workers run in a sandbox. */
  sandbox?: boolean;
  /** Flags given to the node of every timed job, the mode's own included. */
  nodeFlags: string[];
  /** Whether memory is measured: not at all, after the time, or alone. */
  memory: 'none' | 'too' | 'only';
  /** Kinds of memory jobs, where memory is measured; all of them where not given. */
  memoryKinds?: readonly MemoryJobKind[];
  /** Rows of the behaviour contract whose failure is accepted, by name. */
  acceptedRows: string[];
  /** Cells that are profiled after the verdict: those that differ, all, or none. */
  explain: 'differing' | 'all' | 'none';
  /** Recorders asked for by name, which record every cell. */
  recorders: string[];
  /** Command that builds a revision of a checkout, where the user gave one. */
  build?: string;
  /** Ratio on one side of which a cell must be known to lie before it is settled: what a bisection
   * asks. */
  boundary?: number;
  /** Where only a part of the cells of a plan is measured: all of its cells, which is what the order
   * of jobs and the correction for many cells go by. */
  shard?: Shard;
}

/** One part of a plan that several hosts measure. Cells are never split. */
export interface Shard {
  /** Counted from 1. */
  index: number;
  count: number;
  cells: Cell[];
}

// ── The worker protocol ─────────────────────────────────────────────────────────────────────────

/** How long and how often a timed job measures. */
export interface MeasureSettings {
  warmUpMs: number;
  warmUpCalls: number;
  maxWarmUpMs: number;
  batchCount: number;
  batchMs: number;
}

/** What a worker reads, as one JSON document, from standard input. */
export type Job = MeasureJob | OutputJob | ConformanceJob | FuzzJob | MemoryJob | ExerciseJob;

interface JobCommon {
  formatVersion: number;
  id: string;
  family: string;
  /** Absolute path of the family's folder. */
  familyPath: string;
  variant: JobVariant;
  /** Exact version of Node that the worker must run under; absent: that of the harness. */
  node?: string;
}

/** What a worker loads: the module, then the settings applied to it; or what starts a program of
 * the family's own, and what that is told. */
export type JobVariant = Pick<
  ResolvedVariant,
  'spec' | 'modulePath' | 'settings' | 'buildPath' | 'program'
>;

/** Times an operation on a corpus. */
export interface MeasureJob extends JobCommon {
  kind: 'measure';
  operation: string;
  corpus: PreparedCorpus;
  settings: MeasureSettings;
  /** Directories of the packages that the operation needs, by name. */
  packages?: Record<string, string>;
}

/** Runs an operation once over a corpus and keeps what it produces. */
export interface OutputJob extends JobCommon {
  kind: 'output';
  operation: string;
  corpus: PreparedCorpus;
  /** Absolute path for the output, as frames (see `harness/worker/frames.js`). */
  outputPath: string;
}

/** Runs the family's own cases against the variant: `experiments/FAMILY/conformance.js`. */
export interface ConformanceJob extends JobCommon {
  kind: 'conformance';
  /** `contract`: the behaviour contract alone, which is fast. `all`: also vectors and limits. */
  parts: 'contract' | 'all';
}

/** Holds the variant against the family's reference on mutated documents: `experiments/FAMILY/fuzz.js`. */
export interface FuzzJob extends JobCommon {
  kind: 'fuzz';
  seed: number;
  /** Number of the first document: seed and number make the document. */
  firstDocument: number;
  /** Documents at most, … */
  maxDocuments: number;
  /** … and for how long. */
  maxMs: number;
  /** Absolute paths of directories with cases found earlier, which are mutated too. */
  casesPaths: string[];
  /** Absolute path of the file that says how far the job is, kept up to date as it goes. */
  journalPath: string;
  /** Whether the journal names every document before it is tried: slow, and tells which one hangs. */
  isCareful: boolean;
}

/** What a worker that finished says, as one JSON document, on standard output. */
export type WorkerReport =
  MeasureReport | OutputReport | ConformanceReport | FuzzReport | MemoryReport | ExerciseReport;

interface ReportCommon {
  formatVersion: number;
  jobId: string;
  /** What the worker runs on: `node`, `java`. */
  runtime: { name: string; version: string; flags: string[] };
}

export interface MeasureReport extends ReportCommon {
  kind: 'measure';
  /** `sha256:…` of the operation's output after the last batch. */
  outputDigest: string;
  measurement: Measurement;
}

export interface OutputReport extends ReportCommon {
  kind: 'output';
  /** `sha256:…` of the output; `null` when the variant threw. */
  outputDigest: string | null;
  /** What it threw. */
  thrown?: string;
}

export interface ConformanceReport extends ReportCommon {
  kind: 'conformance';
  /** Of the family's vectors and limits; none were tried where only the contract was asked for. */
  passed: number;
  failures: ConformanceFailure[];
  /** The family's behaviour contract, in its order. */
  contract: ContractRow[];
}

/** One promise of the behaviour contract. */
export interface ContractRow {
  /** What it belongs to, as a heading: `Equality and copies`. */
  theme: string;
  /** Kebab-case: `deep-equality`. */
  name: string;
  /** One line: what is promised. */
  promise: string;
  /** `differs`: it does not hold, and the variant says so and why. */
  outcome: 'holds' | 'fails' | 'differs';
  /** The variant's reason, or what was expected and found; null where it holds. */
  detail: string | null;
}

/** What a fuzz job found; its journal holds the same while it runs. */
export interface FuzzReport extends ReportCommon {
  kind: 'fuzz';
  result: FuzzResult;
}

export interface FuzzResult {
  documents: number;
  /** Documents on which variant and reference part. */
  differences: number;
  /** By the reference. */
  accepted: number;
  refused: number;
  /** Outcomes of the variant held against those of the reference. */
  checks: number;
  /** How the variant refused, by class of error. */
  errors: Record<string, number>;
  /** One of each kind. */
  failures: FuzzFailure[];
}

/** A document on which variant and reference part, made as small as possible. */
export interface FuzzFailure {
  /** Number of the document. */
  document: number;
  /** Kebab-case: `other-value`, `reads-outside`, `hangs`. */
  kind: string;
  hex: string;
  /** Of the deserializer. */
  options: Record<string, unknown>;
  /** Of the serializer that writes again what was read. */
  writeOptions: Record<string, unknown>;
  /** What the reference makes of it. */
  expected: string;
  found: string;
}

/** A case that the variant does not meet. */
export interface ConformanceFailure {
  name: string;
  expected: string;
  found: string;
}

/** The figures of one timed job. */
export interface Measurement {
  /** Nanoseconds of wall time per document, or what the operation's `figure` says instead, one
   * figure a batch. */
  batchNsPerDocument: number[];
  /** Calls on a document in each batch, or requests, where the figure is one of a request. */
  documentsPerBatch: number;
  /** Milliseconds of each batch spent collecting garbage, where the worker can tell. */
  batchGcMs?: number[];
  /** Nanoseconds that the yardstick, a fixed piece of arithmetic, took before each batch and after
   * the last one: how fast the processor was then. Where the worker has one. */
  yardstickNs?: number[];
  warmUp: { ms: number; calls: number; settled: boolean };
  /** Over all batches together. */
  cpuUserMs: number;
  cpuSystemMs: number;
  wallMs: number;
  gcCount: number;
  gcMs: number;
  voluntaryContextSwitches: number;
  involuntaryContextSwitches: number;
  /** Whether the job could raise its autogroup priority. */
  autogroupRaised: boolean;
}

// ── The run directory ───────────────────────────────────────────────────────────────────────────

/** Identity of a timed job within a run. */
export interface PlannedJob {
  /** `serialize flat/003/2/baseline`: cell, block, position, arm. */
  id: string;
  cellId: string;
  arm: Arm;
  block: number;
  position: number;
}

/** One line of observations.ndjson. */
export type Observation = ObservationDone | ObservationFailed;

interface ObservationCommon {
  formatVersion: number;
  jobId: string;
  cellId: string;
  arm: Arm;
  block: number;
  position: number;
  attempt: number;
  /** Milliseconds since the run was made (its first session). */
  startedAtMs: number;
  /** Life of the worker process from spawn to exit. */
  workerMs: number;
}

/** A job that ended with a measurement. */
export interface ObservationDone extends ObservationCommon {
  outcome: 'done';
  outputDigest: string;
  measurement: Measurement;
}

/** A job that did not. */
export interface ObservationFailed extends ObservationCommon {
  outcome: 'failed';
  failure: Failure;
}

/** How a worker failed and the last it said. */
export interface Failure {
  reason:
    | 'exit-status'
    | 'signal'
    | 'timeout'
    | 'output-limit'
    | 'memory-limit'
    | 'not-json'
    | 'bad-report'
    | 'left-behind'
    | 'spawn-error'
    // Of a layout: it could not be made.
    | 'no-copy';
  detail: string;
  lastLines: string[];
}

/** manifest.json: what a stranger needs to repeat the run. Written once, never changed. */
export interface Manifest {
  formatVersion: number;
  runId: string;
  createdAt: string;
  /** As typed by the user, to be pasted again. */
  command: string;
  assay: { version: string; revision: string | null; dirty: boolean };
  question: Question;
  settings: MeasureSettings;
  variants: { baseline: ResolvedVariant; candidate: ResolvedVariant; reference: ResolvedVariant };
  corpora: PreparedCorpus[];
  /** Digest that the reference's output has, by cell id. */
  expectedDigests: Record<string, string>;
  /** What the behaviour contract came to, by spec, of variants that are held to one; under further
   * Nodes than the first by `SPEC node 22.11.0`. */
  contracts: Record<string, ContractRow[]>;
  /** Directories of the npm packages that operations need, by name. */
  packages: Record<string, string>;
  /** The recorders that the second pass wants, and whether they can work here. */
  recorders: RecorderState[];
  /** Nodes that were measured under, other than the one that runs Assay. */
  runtimes: Runtime[];
  environment: Environment;
  /** What a calibration of the host found to be unusual there, so that the same notes come of the run
   * wherever and whenever it is judged. */
  thresholds?: Thresholds;
  /** What a calibration of the host had found when the run was made. */
  calibration?: CalibrationCitation;
  /** Of a run that was merged: the runs that it consists of. */
  parts?: RunPart[];
}

/** A shard as a part of a merged run. */
export interface RunPart {
  runId: string;
  shard: number;
  cellIds: string[];
  environment: Environment;
  hostNoise: HostNoise;
}

/** What a recorder's probe said when the run began. */
export interface RecorderState {
  name: string;
  available: boolean;
  /** Version, or why not. */
  detail: string;
  /** Command that installs what is missing, where one is known. */
  install: string | null;
}

/** Host fingerprint and what may disturb a measurement, taken before the first job. */
export interface Environment {
  node: string;
  v8: string;
  os: string;
  kernel: string;
  arch: string;
  cpuModel: string;
  cpuCount: number;
  memoryBytes: number;
  virtualization: string | null;
  governor: string | null;
  autogroup: boolean | null;
  cgroupCpuLimit: number | null;
  loadAverage: number;
  runnableProcesses: number | null;
  /** Whether cores run two threads each; null where the host does not tell, as all that follows. */
  smt: boolean | null;
  /** Whether the frequency may rise above the nominal one. */
  turbo: boolean | null;
  /** `tsc`, `kvm-clock`. */
  clockSource: string | null;
  /** `kernel.randomize_va_space`: 0 off, 1 without the heap, 2 all. */
  aslr: number | null;
  /** Share of the last ten seconds in which a task waited for a CPU (pressure stall information). */
  cpuPressure: number | null;
  /** Periods that the control group's limit cut short so far. */
  throttledPeriods: number | null;
  /** Share of CPU time stolen since boot. */
  stealShare: number | null;
  /** Variables of the user that would change a Node, which workers do not get: `NODE_OPTIONS`. */
  nodeVariables: string[];
}

/** Counters of the host over the timed part, last minus first. */
export interface HostNoise {
  /** Share of CPU time stolen by the hypervisor, 0…1; null where not known. */
  stealShare: number | null;
  /** Share of CPU time that other processes used, 0…1. */
  othersShare: number | null;
  throttledMs: number | null;
}

/** One thing about a host that figures may depend on, for people. */
export interface Diagnosis {
  /** `clock source`. */
  name: string;
  /** As it is: `tsc`; `not known` where the host does not tell. */
  value: string;
  state: 'fine' | 'note' | 'unknown';
  /** What it means for a measurement. */
  sentence: string;
  /** What to do about it, where there is anything to do; commands are lines of their own. */
  advice: string | null;
}

/** A host as it is at the moment: what `just doctor` says of it. */
export interface HostExamination {
  environment: Environment;
  /** Of the half second in which the processor was watched. */
  hostNoise: HostNoise;
  diagnoses: Diagnosis[];
  /** By mode of comparisons, where the host was calibrated: what is cited, or why it is not. */
  calibrations: {
    mode: Question['mode'];
    citation: CalibrationCitation | null;
    note: string | null;
  }[];
}

// ── Layouts ─────────────────────────────────────────────────────────────────────────────────────

/** Identity of a timed job of one layout within a run. */
export interface PlannedLayoutJob {
  /** `layout/deserialize deep/003/2/candidate-1`. */
  id: string;
  cellId: string;
  arm: 'baseline' | 'candidate';
  /** 0 is the side as it is, the others are edited. */
  layout: number;
  block: number;
  position: number;
}

/** One line of layouts.ndjson. */
export type LayoutObservation = PlannedLayoutJob & {
  formatVersion: number;
  startedAtMs: number;
  workerMs: number;
} & (
    | { outcome: 'done'; outputDigest: string; measurement: Measurement }
    | { outcome: 'failed'; failure: Failure }
  );

// ── What the core makes of it ───────────────────────────────────────────────────────────────────

export type VerdictWord =
  'faster' | 'slower' | 'equivalent' | 'inconclusive' | 'refused' | 'untrusted';

/** An interval on a ratio; `estimate` lies between. */
export interface RatioInterval {
  estimate: number;
  low: number;
  high: number;
}

/** Two arms of one cell held against each other. */
export interface ArmComparison {
  /** Repeated confidence interval: right at all looks together with 1 − alpha. */
  ratio: RatioInterval;
  /** Two-sided, at the look that was taken, before any correction. */
  pNominal: number;
  /** Corrected for the sequential looks. */
  pSequential: number;
  /** Corrected for the looks and, by Holm, for the cells that gate; the control gates nothing, so
   * its own is `pSequential`. */
  pAdjusted: number;
}

/** Everything said of one cell. A figure is `null` where there are too few processes to give it. */
export interface CellComparison {
  cell: Cell;
  verdict: VerdictWord;
  /** A direction whose whole interval lies beyond the minimum effect. */
  strong: boolean;
  processes: Record<Arm, number>;
  /** Jobs that brought no measurement in any attempt. */
  failedJobs: number;
  /** Nanoseconds per document: trimmed mean of process medians, on the log scale. */
  baselineNs: number | null;
  candidateNs: number | null;
  /** Candidate over baseline; `null` with fewer than two processes a side, as is the control's. */
  effect: ArmComparison | null;
  /** Control over baseline. */
  control: ArmComparison | null;
  /** Smallest effect, as a share, found with 80 % power by this many processes. */
  detectableEffect: number | null;
  /** For `inconclusive`: processes a side that would settle it, by the noise seen so far. */
  processesNeeded: number | null;
  /** Mann–Whitney, two-sided, as a second opinion; not used for the verdict. */
  mannWhitneyP: number | null;
  /** Standard deviation of log process medians, by arm (robust, from the winsorized variance). */
  processSpread: Record<Arm, number | null>;
  /** Share of measured jobs whose warm-up had not settled. */
  unsettledShare: number | null;
  /** Share of batches beside which the processor was slower than its own calm pace; null where
   * workers have no yardstick. */
  disturbedShare: number | null;
  /** Slope of the time over the run, as a share per minute, of baseline and control together. */
  driftPerMinute: number | null;
  /** Share of the batches' wall time spent collecting garbage. */
  gcShare: Record<Arm, number | null>;
  /** What other code placements of both sides make of it, where they were measured. */
  layout?: LayoutComparison;
  /** Numbers of the warnings that concern this cell. */
  warnings: number[];
}

/** Both sides in several layouts. The layout is the unit: the interval covers that another build,
 * file name or neighbouring function would have placed the same code elsewhere. */
export interface LayoutComparison {
  /** Layouts a side, the unedited one included. */
  layouts: number;
  /** Processes of each layout. */
  processes: number;
  /** Candidate over baseline, from the means of layouts. */
  ratio: RatioInterval;
  /** Each layout's time over the mean of its side; the unedited one first. */
  deviations: Record<'baseline' | 'candidate', number[]>;
  /** Standard deviation between layouts of the same code, as a share, the noise of processes taken
   * out. */
  spread: number;
}

/** Something a careful reader should know, printed as a numbered note. */
export interface Warning {
  number: number;
  /** Kebab-case kind, for programs. */
  kind: string;
  /** One or two sentences, for people. */
  text: string;
}

/** Geometric mean of the ratios of one operation over its corpora. */
export interface OperationSummary {
  operation: string;
  /** Exact version of Node, where one was asked for. */
  node?: string;
  cellCount: number;
  ratio: RatioInterval;
}

/** verdict.json: a comparison as data. */
export interface Verdict {
  formatVersion: number;
  runId: string;
  /** `complete`, or why measuring ended early. */
  ended: 'complete' | 'budget' | 'interrupted' | 'failed' | 'refused';
  cells: CellComparison[];
  summaries: OperationSummary[];
  warnings: Warning[];
  differences: Difference[];
  failedJobs: FailedJob[];
  hostNoise: HostNoise;
  /** What a calibration of this host found of comparisons like this, where there is one. */
  calibration?: CalibrationCitation;
  /** By cell id, processes a side at which a verdict was given between the planned looks, because a
   * session was cut off there; what was looked at once stays looked at. Only where there are any. */
  interimLooks?: Record<string, number[]>;
  timing: { wallMs: number; workerMs: number; observations: number };
  /** Where memory was asked for. */
  memory?: MemoryVerdict;
  /** Where anything was profiled. */
  explanation?: Explanation;
  /** What it takes to measure the same elsewhere. */
  replay: ReplayRecord;
}

/** What a report says of the instrument that made it. */
export interface CalibrationCitation {
  id: string;
  createdAt: string;
  /** A/A comparisons called different here. */
  falsePositives: Proportion;
  /** Smallest effect found with 80 % power, by budget a cell. */
  detectable: { budgetSeconds: number; effect: number | null }[];
}

/** What travels with every report, so that it can be replayed from that alone. No path of the machine
 * that measured but those that were typed. */
export interface ReplayRecord {
  formatVersion: number;
  runId: string;
  createdAt: string;
  assay: Manifest['assay'];
  question: Question;
  variants: Record<'baseline' | 'candidate', ReplayVariant>;
  corpora: Pick<PreparedCorpus, 'label' | 'digest' | 'documentCount'>[];
  runtimes: Pick<Runtime, 'node' | 'packageName' | 'integrity'>[];
  environment: Environment;
  /** Of the timed part; reports have not always told. */
  hostNoise?: HostNoise;
  results: { cellId: string; verdict: VerdictWord; ratio: RatioInterval | null }[];
}

/** A variant without where it lies. */
export type ReplayVariant = Pick<
  ResolvedVariant,
  'spec' | 'kind' | 'digest' | 'version' | 'integrity' | 'revision' | 'build' | 'toolchain' | 'node'
>;

/** A timed job of which at least one attempt failed. */
export interface FailedJob {
  jobId: string;
  failedAttempts: number;
  /** Whether another attempt measured after all. */
  measured: boolean;
  /** The last failure. */
  failure: Failure;
}

/** One place where a variant's output is not the reference's. */
export interface Difference {
  variant: string;
  cellId: string;
  /** Index of the document in its corpus. */
  document: number;
  /** Dotted path of the element, or `(whole document)`. */
  path: string;
  expected: string;
  found: string;
}

// ── Calibration ─────────────────────────────────────────────────────────────────────────────────

/** One line of trials.ndjson: a comparison whose truth is known. */
export interface Trial {
  formatVersion: number;
  /** Counted from 0, in the order in which they ran. */
  number: number;
  mode: Question['mode'];
  cellId: string;
  /** Extra cost of the candidate, as a share: 0 is the baseline under another name. */
  injected: number;
  /** Whether it went on to the end of its budget although it was decided. */
  isFull: boolean;
  seed: number;
  startedAtMs: number;
  wallMs: number;
  /** What `compare` says at the look at which it would have stopped. */
  verdict: VerdictWord;
  ratio: RatioInterval | null;
  /** Processes a side at that look. */
  processes: number;
  /** Every process in the order of time. */
  processed: TrialProcess[];
  /** Counters of the host over the trial. */
  hostNoise?: HostNoise;
}

/** One process of a trial. */
export interface TrialProcess {
  arm: Arm;
  /** Since the trial began. */
  startedAtMs: number;
  workerMs: number;
  /** The figure it contributes, in nanoseconds per document. */
  ns: number;
}

/** An injected cost, held against the baseline in processes that run both in turns. */
export interface InjectedCost {
  mode: Question['mode'];
  cellId: string;
  /** As a share: 0.01. */
  injected: number;
  /** Rounds of the loop that cost it. */
  rounds: number;
  /** With cost over without, by a straight line through all costs of the cell. */
  ratio: RatioInterval;
  /** The same by this cost alone, which tells whether the line holds. */
  alone: RatioInterval;
  /** Processes that it was measured in. */
  processes: number;
}

/** calibration.json: what the instrument's errors are on this host. Shares are 0…1. */
export interface Calibration {
  formatVersion: number;
  /** Name of its directory. */
  id: string;
  createdAt: string;
  /** As typed, with the seed. */
  command: string;
  /** That its plan goes by. */
  seed: number;
  ended: 'complete' | 'interrupted';
  wallMs: number;
  workerMs: number;
  assay: Manifest['assay'];
  environment: Environment;
  hostNoise: HostNoise;
  settings: MeasureSettings;
  /** What was compared with itself. */
  variant: string;
  cells: Cell[];
  /** Minimum effect of interest and error rate, as of `compare`. */
  minimumEffect: number;
  alpha: number;
  looks: number[];
  /** Of a trial. */
  budgetSeconds: number;
  costs: InjectedCost[];
  modes: ModeCalibration[];
  /** Where processes were measured for longer than usual. */
  splits: SplitCalibration[];
  layouts: LayoutCalibration[];
  warnings: Warning[];
}

/** A share of comparisons, with its Clopper–Pearson interval of 95 %. */
export interface Proportion {
  count: number;
  of: number;
  low: number;
  high: number;
}

export interface ModeCalibration {
  mode: Question['mode'];
  /** A/A comparisons that were called faster or slower, by the rule of `compare`. */
  falsePositives: Proportion;
  /** The same by cell id. */
  byCell: Record<string, Proportion>;
  /** What all A/A comparisons were called. */
  verdicts: Record<VerdictWord, number>;
  /** A/A comparisons whose interval holds 1. */
  covered: Proportion;
  /** By injected cost, ascending, 0 first. */
  points: PowerPoint[];
  /** By budget, ascending. */
  curves: PowerCurve[];
  /** Standard deviations on the log scale, over all cells. */
  noise: NoiseParts;
}

/** What comparisons with one injected cost came to. */
export interface PowerPoint {
  injected: number;
  /** Called slower. */
  found: Proportion;
  /** Called faster. */
  wrongSign: Proportion;
  /** Estimate over verified truth, minus one: mean over comparisons and its interval. */
  bias: Interval | null;
  /** Intervals that hold the verified truth. */
  covered: Proportion;
  /** Mean, a side. */
  processes: number;
}

/** How often an effect is found in a budget, at a false-positive rate of 5 %: one test at the end of
 * the budget, candidates of A/A comparisons made slower by arithmetic. */
export interface PowerCurve {
  budgetSeconds: number;
  comparisons: number;
  /** Mean, a side. */
  processes: number;
  /** Of the comparisons as they are. */
  falsePositives: Proportion;
  points: { effect: number; power: number }[];
  /** Smallest effect found with 80 % power; null beyond the last point. */
  detectable: number | null;
}

/** Standard deviations on the log scale. */
export interface NoiseParts {
  /** Between the figures of fresh processes. */
  process: number;
  /** Between batches of one process; null where not known. */
  batch: number | null;
  /** Between means of stretches of a minute and more, beyond what processes explain. */
  drift: number;
}

/** What measuring for longer in each process would buy. */
export interface SplitCalibration {
  mode: Question['mode'];
  cellId: string;
  processes: number;
  /** By number of batches, ascending. */
  options: {
    batchCount: number;
    /** Of the figures of processes, log scale. */
    spread: number;
    processMs: number;
    /** Smallest effect found with 80 % power in the budget of a trial. */
    detectable: number;
  }[];
  /** The best of them. */
  batchCount: number;
}

/** How far code placement moves a cell. */
export interface LayoutCalibration {
  cellId: string;
  layouts: number;
  /** Of each. */
  processes: number;
  /** Standard deviation between layouts, as a share, the noise of processes taken out; with an
   * interval of 95 %. */
  spread: Interval;
  /** Largest over smallest. */
  range: number;
  /** Standard deviation between processes of one layout. */
  processSpread: number;
}

/** `.assay/calibration.json`: what comparisons here go by and cite. */
export interface CalibrationProfile {
  formatVersion: number;
  id: string;
  createdAt: string;
  /** To tell whether it is still this host. */
  environment: Pick<Environment, 'node' | 'cpuModel' | 'cpuCount' | 'kernel'>;
  /** Batches in each process that are best here. */
  batchCount: number;
  modes: {
    mode: Question['mode'];
    falsePositives: Proportion;
    /** By budget: smallest effect found with 80 % power. */
    detectable: { budgetSeconds: number; effect: number | null }[];
  }[];
  /** Standard deviation between layouts by cell id. */
  layoutSpread: Record<string, number>;
  thresholds: Thresholds;
}

/** Above which a note is given, by what undisturbed comparisons had on a host. */
export interface Thresholds {
  othersShare: number;
  stealShare: number;
  /** Standard deviation between processes, log scale. */
  processSpread: number;
}

/** peers.json: benchmark tools on the same task, document, budget and injected costs. */
export interface PeersComparison {
  formatVersion: number;
  /** Name of its directory. */
  id: string;
  createdAt: string;
  /** As typed, with the seed. */
  command: string;
  ended: 'complete' | 'interrupted';
  wallMs: number;
  assay: Manifest['assay'];
  environment: Environment;
  /** What was compared with itself and with its costlier self. */
  variant: string;
  cell: Cell;
  /** Of one trial of one tool, both sides together. */
  budgetSeconds: number;
  seed: number;
  /** As calibration verified them; the nominal share is the truth of those that are missing. */
  costs: InjectedCost[];
  tools: PeerTool[];
  /** In the order in which they ran. */
  trials: PeerTrial[];
}

export interface PeerTool {
  name: string;
  /** Exact. */
  version: string;
  /** By which its user says 'different', in words. */
  rule: string;
  /** Runs its part alone. */
  command: string;
  /** Why it took no part. */
  cannotRun?: string;
}

/** One comparison by one tool, whose truth is known. */
export interface PeerTrial {
  tool: string;
  /** Counted from 0, over all tools. */
  number: number;
  /** Extra cost of the candidate, as a share: 0 is the baseline under another name. */
  injected: number;
  /** Side that ran first, or was added first where the tool decides itself. */
  first: 'baseline' | 'candidate';
  said: 'slower' | 'faster' | 'no difference';
  /** Candidate over baseline by the tool's own figures; null where it failed. */
  ratio: number | null;
  wallMs: number;
  /** Why it brought no figures. */
  failure?: string;
  /** Since the first trial began. */
  startedAtMs: number;
}

/** What the trials of one tool came to. */
export interface PeerSummary {
  tool: string;
  trials: number;
  /** Trials that failed; they count nowhere else. */
  failures: number;
  /** A/A trials that were called slower or faster. */
  falsePositives: Proportion;
  /** By injected cost, ascending, without 0. */
  points: PeerPoint[];
  /** What the order of the sides does: A/A ratios with the baseline first over those with the
   * candidate first, minus one. */
  orderEffect: Interval | null;
  /** Standard deviation of the logarithms of the A/A ratios. */
  spread: number | null;
  /** Mean of a trial. */
  wallMs: number | null;
}

/** What the trials of one tool with one injected cost came to. */
export interface PeerPoint {
  injected: number;
  /** Verified ratio where there is one, else the nominal. */
  truth: number;
  /** Called slower. */
  found: Proportion;
  /** Called faster. */
  wrongSign: Proportion;
  /** Ratio over the truth, minus one. */
  bias: Interval | null;
}

// ── What a family brings ────────────────────────────────────────────────────────────────────────

/** `experiments/FAMILY/family.js` exports one as `family`. */
export interface Family {
  name: string;
  summary: string;
  /** Spec of the variant whose output is right by definition. */
  reference: string;
  /** npm packages whose versions are variants of this family. */
  packages: string[];
  /** Whether a module or checkout of no known package may be a variant too. */
  takesModules?: boolean;
  /** Operations and corpora of a comparison that names none. */
  defaultOperations: string[];
  defaultCorpora: string[];
  /** What can be set apart from the rest of a built-in variant; needs a `compose.js` that exports
   * `composeVariant(module, settings)`, which returns the module with the settings applied. */
  axes?: Axis[];
  /** How the instrument is measured with a variant of this family, where that can be done. */
  calibration?: FamilyCalibration;
  /** How long a timed job warms up and measures, where it is not what JavaScript takes. */
  settings?: Partial<MeasureSettings>;
  /** Whether its operations can read a corpus, where not every corpus will do. */
  takesCorpus?(corpus: CorpusSample): boolean;
  /** Roughly how long the process of a timed job lives, in milliseconds, where it is not what
   * JavaScript takes: by it time is shared out. */
  processMs?: number;
  /** Kinds of memory jobs that can be done; all of them where not given. */
  memory?: readonly MemoryJobKind[];
  /** Packages whose versions are variants of this family, by registry, which is what a spec begins
   * with; needs `bringPackage` of the family's worker. */
  registries?: Record<string, string[]>;
}

/** What tells whether a corpus fits: its name, and its first document as plain objects and BSON value
 * classes. */
export interface CorpusSample {
  name: string;
  firstDocument: Record<string, any>;
}

/** What a calibration measures where nothing else is asked for, and what it injects costs by. */
export interface FamilyCalibration {
  variant: string;
  corpora: string[];
  /** Axis whose values are rounds of useless work after each document, from 1. */
  costAxis: string;
}

/** A property of a variant that `+NAME=VALUE` sets. */
export interface Axis {
  name: string;
  summary: string;
  /** Its values are the modules of this folder of the family, … */
  folder?: string;
  /** … or these, or, with neither, whole numbers from 1. */
  values?: string[];
}

/** `experiments/FAMILY/variants/NAME.js` exports one as `variant`, beside its functions. */
export interface VariantDescription {
  idea: string;
  source: string;
  /** Variant of the same family from which it differs in its idea alone. */
  neighbour?: string;
  /** Where its behaviour differs from the reference on purpose, one sentence each. */
  differs?: string[];
  /** Rows of the behaviour contract that do not hold on purpose, by name, with the reason. */
  breaks?: Record<string, string>;
  /** Whether documents nested thousands deep exhaust its call stack. */
  usesCallStack?: boolean;
  /** What a program of the family's own is told of it; axes replace the entry of their name. */
  settings?: Record<string, string>;
  /** Whether it needs nothing of what its family builds, and so no toolchain. */
  isPortable?: boolean;
  /** Operations that it has, where that is not all of its family's. */
  operations?: string[];
}

/** `experiments/FAMILY/worker.js` exports one as `worker`, where something must be built before
 * variants can be measured, or where they are not written in JavaScript. */
export interface FamilyWorker {
  /** Programs that building and running take. */
  toolchain: Tool[];
  /** Files and folders, relative to the family's, that go into the build; with `worker.js` itself and the
   * versions of the toolchain they name its place in the cache. */
  sources: string[];
  /** Variables of the user's environment that the toolchain goes by: where it is installed. */
  variables?: string[];
  /** Fills `context.outputPath` with what runs jobs, or with what variants load.
   * @throws {MachineError} when a program fails or what was downloaded is not what is locked */
  build(context: BuildContext): Promise<void>;
  /** How the worker of a variant is started. Absent: variants run in the JavaScript worker, and
   * `compose.js` is told where the build is. */
  command?(built: BuiltVariant): WorkerProgram;
  /** Brings a version of a package into `context.outputPath`.
   * @throws {UsageError} when there is no such version */
  bringPackage?(
    wanted: { registry: string; name: string; version: string },
    context: BuildContext,
  ): Promise<{ integrity: string; idea: string; source: string }>;
}

/** A program that a family's worker needs. */
export interface Tool {
  /** As it is called: `cc`. */
  name: string;
  /** `1.90`. */
  leastVersion: string;
  /** What makes it print its version, on standard output or standard error. */
  versionArgs: string[];
  /** Command that installs it, or where it is to be had. */
  install: string;
}

/** What a build may use. All paths absolute. */
export interface BuildContext {
  familyPath: string;
  /** Empty; its content is kept when all went well. */
  outputPath: string;
  /** Kept from build to build: for what the tools of a toolchain download. */
  downloadsPath: string;
  /** Runs a program to its end and gives its standard output.
   * @throws {MachineError} with the last that it said, when it fails */
  run(
    program: string,
    args: string[],
    options?: { workingPath?: string; variables?: Record<string, string>; timeoutMs?: number },
  ): Promise<string>;
}

/** What `FamilyWorker.command` starts from. */
export interface BuiltVariant {
  buildPath: string;
  /** What `bringPackage` brought, where the variant is a package. */
  packagePath: string | null;
  settings: Record<string, string>;
}

/** A program that speaks the worker protocol. */
export interface WorkerProgram {
  /** Absolute path, or a name to be found on the path. */
  executable: string;
  /** It reads its job from standard input, or from the file that one more argument names. */
  args: string[];
  /** Put before `args` where stacks are recorded, so that they can be walked and named. */
  recordingArgs?: string[];
  /** Put before `args` where instructions are counted, so that the same work takes as many each time:
   * where code is compiled as it runs, neither clock nor another thread may decide what. */
  countingArgs?: string[];
  /** Names of the functions that are the measured loop, as a profile shows them. */
  loop: string[];
}

/** `experiments/FAMILY/operations/NAME.js` exports one as `operation`. This much of it is read by the
 * harness, and is all of it where a program of the family's own measures. */
export interface OperationDescription {
  summary: string;
  /** What its nanoseconds are, where they are not wall time per document: `server CPU time per
   * request`. */
  figure?: string;
  /** npm packages that `measure` needs: exact version by name. */
  packages?: Record<string, string>;
  /** Corpora of a comparison that names this operation and no corpus; else the family's. */
  defaultCorpora?: string[];
  /** Whether it can read a corpus, where not every corpus that its family takes will do. */
  takesCorpus?(corpus: CorpusSample): boolean;
  /** Where it is one of several that differ in a number. */
  series?: Series;
  /** Whether it makes what `retain.js` of the family holds. Only with such an operation does a
   * comparison of memory measure what documents retain. */
  readsDocuments?: boolean;
  /** Says in words where two outputs of one document part. */
  explainDifference(
    expected: Uint8Array,
    found: Uint8Array,
  ): Promise<{ path: string; expected: string; found: string }>;
}

/** An operation that runs inside the JavaScript worker. */
export interface Operation<State = unknown> extends OperationDescription {
  /** Reads the corpus into what the loop needs. `module` is the variant's namespace object. */
  prepare(module: object, corpus: PreparedCorpus): Promise<State> | State;
  /** The measured loop: goes over all documents `passes` times and keeps the result alive. */
  run(state: State, passes: number): void;
  /** Measures in place of the harness, where time in `run` is not the figure. Leaves no process and
   * no open port behind. */
  measure?(state: State, conditions: MeasureConditions): Promise<Measurement>;
  /** The values whose form in V8 decides the pace of `run`: what it reads, or what it makes. */
  values?(state: State): object[];
  /** What the operation produces, one byte array a document: the material of the gate. */
  output(state: State): Promise<Uint8Array[]> | Uint8Array[];
}

/** What an operation that measures itself is given. */
interface MeasureConditions {
  /** Made for a loop without a pause; an operation may need a multiple of them. */
  settings: MeasureSettings;
  /** Directories of the packages that it asked for, by name. */
  packages: Record<string, string>;
}

// ── What a corpus brings ────────────────────────────────────────────────────────────────────────

/** `corpora/NAME.js` exports one as `corpus`. */
export interface Corpus {
  name: string;
  /** What it stresses, one line. */
  stresses: string;
  /** Pinned `sha256:…` of its canonical BSON, in its default number of documents. */
  digest: string;
  /** Documents where the label gives no count. Absent: the corpus has a fixed number of them and
   * takes no count. */
  defaultCount?: number;
  /** Yields documents of plain objects and BSON value classes, the same for the same seed, one by
   * one; fewer are the first of more. */
  documents(count?: number): Iterable<Record<string, unknown>>;
}

// ── Memory ──────────────────────────────────────────────────────────────────────────────────────

/** What a memory job finds out. Allocation and collections belong to a cell; what is retained belongs
 * to a corpus, since documents are held as `retain.js` of the family reads them. */
export type MemoryJobKind = 'allocation' | 'collections' | 'retained-slope' | 'retained-snapshot';

/** A job that measures memory; it is never timed for a verdict. */
export type MemoryJob = CellMemoryJob | CorpusMemoryJob;

/** Runs an operation and sees what it allocates, or how often that is collected. */
export interface CellMemoryJob extends JobCommon {
  kind: 'allocation' | 'collections';
  operation: string;
  corpus: PreparedCorpus;
}

/** Reads documents, keeps all of them, and sees what they hold. */
export interface CorpusMemoryJob extends JobCommon {
  kind: 'retained-slope' | 'retained-snapshot';
  corpus: PreparedCorpus;
  /** Documents to hold; the corpus is repeated where it has fewer. */
  documentCount: number;
}

/** What a memory job found. */
export type MemoryResult = AllocationResult | CollectionsResult | SlopeResult | SnapshotResult;

export interface MemoryReport extends ReportCommon {
  kind: MemoryJobKind;
  result: MemoryResult;
}

/** Bytes allocated by an operation, from windows of two lengths without a collection in them. */
export interface AllocationResult {
  kind: 'allocation';
  /** Bytes per document, one figure a pair of windows: what the longer one has more. */
  windowHeapBytes: number[];
  /** Off the heap (array buffers, above all), over all windows together. */
  offHeapBytes: number;
  /** Number of allocations per document, where that can be counted. */
  allocations?: number;
  documentsPerWindow: number;
  /** Windows with a collection in them: thrown away, or, when no other is left, bridged by what the
   * collector says of the heap before and after. */
  collectedWindows: number;
  bridged: boolean;
}

/** Garbage collections under default flags. */
export interface CollectionsResult {
  kind: 'collections';
  documents: number;
  wallMs: number;
  /** By kind of collection: `scavenge`, `mark-compact`, `incremental`, `weak-callbacks`. */
  collections: Record<string, { count: number; ms: number }>;
  /** Bytes allocated per document by the collector's own account, a cross-check of the windows. */
  allocatedBytes: number;
}

/** What is held after so many documents. Everything in bytes. */
export interface HeldPoint {
  documents: number;
  heapUsedBytes: number;
  /** Off the heap, array buffers included. */
  externalBytes: number;
  /** The part of `externalBytes` that array buffers take. */
  arrayBufferBytes: number;
  rssBytes: number;
}

/** The gc'd heap at several numbers of held documents. */
export interface SlopeResult {
  kind: 'retained-slope';
  points: HeldPoint[];
}

/** What a heap snapshot says of the documents held. Means per document or per instance, in bytes. */
export interface SnapshotResult {
  kind: 'retained-snapshot';
  documents: number;
  heapBytes: number;
  offHeapBytes: number;
  /** The same by what it consists of, the largest first; sums to the two figures above. */
  composition: CompositionPart[];
  /** The documents themselves, then the constructors that retain the most. */
  groups: HeldGroup[];
}

/** Objects of one sort within a document. */
export interface CompositionPart {
  /** `ObjectId`, `string`, `ArrayBuffer data`. */
  name: string;
  perDocument: number;
  heapBytes: number;
  offHeapBytes: number;
}

/** Instances of one constructor. */
export interface HeldGroup {
  /** Name of the constructor; `(document)` for the documents themselves. */
  name: string;
  perDocument: number;
  /** Of the object alone. */
  shallowBytes: number;
  /** With all that only it holds, and its share of what it holds together with others. */
  heapBytes: number;
  offHeapBytes: number;
  /** All of the above but the object alone, by field. */
  parts: HeldPart[];
}

/** What a field of an object holds. */
export interface HeldPart {
  field: string;
  /** Constructor or sort of what is there. */
  holds: string;
  /** Whether others hold it too; the bytes are this one's share. */
  shared: boolean;
  heapBytes: number;
  offHeapBytes: number;
}

/** Identity of a memory job within a run. */
export interface PlannedMemoryJob {
  /** `allocation/serialize flat/0/baseline`: kind, cell or corpus, process, arm. */
  id: string;
  kind: MemoryJobKind;
  /** Id of a cell, or label of a corpus. */
  subject: string;
  arm: Arm;
  process: number;
  /** Documents to hold; null where nothing is held. */
  documentCount: number | null;
}

/** One line of memory.ndjson. */
export type MemoryObservation = MemoryObservationDone | MemoryObservationFailed;

interface MemoryObservationCommon extends PlannedMemoryJob {
  formatVersion: number;
  attempt: number;
  /** Milliseconds since the run was made (its first session). */
  startedAtMs: number;
  /** Life of the worker process from spawn to exit. */
  workerMs: number;
}

export interface MemoryObservationDone extends MemoryObservationCommon {
  outcome: 'done';
  result: MemoryResult;
}

interface MemoryObservationFailed extends MemoryObservationCommon {
  outcome: 'failed';
  failure: Failure;
}

export type MemoryWord = 'smaller' | 'larger' | 'equivalent' | 'inconclusive' | 'untrusted';

/** One figure of memory, both sides held against each other. */
export interface MemoryMetric {
  name:
    | 'allocated-heap'
    | 'allocated-off-heap'
    | 'allocations'
    | 'collections'
    | 'collection-time'
    | 'retained'
    | 'retained-slope';
  /** What a figure counts: bytes, allocations, collections or nanoseconds, for one document or
   * instance; of collections, for 1000 documents. */
  unit: 'bytes' | 'allocations' | 'collections' | 'ns';
  verdict: MemoryWord;
  /** A direction whose whole interval lies beyond the minimum effect. */
  strong: boolean;
  /** All processes of an arm agree to the last digit, so the interval has no width. */
  exact: boolean;
  values: Record<Arm, number | null>;
  /** Candidate over baseline; null where a side has no figure or is zero. */
  ratio: RatioInterval | null;
  /** Control over baseline. */
  control: RatioInterval | null;
  processes: Record<Arm, number>;
}

/** Allocation and collections of one cell. */
export interface CellMemory {
  cell: Cell;
  metrics: MemoryMetric[];
  collections: Record<Arm, CollectionSummary | null>;
}

/** Collections over all processes of an arm. */
export interface CollectionSummary {
  /** By kind, for 1000 documents. */
  perThousand: Record<string, number>;
  /** Share of the time spent in them, 0…1. */
  timeShare: number;
}

/** What documents of one corpus hold once they are read. */
export interface CorpusMemory {
  corpus: string;
  /** Documents held when the figures were taken. */
  documents: { snapshot: number | null; slope: number | null };
  metrics: MemoryMetric[];
  /** The documents themselves, then the constructors that retain the most, among those that both
   * sides have. */
  groups: GroupComparison[];
  composition: Record<'baseline' | 'candidate', CompositionPart[]>;
  rssBytes: Record<Arm, { low: number; median: number; high: number } | null>;
}

/** One constructor that both sides have; the metric counts the bytes of one instance. */
export interface GroupComparison {
  name: string;
  metric: MemoryMetric;
  baseline: HeldGroup;
  candidate: HeldGroup;
}

/** The part of verdict.json on memory. */
export interface MemoryVerdict {
  cells: CellMemory[];
  corpora: CorpusMemory[];
  /** Numbered on from the warnings of the run. */
  warnings: Warning[];
}

// ── Profiles ────────────────────────────────────────────────────────────────────────────────────

/** Keeps an operation busy while a recorder looks on; never timed for a verdict. */
export interface ExerciseJob extends JobCommon {
  kind: 'exercise';
  operation: string;
  corpus: PreparedCorpus;
  /** A warm-up and then so long, or so many passes over the corpus and nothing before them. */
  work: { warmUpMs: number; recordMs: number } | { passes: number };
  /** Module of `harness/worker/observers/` that looks on from inside the worker. */
  observer: string | null;
  /** Absolute path of the file that the observer writes, where it has one. */
  observedPath: string | null;
}

interface ExerciseReport extends ReportCommon {
  kind: 'exercise';
  exercise: Exercise;
}

/** What was done while the recorder looked on. */
export interface Exercise {
  documents: number;
  wallMs: number;
  /** Begin and end of the window by the system's monotonic clock, in milliseconds. */
  window: { startMs: number; endMs: number };
  /** Garbage collections in the window, by kind. */
  collections: Record<string, { count: number; ms: number }>;
  /** What an observer says beside its file. */
  observed?: unknown;
}

/** Whether a recorder can work here. */
export type Probe =
  | { available: true; detail: string }
  | { available: false; reason: string; /** Command that installs it. */ install: string | null };

/** `harness/profiling/recorders/NAME.js` exports one as `recorder`. Runs in the harness. */
export interface Recorder {
  /** As in `--with NAME`; the name of its file. */
  name: string;
  /** One line: what it records. */
  summary: string;
  /** Processes a side in the second pass of a comparison; 0 for what runs only when asked for by
   * name. */
  processes: number;
  /** Jobs a side when it is asked for by name; 1 where not given. */
  rounds?: number;
  /** Whether it takes times, for which nothing else may run; else both sides are recorded at once. */
  isTimed?: boolean;
  /** Why it cannot record a worker in a sandbox, where it cannot: `it starts the worker itself`. */
  unfitForSandbox?: string;
  /** `node`: looks into the JavaScript worker; `process`: looks on any program from outside. */
  scope: 'node' | 'process';
  /** Quick, installs nothing. */
  probe(host: RecorderHost): Promise<Probe>;
  /** Runs the worker in its own way and leaves artefacts.
   * @throws {MachineError} where the tool fails; of one job that is a note in the report. */
  record(context: RecordContext): Promise<Recorded>;
}

/** What a recorder may touch of the outside world. */
export interface RecorderHost {
  environment: Record<string, string | undefined>;
  /** Where tools that are installed on demand are kept. */
  toolsPath: string;
  /** What workers run in; none where not given. */
  sandbox?: Sandbox | null;
}

/** A way to run workers apart from the rest of the machine that was found to work. */
export interface Sandbox {
  kind: 'bwrap' | 'unshare';
  /** Absolute path. */
  executable: string;
  /** Real paths of directories that are empty in it, outer ones first. */
  hiddenPaths: string[];
}

/** One job that a recorder looks at. */
export interface RecordContext {
  host: RecorderHost;
  job: Omit<ExerciseJob, 'work' | 'observer' | 'observedPath'>;
  /** What starts the worker; given one more argument, a path, it reads the job from there instead
   * of standard input. */
  command: { executable: string; args: string[] };
  /** The same in parts, for tools that start node in their own way; null where a program of the
   * family's own measures. */
  node: { executable: string; flags: string[]; workerPath: string } | null;
  /** Absolute path without an extension; all artefacts begin with it: `…/serialize-flat-baseline-0`. */
  artefactBase: string;
  signal: AbortSignal;
  /** Runs a worker for the exercise; `wrapper` and its arguments come before it. */
  exercise(settings: {
    work: ExerciseJob['work'];
    observer?: string;
    observedPath?: string;
    /** Of node, for the JavaScript worker alone. */
    flags?: string[];
    /** What is looked at from outside, for which a program may need arguments. */
    lookedAt?: 'stacks' | 'instructions';
    wrapper?: string[];
    /** Absolute paths of files that the worker or what comes before it writes, besides the observed
     * one; in a sandbox nothing else can be written. */
    writes?: string[];
    timeoutMs?: number;
  }): Promise<Exercise>;
}

/** What a recorder brought of one process. */
interface Recorded {
  exercise: Exercise | null;
  /** Absolute paths of the files left behind, the one that is read again first. */
  artefacts: string[];
  /** Figures small enough for the line of the journal. */
  figures?: RecordedFigures;
}

/** Figures of recorders that see no stacks. */
export type RecordedFigures =
  | {
      kind: 'instructions';
      perDocument: number;
      counts: { passes: number; instructions: number }[];
    }
  | { kind: 'whole-process'; meanMs: number; standardDeviationMs: number; timesMs: number[] }
  | { kind: 'values'; values: ValueForms };

/** Identity of a profile job within a run. */
export interface PlannedProfileJob {
  /** `cpu-profile/serialize flat/0/baseline`. */
  id: string;
  recorder: string;
  cellId: string;
  arm: 'baseline' | 'candidate';
  process: number;
}

/** One line of profiles.ndjson. */
export type ProfileObservation = ProfileObservationDone | ProfileObservationFailed;

interface ProfileObservationCommon extends PlannedProfileJob {
  formatVersion: number;
  startedAtMs: number;
  /** The whole of the job, the work of the tool after the worker included. */
  workerMs: number;
}

export interface ProfileObservationDone extends ProfileObservationCommon {
  outcome: 'done';
  exercise: Exercise | null;
  /** Relative to the run's directory. */
  artefacts: string[];
  figures?: RecordedFigures;
}

interface ProfileObservationFailed extends ProfileObservationCommon {
  outcome: 'failed';
  detail: string;
}

/** What V8 made of one function, from its log. */
export interface FunctionLog {
  name: string;
  /** Shortened as in `Frame`. */
  file: string;
  line: number;
  column: number;
  /** Highest tier reached: `interpreter`, `baseline` (Sparkplug), `mid` (Maglev), `optimized`
   * (TurboFan). */
  tier: 'interpreter' | 'baseline' | 'mid' | 'optimized';
  deopts: DeoptEntry[];
  /** Inline caches that met more than one hidden class, in the worst state that they reached. */
  sites: CacheSite[];
}

/** Deoptimisations of one function at one place for one reason. */
export interface DeoptEntry {
  kind: 'eager' | 'lazy' | 'soft' | 'dependency-change' | 'other';
  /** As V8 says: `wrong map`. */
  reason: string;
  /** Of the place in the source, which may be of an inlined function. */
  file: string | null;
  line: number | null;
  column: number | null;
  count: number;
  /** Those after warm-up. */
  late: number;
}

export interface CacheSite {
  /** `LoadIC`, `KeyedLoadIC`, `StoreIC`. */
  cache: string;
  state: 'polymorphic' | 'megamorphic' | 'generic';
  /** Property name where the log tells. */
  key: string | null;
  line: number;
  column: number;
  /** Hidden classes seen, where the log tells. */
  classes: number | null;
}

/** The file that the recorder `deopts` leaves. */
export interface DeoptLog {
  functions: FunctionLog[];
}

/** What V8 made of the values that an operation reads or makes: counts over all objects and arrays
 * in them. */
export interface ValueForms {
  objects: number;
  /** Slow objects, whose properties are in a hash table. */
  dictionaries: number;
  /** Of the objects that are no dictionaries. */
  hiddenClasses: number;
  arrays: number;
  /** By kind of elements: `packed smi`, `holey double`, `dictionary`. */
  elements: Record<string, number>;
  /** Numbers held as small integers, and as doubles. */
  smis: number;
  doubles: number;
  /** Strings: `one-byte` and `two-byte` are all of them, `internalized` is a part. */
  strings: Record<string, number>;
  /** Keys of the largest object. */
  mostKeys: number;
}

// ── Explanation ─────────────────────────────────────────────────────────────────────────────────

/** An interval of 95 % around an estimate, in the unit of its field. */
export interface Interval {
  estimate: number;
  low: number;
  high: number;
}

/** The part of verdict.json that says why. */
export interface Explanation {
  cells: CellExplanation[];
  /** Numbered on from the other warnings. */
  warnings: Warning[];
}

export interface CellExplanation {
  cell: Cell;
  /** What the changes of functions come from: `perf` sees builtins and native code too. */
  source: 'perf' | 'v8-cpu-profile' | null;
  /** In plain words, derived from the figures below; no markup. */
  paragraph: string[];
  /** Candidate minus baseline, in nanoseconds per document, of the timed jobs. */
  measured: Interval | null;
  /** Nanoseconds per document in the profiled processes, before they are scaled to the timed ones. */
  profiled: Record<'baseline' | 'candidate', number | null>;
  processes: Record<'baseline' | 'candidate', number>;
  /** All functions, the largest change of self time first; the changes of self time sum to the
   * difference that was timed. */
  functions: FunctionChange[];
  /** Functions left out of `functions`, and what their changes sum to. */
  rest: { functions: number; selfNs: number };
  /** Changes by what is responsible, largest first; they sum to the same. */
  causes: Cause[];
  /** Counted beside V8's profiler; their share of the time is that of the timed jobs. */
  collections: Record<'baseline' | 'candidate', CollectionSummary | null>;
  /** Milliseconds that a collection stops the program, on average. */
  pauseMs: Record<'baseline' | 'candidate', number | null>;
  deopts: DeoptChange[];
  cacheSites: CacheSiteChange[];
  tiers: TierChange[];
  /** Largest change first. */
  allocations: AllocationChange[];
  values: Record<'baseline' | 'candidate', ValueForms | null>;
  instructions: { values: Record<'baseline' | 'candidate', number>; ratio: number } | null;
  wholeProcess: { valuesMs: Record<'baseline' | 'candidate', number>; ratio: RatioInterval } | null;
  /** Files to open, relative to the run's directory. */
  artefacts: { recorder: string; arm: 'baseline' | 'candidate'; path: string }[];
}

/** One function, nanoseconds per document. */
export interface FunctionChange {
  name: string;
  kind: import('./profile-types.ts').FrameKind;
  file: string | null;
  line: number | null;
  /** null where the side never runs it. */
  baseline: { selfNs: number; totalNs: number } | null;
  candidate: { selfNs: number; totalNs: number } | null;
  self: Interval;
  total: Interval;
}

/** Part of the difference under one heading. */
export interface Cause {
  /** `Object.entries`, `garbage collection`, `resuming generators`, `writeDocument`. */
  name: string;
  change: Interval;
  /** Of the measured difference; null where that is too small to share out. */
  share: number | null;
}

/** A deoptimisation that only one side has, or more often. */
export interface DeoptChange extends Omit<DeoptEntry, 'count' | 'late'> {
  function: string;
  baseline: number;
  candidate: number;
  /** Of them after warm-up. */
  late: Record<'baseline' | 'candidate', number>;
}

/** A polymorphic or megamorphic place that only one side has, or in another state. */
export interface CacheSiteChange extends Omit<CacheSite, 'state' | 'classes'> {
  function: string;
  file: string;
  baseline: CacheSite['state'] | null;
  candidate: CacheSite['state'] | null;
}

/** A function that both sides have and that does not end in the same tier. */
export interface TierChange {
  function: string;
  file: string;
  line: number;
  baseline: FunctionLog['tier'];
  candidate: FunctionLog['tier'];
}

/** What one call site allocates, bytes per document, collected objects included. */
export interface AllocationChange {
  name: string;
  file: string | null;
  line: number | null;
  baselineBytes: number;
  candidateBytes: number;
  change: Interval;
}

// ── Claims ──────────────────────────────────────────────────────────────────────────────────────

/** `experiments/FAMILY/claims.json`: what others reported. */
export interface ClaimsFile {
  formatVersion: number;
  family: string;
  sources: ClaimSource[];
  claims: Claim[];
}

/** Where claims come from: a ticket, its pull requests, a paper. */
export interface ClaimSource {
  /** As in `just reproduce NODE-7606`. */
  id: string;
  title: string;
  reference: string;
  /** Runtime, iterations and machine, as far as the source tells. */
  conditions: string;
}

/** One reported figure of one cell. */
export interface Claim {
  /** `NODE-7606/flat-serialize`. */
  id: string;
  source: string;
  /** What is claimed, in one sentence. */
  statement: string;
  /** Variant specs. */
  baseline: string;
  candidate: string;
  operation: string;
  corpus: string;
  figure: ReportedFigure;
  /** Factor by which a ratio may be off and still count as the reported one, 1 or more. An interval
   * that is wider than the ratios that count is inconclusive. */
  tolerance: number;
  /** Where the source's own figures are at odds: which, and how. */
  contradiction?: string;
  /** Why no machine of Assay's can settle it. */
  cannotRun?: string;
}

/** A figure as the source gives it. Percentages are signed changes from baseline to candidate. */
export type ReportedFigure =
  /** Change of throughput; `symmetric-percent` is of the mean of both. */
  | { formula: 'throughput-percent' | 'symmetric-percent' | 'time-percent'; percent: number }
  | { formula: 'throughput-pair'; baseline: number; candidate: number; unit: string }
  /** Bytes that an instance, or a document, retains. */
  | { formula: 'retained-bytes'; of: string; baseline: number; candidate: number }
  | { formula: 'direction'; direction: ClaimDirection }
  | { formula: 'same-output' }
  | { formula: 'contract' }
  /** Rows of the behaviour contract that the candidate does not hold. */
  | { formula: 'contract-breaks'; rows: string[] };

export type ClaimDirection = 'slower' | 'faster' | 'not-slower' | 'same' | 'smaller';

/** What became of a claim on this host. */
export interface ClaimResult {
  id: string;
  /** `direction-only`: the same way, but another size. */
  verdict: 'reproduced' | 'direction-only' | 'not-reproduced' | 'inconclusive' | 'cannot-run';
  /** Ratio that the reported figure comes to; null without one. */
  claimed: number | null;
  measured: RatioInterval | null;
  /** What else there is to say of the verdict, or why there is none. */
  reason: string | null;
}

/** reproduction.json: what `just reproduce` found. */
export interface Reproduction {
  formatVersion: number;
  /** Name of its directory. */
  id: string;
  createdAt: string;
  /** As typed, with the seed. */
  command: string;
  /** Whether every claim that was asked for had its turn. */
  ended: 'complete' | 'interrupted';
  wallMs: number;
  assay: Manifest['assay'];
  environment: Environment;
  /** Those with a claim in `told`. */
  sources: ClaimSource[];
  told: ToldClaim[];
}

/** A claim and what became of it. */
export interface ToldClaim {
  claim: Claim;
  result: ClaimResult;
  /** Directory of the run that settled it, within that of the reproduction; null for what the gate
   * settled and what cannot be run. */
  run: string | null;
}
