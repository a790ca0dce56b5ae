import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../../lib/project.js';

/** What Assay is made of, beside its packages. */
const PARTS = ['harness', 'corpora', 'reports', 'package.json', 'package-lock.json'];
const LEFT_OUT = [PROJECT.runsPath, join(PROJECT.reportsPath, 'examples')];

/**
 * Another checkout of the same sources, with families of its own and nothing in its cache. Used by
 * tests only.
 *
 * @param {string} projectPath absolute, where it is made
 * @param {string[]} familyPaths folders that are copied into its `experiments/`
 */
export function makeProject(projectPath, familyPaths) {
  mkdirSync(join(projectPath, 'experiments'), { recursive: true });
  for (const part of PARTS) {
    cpSync(join(PROJECT.projectPath, part), join(projectPath, part), {
      recursive: true,
      filter: (path) => !LEFT_OUT.includes(path) && !path.endsWith('.test.js'),
    });
  }
  symlinkSync(join(PROJECT.projectPath, 'node_modules'), join(projectPath, 'node_modules'));
  for (const path of familyPaths) {
    const name = /** @type {string} */ (path.split('/').at(-1));
    cpSync(path, join(projectPath, 'experiments', name), { recursive: true });
  }
}
