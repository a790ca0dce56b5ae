import { compareAge, readMarker } from './comment-marker.js';

/** @import { CommentMarker } from './comment-marker.js' */

/**
 * A comment of a pull request, as the API tells it.
 *
 * @typedef {object} PostedComment
 * @property {string} id
 * @property {string} url
 * @property {string} body
 * @property {boolean} viewerDidAuthor whether whoever asks has written it
 */

/**
 * What to do: write a comment, edit that one, or leave the one of a newer run alone.
 *
 * @typedef {{ action: 'create' }
 *   | { action: 'edit', comment: PostedComment, duplicates: PostedComment[] }
 *   | { action: 'refuse', comment: PostedComment, newer: CommentMarker }} Choice
 */

/**
 * Finds the comment that a new one takes the place of: of the same marker, by the same author, and of
 * these the one of the newest run. Anybody may write a line that looks like a marker, so the comments
 * of others do not count.
 *
 * @param {PostedComment[]} comments all that there are
 * @param {CommentMarker} own of the comment to be posted
 * @returns {Choice}
 */
export function chooseComment(comments, own) {
  const [newest, ...older] = comments
    .flatMap((comment) => {
      const marker = comment.viewerDidAuthor ? readMarker(comment.body) : null;
      return marker?.marker === own.marker ? [{ comment, marker }] : [];
    })
    .sort((a, b) => compareAge(b.marker, a.marker));
  if (newest === undefined) return { action: 'create' };
  const { comment, marker } = newest;
  if (compareAge(marker, own) > 0) return { action: 'refuse', comment, newer: marker };
  return { action: 'edit', comment, duplicates: older.map((found) => found.comment) };
}
