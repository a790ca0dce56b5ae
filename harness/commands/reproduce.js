import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { formatReproduction } from '../../reports/support/terminal-claims.js';
import { groupClaims } from '../claims/group-claims.js';
import { judgeClaim } from '../claims/judge-claim.js';
import { readClaims } from '../claims/read-claims.js';
import { rememberResults } from '../claims/remember-results.js';
import { reproduceGroup } from '../claims/reproduce-group.js';
import { selectClaims } from '../claims/select-claims.js';
import { describeEnvironment } from '../environment.js';
import { UsageError } from '../errors.js';
import { EXIT } from '../exit-status.js';
import { FORMAT_VERSION } from '../format-version.js';
import { makeDirectory } from '../make-directory.js';
import { nameMoment } from '../name-run.js';
import { openSession } from '../open-session.js';
import { clearProgress } from '../print-progress.js';
import { PROJECT } from '../project.js';
import { showPath, terminalOf } from '../publish-run.js';
import { findFamily, listFamilies } from '../resolve/families.js';
import { parseDuration } from './parse-options.js';

/** @import { Io } from '../cli.js' */
/** @import { ClaimResult } from '../types.ts' */
/** @import { ClaimGroup } from '../claims/group-claims.js' */
/** @import { FamilyClaim } from '../claims/read-claims.js' */
/** @import { RememberedResult } from '../claims/remember-results.js' */

/**
 * @typedef {object} ReproduceOptions
 * @property {boolean} [all]
 * @property {string} budget for all of it, but what a comparison needs besides timing
 * @property {string} [seed]
 * @property {string} [out]
 */

/**
 * `just reproduce NODE-7606`: measures what claims need, and says which hold here.
 *
 * @param {[string[]]} args
 * @param {ReproduceOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 * @throws {UsageError} when nothing is named, or what is named is no claim
 */
export async function runCommand([names], options, io) {
  const families = await listFamilies(PROJECT.experimentsPath);
  const { sources, claims: known } = await readClaims(families);
  const claims = options.all === true ? known : selectClaims(known, requireNames(names));
  const groups = groupClaims(claims);
  const path = makeOwnDirectory(names, options, io);
  const { node } = describeEnvironment();
  const session = { ...openSession(io), recorders: [] };
  const endMs = performance.now() + parseDuration('--budget', options.budget);
  /** @type {Map<string, RememberedResult>} */
  const results = new Map();
  for (const [index, group] of groups.entries()) {
    if (io.signal.aborted) break;
    clearProgress(io.stderr);
    io.stderr.write(
      `${index + 1} of ${groups.length}: ${group.candidate} beside ${group.baseline}\n`,
    );
    const reproduced = await reproduceGroup(group, {
      families,
      family: findFamily(families, findFamilyName(group, claims)),
      runsPath: path,
      budgetSeconds: shareBudget(endMs - performance.now(), groups.slice(index)),
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      session,
      io,
    });
    const run = reproduced.runPath === null ? path : reproduced.runPath;
    for (const result of reproduced.results) {
      results.set(result.id, describe(result, { runPath: run, node, io }));
    }
  }
  clearProgress(io.stderr);
  const told = claims.flatMap((claim) => {
    const result = results.get(claim.id) ?? judgeUnrun(claim, { runPath: path, node, io });
    return result === null ? [] : [{ claim, result }];
  });
  keep(
    path,
    told.map(({ result }) => result),
  );
  io.stdout.write(
    formatReproduction({ sources, told, path: showPath(path, io.workingPath) }, terminalOf(io)),
  );
  return io.signal.aborted ? EXIT.interrupted : EXIT.done;
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
 * @param {ClaimGroup} group
 * @param {FamilyClaim[]} claims
 */
function findFamilyName({ claims: [first] }, claims) {
  return claims.find(({ id }) => id === first?.id)?.family ?? '';
}

/**
 * The part that the next group gets of the time that is left, by its number of timed cells: what one
 * does not need goes to those after it.
 *
 * @param {number} leftMs
 * @param {ClaimGroup[]} groups the next one and those after it
 * @returns {number | null} seconds; null where nothing is timed
 */
function shareBudget(leftMs, groups) {
  const [next] = groups;
  if (next === undefined || next.kind !== 'time') return null;
  const all = groups.reduce((sum, one) => sum + countCells(one), 0);
  return Math.max(1, (leftMs / 1000) * (countCells(next) / all));
}

/** @param {ClaimGroup} group */
function countCells({ kind, claims }) {
  if (kind !== 'time') return 0;
  return new Set(claims.map(({ operation, corpus }) => `${operation} ${corpus}`)).size;
}

/**
 * A claim that cannot be run has a result all the same; one that an interrupt kept from its turn has
 * none.
 *
 * @param {FamilyClaim} claim
 * @param {Occasion} occasion
 * @returns {RememberedResult | null}
 */
function judgeUnrun(claim, occasion) {
  if (claim.cannotRun === undefined) return null;
  const nothing = { cell: null, retained: null, contract: null, isSameOutput: null };
  return describe(judgeClaim(claim, { ...nothing, minimumEffect: 0 }), occasion);
}

/**
 * Where and under what a result came about.
 *
 * @typedef {{ runPath: string, node: string, io: Io }} Occasion
 */

/**
 * @param {ClaimResult} result
 * @param {Occasion} occasion
 * @returns {RememberedResult}
 */
function describe(result, { runPath, node, io }) {
  const measuredAt = new Date().toISOString();
  const run = showPath(runPath, io.workingPath);
  return { ...result, measuredAt, node, run };
}

/**
 * @param {string[]} names
 * @param {ReproduceOptions} options
 * @param {Io} io
 * @returns {string} absolute path of a new directory
 */
function makeOwnDirectory(names, { all, out }, io) {
  const parent = out === undefined ? PROJECT.runsPath : resolve(io.workingPath, out);
  const what = all === true ? 'all' : names.join('-').replaceAll(/[^\w@.-]+/g, '-');
  const path = join(parent, `${nameMoment(new Date())}-reproduce-${what}`.slice(0, 120));
  return makeDirectory(path, 'free some space or name another directory with --out');
}

/**
 * @param {string} path
 * @param {RememberedResult[]} results
 */
function keep(path, results) {
  const content = { formatVersion: FORMAT_VERSION, results };
  writeFileSync(join(path, 'reproduction.json'), `${JSON.stringify(content, null, 2)}\n`);
  rememberResults(PROJECT.claimResultsPath, results);
}
