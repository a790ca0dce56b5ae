import { countOf } from '../../lib/numbers.js';
import { randomInt } from 'node:crypto';
import { join, resolve } from 'node:path';
import { groupClaims, readClaims, selectClaims } from '../../studies/claims/claims.js';
import { publishReproduction, showPath } from '../publish.js';
import { recordReproduction, rememberResults } from '../../studies/claims/reproduction.js';
import { prepareGroups, reproduceGroups } from '../../studies/claims/reproduce.js';
import {
  chooseBudgetMs,
  estimateLongestMs,
  orderGroups,
} from '../../studies/claims/share-budget.js';
import { UsageError } from '../../lib/errors.js';
import { EXIT } from '../../lib/exit-status.js';
import { makeDirectory } from '../../lib/files.js';
import { nameMoment } from '../../run/run.js';
import { openSession } from '../terminal.js';
import { PROJECT } from '../../lib/project.js';
import { findFamily, listFamilies } from '../../variants/families.js';
import { prepareAndTakeTurn } from '../../host/lock.js';
import { parseDuration, parseSeed } from '../../run/question/parse-options.js';

/** @import { Io } from '../cli.js' */
/** @import { Reproduction } from '../../formats/types.ts' */
/** @import { ClaimGroup, FamilyClaim } from '../../studies/claims/claims.js' */

/**
 * @typedef {object} ReproduceOptions
 * @property {boolean} [all]
 * @property {string} [budget] for all of it
 * @property {string} [seed]
 * @property {string} [out]
 * @property {boolean} [sandbox]
 * @property {boolean} [wait]
 */

/**
 * `just reproduce NODE-7606`: measures what claims need, and says which hold here.
 *
 * @param {[string[]]} args
 * @param {ReproduceOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status: done whatever the verdicts, failed where a group could not
 *   be measured
 * @throws {UsageError} when nothing is named, or what is named is no claim
 */
export async function runCommand([names], options, io) {
  const families = await listFamilies(PROJECT.experimentsPath);
  const { sources, claims: known } = await readClaims(families);
  const claims =
    options.all === true ? takeAll(known, names) : selectClaims(known, requireNames(names));
  const seed = options.seed === undefined ? randomInt(2 ** 32) : parseSeed(options.seed);
  const familyOf = (/** @type {ClaimGroup} */ group) =>
    findFamily(families, findFamilyName(group, claims));
  const groups = orderGroups(
    groupClaims(claims).map((group) => ({ ...group, processMs: familyOf(group).processMs })),
  );
  const { budget } = options;
  const budgetMs =
    budget === undefined ? chooseBudgetMs(groups) : parseDuration('--budget', budget);
  const command = formatCommand(names, options, seed);
  const where = findRunsPath(options, io);
  const session = { ...openSession(io), recorders: [] };
  const contextOf = (/** @type {ClaimGroup} */ group, runsPath = where) => ({
    families,
    family: familyOf(group),
    runsPath,
    seed: String(seed),
    sandbox: options.sandbox === true,
    session,
    io,
  });
  const turn = { command, where, waits: options.wait };
  const prepare = () => prepareGroups(groups, contextOf);
  return prepareAndTakeTurn(turn, io, prepare, async (preparations) => {
    const path = makeOwnDirectory(names, options, io);
    const record = recordReproduction(path, { claims, sources, command });
    announce(groups, budgetMs, io);
    const { hasFailed } = await reproduceGroups(preparations, {
      contextOf: (group) => contextOf(group, path),
      budgetMs,
      keep: record.keep,
    });
    const reproduction = record.describe();
    await publishReproduction(path, reproduction, io);
    remember(path, reproduction, io);
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
  throw new UsageError(`--all means every claim, and '${name}' means some`, {
    remedy: 'leave out one of them',
  });
}

/**
 * @param {string[]} names
 * @returns {string[]}
 */
function requireNames(names) {
  if (names.length > 0) return names;
  throw new UsageError('reproduce needs a claim', {
    remedy: "name one of those that 'just claims' lists, as NODE-7606, or --all",
  });
}

/**
 * @param {ClaimGroup[]} groups
 * @param {number} budgetMs
 * @param {Io} io
 */
function announce(groups, budgetMs, { stderr }) {
  if (groups.length === 0) return;
  const count = countOf(groups.length, 'comparison');
  const minutes = Math.ceil(estimateLongestMs(groups, budgetMs) / 30_000) / 2;
  stderr.write(`${count}, at most about ${minutes} min\n`);
}

/**
 * @param {ClaimGroup} group
 * @param {FamilyClaim[]} claims
 */
function findFamilyName({ claims: [first] }, claims) {
  return claims.find(({ id }) => id === first?.id)?.family ?? '';
}

/**
 * @param {string[]} names known to be claims or sources, which a shell takes as they are
 * @param {ReproduceOptions} options
 * @param {number} seed
 * @returns {string} as typed, with the seed
 */
function formatCommand(names, { all, budget, sandbox }, seed) {
  const what = all === true ? ['--all'] : names;
  const time = budget === undefined ? [] : ['--budget', budget.replaceAll(/\s/g, '')];
  const apart = sandbox === true ? ['--sandbox'] : [];
  return ['just', 'reproduce', ...what, ...time, ...apart, '--seed', String(seed)].join(' ');
}

/**
 * @param {string[]} names
 * @param {ReproduceOptions} options
 * @param {Io} io
 * @returns {string} absolute path of a new directory
 */
function makeOwnDirectory(names, options, io) {
  const what = options.all === true ? 'all' : names.join('-').replaceAll(/[^\w@.-]+/g, '-');
  const name = `${nameMoment(new Date())}-reproduce-${what}`.slice(0, 120);
  const path = join(findRunsPath(options, io), name);
  return makeDirectory(path, 'free some space or name another directory with --out');
}

/**
 * @param {ReproduceOptions} options
 * @param {Io} io
 * @returns {string} absolute
 */
function findRunsPath({ out }, { workingPath }) {
  return out === undefined ? PROJECT.runsPath : resolve(workingPath, out);
}

/**
 * Results that nothing was measured for, because of a failure, leave the earlier ones in place.
 *
 * @param {string} path
 * @param {Reproduction} reproduction
 * @param {Io} io
 */
function remember(path, { told, environment, createdAt }, io) {
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
