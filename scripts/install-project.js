/**
 * Installs what the families of a project may import, for a workflow: by a command, or with the package manager whose
 * lock file the project has. Without families of its own, nothing of it is imported.
 *
 *     node scripts/install-project.js DIRECTORY [COMMAND]
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { PROJECT, findProject } from '../harness/lib/project.js';
import { chooseInstall } from '../harness/variants/build-checkout.js';
import { askGit } from '../harness/variants/git.js';

const [, , directory, command = ''] = process.argv;
const path = resolve(directory);
// Makes pnpm, and yarn in the version that the project names; revisions are built with them, too.
spawnSync('corepack', ['enable'], { stdio: 'inherit' });
process.exitCode = run(command === '' ? chooseCommand() : command);

/** @returns {string} empty if nothing has to be installed */
function chooseCommand() {
  if (findProject(path) === PROJECT.assayPath) return '';
  return chooseInstall(path, { top: askGit(path, ['rev-parse', '--show-toplevel']) ?? path });
}

/** @param {string} text of a shell command  @returns {number} exit status */
function run(text) {
  process.stderr.write(`${text === '' ? 'There is nothing to install.' : text}\n`);
  if (text === '') return 0;
  return spawnSync(text, { shell: true, cwd: path, stdio: 'inherit' }).status ?? 1;
}
