/** @import { Frame, FrameKind } from '../../formats/profile-types.ts' */
/** @import { Sources } from '../../formats/types.ts' */

// Names in V8's perf map: kind of code, mark of the tier (o before it: on-stack replacement; ' after it:
// specialised to a context), name, position.
const SCRIPT_CODE = /^(?:JS|LazyCompile|Function|Script|Eval):(?:o?[~^+*;]'?)?(.*)$/s;
const PLACE = /^(.*):(\d+):(\d+)$/s;
const KERNEL = /^\[(?!vdso|vsyscall|unknown|heap|stack|anon|JIT)/;

/**
 * Describes a frame of a node process.
 *
 * @param {string} symbol as printed by perf
 * @param {string} object that has it: a path, `[kernel.kallsyms]`, `[unknown]`
 * @param {Sources['describe']} describe
 * @param {string | null} [buildPath] absolute path of the family's build
 * @returns {Frame}
 */
export function makePerfFrame(symbol, object, describe, buildPath = null) {
  if (KERNEL.test(object)) return withoutPlace(symbol, 'kernel');
  if (symbol === '[unknown]') return withoutPlace('(unknown)', 'native');
  if (isOwnObject(object, buildPath)) return withoutPlace(cleanName(symbol), 'code');
  const script = SCRIPT_CODE.exec(symbol);
  if (script !== null) return makeScriptFrame(script[1], describe);
  const builtin = nameBuiltin(symbol);
  if (builtin !== null) return withoutPlace(builtin, 'builtin');
  return withoutPlace(symbol, 'native');
}

/** @param {string} symbol @returns {string | null} null if it is no builtin */
function nameBuiltin(symbol) {
  const [, kind, name] = /^(Builtins_|Builtin:|BytecodeHandler:|RegExp:)(.*)$/s.exec(symbol) ?? [];
  if (kind === undefined) return null;
  if (kind === 'BytecodeHandler:') return `${name}Handler`;
  // As in V8's own profiler.
  if (kind === 'RegExp:') return `RegExp: ${name}`;
  // A trampoline belongs to its inline cache, not to the caller.
  return name.replace('ICTrampoline', 'IC');
}

/**
 * @param {string} text `get entryType node:internal/perf/observe:56:16`
 * @param {Sources['describe']} describe
 * @returns {Frame}
 */
function makeScriptFrame(text, describe) {
  const [, before, ...position] = PLACE.exec(text) ?? [null, text, null, null];
  const [line, column] = position.map((part) => (part === null ? null : Number(part)));
  const { name, file, edited, ...place } = describe({ ...splitAtUrl(before), line, column });
  return {
    name: name === '' ? '(anonymous)' : name,
    kind: 'js',
    file,
    line: file === null ? null : place.line,
    column: file === null ? null : place.column,
    ...(edited === undefined ? {} : { edited }),
  };
}

/**
 * Both names and paths may contain spaces: `get entryType node:…`, `run /home/me/my project/x.js`.
 * @type {(text: string) => { name: string, url: string }}
 */
function splitAtUrl(text) {
  const known = text.search(/ (?:file:\/\/|node:|\/)/);
  const at = known === -1 ? text.lastIndexOf(' ') : known;
  if (at === -1) return { name: text, url: '' };
  return { name: text.slice(0, at), url: text.slice(at + 1) };
}

/** @type {(name: string, kind: FrameKind) => Frame} */
function withoutPlace(name, kind) {
  return { name, kind, file: null, line: null, column: null };
}

/** Code compiled at run time is in no file. */
const GENERATED = /\/perf-\d+\.map$|^\[unknown\]$|^\/\/anon|^\[anon/;
/** `void org.example.Codec.read(byte[], int)`, as a JVM writes methods into its perf map. */
const METHOD = /^(?:\S+ )?([^\s()]+\.[^\s().]+)\(.*\)$/s;
/** Names of classes generated at run time contain a number or an address. */
const NUMBER_OF_CLASS = /(?<=\$\$Lambda)\$\d+|\/0x[0-9a-f]+/g;

/** Functions of memory allocators. */
const ALLOCATOR = new RegExp(
  '^_*(?:libc_)?(?:c?free|[mc]alloc|realloc|memalign|posix_memalign|aligned_alloc)(?:@|$)|' +
    '^_int_(?:malloc|free|realloc|memalign)|' +
    '^(?:malloc_consolidate|sysmalloc|systrim|unlink_chunk|tcache_\\w+)|' +
    '^operator (?:new|delete)',
);
/** `__memmove_avx512_unaligned_erms`: one of several implementations of a libc function. */
const LIBRARY_FUNCTION = /^_*((?:mem|str)[a-z]+)(?:_\w+)?(?:@|$)/;

/**
 * Describes a frame of a family's own program, in any language. libc functions known to programmers are
 * kept: allocation, copying and comparison of memory.
 *
 * @param {string} symbol as printed by perf
 * @param {string} object that has it
 * @param {Sources['describe']} describe
 * @param {string | null} buildPath absolute path of the family's build
 * @returns {Frame}
 */
export function makeProgramFrame(symbol, object, describe, buildPath) {
  const frame = makePerfFrame(symbol, object, describe, buildPath);
  if (frame.kind !== 'native') return frame;
  const name = GENERATED.test(object) ? nameMethod(symbol) : nameLibraryFunction(symbol);
  return name === null ? frame : { ...frame, name, kind: 'code' };
}

/**
 * @param {string} symbol from a perf map
 * @returns {string | null} with class and without types; null for call stubs
 */
function nameMethod(symbol) {
  if (symbol === 'Interpreter') return '(interpreter)';
  return METHOD.exec(symbol)?.[1].replace(NUMBER_OF_CLASS, '') ?? null;
}

/** @param {string} symbol @returns {string | null} null for internal functions */
function nameLibraryFunction(symbol) {
  if (ALLOCATOR.test(symbol)) return 'malloc and free';
  return LIBRARY_FUNCTION.exec(symbol)?.[1] ?? null;
}

/** Suffixes of functions split or specialised by the compiler, or numbered by the linker. */
const PART = / \[clone [^\]]*\]|(?:\.(?:cold|constprop|isra|llvm|lto_priv|part)(?:\.\d+)*)+$/g;
const HASH = /::h[0-9a-f]{16}$/;

/**
 * @param {string} object where perf found a symbol
 * @param {string | null} buildPath absolute path of the family's build
 * @returns {boolean} whether it was built by the family or is a native addon of node
 */
function isOwnObject(object, buildPath) {
  return (buildPath !== null && object.startsWith(`${buildPath}/`)) || object.endsWith('.node');
}

/**
 * @param {string} symbol of a function compiled ahead of time
 * @returns {string} without hashes and suffixes, which differ between builds
 */
function cleanName(symbol) {
  return symbol.replace(PART, '').replace(HASH, '');
}
