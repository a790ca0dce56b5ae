import { randomInt } from 'node:crypto';
import { UsageError } from '../../lib/errors.js';
import { EXIT } from '../../lib/exit-status.js';
import { countOf } from '../../lib/numbers.js';
import { PROJECT } from '../../lib/project.js';
import { formatInvocation } from '../invocation.js';
import { duration, flag, HOST_OPTIONS, option, SEED, VARIANT_OPTIONS } from '../options.js';
import { showPath } from '../terminal.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, Invocation, OptionValues } from '../types.ts' */
/** @import { Reproduction } from '../../formats/types.ts' */
/** @import { ClaimGroup, FamilyClaim } from '../../studies/claims/claims.js' */

/** @typedef {OptionValues<typeof OPTIONS>} ReproduceOptions */

const OPTIONS = {
  all: flag('--all', 'every claim'),
  budget: option(
    '--budget <time>',
    'for all comparisons together: 90s, 9m, 1h (default: by the number of cells)',
    duration,
  ),
  seed: SEED,
  sandbox: VARIANT_OPTIONS.sandbox,
  ...HOST_OPTIONS,
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'measure what claims need, and say which hold on this host',
  arguments: [['[names...]', 'sources or claims, as NODE-7606 or NODE-7606/flat-serialize']],
  options: OPTIONS,
  notes: `
Examples:
  just reproduce NODE-7606
  just reproduce NODE-7606/flat-serialize --budget 2m

A claimed ratio is reproduced if the interval measured here overlaps the claim's
tolerance, is no wider than it, and does not contain 1 where a difference was
claimed. If it is outside the tolerance, on the same side of 1, only the direction
is reproduced.

Exit status: 0 done, whatever the verdicts, 2 usage, 4 a comparison could not be
made, 130 interrupted.`,
  run,
};

/**
 * @param {[string[]]} args
 * @param {ReproduceOptions} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<number>} exit status: done whatever the verdicts, failed if a group could not be
 *   measured
 * @throws {UsageError} when nothing is named, or what is named is no claim
 */
async function run([names], options, io, invocation) {
  const { prepareAndTakeTurn } = await import('../../host/lock.js');
  const { groupClaims, readClaims, selectClaims } = await import('../../studies/claims/claims.js');
  const { prepareGroups, reproduceGroups } = await import('../../studies/claims/reproduce.js');
  const { recordReproduction, REPRODUCTION } = await import('../../studies/claims/reproduction.js');
  const { chooseBudgetMs, estimateLongestMs, orderGroups } =
    await import('../../studies/claims/share-budget.js');
  const { findFamily, listFamilies } = await import('../../variants/families.js');
  const { publishFinding, reproductionFinding } = await import('../publish.js');
  const { findRunsPath, makeOwnDirectory, openSession } = await import('../session.js');

  const families = await listFamilies(PROJECT.experimentsPath);
  const { sources, claims: known } = await readClaims(families);
  const claims =
    options.all === true ? takeAll(known, names) : selectClaims(known, requireNames(names));
  const seed = options.seed ?? randomInt(2 ** 32);
  const familyOf = (/** @type {ClaimGroup} */ group) =>
    findFamily(families, findFamilyName(group, claims));
  const groups = orderGroups(
    groupClaims(claims).map((group) => ({ ...group, processMs: familyOf(group).processMs })),
  );
  const budgetMs = options.budget === undefined ? chooseBudgetMs(groups) : options.budget * 1_000;
  const command = formatInvocation(invocation, { changes: { seed: String(seed) } });
  const where = findRunsPath(options.out, io);
  const session = { ...openSession(io), recorders: [] };
  const contextOf = (/** @type {ClaimGroup} */ group, runsPath = where) => ({
    families,
    family: familyOf(group),
    runsPath,
    seed,
    sandbox: options.sandbox === true,
    formatCommand: (/** @type {string[]} */ ids) =>
      formatInvocation(invocation, {
        args: ids,
        changes: { seed: String(seed), all: null, budget: null },
      }),
    session,
    io,
  });
  const turn = { command, where, waits: options.wait };
  const prepare = () => prepareGroups(groups, contextOf);
  return prepareAndTakeTurn(turn, io, prepare, async (preparations) => {
    const path = makeOwnDirectory(where, `reproduce-${options.all ? 'all' : names.join('-')}`);
    const record = recordReproduction(path, { claims, sources, command });
    if (groups.length > 0) announce(groups.length, estimateLongestMs(groups, budgetMs), io);
    const { hasFailed } = await reproduceGroups(preparations, {
      contextOf: (group) => contextOf(group, path),
      budgetMs,
      keep: record.keep,
    });
    const reproduction = record.describe();
    const finding = reproductionFinding(path, reproduction, io);
    await publishFinding(finding, { path, name: 'reproduction', owner: REPRODUCTION }, io);
    await remember(path, reproduction, io);
    if (io.signal.aborted) return EXIT.interrupted;
    return hasFailed ? EXIT.failed : EXIT.done;
  });
}

/**
 * @param {FamilyClaim[]} claims
 * @param {string[]} names
 * @returns {FamilyClaim[]}
 */
function takeAll(claims, [name]) {
  if (name === undefined) return claims;
  throw new UsageError(`--all cannot be combined with '${name}'`, {
    remedy: 'leave out one of the two',
  });
}

/**
 * @param {string[]} names
 * @returns {string[]}
 */
function requireNames(names) {
  if (names.length > 0) return names;
  throw new UsageError('reproduce needs a claim', {
    remedy: "name one that 'just claims' lists, such as NODE-7606, or --all",
  });
}

/**
 * @param {number} count of comparisons
 * @param {number} longestMs
 * @param {Io} io
 */
function announce(count, longestMs, { stderr }) {
  const minutes = Math.ceil(longestMs / 30_000) / 2;
  stderr.write(`${countOf(count, 'comparison')}, at most about ${minutes} min\n`);
}

/**
 * @param {ClaimGroup} group
 * @param {FamilyClaim[]} claims
 */
function findFamilyName({ claims: [first] }, claims) {
  return claims.find(({ id }) => id === first?.id)?.family ?? '';
}

/**
 * Keeps the results for later. Where a failure left nothing measured, the previous result stays.
 *
 * @param {string} path
 * @param {Reproduction} reproduction
 * @param {Io} io
 */
async function remember(path, { told, environment, createdAt }, io) {
  const { rememberResults } = await import('../../studies/claims/reproduction.js');
  const common = {
    measuredAt: createdAt,
    node: environment.node.replace(/^v/, ''),
    run: showPath(path, io.workingPath),
  };
  const results = told
    .filter(({ claim, run, result }) => claim.cannotRun !== undefined || isFound(result, run))
    .map(({ result: { id, verdict } }) => ({ id, verdict, ...common }));
  rememberResults(PROJECT.claimResultsPath, results);
}

/**
 * @param {Reproduction['told'][number]['result']} result
 * @param {string | null} run
 */
function isFound({ verdict }, run) {
  return run !== null || (verdict !== 'inconclusive' && verdict !== 'cannot-run');
}
