import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT } from '../../lib/project.js';

/** @import { Job } from '../../formats/types.ts' */

/**
 * What a worker must read to do a job, and what the job tells it to write.
 *
 * @param {Job} job
 * @returns {{ readable: string[], writable: string[] }} absolute paths of files and directories;
 *   those that are written need not be there yet, and are files then
 */
export function listJobPaths(job) {
  const { buildPath, modulePath } = job.variant;
  const readable = [PROJECT.projectPath, job.familyPath, ...listPackagePaths(modulePath)];
  if (typeof buildPath === 'string') readable.push(buildPath);
  if ('corpus' in job) readable.push(...Object.values(job.corpus.files));
  if (job.kind === 'measure') readable.push(...Object.values(job.packages ?? {}));
  if (job.kind === 'fuzz') {
    // A journal is replaced as a whole, beside which its next version lies; both are alone there.
    return { readable: [...readable, ...job.casesPaths], writable: [dirname(job.journalPath)] };
  }
  if (job.kind === 'output') return { readable, writable: [job.outputPath] };
  if (job.kind === 'exercise' && job.observedPath !== null) {
    return { readable, writable: [job.observedPath] };
  }
  return { readable, writable: [] };
}

/**
 * @param {string} modulePath absolute path
 * @returns {string[]} the package that it belongs to, and where that is a mirror of links, what they
 *   lead to
 */
function listPackagePaths(modulePath) {
  const root = findPackageRoot(modulePath);
  const [manifest, modules] = ['package.json', 'node_modules'].map((name) => {
    const path = join(root, name);
    return existsSync(path) ? realpathSync(path) : null;
  });
  return [
    root,
    ...(manifest == null ? [] : [dirname(manifest)]),
    ...(modules == null ? [] : [modules]),
  ];
}

/**
 * The package that a module belongs to: the nearest directory above it whose `package.json` has a
 * name. Those without one only say how the files beside them are to be read.
 *
 * @param {string} modulePath absolute path
 * @returns {string} its own directory where no package is found
 */
function findPackageRoot(modulePath) {
  const start = dirname(modulePath);
  for (let directory = start; directory !== dirname(directory); directory = dirname(directory)) {
    if (hasName(join(directory, 'package.json'))) return directory;
  }
  return start;
}

/** @param {string} path of a `package.json`, which need not be there */
function hasName(path) {
  try {
    return typeof JSON.parse(readFileSync(path, 'utf8')).name === 'string';
  } catch {
    return false;
  }
}
