import { shortenFile } from '../profiles/frames.js';

/** @import { Frame, FrameKind } from '../../formats/profile-types.ts' */

// V8's names in its perf map: kind of code, mark of the tier (with an o before it for code entered in
// a loop, a ' behind it for code of one context), name, place.
const SCRIPT_CODE = /^(?:JS|LazyCompile|Function|Script|Eval):(?:o?[~^+*;]'?)?(.*)$/s;
const PLACE = /^(.*):(\d+):(\d+)$/s;
const KERNEL = /^\[(?!vdso|vsyscall|unknown|heap|stack|anon)/;

/**
 * A frame of a process of node.
 *
 * @param {string} symbol as perf prints it
 * @param {string} object where perf found it: a path, `[kernel.kallsyms]`, `[unknown]`
 * @param {string} projectPath
 * @param {string | null} [buildPath] absolute path of what the family built
 * @returns {Frame}
 */
export function describePerfFrame(symbol, object, projectPath, buildPath = null) {
  if (KERNEL.test(object)) return withoutPlace(symbol, 'kernel');
  if (symbol === '[unknown]') return withoutPlace('(unknown)', 'native');
  if (isOwnObject(object, buildPath)) return withoutPlace(cleanName(symbol), 'code');
  const script = SCRIPT_CODE.exec(symbol);
  if (script !== null) return describeScriptCode(script[1], projectPath);
  const builtin = nameBuiltin(symbol);
  if (builtin !== null) return withoutPlace(builtin, 'builtin');
  return withoutPlace(symbol, 'native');
}

/**
 * @param {string} symbol
 * @returns {string | null} null where it is none
 */
function nameBuiltin(symbol) {
  const [, kind, name] = /^(Builtins_|Builtin:|BytecodeHandler:|RegExp:)(.*)$/s.exec(symbol) ?? [];
  if (kind === undefined) return null;
  if (kind === 'BytecodeHandler:') return `${name}Handler`;
  // As V8's own profiler writes it.
  if (kind === 'RegExp:') return `RegExp: ${name}`;
  // Part of the inline cache that it leads to, not of the function that it is called from.
  return name.replace('ICTrampoline', 'IC');
}

/**
 * @param {string} text `get entryType node:internal/perf/observe:56:16`
 * @param {string} projectPath
 * @returns {Frame}
 */
function describeScriptCode(text, projectPath) {
  const [, before, line, column] = PLACE.exec(text) ?? [null, text, null, null];
  const { name, url } = splitAtUrl(before);
  const file = shortenFile(url, projectPath);
  return {
    name: name === '' ? '(anonymous)' : name,
    kind: 'js',
    file,
    line: file === null || line === null ? null : Number(line),
    column: file === null || column === null ? null : Number(column),
  };
}

/**
 * Both names and paths may hold spaces: `get entryType node:…`, `run /home/me/my project/x.js`.
 *
 * @param {string} text
 * @returns {{ name: string, url: string }}
 */
function splitAtUrl(text) {
  const known = text.search(/ (?:file:\/\/|node:|\/)/);
  const at = known === -1 ? text.lastIndexOf(' ') : known;
  if (at === -1) return { name: text, url: '' };
  return { name: text.slice(0, at), url: text.slice(at + 1) };
}

/**
 * @param {string} name
 * @param {FrameKind} kind
 * @returns {Frame}
 */
function withoutPlace(name, kind) {
  return { name, kind, file: null, line: null, column: null };
}

/** What a runtime compiled lies in no file. */
const GENERATED = /\/perf-\d+\.map$|^\[unknown\]$|^\/\/anon|^\[anon/;
/** `void org.example.Codec.read(byte[], int)`, as a virtual machine writes methods into its map. */
const METHOD = /^(?:\S+ )?([^\s()]+\.[^\s().]+)\(.*\)$/s;
/** Classes that are made at run time are numbered as they come, or bear an address. */
const NUMBER_OF_CLASS = /(?<=\$\$Lambda)\$\d+|\/0x[0-9a-f]+/g;

/** What lies behind the functions by which programs get and give back memory. */
const ALLOCATOR = new RegExp(
  '^_*(?:libc_)?(?:c?free|[mc]alloc|realloc|memalign|posix_memalign|aligned_alloc)(?:@|$)|' +
    '^_int_(?:malloc|free|realloc|memalign)|' +
    '^(?:malloc_consolidate|sysmalloc|systrim|unlink_chunk|tcache_\\w+)|' +
    '^operator (?:new|delete)',
);
/** `__memmove_avx512_unaligned_erms`: one of several for one function of libc. */
const LIBRARY_FUNCTION = /^_*((?:mem|str)[a-z]+)(?:_\w+)?(?:@|$)/;

/**
 * A frame of a program of a family's own, in whatever language it is written. What a programmer of
 * any of them knows of libc is kept apart: getting memory, copying and comparing it.
 *
 * @param {string} symbol as perf prints it
 * @param {string} object where perf found it
 * @param {string} projectPath
 * @param {string | null} buildPath absolute path of what the family built
 * @returns {Frame}
 */
export function describeProgramFrame(symbol, object, projectPath, buildPath) {
  const frame = describePerfFrame(symbol, object, projectPath, buildPath);
  if (frame.kind !== 'native') return frame;
  const name = GENERATED.test(object) ? nameMethod(symbol) : nameLibraryFunction(symbol);
  return name === null ? frame : { ...frame, name, kind: 'code' };
}

/**
 * @param {string} symbol from a perf map
 * @returns {string | null} with its class and without types; null for what carries calls
 */
function nameMethod(symbol) {
  if (symbol === 'Interpreter') return '(interpreter)';
  return METHOD.exec(symbol)?.[1].replace(NUMBER_OF_CLASS, '') ?? null;
}

/**
 * @param {string} symbol
 * @returns {string | null} null for what no programmer calls
 */
function nameLibraryFunction(symbol) {
  if (ALLOCATOR.test(symbol)) return 'malloc and free';
  return LIBRARY_FUNCTION.exec(symbol)?.[1] ?? null;
}

/** Of one that the compiler split or specialised, or that the linker numbered. */
const PART = / \[clone [^\]]*\]|(?:\.(?:cold|constprop|isra|llvm|lto_priv|part)(?:\.\d+)*)+$/g;
const HASH = /::h[0-9a-f]{16}$/;

/**
 * @param {string} object where perf found a symbol
 * @param {string | null} buildPath absolute path of what the family built
 * @returns {boolean} whether the family built it, or it is an addon of node
 */
function isOwnObject(object, buildPath) {
  return (buildPath !== null && object.startsWith(`${buildPath}/`)) || object.endsWith('.node');
}

/**
 * @param {string} symbol of a function that was compiled ahead of time
 * @returns {string} without what differs from build to build: hashes, numbers and parts
 */
function cleanName(symbol) {
  return symbol.replace(PART, '').replace(HASH, '');
}
