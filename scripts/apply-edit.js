/**
 * Makes an edit of `experiments/js-bson/upstream` in a checkout of js-bson, for instance on a new branch:
 *
 *     node scripts/apply-edit.js NAME CHECKOUT
 *
 * An edit is the output of `git diff -U0 --full-index` without the lines that it removes, since these are not ours. What
 * a file must be before, and is afterwards, follows from its hashes.
 */

import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PROJECT } from '../harness/lib/project.js';
import { hashText, parseEdit, replaceLines } from './edits/edit.js';

const EDITS = join(PROJECT.experimentsPath, 'js-bson', 'upstream');

const [name, checkout] = process.argv.slice(2);
const names = readdirSync(EDITS).flatMap((file) => file.match(/^(.*)\.edit$/)?.slice(1) ?? []);
if (checkout === undefined || !names.includes(name)) {
  console.error(
    `usage: node scripts/apply-edit.js NAME CHECKOUT\nNAME is one of ${names.join(', ')}`,
  );
  process.exit(2);
}

const files = parseEdit(readFileSync(join(EDITS, `${name}.edit`), 'utf8'));
const changed = files.map((file) => ({ path: resolve(checkout, file.path), file }));
const unknown = changed.filter(({ path, file }) => hashText(read(path)) !== file.before);
if (unknown.length > 0) {
  const paths = unknown.map(({ file }) => file.path).join(', ');
  console.error(
    `error: ${checkout} has another version of ${paths}: nothing was changed\n` +
      'Check out commit 1fc57e4c of js-bson, apply the edit there, commit it and rebase the commit.',
  );
  process.exit(1);
}
for (const { path, file } of changed) {
  const text = replaceLines(read(path) ?? '', file.hunks);
  if (hashText(text) !== file.after) throw new Error(`the edit ${name} of ${file.path} is damaged`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** @type {(path: string) => string | null} */
function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
