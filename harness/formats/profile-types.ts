/** The profile model: every recorder that sees stacks produces it, every view starts from it. Not stored. */

/** `js`: a JavaScript function; `builtin`: a function of V8; `code`: a function in another language that the
 * family built or that a runtime compiled, or the parts of libc its programmers know; `native`: all other C++
 * and libc; `kernel`: system code; `gc`: garbage collection; `program`: native code that V8 cannot name. */
export type FrameKind = 'js' | 'builtin' | 'code' | 'native' | 'kernel' | 'gc' | 'program';

/** A function. Two frames are the same function if name, kind and file are the same. */
export interface Frame {
  /** `writeDocument`, `ObjectEntries`, `v8::internal::KeyAccumulator::GetKeys`,
   * `codec::Parser<R>::next_event`, `(garbage collector)`, `(program)`, `(anonymous)`. */
  name: string;
  kind: FrameKind;
  /** Shortened so that it is the same on every machine and for every version of a package:
   * `experiments/js-bson/codec/write-text.js`, `bson/lib/bson.mjs`, `node:buffer`; null without a file. */
  file: string | null;
  /** First line of the function, from 1. */
  line: number | null;
  column: number | null;
  /** Whether the edits of the revision touch the function; absent if that is unknown. */
  edited?: boolean;
}

/** A line of a function with the weight that it has itself. */
export interface ProfileLine {
  /** Index in `frames`. */
  frame: number;
  /** From 1. */
  line: number;
  self: number;
  /** Absent if the recording does not have it. */
  text?: string;
  /** How many lines of the file up to this one have the same text. */
  occurrence?: number;
}

/** A frame in one calling context. */
export interface ProfileNode {
  /** Index in `frames`. */
  frame: number;
  /** Index in `nodes`, always smaller than the node's own; −1 for a root. */
  parent: number;
  /** Weight of the node without what it calls. */
  self: number;
}

/** Stacks with weights. */
export interface Profile {
  source: 'v8-cpu-profile' | 'perf' | 'v8-heap-profile';
  /** `none`: counts of something else, such as samples or cycles. */
  unit: 'ns' | 'bytes' | 'none';
  frames: Frame[];
  nodes: ProfileNode[];
  /** Self weight by source line, from 1, if the source has it. */
  lines: ProfileLine[];
  /** Samples behind the weights. */
  samples: number;
}

/** Two profiles of the same unit, per document, on one tree. */
export interface DifferentialProfile {
  unit: Profile['unit'];
  frames: Frame[];
  nodes: DifferentialNode[];
}

interface DifferentialNode {
  frame: number;
  parent: number;
  /** Self weight; 0 if the arm has no such node. */
  baseline: number;
  /** Self weight; 0 if the arm has no such node. */
  candidate: number;
}

/** The weight of a function in a profile. */
export interface FunctionWeights {
  /** The first frame with this key. */
  frame: Frame;
  self: number;
  /** Weight of the stacks with the function, each counted once even under recursion. */
  total: number;
}

/** Profiles of both arms of one cell. */
export interface CellProfiles {
  cellId: string;
  /** One a source: V8's own, native stacks, allocation. */
  views: ProfileView[];
}

/** Both arms as one source sees them, the mean of their processes, per document. */
export interface ProfileView {
  source: Profile['source'];
  /** The flamegraph of either arm is the tree with that arm's weights. */
  differential: DifferentialProfile;
  /** Source lines with weights, the heaviest first; of built-in variants with their text. */
  lines: SourceLine[];
  samples: Record<'baseline' | 'candidate', number>;
  processes: Record<'baseline' | 'candidate', number>;
}

/** One line of source with the weight that it has itself, per document. */
export interface SourceLine {
  file: string;
  line: number;
  /** Function that it is in. */
  name: string;
  text: string;
  baseline: number;
  candidate: number;
}
