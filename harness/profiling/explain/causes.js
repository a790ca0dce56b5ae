import { functionKey, matchLoopFrame } from '../profiles/frames.js';
import { sumSelf } from './functions.js';
import { compareArms, excludesZero, forBothArms, meanOfSamples } from './samples.js';

/** @import { Cause, Interval } from '../../formats/types.ts' */
/** @import { CauseGroup, ComparedArm, Heading, PairedFunction, ScaledArms } from './types.ts' */
/** @import { Frame } from '../../formats/profile-types.ts' */

/** Changes below this share of the larger arm are not a separate cause. */
const MIN_SHARE = 0.01;
/** Own functions named per arm. */
const MAX_NAMES = 2;

const OTHERS = Object.freeze({
  function: 'other functions (small or unclear)',
  builtins: 'other builtins (small or unclear)',
});

/** @type {(cause: Pick<Cause, 'name'>) => boolean} whether it stands for functions that are no cause of their own */
export function isRest({ name }) {
  return Object.values(OTHERS).some((rest) => rest === name);
}

/**
 * Attributes the difference to causes. Every function belongs to exactly one, so the changes sum to
 * the difference of the two levels. Small causes are merged into a rest.
 * @type {(arms: ScaledArms) => CauseGroup[]} the largest change first
 */
export function groupCauses(arms) {
  const groups = sortIntoHeadings(arms).map((heading) => makeGroup(heading, arms));
  const kept = groups.filter((group) => isWorthAHeading(group, arms));
  const others = groups.filter((group) => !kept.includes(group));
  return [...kept.map(nameOwnFunctions), ...gatherOthers(others, arms)].sort(
    (one, two) => Math.abs(two.change.estimate) - Math.abs(one.change.estimate),
  );
}

/**
 * @param {CauseGroup[]} groups
 * @param {Interval | null} measured the timed difference, of which each cause has a share
 * @returns {Cause[]}
 */
export function listCauses(groups, measured) {
  const isShared = measured !== null && excludesZero(measured);
  return groups.map(({ name, change }) => ({
    name,
    change,
    share: isShared ? change.estimate / measured.estimate : null,
  }));
}

/** @type {(heading: Heading, arms: ScaledArms) => CauseGroup} */
function makeGroup({ label, kind, members, named }, { processes, timingError }) {
  const samples = forBothArms((arm) => sumSelf(members, arm, processes[arm]));
  const { means: selfNs, change } = compareArms(samples, timingError);
  return { name: label, label, kind, change, selfNs, members, named };
}

/** @type {(group: CauseGroup, arms: ScaledArms) => boolean} */
function isWorthAHeading({ label, kind, change, members }, { levelNs }) {
  if (kind === 'gc' || label === OWN) return true;
  const least = MIN_SHARE * Math.max(levelNs.baseline, levelNs.candidate);
  if (Math.abs(change.estimate) < least) return false;
  if (kind === 'builtins') return true;
  return excludesZero(change) && (kind !== 'function' || !members.some(isInlinedAtTimes));
}

/**
 * @param {CauseGroup[]} groups too small to be named
 * @param {ScaledArms} arms
 * @returns {CauseGroup[]}
 */
function gatherOthers(groups, arms) {
  return /** @type {const} */ (['function', 'builtins']).flatMap((kind) => {
    const members = groups
      .filter((group) => (group.kind === 'builtins') === (kind === 'builtins'))
      .flatMap((group) => group.members);
    return members.length === 0
      ? []
      : [makeGroup({ label: OTHERS[kind], kind: 'rest', members, named: [] }, arms)];
  });
}

/**
 * Adds the names of the functions to the cause of own functions.
 * @type {(group: CauseGroup) => CauseGroup}
 */
function nameOwnFunctions(group) {
  if (group.kind !== 'own') return group;
  const [before, after] = [nameHeaviest(group, 'baseline'), nameHeaviest(group, 'candidate')];
  const names = [before, after].map((list) => (list === '' ? 'none' : list)).join(' → ');
  return { ...group, name: `${group.label} (${names})` };
}

/** @param {CauseGroup} group @param {ComparedArm} arm */
function nameHeaviest({ named }, arm) {
  const found = listHeaviest(named, arm).map(({ name }) => name);
  return found.length > MAX_NAMES
    ? [...found.slice(0, MAX_NAMES), '…'].join(', ')
    : found.join(', ');
}

/**
 * @param {PairedFunction[]} members
 * @param {ComparedArm} arm
 * @returns {{ name: string, selfNs: number }[]} by descending self time
 */
export function listHeaviest(members, arm) {
  return members
    .flatMap((pair) => {
      const one = pair[arm];
      return one === null ? [] : [{ name: one.frame.name, selfNs: meanOfSamples(one.self) }];
    })
    .filter(({ selfNs }) => selfNs > 0)
    .sort((one, two) => two.selfNs - one.selfNs);
}

/** Functions in files that only one arm runs. */
const OWN = "the variants' own functions";
/** The loops of operations and of the exercise, which belong to the harness. */
const LOOP = 'the measured loop and unattributed inlined code';
/** The loop of a family's own program. */
const OWN_LOOP = 'the measured loop, including code inlined into it';
const LOOP_FILE = /\/operations\/[^/]+\.js$|\/(?:exercise-operation|measure-awaited)\.js$/;
/** Operations run in both arms, even if V8 inlines them in one. */
const OPERATION_FILE =
  /^(?:(?:experiments|assay)\/[^/]+|(?:@[^/]+\/)?assay-family-[^/]+)\/operations\//;
const LOOP_NAMES = Object.freeze([
  ...['run', 'runFor', 'runPasses'],
  ...['call', 'runLane', 'readToEnd'],
]);
const ONE_ARM = 'functions run by only one arm';
/** The profiler can miss a file with less than this share of the larger arm by chance. */
const MIN_FILE_SHARE = 0.01;
/** A function below this share of its usual self time in one process was inlined there, so its time
 * counts towards its caller. */
const INLINED_BELOW = 0.25;

/**
 * Groups functions under headings that authors of the variants understand.
 *
 * Functions in files that only one arm runs share one heading, together with those that V8 inlines into
 * them in some processes only: the split between them varies from process to process, their sum does
 * not. Every other function of JavaScript or of a family's own program has its own heading.
 * @type {(arms: ScaledArms) => Heading[]}
 */
function sortIntoHeadings(arms) {
  const ownFiles = listOwnFiles(arms);
  const isOwnLoop = matchLoopFrame(arms.loop ?? []);
  /** @type {Map<string, Heading>} */
  const headings = new Map();
  for (const pair of arms.functions) {
    const { label, kind } = isOwnLoop(pair.frame)
      ? { label: OWN_LOOP, kind: /** @type {const} */ ('loop') }
      : findHeading(pair, ownFiles);
    // Functions of the same name in different files are different.
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
 * @returns {boolean} whether its self time varies so much between processes that it must be inlined in some
 */
function isInlinedAtTimes(pair) {
  return [pair.baseline, pair.candidate].some((arm) => {
    const values = (arm?.self ?? []).map(({ value }) => value);
    return Math.min(...values) < INLINED_BELOW * Math.max(...values);
  });
}

/** @type {(pair: PairedFunction, ownFiles: Set<string>) => Pick<Heading, 'label' | 'kind'>} */
function findHeading(pair, ownFiles) {
  const { name, kind } = pair.frame;
  if (kind === 'gc') return { label: 'garbage collection', kind: 'gc' };
  if (kind === 'builtin') return { label: findBuiltinWords(name) ?? name, kind: 'builtins' };
  if (kind === 'kernel') return { label: 'the operating system', kind: 'builtins' };
  if (kind === 'program') return { label: 'unnamed native code', kind: 'builtins' };
  if (kind === 'native') return { label: name, kind: 'builtins' };
  if (isLoop(pair.frame)) return { label: LOOP, kind: 'loop' };
  const isInOneArm = pair.baseline === null || pair.candidate === null;
  const isMovable = isInOneArm || isInlinedAtTimes(pair);
  if (isOwn(pair.frame, ownFiles) || (ownFiles.size > 0 && isMovable)) {
    return { label: OWN, kind: 'own' };
  }
  if (isInOneArm) return { label: ONE_ARM, kind: 'own' };
  return { label: name, kind: 'function' };
}

/** @param {Frame} frame */
function isLoop({ name, file }) {
  return file !== null && LOOP_NAMES.includes(name) && LOOP_FILE.test(file);
}

/** @type {(frame: Frame, ownFiles: Set<string>) => boolean} */
function isOwn({ kind, file }, ownFiles) {
  return kind === 'js' && file !== null && ownFiles.has(file);
}

/**
 * @param {ScaledArms} arms
 * @returns {Set<string>} JavaScript files that only one arm spends time in, too much for the profiler to
 *   have missed them in the other
 */
function listOwnFiles({ functions, levelNs }) {
  const times = forBothArms((arm) => sumByFile(functions, arm));
  const least = MIN_FILE_SHARE * Math.max(levelNs.baseline, levelNs.candidate);
  /** @param {ComparedArm} arm @param {ComparedArm} other */
  const ownOf = (arm, other) =>
    [...times[arm]].flatMap(([file, ns]) => (ns >= least && !times[other].has(file) ? [file] : []));
  return new Set([...ownOf('baseline', 'candidate'), ...ownOf('candidate', 'baseline')]);
}

/**
 * @param {PairedFunction[]} functions
 * @param {ComparedArm} arm
 * @returns {Map<string, number>} self time of its functions by file
 */
function sumByFile(functions, arm) {
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const pair of functions) {
    const one = pair[arm];
    const file = one?.frame.kind === 'js' ? one.frame.file : null;
    if (one === null || file === null || OPERATION_FILE.test(file)) continue;
    times.set(file, (times.get(file) ?? 0) + meanOfSamples(one.self));
  }
  return times;
}

/**
 * V8's builtins in terms of JavaScript. The first matching pattern decides. Names are those of V8's
 * sources (`src/builtins`), which are stable between versions.
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
  [/^(IterableTo|IteratorTo|GetIterator|SpreadIterable)/, 'iteration'],
  [/^ObjectEntries/, 'Object.entries'],
  [/^ObjectKeys/, 'Object.keys'],
  [/^ObjectValues/, 'Object.values'],
  [/^ObjectAssign/, 'Object.assign'],
  [/^Object(Prototype)?ToString/, 'Object.prototype.toString'],
  [/^ForIn|^EnumCache/, 'for-in loops'],
  [/^(Keyed)?HasIC|^HasProperty|^Object(Prototype)?HasOwn/, 'property existence checks'],
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
  [/^StringAdd|^StringPrototypeConcat/, 'string concatenation'],
  [/^(SubString|StringSubstring|StringPrototype(Slice|Substring|Substr))$/, 'substrings'],
  [/^String(Equal|Less|Greater|Compare)/, 'string comparison'],
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
  [
    /^(Create|FastNew|FastClone|Allocate|Grow|NewArguments|CopyFast|ExtractFast)/,
    'object creation',
  ],
  [/^RecordWrite|^EphemeronKeyBarrier/, 'garbage-collection write barriers'],
  [/Handler$|^Interpreter|^Baseline|^CompileLazy|^Deopt|^OnStackReplace/, 'unoptimised code'],
  [/^Promise|^Async|^RunMicrotasks/, 'promises'],
  [/^Proxy|^Reflect/, 'Proxy and Reflect'],
]);

/**
 * Heading of a builtin.
 *
 * @param {string} name as in a frame: `KeyedLoadIC_Megamorphic`
 * @returns {string | null} null for a builtin that keeps its own name
 */
function findBuiltinWords(name) {
  return WORDS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
