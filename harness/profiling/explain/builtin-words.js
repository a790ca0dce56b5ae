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
