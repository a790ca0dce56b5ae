import { cleanName, isOwnObject } from '../profiles/own-code.js';
import { shortenFile } from '../profiles/shorten-file.js';

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
