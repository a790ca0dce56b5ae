import { execFile } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from '../../lib/project.js';
import { noteEnded } from './ended-command.js';
import { joinErrorLines } from './project.js';

const run = promisify(execFile);

/**
 * The package as `npm pack` makes it.
 *
 * @typedef {object} Packed
 * @property {string} file absolute path of the archive
 * @property {number} size of the archive in bytes
 * @property {string[]} names of the files in it, relative to the package
 */

/**
 * @param {string} directory absolute, for the archive
 * @returns {Promise<Packed>}
 */
export async function pack(directory) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', directory];
  const { stdout } = await run('npm', args, { cwd: PROJECT.assayPath });
  const [{ filename, size, files }] = JSON.parse(stdout);
  const names = files.map((/** @type {{ path: string }} */ { path }) => path);
  return { file: join(directory, filename), size, names };
}

/**
 * Makes a project: unpacks the package where npm would install it, and links what it depends on, and nothing else.
 *
 * @param {Packed} packed
 * @param {string} projectPath
 */
export async function installLinked({ file }, projectPath) {
  const modulesPath = join(projectPath, 'node_modules');
  const assayPath = join(modulesPath, 'assay');
  mkdirSync(assayPath, { recursive: true });
  await run('tar', ['-xzf', file, '--strip-components=1', '-C', assayPath]);
  const { dependencies, bin } = JSON.parse(readFileSync(join(assayPath, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modulesPath, name)), { recursive: true });
    symlinkSync(join(PROJECT.assayPath, 'node_modules', name), join(modulesPath, name));
  }
  mkdirSync(join(modulesPath, '.bin'));
  symlinkSync(`../assay/${bin.assay}`, join(modulesPath, '.bin', 'assay'));
  chmodSync(join(assayPath, bin.assay), 0o755);
  writeFileSync(join(projectPath, 'package.json'), '{ "name": "my-codec" }\n');
}

/**
 * Runs a command of an installed Assay as a user of a project would, except that it waits for no other run.
 *
 * @param {string[]} args
 * @param {string} projectPath in which Assay is installed
 * @param {object} [place]
 * @param {string} [place.workingPath] directory in which the command is typed
 * @param {boolean} [place.byNpx] by npx, which takes longer than most commands
 * @returns {Promise<{ status: number, stdout: string, stderr: string }>} `stderr` with each message on one line
 */
export async function runInstalled(args, projectPath, { workingPath, byNpx } = {}) {
  const locks = mkdtempSync(join(tmpdir(), 'assay-locks-'));
  const own = { ASSAY_INVOCATION_DIRECTORY: undefined, ASSAY_CACHE_DIRECTORY: undefined };
  const env = { ...process.env, ...own, ASSAY_LOCK_DIRECTORY: locks };
  // `--no`: never from a registry.
  const start = byNpx
    ? ['npx', '--no', '--', 'assay']
    : [join(projectPath, 'node_modules/.bin/assay')];
  const [program, ...words] = [...start, ...args];
  const settings = { env, cwd: workingPath ?? projectPath, maxBuffer: 2 ** 24 };
  const ended = await run(program, words, settings).catch((error) => error);
  rmSync(locks, { recursive: true });
  const { code = 0, stdout, stderr } = ended;
  return noteEnded(args, { status: Number(code), stdout, stderr: joinErrorLines(stderr) });
}
