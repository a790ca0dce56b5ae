import { distance } from 'fastest-levenshtein';

/**
 * The names nearest to a mistyped word, as the end of an error message.
 *
 * @param {string} word what was typed
 * @param {Iterable<string>} candidates what there is
 * @returns {string} `; did you mean 'indexed'?`, or the empty string when nothing is near
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
