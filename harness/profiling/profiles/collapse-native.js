import { buildProfile } from './build-profile.js';

/** @import { Frame, Profile } from '../../formats/profile-types.ts' */

/** Builtins that carry calls and bytecodes; no JavaScript programmer wrote or knows them. */
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
 * Leaves what a programmer of the variant knows: functions in the language that it is written in,
 * builtins such as `ObjectEntries` and `KeyedLoadIC_Megamorphic`, garbage collection. The C++ of a
 * runtime, libc, the kernel and V8's plumbing count as self weight of what called them, as
 * `(program)` where nothing did.
 *
 * @param {Profile} profile
 * @returns {Profile} of the same total
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
  for (const { frame, line, self } of profile.lines) {
    if (keptFrames[frame] !== -1) builder.addLine(keptFrames[frame], line, self);
  }
  return builder.finish(profile.samples);
}

/** @param {Frame} frame */
function isHidden({ kind, name }) {
  if (kind === 'native' || kind === 'kernel') return true;
  return kind === 'builtin' && PLUMBING.some((pattern) => pattern.test(name));
}
