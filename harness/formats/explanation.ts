/** What recorders find and the part of a verdict that says why cells differ. */

import type { CollectionSummary } from './memory.ts';
import type { FrameKind } from './profile-types.ts';
import type { Cell, RatioInterval } from './run.ts';
import type { Count, Integer } from './scalars.ts';
import type { Warning } from './verdict.ts';

/** A value of each arm that is profiled. */
type ByArm<Value> = Record<'baseline' | 'candidate', Value>;

/** An estimate with its 95 % interval, in the unit of its field. */
export interface Interval {
  /** Best estimate. */
  estimate: number;
  /** Lower end of the interval. */
  low: number;
  /** Upper end of the interval. */
  high: number;
}

/** How V8 represents the values that an operation reads or makes: counts over all objects and arrays in
 * them. */
export interface ValueForms {
  /** Objects. */
  objects: Count;
  /** Objects whose properties are in a hash table (dictionary mode). */
  dictionaries: Count;
  /** Different hidden classes of the other objects. */
  hiddenClasses: Count;
  /** Arrays. */
  arrays: Count;
  /** Arrays by kind of their elements: `packed smi`, `holey double`, `dictionary`. */
  elements: Record<string, Count>;
  /** Numbers held as small integers. */
  smis: Count;
  /** Numbers held as doubles. */
  doubles: Count;
  /** Strings: `one-byte` and `two-byte` are all of them, `internalized` is a part. */
  strings: Record<string, Count>;
  /** Keys of the largest object. */
  mostKeys: Count;
}

/** Instructions of the processor, from the slope over several numbers of passes. */
interface InstructionFigures {
  kind: 'instructions';
  /** Instructions per document. */
  perDocument: number;
  /** The counts behind it. */
  counts: {
    /** Passes over the corpus. */
    passes: Count;
    /** Instructions of the whole process. */
    instructions: Count;
  }[];
}

/** Whole processes, start-up included. */
interface ProcessFigures {
  kind: 'whole-process';
  /** Mean, in milliseconds. */
  meanMs: number;
  /** Standard deviation, in milliseconds. */
  standardDeviationMs: number;
  /** Each process, in milliseconds. */
  timesMs: number[];
}

/** V8's representation of the values. */
interface ValueFigures {
  kind: 'values';
  values: ValueForms;
}

/** Figures of recorders that see no stacks.
 * @discriminator kind */
export type RecordedFigures = InstructionFigures | ProcessFigures | ValueFigures;

/** The file that the recorder `deopts` writes: `NAME.deopts.json`. */
export interface DeoptLog {
  /** Functions that V8's log mentions. */
  functions: FunctionLog[];
}

/** The tiers of V8: Ignition, Sparkplug, Maglev, TurboFan. */
export type Tier = 'interpreter' | 'baseline' | 'mid' | 'optimized';

/** State of an inline cache that met more than one hidden class. */
export type CacheState = 'polymorphic' | 'megamorphic' | 'generic';

/** What V8 made of one function, from its log. */
export interface FunctionLog {
  name: string;
  /** Shortened as in `Frame`. */
  file: string;
  line: number;
  column: number;
  /** Highest tier reached. */
  tier: Tier;
  deopts: DeoptEntry[];
  /** Inline caches that met more than one hidden class, in the worst state they reached. */
  sites: CacheSite[];
}

/** A place in the source of a deoptimisation. */
interface DeoptPlace {
  kind: 'eager' | 'lazy' | 'soft' | 'dependency-change' | 'other';
  /** As V8 says: `wrong map`. */
  reason: string;
  /** Shortened; of the place in the source, which may be in an inlined function. */
  file: string | null;
  /** From 1. */
  line: Integer | null;
  /** From 1. */
  column: Integer | null;
}

/** Deoptimisations of one function at one place for one reason. */
export interface DeoptEntry extends DeoptPlace {
  /** Number of them. */
  count: number;
  /** Those after warm-up. */
  late: number;
}

/** An inline cache in the source. */
interface CachePlace {
  /** `LoadIC`, `KeyedLoadIC`, `StoreIC`. */
  cache: string;
  /** Name of the property, if known. */
  key: string | null;
  /** From 1. */
  line: Count;
  /** From 1. */
  column: Count;
}

/** An inline cache that met more than one hidden class. */
export interface CacheSite extends CachePlace {
  state: CacheState;
  /** Hidden classes seen, if known. */
  classes: number | null;
}

/** Nanoseconds per document in one function. */
interface FunctionTime {
  /** Without what it calls, in nanoseconds. */
  selfNs: number;
  /** With what it calls, in nanoseconds. */
  totalNs: number;
}

/** One function, in nanoseconds per document. */
export interface FunctionChange {
  name: string;
  kind: FrameKind;
  /** Shortened as in `Frame`. */
  file: string | null;
  /** First line of the function, from 1. */
  line: Integer | null;
  /** Whether the two revisions have lines of it differently; absent if that is unknown, and in older reports. */
  edited?: boolean;
  /** null if the arm never runs it. */
  baseline: FunctionTime | null;
  /** null if the arm never runs it. */
  candidate: FunctionTime | null;
  /** Change of self time. */
  self: Interval;
  /** Change of total time. */
  total: Interval;
}

/** Part of the difference under one heading. */
export interface Cause {
  /** `Object.entries`, `garbage collection`, `resuming generators`, `writeDocument`. */
  name: string;
  /** In nanoseconds per document. */
  change: Interval;
  /** Share of the measured difference; null if that is too small to share out. */
  share: number | null;
}

/** What one part of a client takes, in nanoseconds per call. */
export interface PartChange {
  /** `the variant`, `mongodb`, `Node`, `garbage collection`. */
  name: string;
  /** Of the baseline, in nanoseconds. */
  baselineNs: number;
  /** Of the candidate, in nanoseconds. */
  candidateNs: number;
  change: Interval;
}

/** A deoptimisation that only one arm has, or has more often. */
export interface DeoptChange extends DeoptPlace {
  /** Name of the function. */
  function: string;
  /** Number in the baseline. */
  baseline: Count;
  /** Number in the candidate. */
  candidate: Count;
  /** Those after warm-up. */
  late: ByArm<Count>;
}

/** An inline cache that is in another state in the other arm. */
export interface CacheSiteChange extends CachePlace {
  /** Name of the function. */
  function: string;
  /** Shortened as in `Frame`. */
  file: string;
  /** null where monomorphic or absent. */
  baseline: CacheState | null;
  /** null where monomorphic or absent. */
  candidate: CacheState | null;
}

/** A function that ends in another tier in the other arm. */
export interface TierChange {
  /** Name of the function. */
  function: string;
  /** Shortened as in `Frame`. */
  file: string;
  /** From 1. */
  line: Count;
  /** Highest tier reached. */
  baseline: Tier;
  /** Highest tier reached. */
  candidate: Tier;
}

/** What one call site allocates, in bytes per document, collected objects included. */
export interface AllocationChange {
  /** Name of the function. */
  name: string;
  /** Shortened as in `Frame`. */
  file: string | null;
  /** From 1. */
  line: Integer | null;
  /** Bytes of the baseline. */
  baselineBytes: number;
  /** Bytes of the candidate. */
  candidateBytes: number;
  /** In bytes. */
  change: Interval;
}

/** Why a cell differs. */
export interface CellExplanation {
  cell: Cell;
  /** Source of the changes of functions; `perf` sees builtins and native code too. */
  source: 'perf' | 'v8-cpu-profile' | null;
  /** Plain sentences derived from the figures below; no markup. */
  paragraph: string[];
  /** The same in one sentence, without its end; absent where the times do not differ, and in older reports. */
  summary?: string;
  /** Candidate minus baseline of the timed jobs, in nanoseconds per document. */
  measured: Interval | null;
  /** Nanoseconds per document in the profiled processes, before they are scaled to the timed ones. */
  profiled: ByArm<number | null>;
  /** Profiled processes. */
  processes: ByArm<Count>;
  /** Functions by change of self time, the largest first. With `rest` the changes sum to the difference
   * that was timed. */
  functions: FunctionChange[];
  /** Functions left out of `functions`. */
  rest: {
    /** Number of them. */
    functions: Count;
    /** Sum of their changes, in nanoseconds per document. */
    selfNs: number;
  };
  /** Where the figure is the CPU time of a client: that of each part, which sum to the figure. */
  parts?: PartChange[];
  /** Changes by what is responsible, largest first; they sum to the same. */
  causes: Cause[];
  /** Garbage collections beside V8's profiler; their share of the time is that of the timed jobs. */
  collections: ByArm<CollectionSummary | null>;
  /** Mean pause of a collection, in milliseconds. */
  pauseMs: ByArm<number | null>;
  /** Deoptimisations that one arm has more of. */
  deopts: DeoptChange[];
  /** Inline caches whose state differs. */
  cacheSites: CacheSiteChange[];
  /** Functions that end in different tiers. */
  tiers: TierChange[];
  /** Bytes by call site, the largest change first. */
  allocations: AllocationChange[];
  /** V8's representation of the values; null if not recorded. */
  values: ByArm<ValueForms | null>;
  /** Instructions per document. */
  instructions: {
    /** Of each arm. */
    values: ByArm<number>;
    /** Candidate divided by baseline. */
    ratio: number;
  } | null;
  /** Whole processes, start-up included. */
  wholeProcess: {
    /** Mean, in milliseconds. */
    valuesMs: ByArm<number>;
    /** Candidate divided by baseline. */
    ratio: RatioInterval;
  } | null;
  /** Files to open, relative to the directory of the run. */
  artefacts: {
    /** Recorder that wrote it. */
    recorder: string;
    arm: 'baseline' | 'candidate';
    /** Relative to the directory of the run. */
    path: string;
  }[];
}

/** The part of verdict.json that says why cells differ. */
export interface Explanation {
  /** Cells that were profiled. */
  cells: CellExplanation[];
  /** Numbered on from the other warnings. */
  warnings: Warning[];
}
