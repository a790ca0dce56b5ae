/** What families and corpora export. None of it is stored. */

import type { CostKind } from './calibration.ts';
import type {
  Measurement,
  MeasureSettings,
  MemoryJobKind,
  OperationJob,
  PreparedCorpus,
  WorkerProgram,
} from './protocol.ts';
import type { Series } from './run.ts';

/** A parsed variant spec: what the user asked for, before anything is looked up. */
export type VariantSpec = {
  /** As typed. */
  text: string;
  /** Runtime it is pinned to, with the version as typed: `node@20`, `bun@1.4.5`; null for none. */
  runtime: string | null;
} & (
  | {
      kind: 'built-in';
      family: string | null;
      name: string;
      /** By axis: `linked-list+object-id=packed` has `{ 'object-id': 'packed' }`. */
      settings: Record<string, string>;
    }
  | {
      kind: 'npm';
      /** Empty for an archive whose name was not typed. */
      packageName: string;
      /** As typed: an exact version, a range or a tag; of an archive its path or URL. */
      version: string;
      /** Whether it is a `.tgz` file instead of a version in the registry. */
      isArchive?: true;
      /** Versions of dependencies by name: `npm:protobufjs@7.5.4+long=5.2.3` has `{ long: '5.2.3' }`. */
      overrides: Record<string, string>;
    }
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

/** `experiments/FAMILY/family.js` exports one as `family`. */
export interface Family {
  name: string;
  summary: string;
  /** Spec of the variant whose output is correct by definition; absent for the baseline of each comparison. */
  reference?: string;
  /** npm packages whose versions are variants of this family. */
  packages: string[];
  /** Further modules of these packages that operations import: `wkt` is `@bufbuild/protobuf/wkt`. */
  modules?: string[];
  /** Of a family that is generated for benchmark files: what they are. */
  bench?: BenchFiles;
  /** Whether a module or checkout of an unknown package may be a variant too. */
  takesModules?: boolean;
  /** Whether packages that no family lists, and their checkouts, are variants of it where nothing else is asked for. */
  takesUnknownPackages?: boolean;
  /** Operations of a comparison that names none. */
  defaultOperations: string[];
  /** Corpora of a comparison that names none; absent for `empty`, in a family whose operations read no documents. */
  defaultCorpora?: string[];
  /** Parts of a built-in variant that can be set independently. Needs a `compose.js` that exports
   * `composeVariant(module, settings)`, which returns the module with the settings applied. */
  axes?: Axis[];
  /** How to calibrate the instrument with a variant of this family, if that is possible. */
  calibration?: FamilyCalibration;
  /** Warm-up and batches of a timed job, where they differ from those for JavaScript. */
  settings?: Partial<MeasureSettings>;
  /** Whether its operations can read a corpus; absent if they read any. */
  takesCorpus?(corpus: CorpusSample): boolean;
  /** Approximate life of a timed process in milliseconds, where it differs from that for JavaScript; budgets
   * are divided by it. */
  processMs?: number;
  /** Possible kinds of memory jobs; absent for all of them. */
  memory?: readonly MemoryJobKind[];
  /** Packages whose versions are variants of this family, by registry: the first part of a spec. Needs
   * `fetchPackage` of the family's worker. */
  registries?: Record<string, string[]>;
}

/** Benchmark files, which a variant of their family loads from a copy of its own tree. */
export interface BenchFiles {
  /** Absolute path of the folder with copies of them, and of what is laid over the tree of every variant with them. */
  path: string;
  /** Paths of the files, relative to it. */
  files: string[];
  /** Directory in which they run, relative to it. */
  directory: string;
  /** Their arguments. */
  args: string[];
}

/** What decides whether a corpus fits. */
export interface CorpusSample {
  name: string;
  /** As plain objects and BSON value classes. */
  firstDocument: Record<string, any>;
}

/** Defaults of a calibration, and how it injects costs. */
export interface FamilyCalibration {
  variant: string;
  corpora: string[];
  /** By kind of cost, the axis whose values are rounds of useless work after each document, from 1. */
  costAxes: Record<CostKind, string>;
}

/** A property of a variant that `+NAME=VALUE` sets. */
export interface Axis {
  name: string;
  summary: string;
  /** Folder of the family whose modules are its values. */
  folder?: string;
  /** Its values, if there is no folder. Without either they are whole numbers from 1. */
  values?: string[];
}

/** `experiments/FAMILY/variants/NAME.js` exports one as `variant`, beside its functions. */
export interface VariantDescription {
  idea: string;
  source: string;
  /** Variant of the same family that differs from it in its idea alone. */
  neighbour?: string;
  /** Intended differences in behaviour from the reference, one sentence each. */
  differs?: string[];
  /** Rows of the behaviour contract that it breaks on purpose, by name, with the reason. */
  breaks?: Record<string, string>;
  /** Whether documents nested thousands deep exhaust its call stack. */
  usesCallStack?: boolean;
  /** What the family's own program is given for it; axes replace the entry of their name. */
  settings?: Record<string, string>;
  /** Whether it needs nothing that its family builds, and so no toolchain. */
  isPortable?: boolean;
  /** Its operations; absent for all of its family's. */
  operations?: string[];
}

/** `experiments/FAMILY/worker.js` exports one as `worker`, if something must be built before variants can be
 * measured, or if they are not written in JavaScript. */
export interface FamilyWorker {
  /** Programs needed for building and running. */
  toolchain: Tool[];
  /** Files and folders of the build, relative to the family's folder; together with `worker.js` itself and the
   * versions of the toolchain they determine its place in the cache. */
  sources: string[];
  /** Environment variables that tell the toolchain where it is installed. */
  variables?: string[];
  /** Fills `context.outputPath` with what runs jobs, or with what variants load.
   * @throws {MachineError} when a program fails or a download is not what is locked */
  build(context: BuildContext): Promise<void>;
  /** How to start the worker of a variant. Absent: variants run in the JavaScript worker, and
   * `compose.js` is told where the build is. */
  command?(built: BuiltVariant): WorkerProgram;
  /** Puts a version of a package into `context.outputPath`.
   * @throws {UsageError} when there is no such version */
  fetchPackage?(
    wanted: { registry: string; name: string; version: string },
    context: BuildContext,
  ): Promise<{ integrity: string; idea: string; source: string }>;
}

/** `experiments/FAMILY/servers/NAME/worker.js` exports one as `worker`: a server that operations of the family can
 * talk to. It is looked for in the environment and in PATH, and last where `just setup NAME` has built it. */
export interface ServerWorker extends FamilyWorker {
  /** Environment variable with the address of a server that runs already: `MONGODB_URI`. */
  addressVariable: string;
  /** The program in PATH. */
  program: string;
  /** Arguments that make it print its version. */
  versionArgs: string[];
}

/** A program that a family's worker needs. */
export interface Tool {
  /** Its command: `cc`. */
  name: string;
  /** `1.90`. */
  leastVersion: string;
  /** Arguments that make it print its version, on standard output or standard error. */
  versionArgs: string[];
  /** Command that installs it, or where to get it. */
  install: string;
}

/** What a build may use. All paths are absolute. */
export interface BuildContext {
  familyPath: string;
  /** Empty; kept if the build succeeds. */
  outputPath: string;
  /** Kept between builds, for downloads of the toolchain. */
  downloadsPath: string;
  /** Runs a program to its end and returns its standard output.
   * @throws {MachineError} with its last output, when it fails */
  run(
    program: string,
    args: string[],
    options?: { workingPath?: string; variables?: Record<string, string>; timeoutMs?: number },
  ): Promise<string>;
}

/** Input of `FamilyWorker.command`. */
export interface BuiltVariant {
  buildPath: string;
  /** Result of `fetchPackage`, if the variant is a package. */
  packagePath: string | null;
  settings: Record<string, string>;
}

/** `experiments/FAMILY/operations/NAME.js` exports one as `operation`. The harness reads this much of it; where
 * the family's own program measures, there is no more. */
export interface OperationDescription {
  summary: string;
  /** What its nanoseconds measure, if not wall time per document: `server CPU time per request`. */
  figure?: string;
  /** npm packages that `measure` needs: exact version by name. */
  packages?: Record<string, string>;
  /** Corpora of a comparison that names this operation and no corpus; absent for those of the family. */
  defaultCorpora?: string[];
  /** Whether it can read a corpus; absent if it reads all that its family does. */
  takesCorpus?(corpus: CorpusSample): boolean;
  /** Whether its figure is CPU time of its own thread, so that a pair of jobs runs on one core: what disturbs that
   * core then disturbs both alike. */
  sharesCore?: boolean;
  /** Whether its calls are asynchronous: it has the methods of `AwaitedOperation`. */
  isAsync?: boolean;
  /** Flags of Node for every job of a comparison with it, unless others are asked for. */
  nodeFlags?: string[];
  /** Servers it can talk to, beginning with its own. */
  servers?: [string, ...string[]];
  /** Its position in a series of operations. */
  series?: Series;
  /** What its cells are called in reports, in place of its name and the corpus; unique. */
  title?: string;
  /** Why its output is not compared with that of the reference, and says nothing. */
  unchecked?: string;
  /** Whether it makes what the family's `retain.js` holds. A comparison of memory measures what documents
   * retain only with such an operation. */
  readsDocuments?: boolean;
  /** Whether a call reads or writes the canonical BSON of a whole document, so that its size gives bytes per second. */
  codesCanonical?: boolean;
  /** Describes where two outputs of one document differ. */
  explainDifference(
    expected: Uint8Array,
    found: Uint8Array,
  ): Promise<{ path: string; expected: string; found: string }>;
}

/** An operation that runs inside the JavaScript worker. */
export interface Operation<State = unknown> extends OperationDescription {
  /** Reads the corpus into what the loop needs. `module` is the variant's namespace object. */
  prepare(module: object, corpus: PreparedCorpus, equipment?: Equipment): Promise<State> | State;
  /** The measured loop: processes all documents `passes` times and keeps the result alive. It may return a promise if the
   * operation measures itself, or if the worker made it from the calls of an `AwaitedOperation`. */
  run(state: State, passes: number): void | Promise<void>;
  /** Keeps the latest result of `run`, for `output` to check that timed calls give the right result too. Called
   * after one batch, outside of the timed part. */
  keepSample?(state: State): void;
  /** Measures instead of the harness, where the figure is not the time in `run`. Leaves no process and no
   * open port behind. */
  measure?(state: State, conditions: MeasureConditions): Promise<Measurement>;
  /** Checks, after the last batch, that the measured function still works when something else changes than in the loop.
   * Changes a document in a way that nobody can predict, yields a number of passes for the harness to run, and compares.
   * Leaves the state as it was. Called several times in every timed job. */
  spotCheck?(state: State, chance: Chance): SpotCheck;
  /** The values whose form in V8 decides the speed of `run`: what it reads or makes. */
  values?(state: State): object[];
  /** The output, a byte array or another value per document: what the gate compares, and what every timed job has to give
   * after its last batch. Values are equal if their types are, too. It may return a promise where `run` may. */
  output(state: State): Promise<any[]> | any[];
  /** The messages it makes, one for each document, where their sizes are to be compared. Called after `output`, and
   * never in a timed process. */
  messages?(state: State): Promise<Uint8Array[]> | Uint8Array[];
}

/** An operation whose calls return promises, async iterables, streams of Node or web streams. The worker makes the loop
 * and, unless there is a method for it, the output (`harness/worker/measure-awaited.js`). */
export interface AwaitedOperation<State = unknown> extends Omit<
  Operation<State>,
  'run' | 'measure' | 'output'
> {
  isAsync: true;
  /** Begins the call on the document with this index. The worker awaits what it returns, and reads it to its end if that
   * is, or is the promise of, an async iterable or a stream. Calls of several documents may be in flight. */
  call(state: State, index: number): unknown;
  /** Absent: what each call gives once, of streams all bytes, the whole text, or the list of other chunks. */
  output?: Operation<State>['output'];
}

/** Yields passes of the loop and is given what they threw, if they did; returns what is wrong, or null. */
export type SpotCheck = Generator<number, string | null, unknown>;

/** What a spot check decides by. */
export interface Chance {
  /** A random whole number from 0 to `count` - 1. */
  pick: PickIndex;
  /** Most passes to yield at once; at least 2. */
  maxPasses: number;
}

export type PickIndex = (count: number) => number;

/** What an operation uses besides the variant and the documents. */
export interface Equipment {
  /** Directories of the packages it asked for, by name. */
  packages: Record<string, string>;
  /** The server to talk to; absent for its own. */
  server: OperationJob['server'];
  /** Makes the documents of a corpus, with the package bson: plain objects, where they consist of what JSON can
   * represent. */
  readDocuments(corpus: PreparedCorpus): Promise<Record<string, any>[]>;
  /** Imports a further module of the package that is the variant, which the family names in `modules`. */
  importModule(name: string): Promise<any>;
  /** Registers what is done after the job, whatever kind of job it is. */
  atEnd(end: () => Promise<unknown>): void;
}

/** Input of an operation that measures itself. */
interface MeasureConditions extends Pick<Equipment, 'packages'> {
  /** Made for a loop without a pause; an operation may need a multiple of them. */
  settings: MeasureSettings;
}

/** `corpora/NAME.js` exports one as `corpus`. */
export interface Corpus {
  name: string;
  /** What it stresses, in one line. */
  stresses: string;
  /** Pinned `sha256:…` of its canonical BSON, in its default number of documents. Every corpus of Assay has one; without
   * one the documents are generated for every command. */
  digest?: string;
  /** Documents if the label gives no count. Absent: the corpus has a fixed number of them and takes no
   * count. */
  defaultCount?: number;
  /** Yields documents of plain objects and BSON value classes, the same for the same seed, one by one; a
   * smaller count yields the first of them. */
  documents(count?: number): Iterable<Record<string, unknown>>;
}
