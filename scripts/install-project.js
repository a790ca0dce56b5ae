/**
 * Installs what the families of a project may import, for a workflow: by a command, or with the package manager whose
 * lock file the project has. Without families of its own, nothing of it is imported.
 *
 *     node scripts/install-project.js DIRECTORY [COMMAND]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PROJECT, findProject } from '../harness/lib/project.js';
import { askGit } from '../harness/variants/git.js';
import { readPackage } from '../harness/variants/package-entry.js';
import { chooseInstall, findManager } from '../harness/variants/package-manager.js';

const [, , directory, command = ''] = process.argv;
const path = resolve(directory);
process.exitCode = run(command === '' ? chooseCommand() : command);

/** @returns {string} empty if nothing has to be installed */
function chooseCommand() {
  if (findProject(path) === PROJECT.assayPath) return '';
  const prefix = askGit(path, ['rev-parse', '--show-prefix']) ?? '';
  const top = resolve(path, askGit(path, ['rev-parse', '--show-cdup']) ?? '');
  const manager = findManager((name) => readText(join(top, name)), prefix);
  return chooseInstall(readPackage(path), manager, { prefix, isBuilt: true });
}

/** @type {(file: string) => string | null} */
function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/** @param {string} text of a shell command  @returns {number} exit status */
function run(text) {
  process.stderr.write(`${text === '' ? 'There is nothing to install.' : text}\n`);
  if (text === '') return 0;
  return spawnSync(text, { shell: true, cwd: path, stdio: 'inherit' }).status ?? 1;
}
