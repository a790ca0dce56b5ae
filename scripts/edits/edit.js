import { createHash } from 'node:crypto';

/** @typedef {{ at: number, removed: number, added: string[] }} Hunk `at` is the first line that is replaced, from 0 */
/** @typedef {{ path: string, before: string, after: string, hunks: Hunk[] }} FileEdit `before` and `after` are hashes of git */

const NO_FILE = '0'.repeat(40);

/**
 * The hash that git gives to a file.
 * @param {string | null} text null if there is none
 * @returns {string}
 */
export function hashText(text) {
  if (text === null) return NO_FILE;
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');
}

/**
 * Parses the output of `git diff -U0 --full-index` without the lines that it removes.
 * @param {string} text
 * @returns {FileEdit[]}
 */
export function parseEdit(text) {
  /** @type {FileEdit[]} */
  const files = [];
  for (const line of text.split('\n')) {
    const [, path] = line.match(/^diff --git a\/(.*) b\//) ?? [];
    const [, before, after] = line.match(/^index (\w{40})\.\.(\w{40})/) ?? [];
    const [, first, removed = '1'] = line.match(/^@@ -(\d+)(?:,(\d+))? /) ?? [];
    const file = files[files.length - 1];
    if (path !== undefined) {
      files.push({ path, before: '', after: '', hunks: [] });
    } else if (before !== undefined) {
      Object.assign(file, { before, after });
    } else if (first !== undefined) {
      // Where nothing is removed, git names the line before.
      const at = removed === '0' ? Number(first) : Number(first) - 1;
      file.hunks.push({ at, removed: Number(removed), added: [] });
    } else if (line.startsWith('+')) {
      file.hunks[file.hunks.length - 1].added.push(line.slice(1));
    }
  }
  return files;
}

/**
 * Makes the changes of a file.
 * @param {string} text
 * @param {Hunk[]} hunks in the order of their lines
 * @returns {string}
 */
export function replaceLines(text, hunks) {
  const lines = text.split('\n');
  for (const { at, removed, added } of hunks.toReversed()) lines.splice(at, removed, ...added);
  return lines.join('\n');
}
