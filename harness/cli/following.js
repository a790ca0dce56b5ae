/** What commands that show a followed branch have in common: its result store and the project's answers. No code of a project is loaded. */

import { existsSync, lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../lib/errors.js';
import { readText } from '../lib/files.js';
import { writeNote } from '../lib/messages.js';
import { PROGRAM } from '../lib/program.js';
import { PROJECT } from '../lib/project.js';
import { sharedIdOf } from '../stats/plan.js';
import { COMPARE } from './commands/compare.js';
import { formatQuestion } from './invocation.js';
import { option, word } from './options.js';

/** @import { Io } from '../lib/io.ts' */
/** @import { Following } from '../formats/types.ts' */
/** @import { FormatCommand } from '../studies/follow/following.js' */

/** Answers of a project to changes, in its root. */
const FILE_NAME = 'assay-changes.txt';

export const FOLLOWING_OPTIONS = {
  store: option('--store <directory>', 'another result store (default: .assay/history)', word),
  file: option(
    '--file <file>',
    `answers of the project to changes (default: ${FILE_NAME} in the directory or above it)`,
    word,
  ),
};

/**
 * @param {{ store?: string | undefined, file?: string | undefined }} options
 * @param {Io} io what cannot be read of the store is noted there
 * @returns {Promise<Following>}
 * @throws {UsageError} when the store has no comparison of a followed branch
 * @throws {import('../lib/errors.js').FormatError} when the file that was named cannot be read
 */
export async function openFollowing({ store, file }, io) {
  const { readRecords } = await import('../studies/history/store.js');
  const { readFollowing } = await import('../studies/follow/following.js');
  const known = readKnown(file, io);
  const path = store === undefined ? PROJECT.historyPath : resolve(io.workingPath, store);
  const { records, notes } = readRecords(path);
  for (const note of notes) writeNote(io.stderr, note);
  const following = readFollowing(
    records.map(({ record }) => record),
    known,
  );
  if (following !== null) return following;
  throw new UsageError(`the result store '${path}' has no comparison of a followed branch`, {
    remedy: `measure one with: ${PROGRAM} follow`,
  });
}

/**
 * @param {string | undefined} file of the answers
 * @param {Pick<Io, 'workingPath'>} io
 * @returns {NonNullable<Parameters<typeof import('../studies/follow/following.js').readFollowing>[1]>} what `readFollowing` needs to
 *   know but for records
 * @throws {UsageError | import('../lib/errors.js').FormatError} when the file cannot be read
 */
export function readKnown(file, io) {
  return { acknowledgements: readAnswers(file, io), formatReproduction };
}

/**
 * A branch may contain anything, and lines that are no answers are quoted where everybody sees them: a link of it could show
 * a file of the host.
 *
 * @type {(file: string | undefined, io: Pick<Io, 'workingPath'>) => string} empty where there is none
 */
function readAnswers(file, { workingPath }) {
  const path = file === undefined ? findAnswers(workingPath) : resolve(workingPath, file);
  if (path === null) return '';
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new UsageError(`'${path}' is a symbolic link`, {
      remedy: 'put the file itself there, or name another --file',
    });
  }
  return readText(path, `'${path}'`, 'name another --file');
}

/** @type {(path: string) => string | null} the nearest one, within the repository */
function findAnswers(path) {
  const found = join(path, FILE_NAME);
  if (lstatSync(found, { throwIfNoEntry: false }) !== undefined) return found;
  if (existsSync(join(path, '.git')) || dirname(path) === path) return null;
  return findAnswers(dirname(path));
}

/** How it was measured stays; the seed and how much was measured do not. */
const EXCEPT = ['seed', 'processes', 'placements', 'explain', 'budget'];

/** @type {FormatCommand} */
function formatReproduction(question, { cellIds, args }) {
  const cells = question.cells.filter((cell) => cellIds.includes(sharedIdOf(cell)));
  return formatQuestion(COMPARE, { ...question, cells }, { args, except: EXCEPT });
}
