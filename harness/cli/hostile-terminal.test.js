/** Names and files of strangers do not control the terminal when a command quotes them. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { findUnseen, POISON } from '../../reports/fixtures/hostile.js';
import { main } from './cli.js';

const directory = mkdtempSync(join(tmpdir(), 'assay-hostile-'));
afterAll(() => rmSync(directory, { recursive: true }));

// A file name holds neither a slash nor NUL.
const NAME = POISON.replaceAll(/[/\0]/g, '').slice(0, 60);

/**
 * @param {string[]} argv
 * @returns {Promise<string>} everything that is written to the terminal
 */
async function runInTerminal(argv) {
  let sent = '';
  const sink = { write: (/** @type {string} */ text) => void (sent += text), isTTY: true };
  await main(argv, {
    stdout: sink,
    stderr: sink,
    environment: {},
    workingPath: directory,
    signal: new AbortController().signal,
  });
  return sent;
}

/**
 * @param {string} ending
 * @param {string} text
 * @returns {string} name of the file
 */
function write(ending, text) {
  writeFileSync(join(directory, NAME + ending), text);
  return NAME + ending;
}

const PROFILE = JSON.stringify({
  head: {
    callFrame: { functionName: POISON, url: POISON, lineNumber: 1, columnNumber: 1 },
    selfSize: 8,
    children: [],
  },
});

test.each([
  ['a command', [POISON]],
  ['an option', ['report', `--${POISON}`]],
  ['a variant', ['check', POISON]],
  ['a run', ['report', POISON]],
  ['a format', ['report', 'x', '--format', POISON]],
  ['a claim', ['reproduce', POISON]],
  ['a corpus', ['corpora', 'import', POISON, 'x.json']],
  ['a report', ['replay', POISON]],
  ['a file of broken JSON', ['replay', write('.json', `{"${POISON}`)]],
  ['a file of another format', ['replay', write('v.json', JSON.stringify({ a: POISON }))]],
  ['a broken profile', ['convert', write('.cpuprofile', POISON), '--to', 'folded']],
  ['functions of a profile', ['convert', write('.heapprofile', PROFILE), '--to', 'folded']],
])('%s with a hostile name', async (_, argv) => {
  const sent = await runInTerminal(argv);
  expect(sent).toMatch(/\S/);
  expect(findUnseen(sent)).toBeNull();
});
