import { functionKey, matchLoopFrame } from '../profiles/frames.js';
import { meanOfSamples } from './samples.js';

/** @import { Frame } from '../../formats/profile-types.ts' */
/** @import { CauseGroup, PairedFunction, ScaledSides, Side } from './types.ts' */

/** Heading over functions in files that only one side runs. */
export const OWN = "the variants' own functions";
/** The loops of operations and of the exercise, which the harness brings along. */
const LOOP = 'the measured loop and unattributed inlined code';
/** The same of a program of the family's own. */
const OWN_LOOP = 'the measured loop, with what the compiler inlines into it';
const LOOP_FILE = /\/operations\/[^/]+\.js$|\/exercise-operation\.js$/;
/** What operations consist of, the same on both sides even where V8 inlines it on one of them. */
const OPERATION_FILE = /^experiments\/[^/]+\/operations\//;
const LOOP_NAMES = Object.freeze(['run', 'runFor', 'runPasses']);
const ONE_SIDED = 'functions of one side alone';
/** A file with less than this share of the larger side may be missed by chance. */
const MIN_FILE_SHARE = 0.01;
/** A function that sinks below this share of its usual self time in one process was inlined there, so
 * that its time is told under its caller. */
const INLINED_BELOW = 0.25;
/** @typedef {Pick<CauseGroup, 'label' | 'kind' | 'members' | 'named'>} Heading */

/**
 * Puts every function under a heading that a programmer of the variants understands.
 *
 * Functions in files that only one side runs stand against each other under one heading, together
 * with those that V8 inlines into them in some processes and not in others: where one ends and the
 * other begins differs from process to process, their sum does not. Any other function of JavaScript,
 * and any that a program of the family's own brings, is its own heading.
 *
 * @param {ScaledSides} sides
 * @returns {Heading[]}
 */
export function sortIntoHeadings(sides) {
  const ownFiles = listOwnFiles(sides);
  const isOwnLoop = matchLoopFrame(sides.loop ?? []);
  /** @type {Map<string, Heading>} */
  const headings = new Map();
  for (const pair of sides.functions) {
    const { label, kind } = isOwnLoop(pair.frame)
      ? { label: OWN_LOOP, kind: /** @type {const} */ ('loop') }
      : findHeading(pair, ownFiles);
    // Functions of the same name in two files are two.
    const key = kind === 'function' ? functionKey(pair.frame) : label;
    const heading = headings.get(key) ?? { label, kind, members: [], named: [] };
    headings.set(key, heading);
    heading.members.push(pair);
    if (label !== OWN || isOwn(pair.frame, ownFiles)) heading.named.push(pair);
  }
  return [...headings.values()];
}

/**
 * @param {PairedFunction} pair
 * @returns {boolean} whether a process of a side shows far less of it than another
 */
export function isInlinedAtTimes(pair) {
  return [pair.baseline, pair.candidate].some((side) => {
    const values = (side?.self ?? []).map(({ value }) => value);
    return Math.min(...values) < INLINED_BELOW * Math.max(...values);
  });
}

/**
 * @param {PairedFunction} pair
 * @param {Set<string>} ownFiles
 * @returns {Pick<Heading, 'label' | 'kind'>}
 */
function findHeading(pair, ownFiles) {
  const { name, kind } = pair.frame;
  if (kind === 'gc') return { label: 'garbage collection', kind: 'gc' };
  if (kind === 'builtin') return { label: findBuiltinWords(name) ?? name, kind: 'builtins' };
  if (kind === 'kernel') return { label: 'the operating system', kind: 'builtins' };
  if (kind === 'program') return { label: 'native code without a name', kind: 'builtins' };
  if (kind === 'native') return { label: name, kind: 'builtins' };
  if (isLoop(pair.frame)) return { label: LOOP, kind: 'loop' };
  const isOneSided = pair.baseline === null || pair.candidate === null;
  const isMovable = isOneSided || isInlinedAtTimes(pair);
  if (isOwn(pair.frame, ownFiles) || (ownFiles.size > 0 && isMovable)) {
    return { label: OWN, kind: 'own' };
  }
  if (isOneSided) return { label: ONE_SIDED, kind: 'own' };
  return { label: name, kind: 'function' };
}

/** @param {Frame} frame */
function isLoop({ name, file }) {
  return file !== null && LOOP_NAMES.includes(name) && LOOP_FILE.test(file);
}

/**
 * @param {Frame} frame
 * @param {Set<string>} ownFiles
 * @returns {boolean}
 */
function isOwn({ kind, file }, ownFiles) {
  return kind === 'js' && file !== null && ownFiles.has(file);
}

/**
 * @param {ScaledSides} sides
 * @returns {Set<string>} files of JavaScript that one side alone spends time in, and enough of it
 *   not to have been missed on the other side by chance
 */
function listOwnFiles({ functions, levelNs }) {
  const times = {
    baseline: sumByFile(functions, 'baseline'),
    candidate: sumByFile(functions, 'candidate'),
  };
  const least = MIN_FILE_SHARE * Math.max(levelNs.baseline, levelNs.candidate);
  /** @param {Side} side @param {Side} other */
  const ownOf = (side, other) =>
    [...times[side]].flatMap(([file, ns]) =>
      ns >= least && !times[other].has(file) ? [file] : [],
    );
  return new Set([...ownOf('baseline', 'candidate'), ...ownOf('candidate', 'baseline')]);
}

/**
 * @param {PairedFunction[]} functions
 * @param {Side} side
 * @returns {Map<string, number>} self time of its functions by file
 */
function sumByFile(functions, side) {
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const pair of functions) {
    const one = pair[side];
    const file = one?.frame.kind === 'js' ? one.frame.file : null;
    if (one === null || file === null || OPERATION_FILE.test(file)) continue;
    times.set(file, (times.get(file) ?? 0) + meanOfSamples(one.self));
  }
  return times;
}

/**
 * What V8's builtins are to somebody who writes JavaScript. The first pattern that matches decides;
 * the names are those of V8's sources (`src/builtins`), which change little between versions.
 *
 * @type {readonly (readonly [RegExp, string])[]}
 */
const WORDS = Object.freeze([
  [/^GeneratorPrototype|^ResumeGenerator|^SuspendGenerator/, 'resuming generators'],
  [/IterResult/, 'iterator results'],
  [
    /^ArrayIteratorPrototype|^CreateArrayIterator|^ArrayPrototype(Entries|Keys|Values)$/,
    'array iterators',
  ],
  [/^(IterableTo|IteratorTo|GetIterator|SpreadIterable)/, 'iterating over values'],
  [/^ObjectEntries/, 'Object.entries'],
  [/^ObjectKeys/, 'Object.keys'],
  [/^ObjectValues/, 'Object.values'],
  [/^ObjectAssign/, 'Object.assign'],
  [/^Object(Prototype)?ToString/, 'Object.prototype.toString'],
  [/^ForIn|^EnumCache/, 'for-in loops'],
  [/^(Keyed)?HasIC|^HasProperty|^Object(Prototype)?HasOwn/, 'checks whether a property is there'],
  [/^(Keyed)?Load(Global|Super)?IC|^GetProperty/, 'property reads that V8 did not inline'],
  [
    /^(Keyed)?Store(Global)?IC|^Define(Keyed|Named)OwnIC|^SetProperty/,
    'property writes that V8 did not inline',
  ],
  [
    /^(Weak)?(Set|Map)(Prototype|Constructor|Iterator)|^(Weak)?(Set|Map)$|OrderedHash(Set|Map)|^WeakCollection/,
    'Map and Set',
  ],
  [/^RegExp/, 'regular expressions'],
  [/^String(Prototype)?IndexOf/, 'String.prototype.indexOf'],
  [/^StringPrototypeCharCodeAt|^StringCharCodeAt/, 'String.prototype.charCodeAt'],
  [/^StringAdd|^StringPrototypeConcat/, 'joining strings'],
  [/^(SubString|StringSubstring|StringPrototype(Slice|Substring|Substr))$/, 'parts of strings'],
  [/^String(Equal|Less|Greater|Compare)/, 'comparing strings'],
  [/^StringFrom(Char|Code)/, 'String.fromCharCode'],
  [/^(NumberToString|ToString|NumberPrototypeToString|StringConstructor)/, 'conversion to strings'],
  [/^Typeof/, 'typeof'],
  [/^InstanceOf|^OrdinaryHasInstance|^FunctionPrototypeHasInstance/, 'instanceof'],
  [/^BigInt/, 'BigInt'],
  [/^(TypedArray|CreateTypedArray|GenericLazy.*TypedArray)/, 'typed arrays'],
  [/^ArrayBuffer/, 'array buffers'],
  [/^DataView/, 'DataView'],
  [/^Date/, 'Date'],
  [/^ArrayPrototypePush|^ArrayPush/, 'Array.prototype.push'],
  [/^ArrayPrototypePop|^ArrayPop/, 'Array.prototype.pop'],
  [/^(ArrayIsArray|IsArray)/, 'Array.isArray'],
  [/^(CallApi|HandleApi)/, "calls into Node's C++"],
  [/^(CEntry|WasmCEntry)/, "calls into V8's C++"],
  [
    /^(Call|CallFunction|CallWith|CallBound|Construct|JSConstruct|JSBuiltinsConstruct|FastNewObject|ArgumentsAdaptor|FunctionPrototype(Apply|Call))/,
    'calls that V8 did not inline',
  ],
  [/^(Create|FastNew|FastClone|Allocate|Grow|NewArguments|CopyFast|ExtractFast)/, 'making objects'],
  [/^RecordWrite|^EphemeronKeyBarrier/, 'write barriers of the collector'],
  [
    /Handler$|^Interpreter|^Baseline|^CompileLazy|^Deopt|^OnStackReplace/,
    'code that is not optimised',
  ],
  [/^Promise|^Async|^RunMicrotasks/, 'promises'],
  [/^Proxy|^Reflect/, 'Proxy and Reflect'],
]);

/**
 * The heading under which a builtin's time is told.
 *
 * @param {string} name as in a frame: `KeyedLoadIC_Megamorphic`
 * @returns {string | null} null for a builtin without a heading, which goes by its own name
 */
export function findBuiltinWords(name) {
  return WORDS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
