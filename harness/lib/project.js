import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFileSync } from 'node:child_process';

const projectPath = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const { ASSAY_CACHE_DIRECTORY: chosenPath = '', ASSAY_INVOCATION_DIRECTORY: workingPath = '' } =
  process.env;
/** State that outlives runs; `ASSAY_CACHE_DIRECTORY` moves it, for a read-only checkout. */
const statePath =
  chosenPath === '' ? join(projectPath, '.assay') : resolve(workingPath, chosenPath);

/** Absolute paths of this checkout. */
export const PROJECT = Object.freeze({
  projectPath,
  experimentsPath: join(projectPath, 'experiments'),
  reportsPath: join(projectPath, 'reports'),
  runsPath: join(projectPath, 'reports', 'runs'),
  statePath,
  cachePath: join(statePath, 'cache'),
  toolsPath: join(statePath, 'tools'),
  claimResultsPath: join(statePath, 'claims.json'),
  calibrationPath: join(statePath, 'calibration.json'),
  corporaPath: join(statePath, 'corpora'),
  historyPath: join(statePath, 'history'),
  workerPath: join(projectPath, 'harness', 'worker', 'worker.js'),
});

/**
 * Version of Assay and the state of its checkout, for the manifest.
 *
 * @returns {{ version: string, revision: string | null, dirty: boolean }} `revision` is null outside
 *   a git checkout
 */
export function describeAssay() {
  const { version } = JSON.parse(readFileSync(join(projectPath, 'package.json'), 'utf8'));
  try {
    const revision = git('rev-parse', 'HEAD');
    return { version, revision, dirty: git('status', '--porcelain') !== '' };
  } catch {
    return { version, revision: null, dirty: false };
  }
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync('git', args, {
    cwd: projectPath,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
