import { describePerfFrame } from './describe-perf-frame.js';

/** @import { Frame } from '../../formats/profile-types.ts' */

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
