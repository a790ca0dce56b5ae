/** What a run was asked, where it ran and what it compared: the question, the manifest and the host. */

import type { Capability } from './runtime.ts';
import type { CalibrationCitation, Thresholds } from './calibration.ts';
import type {
  ColdFigure,
  ContractRow,
  CorpusIdentity,
  JobVariant,
  MeasureSettings,
  MemoryJobKind,
  MessageSizes,
  PreparedCorpus,
  Server,
} from './protocol.ts';
import type {
  AtLeastOne,
  Count,
  Digest,
  FormatVersion,
  Integer,
  NonNegative,
  OpenShare,
  Positive,
  RuntimeVersion,
  Text,
  Timestamp,
} from './scalars.ts';
import type { Difference, RunEnd, VerdictWord } from './verdict.ts';

/** The arms of a comparison. `control` is the baseline again under another name. */
export type Arm = 'baseline' | 'candidate' | 'control';

/** Position of an operation among others that differ from it in one number. */
export interface Series {
  /** Kebab-case, the same for all of them: `getters`. */
  name: Text;
  /** What the number counts: `getters read`. */
  label: Text;
  /** The number. */
  at: number;
}

/** One operation on one corpus under one runtime, with one candidate: what a verdict is about. */
export interface Cell {
  /** Unique in a run: `serialize flat`, with several candidates `serialize flat indexed`. */
  id: Text;
  /** Name of the operation. */
  operation: Text;
  /** Label of the corpus. */
  corpus: Text;
  /** What runs it, if a runtime was asked for. */
  runtime?: RuntimeVersion;
  /** Number of the candidate in the question, from 0, if there are several. */
  candidate?: Count;
  /** Identity of the jobs of baseline and control, which cells that differ only in their candidate share:
   * `serialize flat`. Present with `candidate`. */
  sharedId?: Text;
  /** What its nanoseconds measure, if not wall time per document. */
  figure?: Text;
  /** Whether the jobs of a pair share a core, because the figure is CPU time. */
  sharesCore?: boolean;
  /** Calls in flight, where its operation is asynchronous; absent where it is not. */
  concurrency?: AtLeastOne;
  /** Position of its operation in a series. */
  series?: Series;
  /** The corpus whose documents its own are, made so many times as large; absent where they are as they are. */
  grown?: { from: Text; times: AtLeastOne };
  /** Which first calls of a process it times; absent if processes warm up first. */
  cold?: ColdFigure;
  /** What reports call it in place of its operation and corpus. */
  title?: Text;
  /** Why the output of its operation is not compared with that of the reference; absent if it is. */
  unchecked?: Text;
  /** Whether its operation reads documents, so that memory includes what they retain. */
  readsDocuments?: boolean;
  /** Whether its operation reads or writes the canonical BSON, whose size then gives bytes per second. */
  codesCanonical?: boolean;
}

/** One part of a plan that several hosts measure. Cells are never split. */
export interface PlanPart {
  /** Number of the part, from 1. */
  index: AtLeastOne;
  /** Parts of the plan. */
  count: AtLeastOne;
}

/** Benchmark files whose cases are measured. */
export interface BenchQuestion {
  /** Paths relative to the tree of the variants. */
  files: Text[];
  /** Their arguments. */
  args?: Text[];
  /** Sentences about cases that are left out, and files that variants have otherwise. */
  notes: Text[];
}

/** What a run was asked to find out. It determines every job, the seed included. */
export interface Question {
  /** Family of the variants. */
  family: Text;
  /** The benchmark files that the family is generated for; absent for any other family. */
  bench?: BenchQuestion;
  /** Spec of the baseline; in a ranking the first of the candidates. */
  baseline: Text;
  /** Specs of the candidates; each is compared with the baseline.
   * @minItems 1 */
  candidates: Text[];
  /** Whether the candidates are ranked: each is compared with the fastest of the others, and there is neither
   * baseline nor control. */
  rank?: boolean;
  /** What is measured. */
  cells: Cell[];
  /** Minimum effect of interest as a share: 0.03 is 3 %. */
  minimumEffect: Positive;
  /** Family-wise error rate of the run. */
  alpha: OpenShare;
  /** Processes per variant at which the data are looked at, ascending. Half of the baseline's are the
   * control.
   * @minItems 1 */
  looks: AtLeastOne[];
  /** Processes per variant at an additional look before these, which gives only clear directions. */
  earlyLook?: AtLeastOne;
  /** `paired`: candidate and baseline run at the same time, each on its own core (Bulej et al., "Duet
   * benchmarking", ICPE 2020) or, where a cell says so, both on one. Absent: one job at a time. */
  schedule?: 'paired';
  /** Stop measuring after this many seconds; null for no limit. */
  budgetSeconds: NonNegative | null;
  /** Seed of every random choice. */
  seed: Integer;
  /** `default` makes claims; `screen` adds `--predictable` and is labelled so. */
  mode: Mode;
  /** Placements per arm to measure where a verdict is so small that code placement may have caused it:
   * copies with meaning-preserving edits. 0 or absent for none. */
  placements?: Count;
  /** Whether every direction is measured in other placements, however large: for a comparison that repeats another, whose
   * builds are the same. */
  placesAll?: boolean;
  /** Whether workers run in a sandbox. */
  sandbox?: boolean;
  /** Flags for the Node of every timed job, those of the mode included. */
  nodeFlags: string[];
  /** Whether memory is measured: not at all, after the times, or alone. */
  memory: 'none' | 'too' | 'only';
  /** Kinds of memory jobs, if memory is measured; absent for all of them. */
  memoryKinds?: readonly MemoryJobKind[];
  /** Rows of the behaviour contract whose failure is accepted, by name; `all` for every row. */
  acceptedRows: string[];
  /** Spec of the variant whose output is correct by definition; absent for that of the family. */
  reference?: Text;
  /** What was typed, by the spec that it stands for: a range, a tag or an archive. */
  typed?: Record<string, string>;
  /** Cells to profile after the verdict. */
  explain: 'differing' | 'all' | 'none';
  /** Recorders asked for by name; they record every cell. */
  recorders: string[];
  /** Server that operations talk to; absent for their own. */
  server?: Text;
  /** Command that builds a revision of a checkout, if the user gave one. */
  build?: Text;
  /** The day as of whose end dependencies were resolved, in UTC; absent for the newest.
   * @pattern ^\d{4}-\d\d-\d\d$ */
  asOf?: string;
  /** Ratio that a cell must be known to lie above or below before it is settled; used by bisections. */
  boundary?: Positive;
  /** Ranges of ratios, by cell id. Measuring of a cell continues until its interval lies inside or outside of
   * each; used by reproductions and replays. */
  bands?: Record<string, RatioBand[]>;
  /** Whether cells that are settled are measured up to the last look, too, so that their intervals become narrower; used
   * by `watch`. */
  measuresOn?: true;
}

/** A range of ratios candidate / baseline. */
export interface RatioBand {
  /** 0 for no limit. */
  low: NonNegative;
  /** Null for no limit. */
  high: Positive | null;
}

/** How a run measures. */
export type Mode = 'default' | 'screen';

/** State of a git checkout. */
export interface Revision {
  /** Full hash of the commit.
   * @pattern ^[0-9a-f]{40}([0-9a-f]{24})?$ */
  commit: string;
  /** Digest of uncommitted changes; null if there are none. */
  changes: Digest | null;
}

/** A package that npm installed for a variant. */
export interface Dependency {
  /** Where it is below `node_modules`: `long`, `a/node_modules/@scope/b`. Its name is what follows the last one.
   * @pattern ^(@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*(\/node_modules\/(@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*)*$ */
  path: string;
  /** Its version. */
  version: Text;
  /** Its subresource integrity; absent if it did not come from a registry. */
  integrity?: Text;
}

/** What a variant is, without paths of the host that measured it. */
export interface VariantIdentity {
  /** The spec as typed: `generator`, `npm:bson@7.2.0`, `path:../js-bson`. */
  spec: Text;
  /** Kind of the spec. */
  kind: 'built-in' | 'npm' | 'package' | 'git' | 'path';
  /** Digest of its code: names and contents of the files that a worker loads for it, dependencies included. Of a
   * variant that a program measures, the sources of the family and the settings. */
  digest: Digest;
  /** Version of the package it came from. */
  version?: string;
  /** Subresource integrity of that package. */
  integrity?: string;
  /** What npm installed with it, sorted by path; absent if npm did not. What only a build needed is not part of it. */
  dependencies?: Dependency[];
  /** State of the git checkout it came from. */
  revision?: Revision;
  /** Command with which Assay built it. */
  build?: string;
  /** Runtime that it is pinned to; absent for that of the cell. */
  runtime?: RuntimeVersion;
  /** Versions of the programs that built and run it, by name. */
  toolchain?: Record<string, string>;
}

/** A variant that a worker can load. */
export interface ResolvedVariant extends VariantIdentity, JobVariant {
  /** Family it belongs to. */
  family: Text;
  /** The idea behind it in one line, or the description of the package. */
  idea: string;
  /** Where the idea comes from: pull request, paper, package. */
  source: string;
  /** Present if a source beside the files that are loaded is newer than all of them. */
  staleBuild?: StaleBuild;
}

/** A sign that a build is older than its sources. */
export interface StaleBuild {
  /** The newest source, relative to the package. */
  source: Text;
  /** What builds the package. */
  command?: Text;
}

/** A JavaScript runtime from an npm package, or installed on the host. */
export interface RuntimeIdentity {
  /** Its name and exact version. */
  runtime: RuntimeVersion;
  /** Its engine with the version: `V8 14.6.202.34`, `JavaScriptCore d6375c72affe`. */
  engine: Text;
  /** npm package that contained it; absent if it is installed on the host. */
  packageName?: Text;
  /** Subresource integrity of that package. */
  integrity?: string;
  /** The npm package that modules of Assay use in the place of Node's `Buffer`, which a browser lacks. */
  buffer?: { version: Text; integrity: string };
}

/** A runtime on disk, other than the Node that runs Assay. */
export interface Runtime extends RuntimeIdentity {
  /** Absolute path. */
  executable: Text;
  /** What it cannot provide; figures that need it are missing. */
  lacks: Capability[];
  /** Absolute path of the directory with the package in the place of Node's `Buffer`. */
  bufferPath?: Text;
}

/** What tells one host from another. */
export interface HostIdentity {
  /** Version of Node. */
  node: string;
  /** Model name of the processor. */
  cpuModel: string;
  /** Logical processors. */
  cpuCount: Count;
  /** Version of the kernel. */
  kernel: string;
}

/** The host and what may disturb a measurement there, recorded before the first job. */
export interface Environment extends HostIdentity {
  /** Version of V8. */
  v8: string;
  /** Operating system and its version. */
  os: string;
  /** Architecture of the processor. */
  arch: string;
  /** Memory of the host, in bytes. */
  memoryBytes: Count;
  /** Hypervisor or container; null if none was found. */
  virtualization: string | null;
  /** CPU frequency governor; null if unknown. */
  governor: string | null;
  /** Whether the kernel schedules by autogroup; null if unknown. */
  autogroup: boolean | null;
  /** CPUs that the control group may use; null for no limit. */
  cgroupCpuLimit: NonNegative | null;
  /** Load average over one minute. */
  loadAverage: NonNegative;
  /** Processes that wanted a CPU; null if unknown. */
  runnableProcesses: Count | null;
  /** Whether cores run two threads each; null if unknown. */
  smt: boolean | null;
  /** Whether the frequency may rise above the nominal one; null if unknown. */
  turbo: boolean | null;
  /** Clock source of the kernel: `tsc`, `kvm-clock`; null if unknown. */
  clockSource: string | null;
  /** Address space randomization, `kernel.randomize_va_space`: 0 off, 1 without the heap, 2 all; null if
   * unknown. */
  aslr: Count | null;
  /** Share of the last ten seconds in which a task waited for a CPU (pressure stall information), 0 to 1;
   * null if unknown. */
  cpuPressure: NonNegative | null;
  /** Periods that the limit of the control group has cut short so far; null if unknown. */
  throttledPeriods: Count | null;
  /** Share of CPU time that the hypervisor took since boot, 0 to 1; null if unknown. */
  stealShare: number | null;
  /** Names of the user's environment variables that would change a Node, such as `NODE_OPTIONS`; workers
   * do not get them. */
  nodeVariables: Text[];
}

/** Counters of the host over the timed part: last minus first. */
export interface HostNoise {
  /** Share of CPU time that the hypervisor took, 0 to 1; null if unknown. */
  stealShare: number | null;
  /** Share of CPU time that other processes used, 0 to 1; null if unknown. */
  othersShare: number | null;
  /** Time for which the control group throttled processes, in milliseconds; null if unknown. */
  throttledMs: number | null;
}

/** A version of Assay and the state of its checkout. */
export interface AssayVersion {
  /** Its version. */
  version: string;
  /** Its git revision; null if unknown. */
  revision: string | null;
  /** Whether it had uncommitted changes. */
  dirty: boolean;
}

/** What the probe of a recorder found when the run began. */
export interface RecorderState {
  /** Name of the recorder. */
  name: string;
  /** Whether it can work here. */
  available: boolean;
  /** Its version, or why it cannot. */
  detail: string;
  /** Command that installs what is missing, if one is known. */
  install: string | null;
}

/** What the jobs of a run follow from. */
export interface Experiment {
  question: Question;
  settings: MeasureSettings;
  /** What was loaded. */
  variants: {
    baseline: ResolvedVariant;
    /** In the order of the question.
     * @minItems 1 */
    candidates: ResolvedVariant[];
    /** The variant whose output is correct by definition. */
    reference: ResolvedVariant;
  };
  /** The documents. */
  corpora: PreparedCorpus[];
  /** Digest of the reference's output, by cell id without the candidate. */
  expectedDigests: Record<string, Digest>;
  /** Directories of the npm packages that operations need, by name. */
  packages: Record<string, string>;
  /** The server that operations talk to; absent for their own. */
  server?: Server;
  /** Runtimes that were measured under, other than the Node that runs Assay. */
  runtimes: Runtime[];
}

/** manifest.json: what another person needs to repeat the run. Written once and never changed. */
export interface Manifest extends Experiment {
  formatVersion: FormatVersion;
  /** Identity of the run. */
  runId: Text;
  /** When the run was created: UTC, ISO 8601. */
  createdAt: Timestamp;
  /** The command as typed by the user, for a shell: every word harmless or quoted.
   * @pattern ^(just|npx assay) [a-z]+( ([\w@%+=:,./-]|'[^']*'|\\')+)+$ */
  command: string;
  assay: AssayVersion;
  /** Digest of the sources that measured: harness, corpora, and the folder of the family. */
  instrument?: Digest;
  /** Results of the behaviour contract by spec; under runtimes other than the first by `SPEC node@22.11.0`. */
  contracts: Record<string, ContractRow[]>;
  /** Sizes of the messages that variants make or, in a cell that times loading, of their code, by cell id without the
   * candidate, then by spec; absent where there are none. */
  sizes?: Record<string, Record<string, MessageSizes>>;
  /** The recorders of the profile pass and whether they can work here. */
  recorders: RecorderState[];
  environment: Environment;
  /** Thresholds from the calibration of the host, so that the same notes result wherever and whenever the
   * run is judged. */
  thresholds?: Thresholds;
  /** What the calibration of the host had found when the run was created. */
  calibration?: CalibrationCitation;
  /** Identity at the broker, of a run over several hosts. */
  fleet?: Text;
  /** The part of the question that the run measures; absent for all of it. */
  part?: PlanPart;
  /** Whether it was put together from the runs of all parts of a plan, which are its hosts. */
  merged?: true;
}

/** hosts.ndjson: a host that measured a run which another one asked for. */
export interface HostRecord {
  formatVersion: FormatVersion;
  /** Its name, which observations have; of a merged run `part 1`. */
  host: Text;
  /** Identity of the run there, of a merged run. */
  runId?: Text;
  environment: Environment;
  /** What disturbed it, if that is known. */
  hostNoise?: HostNoise;
  /** What its calibration found. */
  calibration?: CalibrationCitation;
  /** The recorders that the run asks for, and whether they can work there. */
  recorders?: RecorderState[];
}

/** gate.json: what the correctness check found, besides what the manifest says of the reference. */
export interface Gate {
  formatVersion: FormatVersion;
  /** Life of its workers, in milliseconds; those that ran at the same time count once. */
  workerMs: NonNegative;
  /** Outputs that differ from those of the reference; nothing is timed if there are any. */
  differences: Difference[];
}

/** One line of code.ndjson: a file that jobs of a variant loaded. */
export interface LoadedFile {
  formatVersion: FormatVersion;
  /** Spec of the variant. */
  spec: Text;
  /** Path relative to the variant's package; of a package in `node_modules`, from its name on. */
  name: Text;
  /** Absolute path on the host that measured. */
  path: Text;
  /** Digest of its content when it was first loaded. */
  digest: Digest;
}

interface SessionCommon {
  formatVersion: FormatVersion;
  /** When it began, in milliseconds since the run was created. */
  startedAtMs: NonNegative;
}

/** A session of measuring that began. */
export interface SessionStart extends SessionCommon {
  event: 'started';
  /** Its budget in seconds; null for none. */
  budgetSeconds: NonNegative | null;
}

/** The stages of a run that measure something, in their order. */
export type PassName = 'timing' | 'memory' | 'placement' | 'profiles';

/** A session of measuring that ended, if it was not killed. */
export interface SessionEnd extends SessionCommon {
  event: 'ended';
  /** How measuring ended. */
  ended: RunEnd;
  /** Passes that the budget ended before they were complete. */
  left?: PassName[];
  /** How long it took, in milliseconds. */
  wallMs: NonNegative;
  /** What disturbed the host meanwhile. */
  hostNoise: HostNoise;
  /** All unplanned looks so far: processes per variant at which a verdict was given between the planned looks because a
   * session ended there, ascending, by cell id. A look cannot be undone. */
  interimLooks: Record<string, AtLeastOne[]>;
  /** What Assay had written to the journals by then, this line excepted, by the name of the file; absent in a run of an
   * earlier version. */
  journals?: Record<string, JournalSeal>;
}

/** The beginning of a journal, to notice later changes. */
export interface JournalSeal {
  /** Its length. */
  bytes: Count;
  /** Its digest. */
  digest: Digest;
}

/** One line of sessions.ndjson.
 * @discriminator event */
export type SessionRecord = SessionStart | SessionEnd;

/** A ratio with its confidence interval. */
export interface RatioInterval {
  /** Best estimate of the ratio. */
  estimate: NonNegative;
  /** Lower end of the interval. */
  low: NonNegative;
  /** Upper end of the interval. */
  high: NonNegative;
}

/** The finding on a cell. */
export interface CellFinding {
  verdict: VerdictWord;
  /** Candidate divided by baseline; null without figures. */
  ratio: RatioInterval | null;
}

/** The finding on a cell of a replay record. */
export interface CellResult extends CellFinding {
  /** Identity of the cell. */
  cellId: Text;
}

/** What travels with every report, so that it can be replayed from that alone. It has no path of the host
 * that measured, except those that were typed. */
export interface ReplayRecord {
  formatVersion: FormatVersion;
  /** Identity of the run. */
  runId: Text;
  /** When the run was created: UTC, ISO 8601. */
  createdAt: Timestamp;
  assay: AssayVersion;
  question: Question;
  /** What was loaded. */
  variants: {
    baseline: VariantIdentity;
    /** In the order of the question.
     * @minItems 1 */
    candidates: VariantIdentity[];
  };
  /** The documents. */
  corpora: CorpusIdentity[];
  /** Runtimes that were measured under, other than the Node that ran Assay. */
  runtimes: RuntimeIdentity[];
  environment: Environment;
  /** Absent in old reports. */
  hostNoise?: HostNoise;
  /** What was found, in the order of the cells. */
  results: CellResult[];
}
