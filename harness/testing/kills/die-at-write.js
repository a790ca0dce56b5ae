/**
 * Preloaded with `--import`, this kills Assay before, in the middle of or after a write, or while a process that it has
 * started runs. `ASSAY_DEATH` describes when, as JSON.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** @import { Death } from './kill-and-resume.js' */

/** @type {Death} */
const death = JSON.parse(process.env.ASSAY_DEATH ?? '');
/** In place of the name of a file: the start of a process. */
const SPAWN = 'spawn';
let count = 0;

for (const name of /** @type {const} */ (['writeFileSync', 'appendFileSync'])) {
  const write = /** @type {(file: unknown, data: unknown, options: unknown) => void} */ (fs[name]);
  fs[name] = function writeOrDie(file, data, options) {
    if (typeof file !== 'string' || !file.includes(death.file) || ++count !== death.nth) {
      return write(file, data, options);
    }
    if (death.how === 'torn') write(file, String(data).slice(0, String(data).length / 2), options);
    if (death.how === 'after') write(file, data, options);
    process.kill(process.pid, death.signal);
    // The process is dead if the signal was SIGKILL; it handles others later.
    return death.how === 'after' ? undefined : write(file, data, options);
  };
}

const spawn = /** @type {(...words: any[]) => any} */ (childProcess.spawn);
childProcess.spawn = function spawnOrDie(/** @type {any[]} */ ...words) {
  const child = spawn(...words);
  if (death.file === SPAWN && ++count === death.nth) process.kill(process.pid, death.signal);
  return child;
};
syncBuiltinESMExports();
