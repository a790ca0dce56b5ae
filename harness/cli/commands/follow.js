import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { writeNote } from '../../lib/messages.js';
import { EXIT, UsageError } from '../../lib/errors.js';
import { countOf } from '../../lib/numbers.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT } from '../../lib/project.js';
import { shortHash } from '../../lib/words.js';
import { formatQuestion } from '../invocation.js';
import {
  COMPARISON_OPTIONS,
  duration,
  flag,
  HOST_OPTIONS,
  option,
  VARIANT_OPTIONS,
  word,
} from '../options.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */
/** @import { Following } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { FollowState } from '../../studies/follow/follow.js' */

/** @typedef {OptionValues<typeof OPTIONS>} FollowOptions */

const { op, corpus, mei, processes, placements, schedule, seed, nodeFlag, server, accept } =
  COMPARISON_OPTIONS;
const { runtime, node } = COMPARISON_OPTIONS;

const MOST_ALARMS = 1000;

const OPTIONS = {
  branch: option(
    '--branch <name>',
    'branch to follow (default: the one that is checked out)',
    word,
  ),
  reference: option(
    '--reference <variant>',
    'what every commit is compared with: a variant or a tag (default: that of the records; at first the last tag)',
    word,
  ),
  from: option(
    '--from <revision>',
    'commit to begin with, where nothing is recorded (default: the last one)',
    word,
  ),
  each: flag(
    '--each',
    'measure every commit (default: the last one, for all since the measured one)',
  ),
  nightly: flag('--nightly', 'then measure again what merges left inconclusive'),
  falseAlarms: option(
    '--false-alarms <number>',
    'false alarms in a year that are expected at most; confirmations are as strict as that needs',
    alarms,
    { default: '1' },
  ),
  budget: option(
    '--budget <time>',
    'compare for at most this long, without checks and builds',
    duration,
  ),
  store: option('--store <directory>', 'another result store (default: .assay/history)', word),
  ...{ op, corpus, mei, processes, placements, schedule, seed, nodeFlag, server, accept },
  ...{ runtime, node },
  ...VARIANT_OPTIONS,
  ...HOST_OPTIONS,
};

/** @param {string} text @returns {number} */
function alarms(text) {
  const number = Number(text);
  if (text.trim() !== '' && number > 0 && number <= MOST_ALARMS) return number;
  throw new InvalidArgumentError(`It must be a number above 0, and at most ${MOST_ALARMS}.`);
}

/** @type {CommandDeclaration} */
export const command = {
  summary: 'measure the commits of a branch that are not measured yet, and record them',
  arguments: [['[directory]', 'checkout of the branch (default: the current directory)']],
  options: OPTIONS,
  notes: `
Every commit along first parents, so a merge counts as one. The last one is compared
with the last that is recorded, and with one reference, which stays the same. Where its
built code is the same, nothing is measured. A commit that cannot be built or loaded or
gives wrong bytes is left to the one after it. What is recorded decides what is missing, so
calling it again continues. The clone needs its history (fetch-depth: 0).

Examples:
  ${PROGRAM} follow --op serialize --corpus flat,deep --budget 5m
  ${PROGRAM} follow ../js-bson --reference v7.0.0 --budget 10m
  ${PROGRAM} follow ../js-bson --from v7.0.0 --each

Exit status: 0 done, 2 usage, 3 the reference gives wrong bytes, 4 the reference cannot
be built or loaded, or nothing can be recorded, 130 interrupted.`,
  run,
};

/**
 * @param {[string | undefined]} args
 * @param {FollowOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function run([directory = '.'], options, io) {
  const { prefersPairs } = await import('../comparison.js');
  const { readKnown } = await import('../following.js');
  const { makeAnnouncer } = await import('../progress.js');
  const { findRunsPath, openSession } = await import('../session.js');
  const { COMPARE } = await import('./compare.js');
  const { makeQuestion } = await import('../../run/question.js');
  const { ALL_ROWS } = await import('../../stats/verdicts.js');
  const { listVariants } = await import('../../stats/plan.js');
  const { confirmationLevel } = await import('../../stats/alarms.js');
  const { countSeen } = await import('../../studies/follow/seen.js');
  const { countPerYear, specOf } = await import('../../studies/follow/commits.js');
  const { listWaiting, makeFollowStudy, openReader, planNext } =
    await import('../../studies/follow/follow.js');
  const { measureTask } = await import('../../studies/follow/measure.js');
  const { runStudy } = await import('../../studies/study.js');
  const { chooseFamily, listFamilies, openContext } = await import('../../variants/families.js');
  const { parseVariantSpec } = await import('../../variants/spec.js');

  const storePath =
    options.store === undefined ? PROJECT.historyPath : resolve(io.workingPath, options.store);
  const families = await listFamilies(PROJECT.experimentsPath);
  const { notes, ...opened } = await open({ directory, storePath, families }, options, io);
  const { line } = opened;
  const head = specOf(directory, line[line.length - 1].revision);
  const specs = [opened.reference, head].map(parseVariantSpec);
  const family = chooseFamily(specs, families, options.family, io.workingPath);
  for (const note of notes) writeNote(io.stderr, note);
  const { budget, ...asked } = options;
  // Outputs are compared with the reference of the family.
  delete asked.reference;
  const question = await makeQuestion(
    [opened.reference, head],
    family,
    {
      hasTwoCores: prefersPairs(io),
      ...asked,
      // Behaviour changes between commits; what one breaks of today's contract is no reason to pass it.
      ...(family.hasContract ? { accept: asked.accept ?? [ALL_ROWS] } : {}),
      explain: 'none',
    },
    openContext({ families, family }, io),
  );
  const cellIds = question.cells.map(({ id }) => id);
  const records = opened.records.filter(
    ({ identity }) => identity.question.family === question.family,
  );
  const level = confirmationLevel({
    falseAlarmsPerYear: options.falseAlarms,
    mergesPerYear: countPerYear(line),
    cells: cellIds.length,
    seen: countSeen(records, cellIds.length),
  });
  const state = { ...opened, records, read: openReader(readKnown(undefined, io)), cellIds, level };
  const context = {
    ...{ question, directory, families, family, storePath, io },
    runsPath: findRunsPath(options.out, io),
    session: openSession(io, options),
    formatCommand: (/** @type {typeof question} */ one) =>
      formatQuestion(COMPARE, one, { args: listVariants(one), except: ['budget'] }),
  };
  const study = makeFollowStudy((task, current) => measureTask(task, current, context), {
    seed: question.seed,
    budgetSeconds: budget ?? Infinity,
  });
  const { state: ended } = await runStudy(study, state, {
    signal: io.signal,
    save: () => {},
    say: makeAnnouncer(io, options.quiet),
  });
  for (const { revision, reason, wasMeasured } of ended.skipped) {
    const becomes = wasMeasured
      ? 'cannot be compared with any more, an earlier commit takes its place'
      : 'is left to the next commit';
    writeNote(io.stderr, `${shortHash(revision)} ${becomes}: ${reason}`);
  }
  const next = planNext(ended, budget);
  if (next !== null) {
    const why = io.signal.aborted ? 'interrupted' : 'the budget is over';
    writeNote(
      io.stderr,
      `${why}; another call goes on with the ${next.purpose} of ${shortHash(next.after)}`,
    );
  }
  for (const { after, needs } of listWaiting(ended)) {
    writeNote(
      io.stderr,
      `the budget cut short the confirmation of ${shortHash(after)}; it is repeated with --budget ${Math.ceil(needs)}s or more`,
    );
  }
  const count = ended.records.length - records.length;
  io.stdout.write(
    `${countOf(count, 'comparison')} of ${opened.branch} recorded; the reference is ${opened.reference}\n`,
  );
  const following = ended.read(ended.records);
  if (following !== null) await printChanges(following, io);
  return io.signal.aborted ? EXIT.interrupted : EXIT.done;
}

/** @type {(following: Following, io: Io) => Promise<void>} */
async function printChanges(following, io) {
  const { describeChanges } = await import('../../../reports/content/changes.js');
  const { formatFinding } = await import('../publish.js');
  const finding = { document: describeChanges(following), data: following };
  io.stdout.write(`\n${await formatFinding(finding, 'terminal', io)}`);
}

/**
 * @param {{ directory: string, storePath: string, families: FoundFamily[] }} context `directory`: as typed
 * @param {FollowOptions} options
 * @param {Io} io
 * @returns {Promise<Omit<FollowState, 'cellIds' | 'level' | 'read'> & { notes: string[] }>} `notes`: for the user
 * @throws {UsageError} when there is no such branch or commit
 */
async function open({ directory, storePath, families }, options, io) {
  const { readBranch } = await import('../../studies/follow/commits.js');
  const { isFollowed, isOfSeries } = await import('../../studies/follow/chain.js');
  const { findReference, usualReference } = await import('../../studies/follow/reference.js');
  const { readRecords } = await import('../../studies/history/store.js');
  const { findCommit } = await import('../../variants/git.js');

  const { records: stored, notes } = readRecords(storePath);
  const all = stored.map(({ record }) => record).filter(isFollowed);
  const names = [...new Set(all.map(({ followed }) => followed.branch))];
  const checkout = { path: resolve(io.workingPath, directory), typed: directory };
  const branch = readBranch(checkout, options.branch, names);
  const own = all.filter(({ followed }) => followed.branch === branch.name);
  const { line, releases } = branch;
  const from = options.from ?? 'HEAD';
  const revision = findCommit(checkout, from);
  const first =
    options.from === undefined
      ? line.length - 1
      : line.findIndex((commit) => commit.revision === revision);
  if (first === -1) {
    throw new UsageError(`'${from}' is no commit of ${branch.name} along first parents`, {
      remedy: `list them with: git log --first-parent ${branch.name}`,
    });
  }
  const reference =
    options.reference === undefined
      ? usualReference(checkout, { branch, first, records: own })
      : (findReference(checkout, options.reference, own) ??
        (await pinReference(options.reference, families, io)));
  const records = own.filter((record) => isOfSeries(record, { branch: branch.name, reference }));
  const earlier = own.at(-1)?.followed.reference ?? reference;
  if (earlier !== reference) {
    notes.push(`points are ratios to ${reference} from now on; those to ${earlier} are left out`);
  }
  const places = new Map(line.map((commit, place) => [commit.revision, place]));
  const measured = records.filter(
    ({ followed }) => followed.purpose === 'merge' || followed.purpose === 'point',
  );
  const last = measured.at(-1)?.followed.after;
  if (last !== undefined && !places.has(last)) {
    notes.push(
      `${branch.name} was rewritten: ${shortHash(last)}, the last measured commit, is not on it`,
    );
  }
  const begin = Math.min(...measured.flatMap(({ followed }) => places.get(followed.after) ?? []));
  if (options.from !== undefined && first < begin && begin < line.length) {
    notes.push(
      `--from is ignored: what is recorded begins with ${shortHash(line[begin].revision)}; another --store begins earlier`,
    );
  }
  if (own.length === 0 && all.length > 0) {
    const { followed } = all[all.length - 1];
    notes.push(
      `a new series: what is recorded is of ${followed.branch}, which --branch ${followed.branch} continues`,
    );
  }
  return {
    ...{ branch: branch.name, reference, line, releases, first, records },
    ...{ isEach: options.each === true, isNightly: options.nightly === true },
    ...{ skipped: [], unchanged: [], notes },
  };
}

/**
 * @param {string} reference as typed, which is neither a tag nor a commit
 * @param {FoundFamily[]} families
 * @param {Io} io
 * @returns {Promise<string>} spec
 * @throws {UsageError} when there is no such variant
 */
async function pinReference(reference, families, io) {
  const { pinVariants } = await import('../comparison.js');
  const { checkBuiltIn } = await import('../../variants/families.js');
  const { parseVariantSpec } = await import('../../variants/spec.js');

  const [spec] = (await pinVariants([reference], io)).texts;
  try {
    checkBuiltIn(parseVariantSpec(spec), families);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`--reference: ${error.message}, and no such tag or commit`, {
      remedy: `${error.remedy}; 'git tag' lists tags`,
    });
  }
  return spec;
}
