import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROGRAM = new URL('./fake-npm-program.js', import.meta.url).href;

/**
 * @typedef {object} FakeNpm
 * @property {string} programPath directory of the program, to go first on a PATH
 * @property {string} cachePath an empty cache
 * @property {(code: string) => Promise<any>} run runs a module with this npm before the real one, and
 *   `cachePath` as its argument; gives what it prints, read as JSON
 * @property {() => string[]} listCalls what npm was asked to do so far: `view`, `install`, `ci`
 * @property {() => void} remove
 */

/**
 * An npm that knows some versions of Node and needs no network. What it installs is a program that
 * says its version and nothing else.
 *
 * @param {object} registry
 * @param {string[]} [registry.versions] none where there is no package for this platform
 * @param {string} [registry.says] script of every Node that it installs, in place of that
 * @param {boolean} [registry.isDown]
 * @param {boolean} [registry.isSilent] whether it never answers
 * @param {boolean} [registry.isCutOff] whether it is killed halfway through `ci`
 * @returns {FakeNpm}
 */
export function makeFakeNpm(registry) {
  const directory = mkdtempSync(join(tmpdir(), 'assay-npm-'));
  const cachePath = join(directory, 'cache');
  const logPath = join(directory, 'calls');
  const settings = JSON.stringify({ ...registry, logPath });
  const lines = [
    `#!${process.execPath}`,
    `import(${JSON.stringify(PROGRAM)}).then(({ runNpm }) => runNpm(${settings}));`,
  ];
  writeFileSync(join(directory, 'npm'), lines.join('\n'), { mode: 0o755 });
  return {
    programPath: directory,
    cachePath,
    async run(code) {
      const env = { PATH: `${directory}${delimiter}${process.env.PATH}` };
      const args = ['--input-type=module', '-e', code, cachePath];
      return JSON.parse((await run(process.execPath, args, { env })).stdout);
    },
    listCalls: () =>
      existsSync(logPath) ? readFileSync(logPath, 'utf8').trimEnd().split('\n') : [],
    remove: () => rmSync(directory, { recursive: true }),
  };
}
