/** What recorders export and are given. None of it is stored. */

import type { RecordedFigures } from './explanation.ts';
import type { Exercise, ExerciseJob } from './protocol.ts';
import type { Capability, RuntimeDescription } from './runtime.ts';

/** Whether a recorder can work here. */
export type Probe =
  | { available: true; detail: string }
  | { available: false; reason: string; /** Command that installs it. */ install: string | null };

/** `harness/profiling/recorders/NAME.js` exports one as `recorder`. Runs in the harness. */
export interface Recorder {
  /** As in `--with NAME`; the name of its file. */
  name: string;
  /** What it records, in one line. */
  summary: string;
  /** Processes per arm in the profile pass of a comparison; 0 if it runs only when asked for by name. */
  processes: number;
  /** The same for a client, whose figure is the CPU time of its thread; 0 if absent. */
  clientProcesses?: number;
  /** `processes` where another recorder is available whose evidence is preferred, by the name of that one. */
  processesBeside?: Record<string, number>;
  /** Jobs per arm when it is asked for by name; 1 if absent. */
  rounds?: number;
  /** Whether it measures time, so that nothing else may run; otherwise both arms are recorded at the same time. */
  isTimed?: boolean;
  /** Why it cannot record a worker in a sandbox, if it cannot: `it starts the worker itself`. */
  unfitForSandbox?: string;
  /** `node`: observes inside the JavaScript worker; `process`: observes any program from outside. */
  scope: 'node' | 'process';
  /** What it needs of the runtime of the JavaScript worker; nothing if absent. */
  needs?: readonly Capability[];
  /** Quick; installs nothing. */
  probe(host: RecorderHost): Promise<Probe>;
  /** Runs the worker in its own way and writes artefacts.
   * @throws {MachineError} when the tool fails; the failure of one job becomes a note in the report */
  record(context: RecordContext): Promise<Recorded>;
}

/** What a recorder may use of the outside world. */
export interface RecorderHost {
  environment: Record<string, string | undefined>;
  /** Where tools that are installed on demand are kept. */
  toolsPath: string;
  /** Sandbox of the workers, if any. */
  sandbox?: Sandbox | null;
}

/** A way to isolate workers that was found to work. */
export interface Sandbox {
  kind: 'bwrap' | 'unshare';
  /** Absolute path. */
  executable: string;
  /** Real paths of directories that are empty inside, outer ones first. */
  hiddenPaths: string[];
}

/** A place as an engine names it, from 1; null if it does not. */
export interface EnginePlace {
  /** Of the function; may be empty. */
  name: string;
  /** URL or absolute path of the script; may be empty. */
  url: string;
  line: number | null;
  column: number | null;
}

/** A place in the source that a developer wrote. */
export interface DescribedPlace extends EnginePlace {
  /** As in `Frame`. */
  file: string | null;
  /** Whether the edits of the revision touch the function; absent if that is unknown. */
  edited?: boolean;
}

/** What is known of the sources of the code that an engine runs for a variant. */
export interface Sources {
  describe(place: EnginePlace): DescribedPlace;
  /** The lines of a function that have weights, as far as they belong to it, with their text, and how many
   * lines up to them have the same. */
  describeLines(
    place: EnginePlace,
    ticks: { line: number; ticks: number }[],
  ): { line: number; ticks: number; text: string; occurrence: number }[];
}

/** The lines of a checkout that two revisions have differently. */
export interface EditedFiles {
  /** Absolute path of the checkout of one of them. */
  root: string;
  /** Its lines by file, relative to the checkout; lines that only the other one has are between two. */
  files: Map<string, { from: number; to: number }[]>;
}

/** One job to record. */
export interface RecordContext {
  host: RecorderHost;
  job: Omit<ExerciseJob, 'work' | 'observer' | 'observedPath'>;
  /** Starts the worker; with one more argument, a path, it reads the job from there instead of standard
   * input. */
  command: { executable: string; args: string[] };
  /** The same in parts, for tools that start Node in their own way; null if the family's own program
   * measures. */
  node: {
    executable: string;
    /** Arguments before the path of the worker. */
    listArguments(flags: readonly string[]): string[];
    flags: string[];
    runtime: RuntimeDescription;
    workerPath: string;
  } | null;
  /** Absolute path without an extension; the names of all artefacts start with it:
   * `…/serialize-flat-baseline-0`. */
  artefactBase: string;
  signal: AbortSignal;
  sources: Sources;
  /** Runs a worker for the exercise, behind `wrapper` and its arguments. */
  exercise(settings: {
    work: ExerciseJob['work'];
    observer?: string;
    observedPath?: string;
    /** Of node, for the JavaScript worker alone. */
    flags?: string[];
    /** What is observed from outside, for which a program may need arguments. */
    records?: 'stacks' | 'instructions';
    wrapper?: string[];
    /** Absolute paths of further files that the worker or the wrapper writes; a sandbox lets nothing else be
     * written. */
    writes?: string[];
    timeoutMs?: number;
  }): Promise<Exercise>;
}

/** What a recorder found out about one process. */
interface Recorded {
  exercise: Exercise | null;
  /** Absolute paths of the files left behind, the one that is read again first. */
  artefacts: string[];
  /** Figures small enough for the line of the journal. */
  figures?: RecordedFigures;
}
