import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { EXIT, UsageError } from '../../lib/errors.js';
import { countOf } from '../../lib/numbers.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT, RUNS, describeAssay } from '../../lib/project.js';
import { formatInvocation, formatQuestion } from '../invocation.js';
import {
  duration,
  flag,
  FORMAT,
  HOST_OPTIONS,
  option,
  SEED,
  VARIANT_OPTIONS,
  word,
} from '../options.js';
import { showPath } from '../terminal.js';
import { COMPARE } from './compare.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, Invocation, OptionValues } from '../types.ts' */
/** @import { Reproduction } from '../../formats/types.ts' */
/** @import { ClaimGroup, FamilyClaim } from '../../studies/claims/claims.js' */
/** @import { ClaimCommands } from '../../studies/claims/judge.js' */
/** @import { Preparation, ReproduceContext } from '../../studies/claims/reproduce.js' */
/** @import { FoundFamily } from '../../variants/families.js' */

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
  resume: option('--resume <directory>', 'resume an interrupted reproduction', word, {
    transient: true,
    alone: {
      but: ['budget', 'format', 'wait', 'quiet'],
      because: 'a resumed reproduction keeps its original options',
    },
  }),
  format: FORMAT,
  ...HOST_OPTIONS,
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'measure what claims need, and say which hold on this host',
  arguments: [['[names...]', 'sources or claims, as NODE-7606 or NODE-7606/flat-serialize']],
  options: OPTIONS,
  notes: `
Examples:
  ${PROGRAM} reproduce NODE-7606
  ${PROGRAM} reproduce NODE-7606/flat-serialize --budget 2m
  ${PROGRAM} reproduce --resume ${RUNS}/REPRODUCTION

With --resume, --budget is for the comparisons that remain.

A claimed ratio is reproduced if the whole interval measured here lies within the
claim's tolerance and the verdict has the claimed direction. If the interval reaches
across an edge of the tolerance, the direction is reproduced and the size is open;
measuring continues until it does not, or the time or the processes are used up. If
it lies outside, only the direction is reproduced. A claimed direction is reproduced
if the whole interval lies beyond the minimum effect.

Exit status: 0 done, whatever the verdicts, 2 usage, 4 a comparison could not be
made, 130 interrupted.`,
  run,
};

/**
 * A reproduction that is about to measure.
 *
 * @typedef {object} Opened
 * @property {FoundFamily[]} families
 * @property {FamilyClaim[]} claims all that were asked for
 * @property {number} seed
 * @property {boolean} sandbox
 * @property {string} command shown to other runs that wait for this one
 * @property {string} runsPath where its directory is made; that directory itself where it is resumed
 * @property {Reproduction | null} stored what is resumed
 * @property {() => Promise<{ path: string, state: Reproduction }>} begin reads again what another process may
 *   have resumed in the meantime
 */

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
  const { prepareThenLock } = await import('../../host/lock.js');
  const { groupClaims } = await import('../../studies/claims/claims.js');
  const { prepareGroups, separateClients } = await import('../../studies/claims/reproduce.js');
  const { chooseBudgetMs, orderGroups } = await import('../../studies/claims/budget.js');
  const { assertSameAsRuns, REPRODUCTION } = await import('../../studies/study.js');
  const { findFamily } = await import('../../variants/families.js');
  const { openSession } = await import('../session.js');

  const opened = await (options.resume === undefined
    ? open(names, options, io, invocation)
    : openAgain(options.resume, io));
  const { families, claims, seed, sandbox, command, runsPath, stored } = opened;
  const familyOf = (/** @type {ClaimGroup} */ group) =>
    findFamily(families, findFamilyName(group, claims));
  const groups = orderGroups(
    (await separateClients(groupClaims(claims), familyOf))
      .filter((group) => isOpen(group, stored))
      .map((group) => ({ ...group, processMs: familyOf(group).processMs })),
  );
  const budgetMs = options.budget === undefined ? chooseBudgetMs(groups) : options.budget * 1_000;
  const session = { ...openSession(io, options), recorders: [] };
  const contextOf = (/** @type {ClaimGroup} */ group, path = runsPath) => ({
    families,
    family: familyOf(group),
    runsPath: path,
    seed,
    sandbox,
    commands: makeCommands({ seed, sandbox }),
    session,
    io,
  });
  const request = { command, where: runsPath, waits: options.wait };
  const prepare = async () => {
    if (stored !== null) await assertSameAsBefore(runsPath, stored);
    const preparations = await prepareGroups(groups, contextOf);
    for (const preparation of stored === null ? [] : preparations) {
      if ('error' in preparation) continue;
      await assertSameAsRuns(REPRODUCTION, runsPath, preparation.prepared);
    }
    return preparations;
  };
  return prepareThenLock(request, io, prepare, (preparations) =>
    reproduce(opened, preparations, { contextOf, budgetMs, ...options }, io),
  );
}

/**
 * @param {Opened} opened
 * @param {Preparation[]} preparations
 * @param {Pick<ReproduceOptions, 'format' | 'quiet'> & { contextOf: (group: ClaimGroup, path: string) => ReproduceContext, budgetMs: number }} settings
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function reproduce(
  { claims, stored, begin },
  preparations,
  { contextOf, budgetMs, format, quiet },
  io,
) {
  const { reproduceGroups } = await import('../../studies/claims/reproduce.js');
  const { addResults } = await import('../../studies/claims/reproduction.js');
  const { estimateLongestMs } = await import('../../studies/claims/budget.js');
  const { conductStudy, REPRODUCTION } = await import('../../studies/study.js');
  const { makeAnnouncer } = await import('../progress.js');
  const { publishFinding, reproductionFinding } = await import('../publish.js');

  const { path, state } = await begin();
  const remaining = preparations.filter(({ group }) => isOpen(group, state));
  const groups = remaining.map(({ group }) => group);
  const announce = makeAnnouncer(io, quiet);
  if (groups.length > 0) announce(describePlan(groups.length, estimateLongestMs(groups, budgetMs)));
  const shownPath = showPath(path, io.workingPath);
  const place = { path, shownPath, state, isResumed: stored !== null, io };
  return conductStudy(REPRODUCTION, place, async (study) => {
    const measureWallMs = () => Math.round(state.wallMs + study.sessionMs());
    study.begin();
    const { hasFailed } = await reproduceGroups(remaining, {
      contextOf: (group) => contextOf(group, path),
      budgetMs,
      onGroup: announce,
      keep(outcome) {
        const results = addResults(study.current(), claims, outcome);
        study.save({ ...results, wallMs: measureWallMs() });
      },
    });
    const reproduction = study.save({ wallMs: measureWallMs() });
    const finding = await reproductionFinding(path, reproduction, io);
    const shown = { path, name: 'reproduction', owner: REPRODUCTION.owner };
    await publishFinding(finding, shown, io, format);
    await remember(path, reproduction, io);
    if (io.signal.aborted) return EXIT.interrupted;
    return hasFailed ? EXIT.failed : EXIT.done;
  });
}

/**
 * @param {string[]} names
 * @param {ReproduceOptions} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<Opened>}
 */
async function open(names, { all, seed: typed, out, sandbox = false }, io, invocation) {
  const { readClaims, selectClaims } = await import('../../studies/claims/claims.js');
  const { beginReproduction } = await import('../../studies/claims/reproduction.js');
  const { createStudyDirectory } = await import('../../studies/study.js');
  const { listFamilies } = await import('../../variants/families.js');
  const { findRunsPath } = await import('../session.js');

  const families = await listFamilies(PROJECT.experimentsPath);
  const { sources, claims: known } = await readClaims(families);
  const claims = all === true ? takeAll(known, names) : selectClaims(known, requireNames(names));
  const seed = typed ?? randomInt(2 ** 32);
  const command = formatInvocation(invocation, { changes: { seed: String(seed) } });
  const runsPath = findRunsPath(out, io);
  const asked = { families, claims, seed, sandbox, command, runsPath };
  return {
    ...asked,
    stored: null,
    async begin() {
      const path = createStudyDirectory(runsPath, `reproduce-${all ? 'all' : names.join('-')}`);
      return { path, state: beginReproduction(path, { ...asked, sources }) };
    },
  };
}

/**
 * @param {string} typed directory of a reproduction
 * @param {Io} io
 * @returns {Promise<Opened>}
 * @throws {UsageError} when it cannot be resumed
 */
async function openAgain(typed, { workingPath }) {
  const { readClaims, selectClaims } = await import('../../studies/claims/claims.js');
  const { formatResume, readStudy, REPRODUCTION } = await import('../../studies/study.js');
  const { listFamilies } = await import('../../variants/families.js');

  const path = resolve(workingPath, typed);
  const stored = await readStudy(REPRODUCTION, path);
  const { question, command } = stored;
  if (question === undefined) {
    throw new UsageError(`'${typed}' was made by an Assay that could not resume reproductions`, {
      remedy: `start again with: ${command}`,
    });
  }
  const families = await listFamilies(PROJECT.experimentsPath);
  const { claims: known } = await readClaims(families);
  return {
    families,
    claims: question.claims.flatMap((id) => selectClaims(known, [id])),
    seed: question.seed,
    sandbox: question.sandbox,
    command: formatResume(REPRODUCTION, typed),
    runsPath: path,
    stored,
    begin: async () => ({ path, state: await readStudy(REPRODUCTION, path) }),
  };
}

/** @type {(opened: Pick<Opened, 'seed' | 'sandbox'>) => ClaimCommands} */
function makeCommands({ seed, sandbox }) {
  return {
    compare: (question) =>
      formatQuestion(COMPARE, question, { except: ['seed', 'budget', 'explain'] }),
    reproduce(ids, minutes) {
      /** @type {Invocation['texts']} */
      const texts = {
        ...(minutes === undefined ? { seed: String(seed) } : { budget: `${minutes}m` }),
        ...(sandbox ? { sandbox: true } : {}),
      };
      return formatInvocation({ name: 'reproduce', options: OPTIONS, args: ids, texts });
    },
  };
}

/**
 * @param {ClaimGroup} group
 * @param {Reproduction | null} stored
 * @returns {boolean} whether a claim of it has no result yet
 */
function isOpen({ claims }, stored) {
  return claims.some(({ id }) => !stored?.judged.some(({ claim }) => claim.id === id));
}

/**
 * @param {string} path of a reproduction
 * @param {Reproduction} before
 * @throws {UsageError} when the host or Assay changed
 */
async function assertSameAsBefore(path, { environment, assay }) {
  const { describeEnvironment } = await import('../../host/environment.js');
  const { assertSameExperiment } = await import('../../run/identity.js');
  const { assertSameAsRuns, REPRODUCTION } = await import('../../studies/study.js');

  const now = { environment: describeEnvironment(), assay: describeAssay() };
  assertSameExperiment({ environment, assay }, now, REPRODUCTION.resumed);
  await assertSameAsRuns(REPRODUCTION, path);
}

/** @type {(claims: FamilyClaim[], names: string[]) => FamilyClaim[]} */
function takeAll(claims, [name]) {
  if (name === undefined) return claims;
  throw new UsageError(`--all cannot be combined with '${name}'`, {
    remedy: 'leave out one of the two',
  });
}

/** @type {(names: string[]) => string[]} */
function requireNames(names) {
  if (names.length > 0) return names;
  throw new UsageError('reproduce needs a claim', {
    remedy: `name one that '${PROGRAM} claims' lists, such as NODE-7606, or --all`,
  });
}

/**
 * @param {number} count of comparisons
 * @param {number} longestMs
 * @returns {string} `4 comparisons, at most about 6.5 min`
 */
function describePlan(count, longestMs) {
  const minutes = Math.ceil(longestMs / 30_000) / 2;
  return `${countOf(count, 'comparison')}, at most about ${minutes} min`;
}

/**
 * @param {ClaimGroup} group
 * @param {FamilyClaim[]} claims
 */
function findFamilyName({ claims: [first] }, claims) {
  return claims.find(({ id }) => id === first?.id)?.family ?? '';
}

/**
 * Keeps the results for later. The previous result of a claim stays if a failure prevented its measurement.
 *
 * @param {string} path
 * @param {Reproduction} reproduction
 * @param {Io} io
 */
async function remember(path, { judged, environment, createdAt }, io) {
  const { rememberResults } = await import('../../studies/claims/reproduction.js');
  const common = {
    measuredAt: createdAt,
    node: environment.node.replace(/^v/, ''),
    run: showPath(path, io.workingPath),
  };
  const results = judged
    .filter(({ claim, run, result }) => claim.cannotRun !== undefined || isFound(result, run))
    .map(({ result: { id, verdict } }) => ({ id, verdict, ...common }));
  rememberResults(PROJECT.claimResultsPath, results);
}

/**
 * @param {Reproduction['judged'][number]['result']} result
 * @param {string | null} run
 */
function isFound({ verdict }, run) {
  return run !== null || (verdict !== 'inconclusive' && verdict !== 'cannot-run');
}
