/**
 * The worker protocol: a worker of any language reads one `Job` from standard input, as JSON, writes one
 * `WorkerReport` to standard output and exits.
 */

import type { MemoryResult } from './memory.ts';
import type {
  AtLeastOne,
  Count,
  Digest,
  FormatVersion,
  Integer,
  NonNegative,
  Positive,
  RuntimeVersion,
  Text,
} from './scalars.ts';

/** How a document was made, which decides its representation in V8. */
export type Provenance = 'parsed' | 'deserialized' | 'literal';

/** Identifies the documents of a corpus. */
export interface CorpusIdentity {
  /** Name as typed and printed: `flat`, `flat@deserialized`. */
  label: Text;
  /** Digest of the canonical BSON of all documents, concatenated. */
  digest: Digest;
  /** Documents in the corpus. */
  documentCount: Count;
}

/** A corpus on disk. */
export interface PreparedCorpus extends CorpusIdentity {
  /** Name without provenance. */
  name: Text;
  provenance: Provenance;
  /** Size of the canonical BSON, in bytes. */
  sizeBytes: Count;
  /** Values that are not as they were in the file of the user; absent if there are none. */
  changedValues?: AtLeastOne;
  /** Absolute paths of the documents. */
  files: {
    /** Extended JSON, one document per line. */
    text: string;
    /** BSON with exact types. */
    canonical: string;
    /** BSON as the reference writes the documents of this provenance. */
    bytes: string;
  };
}

/** How long and how often a timed job measures. */
export interface MeasureSettings {
  /** Minimum duration of the warm-up, in milliseconds. */
  warmUpMs: NonNegative;
  /** Minimum number of calls in the warm-up. */
  warmUpCalls: Count;
  /** Maximum duration of a warm-up in which times do not settle, in milliseconds. */
  maxWarmUpMs: NonNegative;
  /** Timed batches. */
  batchCount: AtLeastOne;
  /** Target duration of a batch, in milliseconds. */
  batchMs: NonNegative;
}

/** A program that speaks the worker protocol. */
export interface WorkerProgram {
  /** Absolute path, or a name to look up in PATH. */
  executable: Text;
  /** Its arguments. It reads the job from standard input, or from the file that one more argument
   * names. */
  args: string[];
  /** Precede `args` where stacks are recorded, so that they can be walked and named. */
  recordingArgs?: string[];
  /** Precede `args` where instructions are counted, to make the count repeatable: no decision of a
   * compiler may depend on the clock or on another thread. */
  countingArgs?: string[];
  /** Names of the functions that are the measured loop, as a profile shows them. */
  loop: string[];
}

/** What a worker loads. */
export interface JobVariant {
  /** The spec as typed: `generator`, `npm:bson@7.2.0`, `path:../js-bson`. */
  spec: Text;
  /** Absolute path of the module that a worker imports. */
  modulePath: Text;
  /** Absolute paths of further modules of its package that operations import, by name. */
  modules?: Record<string, string>;
  /** Absolute path of the copy of the family that contains the module, with its own `compose.js`, if the variant
   * is a patch. */
  patchedPath?: Text;
  /** Settings that the family's `compose.js` applies to the module, by axis, or that the family's own
   * program is given; empty for most variants. */
  settings: Record<string, string>;
  /** Absolute path of what the family built; null for a variant that needs no build. Absent in a family
   * that builds nothing.
   * @minLength 1 */
  buildPath?: string | null;
  /** What measures it, unless that is the JavaScript worker. */
  program?: WorkerProgram;
}

interface JobCommon {
  formatVersion: FormatVersion;
  /** Identity of the job; the report repeats it. */
  id: Text;
  /** Family of the variant. */
  family: Text;
  /** Absolute path of the family's folder. */
  familyPath: Text;
  variant: JobVariant;
  /** What the JavaScript worker must run under; absent for the Node of the harness. */
  runtime?: RuntimeVersion;
}

interface CorpusJob extends JobCommon {
  /** Documents to work on. */
  corpus: PreparedCorpus;
}

/** A server program that operations talk to instead of their own. */
export interface Server {
  /** Its name: `mongod`. */
  name: Text;
  /** Absolute path of the program, which every job starts for itself; absent for a server that runs already. */
  path?: Text;
  /** Version of the program. */
  version?: Text;
  /** Environment variable with the address of a server that runs already. */
  addressVariable?: Text;
}

export interface OperationJob extends CorpusJob {
  /** Name of the operation. */
  operation: Text;
  /** Directories of the npm packages that the operation needs, by name. */
  packages?: Record<string, string>;
  /** Calls in flight, where it is asynchronous. */
  concurrency?: AtLeastOne;
  /** The server it talks to; absent for its own. `address`: of one that runs already. */
  server?: Server & { address?: Text };
}

/** The first calls of a process, without a warm-up. */
export interface ColdFigure {
  /** Number of calls whose total time it is, beginning with the first one; 0 for loading alone. */
  calls: Count;
  /** Whether the time to load the module of the variant is included. */
  withLoad: boolean;
}

/** Time an operation on a corpus. */
export interface MeasureJob extends OperationJob {
  kind: 'measure';
  /** Which first calls to time; absent if the process warms up and times batches. */
  cold?: ColdFigure;
  /** What the operation measures itself, if not wall time per document. */
  figure?: Text;
  settings: MeasureSettings;
}

/** Run an operation once over a corpus and keep its output. */
export interface OutputJob extends OperationJob {
  kind: 'output';
  /** Absolute path of the file for the output, as frames (`harness/worker/frames.js`). */
  outputPath: Text;
  /** The JavaScript worker first looks for faults of its runtime. */
  checksRuntime?: boolean;
}

/** Run the family's own cases against the variant: `experiments/FAMILY/conformance.js`. */
export interface ConformanceJob extends JobCommon {
  kind: 'conformance';
  /** `contract`: the behaviour contract alone, which is fast. `all`: test vectors and limits too. */
  parts: 'contract' | 'all';
}

/** Compare the variant with the family's reference on mutated documents: `experiments/FAMILY/fuzz.js`. */
export interface FuzzJob extends JobCommon {
  kind: 'fuzz';
  /** What the variant is compared with, if not the reference of the family. */
  reference?: JobVariant;
  /** Seed and number determine a document. */
  seed: Count;
  /** Number of the first document. */
  firstDocument: Count;
  /** Maximum number of documents. */
  maxDocuments: AtLeastOne;
  /** Time limit, in milliseconds. */
  maxMs: Positive;
  /** Absolute paths of directories with earlier cases, which are mutated too. */
  casesPaths: Text[];
  /** Absolute path of the file in which the job keeps its progress. */
  journalPath: Text;
  /** Whether to write each document to the journal before it is tried: slow, but shows which one hangs. */
  isCareful: boolean;
}

/** Load the variant, and nothing else: the report says which files that takes. */
export interface LoadJob extends JobCommon {
  kind: 'load';
}

/** Say which cases benchmark files define, and what becomes of a call of each. The variant is a module that loads
 * these files. */
export interface ListJob extends JobCommon {
  kind: 'list';
}

/** `timer`: its function takes the number of calls and loops itself. */
export type BenchCaseTrait = 'timer';

/** A case of a benchmark file. */
export interface ListedCase {
  /** As the file gives it, after the names of its groups. */
  name: string;
  /** The file, as the variant names it. */
  file: Text;
  /** What is special about its calls. */
  trait?: BenchCaseTrait;
  /** Whether it returns promises. */
  isAsync?: true;
  /** `value`: it returns the same value at every call, or a promise of it; `varies`: other values; `nothing`: undefined;
   * `code`: a value that holds functions, whose source differs with the code that is compared; `unsuitable`: the file asks
   * for something that cannot be measured. */
  outcome: 'value' | 'varies' | 'nothing' | 'code' | 'throws' | 'unsuitable';
  /** Digest of the value, what was thrown, or why it is unsuitable. */
  detail?: Text;
}

/** What a memory job finds out. Allocation and collections belong to a cell; retained memory belongs to a
 * corpus, because the family's `retain.js` decides how documents are held. */
export type MemoryJobKind = 'allocation' | 'collections' | 'retained-slope' | 'retained-snapshot';

/** Measure what an operation allocates, or how often garbage is collected. */
export interface CellMemoryJob extends OperationJob {
  kind: 'allocation' | 'collections';
}

/** Read documents, hold all of them and measure the memory they retain. */
export interface CorpusMemoryJob extends CorpusJob {
  kind: 'retained-slope' | 'retained-snapshot';
  /** Documents to hold; a smaller corpus is repeated. */
  documentCount: AtLeastOne;
}

/** A job that measures memory; never timed for a verdict. */
export type MemoryJob = CellMemoryJob | CorpusMemoryJob;

/** Keep an operation busy while a recorder observes the process; never timed for a verdict. */
export interface ExerciseJob extends OperationJob {
  kind: 'exercise';
  /** A warm-up and then a duration, or a number of passes over the corpus without a warm-up. */
  work:
    | {
        /** Duration of the warm-up, in milliseconds. */
        warmUpMs: NonNegative;
        /** Duration of the work to record, in milliseconds. */
        recordMs: NonNegative;
      }
    | {
        /** Passes over the corpus. */
        passes: Count;
      };
  /** Module of `harness/worker/observers/` that observes from inside the worker. */
  observer: string | null;
  /** Absolute path of the file that the observer writes, if any. */
  observedPath: string | null;
}

/** What a worker reads from standard input, as one JSON document.
 * @discriminator kind */
export type Job =
  | MeasureJob
  | OutputJob
  | ConformanceJob
  | LoadJob
  | ListJob
  | FuzzJob
  | CellMemoryJob
  | CorpusMemoryJob
  | ExerciseJob;

/** A time that a processor can reach: a third of a cycle at 3 GHz, or more.
 * @minimum 0.1 */
type PossibleNs = number;

/** Percentiles of times in nanoseconds: the smallest time that so many of a hundred do not exceed. */
interface Percentiles {
  /** The 50th, in nanoseconds. */
  p50Ns: NonNegative;
  /** The 99th, in nanoseconds; absent with fewer than a hundred times. */
  p99Ns?: NonNegative;
  /** The largest, in nanoseconds. */
  maxNs: NonNegative;
}

/** Single calls, timed in a short loop after the batches. */
export interface CallTimes extends Percentiles {
  /** How many were timed. */
  timings: AtLeastOne;
  /** Documents in each: all of the corpus, and several passes where the clock is too coarse for one. The times are
   * divided by it. */
  documents: AtLeastOne;
}

/** Pauses of the garbage collector over all batches. */
export interface PauseTimes extends Partial<Percentiles> {
  /** Their number; without any there are no percentiles. */
  pauses: Count;
}

/** What a timed job measured. */
export interface Measurement {
  /** Wall time per document in nanoseconds, one figure per batch; or what the operation's `figure` names. Of first
   * calls one figure, their total.
   * @minItems 1 */
  batchNsPerDocument: PossibleNs[];
  /** Calls on a document in each batch; requests where the figure is per request; 1 for first calls. */
  documentsPerBatch: AtLeastOne;
  /** Milliseconds of each batch spent collecting garbage, if the worker knows. A worker whose batches contain
   * collections, that reads a reference loop and states `gcMs` must report it: its figure is the time of fast
   * batches, plus the mean of this. First calls are one batch, and have none. */
  batchGcMs?: NonNegative[];
  /** Milliseconds of each batch in which the thread waited for a processor that something else used, if the
   * worker knows. They are not part of the figure. */
  batchWaitMs?: NonNegative[];
  /** Milliseconds of each batch in which the event loop had nothing to do and waited, for timers or other threads, if the
   * worker knows. They are part of the figure, and not converted to the undisturbed speed. */
  batchIdleMs?: NonNegative[];
  /** Nanoseconds that the reference loop, a fixed piece of arithmetic, took before each batch and after the
   * last: the speed of the processor at the time. Without it the figure is the median of the batches. */
  referenceLoopNs?: Positive[];
  /** Nanoseconds between two values of the clock, if it is coarse. */
  clockStepNs?: Positive;
  /** The warm-up. */
  warmUp: {
    /** Its duration, in milliseconds. */
    ms: NonNegative;
    /** Calls in it. */
    calls: Count;
    /** Whether times had settled when it ended. */
    settled: boolean;
  };
  /** CPU time in user mode over all batches, in milliseconds. */
  cpuUserMs: NonNegative;
  /** CPU time in the kernel over all batches, in milliseconds. */
  cpuSystemMs: NonNegative;
  /** Wall time over all batches, in milliseconds. */
  wallMs: NonNegative;
  /** Garbage collections over all batches, if the worker knows. */
  gcCount?: Count;
  /** Time of these collections, in milliseconds. Without it batches may contain collections that nobody knows of:
   * the figure is then the mean of the batches, instead of the time of fast ones. */
  gcMs?: NonNegative;
  /** Percentiles of these collections, if the worker knows. */
  pauses?: PauseTimes;
  /** Percentiles of single calls, if the worker times them. */
  calls?: CallTimes;
  /** Times the process gave up its CPU, over all batches. */
  voluntaryContextSwitches: Count;
  /** Times its CPU was taken away, over all batches. */
  involuntaryContextSwitches: Count;
  /** Whether the job could raise its autogroup priority. */
  autogroupRaised: boolean;
  /** Most resident memory of the process so far, in bytes, if the worker knows. */
  residentBytes?: NonNegative;
}

/** One promise of the behaviour contract. */
export interface ContractRow {
  /** Heading it belongs to: `Equality and copies`. */
  theme: Text;
  /** Kebab-case name: `deep-equality`. */
  name: Text;
  /** What is promised, in one line. */
  promise: string;
  /** `differs`: it does not hold, and the variant declares so with a reason. */
  outcome: 'holds' | 'fails' | 'differs';
  /** The variant's reason, or what was expected and found; null where it holds. */
  detail: string | null;
}

/** A case that the variant fails. */
export interface ConformanceFailure {
  /** Name of the case. */
  name: string;
  /** What the case requires. */
  expected: string;
  /** What the variant did. */
  found: string;
}

/** A document on which variant and reference differ, reduced as far as possible. */
export interface FuzzFailure {
  /** Number of the document. */
  document: Count;
  /** Kebab-case kind: `other-value`, `reads-outside`, `hangs`. */
  kind: string;
  /** The document, in hexadecimal. */
  hex: string;
  /** Options of the deserializer. */
  options: Record<string, unknown>;
  /** Options of the serializer that writes back what was read. */
  writeOptions: Record<string, unknown>;
  /** What the reference makes of it. */
  expected: string;
  /** What the variant makes of it. */
  found: string;
}

/** What a fuzz job found. */
export interface FuzzResult {
  /** Documents tried. */
  documents: Count;
  /** Documents on which variant and reference differ. */
  differences: Count;
  /** Documents that the reference reads. */
  accepted: Count;
  /** Documents that the reference refuses. */
  refused: Count;
  /** Comparisons of an outcome of the variant with that of the reference. */
  checks: Count;
  /** Refusals of the variant, by class of error. */
  errors: Record<string, Count>;
  /** One failure of each kind. */
  failures: FuzzFailure[];
}

/** Garbage collections of one kind. */
export interface CollectionTotal {
  /** Number of collections. */
  count: Count;
  /** Their pauses together, in milliseconds. */
  ms: NonNegative;
}

/** What was done while the recorder observed. */
export interface Exercise {
  /** Documents processed. */
  documents: Count;
  /** Wall time, in milliseconds. */
  wallMs: NonNegative;
  /** Start and end on the system's monotonic clock. */
  window: {
    /** Start, in milliseconds. */
    startMs: number;
    /** End, in milliseconds. */
    endMs: number;
  };
  /** Garbage collections in the window, by kind; empty where they are unknown. */
  collections: Record<string, CollectionTotal>;
  /** What the observer reports besides its file. */
  observed?: unknown;
}

interface ReportCommon {
  formatVersion: FormatVersion;
  /** Identity of the job that this reports on. */
  jobId: Text;
  /** What the worker ran on. */
  runtime: {
    /** Its name: `node`, `java`. */
    name: Text;
    /** Its version. */
    version: Text;
    /** Flags it was given. */
    flags: string[];
  };
  /** Absolute paths of the files of all modules that the process loaded, its own included; absent if the worker does
   * not know. */
  loaded?: Text[];
}

export interface LoadReport extends ReportCommon {
  kind: 'load';
}

export interface ListReport extends ReportCommon {
  kind: 'list';
  /** In the order in which the files define them. */
  cases: ListedCase[];
  /** Why a file has no case, by file. */
  failures: Record<string, string>;
  /** The last lines that a file without a case printed, by file. */
  printed: Record<string, string[]>;
}

export interface MeasureReport extends ReportCommon {
  kind: 'measure';
  /** Digest of the operation's output after the last batch, and of the faults. */
  outputDigest: Digest;
  /** What is wrong with the measured function, although its output may be right: what spot checks found. */
  faults?: Text[];
  measurement: Measurement;
}

/** Size in bytes of the messages that an operation makes, one for each document: all of them together, as they
 * are and with each message compressed on its own, by the defaults of zlib in Node. */
export interface MessageSizes {
  /** Number of messages. */
  messages: AtLeastOne;
  /** Bytes without compression. */
  raw: Count;
  /** Bytes under gzip. */
  gzip: Count;
  /** Bytes under brotli. */
  brotli: Count;
  /** Bytes under zstd; absent under a Node without it. */
  zstd?: Count;
}

export interface OutputReport extends ReportCommon {
  kind: 'output';
  /** Digest of the output; null if the variant threw. */
  outputDigest: Digest | null;
  /** Sizes of the messages, of an operation that makes messages of different sizes. */
  sizes?: MessageSizes;
  /** What the runtime does wrong to text, whatever the variant. */
  runtimeFault?: string;
  /** What the variant threw. */
  thrown?: string;
  /** What to do, if the operation is at fault. */
  remedy?: string;
}

export interface ConformanceReport extends ReportCommon {
  kind: 'conformance';
  /** Vectors and limits that passed; 0 if only the contract was asked for. */
  passed: Count;
  /** Vectors and limits that failed. */
  failures: ConformanceFailure[];
  /** The family's behaviour contract, in its order. */
  contract: ContractRow[];
}

export interface FuzzReport extends ReportCommon {
  kind: 'fuzz';
  result: FuzzResult;
}

export interface MemoryReport extends ReportCommon {
  kind: MemoryJobKind;
  result: MemoryResult;
}

export interface ExerciseReport extends ReportCommon {
  kind: 'exercise';
  exercise: Exercise;
}

/** What a worker that finished writes to standard output, as one JSON document.
 * @discriminator kind */
export type WorkerReport =
  | MeasureReport
  | OutputReport
  | ConformanceReport
  | LoadReport
  | ListReport
  | FuzzReport
  | MemoryReport
  | ExerciseReport;

/** The document that a fuzz job tries next. */
export interface FuzzAttempt {
  /** Its number. */
  document: Integer;
  /** The document in hexadecimal, if the job is careful. */
  hex?: string;
  /** Options of the deserializer. */
  options?: Record<string, unknown>;
  /** Options of the serializer. */
  writeOptions?: Record<string, unknown>;
}

/** The journal of a fuzz job: its progress, replaced as it goes. */
export interface FuzzJournal {
  attempt: FuzzAttempt;
  /** Result of the documents before. */
  result: FuzzResult;
}
