import type { Runtime } from './run.ts';

/** What `harness/variants/runtimes/NAME.js` exports. */

/**
 * What the JavaScript worker or a recorder can use beyond the language and the modules of Node:
 * - `node-flags`: flags of Node, of the user or of an operation
 * - `v8-flags`: flags of V8 that the harness sets
 * - `v8-log`: the log and the traces of V8, written to files
 * - `perf-map`: names of compiled functions for Linux perf, and the monotonic clock that its samples have
 * - `v8-natives`: V8's internal view of a value
 * - `pairs`: two jobs at once measure as well as one, each on a core of its own
 * - `placements`: copies of a variant whose code lies elsewhere in memory
 * - `heap-size`: the size of the heap at any time
 * - `collections`: number and pauses of garbage collections
 * - `cpu-profile`: the Profiler domain of the inspector
 * - `heap-profile`: the HeapProfiler domain of the inspector
 * - `heap-snapshot`: a snapshot of the heap in V8's format
 */
export type Capability =
  | 'node-flags'
  | 'v8-flags'
  | 'v8-log'
  | 'perf-map'
  | 'v8-natives'
  | 'pairs'
  | 'placements'
  | 'heap-size'
  | 'collections'
  | 'cpu-profile'
  | 'heap-profile'
  | 'heap-snapshot';

interface AnyRuntime {
  /** Example of a version, for messages: `22 or 22.11.0`. */
  example: string;
  capabilities: readonly Capability[];
}

/** A runtime from npm. */
export interface PackagedRuntime extends AnyRuntime {
  /** npm package with its program for this platform, which may not exist. */
  packageName: string;
  /** Path of the program in the package. */
  programPath: string;
  /** Arguments with which the program prints `process.versions` as JSON. */
  versionsArguments: readonly string[];
  /** The engine, from `process.versions`. */
  nameEngine(versions: Record<string, string>): string;
  /** Arguments before the path of the worker: what lets it work, and the flags of V8 or Node as far as the
   * runtime takes any. */
  listArguments(flags: readonly string[]): string[];
}

/** A runtime that is installed on the host. A program of Node runs the worker in it. */
export interface InstalledRuntime extends AnyRuntime {
  /** Finds it. Throws an AssayError if it is not installed, or has another version than the one wanted. */
  find(wanted: string | null, places: { cachePath: string }): Promise<Omit<Runtime, 'lacks'>>;
  /** Arguments of Node before the path of the worker, with which it reads a job and writes the report. */
  listArguments(flags: readonly string[], runtime: Runtime): string[];
  /** What starting it may add to the time of a job on a busy host, in milliseconds. */
  startMs: number;
}

/** A JavaScript runtime: `harness/variants/runtimes/NAME.js` exports one as `runtime`. */
export type RuntimeDescription = PackagedRuntime | InstalledRuntime;
