import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { identifyEnvironment } from '../host/environment.js';
import { EXIT, MachineError } from '../lib/errors.js';
import { identifyAssay } from '../lib/project.js';
import { makeCalibration } from '../studies/calibration/test-support/make-calibration.js';
import { readStudy } from '../studies/study.js';
import { conductStudy } from './study.js';
import { makeTestDirectory } from '../testing/support/directories.js';

/** @import { Calibration } from '../formats/types.ts' */
/** @import { OpenedStudy } from './study.js' */

const root = makeTestDirectory('study');

/** @type {Calibration} */
const record = {
  ...makeCalibration().calibration,
  ...{ id: '', assay: identifyAssay(), environment: identifyEnvironment() },
};

/**
 * @param {OpenedStudy<Calibration, Calibration>['begin']} begin
 * @param {{ resume?: string }} [options]
 */
async function conduct(begin, options = {}) {
  /** @type {string[]} */
  const errors = [];
  const io = {
    stdout: { write: () => undefined },
    stderr: { write: (/** @type {string} */ text) => void errors.push(text) },
    environment: { ASSAY_LOCK_DIRECTORY: join(root, 'locks') },
    workingPath: root,
    signal: new AbortController().signal,
  };
  const status = await conductStudy(
    {
      format: 'calibration',
      ask: async () => ({ record, label: 'calibration' }),
      open: async () => ({ prepare: async () => [], begin }),
    },
    { out: join(root, 'runs'), format: 'terminal', ...options },
    io,
  );
  return { status, errors };
}

/** A study with nothing left to measure. @type {OpenedStudy<Calibration, Calibration>['begin']} */
const finishAtOnce = (state) => ({
  state,
  study: {
    next: () => null,
    measure: async () => null,
    absorb: (current) => current,
    conclude: (current) => ({ ...current, ended: 'complete' }),
  },
});

test('a study that is killed before it measures anything can be resumed', async () => {
  const killed = join(root, 'killed');
  await expect(
    conduct((_state, path) => {
      // As a kill at this moment would leave the directory.
      cpSync(path, killed, { recursive: true });
      throw new MachineError('the machine failed', { remedy: 'try again' });
    }),
  ).rejects.toThrow('the machine failed');
  expect(readdirSync(join(root, 'runs'))).toEqual([]);

  const { command, seed, cells } = readStudy('calibration', killed);
  expect({ command, seed, cells }).toEqual({
    ...{ command: record.command, seed: record.seed, cells: record.cells },
  });
  const { status } = await conduct(finishAtOnce, { resume: killed });
  expect(status).toBe(EXIT.done);
  expect(readStudy('calibration', killed).ended).toBe('complete');
  expect(readdirSync(killed).sort()).toEqual([
    ...['calibration.html', 'calibration.json', 'calibration.md'],
  ]);
});
