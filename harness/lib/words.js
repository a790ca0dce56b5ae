import { distance } from 'fastest-levenshtein';

/**
 * Suggests the names nearest to a mistyped word, as the end of an error message.
 *
 * @param {string} word what was typed
 * @param {Iterable<string>} candidates the known names
 * @returns {string} `; did you mean 'indexed'?`, or an empty text when nothing is near
 */
export function didYouMean(word, candidates) {
  const allowedEdits = Math.max(2, Math.floor(word.length / 3));
  const ranked = [...candidates]
    .map((name) => ({ name, edits: distance(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= allowedEdits || (word.length > 2 && name.includes(word)))
    .sort((a, b) => a.edits - b.edits || a.name.localeCompare(b.name));
  const near = ranked
    .filter(({ edits }) => edits === ranked[0].edits)
    .slice(0, 2)
    .map(({ name }) => `'${name}'`);
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
}

const HARMLESS = /^[\w@%+=:,./-]+$/;

/**
 * Quotes words for a shell.
 * @type {(words: string[]) => string} a command, each word quoted where necessary
 */
export function quoteWords(words) {
  return words
    .map((word) => (HARMLESS.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

/** What a spec is pinned to, as in `npm:bson@7.2.0@node=22`. */
const PIN = /@([a-z][a-z0-9-]*)=([^@/]*)$/;

/**
 * @param {string} spec `npm:bson@7.2.0@node=22`
 * @returns {{ spec: string, runtime: string | null }} the spec without its pin, `npm:bson@7.2.0`, and the
 *   runtime of the pin, `node@22`; null for none
 */
export function splitPin(spec) {
  const pin = PIN.exec(spec);
  return pin === null
    ? { spec, runtime: null }
    : { spec: spec.slice(0, pin.index), runtime: `${pin[1]}@${pin[2]}` };
}

/**
 * @param {string} spec
 * @param {string | null} runtime `node@22`; null for none
 * @returns {string} the spec, pinned to the runtime if there is one: `generator@node=22`
 */
export function addPin(spec, runtime) {
  return runtime === null ? spec : `${spec}@${runtime.replace('@', '=')}`;
}

/** @param {string} runtime `node@22.11.0`, or a name alone @returns {string} `Node 22.11.0` */
export function nameRuntime(runtime) {
  const [name, version] = runtime.split('@');
  const title = `${name[0].toUpperCase()}${name.slice(1)}`;
  return version === undefined ? title : `${title} ${version}`;
}

/**
 * @param {{ version: string, revision: string | null, dirty: boolean }} assay
 * @returns {string} `Assay 0.1.0 at 5013fe6624`
 */
export function nameAssay({ version, revision, dirty }) {
  const at = revision === null ? '' : ` at ${revision.slice(0, 10)}`;
  return `Assay ${version}${at}${dirty ? ' with uncommitted changes' : ''}`;
}

/** @param {string[]} words @returns {string} `a`, `a and b`, `a, b and c` */
export function listWords(words) {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** @type {(text: string) => string} up to the first full stop that another sentence follows, without it */
export function firstSentence(text) {
  const [first] = text.split(/\. (?=\p{Lu})/u, 1);
  return first.replace(/\.$/, '');
}

/** Digits of a commit by which people and file names know it. */
const HASH_DIGITS = 12;

/** @type {(revision: string) => string} */
export function shortHash(revision) {
  return revision.slice(0, HASH_DIGITS);
}

/** @type {(moment: string) => string} `2026-01-31` */
export function dayOf(moment) {
  return moment.slice(0, 10);
}
