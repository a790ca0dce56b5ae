import { functionKey, matchLoopFrame } from '../profiles/frames.js';
import { selfSamples } from './functions.js';
import { addSamples, compareSamples, excludesZero, meanOfSamples } from './samples.js';

/** @import { Cause, Interval } from '../../formats/types.ts' */
/** @import { CauseGroup, PairedFunction, ScaledArms, ComparedArm } from './types.ts' */
/** @import { Frame } from '../../formats/profile-types.ts' */

/** A change below this share of the larger arm gets no heading of its own. */
const MIN_SHARE = 0.01;
/** Functions that the heading of own functions names on either arm. */
const MAX_NAMES = 2;

const OTHERS = Object.freeze({
  function: 'other functions (small or unclear)',
  builtins: 'other builtins (small or unclear)',
});

/**
 * Splits the difference by what is responsible. Every function belongs to one cause, so the changes
 * sum to the difference of the two levels. Headings with little under them are gathered.
 *
 * @param {ScaledArms} arms
 * @returns {CauseGroup[]} the largest change first
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
 * @param {Interval | null} measured the difference that they share out
 * @returns {Cause[]}
 */
export function describeCauses(groups, measured) {
  const isShared = measured !== null && excludesZero(measured);
  return groups.map(({ name, change }) => ({
    name,
    change,
    share: isShared ? change.estimate / measured.estimate : null,
  }));
}

/**
 * @param {Heading} heading
 * @param {ScaledArms} arms
 * @returns {CauseGroup}
 */
function makeGroup({ label, kind, members, named }, { processes, timingError }) {
  /** @param {ComparedArm} arm */
  const sumOf = (arm) =>
    addSamples(
      members.map((pair) => selfSamples(pair, arm, processes)),
      processes[arm],
    );
  const samples = { baseline: sumOf('baseline'), candidate: sumOf('candidate') };
  return {
    name: label,
    label,
    kind,
    change: compareSamples(samples.baseline, samples.candidate, timingError),
    selfNs: {
      baseline: meanOfSamples(samples.baseline),
      candidate: meanOfSamples(samples.candidate),
    },
    members,
    named,
  };
}

/**
 * @param {CauseGroup} group
 * @param {ScaledArms} arms
 * @returns {boolean}
 */
function isWorthAHeading({ label, kind, change, members }, { levelNs }) {
  if (kind === 'gc' || label === OWN) return true;
  const least = MIN_SHARE * Math.max(levelNs.baseline, levelNs.candidate);
  if (Math.abs(change.estimate) < least) return false;
  if (kind === 'builtins') return true;
  return excludesZero(change) && (kind !== 'function' || !members.some(isInlinedAtTimes));
}

/**
 * @param {CauseGroup[]} groups without a heading of their own
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
 * Adds to the heading of own functions which they are.
 *
 * @param {CauseGroup} group
 * @returns {CauseGroup}
 */
function nameOwnFunctions(group) {
  if (group.kind !== 'own') return group;
  const [before, after] = [nameHeaviest(group, 'baseline'), nameHeaviest(group, 'candidate')];
  const names = [before, after].map((list) => (list === '' ? 'none' : list)).join(' → ');
  return { ...group, name: `${group.label} (${names})` };
}

/**
 * @param {CauseGroup} group
 * @param {ComparedArm} arm
 */
function nameHeaviest({ named }, arm) {
  const found = listHeaviest(named, arm).map(({ name }) => name);
  return found.length > MAX_NAMES
    ? [...found.slice(0, MAX_NAMES), '…'].join(', ')
    : found.join(', ');
}

/**
 * @param {PairedFunction[]} members
 * @param {ComparedArm} arm
 * @returns {{ name: string, selfNs: number }[]} with the most self time first
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

/** Heading over functions in files that only one arm runs. */
const OWN = "the variants' own functions";
/** The loops of operations and of the exercise, which the harness brings along. */
const LOOP = 'the measured loop and unattributed inlined code';
/** The same of a program of the family's own. */
const OWN_LOOP = 'the measured loop, with what the compiler inlines into it';
const LOOP_FILE = /\/operations\/[^/]+\.js$|\/exercise-operation\.js$/;
/** What operations consist of, the same on both arms even where V8 inlines it on one of them. */
const OPERATION_FILE = /^experiments\/[^/]+\/operations\//;
const LOOP_NAMES = Object.freeze(['run', 'runFor', 'runPasses']);
const ONE_ARM = 'functions of one arm alone';
/** A file with less than this share of the larger arm may be missed by chance. */
const MIN_FILE_SHARE = 0.01;
/** A function that sinks below this share of its usual self time in one process was inlined there, so
 * that its time is told under its caller. */
const INLINED_BELOW = 0.25;
/** @typedef {Pick<CauseGroup, 'label' | 'kind' | 'members' | 'named'>} Heading */

/**
 * Puts every function under a heading that a programmer of the variants understands.
 *
 * Functions in files that only one arm runs stand against each other under one heading, together
 * with those that V8 inlines into them in some processes and not in others: where one ends and the
 * other begins differs from process to process, their sum does not. Any other function of JavaScript,
 * and any that a program of the family's own brings, is its own heading.
 *
 * @param {ScaledArms} arms
 * @returns {Heading[]}
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
 * @returns {boolean} whether a process of an arm shows far less of it than another
 */
function isInlinedAtTimes(pair) {
  return [pair.baseline, pair.candidate].some((arm) => {
    const values = (arm?.self ?? []).map(({ value }) => value);
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

/**
 * @param {Frame} frame
 * @param {Set<string>} ownFiles
 * @returns {boolean}
 */
function isOwn({ kind, file }, ownFiles) {
  return kind === 'js' && file !== null && ownFiles.has(file);
}

/**
 * @param {ScaledArms} arms
 * @returns {Set<string>} files of JavaScript that one arm alone spends time in, and enough of it
 *   not to have been missed on the other arm by chance
 */
function listOwnFiles({ functions, levelNs }) {
  const times = {
    baseline: sumByFile(functions, 'baseline'),
    candidate: sumByFile(functions, 'candidate'),
  };
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
