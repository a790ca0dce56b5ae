import { buildProfile, walkNodes } from './call-tree.js';
import { functionKey } from './frames.js';

/** @import { Frame, FunctionWeights, Profile } from '../../formats/profile-types.ts' */

const DROPPED = -2;

/**
 * Keeps the call tree below the measured loop, which becomes the root, and the weight that belongs to no
 * function: garbage collection and `(program)` at the root.
 *
 * @param {Profile} profile
 * @param {(frame: Frame) => boolean} isRoot whether this function is the measured loop
 * @returns {{ profile: Profile, droppedShare: number }} `droppedShare`: share of the weight elsewhere, 0…1
 */
export function focusProfile(profile, isRoot) {
  const { frames, nodes } = profile;
  const builder = buildProfile(profile);
  const isRootFrame = frames.map((frame) => isRoot(frame));
  /** @type {Map<number, number>} */
  const keptFrames = new Map();
  const keptNodes = new Int32Array(nodes.length);
  let total = 0;
  let dropped = 0;
  for (let index = 0; index < nodes.length; index++) {
    const { frame, parent, self } = nodes[index];
    total += self;
    const keptParent = parent === -1 ? DROPPED : keptNodes[parent];
    const isUnowned = parent === -1 && isMachine(frames[frame]);
    if (keptParent === DROPPED && !isRootFrame[frame] && !isUnowned) {
      keptNodes[index] = DROPPED;
      dropped += self;
      continue;
    }
    const keptFrame = keptFrames.get(frame) ?? builder.addFrame(frames[frame]);
    keptFrames.set(frame, keptFrame);
    keptNodes[index] = builder.addNode(keptParent === DROPPED ? -1 : keptParent, keptFrame);
    builder.addSelf(keptNodes[index], self);
  }
  for (const { frame, self, ...line } of profile.lines) {
    const keptFrame = keptFrames.get(frame);
    if (keptFrame !== undefined) builder.addLine(keptFrame, line, self);
  }
  return {
    profile: builder.finish(profile.samples),
    droppedShare: total === 0 ? 0 : dropped / total,
  };
}

/** @param {Frame} frame */
function isMachine({ kind }) {
  return kind === 'gc' || kind === 'program';
}

/** Builtins that implement calls and bytecodes, unknown to JavaScript programmers. */
const PLUMBING = [
  /^(?:JS|C|DirectC|WasmC|JSConstruct|JSRunMicrotasks)Entry(?:_|$)/,
  /^(?!Resume|Keyed|Load|Store|Has|Define).*Trampoline/,
  /^Call(?:_|Function|BoundFunction|Varargs|ForwardVarargs|With)/,
  /^Construct(?!Proxy)|ConstructStub/,
  /^Adapt|^ArgumentsAdaptor/,
  /^RecordWrite|^EphemeronKeyBarrier|^IndirectPointerBarrier/,
  /^Interpreter|^Baseline(?:OutOfLine|OnStack|OrInterpreter)|^OnStackReplacement|^Maglev/,
  /^DeoptimizationEntry|^CompileLazy|^TailCallOptimized|^NotifyDeoptimized/,
  /Handler(?:\.|$)/,
];

const PROGRAM = Object.freeze(
  /** @type {Frame} */ ({
    name: '(program)',
    kind: 'program',
    file: null,
    line: null,
    column: null,
  }),
);

/**
 * Reduces a profile to what authors of a variant know: functions in its language, builtins such as
 * `ObjectEntries` and `KeyedLoadIC_Megamorphic`, and garbage collection. Native code, the kernel
 * and internal builtins count as self weight of their callers, or as `(program)` without a caller.
 * @type {(profile: Profile) => Profile} with the same total
 */
export function collapseNative(profile) {
  const { frames, nodes } = profile;
  const builder = buildProfile(profile);
  const keptFrames = frames.map((frame) => (isHidden(frame) ? -1 : builder.addFrame(frame)));
  const keptNodes = new Int32Array(nodes.length);
  for (let index = 0; index < nodes.length; index++) {
    const { frame, parent, self } = nodes[index];
    const keptParent = parent === -1 ? -1 : keptNodes[parent];
    const isKept = keptFrames[frame] !== -1;
    keptNodes[index] = isKept ? builder.addNode(keptParent, keptFrames[frame]) : keptParent;
    if (self === 0) continue;
    const owner = keptNodes[index];
    builder.addSelf(owner === -1 ? builder.addNode(-1, builder.addFrame(PROGRAM)) : owner, self);
  }
  for (const { frame, self, ...line } of profile.lines) {
    if (keptFrames[frame] !== -1) builder.addLine(keptFrames[frame], line, self);
  }
  return builder.finish(profile.samples);
}

/** @param {Frame} frame */
function isHidden({ kind, name }) {
  if (kind === 'native' || kind === 'kernel') return true;
  return kind === 'builtin' && PLUMBING.some((pattern) => pattern.test(name));
}

/**
 * Names frames without a file, mostly builtins, by the function that calls them: `entries in
 * generateFields`, with the position of that function. So every allocation site is in a source file.
 *
 * @param {Profile} profile
 * @returns {Profile} with the same total
 */
export function nameCallers(profile) {
  const { frames, nodes } = profile;
  const builder = buildProfile(profile);
  /** @type {number[]} */
  const newNodes = [];
  /** @type {(Frame | null)[]} nearest caller with a file, starting with the node itself */
  const places = [];
  for (const { frame: index, parent, self } of nodes) {
    const frame = frames[index];
    const caller = parent === -1 ? null : places[parent];
    const isPlaced = frame.file !== null || caller === null;
    const named = isPlaced ? frame : placeIn(frame, caller);
    const node = builder.addNode(parent === -1 ? -1 : newNodes[parent], builder.addFrame(named));
    builder.addSelf(node, self);
    newNodes.push(node);
    places.push(frame.file === null ? caller : frame);
  }
  for (const { frame, self, ...line } of profile.lines) {
    builder.addLine(builder.addFrame(frames[frame]), line, self);
  }
  return builder.finish(profile.samples);
}

/** @type {(frame: Frame, caller: Frame) => Frame} */
function placeIn(frame, { name, file, line, column }) {
  return { ...frame, name: `${frame.name} in ${name}`, file, line, column };
}

/**
 * Scales garbage collection to its share of time without a profiler. Native stacks count CPU time, of
 * which a thread that waits for concurrent helpers takes none, and profilers lengthen pauses. Differences
 * between processes are kept.
 *
 * @param {Profile[]} profiles of one arm, one per process, of the same unit
 * @param {number | null} share of time in collections, 0…1; null changes nothing
 * @returns {Profile[]}
 */
export function scaleCollector(profiles, share) {
  if (share === null || share >= 1) return profiles;
  const sums = profiles.map(sumByKind);
  const collecting = sums.reduce((total, { collector }) => total + collector, 0);
  const working = sums.reduce((total, { others }) => total + others, 0);
  const wanted = (working * share) / (1 - share);
  if (collecting > 0) {
    return profiles.map((profile) => scaleKind(profile, wanted / collecting));
  }
  if (wanted === 0) return profiles;
  return profiles.map((profile, index) =>
    addRoot(profile, COLLECTOR, (sums[index].others * share) / (1 - share)),
  );
}

/**
 * @param {Profile} profile of time
 * @param {number} share of time, 0…1, in which the event loop waited
 * @returns {Profile} with that time beside the functions
 */
export function addWaiting(profile, share) {
  const { collector, others } = sumByKind(profile);
  return addRoot(profile, WAITING, ((collector + others) * share) / (1 - share));
}

const COLLECTOR = /** @type {const} */ ({ name: '(garbage collector)', kind: 'gc' });
const WAITING = /** @type {const} */ ({
  name: 'waiting for timers and other threads',
  kind: 'builtin',
});

/** @param {Profile} profile */
function sumByKind({ frames, nodes }) {
  let collector = 0;
  let others = 0;
  for (const { frame, self } of nodes) {
    if (frames[frame].kind === 'gc') collector += self;
    else others += self;
  }
  return { collector, others };
}

/** @type {(profile: Profile, factor: number) => Profile} */
function scaleKind(profile, factor) {
  const { frames, nodes } = profile;
  return {
    ...profile,
    nodes: nodes.map((node) =>
      frames[node.frame].kind === 'gc' ? { ...node, self: node.self * factor } : node,
    ),
  };
}

/**
 * @param {Profile} profile without samples of this kind
 * @param {Pick<Frame, 'name' | 'kind'>} frame
 * @param {number} self
 * @returns {Profile}
 */
function addRoot(profile, { name, kind }, self) {
  const { frames, nodes } = profile;
  return {
    ...profile,
    frames: [...frames, { name, kind, file: null, line: null, column: null }],
    nodes: [...nodes, { frame: frames.length, parent: -1, self }],
  };
}

/**
 * @param {Profile} profile
 * @param {number} factor of every weight
 * @returns {Profile}
 */
export function scaleProfile(profile, factor) {
  return {
    ...profile,
    nodes: profile.nodes.map((node) => ({ ...node, self: node.self * factor })),
    lines: profile.lines.map((line) => ({ ...line, self: line.self * factor })),
  };
}

/**
 * Mean of profiles, each per document; a missing node weighs 0. `samples` is the sum.
 *
 * @param {Profile[]} profiles at least one, of the same source and unit
 * @returns {Profile}
 */
export function meanProfile(profiles) {
  const builder = buildProfile(profiles[0]);
  let samples = 0;
  for (const profile of profiles) {
    samples += profile.samples;
    const frameOf = profile.frames.map((frame) => builder.addFrame(frame));
    const nodeOf = new Int32Array(profile.nodes.length);
    for (let index = 0; index < profile.nodes.length; index++) {
      const { frame, parent, self } = profile.nodes[index];
      nodeOf[index] = builder.addNode(parent === -1 ? -1 : nodeOf[parent], frameOf[frame]);
      builder.addSelf(nodeOf[index], self / profiles.length);
    }
    for (const { frame, self, ...line } of profile.lines) {
      builder.addLine(frameOf[frame], line, self / profiles.length);
    }
  }
  return builder.finish(samples);
}

/** @param {Profile} profile @returns {Map<string, FunctionWeights>} by function key */
export function sumByFunction({ frames, nodes }) {
  /** @type {Map<string, FunctionWeights>} */
  const sums = new Map();
  const sumOf = frames.map((frame) => {
    const key = functionKey(frame);
    const sum = sums.get(key) ?? { frame, self: 0, total: 0 };
    sums.set(key, sum);
    return sum;
  });
  /** @type {Map<FunctionWeights, number>} */
  const depths = new Map();
  const totals = new Float64Array(nodes.length);
  walkNodes(
    nodes,
    function enterNode(index) {
      const sum = sumOf[nodes[index].frame];
      depths.set(sum, (depths.get(sum) ?? 0) + 1);
      sum.self += nodes[index].self;
      totals[index] += nodes[index].self;
    },
    function leaveNode(index) {
      const { frame, parent } = nodes[index];
      const depth = /** @type {number} */ (depths.get(sumOf[frame])) - 1;
      depths.set(sumOf[frame], depth);
      if (depth === 0) sumOf[frame].total += totals[index];
      if (parent !== -1) totals[parent] += totals[index];
    },
  );
  return sums;
}
