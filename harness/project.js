import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFileSync } from 'node:child_process';

const projectPath = dirname(dirname(fileURLToPath(import.meta.url)));

/** Where everything of this checkout lies; absolute paths. */
export const PROJECT = Object.freeze({
  projectPath,
  experimentsPath: join(projectPath, 'experiments'),
  reportsPath: join(projectPath, 'reports'),
  runsPath: join(projectPath, 'reports', 'runs'),
  cachePath: join(projectPath, '.assay', 'cache'),
  toolsPath: join(projectPath, '.assay', 'tools'),
  claimResultsPath: join(projectPath, '.assay', 'claims.json'),
  profilePath: join(projectPath, '.assay', 'calibration.json'),
  corporaPath: join(projectPath, '.assay', 'corpora'),
  workerPath: join(projectPath, 'harness', 'worker.js'),
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
