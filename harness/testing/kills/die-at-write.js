/**
 * Preloaded with `--import`, this kills Assay before, in the middle of or after a write, which `ASSAY_DEATH`
 * describes as JSON.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** @import { Death } from './kill-and-resume.js' */

/** @type {Death} */
const death = JSON.parse(process.env.ASSAY_DEATH ?? '');
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
syncBuiltinESMExports();
