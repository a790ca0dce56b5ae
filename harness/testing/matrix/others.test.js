/** Every command that reads runs, called on directories that hold something else. */

import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { EXPORT_FORMATS } from '../../../reports/content/exports.js';
import { makePeers } from '../../../reports/content/test-support/make-peers.js';
import { makeReproduction } from '../../../reports/content/test-support/make-reproduction.js';
import { makeCalibration } from '../../studies/calibration/test-support/make-calibration.js';
import { EXIT } from '../../lib/errors.js';
import { makeTestDirectory, writeFiles } from '../support/directories.js';
import { findTextProblems } from './checks.js';
import { callInTerminal, listCalls, listReaders } from './commands.js';

const workingPath = realpathSync(makeTestDirectory('others'));

const { calibration, trials } = makeCalibration();

/** Directories by their files, and the commands that show them, with `isText` in the
 * format for the terminal only.
 * @type {{ name: string, files: Record<string, string>, shownBy?: string[], isText?: boolean }[]} */
const OTHERS = [
  {
    name: 'reproduction',
    files: { 'reproduction.json': JSON.stringify(makeReproduction()) },
    shownBy: ['report'],
  },
  {
    name: 'comparison of tools',
    files: { 'peers.json': JSON.stringify(makePeers()) },
    shownBy: ['report'],
  },
  {
    name: 'calibration',
    files: {
      'calibration.json': JSON.stringify(calibration),
      'trials.ndjson': trials.map((trial) => `${JSON.stringify(trial)}\n`).join(''),
    },
    shownBy: ['report'],
  },
  { name: 'bisection', files: { 'bisection.json': '{}' } },
  {
    name: 'profile',
    files: { 'artefacts/profiles/x.cpuprofile': '{}', 'profile.txt': 'where time goes\n' },
    shownBy: ['report'],
    isText: true,
  },
  { name: 'run that never started', files: { 'artefacts/x.frames': '' } },
  { name: 'folder of something else', files: { 'notes.txt': 'nothing\n' } },
  { name: 'nothing at all', files: {} },
];

test.each(OTHERS)('$name: is shown, or refused with the reason and a remedy', async (other) => {
  const path = join(workingPath, other.name.replaceAll(' ', '-'));
  mkdirSync(path);
  writeFiles(path, other.files);
  const problems = [];
  for (const { command, measures } of await listReaders()) {
    const run = { path, parts: [path], artefacts: [] };
    for (const argv of listCalls(command, run)) {
      // A budget, in case it is measured after all.
      const called = measures ? [...argv, '--budget', '1s'] : argv;
      const { status, stdout, stderr } = await callInTerminal(called, workingPath);
      const isPlain = argv.length === 2;
      const isOfComparison = argv.some((word) => EXPORT_FORMATS.includes(word));
      const isShown =
        other.shownBy?.includes(command.name()) === true &&
        (isPlain || (other.isText !== true && !isOfComparison));
      const expected = isShown ? EXIT.done : EXIT.usage;
      const found = [
        ...(status === expected ? [] : [`exits with ${status}, not ${expected}`]),
        ...(isShown || /^error: .+\n(?: {7}.+\n)* {2}\S/m.test(stderr) ? [] : ['gives no remedy']),
        ...(await findTextProblems(stderr)),
        ...(isShown && isPlain ? await findTextProblems(stdout) : []),
      ];
      problems.push(...found.map((problem) => `${argv.join(' ')}: ${problem}: ${stderr}`));
    }
  }
  expect(problems).toEqual([]);
});
