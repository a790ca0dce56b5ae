import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { didYouMean } from '../../lib/words.js';
import { UsageError } from '../../lib/errors.js';
import { EXIT } from '../../lib/exit-status.js';
import { exportFolded, importFolded } from '../../profiling/formats/folded.js';
import { exportSpeedscope } from '../../profiling/formats/speedscope.js';
import { findImporter } from '../../profiling/read-profiles.js';
import { PROJECT } from '../../lib/project.js';

/** @import { Io } from '../cli.js' */
/** @import { Profile } from '../../formats/profile-types.ts' */

/** @type {Map<string, (profile: Profile, name: string) => string>} by the name in `--to` */
const FORMATS = new Map([
  ['folded', (profile) => exportFolded(profile)],
  ['speedscope', (profile, name) => `${JSON.stringify(exportSpeedscope(profile, name))}\n`],
]);

/**
 * `just convert FILE --to folded`: a profile in another format, on standard output.
 *
 * @param {[string]} args
 * @param {{ to: string }} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 * @throws {UsageError} when the file or the format is not known
 */
export async function runCommand([typed], { to }, io) {
  const format = FORMATS.get(to);
  if (format === undefined) {
    throw new UsageError(`no format '${to}'${didYouMean(to, FORMATS.keys())}`, {
      remedy: `there are ${[...FORMATS.keys()].join(' and ')}`,
    });
  }
  const profile = importProfile(typed, readText(resolve(io.workingPath, typed), typed));
  io.stdout.write(format(profile, basename(typed)));
  return EXIT.done;
}

/**
 * @param {string} path absolute
 * @param {string} typed
 * @returns {string}
 */
function readText(path, typed) {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UsageError(`cannot read '${typed}': ${/** @type {Error} */ (cause).message}`, {
      cause,
      remedy: 'name a profile, as just profile and just compare leave them',
    });
  }
}

/**
 * @param {string} name whose end tells the format
 * @param {string} text
 * @returns {Profile}
 */
function importProfile(name, text) {
  const importer = findImporter(name);
  if (importer !== undefined) return importer(text, PROJECT.projectPath);
  if (name.endsWith('.folded') || name.endsWith('.folded.txt')) return importFolded(text);
  throw new UsageError(`'${name}' has no ending that tells what it is`, {
    remedy: 'profiles end in .cpuprofile, .heapprofile, .speedscope.json or .folded',
  });
}
