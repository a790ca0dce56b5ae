import { EXIT, UsageError } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { didYouMean } from '../../lib/words.js';
import { flag } from '../options.js';
import { terminalOf } from '../terminal.js';
import { writeNote } from '../../lib/messages.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */
/** @import { Section } from '../../../reports/document/model.ts' */
/** @import { FamilyWorker, SetUp } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */

/** @typedef {OptionValues<typeof OPTIONS>} SetUpOptions */
/** A family, or a server of one. @typedef {Pick<FoundFamily, 'name' | 'path'>} Buildable */
/** @typedef {{ family: Buildable, worker: FamilyWorker | null }} Equipped */

const OPTIONS = {
  all: flag('--all', 'every family that needs something'),
  ifPossible: flag('--if-possible', 'do not fail if a program is missing'),
};

/** @type {CommandDeclaration} */
export const command = {
  summary:
    'build what families in other languages need, or install a server; without a name, list them',
  arguments: [['[names...]', 'families and servers, or the beginning of a name']],
  options: OPTIONS,
  notes: `
Exit status: 0 done, 2 usage, 4 something cannot run here, or a build failed.`,
  run,
};

/**
 * @param {[string[]]} args
 * @param {SetUpOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 * @throws {UsageError} when there is no such family
 */
async function run([names], options, io) {
  const { countSetUps, needsSection, setUpSection } =
    await import('../../../reports/content/setup.js');
  const { renderTerminal } = await import('../../../reports/document/terminal.js');
  const { loadFamilyWorker, setUpFamily } = await import('../../variants/build-family.js');
  const { listFamilies } = await import('../../variants/families.js');
  const { listServers } = await import('../../variants/servers.js');

  requireFamilies(names, options);
  const found = await listFamilies(PROJECT.experimentsPath);
  const families = [...found, ...listServers(found)];
  const equipped = await Promise.all(
    families.map(async (family) => ({ family, worker: await loadFamilyWorker(family) })),
  );
  const nameWidth = Math.max(...families.map(({ name }) => name.length));
  /** @param {Section} section */
  const print = (section) =>
    void io.stdout.write(renderTerminal({ sections: [section] }, terminalOf(io)));
  if (names.length === 0 && options.all !== true) {
    print(needsSection(equipped.map(describeNeeds)));
    return EXIT.done;
  }

  /** @type {SetUp[]} */
  const setUps = [];
  for (const family of chooseFamilies(equipped, names)) {
    const setUp = await setUpFamily(family, {
      cachePath: PROJECT.cachePath,
      signal: io.signal,
      onNote: (text) => writeNote(io.stderr, text),
    });
    setUps.push(setUp);
    print(setUpSection(setUp, nameWidth));
  }
  io.stdout.write(`${countSetUps(setUps)}\n`);
  return findStatus(setUps, options);
}

/**
 * @param {string[]} names
 * @param {SetUpOptions} options
 * @throws {UsageError} when families are chosen twice, or not at all
 */
function requireFamilies([name], { all, ifPossible }) {
  if (all === true && name !== undefined) {
    throw new UsageError(`--all cannot be combined with '${name}'`, {
      remedy: 'leave out one of the two',
    });
  }
  if (ifPossible === true && all !== true && name === undefined) {
    throw new UsageError('--if-possible needs families', {
      remedy: 'name some, or add --all',
    });
  }
}

/**
 * @param {Equipped[]} equipped
 * @param {string[]} names as typed; none for all that need something
 * @returns {Buildable[]}
 */
function chooseFamilies(equipped, names) {
  const families = equipped.map(({ family }) => family);
  if (names.length > 0) return [...new Set(names.map((name) => findByPrefix(families, name)))];
  return equipped.filter(({ worker }) => worker !== null).map(({ family }) => family);
}

/**
 * @param {Buildable[]} families
 * @param {string} text a name, or the beginning of exactly one
 * @returns {Buildable}
 * @throws {UsageError} when there is none, or more than one
 */
function findByPrefix(families, text) {
  const names = families.map(({ name }) => name);
  const family = families.find(({ name }) => name === text);
  if (family !== undefined) return family;
  const fitting = families.filter(({ name }) => name.startsWith(text));
  if (fitting.length === 1) return fitting[0];
  if (fitting.length > 1) {
    const several = fitting.map(({ name }) => `'${name}'`).join(' or ');
    throw new UsageError(`'${text}' is ambiguous: ${several}`, {
      remedy: 'write more of the name',
    });
  }
  const firstWords = names.map((name) => name.replace(/-.*/, ''));
  throw new UsageError(
    `no family or server '${text}'${didYouMean(text, [...firstWords, ...names])}`,
    {
      remedy: `there are ${names.join(', ')}`,
    },
  );
}

/** @param {Equipped} equipped */
function describeNeeds({ family: { name }, worker }) {
  return { name, toolchain: worker?.toolchain ?? [] };
}

/** @param {SetUp[]} setUps @param {SetUpOptions} options */
function findStatus(setUps, { ifPossible }) {
  const isFailed = setUps.some(
    ({ outcome }) => outcome === 'failed' || (outcome === 'missing' && ifPossible !== true),
  );
  return isFailed ? EXIT.failed : EXIT.done;
}
