import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { EXIT, UsageError } from '../../lib/errors.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT } from '../../lib/project.js';
import { choice } from '../options.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */
/** @import { Profile } from '../../formats/profile-types.ts' */

const OPTIONS = {
  to: choice('--to <format>', 'format to write', ['folded', 'speedscope'], { default: 'folded' }),
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'write a profile in another format to standard output',
  arguments: [['<file>', '.cpuprofile, .heapprofile, .speedscope.json or .folded']],
  options: OPTIONS,
  run: convertProfile,
};

/**
 * @param {[string]} args
 * @param {OptionValues<typeof OPTIONS>} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 * @throws {UsageError} when the file cannot be read, or its name has no ending of a profile
 */
export async function convertProfile([typed], { to }, io) {
  const { exportFolded } = await import('../../profiling/formats/folded.js');
  const { exportSpeedscope } = await import('../../profiling/formats/speedscope.js');

  const profile = await importProfile(typed, readText(resolve(io.workingPath, typed), typed));
  io.stdout.write(
    to === 'folded'
      ? exportFolded(profile)
      : `${JSON.stringify(exportSpeedscope(profile, basename(typed)))}\n`,
  );
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
      remedy: `name a profile that ${PROGRAM} profile or ${PROGRAM} compare recorded`,
    });
  }
}

/**
 * @param {string} name whose ending tells the format
 * @param {string} text
 * @returns {Promise<Profile>}
 */
async function importProfile(name, text) {
  const { importFolded } = await import('../../profiling/formats/folded.js');
  const { findImporter } = await import('../../profiling/evidence.js');
  const importer = findImporter(name);
  if (importer !== undefined) return importer(text, PROJECT.projectPath);
  if (name.endsWith('.folded') || name.endsWith('.folded.txt')) return importFolded(text);
  throw new UsageError(`'${name}' has no ending of a profile`, {
    remedy: 'profiles end in .cpuprofile, .heapprofile, .speedscope.json or .folded',
  });
}
