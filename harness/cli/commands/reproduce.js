import { randomInt } from 'node:crypto';
import { EXIT, UsageError } from '../../lib/errors.js';
import { countOf } from '../../lib/numbers.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT, RUNS } from '../../lib/project.js';
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
/** @import { Preparation } from '../../studies/claims/reproduce.js' */
/** @import { Asked, OpenedStudy } from '../study.js' */

/** @typedef {OptionValues<typeof OPTIONS>} ReproduceOptions */

const OPTIONS = {
  all: flag('--all', 'every claim'),
  budget: option(
    '--budget <time>',
    'for all comparisons together, with their checks: 90s, 9m, 1h (default: by the number of cells)',
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

With --resume, --budget is for the comparisons that remain. Claims about memory take
about two minutes each, whatever it is.

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
 * @param {[string[]]} args
 * @param {ReproduceOptions} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<number>} exit status: done whatever the verdicts, failed if a group could not be
 *   measured
 * @throws {UsageError} when nothing is named, or what is named is no claim
 */
async function run([names], options, io, invocation) {
  const { conductStudy } = await import('../study.js');
  return conductStudy(
    {
      format: 'reproduction',
      ask: () => ask(names, options, invocation),
      open: (reproduction) => open(reproduction, options, io),
    },
    options,
    io,
  );
}

/**
 * @param {string[]} names
 * @param {ReproduceOptions} options
 * @param {Invocation} invocation
 * @returns {Promise<Asked<Reproduction>>}
 */
async function ask(names, { all = false, seed: typed, sandbox = false }, invocation) {
  const { readClaims, selectClaims } = await import('../../studies/claims/claims.js');
  const { beginReproduction } = await import('../../studies/claims/reproduction.js');
  const { listFamilies } = await import('../../variants/families.js');

  const families = await listFamilies(PROJECT.experimentsPath);
  const { sources, claims: known } = await readClaims(families);
  const claims = all ? takeAll(known, names) : selectClaims(known, requireNames(names));
  const seed = typed ?? randomInt(2 ** 32);
  const command = formatInvocation(invocation, { changes: { seed: String(seed) } });
  const record = beginReproduction({ claims, sources, seed, sandbox, command });
  return { record, label: `reproduce-${all ? 'all' : names.join('-')}` };
}

/**
 * @param {Reproduction} reproduction
 * @param {ReproduceOptions} options
 * @param {Io} io
 * @returns {Promise<OpenedStudy<Reproduction, Reproduction>>}
 */
async function open(reproduction, options, io) {
  const { chooseBudgetMs, estimateLongestMs, orderGroups } =
    await import('../../studies/claims/budget.js');
  const { groupClaims, readClaims, selectClaims } = await import('../../studies/claims/claims.js');
  const { isOpen, makeReproductionStudy, prepareGroups, separateClients } =
    await import('../../studies/claims/reproduce.js');
  const { findFamily, listFamilies } = await import('../../variants/families.js');
  const { openSession } = await import('../session.js');

  const { claims: ids, seed, sandbox } = reproduction.question;
  const families = await listFamilies(PROJECT.experimentsPath);
  const { claims: known } = await readClaims(families);
  const claims = ids.flatMap((id) => selectClaims(known, [id]));
  const familyOf = (/** @type {ClaimGroup} */ group) =>
    findFamily(families, findFamilyName(group, claims));
  const groups = orderGroups(
    (await separateClients(groupClaims(claims), familyOf))
      .filter((group) => isOpen(group, reproduction))
      .map((group) => ({ ...group, processMs: familyOf(group).processMs })),
  );
  const budgetMs = options.budget === undefined ? chooseBudgetMs(groups) : options.budget * 1_000;
  const session = { ...openSession(io, options), recorders: [] };
  const commands = makeCommands({ seed, sandbox });
  const contextOf = (/** @type {ClaimGroup} */ group, runsPath = '') => ({
    ...{ families, family: familyOf(group), runsPath, seed, sandbox, commands, session, io },
  });
  /** @type {Preparation[]} */
  const preparations = [];
  return {
    begin: (state) => ({
      state,
      study: makeReproductionStudy({ claims, preparations, budgetMs, contextOf }),
    }),
    async prepare() {
      preparations.push(...(await prepareGroups(groups, contextOf)));
      return preparations.flatMap((each) => ('prepared' in each ? each.prepared : []));
    },
    plan(current) {
      const left = groups.filter((group) => isOpen(group, current));
      return left.length === 0
        ? null
        : describePlan(left.length, estimateLongestMs(left, budgetMs));
    },
    statusOf: (_state, outcomes) =>
      outcomes.some(({ hasFailed }) => hasFailed) ? EXIT.failed : EXIT.done,
    finish: (state, path) => remember(path, state, io),
  };
}

/** @type {(question: { seed: number, sandbox: boolean }) => ClaimCommands} */
function makeCommands({ seed, sandbox }) {
  return {
    compare: (question) =>
      formatQuestion(COMPARE, question, {
        args: [question.baseline, ...question.candidates],
        except: ['seed', 'budget', 'explain'],
      }),
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
