/**
 * The one profile model: every recorder that sees stacks ends in it, every view starts from it.
 * Interfaces only.
 */

/** `js`: a function of JavaScript; `builtin`: one of V8's; `code`: a function in another language that
 * the family built or that a runtime compiled, and what its programmers know of libc; `native`: all
 * other C++ and libc; `kernel`: system code; `gc`: garbage collection; `program`: native code that V8
 * can tell no more of. */
export type FrameKind = 'js' | 'builtin' | 'code' | 'native' | 'kernel' | 'gc' | 'program';

/** A function. Two frames are the same function when name, kind and file are the same. */
export interface Frame {
  /** `writeDocument`, `ObjectEntries`, `v8::internal::KeyAccumulator::GetKeys`,
   * `codec::Parser<R>::next_event`, `(garbage collector)`, `(program)`, `(anonymous)`. */
  name: string;
  kind: FrameKind;
  /** Shortened so that it is the same on every machine and for every version of a package:
   * `experiments/js-bson/codec/write-text.js`, `bson/lib/bson.mjs`, `node:buffer`; null for what has
   * no file. */
  file: string | null;
  /** Where the function begins, counted from 1. */
  line: number | null;
  column: number | null;
}

/** A frame as called from a certain place. */
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
  unit: 'ns' | 'bytes';
  frames: Frame[];
  nodes: ProfileNode[];
  /** Self weight by source line, counted from 1, where the source tells. */
  lines: { frame: number; line: number; self: number }[];
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
  /** Self weights; 0 where a side has no such node. */
  baseline: number;
  candidate: number;
}
