/** Puts the stand-in for GitHub's command where a program finds it. Used by tests only. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @import { PostedComment } from '../comment.js' */

/**
 * @typedef {object} FakeState
 * @property {PostedComment[]} comments
 * @property {string[]} [editsOfOthers] bodies that others write, one before each read
 * @property {string} [complaint] an error that it prints instead of doing anything
 */

/**
 * @param {string} folder empty, of its own
 * @param {FakeState} state
 */
export function useFakeGh(folder, state) {
  const statePath = join(folder, 'state.json');
  const callsPath = join(folder, 'calls.ndjson');
  const script = fileURLToPath(new URL('fake-gh.js', import.meta.url));
  mkdirSync(folder, { recursive: true });
  writeFileSync(statePath, JSON.stringify(state));
  writeFileSync(join(folder, 'gh'), `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`, {
    mode: 0o755,
  });
  return {
    environment: {
      PATH: [folder, process.env.PATH].join(delimiter),
      FAKE_GH_FOLDER: folder,
    },
    /** @returns {PostedComment[]} as they are now */
    readComments: () => JSON.parse(readFileSync(statePath, 'utf8')).comments,
    /** @returns {{ args: string[], input: string }[]} */
    listCalls: () =>
      existsSync(callsPath)
        ? readFileSync(callsPath, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
  };
}
