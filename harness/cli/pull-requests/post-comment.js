import { MachineError, UsageError } from '../../lib/errors.js';
import { chooseComment } from './choose-comment.js';

/** @import { openComments } from './comment-api.js' */
/** @import { CommentMarker } from './comment-marker.js' */

const MOST_ATTEMPTS = 3;

/**
 * Posts a comment in place of the earlier one of its marker, or as a new one. The earlier one is read
 * again just before it is edited; when somebody else was quicker, the choice is made anew. The API
 * cannot edit on a condition, so a moment remains in which two may meet.
 *
 * @param {string} body
 * @param {CommentMarker} own what its first line says
 * @param {ReturnType<typeof openComments>} comments
 * @returns {Promise<{ url: string, notes: string[] }>} address of the comment
 * @throws {UsageError} when the comment that is there tells of a newer run
 * @throws {MachineError} when gh fails, or the comment never holds still
 */
export async function postComment(body, own, comments) {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const choice = chooseComment(await comments.list(), own);
    if (choice.action === 'create') return { url: await comments.create(body), notes: [] };
    const { comment } = choice;
    if (choice.action === 'refuse') {
      const { runId, createdAt } = choice.newer;
      throw new UsageError(
        `the comment there tells of a newer run, ${runId} of ${createdAt}: nothing was posted`,
        { remedy: `see ${comment.url}, or choose another --marker than '${own.marker}'` },
      );
    }
    if ((await comments.read(comment.id))?.body !== comment.body) continue;
    const url = await comments.edit(comment.id, body);
    return { url, notes: choice.duplicates.map(describeDuplicate) };
  }
  throw new MachineError(`the comment changed ${MOST_ATTEMPTS} times while it was to be edited`, {
    remedy: 'see who else posts with this marker, then try again',
  });
}

/** @param {{ url: string }} comment */
function describeDuplicate({ url }) {
  return `an older comment of the same marker stays as it is: ${url}`;
}
