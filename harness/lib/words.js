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
 *
 * @param {string[]} words
 * @returns {string} a command, each word quoted where necessary
 */
export function quoteWords(words) {
  return words
    .map((word) => (HARMLESS.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

/**
 * @param {string} spec `npm:bson@7.2.0@node=22`
 * @returns {string} without the Node that it is pinned to: `npm:bson@7.2.0`
 */
export function withoutPin(spec) {
  return spec.replace(/@node=.*$/s, '');
}

/**
 * @param {{ version: string, revision: string | null, dirty: boolean }} assay
 * @returns {string} `Assay 0.1.0 at 5013fe6624`
 */
export function nameAssay({ version, revision, dirty }) {
  const at = revision === null ? '' : ` at ${revision.slice(0, 10)}`;
  return `Assay ${version}${at}${dirty ? ' with uncommitted changes' : ''}`;
}

/**
 * @param {string[]} words
 * @returns {string} `a`, `a and b`, `a, b and c`
 */
export function listWords(words) {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
