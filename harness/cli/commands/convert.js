import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { wrapText } from '../../lib/columns.js';
import { EXIT, FormatError, UsageError } from '../../lib/errors.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT } from '../../lib/project.js';
import { didYouMean, quoteWords } from '../../lib/words.js';
import { STANDARD_INPUT, readStandardInput } from '../input.js';
import { choice, option, word } from '../options.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */
/** @import { Profile } from '../../formats/profile-types.ts' */
/** @import { Remarks } from '../../profiling/formats/remarks.js' */
/** @import { FoundProfile } from '../../profiling/formats/speedscope.js' */

const OPTIONS = {
  to: choice('--to <format>', 'format to write', ['folded', 'speedscope'], { default: 'folded' }),
  profile: option('--profile <name>', 'one of several profiles, by its name or number', word),
};

const NOTES = `
The format is recognised by the content: .cpuprofile (today's form, and that
with a tree), .heapprofile, speedscope, the CPU profiles in a trace of Chrome
(a recording of the Performance panel of DevTools), folded stacks, and what perf
script prints; each of them also under gzip. Of several profiles, --to speedscope
writes all, --to folded the one that speedscope would show first. A note on
standard error counts what is left out.
`;

/** @type {CommandDeclaration} */
export const command = {
  summary: 'write a profile in another format to standard output',
  arguments: [['<file>', `a profile; ${STANDARD_INPUT} is standard input`]],
  options: OPTIONS,
  notes: NOTES,
  run: convertProfile,
};

/**
 * @param {[string]} args
 * @param {OptionValues<typeof OPTIONS>} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 * @throws {UsageError | FormatError} when the file cannot be read, or has no profile
 */
export async function convertProfile([typed], { to, profile: wanted }, io) {
  const { exportFolded } = await import('../../profiling/formats/folded.js');
  const { MAX_PROFILE_BYTES, recognizeProfiles } = await import('../../profiling/recognize.js');
  const { openRemarks } = await import('../../profiling/formats/remarks.js');
  const { exportSpeedscope } = await import('../../profiling/formats/speedscope.js');

  const isPiped = typed === STANDARD_INPUT;
  const content = isPiped
    ? await readStandardInput(io, MAX_PROFILE_BYTES)
    : readContent(resolve(io.workingPath, typed), typed);
  const remarks = openRemarks();
  const found = recognizeProfiles(content, {
    source: isPiped ? 'standard input' : `'${typed}'`,
    file: isPiped ? 'FILE' : quoteWords([typed]),
    projectPath: PROJECT.projectPath,
    remarks,
  });
  const chosen = choose(found, { to, wanted, remarks });
  const title = isPiped ? 'standard input' : basename(typed);
  const named = chosen.flatMap((one) => {
    const profile = readOne(one, chosen.length > 1, remarks);
    const name = found.profiles.length > 1 ? one.name : title;
    return profile === null ? [] : { name, profile };
  });
  if (named.length === 0) throw refuseEmpty('in the profiles');
  for (const { profile } of named) countLosses(profile, to, remarks);
  io.stdout.write(
    to === 'folded'
      ? exportFolded(named[0].profile)
      : `${JSON.stringify(exportSpeedscope(named, title))}\n`,
  );
  for (const note of remarks.list()) {
    const lines = wrapText(note, io.stderr.columns ?? 80, { first: 'note: ', next: '    ' });
    io.stderr.write(`${lines.join('\n')}\n`);
  }
  return EXIT.done;
}

/**
 * @param {string} path absolute
 * @param {string} typed
 * @returns {Buffer}
 */
function readContent(path, typed) {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new UsageError(`cannot read '${typed}': ${/** @type {Error} */ (cause).message}`, {
      cause,
      remedy: `name a profile that ${PROGRAM} profile or ${PROGRAM} compare recorded`,
    });
  }
}

/**
 * @param {{ profiles: FoundProfile[], active: number }} found
 * @param {{ to: string, wanted: string | undefined, remarks: Remarks }} how
 * @returns {FoundProfile[]}
 * @throws {UsageError} when none has the name that is wanted
 */
function choose({ profiles, active }, { to, wanted, remarks }) {
  if (wanted === undefined) {
    if (to === 'speedscope' || profiles.length === 1) return profiles;
    const { name } = profiles[active];
    remarks.leaveOut('other profile', 'other profiles', profiles.length - 1);
    remarks.add(
      `'${name}' is written, profile ${active + 1} of ${profiles.length}; --profile NUMBER chooses another, --to speedscope writes all`,
    );
    return [profiles[active]];
  }
  const names = profiles.map(({ name }) => name);
  const named = profiles[names.indexOf(wanted)];
  const numbered = /^\d+$/.test(wanted) ? profiles[Number(wanted) - 1] : undefined;
  const one = named ?? numbered;
  if (one !== undefined) return [one];
  const shown = names.slice(0, MAX_SHOWN_NAMES).map((name, index) => `${index + 1} '${name}'`);
  throw new UsageError(`there is no profile '${wanted}'${didYouMean(wanted, names)}`, {
    remedy: `the file has ${shown.join(', ')}${names.length > shown.length ? ', …' : ''}`,
  });
}

const MAX_SHOWN_NAMES = 20;

/** @type {(one: FoundProfile, isAmongOthers: boolean, remarks: Remarks) => Profile | null} null without weight */
function readOne({ name, read }, isAmongOthers, remarks) {
  try {
    const profile = read();
    const total = profile.nodes.reduce((sum, { self }) => sum + self, 0);
    if (!Number.isFinite(total)) {
      throw new FormatError('the weights are too large to be added up', {
        remedy: 'save the profile again from the tool that made it',
      });
    }
    if (total > 0) return profile;
  } catch (cause) {
    if (!isAmongOthers || !(cause instanceof FormatError)) throw cause;
    throw new FormatError(`profile '${name}': ${cause.message}`, {
      remedy: 'convert the others one by one, with --profile NUMBER',
      cause,
    });
  }
  if (!isAmongOthers) throw refuseEmpty(`in the profile '${name}'`);
  remarks.leaveOut('profile without weight', 'profiles without weight');
  return null;
}

/** @param {string} where */
function refuseEmpty(where) {
  return new FormatError(`no stack has a weight ${where}, so nothing is written`, {
    remedy: 'record again, for longer; of several profiles, --profile NUMBER chooses another',
  });
}

/** Counts what the format cannot represent. @type {(profile: Profile, to: string, remarks: Remarks) => void} */
function countLosses({ nodes, lines }, to, remarks) {
  remarks.leaveOut('weight of a source line', 'weights of source lines', lines.length);
  if (to === 'speedscope') return;
  const parents = new Set(nodes.map(({ parent }) => parent));
  const empty = nodes.filter(({ self }, index) => self === 0 && !parents.has(index));
  remarks.leaveOut('stack without weight', 'stacks without weight', empty.length);
}
